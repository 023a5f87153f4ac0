"""Kernels that write chains as prompts, and their values as answers and traces."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.core.randomness import U64
from synthgen.generators.skillmix._chain_draw import RESULT, SOURCE, Chains, Drawn, Marks
from synthgen.generators.skillmix._chain_family import LIST, NUMBER, STRING
from synthgen.generators.skillmix._chain_inputs import below

Bytes = NDArray[np.uint8]
Table = tuple[Bytes, NDArray[np.int64]]
"""Texts end to end and their offsets."""
BARE, THEN, NESTED = range(3)
"""How the order of atoms is told."""
_SPACE, _LINE, _COMMA, _DOT = (np.uint8(ord(char)) for char in " \n,.")
_OPEN, _CLOSE, _LIST_OPEN, _LIST_CLOSE = (np.uint8(ord(char)) for char in "()[]")
_SMALL_A, _BEFORE_A = np.uint8(ord("a")), ord("a") - 1
_FIRST = np.frombuffer(b"first ", np.uint8)
_THEN = np.frombuffer(b", then ", np.uint8)
_COLON = np.frombuffer(b": ", np.uint8)
_BAR = np.frombuffer(b" | ", np.uint8)
_FUNC = np.frombuffer(b"func_", np.uint8)
_DOTS = np.frombuffer(b"...", np.uint8)
_STEP_ROOM, _N_LETTERS = 16, 26
_PER_ITEM = 12
"""Bytes that one item of a value takes at most."""


@lent
def _put(out: Bytes, at: Int, text: Bytes) -> Int:
    for k in range(len(text)):
        out[at + k] = text[k]
    return at + len(text)


@lent
def _put_entry(out: Bytes, at: Int, table: Table, place: Int) -> Int:
    return _put(out, at, table[0][table[1][place] : table[1][place + 1]])


@lent
def _put_value(out: Bytes, at: Int, kind: Int, values: NDArray[np.int32]) -> Int:
    """Write `compose`, `17`, `[3, 1, 4]` or `[pear, plum]`."""
    n = len(values)
    if kind == NUMBER:
        return write_integer(out, at, np.int64(values[0]))
    if kind != STRING:
        out[at] = _LIST_OPEN
        at += 1
    for k in range(n):
        if kind == LIST:
            at = write_integer(out, at, np.int64(values[k]))
        elif values[k] > 0:
            out[at] = np.uint8(_BEFORE_A + values[k])
            at += 1
        if k < n - 1 and (kind == LIST or values[k] == 0):
            out[at] = _COMMA
            out[at + 1] = _SPACE
            at += 2
    if kind != STRING:
        out[at] = _LIST_CLOSE
        at += 1
    return at


@lent
def _name_functions(
    key: np.uint64, chain: Chains, count: Int, extra: Int, m: Int, letters: Marks, named: Marks
) -> None:
    """Give the atoms of a chain, and others, letters; named[letter] is an atom, or -1.

    Args:
        key: of the row's own draws.
        chain: atoms.
        count: of them.
        extra: other atoms to name, as far as they are found.
        m: atoms of the source.
        letters: room for 26 numbers, filled with the alphabet in a random order.
        named: room for 26 atoms.
    """
    for k in range(_N_LETTERS):
        letters[k] = k
        named[k] = -1
    used, most = 0, count + extra
    for turn in range(count + 2 * extra):
        if turn == count:
            most = used + extra
        if used == most:
            break
        atom = np.int64(chain[turn]) if turn < count else below(key, 2 * turn, m)
        known = False
        for k in range(used):
            known = known or named[letters[k]] == atom
        if known:
            continue
        other = used + below(key, 2 * turn + 1, _N_LETTERS - used)
        letters[used], letters[other] = letters[other], letters[used]
        named[letters[used]] = atom
        used += 1


@lent
def _put_atom(out: Bytes, at: Int, atom: Int, names: Table, named: Marks, defined: Int) -> Int:
    """Write the name of an atom, or of the function that a prompt defines as it."""
    if not defined:
        return _put_entry(out, at, names, atom)
    at = _put(out, at, _FUNC)
    for letter in range(_N_LETTERS):
        if named[letter] == atom:
            out[at] = _SMALL_A + np.uint8(letter)
    return at + 1


def prompt_room(
    drawn: Drawn, names: Table, definitions: Table, extra: int, frames: tuple[Table, Table, Table]
) -> int:
    """Return how many bytes the prompts of a batch take at most."""
    n, most = drawn.chains.shape
    longest_name, longest_definition, *longest_frames = (
        int(np.diff(table[1]).max()) for table in (names, definitions, *frames)
    )
    per_row = _STEP_ROOM + sum(longest_frames)
    if extra >= 0:
        per_row += (most + extra) * (longest_definition + _STEP_ROOM)
    inputs = int((drawn.marks[:, 1] - drawn.marks[:, 0]).sum())
    per_atom = longest_name + _STEP_ROOM
    total: int = n * per_row + int(drawn.counts.sum()) * per_atom + _PER_ITEM * inputs
    return total


@njit(cache=True, nogil=True)
def prompt_text(
    order: Int,
    chains: Chains,
    counts: Marks,
    values: NDArray[np.int32],
    marks: Marks,
    atoms: Marks,
    names: Table,
    definitions: Table,
    extra: Int,
    keys: U64,
    wordings: Marks,
    heads: Table,
    middles: Table,
    tails: Table,
    room: int,
) -> Table:
    """Write the prompts.

    Args:
        order: BARE, THEN or NESTED.
        chains: atoms of the rows.
        counts: of them.
        values: of all steps.
        marks: of the values.
        atoms: table of the source's atoms.
        names: of the atoms.
        definitions: of the atoms.
        extra: how many atoms that are not needed are defined, too, or -1 for no definitions.
        keys: for the names of defined functions.
        wordings: which head, middle and tail each row has.
        heads: what stands before definitions.
        middles: what stands between definitions, or heads, and the problem.
        tails: what stands behind the problem.
        room: bytes that all of it takes at most, see `prompt_room`.
    """
    n, defined = len(counts), int(extra >= 0)
    out, offsets = np.empty(room, np.uint8), np.zeros(n + 1, np.int64)
    letters, named = np.empty(_N_LETTERS, np.int64), np.empty(_N_LETTERS, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        chain, count = chains[i], counts[i]
        at = _put_entry(out, at, heads, wordings[i])
        if defined:
            _name_functions(keys[i], chain, count, extra, len(atoms), letters, named)
            for letter in range(_N_LETTERS):
                if named[letter] >= 0:
                    out[at] = _LINE
                    at = _put_atom(out, at + 1, named[letter], names, named, defined)
                    out[at] = _SPACE
                    at = _put_entry(out, at + 1, definitions, named[letter])
                    out[at] = _DOT
                    at += 1
        at = _put_entry(out, at, middles, wordings[i])
        if order == THEN and count > 1:
            at = _put(out, at, _FIRST)
        for k in range(count):
            if k > 0 and order == THEN:
                at = _put(out, at, _THEN)
            elif k > 0 and order == BARE:
                out[at] = _SPACE
                at += 1
            atom = np.int64(chain[count - 1 - k if order == NESTED else k])
            at = _put_atom(out, at, atom, names, named, defined)
            if order == NESTED:
                out[at] = _OPEN
                at += 1
        if order != NESTED:
            at = _put(out, at, _COLON if order == THEN else _BAR)
        at = _put_value(out, at, atoms[chain[0], SOURCE], values[marks[i, 0] : marks[i, 1]])
        for _ in range(count if order == NESTED else 0):
            out[at] = _CLOSE
            at += 1
        at = _put_entry(out, at, tails, wordings[i])
        offsets[i + 1] = at
    return out[:at], offsets


@njit(cache=True, nogil=True)
def value_text(
    chains: Chains,
    counts: Marks,
    values: NDArray[np.int32],
    marks: Marks,
    atoms: Marks,
    hidden: Marks,
    traced: Int,
) -> Table:
    """Write the last value of each row, or every step with its number, a line each.

    Args:
        chains: atoms of the rows.
        counts: of them.
        values: of all steps.
        marks: of the values.
        atoms: table of the source's atoms.
        hidden: bits of steps, the lowest for the first, whose values are told as dots.
        traced: 1 if all steps are told, else 0.
    """
    n = len(counts)
    room = _PER_ITEM * len(values) + n * chains.shape[1] * (_STEP_ROOM + MOST_DIGITS)
    out, offsets = np.empty(room, np.uint8), np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        count = counts[i]
        for step in range(0 if traced else count - 1, count):
            if traced:
                if step > 0:
                    out[at] = _LINE
                    at += 1
                at = _put(out, write_integer(out, at, step + 1), _COLON)
            if hidden[i] >> step & 1:
                at = _put(out, at, _DOTS)
                continue
            kind = atoms[chains[i, step], RESULT]
            value = values[marks[i, step + 1] : marks[i, step + 2]]
            at = _put_value(out, at, kind, value)
        offsets[i + 1] = at
    return out[:at], offsets
