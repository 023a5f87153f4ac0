"""Block synthesis from the text: rules as they are written, used one at a time on nine counters.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none. Rules that do not come to an end within MOST_STEPS steps have no answer.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._blocks_exact import exact_counts
from synthgen.verifiers._blocks_read import (
    KINDS,
    MOST_RULES,
    Bytes,
    Wanted,
    read_count,
    read_counts,
    read_problem,
)
from synthgen.verifiers._problem_text import after, problem_span
from synthgen.verifiers._text_verifier import TextVerifier

MOST_STEPS = 10_000
_START = np.frombuffer(b"start: ", np.uint8)
_COLON = np.frombuffer(b": ", np.uint8)
_LINE = np.frombuffer(b"\n", np.uint8)
_END = np.frombuffer(b"end", np.uint8)


@lent
def _first_usable(wanted: Wanted, count: Int, blocks: NDArray[np.int64]) -> Int:
    for rule in range(count):
        missing = 0
        for kind in range(KINDS):
            missing += blocks[kind] < wanted[rule, 0, kind]
        if missing == 0:
            return np.int64(rule)
    return np.int64(-1)


@lent
def _use(wanted: Wanted, rule: Int, blocks: NDArray[np.int64]) -> None:
    for kind in range(KINDS):
        blocks[kind] += wanted[rule, 1, kind]


@lent
def _behind_counts(
    text: Bytes, at: Int, end: Int, blocks: NDArray[np.int64], told: NDArray[np.int64]
) -> Int:
    """Return where the counts of `blocks` end if they stand at `at`, else -1; -1 stays -1."""
    if at >= 0:
        at = read_counts(text, at, end, told)
    for kind in range(KINDS):
        if at >= 0 and told[kind] != blocks[kind]:
            return np.int64(-1)
    return at


@lent
def _tells_steps(
    text: Bytes,
    at: Int,
    end: Int,
    wanted: Wanted,
    count: Int,
    blocks: NDArray[np.int64],
    told: NDArray[np.int64],
) -> bool:
    """Say whether text[at:end] tells the run from `blocks` on, step by step."""
    at = after(text, at, end, _START)
    while True:
        at = after(text, _behind_counts(text, at, end, blocks, told), end, _LINE)
        if at < 0:
            return False
        rule = _first_usable(wanted, count, blocks)
        if rule < 0:
            return bool(after(text, at, end, _END) == end)
        number, at = read_count(text, at, end)
        if number != rule + 1:
            return False
        at = after(text, at, end, _COLON)
        _use(wanted, rule, blocks)


@njit(cache=True, nogil=True)
def _check_rows(
    prompts: Bytes,
    prompt_offsets: NDArray[np.int64],
    answers: Bytes,
    answer_offsets: NDArray[np.int64],
    solutions: Bytes,
    solution_offsets: NDArray[np.int64],
    stated: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Check all rows; `stated` says which of them have a solution."""
    n = len(prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    wanted = np.zeros((MOST_RULES, 2, KINDS), np.int64)
    first, blocks, told = np.zeros((3, KINDS), np.int64)
    for i in range(n):
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        count = read_problem(prompts, start, end, wanted, first)
        if count == 0:
            continue
        blocks[:] = first
        rule = _first_usable(wanted, count, blocks)
        steps = 0
        while rule >= 0 and steps < MOST_STEPS:
            _use(wanted, rule, blocks)
            rule = _first_usable(wanted, count, blocks)
            steps += 1
        start, end = answer_offsets[i], answer_offsets[i + 1]
        if rule >= 0 or _behind_counts(answers, start, end, blocks, told) != end:
            continue
        right[i] = True
        if stated[i]:
            start, end = solution_offsets[i], solution_offsets[i + 1]
            right[i] = _tells_steps(solutions, start, end, wanted, count, first, told)
    return right


VERIFIER = TextVerifier(_check_rows, exact_counts, "string")
