"""The verifier that most families have: a kernel over the text and an oracle in plain Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes
from synthgen.verifiers import answers as equality
from synthgen.verifiers._problem_text import solution_bytes


class TextVerifier:
    """Checks the rows of a family by reading their text.

    Args:
        check_rows: kernel that takes bytes and offsets of prompts, answers and solutions, and
            which rows have a solution, and says which rows are right, bool (n,).
        exact: works out the answer to a prompt in another way; None where there is none.
        answer_type: name of the equality by which predictions are graded.
    """

    def __init__(
        self,
        check_rows: Callable[..., NDArray[np.bool_]],
        exact: Callable[[str], str | None],
        answer_type: str,
    ) -> None:
        self._check_rows = check_rows
        self._exact = exact
        self._answer_type = answer_type

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Work out every prompt, and compare its answer and the steps of its solution, if any."""
        steps, offsets, stated = solution_bytes(answers, solutions)
        columns = (*text_bytes(prompts), *text_bytes(answers), steps, offsets, stated)
        return self._check_rows(*columns)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Work out every prompt again with the oracle."""
        pairs = zip(prompts.to_pylist(), answers.to_pylist(), strict=True)
        return np.array([self._exact(prompt) == answer for prompt, answer in pairs], dtype=bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer in its type, else 0.0."""
        return equality.grade(prediction, answer, self._answer_type)
