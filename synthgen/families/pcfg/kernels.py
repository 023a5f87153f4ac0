"""Kernels that draw PCFG SET programs and measure their axes.

A program is a tree of functions over strings, as codes in prefix order: codes 0 to 9 are the
functions, 10 to 19 their synonyms, 19 + k a string of k symbols, which has the symbols as its
arguments, and codes from 20 + the longest string on are the alphabet.

A shape is a program whose strings have no symbols yet. Its size comes from a table; then its
functions and strings are shuffled. Exactly one rotation of a shuffled order is a tree in prefix
order (the cycle lemma of Dvoretzky and Motzkin), so that every tree of this size is equally likely.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import longest_row
from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.randomness import draw_bits
from synthgen.trees.derivations import Codes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNARY = ("copy", "reverse", "shift", "echo", "swap_first_last", "repeat")
BINARY = ("append", "prepend", "remove_first", "remove_second")
FUNCTIONS = UNARY + BINARY
COPY, REVERSE, SHIFT, ECHO, SWAP, REPEAT, APPEND, PREPEND, REMOVE_FIRST, REMOVE_SECOND = range(10)
N_UNARY, N_FUNCTIONS = len(UNARY), len(FUNCTIONS)
MAX_FUNCTIONS = 200
"""Largest value of the param `max_functions`; a root may be added to it."""
FIRST_STRING = 2 * N_FUNCTIONS
"""Code of a string of one symbol; a string of k symbols has the code FIRST_STRING + k - 1."""

SYSTEMATIC_PAIRS = {
    "swap_repeat": (SWAP, REPEAT),
    "append_remove": (APPEND, REMOVE_SECOND),
    "repeat_remove": (REPEAT, REMOVE_SECOND),
    "append_swap": (APPEND, SWAP),
}
"""Pairs of adjacent functions that the systematicity test holds out."""
EXCEPTIONS = {
    "reverse_echo": ((REVERSE, ECHO), (ECHO, COPY)),
    "prepend_remove_first": ((PREPEND, REMOVE_FIRST), (REMOVE_SECOND, APPEND)),
    "echo_remove_first": ((ECHO, REMOVE_FIRST), (COPY, APPEND)),
    "prepend_reverse": ((PREPEND, REVERSE), (REMOVE_SECOND, ECHO)),
}
"""Pairs of adjacent functions with an exceptional meaning, and the functions of the meaning."""
_N_SYSTEMATIC = len(SYSTEMATIC_PAIRS)
_PAIRS = np.array([*SYSTEMATIC_PAIRS.values(), *(p for p, _ in EXCEPTIONS.values())], np.int64)
_MEANINGS = np.array([(0, 0)] * _N_SYSTEMATIC + [m for _, m in EXCEPTIONS.values()], np.int64)
_PLACES = np.full((N_FUNCTIONS, N_FUNCTIONS), -1, np.int64)
"""Place of each pair of functions in `_PAIRS`, or -1."""
_PLACES[_PAIRS[:, 0], _PAIRS[:, 1]] = range(len(_PAIRS))

_NAME_LENGTHS = np.array([len(name) for name in FUNCTIONS], np.int64)
_BRACKETS, _COMMA = 5, 3
"""Characters of ` ( ` and ` )`, and of ` , `."""
_LONGEST = 1 << 30
"""Lengths of results stop growing here; no program with such a result is kept."""
_ROOM_PER_ROW = 32
_LOW_32 = np.uint64(0xFFFFFFFF)
_S32, _S11 = np.uint64(32), np.uint64(11)
_UNIT = 2.0**-53


class Plan(NamedTuple):
    """Settings for drawing programs.

    Attributes:
        thresholds: Cumulative shares of the proposed sizes, float64 (k,), ending in 1.
        counts: Functions and unary functions of each size, int64 (k, 2).
        bounds: Largest share of the pool that any cell takes of programs of each size, (k,).
        kept: Share of the pool that each cell takes, (depths, tokens div width); empty: all of it.
        width: Tokens per cell.
        late_from: Place in the pool at which the shortest strings run out.
        unary, binary: Codes of the functions in use.
        root: First function of every program, or -1.
        strings: Shortest and longest string.
        depths: Least and greatest nesting of functions.
        max_text: Number of characters from which a program is dropped.
        max_result: Symbols of the longest string of any step.
        n_symbols: Size of the alphabet.
        attempts: Shapes tried for one address before it is invalid.
    """

    thresholds: Floats
    counts: Ints
    bounds: Floats
    kept: Floats
    width: int
    late_from: float
    unary: Ints
    binary: Ints
    root: int
    strings: tuple[int, int]
    depths: tuple[int, int]
    max_text: int
    max_result: int
    n_symbols: int
    attempts: int


class _Scratch(NamedTuple):
    """Buffers with room for the nodes of any shape.

    Attributes:
        words: Draw of each node.
        kinds: Number of arguments of each node, before they are rotated into a tree.
        shape: Codes of the shape.
        stack: Stack for any walk through the shape.
    """

    words: NDArray[np.uint64]
    kinds: Codes
    shape: Codes
    stack: Ints


@jit
def draw_programs(keys: NDArray[np.uint64], plan: Plan) -> tuple[Codes, Ints, NDArray[np.bool_]]:
    """Draw a program for each row key: codes, offsets, and which rows are valid.

    An invalid row has a single symbol.
    """
    n = len(keys)
    max_nodes = 2 * plan.counts[-1, 0] + 4 if len(plan.counts) else 4
    max_codes = max_nodes * (plan.strings[1] + 1)
    first_symbol = FIRST_STRING + plan.strings[1]
    codes = np.empty(n * _ROOM_PER_ROW + max_codes, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    valid = np.zeros(n, np.bool_)
    scratch = _Scratch(
        np.empty(max_nodes, np.uint64),
        np.empty(max_nodes, np.uint16),
        np.empty(max_nodes, np.uint16),
        np.empty(max_nodes, np.int64),
    )
    at: Int = np.int64(0)
    for i in range(n):
        if at + max_codes > len(codes):
            larger = np.empty(2 * len(codes), np.uint16)
            for place in range(at):
                larger[place] = codes[place]
            codes = larger
        j: Int = np.int64(0)
        nodes: Int = np.int64(0)
        for _ in range(plan.attempts if len(plan.counts) else 0):
            j, nodes = _draw_shape(keys[i], j, plan, scratch)
            if nodes > 0:
                break
        valid[i] = nodes > 0
        if nodes == 0:
            codes[at] = first_symbol
            at += 1
        at = _write_program(codes, at, scratch.shape[:nodes], keys[i], j, plan)
        offsets[i + 1] = at
    return codes[:at], offsets, valid


@kernel
def _write_program(codes: Codes, at: Int, shape: Codes, key: np.uint64, j: Int, plan: Plan) -> Int:
    """Write a shape with random symbols in its strings; two symbols share a draw."""
    half = False
    word = np.uint64(0)
    for node in range(len(shape)):
        code = np.int64(shape[node])
        codes[at] = code
        at += 1
        for _ in range(code - FIRST_STRING + 1):
            if half:
                word >>= _S32
            else:
                word = draw_bits(key, j)
                j += 1
            half = not half
            symbol = np.int64(((word & _LOW_32) * np.uint64(plan.n_symbols)) >> _S32)
            codes[at] = FIRST_STRING + plan.strings[1] + symbol
            at += 1
    return at


@kernel
def _draw_shape(key: np.uint64, j: Int, plan: Plan, scratch: _Scratch) -> tuple[Int, Int]:
    """Draw one shape, beginning with draw j; return the next draw and its nodes, 0 if rejected."""
    size = _first_above(plan.thresholds, np.float64(draw_bits(key, j) >> _S11) * _UNIT)
    in_pool = np.float64(draw_bits(key, j + 1) >> _S11) * _UNIT * plan.bounds[size]
    shortest = plan.strings[0]
    if in_pool >= plan.late_from and shortest < plan.strings[1] and plan.kept.size > 0:
        shortest += 1
    n_functions, n_unary = plan.counts[size, 0], plan.counts[size, 1]
    nodes = 2 * n_functions - n_unary + 1
    j += 2
    start = _shuffle_kinds(key, j, scratch, nodes, n_unary, n_functions - n_unary)
    j += nodes
    if plan.root >= N_UNARY and scratch.kinds[start] != 2:
        return j, np.int64(0)
    depth, tokens, characters = _name_nodes(plan, scratch, start, nodes, shortest)
    if depth < plan.depths[0] or depth > plan.depths[1] or characters >= plan.max_text:
        return j, np.int64(0)
    if plan.kept.size > 0:
        cell = tokens // plan.width
        if depth >= plan.kept.shape[0] or cell >= plan.kept.shape[1]:
            return j, np.int64(0)
        if in_pool >= plan.kept[depth, cell]:
            return j, np.int64(0)
    if plan.root >= 0:
        # Test with REPEAT or APPEND, whose results are longest, so that the rest of a program does
        # not depend on its root.
        nodes = _place_root(scratch.shape, nodes, REPEAT if plan.root < N_UNARY else APPEND)
        if not _results_fit(plan, scratch, nodes):
            return j, np.int64(0)
        scratch.shape[0] = plan.root
    return j, nodes if _results_fit(plan, scratch, nodes) else np.int64(0)


@kernel
def _first_above(thresholds: Floats, value: float) -> Int:
    """Return the first place whose threshold is above a value below the last."""
    low, high = 0, len(thresholds) - 1
    while low < high:
        middle = (low + high) >> 1
        if thresholds[middle] > value:
            high = middle
        else:
            low = middle + 1
    return np.int64(low)


@kernel
def _shuffle_kinds(
    key: np.uint64, j: Int, scratch: _Scratch, nodes: Int, n_unary: Int, n_binary: Int
) -> Int:
    """Shuffle the arities of all nodes; return the begin of the only rotation that is a tree.

    It begins after the first place where the sum of arities less one is smallest. The low halves of
    the words drawn remain for other choices.
    """
    total, lowest, start = 0, 0, 0
    for at in range(nodes):
        scratch.words[at] = draw_bits(key, j + at)
        pick = np.int64(((scratch.words[at] >> _S32) * np.uint64(nodes - at)) >> _S32)
        if pick < n_unary:
            scratch.kinds[at] = 1
            n_unary -= 1
        elif pick < n_unary + n_binary:
            scratch.kinds[at] = 2
            n_binary -= 1
            total += 1
        else:
            scratch.kinds[at] = 0
            total -= 1
            if total < lowest:
                lowest = total
                start = at + 1
    return 0 if start == nodes else start


@kernel
def _name_nodes(
    plan: Plan, scratch: _Scratch, source: Int, nodes: Int, shortest: Int
) -> tuple[Int, Int, Int]:
    """Choose functions and lengths of strings for the tree that begins at `source`.

    Returns:
        Depth, tokens, and characters with brackets and one character per symbol.
    """
    stack = scratch.stack
    n_lengths = np.uint64(plan.strings[1] - shortest + 1)
    depth: Int = np.int64(0)
    tokens: Int = np.int64(0)
    characters: Int = np.int64(0)
    top = 0
    stack[0] = 1  # levels at which the open arguments are
    for node in range(nodes):
        pick = scratch.words[source] & _LOW_32
        kind = scratch.kinds[source]
        level = stack[top]
        code: Int
        if kind == 0:
            length = shortest + np.int64((pick * n_lengths) >> _S32)
            code = FIRST_STRING - 1 + length
            tokens += length
            characters += 2 * length - 1
            top -= 1
        else:
            names = plan.unary if kind == 1 else plan.binary
            code = names[np.int64((pick * np.uint64(len(names))) >> _S32)]
            depth = max(depth, level)
            stack[top] = level + 1
            tokens += 1
            characters += _NAME_LENGTHS[code] + _BRACKETS
            if kind == 2:
                top += 1
                stack[top] = level + 1
                tokens += 1
                characters += _COMMA
        scratch.shape[node] = code
        source = source + 1 if source + 1 < nodes else 0
    return depth, tokens, characters


@kernel
def _place_root(shape: Codes, nodes: Int, root: Int) -> Int:
    """Add a unary root to a shape, or replace its root by a binary one."""
    if root < N_UNARY:
        for node in range(nodes, 0, -1):
            shape[node] = shape[node - 1]
        nodes += 1
    shape[0] = root
    return nodes


@kernel
def _results_fit(plan: Plan, scratch: _Scratch, nodes: Int) -> bool:
    """Check the length of every step's string, with and without exceptional meanings."""
    shape, meant, stack = scratch.shape, scratch.kinds, scratch.stack
    first_symbol = FIRST_STRING + plan.strings[1]
    if _result_lengths(shape, 0, nodes, first_symbol, stack)[1] > plan.max_result:
        return False
    if not _copy_meaning(shape, 0, nodes, meant):
        return True
    return bool(_result_lengths(meant, 0, nodes, first_symbol, stack)[1] <= plan.max_result)


