"""OMEGA arithmetic: sums and entries of the inverse of a scaled integer matrix, rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synthgen.generators.omega.arithmetic._matrix_family import (
    Plan,
    Question,
    Work,
    places,
    symbols_of,
)
from synthgen.generators.omega.arithmetic._matrix_inverse import UNDECIDED, rounded_values
from synthgen.generators.omega.arithmetic._matrix_square import SquareFamily
from synthgen.generators.omega.arithmetic._matrix_steps import inverse_lines

_HEADS = {
    "inverse_sum": 1,
    "inverse_absolute_sum": 1,
    "inverse_trace": 1,
    "inverse_largest_entry": 1,
    "inverse_entry": 3,
}
_NAMES = ("sum", "absolute sum", "trace", "largest entry", "entry")
_OPENINGS = (
    "Let A = {a}, and let B be A with every entry divided by {scale}. ",
    "Divide every entry of A = {a} by {scale} to get the matrix B. ",
    "The matrix B is A / {scale}, where A = {a}. ",
    "Given A = {a}, put B = A / {scale}. ",
)
_ENDINGS = (
    (
        "What is the sum of all entries of the inverse of B, rounded to the nearest integer?",
        "Add up all entries of the inverse of B and round the sum to the nearest integer.",
        "Which integer is nearest to the sum of all entries of the inverse of B?",
        "Find the inverse of B and the exact sum of its entries; answer with the nearest integer.",
    ),
    (
        "What is the sum of the absolute values of all entries of the inverse of B, rounded to "
        "the nearest integer?",
        "Add up the absolute values of all entries of the inverse of B and round the sum to the "
        "nearest integer.",
        "Which integer is nearest to the sum of the absolute values of all entries of the inverse "
        "of B?",
        "Find the inverse of B and the exact sum of the absolute values of its entries; answer "
        "with the nearest integer.",
    ),
    (
        "What is the trace of the inverse of B, rounded to the nearest integer?",
        "Add up the diagonal entries of the inverse of B and round the sum to the nearest integer.",
        "Which integer is nearest to the trace of the inverse of B?",
        "Find the inverse of B and its exact trace; answer with the nearest integer.",
    ),
    (
        "Which entry of the inverse of B has the largest absolute value? Give that entry with its "
        "sign, rounded to the nearest integer.",
        "Take the entry of the inverse of B that is largest in absolute value, keep its sign, and "
        "round it to the nearest integer.",
        "Which integer is nearest to the entry, sign included, of largest absolute value in the "
        "inverse of B?",
        "Find the inverse of B and, in it, the entry of largest absolute value; answer with the "
        "integer nearest to that entry, which may be negative.",
    ),
    (
        "What is the entry in row {row} and column {column} of the inverse of B, rounded to the "
        "nearest integer?",
        "Take the entry of the inverse of B in row {row}, column {column}, and round it to the "
        "nearest integer.",
        "Which integer is nearest to the entry of the inverse of B in row {row} and column "
        "{column}?",
        "Find the inverse of B and its entry in row {row} and column {column}; answer with the "
        "integer nearest to that entry.",
    ),
)


@dataclass(frozen=True)
class ArithmeticMatrixInverse(SquareFamily):
    """A matrix is divided by twice its rows times the largest entry that was allowed, and inverted.

    Attributes:
        levels: of difficulty, 1 to 9, drawn with equal probability; none stand for all. The
            matrices have 3, 4, 6, 7, 9, 10, 12, 14 or 16 rows, and entries up to 10, 12, 15, 18,
            25, 30, 35, 40 or 50 in magnitude.
        min_size, max_size: rows of the matrix, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of an entry, 1 to 99; 0 stands for that of the level.
        shapes: of the matrices: general, symmetric, triangular (upper); none stand for all three,
            equally often.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_matrix_inverse"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = 9
    level_sizes = ((3, 3), (4, 4), (6, 6), (7, 7), (9, 9), (10, 10), (12, 12), (14, 14), (16, 16))
    level_entries = (10, 12, 15, 18, 25, 30, 35, 40, 50)
    heads = _HEADS
    number_names = ("scale", "row", "column")
    texts = tuple(
        tuple(opening + ending for opening, ending in zip(_OPENINGS, endings, strict=True))
        for endings in _ENDINGS
    )
    wordings: ClassVar[int] = len(_OPENINGS)
    subtypes: ClassVar[tuple[str, ...]] = ("sum", "absolute_sum", "trace", "largest_entry", "entry")
    symbols: ClassVar[Mapping[str, int]] = symbols_of(_HEADS)
    regular = True

    def work(self, plan: Plan) -> Work:
        """Draw the matrices and places; a tie of any kind leaves the answer undecided."""
        matrices, dims, axes = self.squares(plan)
        scale = 2 * plan.sizes * plan.bounds
        place = places(plan.rows, plan.sizes, plan.sizes)
        numbers = np.concatenate([scale[:, None], place], axis=1)
        values, offsets = matrices.values, matrices.offsets
        answers = rounded_values(values, offsets, plan.sizes, plan.asked, numbers)
        return Work(matrices, dims, numbers, answers.tolist(), answers != UNDECIDED, axes)

    def steps(self, question: Question) -> str:
        """Write the inverse and what is asked of it."""
        numbers = question.numbers
        name, place = _NAMES[question.asked], (numbers["row"], numbers["column"])
        return "\n".join(inverse_lines(question.matrices[0], name, numbers["scale"], place))


GENERATOR = ArithmeticMatrixInverse
