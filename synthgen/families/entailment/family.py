"""Entailment: premises from forms with places for words, and clauses made of their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from synthgen.authoring import PlainFamily, Problem, RowDraws, Tree, Words, axis, levelled, params

_WORDS = Words.beside(__file__)
_CASES = Words.beside(__file__, "cases.toml")
_CLASSES, _PAIRS = _WORDS["classes"], _CASES["pairs"]
_LABELS = {"no": "non-entailment", "yes": "entailment"}
_HEURISTICS = ("lexical_overlap", "subsequence", "constituent")
_SUBCASES = tuple(pair[label]["name"] for pair in _PAIRS for label in _LABELS)
_MIRRORS = {
    *("le_object_cleft", "ln_around_relative_clause", "se_np_s", "se_pp_on_subject"),
    *("se_relative_clause_on_subject", "se_past_participle", "se_np_z", "sn_conjunction"),
    *("sn_adjective", "sn_understood_object", "sn_relative_clause_on_obj", "sn_pp_on_obj"),
}
"""Subcases that the published data lack."""
_PUBLISHED = [
    (pair, label) for pair in _PAIRS for label in _LABELS if pair[label]["name"] not in _MIRRORS
]
_FORMS = tuple(
    f"{pair[label]['name']}_{number}"
    for pair in _PAIRS
    for label in _LABELS
    for number in range(1, len(pair[label]["forms"]) + 1)
)
_KINDS = {"A": "N", "B": "N", "C": "N", "U": "T"}
_PLACES = {
    "T": "transitive",
    "I": "intransitive",
    "PREP": "prepositions",
    "REL": "relatives",
    "OPT": "optional",
    "PLACE": "places",
    "SUSPECT": "suspecting",
    "CLAIM": "claiming",
    "KNOW": "knowing",
    "TIRED": "adjectives",
    "FAKE": "privatives",
    "PEOPLE": "plural",
    "IF": "ifs",
    "WHETHER": "whethers",
    "BECAUSE": "becauses",
    "MAYBE": "maybes",
    "LUCKILY": "luckilies",
    "EXCEPT": "exceptions",
}
"""Classes of words by kind of place."""
_OBJECTS = {"EAT": "understood", "BREAK": "causative"}
"""Tables of verbs with their objects, by kind of place."""

Part = tuple[str, str]
"""A kind of place and its word, or a word of the form and no other."""


class _Sentence(NamedTuple):
    """A premise: its form, and the parts in each of its places."""

    form: str
    parts: Mapping[str, Sequence[Part]]

    def flat(self, form: str) -> list[Part]:
        """Return the parts of a form with the words of this sentence."""
        return [part for place in form.split() for part in self.parts.get(place, [(place, "")])]

    def text(self, form: str) -> str:
        """Return a form in words."""
        return " ".join([word or kind for kind, word in self.flat(form)]).replace(" ,", ",")

    def tree(self, form: str) -> Tree:
        """Return the kinds of places as a symbol, and the words."""
        parts = self.flat(form)
        return (
            _symbol([kind for kind, _ in parts]),
            *[_leaf(word) for kind, word in parts if _is_place(kind)],
        )

    def clauses(self, table: str) -> list[str]:
        """Return the clauses that the premise states or leaves open, in alphabetical order."""
        return sorted(self.text(form) for form in _CASES[table].get(self.form, ()))


def _is_place(kind: str) -> bool:
    return kind.isupper() and kind != "WAS"


def _symbol(kinds: Sequence[str]) -> str:
    return "_".join(kinds).lower().replace(",", "comma")


def _leaf(word: str) -> str:
    return word.removeprefix("the ").replace(" ", "_").replace("-", "_")


def _all_symbols() -> dict[str, int]:
    """Return the symbols of forms with their numbers of words, and the words."""
    known = {}
    cases = [pair[label] for pair in _PAIRS for label in _LABELS]
    for form in [text for case in cases for row in case["forms"] for text in row]:
        options = [
            [["I"], ["T", "N"]] if place.startswith("VP") else [[_KINDS.get(place, place)]]
            for place in form.split()
        ]
        for chosen in product(*options):
            kinds = [kind for each in chosen for kind in each]
            known[_symbol(kinds)] = sum(map(_is_place, kinds))
    tables = [_WORDS[name] for name in _OBJECTS.values()]
    words = [
        *_CLASSES.values(),
        *tables,
        *(things for table in tables for things in table.values()),
    ]
    return known | {_leaf(word): 0 for listed in words for word in listed}


class _Lexicon:
    """Words that are drawn without repetition.

    Args:
        draws: Random draws.
    """

    def __init__(self, draws: RowDraws) -> None:
        self.draws = draws
        self.nouns = draws.shuffled(range(len(_CLASSES["singular"])))
        self.rest: dict[str, list[str]] = {}

    def sentence(self, form: str) -> _Sentence:
        """Fill the places of a form."""
        parts: dict[str, list[Part]] = {}
        for place in form.split():
            kind = _KINDS.get(place, place)
            if place.startswith("VP"):
                is_short = self.draws.integer(0, 2)
                parts[place] = [self.word("I")] if is_short else [self.word("T"), self.word("N")]
            elif kind == "WAS":
                noun = parts["A"][0][1].removeprefix("the ")
                parts[place] = [(kind, "were" if noun in _CLASSES["plural"] else "was")]
            elif kind in _OBJECTS:
                table = _WORDS[_OBJECTS[kind]]
                verb = self.draws.choice([*table])
                parts[place] = [(kind, verb)]
                parts["THING"] = [("THING", self.draws.choice(table[verb]))]
            elif _is_place(kind) and kind != "THING":
                parts[place] = [self.word(kind)]
        return _Sentence(form, parts)

    def word(self, kind: str) -> Part:
        """Take a word of a kind."""
        if kind in ("N", "PEOPLE"):
            number = self.nouns.pop()
            is_plural = kind == "PEOPLE" or self.draws.integer(0, 2)
            noun = _CLASSES["plural" if is_plural else "singular"][number]
            return kind, noun if kind == "PEOPLE" else f"the {noun}"
        if not self.rest.get(kind):
            self.rest[kind] = self.draws.shuffled(_CLASSES[_PLACES[kind]])
        return kind, self.rest[kind].pop()


@levelled("n_words", 5, 8, 11, 14, 17, 20, 23, 26)
@dataclass(frozen=True)
class Entailment(PlainFamily):
    """Decide whether a premise entails a clause made of its words.

    Attributes:
        sentences: Sentences of the premise, 1 or 2; of two, one has the form of the subcase, and
            the other that of its mirror, with the opposite label.
        subcases: "all", or "published": the 30 of HANS.
    """

    sentences: int = params.integer(2, 1, 2)
    subcases: str = params.choice("all", ("all", "published"))

    verifier = "entailment"
    words = _WORDS
    symbols = {"given": (2, 3), **_all_symbols()}
    answer_type = "label"
    own_axes = {
        "label": axis("right answer", values=tuple(_LABELS.values())),
        "heuristic": axis("how the hypothesis is made of the premise", values=_HEURISTICS),
        "subcase": axis("kind of premise and hypothesis", values=_SUBCASES),
        "form": axis("subcase, and the number of its form", values=_FORMS),
        "is_published": axis("whether HANS has the subcase", 0, 1),
        "sentences": axis("sentences of the premise", "sentences", "sentences"),
        "n_words": axis("words of the premise", 3, 40),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a subcase, a form and words; for two sentences, also a form of the mirror."""
        if self.subcases == "published":
            pair, label = draws.choice(_PUBLISHED)
        else:
            pair, label = draws.choice(_PAIRS), draws.choice([*_LABELS])
        case, mirror = pair[label], pair["yes" if label == "no" else "no"]
        number = draws.integer(0, len(case["forms"]))
        form, *hypotheses = case["forms"][number]
        lexicon = _Lexicon(draws)
        sentence = lexicon.sentence(form)
        sentences = [sentence]
        if self.sentences == 2:
            other, *_ = draws.choice(mirror["forms"])
            sentences = draws.shuffled([sentence, lexicon.sentence(other)])
        hypothesis = draws.choice(hypotheses)
        texts = [_written(each.text(each.form)) for each in sentences]
        return Problem(
            tree=(
                "given",
                *[each.tree(each.form) for each in sentences],
                sentence.tree(hypothesis),
            ),
            answer=_LABELS[label],
            holes={"premise": " ".join(texts), "hypothesis": _written(sentence.text(hypothesis))},
            axes={
                "label": _LABELS[label],
                "heuristic": pair["heuristic"],
                "subcase": case["name"],
                "form": f"{case['name']}_{number + 1}",
                "is_published": int(case["name"] not in _MIRRORS),
                "sentences": self.sentences,
                "n_words": len(" ".join(texts).split()),
            },
            data=sentences,
        )

    def steps_of(self, problem: Problem) -> list[str]:
        """List what the premise states and leaves open."""
        return [*_lines(problem.data, problem.answer)]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return the other label."""
        del draws
        return [label for label in _LABELS.values() if label != problem.answer]


def _written(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _lines(sentences: Sequence[_Sentence], answer: str) -> Iterator[str]:
    for sentence in sentences:
        for table in ("stated", "open"):
            for clause in sentence.clauses(table):
                yield _WORDS.line(table, clause=clause)
    yield _WORDS.line("yes" if answer == _LABELS["yes"] else "no")


GENERATORS = {"entailment": Entailment}
