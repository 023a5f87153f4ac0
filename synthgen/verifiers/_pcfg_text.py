"""PCFG SET programs read from text: kernels that parse them and look symbols of results up.

No result is ever written down. The length of every step's string follows from those of its
arguments, and a symbol of a result is found by following its place down the tree to the symbol of
the text that it is, so that a short text whose strings would fill any memory costs nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Bytes = NDArray[np.uint8]
Nodes = NDArray[np.int64]
"""One line a node in prefix order, see the columns below."""

OP, FIRST, SECOND, LENGTH, SYNONYM, LINE = range(6)
"""Columns of a node: what it is; its first argument, or where its symbols begin; its second
argument or -1; the symbols of its result; whether a synonym names it; the line that tells it."""
COLUMNS = 6

NAMES = (
    *("copy", "reverse", "shift", "echo", "swap_first_last", "repeat"),
    *("append", "prepend", "remove_first", "remove_second"),
)
COPY, REVERSE, SHIFT, ECHO, SWAP, REPEAT, APPEND, PREPEND, REMOVE_FIRST, REMOVE_SECOND = range(10)
STRING = 10
_NAME_BYTES = np.frombuffer("".join(NAMES).encode(), np.uint8)
_NAME_ENDS = np.cumsum([len(name) for name in NAMES])
_SUFFIX = np.frombuffer(b"_twin", np.uint8)

_NONE = np.int64(-1)
_SPACE, _OPEN, _CLOSE, _COMMA = (ord(char) for char in " (),")
_UPPER_A, _UPPER_Z, _ZERO, _NINE, _LOWER_A = (ord(char) for char in "AZ09a")
_MOST_DIGITS = 6
_MOST_LENGTH = 1 << 40
"""Lengths stop growing here; no text is so long."""


@lent
def token_end(text: Bytes, start: Int, end: Int) -> Int:
    """Return where the token that begins at `start` ends: at a space or the end."""
    at = start
    while at < end and text[at] != _SPACE:
        at += 1
    return at


@lent
def read_symbol(text: Bytes, start: Int, end: Int) -> Int:
    """Return a number for a symbol such as B12, or -1 for anything else."""
    digits = end - start - 1
    if digits < 1 or digits > _MOST_DIGITS or text[start] < _UPPER_A or text[start] > _UPPER_Z:
        return _NONE
    if text[start + 1] == _ZERO:
        return _NONE
    value = np.int64(text[start])
    for at in range(start + 1, end):
        if text[at] < _ZERO or text[at] > _NINE:
            return _NONE
        value = 10 * value + np.int64(text[at]) - _ZERO
    # A digit more at the front for each length keeps symbols of different length apart.
    return value * 8 + digits


@lent
def read_function(text: Bytes, start: Int, end: Int) -> Int:
    """Return a function by its name, plus 100 for a synonym, or -1 for anything else."""
    if start >= end or text[start] < _LOWER_A:
        return _NONE
    synonym = 0
    if end - start > len(_SUFFIX) and _same(text, end - len(_SUFFIX), _SUFFIX, 0, len(_SUFFIX)):
        synonym = 100
        end -= len(_SUFFIX)
    begin = 0
    for function in range(len(_NAME_ENDS)):
        length = _NAME_ENDS[function] - begin
        if length == end - start and _same(text, start, _NAME_BYTES, begin, length):
            return np.int64(function + synonym)
        begin = _NAME_ENDS[function]
    return _NONE


@lent
def _same(text: Bytes, start: Int, other: Bytes, begin: Int, length: Int) -> bool:
    for at in range(length):
        if text[start + at] != other[begin + at]:
            return False
    return True


@lent
def parse_program(
    text: Bytes, start: Int, end: Int, nodes: Nodes, symbols: NDArray[np.int64], stack: Nodes
) -> Int:
    """Read a program into nodes and symbols; return how many nodes it has, 0 for no program.

    Tokens stand apart by single spaces. Either every function has its arguments in brackets or
    none has. `stack` holds the open functions and how many of their arguments are still to come.
    """
    n_nodes, n_symbols, top = 0, 0, -1
    bracketed = False
    at = start
    while True:
        stop = token_end(text, at, end)
        function = read_function(text, at, stop) if at < end else _NONE
        if function >= 0:
            nodes[n_nodes, OP] = function % 100
            nodes[n_nodes, SYNONYM] = function // 100
            nodes[n_nodes, SECOND] = _NONE
            if top >= 0:
                _attach(nodes, stack, top, n_nodes)
            top += 1
            stack[top, 0] = n_nodes
            stack[top, 1] = 2 if function % 100 >= APPEND else 1
            n_nodes += 1
            if n_nodes == 1:
                bracketed = bool(stop + 1 < end and text[stop + 1] == _OPEN)
            if bracketed:
                if not _is_mark(text, stop + 1, end, _OPEN):
                    return 0
                stop += 2
            at = stop + 1
            continue
        if top < 0:
            return 0
        nodes[n_nodes, OP] = STRING
        nodes[n_nodes, SYNONYM] = 0
        nodes[n_nodes, FIRST] = n_symbols
        nodes[n_nodes, SECOND] = _NONE
        _attach(nodes, stack, top, n_nodes)
        symbol = read_symbol(text, at, stop) if at < end else _NONE
        while symbol >= 0:
            symbols[n_symbols] = symbol
            n_symbols += 1
            at = stop + 1
            stop = token_end(text, at, end) if at < end else at
            symbol = read_symbol(text, at, stop) if at < end else _NONE
        nodes[n_nodes, LENGTH] = n_symbols - nodes[n_nodes, FIRST]
        if nodes[n_nodes, LENGTH] == 0:
            return 0
        n_nodes += 1
        while top >= 0 and stack[top, 1] == 0:
            top -= 1
            if bracketed:
                if not _is_mark(text, at, end, _CLOSE):
                    return 0
                at += 2
        if top < 0:
            # After the last token `at` is one past the end, where a space would stand.
            return n_nodes if at == end + 1 else 0
        if not _is_mark(text, at, end, _COMMA):
            return 0
        at += 2


@lent
def _attach(nodes: Nodes, stack: Nodes, top: Int, node: Int) -> None:
    """Make a node the next argument of the function at the top of the stack."""
    parent = stack[top, 0]
    first = stack[top, 1] == (2 if nodes[parent, OP] >= APPEND else 1)
    nodes[parent, FIRST if first else SECOND] = node
    stack[top, 1] -= 1


@lent
def _is_mark(text: Bytes, at: Int, end: Int, mark: Int) -> bool:
    """Say whether a token of one character stands at `at`."""
    return bool(at < end and text[at] == mark and (at + 1 == end or text[at + 1] == _SPACE))


@lent
def find_lengths(nodes: Nodes, n_nodes: Int) -> bool:
    """Compute the length of every result; false if a single symbol is to be swapped with itself."""
    for node in range(n_nodes - 1, -1, -1):
        op = nodes[node, OP]
        if op == STRING:
            continue
        length = nodes[nodes[node, FIRST], LENGTH]
        if op == SWAP and length < 2:
            return False
        if op == ECHO:
            length += 1
        elif op == REPEAT:
            length *= 2
        elif op == REMOVE_FIRST:
            length = nodes[nodes[node, SECOND], LENGTH]
        elif op == APPEND or op == PREPEND:
            length += nodes[nodes[node, SECOND], LENGTH]
        nodes[node, LENGTH] = min(length, _MOST_LENGTH)
    return True


@lent
def symbol_at(nodes: Nodes, node: Int, place: Int, symbols: NDArray[np.int64]) -> Int:
    """Return the symbol at one place of a node's result."""
    while nodes[node, OP] != STRING:
        op = nodes[node, OP]
        first = nodes[node, FIRST]
        n = nodes[first, LENGTH]
        if op == REVERSE:
            place = n - 1 - place
        elif op == SHIFT:
            place = place + 1 if place + 1 < n else 0
        elif op == ECHO:
            place = min(place, n - 1)
        elif op == SWAP:
            if place == 0:
                place = n - 1
            elif place == n - 1:
                place = 0
        elif op == REPEAT:
            if place >= n:
                place -= n
        elif op == APPEND:
            if place >= n:
                place -= n
                first = nodes[node, SECOND]
        elif op == PREPEND:
            m = nodes[nodes[node, SECOND], LENGTH]
            if place < m:
                first = nodes[node, SECOND]
            else:
                place -= m
        elif op == REMOVE_FIRST:
            first = nodes[node, SECOND]
        node = first
    symbol: Int = symbols[nodes[node, FIRST] + place]
    return symbol


@lent
def tells_result(
    text: Bytes, start: Int, end: Int, nodes: Nodes, node: Int, symbols: NDArray[np.int64]
) -> bool:
    """Say whether text[start:end] is the result of a node, with single spaces."""
    # Two bytes and a space a symbol at least, so that a longer result need not be looked at.
    length = nodes[node, LENGTH]
    if length > (end - start + 1) // 3:
        return False
    at = start
    for place in range(length):
        stop = token_end(text, at, end) if at < end else at
        if read_symbol(text, at, stop) != symbol_at(nodes, node, place, symbols):
            return False
        at = stop + 1
    return bool(at == end + 1)
