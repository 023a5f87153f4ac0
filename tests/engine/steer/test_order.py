"""The order in which rows are read."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.draws.randomness import mix_words
from synthgen.engine.steer.order import arranged, by_novelty
from synthgen.recipe.schema import Order
from synthgen.rules.axes import Axis

AXES = {"n": Axis("number", "int16", 0, 4), "op": Axis("name", values=("mul", "add"))}
ALL = ("rising", "falling", "blocks", "turns", "novelty")


def read(values: list[int], salt: int = 3, **keys: object) -> list[int]:
    """Return the values in the order in which rows are read."""
    column = np.array(values, np.int64)
    return column[order_of(column, salt, **keys)].tolist()


def order_of(values: NDArray[np.int64], salt: int = 3, **keys: object) -> NDArray[np.int64]:
    lots = mix_words(np.arange(len(values), dtype=np.uint64) + np.uint64(salt))
    order = Order.model_validate({"axis": "n", **keys})
    return arranged(order, values, lots, salt, AXES)


@given(st.lists(st.integers(0, 4), max_size=40), st.sampled_from(ALL))
def test_every_row_is_read_once(values: list[int], by: str) -> None:
    column = np.array(values, np.int64)
    assert sorted(order_of(column, by=by).tolist()) == [*range(len(values))]


@given(st.lists(st.integers(0, 4), max_size=40))
def test_curricula_and_blocks(values: list[int]) -> None:
    assert read(values, by="rising") == sorted(values)
    assert read(values, by="falling") == sorted(values, reverse=True)
    blocks = read(values, by="blocks")
    assert sum(a != b for a, b in pairwise(blocks)) == max(0, len(set(values)) - 1)


def test_equal_values_come_in_random_order() -> None:
    column = np.zeros(50, np.int64)
    for by in ALL:
        places = order_of(column, by=by).tolist()
        assert places != [*range(50)]
        assert places != order_of(column, salt=4, by=by).tolist()


def test_turns_are_as_the_weights_say() -> None:
    values = [0] * 10 + [1] * 10 + [2] * 10
    assert read(values, by="turns", of=[[0, 2]])[:8] == [0, 1, 2, 0, 0, 1, 2, 0]
    missing = [int(np.iinfo(np.int64).min)] * 5  # of sources that lack the axis: weight 1
    assert read([0] * 5 + missing, by="turns", of=[[0, 4]])[:5].count(0) == 4


def test_turns_of_difficulties() -> None:
    values = [7] * 9 + [30] * 3
    shown = read(values, by="turns", axis="difficulty", of=[[7, 3]])
    assert [shown[n : n + 4].count(7) for n in (0, 4, 8)] == [3, 3, 3]


@pytest.mark.parametrize("first", [0.2, 0.6])
def test_novelty_shows_more_and_more_values(first: float) -> None:
    values = [n % 5 for n in range(500)]
    shown = read(values, by="novelty", first=first, end=1.0)
    assert len(set(shown[:20])) == round(first * 5)
    assert len(set(shown)) == 5
    orders = {tuple(dict.fromkeys(read(values, salt, by="novelty"))) for salt in range(9)}
    assert len(orders) > 3  # which values come first depends on the salt


@pytest.mark.parametrize(
    ("weights", "turns"), [((5, 1, 1), [0, 0, 1, 0, 2, 0, 0]), ((3, 2, 1), [0, 1, 0, 2, 1, 0])]
)
def test_published_turns(weights: tuple[int, ...], turns: list[int]) -> None:
    of = [[value, weight] for value, weight in enumerate(weights)]
    for rounds in (1, 2, 5):
        assert read(sorted(turns * rounds), by="turns", of=of) == turns * rounds


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 60))
def test_turns_stay_near_their_shares(weights: list[int], n: int) -> None:
    """While all values have rows, each is less than k - 1 turns from its share, or one."""
    of = [[value, weight] for value, weight in enumerate(weights)]
    mixed = read([value for value in range(len(weights)) for _ in range(n)], by="turns", of=of)
    for length in range(1, n + 1):
        counts = np.bincount(mixed[:length], minlength=len(weights))
        shares = np.array(weights) * length / sum(weights)
        assert np.abs(counts - shares).max() < max(1, len(weights) - 1)


def test_turns_go_on_when_a_value_is_used_up() -> None:
    assert read([0, 1, 1, 1, 1], by="turns", of=[[0, 10**6], [1, 1]]) == [0, 1, 1, 1, 1]


def visible_share(step: int, steps: int, first: float, end: float) -> float:
    """The schedule of Zhou, Jiang and Bansal (2023): 0.2, 0.25, 0.5, 0.75, 1 at steps 0 to 40."""
    return min(1.0, max(first, step / (end * steps)))


SHARES = st.sampled_from([0.05, 0.2, 0.5, 0.8, 1.0])


@given(st.lists(st.integers(0, 4), max_size=60), SHARES, SHARES)
def test_novelty_shows_only_what_is_visible(values: list[int], first: float, end: float) -> None:
    n, group_lots = len(values), mix_words(np.arange(5, dtype=np.uint64))
    lots = mix_words(np.arange(100, 100 + n, dtype=np.uint64))
    order = by_novelty(np.array(values, np.int64), group_lots, lots, first, end).tolist()
    assert sorted(order) == list(range(n))
    ranks = np.argsort(np.argsort(group_lots)).tolist()
    for position, row in enumerate(order):
        visible = np.ceil(visible_share(position, n, first, end) * 5 - 1e-6)
        earliest = min(ranks[values[other]] for other in order[position:])
        assert ranks[values[row]] < visible or ranks[values[row]] == earliest
