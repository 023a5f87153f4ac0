"""Shards that are not those of the manifest, when a dataset is opened and while it is read."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import fsspec
import pyarrow as pa
import pytest

import synthgen
from synthgen.core.errors import ChangedError, DatasetError
from tests.dataset.tiny import SCHEMA, read_rows, sign, write_rows
from tests.training.tiny_views import write_many

SHARD = "data/train-00001-of-00002.parquet"
NAMED = r"data/train-00001-of-00002\.parquet: "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_many(tmp_path / "tiny")


def flipped(folder: Path) -> bytes:
    """Return the shard with one letter of one prompt changed."""
    content = (folder / SHARD).read_bytes()
    place = content.index(b"What is 1")
    return content[:place] + b"w" + content[place + 1 :]


def replace(folder: Path, content: bytes) -> None:
    """Replace the shard as a tool would that writes beside it and renames."""
    beside = folder / "beside"
    beside.write_bytes(content)
    beside.rename(folder / SHARD)


def test_a_shard_of_another_dataset_is_named_when_opening(folder: Path, tmp_path: Path) -> None:
    other = write_many(tmp_path / "other", first=1000)
    replace(folder, (other / SHARD).read_bytes())
    with pytest.raises(ChangedError, match=NAMED + r"bytes=\d+: expected \d+ by the manifest"):
        synthgen.open(folder)


def test_footers_are_compared_when_opening(folder: Path) -> None:
    other = SCHEMA.set(11, pa.field("n_op", pa.int32()))
    write_rows(folder, SHARD, read_rows(folder, SHARD), other)
    sign(folder)
    with pytest.raises(DatasetError, match=NAMED + "column 'n_op' is int32, expected int16"):
        synthgen.open(folder)


def test_hashes_are_compared_on_request(folder: Path) -> None:
    assert list(synthgen.open(folder, verify=True)["train"])
    replace(folder, flipped(folder))
    synthgen.open(folder)
    with pytest.raises(ChangedError, match=NAMED + "sha256=[0-9a-f]{64}: expected [0-9a-f]{64}"):
        synthgen.open(folder, verify=True)


def test_a_shard_that_changes_while_it_is_streamed_is_named(folder: Path) -> None:
    stream = synthgen.stream(synthgen.open(folder, memory=0)["train"], 8)
    assert list(stream)
    replace(folder, flipped(folder))
    with pytest.raises(ChangedError, match=NAMED + "sha256="):
        list(stream)


def test_a_shard_that_is_only_touched_or_copied_is_read(folder: Path) -> None:
    train = synthgen.open(folder, memory=0)["train"]
    rows = list(train)
    os.utime(folder / SHARD, (1, 1))
    assert list(train) == rows
    replace(folder, (folder / SHARD).read_bytes())
    assert list(train) == rows


def test_another_process_compares_sizes_and_footers(folder: Path) -> None:
    train = pickle.loads(pickle.dumps(synthgen.open(folder)["train"]))  # noqa: S301
    write_rows(folder, SHARD, read_rows(folder, SHARD)[:-1])
    with pytest.raises(ChangedError, match=NAMED + "bytes="):
        train[0]


def test_a_url_is_compared_when_it_is_read(folder: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.put(str(folder), "/changed/tiny", recursive=True)
    url = "memory://changed/tiny"
    assert list(synthgen.open(url, verify=True)["train"])
    memory.pipe_file(f"{url}/{SHARD}", flipped(folder))
    with pytest.raises(ChangedError, match=NAMED + "sha256="):
        synthgen.open(url, verify=True)
    memory.pipe_file(f"{url}/{SHARD}", b"")
    train = synthgen.open(url)["train"]
    with pytest.raises(ChangedError, match=NAMED + "bytes=0: expected"):
        train[0]
