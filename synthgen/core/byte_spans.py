"""Copy, compare and search spans of bytes in kernels with functions of the C library.

A loop over bytes takes three to five times as long on the short spans that texts are made of. A
compiled kernel calls the C library where a plain one calls these functions. Bounds are not checked
there: a span must be inside its array, and its length must not be negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numpy.typing import NDArray

from synthgen.core.columns import text_column
from synthgen.core.kernels import Int, jit, kernel

Bytes = NDArray[np.uint8]


def copy_bytes(out: Bytes, at: Int, source: Bytes, start: Int, length: Int) -> None:
    """Write source[start : start + length] to `at` of `out`, another array."""
    out[at : at + length] = source[start : start + length]


def same_bytes(text: Bytes, at: Int, source: Bytes, start: Int, length: Int) -> bool:
    """Return whether `length` bytes of two arrays, or of one, are the same."""
    return bool(np.array_equal(text[at : at + length], source[start : start + length]))


def find_byte(text: Bytes, byte: Int, start: Int, length: Int) -> Int:
    """Return how many bytes from `start` on precede the first such byte; at most `length`."""
    places = np.flatnonzero(text[start : start + length] == byte)
    return np.int64(places[0]) if len(places) else length


_INDEX = types.intp  # all integer arguments are cast to this type


def _type_copy(out: Any, _at: Any, source: Any, _start: Any, _length: Any) -> Any:
    return types.none(out, _INDEX, source, _INDEX, _INDEX)


def _type_same(text: Any, _at: Any, source: Any, _start: Any, _length: Any) -> Any:
    return types.boolean(text, _INDEX, source, _INDEX, _INDEX)


def _type_find(text: Any, _byte: Any, _start: Any, _length: Any) -> Any:
    return types.int64(text, types.int32, _INDEX, _INDEX)


def _build_copy(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    to = _address(context, builder, signature.args[0], values[0], values[1])
    source = _address(context, builder, signature.args[2], values[2], values[3])
    cgutils.raw_memcpy(builder, to, source, values[4], 1)  # type: ignore[no-untyped-call]
    return context.get_dummy_value()


def _build_same(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    left = _address(context, builder, signature.args[0], values[0], values[1])
    right = _address(context, builder, signature.args[2], values[2], values[3])
    result = _call(builder, "memcmp", ir.IntType(32), [left, right, values[4]])
    return builder.icmp_signed("==", result, ir.Constant(result.type, 0))


def _build_find(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    first = _address(context, builder, signature.args[0], values[0], values[2])
    match = _call(builder, "memchr", first.type, [first, values[1], values[3]])
    word = values[3].type
    passed = builder.sub(builder.ptrtoint(match, word), builder.ptrtoint(first, word))
    none = builder.icmp_unsigned("==", match, ir.Constant(match.type, None))
    return builder.select(none, values[3], passed)


def _address(context: Any, builder: Any, kind: Any, value: Any, at: Any) -> Any:
    """Return the address of one byte of an array."""
    return builder.gep(context.make_array(kind)(context, builder, value).data, [at])


def _call(builder: Any, name: str, result: Any, values: list[Any]) -> Any:
    """Call a function of the C library."""
    kind = ir.FunctionType(result, [value.type for value in values])
    function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
        builder.module, kind, name
    )
    return builder.call(function, values)


_ARRAY, _INT = types.Array, types.Integer
_TWO_SPANS = (_ARRAY, _INT, _ARRAY, _INT, _INT)
_lowering: Any = lower_builtin
for _function, _typing, _building, _kinds in (
    (copy_bytes, _type_copy, _build_copy, _TWO_SPANS),
    (same_bytes, _type_same, _build_same, _TWO_SPANS),
    (find_byte, _type_find, _build_find, (_ARRAY, _INT, _INT, _INT)),
):
    type_callable(_function)(lambda _, typing=_typing: typing)  # type: ignore[misc]
    _lowering(_function, *_kinds)(_building)


_MINUS, _ZERO = np.uint8(ord("-")), np.uint8(ord("0"))
MAX_DIGITS = 20
"""Bytes enough for any 64-bit integer, sign included."""


@kernel
def write_integer(out: NDArray[np.uint8], at: Int, value: Int) -> Int:
    """Write a value above -2^63 in decimal at `at` and return where it ends."""
    if value < 0:
        out[at] = _MINUS
        at += 1
        value = -value
    digits = 1
    rest = value // 10
    while rest > 0:
        digits += 1
        rest //= 10
    for place in range(digits - 1, -1, -1):
        out[at + place] = _ZERO + np.uint8(value % 10)
        value //= 10
    return at + digits


def integer_text(values: NDArray[np.int64]) -> pa.StringArray:
    """Write integers above -2^63 in decimal, as an Arrow string column."""
    data, offsets = _write_integers(values)
    return text_column(data, offsets)


@jit
def _write_integers(values: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    out = np.empty(len(values) * MAX_DIGITS, np.uint8)
    offsets = np.zeros(len(values) + 1, np.int64)
    at: Int = 0
    for i in range(len(values)):
        at = write_integer(out, at, values[i])
        offsets[i + 1] = at
    return out[:at].copy(), offsets
