"""Cells kept near their shares, whatever the candidates are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.engine.controllers.adaptive import keep_on_pace, pace_of

CELLS = st.lists(st.integers(-1, 3), max_size=120)
WEIGHTS = st.lists(st.integers(1, 9), min_size=4, max_size=4)
SLACKS = st.sampled_from([1.0, 1.5, 2.0, 4.0, 10.0])


def by_hand(cells: list[int], weights: list[int], slack: float) -> list[bool]:
    counts, kept = [0] * len(weights), []
    for cell in cells:
        share = weights[cell] / sum(weights)
        able = cell >= 0 and counts[cell] + 1 <= share * (sum(counts) + 1) + slack + 1e-7
        kept.append(able)
        counts[cell] += able
    return kept


def stream_of(n: int) -> NDArray[np.int64]:
    return np.searchsorted([0.5, 0.8, 0.95], Rows.span(3, 0, n).draws().uniform(), side="right")


@given(CELLS, st.sampled_from([[1, 1, 1, 1], [4, 2, 1, 1], [1, 3, 3, 1]]), SLACKS)
@settings(deadline=None)
def test_the_plain_rule(cells: list[int], weights: list[int], slack: float) -> None:
    kept, _ = keep_on_pace(pace_of(weights, slack), np.array(cells, np.int64))
    assert kept.tolist() == by_hand(cells, weights, slack)


@given(CELLS, WEIGHTS, SLACKS, st.lists(st.integers(0, 120), max_size=4), st.integers(0, 60))
@settings(deadline=None)
def test_blocks_do_not_matter(
    cells: list[int], weights: list[int], slack: float, cuts: list[int], rows: int
) -> None:
    column = np.array(cells, np.int64)
    whole, after = keep_on_pace(pace_of(weights, slack), column, rows)
    pace, pieces = pace_of(weights, slack), []
    for piece in np.split(column, sorted(min(cut, len(column)) for cut in cuts)):
        kept, pace = keep_on_pace(pace, piece, rows)
        pieces.append(kept)
    assert np.concatenate(pieces).tolist() == whole.tolist()
    assert pace.counts.tolist() == after.counts.tolist()
    assert after.counts.tolist() == np.bincount(column[whole], minlength=4).tolist()
    assert after.counts.sum() <= rows


@given(CELLS, WEIGHTS)
@settings(deadline=None)
def test_some_cell_can_always_take_the_next_row(cells: list[int], weights: list[int]) -> None:
    _, pace = keep_on_pace(pace_of(weights), np.array(cells, np.int64))
    takes = [keep_on_pace(pace, np.array([cell]))[0][0] for cell in range(4)]
    assert any(takes)


def test_few_candidates_are_needed_for_nearly_equal_cells() -> None:
    """Cells of half to a twentieth of the candidates: 200 rows by quota need about 1,100."""
    cells = stream_of(1100)
    kept, pace = keep_on_pace(pace_of([1, 1, 1, 1], slack=4), cells, rows=200)
    assert pace.counts.sum() == 200
    assert np.flatnonzero(kept)[-1] < 1000
    assert pace.counts.max() <= 54
    assert pace.counts.min() >= 38


def test_bad_arguments_are_named() -> None:
    for slack in (0.5, -1.0, float("nan"), 1e10):
        with pytest.raises(ParamError, match="slack"):
            pace_of([1, 1], slack)
    with pytest.raises(ParamError, match="cells=2"):
        keep_on_pace(pace_of([1, 1]), np.array([2]))
    with pytest.raises(ParamError, match="weights"):
        pace_of([0, 0])
