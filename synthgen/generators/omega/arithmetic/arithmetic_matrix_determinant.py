"""OMEGA arithmetic: the last three digits of the determinant of an integer matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from typing import ClassVar

import numpy as np

from synthgen.generators.omega.arithmetic._matrix_determinant import (
    determinants_mod_1000,
    prime_tables,
)
from synthgen.generators.omega.arithmetic._matrix_draw import TRIANGULAR
from synthgen.generators.omega.arithmetic._matrix_family import Plan, Question, Work, symbols_of
from synthgen.generators.omega.arithmetic._matrix_square import SquareFamily
from synthgen.generators.omega.arithmetic._matrix_steps import determinant_lines

_HEADS = {"determinant_mod_1000": 0}
_WORDINGS = (
    "Find the remainder when the determinant of {a} is divided by one thousand. The remainder is "
    "an integer from zero to nine hundred ninety-nine.",
    "Let A = {a}. What is det(A) modulo one thousand? Give the least non-negative residue, an "
    "integer.",
    "Compute the determinant of the matrix {a} and reduce it modulo one thousand to an integer "
    "that is at least zero and less than one thousand.",
    "For the matrix A = {a}, which integer from zero to nine hundred ninety-nine is congruent to "
    "det(A) modulo one thousand?",
)


@dataclass(frozen=True)
class ArithmeticMatrixDeterminant(SquareFamily):
    """Determinants other than zero, reduced modulo one thousand.

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
    verifier: ClassVar[str] = "arithmetic_matrix_determinant"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = 9
    level_sizes = ((3, 3), (4, 4), (6, 6), (7, 7), (9, 9), (10, 10), (12, 12), (14, 14), (16, 16))
    level_entries = (10, 12, 15, 18, 25, 30, 35, 40, 50)
    heads = _HEADS
    texts = (_WORDINGS,)
    wordings: ClassVar[int] = len(_WORDINGS)
    symbols: ClassVar[Mapping[str, int]] = symbols_of(_HEADS)
    regular = True

    @property
    def fewest_problems(self) -> int | None:
        """The triangular matrices whose diagonal has no factor two or five."""
        if self.shapes == ("symmetric",):
            return None
        entries = (self.max_entry or self.level_entries[level - 1] for level in self.chosen_levels)
        counts = []
        for entry, (_, size) in zip(entries, self.size_table.tolist(), strict=True):
            units = 2 * sum(gcd(value, 10) == 1 for value in range(1, entry + 1))
            counts.append(units**size * (2 * entry + 1) ** (size * (size - 1) // 2))
        return int(max(counts))

    def work(self, plan: Plan) -> Work:
        """Draw the matrices; a triangular one may not end in three zeros, as most large ones do."""
        matrices, dims, axes = self.squares(plan)
        answers = determinants_mod_1000(
            matrices.values, matrices.offsets, plan.sizes, *prime_tables()
        )
        dull = (answers == 0) & (axes["matrix_shape"] == TRIANGULAR)
        numbers = np.zeros((len(answers), 0), np.int64)
        return Work(matrices, dims, numbers, answers.tolist(), (answers >= 0) & ~dull, axes)

    def steps(self, question: Question) -> str:
        """Write Bareiss's elimination."""
        return "\n".join(determinant_lines(question.matrices[0]))


GENERATOR = ArithmeticMatrixDeterminant
