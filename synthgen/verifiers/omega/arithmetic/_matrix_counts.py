"""Kernels of singular values, rounded with proof: how many lie below a place, in floating point.

G = A' A is worked out in integers. G - s is factored as L D L' without pivoting, in floating point,
and by Sylvester's law of inertia D has as many negative entries as G - s + E has negative
eigenvalues, where E is what rounding changed. Every step adds to a bound e of the norm of E, so
that by Weyl's inequality an eigenvalue of G lies below s + e, or not below s - e. Two places around
every value that counts bound it; only floating point says where to look, and where the bounds do
not settle the nearest integer, there is no result.
"""

from __future__ import annotations

from math import floor, inf, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST, SUM, SPREAD = range(3)
UNDECIDED = -1
_MOST_ROWS, _LARGEST_ENTRY = 20, 10**7
_ROUNDING = 2.0**-53 * 1.000_1
"""Unit of rounding, with room for what the sums of its multiples lose by rounding themselves."""
_UNDERFLOW, _LEAST_PIVOT = 1e-100, 1e-30
"""What numbers below all that a double holds add to the bound, given that no pivot is smaller."""
_SLACK = 2.0**-40
"""Bounds the rounding of at most 20 roots and their sum, relative to what they may be at most."""
_TRIES = 3
_NARROWER = 0.4
_WIDEST = 0.25


def singular_guesses(entries: Integers, offsets: Integers, sizes: Integers) -> Floats:
    """Return floating-point singular values of every matrix, rising, float64 (n, most rows)."""
    found = np.zeros((len(sizes), sizes.max()))
    for n in np.unique(sizes).tolist():
        chosen = np.flatnonzero(sizes == n)
        places: Integers = offsets[chosen][:, None] + np.arange(n * n)
        stack = entries[places].reshape(-1, n, n).astype(np.float64)
        try:
            squares = np.linalg.eigvalsh(stack.transpose(0, 2, 1) @ stack)
        except np.linalg.LinAlgError:
            continue  # zeros prove nothing
        found[chosen, :n] = np.sqrt(np.maximum(squares, 0.0))
    return found


@njit(cache=True, nogil=True)
def rounded_by_counts(
    entries: Integers, offsets: Integers, sizes: Integers, asked: Integers, guesses: Floats
) -> Integers:
    """Round the LARGEST singular value, the SUM of all, or the SPREAD from smallest to largest.

    Args:
        entries: of square matrices of at most 20 rows, flat.
        offsets: of the matrices, int64 (n + 1,).
        sizes: int64 (n,).
        asked: LARGEST, SUM or SPREAD, int64 (n,).
        guesses: of the singular values, rising, float64 (n, most rows).

    Returns:
        The nearest integers, int64 (n,); UNDECIDED where the bounds do not settle them.
    """
    results = np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        gram, fits = _gram(entries, offsets[i], sizes[i])
        results[i] = UNDECIDED
        if fits:
            results[i] = _rounded(gram, guesses[i, : sizes[i]], asked[i])
    return results


@njit(cache=True, nogil=True)
def _gram(entries: Integers, start: Int, n: Int) -> tuple[Floats, bool]:
    """Return the lower half of A' A, exact; false if an entry is too large for that."""
    gram = np.zeros((n, n), np.float64)
    for at in range(start, start + n * n):
        if n > _MOST_ROWS or abs(entries[at]) >= _LARGEST_ENTRY:
            return gram, False
    for k in range(n):
        row = start + k * n
        for i in range(n):
            value = np.float64(entries[row + i])
            if value != 0.0:
                for j in range(i + 1):
                    gram[i, j] += value * np.float64(entries[row + j])
    return gram, True


@njit(cache=True, nogil=True)
def half_gap(value: float) -> float:
    """Return half the distance to where numbers begin to be rounded to another integer."""
    return 0.5 * abs(value - floor(value) - 0.5)


@njit(cache=True, nogil=True)
def agreed(low: float, high: float) -> Int:
    """Return the integer nearest to all numbers between two, UNDECIDED if there is none."""
    if high - low < 1.0 and floor(low + 0.5) == floor(high + 0.5):
        return np.int64(floor(low + 0.5))
    return np.int64(UNDECIDED)


