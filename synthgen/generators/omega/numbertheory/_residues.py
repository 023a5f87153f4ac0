"""Roots of n^k + o modulo powers of primes, and the least primes that have one."""

from __future__ import annotations

from functools import cache
from math import gcd, isqrt

LARGEST_PRIME = 5_000


@cache
def primes() -> tuple[int, ...]:
    """Return the primes below LARGEST_PRIME."""
    return tuple(n for n in range(2, LARGEST_PRIME) if all(n % d for d in range(2, isqrt(n) + 1)))


@cache
def roots(k: int, offset: int, prime: int, power: int) -> tuple[int, ...]:
    """Return all n from 0 below prime^power with n^k + offset divisible by it, in order.

    Each root is found by trying the `prime` numbers that lie over a root one power below.
    """
    below: tuple[int, ...] = (0,) if power == 1 else roots(k, offset, prime, power - 1)
    step, modulus = prime ** (power - 1), prime**power
    found = (low + digit * step for low in below for digit in range(prime))
    return tuple(sorted(n for n in found if (pow(n, k, modulus) + offset) % modulus == 0))


@cache
def least_prime(k: int, offset: int, power: int, modulus: int = 1) -> int | None:
    """Return the least prime p = 1 (mod `modulus`) such that n^k + offset has a root mod p^power.

    None if there is none below LARGEST_PRIME.
    """
    for prime in primes():
        fits = prime % modulus == 1 % modulus and _may_have(k, offset, prime)
        if fits and roots(k, offset, prime, power):
            return prime
    return None


def _may_have(k: int, offset: int, prime: int) -> bool:
    """Say whether -offset is a k-th power modulo a prime, by Euler's criterion."""
    if offset % prime == 0:
        return True
    return pow(-offset, (prime - 1) // gcd(k, prime - 1), prime) == 1
