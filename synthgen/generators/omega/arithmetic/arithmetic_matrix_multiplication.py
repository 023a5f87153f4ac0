"""OMEGA arithmetic: sums and entries of the product of two integer matrices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synthgen.core.columns import Ragged
from synthgen.generators.omega.arithmetic._matrix_draw import GENERAL
from synthgen.generators.omega.arithmetic._matrix_family import (
    MatrixFamily,
    Plan,
    Question,
    Work,
    between,
    drawn_matrices,
    places,
    symbols_of,
)
from synthgen.generators.omega.arithmetic._matrix_power import TRACE, product_values
from synthgen.generators.omega.arithmetic._matrix_steps import product_lines

_HEADS = {"product_sum": 0, "product_absolute_sum": 0, "product_entry": 2, "product_trace": 0}
_NAMES = ("sum", "absolute sum", "entry", "trace")
_OPENINGS = (
    "Let A = {a} and B = {b}. ",
    "Multiply the matrices A = {a} and B = {b}. ",
    "Given the matrices A = {a} and B = {b}, consider the product A*B. ",
    "Take A = {a} and B = {b}, and work out A*B. ",
)
_ENDINGS = (
    (
        "What is the sum of all entries of A*B? Give an integer.",
        "Which integer do the entries of the product A*B add up to?",
        "Find the integer that is the sum of all of its entries.",
        "Add up all entries of the result, and answer with that integer.",
    ),
    (
        "What is the sum of the absolute values of all entries of A*B? Give an integer.",
        "Which integer do the absolute values of the entries of the product A*B add up to?",
        "Find the integer that is the sum of the absolute values of all of its entries.",
        "Add up the absolute values of all entries of the result, and answer with that integer.",
    ),
    (
        "What is the entry in row {row} and column {column} of A*B? Give an integer.",
        "Which integer stands in row {row}, column {column} of the product A*B?",
        "Find the integer that is its entry in row {row} and column {column}.",
        "Look up row {row}, column {column} of the result, and answer with the integer there.",
    ),
    (
        "What is the trace of A*B? Give an integer.",
        "Which integer do the diagonal entries of the product A*B add up to?",
        "Find the integer that is its trace.",
        "Add up the diagonal entries of the result, and answer with that integer.",
    ),
)


@dataclass(frozen=True)
class ArithmeticMatrixMultiplication(MatrixFamily):
    """Products of two matrices, rectangular unless the trace is asked for.

    Attributes:
        levels: of difficulty, 1 to 9, drawn with equal probability; none stand for all. Rows and
            columns are 3 to 5, 4 to 6, 6 to 7, 7 to 8, 9 to 10, 10 to 11, 12 to 14, 14 to 16 or
            16 to 18 each, and entries up to 8, 10, 12, 15, 20, 25, 30, 35 or 40 in magnitude.
        min_size, max_size: rows and columns, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of an entry, 1 to 99; 0 stands for that of the level.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_matrix_multiplication"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = 9
    level_sizes = (
        *((3, 5), (4, 6), (6, 7), (7, 8), (9, 10)),
        *((10, 11), (12, 14), (14, 16), (16, 18)),
    )
    level_entries = (8, 10, 12, 15, 20, 25, 30, 35, 40)
    heads = _HEADS
    number_names = ("row", "column")
    n_matrices = 2
    texts = tuple(
        tuple(opening + ending for opening, ending in zip(_OPENINGS, endings, strict=True))
        for endings in _ENDINGS
    )
    wordings: ClassVar[int] = len(_OPENINGS)
    subtypes: ClassVar[tuple[str, ...]] = ("sum", "absolute_sum", "entry", "trace")
    symbols: ClassVar[Mapping[str, int]] = symbols_of(_HEADS, 2)

    @property
    def fewest_problems(self) -> int:
        """Four questions about every pair of the largest square matrices of a level."""
        return len(_HEADS) * self.most_problems(lambda size: 2 * size * size)

    def work(self, plan: Plan) -> Work:
        """Draw both matrices and the place of the entry."""
        low, high = self.size_table[self.order_of(plan.levels)].T
        inner, columns = (between(plan.rows, label, low, high) for label in ("inner", "columns"))
        columns = np.where(plan.asked == TRACE, plan.sizes, columns)
        shapes = np.full(len(plan.sizes), GENERAL, np.int64)
        first = np.stack([plan.sizes, inner], axis=1)
        second = np.stack([inner, columns], axis=1)
        left = drawn_matrices(plan, first, shapes)
        right = drawn_matrices(plan, second, shapes, label="second")
        matrices = interleaved(left, right)
        numbers = places(plan.rows, plan.sizes, columns)
        dims = np.stack([plan.sizes, inner, columns], axis=1)
        answers = product_values(matrices.values, matrices.offsets, dims, plan.asked, numbers)
        valid = np.ones(len(answers), bool)
        both = np.stack([first, second], axis=1)
        return Work(matrices, both, numbers, answers.tolist(), valid, {})

    def steps(self, question: Question) -> str:
        """Write the rows or entries of the product that matter."""
        name, numbers = _NAMES[question.asked], question.numbers
        place = numbers["row"], numbers["column"]
        return "\n".join(product_lines(question.matrices, name, place, question.answer))


def interleaved(first: Ragged, second: Ragged) -> Ragged:
    """Return the rows of two columns by turns."""
    n = len(first)
    values = np.concatenate([first.values, second.values])
    offsets = np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]])
    order = np.stack([np.arange(n), n + np.arange(n)], axis=1).ravel()
    return Ragged(values, offsets).take(order)


GENERATOR = ArithmeticMatrixMultiplication
