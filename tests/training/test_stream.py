from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from itertools import islice, product, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synthgen
from synthgen.core.errors import DatasetError, ParamError
from synthgen.draws.streams import keyed_order
from synthgen.training.stream import Stream
from synthgen.training.view import View
from tests.dataset.tiny import edit_manifest, read_rows, sign, write_rows
from tests.training.tiny_views import ROWS, number_of, train_of, write_many

Make = Callable[..., Stream]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_many(tmp_path_factory.mktemp("many") / "tiny")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> View:
    return train_of(write_many(tmp_path_factory.mktemp("many") / "tiny", rows=61, first=5000))


@pytest.fixture(scope="module")
def train(folder: Path) -> View:
    return train_of(folder)


@pytest.fixture(scope="module")
def filtered(train: View) -> View:
    return train.where("n_op >= 2")


@pytest.fixture(params=["plain", "filter", "mixture", "both"])
def make(request: pytest.FixtureRequest, train: View, filtered: View, other: View) -> Make:
    view = filtered if request.param in ("filter", "both") else train
    mixed: Any = {"a": view, "b": other}
    if request.param in ("plain", "filter"):
        return lambda **options: Stream(view, **options)
    return lambda **options: Stream(mixed, weights={"a": 2, "b": 1}, **options)


def numbers(batch: list[dict[str, Any]]) -> list[int]:
    return [number_of(one["prompt"]) for one in batch]


def consume(streams: list[Stream], workers: int, rounds: int | None = None) -> list[list[int]]:
    """Return the batches that all ranks get, step by step, each from its workers in turn."""
    ranks = []
    for one in streams:
        shares = [one.share(worker, max(1, workers)) for worker in range(max(1, workers))]
        if not workers:
            ranks.append(iter(one))
        else:
            turns = zip_longest(*shares)
            ranks.append(part[1] for turn in turns for part in turn if part is not None)
    steps = zip_longest(*ranks)
    return [numbers(b) for step in islice(steps, rounds) for b in step if b is not None]


