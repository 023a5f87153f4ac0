"""Third-party trees written as text: `(+ 2 (* 3 4))`, or `plus(2, times(3, 4))`.

In a text that begins with a bracket, the symbol of a node comes first in its brackets; otherwise
the brackets follow the symbol, and commas separate arguments. Spaces separate symbols in both. A
symbol may take up to `MAX_ARGUMENTS` and is a different symbol for each number. One text is one
complete tree. An infix expression, such as `(3 + 4) * x`, is the tree of its operators.

The signature of a batch has only the symbols of that batch; ids of structures depend only on names
and numbers of arguments, so those of different batches can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, longest_row, offsets_of, text_bytes, text_column
from synthgen.core.kernels import Int, inline, jit
from synthgen.coverage.infix_texts import with_prefix_trees
from synthgen.trees.derivations import Signature
from synthgen.trees.ngrams import fold
from synthgen.trees.structures import MAX_ARGUMENTS

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

_SPACE, _OPEN, _CLOSE, _COMMA = (np.uint8(byte) for byte in b" (),")
_ARITY_MARK = "\x01"
"""Separates name and number of arguments; control characters never occur in symbols."""
_FINE, _EMPTY, _NO_HEAD, _NOT_OPEN, _NOT_CLOSED, _TWO_ROOTS = range(6)
_EXPECTED = {
    _EMPTY: "a tree, not an empty text",
    _NO_HEAD: "a symbol for each bracket that opens",
    _NOT_OPEN: "an open bracket for each that closes",
    _NOT_CLOSED: "a closing bracket for each that opens",
    _TWO_ROOTS: "one tree, whose first symbol has all others in its brackets, or a formula",
}


@dataclass(frozen=True, slots=True)
class ParsedTrees:
    """Trees of n texts.

    Attributes:
        codes: Symbols in prefix order, ragged uint32.
        signature: Names and arities of the codes; a name holds the number of arguments, if any.
        depths: Symbols from the root to the deepest one, both counted, int64 (n,).
    """

    codes: Ragged
    signature: Signature
    depths: Ints


@dataclass(frozen=True, slots=True)
class BadTree:
    """The first text of a batch that is not a tree.

    Attributes:
        row: Number in the batch, from 0.
        character: Number of the character at which the reader stopped, from 1.
        expected: Description of what was expected there.
    """

    row: int
    character: int
    expected: str


def read_trees(texts: pa.StringArray) -> ParsedTrees | BadTree:
    """Return the trees of a text column, or the first invalid text; nulls count as empty."""
    data, offsets = text_bytes(with_prefix_trees(texts))
    lengths, depths, row, fault, at = _measure(data, offsets)
    if fault:
        return _bad(data, offsets, row, at, _EXPECTED[fault])
    nodes = offsets_of(lengths)
    ids, arities, starts, stops = _fill(data, offsets, nodes)
    if len(wide := np.flatnonzero(arities > MAX_ARGUMENTS)):
        row = int(np.searchsorted(nodes, wide[0], side="right")) - 1
        expected = f"at most {MAX_ARGUMENTS:,} arguments, not {arities[wide[0]]:,}"
        return _bad(data, offsets, row, int(starts[wide[0]] - offsets[row]), expected)
    _, first, codes = np.unique(ids, return_index=True, return_inverse=True)
    names = [
        _name(data[starts[node] : stops[node]].tobytes().decode(), int(arities[node]))
        for node in first.tolist()
    ]
    signature = Signature(tuple(names), tuple(arities[first].tolist()))
    return ParsedTrees(Ragged(codes.astype(np.uint32), nodes), signature, depths)


def prefix_texts(texts: pa.StringArray) -> pa.StringArray | BadTree:
    """Return trees in the form `(+ 2 (* 3 4))`, or the first invalid one."""
    plain = with_prefix_trees(texts)
    trees = read_trees(plain)
    if isinstance(trees, BadTree):
        return trees
    return text_column(*_as_prefix(*text_bytes(plain)))


def _bad(data: Bytes, offsets: Ints, row: int, at: int, expected: str) -> BadTree:
    """Return the fault at a byte of a row."""
    before = data[offsets[row] : offsets[row] + at].tobytes().decode(errors="ignore")
    return BadTree(row, len(before) + 1, expected)


def _name(text: str, arity: int) -> str:
    plain = "".join(f"\\u{ord(char):04x}" if char.isspace() else char for char in text)
    return f"{plain}{_ARITY_MARK}{arity}" if arity else plain


@inline
def _is_gap(byte: np.uint8, heads_inside: bool) -> bool:  # noqa: FBT001
    return bool(byte <= _SPACE or (byte == _COMMA and not heads_inside))


@inline
def _ends_symbol(byte: np.uint8, heads_inside: bool) -> bool:  # noqa: FBT001
    return _is_gap(byte, heads_inside) or bool(byte == _OPEN or byte == _CLOSE)


@jit
def _measure(data: Bytes, offsets: Ints) -> tuple[Ints, Ints, int, int, int]:
    """Return symbols and depth of each row, or the first bad row, its fault and position."""
    lengths, depths = np.zeros(len(offsets) - 1, np.int64), np.zeros(len(offsets) - 1, np.int64)
    for i in range(len(lengths)):
        begin, end = offsets[i], offsets[i + 1]
        at = begin
        while at < end and _is_gap(data[at], True):
            at += 1
        heads_inside = at < end and data[at] == _OPEN
        depth, nodes = 0, 0
        awaits_head = False
        may_open = False  # after a symbol, in the form with brackets there
        while at < end:
            byte = data[at]
            if _is_gap(byte, heads_inside):
                may_open = may_open and byte != _COMMA
                at += 1
                continue
            if byte == _OPEN:
                if awaits_head or not (heads_inside or may_open):
                    return lengths, depths, i, _NO_HEAD, at - begin
                awaits_head = heads_inside
                may_open = False
                if heads_inside and depth == 0 and nodes:
                    return lengths, depths, i, _TWO_ROOTS, at - begin
                depth += 1
                at += 1
                continue
            if byte == _CLOSE:
                if awaits_head:
                    return lengths, depths, i, _NO_HEAD, at - begin
                if depth == 0:
                    return lengths, depths, i, _NOT_OPEN, at - begin
                depth -= 1
                may_open = False
                at += 1
                continue
            if depth == 0 and nodes:
                return lengths, depths, i, _TWO_ROOTS, at - begin
            nodes += 1
            depths[i] = max(depths[i], depth + (0 if awaits_head else 1))
            awaits_head = False
            may_open = not heads_inside
            while at < end and not _ends_symbol(data[at], heads_inside):
                at += 1
        if depth:
            return lengths, depths, i, _NOT_CLOSED, end - begin
        if not nodes:
            return lengths, depths, i, _EMPTY, 0
        lengths[i] = nodes
    return lengths, depths, 0, _FINE, 0


@jit
def _fill(data: Bytes, offsets: Ints, nodes: Ints) -> tuple[NDArray[np.uint64], Ints, Ints, Ints]:
    """Return id, arity and name position of each symbol of valid texts."""
    total = nodes[-1]
    ids = np.empty(total, np.uint64)
    arities = np.zeros(total, np.int64)
    starts, stops = np.empty(total, np.int64), np.empty(total, np.int64)
    stack = np.empty(longest_row(nodes) + 1, np.int64)
    for i in range(len(offsets) - 1):
        depth: Int = np.int64(0)
        node = nodes[i]
        at, end = offsets[i], offsets[i + 1]
        while at < end and _is_gap(data[at], True):
            at += 1
        heads_inside = at < end and data[at] == _OPEN
        is_head = False
        while at < end:
            byte = data[at]
            if _is_gap(byte, heads_inside):
                at += 1
                continue
            if byte == _OPEN:
                if heads_inside:
                    is_head = True
                else:
                    stack[depth] = node - 1
                    depth += 1
                at += 1
                continue
            if byte == _CLOSE:
                depth -= 1
                at += 1
                continue
            if depth:
                arities[stack[depth - 1]] += 1
            if is_head:
                stack[depth] = node
                depth += 1
                is_head = False
            starts[node] = at
            state = np.uint64(0)
            while at < end and not _ends_symbol(data[at], heads_inside):
                state = fold(state, np.uint64(data[at]))
                at += 1
            stops[node] = at
            ids[node] = fold(state, np.uint64(at - starts[node]))
            node += 1
    for node in range(total):
        ids[node] = fold(ids[node], np.uint64(arities[node]))
    return ids, arities, starts, stops


@jit
def _as_prefix(data: Bytes, offsets: Ints) -> tuple[Bytes, Ints]:
    """Write valid trees with every symbol first in its brackets, and none around a leaf."""
    out = np.empty(3 * (offsets[-1] - offsets[0]) + 1, np.uint8)
    ends = np.zeros(len(offsets), np.int64)
    place: Int = np.int64(0)
    for i in range(len(offsets) - 1):
        at, end = offsets[i], offsets[i + 1]
        while at < end and _is_gap(data[at], True):
            at += 1
        heads_inside = at < end and data[at] == _OPEN
        is_head = False
        while at < end:
            byte = data[at]
            if byte == _OPEN or _is_gap(byte, heads_inside):
                is_head = is_head or byte == _OPEN
                at += 1
                continue
            if byte == _CLOSE:
                out[place] = _CLOSE
                place += 1
                at += 1
                continue
            start = at
            while at < end and not _ends_symbol(data[at], heads_inside):
                at += 1
            stop = at
            while at < end and _is_gap(data[at], True):
                at += 1
            if not heads_inside and at < end and data[at] == _OPEN:
                is_head = True
                at += 1
                while at < end and _is_gap(data[at], heads_inside):
                    at += 1
            if is_head and data[at] == _CLOSE:
                is_head = False
                at += 1
            if place > ends[i]:
                out[place] = _SPACE
                place += 1
            if is_head:
                out[place] = _OPEN
                place += 1
            out[place : place + stop - start] = data[start:stop]
            place += stop - start
            is_head = False
        ends[i + 1] = place
    return out[:place].copy(), ends
