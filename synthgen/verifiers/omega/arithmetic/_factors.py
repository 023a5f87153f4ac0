"""Prime factors of integers with at most one large one: products of primes and common divisors."""

from __future__ import annotations

from functools import cache, lru_cache
from math import gcd, isqrt, prod
from typing import TypeAlias

Node: TypeAlias = "tuple[int, Node | None, Node | None]"
"""A product of primes, and its two halves."""

_ENDS = (1_000, 10_000, 40_000, 70_000, 100_003)
"""Primes are tried up to each of these in turn."""
_LARGEST_PROVEN = 3_317_044_064_679_887_385_961_980
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


@cache
def _products() -> tuple[tuple[int, Node], ...]:
    """Return the products of the primes between two of the ends, as trees."""
    sieve = bytearray([1]) * (_ENDS[-1] + 1)
    for n in range(2, isqrt(_ENDS[-1]) + 1):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
    trees = []
    low = 2
    for end in _ENDS:
        trees.append((end, _tree([n for n in range(low, end + 1) if sieve[n]])))
        low = end + 1
    return tuple(trees)


def _tree(primes: list[int]) -> Node:
    if len(primes) == 1:
        return primes[0], None, None
    half = len(primes) // 2
    return prod(primes), _tree(primes[:half]), _tree(primes[half:])


def is_prime(n: int) -> bool:
    """Say whether n is prime, by Miller and Rabin; false for numbers above a proven bound.

    The first thirteen primes as bases decide all numbers up to 3.3 * 10^24 (Sorenson, Webster).
    """
    if n < 2 or n > _LARGEST_PROVEN:
        return False
    if n in _BASES:
        return True
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in _BASES:
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


def prime_factors(n: int) -> list[int] | None:
    """Return the prime factors of n with multiplicities, in order.

    Returns:
        None for less than 2, and if more than one prime factor is above 100,003 or one too large.
    """
    if n < 2:
        return None
    found: list[int] = []
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
    common = gcd(tree[0] % n, n)
    found: list[int] = []
    todo = [(tree, common)]
    while todo:
        (product, left, right), rest = todo.pop()
        common = gcd(product, rest)
        if common == 1:
            continue
        if left is None or right is None:
            found.append(product)
            continue
        todo += [(right, common), (left, common)]
    return found
