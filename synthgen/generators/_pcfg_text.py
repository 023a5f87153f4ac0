"""PCFG SET programs as text in prefix notation, with or without brackets."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, text_column
from synthgen.core.derivation import Codes, Signature
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.generators._pcfg_symbols import FIRST_STRING, N_FUNCTIONS, N_UNARY

Bytes = NDArray[np.uint8]
Names = tuple[Bytes, NDArray[np.int64]]
"""The names of all codes end to end, and their offsets."""

_SPACE, _OPEN, _CLOSE, _COMMA = (np.uint8(ord(char)) for char in " (),")
_BESIDE_NAME = 5
"""Bytes that may stand around a name: a bracket or a comma, and spaces."""


def program_text(
    programs: Ragged, signature: Signature, max_string: int, *, bracketed: bool
) -> pa.StringArray:
    """Write every program in prefix notation, with or without brackets."""
    names, name_offsets = signature.name_table
    lengths = np.diff(name_offsets) + _BESIDE_NAME
    bound = int(lengths[programs.values].sum())
    first = FIRST_STRING + max_string
    data, offsets = _write_programs(
        programs.values, programs.offsets, (names, name_offsets), first, int(bracketed), bound
    )
    return text_column(data, offsets)


@lent
def write_name(out: Bytes, at: Int, names: Names, code: Int) -> Int:
    """Write a name at `at` and return where it ends."""
    text, offsets = names
    for byte in range(offsets[code], offsets[code + 1]):
        out[at] = text[byte]
        at += 1
    return at


@njit(cache=True, nogil=True)
def _write_programs(
    codes: Codes,
    offsets: NDArray[np.int64],
    names: Names,
    first_symbol: Int,
    bracketed: Int,
    bound: Int,
) -> tuple[Bytes, NDArray[np.int64]]:
    """Fill the text buffer; `open_arguments` is a stack of arguments still to come."""
    n = len(offsets) - 1
    out = np.empty(bound, np.uint8)
    text_offsets = np.zeros(n + 1, np.int64)
    open_arguments = np.empty(longest_row(offsets), np.int64)
    at: Int = 0
    for i in range(n):
        top = -1
        position = offsets[i]
        while position < offsets[i + 1]:
            code = np.int64(codes[position])
            position += 1
            if code < FIRST_STRING:
                at = write_name(out, at, names, code)
                out[at] = _SPACE
                at += 1
                if bracketed:
                    out[at] = _OPEN
                    out[at + 1] = _SPACE
                    at += 2
                top += 1
                open_arguments[top] = 2 if code % N_FUNCTIONS >= N_UNARY else 1
                continue
            if code >= first_symbol:
                position -= 1
            length: Int = code - FIRST_STRING + 1 if code < first_symbol else 1
            for _ in range(length):
                at = write_name(out, at, names, np.int64(codes[position]))
                out[at] = _SPACE
                at += 1
                position += 1
            while top >= 0:
                open_arguments[top] -= 1
                if open_arguments[top] > 0:
                    out[at] = _COMMA
                    out[at + 1] = _SPACE
                    at += 2
                    break
                if bracketed:
                    out[at] = _CLOSE
                    out[at + 1] = _SPACE
                    at += 2
                top -= 1
        at -= 1
        text_offsets[i + 1] = at
    return out, text_offsets
