from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.dataset.shards import content_hash, read_row_groups, write_shard
from tests.dataset.shard_tables import SCHEMA, table


def test_the_content_hash_can_be_recomputed_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written = write_shard(path, SCHEMA, [table(2500)], 1000)
    assert content_hash(read_row_groups(path)) == written.content
    other = tmp_path / "y.parquet"
    pq.write_table(pq.read_table(path), other, row_group_size=1000, compression="snappy")
    assert content_hash(read_row_groups(other)) == written.content


@pytest.mark.parametrize("column", ["answer", "solution", "difficulty", "kind", "address"])
def test_any_changed_value_changes_the_content_hash(column: str) -> None:
    plain = table(50).cast(SCHEMA)
    values = plain[column].to_pylist()
    values[30] = {"answer": "x", "solution": "x", "kind": "b"}.get(column, 99)
    place = SCHEMA.get_field_index(column)
    edited = plain.set_column(
        place, SCHEMA.field(place), [pa.array(values, SCHEMA.field(place).type)]
    )
    assert content_hash([edited]) != content_hash([plain])


def test_a_null_is_not_an_empty_text_and_rows_may_not_move() -> None:
    plain = table(50).cast(SCHEMA)
    place = SCHEMA.get_field_index("solution")
    filled = plain.set_column(place, "solution", plain["solution"].fill_null(""))
    assert content_hash([filled]) != content_hash([plain])
    swapped = plain.take(pa.array([1, 0, *range(2, 50)]))
    assert content_hash([swapped]) != content_hash([plain])


def test_how_rows_are_cut_into_tables_does_not_matter() -> None:
    plain = table(100).cast(SCHEMA)
    parts = [plain.slice(0, 1), plain.slice(1, 60), plain.slice(61, 0), plain.slice(61)]
    assert content_hash(parts) == content_hash([plain])
    assert content_hash([pa.concat_tables(parts)]) == content_hash([plain])
    assert content_hash([table(100)]) == content_hash([plain])
