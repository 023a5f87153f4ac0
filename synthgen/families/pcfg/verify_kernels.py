"""Kernels that read PCFG SET programs and look the symbols of their results up.

No result is ever written down. The length of every step's string follows from those of its
arguments, and a symbol of a result is found by following its place down the tree to the symbol of
the text that it is, so that a short text whose strings would fill any memory costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring.problem_text import problem_span
from synthgen.core.kernels import Int, jit, kernel

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

NAMES = (
    *("copy", "reverse", "shift", "echo", "swap_first_last", "repeat"),
    *("append", "prepend", "remove_first", "remove_second"),
)
_COPY, _REVERSE, _SHIFT, _ECHO, _SWAP, _REPEAT, _APPEND, _PREPEND, _REMOVE_FIRST = range(9)
_STRING = len(NAMES)
_NAME_BYTES = np.frombuffer("".join(NAMES).encode(), np.uint8)
_NAME_ENDS = np.cumsum([len(name) for name in NAMES])
_SUFFIX = np.frombuffer(b"_twin", np.uint8)
_SYNONYM_CODES = 100
"""Added to the number of a function that is named by its synonym."""

_OP, _FIRST, _SECOND, _LENGTH, _SYNONYM, _LINE = range(6)
"""Columns of a node: what it is; its first argument, or where its symbols begin; its second
argument or -1; the symbols of its result; whether a synonym names it; its line in a solution."""

_SPACE, _OPEN, _CLOSE, _COMMA, _NEWLINE, _EQUALS, _STAR = (ord(char) for char in " (),\n=*")
_UPPER_A, _UPPER_Z, _ZERO, _NINE, _LOWER_A = (ord(char) for char in "AZ09a")
_MOST_DIGITS, _MOST_PLACE_DIGITS = 6, 9
_LONGEST = 1 << 40
"""Lengths stop growing here; no text is so long."""
_MOST_WORK = 1 << 27
"""Nodes of a program times bytes to compare with it: more are rejected."""


class Tree(NamedTuple):
    """Buffers for one program.

    Attributes:
        nodes: in prefix order, (room, 6), see the columns above.
        symbols: of all strings end to end.
        stack: (room, 2): open functions, and how many of their arguments are still to come.
    """

    nodes: Ints
    symbols: Ints
    stack: Ints

    @classmethod
    def for_prompts(cls, offsets: Ints) -> Tree:
        """Return room for any of these prompts: each token takes two bytes with its space."""
        room = int(np.diff(offsets).max(initial=0)) // 2 + 2
        return cls(
            np.empty((room, 6), np.int64), np.empty(room, np.int64), np.empty((room, 2), int)
        )


Columns = tuple[Bytes, Ints, Bytes, Ints, Bytes, Ints, NDArray[np.bool_]]
"""Bytes and offsets of prompts, answers and solutions, and which rows have a solution."""


@jit
def check_rows(columns: Columns, exceptions: Ints, tree: Tree) -> NDArray[np.bool_]:
    """Check all rows; `exceptions` has outer, inner and what they mean, (k, 4)."""
    prompts, prompt_offsets, answers, answer_offsets, solutions, solution_offsets, stated = columns
    right = np.zeros(len(stated), np.bool_)
    for i in range(len(stated)):
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        n_nodes = _parse_program(prompts, start, end, tree)
        if n_nodes == 0:
            continue
        _apply_exceptions(tree.nodes, n_nodes, exceptions)
        if not _find_lengths(tree.nodes, n_nodes):
            continue
        start, end = answer_offsets[i], answer_offsets[i + 1]
        if n_nodes * (end - start) > _MOST_WORK or not _is_result(answers, start, end, tree, 0):
            continue
        right[i] = True
        if stated[i]:
            start, end = solution_offsets[i], solution_offsets[i + 1]
            short = n_nodes * (end - start) <= _MOST_WORK
            right[i] = short and _is_solution(solutions, start, end, tree)
    return right


@kernel
def _token_end(text: Bytes, start: Int, end: Int) -> Int:
    """Return where the token that begins at `start` ends: at a space or the end."""
    at = start
    while at < end and text[at] != _SPACE:
        at += 1
    return at


@kernel
def _read_number(text: Bytes, start: Int, end: Int, most: Int) -> Int:
    """Return a positive integer of at most `most` digits, or -1 for anything else."""
    if start >= end or end - start > most or text[start] == _ZERO:
        return np.int64(-1)
    value: Int = np.int64(0)
    for at in range(start, end):
        if text[at] < _ZERO or text[at] > _NINE:
            return np.int64(-1)
        value = 10 * value + np.int64(text[at]) - _ZERO
    return value


@kernel
def _read_symbol(text: Bytes, start: Int, end: Int) -> Int:
    """Return a number for a symbol such as B12, or -1 for anything else."""
    if start >= end or text[start] < _UPPER_A or text[start] > _UPPER_Z:
        return np.int64(-1)
    number = _read_number(text, start + 1, end, _MOST_DIGITS)
    return number if number < 0 else number << 8 | np.int64(text[start])


@kernel
def _read_function(text: Bytes, start: Int, end: Int) -> Int:
    """Return a function by its name, a synonym by its own number, or -1 for anything else."""
    if start >= end or text[start] < _LOWER_A:
        return np.int64(-1)
    synonym = 0
    if end - start > len(_SUFFIX) and _same(text, end - len(_SUFFIX), _SUFFIX, 0, len(_SUFFIX)):
        synonym = _SYNONYM_CODES
        end -= len(_SUFFIX)
    begin = 0
    for function in range(len(_NAME_ENDS)):
        length = _NAME_ENDS[function] - begin
        if length == end - start and _same(text, start, _NAME_BYTES, begin, length):
            return np.int64(function + synonym)
        begin = _NAME_ENDS[function]
    return np.int64(-1)


@kernel
def _same(text: Bytes, start: Int, other: Bytes, begin: Int, length: Int) -> bool:
    for at in range(length):
        if text[start + at] != other[begin + at]:
            return False
    return True


@kernel
def _is_mark(text: Bytes, at: Int, end: Int, mark: Int) -> bool:
    """Say whether the token at `at` is this one character."""
    return bool(at < end and text[at] == mark and (at + 1 == end or text[at + 1] == _SPACE))


@kernel
def _parse_program(text: Bytes, start: Int, end: Int, tree: Tree) -> Int:
    """Read a program into a tree; return how many nodes it has, 0 if it is malformed.

    Tokens are separated by single spaces. Either every function has its arguments in brackets or
    none has.
    """
    nodes, stack = tree.nodes, tree.stack
    n_nodes, top = 0, -1
    n_symbols: Int = np.int64(0)
    at: Int = start
    bracketed = False
    while True:
        stop = _token_end(text, at, end)
        function = _read_function(text, at, stop)
        node = n_nodes
        n_nodes += 1
        nodes[node, _SECOND] = -1
        if function >= 0:
            nodes[node, _OP] = function % _SYNONYM_CODES
            nodes[node, _SYNONYM] = function // _SYNONYM_CODES
            nodes[node, _FIRST] = node + 1
            top += 1
            stack[top, 0] = node
            stack[top, 1] = 2 if nodes[node, _OP] >= _APPEND else 1
            at = stop + 1
            bracketed = bracketed or (node == 0 and _is_mark(text, at, end, _OPEN))
            if bracketed and not _is_mark(text, at, end, _OPEN):
                return 0
            at += 2 if bracketed else 0
            continue
        nodes[node, _OP] = _STRING
        nodes[node, _SYNONYM] = 0
        nodes[node, _FIRST] = n_symbols
        at, n_symbols = _read_string(text, at, end, tree.symbols, n_symbols)
        nodes[node, _LENGTH] = n_symbols - nodes[node, _FIRST]
        if top < 0 or nodes[node, _LENGTH] == 0:
            return 0
        while top >= 0:
            stack[top, 1] -= 1
            if stack[top, 1] > 0:
                break
            top -= 1
            if bracketed and not _is_mark(text, at, end, _CLOSE):
                return 0
            at += 2 if bracketed else 0
        if top < 0:
            # After the last token `at` is one past the end, where a space would be.
            return n_nodes if at == end + 1 else 0
        if not _is_mark(text, at, end, _COMMA):
            return 0
        at += 2
        nodes[stack[top, 0], _SECOND] = n_nodes


@kernel
def _read_string(text: Bytes, at: Int, end: Int, symbols: Ints, n: Int) -> tuple[Int, Int]:
    """Append symbols to the first n; return where the next token begins, and how many there are."""
    while at < end:
        stop = _token_end(text, at, end)
        symbol = _read_symbol(text, at, stop)
        if symbol < 0:
            break
        symbols[n] = symbol
        n += 1
        at = stop + 1
    return at, n


@kernel
def _apply_exceptions(nodes: Ints, n_nodes: Int, exceptions: Ints) -> None:
    """Replace the first exceptional pair that occurs by its meaning, wherever it occurs."""
    for number in range(len(exceptions)):
        found = False
        for node in range(n_nodes - 1):
            if nodes[node, _SYNONYM] + nodes[node + 1, _SYNONYM] > 0:
                continue
            is_outer = nodes[node, _OP] == exceptions[number, 0]
            if is_outer and nodes[node + 1, _OP] == exceptions[number, 1]:
                nodes[node, _OP] = exceptions[number, 2]
                nodes[node + 1, _OP] = exceptions[number, 3]
                found = True
        if found:
            return


@kernel
def _find_lengths(nodes: Ints, n_nodes: Int) -> bool:
    """Compute the length of every result; false if a single symbol is to be swapped with itself."""
    for node in range(n_nodes - 1, -1, -1):
        op = nodes[node, _OP]
        if op == _STRING:
            continue
        length = nodes[nodes[node, _FIRST], _LENGTH]
        if op == _SWAP and length < 2:
            return False
        if op == _ECHO:
            length += 1
        elif op == _REPEAT:
            length *= 2
        elif op == _REMOVE_FIRST:
            length = nodes[nodes[node, _SECOND], _LENGTH]
        elif op == _APPEND or op == _PREPEND:
            length += nodes[nodes[node, _SECOND], _LENGTH]
        nodes[node, _LENGTH] = min(length, _LONGEST)
    return True


@kernel
def _symbol_at(tree: Tree, node: Int, place: Int) -> Int:
    """Return the symbol at one place of a node's result."""
    nodes = tree.nodes
    while nodes[node, _OP] != _STRING:
        op, first, second = nodes[node, _OP], nodes[node, _FIRST], nodes[node, _SECOND]
        n = nodes[first, _LENGTH]
        if op == _REVERSE:
            place = n - 1 - place
        elif op == _SHIFT:
            place = place + 1 if place + 1 < n else 0
        elif op == _ECHO:
            place = min(place, n - 1)
        elif op == _SWAP:
            if place == 0:
                place = n - 1
            elif place == n - 1:
                place = 0
        elif op == _REPEAT:
            place = place if place < n else place - n
        elif op == _APPEND:
            if place >= n:
                place -= n
                first = second
        elif op == _PREPEND:
            if place < nodes[second, _LENGTH]:
                first = second
            else:
                place -= nodes[second, _LENGTH]
        elif op == _REMOVE_FIRST:
            first = second
        node = first
    symbol: Int = tree.symbols[nodes[node, _FIRST] + place]
    return symbol


