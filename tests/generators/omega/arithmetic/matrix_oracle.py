"""Matrix arithmetic in the plainest way: expansions, fractions and forty digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import prod
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

Matrix = Sequence[Sequence[int]]
Integers = NDArray[np.int64]


def flat(*matrices: Matrix) -> tuple[Integers, Integers, Integers]:
    """Entries, offsets and rows of matrices, as kernels take them."""
    entries = [x for matrix in matrices for row in matrix for x in row]
    lengths = [0] + [len(matrix) * len(matrix[0]) for matrix in matrices]
    sizes = np.array([len(matrix) for matrix in matrices])
    return np.array(entries, np.int64), np.cumsum(lengths), sizes


def sign(order: Sequence[int]) -> int:
    inversions = sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])
    return -1 if inversions % 2 else 1


def expanded(matrix: Matrix) -> int:
    """Leibniz's sum over all permutations."""
    orders = permutations(range(len(matrix)))
    return sum(sign(o) * prod(row[c] for row, c in zip(matrix, o, strict=True)) for o in orders)


def echelon(matrix: Matrix) -> list[list[Fraction]]:
    """The rows that are not zero of an echelon form, over fractions."""
    rows = [[Fraction(x) for x in row] for row in matrix]
    done: list[list[Fraction]] = []
    for column in range(len(matrix[0])):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        done.append(pivot)
        for row in rows:
            factor = row[column] / pivot[column]
            row[:] = [x - factor * y for x, y in zip(row, pivot, strict=True)]
    return done


def determinant(matrix: Matrix) -> int:
    """The product of the pivots, by the least common way; for matrices too large to expand."""
    rows = [[Fraction(x) for x in row] for row in matrix]
    value = Fraction(1)
    for k in range(len(rows)):
        found = next((r for r in range(k, len(rows)) if rows[r][k]), None)
        if found is None:
            return 0
        if found != k:
            rows[k], rows[found], value = rows[found], rows[k], -value
        value *= rows[k][k]
        for r in range(k + 1, len(rows)):
            factor = rows[r][k] / rows[k][k]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[k], strict=True)]
    return int(value)


def inverse(matrix: Matrix) -> list[list[Fraction]] | None:
    """Cramer's rule."""
    whole = expanded(matrix)
    if whole == 0:
        return None
    n = len(matrix)

    def cofactor(r: int, c: int) -> int:
        minor = [[x for k, x in enumerate(row) if k != c] for i, row in enumerate(matrix) if i != r]
        return (-1) ** (r + c) * expanded(minor)

    return [[Fraction(cofactor(c, r), whole) for c in range(n)] for r in range(n)]


def singular_values(matrix: Matrix) -> list[Any]:
    """To forty digits."""
    with mpmath.workdps(40):
        return list(mpmath.svd_r(mpmath.matrix([list(row) for row in matrix]), compute_uv=False))


def eigenvalues(matrix: Matrix) -> list[Any]:
    """Of a symmetric matrix, to forty digits."""
    with mpmath.workdps(40):
        return list(mpmath.eigsy(mpmath.matrix([list(row) for row in matrix]), eigvals_only=True))


def product(left: Matrix, right: Matrix) -> list[list[int]]:
    columns = list(zip(*right, strict=True))
    return [[sum(x * y for x, y in zip(row, c, strict=True)) for c in columns] for row in left]


def drawn_matrices(problems: Any, k: int = 1) -> list[list[list[list[int]]]]:
    """The k matrices of each drawn problem, row by row."""
    work = problems.parts["work"]
    found = []
    for i in range(len(problems)):
        group = []
        for j in range(k):
            width = int(work.dims[i, j, 1])
            entries = work.matrices.row(i * k + j).tolist()
            group.append([entries[at : at + width] for at in range(0, len(entries), width)])
        found.append(group)
    return found
