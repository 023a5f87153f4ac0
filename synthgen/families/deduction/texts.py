"""Sentences about subjects and their properties, in several vocabularies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from synthgen.authoring import RowDraws, Words, filled
from synthgen.families.deduction.engine import Literal

WORDS = Words.beside(__file__)
_SENTENCES = WORDS["sentences"]


class Formula(NamedTuple):
    """A literal, or the conjunction ("and") or disjunction ("or") of several, in their order."""

    parts: tuple[Literal, ...]
    word: str = ""


class Lexicon:
    """A vocabulary.

    Attributes:
        subjects: Names, "the bear" with its article.
        kinds: Nouns for properties; none in most vocabularies.
        traits: Other properties; of those in one tuple, a theory has one.
    """

    def __init__(self, name: str) -> None:
        known = WORDS["lexicons"][name]
        self.name = name
        self.subjects: list[str] = known["subjects"]
        self.kinds: list[str] = known.get("kinds", [])
        traits = [[each] if isinstance(each, str) else each for each in known["traits"]]
        self._rules: list[str] = known["rules"]
        self._phrases: dict[Literal, str] = {}
        for each in self.kinds:
            article = "an" if each[0] in "aeiou" else "a"
            self._add(each, f"is {article} {each}", f"is not {article} {each}")
        for each in (one for group in traits for one in group):
            self._add(each, f"is {each}", f"is not {each}")
        for verb, third in known.get("verbs", {}).items():
            for thing in self.subjects:
                name = f"{verb}_{symbol_of(thing)}"
                traits.append([name])
                self._add(name, f"{third} {thing}", f"does not {verb} {thing}")
        self.traits = [tuple(group) for group in traits]

    def _add(self, name: str, phrase: str, negated: str) -> None:
        self._phrases[Literal(name)] = phrase
        self._phrases[Literal(name, False)] = negated

    @property
    def symbols(self) -> list[str]:
        """Names of the subjects and properties."""
        return [*map(symbol_of, self.subjects), *(each.name for each in self._phrases)]

    def drawn(self, draws: RowDraws, n_kinds: int, n_traits: int) -> tuple[list[str], list[str]]:
        """Return different kinds and traits in random order; without kinds, traits for both."""
        groups = draws.sample(self.traits, n_traits + (0 if self.kinds else n_kinds))
        traits = [draws.choice(group) for group in groups]
        if self.kinds:
            return draws.sample(self.kinds, n_kinds), traits
        return traits[n_traits:], traits[:n_traits]

    def phrase(self, parts: Iterable[Literal], word: str = "and") -> str:
        """Return what is said of a subject, with negations last, so that they deny one part."""
        texts = [self._phrases[each] for each in sorted(parts, key=lambda each: not each.positive)]
        if all(text.startswith("is ") for text in texts):
            texts[1:] = [text[3:] for text in texts[1:]]
        *first, last = texts
        return f"{', '.join(first)} {word} {last}" if first else last

    def clause(self, subject: str, formula: Formula) -> str:
        """Return a statement without a capital and a full stop."""
        return f"{subject} {self.phrase(formula.parts, formula.word)}"

    def sentence(self, subject: str, formula: Formula) -> str:
        """Return a statement as a sentence."""
        return capital(f"{self.clause(subject, formula)}.")

    def rule(
        self, conditions: Formula, conclusion: Formula, subject: str = "", turn: float = 0.0
    ) -> str:
        """Return a rule as a sentence.

        Args:
            conditions: What is met.
            conclusion: What follows.
            subject: Only subject of the rule, if it is not about all.
            turn: Number from 0 to 1 that chooses among the wordings.
        """
        holes = {
            "conditions": self.phrase(conditions.parts, conditions.word),
            "conclusion": self.phrase(conclusion.parts, conclusion.word),
            "subject": subject,
        }
        texts = self._rules
        if not any(each.positive for each in conclusion.parts):  # "every ... not" has two senses
            texts = [text for text in texts if text.startswith("If ")]
        first, *more = conditions.parts
        if subject:
            texts = [_SENTENCES["named"]]
        elif first.name in self.kinds and first.positive and not more:
            kind = _SENTENCES["kind"] if texts == self._rules else [*texts]
            texts = [*kind, _SENTENCES["plural"]]
            holes |= {"kind": first.name, "plural": f"{first.name}es"}
        chosen = texts[int(turn * len(texts))]
        if chosen == _SENTENCES["plural"]:
            holes["conclusion"] = _plural(holes["conclusion"])
        return capital(filled(chosen, holes))


def _plural(phrase: str) -> str:
    """Return what is said of several: "wumpuses and not red" for "is a wumpus and not red"."""
    return re.sub(r"\ban? (\w+)", r"\1es", phrase.removeprefix("is "))


def capital(text: str) -> str:
    """Return a text with a capital letter at the beginning."""
    return text[0].upper() + text[1:]


def symbol_of(subject: str) -> str:
    """Return a name as a symbol: "bald_eagle"."""
    return subject.removeprefix("the ").replace(" ", "_")


LEXICONS: Mapping[str, Lexicon] = {name: Lexicon(name) for name in WORDS["lexicons"]}
_NAMES = {symbol for lexicon in LEXICONS.values() for symbol in lexicon.symbols}
SYMBOLS = dict.fromkeys(sorted(_NAMES), 0)
"""Names of all vocabularies, as leaves of trees."""


def shuffled(formula: Formula, draws: RowDraws) -> Formula:
    """Return a formula with its parts in random order."""
    if len(formula.parts) < 2:
        return formula
    return formula._replace(parts=tuple(draws.shuffled(formula.parts)))


def conjunction(parts: Sequence[Literal]) -> Formula:
    """Return a literal, or the conjunction of several."""
    return Formula(tuple(parts), "and" if len(parts) > 1 else "")
