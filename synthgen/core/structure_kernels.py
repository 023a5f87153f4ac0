"""Kernels of named structures: one walk over the trees, and the folds of what it finds into ids."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.coverage.ngrams import fold
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.offsets import longest_row
from synthgen.core.randomness import U64

SYMBOLS, PLACED, EDGES, SLOTS, SIBLINGS, LOCAL = range(6)
MOST_DEPTH = 255
MOST_COUNT = 32_767
_SYMBOL_AT = tuple(np.uint64(shift) for shift in (32, 16, 0))
_CODE_AT, _LOW, _FIRST_OF_THREE = np.uint64(48), np.uint64(0xFFFF), np.uint64(2)
Ints = NDArray[np.int64]


@njit(cache=True, nogil=True)
def walk_structures(
    codes: Codes, offsets: Ints, arities: Ints, kind: int
) -> tuple[Ints, Ints, Ints, Ints, int]:
    """Return outer symbol, place and inner symbol of each structure, and the first bad row or -1.

    The stack holds, of each node above, its symbol, how many arguments it has had, and the symbol
    of the last of them; what a structure has not is -1 (inner) or 0 (place).
    """
    n, size = len(offsets) - 1, len(codes)
    outer, places = np.empty(size, np.int64), np.zeros(size, np.int64)
    inner, out_offsets = np.full(size, -1, np.int64), np.zeros(n + 1, np.int64)
    room = longest_row(offsets) + 1
    above, had, last = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        depth: Int = np.int64(0)
        whole = offsets[i] < offsets[i + 1]
        for node in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[node])
            whole = whole and (depth > 0 or node == offsets[i])
            if not whole:
                break
            top = depth - 1
            if kind == SYMBOLS or kind == PLACED:
                outer[at] = code
                places[at] = min(depth, MOST_DEPTH) if kind == PLACED else 0
                at += 1
            elif depth > 0 and kind != SIBLINGS:
                outer[at], inner[at] = above[top], code
                places[at] = had[top] + 1 if kind == SLOTS else 0
                at += 1
            elif depth > 0 and had[top] > 0:
                outer[at], inner[at] = last[top], code
                at += 1
            if depth > 0:
                had[top] += 1
                last[top] = code
            above[depth], had[depth] = code, 0
            depth += 1
            while depth > 0 and had[depth - 1] >= arities[above[depth - 1]]:
                depth -= 1
        if not whole or depth > 0:
            return outer, places, inner, out_offsets, i
        out_offsets[i + 1] = at
    return outer, places, inner, out_offsets, -1


@njit(cache=True, nogil=True)
def fold_structures(outer: Ints, places: Ints, inner: Ints, ids: U64, kind: int) -> U64:
    """Fold kind, place and symbols into ids; the id of a symbol is its own."""
    out = np.empty(len(outer), np.uint64)
    for i in range(len(outer)):
        state = ids[outer[i]]
        if kind != SYMBOLS:
            state = fold(state, np.uint64(kind) << _CODE_AT | np.uint64(places[i]))
            if kind != PLACED:
                state = fold(state, ids[inner[i]])
        out[i] = state
    return out


@njit(cache=True, nogil=True)
def fold_local(words: U64, ids: U64) -> U64:
    """Fold local structures as `local_structures.structure_ids` does; the last id is the root's."""
    out = np.empty(len(words), np.uint64)
    root = np.int64(len(ids) - 1)
    for i in range(len(words)):
        word = words[i]
        state = word >> _CODE_AT
        first = 0 if state >= _FIRST_OF_THREE else 1
        for place in range(first, 3):
            symbol = np.int64((word >> _SYMBOL_AT[place]) & _LOW)
            state = fold(state, ids[symbol if symbol < root else root])
        out[i] = state
    return out


@njit(cache=True, nogil=True)
def count_wanted(
    ids: U64,
    offsets: Ints,
    wanted: U64,
    kinds: bool,  # noqa: FBT001
) -> NDArray[np.int16]:
    """Count the ids of each row that are wanted, int16 (n,); each only once if `kinds`.

    `wanted` is sorted, and has one id at least.
    """
    out = np.zeros(len(offsets) - 1, np.int16)
    last_row = np.full(len(wanted), -1, np.int64)
    for i in range(len(out)):
        count = 0
        for at in range(offsets[i], offsets[i + 1]):
            low, high = 0, len(wanted) - 1
            while low < high:
                middle = (low + high) >> 1
                if wanted[middle] < ids[at]:
                    low = middle + 1
                else:
                    high = middle
            if wanted[low] == ids[at] and not (kinds and last_row[low] == i):
                last_row[low] = i
                count += 1
        out[i] = min(count, MOST_COUNT)
    return out
