"""Primes below 2^62: a compiled test, and the next prime from a number on."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

import numpy as np
from numba import njit

from synthgen.core.randomness import scale_below

LARGEST = 10**18
"""Primes are looked for from numbers up to this."""
_LISTED = 100_000
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_ZERO = np.uint64(0)
_ENOUGH = np.array(
    (
        *(0, 2_047, 1_373_653, 25_326_001, 3_215_031_751, 2_152_302_898_747, 3_474_749_660_383),
        *(341_550_071_728_321, 341_550_071_728_321, 3_825_123_056_546_413_051),
        *(3_825_123_056_546_413_051, 3_825_123_056_546_413_051),
    ),
    np.uint64,
)
"""Below number k no composite passes the test to the first k bases (Jaeschke 1993; Sorenson and
Webster 2015, by whom all twelve are enough up to 3.1 * 10^23)."""
_BASES = np.array((2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37), np.uint64)


@njit(cache=True, nogil=True, inline="always")
def _times(x: np.uint64, y: np.uint64, n: np.uint64, inverse: np.uint64) -> np.uint64:
    """Montgomery's product x y / 2^64 modulo odd n below 2^63; inverse is -1/n modulo 2^64."""
    low = x * y
    result = scale_below(x, y) + scale_below(low * inverse, n)
    if low != _ZERO:
        result += _ONE
    return result - n if result >= n else result


@njit(cache=True, nogil=True)
def is_prime(n: np.uint64) -> bool:
    """Say whether n below 2^63 is prime: the test of Miller and Rabin to the first twelve primes.

    Fewer of them are enough for smaller numbers.
    """
    for base in _BASES:
        if n % base == _ZERO:
            return bool(n == base)
    if n < np.uint64(1369):
        return bool(n > _ONE)
    inverse = n
    for _ in range(5):
        inverse *= _TWO - n * inverse
    inverse = _ZERO - inverse
    one = (_ZERO - n) % n
    square = one
    for _ in range(64):
        square = square + square
        if square >= n:
            square -= n
    odd, twos = n - _ONE, 0
    while odd & _ONE == _ZERO:
        odd >>= _ONE
        twos += 1
    for place, base in enumerate(_BASES):
        if n < _ENOUGH[place]:
            return True
        if not _passes(_times(base, square, n, inverse), one, odd, twos, n, inverse):
            return False
    return True


@njit(cache=True, nogil=True)
def _passes(
    base: np.uint64, one: np.uint64, odd: np.uint64, twos: int, n: np.uint64, inverse: np.uint64
) -> bool:
    power, left = one, odd
    while left:
        if left & _ONE:
            power = _times(power, base, n, inverse)
        base = _times(base, base, n, inverse)
        left >>= _ONE
    if power == one:
        return True
    for _ in range(twos):
        if power == n - one:
            return True
        power = _times(power, power, n, inverse)
    return False


@njit(cache=True, nogil=True)
def next_prime(start: np.uint64) -> np.uint64:
    """Return the least prime that is at least `start`."""
    if start <= _TWO:
        return _TWO
    candidate = start | _ONE
    while not is_prime(candidate):
        candidate += _TWO
    return candidate


def prime_from(start: int) -> int:
    """Return the least prime that is at least `start`, a number up to LARGEST."""
    if start <= _LISTED:
        primes = _listed()
        return primes[bisect_left(primes, start)]
    return int(next_prime(np.uint64(start)))


@cache
def _listed() -> list[int]:
    """Return the primes up to the first one above _LISTED."""
    primes = [2]
    while primes[-1] <= _LISTED:
        primes.append(int(next_prime(np.uint64(primes[-1] + 1))))
    return primes
