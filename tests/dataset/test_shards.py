"""Shards, the hash of their content, and the recorded membership."""

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.core.errors import DatasetError, OutputError
from synthgen.dataset.membership import Membership, read_membership, write_membership
from synthgen.dataset.shards import ContentHash, write_shard
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


def content_hash(tables: list[pa.Table]) -> str:
    content = ContentHash()
    for each in tables:
        content.update(each)
    return content.hexdigest()


def test_the_content_hash_can_be_recomputed_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written = write_shard(path, SCHEMA, [table(2500)], 1000)
    assert content_hash([pq.read_table(path)]) == written.content
    other = tmp_path / "y.parquet"
    pq.write_table(pq.read_table(path), other, row_group_size=1000, compression="snappy")
    assert content_hash([pq.read_table(other)]) == written.content


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


def test_members_come_back_in_order(tmp_path: Path) -> None:
    members = Membership(np.array([0, 2, 1], np.uint16), np.array([7, 2**64 - 1, 0], np.uint64))
    write_membership(tmp_path / "x.parquet", members)
    again = read_membership(tmp_path / "x.parquet")
    assert again.sources.tolist() == [0, 2, 1]
    assert again.addresses.tolist() == [7, 2**64 - 1, 0]
    assert again.take(slice(1, 2)).addresses.tolist() == [2**64 - 1]


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"no parquet")
    with pytest.raises(DatasetError, match=r"x\.parquet: not a membership record"):
        read_membership(tmp_path / "x.parquet")


def test_a_failed_write_is_told(tmp_path: Path) -> None:
    members = Membership(np.zeros(1, np.uint16), np.zeros(1, np.uint64))
    with pytest.raises(OutputError, match="cannot write"):
        write_membership(tmp_path / "missing" / "x.parquet", members)
