"""Parts of problems that several OMEGA families draw: shares of entropy, rationals, letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import gcd
from typing import TypeVar

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import (
    PER_DIGIT,
    positive_of,
    power_of_ten,
    signed_of,
)

LETTERS = "bcdfghjrstuvwxyz"
"""Names of numbers, without those that wordings use: a, i, k to q and e."""
_TRIES = 64
_PART = (1 << 21) - 1
_MOST_BY_ONE_WORD = 16
_LARGE = 4 * PER_DIGIT
_LEAST_TOP, _LEAST_BOTTOM = 3, 5

T = TypeVar("T")
Ratio = tuple[int, int]
"""A rational number in lowest terms: numerator, positive denominator."""


def several_below(draws: RowDraws, end: int, n: int) -> list[int]:
    """Return n integers from 0 to end - 1, three of them from one word; end is at most 2^21.

    The probability of each is 1 / end to within 2^-21.
    """
    values: list[int] = []
    for _ in range(-(-n // 3)):
        bits = draws.bits()
        values += (
            (bits & _PART) * end >> 21,
            (bits >> 21 & _PART) * end >> 21,
            (bits >> 42 & _PART) * end >> 21,
        )
    return values[:n]


def several_signed(draws: RowDraws, entropies: list[int], least: int = 0) -> list[int]:
    """Return an integer of either sign for each entropy, or `least`, as `signed_of` does."""
    parts = several_below(draws, _PART + 1, len(entropies))
    values = []
    for entropy, part in zip(entropies, parts, strict=True):
        bound = _bound(entropy, least)
        if bound:
            values.append((part * (2 * bound + 1) >> 21) - bound)
        else:
            values.append(signed_of(draws, max(entropy, least)))
    return values


@cache
def _bound(entropy: int, least: int) -> int:
    """Return how large an integer of an entropy is at most, 0 if one word is not enough."""
    used = max(entropy, least)
    return -(-power_of_ten(max(0, used)) // 2) if used <= _LARGE else 0


def shares(draws: RowDraws, total: int, n: int, evenness: int = 1) -> list[int]:
    """Split an entropy into n shares that add up to it: Dirichlet with this parameter, in integers.

    The gaps between m - 1 uniform cuts are Dirichlet(1, ..., 1), and sums of some of them are
    Dirichlet with their number, so that no logarithm is needed.
    """
    cuts = sorted(several_below(draws, total + 1, n * evenness - 1))
    ends = [*cuts[evenness - 1 :: evenness], total]
    return [end - start for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def reduced(top: int, bottom: int) -> Ratio:
    """Return top / bottom in lowest terms; bottom is not zero."""
    common = gcd(top, bottom) if bottom > 0 else -gcd(top, bottom)
    return top // common, bottom // common


def non_integer(draws: RowDraws, sixteenths: int) -> Ratio:
    """Return a rational that is no integer: its denominator is at least 5, its numerator 3."""
    for _ in range(_TRIES):
        of_top = draws.integer(0, sixteenths + 1)
        bottom = positive_of(draws, sixteenths - of_top, _LEAST_BOTTOM)
        top = signed_of(draws, 2 * of_top, _LEAST_TOP)
        if gcd(top, bottom) == 1:
            return top, bottom
    return _LEAST_TOP, _LEAST_BOTTOM


def integer_or_rational(draws: RowDraws, sixteenths: int) -> Ratio:
    """Return an integer or a rational that is none, each half of the time."""
    if draws.integer(0, 2):
        return non_integer(draws, sixteenths)
    return signed_of(draws, sixteenths), 1


def some_letters(draws: RowDraws, n: int, pool: str = LETTERS) -> list[str]:
    """Return n different letters of the pool, in random order."""
    left = list(pool)
    bits = draws.bits()
    chosen = []
    for _ in range(n):
        bits, place = divmod(bits, len(left))
        chosen.append(left.pop(place))
    return chosen


def shuffled(draws: RowDraws, items: Sequence[T]) -> list[T]:
    """Return the items in random order by one word, up to a bias of 2^-20 for at most 16 items."""
    result = list(items)
    if len(result) > _MOST_BY_ONE_WORD:
        return draws.shuffled(result)
    bits = draws.bits()
    for last in range(len(result) - 1, 0, -1):
        bits, other = divmod(bits, last + 1)
        result[last], result[other] = result[other], result[last]
    return result


def digits_of(values: list[int]) -> int:
    """Return the number of digits of the largest of these integers by magnitude."""
    return len(str(max(max(values), -min(values))))


def one_digit_or(sixteenths: int) -> int:
    """Return an entropy that is at least one digit."""
    return max(PER_DIGIT, sixteenths)
