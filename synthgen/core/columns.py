"""Ragged columns: flat values and offsets, as kernels fill them and as Arrow reads them.

A ragged column of n rows is `values` (m,) and `offsets` (n + 1,) with row i in
values[offsets[i] : offsets[i + 1]]. Text is the same with UTF-8 bytes for values, and becomes an
Arrow string column over the same memory, without a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, kernel

_MAX_TEXT_BYTES = 2**31 - 1


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths over one flat array.

    Attributes:
        values: Flat array (m,) of any dtype.
        offsets: Non-decreasing int64 (n + 1,), from 0 to m.
    """

    values: NDArray[Any]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def row(self, i: int) -> NDArray[Any]:
        """Return the values of row i."""
        return self.values[self.offsets[i] : self.offsets[i + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of values in each row, int64 (n,)."""
        return np.diff(self.offsets)

    def take(self, indices: NDArray[np.integer]) -> Ragged:
        """Return the rows at these indices, in this order."""
        lengths = self.lengths[indices]
        offsets = offsets_of(lengths)
        shift = np.repeat(self.offsets[:-1][indices] - offsets[:-1], lengths)
        return Ragged(self.values[np.arange(offsets[-1]) + shift], offsets)

    def only(self, kept: NDArray[np.bool_]) -> Ragged:
        """Return the same rows with only the values that are kept, bool (m,)."""
        return Ragged(self.values[kept], offsets_of(kept)[self.offsets])


def ragged(rows: Iterable[Iterable[int]], dtype: type[np.generic] = np.uint16) -> Ragged:
    """Build a ragged column from rows of integers."""
    lists = [list(row) for row in rows]
    flat = [value for row in lists for value in row]
    return Ragged(np.array(flat, dtype=dtype), offsets_of(np.array([len(row) for row in lists])))


def offsets_of(lengths: NDArray[np.integer] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the offsets int64 (n + 1,) of rows with these lengths."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def text_column(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> pa.StringArray:
    """Hand a filled text buffer to Arrow without copying it.

    Args:
        data: UTF-8 bytes, at least offsets[-1] of them, uint8; they must not change later.
        offsets: Start of each text and end of the last, from 0, (n + 1,).

    Raises:
        ParamError: for more than 2 GiB of text, which Arrow's `string` cannot address.
    """
    total = int(offsets[-1])
    if total > _MAX_TEXT_BYTES:
        raise ParamError("text bytes in one batch", total, f"at most {_MAX_TEXT_BYTES}")
    buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(data[:total])]
    return pa.Array.from_buffers(pa.string(), len(offsets) - 1, buffers)


def text_bytes(column: pa.StringArray) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the bytes and absolute offsets of an Arrow string column, as kernels read them.

    Offsets count from the start of the returned bytes, also for a sliced column. Nulls read as
    empty text. The bytes are a view where the column has text.
    """
    offset_buffer, data_buffer = column.buffers()[1:]
    if len(column) == 0 or data_buffer is None:
        return np.zeros(0, np.uint8), np.zeros(len(column) + 1, np.int64)
    window = slice(column.offset, column.offset + len(column) + 1)
    offsets = np.frombuffer(offset_buffer, np.int32)[window].astype(np.int64)
    return np.frombuffer(data_buffer, np.uint8), offsets


def integer_column(values: NDArray[np.integer]) -> pa.Array:
    """Hand integers to Arrow without copying them.

    `pa.array` would do, but it first imports pandas where that is installed.
    """
    values = np.ascontiguousarray(values)
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def integer_values(column: pa.Array) -> NDArray[Any]:
    """Return the values of an Arrow integer column without a copy; nulls read as arbitrary values.

    `to_numpy` would do, but it first imports pandas where that is installed.
    """
    data = column.buffers()[1]
    if data is None:
        return np.zeros(len(column), str(column.type))
    return np.frombuffer(data, str(column.type))[column.offset : column.offset + len(column)]


def boolean_column(values: NDArray[np.bool_]) -> pa.BooleanArray:
    """Return truth values as an Arrow column."""
    bits = np.packbits(values, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])


def null_mask(column: pa.Array) -> NDArray[np.bool_]:
    """Return which values of an Arrow column are null, bool (n,)."""
    validity = column.buffers()[0]
    if validity is None or column.null_count == 0:
        return np.full(len(column), column.null_count > 0)
    bits = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")
    unset: NDArray[np.bool_] = bits[column.offset : column.offset + len(column)] == 0
    return unset


def text_list(texts: Iterable[str]) -> pa.StringArray:
    """Return a few texts as an Arrow string column."""
    encoded = [text.encode() for text in texts]
    lengths = np.array([len(text) for text in encoded], np.int64)
    return text_column(np.frombuffer(b"".join(encoded), np.uint8), offsets_of(lengths))


def constant_text(value: str, n: int) -> pa.DictionaryArray:
    """Return n copies of one text as a dictionary column."""
    return choice_text(np.zeros(n, np.int8), [value])


def choice_text(codes: NDArray[np.integer], names: Iterable[str]) -> pa.DictionaryArray:
    """Return names[code] for each code as a dictionary column."""
    indices = integer_column(codes.astype(np.int32))
    return pa.DictionaryArray.from_arrays(indices, text_list(names))


def table_column(table: pa.Table, name: str) -> pa.Array:
    """Return a column of a table as one array, without a copy where it is one already."""
    column = table[name]
    if column.num_chunks == 1:
        return column.chunk(0)
    pieces = column.combine_chunks()
    return pieces.chunk(0) if isinstance(pieces, pa.ChunkedArray) else pieces


@kernel
def longest_row(offsets: NDArray[np.int64]) -> Int:
    """Return the length of the longest row, at least 1, as stacks over a row need it."""
    longest: Int = np.int64(1)
    for i in range(len(offsets) - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    return longest


Columns = Mapping[str, NDArray[Any]]


class LazyColumns(Mapping[str, NDArray[Any]]):
    """Columns at hand, and others that are computed together on first access.

    Selection uses few axes of a candidate, and drawing is most of its work; axes that are never
    read need not be measured.

    Args:
        at_hand: Known columns, by name.
        names: Names of the other columns.
        compute: Function that returns all other columns.
    """

    def __init__(
        self, at_hand: Columns, names: tuple[str, ...], compute: Callable[[], Columns]
    ) -> None:
        self._at_hand = at_hand
        self._names = names
        self._compute = compute

    @cached_property
    def _computed(self) -> Columns:
        return self._compute()

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._at_hand[name] if name in self._at_hand else self._computed[name]

    def __contains__(self, name: object) -> bool:
        return name in self._at_hand or name in self._names

    def __iter__(self) -> Iterator[str]:
        yield from self._at_hand
        yield from self._names

    def __len__(self) -> int:
        return len(self._at_hand) + len(self._names)


T = TypeVar("T", bound=np.generic)


def distinct_values(values: NDArray[T]) -> NDArray[T]:
    """Return the different values of an array of any shape in ascending order, (m,).

    As `np.unique`, in a fiftieth of its time for millions of different integers.
    """
    ordered = np.sort(values, axis=None)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
