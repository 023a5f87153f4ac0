"""What compiled checkers of world and mind know of words: bits for the classes of each."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

import numpy as np

from synthgen.verifiers.skillmix import _check_world_kernel_told as kernel
from synthgen.verifiers.skillmix import _check_world_parse as parse
from synthgen.verifiers.skillmix._check_world_parse import is_person
from synthgen.verifiers.skillmix._text import STOP
from synthgen.verifiers.skillmix._text_table import Ints, extended

_FIRST_ROWS = 4_096
CLASSES: Mapping[int, Container[str]] = {
    kernel.SO: parse.SO,
    kernel.SURELY: parse.SURELY,
    kernel.BECAUSE: parse.BECAUSE,
    kernel.JOINING: parse.JOINING,
    kernel.CERTAIN: parse.CERTAIN,
    kernel.SPLITTING: parse.SPLITTING,
    kernel.REASONING: parse.REASONING,
    kernel.KNOWING: parse.KNOWING,
    kernel.AROUND: parse.AROUND,
    kernel.DETERMINER: parse.DETERMINERS,
    kernel.PRONOUN: parse.PRONOUNS,
    kernel.NEGATION: parse.NEGATIONS,
    kernel.STOP_WORD: STOP,
    kernel.THEN: ("then",),
    kernel.WHILE: ("while",),
    kernel.THAT: ("that",),
    kernel.MEANS: ("means",),
    kernel.DEICTIC: ("this", "which", "that"),
    kernel.OF: ("of",),
}
"""Words of each class of statements but persons, which are looked up."""


class Codes:
    """Rows of words by their numbers, or a single number for each.

    Attributes:
        rows: row i is what is known of word i.
    """

    def __init__(self, row: Callable[[str], Sequence[int] | int]) -> None:
        """Make an empty table.

        Args:
            row: returns what is known of a word.
        """
        self._row = row
        self.rows: Ints = np.zeros((_FIRST_ROWS, *np.shape(row("a"))), np.int64)
        self._n_words = 0

    def grow(self, names: Sequence[str]) -> Ints:
        """Add the rows of new words, which come in the order of their numbers; return all."""
        new = names[self._n_words :]
        if new:
            self.rows = extended(self.rows, self._n_words, [self._row(word) for word in new])
            self._n_words = len(names)
        return self.rows


def bits_of_classes(word: str, classes: Mapping[int, Container[str]]) -> int:
    """Return the bits of the classes that a word is in."""
    return sum(bit for bit, words in classes.items() if word in words)


def classes_of(word: str) -> int:
    """Return the classes of a word that statements depend on."""
    return bits_of_classes(word, CLASSES) | (kernel.PERSON if is_person(word) else 0)