@kernel
def _result_lengths(
    codes: Codes, start: Int, end: Int, first_symbol: Int, stack: Ints
) -> tuple[Int, Int]:
    """Return the lengths of a program's result and of the longest string of any step."""
    top: Int = -1
    longest: Int = np.int64(0)
    for at in range(end - 1, start - 1, -1):
        code = np.int64(codes[at])
        if code >= first_symbol:
            continue
        if code >= FIRST_STRING:
            top += 1
            stack[top] = code - FIRST_STRING + 1
        else:
            function = code % N_FUNCTIONS
            first = stack[top]
            if function >= N_UNARY:
                top -= 1
            if function == ECHO:
                stack[top] = min(first + 1, _LONGEST)
            elif function == REPEAT:
                stack[top] = min(2 * first, _LONGEST)
            elif function == APPEND or function == PREPEND:
                stack[top] = min(first + stack[top], _LONGEST)
            elif function != REMOVE_FIRST:
                stack[top] = first
        longest = max(longest, stack[top])
    return stack[0], longest


@kernel
def _copy_meaning(codes: Codes, start: Int, end: Int, meant: Codes) -> bool:
    """Copy a program to the same place in `meant`, with its exceptional pair replaced.

    Of several pairs only the first in `EXCEPTIONS` is replaced; synonyms do not form pairs. Return
    whether there is one.
    """
    first = len(_PAIRS)
    for at in range(start, end):
        meant[at] = codes[at]
        if at + 1 < end and codes[at] < N_FUNCTIONS and codes[at + 1] < N_FUNCTIONS:
            place = _PLACES[codes[at], codes[at + 1]]
            if place >= _N_SYSTEMATIC:
                first = min(first, place)
    if first == len(_PAIRS):
        return False
    for at in range(start, end - 1):
        if codes[at] == _PAIRS[first, 0] and codes[at + 1] == _PAIRS[first, 1]:
            meant[at], meant[at + 1] = _MEANINGS[first, 0], _MEANINGS[first, 1]
    return True


