"""Matrices by formula: the examples, and the whole matrix by elimination."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.transformation.trans_matrix_rank import (
    TransMatrixRank,
    _formula,
    _period,
    rank_of,
)


def test_examples_of_the_sheet() -> None:
    assert rank_of([[0, 1, 0], [1, 0, 0], [0, 0, 0]]) == 2  # i + j
    assert rank_of(_period([[0, 0, 0], [0, 1, 0], [0, 0, 0]], 7, "remainder")) == 4  # i j mod 7
    whole = [[i * j % 7 for j in range(1, 22)] for i in range(1, 22)]
    assert rank_of(whole) == 4
    assert rank_of([[i + j for j in range(1, 21)] for i in range(1, 21)]) == 2


def test_bareiss_agrees_with_floats() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        rows, columns = rng.integers(1, 7, 2)
        matrix = rng.integers(-2, 3, (rows, columns))
        assert rank_of(matrix.tolist()) == np.linalg.matrix_rank(matrix)


@pytest.mark.parametrize("level", range(1, 6))
def test_ranks_are_those_of_the_whole_matrix(level: int) -> None:
    problems = TransMatrixRank(levels=(level,)).draw(Rows.span(3, 0, 25))
    for made in problems.parts["made"]:
        n, holes = made.facts
        formula = str(holes["formula"])
        if made.tree[0] == "rank_named":
            assert made.answer == str(n)
            continue
        table = np.array(made.tree[2][1:]).reshape(3, 3)
        i = np.arange(1, n + 1, dtype=object)
        whole = sum(
            int(table[k, low]) * np.outer(i**k, i**low) for k in range(3) for low in range(3)
        )
        if made.tree[0] == "rank_power":
            whole = whole ** made.tree[3]
        elif made.tree[0] == "rank_remainder":
            whole = whole % made.tree[3]
        elif made.tree[0] == "rank_divides":
            whole = (whole % made.tree[3] == 0).astype(int)
        assert str(rank_of(np.array(whole, object).tolist())) == made.answer, formula


def test_formulae_are_written_as_usual() -> None:
    assert _formula([[-4, 0, 1], [1, 0, 0], [0, -3, 0]]) == "-3*i^2*j + i + j^2 - 4"
