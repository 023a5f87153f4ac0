from __future__ import annotations

import json
import multiprocessing
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import synthgen
from synthgen.core.errors import DatasetError, ParamError, UnknownNameError
from synthgen.dataset.row_groups import RowGroups
from synthgen.training.view import View
from tests.dataset.tiny import SCHEMA, read_json, row, save_manifest
from tests.training.tiny_views import ROWS, number_of, train_of, write_many

ALL = [row(number) for number in range(ROWS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_many(tmp_path_factory.mktemp("many") / "tiny")


@pytest.fixture
def train(folder: Path) -> View:
    return train_of(folder)


def test_splits_are_named_in_order(folder: Path) -> None:
    opened = synthgen.open(str(folder))
    assert list(opened) == ["train", "test_hard", "probe"]
    assert {name: len(view) for name, view in opened.items()} == {
        "train": ROWS,
        "test_hard": 10,
        "probe": 1,
    }
    assert repr(opened) == "<dataset tiny: train 203, test_hard 10, probe 1>"
    with pytest.raises(UnknownNameError, match="did you mean 'train'"):
        opened["trian"]
    assert "trian" not in opened


def test_rows_are_dicts(train: View) -> None:
    assert train[0] == ALL[0]
    assert train[-1] == ALL[-1]
    assert train[np.int64(17)] == ALL[17]
    assert train[5:60:7] == ALL[5:60:7]
    assert train[10:5] == []
    assert list(train) == ALL


@pytest.mark.parametrize("index", [ROWS, -ROWS - 1])
def test_a_row_beyond_the_end_is_an_index_error(train: View, index: int) -> None:
    with pytest.raises(IndexError, match=str(index)):
        train[index]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(indices=st.lists(st.integers(-ROWS, ROWS - 1), max_size=50))
def test_rows_can_be_taken_in_any_order_and_form(train: View, indices: list[int]) -> None:
    wanted = [ALL[index] for index in indices]
    table = train.take(indices)
    assert table.schema == SCHEMA
    assert table.to_pylist() == wanted
    assert train.take(indices, form="dicts") == wanted
    arrays = train.select("prompt", "n_op", "address").take(indices, form="numpy")
    assert arrays["n_op"].dtype == np.int16
    assert arrays["address"].tolist() == [one["address"] for one in wanted]
    assert arrays["prompt"].tolist() == [one["prompt"] for one in wanted]


@pytest.mark.parametrize("index", [1.0, "1", True, None, [1]])
def test_what_is_not_a_number_of_a_row_is_refused(train: View, index: Any) -> None:
    with pytest.raises(ParamError, match="indices="):
        train[index]
    with pytest.raises(ParamError, match="indices="):
        train.take([index])


def test_an_unknown_form_or_column_is_named(train: View) -> None:
    with pytest.raises(ParamError, match="form='pandas'"):
        train.take([0], form="pandas")
    with pytest.raises(UnknownNameError, match="did you mean 'prompt'"):
        train.select("promt")
    for columns in ((), ("prompt", "prompt")):
        with pytest.raises(ParamError, match="columns="):
            train.select(*columns)


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("n_op = 2", lambda r: r["n_op"] == 2),
        (
            "kind = 'nested' AND n_op IN (0, 3)",
            lambda r: r["kind"] == "nested" and r["n_op"] in (0, 3),
        ),
        ("source LIKE 'add%' AND NOT difficulty < 4", lambda r: r["difficulty"] >= 4),
        ("TRUE", lambda r: True),
        ("n_op > 5", lambda r: False),
    ],
)
def test_a_rule_chooses_rows(train: View, rule: str, holds: Any) -> None:
    wanted = [one for one in ALL if holds(one)]
    chosen = train.where(rule)
    assert len(chosen) == len(wanted)
    assert list(chosen) == wanted
    assert chosen.take(range(len(wanted)), form="dicts") == wanted
    again = chosen.where("template = 'what' AND n_op >= 2")
    assert list(again) == [one for one in wanted if one["n_op"] >= 2]


def test_a_wrong_rule_is_refused(train: View) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'n_op'"):
        train.where("n_opp = 2")
    with pytest.raises(ParamError, match="where="):
        train.where("n_op =")


def test_whole_splits_go_to_arrow_polars_and_datasets(train: View) -> None:
    datasets = pytest.importorskip("datasets")
    chosen = train.where("n_op = 1").select("id", "n_op", "kind")
    wanted = [{name: r[name] for name in ("id", "n_op", "kind")} for r in ALL if r["n_op"] == 1]
    assert chosen.to_arrow().to_pylist() == wanted
    assert isinstance(chosen.to_polars(), pl.DataFrame)
    assert chosen.to_polars().to_dicts() == wanted
    assert isinstance(chosen.to_datasets(), datasets.Dataset)
    assert chosen.to_datasets().to_list() == wanted
    empty = train.where("n_op = 9")
    assert empty.to_arrow().schema == SCHEMA
    assert empty.to_polars().shape == (0, len(SCHEMA))


