"""Counts of eigenvalues in floating point: their bounds hold, and bad guesses prove nothing."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from synthgen.verifiers.omega.arithmetic import _matrix_counts as counts
from synthgen.verifiers.omega.arithmetic._matrix_inertia import (
    count_below,
    rounded_singular_values,
)
from synthgen.verifiers.omega.arithmetic._matrix_roots import LARGEST, SPREAD, SUM
from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix

ASKED = (LARGEST, SUM, SPREAD)  # in the order of the kernel's numbers


def columns(matrices: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sizes = np.array([len(matrix) for matrix in matrices], np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes * sizes)])
    return np.concatenate([matrix.ravel() for matrix in matrices]), offsets, sizes


def some_matrices(seed: int, most: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    found = []
    for n in range(1, 13):
        matrix = rng.integers(-most, most + 1, (n, n))
        found += [matrix, np.triu(matrix), matrix + matrix.T, np.outer(matrix[0], matrix[:, 0])]
    return found


@pytest.mark.parametrize("most", [1, 9, 99])
def test_rounds_as_exact_inertia_does(most: int) -> None:
    matrices = some_matrices(most, most)
    flat = columns(matrices)
    for asked, name in enumerate(ASKED):
        guesses = counts.singular_guesses(*flat)
        kinds = np.full(len(matrices), asked, np.int64)
        found = counts.rounded_by_counts(*flat, kinds, guesses)
        assert (found == counts.UNDECIDED).mean() < 0.2
        for matrix, value in zip(matrices, found.tolist(), strict=True):
            if value != counts.UNDECIDED:
                n = len(matrix)
                exact = rounded_singular_values(Matrix(n, n, tuple(matrix.ravel().tolist())), name)
                assert exact == str(value)


def test_counts_are_right_within_their_bound() -> None:
    for matrix in some_matrices(5, 9):
        n = len(matrix)
        exact = matrix.T @ matrix
        gram, fits = counts._gram(matrix.ravel(), 0, n)
        assert fits
        assert (gram == np.tril(exact)).all()
        for shift in (0.3, 2.5, 40.25, 1000.125):
            below, error = counts.inertia_below(gram, shift, np.empty((n, n)))
            if error < 0.01:
                low, high = (round((shift + sign * error) * 2**60) | 1 for sign in (-1, 1))
                rows = exact.tolist()
                assert count_below(rows, low, 60) <= below <= count_below(rows, high, 60)


def test_wrong_guesses_prove_nothing() -> None:
    matrix = np.array([[3, 1], [0, 2]])
    flat = columns([matrix])
    for guesses in ([0.0, 0.0], [1.8, 4.2], [-5.0, 3.3], [1e9, 1e9], [np.nan, np.nan], [inf, inf]):
        for asked in (counts.SUM, counts.SPREAD):
            kinds = np.array([asked], np.int64)
            found = counts.rounded_by_counts(*flat, kinds, np.array([guesses]))
            assert found.tolist() == [counts.UNDECIDED]


def test_what_is_too_large_is_left_to_others() -> None:
    for matrix in (np.full((2, 2), 10**7), np.ones((21, 21), np.int64)):
        flat = columns([matrix])
        guesses = counts.singular_guesses(*flat)
        found = counts.rounded_by_counts(*flat, np.zeros(1, np.int64), guesses)
        assert found.tolist() == [counts.UNDECIDED]


def test_a_vanishing_pivot_proves_nothing() -> None:
    gram = np.array([[4.0, 0.0], [0.0, 9.0]])
    assert counts.inertia_below(gram, 4.0, np.empty((2, 2)))[1] == inf


def test_the_kernel_does_what_its_python_does() -> None:
    flat = columns(some_matrices(7, 5)[:20])
    guesses = counts.singular_guesses(*flat)
    for asked in range(3):
        kinds = np.full(len(flat[2]), asked, np.int64)
        compiled = counts.rounded_by_counts(*flat, kinds, guesses)
        assert counts.rounded_by_counts.py_func(*flat, kinds, guesses).tolist() == compiled.tolist()
