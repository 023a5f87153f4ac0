"""Kernels of singular values, rounded with proof.

Floating-point Jacobi rotations (Hestenes 1958) propose singular vectors; integers decide. The
vectors are rounded to integer matrices U and V, about 2^b times orthogonal, and M = U' A V, U' U
and V' V are computed exactly. By Weyl's inequality the singular values of M are within `spread` of
the |m_ii|, where `spread` bounds the norm of M beside its diagonal; and each is that of A times a
factor within S - skew and S + skew, S = 2^2b, where `skew` bounds the norms of U' U - S and
V' V - S. An answer stands only if the interval that follows holds no half-integer.

The singular values of a symmetric matrix are the absolute values of its eigenvalues.
"""

from __future__ import annotations

from math import floor, log2, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST, SUM, SPREAD = range(3)
_MOST_SWEEPS = 30
_SMALL = 1e-18
_TINY = 1e-15
_BITS = 60
_UPWARDS = 1.000_001
_WIDEST = 1 / 256


@njit(cache=True, nogil=True)
def rounded_values(
    entries: Integers, offsets: Integers, sizes: Integers, asked: Integers
) -> Integers:
    """Return the LARGEST singular value, the SUM of all, or the SPREAD from smallest to largest.

    Args:
        entries: of square matrices, flat, below 10^6 in magnitude.
        offsets: where each matrix begins, int64 (n,) or more.
        sizes: int64 (n,).
        asked: LARGEST, SUM or SPREAD, int64 (n,).

    Returns:
        The nearest integers, int64 (n,); -1 where the bounds do not decide.
    """
    results = np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        matrix = entries[offsets[i] : offsets[i] + n * n].copy().reshape(n, n)
        results[i] = _rounded(matrix, asked[i])
    return results


@njit(cache=True, nogil=True)
def _rounded(matrix: Integers, asked: Int) -> Int:
    n = len(matrix)
    square = 0.0
    for r in range(n):
        for c in range(n):
            square += float(matrix[r, c] * matrix[r, c])
    if square == 0.0:
        return np.int64(-1)
    bits: Int = (_BITS - int(log2(n * square) / 2 + 1)) // 2
    left, right, fine = _vectors(matrix, square, 2.0**bits)
    if not fine:
        return np.int64(-1)
    scale = np.int64(1) << np.int64(2 * bits)
    diagonal, spread = _diagonal(matrix, left, right)
    skew = max(_skew(left, scale), _skew(right, scale))
    largest = diagonal.max()
    if 2 * skew > scale:
        return np.int64(-1)
    by_skew = float(largest + spread) * float(skew) / float(scale - skew)
    if float(spread) + by_skew > _WIDEST * float(scale):
        return np.int64(-1)
    slack = spread + np.int64(by_skew * _UPWARDS) + 2
    if asked == LARGEST:
        return _nearest(largest, slack, scale)
    if asked == SUM:
        return _nearest(diagonal.sum(), n * slack, scale)
    return _nearest(largest - diagonal.min(), 2 * slack, scale)


@njit(cache=True, nogil=True)
def _nearest(value: Int, slack: Int, scale: Int) -> Int:
    """Round value / scale; -1 if a half-integer is as near as slack / scale."""
    low = (2 * (value - slack) - 1 + scale) // (2 * scale)
    high = (2 * (value + slack) + 1 + scale) // (2 * scale)
    return low if low == high else np.int64(-1)


@njit(cache=True, nogil=True)
def _vectors(matrix: Integers, square: float, scale: float) -> tuple[Integers, Integers, bool]:
    """Return left and right singular vectors as rows, times `scale` and rounded.

    The last value is false where a singular value is too small to have a left vector.
    """
    n = len(matrix)
    images, vectors = np.empty((n, n), np.float64), np.zeros((n, n), np.float64)
    for r in range(n):
        vectors[r, r] = 1.0
        for c in range(n):
            images[r, c] = float(matrix[c, r])
    _rotate(images, vectors, square)
    left, right = np.empty((n, n), np.int64), np.empty((n, n), np.int64)
    for r in range(n):
        length = 0.0
        for c in range(n):
            length += images[r, c] * images[r, c]
        length = sqrt(length)
        if length * length <= _TINY * square:
            return left, right, False
        for c in range(n):
            left[r, c] = np.int64(floor(images[r, c] / length * scale + 0.5))
            right[r, c] = np.int64(floor(vectors[r, c] * scale + 0.5))
    return left, right, True


@njit(cache=True, nogil=True)
def _rotate(images: Floats, vectors: Floats, square: float) -> None:
    """Rotate the rows of both matrices until those of `images` are orthogonal."""
    n = len(images)
    for _ in range(_MOST_SWEEPS):
        quiet = True
        for p in range(n - 1):
            for q in range(p + 1, n):
                first, second, both = 0.0, 0.0, 0.0
                for c in range(n):
                    first += images[p, c] * images[p, c]
                    second += images[q, c] * images[q, c]
                    both += images[p, c] * images[q, c]
                if both * both <= _SMALL * first * second or abs(both) <= _TINY * square:
                    continue
                quiet = False
                ratio = (second - first) / (2.0 * both)
                tangent = 1.0 / (abs(ratio) + sqrt(1.0 + ratio * ratio))
                if ratio < 0.0:
                    tangent = -tangent
                cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                _turn(images, p, q, cosine, cosine * tangent)
                _turn(vectors, p, q, cosine, cosine * tangent)
        if quiet:
            break


@njit(cache=True, nogil=True)
def _turn(rows: Floats, p: Int, q: Int, cosine: float, sine: float) -> None:
    for c in range(rows.shape[1]):
        first, second = rows[p, c], rows[q, c]
        rows[p, c] = cosine * first - sine * second
        rows[q, c] = sine * first + cosine * second


@njit(cache=True, nogil=True)
def _diagonal(matrix: Integers, left: Integers, right: Integers) -> tuple[Integers, Int]:
    """Return the |m_ii|, int64 (n,), and a bound of the norm of M beside its diagonal."""
    n = len(matrix)
    product = _times_transposed(left, _times_transposed(right, matrix))
    diagonal, across, down = np.empty(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for r in range(n):
        for c in range(n):
            if r == c:
                diagonal[r] = abs(product[r, r])
            else:
                across[r] += abs(product[r, c])
                down[c] += abs(product[r, c])
    return diagonal, max(across.max(), down.max())


@njit(cache=True, nogil=True)
def _skew(vectors: Integers, scale: Int) -> Int:
    """Bound the norm of V' V - scale by the largest sum of a row's absolute values."""
    product = _times_transposed(vectors, vectors)
    largest: Int = np.int64(0)
    for r in range(len(product)):
        total = abs(product[r, r] - scale)
        for c in range(len(product)):
            if c != r:
                total += abs(product[r, c])
        largest = max(largest, total)
    return largest


@njit(cache=True, nogil=True)
def _times_transposed(left: Integers, right: Integers) -> Integers:
    """Return left times the transpose of right."""
    n = len(left)
    product = np.empty((n, len(right)), np.int64)
    for r in range(n):
        for c in range(len(right)):
            total: Int = np.int64(0)
            for k in range(left.shape[1]):
                total += left[r, k] * right[c, k]
            product[r, c] = total
    return product
