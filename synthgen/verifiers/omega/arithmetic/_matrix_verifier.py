"""The verifier of families about matrices, which works out all rows of a batch together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_column
from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import BOXED
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, Reader, Squares

Integers = NDArray[np.int64]

_REMEMBERED = 1_024


class MatrixVerifier(PlainVerifier[Question]):
    """Checks the rows of a family by reading all prompts and then working all of them out.

    Args:
        wordings: of each kind of question, as for `Reader`.
        fits: says whether a question that has one of the wordings is one of the family's.
        solve: works out questions that fit; None for those that have no answer.
        exact: works one out in another way.
        follows: says whether a solution leads from a question to its answer; left out where the
            family writes no solutions.
        quick: works out questions about one square matrix each, by numbers of their kinds in the
            order of `wordings`; negative for those that are left to `solve`, which would find all
            other answers, too.
    """

    longest_solution: ClassVar[int] = 400_000

    def __init__(
        self,
        wordings: Mapping[str, Sequence[str]],
        fits: Callable[[Question], bool],
        solve: Callable[[Sequence[Question]], list[str | None]],
        exact: Callable[[Question], str | None],
        follows: Callable[[Question, str, str], bool] | None = None,
        quick: Callable[[Squares], Integers] | None = None,
    ) -> None:
        self._kinds = tuple(wordings)
        self._quick_values = quick
        self._reader = Reader(wordings)
        self._fits = fits
        self._solve_all = solve
        remembered = lru_cache(_REMEMBERED)(exact)
        super().__init__(self._posed, self._solve_one, remembered, "integer", follows)

    def _posed(self, statement: str) -> Question | None:
        question = self._reader.read(statement)
        return question if question is not None and self._fits(question) else None

    def _all_posed(self, prompts: pa.StringArray) -> list[Question | None]:
        read = self._reader.read_all(prompts, BOXED, self.problem)
        return [one if one is not None and self._fits(one) else None for one in read]

    def _solve_one(self, question: Question) -> str | None:
        return self._solve_all([question])[0]

    def _quickly(
        self, prompts: pa.StringArray, answers: pa.StringArray
    ) -> NDArray[np.bool_] | None:
        if self._quick_values is None:
            return None
        right = np.zeros(len(prompts), bool)
        squares = self._reader.squares(prompts, BOXED, self._kinds)
        chosen = np.flatnonzero(squares.asked >= 0)
        if len(chosen):
            values = self._quick_values(squares.take(chosen)).tolist()
            given = answers.take(integer_column(chosen)).to_pylist()
            pairs = zip(values, given, strict=True)
            right[chosen] = [value >= 0 and str(value) == answer for value, answer in pairs]
        return right

    def _thoroughly(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        posed = self._all_posed(prompts)
        worked = iter(self._solve_all([question for question in posed if question is not None]))
        found = (None if question is None else next(worked) for question in posed)
        return self._agree(zip(posed, found, strict=True), answers, solutions)


def flat_squares(questions: Sequence[Question]) -> tuple[Integers, Integers, Integers]:
    """Return the entries of the first matrices end to end, their offsets and their rows."""
    matrices = [question.matrices[0] for question in questions]
    lengths = np.array([0] + [len(matrix.entries) for matrix in matrices], np.int64)
    sizes = np.array([matrix.rows for matrix in matrices], np.int64)
    flat = chain.from_iterable([matrix.entries for matrix in matrices])
    return np.fromiter(flat, np.int64, int(lengths.sum())), np.cumsum(lengths), sizes
