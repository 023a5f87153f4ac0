"""The string systems from the text: manipulation with its rules, A::B, and insertion.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none; see `_systems_read` for its forms.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.offsets import longest_row
from synthgen.verifiers._systems_exact import exact_result
from synthgen.verifiers._systems_loop import ROOM, find_end
from synthgen.verifiers._systems_pass import expand, settle
from synthgen.verifiers._systems_read import (
    MANIPULATION,
    NO_SYSTEM,
    PAIRING,
    Bytes,
    read_problem,
)
from synthgen.verifiers._systems_tell import after_state, tells_steps
from synthgen.verifiers._systems_words import N_RULES
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
    room = 2 * longest_row(prompt_offsets) + ROOM
    one, other = np.empty(room, np.uint8), np.empty(room, np.uint8)
    one_span, other_span = np.zeros(2, np.int64), np.zeros(2, np.int64)
    rules, done = np.empty(N_RULES, np.int64), np.empty(1, np.int64)
    for i in range(n):
        system, count, start, end = read_problem(
            prompts, prompt_offsets[i], prompt_offsets[i + 1], rules
        )
        if system == NO_SYSTEM:
            continue
        steps: Int = np.int64(0)
        repeats = False
        if system == MANIPULATION:
            steps, repeats = find_end(
                prompts, start, end, rules, count, one, one_span, other, other_span
            )
            if steps < 0:
                continue
        elif system == PAIRING:
            if not settle(prompts, start, end, one, one_span):
                continue
        else:
            expand(prompts, start, end, one, one_span)
        low, high = answer_offsets[i], answer_offsets[i + 1]
        right[i] = after_state(system, answers, low, high, one, one_span) == high
        if right[i] and stated[i]:
            right[i] = tells_steps(
                system,
                solutions,
                solution_offsets[i],
                solution_offsets[i + 1],
                prompts,
                start,
                end,
                rules,
                count,
                (steps, repeats),
                other,
                other_span,
                done,
            )
    return right


VERIFIER = TextVerifier(_check_rows, exact_result, "string")
