"""Rewriting programs from the text: rules are matched where they are written, on a single word.

The problem is the text between the last two backticks of a prompt, or the whole prompt if there are
none. No word of a run is kept: whether a run that exhausts its steps is a loop is decided by going
on until its last word comes back. That the order of rules does not matter is proven by
`verify_oracle`, which also runs every program in another way.

problem  = [ strategy " : " ] rule { " ; " rule } " | " side [ " ? " question ] " ="
rule     = side ( " > " | " >. " ) side [ " @" scope ]
side     = letters and digits, or "_" for none
question = "rule" | "status " steps " " length | steps
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.authoring import TextVerifier
from synthgen.authoring.problem_text import Bytes, problem_span
from synthgen.core.columns import longest_row
from synthgen.core.kernels import Int, inner, jit
from synthgen.families.markov.verify_oracle import exact_answer, has_one_result

_LEFT, _LEFT_END, _RIGHT, _RIGHT_END, _HALTS, _PLACE = range(6)
"""Columns of a rule: where its sides begin and end in the text, whether it stops, its scope."""
_COUNT, _ORDER, _ASKED, _MOST_STEPS, _MOST_SIZE, _WORD, _WORD_END, _COST = range(8)
"""Places of a header; the cost is the number of letters compared at each place of a word."""
_BY_RANK, _AROUND, _ONE_PASS, _FREELY = range(4)
_AT_LEFT, _AT_RIGHT, _EVERYWHERE, _TOGETHER, _AT_START, _AT_END, _ENTIRE = range(7)
_FINAL_WORD, _WHICH_RULE, _HOW_IT_ENDS, _AFTER_STEPS = range(4)
_BLOCKED, _STOPPED, _LOOP, _BUDGET, _OVERFLOW, _GAVE_UP = np.arange(6)

_PHRASES = (
    *("", "round_robin : ", "sequential_once : ", "any_order : "),
    *("", " @rightmost", " @all_nonoverlap", " @all_parallel", " @prefix", " @suffix", " @whole"),
    *("blocked", "stopped", "loop", "budget", "overflow"),
    *(" > ", " >. ", " ; ", " | ", " =", " ? rule", " ? status ", " ? "),
    *("none", "done", " ", "\n", "@", " -\n"),
)
_PHRASE_BYTES = np.frombuffer("".join(_PHRASES).encode(), np.uint8)
_PHRASE_STARTS: NDArray[np.int64] = np.cumsum([0, *(len(phrase) for phrase in _PHRASES)])
_FIRST_MODE, _FIRST_MARK, _FIRST_END = np.array([0, 4, 11])
_ARROW, _STOP_ARROW, _SEMICOLON, _BAR, _EQUALS, _ASK_RULE, _ASK_STATUS, _ASK = np.arange(16, 24)
_NONE, _DONE, _SPACE, _LINE, _AT, _NO_MATCH = np.arange(24, 30)
_IS_LETTER = np.array([chr(byte).isalnum() and byte < 128 for byte in range(256)])
_EMPTY, _ZERO, _NINE = (np.uint8(ord(char)) for char in "_09")
_FAILED: Int = np.int64(-1)

_SHORTEST_RULE = 5
_MOST_DIGITS = 5
_MOST_LIMIT = 10_000
"""No run is followed for more steps than this, and no word is longer."""
_MOST_TEXT = 200_000
"""Bytes of the longest problem that is read."""
_MOST_WORK = 1 << 28
"""Letters compared for one row at most, about; a row that takes more is rejected."""


class _Problem(NamedTuple):
    """A text, its rules, int64 (n, 6), and what it asks, int64 (8,)."""

    text: Bytes
    rules: NDArray[np.int64]
    header: NDArray[np.int64]


_SIZE, _NEXT, _FIRED, _FOUND, _WORK = range(5)


class _Tape(NamedTuple):
    """A word, room for another, and: its size, the next rule, the rule fired, its place, work."""

    word: Bytes
    spare: Bytes
    state: NDArray[np.int64]


class _Columns(NamedTuple):
    """Bytes and offsets of prompts, answers and solutions, and which rows have a solution."""

    prompts: Bytes
    prompt_offsets: NDArray[np.int64]
    answers: Bytes
    answer_offsets: NDArray[np.int64]
    solutions: Bytes
    solution_offsets: NDArray[np.int64]
    stated: NDArray[np.bool_]


class MarkovVerifier(TextVerifier):
    """Checks rows of rewriting programs by reading their text."""

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Run every program; where the order is free, also prove that it does not matter."""
        right = super().check(prompts, answers, solutions)
        free = pc.match_substring(prompts, "any_order :").to_numpy(zero_copy_only=False)
        for row in np.flatnonzero(right & free.astype(bool)):
            right[row] = has_one_result(prompts[row].as_py())
        return right