@njit(cache=True, nogil=True)
def _rounded(gram: Floats, guesses: Floats, asked: Int) -> Int:
    n = len(guesses)
    guess, weight = guesses[n - 1], 1.0
    if asked == SUM:
        guess, weight = guesses.sum(), float(n)
    elif asked == SPREAD:
        guess, weight = guess - guesses[0], 2.0
    width = min(_WIDEST, half_gap(guess) / weight)
    trace = 0.0
    for k in range(n):
        trace += gram[k, k]
    slack = _SLACK * (1.0 + sqrt(n * trace))
    scratch = np.empty((n, n), np.float64)
    for _ in range(_TRIES):
        low, high = _bounds(gram, guesses, asked, width, scratch)
        found = agreed(low - slack, high + slack)
        if found != UNDECIDED:
            return found
        width *= _NARROWER
    return np.int64(UNDECIDED)


@njit(cache=True, nogil=True)
def _bounds(
    gram: Floats, guesses: Floats, asked: Int, width: float, scratch: Floats
) -> tuple[float, float]:
    """Return between what bounds the value lies that is asked for; infinite ones prove nothing."""
    n = len(guesses)
    low, high = 0.0, 0.0
    if asked == SPREAD and n == 1:
        return low, high
    for place in range(n):
        if asked != SUM and place != n - 1 and (asked == LARGEST or place != 0):
            continue
        least = _least(gram, guesses[place] - width, place, scratch)
        most = _most(gram, guesses[place] + width, place, scratch)
        if asked == SPREAD and place == 0:
            least, most = -most, -least
        low += least
        high += most
        if not high - low < inf:
            break
    return low, high


@njit(cache=True, nogil=True)
def _least(gram: Floats, at: float, place: Int, scratch: Floats) -> float:
    """Return a lower bound of the singular value number `place` from below, near `at`."""
    if at <= 0.0:
        return 0.0
    below, error = inertia_below(gram, at * at, scratch)
    return 0.0 if below > place else sqrt(max(0.0, at * at - error))


@njit(cache=True, nogil=True)
def _most(gram: Floats, at: float, place: Int, scratch: Floats) -> float:
    """Return an upper bound of the singular value number `place` from below, near `at`."""
    below, error = inertia_below(gram, at * at, scratch)
    return sqrt(at * at + error) if below > place else inf


@njit(cache=True, nogil=True)
def inertia_below(gram: Floats, shift: float, left: Floats) -> tuple[Int, float]:
    """Count the negative eigenvalues of G - shift + E, and bound the norm of E.

    A number that floating point works out as w' = w - l x has l x wrong by at most two units of
    rounding of its size, one for the quotient l, and w' by one; those of one step make a matrix
    whose norm is at most the root of the sum of its squares, that of the l x being the product of
    the lengths of l and x.
    """
    n = len(gram)
    below: Int = np.int64(0)
    error = 0.0
    squares = 0.0
    for i in range(n):
        for j in range(i):
            left[i, j] = gram[i, j]
        left[i, i] = gram[i, i] - shift
        squares += left[i, i] * left[i, i]
    error += sqrt(squares)
    column = np.empty(n, np.float64)
    for k in range(n):
        pivot = left[k, k]
        if not abs(pivot) > _LEAST_PIVOT:
            return below, inf
        if pivot < 0.0:
            below += 1
        length, other, squares = 0.0, 0.0, 0.0
        for i in range(k + 1, n):
            column[i] = left[i, k]
        for i in range(k + 1, n):
            times = column[i] / pivot
            length += times * times
            other += column[i] * column[i]
            for j in range(k + 1, i + 1):
                left[i, j] -= times * column[j]
            for j in range(k + 1, i):
                squares += 2.0 * left[i, j] * left[i, j]
            squares += left[i, i] * left[i, i]
        error += 2.0 * sqrt(length * other) + sqrt(squares)
    error = error * _ROUNDING + _UNDERFLOW
    return below, error if error < inf else inf
