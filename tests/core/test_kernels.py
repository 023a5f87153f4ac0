"""Kernels: what they compute without counting references, numerals, and stretches of bytes."""

from collections.abc import Callable

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from synthgen.core.byte_spans import (
    MAX_DIGITS,
    Bytes,
    copy_bytes,
    find_byte,
    integer_text,
    same_bytes,
    write_integer,
)
from synthgen.core.kernels import kernel


def _total(values: NDArray[np.int64]) -> int:
    total = 0
    for value in values:
        total += value
    return total


def test_without_the_option_it_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("numba.core.cpu.CPUTargetOptions")
    assert kernel(_total)(np.array([3, -1, 4])) == 6


@pytest.mark.skipif(bool(getattr(numba.config, "DISABLE_JIT", 0)), reason="nothing is compiled")
def test_it_cannot_allocate() -> None:
    def doubled(values: NDArray[np.int64]) -> int:
        return len(values.copy())

    assert doubled(np.arange(3)) == 3
    with pytest.raises((NumbaError, RuntimeError, AssertionError)):
        kernel(doubled)(np.arange(3))


LARGEST = 2**63 - 1
VALUES = st.integers(-LARGEST, LARGEST) | st.integers(-1000, 1000)
EDGES = [0, 1, -1, 9, 10, -9, -10, LARGEST, -LARGEST]
EDGES += [sign * (10**k + step) for k in range(1, 19) for step in (-1, 0, 1) for sign in (1, -1)]


def test_edges_are_written_as_str_does() -> None:
    assert integer_text(np.array(EDGES, np.int64)).to_pylist() == [str(value) for value in EDGES]


@given(st.lists(VALUES, max_size=20))
def test_columns_of_integers_are_written_as_str_does(values: list[int]) -> None:
    column = integer_text(np.array(values, np.int64))
    assert column.to_pylist() == [str(value) for value in values]


@given(VALUES, st.integers(0, 3))
def test_writing_touches_only_its_own_bytes(value: int, at: int) -> None:
    out = np.full(MAX_DIGITS + 6, ord("."), np.uint8)
    end = write_integer(out, at, value)
    text = out.tobytes().decode()
    assert text[at:end] == str(value)
    assert set(text[:at] + text[end:]) <= {"."}
    assert end - at <= MAX_DIGITS


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
