"""OMEGA arithmetic: singular values of an integer matrix, rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synthgen.generators.omega.arithmetic._matrix_family import Plan, Work, symbols_of
from synthgen.generators.omega.arithmetic._matrix_singular import rounded_values
from synthgen.generators.omega.arithmetic._matrix_square import SquareFamily

_HEADS = {"largest_singular_value": 0, "singular_value_sum": 0, "singular_value_spread": 0}
_LARGEST = (
    "What is the largest singular value of {a}, rounded to the nearest integer?",
    "Let A = {a}. Find the largest singular value of A and round it to the nearest integer.",
    "Compute the spectral norm (the largest singular value) of the matrix {a}. Answer with the "
    "nearest integer.",
    "How large is the largest singular value of A = {a}? Give the nearest integer.",
)
_SUM = (
    "What is the sum of all singular values of {a}, rounded to the nearest integer?",
    "Let A = {a}. Add up the singular values of A and round only their sum, to the nearest "
    "integer.",
    "Compute the nuclear norm (the sum of all singular values) of the matrix {a}. Answer with the "
    "nearest integer.",
    "To which integer is the exact sum of the singular values of A = {a} nearest?",
)
_SPREAD = (
    "By how much does the largest singular value of {a} exceed the smallest? Round the difference "
    "to the nearest integer.",
    "Let A = {a}. Subtract the smallest singular value of A from the largest one and round only "
    "the difference, to the nearest integer.",
    "Compute the largest minus the smallest singular value of the matrix {a}. Answer with the "
    "nearest integer.",
    "To which integer is the exact difference of the largest and the smallest singular value of "
    "A = {a} nearest?",
)


@dataclass(frozen=True)
class ArithmeticMatrixSvd(SquareFamily):
    """Regular matrices, one of three questions about their singular values.

    Singular values of an integer matrix are algebraic integers, so are sums and differences of
    them, and no algebraic integer lies half-way between two integers: there are no ties.

    Attributes:
        levels: of difficulty, 1 to 9, drawn with equal probability; none stand for all. The
            matrices have 4, 5, 6, 7, 9, 10, 12, 14 or 16 rows, and entries up to 4, 6, 10, 12, 18,
            22, 26, 30 or 40 in magnitude.
        min_size, max_size: rows of the matrix, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of an entry, 1 to 99; 0 stands for that of the level.
        shapes: of the matrices: general, symmetric, triangular (upper); none stand for all three,
            equally often.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_matrix_svd"
    n_levels: ClassVar[int] = 9
    level_sizes = ((4, 4), (5, 5), (6, 6), (7, 7), (9, 9), (10, 10), (12, 12), (14, 14), (16, 16))
    level_entries = (4, 6, 10, 12, 18, 22, 26, 30, 40)
    heads = _HEADS
    texts = (_LARGEST, _SUM, _SPREAD)
    wordings: ClassVar[int] = len(_SUM)
    subtypes: ClassVar[tuple[str, ...]] = ("largest", "sum", "spread")
    symbols: ClassVar[Mapping[str, int]] = symbols_of(_HEADS)
    regular = True

    def work(self, plan: Plan) -> Work:
        """Draw the matrices and bound their singular values."""
        matrices, dims, axes = self.squares(plan)
        answers = rounded_values(matrices.values, matrices.offsets, plan.sizes, plan.asked)
        numbers = np.zeros((len(answers), 0), np.int64)
        return Work(matrices, dims, numbers, answers.tolist(), answers >= 0, axes)


GENERATOR = ArithmeticMatrixSvd
