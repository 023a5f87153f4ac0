"""Counts of eigenvalues of triangular and symmetric matrices: as exact ways find them, or not."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from synthgen.verifiers.omega.arithmetic import _matrix_eigencounts as counts
from synthgen.verifiers.omega.arithmetic._matrix_counts import UNDECIDED
from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_eigenvalue_sum
from synthgen.verifiers.omega.arithmetic._matrix_inertia import rounded_absolute_eigenvalues
from synthgen.verifiers.omega.arithmetic._matrix_roots import LARGEST, SUM
from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix
from tests.verifiers.omega.arithmetic.test_matrix_counts import columns

ASKED = (LARGEST, SUM)  # in the order of the kernel's numbers


def symmetric_matrices(seed: int, most: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    found = []
    for n in range(2, 17):
        matrix = rng.integers(-most, most + 1, (n, n))
        low_rank = np.outer(matrix[0], matrix[0])
        found += [np.tril(matrix) + np.tril(matrix, -1).T, -(matrix @ matrix.T), low_rank]
    return found


@pytest.mark.parametrize("most", [1, 9, 50])
def test_rounds_as_exact_inertia_does(most: int) -> None:
    matrices = symmetric_matrices(most, most)
    flat = columns(matrices)
    for asked, name in enumerate(ASKED):
        found = counts.rounded_eigenvalues(*flat, np.full(len(matrices), asked))
        assert (found == UNDECIDED).mean() < 0.1
        for matrix, value in zip(matrices, found.tolist(), strict=True):
            if value != UNDECIDED:
                assert rounded_absolute_eigenvalues(matrix.tolist(), name) in {str(value), None}


def test_triangular_matrices_have_their_diagonals() -> None:
    rng = np.random.default_rng(3)
    matrices = [np.triu(rng.integers(-9, 10, (n, n))) for n in range(2, 7)]
    flat = columns(matrices)
    for asked, name in enumerate(ASKED):
        found = counts.rounded_eigenvalues(*flat, np.full(len(matrices), asked))
        for matrix, value in zip(matrices, found.tolist(), strict=True):
            entries = Matrix(len(matrix), len(matrix), tuple(matrix.ravel().tolist()))
            assert exact_eigenvalue_sum(entries, largest=name == LARGEST) == str(value)


def test_other_matrices_are_left_to_others() -> None:
    large = np.full((2, 2), 10**7)
    for matrix in (np.array([[1, 2], [3, 4]]), np.tril(np.ones((3, 3), np.int64)), large):
        found = counts.rounded_eigenvalues(*columns([matrix]), np.zeros(1, np.int64))
        assert found.tolist() == [UNDECIDED]


def test_wrong_guesses_prove_nothing() -> None:
    matrix = np.array([[3, 1], [1, -2]])
    shapes = np.array([counts._SYMMETRIC])
    for guesses in ([0.0, 0.0], [-2.2, 4.4], [-9.0, 3.2], [1e9, 1e9], [np.nan, np.nan], [inf, inf]):
        for asked in range(2):
            found = counts._all_rounded(
                *columns([matrix]), shapes, np.array([asked]), np.array([guesses])
            )
            assert found.tolist() == [UNDECIDED]


def test_the_kernel_does_what_its_python_does() -> None:
    matrices = symmetric_matrices(7, 5)[:24]
    flat = columns(matrices)
    shapes = counts._shapes(*flat)
    assert counts._shapes.py_func(*flat).tolist() == shapes.tolist()
    guesses = counts._guesses(*flat)
    for matrix, row, shape in zip(matrices, guesses, shapes.tolist(), strict=True):
        if shape == counts._SYMMETRIC:
            near = row[: len(matrix)]
            for kernel in (counts._rounded_sum, counts._rounded_largest):
                assert kernel.py_func(matrix, near) == kernel(matrix, near)
