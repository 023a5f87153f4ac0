"""Randomly filled matrices: ranks by minors, and tallies by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.composition.comp_matrix_rank import (
    CompMatrixRank,
    _fillings,
    _ranks,
)


def tally(
    kind: int, cells: tuple[tuple[int | None, ...], ...], values: tuple[int, ...]
) -> list[int]:
    fillings = _fillings(kind, sum(row.count(None) for row in cells), values)
    assert fillings is not None
    return np.bincount(_ranks(cells, fillings)).tolist()


GAPS = ((None, None), (None, None))


@pytest.mark.parametrize(
    ("kind", "cells", "values", "ranks"),
    [
        (1, GAPS, (0, 0, 1, 1), [0, 4, 2]),  # rank 2 on the two diagonals: 1/3, answer 4
        (0, GAPS, (0, 1), [1, 9, 6]),
        (0, ((1, 2), (None, 4)), (0, 2), [0, 1, 1]),
        (0, ((1, None, 3), (2, 4, 6)), (2, 5), [0, 1, 1]),
    ],
)
def test_tallies_by_hand(
    kind: int, cells: tuple[tuple[int | None, ...], ...], values: tuple[int, ...], ranks: list[int]
) -> None:
    assert tally(kind, cells, values) == ranks


def test_ranks_are_those_of_floats() -> None:
    problems = CompMatrixRank(levels=(3, 4)).draw(Rows.span(5, 0, 20))
    for made in problems.parts["made"]:
        cells, values, rank, counts = made.facts
        fillings = _fillings(made.subtype, sum(row.count(None) for row in cells), values)
        assert fillings is not None
        ranks = []
        for filling in fillings.tolist():
            left = iter(filling)
            matrix = [[next(left) if v is None else v for v in row] for row in cells]
            ranks.append(int(np.linalg.matrix_rank(np.array(matrix, float))))
        assert [ranks.count(r) for r in range(len(counts))] == counts
        value = Fraction(counts[rank], len(fillings))
        assert made.answer == str(value.numerator + value.denominator)


def test_too_many_fillings_are_not_tried() -> None:
    assert _fillings(0, 9, (1, 2, 3)) is None
    assert _fillings(1, 9, tuple(range(9))) is None
