"""HINT derivations as text: infix with parentheses, and worked steps.

The kernels walk a tree backwards (arguments before their operator) for the values and lengths of
its subtrees, and forwards to write it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of, text_column
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import write_integer
from synthgen.core.offsets import longest_row
from synthgen.generators._hint_expression import (
    CHARS,
    FIRST_OPERATOR,
    apply_operator,
    leaf_value,
    precedence,
    wraps,
)

_OPEN, _CLOSE, _EQUALS, _NEWLINE = (np.uint8(ord(char)) for char in "()=\n")
_DIGITS_PER_STEP = 36
"""Bytes of a worked step: three values of up to ten digits, the operator, `=` and the line end."""


def infix_text(derivations: Ragged, lengths: NDArray[Any], full: bool) -> pa.StringArray:
    """Write every expression as infix text without spaces.

    Args:
        derivations: prefix codes.
        lengths: number of tokens of each, as `measure` gives it.
        full: as in `measure`.
    """
    offsets = offsets_of(lengths.astype(np.int64))
    return text_column(
        _write_infix(derivations.values, derivations.offsets, offsets, full), offsets
    )


@njit(cache=True, nogil=True)
def _write_infix(
    codes: Codes, offsets: NDArray[np.int64], text_offsets: NDArray[np.int64], full: bool
) -> NDArray[np.uint8]:
    """Fill the text buffer: backwards for the length of each subtree, forwards for its place."""
    out = np.empty(text_offsets[-1], np.uint8)
    longest = longest_row(offsets)
    lengths = np.empty(longest, np.int64)
    sizes = np.empty(longest, np.int64)
    places = np.empty(longest, np.int64)
    for i in range(len(offsets) - 1):
        tree = codes[offsets[i] : offsets[i + 1]]
        _subtree_lengths(tree, lengths, sizes, full)
        top = 0
        places[0] = text_offsets[i]
        for node in range(len(tree)):
            start = places[top]
            top -= 1
            code = tree[node]
            if code < FIRST_OPERATOR:
                out[start] = CHARS[code]
                continue
            level = precedence(code)
            left, right = node + 1, node + 1 + sizes[node + 1]
            left_start, right_start = start, start + lengths[left] + 1
            if wraps(precedence(tree[left]), level, False, full):
                out[start] = _OPEN
                out[start + lengths[left] + 1] = _CLOSE
                left_start += 1
                right_start += 2
            out[right_start - 1] = CHARS[code]
            if wraps(precedence(tree[right]), level, True, full):
                out[right_start] = _OPEN
                out[right_start + lengths[right] + 1] = _CLOSE
                right_start += 1
            places[top + 1] = right_start
            places[top + 2] = left_start
            top += 2
    return out


@lent
def _subtree_lengths(
    tree: Codes, lengths: NDArray[np.int64], sizes: NDArray[np.int64], full: bool
) -> None:
    """Fill the tokens and nodes of the subtree at each node."""
    for node in range(len(tree) - 1, -1, -1):
        code = tree[node]
        if code < FIRST_OPERATOR:
            lengths[node] = 1
            sizes[node] = 1
            continue
        level = precedence(code)
        left, right = node + 1, node + 1 + sizes[node + 1]
        lengths[node] = 1 + lengths[left] + lengths[right]
        lengths[node] += 2 * wraps(precedence(tree[left]), level, False, full)
        lengths[node] += 2 * wraps(precedence(tree[right]), level, True, full)
        sizes[node] = 1 + sizes[left] + sizes[right]


def step_text(derivations: Ragged) -> pa.StringArray:
    """Write the worked solution of every expression: one `left operator right=value` a line.

    Steps come in the order in which operators complete from left to right. An expression without
    operators has its value as its only line.
    """
    n_op = (derivations.lengths - 1) // 2
    bound = int((np.maximum(n_op, 1) * _DIGITS_PER_STEP).sum())
    data, offsets = _write_steps(derivations.values, derivations.offsets, bound)
    return text_column(data, offsets)


@njit(cache=True, nogil=True)
def _write_steps(
    codes: Codes, offsets: NDArray[np.int64], bound: Int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    n = len(offsets) - 1
    out = np.empty(bound, np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    longest = longest_row(offsets)
    values = np.empty(longest, np.int64)
    sizes = np.empty(longest, np.int64)
    waiting = np.empty((longest, 2), np.int64)
    at: Int = 0
    for i in range(n):
        tree = codes[offsets[i] : offsets[i + 1]]
        _subtree_values(tree, values, sizes)
        if len(tree) == 1:
            at = write_integer(out, at, values[0])
        top = -1
        for node in range(len(tree)):
            if tree[node] >= FIRST_OPERATOR:
                top += 1
                waiting[top, 0] = node
                waiting[top, 1] = 2
                continue
            while top >= 0:
                waiting[top, 1] -= 1
                if waiting[top, 1] > 0:
                    break
                done = waiting[top, 0]
                at = _write_step(out, at, tree, values, sizes, done)
                top -= 1
                if top >= 0:
                    out[at] = _NEWLINE
                    at += 1
        out_offsets[i + 1] = at
    return out, out_offsets


@lent
def _subtree_values(tree: Codes, values: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    """Fill the value and the number of nodes of the subtree at each node."""
    for node in range(len(tree) - 1, -1, -1):
        code = np.int64(tree[node])
        if code < FIRST_OPERATOR:
            values[node] = leaf_value(code)
            sizes[node] = 1
            continue
        left, right = node + 1, node + 1 + sizes[node + 1]
        values[node] = apply_operator(code, values[left], values[right])
        sizes[node] = 1 + sizes[left] + sizes[right]


@lent
def _write_step(
    out: NDArray[np.uint8],
    at: Int,
    tree: Codes,
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
    node: Int,
) -> Int:
    """Write one step at `at` and return where it ends."""
    at = write_integer(out, at, values[node + 1])
    out[at] = CHARS[tree[node]]
    at = write_integer(out, at + 1, values[node + 1 + sizes[node + 1]])
    out[at] = _EQUALS
    return write_integer(out, at + 1, values[node])
