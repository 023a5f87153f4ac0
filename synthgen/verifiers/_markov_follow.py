"""Following rewriting programs on the text: words as bytes, two of them at a time.

No word of the run is kept: a loop is found by Brent's method (1980). A second state waits while the
run goes on, and moves to it at every power of two; where they meet, the length of the loop is
known, and two runs from the beginning, so far apart, meet where the loop begins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._markov_read import (
    AROUND,
    AT_END,
    AT_RIGHT,
    AT_START,
    BY_RANK,
    COUNT,
    ENTIRE,
    EVERYWHERE,
    FREELY,
    HALTS,
    IS_BLOCKED,
    IS_BUDGET,
    IS_LOOP,
    IS_OVERFLOW,
    IS_STOPPED,
    LEFT,
    LEFT_END,
    MOST_LIMIT,
    ONE_PASS,
    ORDER,
    PLACE,
    RIGHT,
    RIGHT_END,
    TOGETHER,
    WORD,
    WORD_END,
    Header,
    Rules,
)
from synthgen.verifiers._problem_text import Bytes

MOST_WORK = 1 << 28
"""Letters compared for one row at most, about; a row that takes more is refused."""
SIZE, NEXT, FIRED, AT = range(4)
GAVE_UP = -1


class Tape(NamedTuple):
    """A state: its word, room for the next one, and [size, next rule, rule fired, its place]."""

    word: Bytes
    spare: Bytes
    state: NDArray[np.int64]


@lent
def _fits(word: Bytes, at: Int, text: Bytes, start: Int, end: Int) -> bool:
    for k in range(end - start):
        if word[at + k] != text[start + k]:
            return False
    return True


@lent
def found_at(word: Bytes, size: Int, text: Bytes, rules: Rules, number: Int) -> Int:
    """Return where a rule matches in word[:size] by its scope, or -1."""
    left, left_end, place = rules[number, LEFT], rules[number, LEFT_END], rules[number, PLACE]
    last = size - (left_end - left)
    if last < 0:
        return np.int64(-1)
    low, high, step = np.int64(0), last, np.int64(1)
    if place == AT_START:
        high = np.int64(0)
    elif place == AT_END:
        low = last
    elif place == ENTIRE:
        high = np.int64(0) if last == 0 else np.int64(-1)
    elif place == AT_RIGHT:
        low, high, step = last, np.int64(0), np.int64(-1)
    at = low
    while at * step <= high * step:
        if _fits(word, at, text, left, left_end):
            return at
        at += step
    return np.int64(-1)


@lent
def find_rule(tape: Tape, text: Bytes, rules: Rules, header: Header) -> None:
    """Note the rule that fires on the tape and its place, or -1 and -1."""
    count, state = header[COUNT], tape.state
    rule = state[NEXT]
    tried = rule if header[ORDER] == ONE_PASS else 0
    while tried < count:
        place = found_at(tape.word, state[SIZE], text, rules, rule)
        if place >= 0:
            state[FIRED], state[AT] = rule, place
            return
        rule = rule + 1 if rule + 1 < count else 0
        tried += 1
    state[FIRED], state[AT] = -1, -1


@lent
def _rule_at(tape: Tape, at: Int, text: Bytes, rules: Rules, header: Header) -> Int:
    """Return which rule of those that act together with the fired one matches at `at`, or -1."""
    fired, size = tape.state[FIRED], tape.state[SIZE]
    for rule in range(header[COUNT]):
        left, left_end = rules[rule, LEFT], rules[rule, LEFT_END]
        together = rules[fired, PLACE] == TOGETHER and rules[rule, PLACE] == TOGETHER
        if rule != fired and not together:
            continue
        if at + left_end - left <= size and _fits(tape.word, at, text, left, left_end):
            return np.int64(rule)
    return np.int64(-1)


@lent
def make_step(tape: Tape, text: Bytes, rules: Rules, header: Header, most: Int) -> bool:
    """Replace what the noted rule says; false, and nothing done, for a word beyond `most`."""
    word, spare, state = tape.word, tape.spare, tape.state
    fired, place, size = state[FIRED], state[AT], state[SIZE]
    everywhere = rules[fired, PLACE] == EVERYWHERE or rules[fired, PLACE] == TOGETHER
    read: Int = np.int64(0)
    written: Int = np.int64(0)
    while read <= size:
        rule: Int = np.int64(-1)
        if everywhere:
            if read < size:
                rule = _rule_at(tape, read, text, rules, header)
        elif read == place:
            rule = fired
            place = np.int64(-1)
        if rule >= 0:
            begin, end = rules[rule, RIGHT], rules[rule, RIGHT_END]
            if written + end - begin > most:
                return False
            for k in range(begin, end):
                spare[written] = text[k]
                written += 1
            read += rules[rule, LEFT_END] - rules[rule, LEFT]
            if everywhere or read < size:
                continue
        if read < size:
            if written == most:
                return False
            spare[written] = word[read]
            written += 1
        read += 1
    for k in range(written):
        word[k] = spare[k]
    state[SIZE] = written
    if header[ORDER] == BY_RANK or header[ORDER] == FREELY:
        state[NEXT] = 0
    elif header[ORDER] == AROUND:
        state[NEXT] = fired + 1 if fired + 1 < header[COUNT] else 0
    else:
        state[NEXT] = fired + 1
    return True


@lent
def load_word(tape: Tape, text: Bytes, header: Header) -> None:
    """Put the problem's word on the tape."""
    tape.state[SIZE] = header[WORD_END] - header[WORD]
    tape.state[NEXT] = 0
    for k in range(tape.state[SIZE]):
        tape.word[k] = text[header[WORD] + k]


