"""Extreme short numbers with a property of their digits: one mask over all numbers of a length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega.numbertheory._digit_halves import Wanted

Numbers = NDArray[np.int64]


def masked(wanted: Wanted, rank: int, *, largest: bool) -> tuple[int, ...]:
    """Return the most extreme numbers in order, `rank` of them or all there are."""
    numbers = np.arange(10 ** (wanted.digits - 1), 10**wanted.digits)
    good = np.ones(len(numbers), bool)
    for values in _values(wanted, numbers):
        good &= values % wanted.divisor == 0
    found = numbers[good]
    return tuple((found[::-1] if largest else found)[:rank].tolist())


def _values(wanted: Wanted, numbers: Numbers) -> Iterator[Numbers]:
    """Yield what must be divisible, for all numbers at once."""
    tens = [10**place for place in range(wanted.digits)]
    digits = [numbers // ten % 10 for ten in tens]
    changes = [(wanted.target - digit) * ten for digit, ten in zip(digits, tens, strict=True)]
    if wanted.kind == "change_one":
        yield from (numbers + change for change in changes)
    elif wanted.kind == "change_two":
        yield from (numbers + one + other for one, other in combinations(changes, 2))
    elif wanted.kind == "swap":
        for place in range(1, wanted.digits):
            yield numbers + 9 * tens[place - 1] * (digits[place - 1] - digits[place])
    elif wanted.kind == "reverse":
        yield numbers
        yield sum((d * t for d, t in zip(digits, reversed(tens), strict=True)), 0 * numbers)
    else:
        sign = -1 if wanted.kind == "alternating" else 1
        yield sum((digit * sign**place for place, digit in enumerate(digits)), 0 * numbers)
