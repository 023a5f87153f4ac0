"""Sums of absolute values of the roots of real-rooted polynomials, rounded with proof.

Floating-point values propose where the roots are; exact signs of the polynomial at dyadic points
decide. If the signs alternate at the ends of n disjoint intervals, each holds just one of n roots.
Where intervals overlap, the roots in their union are counted by the sign changes of the shifted
coefficients (Budan and Fourier), which is exact for polynomials all of whose roots are real.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import frexp, isqrt

LARGEST, SUM, SPREAD = "largest", "sum", "spread"
_MOST_BITS = 44
_FEWEST_BITS = 3

Interval = tuple[int, int, int]
"""Low and high end, and how many roots lie between."""


def rounded_roots(
    coefficients: Sequence[int], guesses: Sequence[float], asked: str, *, squared: bool
) -> int | None:
    """Round the LARGEST absolute value of a root, the SUM of all, or the SPREAD of the largest.

    Args:
        coefficients: of a monic polynomial whose roots are all real, constant first.
        guesses: of all roots or, if `squared`, of their square roots.
        asked: SPREAD is from the smallest to the largest absolute value.
        squared: whether the roots, none of them negative, are squares of the values meant.

    Returns:
        None if the guesses are not good enough to prove any integer the nearest one.
    """
    guess = _combined([abs(value) for value in guesses], asked)
    distance = abs(guess - int(guess) - 0.5)
    weight = {LARGEST: 1, SUM: len(guesses), SPREAD: 2}[asked]
    bits = _FEWEST_BITS if distance == 0 else max(_FEWEST_BITS, 2 - frexp(distance / weight)[1])
    while bits <= _MOST_BITS:
        places = [round(value * (1 << bits)) for value in guesses]
        intervals = _proven(coefficients, places, bits, squared=squared)
        found = None if intervals is None else _rounded(intervals, asked, bits)
        if found is not None:
            return found
        bits += 6
    return None


def _combined(values: Sequence[float], asked: str) -> float:
    if asked == SUM:
        return sum(values)
    return max(values) - (min(values) if asked == SPREAD else 0)


def _rounded(intervals: Sequence[Interval], asked: str, bits: int) -> int | None:
    """Round what is asked if all values in the intervals round alike."""
    lows, highs = [], []
    for low, high, count in intervals:
        near = 0 if low <= 0 <= high else min(abs(low), abs(high))
        lows += [near] * count
        highs += [max(abs(low), abs(high))] * count
    if asked == SUM:
        low, high = sum(lows), sum(highs)
    elif asked == LARGEST:
        low, high = max(lows), max(highs)
    else:
        low, high = max(lows) - min(highs), max(highs) - min(lows)
    one = 1 << bits
    first, last = (2 * low - 1 + one) // (2 * one), (2 * high + 1 + one) // (2 * one)
    return first if first == last else None


def _proven(
    coefficients: Sequence[int], places: Sequence[int], bits: int, *, squared: bool
) -> list[Interval] | None:
    """Return disjoint intervals around the places that together hold all roots, if they do."""
    intervals = [(place - 1, place + 1, 1) for place in sorted(places, reverse=True)]
    disjoint = all(a[0] >= b[1] for a, b in pairwise(intervals))
    scaled = _scaled(coefficients, 2 * bits if squared else bits)
    if disjoint and _alternates(scaled, intervals, squared=squared):
        return intervals
    merged: list[Interval] = []
    for low, high, count in intervals:
        if merged and merged[-1][0] <= high:
            low, high = min(low, merged[-1][0]), merged[-1][1]
            count += merged.pop()[2]
        merged.append((low, high, count))
    for low, high, count in merged:
        ends = (_point(low, squared=squared), _point(high, squared=squared))
        if _above(scaled, ends[0]) - _above(scaled, ends[1]) != count:
            return None
    return merged


def _scaled(coefficients: Sequence[int], bits: int) -> list[int]:
    """Return the polynomial whose roots are 2^bits times as large, highest coefficient first."""
    return [value << bits * k for k, value in enumerate(reversed(coefficients))]


def _point(end: int, *, squared: bool) -> int:
    """Return where to look at the polynomial; none of its roots is negative if `squared`."""
    if not squared:
        return end
    return end * end if end > 0 else -1


def _alternates(scaled: Sequence[int], intervals: Sequence[Interval], *, squared: bool) -> bool:
    """Say whether the signs at the ends are those of one root in each interval, from above."""
    positive = True
    for low, high, _ in intervals:
        for end, wanted in ((high, positive), (low, not positive)):
            point = _point(end, squared=squared)
            value = 0
            for coefficient in scaled:
                value = value * point + coefficient
            if value == 0 or (value > 0) != wanted:
                return False
        positive = not positive
    return True


def _above(scaled: Sequence[int], point: int) -> int:
    """Count the roots above a point: sign changes of the coefficients shifted there."""
    shifted = list(scaled)
    for end in range(len(shifted) - 1, 0, -1):
        for k in range(1, end + 1):
            shifted[k] += point * shifted[k - 1]
    signs = [value > 0 for value in shifted if value]
    return sum(a != b for a, b in pairwise(signs))


def root_bound(square: int, n: int) -> int:
    """Bound the coefficients of a polynomial of degree n by (1 + r)^n, rounded up.

    By Maclaurin's inequality, where the squares of the roots sum to n r^2.
    """
    bound: int = (isqrt(square // n) + 2) ** n
    return bound
