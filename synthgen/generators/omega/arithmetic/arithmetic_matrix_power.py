"""OMEGA arithmetic: sums and entries of a power of an integer matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.conditions import Condition, bounded
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.generators.omega.arithmetic._matrix_family import (
    Plan,
    Question,
    Work,
    between,
    places,
    symbols_of,
)
from synthgen.generators.omega.arithmetic._matrix_power import LIMB_BITS, power_values
from synthgen.generators.omega.arithmetic._matrix_square import SquareFamily
from synthgen.generators.omega.arithmetic._matrix_steps import power_lines

_HEADS = {"power_sum": 1, "power_absolute_sum": 1, "power_entry": 3}
_LARGEST_EXPONENT = 12
_EXPONENTS = ((2, 3), (3, 4), (4, 5), (4, 5), (5, 7), (6, 8), (7, 9), (8, 10), (9, 11))
_OPENINGS = (
    "Let A = {a}. ",
    "Consider the matrix A = {a}. ",
    "Given A = {a}, work out the matrix power A^{exponent}. ",
    "Raise the matrix A = {a} to the power {exponent}. ",
)
_ENDINGS = (
    (
        "What is the sum of all entries of A^{exponent}? Give an integer.",
        "Which integer do the entries of A^{exponent} add up to?",
        "Answer with the integer that is the sum of all of its entries.",
        "What is the sum of all entries of the result, as an integer?",
    ),
    (
        "What is the sum of the absolute values of all entries of A^{exponent}? Give an integer.",
        "Which integer do the absolute values of the entries of A^{exponent} add up to?",
        "Answer with the integer that is the sum of the absolute values of all of its entries.",
        "What is the sum of the absolute values of all entries of the result, as an integer?",
    ),
    (
        "What is the entry in row {row} and column {column} of A^{exponent}? Give an integer.",
        "Which integer stands in row {row}, column {column} of A^{exponent}?",
        "Answer with the integer that is its entry in row {row} and column {column}.",
        "What is the entry in row {row} and column {column} of the result, as an integer?",
    ),
)


@dataclass(frozen=True)
class ArithmeticMatrixPower(SquareFamily):
    """Powers of a matrix, worked out exactly whatever their size.

    Attributes:
        levels: of difficulty, 1 to 9, drawn with equal probability; none stand for all. The
            matrices have 3, 4, 5, 6, 8, 10, 12, 14 or 16 rows, entries up to 3, 4, 5, 6, 12, 14,
            16, 20 or 24 in magnitude, and exponents 2 to 3, 3 to 4, 4 to 5, 4 to 5, 5 to 7, 6 to
            8, 7 to 9, 8 to 10 or 9 to 11.
        min_size, max_size: rows of the matrix, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of an entry, 1 to 99; 0 stands for that of the level.
        shapes: of the matrices: general, symmetric, triangular (upper); none stand for all three
            at level 1 and for the first two above it, equally often.
        min_exponent, max_exponent: 2 to 12; 0 stands for those of the level.
    """

    min_exponent: int = 0
    max_exponent: int = 0

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_matrix_power"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        **SquareFamily.conditions,
        "exponent": bounded("min_exponent", "max_exponent"),
    }
    n_levels: ClassVar[int] = 9
    level_sizes = ((3, 3), (4, 4), (5, 5), (6, 6), (8, 8), (10, 10), (12, 12), (14, 14), (16, 16))
    level_entries = (3, 4, 5, 6, 12, 14, 16, 20, 24)
    heads = _HEADS
    number_names = ("exponent", "row", "column")
    texts = tuple(
        tuple(opening + ending for opening, ending in zip(_OPENINGS, endings, strict=True))
        for endings in _ENDINGS
    )
    wordings: ClassVar[int] = len(_OPENINGS)
    subtypes: ClassVar[tuple[str, ...]] = ("sum", "absolute_sum", "entry")
    symbols: ClassVar[Mapping[str, int]] = symbols_of(_HEADS)

    def __post_init__(self) -> None:
        super().__post_init__()
        exponents = (("min_exponent", self.min_exponent), ("max_exponent", self.max_exponent))
        for name, exponent in exponents:
            check_int(name, exponent, 0, _LARGEST_EXPONENT)
            if exponent == 1:
                raise ParamError(name, exponent, "0 or at least 2")
        if np.any(self.exponent_table[:, 0] > self.exponent_table[:, 1]):
            wanted = f"at most max_exponent at each level, which gives {self.exponent_table}"
            raise ParamError("min_exponent", self.min_exponent, wanted)

    @property
    def exponent_table(self) -> NDArray[np.int64]:
        """Smallest and largest exponent of each chosen level, (l, 2)."""
        exponents = (_EXPONENTS[level - 1] for level in self.chosen_levels)
        table = [(self.min_exponent or low, self.max_exponent or high) for low, high in exponents]
        return np.array(table, np.int64)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Size, shape and exponent."""
        low, high = int(self.exponent_table.min()), int(self.exponent_table.max())
        return {**super().own_axes, "exponent": Axis("exponent of the power", low=low, high=high)}

    @property
    def fewest_problems(self) -> int:
        """Three questions about each matrix of the shapes chosen."""
        if "general" in (self.shapes or self.known_shapes):
            return len(_HEADS) * self.most_problems(lambda size: size * size)
        return len(_HEADS) * self.most_triangular()

    def shapes_of_level(self, level: int) -> tuple[str, ...]:
        """Return the shapes that are drawn at a level."""
        return self.shapes or self.known_shapes[: 3 if level == 1 else 2]

    def work(self, plan: Plan) -> Work:
        """Draw the matrices, exponents and places."""
        matrices, dims, axes = self.squares(plan)
        low, high = self.exponent_table[self.order_of(plan.levels)].T
        exponents = between(plan.rows, "exponent", low, high)
        place = places(plan.rows, plan.sizes, plan.sizes)
        numbers = np.concatenate([exponents[:, None], place], axis=1)
        values, offsets = matrices.values, matrices.offsets
        limbs = power_values(values, offsets, plan.sizes, plan.asked, numbers).tolist()
        answers = [
            (((first << LIMB_BITS) + second) << LIMB_BITS) + third for first, second, third in limbs
        ]
        valid = np.ones(len(answers), bool)
        return Work(matrices, dims, numbers, answers, valid, {**axes, "exponent": exponents})

    def steps(self, question: Question) -> str:
        """Write the powers by squaring."""
        exponent = question.numbers["exponent"]
        name = ("sum", "absolute sum", "entry")[question.asked]
        return "\n".join(power_lines(question.matrices[0], exponent, name, question.answer))


GENERATOR = ArithmeticMatrixPower
