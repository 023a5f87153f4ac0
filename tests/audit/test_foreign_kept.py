from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

from synthgen.audit.foreign_kept import kept
from synthgen.audit.foreign_sides import Part


@pytest.mark.parametrize(("most", "times"), [(1 << 20, 1), (0, 3), (70, 3)])
def test_parts_are_read_again_only_if_they_are_many(most: int, times: int) -> None:
    opened = 0

    def parts() -> Iterator[Part]:
        nonlocal opened
        opened += 1
        for number in range(3):
            yield Part("f", np.array([number]), None, pa.array([f"text {number}" * 4]))

    again = kept(parts, most)
    for _ in range(3):
        assert [part.rows[0] for part in again()] == [0, 1, 2]
    assert opened == times


def test_a_reading_that_was_left_is_not_kept() -> None:
    part = Part("f", np.array([1]), None, pa.array(["x"]))
    again = kept(lambda: iter([part, part]))
    assert next(again()) is part
    assert len(list(again())) == 2
    assert len(list(again())) == 2
