"""Kernels of exact determinants and ranks: elimination modulo primes below 2^31.

A determinant is put together from its residues by mixed radices (Garner 1959); Hadamard's bound
says how many primes make it certain, its sign included.
"""

from __future__ import annotations

from functools import cache
from math import isqrt, log2

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Integers = NDArray[np.int64]
Tables = tuple[Integers, Integers]

_MOST_PRIMES = 12
"""Enough for 370 bits; a matrix of the largest size and entries has a determinant of 180."""
_BITS_OF_A_PRIME = 30.99
_SPARE_BITS = 6.0
_MODULUS = 1_000


@cache
def prime_tables() -> Tables:
    """Return the largest primes below 2^31, (k,), and their inverses modulo each other, (k, k)."""
    primes: list[int] = []
    candidate = 2**31 - 1
    while len(primes) < _MOST_PRIMES:
        if all(candidate % divisor for divisor in range(3, isqrt(candidate) + 1, 2)):
            primes.append(candidate)
        candidate -= 2
    inverses = [[pow(p, -1, q) if p != q else 0 for q in primes] for p in primes]
    return np.array(primes, np.int64), np.array(inverses, np.int64)


@njit(cache=True, nogil=True)
def power_mod(base: Int, exponent: Int, p: Int) -> Int:
    """Return base^exponent modulo p < 2^31."""
    result: Int = np.int64(1)
    while exponent > 0:
        if exponent & 1:
            result = result * base % p
        base = base * base % p
        exponent >>= 1
    return result


@njit(cache=True, nogil=True)
def _eliminate(work: Integers, p: Int) -> tuple[Int, Int]:
    """Bring residues into echelon form in place; return the rank and, if square, the determinant.

    No row is divided: the pivots that each row was multiplied by are divided out at the end.
    """
    rows, columns = work.shape
    rank: Int = np.int64(0)
    determinant, divisor = np.int64(1), np.int64(1)
    for column in range(columns):
        if rank == rows:
            break
        found: Int = rank
        while found < rows and work[found, column] == 0:
            found += 1
        if found == rows:
            continue
        if found != rank:
            determinant = p - determinant
            for c in range(column, columns):
                work[rank, c], work[found, c] = work[found, c], work[rank, c]
        pivot = work[rank, column]
        determinant = determinant * pivot % p
        for row in range(rank + 1, rows):
            factor = work[row, column]
            divisor = divisor * pivot % p
            for c in range(column, columns):
                work[row, c] = (pivot * work[row, c] - factor * work[rank, c]) % p
        rank += 1
    if rank < rows or rows != columns:
        return rank, np.int64(0)
    return rank, determinant * power_mod(divisor, p - 2, p) % p


@njit(cache=True, nogil=True)
def _residues(entries: Integers, start: Int, rows: Int, columns: Int, p: Int) -> Integers:
    work = np.empty((rows, columns), np.int64)
    for r in range(rows):
        for c in range(columns):
            work[r, c] = entries[start + r * columns + c] % p
    return work


@njit(cache=True, nogil=True)
def ranks_mod(entries: Integers, offsets: Integers, sizes: Integers, p: Int) -> Integers:
    """Return the rank modulo a prime of every square matrix: at most its rank, int64 (n,)."""
    ranks = np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        rank, _ = _eliminate(_residues(entries, offsets[i], sizes[i], sizes[i], p), p)
        ranks[i] = rank
    return ranks


@njit(cache=True, nogil=True)
def _bits(entries: Integers, start: Int, size: Int) -> float:
    """Return the binary logarithm of Hadamard's bound: the product of the rows' lengths."""
    bits = 0.0
    for r in range(size):
        square = 1.0
        for c in range(size):
            value = float(entries[start + r * size + c])
            square += value * value
        bits += 0.5 * log2(square)
    return bits


@njit(cache=True, nogil=True)
def determinants_mod_1000(
    entries: Integers, offsets: Integers, sizes: Integers, primes: Integers, inverses: Integers
) -> Integers:
    """Return the last three digits, from 0 to 999, of every determinant; -1 where it is zero.

    Args:
        entries: of square matrices, flat.
        offsets: of the matrices, int64 (n + 1,).
        sizes: int64 (n,).
        primes: of `prime_tables`.
        inverses: of `prime_tables`.
    """
    results = np.empty(len(sizes), np.int64)
    digits = np.empty(len(primes), np.int64)
    for i in range(len(sizes)):
        needed = _bits(entries, offsets[i], sizes[i]) + _SPARE_BITS
        used = min(int(needed / _BITS_OF_A_PRIME) + 1, len(primes))
        zero = True
        for k in range(used):
            work = _residues(entries, offsets[i], sizes[i], sizes[i], primes[k])
            _, digits[k] = _eliminate(work, primes[k])
            zero = zero and digits[k] == 0
        results[i] = -1 if zero else _last_digits(digits, used, primes, inverses)
    return results


@njit(cache=True, nogil=True)
def _last_digits(digits: Integers, used: Int, primes: Integers, inverses: Integers) -> Int:
    """Turn residues into mixed-radix digits in place; return the signed value modulo 1000."""
    value, place = np.int64(0), np.int64(1)
    for k in range(used):
        p = primes[k]
        for j in range(k):
            digits[k] = (digits[k] - digits[j]) % p * inverses[j, k] % p
        value = (value + digits[k] * place) % _MODULUS
        place = place * p % _MODULUS
    if 2 * digits[used - 1] > primes[used - 1]:
        value -= place
    return value % _MODULUS
