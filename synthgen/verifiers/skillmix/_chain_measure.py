"""Rules that look at all of a value: measures, lists from lists, digits and divisors."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._chain_atoms import ROW
from synthgen.verifiers.skillmix._chain_read import Numbers
from synthgen.verifiers.skillmix._chain_rules import is_vowel

MOST_DIVIDED = 10_000
_LENGTH, _COUNT, _VOWELS, _DISTINCT = (ROW[n] for n in ("length", "count", "vowels", "distinct"))
_ALPHASUM, _SUM, _INDEX, _MAX, _MIN = (ROW[n] for n in ("alphasum", "sum", "index_", "max", "min"))
_RANGE, _MEDIAN, _ARGMAX = ROW["range"], ROW["median"], ROW["argmax"]
_INSERT, _TOGGLE, _PREFIX, _DIFFS = (ROW[n] for n in ("insert_", "toggle_", "prefix", "diffs"))
_DIGITSUM, _REVDIGITS, _DIGITS = ROW["digitsum"], ROW["revdigits"], ROW["digits"]
_DIVISORS = ROW["divisors"]


@lent
def ranked(values: Numbers, n: Int, out: Numbers, downwards: Int) -> None:
    """Put every item where as many are before it as are smaller, or equal and on its left."""
    for k in range(n):
        place = 0
        for j in range(n):
            before = values[j] > values[k] if downwards else values[j] < values[k]
            place += before or (j < k and values[j] == values[k])
        out[place] = values[k]


@lent
def measure(row: Int, a: Int, values: Numbers, n: Int, room: Numbers) -> Int:
    """Return the number that a counting rule gives of values[:n]."""
    if row == _LENGTH or row == _COUNT:
        return n
    if row == _MEDIAN or row == _MAX or row == _MIN or row == _RANGE:
        ranked(values, n, room, 0)
        if row == _RANGE:
            return np.int64(room[n - 1] - room[0])
        return np.int64(room[(n - 1) // 2 if row == _MEDIAN else n - 1 if row == _MAX else 0])
    total: Int = np.int64(0)
    if row == _ARGMAX:
        for k in range(n - 1, -1, -1):
            if values[k] >= values[total]:
                total = np.int64(k)
        for k in range(n):
            if values[k] == values[total]:
                return np.int64(k + 1)
    for k in range(n):
        if row == _SUM or row == _ALPHASUM:
            total += values[k]
        elif row == _VOWELS:
            total += is_vowel(values[k])
        elif row == _INDEX:
            if values[k] == a:
                return np.int64(k + 1)
        elif row == _DISTINCT:
            again = False
            for j in range(k + 1, n):
                again = again or values[j] == values[k]
            total += not again
    return total


@lent
def listed(row: Int, a: Int, b: Int, values: Numbers, n: Int, out: Numbers) -> Int:
    """Write a string or list that hangs on neighbours or on what is there, and its length."""
    if row == _INSERT:
        for k in range(n + 1):
            out[k] = values[k] if k < b and k < n else values[k - 1] if k > 0 else a
        out[min(b, n)] = a
        return n + 1
    if row == _TOGGLE:
        m: Int = np.int64(0)
        for k in range(n):
            out[m] = values[k]
            m += values[k] != a
        if m == n:
            out[n] = a
            m = n + 1
        return m
    if row == _DIFFS:
        for k in range(n - 1):
            out[k] = values[k + 1] - values[k]
        return n - 1
    if row == _PREFIX:
        out[0] = values[0]
        for k in range(1, n):
            out[k] = out[k - 1] + values[k]
        return n
    for k in range(n):
        if k % 2 == 0:
            out[k // 2] = values[k]
        else:
            out[k // 2] += values[k]
    return (n + 1) // 2


@lent
def of_number(row: Int, number: Int, out: Numbers) -> Int:
    """Write digits, divisors or what is made of them; return the length, 0 for what has none."""
    if number < 0:
        return np.int64(0)
    if row == _DIGITS or row == _DIGITSUM or row == _REVDIGITS:
        power, n = np.int64(1), 1
        while number // power >= 10:
            power *= 10
            n += 1
        total, turned, weight = np.int64(0), np.int64(0), np.int64(1)
        for k in range(n):
            digit = number // power % 10
            power //= 10
            out[k] = digit
            total += digit
            turned += digit * weight
            weight *= 10
        if row == _DIGITS:
            return np.int64(n)
        out[0] = total if row == _DIGITSUM else turned
        return np.int64(1)
    m: Int = np.int64(0)
    if not 0 < number <= MOST_DIVIDED:
        return m
    if row == _DIVISORS:
        for divisor in range(1, number // 2 + 1):
            if number % divisor == 0:
                out[m] = divisor
                m += 1
        out[m] = number
        return m + 1
    factor: Int = 2
    while number > 1:
        if factor * factor > number:
            factor = number  # what is left is a prime
        if number % factor == 0:
            out[m] = factor
            m += 1
            number //= factor
        else:
            factor += 1
    return m
