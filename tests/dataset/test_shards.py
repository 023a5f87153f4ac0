"""Shards, the hash of their content, and the recorded membership."""

import hashlib
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import OutputError
from synthgen.dataset.content import BLOCK_ROWS, BlockHashes
from synthgen.dataset.shards import write_shard
from tests.dataset.shard_tables import SCHEMA, table


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
    whole = pq.read_table(path).combine_chunks()
    assert 0 <= whole.nbytes - written.arrow_bytes <= len(SCHEMA) * (4 + 2500 // 8 + 8)  # null bits
    assert written.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert pq.read_table(path).to_pylist()[:2000] == table(2000).to_pylist()


def _stored_columns(tmp_path: Path) -> dict[str, pq.ColumnChunkMetaData]:
    write_shard(tmp_path / "x.parquet", SCHEMA, [table(100)], 1000)
    group = pq.read_metadata(tmp_path / "x.parquet").row_group(0)
    columns = [group.column(i) for i in range(group.num_columns)]
    return {column.path_in_schema: column for column in columns}


def test_ids_and_addresses_are_stored_in_encodings_of_their_own(tmp_path: Path) -> None:
    columns = _stored_columns(tmp_path)
    assert "DELTA_LENGTH_BYTE_ARRAY" in columns["id"].encodings
    assert "DELTA_BINARY_PACKED" in columns["address"].encodings
    for name in ("answer", "template", "n_op", "kind"):
        assert "RLE_DICTIONARY" in columns[name].encodings


def test_texts_are_compressed_and_few_values_are_not(tmp_path: Path) -> None:
    codecs = {name: column.compression for name, column in _stored_columns(tmp_path).items()}
    texts = {"id", "prompt", "answer", "solution", "derivation"}
    assert {name for name, codec in codecs.items() if codec == "ZSTD"} == texts
    assert {codec for name, codec in codecs.items() if name not in texts} == {"UNCOMPRESSED"}


def test_numbers_have_statistics_and_texts_have_none(tmp_path: Path) -> None:
    columns = _stored_columns(tmp_path)
    numbers = {"difficulty", "address", "n_op"}
    assert {name for name, column in columns.items() if column.is_stats_set} == numbers
    assert columns["n_op"].statistics.max == 4


def test_answers_that_hardly_repeat_are_written_plainly(tmp_path: Path) -> None:
    answers = pa.array([hashlib.sha256(b"%d" % n).hexdigest() for n in range(5000)])
    many = table(5000)
    place = many.schema.get_field_index("answer")
    write_shard(tmp_path / "x.parquet", SCHEMA, [many.set_column(place, "answer", answers)], 5000)
    column = pq.read_metadata(tmp_path / "x.parquet").row_group(0).column(place)
    assert column.data_page_offset - column.dictionary_page_offset < 1 << 16
    assert column.total_compressed_size > 2 << 16
    assert pq.read_table(tmp_path / "x.parquet")["answer"].combine_chunks() == answers


def test_a_shard_may_be_empty(tmp_path: Path) -> None:
    written = write_shard(tmp_path / "x.parquet", SCHEMA, [], 1000)
    assert written.rows == 0
    assert pq.read_table(tmp_path / "x.parquet").num_rows == 0


def test_a_failed_write_says_where(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write to .*missing"):
        write_shard(tmp_path / "missing" / "x.parquet", SCHEMA, [table(10)], 1000)


def content(tables: list[pa.Table], start: int = 0) -> tuple[str, ...]:
    hashes = BlockHashes(start)
    for each in tables:
        hashes.update(each)
    return hashes.hexdigests()


def test_the_content_can_be_recomputed_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written = write_shard(path, SCHEMA, [table(2500)], 1000)
    assert content([pq.read_table(path)]) == written.content
    other = tmp_path / "y.parquet"
    pq.write_table(pq.read_table(path), other, row_group_size=1000, compression="snappy")
    assert content([pq.read_table(other)]) == written.content


ROWS = table(25_000)
WHOLE = content([ROWS])


@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 25_000), max_size=6))
def test_the_content_does_not_depend_on_shards_or_batches(cuts: list[int]) -> None:
    rows = ROWS
    bounds = sorted({0, *cuts, rows.num_rows})
    hashes: list[str] = []
    for start, stop in pairwise(bounds):
        shard = BlockHashes(start)
        shard.update(rows.slice(start, stop - start))
        missing = -stop % BLOCK_ROWS  # rows after these that complete the last block
        hashes += shard.hexdigests(rows.slice(stop, missing))
    assert tuple(hashes) == WHOLE
    assert len(hashes) == 3


@pytest.mark.parametrize("column", ["answer", "solution", "difficulty", "kind", "address"])
def test_any_changed_value_changes_the_content(column: str) -> None:
    plain = table(50).cast(SCHEMA)
    values = plain[column].to_pylist()
    values[30] = {"answer": "x", "solution": "x", "kind": "b"}.get(column, 99)
    place = SCHEMA.get_field_index(column)
    edited = plain.set_column(
        place, SCHEMA.field(place), [pa.array(values, SCHEMA.field(place).type)]
    )
    assert content([edited]) != content([plain])
