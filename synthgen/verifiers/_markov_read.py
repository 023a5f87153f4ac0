"""Reading rewriting problems: a scanner over the bytes of the text, which are never copied.

problem  = [ strategy " : " ] rule { " ; " rule } " | " side [ " ? " question ] " ="
rule     = side ( " > " | " >. " ) side [ " @" scope ]
side     = letters and digits, or "_" for none
question = "rule" | "status " steps " " length | steps
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._problem_text import Bytes

Rules = NDArray[np.int64]
"""A row a rule: where its sides begin and end in the text, whether it stops, and its scope."""
LEFT, LEFT_END, RIGHT, RIGHT_END, HALTS, PLACE = range(6)
N_FIELDS = 6
Header = NDArray[np.int64]
"""What is asked: the fields below."""
COUNT, ORDER, ASKED, FIRST_LIMIT, SECOND_LIMIT, WORD, WORD_END = range(7)
N_HEADER = 7
SHORTEST_RULE = 5

MODES = ("", "round_robin", "sequential_once", "any_order")
BY_RANK, AROUND, ONE_PASS, FREELY = range(4)
MARKS = ("", "rightmost", "all_nonoverlap", "all_parallel", "prefix", "suffix", "whole")
AT_LEFT, AT_RIGHT, EVERYWHERE, TOGETHER, AT_START, AT_END, ENTIRE = range(7)
FINAL_WORD, WHICH_RULE, HOW_IT_ENDS, AFTER_STEPS = range(4)
ENDS = ("blocked", "stopped", "loop", "budget", "overflow")
IS_BLOCKED, IS_STOPPED, IS_LOOP, IS_BUDGET, IS_OVERFLOW = range(5)
MOST_LIMIT = 10_000
"""No run is followed for more steps than this, and no word is longer."""
MOST_TEXT = 200_000
"""Bytes of the longest problem that is read."""

_NAMES = (*MODES, *MARKS, *ENDS, "rule", "status", "none", "done")
MODE_NAMES, MARK_NAMES, END_NAMES = 0, len(MODES), len(MODES) + len(MARKS)
RULE_NAME = END_NAMES + len(ENDS)
STATUS_NAME, NONE_NAME, DONE_NAME = RULE_NAME + 1, RULE_NAME + 2, RULE_NAME + 3
_NAME_BYTES = np.frombuffer("".join(_NAMES).encode(), np.uint8)
_NAME_STARTS = np.cumsum([0, *(len(name) for name in _NAMES)])
_IS_LETTER = np.array([chr(byte).isalnum() and byte < 128 for byte in range(256)])
_SPACE, _ARROW, _DOT, _SEMICOLON, _BAR = (ord(char) for char in " >.;|")
_COLON, _ASK, _EQUALS, _MARK, EMPTY, ZERO, _NINE = (ord(char) for char in ":?=@_09")


@lent
def is_name(text: Bytes, start: Int, end: Int, name: Int) -> bool:
    """Say whether text[start:end] is the name of this number."""
    begin = _NAME_STARTS[name]
    if end - start != _NAME_STARTS[name + 1] - begin:
        return False
    for k in range(end - start):
        if text[start + k] != _NAME_BYTES[begin + k]:
            return False
    return True


@lent
def token_end(text: Bytes, at: Int, end: Int) -> Int:
    """Return where the token at `at` ends: at a space or the end."""
    while at < end and text[at] != _SPACE:
        at += 1
    return at


@lent
def read_number(text: Bytes, start: Int, end: Int) -> Int:
    """Return the number that text[start:end] is, without leading zeros, or -1."""
    if end <= start or end - start > 5 or (text[start] == ZERO and end - start > 1):
        return np.int64(-1)
    value: Int = np.int64(0)
    for at in range(start, end):
        if text[at] < ZERO or text[at] > _NINE:
            return np.int64(-1)
        value = 10 * value + np.int64(text[at]) - ZERO
    return value


@lent
def side_end(text: Bytes, at: Int, end: Int) -> Int:
    """Return where the letters of the side at `at` end; -1 if none is there."""
    if at < end and text[at] == EMPTY:
        return at
    start = at
    while at < end and _IS_LETTER[text[at]]:
        at += 1
    return at if at > start else np.int64(-1)


@lent
def _is_sign(text: Bytes, at: Int, end: Int, sign: Int) -> bool:
    """Say whether a token of this one character stands at `at`, with a space before it."""
    if at >= end or text[at] != sign or text[at - 1] != _SPACE:
        return False
    return bool(at + 1 == end or text[at + 1] == _SPACE)


@lent
def read_problem(text: Bytes, start: Int, end: Int, rules: Rules, header: Header) -> bool:
    """Read text[start:end]; false if it is no problem."""
    at = start
    header[ORDER] = BY_RANK
    stop = token_end(text, at, end)
    if _is_sign(text, stop + 1, end, _COLON):
        header[ORDER] = -1
        for mode in range(1, len(MODES)):
            if is_name(text, at, stop, MODE_NAMES + mode):
                header[ORDER] = mode
        if header[ORDER] < 0:
            return False
        at = stop + 3
    count = 0
    while True:
        at = _read_rule(text, at, end, rules[count])
        if at < 0:
            return False
        count += 1
        if _is_sign(text, at, end, _BAR):
            break
        if not _is_sign(text, at, end, _SEMICOLON):
            return False
        at += 2
    header[COUNT] = count
    at += 2
    stop = side_end(text, at, end)
    if stop < 0:
        return False
    header[WORD], header[WORD_END] = at, stop
    return _read_question(text, stop + (stop == at) + 1, end, header)


@lent
def _read_rule(text: Bytes, at: Int, end: Int, rule: NDArray[np.int64]) -> Int:
    """Read a rule at `at`; return where the token behind it begins, or -1."""
    stop = side_end(text, at, end)
    if stop < 0:
        return np.int64(-1)
    rule[LEFT], rule[LEFT_END], rule[PLACE] = at, stop, AT_LEFT
    at = stop + (stop == at) + 1
    if at + 1 >= end or text[at - 1] != _SPACE or text[at] != _ARROW:
        return np.int64(-1)
    rule[HALTS] = text[at + 1] == _DOT
    at += 1 + rule[HALTS]
    if at >= end or text[at] != _SPACE:
        return np.int64(-1)
    at += 1
    stop = side_end(text, at, end)
    if stop < 0:
        return np.int64(-1)
    rule[RIGHT], rule[RIGHT_END] = at, stop
    at = stop + (stop == at) + 1
    if at < end and text[at] == _MARK and text[at - 1] == _SPACE:
        stop = token_end(text, at, end)
        for mark in range(1, len(MARKS)):
            if is_name(text, at + 1, stop, MARK_NAMES + mark):
                rule[PLACE] = mark
        if rule[PLACE] == AT_LEFT:
            return np.int64(-1)
        at = stop + 1
    empty = rule[LEFT] == rule[LEFT_END]
    if empty and (rule[PLACE] == EVERYWHERE or rule[PLACE] == TOGETHER):
        return np.int64(-1)
    return at if at < end else np.int64(-1)


@lent
def _read_question(text: Bytes, at: Int, end: Int, header: Header) -> bool:
    """Read what stands behind the word: a question, if any, and the equals sign at the end."""
    header[ASKED], header[FIRST_LIMIT], header[SECOND_LIMIT] = FINAL_WORD, 0, 0
    if _is_sign(text, at, end, _ASK):
        at += 2
        stop = token_end(text, at, end)
        if is_name(text, at, stop, np.int64(RULE_NAME)):
            header[ASKED] = WHICH_RULE
        else:
            header[ASKED] = AFTER_STEPS
            if is_name(text, at, stop, np.int64(STATUS_NAME)):
                header[ASKED] = HOW_IT_ENDS
                at = stop + 1
                stop = token_end(text, at, end)
            header[FIRST_LIMIT] = read_number(text, at, stop)
            if header[ASKED] == HOW_IT_ENDS:
                at = stop + 1
                stop = token_end(text, at, end)
                header[SECOND_LIMIT] = read_number(text, at, stop)
            least = min(header[FIRST_LIMIT], header[SECOND_LIMIT])
            if least < 0 or max(header[FIRST_LIMIT], header[SECOND_LIMIT]) > MOST_LIMIT:
                return False
        at = stop + 1
    return at + 1 == end and _is_sign(text, at, end, _EQUALS)
