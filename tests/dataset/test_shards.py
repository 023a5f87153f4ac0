from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.core.contract import Axis
from synthgen.core.errors import OutputError
from synthgen.dataset.schema import row_schema
from synthgen.dataset.shards import content_hash, read_row_groups, write_shard

AXES = {"n_op": Axis("operators", "int16", 0, 9), "kind": Axis("kind", values=("a", "b"))}
SCHEMA = row_schema(AXES)


def table(n: int, start: int = 0) -> pa.Table:
    few = pa.array(["hint"] * n).dictionary_encode()
    return pa.table(
        {
            "id": [f"{i:032x}" for i in range(start, start + n)],
            "prompt": [f"{i}+1" for i in range(n)],
            "answer": [str(i + 1) for i in range(n)],
            "answer_type": few,
            "solution": pa.array([None if i % 3 else "steps" for i in range(n)], pa.string()),
            "task": few,
            "template": few,
            "derivation": [f"(+ {i} 1)" for i in range(n)],
            "difficulty": pa.array(np.arange(n) % 7, pa.int16()),
            "source": few,
            "address": pa.array(np.arange(n), pa.uint64()),
            "n_op": pa.array(np.arange(n) % 5, pa.int16()),
            "kind": pa.array([None if i % 2 else "a" for i in range(n)], pa.string()),
        }
    )


def test_a_shard_reads_back_as_plain_rows_in_whole_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written = write_shard(path, SCHEMA, [table(2000), table(500, 2000)], 1000)
    with pq.ParquetFile(path) as file:
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        assert file.schema_arrow.remove_metadata() == SCHEMA
        assert not file.schema_arrow.metadata
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert sizes == [1000, 1000, 500]
    assert written.rows == 2500
    assert written.bytes == path.stat().st_size
    assert written.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert pq.read_table(path).to_pylist()[:2000] == table(2000).to_pylist()


def test_the_content_hash_can_be_recomputed_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written = write_shard(path, SCHEMA, [table(2500)], 1000)
    assert content_hash(read_row_groups(path), 1000) == written.content
    other = tmp_path / "y.parquet"
    pq.write_table(pq.read_table(path), other, row_group_size=1000, compression="snappy")
    assert content_hash(read_row_groups(other), 1000) == written.content


@pytest.mark.parametrize("column", ["answer", "solution", "difficulty", "kind", "address"])
def test_any_changed_value_changes_the_content_hash(column: str) -> None:
    plain = table(50).cast(SCHEMA)
    values = plain[column].to_pylist()
    values[30] = {"answer": "x", "solution": "x", "kind": "b"}.get(column, 99)
    place = SCHEMA.get_field_index(column)
    edited = plain.set_column(
        place, SCHEMA.field(place), [pa.array(values, SCHEMA.field(place).type)]
    )
    assert content_hash([edited], 1000) != content_hash([plain], 1000)


def test_a_null_is_not_an_empty_text_and_rows_may_not_move() -> None:
    plain = table(50).cast(SCHEMA)
    place = SCHEMA.get_field_index("solution")
    filled = plain.set_column(place, "solution", plain["solution"].fill_null(""))
    assert content_hash([filled], 1000) != content_hash([plain], 1000)
    swapped = plain.take(pa.array([1, 0, *range(2, 50)]))
    assert content_hash([swapped], 1000) != content_hash([plain], 1000)


def test_a_shard_may_be_empty(tmp_path: Path) -> None:
    written = write_shard(tmp_path / "x.parquet", SCHEMA, [], 1000)
    assert written.rows == 0
    assert pq.read_table(tmp_path / "x.parquet").num_rows == 0


def test_a_failed_write_says_where(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write to .*missing"):
        write_shard(tmp_path / "missing" / "x.parquet", SCHEMA, [table(10)], 1000)