@settings(max_examples=50)
@given(place=st.integers(0, 59), epoch=st.integers(0, 3), before=st.integers(1, 3))
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize(("world", "workers"), [*product((1, 2, 3), (0, 2))])
def test_what_remains_is_the_uninterrupted_order(
    train: View,
    filtered: View,
    other: View,
    place: int,
    epoch: int,
    before: int,
    world: int,
    workers: int,
    mixed: bool,
) -> None:
    sources: Any = {"a": filtered, "b": other} if mixed else train
    weights = {"a": 2, "b": 1} if mixed else None

    def streams(world: int) -> list[Stream]:
        options: dict[str, Any] = {"batch": 7, "seed": place, "form": "dicts"}
        return [
            Stream(sources, weights=weights, rank=rank, world_size=world, **options)
            for rank in range(world)
        ]

    (whole,) = streams(1)
    whole.seek(epoch)
    order = [numbers(batch) for batch in whole]
    old = streams(before)
    for one in old:
        one.seek(epoch)
    rounds = place % (whole.batches // before)
    assert consume(old, 0, rounds) == order[: rounds * before]
    states = [one.state_dict() for one in old]
    assert states[1:] == states[:-1]
    new = streams(world)
    for one in new:
        one.load_state_dict(json.loads(json.dumps(states[0])))
    assert consume(new, workers) == order[rounds * before :]


def test_an_epoch_has_every_row_once_and_no_two_are_alike(make: Make) -> None:
    order = make(batch=10, form="dicts")
    epochs = [[n for batch in order for n in numbers(batch)] for _ in range(3)]
    assert order.epoch == 3
    assert len({tuple(epoch) for epoch in epochs}) == 3
    assert {tuple(sorted(epoch)) for epoch in epochs} != {()}
    other = make(batch=10, form="dicts", seed=1)
    assert [n for batch in other for n in numbers(batch)] != epochs[0]
    again = make(batch=10, form="dicts")
    assert [n for batch in again for n in numbers(batch)] == epochs[0]


def test_every_row_comes_once(train: View) -> None:
    for options in ({}, {"shuffle": False}, {"window": 1}, {"window": 100}):
        found = [
            n for batch in Stream(train, batch=9, form="dicts", **options) for n in numbers(batch)
        ]
        assert sorted(found) == list(range(ROWS))
        assert (found == sorted(found)) == (options == {"shuffle": False})


def test_an_order_is_for_ever(train: View, filtered: View, other: View) -> None:
    """States would lead elsewhere if it changed: then raise the version in the fingerprint."""
    options: dict[str, Any] = {"batch": 6, "seed": 7, "form": "dicts"}
    plain = Stream(train, window=3, **options)
    mixed = Stream({"a": filtered, "b": other}, weights={"a": 0.7, "b": 0.3}, **options)
    assert numbers(plain[0, 0]) == [127, 131, 23, 129, 133, 19]
    assert numbers(plain[2, 33]) == [186, 45, 185, 47, 41]
    assert numbers(mixed[0, 0]) == [5018, 74, 187, 179, 62, 73]
    assert numbers(mixed[5, 20]) == [5023, 63, 5058, 139, 5014, 134]


def test_position_does_not_follow_the_files(train: View) -> None:
    """The correlation of position and file index is within noise."""
    order = Stream(train, batch=ROWS, window=4, form="dicts")
    found = np.array([numbers(order[epoch, 0]) for epoch in range(200)])
    places = np.arange(ROWS)
    correlations = [np.corrcoef(places, one)[0, 1] for one in found]
    groups = ROWS / 8  # whole groups move together, within a window of 4
    assert abs(np.mean(correlations)) < 4 / np.sqrt(200 * groups / 4)
    assert np.abs(found.mean(axis=0) - ROWS / 2).max() < 6 * ROWS / np.sqrt(12 * 200)
    steps = np.abs(np.diff(found, axis=1))
    assert (steps == 1).mean() < 0.1


def test_keyed_orders_are_uniform() -> None:
    assert sorted(keyed_order(5, 1000).tolist()) == list(range(1000))
    assert keyed_order(5, 0).tolist() == []
    seen: dict[tuple[int, ...], int] = {}
    for key in range(6000):
        one = tuple(keyed_order(key * 0x9E3779B97F4A7C15 % 2**64 ^ key, 3).tolist())
        seen[one] = seen.get(one, 0) + 1
    assert len(seen) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 30


def test_batches_come_in_every_form(train: View) -> None:
    tables = list(Stream(train, batch=50))
    assert [table.num_rows for table in tables] == [50, 50, 50, 50, 3]
    assert all(isinstance(table, pa.Table) for table in tables)
    assert tables[0].schema == train.schema
    dicts = list(Stream(train, batch=50, form="dicts"))
    assert [table.to_pylist() for table in tables] == dicts
    arrays = list(Stream(train, batch=50, form="numpy"))
    assert arrays[4]["n_op"].tolist() == [one["n_op"] for one in dicts[4]]
    assert arrays[0]["n_op"].flags.writeable
    few = next(iter(Stream(train.select("n_op", "prompt"), batch=2)))
    assert few.column_names == ["n_op", "prompt"]
    assert few["prompt"].to_pylist() == tables[0]["prompt"].to_pylist()[:2]


def test_batches_can_be_replayed_by_name(make: Make) -> None:
    order = make(batch=7, form="dicts", endless=True)
    for batch in islice(order, 70):
        assert order.last is not None
        assert make(batch=7, form="dicts")[order.last] == batch


def test_skipped_batches_are_left_out_and_nothing_else(train: View) -> None:
    whole = [numbers(batch) for batch in Stream(train, batch=7, form="dicts")]
    for world in (1, 2, 3):
        streams = [
            Stream(train, batch=7, form="dicts", rank=rank, world_size=world)
            for rank in range(world)
        ]
        for one in streams:
            for position in (0, 5, 6, 28):
                one.skip(position)
        kept = [batch for place, batch in enumerate(whole) if place not in (0, 5, 6, 28)]
        assert consume(streams, 2) == kept
        assert consume(streams, 0, 4) == kept[: 4 * world]
        resumed = Stream(train, batch=7, form="dicts")
        resumed.load_state_dict(json.loads(json.dumps(streams[-1].state_dict())))
        assert [numbers(batch) for batch in resumed] == kept[4 * world :]
        assert numbers(next(iter(resumed))) not in whole


def test_moving_a_stream_moves_its_iteration(train: View) -> None:
    whole = [numbers(batch) for batch in Stream(train, batch=7, form="dicts")]
    order = Stream(train, batch=7, form="dicts")
    found = []
    for batch in order:
        found.append(numbers(batch))
        if order.last == (0, 3):
            order.skip(5)
        if order.last == (0, 8):
            order.seek(0, 20)
    assert found == [*whole[:5], *whole[6:9], *whole[20:]]
    assert (order.epoch, order.position) == (1, 0)
    order.seek(1, 27)
    for _ in order:
        order.skip(28)  # the last one: the epoch ends here
        assert order.last == (1, 27)
    assert (order.epoch, order.position) == (2, 0)


def test_the_state_counts_what_workers_handed_out(train: View) -> None:
    order = Stream(train, batch=7, form="dicts", rank=1, world_size=2, endless=True)
    rest = [numbers(batch) for batch in islice(iter(order), 40)][9:]
    counted = Stream(train, batch=7, form="dicts", rank=1, world_size=2, endless=True)
    state = counted.state_dict(batches=9)
    assert (state["epoch"], state["position"]) == (0, 18)
    with pytest.raises(ParamError, match="batches=-1"):
        counted.state_dict(batches=-1)
    counted.load_state_dict(state)
    assert [numbers(batch) for batch in islice(iter(counted), 31)] == rest


def test_an_endless_stream_keeps_ranks_even(train: View) -> None:
    whole = Stream(train, batch=7, form="dicts", endless=True)
    order = [numbers(batch) for batch in islice(iter(whole), 90)]
    ranks = [
        Stream(train, batch=7, form="dicts", endless=True, rank=rank, world_size=4)
        for rank in range(4)
    ]
    assert consume(ranks, 2, 22) == order[:88]


def test_short_batches_and_uneven_rounds_can_be_dropped(train: View) -> None:
    ranks = [
        Stream(train, batch=7, form="dicts", drop_last=True, rank=rank, world_size=3)
        for rank in range(3)
    ]
    counts = [[len(batch) for batch in one] for one in ranks]
    assert counts == [[7] * 9] * 3
    assert [one.epoch for one in ranks] == [1, 1, 1]
    with pytest.raises(ParamError, match="batch=204"):
        Stream(train, batch=ROWS + 1, drop_last=True)


def test_dropping_all_batches_is_refused(train: View) -> None:
    for rank in (0, 4):
        expected = "drop_last=True: .* each of 5 ranks, but 203 rows make 4 of 50"
        with pytest.raises(ParamError, match=expected):
            Stream(train, batch=50, drop_last=True, rank=rank, world_size=5)
    assert len([*Stream(train, batch=50, drop_last=True, rank=3, world_size=4)]) == 1
    endless = Stream(train, batch=50, drop_last=True, rank=4, world_size=5, endless=True)
    assert len(next(iter(endless))) == 50


def test_a_state_of_other_data_or_options_is_refused(
    train: View, folder: Path, tmp_path: Path
) -> None:
    state = Stream(train, batch=7, seed=3).state_dict()
    assert {*state} == {"fingerprint", "seed", "epoch", "position"}
    cases = {
        "batch=7: expected 8": Stream(train, batch=8, seed=3),
        "seed=3: expected 4": Stream(train, batch=7, seed=4),
        "window=8: expected 2": Stream(train, batch=7, seed=3, window=2),
        "shuffle=True: expected False": Stream(train, batch=7, seed=3, shuffle=False),
        "drop_last=False: expected True": Stream(train, batch=7, seed=3, drop_last=True),
        r"source 0='<tiny/train: 203 rows>.*<tiny/train where n_op > 1: ": Stream(
            train.where("n_op > 1"), batch=7, seed=3
        ),
        "weights=": Stream({"": train}, batch=7, seed=3, weights=[(50, {"": 1})]),
    }
    for difference, stream in cases.items():
        with pytest.raises(ParamError, match=f"state: {difference}"):
            stream.load_state_dict(state)
        assert (stream.epoch, stream.position) == (0, 0)
    changed = tmp_path / "tiny"
    write_many(changed)
    edit_manifest(changed, lambda manifest: manifest.update(fingerprint="cd" * 32))
    with pytest.raises(ParamError, match="source 0='<tiny/train: 203 rows> of abab"):
        Stream(train_of(changed), batch=7, seed=3).load_state_dict(state)
    same = Stream(train.select("prompt"), batch=7, seed=3, form="numpy", rank=1, world_size=2)
    same.load_state_dict(state)


@pytest.mark.parametrize(
    "change",
    [
        {"epoch": -1},
        {"position": 29},
        {"position": "1"},
        {"more": 1},
        {"fingerprint": None},
        {"skipped": [3]},
        {"skipped": {"0": 1}},
    ],
)
def test_a_state_that_is_none_is_refused(train: View, change: dict[str, Any]) -> None:
    order = Stream(train, batch=7)
    with pytest.raises(ParamError):
        order.load_state_dict(order.state_dict() | change)
    with pytest.raises(ParamError, match="state="):
        order.load_state_dict({})


def test_wrong_options_are_refused(train: View, folder: Path) -> None:
    for options in (
        {"batch": 0},
        {"seed": -1},
        {"window": 0},
        {"rank": 2, "world_size": 2},
        {"form": "pandas"},
        {"endless": 1},
    ):
        with pytest.raises(ParamError, match=next(iter(options))):
            Stream(train, **options)  # type: ignore[arg-type]
    with pytest.raises(ParamError, match="at least one row"):
        Stream(train.where("n_op = 9"))
    with pytest.raises(ParamError, match="such as"):
        Stream(synthgen.open(folder))
    with pytest.raises(ParamError, match="such as"):
        Stream([train])  # type: ignore[arg-type]


def test_a_stream_can_be_pickled_in_the_middle(make: Make) -> None:
    order = make(batch=7, form="dicts")
    for _ in islice(iter(order), 5):
        pass
    copy = pickle.loads(pickle.dumps(order))  # noqa: S301
    assert list(copy) == list(order)


def test_sources_with_other_columns_are_joined(train: View, tmp_path: Path) -> None:
    bare = train_of(write_many(tmp_path / "b", rows=20, first=700)).select("prompt", "kind")
    mixed = {"a": train.select("prompt", "n_op", "solution"), "b": bare}
    rows = [r for batch in Stream(mixed, batch=7, form="dicts") for r in batch]
    assert {tuple(r) for r in rows} == {("prompt", "n_op", "solution", "kind")}
    for r in rows:
        assert (r["n_op"] is None) == (r["kind"] is not None) == (number_of(r["prompt"]) >= 700)
    with pytest.raises(DatasetError, match="column 'n_op' has nulls"):
        list(Stream(mixed, batch=7, form="numpy"))
    full = {name: view.filled() for name, view in mixed.items()}
    arrays = list(Stream(full, batch=7, form="numpy"))
    assert -1 in np.concatenate([one["n_op"] for one in arrays]).tolist()
    assert None not in np.concatenate([one["solution"] for one in arrays]).tolist()


def test_columns_of_other_types_are_refused(train: View, tmp_path: Path) -> None:
    folder = write_many(tmp_path / "b", rows=20)
    for shard in (folder / "data").iterdir():
        file = f"data/{shard.name}"
        rows = [{**r, "n_op": str(r["n_op"])} for r in read_rows(folder, file)]
        schema = train.schema.set(11, pa.field("n_op", pa.string()))
        write_rows(folder, file, rows, schema)
    sign(folder)

    def change(manifest: dict[str, Any]) -> None:
        manifest["columns"][11]["type"] = "string"
        manifest["axes"]["n_op"] |= {"values": ["0"], "low": None, "high": None}

    edit_manifest(folder, change)
    with pytest.raises(ParamError, match="columns of one type"):
        Stream({"a": train, "b": train_of(folder)})
