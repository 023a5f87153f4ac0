"""OMEGA arithmetic: the rank of an integer matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synthgen.core.columns import Ragged
from synthgen.core.contract import Axis
from synthgen.generators.omega.arithmetic._matrix_determinant import prime_tables, ranks_mod
from synthgen.generators.omega.arithmetic._matrix_draw import GENERAL
from synthgen.generators.omega.arithmetic._matrix_family import (
    MatrixFamily,
    Plan,
    Question,
    Work,
    between,
    drawn_matrices,
    symbols_of,
)
from synthgen.generators.omega.arithmetic._matrix_power import square_products
from synthgen.generators.omega.arithmetic._matrix_steps import rank_lines

_HEADS = {"matrix_rank": 0}
_WORDINGS = (
    "What is the rank of the matrix {a}? Give an integer.",
    "Let A = {a}. What is the largest number of linearly independent rows of A? Give an integer.",
    "Find the dimension of the space that the columns of {a} span. Answer with an integer.",
    "How many rows that are not zero does an echelon form of the matrix {a} have? Give an integer.",
)


@dataclass(frozen=True)
class ArithmeticMatrixRank(MatrixFamily):
    """The product of a tall and a wide random matrix, with a rank below its size.

    Attributes:
        levels: of difficulty, 1 to 9, drawn with equal probability; none stand for all. The
            matrices have 4, 5, 6, 7, 9, 10, 12, 14 or 16 rows, and entries of the two factors up
            to 4, 6, 10, 12, 18, 22, 26, 30 or 40 in magnitude.
        min_size, max_size: rows of the matrix, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of an entry of a factor, 1 to 99; 0 stands for that of the
            level.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_matrix_rank"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = 9
    level_sizes = ((4, 4), (5, 5), (6, 6), (7, 7), (9, 9), (10, 10), (12, 12), (14, 14), (16, 16))
    level_entries = (4, 6, 10, 12, 18, 22, 26, 30, 40)
    heads = _HEADS
    texts = (_WORDINGS,)
    wordings: ClassVar[int] = len(_WORDINGS)
    symbols: ClassVar[Mapping[str, int]] = symbols_of(_HEADS)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Size and rank."""
        axes = dict(super().own_axes)
        high = (axes["size"].high or 0) - 1
        return {**axes, "matrix_rank": Axis("rank of the matrix", low=1, high=high)}

    @property
    def fewest_problems(self) -> int:
        """Rank one: a column that begins with one, times a row that is not zero."""
        return self.most_problems(lambda size: 2 * size - 1) - self.most_problems(
            lambda size: size - 1
        )

    def work(self, plan: Plan) -> Work:
        """Multiply two factors; their inner size bounds the rank from above, a prime from below."""
        inner = between(plan.rows, "rank", 1, plan.sizes - 1)
        shapes = np.full(len(inner), GENERAL, np.int64)
        tall = drawn_matrices(plan, np.stack([plan.sizes, inner], axis=1), shapes)
        wide = drawn_matrices(plan, np.stack([inner, plan.sizes], axis=1), shapes, label="second")
        factors = (tall.values, tall.offsets, wide.values)
        matrices = Ragged(*square_products(*factors, plan.sizes, inner))
        ranks = ranks_mod(matrices.values, matrices.offsets, plan.sizes, prime_tables()[0][0])
        dims = np.stack([plan.sizes, plan.sizes], axis=1)[:, None, :]
        numbers = np.zeros((len(ranks), 0), np.int64)
        axes = {"matrix_rank": inner}
        return Work(matrices, dims, numbers, inner.tolist(), ranks == inner, axes)

    def steps(self, question: Question) -> str:
        """Write Bareiss's elimination."""
        return "\n".join(rank_lines(question.matrices[0]))


GENERATOR = ArithmeticMatrixRank
