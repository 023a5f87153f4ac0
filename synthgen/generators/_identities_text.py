"""Kernels from derivations to text: the term before and after the rewriting, infix, bindings.

A parenthesis stands where the tree needs one and nowhere else: around an operation that is the
left operand of one that binds tighter, or the right operand of one that binds as tight or tighter,
or any operand of `^`.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.generators._identities_match import instance, subtree_sizes
from synthgen.generators._identities_terms import FIRST_META, FIRST_RULE, FIRST_VARIABLE, METAS

Names = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]
Text = tuple[NDArray[np.uint8], NDArray[np.int64]]
_POWER = 3
_OPEN, _CLOSE, _NEWLINE, _SPACE, _EQUALS, _A = (np.uint8(ord(sign)) for sign in "()\n =a")
_BYTES_A_CODE = 6
"""The most that one symbol takes: `tanh(` and `)`."""
_CLOSING = -1


@lent
def _rule_place(tree: Codes) -> Int:
    """Return where a derivation has its identity."""
    place: Int = 0
    while tree[place] < FIRST_RULE:
        place += 1
    return place


@lent
def _value_starts(
    place: Int, sizes: NDArray[np.int64], n_metas: Int, starts: NDArray[np.int64]
) -> None:
    """Fill where the value of each meta-variable begins, and where the last one ends."""
    starts[0] = place + 1
    for meta in range(n_metas):
        starts[meta + 1] = starts[meta] + sizes[starts[meta]]


@njit(cache=True, nogil=True)
def expand_terms(
    codes: Codes,
    offsets: NDArray[np.int64],
    sides: tuple[Codes, NDArray[np.int64]],
    arities: NDArray[np.int64],
) -> tuple[Codes, NDArray[np.int64]]:
    """Put one side, with its meta-variables' values, into the place of each row's identity."""
    n = len(offsets) - 1
    sizes = np.empty(longest_row(offsets), np.int64)
    starts = np.empty(len(METAS) + 1, np.int64)
    out_offsets = np.zeros(n + 1, np.int64)
    out = np.empty(0, np.uint16)
    for writes in range(2):
        for i in range(n):
            tree = codes[offsets[i] : offsets[i + 1]]
            place = _rule_place(tree)
            rule = np.int64(tree[place]) - FIRST_RULE
            side = sides[0][sides[1][rule] : sides[1][rule + 1]]
            subtree_sizes(tree, arities, sizes)
            n_metas = arities[tree[place]]
            _value_starts(place, sizes, n_metas, starts)
            if writes == 0:
                length = len(tree) - sizes[place]
                for code in side:
                    meta = np.int64(code) - FIRST_META
                    length += 1 if meta < 0 else starts[meta + 1] - starts[meta]
                out_offsets[i + 1] = out_offsets[i] + length
                continue
            at = out_offsets[i]
            out[at : at + place] = tree[:place]
            at = instance(out, at + place, side, tree, starts)
            out[at : out_offsets[i + 1]] = tree[place + sizes[place] :]
        if writes == 0:
            out = np.empty(out_offsets[n], np.uint16)
    return out, out_offsets


@lent
def _write_term(
    out: NDArray[np.uint8],
    at: Int,
    tree: Codes,
    place: Int,
    sizes: NDArray[np.int64],
    names: Names,
    pending: NDArray[np.int64],
) -> Int:
    """Write the subterm at `place` and return where it ends.

    `pending` is a stack of what is still to be written: CLOSING, an operator's sign as -2 - code,
    or a place, times two, plus one if it is in parentheses.
    """
    letters, name_offsets, ranks = names
    pending[0] = 2 * place
    top = 0
    while top >= 0:
        task = pending[top]
        top -= 1
        if task == _CLOSING:
            out[at] = _CLOSE
            at += 1
            continue
        place = task >> 1
        code = np.int64(tree[place]) if task >= 0 else -2 - task
        rank = ranks[code]
        if task >= 0 and rank > 0:
            if task & 1:
                out[at] = _OPEN
                at += 1
                top += 1
                pending[top] = _CLOSING
            right = place + 1 + sizes[place + 1]
            pending[top + 1] = 2 * right + _wraps(ranks[tree[right]], rank, 1)
            pending[top + 2] = -2 - code
            pending[top + 3] = 2 * (place + 1) + _wraps(ranks[tree[place + 1]], rank, 0)
            top += 3
            continue
        for byte in range(name_offsets[code], name_offsets[code + 1]):
            out[at] = letters[byte]
            at += 1
        if task >= 0 and code < FIRST_VARIABLE:
            pending[top + 1] = _CLOSING
            pending[top + 2] = 2 * (place + 1)
            top += 2
    return at


@lent
def _wraps(inner: Int, outer: Int, is_right: Int) -> Int:
    """Return 1 if an operand of rank `inner` (0: no operation) needs parentheses, else 0."""
    tied = inner == outer and (is_right == 1 or outer == _POWER)
    return 1 if 0 < inner < outer or tied else 0


@njit(cache=True, nogil=True)
def infix_texts(
    codes: Codes, offsets: NDArray[np.int64], arities: NDArray[np.int64], names: Names
) -> Text:
    """Write every term as infix text."""
    n = len(offsets) - 1
    out = np.empty(_BYTES_A_CODE * len(codes), np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    longest = longest_row(offsets)
    sizes, pending = np.empty(longest, np.int64), np.empty(4 * longest, np.int64)
    at: Int = 0
    for i in range(n):
        tree = codes[offsets[i] : offsets[i + 1]]
        subtree_sizes(tree, arities, sizes)
        at = _write_term(out, at, tree, 0, sizes, names, pending)
        out_offsets[i + 1] = at
    return out[:at].copy(), out_offsets


@njit(cache=True, nogil=True)
def binding_texts(
    codes: Codes, offsets: NDArray[np.int64], arities: NDArray[np.int64], names: Names
) -> Text:
    """Write the values of each row's meta-variables, one `a = value` a line."""
    n = len(offsets) - 1
    out = np.empty(_BYTES_A_CODE * (len(codes) + n * len(METAS)), np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    longest = longest_row(offsets)
    sizes, pending = np.empty(longest, np.int64), np.empty(4 * longest, np.int64)
    starts = np.empty(len(METAS) + 1, np.int64)
    at: Int = 0
    for i in range(n):
        tree = codes[offsets[i] : offsets[i + 1]]
        subtree_sizes(tree, arities, sizes)
        place = _rule_place(tree)
        n_metas = arities[tree[place]]
        _value_starts(place, sizes, n_metas, starts)
        for meta in range(n_metas):
            if meta > 0:
                out[at] = _NEWLINE
                at += 1
            out[at] = _A + np.uint8(meta)
            out[at + 1] = _SPACE
            out[at + 2] = _EQUALS
            out[at + 3] = _SPACE
            at = _write_term(out, at + 4, tree, starts[meta], sizes, names, pending)
        out_offsets[i + 1] = at
    return out[:at].copy(), out_offsets
