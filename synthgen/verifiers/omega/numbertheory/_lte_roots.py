"""Roots of n^k + o modulo powers of primes: lifted one by one, and by trying all or by SymPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

LARGEST_PRIME = 5_000
_MOST_ROOTS = 4_096
_TRIED = 100_000
"""Below this modulus the slow way tries every number."""

Roots = tuple[int, ...]
Finder = Callable[[int, int, int, int], Roots]
"""Takes k, o, the prime and its power; returns the roots from 1 to the modulus, in order."""


@lru_cache(maxsize=1)
def primes() -> Roots:
    """Return the primes below LARGEST_PRIME, by Eratosthenes' sieve."""
    sieve = np.ones(LARGEST_PRIME, bool)
    sieve[:2] = False
    for n in range(2, int(LARGEST_PRIME**0.5) + 1):
        if sieve[n]:
            sieve[n * n :: n] = False
    return tuple(np.flatnonzero(sieve).tolist())


@lru_cache(maxsize=1 << 14)
def lifted(k: int, offset: int, prime: int, power: int) -> Roots:
    """Find the roots modulo the prime, and lift each: by Newton's formula where it is simple."""
    modulus = prime**power
    found: set[int] = set()
    for residue in _tried(k, offset, prime):
        slope = k * pow(residue, k - 1, prime)
        if slope % prime:
            found.add(_newton(k, offset, residue, modulus, power))
        else:
            found.update(_over(k, offset, prime, power, residue))
    return tuple(sorted(n or modulus for n in found))


def _newton(k: int, offset: int, n: int, modulus: int, power: int) -> int:
    for _ in range(power.bit_length() + 1):
        inverse = pow(k * pow(n, k - 1, modulus), -1, modulus)
        n = (n - (pow(n, k, modulus) + offset) * inverse) % modulus
    return n


def _over(k: int, offset: int, prime: int, power: int, residue: int) -> Roots:
    """Return the roots over a multiple root, power by power; none if there are far too many."""
    now = [residue]
    for e in range(1, power):
        step, modulus = prime**e, prime ** (e + 1)
        lifts = (n + step * digit for n in now for digit in range(prime))
        now = [n for n in lifts if (pow(n, k, modulus) + offset) % modulus == 0]
        if len(now) > _MOST_ROOTS:
            return ()
    return tuple(now)


def _tried(k: int, offset: int, modulus: int) -> list[int]:
    """Return the roots of all numbers below a modulus of at most 10^5 or so."""
    numbers = np.arange(modulus, dtype=np.int64)
    powers = np.ones(modulus, np.int64)
    for _ in range(k):
        powers = powers * numbers % modulus
    return np.flatnonzero((powers + offset) % modulus == 0).tolist()


@lru_cache(maxsize=1 << 12)
def tried(k: int, offset: int, prime: int, power: int) -> Roots:
    """Try every number, or ask SymPy where there are too many of them."""
    modulus = prime**power
    if modulus <= _TRIED:
        return tuple(sorted(n or modulus for n in _tried(k, offset, modulus)))
    from sympy.ntheory import nthroot_mod

    found = nthroot_mod(-offset % modulus, k, modulus, all_roots=True) or []
    return tuple(sorted(int(n) or modulus for n in found))


def without_root(k: int, offset: int, power: int, modulus: int, find: Finder) -> Iterator[int]:
    """Yield the primes p = 1 (mod `modulus`) up to the first one that allows a root mod p^power.

    That one is the last, unless there is none below LARGEST_PRIME.
    """
    for prime in primes():
        if prime % modulus == 1 % modulus:
            yield prime
            if find(k, offset, prime, power):
                return
