"""Families of questions about one square matrix, which may be symmetric or triangular."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.generators.omega.arithmetic._matrix_draw import SHAPES, shapes_of
from synthgen.generators.omega.arithmetic._matrix_family import (
    MatrixFamily,
    Plan,
    between,
    drawn_matrices,
)

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class SquareFamily(MatrixFamily):
    """A family of questions about one square matrix that may have a special shape.

    Attributes:
        levels: drawn with equal probability; none stand for all there are.
        min_size, max_size: rows of the matrix, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of a drawn entry, 1 to 99; 0 stands for that of the level.
        shapes: of the matrices: general, symmetric, triangular (upper); none stand for those of
            the level, equally often.
    """

    shapes: tuple[str, ...] = ()

    known_shapes: ClassVar[tuple[str, ...]] = SHAPES
    regular: ClassVar[bool] = False
    """Whether triangular matrices have no zero on the diagonal."""

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = f"a list of different ones of {', '.join(self.known_shapes)}"
        if not isinstance(self.shapes, tuple) or not set(self.shapes) <= set(self.known_shapes):
            raise ParamError("shapes", self.shapes, wanted)
        if len(set(self.shapes)) != len(self.shapes):
            raise ParamError("shapes", self.shapes, wanted)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large the matrix is, and what shape it has."""
        shape = Axis("narrowest shape that the matrix has", values=SHAPES)
        return {**super().own_axes, "matrix_shape": shape}

    def shapes_of_level(self, level: int) -> tuple[str, ...]:
        """Return the shapes that are drawn at a level."""
        del level
        return self.shapes or self.known_shapes

    def most_triangular(self) -> int:
        """Return how many triangular matrices there are of the largest size of some level."""
        return self.most_problems(lambda size: size * (size + 1) // 2)

    def squares(self, plan: Plan) -> tuple[Ragged, Integers, dict[str, Integers]]:
        """Draw the matrices; return them, their dims (n, 1, 2) and the axis of their shapes."""
        choices = {level: self.shapes_of_level(level) for level in self.chosen_levels}
        counts = np.array([len(choices.get(level, "x")) for level in range(self.n_levels + 1)])
        picks = between(plan.rows, "shape", 0, counts[plan.levels] - 1)
        table = np.zeros((self.n_levels + 1, len(SHAPES)), np.int64)
        for level, names in choices.items():
            table[level, : len(names)] = [SHAPES.index(name) for name in names]
        dims = np.stack([plan.sizes, plan.sizes], axis=1)
        shapes = table[plan.levels, picks]
        matrices = drawn_matrices(plan, dims, shapes, regular=self.regular)
        axes = {"matrix_shape": shapes_of(matrices.values, matrices.offsets, plan.sizes)}
        return matrices, dims[:, None, :], axes
