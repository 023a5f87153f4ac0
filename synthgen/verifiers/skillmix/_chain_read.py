"""Reading skill chains: which atoms, in which order, and from which value they start.

A problem is `LABEL LABEL | VALUE`, `first NAME, then NAME: VALUE` (or `NAME: VALUE`), or
`CALL(CALL(VALUE))`. Instead of any name may stand `func_` and one letter, which a line of the
prompt defines, or `func_` and four letters, which say by themselves which atom is meant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._problem_text import after, problem_span
from synthgen.verifiers.skillmix._chain_atoms import (
    AT_ONCE,
    ATOMS,
    CALL,
    DEFINITION,
    FACTOR,
    LABEL,
    LETTERS,
    LONGEST_FORM,
    N_FORMS,
    N_SLOTS,
    NAME,
    SLOT_SHIFT,
    SLOTS,
    STARTS,
    STATE_MASK,
)

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
MOST_STEPS = 32
NO_ATOM = -1
_N_ATOMS = len(ATOMS)
_SPACE, _LINE, _DOT, _COLON, _BAR, _OPEN, _CLOSE, _COMMA = (ord(char) for char in " \n.:|(),")
_SMALL_A, _N_LETTERS, _OPAQUE = ord("a"), 26, 4
_FIRST = np.frombuffer(b"first ", np.uint8)
_THEN = np.frombuffer(b", then ", np.uint8)
_FUNC = np.frombuffer(b"func_", np.uint8)
_TABLE_SIZE, _TABLE_BITS, _MOST_KEY = 2_048, 2_047, 222
_SLOT_MASK = N_SLOTS - 1


@lent
def find_atom(text: Bytes, start: Int, end: Int, form: Int) -> Int:
    """Return the atom that text[start:end] writes in this form, or NO_ATOM."""
    length = end - start
    if length <= 0 or length > LONGEST_FORM:
        return np.int64(NO_ATOM)
    slot = _slot_of(text, start, end)
    while SLOTS[slot] >= 0:
        entry = SLOTS[slot]
        if entry % N_FORMS == form and _stands_at(text, start, end, entry):
            return np.int64(entry // N_FORMS)
        slot = (slot + 1) & _SLOT_MASK
    return np.int64(NO_ATOM)


@lent
def _slot_of(text: Bytes, start: Int, end: Int) -> Int:
    """Return where text[start:end] is looked up first; see `_chain_atoms`."""
    length = end - start
    state: Int = np.int64(length)
    for four in range(start, end - AT_ONCE + 1, AT_ONCE):
        at = np.uint64(four)  # no place is negative, so none need be counted from the end
        low = np.int64(text[at]) | np.int64(text[at + np.uint64(1)]) << 8
        high = np.int64(text[at + np.uint64(2)]) | np.int64(text[at + np.uint64(3)]) << 8
        state = ((state ^ low ^ (high << 16)) * FACTOR) & STATE_MASK
    rest: Int = np.int64(0)
    for one in range(end - 1, end - 1 - length % AT_ONCE, -1):
        rest = rest << 8 | np.int64(text[one])
    return ((state ^ rest) * FACTOR & STATE_MASK) >> SLOT_SHIFT


@lent
def _stands_at(text: Bytes, start: Int, end: Int, entry: Int) -> bool:
    """Say whether text[start:end] is this entry's text; compared whole, so many letters at once."""
    if STARTS[entry + 1] - STARTS[entry] != end - start:
        return False
    first, other, differ = np.uint64(start), np.uint64(STARTS[entry]), np.uint8(0)
    for k in range(np.uint64(end - start)):
        differ |= text[first + k] ^ LETTERS[other + k]
    return bool(differ == 0)


@lent
def _opaque_atom(text: Bytes, start: Int) -> Int:
    """Return the atom that four letters stand for, or NO_ATOM: the scrambling, undone."""
    number: Int = np.int64(0)
    for at in range(start, start + _OPAQUE):
        letter = np.int64(text[at]) - _SMALL_A
        if not 0 <= letter < _N_LETTERS:
            return np.int64(NO_ATOM)
        number = number * _N_LETTERS + letter
    key, place = number // _TABLE_SIZE, number % _TABLE_SIZE
    if key > _MOST_KEY:
        return np.int64(NO_ATOM)
    place = place ^ (place >> 5) ^ (place >> 10)
    place = ((place - 91 * key - 3) * _inverse(4 * key + 1_621)) & _TABLE_BITS
    place = place ^ (place >> 6)
    place = ((place - 37 * key - 5) * _inverse(8 * key + 1_109)) & _TABLE_BITS
    return place if place < _N_ATOMS else np.int64(NO_ATOM)


