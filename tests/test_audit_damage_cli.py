"""`synthgen audit` of a build of ours that was tampered with: exit code 1, and what it names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.building import TWO_SPLITS, build_small, synthgen
from tests.dataset.tiny import sign

TEXT = TWO_SPLITS.replace("rows_per_shard = 100", "rows_per_shard = 200")
TRAIN = [f"data/train-0000{number}-of-00002.parquet" for number in range(2)]
TEST = "data/test-00000-of-00001.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return build_small(tmp_path, text=TEXT).folder


def failed(folder: Path) -> dict[str, dict[str, Any]]:
    ended = synthgen("audit", str(folder), "--json")
    assert ended.returncode == 1, ended.stdout
    assert ended.stderr == ""
    checks = json.loads(ended.stdout)["checks"]
    return {check["name"]: check for check in checks if not check["ok"]}


def rewrite(folder: Path, file: str, rows: list[dict[str, Any]]) -> None:
    schema = pq.read_schema(folder / file)
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / file)


def rows_of(folder: Path, file: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / file).to_pylist()
    return found


def test_an_untouched_build_is_exit_code_0(folder: Path) -> None:
    ended = synthgen("audit", str(folder), "--json")
    assert ended.returncode == 0, ended.stdout
    assert json.loads(ended.stdout)["ok"] is True


def test_an_edited_split_file(folder: Path) -> None:
    rows = rows_of(folder, TEST)
    rows[7]["answer"] = "12345"
    rewrite(folder, TEST, rows)
    found = failed(folder)
    assert found.keys() == {"hashes"}
    assert TEST in found["hashes"]["detail"]


def test_a_shard_too_many(folder: Path) -> None:
    copy = "data/train-00002-of-00003.parquet"
    shutil.copy(folder / TRAIN[0], folder / copy)
    found = failed(folder)
    assert found.keys() == {"stray"}
    assert copy in found["stray"]["detail"]


def test_wrong_rows_are_shown_without_reading_them_as_markup(folder: Path) -> None:
    rows = rows_of(folder, TEST)
    rows[0]["prompt"] = "[/a] :smile: [bold]x\x1b[31m\u202e"
    rewrite(folder, TEST, rows)
    sign(folder)
    ended = synthgen("verify", str(folder))
    assert ended.returncode == 1, ended.stderr
    assert r"the answer is wrong: '[/a] :smile: [bold]x\x1b[31m\u202e' -> " in ended.stdout
