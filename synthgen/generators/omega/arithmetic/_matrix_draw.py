"""Kernels that draw the entries of matrices and write matrices as derivations.

The entries of all rows stand in one flat array, each matrix row by row; `offsets` say where the
matrices of a batch begin.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.kinds import Int
from synthgen.core.randomness import U64, draw_below
from synthgen.generators.omega._numbers import LARGEST_LEAF, NEGATIVE, OWN_SYMBOLS, TWO_LIMBS

Integers = NDArray[np.int64]

SHAPES = ("general", "symmetric", "triangular")
GENERAL, SYMMETRIC, TRIANGULAR = range(3)
SMALLEST_SIZE, LARGEST_SIZE = 2, 20
_SIZES = range(SMALLEST_SIZE, LARGEST_SIZE + 1)
_CODES_OF_AN_INTEGER = 4  # neg, int2 and two limbs
_LIMB = 1_000


def matrix_symbols(*, square: bool) -> dict[str, int]:
    """Return the symbols of matrices of all sizes, name -> number of entries."""
    return {f"matrix{r}x{c}": r * c for r in _SIZES for c in _SIZES if r == c or not square}


def matrix_codes(n_rows: Integers, n_columns: Integers, own: int, *, square: bool) -> Integers:
    """Return the code of each matrix's symbol, int64 (n,).

    Args:
        n_rows: int64 (n,).
        n_columns: int64 (n,).
        own: the family's own symbols before those of `matrix_symbols`.
        square: as for `matrix_symbols`.
    """
    index = n_rows - SMALLEST_SIZE
    if not square:
        index = index * len(_SIZES) + n_columns - SMALLEST_SIZE
    return OWN_SYMBOLS + own + index


@njit(cache=True, nogil=True)
def draw_entries(
    keys: U64,
    offsets: Integers,
    n_columns: Integers,
    bounds: Integers,
    shapes: Integers,
    regular: bool,  # noqa: FBT001 - kernels take arguments by position
) -> Integers:
    """Draw entries from -bound to bound, flat.

    Args:
        keys: of the rows, uint64 (n,).
        offsets: of the matrices, int64 (n + 1,).
        n_columns: int64 (n,).
        bounds: int64 (n,).
        shapes: GENERAL, SYMMETRIC or (upper) TRIANGULAR, int64 (n,).
        regular: whether triangular matrices have no zero on the diagonal.
    """
    entries = np.zeros(offsets[-1], np.int64)
    for i in range(len(keys)):
        columns, bound, shape = n_columns[i], bounds[i], shapes[i]
        for at in range(offsets[i], offsets[i + 1]):
            place = at - offsets[i]
            row, column = place // columns, place % columns
            if shape == TRIANGULAR and row > column:
                continue
            if shape == SYMMETRIC and row > column:
                entries[at] = entries[offsets[i] + column * columns + row]
            elif shape == TRIANGULAR and row == column and regular:
                value = draw_below(keys[i], place, 2 * bound) - bound
                entries[at] = value if value < 0 else value + 1
            else:
                entries[at] = draw_below(keys[i], place, 2 * bound + 1) - bound
    return entries


@njit(cache=True, nogil=True)
def shapes_of(entries: Integers, offsets: Integers, sizes: Integers) -> Integers:
    """Return the shape that each square matrix has, the narrowest of all, int64 (n,)."""
    shapes = np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        start, size = offsets[i], sizes[i]
        triangular, symmetric = True, True
        for row in range(size):
            for column in range(row):
                value = entries[start + row * size + column]
                triangular = triangular and value == 0
                symmetric = symmetric and value == entries[start + column * size + row]
        shapes[i] = TRIANGULAR if triangular else SYMMETRIC if symmetric else GENERAL
    return shapes


@njit(cache=True, nogil=True)
def _write_integer(codes: NDArray[np.uint16], at: Int, value: Int) -> Int:
    """Write the codes of an integer below 10^6 in magnitude and return where they end."""
    if value < -LARGEST_LEAF:
        codes[at] = NEGATIVE
        at += 1
        value = -value
    if value <= LARGEST_LEAF:
        codes[at] = value + LARGEST_LEAF
        return at + 1
    codes[at] = TWO_LIMBS
    codes[at + 1] = value // _LIMB + LARGEST_LEAF
    codes[at + 2] = value % _LIMB + LARGEST_LEAF
    return at + 3


@njit(cache=True, nogil=True)
def _write_codes(
    heads: Integers,
    numbers: Integers,
    n_numbers: Integers,
    symbols: Integers,
    entries: Integers,
    offsets: Integers,
    bound: Int,
) -> tuple[NDArray[np.uint16], Integers]:
    """Write head, numbers and matrices of every row; `offsets` are of the matrices, (n k + 1,)."""
    codes = np.empty(bound, np.uint16)
    ends = np.zeros(len(heads) + 1, np.int64)
    n_matrices = symbols.shape[1]
    at: Int = 0
    for i in range(len(heads)):
        codes[at] = heads[i]
        at += 1
        for j in range(n_numbers[i]):
            at = _write_integer(codes, at, numbers[i, j])
        for j in range(n_matrices):
            codes[at] = symbols[i, j]
            at += 1
            matrix = i * n_matrices + j
            for place in range(offsets[matrix], offsets[matrix + 1]):
                at = _write_integer(codes, at, entries[place])
        ends[i + 1] = at
    return codes[:at].copy(), ends


def derivations_of(
    heads: Integers, numbers: Integers, n_numbers: Integers, symbols: Integers, matrices: Ragged
) -> Ragged:
    """Return the derivations `(head number ... matrix ...)`.

    Args:
        heads: codes, int64 (n,).
        numbers: of which the first `n_numbers` belong to the problem, int64 (n, m).
        n_numbers: int64 (n,).
        symbols: codes of the symbols of the k matrices of each row, int64 (n, k).
        matrices: their entries, n k rows, below 10^6 in magnitude.
    """
    integers = numbers.size + len(matrices.values)
    bound = len(heads) + symbols.size + _CODES_OF_AN_INTEGER * integers
    return Ragged(
        *_write_codes(heads, numbers, n_numbers, symbols, matrices.values, matrices.offsets, bound)
    )
