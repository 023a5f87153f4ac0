"""The verifier of families whose texts are read, worked out and followed one by one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import ClassVar, Generic, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_column, text_bytes
from synthgen.verifiers import answers as equality
from synthgen.verifiers.omega._quick_text import Quick
from synthgen.verifiers.omega._wordings import BOXED

P = TypeVar("P", bound=Hashable)

MOST_CHARACTERS = 50_000
"""A longer prompt or solution is no text of ours."""
_REMEMBERED = 1 << 14


class PlainVerifier(Generic[P]):
    """Checks the rows of a family by reading each prompt.

    Args:
        read: returns the problem that a statement poses, or None if it is not one of the family's.
        solve: works the answer out; None if the problem has none.
        exact: works it out again in a slower or more general way.
        answer_type: name of the equality by which predictions are graded.
        follows: says whether a solution leads from a problem to its answer; left out where the
            family writes no solutions.
        remembered: how many problems' answers are kept for when they come again; 0 for a family
            with so many problems that they hardly do.
        quick: says which rows without solutions are right for sure; `read` and `solve` then look
            at the others, and would find those right, too.
    """

    longest_solution: ClassVar[int] = MOST_CHARACTERS
    """Characters; a longer one is none of ours."""

    def __init__(
        self,
        read: Callable[[str], P | None],
        solve: Callable[[P], str | None],
        exact: Callable[[P], str | None],
        answer_type: str,
        follows: Callable[[P, str, str], bool] | None = None,
        remembered: int = _REMEMBERED,
        quick: Quick | None = None,
    ) -> None:
        self._read = read
        self._solve = lru_cache(remembered)(solve) if remembered else solve
        self._exact = exact
        self._answer_type = answer_type
        self._follows = follows
        self._quick = quick

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Work out every prompt, and follow its solution, if any."""
        right = self._quickly(prompts, answers) if solutions is None else None
        if right is None:
            return self._thoroughly(prompts, answers, solutions)
        left = np.flatnonzero(~right)
        if len(left):
            others = integer_column(left)
            right[left] = self._thoroughly(prompts.take(others), answers.take(others), None)
        return right

    def _quickly(
        self, prompts: pa.StringArray, answers: pa.StringArray
    ) -> NDArray[np.bool_] | None:
        """Say which answers are right for sure; None if there is no quick way."""
        return self._quick(*text_bytes(prompts), *text_bytes(answers)) if self._quick else None

    def _thoroughly(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        problems = map(self.problem, prompts.to_pylist())
        worked = ((one, None if one is None else self._solve(one)) for one in problems)
        return self._agree(worked, answers, solutions)

    def _agree(
        self,
        worked: Iterable[tuple[P | None, str | None]],
        answers: pa.StringArray,
        solutions: pa.StringArray | None,
    ) -> NDArray[np.bool_]:
        """Say which answers and solutions agree with problems and what was found for them."""
        ways = solutions.to_pylist() if solutions is not None else [None] * len(answers)
        rows = zip(worked, answers.to_pylist(), ways, strict=True)
        return np.array([self._agrees(*one, answer, way) for one, answer, way in rows], dtype=bool)

    def _agrees(self, problem: P | None, found: str | None, answer: str, way: str | None) -> bool:
        if problem is None or found is None or found != answer:
            return False
        if way is None:
            return True
        short = len(way) <= self.longest_solution
        return short and self._follows is not None and self._follows(problem, answer, way)

    def problem(self, prompt: str) -> P | None:
        """Return the problem that a prompt poses, with or without the request for a box."""
        statement = prompt.removesuffix(BOXED)
        return self._read(statement) if len(statement) <= MOST_CHARACTERS else None

    def answer(self, prompt: str) -> str | None:
        """Work out a prompt; None if it is not one of the family's."""
        problem = self.problem(prompt)
        return None if problem is None else self._solve(problem)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Work out every prompt in the other way."""
        right = []
        for prompt, answer in zip(prompts.to_pylist(), answers.to_pylist(), strict=True):
            problem = self.problem(prompt)
            right.append(problem is not None and self._exact(problem) == answer)
        return np.array(right, dtype=bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the answer in its type, else 0.0."""
        return equality.grade(prediction, answer, self._answer_type)
