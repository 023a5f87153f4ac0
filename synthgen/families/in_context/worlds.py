"""Worlds that a name defines: permutations, names, and groups of facts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Late, NumberedFamily, Problem, RowDraws, Rows, stream_key

Ints = NDArray[np.int64]

LAST_WORLD, MAX_DECOYS = 999_999, 8
GROUPS = 100
"""Groups of equal size into which the facts of a world are divided at random."""
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvwxyz", "aeiou"
_HALF, _FACTORS, _DIVISOR = 1000, (311, 547, 719, 883), 97
"""Rounds that mix the halves of a number, so that names of neighbors have nothing in common."""


def name_of(number: int) -> str:
    """Return a name of three syllables, different for each number below a million."""
    left, right = divmod(number, _HALF)
    for factor in _FACTORS:
        left, right = right, (left + (right + 7) ** 2 * factor // _DIVISOR) % _HALF
    place, syllables = left * _HALF + right, list[str]()
    for _ in range(3):
        place, syllable = divmod(place, 100)
        syllables.append(_CONSONANTS[syllable // 5] + _VOWELS[syllable % 5])
    return "".join(syllables)


@lru_cache(8)
def shuffles(stream: int, rows: int, size: int) -> Ints:
    """Return a permutation of the numbers below `size` for each row, (rows, size)."""
    words = Rows.span(stream, 0, rows).draws().bits(size)
    return np.argsort(words, axis=1, kind="stable")


@lru_cache(8)
def groups_of(world: str, size: int) -> Ints:
    """Return the group of each fact of a world, (size,)."""
    words = Rows.span(stream_key("groups", world), 0, size).draws().bits()
    groups = np.empty(size, np.int64)
    groups[np.argsort(words, kind="stable")] = np.arange(size) * GROUPS // size
    return groups


class LatentFamily(NumberedFamily):
    """Questions about a world that a prompt names, or whose facts it states."""

    @property
    @abstractmethod
    def world(self) -> str:
        """Name of the world, which defines it."""

    @abstractmethod
    def stated(self, problem: Problem, draws: RowDraws) -> Iterable[str]:
        """Return the lines of facts that a prompt states."""

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Name the world, and state its facts where the wording asks for them."""
        facts = Late(lambda: "\n".join(self.stated(problem, draws)))
        return {"world": self.world, **problem.holes, "facts": facts}
