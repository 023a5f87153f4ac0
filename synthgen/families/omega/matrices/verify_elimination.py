"""Elimination in plain integers: Bareiss's, and one modulo a prime beyond all minors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt, prod
from typing import NamedTuple

IntRows = Sequence[Sequence[int]]

_MERSENNE_PRIMES = tuple(2**exponent - 1 for exponent in (61, 89, 107, 127, 521))


class Step(NamedTuple):
    """A step of an elimination.

    Attributes:
        swap: Place of the row that is swapped with the first, or None where a column of zeros is
            dropped.
        pivot, divisor: First entry of the first row then, and the previous pivot.
        rest: Entries that remain below and to the right of the pivot.
    """

    swap: int | None
    pivot: int
    divisor: int
    rest: list[list[int]]

    @property
    def lines(self) -> list[str]:
        """The lines that a worked solution must have."""
        if self.swap is None:
            return [f"drop a zero column: {self.rest}"]
        line = f"pivot {self.pivot}, divisor {self.divisor}: {self.rest}"
        return [f"swap rows 1 and {self.swap + 1}", line] if self.swap else [line]


def bareiss(matrix: IntRows) -> Iterator[Step]:
    """Eliminate without fractions until only zeros are left.

    That every division is exact is Sylvester's identity.
    """
    rows, divisor = [list(row) for row in matrix], 1
    while any(map(any, rows)):
        swap = next((r for r, row in enumerate(rows) if row[0]), None)
        if swap is None:
            rows = [row[1:] for row in rows]
            yield Step(None, 0, divisor, rows)
            continue
        (pivot, *top), below = rows[swap], rows[1:]
        if swap:
            below[swap - 1] = rows[0]
        rows = [
            [(pivot * x - head * y) // divisor for x, y in zip(tail, top, strict=True)]
            for head, *tail in below
        ]
        yield Step(swap, pivot, divisor, rows)
        divisor = pivot


def rank_of(matrix: IntRows) -> int:
    """Return the rank; equal rows count once."""
    return sum(step.swap is not None for step in bareiss(list(dict.fromkeys(map(tuple, matrix)))))


def determinant_of(steps: Sequence[Step], n: int) -> int:
    """Return the determinant of an n x n matrix from its elimination."""
    if len(steps) < n or any(step.swap is None for step in steps):
        return 0
    return -steps[-1].pivot if sum(bool(step.swap) for step in steps) % 2 else steps[-1].pivot


def adjugate_of(matrix: IntRows) -> tuple[list[list[int]], int] | None:
    """Return an integer matrix and a positive integer whose quotient is the inverse, if any.

    Gauss-Jordan elimination modulo a prime that is more than twice as large as any minor may be by
    Hadamard's bound, so that residues determine the determinant and the adjugate.
    """
    bound = prod(isqrt(sum(x * x for x in row)) + 1 for row in matrix)
    prime = next(p for p in _MERSENNE_PRIMES if p > 2 * bound)
    rows = [[x % prime for x in row] for row in matrix]
    n, determinant, swaps = len(rows), 1, []
    for k in range(n):
        pivot_row = next((r for r in range(k, n) if rows[r][k]), None)
        if pivot_row is None:
            return None
        if pivot_row != k:
            rows[k], rows[pivot_row] = rows[pivot_row], rows[k]
            swaps.append((k, pivot_row))
            determinant = -determinant
        determinant = determinant * rows[k][k] % prime
        reciprocal = pow(rows[k][k], -1, prime)
        rows[k][k] = 1
        top = rows[k] = [x * reciprocal % prime for x in rows[k]]
        for r, row in enumerate(rows):
            if r != k and row[k]:
                factor, row[k] = row[k], 0
                rows[r] = [(x - factor * y) % prime for x, y in zip(row, top, strict=True)]
    for k, other in reversed(swaps):
        for row in rows:
            row[k], row[other] = row[other], row[k]
    scaled = [_balanced((determinant * x for x in row), prime) for row in rows]
    (value,) = _balanced([determinant], prime)
    return (scaled, value) if value > 0 else ([[-x for x in row] for row in scaled], -value)


def _balanced(residues: Iterable[int], prime: int) -> list[int]:
    half = prime // 2
    return [(x + half) % prime - half for x in residues]
