"""Integers written by kernels against str()."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.byte_spans import MOST_DIGITS, integer_text, write_integer

LARGEST = 2**63 - 1
VALUES = st.integers(-LARGEST, LARGEST) | st.integers(-1000, 1000)
EDGES = [0, 1, -1, 9, 10, -9, -10, LARGEST, -LARGEST]
EDGES += [sign * (10**k + step) for k in range(1, 19) for step in (-1, 0, 1) for sign in (1, -1)]


def test_edges_are_written_as_str_does() -> None:
    assert integer_text(np.array(EDGES, np.int64)).to_pylist() == [str(value) for value in EDGES]


@given(st.lists(VALUES, max_size=20))
@settings(deadline=None)
def test_columns_of_integers_are_written_as_str_does(values: list[int]) -> None:
    column = integer_text(np.array(values, np.int64))
    assert column.to_pylist() == [str(value) for value in values]


@given(VALUES, st.integers(0, 3))
@settings(deadline=None)
def test_writing_touches_only_its_own_bytes(value: int, at: int) -> None:
    out = np.full(MOST_DIGITS + 6, ord("."), np.uint8)
    end = write_integer(out, at, value)
    text = out.tobytes().decode()
    assert text[at:end] == str(value)
    assert set(text[:at] + text[end:]) <= {"."}
    assert end - at <= MOST_DIGITS
