"""Ragged columns and Arrow text over the same memory."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core import columns
from synthgen.core.columns import (
    Ragged,
    boolean_column,
    choice_text,
    constant_text,
    integer_column,
    integer_values,
    null_mask,
    offsets_of,
    ragged,
    text_bytes,
    text_column,
    text_list,
)
from synthgen.core.errors import ParamError

INTEGER_ROWS = st.lists(st.lists(st.integers(0, 60_000), max_size=6), max_size=12)
TEXTS = st.lists(st.text(max_size=8), max_size=12)


def as_lists(column: Ragged) -> list[list[int]]:
    return [column.row(i).tolist() for i in range(len(column))]


def read_back(column: pa.StringArray) -> list[str]:
    data, offsets = text_bytes(column)
    assert data.dtype == np.uint8
    assert offsets.dtype == np.int64
    return [data[offsets[i] : offsets[i + 1]].tobytes().decode() for i in range(len(offsets) - 1)]


@given(INTEGER_ROWS)
def test_ragged_keeps_its_rows(rows: list[list[int]]) -> None:
    column = ragged(rows)
    assert as_lists(column) == rows
    assert column.lengths.tolist() == [len(row) for row in rows]
    assert column.values.dtype == np.uint16
    assert column.offsets.dtype == np.int64


@given(INTEGER_ROWS.filter(bool), st.data())
def test_take_picks_rows_in_any_order_and_more_than_once(
    rows: list[list[int]], data: st.DataObject
) -> None:
    picks = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=20))
    taken = ragged(rows).take(np.array(picks, np.int64))
    assert as_lists(taken) == [rows[i] for i in picks]


@given(TEXTS)
def test_text_goes_there_and_back(texts: list[str]) -> None:
    encoded = [text.encode() for text in texts]
    data = np.frombuffer(b"".join(encoded), np.uint8)
    offsets = offsets_of(np.array([len(part) for part in encoded], np.int64))
    column = text_column(data, offsets)
    assert column.to_pylist() == texts
    assert read_back(column) == texts
    assert read_back(pa.array(texts, pa.string())) == texts


@given(TEXTS, st.integers(0, 12), st.integers(0, 12))
def test_slices_are_read_from_where_they_start(texts: list[str], start: int, n: int) -> None:
    column = pa.array(texts, pa.string()).slice(min(start, len(texts)), n)
    assert read_back(column) == texts[start : start + n]


@given(st.lists(st.none() | st.text(max_size=5), max_size=8))
def test_nulls_read_as_empty_text(texts: list[str | None]) -> None:
    assert read_back(pa.array(texts, pa.string())) == [text or "" for text in texts]


def test_more_text_than_arrow_addresses_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_MAX_TEXT_BYTES", 3)
    data = np.zeros(4, np.uint8)
    assert len(text_column(data, np.array([0, 3]))) == 1
    with pytest.raises(ParamError, match="text bytes in one batch=4: expected at most 3"):
        text_column(data, np.array([0, 4]))


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint16", "uint64"])
def test_integers_share_their_memory_both_ways(kind: str) -> None:
    info = np.iinfo(kind)
    values = np.array([0, 1, info.max, info.min, 7], kind)
    column = integer_column(values)
    assert str(column.type) == kind
    assert column.to_pylist() == values.tolist()
    assert column.buffers()[1].address == values.ctypes.data
    column.validate(full=True)
    back = integer_values(column[1:4])
    assert back.dtype == np.dtype(kind)
    assert back.tolist() == values[1:4].tolist()
    assert back.ctypes.data == values[1:].ctypes.data


def test_integers_that_are_not_in_one_piece_are_copied() -> None:
    values = np.arange(12, dtype=np.int32)
    assert integer_column(values[::3]).to_pylist() == [0, 3, 6, 9]
    assert integer_values(integer_column(values[:0])).tolist() == []
    assert integer_values(pa.nulls(3, pa.int16())).shape == (3,)


@given(st.lists(st.booleans(), max_size=40))
def test_truth_values(values: list[bool]) -> None:
    column = boolean_column(np.array(values, bool))
    assert column.type == pa.bool_()
    assert column.to_pylist() == values


@given(st.lists(st.none() | st.integers(0, 9), max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_null_masks_also_of_slices(values: list[int | None], start: int, n: int) -> None:
    column = pa.array(values, pa.int32()).slice(min(start, len(values)), n)
    assert null_mask(column).tolist() == [value is None for value in values[start : start + n]]


def test_null_mask_of_nothing_but_nulls() -> None:
    assert null_mask(pa.nulls(3)).tolist() == [True] * 3
    assert null_mask(pa.nulls(3, pa.string())).tolist() == [True] * 3


@given(TEXTS)
def test_lists_of_texts(texts: list[str]) -> None:
    assert text_list(texts).to_pylist() == texts


def test_dictionary_columns() -> None:
    assert constant_text("bare", 3).to_pylist() == ["bare"] * 3
    assert constant_text("bare", 0).to_pylist() == []
    codes = np.array([1, 0, 1], np.int64)
    assert choice_text(codes, ["low", "high"]).to_pylist() == ["high", "low", "high"]
