"""Drawing of sentences as derivations, by the programs of their categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synthgen.authoring import RowDraws, Tree, Words
from synthgen.core.errors import ParamError
from synthgen.families.cogs.grammar import FRAMES, PLACES, VERB_PHRASES, Frame, Kind
from synthgen.families.cogs.vocabulary import NAME, Weighted

_PP_SHARES = (0.333, 0.333, 0.334)
_NOUN_ATTEMPTS = 256
_CATEGORIES = Words.beside(__file__, "categories.toml")


@dataclass(frozen=True)
class Category:
    """What the sentences of one category are drawn from; see `categories.toml`.

    Attributes:
        frames: Name of a list of frames or of one frame, or empty.
    """

    frames: str = ""
    clauses: float = 0.0
    first_clause: float | None = None
    subject: str = ""
    theme: str = ""
    verb: str = ""
    infinitive: str = ""
    subject_pp: bool = False
    sentences: Sequence[float] = ()
    further_pp: float | None = None
    nested: str = ""

    @property
    def target(self) -> str:
        """The target word, or nothing."""
        return self.subject or self.theme or self.verb or self.infinitive


def _part(name: str, prefix: str = "") -> dict[str, Category]:
    return {f"{prefix}{key}": Category(**fields) for key, fields in _CATEGORIES[name].items()}


IN_DISTRIBUTION, PRIMITIVE = "in_distribution", "primitive"
_EXPOSURE = _part("exposure", "exposure_example_")
_LEXICAL, _STRUCTURAL = _part("lexical"), _part("structural")
CATEGORIES = _part("training") | _EXPOSURE | _LEXICAL | _STRUCTURAL
_GROUPS = {
    "exposure": tuple(_EXPOSURE),
    "lexical": tuple(_LEXICAL),
    "structural": tuple(_STRUCTURAL),
    "generalization": (*_LEXICAL, *_STRUCTURAL),
    "all": tuple(CATEGORIES),
}


def chosen_categories(value: object) -> tuple[str, ...]:
    """Return the categories that a name or a list of names of categories and groups selects.

    Raises:
        ParamError: for an unknown name, an empty list, or a category selected twice.
    """
    known = f"names of categories or of the groups {', '.join(_GROUPS)}, none of them twice"
    asked = (value,) if isinstance(value, str) else value
    if not isinstance(asked, tuple) or not asked:
        raise ParamError("categories", value, known)
    names: list[str] = []
    for name in asked:
        if not isinstance(name, str) or (name not in _GROUPS and name not in CATEGORIES):
            raise ParamError("categories", value, f"{known}; {name!r} is not one")
        names += _GROUPS.get(name, (name,))
    if len(set(names)) != len(names):
        raise ParamError("categories", value, known)
    return tuple(names)


class Grammar(NamedTuple):
    """What all categories share: words, and params of the family.

    Attributes:
        lists: Words by the names of their lists.
        sentences: Weights of active, unaccusative, passive and passive dative sentences.
        active: Weights of the nine active verb phrases.
        pp, further_pp, definite, name: Probabilities.
        max_cp, max_pp: Deepest nesting that is kept.
        may_repeat: Whether a noun may occur twice in a sentence.
        redrawn: Whether only the noun is drawn again where it may not, and not the sentence.
    """

    lists: Mapping[str, Weighted[str]]
    sentences: Sequence[float]
    active: Sequence[float]
    pp: float
    further_pp: float
    definite: float
    name: float
    max_cp: int
    max_pp: int
    may_repeat: bool
    redrawn: bool


class Program:
    """What the sentences of a category are drawn from, with the params of a family.

    Args:
        category: Name of the category.
        grammar: What all categories share.
    """

    def __init__(self, category: Category, grammar: Grammar) -> None:
        self.category = category
        self.grammar = grammar
        self.frames = [Weighted(FRAMES.items(), shares) for shares in _shares(category, grammar)]
        self.places = Weighted(PLACES, _PP_SHARES)
        further = category.further_pp
        self.further_pp = grammar.further_pp if further is None else further
        self.redrawn = grammar.redrawn or bool(category.nested)


def _shares(category: Category, grammar: Grammar) -> list[Sequence[float]]:
    """Return the shares of the frames at the outermost level and further in."""
    without_clauses = (*grammar.active[:-1], 0.0)
    if category.frames:
        names = _CATEGORIES["frames"].get(category.frames, (category.frames,))
        simple = [float(name in names) for name in FRAMES]
    elif category.sentences:
        simple = _main(category.sentences, [1.0] * len(grammar.active[:-1]) + [0.0])
    elif category.nested or not grammar.max_cp:
        simple = _main(grammar.sentences, without_clauses)
    else:
        return [_main(grammar.sentences, grammar.active)] * 2
    shares: list[Sequence[float]] = []
    for clauses in (category.first_clause, category.clauses):
        share = (category.clauses if clauses is None else clauses) if grammar.max_cp else 0.0
        total = sum(simple)
        shares.append(
            [
                share if name == "cp" else weight * (1 - share) / total
                for name, weight in zip(FRAMES, simple, strict=True)
            ]
        )
    return shares


def _main(sentences: Sequence[float], active: Sequence[float]) -> list[float]:
    """Return the share of every frame in the main grammar."""
    total, phrases = sum(sentences), sum(active) or 1.0
    return [
        *(sentences[0] / total * weight / phrases for weight in active),
        sentences[1] / total,
        *[sentences[2] / total / 8] * 8,  # six passives of plain verbs and two of `to` datives
        *[sentences[3] / total / 2] * 2,  # passives of double objects
    ]


class Rejected(Exception):
    """The sentence nests too deep or repeats a noun."""


class Sentence:
    """A sentence, drawn on construction.

    Args:
        program: Program of its category.
        draws: Draws of its row.
        cp_depth: Number of `that` clauses, if it is given.
        pp_depth: Number of nested prepositional phrases of the theme, if it is given.

    Attributes:
        tree: Derivation.
        frames: Names of the frames of its clauses, the outermost first.
        chains: Number of nested prepositional phrases of each noun phrase.

    Raises:
        Rejected: if these draws do not give a sentence.
    """

    def __init__(
        self, program: Program, draws: RowDraws, cp_depth: int | None, pp_depth: int | None
    ) -> None:
        self._program, self._grammar, self._draws = program, program.grammar, draws
        self._cp_depth, self._pp_depth = cp_depth, pp_depth
        self._nouns: set[str] = set()
        self.frames: list[str] = []
        self.chains: list[int] = []
        self.tree = self._clause()

    @property
    def depth(self) -> int:
        """Depth of the derivation, whose first noun phrases are the subjects of the clauses."""
        n = len(self.frames)
        return max(
            2 * (min(place, n) + chain) + (place > n) + 1
            for place, chain in enumerate(self.chains, 1)
        )

    def _clause(self) -> Tree:
        """Draw a clause, and the clauses in it."""
        level = len(self.frames)
        name, frame = self._program.frames[level > 0].draw(self._draws)
        if level < (self._cp_depth or 0):
            name, frame = "cp", FRAMES["cp"]
        self.frames.append(name)
        sentence = "S_passive" if frame.rule.startswith("VP_passive") else "S_active"
        if name == "cp":
            if self._cp_depth is None and level == self._grammar.max_cp:
                raise Rejected
            subject = self._phrase(frame.subject)
            verb = self._word("clause")
            return (sentence, subject, (frame.rule, verb, self._clause()))
        category = self._program.category
        subject = self._phrase(frame.subject, category.subject)
        verb = self._word(category.verb or frame.verb)
        return (sentence, subject, (frame.rule, verb, *self._arguments(frame)))

    def _arguments(self, frame: Frame) -> list[Tree]:
        """Draw what follows the verb of the innermost clause."""
        category = self._program.category
        if frame.rule == "VP_inf":
            return [self._word(category.infinitive or "infinitive")]
        arguments = []
        for kind, role in zip(frame.arguments, VERB_PHRASES[frame.rule].split()[1:], strict=True):
            if role == "theme":
                arguments.append(self._phrase(kind, category.theme, self._pp_depth))
            else:
                arguments.append(self._phrase(kind))
        return arguments

    def _word(self, name: str) -> str:
        return self._grammar.lists[name].draw(self._draws)

    def _phrase(self, kind: Kind, target: str = "", depth: int | None = None) -> Tree:
        """Draw a noun phrase.

        Args:
            kind: Kind of the phrase.
            target: Target word that it has as its noun, if any.
            depth: Number of nested prepositional phrases, if it is given.
        """
        grammar, draws = self._grammar, self._draws
        required = kind.acts and self._program.category.subject_pp
        nouns = target or self._list(kind, is_common=required or bool(depth))
        if nouns == "name" or NAME.fullmatch(nouns):
            self.chains.append(0)
            return ("NP_name", self._noun(nouns))
        if depth is None:
            more = required or (kind.may_have_pp and draws.uniform() < grammar.pp)
            depth = 0
            while more:
                depth += 1
                if depth > grammar.max_pp:
                    raise Rejected
                more = draws.uniform() < self._program.further_pp
        self.chains.append(depth)
        return self._common(nouns, depth)

    def _list(self, kind: Kind, *, is_common: bool) -> str:
        """Draw the list of a phrase's noun, which is not that of names if it is a common noun."""
        animate = (1 - kind.inanimate) * (1 - self._grammar.name)
        total = kind.inanimate + animate if is_common else 1.0
        chance = self._draws.uniform() * total
        if chance < kind.inanimate:
            return "inanimate"
        return "animate" if is_common or chance < kind.inanimate + animate else "name"

    def _common(self, nouns: str, depth: int) -> Tree:
        """Draw a noun of a list with its article, and the phrases nested in it."""
        article = "the" if self._draws.uniform() < self._grammar.definite else "a"
        noun = self._noun(nouns)
        if not depth:
            return ("NP_det", article, noun)
        place = self._program.places.draw(self._draws)
        return ("NP_det_pp", article, noun, (f"PP_{place}", self._common(place, depth - 1)))

    def _noun(self, nouns: str) -> str:
        """Draw a noun or name of a list that the sentence does not have yet."""
        for _ in range(_NOUN_ATTEMPTS):
            noun = self._word(nouns)
            if noun not in self._nouns or self._grammar.may_repeat:
                self._nouns.add(noun)
                return noun
            if not self._program.redrawn:
                break
        raise Rejected
