from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.coverage.templates import normalised_keys
from synthgen.coverage.text_words import fast_normalised_keys

TEXTS = st.lists(st.text(alphabet="aB 1\t\n\r\x0b\x0c\x1f\x7f\u00a0éÉe\u0301", max_size=8))


@given(TEXTS, st.booleans())
def test_keys_are_those_of_the_long_way(texts: list[str], fold_case: bool) -> None:
    column = pa.array(texts, pa.string())
    fast = fast_normalised_keys(column, fold_case=fold_case)
    assert fast.tolist() == normalised_keys(column, fold_case=fold_case).tolist()


@pytest.mark.parametrize("fold_case", [False, True])
def test_slices_read_the_same(fold_case: bool) -> None:
    column = pa.array(["A  b", " a B ", "é", "x", ""])
    whole = fast_normalised_keys(column, fold_case=fold_case)
    part = fast_normalised_keys(column.slice(1, 3), fold_case=fold_case)
    assert part.tolist() == whole[1:4].tolist()
    assert (whole[0] == whole[1]).all() == fold_case