@jit
def exceptional_codes(codes: Codes, offsets: Ints) -> Codes:
    """Replace the exceptional pair of every program by its meaning."""
    meant = np.empty_like(codes)
    for i in range(len(offsets) - 1):
        _copy_meaning(codes, offsets[i], offsets[i + 1], meant)
    return meant


@jit
def measure_results(codes: Codes, offsets: Ints, first_symbol: Int) -> NDArray[np.int16]:
    """Return the lengths of every program's result and longest string, int16 (2, n)."""
    lengths = np.zeros((2, len(offsets) - 1), np.int16)
    stack = np.zeros(longest_row(offsets), np.int64)
    for i in range(len(offsets) - 1):
        result, longest = _result_lengths(codes, offsets[i], offsets[i + 1], first_symbol, stack)
        lengths[0, i] = result
        lengths[1, i] = longest
    return lengths


COUNTED = (
    *("depth", "n_functions", "n_unary", "n_strings", "n_tokens", "n_twins", "longest_string"),
    *("function", "exception", "n_exceptions", "n_pairs", *SYSTEMATIC_PAIRS),
)
"""Axes that `count_axes` counts, in this order."""
_DEPTH, _N_FUNCTIONS, _N_UNARY, _N_STRINGS, _N_TOKENS, _N_TWINS, _LONGEST_STRING = range(7)
_FUNCTION, _EXCEPTION, _N_EXCEPTIONS, _N_PAIRS, _FIRST_PAIR = range(7, 12)


