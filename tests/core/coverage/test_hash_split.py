"""Splits by hash: the vectors, an oracle, and shares."""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.coverage.hash_split import hash_fractions, hash_split, hash_words
from synthgen.core.errors import ParamError

VECTORS = {
    "(+ v0 v1)": 0.306321,
    "(* v0 v1)": 0.770030,
    "(+ v0 (* 3 v1))": 0.620167,
    "(- v0 v1)": 0.102257,
}
KEYS = st.lists(st.text(max_size=9), max_size=8)


def test_vectors() -> None:
    found = hash_fractions(pa.array(list(VECTORS)), "split-v1")
    assert found.tolist() == pytest.approx(list(VECTORS.values()), abs=5e-7)
    assert hash_split(pa.array(list(VECTORS)), "split-v1", (0.5, 0.5)).tolist() == [0, 1, 1, 0]


@given(KEYS, st.text(max_size=4), st.floats(0, 1))
def test_hash_and_ratio(keys: list[str], salt: str, ratio: float) -> None:
    column = pa.array(keys, pa.string())
    expected = [
        int.from_bytes(hashlib.blake2b(f"{salt}\x1f{key}".encode(), digest_size=8).digest(), "big")
        for key in keys
    ]
    assert hash_words(column, salt).tolist() == expected
    parts = hash_split(column, salt, (ratio, 1.0 - ratio)).tolist()
    assert parts == [int(word >= ratio * 2**64) for word in expected]


@given(KEYS, KEYS)
def test_rows_that_are_added_change_nothing(keys: list[str], more: list[str]) -> None:
    shares = (0.6, 0.0, 0.3, 0.1)
    whole = hash_split(pa.array([*keys, *more], pa.string()), "s", shares)
    part = hash_split(pa.array(keys, pa.string()), "s", shares)
    assert whole[: len(keys)].tolist() == part.tolist()
    assert 1 not in whole


def test_parts_have_their_shares() -> None:
    column = pa.array([str(i) for i in range(20_000)])
    counts = np.bincount(hash_split(column, "s", (0.7, 0.2, 0.1)), minlength=3) / 20_000
    assert counts == pytest.approx([0.7, 0.2, 0.1], abs=0.015)
    assert not hash_split(column, "s", (1.0,)).any()
    assert hash_split(column, "s", (0.0, 1.0)).all()


def test_bad_arguments() -> None:
    for shares in ((), (0.5, 0.6), (1.5, -0.5)):
        with pytest.raises(ParamError, match="shares="):
            hash_split(pa.array(["a"]), "s", shares)
    with pytest.raises(ParamError, match="group keys that are null=1"):
        hash_words(pa.array(["a", None]), "s")
