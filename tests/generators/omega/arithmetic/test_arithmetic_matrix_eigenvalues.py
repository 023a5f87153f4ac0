"""Eigenvalues: published examples, signs, proof of the rounding, and the size of small spaces."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic import _matrix_singular as singular
from synthgen.generators.omega.arithmetic.arithmetic_matrix_eigenvalues import (
    ArithmeticMatrixEigenvalues,
    diagonal_values,
)
from tests.generators.omega.arithmetic import matrix_oracle as oracle

TRIANGULAR = [[3, 1, 2], [0, -5, 4], [0, 0, 2]]
SYMMETRIC = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]


def test_published_examples() -> None:
    entries, offsets, sizes = oracle.flat(TRIANGULAR, TRIANGULAR)
    assert diagonal_values(entries, offsets, sizes, np.array([0, 1])).tolist() == [5, 10]
    flat = oracle.flat(SYMMETRIC, SYMMETRIC)
    found = singular.rounded_values(*flat, np.array([singular.LARGEST, singular.SUM]))
    assert found.tolist() == [3, 6]


def test_defect_m4_the_absolute_value_and_the_rounding_are_asked_for() -> None:
    """The dominant eigenvalue is often negative; the answer never is, and the text says so."""
    generator = ArithmeticMatrixEigenvalues(levels=(2,), shapes=("triangular",))
    problems = generator.draw(Rows.span(3, 0, 300))
    diagonals = [np.diag(np.array(group[0])) for group in oracle.drawn_matrices(problems)]
    dominant = np.array([d[np.abs(d).argmax()] for d in diagonals])
    assert (dominant < 0).mean() > 0.3
    assert min(problems.parts["work"].answers) >= 0
    for wording in (text for texts in generator.texts for text in texts):
        assert "absolute value" in wording
        assert "nearest" in wording


@pytest.mark.parametrize("level", [1, 7, 9])
def test_answers_agree_with_forty_digits(level: int) -> None:
    problems = ArithmeticMatrixEigenvalues(levels=(level,)).draw(Rows.span(3, 0, 12))
    assert problems.valid.mean() > 0.8
    for i, (matrix,) in enumerate(oracle.drawn_matrices(problems)):
        if not problems.valid[i]:
            continue
        if problems.axes["matrix_shape"][i] == 2:
            values = [mpmath.mpf(abs(row[k])) for k, row in enumerate(matrix)]
        else:
            values = [abs(value) for value in oracle.eigenvalues(matrix)]
        value = mpmath.fsum(values) if problems.axes["subtype"][i] else max(values)
        assert abs(value - problems.parts["work"].answers[i]) < 0.5


def test_a_small_space_is_at_least_as_large_as_said() -> None:
    generator = ArithmeticMatrixEigenvalues(levels=(1,), min_size=2, max_size=2, max_entry=1)
    problems = generator.draw(Rows.span(3, 0, 4_000))
    distinct = len(np.unique(problems.keys[problems.valid], axis=0))
    triangular, symmetric, both = 27, 27, 9
    assert generator.fewest_problems == 2 * triangular
    assert 2 * triangular <= distinct <= 2 * (triangular + symmetric - both)


def test_general_matrices_are_refused() -> None:
    with pytest.raises(ParamError, match=r"shapes=.*symmetric, triangular"):
        ArithmeticMatrixEigenvalues(shapes=("general",))
    assert ArithmeticMatrixEigenvalues(shapes=("symmetric",)).fewest_problems is None
