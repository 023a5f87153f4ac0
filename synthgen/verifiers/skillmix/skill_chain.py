"""Skill chains from the text: the atoms that a prompt names, run on the value that it gives.

The problem is what stands between the last two backticks of a prompt, or the whole prompt if there
are none; see `_chain_read` for its forms. A solution has a line for every step, its number and its
value, or dots for a value that is left out.
"""

from __future__ import annotations

import re

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers import answers as equality
from synthgen.verifiers._text_verifier import TextVerifier
from synthgen.verifiers.skillmix._chain_exact import exact_answer
from synthgen.verifiers.skillmix._chain_read import MOST_STEPS, Bytes, Numbers, read_chain
from synthgen.verifiers.skillmix._chain_run import ROOM, chain_is_right
from synthgen.verifiers.skillmix._chain_values import read_value

_N_NAMES = 27
_LIST = re.compile(r"\[.*\]")
_SPACES = re.compile(r"\s*,\s*")


@lent
def _is_right(
    prompts: Bytes,
    prompt: tuple[Int, Int],
    answers: Bytes,
    answer: tuple[Int, Int],
    solutions: Bytes,
    solution: tuple[Int, Int],
    stated: Int,
    chain: Numbers,
    defined: Numbers,
    rooms: Numbers,
) -> bool:
    """Check a row; `chain`, `defined` and `rooms` are room for what is read and worked out."""
    count, start, end = read_chain(prompts, prompt[0], prompt[1], chain, defined)
    if count == 0:
        return False
    kind, length = read_value(prompts, start, end, rooms[0])
    if length == 0:
        return False
    return chain_is_right(
        *(chain, count, kind, rooms, length),
        *(answers, answer, solutions, solution, stated),
    )


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
    chain, defined = np.empty(MOST_STEPS, np.int64), np.empty(_N_NAMES, np.int64)
    rooms = np.empty((3, ROOM), np.int64)
    for i in range(n):
        right[i] = _is_right(
            prompts,
            (prompt_offsets[i], prompt_offsets[i + 1]),
            answers,
            (answer_offsets[i], answer_offsets[i + 1]),
            solutions,
            (solution_offsets[i], solution_offsets[i + 1]),
            int(stated[i]),
            chain,
            defined,
            rooms,
        )
    return right


class ChainVerifier(TextVerifier):
    """A verifier whose answers are strings, integers or lists, as the answer itself shows."""

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer; spaces in a list do not matter."""
        if equality.parse_integer(answer) is not None:
            return equality.grade(prediction, answer, "integer")
        if _LIST.fullmatch(answer):
            return equality.grade(_tidy(prediction), _tidy(answer), "string")
        return equality.grade(prediction, answer, "string")


def _tidy(text: str) -> str:
    """Write a list with one space behind each comma."""
    text = text.strip()
    if len(text) > 10_000 or not _LIST.fullmatch(text):
        return text
    return f"[{_SPACES.sub(', ', text[1:-1].strip())}]"


VERIFIER = ChainVerifier(_check_rows, exact_answer, "string")
