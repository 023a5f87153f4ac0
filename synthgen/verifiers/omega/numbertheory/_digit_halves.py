"""Extreme numbers with a property of their digits: all left halves meet all right halves.

A number is A 10^h + B. What its property asks of A and B together are congruences between a few
remainders of either, so that for each A the fitting B are those with a known code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_FIRST_CHUNK = 64
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


class Wanted(NamedTuple):
    """Kind of the property, digits of the number, the divisor, and the digit t or 0."""

    kind: str
    digits: int
    divisor: int
    target: int


@dataclass(frozen=True)
class Half:
    """Numbers of one half, at their place in the whole number, and remainders of each.

    Attributes:
        numbers: in rising order, (n,).
        plain: of the numbers.
        single, double: of all numbers changed at one place or two, if they agree, else -1.
        other: of the digits in reverse order, at their place in the reversal, or of their sum, with
            alternating signs or not.
        first, last: their digits.
    """

    numbers: Numbers
    plain: Numbers
    single: Numbers
    double: Numbers
    other: Numbers
    first: Numbers
    last: Numbers


@lru_cache(maxsize=4)
def _half(wanted: Wanted, low: int, high: int) -> Half:
    """Make the half with the digits at places low to high - 1 from the right."""
    width, v, kind = high - low, wanted.divisor, wanted.kind
    front = high == wanted.digits
    numbers = np.arange(10 ** (width - 1) if front else 0, 10**width)
    digits = np.array([numbers // 10**i % 10 for i in range(width)])
    places = range(low, high)
    tens = np.array([pow(10, place, v) for place in places], np.int64)
    plain = tens @ digits % v
    single = double = other = plain
    if kind in ("change_one", "change_two", "swap"):
        changes = (wanted.target - digits) * tens[:, None]
        if kind == "swap":
            changes = (digits[1:] - digits[:-1]) * (tens[:-1] - tens[1:])[:, None]
        single = _common((plain + changes) % v)
    if kind == "change_two":
        pairs = [changes[i] + changes[j] for i in range(width) for j in range(i)]
        double = _common((plain + np.array(pairs)) % v)
    if kind == "reverse":
        other = np.array([pow(10, wanted.digits - 1 - place, v) for place in places]) @ digits % v
    if kind in ("alternating", "digit_sum"):
        sign = -1 if kind == "alternating" else 1
        other = np.array([sign ** (wanted.digits - 1 - place) for place in places]) @ digits % v
    return Half(numbers, plain, single, double, other, first=digits[-1], last=digits[0])


def _common(remainders: Numbers) -> Numbers:
    """Return what all rows have, or -1 where they differ."""
    return np.where((remainders == remainders[0]).all(axis=0), remainders[0], -1)


def extremes(wanted: Wanted, rank: int, *, largest: bool) -> tuple[int, ...]:
    """Return the most extreme numbers in order, `rank` of them or all there are.

    Numbers have at least four digits.
    """
    h = wanted.digits // 2
    left, right = _half(wanted, h, wanted.digits), _half(wanted, 0, h)
    codes, options = _codes(wanted, left, right)
    order = np.argsort(codes, kind="stable")
    codes = codes[order]
    lefts = np.arange(len(left.numbers))
    bounds = []
    for some in _chunks(lefts[::-1] if largest else lefts):
        wanting = np.array([option[some] for option in options])
        starts, ends = (np.searchsorted(codes, wanting, side) for side in _SIDES)
        there = np.flatnonzero((ends > starts).any(axis=0))[:rank]  # each gives at least one
        for place in there:
            pairs = zip(starts[:, place], ends[:, place], strict=True)
            bounds += [(left.numbers[some[place]] * 10**h, *pair) for pair in pairs]
        if len(bounds) >= rank * len(options):
            break
    rights = right.numbers[order]
    found = [number for whole, start, end in bounds for number in whole + rights[start:end]]
    return tuple(map(int, sorted(found, reverse=largest)[:rank]))


def _chunks(places: Numbers) -> Iterator[Numbers]:
    """Divide places in parts that grow: mostly the first few are enough."""
    start, size = 0, _FIRST_CHUNK
    while start < len(places):
        yield places[start : start + size]
        start, size = start + size, 4 * size


def _codes(wanted: Wanted, left: Half, right: Half) -> tuple[Numbers, list[Numbers]]:
    """Return the codes of right halves, and those that left halves want; below zero for none."""
    v, kind = wanted.divisor, wanted.kind
    if kind in ("alternating", "digit_sum"):
        return right.other, [-left.other % v]
    if kind == "reverse":
        codes = right.plain * v + right.other
        return codes, [-left.plain % v * v + -left.other % v]
    bad = left.single < 0
    codes = np.where(right.single < 0, -1, right.plain * v + right.single)
    fitting = np.where(bad, -2, -left.single % v * v + -left.plain % v)
    if kind == "change_one":
        return codes, [fitting]
    if kind == "change_two":
        # the changes at one place of either half, and those at two places of one
        bad |= left.double < 0
        codes = (right.plain * v + right.single) * v + right.double
        codes[(right.single < 0) | (right.double < 0)] = -1
        fitting = (-left.double % v * v + -left.single % v) * v + -left.plain % v
        return codes, [np.where(bad, -2, fitting)]
    # the last digit of the left half and the first of the right one are neighbours, too
    nine = 9 * pow(10, len(str(right.numbers[-1])) - 1, v)
    options = []
    for first in range(10):
        whole = left.plain - left.single + nine * (first - left.last)
        options.append(np.where(bad | (whole % v != 0), -2, fitting * 10 + first))
    return np.where(codes < 0, -1, codes * 10 + right.first), options
