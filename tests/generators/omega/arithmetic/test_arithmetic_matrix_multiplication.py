"""Products of matrices: published examples, sizes by level, and the steps."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic import _matrix_power as powers
from synthgen.generators.omega.arithmetic._matrix_steps import product_lines
from synthgen.generators.omega.arithmetic.arithmetic_matrix_multiplication import (
    ArithmeticMatrixMultiplication,
)
from tests.generators.omega.arithmetic import matrix_oracle as oracle

LEFT = [[1, -2, 3], [0, 4, -1], [5, 2, 2]]
RIGHT = [[2, 0, 1], [-3, 1, 4], [1, 1, -2]]
SIZES = {1: (3, 5), 2: (4, 6), 3: (6, 7), 4: (7, 8), 5: (9, 10), 6: (10, 11), 7: (12, 14)}


@pytest.mark.parametrize(("asked", "answer"), [(powers.TRACE, 23), (powers.ABS_SUM, 78)])
def test_published_examples(asked: int, answer: int) -> None:
    entries, offsets, _ = oracle.flat(LEFT, RIGHT)
    dims, numbers = np.array([[3, 3, 3]]), np.array([[1, 1]])
    assert powers.product_values(entries, offsets, dims, np.array([asked]), numbers) == [answer]


@pytest.mark.parametrize("level", SIZES)
def test_sizes_are_those_of_the_level_and_a_trace_has_a_square_product(level: int) -> None:
    generator = ArithmeticMatrixMultiplication(levels=(level,))
    problems = generator.draw(Rows.span(3, 0, 400))
    dims = problems.parts["work"].dims
    assert (dims.min(), dims.max()) == SIZES[level]
    assert np.array_equal(dims[:, 0, 1], dims[:, 1, 0])
    trace = problems.axes["subtype"] == generator.subtypes.index("trace")
    assert 0.15 < trace.mean() < 0.35
    assert np.array_equal(dims[trace, 0, 0], dims[trace, 1, 1])
    assert (dims[:, 0, 0] != dims[:, 1, 1]).any()


def test_answers_agree_with_whole_products() -> None:
    problems = ArithmeticMatrixMultiplication().draw(Rows.span(3, 0, 120))
    work, kinds = problems.parts["work"], problems.axes["subtype"].tolist()
    for i, (left, right) in enumerate(oracle.drawn_matrices(problems, 2)):
        whole = oracle.product(left, right)
        row, column = work.numbers[i].tolist()
        cells = [x for line in whole for x in line]
        trace = sum(whole[k][k] for k in range(min(len(whole), len(whole[0]))))
        values = (sum(cells), sum(map(abs, cells)), whole[row - 1][column - 1], trace)
        assert work.answers[i] == values[kinds[i]]


def test_the_steps_of_an_example() -> None:
    assert list(product_lines((LEFT, RIGHT), "trace", (1, 1), 23)) == [
        "entry (1, 1) of A*B = 1*2 + (-2)*(-3) + 3*1 = 11",
        "entry (2, 2) of A*B = 0*0 + 4*1 + (-1)*1 = 3",
        "entry (3, 3) of A*B = 5*1 + 2*4 + 2*(-2) = 9",
        "trace = 23",
    ]
    assert list(product_lines((LEFT, RIGHT), "absolute sum", (1, 1), 78)) == [
        "row 1 of A*B = [11, 1, -13], absolute sum 25",
        "row 2 of A*B = [-13, 3, 18], absolute sum 34",
        "row 3 of A*B = [6, 4, 9], absolute sum 19",
        "absolute sum = 78",
    ]


def test_the_bound_of_problems_is_that_of_square_pairs() -> None:
    generator = ArithmeticMatrixMultiplication(levels=(1,), min_size=2, max_size=2, max_entry=1)
    assert generator.fewest_problems == 4 * 3**8
    problems = generator.draw(Rows.span(3, 0, 2_000))
    pairs = {str(pair) for pair in oracle.drawn_matrices(problems, 2)}
    assert 1_500 < len(pairs) <= 3**8
