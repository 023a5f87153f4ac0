"""Determinants: published examples, large ones that floating point gets wrong, and the steps."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic._matrix_determinant import (
    determinants_mod_1000,
    prime_tables,
)
from synthgen.generators.omega.arithmetic._matrix_steps import determinant_lines
from synthgen.generators.omega.arithmetic.arithmetic_matrix_determinant import (
    ArithmeticMatrixDeterminant,
)
from tests.generators.omega.arithmetic import matrix_oracle as oracle

FIRST = [[2, -1, 3], [0, 4, 5], [-2, 1, 6]]
SECOND = [[-3, 2, 1], [4, 0, -2], [5, 1, 6]]


def test_published_examples() -> None:
    found = determinants_mod_1000(*oracle.flat(FIRST, SECOND), *prime_tables())
    assert found.tolist() == [72, 930]


def test_defect_m1_large_determinants_are_exact() -> None:
    """Double precision has 53 bits; the determinants of level 7 have about 70."""
    problems = ArithmeticMatrixDeterminant(levels=(7,), shapes=("general",)).draw(
        Rows.span(3, 0, 24)
    )
    answers = problems.parts["work"].answers
    matrices = [group[0] for group in oracle.drawn_matrices(problems)]
    assert answers == [oracle.determinant(matrix) % 1000 for matrix in matrices]
    floats = [round(np.linalg.det(np.array(m, float))) % 1000 for m in matrices]
    assert sum(a != b for a, b in zip(answers, floats, strict=True)) > 10


def test_no_determinant_is_zero_and_no_triangular_one_ends_in_three_zeros() -> None:
    generator = ArithmeticMatrixDeterminant(levels=(7,))
    problems = generator.draw(Rows.span(4, 0, 600))
    answers = np.array(problems.parts["work"].answers)[problems.valid]
    triangular = problems.axes["matrix_shape"][problems.valid] == 2
    assert answers.min() >= 0
    assert answers.max() <= 999
    assert triangular.mean() > 0.1
    assert not (answers[triangular] == 0).any()


def test_the_steps_of_an_example_and_of_rows_in_another_order() -> None:
    assert list(determinant_lines(FIRST)) == [
        "pivot 2, divisor 1: [[8, 10], [0, 18]]",
        "pivot 8, divisor 2: [[72]]",
        "det = 72",
        "72 mod 1000 = 72",
    ]
    assert list(determinant_lines([[0, 2], [3, 5]])) == [
        *("swap rows 1 and 2", "pivot 3, divisor 1: [[6]]", "det = -6", "-6 mod 1000 = 994"),
    ]


def test_solutions_are_short_even_at_the_highest_level() -> None:
    generator = ArithmeticMatrixDeterminant(levels=(9,))
    problems = generator.draw(Rows.span(3, 0, 20))
    problems = generator.draw(Rows(3, problems.rows.addresses[problems.valid]))
    texts = generator.render(problems, Render("instruction", "steps"))
    assert texts.solutions is not None
    assert 5_000 < max(map(len, texts.solutions.to_pylist())) < 25_000


def test_sizes_entries_and_shapes_can_be_chosen() -> None:
    generator = ArithmeticMatrixDeterminant(
        min_size=2, max_size=5, max_entry=2, shapes=("symmetric",)
    )
    problems = generator.draw(Rows.span(3, 0, 300))
    assert set(problems.axes["size"].tolist()) == {2, 3, 4, 5}
    assert np.abs(problems.parts["work"].matrices.values).max() == 2
    general = problems.axes["matrix_shape"] == 0
    assert not general.any()


def test_a_small_space_is_at_least_as_large_as_said() -> None:
    generator = ArithmeticMatrixDeterminant(levels=(1,), min_size=2, max_size=2, max_entry=1)
    regular = [(a, b, c, d) for a, b, c, d in product((-1, 0, 1), repeat=4) if a * d - b * c != 0]
    problems = generator.draw(Rows.span(3, 0, 3_000))
    assert len(np.unique(problems.keys[problems.valid], axis=0)) == len(regular)
    assert generator.fewest_problems == 2**2 * 3
    assert ArithmeticMatrixDeterminant(levels=(1,)).fewest_problems == 8**3 * 21**3
    assert ArithmeticMatrixDeterminant(shapes=("symmetric",)).fewest_problems is None


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"min_size": 1}, "min_size=1"),
        ({"max_size": 21}, "max_size=21"),
        ({"min_size": 5, "max_size": 4}, "min_size=5"),
        ({"levels": (3,), "max_size": 5}, "min_size=0"),
        ({"max_entry": 100}, "max_entry=100"),
        ({"max_entry": True}, "max_entry=True"),
        ({"shapes": ("round",)}, "shapes="),
        ({"shapes": ("general", "general")}, "shapes="),
        ({"shapes": "general"}, "shapes="),
        ({"levels": (10,)}, "levels="),
    ],
)
def test_wrong_parameters_are_refused(params: dict[str, object], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        ArithmeticMatrixDeterminant(**params)  # type: ignore[arg-type]


def test_a_row_is_the_same_whatever_other_levels_are_drawn_with_it() -> None:
    one = ArithmeticMatrixDeterminant(levels=(3, 2))
    two = ArithmeticMatrixDeterminant(levels=(2, 3))
    sizes = {3: 6, 2: 4}
    for generator in (one, two):
        problems = generator.draw(Rows.span(5, 0, 50))
        levels = problems.axes["level"].tolist()
        assert problems.axes["size"].tolist() == [sizes[level] for level in levels]
