"""Clauses read by their shape: what connectives and leads make of them, whatever they are about.

How a clause is read depends on its function words alone; all other words are carried along. So a
shape, which is a clause without them, is read once, and each clause of that shape is filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from synthgen.verifiers.skillmix._check_logic_formula import (
    CONDITIONAL,
    FORMULA_WORDS,
    Formula,
    formula,
    opening_if,
)
from synthgen.verifiers.skillmix._check_logic_words import (
    BREAKS,
    REASON,
    REASON_AFTER,
    STATEMENT_WORDS,
    STEMS,
    lead,
    stem,
)
from synthgen.verifiers.skillmix._wanted import ByWord, Remembered

_AFTER_AND = BREAKS | {"so"}
_WORDS = STATEMENT_WORDS | FORMULA_WORDS | _AFTER_AND
"""Words that are not carried along."""
_OTHER = "\x00"
"""Begins what stands for a word that is carried along; no word has it."""


Part = TypeVar("Part")
_Told: TypeAlias = tuple[str, Formula | None, Formula | None, tuple[str, ...]]
"""A statement of a clause, or one side of a conditional: role, antecedent, rest, and its words."""


class _Placed(str):
    """A word that knows its place in the clause."""

    __slots__ = ("at",)
    at: int


class _Literal(NamedTuple):
    """A literal to be filled in: text with gaps, and what takes the stems for them."""

    op: str
    positive: bool
    text: str
    gaps: Callable[[Sequence[str]], Any] | None


class _Compound(NamedTuple):
    op: str
    positive: bool
    parts: tuple[Unfilled, ...]


Unfilled: TypeAlias = _Literal | _Compound
"""A formula that lacks the stems of the words that are carried along."""


class Shape(NamedTuple, Generic[Part]):
    """A piece of a clause without the words that are carried along.

    Its formulas have gaps for them, or their places, see `place_in`.

    Attributes:
        role: what its lead makes of it, or nothing.
        antecedent: of a clause that begins with "if".
        rest: what else is said, if anything.
        start, stop: its words in the clause, without the lead.
    """

    role: str
    antecedent: Part | None
    rest: Part | None
    start: int
    stop: int


def _key(word: str) -> str:
    """Return a word that matters for how a clause is read, or nothing for all others."""
    return word if word in _WORDS or stem(word) in _WORDS else ""


_KEYS = ByWord(_key)


def shapes(words: tuple[str, ...]) -> tuple[Shape[Unfilled], ...]:
    """Return the shapes of the pieces of a clause."""
    return _SHAPES[tuple(map(_KEYS.__getitem__, words))]


def filled(one: Unfilled, words: tuple[str, ...]) -> Formula:
    """Read a formula of a clause whose shape is known."""
    return _filled(one, list(map(STEMS.__getitem__, words)))


def _filled(shape: Unfilled, stems: list[str]) -> Formula:
    if isinstance(shape, _Literal):
        _, positive, text, gaps = shape
        return Formula("is", positive, text % gaps(stems) if gaps else text, ())
    op, positive, parts = shape
    return Formula(op, positive, "", tuple([_filled(part, stems) for part in parts]))


def key_of(word: str) -> str:
    """Return a word that matters for how a clause is read, or nothing for all others."""
    return _KEYS[word]


def place_in(stem: str) -> int:
    """Return the place in its clause of a word that is carried along, -1 for other stems."""
    return int(stem[1:]) if stem[:1] == _OTHER else -1


def pieces(keys: tuple[str, ...]) -> Iterator[Shape[Formula]]:
    """Read a clause of which only the words that matter are known."""
    words = []
    for at, key in enumerate(keys):
        word = _Placed(key or f"{_OTHER}{at}")
        word.at = at
        words.append(word)
    for role, antecedent, rest, own in _read(tuple(words)):
        yield Shape(role, antecedent, rest, _place(own, 0), _place(own, -1) + 1)


def _shapes(keys: tuple[str, ...]) -> tuple[Shape[Unfilled], ...]:
    return tuple(
        Shape(role, antecedent and _gapped(antecedent), rest and _gapped(rest), start, stop)
        for role, antecedent, rest, start, stop in pieces(keys)
    )


_SHAPES = Remembered(_shapes, 16_384)


def _place(words: tuple[str, ...], which: int) -> int:
    word = words[which] if words else None
    return word.at if isinstance(word, _Placed) else which


def _gapped(one: Formula) -> Unfilled:
    if one.op != "is":
        return _Compound(one.op, one.positive, tuple(map(_gapped, one.parts)))
    stems = one.body.split(" ")
    gaps = [place_in(word) for word in stems if place_in(word) >= 0]
    text = " ".join("%s" if place_in(word) >= 0 else word for word in stems)
    return _Literal("is", one.positive, text, itemgetter(*gaps) if gaps else None)


def _read(words: tuple[str, ...]) -> Iterator[_Told]:
    parts = [words] if _AFTER_AND.isdisjoint(words[1:]) else _split(words)
    while parts:
        role, rest = lead(parts.pop(0))
        if role in (REASON, REASON_AFTER) and "and" in rest and not CONDITIONAL.isdisjoint(rest):
            at = rest.index("and")  # two reasons, of which one is a rule
            parts.insert(0, rest[at:])
            rest = rest[:at]
        antecedent, behind = opening_if(rest)
        if antecedent is None:
            yield role, None, formula(rest) if rest else None, rest
        else:
            _, consequent = lead(behind)
            yield role, antecedent, formula(consequent) if consequent else None, rest


def _split(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Split a clause before a conclusion or a reason in its middle."""
    found, start = list[tuple[str, ...]](), 0
    for at in range(1, len(words) - 1):
        joins = words[at] in BREAKS and words[at - 1] not in ("is", "that")
        if (joins and words[at - 1] != "and") or (
            words[at] == "and" and words[at + 1] in _AFTER_AND
        ):
            found.append(words[start:at])
            start = at
    found.append(words[start:])
    return found