def test_nulls_are_kept_filled_or_refused(train: View) -> None:
    assert train.take([0, 1], form="numpy")["solution"].tolist() == [ALL[0]["solution"], None]
    assert [r["solution"] for r in train.filled()[:2]] == [ALL[0]["solution"], ""]
    assert train.filled("none")[1]["solution"] == "none"
    with pytest.raises(ParamError, match="number=32768"):
        train.filled(number=2**15)
    with pytest.raises(ParamError, match="text=0"):
        train.filled(0)  # type: ignore[arg-type]


def test_the_representation_is_short_and_escapes(train: View) -> None:
    view = train.where("n_op < 3").select("prompt", "n_op")
    assert repr(view) == "<tiny/train where n_op < 3: 123 rows>"
    page = view._repr_html_()
    assert "tiny/train where n_op &lt; 3: 123 rows" in page
    assert "<td>What is 0 + 1?</td><td>0</td>" in page
    assert page.count("<tr>") == 6
    assert "train" in synthgen.open(train.groups.place.root)._repr_html_()


def numbers(view: View) -> list[int]:
    return [number_of(one["prompt"]) for one in view[:]]


def test_views_and_datasets_can_be_pickled(folder: Path, train: View) -> None:
    chosen = train.where("n_op = 2")
    chosen[0]
    assert numbers(pickle.loads(pickle.dumps(chosen))) == numbers(chosen)  # noqa: S301
    opened = synthgen.open(folder)
    opened["train"][0]
    copy = pickle.loads(pickle.dumps(opened))  # noqa: S301
    assert repr(copy) == repr(opened)
    assert copy["train"][3] == ALL[3]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_can_read_an_open_view(train: View, method: str) -> None:
    assert train[0] == ALL[0]
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.map(numbers, [train, train.where("n_op = 4")])
    assert found == [list(range(ROWS)), list(range(4, ROWS, 5))]


def test_threads_can_share_a_view(train: View) -> None:
    wrong: list[int] = []

    def read(seed: int) -> None:
        for index in np.random.default_rng(seed).integers(0, ROWS, 100).tolist():
            if train[index] != ALL[index]:
                wrong.append(index)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_decoded_row_groups_are_kept_within_a_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[int] = []
    decode = RowGroups.decode

    def counted(self: RowGroups, group: int, columns: tuple[str, ...]) -> pa.Table:
        decoded.append(group)
        return decode(self, group, columns)

    monkeypatch.setattr(RowGroups, "decode", counted)
    large = synthgen.open(folder)["train"]
    for index in (*range(ROWS), *range(ROWS)):
        large[index]
    assert len(decoded) == len(set(decoded)) == 26
    small = synthgen.open(folder, memory=0)["train"]
    decoded.clear()
    for index in (0, 10, 0, 10, 20, 0):
        small[index]
    assert decoded == [0, 1, 2, 0]


def test_a_url_is_opened_with_fsspec(folder: Path) -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.put(str(folder), "/remote/tiny", recursive=True)
    train = synthgen.open("memory://remote/tiny")["train"]
    assert list(train) == ALL
    assert train.where("n_op = 2")[3] == ALL[17]
    assert synthgen.open(f"file://{folder}")["probe"][0] == ALL[0]
    with pytest.raises(DatasetError, match=r"memory://remote/none/manifest\.json: cannot be read"):
        synthgen.open("memory://remote/none")
    with pytest.raises(DatasetError, match=r"nosuch://x/manifest\.json: cannot be read"):
        synthgen.open("nosuch://x")


def test_what_is_not_a_dataset_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="not a finished dataset"):
        synthgen.open(tmp_path)


def test_damaged_and_missing_files_are_named(tmp_path: Path) -> None:
    folder = write_many(tmp_path / "tiny")
    shard = folder / "data/train-00000-of-00002.parquet"
    whole = shard.read_bytes()
    shard.write_bytes(whole[:200] + b"\xff" * 200 + whole[400:])
    with pytest.raises(DatasetError, match=r"train-00000-of-00002\.parquet"):
        list(synthgen.open(folder)["train"])
    shard.unlink()
    with pytest.raises(DatasetError, match=r"train-00000-of-00002\.parquet: cannot be read"):
        synthgen.open(folder)
    shard.write_bytes(whole)
    manifest = read_json(folder)
    manifest["splits"][0]["shards"][0]["rows"] += 1
    save_manifest(folder, json.loads(json.dumps(manifest)))
    with pytest.raises(DatasetError, match=r"rows=102: expected 103 by the manifest"):
        synthgen.open(folder)
