"""Kernels that write chains as prompts, and their values as answers and solutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.byte_spans import MOST_DIGITS, copy_bytes, write_integer
from synthgen.core.columns import text_bytes, text_list
from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.randomness import U64
from synthgen.families.skill_chain.kernels import RESULT, SOURCE, Drawn, Marks, below
from synthgen.families.skill_chain.words import LIST, NUMBER, STRING

Bytes = NDArray[np.uint8]
BARE, STEPS, CALLS = range(3)
"""Forms of a problem: labels, instructions in order, nested calls."""
_FIXED = ("", "first ", ", then ", " ", ": ", " | ", "(", ")", "[", "]", ", ", "func_", "...", "\n")
# As numbers of numpy, as a kernel is compiled again for every literal of Python.
_NOTHING, _FIRST, _THEN, _SPACE, _COLON, _BAR, _OPEN, _CLOSE = np.arange(8)
_LIST_OPEN, _LIST_CLOSE, _COMMA, _FUNC, _DOTS, _LINE = np.arange(8, 14)
_BEFORE_A, _N_LETTERS, _DOT = np.int64(ord("a") - 1), np.int64(26), np.uint8(ord("."))
_STEP_ROOM, _PER_ITEM = 16, 12
"""Most bytes that a step takes besides names and values, and that an item of a value takes."""


class Table(NamedTuple):
    """Texts end to end, and their offsets."""

    data: Bytes
    starts: Marks


def table_of(texts: Sequence[str]) -> Table:
    """Return a table of texts."""
    return Table(*text_bytes(text_list(texts)))


FIXED = table_of(_FIXED)
"""Texts that do not depend on the wording."""


class Wordings(NamedTuple):
    """Texts that prompts consist of.

    Attributes:
        fixed: `FIXED`.
        names, definitions: of the source's atoms.
        heads, middles, tails: of each wording: the text before definitions, the text before the
            problem, and the text after it.
        form: of the problem.
        extra: number of functions to define that are not needed, or -1 to define none.
    """

    fixed: Table
    names: Table
    definitions: Table
    heads: Table
    middles: Table
    tails: Table
    form: int
    extra: int


def prompt_room(drawn: Drawn, words: Wordings) -> int:
    """Return the most bytes that the prompts of a batch take."""
    n, most = drawn.chains.shape
    tables = (words.names, words.definitions, words.heads, words.middles, words.tails)
    name, definition, *frame = (int(np.diff(table.starts).max()) for table in tables)
    per_row = _STEP_ROOM + sum(frame)
    if words.extra >= 0:
        per_row += (most + words.extra) * (definition + _STEP_ROOM)
    inputs = int((drawn.marks[:, 1] - drawn.marks[:, 0]).sum())
    per_atom, steps = name + _STEP_ROOM, int(drawn.counts.sum())
    room: int = n * per_row + steps * per_atom + _PER_ITEM * inputs
    return room


@kernel
def _put(out: Bytes, at: Int, table: Table, place: Int) -> Int:
    start, end = table.starts[place], table.starts[place + 1]
    copy_bytes(out, at, table.data, start, end - start)
    return np.int64(at + end - start)


@kernel
def _put_value(out: Bytes, at: Int, kind: Int, values: NDArray[np.int32], fixed: Table) -> Int:
    """Write `compose`, `17`, `[3, 1, 4]` or `[pear, plum]`."""
    n = len(values)
    if kind == NUMBER:
        return write_integer(out, at, np.int64(values[0]))
    if kind != STRING:
        at = _put(out, at, fixed, _LIST_OPEN)
    for k in range(n):
        if kind == LIST:
            at = write_integer(out, at, np.int64(values[k]))
        elif values[k] > 0:
            out[at] = np.uint8(_BEFORE_A + values[k])
            at += 1
        if k < n - 1 and (kind == LIST or values[k] == 0):
            at = _put(out, at, fixed, _COMMA)
    return _put(out, at, fixed, _LIST_CLOSE) if kind != STRING else at


@kernel
def _name_functions(
    key: np.uint64, chain: NDArray[np.int16], count: Int, limits: tuple[Int, Int], named: Marks
) -> None:
    """Give the atoms of a chain, and some others, letters in a random order.

    Args:
        key: of the row's own draws.
        chain: atoms.
        count: of them.
        limits: number of other atoms to name, as far as they are found, and atoms of the source.
        named: space for 52 numbers: the atom of each letter or -1, and the alphabet shuffled.
    """
    extra, m = limits
    for k in range(_N_LETTERS):
        named[k], named[_N_LETTERS + k] = -1, k
    used, most = np.int64(0), count + extra
    for turn in range(count + 2 * extra):
        if turn == count:
            most = used + extra
        if used == most:
            break
        atom = np.int64(chain[turn]) if turn < count else below(key, np.int64(2 * turn), m)
        known = False
        for k in range(used):
            known = known or named[named[_N_LETTERS + k]] == atom
        if known:
            continue
        one = _N_LETTERS + used
        other = one + below(key, np.int64(2 * turn + 1), _N_LETTERS - used)
        named[one], named[other] = named[other], named[one]
        named[named[one]] = atom
        used += 1


@kernel
def _put_function(out: Bytes, at: Int, words: Wordings, atom: Int, named: Marks) -> Int:
    """Write the name of an atom, or of the function that a prompt defines as it."""
    if words.extra < 0:
        return _put(out, at, words.names, atom)
    at = _put(out, at, words.fixed, _FUNC)
    for letter in range(_N_LETTERS):
        if named[letter] == atom:
            out[at] = np.uint8(_BEFORE_A + 1 + letter)
    return at + 1


@kernel
def _put_definitions(out: Bytes, at: Int, words: Wordings, named: Marks) -> Int:
    """Write a line for each function that has a letter."""
    for letter in range(_N_LETTERS):
        if named[letter] >= 0:
            at = _put(out, at, words.fixed, _LINE)
            at = _put_function(out, at, words, named[letter], named)
            at = _put(out, at, words.fixed, _SPACE)
            at = _put(out, at, words.definitions, named[letter])
            out[at] = _DOT
            at += 1
    return at


@jit
def prompt_text(drawn: Drawn, words: Wordings, keys: U64, choice: Marks, room: int) -> Table:
    """Write the prompts.

    Args:
        drawn: the batch.
        words: their texts.
        keys: for the names of defined functions.
        choice: number of each row's wording.
        room: most bytes of all prompts, see `prompt_room`.
    """
    n, form, fixed = len(drawn.counts), words.form, words.fixed
    out, offsets = np.empty(room, np.uint8), np.zeros(n + 1, np.int64)
    named = np.empty(2 * _N_LETTERS, np.int64)
    opening = _OPEN if form == CALLS else _NOTHING
    between = _THEN if form == STEPS else _SPACE if form == BARE else _NOTHING
    closing = _COLON if form == STEPS else _BAR if form == BARE else _NOTHING
    at: Int = np.int64(0)
    for i in range(n):
        chain, count = drawn.chains[i], drawn.counts[i]
        at = _put(out, at, words.heads, choice[i])
        if words.extra >= 0:
            _name_functions(keys[i], chain, count, (words.extra, len(drawn.atoms)), named)
            at = _put_definitions(out, at, words, named)
        at = _put(out, at, words.middles, choice[i])
        if form == STEPS and count > 1:
            at = _put(out, at, fixed, _FIRST)
        for k in range(count):
            if k > 0:
                at = _put(out, at, fixed, between)
            atom = np.int64(chain[count - 1 - k if form == CALLS else k])
            at = _put(out, _put_function(out, at, words, atom, named), fixed, opening)
        at = _put(out, at, fixed, closing)
        value = drawn.values[drawn.marks[i, 0] : drawn.marks[i, 1]]
        at = _put_value(out, at, drawn.atoms[chain[0], SOURCE], value, fixed)
        for _ in range(count if form == CALLS else 0):
            at = _put(out, at, fixed, _CLOSE)
        at = _put(out, at, words.tails, choice[i])
        offsets[i + 1] = at
    return Table(out[:at], offsets)


@jit
def value_text(drawn: Drawn, fixed: Table, hidden: Marks, traced: int) -> Table:
    """Write the last value of each row, or a line for every step with its number and its value.

    Args:
        drawn: the batch.
        fixed: `FIXED`.
        hidden: bits of steps, the lowest for the first, whose values are written as dots.
        traced: 1 to write all steps, else 0.
    """
    n = len(drawn.counts)
    per_row = drawn.chains.shape[1] * (_STEP_ROOM + MOST_DIGITS)
    out = np.empty(_PER_ITEM * len(drawn.values) + n * per_row, np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        count = drawn.counts[i]
        for step in range(0 if traced else count - 1, count):
            if traced:
                at = _put(out, at, fixed, _LINE if step > 0 else _NOTHING)
                at = _put(out, write_integer(out, at, step + 1), fixed, _COLON)
            if hidden[i] >> step & 1:
                at = _put(out, at, fixed, _DOTS)
                continue
            kind = drawn.atoms[drawn.chains[i, step], RESULT]
            value = drawn.values[drawn.marks[i, step + 1] : drawn.marks[i, step + 2]]
            at = _put_value(out, at, kind, value, fixed)
        offsets[i + 1] = at
    return Table(out[:at], offsets)
