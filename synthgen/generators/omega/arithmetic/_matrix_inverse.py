"""Kernels of sums and entries of inverse matrices, rounded with proof.

Gauss-Jordan elimination in floating point proposes X, about 2^b times the inverse of A; integers
decide. E = 2^b - A X is computed exactly. If the norm of E (the largest sum of a row's absolute
values) is below 2^b / 2, then A is regular, the norm of its inverse is at most twice that of
X / 2^b, and no entry of X is off by more than `slack`, that norm times the largest entry of E. An
answer stands only if the interval that follows holds no half-integer.
"""

from __future__ import annotations

from math import floor, log2

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

SUM, ABS_SUM, TRACE, LARGEST, ENTRY = range(5)
UNDECIDED = -(1 << 62)
"""Stands where the bounds do not decide."""
_BITS = 59
_MOST_BITS = 45


@njit(cache=True, nogil=True)
def rounded_values(
    entries: Integers, offsets: Integers, sizes: Integers, asked: Integers, numbers: Integers
) -> Integers:
    """Return what is asked of scale times the inverse of each matrix, rounded, int64 (n,).

    Args:
        entries: of square matrices, flat.
        offsets: of the matrices, int64 (n + 1,).
        sizes: int64 (n,).
        asked: SUM, ABS_SUM, TRACE, LARGEST or ENTRY, int64 (n,).
        numbers: scale, and row and column of the entry from 1, int64 (n, 3).

    Returns:
        The nearest integers, UNDECIDED where the bounds do not decide.
    """
    results = np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        matrix = entries[offsets[i] : offsets[i + 1]].copy().reshape(n, n)
        results[i] = _rounded(matrix, asked[i], numbers[i])
    return results


@njit(cache=True, nogil=True)
def _rounded(matrix: Integers, asked: Int, numbers: Integers) -> Int:
    n, scale = len(matrix), numbers[0]
    guess = _inverse(matrix)
    largest = np.abs(guess).max()
    if not 0.0 < largest < 2.0**_BITS:
        return np.int64(UNDECIDED)
    bits: Int = min(_BITS - int(log2(largest * float(scale * n * n)) + 1), _MOST_BITS)
    if bits < 1:
        return np.int64(UNDECIDED)
    inverse = np.empty((n, n), np.int64)
    for r in range(n):
        for c in range(n):
            inverse[r, c] = np.int64(floor(guess[r, c] * 2.0**bits + 0.5))
    one = np.int64(1) << np.int64(bits)
    slack = _slack(matrix, inverse, one)
    if slack < 0 or float(slack) * float(scale * n * n) > float(one):
        return np.int64(UNDECIDED)
    if asked == LARGEST:
        return _largest(inverse, slack, scale, one)
    if asked == SUM:
        return _nearest(scale * inverse.sum(), scale * n * n * slack, one)
    if asked == ABS_SUM:
        return _nearest(scale * np.abs(inverse).sum(), scale * n * n * slack, one)
    if asked == TRACE:
        return _nearest(scale * np.diag(inverse).sum(), scale * n * slack, one)
    return _nearest(scale * inverse[numbers[1] - 1, numbers[2] - 1], scale * slack, one)


@njit(cache=True, nogil=True)
def _inverse(matrix: Integers) -> Floats:
    """Return an approximation of the inverse, zeros if there is none (Gauss-Jordan)."""
    n = len(matrix)
    work = np.zeros((n, 2 * n), np.float64)
    for r in range(n):
        work[r, n + r] = 1.0
        for c in range(n):
            work[r, c] = float(matrix[r, c])
    for k in range(n):
        best: Int = k
        for r in range(k + 1, n):
            if abs(work[r, k]) > abs(work[best, k]):
                best = r
        pivot = work[best, k]
        if pivot == 0.0:
            return np.zeros((n, n), np.float64)
        for c in range(2 * n):
            value = work[best, c]
            work[best, c] = work[k, c]
            work[k, c] = value / pivot
        for r in range(n):
            factor = work[r, k]
            if r != k and factor != 0.0:
                for c in range(k, 2 * n):
                    work[r, c] -= factor * work[k, c]
    return work[:, n:].copy()


@njit(cache=True, nogil=True)
def _slack(matrix: Integers, inverse: Integers, one: Int) -> Int:
    """Bound how far any entry is off, in units of 1 / one; -1 if it is not known."""
    n = len(matrix)
    errors = np.zeros((n, n), np.int64)
    for r in range(n):
        errors[r, r] = one
        for k in range(n):
            for c in range(n):
                errors[r, c] -= matrix[r, k] * inverse[k, c]
    errors = np.abs(errors)
    if 2 * errors.sum(axis=1).max() >= one:
        return np.int64(-1)
    length: Int = np.abs(inverse).sum(axis=1).max()
    slack: Int = (2 * length // one + 1) * errors.max()
    return slack


@njit(cache=True, nogil=True)
def _nearest(value: Int, slack: Int, one: Int) -> Int:
    """Round value / one; UNDECIDED if a half-integer is as near as slack / one."""
    low = (2 * (value - slack) - 1 + one) // (2 * one)
    high = (2 * (value + slack) + 1 + one) // (2 * one)
    return low if low == high else np.int64(UNDECIDED)


@njit(cache=True, nogil=True)
def _largest(inverse: Integers, slack: Int, scale: Int, one: Int) -> Int:
    """Round scale times the entry of largest magnitude; all that may be it must round alike."""
    n = len(inverse)
    least = np.abs(inverse).max() - 2 * slack
    result: Int = np.int64(UNDECIDED)
    for r in range(n):
        for c in range(n):
            if abs(inverse[r, c]) >= least:
                rounded = _nearest(scale * inverse[r, c], scale * slack, one)
                if rounded == UNDECIDED or (result != UNDECIDED and rounded != result):
                    return np.int64(UNDECIDED)
                result = rounded
    return result
