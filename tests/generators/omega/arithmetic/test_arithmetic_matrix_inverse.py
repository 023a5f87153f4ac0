"""Inverses: published examples, the divisor that is stated, ties and signs, and the steps."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic import _matrix_inverse as inverses
from synthgen.generators.omega.arithmetic._matrix_steps import inverse_lines
from synthgen.generators.omega.arithmetic.arithmetic_matrix_inverse import ArithmeticMatrixInverse
from tests.generators.omega.arithmetic import matrix_oracle as oracle

EXAMPLE = [[2, 0, 1], [0, 3, 0], [1, 0, 1]]


def asked(matrix: list[list[int]], what: int, scale: int) -> int:
    numbers = np.array([[scale, 1, 1]])
    return int(inverses.rounded_values(*oracle.flat(matrix), np.array([what]), numbers)[0])


def test_published_examples() -> None:
    assert asked(EXAMPLE, inverses.TRACE, 60) == 200
    assert asked(EXAMPLE, inverses.SUM, 60) == 80


def test_defect_m2_the_text_states_the_divisor_that_is_used() -> None:
    """At level 7 the published texts divide by 839 and their answers by 840."""
    generator = ArithmeticMatrixInverse(levels=(7,), shapes=("general",))
    problems = generator.draw(Rows.span(3, 0, 6))
    texts = generator.render(problems, Render("instruction", "none")).prompts.to_pylist()
    assert all(" 840" in text and "839" not in text for text in texts)
    assert problems.parts["work"].numbers[:, 0].tolist() == [840] * 6


def test_defect_m2_singular_matrices_are_not_asked_about() -> None:
    """The determinants of some of them are not zero in floating point, which was the only test."""
    dependent = [
        [[a, b, 7], [b, 3, a], [a + 2 * b, b + 6, 7 + 2 * a]]
        for a, b in product(range(-9, 10, 3), range(-8, 9, 4))
    ]
    floats = [np.linalg.det(np.array(matrix, float)) for matrix in dependent]
    assert np.count_nonzero(floats) > 3
    for matrix in dependent:
        assert {asked(matrix, what, 60) for what in range(5)} == {inverses.UNDECIDED}


def test_defect_m2_ties_and_doubtful_signs_are_not_asked_about() -> None:
    assert asked([[2, 0], [0, 4]], inverses.ENTRY, 3) == inverses.UNDECIDED  # 3 / 2
    assert asked([[2, 0], [0, 4]], inverses.ENTRY, 4) == 2
    assert asked([[2, 0], [0, -2]], inverses.LARGEST, 4) == inverses.UNDECIDED  # 2 or -2
    assert asked([[2, 0], [0, -3]], inverses.LARGEST, 4) == 2
    assert asked([[3, 0], [0, -3]], inverses.LARGEST, 1) == 0  # 1/3 and -1/3 round alike
    assert asked([[0, 5], [5, 1]], inverses.LARGEST, 10) == 2  # twice 1/5: symmetric


def test_answers_of_level_one_agree_with_cramers_rule() -> None:
    problems = ArithmeticMatrixInverse(levels=(1,)).draw(Rows.span(3, 0, 400))
    assert 0.9 < problems.valid.mean() < 1
    kinds = problems.axes["subtype"].tolist()
    for i, (matrix,) in enumerate(oracle.drawn_matrices(problems)):
        exact = oracle.inverse(matrix)
        if not problems.valid[i] or exact is None:
            continue
        scale, row, column = problems.parts["work"].numbers[i].tolist()
        cells = [x for line in exact for x in line]
        values = (
            *(sum(cells), sum(map(abs, cells)), sum(exact[k][k] for k in range(3))),
            *(max(cells, key=abs), exact[row - 1][column - 1]),
        )
        assert abs(scale * values[kinds[i]] - problems.parts["work"].answers[i]) < Fraction(1, 2)


def test_the_steps_of_an_example() -> None:
    assert list(inverse_lines(EXAMPLE, "trace", 60, (1, 1))) == [
        "inverse of A = [[3, 0, -3], [0, 1, 0], [-3, 0, 6]] / 3",
        "trace of the inverse of A = 10/3",
        "trace of the inverse of B = 60 * 10/3 = 200",
        "rounded = 200",
    ]


def test_the_divisor_follows_the_size_and_the_entries() -> None:
    generator = ArithmeticMatrixInverse(levels=(8,), min_size=5, max_size=5, max_entry=3)
    problems = generator.draw(Rows.span(3, 0, 20))
    assert set(problems.parts["work"].numbers[:, 0].tolist()) == {30}
