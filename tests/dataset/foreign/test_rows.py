from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign import columns as foreign_rows
from synthgen.dataset.foreign.columns import Row, batches_of, first_record

TEXTS = st.none() | st.text(st.characters(codec="utf-8"))
ROWS = st.lists(st.tuples(st.integers(1, 99), TEXTS, TEXTS, TEXTS), min_size=1)


@given(rows=ROWS)
def test_batches_hold_the_rows_in_order(rows: list[Row]) -> None:
    found: list[Row] = []
    for batch in batches_of(Path("f"), iter(rows), solutions=True):
        assert batch.first == len(found) + 1
        assert batch.lines is not None
        assert batch.solutions is not None
        columns = (batch.prompts, batch.answers, batch.solutions)
        found.extend(zip(batch.lines, *(column.to_pylist() for column in columns), strict=True))
    assert found == rows


def test_a_batch_is_full_after_so_many_rows_or_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(foreign_rows, "BATCH_ROWS", 4)
    monkeypatch.setattr(foreign_rows, "BATCH_CHARACTERS", 100)
    short: list[Row] = [(i, "1", "1", None) for i in range(10)]
    long: list[Row] = [(i, "1" * 60, "1", None) for i in range(5)]
    assert sizes(short) == [4, 4, 2]
    assert sizes(long) == [2, 2, 1]
    assert sizes([(1, "1" * 1000, "1", None)]) == [1]


def sizes(rows: list[Row]) -> list[int]:
    return [len(batch) for batch in batches_of(Path("f"), iter(rows), solutions=False)]


def test_rows_are_read_no_further_than_the_batch_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(foreign_rows, "BATCH_ROWS", 10)
    read = []

    def rows() -> Iterator[Row]:
        for i in range(100):
            read.append(i)
            yield i, "1", "1", None

    batch = next(batches_of(Path("f"), rows(), solutions=False))
    assert len(batch) == len(read) == 10
    assert batch.solutions is None


def test_no_rows_are_an_error() -> None:
    with pytest.raises(DatasetError, match="f: no rows, so nothing was checked"):
        list(batches_of(Path("f"), iter(()), solutions=False))
    with pytest.raises(DatasetError, match="f: no rows, so nothing was checked"):
        first_record(Path("f"), iter(()))