# Reading: each function takes a place and returns where the text goes on, or -1; -1 stays -1.


@inner
def _after(text: Bytes, at: Int, end: Int, phrase: Int) -> Int:
    """Return where a phrase ends if it begins at `at`."""
    begin, stop = _PHRASE_STARTS[phrase], _PHRASE_STARTS[phrase + 1]
    if at < 0 or at + stop - begin > end:
        return _FAILED
    for k in range(stop - begin):
        if text[at + k] != _PHRASE_BYTES[begin + k]:
            return _FAILED
    return np.int64(at + stop - begin)


@inner
def _number(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return the number at `at`, without leading zeros, and where the text goes on."""
    start, value = at, np.int64(0)
    while 0 <= at < end and at - start < _MOST_DIGITS and _ZERO <= text[at] <= _NINE:
        value = 10 * value + np.int64(text[at] - _ZERO)
        at += 1
    if at <= start or (text[start] == _ZERO and at - start > 1):
        return _FAILED, _FAILED
    return value, at


@inner
def _after_number(text: Bytes, at: Int, end: Int, value: Int) -> Int:
    """Return where this number ends if it begins at `at`."""
    found, stop = _number(text, at, end)
    return stop if found == value else _FAILED


@inner
def _after_word(text: Bytes, at: Int, end: Int, tape: _Tape) -> Int:
    """Return where the word on the tape ends if it begins at `at`."""
    size = tape.state[_SIZE]
    if at < 0 or at + max(size, 1) > end:
        return _FAILED
    if size == 0:
        return at + 1 if text[at] == _EMPTY else _FAILED
    for k in range(size):
        if text[at + k] != tape.word[k]:
            return _FAILED
    return np.int64(at + size)


@inner
def _side(text: Bytes, at: Int, end: Int, bounds: NDArray[np.int64]) -> Int:
    """Read a side, and where its letters begin and end."""
    if at < 0 or at >= end:
        return _FAILED
    bounds[0] = bounds[1] = at
    if text[at] == _EMPTY:
        return at + 1
    while at < end and _IS_LETTER[text[at]]:
        at += 1
    bounds[1] = at
    return at if at > bounds[0] else _FAILED


@inner
def _rule(text: Bytes, at: Int, end: Int, rule: NDArray[np.int64]) -> Int:
    at = _side(text, at, end, rule[_LEFT:])
    rule[_HALTS] = _after(text, at, end, _STOP_ARROW) >= 0
    at = _after(text, at, end, _STOP_ARROW if rule[_HALTS] == 1 else _ARROW)
    at = _side(text, at, end, rule[_RIGHT:])
    rule[_PLACE] = _AT_LEFT
    for mark in range(_AT_RIGHT, _ENTIRE + 1):
        stop = _after(text, at, end, _FIRST_MARK + mark)
        if stop >= 0:
            rule[_PLACE], at = mark, stop
            break
    empty = rule[_LEFT] == rule[_LEFT_END]
    if empty and (rule[_PLACE] == _EVERYWHERE or rule[_PLACE] == _TOGETHER):
        return _FAILED
    return at


@inner
def _question(text: Bytes, at: Int, end: Int, header: NDArray[np.int64]) -> Int:
    header[_ASKED], header[_MOST_STEPS], header[_MOST_SIZE] = _FINAL_WORD, _MOST_LIMIT, _MOST_LIMIT
    if _after(text, at, end, _ASK_RULE) >= 0:
        header[_ASKED] = _WHICH_RULE
        at = _after(text, at, end, _ASK_RULE)
    elif _after(text, at, end, _ASK_STATUS) >= 0:
        header[_ASKED] = _HOW_IT_ENDS
        at = _after(text, at, end, _ASK_STATUS)
        header[_MOST_STEPS], at = _number(text, at, end)
        header[_MOST_SIZE], at = _number(text, _after(text, at, end, _SPACE), end)
    elif _after(text, at, end, _ASK) >= 0:
        header[_ASKED] = _AFTER_STEPS
        header[_MOST_STEPS], at = _number(text, _after(text, at, end, _ASK), end)
    if max(header[_MOST_STEPS], header[_MOST_SIZE]) > _MOST_LIMIT:
        return _FAILED
    return _after(text, at, end, _EQUALS)


@inner
def _read(problem: _Problem, at: Int, end: Int) -> bool:
    """Read text[at:end]; return whether it is a problem."""
    text, rules, header = problem.text, problem.rules, problem.header
    header[_ORDER] = _BY_RANK
    for mode in range(_AROUND, _FREELY + 1):
        stop = _after(text, at, end, _FIRST_MODE + mode)
        if stop >= 0:
            header[_ORDER], at = mode, stop
            break
    count: Int = np.int64(0)
    header[_COST] = 0
    while True:
        at = _rule(text, at, end, rules[count])
        if at < 0:
            return False
        header[_COST] += rules[count, _LEFT_END] - rules[count, _LEFT] + 1
        count += 1
        if _after(text, at, end, _BAR) >= 0:
            break
        at = _after(text, at, end, _SEMICOLON)
    header[_COUNT] = count
    at = _side(text, _after(text, at, end, _BAR), end, header[_WORD:])
    at = _question(text, at, end, header)
    free = header[_ORDER] != _FREELY or header[_ASKED] == _FINAL_WORD
    return bool(at == end and free and header[_WORD_END] - header[_WORD] <= header[_MOST_SIZE])


# Running.


@inner
def _load(problem: _Problem, tape: _Tape) -> None:
    """Put the problem's word on the tape, with no work done."""
    begin = problem.header[_WORD]
    tape.state[_SIZE], tape.state[_NEXT] = problem.header[_WORD_END] - begin, 0
    tape.state[_WORK] = 0
    for k in range(tape.state[_SIZE]):
        tape.word[k] = problem.text[begin + k]


@inner
def _fits(problem: _Problem, tape: _Tape, number: Int, at: Int) -> bool:
    """Return whether the left side of a rule occurs at a place of the word."""
    begin, end = problem.rules[number, _LEFT], problem.rules[number, _LEFT_END]
    if at + end - begin > tape.state[_SIZE]:
        return False
    for k in range(end - begin):
        if tape.word[at + k] != problem.text[begin + k]:
            return False
    return True


@inner
def _found_at(problem: _Problem, tape: _Tape, number: Int) -> Int:
    """Return where a rule matches by its scope, or -1."""
    place = problem.rules[number, _PLACE]
    left = problem.rules[number, _LEFT_END] - problem.rules[number, _LEFT]
    last = tape.state[_SIZE] - left
    if last < 0 or (place == _ENTIRE and last > 0):
        return _FAILED
    if place == _AT_START or place == _AT_END:
        at = last if place == _AT_END else np.int64(0)
        return at if _fits(problem, tape, number, at) else _FAILED
    for k in range(last + 1):
        at = np.int64(last - k if place == _AT_RIGHT else k)
        if _fits(problem, tape, number, at):
            return at
    return _FAILED


@inner
def _find(problem: _Problem, tape: _Tape) -> Int:
    """Return the rule that fires, or -1, and record it with its place."""
    header, state = problem.header, tape.state
    state[_WORK] += (state[_SIZE] + 1) * header[_COST]
    state[_FIRED] = state[_FOUND] = -1
    tries = header[_COUNT] - (state[_NEXT] if header[_ORDER] == _ONE_PASS else 0)
    for k in range(tries):
        rule = np.int64((state[_NEXT] + k) % header[_COUNT])
        place = _found_at(problem, tape, rule)
        if place >= 0:
            state[_FIRED], state[_FOUND] = rule, place
            return rule
    return _FAILED


@inner
def _step(problem: _Problem, tape: _Tape) -> bool:
    """Apply the rule that was found; false, and nothing done, if the word would be too long."""
    header, state = problem.header, tape.state
    fired = state[_FIRED]
    scope = problem.rules[fired, _PLACE]
    if scope == _EVERYWHERE or scope == _TOGETHER:
        if not _everywhere(problem, tape):
            return False
    elif not _in_place(problem, tape):
        return False
    state[_NEXT] = 0
    if header[_ORDER] == _AROUND:
        state[_NEXT] = (fired + 1) % header[_COUNT]
    elif header[_ORDER] == _ONE_PASS:
        state[_NEXT] = fired + 1
    return True


@inner
def _in_place(problem: _Problem, tape: _Tape) -> bool:
    """Move what follows the match, and write the right side into the gap."""
    rule, word, size = problem.rules[tape.state[_FIRED]], tape.word, tape.state[_SIZE]
    begin = tape.state[_FOUND]
    rest = begin + rule[_LEFT_END] - rule[_LEFT]
    shift = begin + rule[_RIGHT_END] - rule[_RIGHT] - rest
    if size + shift > problem.header[_MOST_SIZE]:
        return False
    if shift < 0:
        for k in range(rest, size):
            word[k + shift] = word[k]
    elif shift > 0:
        for k in range(size - 1, rest - 1, -1):
            word[k + shift] = word[k]
    for k in range(rule[_RIGHT_END] - rule[_RIGHT]):
        word[begin + k] = problem.text[rule[_RIGHT] + k]
    tape.state[_SIZE] = size + shift
    return True


@inner
def _everywhere(problem: _Problem, tape: _Tape) -> bool:
    """Replace all matches of the rule from left to right, or of all that act together with it."""
    rules, state, spare = problem.rules, tape.state, tape.spare
    fired, most = state[_FIRED], problem.header[_MOST_SIZE]
    first, last = fired, fired + 1
    if rules[fired, _PLACE] == _TOGETHER:
        first, last = np.int64(0), problem.header[_COUNT]
    at, size = np.int64(0), np.int64(0)
    while at < state[_SIZE]:
        acting = first
        while acting < last and (
            rules[acting, _PLACE] != rules[fired, _PLACE] or not _fits(problem, tape, acting, at)
        ):
            acting += 1
        matched = acting < last
        added = rules[acting, _RIGHT_END] - rules[acting, _RIGHT] if matched else np.int64(1)
        if size + added > most:
            return False
        for k in range(added):
            spare[size + k] = problem.text[rules[acting, _RIGHT] + k] if matched else tape.word[at]
        size += added
        at += rules[acting, _LEFT_END] - rules[acting, _LEFT] if matched else np.int64(1)
    for k in range(size):
        tape.word[k] = spare[k]
    state[_SIZE] = size
    return True


@inner
def _advance(problem: _Problem, tape: _Tape, most: Int) -> tuple[Int, Int]:
    """Take up to `most` steps; return how that ended, `_BUDGET` if it did not, and the steps."""
    for steps in range(most):
        fired = _find(problem, tape)
        if tape.state[_WORK] > _MOST_WORK:
            return _GAVE_UP, steps
        if fired < 0:
            return _BLOCKED, steps
        if not _step(problem, tape):
            return _OVERFLOW, steps
        if problem.rules[fired, _HALTS] == 1:
            return _STOPPED, steps + 1
    return _BUDGET, most


@inner
def _run(problem: _Problem, tape: _Tape) -> tuple[Int, Int]:
    """Run until the program ends or its steps are used up; return how, and the steps."""
    _load(problem, tape)
    status, steps = _advance(problem, tape, problem.header[_MOST_STEPS])
    if status == _BUDGET and _find(problem, tape) < 0:
        status = _BLOCKED
    return status, steps


@inner
def _loop_of(problem: _Problem, tape: _Tape, held: _Tape) -> tuple[Int, Int]:
    """Return steps before and of the loop of a run that has used up its steps, -1 and 0 for none.

    A loop closes within the limit only if the last state is in it, and so comes back within as many
    further steps. Two runs from the first word, one loop apart, then meet where the loop begins.
    """
    limit = problem.header[_MOST_STEPS]
    none = (_FAILED, np.int64(0))
    one: Int = np.int64(1)
    _hold(tape, held)
    length: Int = np.int64(0)
    while length == 0 or not _is_held(tape, held):
        if length == limit or _advance(problem, tape, one)[0] != _BUDGET:
            return none
        length += 1
    _load(problem, tape)
    _load(problem, held)
    start: Int = np.int64(0)
    ahead = _advance(problem, tape, length)[0]
    while ahead != _BUDGET or not _is_held(tape, held):
        if ahead != _BUDGET or start + length == limit:
            return none
        ahead = _advance(problem, tape, one)[0]
        _advance(problem, held, one)
        start += 1
    return start, length


@inner
def _hold(tape: _Tape, held: _Tape) -> None:
    held.state[_SIZE], held.state[_NEXT] = tape.state[_SIZE], tape.state[_NEXT]
    for k in range(tape.state[_SIZE]):
        held.word[k] = tape.word[k]


@inner
def _is_held(tape: _Tape, held: _Tape) -> bool:
    if tape.state[_SIZE] != held.state[_SIZE] or tape.state[_NEXT] != held.state[_NEXT]:
        return False
    for k in range(tape.state[_SIZE]):
        if tape.word[k] != held.word[k]:
            return False
    return True


# Checking.


@jit
def _check_rows(columns: _Columns) -> NDArray[np.bool_]:
    prompts, prompt_offsets, answers, answer_offsets, lines, line_offsets, stated = columns
    n = len(prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    rules = np.empty((longest_row(prompt_offsets) // _SHORTEST_RULE + 2, 6), np.int64)
    problem = _Problem(prompts, rules, np.zeros(8, np.int64))
    spare = np.empty(_MOST_LIMIT, np.uint8)
    tape = _Tape(np.empty(_MOST_LIMIT, np.uint8), spare, np.zeros(5, np.int64))
    held = _Tape(np.empty(_MOST_LIMIT, np.uint8), spare, np.zeros(5, np.int64))
    for i in range(n):
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        if end - start > _MOST_TEXT or not _read(problem, start, end):
            continue
        start, end = answer_offsets[i], answer_offsets[i + 1]
        if problem.header[_ASKED] == _WHICH_RULE:
            right[i] = _answers_search(problem, tape, answers, start, end)
            if right[i] and stated[i]:
                start, end = line_offsets[i], line_offsets[i + 1]
                right[i] = _follows_search(problem, tape, lines, start, end)
            continue
        status, steps = _run(problem, tape)
        loop: tuple[Int, Int] = (_FAILED, np.int64(0))
        if problem.header[_ASKED] == _AFTER_STEPS and status != _GAVE_UP:
            status = _BLOCKED if steps == problem.header[_MOST_STEPS] else _GAVE_UP
        elif problem.header[_ASKED] == _HOW_IT_ENDS and status == _BUDGET:
            loop = _loop_of(problem, tape, held)
            if tape.state[_WORK] > _MOST_WORK:
                status = _GAVE_UP
            elif loop[0] >= 0:
                status, steps = _LOOP, loop[0] + loop[1]
        right[i] = _answers_run(problem, tape, status, answers, start, end)
        if right[i] and stated[i]:
            start, end = line_offsets[i], line_offsets[i + 1]
            outcome = (status, steps, loop[0])
            right[i] = _follows_run(problem, tape, outcome, lines, start, end)
    return right


@inner
def _answers_search(problem: _Problem, tape: _Tape, text: Bytes, at: Int, end: Int) -> bool:
    """Return whether text[at:end] is the rule that fires on the problem's word."""
    _load(problem, tape)
    fired = _find(problem, tape)
    stop = _after(text, at, end, _NONE) if fired < 0 else _after_number(text, at, end, fired + 1)
    return bool(stop == end)


@inner
def _follows_search(problem: _Problem, tape: _Tape, lines: Bytes, at: Int, end: Int) -> bool:
    """Return whether lines[at:end] tries the rules in turn up to the one that fires.

    A line is `rule -` where the rule does not match, and the last one `rule@place` or `none`.
    """
    for rule in range(problem.header[_COUNT]):
        at = _after_number(lines, at, end, np.int64(rule + 1))
        place = _found_at(problem, tape, np.int64(rule))
        if place >= 0:
            return bool(_after_number(lines, _after(lines, at, end, _AT), end, place) == end)
        at = _after(lines, at, end, _NO_MATCH)
    return bool(_after(lines, at, end, _NONE) == end)


@inner
def _answers_run(
    problem: _Problem, tape: _Tape, status: Int, text: Bytes, at: Int, end: Int
) -> bool:
    """Return whether text[at:end] is the answer, given how the run on the tape ended."""
    if status == _GAVE_UP:
        return False
    if problem.header[_ASKED] == _HOW_IT_ENDS:
        return bool(_after(text, at, end, _FIRST_END + status) == end)
    return bool(status <= _STOPPED and _after_word(text, at, end, tape) == end)


@inner
def _follows_run(
    problem: _Problem,
    tape: _Tape,
    outcome: tuple[Int, Int, Int],
    lines: Bytes,
    at: Int,
    end: Int,
) -> bool:
    """Return whether lines[at:end] is the run with this outcome.

    A line is `rule@place word`; the last one states how the run ends.
    """
    status, steps, start = outcome
    _load(problem, tape)
    for _ in range(steps):
        _advance(problem, tape, np.int64(1))
        at = _after_number(lines, at, end, tape.state[_FIRED] + 1)
        at = _after_number(lines, _after(lines, at, end, _AT), end, tape.state[_FOUND])
        at = _after(lines, at, end, _SPACE)
        at = _after(lines, _after_word(lines, at, end, tape), end, _LINE)
        if at < 0:
            return False
    if problem.header[_ASKED] == _AFTER_STEPS:
        return bool(_after(lines, at, end, _DONE) == end)
    at = _after(lines, at, end, _FIRST_END + status)
    if status == _LOOP:
        at = _after_number(lines, _after(lines, at, end, _SPACE), end, start)
        at = _after_number(lines, _after(lines, at, end, _SPACE), end, steps - start)
    return bool(at == end)


VERIFIERS = {
    "markov": MarkovVerifier(lambda *each: _check_rows(_Columns(*each)), exact_answer, "string")
}
