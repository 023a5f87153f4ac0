"""Stretches of bytes: what the C library says in compiled kernels, and Python in plain ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import Bytes, copy_bytes, find_byte, same_bytes


@njit
def copied(out: Bytes, at: int, source: Bytes, start: int, length: int) -> None:
    copy_bytes(out, at, source, start, length)


@njit
def same(text: Bytes, at: int, source: Bytes, start: int, length: int) -> bool:
    return same_bytes(text, at, source, start, length)


@njit
def found(text: Bytes, byte: int, start: int, length: int) -> int:
    return find_byte(text, byte, start, length)


def array(text: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(text, np.uint8)


@pytest.mark.parametrize("copy", [copied, copy_bytes])
def test_a_copy_leaves_the_bytes_around_it(copy: Callable[..., None]) -> None:
    out = np.zeros(8, np.uint8)
    copy(out, 2, array(b"abcdef"), 1, 3)
    assert out.tobytes() == b"\0\0bcd\0\0\0"
    copy(out, 8, array(b"abcdef"), 6, 0)
    assert out.tobytes() == b"\0\0bcd\0\0\0"


@given(st.binary(max_size=40), st.integers(0, 255), st.data())
def test_both_forms_agree(text: bytes, byte: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, len(text) - start))
    other = data.draw(st.integers(0, len(text) - length))
    whole = array(text)
    place = text[start : start + length].find(bytes([byte]))
    expected = place if place >= 0 else length
    assert found(whole, byte, start, length) == find_byte(whole, byte, start, length) == expected
    equal = text[start : start + length] == text[other : other + length]
    assert same(whole, start, whole, other, length) == equal
    assert same_bytes(whole, start, whole, other, length) == equal
