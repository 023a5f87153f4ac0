"""SCAN commands from the text: read word by word, and acted out against the answer.

The command is what stands between the last two backticks of a prompt, or the whole prompt if there
are none. Words are separated by single spaces. It may have any number of phrases, joined from the
left, and any word that the language can be extended by: the original language is a part of it.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.offsets import longest_row
from synthgen.verifiers._problem_text import problem_span
from synthgen.verifiers._scan_exact import exact_actions
from synthgen.verifiers._scan_read import N_FIELDS, SHORTEST, Bytes, read_command
from synthgen.verifiers._scan_tell import in_order, tells_actions, tells_steps
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
    room = longest_row(prompt_offsets) // SHORTEST + 2
    phrases = np.empty((room, N_FIELDS), np.int64)
    order = np.empty(2 * room, np.int64)
    for i in range(n):
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        count = read_command(prompts, start, end, phrases)
        if count == 0:
            continue
        low, high = in_order(phrases[:count], order)
        start, end = answer_offsets[i], answer_offsets[i + 1]
        right[i] = tells_actions(answers, start, end, phrases, order[low:high])
        if right[i] and stated[i]:
            start, end = solution_offsets[i], solution_offsets[i + 1]
            right[i] = tells_steps(solutions, start, end, prompts, phrases[:count], order)
    return right


VERIFIER = TextVerifier(_check_rows, exact_actions, "string")
