"""Ranks: published examples, ranks that are what they are, and the steps."""

from __future__ import annotations

from itertools import product as iterate

import numpy as np

from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic._matrix_determinant import prime_tables, ranks_mod
from synthgen.generators.omega.arithmetic._matrix_steps import rank_lines
from synthgen.generators.omega.arithmetic.arithmetic_matrix_rank import ArithmeticMatrixRank
from tests.generators.omega.arithmetic import matrix_oracle as oracle

TWO = [[1, 2, 3, 4], [2, 4, 6, 8], [0, 1, 0, 1], [1, 3, 3, 5]]
THREE = [[3, 0, 1, 2], [1, 1, 1, 1], [4, 1, 2, 3], [0, 0, 0, 5]]


def test_published_examples() -> None:
    assert ranks_mod(*oracle.flat(TWO, THREE), prime_tables()[0][0]).tolist() == [2, 3]


def test_defect_m3_the_rank_is_that_of_the_matrix_not_of_its_factors() -> None:
    """Factors with dependent rows or columns give a lower rank; such draws are left out."""
    generator = ArithmeticMatrixRank(levels=(1,), max_entry=1)
    problems = generator.draw(Rows.span(3, 0, 600))
    ranks = [len(oracle.echelon(matrix)) for (matrix,) in oracle.drawn_matrices(problems)]
    claimed = problems.parts["work"].answers
    lower = [rank < claim for rank, claim in zip(ranks, claimed, strict=True)]
    assert sum(lower) > 30
    assert problems.valid.tolist() == [not low for low in lower]


def test_ranks_of_every_level_agree_with_fractions() -> None:
    problems = ArithmeticMatrixRank().draw(Rows.span(4, 0, 40))
    problems = ArithmeticMatrixRank().draw(Rows(4, problems.rows.addresses[problems.valid]))
    ranks = [len(oracle.echelon(matrix)) for (matrix,) in oracle.drawn_matrices(problems)]
    assert problems.parts["work"].answers == ranks
    assert np.array_equal(problems.axes["matrix_rank"], ranks)
    assert (problems.axes["matrix_rank"] < problems.axes["size"]).all()


def test_a_small_space_is_at_least_as_large_as_said() -> None:
    generator = ArithmeticMatrixRank(levels=(1,), min_size=2, max_size=2, max_entry=1)
    products = {
        str([[x * y for y in row] for x in column])
        for column in iterate((-1, 0, 1), repeat=2)
        for row in iterate((-1, 0, 1), repeat=2)
        if any(column) and any(row)
    }
    problems = generator.draw(Rows.span(3, 0, 1_000))
    assert len(np.unique(problems.keys[problems.valid], axis=0)) == len(products) == 32
    assert generator.fewest_problems == 3 * (3**2 - 1)


def test_the_steps_of_an_example_and_of_a_column_of_zeros() -> None:
    assert list(rank_lines(TWO)) == [
        "pivot 1, divisor 1: [[0, 0, 0], [1, 0, 1], [1, 0, 1]]",
        "swap rows 1 and 2",
        "pivot 1, divisor 1: [[0, 0], [0, 0]]",
        "rank = 2",
    ]
    assert list(rank_lines([[0, 2], [0, 3]])) == [
        *("drop a zero column: [[2], [3]]", "pivot 2, divisor 1: [[]]", "rank = 1"),
    ]
