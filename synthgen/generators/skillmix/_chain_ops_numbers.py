"""Operations on lists and numbers, and those that measure a value."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators.skillmix import _chain_opcodes as op
from synthgen.generators.skillmix._chain_opcodes import Value
from synthgen.generators.skillmix._chain_ops_letters import is_vowel

_TEN = 10


@lent
def list_op(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Write what a list operation makes of source[:n], and return its length."""
    m: Int = np.int64(0)
    if code == op.DIFFS or code == op.PAIR_SUMS:
        if code == op.PAIR_SUMS:
            for k in range(0, n, 2):
                out[m] = source[k] + source[k + 1] if k + 1 < n else source[k]
                m += 1
            return m
        for k in range(1, n):
            out[k - 1] = source[k] - source[k - 1]
        return n - 1
    total: Int = np.int64(0)
    for k in range(n):
        value = source[k]
        if code == op.KEEP_EVEN and value % 2 != 0:
            continue
        if code == op.KEEP_ABOVE and value <= a:
            continue
        if code == op.LETTERS:
            value = (value - 1) % 26 + 1
        elif code == op.ADD:
            value += a
        elif code == op.MUL:
            value *= a
        elif code == op.MOD:
            value %= a
        elif code == op.PREFIX:
            total += value
            value = total
        out[m] = value
        m += 1
    return m


@lent
def measure_op(code: Int, a: Int, source: Value, n: Int) -> Int:
    """Return the number that a measure gives of source[:n]."""
    if code == op.LENGTH:
        return n
    if code == op.MEDIAN:
        return _middle(source, n)
    low, high, place = source[0], source[0], 1
    total, vowels, kinds = np.int64(0), np.int64(0), np.int64(0)
    first: Int = np.int64(0)
    for k in range(n):
        value = source[k]
        total += value
        if value > high:
            high, place = value, k + 1
        low = min(low, value)
        if code == op.VOWELS:
            vowels += is_vowel(value)
        elif code == op.DISTINCT:
            kinds |= 1 << value
        elif code == op.INDEX and value == a and first == 0:
            first = k + 1
    if code == op.DISTINCT:
        while kinds > 0:
            vowels += kinds & 1
            kinds >>= 1
    if code == op.VOWELS or code == op.DISTINCT:
        return vowels
    if code == op.SUM:
        return total
    if code == op.INDEX:
        return first
    if code == op.ARGMAX:
        return np.int64(place)
    if code == op.RANGE:
        return np.int64(high - low)
    return np.int64(high if code == op.MAX else low)


@lent
def _middle(source: Value, n: Int) -> Int:
    """Return the item with as many before it in order as the lower median has."""
    for k in range(n):
        below, equal = 0, 0
        for j in range(n):
            below += source[j] < source[k]
            equal += source[j] == source[k]
        if below <= (n - 1) // 2 < below + equal:
            return np.int64(source[k])
    return np.int64(source[0])


@lent
def number_op(code: Int, a: Int, value: Int, out: Value) -> Int:
    """Write what becomes of a number, and return its length, or FAILED."""
    if value < 0:
        return op.FAILED
    if code == op.DIVISORS or code == op.PRIMES:
        return _divided(code, value, out)
    if code == op.COLLATZ:
        if value == 0:
            return op.FAILED
        out[0] = value // 2 if value % 2 == 0 else 3 * value + 1
        return 1
    if code == op.SQUARE_MOD:
        out[0] = (value % a) * (value % a) % a
        return 1
    if code == op.GCD:
        while a != 0:
            value, a = a, value % a
        out[0] = value
        return 1
    total, turned, n = np.int64(0), np.int64(0), 0
    while True:
        total += value % _TEN
        turned = _TEN * turned + value % _TEN
        out[n] = value % _TEN
        n += 1
        value //= _TEN
        if value == 0:
            break
    if code == op.DIGITS:
        for k in range(n // 2):
            out[k], out[n - 1 - k] = out[n - 1 - k], out[k]
        return n
    out[0] = total if code == op.DIGIT_SUM else turned
    return 1


@lent
def _divided(code: Int, value: Int, out: Value) -> Int:
    """Write divisors by trial up to the root, or prime factors."""
    if value > op.MOST_DIVIDED or value < (1 if code == op.DIVISORS else 2):
        return op.FAILED
    m, factor = 0, np.int64(1)
    if code == op.DIVISORS:
        while factor * factor <= value:
            if value % factor == 0:
                out[m] = factor
                m += 1
            factor += 1
        low = m
        for k in range(low - 1, -1, -1):
            if out[k] * out[k] != value:
                out[m] = value // out[k]
                m += 1
        return m
    factor = np.int64(2)
    while factor * factor <= value:
        while value % factor == 0:
            out[m] = factor
            m += 1
            value //= factor
        factor += 1
    if value > 1:
        out[m] = value
        m += 1
    return m
