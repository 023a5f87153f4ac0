"""OMEGA arithmetic: absolute values of the eigenvalues of an integer matrix, rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.generators.omega.arithmetic import _matrix_singular as singular
from synthgen.generators.omega.arithmetic._matrix_draw import TRIANGULAR
from synthgen.generators.omega.arithmetic._matrix_family import Plan, Work, symbols_of
from synthgen.generators.omega.arithmetic._matrix_square import SquareFamily

Integers = NDArray[np.int64]

_HEADS = {"dominant_eigenvalue": 0, "absolute_eigenvalue_sum": 0}
_DOMINANT = (
    "What is the largest absolute value of an eigenvalue of {a}? Round it to the nearest integer.",
    "Let A = {a}. Among the eigenvalues of A, take one of largest absolute value, and give this "
    "absolute value, rounded to the nearest integer.",
    "Find the spectral radius of the matrix {a}, that is, the largest of the absolute values of "
    "its eigenvalues. Answer with the nearest integer.",
    "The eigenvalues of A = {a} are real. How large is the largest of their absolute values? Give "
    "the nearest integer.",
)
_SUM = (
    "Add up the absolute values of all eigenvalues of {a}, each as often as its multiplicity, and "
    "round the sum to the nearest integer.",
    "Let A = {a}. What is the sum of the absolute values of the eigenvalues of A, counted with "
    "multiplicity? Round only the sum, to the nearest integer.",
    "Find the absolute value of each eigenvalue of the matrix {a}, counted with multiplicity. "
    "Answer with the integer nearest to their exact sum.",
    "The eigenvalues of A = {a} are real. Taken with their multiplicities, what do their absolute "
    "values sum to? Give the integer nearest to the sum.",
)


@dataclass(frozen=True)
class ArithmeticMatrixEigenvalues(SquareFamily):
    """Symmetric and triangular matrices, whose eigenvalues are real.

    An eigenvalue of an integer matrix is an algebraic integer, so is a sum of absolute values of
    them, and no algebraic integer lies half-way between two integers: there are no ties.

    Attributes:
        levels: of difficulty, 1 to 9, drawn with equal probability; none stand for all. The
            matrices have 3, 4, 6, 7, 9, 10, 12, 14 or 16 rows, and entries up to 10, 12, 15, 18,
            25, 30, 35, 40 or 50 in magnitude.
        min_size, max_size: rows of the matrix, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of an entry, 1 to 99; 0 stands for that of the level.
        shapes: of the matrices: symmetric (twice as often by default), triangular (upper).
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_matrix_eigenvalues"
    n_levels: ClassVar[int] = 9
    level_sizes = ((3, 3), (4, 4), (6, 6), (7, 7), (9, 9), (10, 10), (12, 12), (14, 14), (16, 16))
    level_entries = (10, 12, 15, 18, 25, 30, 35, 40, 50)
    heads = _HEADS
    texts = (_DOMINANT, _SUM)
    wordings: ClassVar[int] = len(_SUM)
    subtypes: ClassVar[tuple[str, ...]] = ("dominant", "sum")
    symbols: ClassVar[Mapping[str, int]] = symbols_of(_HEADS)
    known_shapes = ("symmetric", "triangular")

    @property
    def fewest_problems(self) -> int | None:
        """Two questions about each triangular matrix, where those are drawn."""
        if "triangular" not in (self.shapes or self.known_shapes):
            return None
        return 2 * self.most_triangular()

    def shapes_of_level(self, level: int) -> tuple[str, ...]:
        """Return the shapes that are drawn at a level."""
        del level
        return self.shapes or ("symmetric", "symmetric", "triangular")

    def work(self, plan: Plan) -> Work:
        """Read the diagonal of the triangular matrices, and bound the values of the others."""
        matrices, dims, axes = self.squares(plan)
        entries, offsets = matrices.values, matrices.offsets
        answers = diagonal_values(entries, offsets, plan.sizes, plan.asked)
        others = np.flatnonzero(axes["matrix_shape"] != TRIANGULAR)
        asked = np.array([singular.LARGEST, singular.SUM])[plan.asked[others]]
        answers[others] = singular.rounded_values(
            entries, offsets[others], plan.sizes[others], asked
        )
        numbers = np.zeros((len(answers), 0), np.int64)
        return Work(matrices, dims, numbers, answers.tolist(), answers >= 0, axes)


@njit(cache=True, nogil=True)
def diagonal_values(
    entries: Integers, offsets: Integers, sizes: Integers, asked: Integers
) -> Integers:
    """Return the largest (asked 0) or the sum (1) of the absolute values on each diagonal."""
    answers = np.zeros(len(sizes), np.int64)
    for i in range(len(sizes)):
        for k in range(sizes[i]):
            value = abs(entries[offsets[i] + k * (sizes[i] + 1)])
            answers[i] = answers[i] + value if asked[i] else max(answers[i], value)
    return answers


GENERATOR = ArithmeticMatrixEigenvalues
