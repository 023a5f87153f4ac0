"""Draws that OMEGA families share: words ahead, large integers, integers of a given entropy.

Entropy is the decimal logarithm of a number of choices, as in the published generators. It is
counted in sixteenths here, so that powers of ten are exact and equal on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import RowDraws, Rows, draw_bits

PER_DIGIT = 16
"""Parts of one unit of entropy."""
_WORD = 64
_ONE_WORD = 1 << _WORD
_AHEAD = 16
_MOST_AHEAD = 1_024


class AheadDraws(RowDraws):
    """The draws of a row, their words made many at a time."""

    _more: int = 2 * _AHEAD
    """How many words are made at once when there is none left."""

    @property
    def key(self) -> np.uint64:
        """The row's key, for kernels."""
        return np.uint64(self._key)

    @property
    def at(self) -> int:
        """Number of the next draw."""
        return self._next - len(self._words)

    def move_to(self, at: int) -> None:
        """Go on with another draw, after those that a kernel took."""
        left = self._next - at
        if 0 <= left <= len(self._words):
            del self._words[left:]
            return
        self._words = []
        self._next = at
        self._more = _AHEAD

    def _further(self) -> int:
        """Make more words, twice as many every time, and return the first of them."""
        self._words = _further_words(np.uint64(self._key), self._next, self._more).tolist()
        self._next += self._more
        self._more = min(2 * self._more, _MOST_AHEAD)
        return self._words.pop()


@njit(cache=True, nogil=True)
def _further_words(key: np.uint64, first: Int, n: Int) -> NDArray[np.uint64]:
    """Return n draws of a row from number `first` on, the last of them first."""
    words = np.empty(n, np.uint64)
    for place in range(n):
        words[n - 1 - place] = draw_bits(key, first + place)
    return words


def each_row(rows: Rows, ahead: int = _AHEAD) -> Iterator[AheadDraws]:
    """Return one sequence of draws a row, with the numbers of `Rows.each`."""
    return rows.each_as(AheadDraws, ahead)


def integer_between(draws: RowDraws, low: int, high: int) -> int:
    """Return an integer from low to high, both included, of whatever size."""
    span = high - low + 1
    if span < _ONE_WORD:
        return low + (draws.bits() * span >> _WORD)
    words = -(-span.bit_length() // _WORD) + 1
    bits = 0
    for _ in range(words):
        bits = bits << _WORD | draws.bits()
    return low + (bits * span >> words * _WORD)


@cache
def power_of_ten(sixteenths: int) -> int:
    """Return 10^(sixteenths / 16), rounded down: an exact root, not a float."""
    target = 10**sixteenths
    low, high = 1, 10 ** (sixteenths // PER_DIGIT + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**PER_DIGIT <= target:
            low = middle
        else:
            high = middle - 1
    return low


def entropy_between(draws: RowDraws, low: float, high: float) -> int:
    """Return an entropy from low to high, in sixteenths."""
    return draws.integer(round(low * PER_DIGIT), round(high * PER_DIGIT) + 1)


def positive_of(draws: RowDraws, sixteenths: int, least: int = 1) -> int:
    """Return an integer from `least` to 10^(sixteenths / 16)."""
    most = power_of_ten(sixteenths if sixteenths > 0 else 0)
    if 0 < least < most < _ONE_WORD:
        return least + (draws.bits() * (most - least + 1) >> _WORD)
    return integer_between(draws, least, most if most > least else least)


def signed_of(draws: RowDraws, sixteenths: int, least: int = 0) -> int:
    """Return an integer of either sign with at least this magnitude, out of about 10^(s / 16)."""
    bound = most_above(sixteenths, least)
    span = 2 * bound + 1
    if span < _ONE_WORD:
        value = (draws.bits() * span >> _WORD) - bound
    else:
        value = integer_between(draws, -bound, bound)
    if value < 0 or (value == 0 and least and draws.integer(0, 2)):
        return value - least
    return value + least


@cache
def most_above(sixteenths: int, least: int) -> int:
    """Return by how much the magnitude of `signed_of` is above the least at most."""
    return max(least, -(-(power_of_ten(max(0, sixteenths)) + least) // 2)) - least
