"""Kernel of determinants modulo 8 and 125, by elimination in these local rings themselves.

In the integers modulo a power of a prime, an entry of least valuation divides the others of its
column, so that rows can be cleared without leaving the ring: no large number comes up at all.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.arithmetic._matrix_residues import inverse_mod, residues_of

Integers = NDArray[np.int64]

# 625 is 1 modulo 8 and 0 modulo 125; 376 is 0 modulo 8 and 1 modulo 125.
_FROM_8, _FROM_125, _BOTH = 625, 376, 1_000


@njit(cache=True, nogil=True)
def last_three_digits(entries: Integers, offsets: Integers, sizes: Integers) -> Integers:
    """Return every determinant modulo 1000, from 0 to 999, int64 (n,)."""
    results = np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        by_8 = _determinant(residues_of(entries, offsets[i], n, n, 8), 2, 8)
        by_125 = _determinant(residues_of(entries, offsets[i], n, n, 125), 5, 125)
        results[i] = (by_8 * _FROM_8 + by_125 * _FROM_125) % _BOTH
    return results


@njit(cache=True, nogil=True)
def _valuation(value: Int, q: Int, modulus: Int) -> Int:
    """Return the largest power of q that divides a residue; that of 0 is the modulus."""
    power: Int = np.int64(1)
    while power < modulus and value % (power * q) == 0:
        power *= q
    return power


@njit(cache=True, nogil=True)
def _determinant(work: Integers, q: Int, modulus: Int) -> Int:
    n = len(work)
    determinant: Int = np.int64(1)
    for k in range(n):
        best, least = k, _valuation(work[k, k], q, modulus)
        for r in range(k + 1, n):
            power = _valuation(work[r, k], q, modulus)
            if power < least:
                best, least = r, power
        if least == modulus:
            return np.int64(0)
        if best != k:
            determinant = -determinant
            for c in range(k, n):
                work[k, c], work[best, c] = work[best, c], work[k, c]
        determinant = determinant * work[k, k] % modulus
        inverse = inverse_mod(work[k, k] // least, modulus)
        for r in range(k + 1, n):
            factor = work[r, k] // least * inverse % modulus
            if factor != 0:
                for c in range(k, n):
                    work[r, c] = (work[r, c] - factor * work[k, c]) % modulus
    return determinant % modulus
