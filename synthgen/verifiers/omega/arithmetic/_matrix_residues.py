"""Kernels modulo primes below 2^30: ranks, inverses and characteristic polynomials.

Residues are put together by the Chinese remainder theorem; the callers bound the results, and take
as many primes as the bound needs.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import prod

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Integers = NDArray[np.int64]

MOST_PRIMES = 72
BITS_OF_A_PRIME = 29.99
_SUMMANDS = 7
"""Products of residues that may be added to a residue without an overflow."""
_WITNESSES = (2, 7, 61)  # decide primality below 4,759,123,141 (Jaeschke 1993)


@cache
def primes_below() -> Integers:
    """Return the largest primes below 2^30, in falling order."""
    primes: list[int] = []
    candidate = 2**30 - 1
    while len(primes) < MOST_PRIMES:
        if all(_passes(candidate, witness) for witness in _WITNESSES):
            primes.append(candidate)
        candidate -= 2
    return np.array(primes, np.int64)


def _passes(odd: int, witness: int) -> bool:
    """Test of Miller and Rabin."""
    twos = ((odd - 1) & -(odd - 1)).bit_length() - 1
    power = pow(witness, (odd - 1) >> twos, odd)
    if power in (1, odd - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % odd
        if power == odd - 1:
            return True
    return False


@cache
def inverse_table() -> Integers:
    """Return the inverse of each prime modulo each other, [j, k] = 1 / p_j mod p_k."""
    primes = primes_below().tolist()
    table = [[pow(p, -1, q) if p != q else 0 for q in primes] for p in primes]
    return np.array(table, np.int64)


@lru_cache(256)
def _basis(primes: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    product = prod(primes)
    return product, tuple(product // p * pow(product // p, -1, p) for p in primes)


def signed_value(residues: list[int], primes: tuple[int, ...]) -> int:
    """Return the integer nearest to zero with these residues."""
    product, weights = _basis(primes)
    value = sum(map(int.__mul__, residues, weights)) % product
    return value - product if 2 * value > product else value


@njit(cache=True, nogil=True)
def inverse_mod(value: Int, p: Int) -> Int:
    """Return 1 / value modulo p (Euclid's algorithm)."""
    a, b = np.int64(value), np.int64(p)
    x, y = np.int64(1), np.int64(0)
    while b != 0:
        quotient = a // b
        a, b = b, a - quotient * b
        x, y = y, x - quotient * y
    return x % p


@njit(cache=True, nogil=True)
def residues_of(entries: Integers, start: Int, rows: Int, columns: Int, p: Int) -> Integers:
    """Return the residues of a matrix that begins at `start`, (rows, columns)."""
    work = np.empty((rows, columns), np.int64)
    for r in range(rows):
        for c in range(columns):
            work[r, c] = entries[start + r * columns + c] % p
    return work


@njit(cache=True, nogil=True)
def rank_mod(work: Integers, p: Int) -> Int:
    """Return the rank of residues; they are overwritten."""
    rows, columns = work.shape
    rank: Int = np.int64(0)
    for column in range(columns):
        found: Int = rank
        while found < rows and work[found, column] == 0:
            found += 1
        if found == rows:
            continue
        for c in range(column, columns):
            work[rank, c], work[found, c] = work[found, c], work[rank, c]
        inverse = inverse_mod(work[rank, column], p)
        for r in range(rank + 1, rows):
            factor = work[r, column] * inverse % p
            if factor != 0:
                for c in range(column, columns):
                    work[r, c] = (work[r, c] - factor * work[rank, c]) % p
        rank += 1
        if rank == rows:
            break
    return rank


@njit(cache=True, nogil=True)
def adjugate_mod(work: Integers, p: Int) -> tuple[Integers, Int]:
    """Return determinant times inverse, and the determinant; zeros where that is zero.

    The residues are overwritten: Gauss-Jordan elimination in place.
    """
    n = len(work)
    order = np.arange(n)
    determinant: Int = np.int64(1)
    for k in range(n):
        found: Int = k
        while found < n and work[found, k] == 0:
            found += 1
        if found == n:
            return np.zeros((n, n), np.int64), np.int64(0)
        if found != k:
            determinant = p - determinant
            order[k], order[found] = order[found], order[k]
            for c in range(n):
                work[k, c], work[found, c] = work[found, c], work[k, c]
        determinant = determinant * work[k, k] % p
        inverse = inverse_mod(work[k, k], p)
        work[k, k] = 1
        for c in range(n):
            work[k, c] = work[k, c] * inverse % p
        for r in range(n):
            factor = work[r, k]
            if r != k and factor != 0:
                work[r, k] = 0
                for c in range(n):
                    work[r, c] = (work[r, c] - factor * work[k, c]) % p
    result = np.empty((n, n), np.int64)
    for c in range(n):
        for r in range(n):
            result[r, order[c]] = work[r, c] * determinant % p
    return result, determinant


@njit(cache=True, nogil=True)
def gram_mod(work: Integers, p: Int) -> Integers:
    """Return the transpose times the matrix."""
    n = len(work)
    result = np.empty((n, n), np.int64)
    for r in range(n):
        for c in range(r + 1):
            total: Int = np.int64(0)
            for k in range(n):
                total += work[k, r] * work[k, c]
                if k % _SUMMANDS == 0:
                    total %= p
            result[r, c] = total % p
            result[c, r] = total % p
    return result


@njit(cache=True, nogil=True)
def _hessenberg(work: Integers, p: Int) -> None:
    """Bring a matrix into Hessenberg form by similarity, in place (Cohen 1993, 2.2.9)."""
    n = len(work)
    for m in range(1, n - 1):
        found: Int = m
        while found < n and work[found, m - 1] == 0:
            found += 1
        if found == n:
            continue
        if found != m:
            for c in range(m - 1, n):
                work[m, c], work[found, c] = work[found, c], work[m, c]
            for r in range(n):
                work[r, m], work[r, found] = work[r, found], work[r, m]
        inverse = inverse_mod(work[m, m - 1], p)
        for r in range(m + 1, n):
            factor = work[r, m - 1] * inverse % p
            if factor != 0:
                for c in range(m - 1, n):
                    work[r, c] = (work[r, c] - factor * work[m, c]) % p
                for k in range(n):
                    work[k, m] = (work[k, m] + factor * work[k, r]) % p


@njit(cache=True, nogil=True)
def characteristic_mod(work: Integers, p: Int) -> Integers:
    """Return the coefficients of det(x - A), constant first, (n + 1,); A is overwritten."""
    n = len(work)
    _hessenberg(work, p)
    polynomials = np.zeros((n + 1, n + 1), np.int64)
    polynomials[0, 0] = 1
    for k in range(n):
        for d in range(k + 1):
            polynomials[k + 1, d + 1] = polynomials[k, d]
        for d in range(k + 1):
            value = polynomials[k + 1, d] - work[k, k] * polynomials[k, d]
            polynomials[k + 1, d] = value % p
        chain: Int = np.int64(1)
        for i in range(k - 1, -1, -1):
            chain = chain * work[i + 1, i] % p
            factor = work[i, k] * chain % p
            for d in range(i + 1):
                value = polynomials[k + 1, d] - factor * polynomials[i, d]
                polynomials[k + 1, d] = value % p
    result: Integers = polynomials[n].copy()
    return result
