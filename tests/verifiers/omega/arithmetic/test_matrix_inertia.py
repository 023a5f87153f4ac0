"""Counting eigenvalues by inertia: against floating point, SymPy, and matrices by hand."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.verifiers.omega.arithmetic._matrix_exact import (
    exact_eigenvalue_sum,
    exact_singular_values,
)
from synthgen.verifiers.omega.arithmetic._matrix_inertia import (
    count_below,
    rounded_absolute_eigenvalues,
    rounded_singular_values,
)
from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix


def matrix_of(rows: list[list[int]]) -> Matrix:
    return Matrix(len(rows), len(rows[0]), tuple(x for row in rows for x in row))


def test_counts_by_hand() -> None:
    # Eigenvalues -1, 1 and 3, in spite of zeros on the diagonal; then 2 three times.
    rows = [[0, 1, 0], [1, 0, 0], [0, 0, 3]]
    halves = [count_below(rows, numerator, 1) for numerator in (-3, -1, 1, 3, 5, 7)]
    assert halves == [0, 1, 1, 2, 2, 3]
    assert [count_below([[2, 0, 0], [0, 2, 0], [0, 0, 2]], k, 3) for k in (15, 17)] == [0, 3]


@pytest.mark.parametrize("n", [2, 5, 9])
def test_counts_are_those_of_floating_point(n: int) -> None:
    random = np.random.default_rng(n)
    for _ in range(20):
        half = random.integers(-9, 10, (n, n))
        rows = (np.triu(half) + np.triu(half, 1).T).tolist()
        values = np.linalg.eigvalsh(np.array(rows, float))
        for numerator in (-41, -7, 1, 13, 95):
            assert count_below(rows, numerator, 2) == int((values < numerator / 4).sum())


@pytest.mark.parametrize("n", [2, 4, 6])
def test_rounded_values_are_those_of_isolated_roots(n: int) -> None:
    random = np.random.default_rng(n)
    for _ in range(6):
        half = random.integers(-12, 13, (n, n))
        rows = (np.triu(half) + np.triu(half, 1).T).tolist()
        for asked in ("largest", "sum"):
            exact = exact_eigenvalue_sum(matrix_of(rows), largest=asked == "largest")
            assert rounded_absolute_eigenvalues(rows, asked) == exact
        matrix = matrix_of(half.tolist())
        for asked in ("largest", "sum", "spread"):
            assert rounded_singular_values(matrix, asked) == exact_singular_values(matrix, asked)


def test_singular_and_repeated_values() -> None:
    assert rounded_singular_values(matrix_of([[1, 1], [1, 1]]), "sum") == "2"
    assert rounded_singular_values(matrix_of([[0, 0], [0, 0]]), "sum") == "0"
    assert rounded_singular_values(matrix_of([[3, 0], [0, -3]]), "spread") == "0"
    assert rounded_absolute_eigenvalues([[0, 2], [2, 0]], "sum") == "4"
    assert rounded_absolute_eigenvalues([[-7, 0], [0, 5]], "largest") == "7"
    # A largest value of zero is left to the other way.
    assert rounded_absolute_eigenvalues([[0, 0], [0, 0]], "largest") in {None, "0"}
