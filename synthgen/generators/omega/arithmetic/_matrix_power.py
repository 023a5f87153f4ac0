"""Kernels of products and powers of matrices, exact.

Powers are carried row by row in three limbs, `high * 2^88 + middle * 2^44 + low` with the lower two
from 0 to 2^44 - 1: room for 150 bits, where the largest size, entries and exponent need 141.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Integers = NDArray[np.int64]

SUM, ABS_SUM, ENTRY, TRACE = range(4)
LIMB_BITS = 44
_MASK = (1 << LIMB_BITS) - 1


@njit(cache=True, nogil=True)
def product_values(
    entries: Integers, offsets: Integers, dims: Integers, asked: Integers, numbers: Integers
) -> Integers:
    """Return what is asked of the product of two matrices, int64 (n,).

    Args:
        entries: of the first and the second matrix of every row, flat.
        offsets: of the matrices, int64 (2 n + 1,).
        dims: rows, columns of the first and columns of the second matrix, int64 (n, 3).
        asked: SUM, ABS_SUM, ENTRY or TRACE, int64 (n,).
        numbers: row and column of the entry from 1, int64 (n, 2).
    """
    results = np.zeros(len(asked), np.int64)
    for i in range(len(asked)):
        rows, inner, columns = dims[i]
        first, second = offsets[2 * i], offsets[2 * i + 1]
        for r in range(rows):
            for c in range(columns):
                total: Int = np.int64(0)
                for k in range(inner):
                    total += entries[first + r * inner + k] * entries[second + k * columns + c]
                if asked[i] == SUM:
                    results[i] += total
                elif asked[i] == ABS_SUM:
                    results[i] += abs(total)
                elif asked[i] == TRACE:
                    results[i] += total if r == c else 0
                elif (r, c) == (numbers[i, 0] - 1, numbers[i, 1] - 1):
                    results[i] = total
    return results


@njit(cache=True, nogil=True)
def square_products(
    tall: Integers, starts: Integers, wide: Integers, sizes: Integers, inner: Integers
) -> tuple[Integers, Integers]:
    """Multiply sizes x inner by inner x sizes matrices; return entries and their offsets.

    Args:
        tall: entries of the first factors, flat.
        starts: where the matrices of `tall`, and those of `wide`, begin, int64 (n + 1,).
        wide: entries of the second factors, flat.
        sizes: int64 (n,).
        inner: int64 (n,).
    """
    offsets = np.zeros(len(sizes) + 1, np.int64)
    offsets[1:] = np.cumsum(sizes * sizes)
    entries = np.zeros(offsets[-1], np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        for r in range(n):
            for k in range(inner[i]):
                factor = tall[starts[i] + r * inner[i] + k]
                for c in range(n):
                    entries[offsets[i] + r * n + c] += factor * wide[starts[i] + k * n + c]
    return entries, offsets


@njit(cache=True, nogil=True)
def power_values(
    entries: Integers, offsets: Integers, sizes: Integers, asked: Integers, numbers: Integers
) -> Integers:
    """Return what is asked of a power of each matrix, as three limbs, the highest first, (n, 3).

    Args:
        entries: of square matrices, flat.
        offsets: of the matrices, int64 (n + 1,).
        sizes: int64 (n,).
        asked: SUM, ABS_SUM or ENTRY, int64 (n,).
        numbers: exponent, and row and column of the entry from 1, int64 (n, 3).
    """
    results = np.zeros((len(sizes), 3), np.int64)
    for i in range(len(sizes)):
        n, exponent = sizes[i], numbers[i, 0]
        matrix = entries[offsets[i] : offsets[i + 1]].copy().reshape(n, n)
        row = np.zeros((3, n), np.int64)
        if asked[i] == SUM:
            row[2, :] = 1
            _carry_through(row, matrix, exponent)
            for limb in range(3):
                results[i, limb] = row[limb].sum()
        elif asked[i] == ENTRY:
            row[2, numbers[i, 1] - 1] = 1
            _carry_through(row, matrix, exponent)
            for limb in range(3):
                results[i, limb] = row[limb, numbers[i, 2] - 1]
        else:
            _add_magnitudes(results[i], matrix, exponent)
    return results


@njit(cache=True, nogil=True)
def _add_magnitudes(total: Integers, matrix: Integers, exponent: Int) -> None:
    """Add up the absolute values of all entries of a power."""
    n = len(matrix)
    for start in range(n):
        row = np.zeros((3, n), np.int64)
        row[2, start] = 1
        _carry_through(row, matrix, exponent)
        for c in range(n):
            sign = -1 if row[0, c] < 0 else 1
            for limb in range(3):
                total[limb] += sign * row[limb, c]


@njit(cache=True, nogil=True)
def _carry_through(row: Integers, matrix: Integers, exponent: Int) -> None:
    """Multiply a row vector in limbs by a matrix, `exponent` times, in place."""
    n = len(matrix)
    for _ in range(exponent):
        product = np.zeros((3, n), np.int64)
        for limb in range(3):
            for k in range(n):
                value = row[limb, k]
                if value != 0:
                    for c in range(n):
                        product[limb, c] += value * matrix[k, c]
        for c in range(n):
            product[1, c] += product[2, c] >> LIMB_BITS
            product[2, c] &= _MASK
            product[0, c] += product[1, c] >> LIMB_BITS
            product[1, c] &= _MASK
        row[:] = product
