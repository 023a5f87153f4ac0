"""Integers of a given entropy, of any size.

Entropy is the decimal logarithm of a number of choices, as in the published generators. It is
counted in sixteenths here, so that powers of ten are exact and equal on every machine.
"""

from __future__ import annotations

from functools import cache

from synthgen.draws.randomness import RowDraws

PER_DIGIT = 16
"""Parts of one unit of entropy."""
_WORD = 64
_ONE_WORD = 1 << _WORD


def integer_between(draws: RowDraws, low: int, high: int) -> int:
    """Return an integer from low to high, both included, of any size."""
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
    high = power_of_ten(sixteenths if sixteenths > 0 else 0)
    if 0 < least < high < _ONE_WORD:
        return least + (draws.bits() * (high - least + 1) >> _WORD)
    return integer_between(draws, least, high if high > least else least)


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
    """Return how far the magnitude of `signed_of` can exceed the least."""
    return max(least, -(-(power_of_ten(max(0, sixteenths)) + least) // 2)) - least
