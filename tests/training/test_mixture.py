from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.training.mixture import BLOCK, Schedule, power_law, rising, tempered
from synthgen.training.stream import Stream
from synthgen.training.view import View
from tests.training.tiny_views import ROWS, number_of, train_of, write_many

WEIGHTS = st.lists(st.floats(0, 1e6) | st.integers(0, 10**9), min_size=3, max_size=3).filter(
    lambda found: sum(found) > 1e-3
)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> dict[str, View]:
    top = tmp_path_factory.mktemp("many")
    sizes = {"a": 203, "b": 30, "c": 11}
    starts = {"a": 0, "b": 1000, "c": 2000}
    return {
        name: train_of(write_many(top / name, rows, starts[name])) for name, rows in sizes.items()
    }


@given(
    stages=st.lists(st.tuples(st.integers(1, 5_000), WEIGHTS), min_size=1, max_size=4),
    places=st.lists(st.integers(0, 10_000), min_size=2, max_size=2).filter(
        lambda found: min(found) < max(found)
    ),
)
def test_the_rows_of_a_source_before_any_position_are_known(
    views: dict[str, View], stages: list[tuple[int, list[float]]], places: list[int]
) -> None:
    given = [(rows, dict(zip(views, weights, strict=True))) for rows, weights in stages]
    schedule = Schedule.from_weights(views, given, seed=3)
    first, last = sorted(places)
    whole, rows = schedule.places(0, last)
    for source in range(3):  # each source is read in order, without gaps
        assert rows[whole == source].tolist() == list(range(np.count_nonzero(whole == source)))
    found = Schedule.from_weights(views, given, seed=3).places(first, last)
    assert found[0].tolist() == whole[first:].tolist()
    assert found[1].tolist() == rows[first:].tolist()


def test_every_block_has_the_shares(views: dict[str, View]) -> None:
    schedule = Schedule.from_weights(views, {"a": 0.7, "b": 0.2, "c": 0.1}, seed=1)
    schedule = Schedule(schedule.names, (10 * BLOCK,), schedule.shares, schedule.key)
    for block in range(10):
        labels = schedule.places(block * BLOCK, (block + 1) * BLOCK)[0]
        counts = np.bincount(labels, minlength=3)
        assert np.abs(counts - BLOCK * np.array([0.7, 0.2, 0.1])).max() <= 2
        halves = np.bincount(labels[: BLOCK // 2], minlength=3)
        assert abs(halves[0] - 0.35 * BLOCK) < 5 * np.sqrt(0.21 * BLOCK / 2)


def test_without_weights_an_epoch_has_each_row_once(views: dict[str, View]) -> None:
    rows = [r for batch in Stream(views, batch=16, form="dicts") for r in batch]
    assert len({r["id"] for r in rows}) == len(rows) == sum(map(len, views.values()))


def test_weights_repeat_small_sources_in_new_orders(views: dict[str, View]) -> None:
    order = Stream(views, batch=10, weights={"a": 1, "c": 1}, form="dicts", endless=True)
    found = [number_of(r["prompt"]) for b in range(20) for r in order[0, b]]
    assert not [number for number in found if 1000 <= number < 2000]
    small = [number for number in found if number >= 2000]
    assert len(small) == pytest.approx(100, abs=10)
    passes = [small[i : i + 11] for i in range(0, 88, 11)]
    assert all(sorted(one) == list(range(2000, 2011)) for one in passes)
    assert len({tuple(one) for one in passes}) == len(passes)


def test_stages_follow_each_other(views: dict[str, View]) -> None:
    stages = [(50, {"b": 1}), (100, {"a": 3, "c": 1}), (10, {"c": 2.5})]
    order = Stream(views, batch=10, weights=stages, form="dicts")
    found = [number_of(r["prompt"]) // 1000 for batch in order for r in batch]
    assert len(found) == 160
    assert set(found[:50]) == {1}
    assert Counter(found[50:150]) == {0: 75, 2: 25}
    assert set(found[150:]) == {2}


def test_rising_orders_an_epoch_by_an_axis(views: dict[str, View]) -> None:
    sources, stages = rising(views["a"], "n_op")
    assert list(sources) == [f"n_op {value}" for value in range(5)]
    for epoch in range(2):
        order = Stream(sources, batch=7, weights=stages, form="dicts")
        order.seek(epoch)
        rows = [r for batch in order for r in batch]
        levels = [r["n_op"] for r in rows]
        assert levels == sorted(levels)
        assert len({r["id"] for r in rows}) == ROWS
    few, _ = rising(views["a"], "n_op", steps=2)
    assert list(few) == ["n_op 0 to 2", "n_op 3 to 4"]


def test_laws_give_weights(views: dict[str, View]) -> None:
    assert tempered(views, 1)["b"] / tempered(views, 1)["a"] == pytest.approx(30 / 203)
    assert tempered(views, 2)["b"] == pytest.approx((30 / 203) ** 0.5)
    assert min(tempered(views, 1e9).values()) == pytest.approx(1)
    assert power_law(["a", "b", "c"]) == pytest.approx({"a": 1, "b": 1 / 2, "c": 1 / 3})
    assert power_law(["a", "b"], 2)["b"] == pytest.approx(1 / 4)


def test_bad_mixtures_are_refused(views: dict[str, View], tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown source 'd'"):
        Stream(views, weights={"a": 1, "d": 1})
    for weight in (-1, float("nan"), float("inf"), "1"):
        with pytest.raises(ParamError, match="weight of b="):
            Stream(views, weights={"a": 1, "b": weight})  # type: ignore[dict-item]
    for weights in ({"a": 0}, [], [{"a": 1}], [(10, {})]):
        with pytest.raises(ParamError, match="weights="):
            Stream(views, weights=weights)  # type: ignore[arg-type]
    with pytest.raises(ParamError, match="rows of stage 1=0"):
        Stream(views, weights=[(1, {"a": 1}), (0, {"a": 1})])
    with pytest.raises(ParamError, match="weight of none=1"):
        Stream({**views, "none": views["a"].where("n_op = 9")}, weights={"a": 1, "none": 1})
    with pytest.raises(ParamError, match="axis='kind'"):
        rising(views["a"], "kind")
    with pytest.raises(UnknownNameError, match="unknown column"):
        rising(views["a"], "level")
    with pytest.raises(ParamError, match="temperature=0"):
        tempered(views, 0)
    with pytest.raises(ParamError, match="exponent="):
        power_law(["a"], float("nan"))
