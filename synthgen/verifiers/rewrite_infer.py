"""Inference about string rewriting from the text, with a proof by search that nothing else fits.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none; see `_infer_read` for its two forms.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.offsets import longest_row
from synthgen.verifiers._infer_exact import exact_result
from synthgen.verifiers._infer_read import (
    UNKNOWN,
    Bytes,
    X,
    Y,
    read_hidden,
    read_pairs,
    read_rule,
)
from synthgen.verifiers._infer_search import only_input, shortest_rule
from synthgen.verifiers._infer_tell import tells_places, tells_uses
from synthgen.verifiers._problem_text import after, problem_span
from synthgen.verifiers._text_verifier import TextVerifier


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
    room = 2 * longest_row(prompt_offsets) + 8
    fields = np.empty((room, 2), np.int64)
    told, rule = np.empty((2, 2), np.int64), np.empty((2, 2), np.int64)
    one, kept = np.empty(room, np.uint8), np.empty(room, np.uint8)
    for i in range(n):
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        at, stop = answer_offsets[i], answer_offsets[i + 1]
        step, last = solution_offsets[i], solution_offsets[i + 1]
        if read_hidden(prompts, start, end, fields):
            if not only_input(prompts, fields, one, kept):
                continue
            size = fields[UNKNOWN, 1] - fields[UNKNOWN, 0]
            right[i] = after(answers, at, stop, kept[:size]) == stop
            if right[i] and stated[i]:
                right[i] = tells_places(solutions, step, last, prompts, fields, one)
            continue
        n_pairs = read_pairs(prompts, start, end, fields)
        if n_pairs == 0 or read_rule(answers, at, stop, told) != stop:
            continue
        if not shortest_rule(prompts, fields, n_pairs, rule):
            continue
        right[i] = True
        for side in (X, Y):
            claimed = answers[told[side, 0] : told[side, 1]]
            found = prompts[rule[side, 0] : rule[side, 1]]
            same = len(claimed) == len(found) and after(found, 0, len(found), claimed) >= 0
            right[i] = right[i] and same
        if right[i] and stated[i]:
            right[i] = tells_uses(solutions, step, last, prompts, fields, n_pairs, rule)
    return right


VERIFIER = TextVerifier(_check_rows, exact_result, "string")
