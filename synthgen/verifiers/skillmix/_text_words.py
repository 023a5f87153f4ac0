"""Numbers of words, given as the words come."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from synthgen.verifiers.skillmix._text_table import Table

_FIRST_LETTERS = 1 << 15


class Words(Table):
    """Words of letters, digits and apostrophes by number, and numbers by word.

    Attributes:
        names: words in the order of their numbers.
    """

    def __init__(self) -> None:
        super().__init__(np.zeros(_FIRST_LETTERS, np.uint8))
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words; give new ones."""
        first, numbers = len(self.names), self._numbers
        found = []
        for word in words:
            if word not in numbers:
                numbers[word] = len(numbers)
                self.names.append(word)
            found.append(numbers[word])
        new = self.names[first:]
        if new:
            joined = "".join(new).encode("ascii")
            self.add(np.frombuffer(joined, np.uint8), list(map(len, new)))
        return found
