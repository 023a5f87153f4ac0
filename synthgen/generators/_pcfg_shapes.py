"""Kernels that draw shapes: PCFG SET programs whose strings have a length and no symbols yet.

The size of a shape comes from a table; then its functions and strings are put in random order, of
whose rotations exactly one is a tree in prefix order (the cycle lemma of Dvoretzky and Motzkin), so
that every tree of this size is equally likely.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_bits
from synthgen.generators._pcfg_strings import longest_result
from synthgen.generators._pcfg_symbols import (
    APPEND,
    FIRST_STRING,
    N_UNARY,
    NAME_LENGTHS,
    REPEAT,
)

Limits = tuple[int, int, int, int, int, int, int, int]
"""min_string, max_string, max_depth, max_text, max_result, root (-1: any), width of a cell,
min_depth."""
Counts = NDArray[np.int64]

_LOW_32 = np.uint64(0xFFFFFFFF)
_S32, _S11 = np.uint64(32), np.uint64(11)
_UNIT = 2.0**-53
_BRACKETS, _COMMA = 5, 3
"""Characters of ` ( ` and ` )`, and of ` , `."""


@njit(cache=True, nogil=True)
def draw_shape(
    key: np.uint64,
    j: Int,
    limits: Limits,
    thresholds: NDArray[np.float64],
    counts: Counts,
    bounds: NDArray[np.float64],
    kept: NDArray[np.float64],
    late_from: float,
    unary: Counts,
    binary: Counts,
    words: NDArray[np.uint64],
    kinds: NDArray[np.int64],
    shape: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> tuple[Int, Int, Int, Int]:
    """Draw one shape into `shape`, beginning with draw number j; the last four are scratch.

    Returns:
        The next draw, the nodes of the shape, 0 if it is not kept, its depth and its tokens.
    """
    lowest, longest, deepest, longest_text, most_result, root, width, shallowest = limits
    place = np.searchsorted(thresholds, np.float64(draw_bits(key, j) >> _S11) * _UNIT, "right")
    in_pool = np.float64(draw_bits(key, j + 1) >> _S11) * _UNIT * bounds[place]
    if in_pool >= late_from and lowest < longest and kept.size > 0:
        lowest += 1
    n_functions, n_unary = counts[place, 0], counts[place, 1]
    nodes = 2 * n_functions - n_unary + 1
    j += 2
    start = _shuffle_kinds(key, j, words, kinds, nodes, n_unary, n_functions - n_unary)
    j += nodes
    if root >= N_UNARY and kinds[start] != 2:
        return j, 0, 0, 0
    n_lengths = np.uint64(longest - lowest + 1)
    text: Int
    top, depth, tokens, text = 0, 0, 2 * n_functions - n_unary, 0
    stack[0] = 1
    source = start
    for node in range(nodes):
        pick = words[source] & _LOW_32
        level = stack[top]
        if kinds[source] == 0:
            length = lowest + np.int64((pick * n_lengths) >> _S32)
            shape[node] = FIRST_STRING - 1 + length
            tokens += length
            text += 2 * length - 1
            top -= 1
        elif kinds[source] == 1:
            code = unary[np.int64((pick * np.uint64(len(unary))) >> _S32)]
            shape[node] = code
            depth = max(depth, level)
            stack[top] = level + 1
            text += NAME_LENGTHS[code] + _BRACKETS
        else:
            code = binary[np.int64((pick * np.uint64(len(binary))) >> _S32)]
            shape[node] = code
            depth = max(depth, level)
            stack[top] = level + 1
            top += 1
            stack[top] = level + 1
            text += NAME_LENGTHS[code] + _BRACKETS + _COMMA
        source += 1
        if source == nodes:
            source = 0
    if depth < shallowest or depth > deepest or text >= longest_text:
        return j, 0, depth, tokens
    if kept.size > 0:
        cell = tokens // width
        if depth >= kept.shape[0] or cell >= kept.shape[1] or in_pool >= kept[depth, cell]:
            return j, 0, depth, tokens
    if root >= 0:
        # The longest result decides whatever the root is, so that all roots have the same rest.
        nodes = _put_root(shape, nodes, REPEAT if root < N_UNARY else APPEND)
        if longest_result(shape, nodes, stack, most_result) > most_result:
            return j, 0, depth, tokens
        shape[0] = root
    if longest_result(shape, nodes, stack, most_result) > most_result:
        return j, 0, depth, tokens
    return j, nodes, depth, tokens


@lent
def _shuffle_kinds(
    key: np.uint64,
    j: Int,
    words: NDArray[np.uint64],
    kinds: NDArray[np.int64],
    nodes: Int,
    n_unary: Int,
    n_binary: Int,
) -> Int:
    """Put the arities of all nodes in random order; return where the only tree begins.

    It begins after the first place where the sum of arities less one is smallest. The low halves of
    the words drawn are left for other choices.
    """
    unary_left, binary_left = n_unary, n_binary
    total, least, start = 0, 0, 0
    for at in range(nodes):
        words[at] = draw_bits(key, j + at)
        pick = np.int64(((words[at] >> _S32) * np.uint64(nodes - at)) >> _S32)
        if pick < unary_left:
            kinds[at] = 1
            unary_left -= 1
        elif pick < unary_left + binary_left:
            kinds[at] = 2
            binary_left -= 1
            total += 1
        else:
            kinds[at] = 0
            total -= 1
            if total < least:
                least = total
                start = at + 1
    return 0 if start == nodes else start


@lent
def _put_root(shape: NDArray[np.int64], nodes: Int, root: Int) -> Int:
    """Put a unary root in front of a shape, or a binary one in place of its own."""
    if root >= N_UNARY:
        shape[0] = root
        return nodes
    for node in range(nodes, 0, -1):
        shape[node] = shape[node - 1]
    shape[0] = root
    return nodes + 1
