"""Kernels that draw PCFG SET programs: shapes until one is kept, then symbols for its strings."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_bits
from synthgen.generators._pcfg_shapes import Counts, Limits, draw_shape
from synthgen.generators._pcfg_symbols import FIRST_STRING

_ATTEMPTS = 1000
"""Shapes tried for one address before it is given up as invalid."""
_LOW_32 = np.uint64(0xFFFFFFFF)
_S32 = np.uint64(32)
_ROOM_PER_ROW = 32


@njit(cache=True, nogil=True)
def draw_programs(
    keys: NDArray[np.uint64],
    most: Int,
    limits: Limits,
    thresholds: NDArray[np.float64],
    counts: Counts,
    bounds: NDArray[np.float64],
    kept: NDArray[np.float64],
    late_from: float,
    unary: Counts,
    binary: Counts,
    n_symbols: Int,
) -> tuple[Codes, NDArray[np.int64], NDArray[np.bool_]]:
    """Draw the program of every row; an invalid row holds a single symbol.

    Args:
        keys: of the rows.
        most: nodes that a program can have.
        limits: of a program.
        thresholds: of the sizes to draw from, see `Sizes`.
        counts: of these sizes.
        bounds: of these sizes.
        kept: share of the pool that each cell takes, empty for all of all.
        late_from: place in the pool at which the shortest strings run out.
        unary: codes of the functions of one argument in use.
        binary: and of those of two.
        n_symbols: size of the alphabet.
    """
    n = len(keys)
    most_codes = most * (limits[1] + 1)
    codes = np.empty(n * _ROOM_PER_ROW + most_codes, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    valid = np.zeros(n, np.bool_)
    words = np.empty(most, np.uint64)
    kinds = np.empty(most, np.int64)
    shape = np.empty(most, np.int64)
    stack = np.empty(most, np.int64)
    first_symbol = FIRST_STRING + limits[1]
    at: Int = np.int64(0)
    for i in range(n):
        if at + most_codes > len(codes):
            codes = _larger(codes, at)
        j: Int = np.int64(0)
        nodes: Int = np.int64(0)
        for _ in range(_ATTEMPTS if len(counts) else 0):
            j, nodes, _, _ = draw_shape(
                keys[i],
                j,
                limits,
                thresholds,
                counts,
                bounds,
                kept,
                late_from,
                unary,
                binary,
                words,
                kinds,
                shape,
                stack,
            )
            if nodes > 0:
                break
        valid[i] = nodes > 0
        if nodes == 0:
            codes[at] = first_symbol
            at += 1
        else:
            at = _fill(codes, at, shape, nodes, keys[i], j, n_symbols, first_symbol)
        offsets[i + 1] = at
    return codes[:at], offsets, valid


@njit(cache=True, nogil=True)
def _larger(codes: Codes, used: Int) -> Codes:
    """Return a buffer of twice the size with the same beginning."""
    larger = np.empty(2 * len(codes), np.uint16)
    for at in range(used):
        larger[at] = codes[at]
    return larger


@lent
def _fill(
    codes: Codes,
    at: Int,
    shape: NDArray[np.int64],
    nodes: Int,
    key: np.uint64,
    j: Int,
    n_symbols: Int,
    first_symbol: Int,
) -> Int:
    """Write a shape as codes with random symbols in its strings; two symbols share a draw."""
    half = False
    word = np.uint64(0)
    for node in range(nodes):
        code = shape[node]
        codes[at] = code
        at += 1
        for _ in range(code - FIRST_STRING + 1):
            if half:
                word >>= _S32
            else:
                word = draw_bits(key, j)
                j += 1
            half = not half
            symbol = np.int64(((word & _LOW_32) * np.uint64(n_symbols)) >> _S32)
            codes[at] = first_symbol + symbol
            at += 1
    return at