@jit
def count_axes(codes: Codes, offsets: Ints, first_symbol: Int) -> NDArray[np.int16]:
    """Return the axes `COUNTED` of every program, int16 (len(COUNTED), n)."""
    axes = np.zeros((len(COUNTED), len(offsets) - 1), np.int16)
    stack = np.empty(longest_row(offsets), np.int64)  # arguments that open functions still await
    for i in range(len(offsets) - 1):
        top = -1
        pairs = 0  # bit k: pair k occurs
        axes[_FUNCTION, i] = codes[offsets[i]] % N_FUNCTIONS
        for at in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[at])
            if code < FIRST_STRING:
                binary = np.int64(code % N_FUNCTIONS >= N_UNARY)
                top += 1
                stack[top] = 1 + binary
                axes[_DEPTH, i] = max(axes[_DEPTH, i], top + 1)
                axes[_N_FUNCTIONS, i] += 1
                axes[_N_UNARY, i] += 1 - binary
                axes[_N_TOKENS, i] += 1 + binary
                axes[_N_TWINS, i] += code >= N_FUNCTIONS
                if code < N_FUNCTIONS and codes[at + 1] < N_FUNCTIONS:
                    place = _PLACES[code, codes[at + 1]]
                    pairs |= 1 << place if place >= 0 else 0
            elif code < first_symbol:
                length = code - FIRST_STRING + 1
                axes[_N_STRINGS, i] += 1
                axes[_N_TOKENS, i] += length
                axes[_LONGEST_STRING, i] = max(axes[_LONGEST_STRING, i], length)
                while top >= 0:
                    stack[top] -= 1
                    if stack[top] > 0:
                        break
                    top -= 1
        for place in range(len(_PAIRS) - 1, -1, -1):
            occurs = pairs >> place & 1
            if place < _N_SYSTEMATIC:
                axes[_FIRST_PAIR + place, i] = occurs
                axes[_N_PAIRS, i] += occurs
            elif occurs:
                axes[_EXCEPTION, i] = 1 + place - _N_SYSTEMATIC
                axes[_N_EXCEPTIONS, i] += 1
    return axes
