"""Skill chains from the text: the atoms that a prompt names, applied to the value that it gives.

The problem is between the last two backticks of a prompt, or the whole prompt if there are none. It
is `LABEL LABEL | VALUE`, `first NAME, then NAME: VALUE` (or `NAME: VALUE`), or `CALL(CALL(VALUE))`.
Any name may be replaced with `func_` and one letter, which a line before the problem defines, or
`func_` and four letters, which identify the atom. A solution has a line for every step, its number
and its value, or dots for a value that is hidden.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import TextVerifier
from synthgen.authoring.answers import grade as equal_in_type
from synthgen.authoring.answers import parse_integer
from synthgen.authoring.problem_text import after, problem_span
from synthgen.core.byte_spans import same_bytes
from synthgen.core.columns import text_bytes, text_list
from synthgen.core.kernels import Int, jit, kernel
from synthgen.families.skill_chain.verify_oracle import exact_answer
from synthgen.families.skill_chain.verify_rules import (
    FACTS,
    RESULT,
    ROOM,
    SOURCE,
    Bytes,
    Numbers,
    after_value,
    apply_atom,
    read_number,
    read_value,
)
from synthgen.families.skill_chain.words import ATOMS

_LABEL, _NAME, _CALL, _DEFINITION = np.arange(4)
"""Forms of an atom; form f of atom i is entry 4 i + f."""
_N_FORMS, _N_ATOMS = 4, len(ATOMS)
_MOST_STEPS = np.int64(32)
_NO_ATOM = np.int64(-1)
_N_SLOTS, _FACTOR, _STATE_BITS, _SLOT_SHIFT = 1 << 14, 0x5F3779B1, 0xFFFFFFFF, 18
"""Of the hash table of forms: a state has 32 bits, of which the highest choose the slot."""
_SPACE, _LINE, _DOT, _COLON, _BAR, _OPEN, _CLOSE, _COMMA = (ord(char) for char in " \n.:|(),")
_SMALL_A, _N_LETTERS, _OPAQUE = ord("a"), 26, 4
_FIRST, _THEN, _FUNC, _STEP, _DOTS, _NEW_LINE = (
    np.frombuffer(text, np.uint8)
    for text in (b"first ", b", then ", b"func_", b": ", b"...", b"\n")
)
_TABLE_SIZE, _TABLE_BITS, _MOST_KEY = 2_048, 2_047, 222


class _Known(NamedTuple):
    """What a reader knows of the atoms.

    Attributes:
        facts: of each atom, see `verify_rules`.
        letters, starts: all forms of all atoms end to end, and their offsets.
        slots: entry of the form whose hash, or an earlier one's, is the slot; -1 if there is none.
    """

    facts: Numbers
    letters: Bytes
    starts: Numbers
    slots: Numbers


class _Prompt(NamedTuple):
    """A prompt, which starts at `start` of a text, and its problem in text[low:high]."""

    text: Bytes
    start: Int
    low: Int
    high: Int


class _Columns(NamedTuple):
    """Texts of n rows; offsets are int64 (n + 1,), `stated` says which have a solution."""

    prompts: Bytes
    prompt_offsets: Numbers
    answers: Bytes
    answer_offsets: Numbers
    solutions: Bytes
    solution_offsets: Numbers
    stated: NDArray[np.bool_]


class _Space(NamedTuple):
    """Space for a row: its atoms, what its letters are defined as, and three values.

    The first number of `defined` says whether definitions were read; those of letters follow.
    """

    chain: Numbers
    defined: Numbers
    values: Numbers


@cache
def _known() -> _Known:
    """Place every form at its hash, or in the next free slot."""
    forms = [
        form
        for atom in ATOMS
        for form in (atom.label, atom.name, atom.name.replace(" ", "_"), atom.definition)
    ]
    letters, starts = text_bytes(text_list(forms))
    lengths = np.diff(starts)
    states = lengths.astype(np.uint64)
    for place in range(int(lengths.max())):
        longer = np.flatnonzero(lengths > place)
        mixed = (states[longer] ^ letters[starts[longer] + place]) * np.uint64(_FACTOR)
        states[longer] = mixed & np.uint64(_STATE_BITS)
    slots = np.full(_N_SLOTS, -1, np.int64)
    for entry, state in enumerate(states.tolist()):
        slot = state >> _SLOT_SHIFT
        while slots[slot] >= 0:
            slot = (slot + 1) % _N_SLOTS
        slots[slot] = entry
    return _Known(FACTS, letters, starts, slots)


@kernel
def _find_atom(text: Bytes, start: Int, end: Int, form: Int, known: _Known) -> Int:
    """Return the atom that text[start:end] is in this form, or _NO_ATOM."""
    state = length = np.int64(end - start)
    for at in range(start, end):
        state = (state ^ np.int64(text[at])) * _FACTOR & _STATE_BITS
    slot = state >> _SLOT_SHIFT
    while known.slots[slot] >= 0:
        entry = known.slots[slot]
        begin = known.starts[entry]
        alike = entry % _N_FORMS == form and known.starts[entry + 1] - begin == length
        if alike and same_bytes(text, start, known.letters, begin, length):
            return np.int64(entry // _N_FORMS)
        slot = (slot + 1) % _N_SLOTS
    return _NO_ATOM


@kernel
def _opaque_atom(text: Bytes, start: Int) -> Int:
    """Return the atom that four letters identify, or _NO_ATOM: the scrambling, undone."""
    number: Int = np.int64(0)
    for at in range(start, start + _OPAQUE):
        letter = np.int64(text[at]) - _SMALL_A
        if not 0 <= letter < _N_LETTERS:
            return _NO_ATOM
        number = number * _N_LETTERS + letter
    key, place = number // _TABLE_SIZE, number % _TABLE_SIZE
    if key > _MOST_KEY:
        return _NO_ATOM
    place = place ^ (place >> 5) ^ (place >> 10)
    place = ((place - 91 * key - 3) * _inverse(4 * key + 1_621)) & _TABLE_BITS
    place = place ^ (place >> 6)
    place = ((place - 37 * key - 5) * _inverse(8 * key + 1_109)) & _TABLE_BITS
    return place if place < _N_ATOMS else _NO_ATOM


@kernel
def _inverse(factor: Int) -> Int:
    """Return the inverse of an odd number modulo 2^11 (Newton: 3, 6, 12 bits are right)."""
    inverse = factor
    for _ in range(2):
        inverse = (inverse * (2 - factor * inverse)) & _TABLE_BITS
    return inverse


@kernel
def _read_definitions(prompt: _Prompt, known: _Known, defined: Numbers) -> None:
    """Read which atom each letter's function is; none at all if a line defines no known atom."""
    text, at, end = prompt.text, prompt.start, prompt.low
    for k in range(_N_LETTERS + 1):
        defined[k] = _NO_ATOM
    defined[0] = 1
    while at < end:
        stop = at
        while stop < end and text[stop] != _LINE:
            stop += 1
        name = after(text, at, stop, _FUNC)
        if name >= 0:
            letter = np.int64(-1)
            atom: Int = _NO_ATOM
            if stop - name >= 4 and text[name + 1] == _SPACE and text[stop - 1] == _DOT:
                letter = np.int64(text[name]) - _SMALL_A
                atom = _find_atom(text, name + 2, stop - 1, _DEFINITION, known)
            if atom < 0 or not 0 <= letter < _N_LETTERS or defined[1 + letter] >= 0:
                for k in range(1, _N_LETTERS + 1):
                    defined[k] = _NO_ATOM
                return
            defined[1 + letter] = atom
        at = stop + 1


