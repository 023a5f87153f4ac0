"""Traces of rewriting programs, replayed line by line, in the order in which rules stand."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._markov_follow import AT, FIRED, SIZE, Tape, find_rule, found_at, make_step
from synthgen.verifiers._markov_read import (
    AFTER_STEPS,
    ASKED,
    COUNT,
    DONE_NAME,
    EMPTY,
    END_NAMES,
    IS_LOOP,
    MOST_LIMIT,
    NONE_NAME,
    Header,
    Rules,
    is_name,
    read_number,
    token_end,
)
from synthgen.verifiers._problem_text import Bytes

_NEWLINE, _AT, _MINUS = (ord(char) for char in "\n@-")


@lent
def tells_word(text: Bytes, start: Int, end: Int, tape: Tape) -> bool:
    """Say whether text[start:end] is the word on the tape."""
    size = tape.state[SIZE]
    if size == 0:
        return bool(end - start == 1 and text[start] == EMPTY)
    if end - start != size:
        return False
    for k in range(size):
        if text[start + k] != tape.word[k]:
            return False
    return True


@lent
def _line_end(text: Bytes, at: Int, end: Int) -> Int:
    while at < end and text[at] != _NEWLINE:
        at += 1
    return at


@lent
def _tells_match(text: Bytes, start: Int, end: Int, rule: Int, place: Int) -> bool:
    """Say whether text[start:end] is `rule@place`."""
    sign = start
    while sign < end and text[sign] != _AT:
        sign += 1
    if sign == end or read_number(text, start, sign) != rule + 1:
        return False
    return read_number(text, sign + 1, end) == place


@lent
def tells_run(
    lines: Bytes,
    start: Int,
    end: Int,
    tape: Tape,
    text: Bytes,
    rules: Rules,
    header: Header,
    outcome: tuple[Int, Int, Int],
) -> bool:
    """Say whether lines[start:end] is a run, from the word on the tape, that comes out so.

    A line is `rule@place word`; after the steps of the outcome, the last one tells how it ends.
    """
    status, steps, loop_start = outcome
    at = start
    for _ in range(steps):
        stop = _line_end(lines, at, end)
        if stop == end:
            return False
        find_rule(tape, text, rules, header)
        rule, place = tape.state[FIRED], tape.state[AT]
        if rule < 0 or not make_step(tape, text, rules, header, np.int64(MOST_LIMIT)):
            return False
        space = token_end(lines, at, stop)
        if space == stop or not _tells_match(lines, at, space, rule, place):
            return False
        if not tells_word(lines, space + 1, stop, tape):
            return False
        at = stop + 1
    if header[ASKED] == AFTER_STEPS:
        return is_name(lines, at, end, np.int64(DONE_NAME))
    if status != IS_LOOP:
        return is_name(lines, at, end, END_NAMES + status)
    space = token_end(lines, at, end)
    middle = token_end(lines, space + 1, end)
    if space == end or middle == end or not is_name(lines, at, space, END_NAMES + status):
        return False
    if read_number(lines, space + 1, middle) != loop_start:
        return False
    return read_number(lines, middle + 1, end) == steps - loop_start


@lent
def tells_search(
    lines: Bytes, start: Int, end: Int, tape: Tape, text: Bytes, rules: Rules, header: Header
) -> bool:
    """Say whether lines[start:end] looks through the rules for the one that fires.

    A line is `rule -` where the rule does not match, and the last one `rule@place` or `none`.
    """
    at = start
    for rule in range(header[COUNT]):
        stop = _line_end(lines, at, end)
        place = found_at(tape.word, tape.state[SIZE], text, rules, np.int64(rule))
        if place >= 0:
            return bool(stop == end and _tells_match(lines, at, stop, rule, place))
        space = token_end(lines, at, stop)
        if stop == end or stop - space != 2 or lines[space + 1] != _MINUS:
            return False
        if read_number(lines, at, space) != rule + 1:
            return False
        at = stop + 1
    return is_name(lines, at, end, np.int64(NONE_NAME))
