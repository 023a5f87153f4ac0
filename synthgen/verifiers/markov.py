"""Rewriting programs from the text: rules and words are scanned by index where they stand.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none; `_markov_read` has its grammar.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.verifiers import answers as equality
from synthgen.verifiers._markov_exact import exact_answer
from synthgen.verifiers._markov_follow import (
    FIRED,
    GAVE_UP,
    MOST_WORK,
    SIZE,
    Tape,
    find_rule,
    follow,
    load_word,
    make_step,
    work_of,
)
from synthgen.verifiers._markov_read import (
    AFTER_STEPS,
    ASKED,
    COUNT,
    END_NAMES,
    FINAL_WORD,
    FIRST_LIMIT,
    FREELY,
    HALTS,
    HOW_IT_ENDS,
    IS_BLOCKED,
    IS_BUDGET,
    IS_STOPPED,
    MOST_LIMIT,
    MOST_TEXT,
    N_FIELDS,
    N_HEADER,
    NONE_NAME,
    ORDER,
    SECOND_LIMIT,
    SHORTEST_RULE,
    WHICH_RULE,
    WORD,
    WORD_END,
    Header,
    Rules,
    is_name,
    read_number,
    read_problem,
)
from synthgen.verifiers._markov_replay import tells_run, tells_search, tells_word
from synthgen.verifiers._markov_unique import has_one_result
from synthgen.verifiers._problem_text import Bytes, problem_span, solution_bytes


class MarkovVerifier:
    """Checks rows of rewriting programs by reading their text."""

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Follow every program, and compare its answer and the trace of its solution, if any."""
        lines, offsets, stated = solution_bytes(answers, solutions)
        tape, waiting = _tape(), _tape()
        columns = (*text_bytes(prompts), *text_bytes(answers))
        return _check_rows(*columns, lines, offsets, stated, tape, waiting)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Run every program again in plain Python, with a dictionary of all states."""
        pairs = zip(prompts.to_pylist(), answers.to_pylist(), strict=True)
        return np.array([exact_answer(prompt) == answer for prompt, answer in pairs], dtype=bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer but for white space around it, else 0.0."""
        return equality.grade(prediction, answer, "string")


VERIFIER = MarkovVerifier()


def _tape() -> Tape:
    return Tape(np.zeros(MOST_LIMIT, np.uint8), np.zeros(MOST_LIMIT, np.uint8), np.zeros(4, int))


@njit(cache=True, nogil=True)
def _check_rows(
    prompts: Bytes,
    prompt_offsets: NDArray[np.int64],
    answers: Bytes,
    answer_offsets: NDArray[np.int64],
    solutions: Bytes,
    solution_offsets: NDArray[np.int64],
    stated: NDArray[np.bool_],
    tape: Tape,
    waiting: Tape,
) -> NDArray[np.bool_]:
    """Check all rows; `stated` says which of them have a solution."""
    n = len(prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    rules = np.empty((longest_row(prompt_offsets) // SHORTEST_RULE + 2, N_FIELDS), np.int64)
    header = np.zeros(N_HEADER, np.int64)
    for i in range(n):
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        if end - start > MOST_TEXT or not read_problem(prompts, start, end, rules, header):
            continue
        most = header[SECOND_LIMIT] if header[ASKED] == HOW_IT_ENDS else MOST_LIMIT
        if header[WORD_END] - header[WORD] > most:
            continue
        outcome = _outcome(tape, waiting, prompts, rules, header)
        start, end = answer_offsets[i], answer_offsets[i + 1]
        if outcome[0] == GAVE_UP or not _tells(answers, start, end, tape, header, outcome[0]):
            continue
        free = header[ORDER] == FREELY
        if free and not has_one_result(prompts, rules, header, tape, waiting):
            continue
        right[i] = True
        if stated[i]:
            start, end = solution_offsets[i], solution_offsets[i + 1]
            load_word(tape, prompts, header)
            if header[ASKED] == WHICH_RULE:
                right[i] = tells_search(solutions, start, end, tape, prompts, rules, header)
            else:
                right[i] = tells_run(solutions, start, end, tape, prompts, rules, header, outcome)
    return right


@lent
def _outcome(
    tape: Tape, waiting: Tape, text: Bytes, rules: Rules, header: Header
) -> tuple[Int, Int, Int]:
    """Do what is asked; return how the run ends, or for WHICH_RULE the rule, and `follow`'s rest.

    GAVE_UP stands for what has no answer: a run that does not end, too few steps, too much work.
    """
    failed = (np.int64(GAVE_UP), np.int64(0), np.int64(-1))
    if header[ASKED] == HOW_IT_ENDS:
        limits = (header[FIRST_LIMIT], header[SECOND_LIMIT])
        return follow(tape, waiting, text, rules, header, limits)
    if header[ASKED] == FINAL_WORD:
        limits = (np.int64(MOST_LIMIT), np.int64(MOST_LIMIT))
        outcome = follow(tape, waiting, text, rules, header, limits)
        return outcome if outcome[0] == IS_BLOCKED or outcome[0] == IS_STOPPED else failed
    load_word(tape, text, header)
    if header[ASKED] == WHICH_RULE:
        find_rule(tape, text, rules, header)
        return tape.state[FIRED] + 1, np.int64(0), np.int64(-1)
    work: Int = np.int64(0)
    for step in range(header[FIRST_LIMIT]):
        work += work_of(tape.state[SIZE], rules, header[COUNT])
        find_rule(tape, text, rules, header)
        fired = tape.state[FIRED]
        if work > MOST_WORK or fired < 0:
            return failed
        if not make_step(tape, text, rules, header, np.int64(MOST_LIMIT)):
            return failed
        if rules[fired, HALTS] == 1 and step + 1 < header[FIRST_LIMIT]:
            return failed
    return np.int64(IS_BUDGET), header[FIRST_LIMIT], np.int64(-1)


@lent
def _tells(text: Bytes, start: Int, end: Int, tape: Tape, header: Header, outcome: Int) -> bool:
    """Say whether text[start:end] is the answer to what is asked."""
    if header[ASKED] == FINAL_WORD or header[ASKED] == AFTER_STEPS:
        return tells_word(text, start, end, tape)
    if header[ASKED] == HOW_IT_ENDS:
        return is_name(text, start, end, END_NAMES + outcome)
    if outcome == 0:
        return is_name(text, start, end, np.int64(NONE_NAME))
    return read_number(text, start, end) == outcome