@kernel
def _is_result(text: Bytes, start: Int, end: Int, tree: Tree, node: Int) -> bool:
    """Say whether text[start:end] is the result of a node, with single spaces."""
    # A symbol takes at least two bytes and a space, so that a longer result cannot match.
    length = tree.nodes[node, _LENGTH]
    if length > (end - start + 1) // 3:
        return False
    return bool(_after_string(text, start, end, tree, node) == end + 1)


@kernel
def _after_string(text: Bytes, at: Int, end: Int, tree: Tree, node: Int) -> Int:
    """Return where the token after a node's result begins, or end + 2 if it is not at `at`."""
    for place in range(tree.nodes[node, _LENGTH]):
        stop = _token_end(text, at, end)
        if _read_symbol(text, at, stop) != _symbol_at(tree, node, place):
            return end + 2
        at = stop + 1
    return at


@kernel
def _is_solution(text: Bytes, start: Int, end: Int, tree: Tree) -> bool:
    """Say whether text[start:end] has one line a function, arguments first, left before right.

    Every line is the string that the function gives; or, if the first line has a `=`, the function
    with its arguments, ` = `, and its place as *k (the last line: its string), where the place of
    an earlier line replaces an argument that is its result.
    """
    nodes, stack = tree.nodes, tree.stack
    unrolled = False
    for place in range(start, end):
        unrolled = unrolled or text[place] == _EQUALS
        if unrolled or text[place] == _NEWLINE:
            break
    top, line, at = 0, 0, start
    stack[0, 0], stack[0, 1] = 0, 0
    while top >= 0:
        node = stack[top, 0]
        if nodes[node, _OP] == _STRING:
            top -= 1
            continue
        step = stack[top, 1]
        stack[top, 1] += 1
        if step == 0 or (step == 1 and nodes[node, _SECOND] >= 0):
            top += 1
            stack[top, 0] = nodes[node, _FIRST if step == 0 else _SECOND]
            stack[top, 1] = 0
            continue
        top -= 1
        line += 1
        nodes[node, _LINE] = line
        stop = at
        while stop < end and text[stop] != _NEWLINE:
            stop += 1
        if at > end:
            return False
        at = _after_call(text, at, stop, tree, node) if unrolled else at
        if unrolled and node > 0:
            if _after_place(text, at, stop, line) != stop + 1:
                return False
        elif at > stop or not _is_result(text, at, stop, tree, node):
            return False
        at = stop + 1
    return bool(at == end + 1)