@kernel
def _end_of_name(text: Bytes, at: Int, stop: Int, form: Int) -> Int:
    """Return where a name in this form that starts at `at` ends; `stop` if nothing ends it."""
    mark = _SPACE if form == _LABEL else _OPEN if form == _CALL else _COMMA
    while at < stop:
        if text[at] == mark and (form != _NAME or after(text, at, stop, _THEN) >= 0):
            break
        at += 1
    return at


@kernel
def _atom_at(
    prompt: _Prompt, span: tuple[Int, Int], form: Int, known: _Known, defined: Numbers
) -> Int:
    """Return the atom that a span names, or _NO_ATOM; definitions are read when one is needed."""
    start, end = span
    name = after(prompt.text, start, end, _FUNC)
    if name < 0:
        return _find_atom(prompt.text, start, end, form, known)
    if end - name == _OPAQUE:
        return _opaque_atom(prompt.text, name)
    letter = np.int64(prompt.text[name]) - _SMALL_A if end - name == 1 else np.int64(-1)
    if not 0 <= letter < _N_LETTERS:
        return _NO_ATOM
    if defined[0] == 0:
        _read_definitions(prompt, known, defined)
    return np.int64(defined[1 + letter])


@kernel
def _read_chain(prompt: _Prompt, known: _Known, space: _Space) -> tuple[Int, Int, Int]:
    """Fill in the atoms in the order in which they are applied.

    Returns:
        The number of atoms, 0 for what is not a problem, and where the value starts and ends.
    """
    text, low, high = prompt.text, prompt.low, prompt.high
    nothing = (np.int64(0), low, high)
    form, stop, begin = _CALL, high, low
    for mark in range(high - 1, low - 1, -1):  # values are shorter than names, and have no mark
        if text[mark] == _BAR or text[mark] == _COLON:
            form = _LABEL if text[mark] == _BAR else _NAME
            stop, begin = np.int64(mark), np.int64(mark + 2)
            if begin >= high or text[mark + 1] != _SPACE:
                return nothing
            break
    if form == _LABEL:
        stop -= 1
        if stop <= low or text[stop] != _SPACE:
            return nothing
    several = form == _NAME and after(text, low, stop, _FIRST) >= 0
    at, count = low + len(_FIRST) if several else low, np.int64(0)
    while at < stop:
        end = _end_of_name(text, at, stop, form)
        if form == _CALL and end == stop:
            break
        atom = _atom_at(prompt, (at, end), form, known, space.defined)
        if atom < 0 or count == _MOST_STEPS:
            return nothing
        space.chain[count] = atom
        count += 1
        at = end + (len(_THEN) if form == _NAME else 1)
        if end < stop and at >= stop:
            return nothing
    if form == _CALL:
        begin, high = at, high - count
        for k in range(high, high + count):
            if text[k] != _CLOSE:
                return nothing
        for k in range(count // 2):
            other = count - 1 - k
            space.chain[k], space.chain[other] = space.chain[other], space.chain[k]
    if begin >= high or (form == _NAME and several != (count > 1)):
        return nothing
    return count, begin, high


@kernel
def _after_step(text: Bytes, at: Int, end: Int, step: Int) -> Int:
    """Return where the value of a step starts if its line starts at `at`, else -1."""
    if step > 0:
        at = after(text, at, end, _NEW_LINE)
    if at < 0:
        return np.int64(-1)
    stop, number = read_number(text, at, end)
    return after(text, stop, end, _STEP) if number == step + 1 else np.int64(-1)


@kernel
def _is_right(columns: _Columns, i: Int, known: _Known, space: _Space) -> bool:
    """Say whether the answer of a row, and its solution if stated, are those of its prompt."""
    start, end = columns.prompt_offsets[i], columns.prompt_offsets[i + 1]
    low, high = problem_span(columns.prompts, start, end)
    space.defined[0] = 0
    prompt = _Prompt(columns.prompts, start, low, high)
    count, start, end = _read_chain(prompt, known, space)
    kind, n = read_value(columns.prompts, start, end, space.values[0])
    if count == 0 or n == 0:
        return False
    at, end = columns.solution_offsets[i], columns.solution_offsets[i + 1]
    side = 0
    for step in range(count):
        facts, last = known.facts[space.chain[step]], step == count - 1
        if facts[SOURCE] != kind:
            return False
        n = apply_atom(facts, space.values[side], n, space.values[1 - side], space.values[2])
        if n <= 0:
            return False
        side = 1 - side
        kind = facts[RESULT]
        if columns.stated[i] and at >= 0:
            at = _after_step(columns.solutions, at, end, np.int64(step))
            dots = after(columns.solutions, at, end, _DOTS)
            if dots >= 0 and not last:
                at = dots
            else:
                at = after_value((columns.solutions, at, end), kind, space.values[side], n)
    if columns.stated[i] and at != end:
        return False
    answer = (columns.answers, columns.answer_offsets[i], columns.answer_offsets[i + 1])
    return bool(after_value(answer, kind, space.values[side], n) == answer[2])


@jit
def _check_rows(columns: _Columns, known: _Known) -> NDArray[np.bool_]:
    right = np.zeros(len(columns.stated), np.bool_)
    space = _Space(
        np.empty(_MOST_STEPS, np.int64),
        np.empty(_N_LETTERS + 1, np.int64),
        np.empty((3, ROOM), np.int64),
    )
    for i in range(len(right)):
        right[i] = _is_right(columns, i, known, space)
    return right


class ChainVerifier(TextVerifier):
    """A verifier whose answers are strings, integers or lists, as the answer itself shows."""

    def __init__(self) -> None:
        super().__init__(
            lambda *columns: _check_rows(_Columns(*columns), _known()), exact_answer, "string"
        )

    def answer(self, prompt: str) -> str | None:
        """Work out a prompt with the oracle; None if it poses no problem of the family."""
        return exact_answer(prompt)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer; spaces in a list do not matter."""
        kind = "string" if parse_integer(answer) is None else "integer"
        return equal_in_type(prediction, answer, kind)


VERIFIERS = {"skill_chain": ChainVerifier()}