@lent
def _inverse(factor: Int) -> Int:
    """Return the inverse of an odd number modulo 2^11 (Newton: 3, 6, 12 bits are right)."""
    inverse = factor
    for _ in range(2):
        inverse = (inverse * (2 - factor * inverse)) & _TABLE_BITS
    return inverse


@lent
def _read_definitions(text: Bytes, start: Int, end: Int, defined: Numbers) -> bool:
    """Fill in which atom each letter's function is; false for a line that defines nothing known.

    The first of `defined` says whether this was done, and letters are behind it.
    """
    defined[:] = NO_ATOM
    defined[0] = 1
    at = start
    while at < end:
        stop = at
        while stop < end and text[stop] != _LINE:
            stop += 1
        behind = after(text, at, stop, _FUNC)
        if behind >= 0:
            letter = np.int64(text[behind]) - _SMALL_A if behind < stop else np.int64(-1)
            if not 0 <= letter < _N_LETTERS or stop - behind < 4 or defined[1 + letter] >= 0:
                return False
            if text[behind + 1] != _SPACE or text[stop - 1] != _DOT:
                return False
            defined[1 + letter] = find_atom(text, behind + 2, stop - 1, DEFINITION)
            if defined[1 + letter] < 0:
                return False
        at = stop + 1
    return True


@lent
def _atom_at(
    text: Bytes, start: Int, end: Int, form: Int, before: tuple[Int, Int], defined: Numbers
) -> Int:
    """Return the atom that text[start:end] names.

    Args:
        text: of all prompts.
        start: of the name.
        end: of the name.
        form: in which it is expected.
        before: where definitions are looked for.
        defined: see `_read_definitions`.
    """
    behind = after(text, start, end, _FUNC)
    if behind < 0:
        return find_atom(text, start, end, form)
    if end - behind == _OPAQUE:
        return _opaque_atom(text, behind)
    letter = np.int64(text[behind]) - _SMALL_A if end - behind == 1 else np.int64(-1)
    if not 0 <= letter < _N_LETTERS:
        return np.int64(NO_ATOM)
    if defined[0] == 0 and not _read_definitions(text, before[0], before[1], defined):
        defined[:] = NO_ATOM
    return np.int64(defined[1 + letter])


@lent
def read_chain(
    text: Bytes, start: Int, end: Int, chain: Numbers, defined: Numbers
) -> tuple[Int, Int, Int]:
    """Read a prompt.

    Args:
        text: of all prompts.
        start: of the prompt.
        end: of the prompt.
        chain: room for MOST_STEPS atoms, filled in the order in which they are applied.
        defined: room for 27 numbers.

    Returns:
        The number of atoms, 0 for what is no problem, and where the value begins and ends.
    """
    low, high = problem_span(text, start, end)
    nothing = (np.int64(0), low, high)
    defined[0] = 0
    form, stop, at = CALL, high, low
    for at in range(high - 1, low - 1, -1):  # values are shorter than names, and have no mark
        if text[at] == _BAR or text[at] == _COLON:
            form = LABEL if text[at] == _BAR else NAME
            stop = at
            break
    begin = stop + 2 if form != CALL else low
    if form != CALL and (begin >= high or text[stop + 1] != _SPACE):
        return nothing
    at = low
    if form == LABEL:
        stop -= 1
        if stop <= low or text[stop] != _SPACE:
            return nothing
    told_first = False
    if form == NAME and after(text, low, stop, _FIRST) >= 0:
        at, told_first = low + len(_FIRST), True
    count: Int = np.int64(0)
    while at < stop:
        behind = _end_of_name(text, at, stop, form)
        if form == CALL and behind == stop:
            break
        atom = _atom_at(text, at, behind, form, (start, low), defined)
        if atom < 0 or count == MOST_STEPS:
            return nothing
        chain[count] = atom
        count += 1
        at = behind + (len(_THEN) if form == NAME else 1)
        if behind < stop and at >= stop:
            return nothing
    if form == CALL:
        begin, high = at, high - count
        for k in range(high, high + count):
            if text[k] != _CLOSE:
                return nothing
        for k in range(count // 2):
            chain[k], chain[count - 1 - k] = chain[count - 1 - k], chain[k]
    if begin >= high or (form == NAME and told_first != (count > 1)):
        return nothing
    return count, begin, high


@lent
def _end_of_name(text: Bytes, at: Int, stop: Int, form: Int) -> Int:
    """Return where a name in this form that begins at `at` ends; `stop` if nothing ends it."""
    mark = _SPACE if form == LABEL else _OPEN if form == CALL else _COMMA
    while at < stop:
        if text[at] == mark and (form != NAME or after(text, at, stop, _THEN) >= 0):
            break
        at += 1
    return at
