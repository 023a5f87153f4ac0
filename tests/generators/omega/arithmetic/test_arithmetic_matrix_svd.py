"""Singular values: published examples and forty digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic import _matrix_singular as singular
from synthgen.generators.omega.arithmetic.arithmetic_matrix_svd import ArithmeticMatrixSvd
from tests.generators.omega.arithmetic import matrix_oracle as oracle

DIAGONAL = [[3, 0, 0, 0], [0, -4, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]
GENERAL = [[1, 2, 0, -1], [0, 3, 1, 2], [-2, 0, 1, 1], [4, -1, 0, 2]]


def test_published_examples() -> None:
    flat = oracle.flat(DIAGONAL, GENERAL)
    found = singular.rounded_values(*flat, np.array([singular.SUM, singular.LARGEST]))
    assert found.tolist() == [10, 5]


@pytest.mark.parametrize("level", [1, 5, 9])
def test_answers_agree_with_forty_digits(level: int) -> None:
    problems = ArithmeticMatrixSvd(levels=(level,)).draw(Rows.span(3, 0, 12))
    assert problems.valid.mean() > 0.7
    for i, (matrix,) in enumerate(oracle.drawn_matrices(problems)):
        if problems.valid[i]:
            values = oracle.singular_values(matrix)
            wanted = (max(values), mpmath.fsum(values), max(values) - min(values))
            value = wanted[problems.axes["subtype"][i]]
            assert abs(value - problems.parts["work"].answers[i]) < 0.5


def test_few_draws_are_left_undecided_even_with_the_largest_matrices() -> None:
    generator = ArithmeticMatrixSvd(levels=(9,), min_size=20, max_size=20, max_entry=99)
    assert generator.draw(Rows.span(3, 0, 40)).valid.mean() > 0.8
