"""The table `[divergence]` of a recipe."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from synthgen.recipe.fields import integer
from synthgen.recipe.tables import Names, Table, choice, names


class Divergence(Table):
    """Train and test splits alike in atoms and as different as can be in compounds.

    `pool` problems are divided; by default all of a finite space, or four times the rows.
    """

    train: Names = Field(strict=False, min_length=1, description="a list of names of splits")
    test: Names = Field(strict=False, min_length=1, description="a list of names of splits")
    compounds: Literal["fragments", "edges", "subtrees"] = choice("fragments", "edges", "subtrees")
    nodes: int = integer(2, 5, default=3)
    axes: Names = names("integer axes")
    atom_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    axis_bound: float = Field(0.02, ge=0, le=1, description="a number from 0 to 1")
    target: float = Field(1.0, ge=0, le=1, description="a number from 0 to 1")
    starts: int = integer(1, 1000, default=12)
    effort: int = integer(0, 100_000, default=50)
    pool: int | None = integer(2, 1_000_000, default=None)

    @property
    def splits(self) -> tuple[str, ...]:
        """All splits that it divides problems among."""
        return (*self.train, *self.test)
