"""Worked solutions of PCFG SET, replayed line by line against the program."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._pcfg_text import (
    FIRST,
    LENGTH,
    LINE,
    OP,
    SECOND,
    STRING,
    SYNONYM,
    Bytes,
    Nodes,
    read_function,
    read_symbol,
    tells_result,
    token_end,
)

_NEWLINE, _EQUALS, _STAR, _COMMA, _ZERO, _NINE = (ord(char) for char in "\n=*,09")
_MOST_DIGITS = 9


@lent
def tells_lines(
    text: Bytes, start: Int, end: Int, nodes: Nodes, symbols: NDArray[np.int64], stack: Nodes
) -> bool:
    """Say whether text[start:end] tells the functions, arguments first and left before right.

    Every line is the string that the function gives; or, if the first line has a `=`, the function
    with its arguments, ` = `, and its place as *k (the last line: its string), where arguments that
    lines before tell stand by their place.
    """
    unrolled = 0
    for place in range(start, end):
        if text[place] == _EQUALS:
            unrolled = 1
        if text[place] == _EQUALS or text[place] == _NEWLINE:
            break
    top, line, at = 0, 0, start
    stack[0, 0], stack[0, 1] = 0, 0
    while top >= 0:
        node = stack[top, 0]
        if nodes[node, OP] == STRING:
            nodes[node, LINE] = 0
            top -= 1
            continue
        step = stack[top, 1]
        stack[top, 1] += 1
        if step == 0 or (step == 1 and nodes[node, SECOND] >= 0):
            top += 1
            stack[top, 0] = nodes[node, FIRST if step == 0 else SECOND]
            stack[top, 1] = 0
            continue
        top -= 1
        line += 1
        nodes[node, LINE] = line
        stop = at
        while stop < end and text[stop] != _NEWLINE:
            stop += 1
        if at > end or not _tells_line(text, at, stop, nodes, node, symbols, unrolled):
            return False
        at = stop + 1
    return bool(at == end + 1)


@lent
def _tells_line(
    text: Bytes,
    start: Int,
    end: Int,
    nodes: Nodes,
    node: Int,
    symbols: NDArray[np.int64],
    unrolled: Int,
) -> bool:
    """Say whether text[start:end] is the line of one function."""
    at = start
    if unrolled == 1:
        stop = token_end(text, at, end)
        if read_function(text, at, stop) != nodes[node, OP] + 100 * nodes[node, SYNONYM]:
            return False
        at = _after_argument(text, stop + 1, end, nodes, nodes[node, FIRST], symbols)
        if nodes[node, SECOND] >= 0:
            at = _after_mark(text, at, end, _COMMA)
            at = _after_argument(text, at, end, nodes, nodes[node, SECOND], symbols)
        at = _after_mark(text, at, end, _EQUALS)
        if node > 0:
            return bool(_after_place(text, at, end, nodes[node, LINE]) == end + 1)
    return bool(at <= end and tells_result(text, at, end, nodes, node, symbols))


@lent
def _after_argument(
    text: Bytes, at: Int, end: Int, nodes: Nodes, node: Int, symbols: NDArray[np.int64]
) -> Int:
    """Return where the token after an argument begins, or end + 2 if it does not stand at `at`."""
    if nodes[node, OP] != STRING:
        return _after_place(text, at, end, nodes[node, LINE])
    first = nodes[node, FIRST]
    for place in range(first, first + nodes[node, LENGTH]):
        if at >= end:
            return end + 2
        stop = token_end(text, at, end)
        if read_symbol(text, at, stop) != symbols[place]:
            return end + 2
        at = stop + 1
    return at


@lent
def _after_place(text: Bytes, at: Int, end: Int, number: Int) -> Int:
    """Return where the token after the placeholder of a line begins, or end + 2 if it is wrong."""
    if at >= end or text[at] != _STAR:
        return end + 2
    stop = token_end(text, at, end)
    digits = stop - at - 1
    if digits < 1 or digits > _MOST_DIGITS or text[at + 1] == _ZERO:
        return end + 2
    value: Int = 0
    for digit in range(at + 1, stop):
        if text[digit] < _ZERO or text[digit] > _NINE:
            return end + 2
        value = 10 * value + np.int64(text[digit]) - _ZERO
    return stop + 1 if value == number else end + 2


@lent
def _after_mark(text: Bytes, at: Int, end: Int, mark: Int) -> Int:
    """Return where the token after a mark begins, or end + 2 if it does not stand at `at`."""
    if at >= end or text[at] != mark or token_end(text, at, end) != at + 1:
        return end + 2
    return at + 2
