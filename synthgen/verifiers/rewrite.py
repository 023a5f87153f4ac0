"""String rewriting from the text: the leftmost x of z in `x > y | z` is sought letter by letter.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none. Letters are a to z, and `_` is the empty right side.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes
from synthgen.core.offsets import longest_row
from synthgen.verifiers._problem_text import problem_span, solution_bytes
from synthgen.verifiers._rewrite_read import WRONG, Bytes, leftmost, read_problem
from synthgen.verifiers._rewrite_tell import same_end, tells_none, tells_step
from synthgen.verifiers.answers import grade

_PROBLEM = re.compile(r"([a-z]+) > ([a-z]+|_) \| ([a-z]+)", re.ASCII)


class RewriteVerifier:
    """Checks rows of one rewriting step by reading their text."""

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Make every step, and compare its answer and, if any, the solution with it."""
        told, offsets, stated = solution_bytes(answers, solutions)
        return _check_rows(*text_bytes(prompts), *text_bytes(answers), told, offsets, stated)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Make every step again with the string functions of Python."""
        pairs = zip(prompts.to_pylist(), answers.to_pylist(), strict=True)
        return np.array([_exact_result(prompt) == answer for prompt, answer in pairs], dtype=bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer but for white space around it, else 0.0."""
        return grade(prediction, answer, "string")


VERIFIER = RewriteVerifier()


def _exact_result(prompt: str) -> str | None:
    """Return what becomes of the prompt's string, or None if it is no problem."""
    parts = prompt.rsplit("`", 2)
    match = _PROBLEM.fullmatch(parts[1] if len(parts) == 3 else prompt)
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
        lhs, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
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
