"""Prime factors of integers with at most one large one: products of primes and common divisors."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache
from math import gcd, isqrt, prod
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.randomness import scale_below

Node: TypeAlias = "tuple[int, int, Node | None, Node | None]"
"""A product of primes, the square of the least of them, and its two halves."""

_SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
_ENDS = (1_000, 10_000, 40_000, 70_000, 100_003)
"""Larger primes are tried up to each of these in turn."""
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_FIRST_BASES = np.array(_BASES, np.uint64)
_WORD = 1 << 63
_NONE, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
PROVEN = (
    *(1, 2_047, 1_373_653, 25_326_001, 3_215_031_751, 2_152_302_898_747, 3_474_749_660_383),
    *(341_550_071_728_321, 341_550_071_728_321, 3_825_123_056_546_413_051),
    *(3_825_123_056_546_413_051, 3_825_123_056_546_413_051, 318_665_857_834_031_151_167_461),
    3_317_044_064_679_887_385_961_981,
)
"""Below number k, the first k bases decide (Jaeschke 1993; Sorenson and Webster 2015)."""


@cache
def _products() -> tuple[tuple[int, Node], ...]:
    """Return the products of the primes between two of the ends, as trees."""
    sieve = bytearray([1]) * (_ENDS[-1] + 1)
    for n in range(2, isqrt(_ENDS[-1]) + 1):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
    trees = []
    low = _SMALL[-1] + 1
    for end in _ENDS:
        trees.append((end, _tree([n for n in range(low, end + 1) if sieve[n]])))
        low = end + 1
    return tuple(trees)


def _tree(primes: list[int]) -> Node:
    least = primes[0] ** 2
    if len(primes) == 1:
        return primes[0], least, None, None
    half = len(primes) // 2
    return prod(primes), least, _tree(primes[:half]), _tree(primes[half:])


def is_prime(n: int) -> bool:
    """Say whether n is prime, by Miller and Rabin; false for numbers above a proven bound."""
    needed = bisect_right(PROVEN, n)
    if n < 2 or needed > len(_BASES):
        return False
    if n in _BASES:
        return True
    if n % 2 and n < _WORD:
        return bool(passes_word(np.uint64(n), _FIRST_BASES[:needed]))
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in _BASES[:needed]:
        power = pow(base, odd, n)
        if power in (1, n - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % n
            if power == n - 1:
                break
        else:
            return False
    return True


@njit(cache=True, nogil=True)
def passes_word(n: np.uint64, bases: NDArray[np.uint64]) -> bool:
    """Say whether odd n below 2^63, larger than all bases, passes the test to each of them.

    Residues x stand as x R modulo n, R = 2^64 (Montgomery 1985).
    """
    inverse = n  # of n modulo 2^3, then modulo 2^6 and so on
    for _ in range(5):
        inverse *= _TWO - n * inverse
    one = (_NONE - n) % n
    square = one  # becomes R^2
    for _ in range(64):
        square = square + square - (n if square + square >= n else _NONE)
    last = n - one
    odd, twos = n - _ONE, 0
    while odd & _ONE == _NONE:
        odd >>= _ONE
        twos += 1
    for base in bases:
        factor, power, left = _product(base, square, n, inverse), one, odd
        while left != _NONE:
            if left & _ONE == _ONE:
                power = _product(power, factor, n, inverse)
            factor = _product(factor, factor, n, inverse)
            left >>= _ONE
        passes = power == one
        for _ in range(twos):
            passes = passes or power == last
            power = _product(power, power, n, inverse)
        if not passes:
            return False
    return True


@njit(cache=True, nogil=True)
def _product(x: np.uint64, y: np.uint64, n: np.uint64, inverse: np.uint64) -> np.uint64:
    """Return x y / R modulo n: x y less the multiple of n that ends in the same 64 bits."""
    high, less = scale_below(x, y), scale_below(x * y * inverse, n)
    return high - less if high >= less else high - less + n


def prime_factors(n: int) -> list[int] | None:
    """Return the prime factors of n with multiplicities, in order.

    Returns:
        None for less than 2, and if more than one prime factor is above 100,003 or one too large.
    """
    if n < 2:
        return None
    found: list[int] = []
    for prime in _SMALL:
        while n % prime == 0:
            n //= prime
            found.append(prime)
    if n == 1:
        return found
    for end, tree in _products():
        for prime in _dividing(tree, n):
            while n % prime == 0:
                n //= prime
                found.append(prime)
        if n == 1:
            return found
        if n < end * end or _prime_once(n):
            return [*found, n]
    return None


@lru_cache(1 << 10)
def _prime_once(n: int) -> bool:
    return is_prime(n)


def _dividing(tree: Node, n: int) -> list[int]:
    """Return the primes of a tree that divide n, in order."""
    found: list[int] = []
    todo = [(tree, gcd(tree[0] % n, n))]
    while todo:
        (_, least, left, right), common = todo.pop()
        if common < least or left is None or right is None:
            # A product of two primes of the tree would be at least the square of the least.
            if common > 1:
                found.append(common)
            continue
        on_left = gcd(left[0], common)
        todo += [(right, common // on_left), (left, on_left)]
    return found
