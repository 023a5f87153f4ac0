"""Slow oracle of eigenvalues and singular values: how many lie below a place, by inertia.

The signs of the leading minors of G - t tell how many eigenvalues of a symmetric matrix G are less
than t (Jacobi, Sylvester). Places t are dyadic and no integers, so that no minor is zero: the
eigenvalues of all leading blocks are algebraic integers. Minors are worked out by elimination in
integers (Bareiss 1968); floating point only says where to look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import frexp, sqrt

import numpy as np

from synthgen.verifiers.omega.arithmetic._matrix_roots import LARGEST, SPREAD, SUM
from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix

_FEWEST_BITS, _MOST_BITS = 3, 40
Rows = Sequence[Sequence[int]]


def count_below(symmetric: Rows, numerator: int, bits: int) -> int:
    """Count the eigenvalues of a symmetric matrix below numerator / 2^bits, which is no integer."""
    rows = [[value << bits for value in row[: r + 1]] for r, row in enumerate(symmetric)]
    for row in rows:
        row[-1] -= numerator
    below, before = 0, 1
    while rows:
        heads = [row[0] for row in rows]
        pivot = heads[0]
        below += (pivot > 0) != (before > 0)
        rows = [
            [(pivot * x - head * y) // before for x, y in zip(row[1:], heads[1:], strict=False)]
            for row, head in zip(rows[1:], heads[1:], strict=True)
        ]
        before = pivot
    return below


def rounded_absolute_eigenvalues(symmetric: Rows, asked: str) -> str | None:
    """Round the LARGEST absolute value of an eigenvalue or the SUM of all.

    None stands for guesses that floating point makes too badly.
    """
    guesses = _guesses(symmetric)
    return _rounded(
        guesses, asked, lambda place, bits: count_below(symmetric, place, bits), signed=True
    )


def rounded_singular_values(matrix: Matrix, asked: str) -> str | None:
    """Round the LARGEST singular value, the SUM of all, or the SPREAD from smallest to largest.

    None stands for guesses that floating point makes too badly.
    """
    columns = list(zip(*matrix.lists(), strict=True))
    gram = [[sum(map(int.__mul__, first, second)) for second in columns] for first in columns]
    guesses = [sqrt(max(value, 0.0)) for value in _guesses(gram)]

    def below(place: int, bits: int) -> int:
        return count_below(gram, place * place, 2 * bits) if place > 0 else 0

    return _rounded(guesses, asked, below, signed=False)


def _guesses(symmetric: Rows) -> list[float]:
    """Return floating-point eigenvalues, rising."""
    try:
        guesses: list[float] = np.linalg.eigvalsh(np.array(symmetric, np.float64)).tolist()
    except np.linalg.LinAlgError:
        return [0.0] * len(symmetric)  # proves nothing
    return guesses


def _rounded(
    guesses: Sequence[float], asked: str, below: Callable[[int, int], int], *, signed: bool
) -> str | None:
    """Round what is asked of values near the guesses, if `below` proves where the values are."""
    sizes = [abs(value) for value in guesses]
    if asked == LARGEST:
        return _largest(round(max(sizes)), len(guesses), below, signed=signed)
    guess = sum(sizes) if asked == SUM else max(sizes) - min(sizes)
    distance = abs(guess - int(guess) - 0.5)
    weight = len(guesses) if asked == SUM else 2
    bits = max(_FEWEST_BITS, 2 - frexp(distance / weight)[1]) if distance else _FEWEST_BITS
    while bits <= _MOST_BITS:
        ends = _proven(guesses, asked, below, bits)
        if ends is not None:
            low, high = _total(ends, asked)
            first, last = _nearest(low, bits), _nearest(high, bits)
            if first == last:
                return str(first)
        bits += 6
    return None


def _largest(nearest: int, n: int, below: Callable[[int, int], int], *, signed: bool) -> str | None:
    """Return the integer if all values lie within it and a half, but not all within one less."""

    def all_within(end: int) -> bool:
        if end <= 0:
            return False
        return below(end, 1) == n and (not signed or below(-end, 1) == 0)

    right = all_within(2 * nearest + 1) and not all_within(2 * nearest - 1)
    return str(nearest) if right else None


def _proven(
    guesses: Sequence[float], asked: str, below: Callable[[int, int], int], bits: int
) -> list[tuple[int, int]] | None:
    """Return ends, times 2^bits, between which each value lies that counts, if they are proven."""
    counts: dict[int, int] = {}

    def known(place: int) -> int:
        if place not in counts:
            counts[place] = below(place, bits)
        return counts[place]

    chosen = list(enumerate(guesses))
    if asked == SPREAD:
        chosen = [chosen[0], chosen[-1]]
    ends = []
    for number, guess in chosen:
        middle = 2 * round(guess * (1 << (bits - 1)))
        low, high = middle - 1, middle + 1
        if not known(low) <= number < known(high):
            return None
        ends.append((low, high))
    return ends


def _total(ends: Sequence[tuple[int, int]], asked: str) -> tuple[int, int]:
    """Return bounds of the sum of absolute values, or of the last value minus the first."""
    if asked == SPREAD:
        (first, second), (third, fourth) = ends
        return third - second, fourth - first
    least = (0 if low <= 0 <= high else min(abs(low), abs(high)) for low, high in ends)
    return sum(least), sum(max(abs(low), abs(high)) for low, high in ends)


def _nearest(value: int, bits: int) -> int:
    """Return the integer nearest to value / 2^bits; a tie goes up."""
    return (value + (1 << (bits - 1))) >> bits
