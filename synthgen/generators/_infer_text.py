"""Kernels that write problems of inference, their answers and their steps as text."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._infer_strings import (
    FIRST,
    LHS,
    RHS,
    Letters,
    Marks,
    find,
    is_input,
    is_same,
    put_rewritten,
)

_EMPTY, _UNKNOWN, _OPEN, _CLOSE, _LINE = (np.uint8(ord(char)) for char in "_?[]\n")
_ARROW = np.frombuffer(b" > ", np.uint8)
_EQUALS = np.frombuffer(b" = ", np.uint8)
_NEXT = np.frombuffer(b" ; ", np.uint8)
_BAR = np.frombuffer(b" | ", np.uint8)
_WITHOUT = np.frombuffer(b" without ", np.uint8)
_FITS = np.frombuffer(b" fits", np.uint8)
_GIVES = np.frombuffer(b" gives ", np.uint8)


@lent
def _put(out: Letters, at: Int, text: Letters) -> Int:
    for k in range(len(text)):
        out[at + k] = text[k]
    return at + len(text)


@lent
def _put_string(out: Letters, at: Int, text: Letters) -> Int:
    """Write a string, the empty one by its sign."""
    if len(text) == 0:
        out[at] = _EMPTY
        return at + 1
    return _put(out, at, text)


@lent
def _put_rule(out: Letters, at: Int, letters: Letters, marks: Marks) -> Int:
    at = _put_string(out, at, letters[marks[LHS] : marks[LHS + 1]])
    at = _put(out, at, _ARROW)
    return _put_string(out, at, letters[marks[RHS] : marks[RHS + 1]])


@lent
def _put_marked(
    out: Letters, at: Int, text: Letters, place: Int, length: Int, inner: Letters
) -> Int:
    """Write a text with text[place : place + length] replaced by the inner one in brackets."""
    at = _put(out, at, text[:place])
    out[at] = _OPEN
    at = _put(out, at + 1, inner)
    out[at] = _CLOSE
    return _put(out, at + 1, text[place + length :])


@njit(cache=True, nogil=True)
def prompts_and_answers(
    is_rule: Int, letters: Letters, marks: Marks, rows: Marks
) -> tuple[Letters, Marks, Letters, Marks]:
    """Write the bare prompt and the answer of every row, as bytes and offsets."""
    n = len(rows) - 1
    prompts = np.empty(3 * len(letters) + 4 * len(marks) + 16 * n, np.uint8)
    prompt_offsets = np.zeros(n + 1, np.int64)
    answers = np.empty(len(letters) + 8 * n, np.uint8)
    answer_offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    done: Int = np.int64(0)
    for i in range(n):
        own = marks[rows[i] : rows[i + 1] + 1]
        if is_rule:
            for k in range(FIRST, len(own) - 1, 2):
                if k > FIRST:
                    at = _put(prompts, at, _NEXT)
                at = _put_string(prompts, at, letters[own[k] : own[k + 1]])
                at = _put(prompts, at, _EQUALS)
                at = _put_string(prompts, at, letters[own[k + 1] : own[k + 2]])
            done = _put_rule(answers, done, letters, own)
        else:
            at = _put_rule(prompts, at, letters, own)
            at = _put(prompts, at, _BAR)
            for _ in range(own[FIRST + 1], own[FIRST + 2]):
                prompts[at] = _UNKNOWN
                at += 1
            at = _put(prompts, at, _EQUALS)
            at = _put_string(prompts, at, letters[own[FIRST] : own[FIRST + 1]])
            done = _put(answers, done, letters[own[FIRST + 1] : own[FIRST + 2]])
        prompt_offsets[i + 1] = at
        answer_offsets[i + 1] = done
    return prompts[:at].copy(), prompt_offsets, answers[:done].copy(), answer_offsets


@njit(cache=True, nogil=True)
def step_text(is_rule: Int, letters: Letters, marks: Marks, rows: Marks) -> tuple[Letters, Marks]:
    """Write how the rule acts in every pair, or what every place of the output comes to."""
    n = len(rows) - 1
    out = np.empty(4 * len(letters) + 4096, np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        own = marks[rows[i] : rows[i + 1] + 1]
        size = own[-1] - own[0]
        bound = (size + 4) * (2 * size + 40)
        if at + bound > len(out):
            larger = np.empty(2 * (at + bound), np.uint8)
            larger[:at] = out[:at]
            out = larger
        at = _put_uses(out, at, letters, own) if is_rule else _put_places(out, at, letters, own)
        offsets[i + 1] = at
    return out[:at].copy(), offsets


@lent
def _put_uses(out: Letters, at: Int, letters: Letters, own: Marks) -> Int:
    """Write one line for each pair: where the rule acts, or that its left side is not there."""
    x, y = letters[own[LHS] : own[LHS + 1]], letters[own[RHS] : own[RHS + 1]]
    for k in range(FIRST, len(own) - 1, 2):
        if k > FIRST:
            out[at] = _LINE
            at += 1
        low, high = own[k], own[k + 1]
        text = letters[low:high]
        place = find(letters, low, high, own[LHS], len(x))
        if place < 0:
            at = _put(out, at, text)
            at = _put(out, at, _WITHOUT)
            at = _put(out, at, x)
        else:
            at = _put_marked(out, at, text, place - low, len(x), x)
            at = _put(out, at, _ARROW)
            at = _put_marked(out, at, text, place - low, len(x), y)
    return at


@njit(cache=True, nogil=True)
def _put_places(out: Letters, at: Int, letters: Letters, own: Marks) -> Int:
    """Write one line for the unchanged output if it has the right length, and for each place."""
    n_x, n_y = own[LHS + 1] - own[LHS], own[RHS + 1] - own[RHS]
    low, high = own[FIRST], own[FIRST + 1]
    x, text = letters[own[LHS] : own[LHS + 1]], letters[low:high]
    begin = at
    made = np.empty(2 * (high - low + n_x + n_y), np.uint8)
    if n_x == n_y:
        at = _put(out, at, text)
        place = find(letters, low, high, own[LHS], n_x)
        if place < 0:
            at = _put(out, at, _FITS)
        else:
            at = _put(out, at, _GIVES)
            at = _put(out, at, text[: place - low])
            at = _put(out, at, letters[own[RHS] : own[RHS + 1]])
            at = _put(out, at, text[place - low + n_x :])
    for place in range(low, high - n_y + 1):
        if not is_same(letters, place, place + n_y, own[RHS], own[RHS + 1]):
            continue
        if at > begin:
            out[at] = _LINE
            at += 1
        at = _put_marked(out, at, text, place - low, n_y, x)
        if is_input(letters, own, place, made):
            at = _put(out, at, _FITS)
            continue
        at = _put(out, at, _GIVES)
        at = _put_result(out, at, letters, own, place)
    return at


@njit(cache=True, nogil=True)
def _put_result(out: Letters, at: Int, letters: Letters, own: Marks, place: Int) -> Int:
    """Write what the rule makes of the output with its left side put back at `place`."""
    n_x, n_y = own[LHS + 1] - own[LHS], own[RHS + 1] - own[RHS]
    low, high = own[FIRST], own[FIRST + 1]
    size = high - low - n_y + n_x
    both = np.empty(own[FIRST] - own[LHS] + 2 * size + n_y, np.uint8)
    sides = own[FIRST] - own[LHS]
    both[:sides] = letters[own[LHS] : own[FIRST]]
    shift = sides + place - low
    both[sides:shift] = letters[low:place]
    both[shift : shift + n_x] = both[:n_x]
    both[shift + n_x : sides + size] = letters[place + n_y : high]
    first = find(both, sides, sides + size, 0, n_x)
    end = put_rewritten(both, sides + size, sides, sides + size, first, own - own[LHS])
    return _put_string(out, at, both[sides + size : end])
