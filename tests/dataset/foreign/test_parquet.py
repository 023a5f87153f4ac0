from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign import arrow_tables as parquet
from synthgen.dataset.foreign.arrow_tables import open_parquet
from synthgen.dataset.foreign.column_choice import Columns, RowBatch, WantedColumns

TEXTS = ["1+1", None, "", "é\n"] * 5


def write(folder: Path, columns: dict[str, Any], **options: Any) -> Path:
    path = folder / "rows.parquet"
    pq.write_table(pa.table(columns), path, **options)
    return path


def read(path: Path, wanted: WantedColumns | None = None) -> list[RowBatch]:
    with open_parquet(path, wanted or WantedColumns()) as (_, batches):
        return list(batches)


def column_of(batches: list[RowBatch], name: str) -> list[Any]:
    return [value for batch in batches for value in getattr(batch, name).to_pylist()]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())],
    ids=str,
)
@pytest.mark.parametrize("store_schema", [True, False])
def test_text_of_every_kind_becomes_strings(
    tmp_path: Path, kind: pa.DataType, store_schema: bool
) -> None:
    texts = pa.array(TEXTS, pa.string()).cast(kind)
    path = write(tmp_path, {"expr": texts, "result": texts}, store_schema=store_schema)
    with open_parquet(path, WantedColumns()) as (columns, batches):
        found = list(batches)
    assert columns == Columns("expr", "result")
    assert all(batch.prompts.type == batch.answers.type == pa.string() for batch in found)
    assert column_of(found, "prompts") == column_of(found, "answers") == TEXTS


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint64(), pa.int64()], ids=str)
def test_integers_become_text(tmp_path: Path, kind: pa.DataType) -> None:
    path = write(tmp_path, {"prompt": ["1", "2"], "answer": pa.array([100, None], kind)})
    assert column_of(read(path), "answers") == ["100", None]


def test_a_column_of_nulls_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, {"prompt": ["1"], "answer": pa.nulls(1), "steps": ["2"]})
    found = read(path, WantedColumns(solution="steps"))
    assert column_of(found, "answers") == [None]
    assert column_of(found, "solutions") == ["2"]
    assert found[0].lines is None
    assert read(path)[0].solutions is None


def test_batches_are_small_whatever_the_row_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = [str(i) * 100 for i in range(1000)]
    path = write(tmp_path, {"prompt": prompts, "answer": prompts}, row_group_size=300)
    monkeypatch.setattr(parquet, "BATCH_CHARACTERS", 10_000)
    found = read(path)
    assert max(len(batch) for batch in found) <= 200
    assert column_of(found, "prompts") == prompts
    starts = [batch.first for batch in found]
    assert starts == [1 + sum(len(b) for b in found[:i]) for i in range(len(found))]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"prompt": [{"x": "1"}], "answer": ["1"]}, "row 1: 'prompt' is an object: .*'prompt.x'"),
        ({"prompt": [b"\xff"], "answer": ["1"]}, "cannot be read as Parquet: Invalid UTF8"),
        ({"promt": ["1"], "answer": ["1"]}, "parquet: no column of prompts; did you mean 'promt'"),
        ({"prompt": ["1"], "x": ["1"]}, "parquet: no column of answers"),
        ({"prompt": pa.array([], pa.string()), "answer": pa.array([], pa.string())}, "no rows"),
    ],
)
def test_what_cannot_be_read_is_named_by_column(
    tmp_path: Path, columns: dict[str, Any], message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        read(write(tmp_path, columns))


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1.5, 3.0, None], ["1.5", "3", None]),
        ([True, False], ["true", "false"]),
        ([[1, 2], [], None], ["[1, 2]", "[]", None]),
        ([["a"], ["é", None]], ['["a"]', '["é", null]']),
        ([b"1", b"\xc3\xa9"], ["1", "é"]),
        (pa.array(["x", "y"]).dictionary_encode(), ["x", "y"]),
    ],
    ids=["floats", "truth values", "lists", "lists of text", "binary", "dictionary"],
)
def test_values_of_other_types_become_text(tmp_path: Path, values: Any, texts: list[str]) -> None:
    found = read(write(tmp_path, {"prompt": ["1"] * len(values), "answer": values}))
    assert column_of(found, "answers") == texts


def test_a_text_that_is_too_long_is_named_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "MAX_LINE_BYTES", 100)
    monkeypatch.setattr(parquet, "_MAX_ROWS", 4)
    texts = ["1" * 100] * 10
    assert len(column_of(read(write(tmp_path, {"prompt": texts, "answer": texts})), "prompts"))
    longer = [*texts[:6], "1" * 101, *texts[7:]]
    path = write(tmp_path, {"prompt": texts, "answer": longer})
    with pytest.raises(DatasetError, match="row 7: 'answer': expected at most 100 bytes"):
        read(path)


def test_text_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    raw = pa.array([b"\xff\xfe"]).view(pa.string())
    with pytest.raises(DatasetError, match=r"rows\.parquet: cannot be read as Parquet: .*UTF8"):
        read(write(tmp_path, {"prompt": raw, "answer": ["1"]}))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255))
def test_no_single_byte_breaks_anything_but_the_file(
    tmp_path: Path, place: float, value: int
) -> None:
    path = tmp_path / "rows.parquet"
    if not path.exists():
        write(tmp_path, {"prompt": [str(i) for i in range(50)], "answer": list(range(50))})
    whole = path.read_bytes()
    data = bytearray(whole)
    data[int(place * len(data))] = value
    path.write_bytes(data)
    try:
        assert sum(len(batch) for batch in read(path)) > 0
    except DatasetError as error:
        assert str(error).startswith(str(path))  # noqa: PT017
    finally:
        path.write_bytes(whole)


def test_rows_that_the_footer_promises_must_be_there(tmp_path: Path) -> None:
    path = write(tmp_path, {"prompt": ["1"] * 50, "answer": ["1"] * 50}, store_schema=False)
    data = path.read_bytes()
    rows = b"\x16\x64\x19\x1c"  # num_rows=50 as Thrift writes it, then the row groups
    assert data.count(rows) == 1
    path.write_bytes(data.replace(rows, b"\x16\x66\x19\x1c"))
    with pytest.raises(DatasetError, match=r"rows=50: expected 51 by the footer"):
        read(path)
