from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.dataset.foreign import columns as foreign_rows
from synthgen.dataset.foreign.columns import Row, batches_of


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
