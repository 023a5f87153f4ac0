"""Orders in which rows are read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.controllers.arrangement import (
    by_novelty,
    easy_to_hard,
    hard_to_easy,
    in_blocks,
    in_random_order,
    in_turns,
    lots_of,
    visible_share,
)

VALUES = st.lists(st.integers(0, 4), max_size=60)
SHARES = st.sampled_from([0.05, 0.2, 0.5, 0.8, 1.0])


def lots(n: int, stream: int = 1) -> np.ndarray:
    return lots_of(np.arange(n, dtype=np.uint64), stream)


@given(VALUES, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_orders_are_of_rows_and_not_of_how_they_come_in(values: list[int], rng: object) -> None:
    n = len(values)
    column, keys, group_lots = np.array(values, np.int64), lots(n), lots(5, 2)
    moved = np.array(rng.sample(range(n), n), np.int64)  # type: ignore[attr-defined]
    for order, other in (
        (in_random_order(keys), in_random_order(keys[moved])),
        (easy_to_hard(column, keys), easy_to_hard(column[moved], keys[moved])),
        (hard_to_easy(column, keys), hard_to_easy(column[moved], keys[moved])),
        (by_novelty(column, group_lots, keys), by_novelty(column[moved], group_lots, keys[moved])),
    ):
        assert sorted(order.tolist()) == list(range(n))
        assert moved[other].tolist() == order.tolist()


def test_unsigned_and_fractional_difficulty() -> None:
    for column in (np.array([1, 0, 2], np.uint8), np.array([0.5, -1.0, 7.25])):
        assert easy_to_hard(column, lots(3)).tolist() == [1, 0, 2]
        assert hard_to_easy(column, lots(3)).tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("weights", "turns"), [((5, 1, 1), [0, 0, 1, 0, 2, 0, 0]), ((3, 2, 1), [0, 1, 0, 2, 1, 0])]
)
def test_published_turns(weights: tuple[int, ...], turns: list[int]) -> None:
    for rounds in (1, 2, 5):
        families = np.sort(np.array(turns * rounds))
        order = in_turns(families, weights, np.arange(len(families)))
        assert families[order].tolist() == turns * rounds


@given(VALUES, st.lists(st.integers(1, 9), min_size=5, max_size=5))
@settings(deadline=None)
def test_turns_use_every_row_in_its_familys_order(values: list[int], weights: list[int]) -> None:
    column, order = np.array(values, np.int64), in_random_order(lots(len(values)))
    mixed = in_turns(column, weights, order)
    assert in_blocks(column, mixed).tolist() == in_blocks(column, order).tolist()


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 60))
@settings(deadline=None)
def test_turns_stay_near_their_shares(weights: list[int], n: int) -> None:
    """While all families have rows, each is less than k - 1 turns from its share, or one."""
    families = np.repeat(np.arange(len(weights)), n)
    mixed = families[in_turns(families, weights, np.arange(len(families)))][:n]
    for length in range(1, n + 1):
        counts = np.bincount(mixed[:length], minlength=len(weights))
        shares = np.array(weights) * length / sum(weights)
        assert np.abs(counts - shares).max() < max(1, len(weights) - 1)


def test_turns_go_on_when_a_family_is_used_up() -> None:
    families = np.array([0, 1, 1, 1, 1])
    order = in_turns(families, (10**6, 1), np.arange(5))
    assert families[order].tolist() == [0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("step", "share"), [(0, 0.2), (10, 0.25), (20, 0.5), (30, 0.75), (40, 1.0)]
)
def test_published_novelty_schedule(step: int, share: float) -> None:
    assert visible_share(step, 50, 0.2, 0.8) == pytest.approx(share)


@given(VALUES, SHARES, SHARES)
@settings(deadline=None)
def test_novelty_shows_only_what_is_visible(values: list[int], first: float, end: float) -> None:
    n, group_lots = len(values), lots(5, 2)
    order = by_novelty(np.array(values, np.int64), group_lots, lots(n), first, end)
    assert sorted(order.tolist()) == list(range(n))
    ranks = np.argsort(np.argsort(group_lots)).tolist()
    for position, row in enumerate(order.tolist()):
        visible = np.ceil(visible_share(position, n, first, end) * 5 - 1e-6)
        unread = order[position:].tolist()
        earliest = min(ranks[values[other]] for other in unread)
        assert ranks[values[row]] < visible or ranks[values[row]] == earliest


def test_novelty_of_single_rows_mixes_what_is_visible() -> None:
    n = 1000
    order = by_novelty(np.arange(n), lots(n, 2), lots(n))
    ranks = np.argsort(np.argsort(lots(n, 2)))[order]
    positions = np.arange(n)
    shares = np.array([visible_share(int(p), n, 0.2, 0.8) for p in positions])
    assert (ranks < np.ceil(shares * n)).all()
    assert ranks[:100].mean() == pytest.approx(100, abs=20)
    assert np.corrcoef(ranks, positions)[0, 1] < 0.95


def test_bad_arguments_are_named() -> None:
    rows = np.arange(2)
    with pytest.raises(ParamError, match="weights"):
        in_turns(rows, (1, 0), rows)
    with pytest.raises(ParamError, match="weights"):
        in_turns(rows, (1, 1 / 3), rows)
    with pytest.raises(ParamError, match="families"):
        in_turns(rows, (1,), rows)
    with pytest.raises(ParamError, match="groups"):
        by_novelty(rows, lots(1), lots(2))
    with pytest.raises(ParamError, match="first"):
        by_novelty(rows, lots(2), lots(2), first=0.0)
    with pytest.raises(ParamError, match="end"):
        visible_share(1, 2, 0.5, 1.5)
    with pytest.raises(ParamError, match="steps"):
        visible_share(1, 0, 0.5, 0.5)