@lent
def _same_state(one: Tape, other: Tape) -> bool:
    if one.state[SIZE] != other.state[SIZE] or one.state[NEXT] != other.state[NEXT]:
        return False
    for k in range(one.state[SIZE]):
        if one.word[k] != other.word[k]:
            return False
    return True


@lent
def _copy_state(one: Tape, other: Tape) -> None:
    """Make `other` the state of `one`."""
    other.state[SIZE], other.state[NEXT] = one.state[SIZE], one.state[NEXT]
    for k in range(one.state[SIZE]):
        other.word[k] = one.word[k]


@lent
def work_of(size: Int, rules: Rules, count: Int) -> Int:
    """Return how many letters are compared, at most, to look for all rules in a word."""
    total: Int = np.int64(0)
    for rule in range(count):
        total += (size + 1) * (rules[rule, LEFT_END] - rules[rule, LEFT] + 1)
    return total


@lent
def follow(
    tape: Tape,
    waiting: Tape,
    text: Bytes,
    rules: Rules,
    header: Header,
    limits: tuple[Int, Int],
) -> tuple[Int, Int, Int]:
    """Run to the end within limits; return how it ends, its steps, and the steps before a loop.

    A loop that closes within the limit of steps may be noticed up to three times as late: until
    then, being out of budget or too long is only noted.
    """
    load_word(tape, text, header)
    _copy_state(tape, waiting)
    power: Int = np.int64(1)
    since: Int = np.int64(0)
    work: Int = np.int64(0)
    beyond = False
    steps: Int = np.int64(0)
    while steps <= 3 * limits[0] + 3:
        find_rule(tape, text, rules, header)
        work += work_of(tape.state[SIZE], rules, header[COUNT])
        if work > MOST_WORK:
            return np.int64(GAVE_UP), steps, np.int64(-1)
        fired = tape.state[FIRED]
        if fired < 0 and not beyond:
            return np.int64(IS_BLOCKED), steps, np.int64(-1)
        beyond = beyond or steps == limits[0]
        if fired < 0 or not make_step(tape, text, rules, header, limits[1]):
            if beyond:
                break
            return np.int64(IS_OVERFLOW), steps, np.int64(-1)
        steps += 1
        if rules[fired, HALTS] == 1:
            if beyond:
                break
            return np.int64(IS_STOPPED), steps, np.int64(-1)
        if header[ORDER] == ONE_PASS:
            continue
        since += 1
        if _same_state(tape, waiting):
            start = _loop_start(tape, waiting, text, rules, header, since)
            if start + since > limits[0]:
                break
            return np.int64(IS_LOOP), start + since, start
        if since == power:
            _copy_state(tape, waiting)
            power *= 2
            since = np.int64(0)
    return np.int64(IS_BUDGET), limits[0], np.int64(-1)


@lent
def _loop_start(
    tape: Tape, waiting: Tape, text: Bytes, rules: Rules, header: Header, length: Int
) -> Int:
    """Return the steps before a loop of this length begins."""
    load_word(tape, text, header)
    load_word(waiting, text, header)
    for _ in range(length):
        find_rule(tape, text, rules, header)
        make_step(tape, text, rules, header, np.int64(MOST_LIMIT))
    start: Int = np.int64(0)
    while not _same_state(tape, waiting):
        find_rule(tape, text, rules, header)
        make_step(tape, text, rules, header, np.int64(MOST_LIMIT))
        find_rule(waiting, text, rules, header)
        make_step(waiting, text, rules, header, np.int64(MOST_LIMIT))
        start += 1
    return start
