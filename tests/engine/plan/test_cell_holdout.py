"""Joint cells held out while all their parts stay in train."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.plan.holdouts import choose_holdout


def full_grid(*sizes: int) -> np.ndarray:
    return np.array(list(product(*map(range, sizes))))


def lost_by_hand(cells: np.ndarray, held: np.ndarray) -> set[tuple[tuple[int, ...], ...]]:
    k = cells.shape[1]
    lost = set()
    for dropped in range(k):
        others = [column for column in range(k) if column != dropped]
        train = {tuple(cell[others]) for cell in cells[~held].tolist() for cell in [np.array(cell)]}
        for cell in cells[held]:
            if tuple(cell[others]) not in train:
                lost.add((tuple(others), tuple(cell[others].tolist())))
    return lost


@st.composite
def some_cells(draw: st.DrawFn) -> np.ndarray:
    sizes = draw(st.lists(st.integers(1, 4), min_size=2, max_size=3))
    grid = full_grid(*sizes)
    kept = draw(st.lists(st.booleans(), min_size=len(grid), max_size=len(grid)))
    assume(any(kept))
    return grid[np.array(kept)]


@given(some_cells(), st.integers(0, 10), st.integers(0, 2**64 - 1))
@settings(deadline=None)
def test_a_choice_keeps_every_projection_in_train(cells: np.ndarray, n: int, key: int) -> None:
    try:
        held = choose_holdout(cells, n, key)
    except ParamError:
        with pytest.raises(ParamError, match=r"n_cells=.*: expected at most"):
            choose_holdout(cells, n, key)
        return
    assert np.count_nonzero(held) == n
    assert lost_by_hand(cells, held) == set()


@given(some_cells(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_choice_is_of_cells_and_not_of_their_order(cells: np.ndarray, rng: object) -> None:
    moved = np.array(rng.sample(range(len(cells)), len(cells)))  # type: ignore[attr-defined]
    try:
        held = choose_holdout(cells, 1, key=3)
    except ParamError:
        return
    other = choose_holdout(cells[moved], 1, key=3)
    assert (other == held[moved]).all()


def test_twelve_pairs_of_operator_and_depth() -> None:
    cells = full_grid(6, 5)
    held = choose_holdout(cells, 12, key=1)
    assert np.count_nonzero(held) == 12
    assert (choose_holdout(cells, 12, key=2) != held).any()


def test_as_many_as_can_be() -> None:
    """Of a full n x n grid all but n cells can be held out, leaving a matching or a cross."""
    for size in (2, 3, 5):
        cells = full_grid(size, size)
        held = choose_holdout(cells, size * size - size, key=1)
        assert lost_by_hand(cells, held) == set()


def test_the_reason_is_named() -> None:
    cells = full_grid(3, 2)
    expected = r"n_cells=4: expected at most 3 of 6 cells, as each of 3 \(operator\) must stay"
    with pytest.raises(ParamError, match=expected):
        choose_holdout(cells, 4, 1, ("operator", "depth"))
    path = np.array([[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]])
    assert np.flatnonzero(choose_holdout(path, 2, 1)).tolist() in ([1, 2], [1, 3])
    with pytest.raises(ParamError, match="n_cells=3: expected at most 2 of 5 cells"):
        choose_holdout(path, 3, 1)
    star = np.array([[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]])
    with pytest.raises(ParamError, match="n_cells=2: expected at most 1, the most found"):
        choose_holdout(star, 2, 1)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ParamError, match="cells"):
        choose_holdout(np.array([[1], [2]]), 1, 1)
    with pytest.raises(ParamError, match="different"):
        choose_holdout(np.array([[1, 1], [1, 1]]), 1, 1)
    with pytest.raises(ParamError, match="n_cells"):
        choose_holdout(full_grid(2, 2), -1, 1)
