"""Kernels of real eigenvalues, rounded with proof: how many lie below a place, in floating point.

The eigenvalues of a triangular matrix stand on its diagonal. Those of a symmetric one are counted
by the inertia of A - t, as `_matrix_counts` does with A' A. The absolute values sum to twice the
sum of the positive eigenvalues less the trace, so that only eigenvalues of one sign have to be
bounded; where there are fewer negative ones, -A is looked at instead.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.arithmetic._matrix_counts import (
    UNDECIDED,
    agreed,
    half_gap,
    inertia_below,
)

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST, SUM = range(2)
_OTHER, _TRIANGULAR, _SYMMETRIC = range(3)
_MOST_ROWS, _LARGEST_ENTRY = 20, 10**7
_SLACK = 2.0**-40
"""Bounds the rounding of sums of at most 20 eigenvalues, relative to what they may be at most."""
_ZERO = 1e-6
"""Guesses so near to zero may be of either sign."""
_TRIES = 3
_NARROWER = 0.4
_WIDEST = 0.25


def rounded_eigenvalues(
    entries: Integers, offsets: Integers, sizes: Integers, asked: Integers
) -> Integers:
    """Round the LARGEST absolute value of an eigenvalue or the SUM of all.

    Args:
        entries: of square matrices, flat.
        offsets: of the matrices, int64 (n + 1,).
        sizes: int64 (n,).
        asked: LARGEST or SUM, int64 (n,).

    Returns:
        The nearest integers, int64 (n,); UNDECIDED for a matrix that is neither triangular nor
        symmetric, and where the bounds do not settle it.
    """
    shapes = _shapes(entries, offsets, sizes)
    guesses = _guesses(entries, offsets, np.where(shapes == _SYMMETRIC, sizes, 0))
    return _all_rounded(entries, offsets, sizes, shapes, asked, guesses)


def _guesses(entries: Integers, offsets: Integers, sizes: Integers) -> Floats:
    """Return floating-point eigenvalues, rising, float64 (n, most rows); none for size 0."""
    found = np.zeros((len(sizes), sizes.max(initial=1)))
    for n in np.unique(sizes).tolist():
        if not 0 < n <= _MOST_ROWS:
            continue
        chosen = np.flatnonzero(sizes == n)
        places: Integers = offsets[chosen][:, None] + np.arange(n * n)
        stack = entries[places].reshape(-1, n, n).astype(np.float64)
        try:
            found[chosen, :n] = np.linalg.eigvalsh(stack)
        except np.linalg.LinAlgError:
            continue  # zeros prove nothing
    return found


@njit(cache=True, nogil=True)
def _shapes(entries: Integers, offsets: Integers, sizes: Integers) -> Integers:
    """Return which matrices are triangular and which of the others are symmetric."""
    shapes = np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        start, n = offsets[i], sizes[i]
        triangular, symmetric = True, n <= _MOST_ROWS
        for r in range(n):
            symmetric = symmetric and abs(entries[start + r * n + r]) < _LARGEST_ENTRY
            for c in range(r):
                value = entries[start + r * n + c]
                triangular = triangular and value == 0
                symmetric = symmetric and value == entries[start + c * n + r]
                symmetric = symmetric and abs(value) < _LARGEST_ENTRY
        shapes[i] = _TRIANGULAR if triangular else (_SYMMETRIC if symmetric else _OTHER)
    return shapes


@njit(cache=True, nogil=True)
def _all_rounded(
    entries: Integers,
    offsets: Integers,
    sizes: Integers,
    shapes: Integers,
    asked: Integers,
    guesses: Floats,
) -> Integers:
    results = np.full(len(sizes), UNDECIDED, np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        matrix = entries[offsets[i] : offsets[i + 1]].reshape(n, n)
        if shapes[i] == _TRIANGULAR:
            results[i] = _from_diagonal(matrix, asked[i])
        elif shapes[i] == _SYMMETRIC:
            few = guesses[i, :n]
            if asked[i] == SUM:
                results[i] = _rounded_sum(matrix, few)
            else:
                results[i] = _rounded_largest(matrix, few)
    return results


@njit(cache=True, nogil=True)
def _from_diagonal(matrix: Integers, asked: Int) -> Int:
    total, largest = np.int64(0), np.int64(0)
    for k in range(len(matrix)):
        total += abs(matrix[k, k])
        largest = max(largest, abs(matrix[k, k]))
    return total if asked == SUM else largest


@njit(cache=True, nogil=True)
def _signed(matrix: Integers, guesses: Floats, negative: bool) -> tuple[Floats, Floats]:  # noqa: FBT001
    """Return A, or -A, with guesses of its eigenvalues, rising."""
    if negative:
        return -matrix.astype(np.float64), -guesses[::-1]
    return matrix.astype(np.float64), guesses.copy()


@njit(cache=True, nogil=True)
def _rounded_largest(matrix: Integers, guesses: Floats) -> Int:
    n = len(guesses)
    a, near = _signed(matrix, guesses, -guesses[0] > guesses[n - 1])
    scratch = np.empty((n, n), np.float64)
    guess = near[n - 1]
    slack = _SLACK * (1.0 + guess)
    width = min(_WIDEST, half_gap(guess))
    for _ in range(_TRIES):
        low, high = guess - width, guess + width
        below, error = inertia_below(a, low, scratch)
        if below < n and low > 0.0:
            over, more = inertia_below(a, high, scratch)
            under, most = inertia_below(a, -high, scratch)
            if over == n and under == 0:
                found = agreed(low - error - slack, high + max(more, most) + slack)
                if found != UNDECIDED:
                    return found
        width *= _NARROWER
    return np.int64(UNDECIDED)


@njit(cache=True, nogil=True)
def _rounded_sum(matrix: Integers, guesses: Floats) -> Int:
    n = len(guesses)
    positive = 0
    for guess in guesses:
        positive += guess > 0.0
    a, near = _signed(matrix, guesses, 2 * positive > n)
    first = 0
    while first < n and near[first] < -_ZERO:
        first += 1
    trace, square = 0.0, 0.0
    for r in range(n):
        trace += a[r, r]
        for c in range(n):
            square += a[r, c] * a[r, c]
    slack = _SLACK * (1.0 + sqrt(n * square))
    guess = 2.0 * near[first:].sum() - trace
    width = min(_WIDEST, half_gap(guess) / (2 * max(n - first, 1)))
    scratch = np.empty((n, n), np.float64)
    for _ in range(_TRIES):
        low, high = _bounds(a, near, first, width, scratch)
        found = agreed(2.0 * low - trace - slack, 2.0 * high - trace + slack)
        if found != UNDECIDED:
            return found
        width *= _NARROWER
    return np.int64(UNDECIDED)


@njit(cache=True, nogil=True)
def _bounds(
    a: Floats, near: Floats, first: Int, width: float, scratch: Floats
) -> tuple[float, float]:
    """Bound the sum of the positive eigenvalues, of which number `first` may be the least."""
    low, high = 0.0, 0.0
    if first > 0:
        at = near[first - 1] / 2.0
        below, error = inertia_below(a, at, scratch)
        high = first * max(at + error, 0.0) if below >= first else inf
    for place in range(first, len(near)):
        at = near[place] - width
        if at > 0.0:
            below, error = inertia_below(a, at, scratch)
            low += max(at - error, 0.0) if below <= place else 0.0
        at = near[place] + width
        below, error = inertia_below(a, at, scratch)
        high += max(at + error, 0.0) if below > place else inf
        if not high < inf:
            break
    return low, high
