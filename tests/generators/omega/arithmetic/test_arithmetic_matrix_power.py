"""Powers of matrices: published examples, exponents by level, and the steps."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic import _matrix_power as powers
from synthgen.generators.omega.arithmetic._matrix_steps import power_lines
from synthgen.generators.omega.arithmetic.arithmetic_matrix_power import ArithmeticMatrixPower
from tests.generators.omega.arithmetic import matrix_oracle as oracle

UNIT = [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
OTHER = [[1, -2, 0], [3, 1, 1], [0, 2, -1]]
EXPONENTS = {1: (2, 3), 2: (3, 4), 3: (4, 5), 4: (4, 5), 5: (5, 7), 6: (6, 8), 7: (7, 9)}


def test_published_examples() -> None:
    flat = oracle.flat(UNIT, OTHER)
    numbers, asked = np.array([[3, 1, 1], [3, 2, 1]]), np.array([powers.SUM, powers.ENTRY])
    assert powers.power_values(*flat, asked, numbers)[:, 2].tolist()[0] == 12
    high, middle, low = powers.power_values(*flat, asked, numbers)[1].tolist()
    assert (((high << 44) + middle) << 44) + low == -3


@pytest.mark.parametrize("level", EXPONENTS)
def test_exponents_are_those_of_the_level(level: int) -> None:
    problems = ArithmeticMatrixPower(levels=(level,)).draw(Rows.span(3, 0, 100))
    exponents = problems.axes["exponent"]
    assert (exponents.min(), exponents.max()) == EXPONENTS[level]
    assert (problems.axes["matrix_shape"] == 2).any() == (level == 1)


def test_the_bound_of_problems_counts_the_matrices_of_the_shapes() -> None:
    assert ArithmeticMatrixPower(levels=(1,)).fewest_problems == 3 * 7**9
    assert ArithmeticMatrixPower(levels=(1,), shapes=("triangular",)).fewest_problems == 3 * 7**6
    generator = ArithmeticMatrixPower(
        levels=(1,), min_size=2, max_size=2, max_entry=1, max_exponent=2
    )
    problems = generator.draw(Rows.span(3, 0, 40_000))
    assert len(np.unique(problems.keys, axis=0)) == 3**4 * (2 + 4)
    assert generator.fewest_problems == 3 * 3**4


def test_answers_agree_with_whole_powers() -> None:
    problems = ArithmeticMatrixPower(levels=(1, 4, 7)).draw(Rows.span(3, 0, 40))
    work, kinds = problems.parts["work"], problems.axes["subtype"].tolist()
    for i, (matrix,) in enumerate(oracle.drawn_matrices(problems)):
        exponent, row, column = work.numbers[i].tolist()
        whole = matrix
        for _ in range(exponent - 1):
            whole = oracle.product(whole, matrix)
        cells = [x for line in whole for x in line]
        values = (sum(cells), sum(map(abs, cells)), whole[row - 1][column - 1])
        assert work.answers[i] == values[kinds[i]]


def test_the_steps_square_and_multiply() -> None:
    lines = list(power_lines(UNIT, 5, "sum", 25))
    assert [line.partition(" = ")[0] for line in lines] == ["A^2", "A^4", "A^5", "sum"]
    assert lines[2] == "A^5 = [[1, 5, 10], [0, 1, 5], [0, 0, 1]]"
    names = [line.partition(" = ")[0] for line in power_lines(UNIT, 11, "sum", 0)]
    assert names == ["A^2", "A^4", "A^5", "A^10", "A^11", "sum"]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"min_exponent": 1}, "min_exponent=1"),
        ({"max_exponent": 13}, "max_exponent=13"),
        ({"min_exponent": 4, "max_exponent": 3}, "min_exponent=4"),
        ({"levels": (7,), "max_exponent": 5}, "min_exponent=0"),
    ],
)
def test_wrong_exponents_are_refused(params: dict[str, object], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        ArithmeticMatrixPower(**params)  # type: ignore[arg-type]
