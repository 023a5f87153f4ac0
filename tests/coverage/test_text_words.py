"""Words and runs of words against regular expressions."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.errors import ParamError
from synthgen.coverage.text_words import distinct, shingles, words_and_signs

TEXTS = st.lists(st.text("ab1 2+*\té\nAZ_", max_size=12), max_size=6)
WORD = re.compile(r"[A-Za-z0-9é]+|[+*_]")

ID_OF_X = 12239735319738284242
ID_OF_3_TIMES = 8514913716364085952


def ids(texts: list[str | None], mask_numbers: int = 0) -> Ragged:
    return words_and_signs(pa.array(texts, pa.string()), mask_numbers=mask_numbers)


def groups(values: list[object]) -> list[int]:
    """Number the values by their first occurrence: what equal ids must have in common."""
    first: dict[object, int] = {}
    return [first.setdefault(value, len(first)) for value in values]


@given(TEXTS, st.integers(0, 2))
def test_words_are_runs_and_signs(texts: list[str], fewest: int) -> None:
    found = ids(list(texts), fewest)
    words = [WORD.findall(text) for text in texts]
    assert found.lengths.tolist() == [len(row) for row in words]
    flat = [
        "number" if word.isdigit() and 0 < fewest <= len(word) else f"={word}"
        for row in words
        for word in row
    ]
    assert groups(found.values.tolist()) == groups(list(flat))


@given(TEXTS, st.integers(1, 4))
def test_runs_of_words(texts: list[str], n: int) -> None:
    words = ids(list(texts))
    found = shingles(words, n)
    expected = []
    for i in range(len(words)):
        row = words.row(i).tolist()
        runs = [tuple(row[j : j + n]) for j in range(len(row) - n + 1)]
        expected.append(runs or ([tuple(row)] if row else []))
    assert found.lengths.tolist() == [len(row) for row in expected]
    flat = [run for row in expected for run in row]
    assert groups(found.values.tolist()) == groups(list(flat))


@given(st.lists(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 4), max_size=40), max_size=6))
def test_different_ids_rise(rows: list[list[int]]) -> None:
    found = distinct(ragged(rows, np.uint64))
    assert [found.row(i).tolist() for i in range(len(rows))] == [sorted(set(row)) for row in rows]


def test_ids_never_change() -> None:
    found = shingles(ids(["3*x + 5"]), 2)
    assert ids(["x"]).values.tolist() == [ID_OF_X]
    assert found.values[0] == ID_OF_3_TIMES


def test_a_slice_and_nulls() -> None:
    column = pa.array(["one two", None, "two one", "x"])
    assert words_and_signs(column.slice(1, 2)).lengths.tolist() == [0, 2]
    assert words_and_signs(column.slice(0, 0)).lengths.tolist() == []


def test_runs_have_words() -> None:
    with pytest.raises(ParamError, match=r"n=0: expected an integer from 1 to 64"):
        shingles(ids(["a"]), 0)
