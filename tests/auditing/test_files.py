from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from synthgen.auditing.read_sides import kept

Batch = pa.RecordBatch


def batch_of(text: str) -> Batch:
    return pa.RecordBatch.from_pydict({"prompt": pa.array([text])})


@pytest.mark.parametrize(("most", "times"), [(1 << 20, 1), (0, 3), (40, 3)])
def test_batches_are_read_again_only_if_they_are_many(most: int, times: int) -> None:
    opened = 0

    def batches() -> Iterator[Batch]:
        nonlocal opened
        opened += 1
        for number in range(3):
            yield batch_of(f"text {number}" * 4)

    again = kept(batches, most)
    for _ in range(3):
        assert [batch["prompt"][0].as_py()[:6] for batch in again()] == [
            "text 0",
            "text 1",
            "text 2",
        ]
    assert opened == times


def test_a_reading_that_was_left_is_not_kept() -> None:
    batch = batch_of("x")
    again = kept(lambda: iter([batch, batch]))
    assert next(again()) is batch
    assert len(list(again())) == 2
    assert len(list(again())) == 2
