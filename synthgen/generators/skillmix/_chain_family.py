"""What a family of atoms is: types, categories, traits and the words for it.

An atom is a family with its argument, `rotl2` say.
"""

from __future__ import annotations

from dataclasses import dataclass

TYPES = ("string", "list", "number", "words")
STRING, LIST, NUMBER, WORDS = range(4)
CATEGORIES = (
    *("order", "letter", "choice", "growth"),
    *("measure", "conversion", "arithmetic", "theory"),
)
ORDER, LETTER, CHOICE, GROWTH, MEASURE, CONVERSION, ARITHMETIC, THEORY = range(8)
NONE, A_NUMBER, A_LETTER, TWO_LETTERS, LETTER_AND_NUMBER = range(5)
"""Kinds of argument."""


@dataclass(frozen=True, slots=True)
class Family:
    """Atoms that differ in their argument alone.

    Attributes:
        label: what the bare notation of its atoms begins with.
        op: kernel operation.
        source, result: types, of TYPES.
        category: of CATEGORIES.
        name: in English; {n}, {x}, {y} stand for the argument, {letters}, {numbers}, {words},
            {places} for such a number of them, {times} for how often.
        definition: the same in a clause whose subject is the operation.
        traits: what the normal form looks at, see `_chain_pairs`.
        takes: kind of argument.
        least, most: numbers that the argument may be.
    """

    label: str
    op: int
    source: int
    result: int
    category: int
    name: str
    definition: str
    traits: tuple[str, ...] = ()
    takes: int = NONE
    least: int = 0
    most: int = 0


PERM = ("perm", "place", "arrange", "even")
"""Traits of what rearranges by place alone."""
SORTS = ("sorting", "arrange", "again", "even")
