"""String rewriting from the text: the leftmost x of z in `x > y | z` is sought letter by letter.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none. Letters are a to z, and `_` is the empty right side.
"""

from __future__ import annotations

import re

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.offsets import longest_row
from synthgen.verifiers._problem_text import problem_of, problem_span
from synthgen.verifiers._rewrite_read import WRONG, Bytes, leftmost, read_problem
from synthgen.verifiers._rewrite_tell import same_end, tells_none, tells_step
from synthgen.verifiers._text_verifier import TextVerifier

_PROBLEM = re.compile(r"([a-z]+) > ([a-z]+|_) \| ([a-z]+)", re.ASCII)


def _exact_result(prompt: str) -> str | None:
    """Return what becomes of the prompt's string, or None if it is no problem."""
    match = _PROBLEM.fullmatch(problem_of(prompt))
    if match is None:
        return None
    lhs, rhs, string = match.groups()
    return string.replace(lhs, "" if rhs == "_" else rhs, 1)


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
    borders = np.empty(longest_row(prompt_offsets), np.int64)
    for i in range(n):
        lhs, end = prompt_offsets[i], prompt_offsets[i + 1]
        lhs_end, rhs, rhs_end, string = read_problem(prompts, lhs, end)
        if lhs_end == WRONG:  # a whole prompt that can be read has no backticks
            lhs, end = problem_span(prompts, lhs, end)
            lhs_end, rhs, rhs_end, string = read_problem(prompts, lhs, end)
        if lhs_end == WRONG:
            continue
        match = leftmost(prompts, lhs, lhs_end, string, end, borders)
        at, stop = answer_offsets[i], answer_offsets[i + 1]
        if match == WRONG:
            right[i] = same_end(answers, at, stop, prompts, string, end) == stop
        else:
            at = same_end(answers, at, stop, prompts, string, match)
            at = same_end(answers, at, stop, prompts, rhs, rhs_end)
            at = same_end(answers, at, stop, prompts, match + lhs_end - lhs, end)
            right[i] = at == stop
        if right[i] and stated[i]:
            start, stop = solution_offsets[i], solution_offsets[i + 1]
            if match == WRONG:
                right[i] = tells_none(solutions, start, stop)
            else:
                spans = (lhs, lhs_end, rhs, rhs_end, match)
                right[i] = tells_step(solutions, start, stop, prompts, spans, string, end)
    return right


VERIFIER = TextVerifier(_check_rows, _exact_result, "string")
