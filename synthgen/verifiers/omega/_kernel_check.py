"""The verifier of families whose statements are read and worked out by kernels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import null_mask, text_bytes, text_list
from synthgen.core.kinds import Int
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.verifiers import answers as equality
from synthgen.verifiers.omega._forms import MOST_BYTES, NO_FORM, Bytes, Form, Marks, Reading

NO_ANSWER = -1
"""What a kernel gives for values that make no problem."""
Problem = tuple[int, tuple[int, ...]]
"""The kind of question and the values of its holes."""
Solve = Callable[[Marks, Marks, Marks], Marks]
"""Takes kinds of questions (n,), values and their offsets (n + 1,), gives answers (n,)."""


class KernelVerifier:
    """Checks the rows of a family whose answers are integers of at least 0.

    Args:
        form: its wordings.
        solve: kernel that works the answers out.
        exact: works the answer to a problem that has one out in another, plain way.
        follows: says whether a solution leads from a problem to its answer.
    """

    def __init__(
        self,
        form: Form,
        solve: Solve,
        exact: Callable[[Problem], int],
        follows: Callable[[Problem, int, str], bool],
    ) -> None:
        self._form = form
        self._solve = solve
        self._exact = exact
        self._follows = follows

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Work out every prompt, and follow its solution, if any."""
        text, offsets = text_bytes(prompts)
        reading = self._form.read(text, offsets)
        found = self._worked_out(reading)
        right: NDArray[np.bool_] = _states(found, *text_bytes(answers))
        if solutions is None:
            return right
        stated = ~null_mask(solutions)
        for i in np.flatnonzero(right & stated).tolist():
            problem = self._problem_at(reading, i)
            way = solutions[i].as_py()
            right[i] = len(way) <= MOST_BYTES and self._follows(problem, int(found[i]), way)
        return right

    def _worked_out(self, reading: Reading) -> Marks:
        kinds = np.where(reading.wordings == NO_FORM, NO_FORM, self._form.kind_of[reading.wordings])
        return self._solve(kinds, reading.values, reading.offsets)

    def _problem_at(self, reading: Reading, i: int) -> Problem:
        values = reading.values[reading.offsets[i] : reading.offsets[i + 1]]
        return int(self._form.kind_of[reading.wordings[i]]), tuple(values.tolist())

    def problem(self, prompt: str) -> Problem | None:
        """Return the problem that a prompt poses, with or without the request for a box."""
        return self._form.read_one(prompt)

    def answer(self, prompt: str) -> str | None:
        """Work out a prompt; None if it is not one of the family's."""
        found = int(self._worked_out(self._form.read(*text_bytes(text_list([prompt]))))[0])
        return None if found == NO_ANSWER else str(found)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Work out every prompt in the other way."""
        reading = self._form.read(*text_bytes(prompts))
        right: NDArray[np.bool_] = self._worked_out(reading) != NO_ANSWER
        for i in np.flatnonzero(right).tolist():
            exact = self._exact(self._problem_at(reading, i))
            right[i] = answers[i].as_py() == str(exact)
        return right

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer, else 0.0."""
        return equality.grade(prediction, answer, "integer")


@njit(cache=True, nogil=True)
def _states(found: Marks, text: Bytes, offsets: Marks) -> NDArray[np.bool_]:
    """Say which texts are just the integers that were found."""
    right = np.zeros(len(found), np.bool_)
    written = np.empty(MOST_DIGITS, np.uint8)
    for i in range(len(found)):
        if found[i] == NO_ANSWER:
            continue
        end: Int = write_integer(written, np.int64(0), found[i])
        low = offsets[i]
        if offsets[i + 1] - low != end:
            continue
        right[i] = True
        for k in range(end):
            if text[low + k] != written[k]:
                right[i] = False
    return right
