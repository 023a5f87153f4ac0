"""Items held out with their rows: every part of them is left in the others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.engine.plan.holdouts import RowItems, choose_items

PAIRS = [(a, b) for a in range(4) for b in range(4)]
NAMES = [f"{a}>{b}" for a, b in PAIRS]
PARTS = [np.array([pair[side] for pair in PAIRS], np.int64) for side in (0, 1)]
ROWS = st.lists(st.sets(st.integers(0, 15), min_size=1, max_size=4), min_size=1, max_size=25)


def items_of(rows: list[set[int]]) -> RowItems:
    return RowItems(NAMES, ragged((sorted(row) for row in rows), np.int64), PARTS)


def is_sound(rows: list[set[int]], chosen: list[int]) -> bool:
    left = [row for row in rows if not row & set(chosen)]
    sides = [{PAIRS[item][side] for row in left for item in row} for side in (0, 1)]
    return bool(left) and all(PAIRS[c][side] in sides[side] for c in chosen for side in (0, 1))


@given(ROWS, st.integers(1, 5), st.integers(0, 5))
@settings(deadline=None)
def test_a_choice_leaves_every_part_in_rows_without_any(
    rows: list[set[int]], n: int, key: int
) -> None:
    try:
        chosen = choose_items(items_of(rows), n, key)
    except ParamError as error:
        most = int(str(error).split("at most ")[1].split(" ")[0])
        assert most < n
        if most:
            assert len(choose_items(items_of(rows), most, key)) == most
        return
    assert len(chosen) == n == len(set(chosen))
    assert is_sound(rows, chosen)


def test_the_choice_is_by_lot_and_not_by_order() -> None:
    rows = [{i, j} for i in range(16) for j in range(16)]
    chosen = [NAMES[i] for i in choose_items(items_of(rows), 3, 1)]
    turned = RowItems(NAMES[::-1], ragged(({15 - i for i in r} for r in rows), np.int64), [])
    turned = RowItems(turned.names, turned.rows, [part[::-1].copy() for part in PARTS])
    assert sorted(turned.names[i] for i in choose_items(turned, 3, 1)) == sorted(chosen)
    others = {tuple(choose_items(items_of(rows), 3, key)) for key in range(8)}
    assert len(others) > 4


def test_only_what_is_allowed_and_admitted_is_chosen() -> None:
    rows = [{i, j} for i in range(16) for j in range(16)]
    whole = items_of(rows)
    some = RowItems(whole.names, whole.rows, whole.parts, allowed=[1, 2, 7])
    assert choose_items(some, 3, 0) == [1, 2, 7]
    with pytest.raises(ParamError, match="at most 3 of 3, the most found"):
        choose_items(some, 4, 0)
    seen: list[int] = []

    def admits(item: int, left: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
        seen.append(int(left[item]))
        return item % 2 == 0

    assert all(item % 2 == 0 for item in choose_items(whole, 3, 0, admits))
    assert set(seen) == {0}  # the rows that have it are gone by then


def test_all_rows_are_never_held_out() -> None:
    with pytest.raises(ParamError, match="at most 0"):
        choose_items(RowItems(["a"], ragged([[0], [0]], np.int64), []), 1, 0)
