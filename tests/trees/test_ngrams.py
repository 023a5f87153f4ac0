"""N-grams and tokens against plain Python."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.trees.ngrams import fold, fold_words, joined, ngrams, token_ids

SEQUENCES = st.lists(st.lists(st.integers(0, 3), max_size=7), max_size=5)
TEXTS = st.lists(st.text("ab é", max_size=24), max_size=5)
PINNED = ["8aba74d6be63a086", "de2676625c7ff29c"]


def windows(row: list[int], n: int, *, borders: bool) -> list[tuple[int, ...]]:
    padded = [-1, *row, -2] if borders else row
    return [tuple(padded[i : i + n]) for i in range(len(padded) - n + 1)]


@given(rows=SEQUENCES, n=st.integers(1, 5), borders=st.booleans())
def test_ngrams_are_the_windows(*, rows: list[list[int]], n: int, borders: bool) -> None:
    found = ngrams(ragged(rows), n, borders=borders)
    expected = [windows(row, n, borders=borders) for row in rows]
    assert found.values.dtype == np.uint64
    assert found.lengths.tolist() == [len(row) for row in expected]
    names = dict(zip(found.values.tolist(), (w for row in expected for w in row), strict=True))
    flat = [window for row in expected for window in row]
    assert [names[word] for word in found.values.tolist()] == flat
    assert len(names) == len(set(flat))


@given(SEQUENCES)
def test_ngrams_of_different_lengths_share_no_ids(rows: list[list[int]]) -> None:
    kinds = [set(ngrams(ragged(rows), n, borders=True).values.tolist()) for n in range(1, 5)]
    assert sum(map(len, kinds)) == len(set().union(*kinds))


@given(SEQUENCES, SEQUENCES)
def test_joined_puts_rows_end_to_end(one: list[list[int]], other: list[list[int]]) -> None:
    n = min(len(one), len(other))
    found = joined([ragged(one[:n]), ragged(other[:n]), ragged(one[:n])])
    assert [found.row(i).tolist() for i in range(n)] == [
        [*one[i], *other[i], *one[i]] for i in range(n)
    ]


@given(TEXTS)
def test_tokens_are_what_spaces_part(texts: list[str]) -> None:
    found = token_ids(pa.array(texts, pa.string()))
    tokens = [token for text in texts for token in text.split(" ") if token]
    assert found.lengths.tolist() == [len(text.split()) for text in texts]
    names = dict(zip(found.values.tolist(), tokens, strict=True))
    assert [names[word] for word in found.values.tolist()] == tokens
    assert len(names) == len(set(tokens))


def test_long_tokens_differ_in_every_byte() -> None:
    texts = ["a" * i + "b" + "a" * (20 - i) for i in range(21)] + ["a" * i for i in range(1, 22)]
    assert len(set(token_ids(pa.array(texts)).values.tolist())) == 42


def test_nulls_and_slices() -> None:
    column = pa.array(["x", None, "b a", "", "a"])[1:]
    found = token_ids(column)
    assert found.lengths.tolist() == [0, 2, 0, 1]
    assert found.values[1] == found.values[2]


def test_ids_never_change() -> None:
    found = ngrams(token_ids(pa.array(["jump twice"])), 3, borders=True)
    assert [f"{word:016x}" for word in found.values.tolist()] == PINNED


def test_folding_alone_and_in_arrays() -> None:
    words = np.array([0, 1, 2**64 - 1], np.uint64)
    folded = fold_words(words[:, None], words)
    for one, other in pairwise(range(3)):
        assert folded[one, other] == fold(words[one], words[other])
    assert len(set(folded.ravel().tolist())) == 9


def test_bad_arguments() -> None:
    with pytest.raises(ParamError, match="n=0: expected an integer from 1 to 64"):
        ngrams(ragged([[1]]), 0)
    with pytest.raises(ParamError, match="rows of the parts"):
        joined([ragged([[1]]), ragged([])])
    with pytest.raises(ParamError, match="rows of the parts"):
        joined([])
