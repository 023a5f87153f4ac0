"""Worlds from their names: single permutations, and names and their numbers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from synthgen.authoring import RowDraws, Rows, holes

_CONSONANTS = "bcdfghjklmnprstvwxyz"
_SYLLABLES = [consonant + vowel for consonant in _CONSONANTS for vowel in "aeiou"]
_FACTORS = (311, 547, 719, 883)
_N = "(?:0|[1-9][0-9]{0,5})"
NAME = f"(?:[{_CONSONANTS}][aeiou]){{3}}"

World = tuple[int, ...]


def world_hole(prefix: str, count: int) -> holes.Hole:
    """Return the hole of the name of a world with some numbers."""
    return holes.pattern(
        f"{prefix}(?:-{_N}){{{count}}}", lambda text: (*map(int, text.split("-")[1:]),)
    )


def listed(line: str) -> holes.Hole:
    """Return the hole of lines with a pattern."""
    return holes.listed(holes.pattern(line), "\n")


def row_draws(stream: int, address: int, size: int) -> RowDraws:
    """Return the draws of one row of a world."""
    return next(Rows(stream, np.array([address], np.uint64)).each(size))


@lru_cache(256)
def shuffle(stream: int, row: int, size: int) -> list[int]:
    """Return the permutation of one row of a world."""
    draws = row_draws(stream, row, size)
    words = [draws.bits() for _ in range(size)]
    return sorted(range(size), key=words.__getitem__)


def _mix(half: int, factor: int) -> int:
    return (half + 7) ** 2 * factor // 97


def name_of(number: int) -> str:
    """Return the name of a number, syllable by syllable."""
    left, right = number // 1000, number % 1000
    for factor in _FACTORS:
        left, right = right, (left + _mix(right, factor)) % 1000
    place = 1000 * left + right
    return _SYLLABLES[place % 100] + _SYLLABLES[place // 100 % 100] + _SYLLABLES[place // 10_000]


def number_of(name: str) -> int:
    """Return the number of a name, by the rounds in reverse."""
    low, middle, high = (_SYLLABLES.index(name[at : at + 2]) for at in (0, 2, 4))
    left, right = divmod(low + 100 * middle + 10_000 * high, 1000)
    for factor in reversed(_FACTORS):
        left, right = (right - _mix(left, factor)) % 1000, left
    return 1000 * left + right
