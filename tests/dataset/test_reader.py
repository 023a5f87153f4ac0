from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError, UnknownNameError
from synthgen.dataset.reader import open_dataset
from tests.dataset.tiny import SCHEMA, default_rows, read_rows, sign, write_dataset, write_rows

TRAIN_0 = "data/train-00000-of-00002.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "tiny")


def test_rows_come_back_in_order(folder: Path) -> None:
    dataset = open_dataset(folder)
    assert dataset.splits == ("train", "test_hard", "probe")
    assert dataset.schema == SCHEMA
    for split, rows in default_rows().items():
        read = [row for batch in dataset.batches(split) for row in batch.to_pylist()]
        assert read == rows
        assert dataset.rows(split) == len(rows)


@pytest.mark.parametrize("batch_rows", [1, 7, 20, 1000])
def test_batches_have_the_asked_columns_and_at_most_the_asked_rows(
    folder: Path, batch_rows: int
) -> None:
    batches = list(open_dataset(folder).batches("train", ["n_op", "id"], batch_rows))
    assert {tuple(batch.schema.names) for batch in batches} == {("n_op", "id")}
    assert max(batch.num_rows for batch in batches) <= batch_rows
    assert sum(batch.num_rows for batch in batches) == 40


def test_other_readers_find_the_rows_and_nothing_else(folder: Path) -> None:
    expected = sorted(row["id"] for rows in default_rows().values() for row in rows)
    found = [
        pl.read_parquet(f"{folder}/**/*.parquet")["id"].to_list(),
        pl.read_parquet(folder / "data")["id"].to_list(),
        pyarrow.dataset.dataset(folder / "data").to_table()["id"].to_pylist(),
        pq.read_table(folder / "data")["id"].to_pylist(),
    ]
    for ids in found:
        assert sorted(ids) == expected


def test_shard_paths_are_in_the_folder(folder: Path) -> None:
    paths = open_dataset(folder).shard_paths("train")
    assert [path.relative_to(folder).as_posix() for path in paths] == [
        TRAIN_0,
        "data/train-00001-of-00002.parquet",
    ]


def test_unknown_names_are_told_at_the_call(folder: Path) -> None:
    dataset = open_dataset(folder)
    with pytest.raises(UnknownNameError, match="did you mean 'train'"):
        dataset.rows("trian")
    with pytest.raises(UnknownNameError, match="did you mean 'prompt'"):
        dataset.batches("train", ["promt"])


def test_missing_and_shortened_shards_are_named(folder: Path) -> None:
    whole = (folder / TRAIN_0).read_bytes()
    (folder / TRAIN_0).write_bytes(whole[:-1])
    with pytest.raises(DatasetError, match=r"train-00000-of-00002\.parquet: bytes="):
        open_dataset(folder)
    (folder / TRAIN_0).unlink()
    with pytest.raises(DatasetError, match=r"train-00000-of-00002\.parquet: .* missing"):
        open_dataset(folder)


@pytest.mark.parametrize("place", [-4, -8, -100])
def test_corrupt_parquet_is_named(folder: Path, place: int) -> None:
    data = bytearray((folder / TRAIN_0).read_bytes())
    end = len(data) + place + 4
    data[end - 4 : end] = b"\xff" * 4
    (folder / TRAIN_0).write_bytes(data)
    with pytest.raises(DatasetError, match=r"train-00000-of-00002\.parquet"):
        list(open_dataset(folder).batches("train"))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255))
def test_no_single_byte_breaks_anything_but_the_dataset(
    folder: Path, place: float, value: int
) -> None:
    whole = (folder / TRAIN_0).read_bytes()
    data = bytearray(whole)
    data[int(place * len(data))] = value
    (folder / TRAIN_0).write_bytes(data)
    try:
        batches = list(open_dataset(folder).batches("train"))
        assert sum(batch.num_rows for batch in batches) == 40
    except DatasetError as error:
        assert "train-00000-of-00002.parquet" in str(error)  # noqa: PT017
    finally:
        (folder / TRAIN_0).write_bytes(whole)


def test_text_that_is_not_utf8_is_named(folder: Path) -> None:
    table = pa.Table.from_pylist(read_rows(folder, TRAIN_0), SCHEMA)
    raw = pa.array([b"\xff\xfe"] * len(table)).view(pa.string())
    table = table.set_column(1, "prompt", raw)
    pq.write_table(table, folder / TRAIN_0)
    sign(folder)
    with pytest.raises(DatasetError, match="UTF8"):
        list(open_dataset(folder).batches("train"))


def test_another_schema_names_file_and_column(folder: Path) -> None:
    rows = read_rows(folder, TRAIN_0)
    other = SCHEMA.set(11, pa.field("n_op", pa.int32()))
    write_rows(folder, TRAIN_0, rows, other)
    sign(folder)
    with pytest.raises(
        DatasetError, match=r"train-00000-of-00002\.parquet: column 'n_op' is int32"
    ):
        list(open_dataset(folder).batches("train"))
    write_rows(folder, TRAIN_0, rows, SCHEMA.append(pa.field("label", pa.string())))
    sign(folder)
    with pytest.raises(DatasetError, match=r"columns \['label'\]"):
        list(open_dataset(folder).batches("train"))
    write_rows(folder, TRAIN_0, rows, pa.schema([*list(SCHEMA)[1:], SCHEMA.field(0)]))
    sign(folder)
    with pytest.raises(DatasetError, match="another order"):
        list(open_dataset(folder).batches("train"))