@kernel
def _after_call(text: Bytes, at: Int, end: Int, tree: Tree, node: Int) -> Int:
    """Return where the token after a call and ` = ` begins, or end + 2 if they are not at `at`."""
    nodes = tree.nodes
    stop = _token_end(text, at, end)
    name = nodes[node, _OP] + _SYNONYM_CODES * nodes[node, _SYNONYM]
    if _read_function(text, at, stop) != name:
        return end + 2
    at = _after_argument(text, stop + 1, end, tree, nodes[node, _FIRST])
    if nodes[node, _SECOND] >= 0:
        at = _after_mark(text, at, end, _COMMA)
        at = _after_argument(text, at, end, tree, nodes[node, _SECOND])
    return _after_mark(text, at, end, _EQUALS)


@kernel
def _after_argument(text: Bytes, at: Int, end: Int, tree: Tree, node: Int) -> Int:
    """Return where the token after an argument begins, or end + 2 if it is not at `at`."""
    if tree.nodes[node, _OP] != _STRING:
        return _after_place(text, at, end, tree.nodes[node, _LINE])
    return _after_string(text, at, end, tree, node)


@kernel
def _after_place(text: Bytes, at: Int, end: Int, number: Int) -> Int:
    """Return where the token after the place of a line begins, or end + 2 if it is not at `at`."""
    if at >= end or text[at] != _STAR:
        return end + 2
    stop = _token_end(text, at, end)
    return stop + 1 if _read_number(text, at + 1, stop, _MOST_PLACE_DIGITS) == number else end + 2


@kernel
def _after_mark(text: Bytes, at: Int, end: Int, mark: Int) -> Int:
    """Return where the token after a mark begins, or end + 2 if it is not at `at`."""
    return at + 2 if _is_mark(text, at, end, mark) else end + 2
