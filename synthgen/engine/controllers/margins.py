"""Margins: wanted numbers of rows of groups of joint cells, for one grouping or more.

A joint cell is one combination of values that rows may have, such as (operator, depth). A margin
groups the cells by one or several of the axes, and gives the wanted number of rows of each group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Margin:
    """One grouping of joint cells and its targets.

    Attributes:
        name: name for messages, such as the names of its axes.
        groups: group of each joint cell, 0..g-1, int64 (m,).
        targets: rows wanted of each group, 0 or more, int64 (g,).

    Raises:
        ParamError: for a group without a target or a target below 0.
    """

    name: str
    groups: Ints
    targets: Ints

    def __post_init__(self) -> None:
        n_groups = len(self.targets)
        if len(self.groups) and not 0 <= self.groups.min() <= self.groups.max() < n_groups:
            name = f"{self.name}.groups"
            raise ParamError(name, self.groups, f"0 to {n_groups - 1}")
        if (self.targets < 0).any():
            name = f"{self.name}.targets"
            raise ParamError(name, self.targets, "none below 0")

    def reached(self, values: Floats | Ints) -> Floats:
        """Return the sum of the values of each group's cells, float64 (g,)."""
        return np.bincount(self.groups, values, len(self.targets)).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Unmet:
    """A group of a margin without the wanted number of rows.

    Attributes:
        margin: name of the margin.
        group: number of the group.
        wanted: rows wanted.
        reached: rows reached.
    """

    margin: str
    group: int
    wanted: int
    reached: int

    def __str__(self) -> str:
        return (
            f"{self.margin} group {self.group}: {self.wanted} rows wanted, {self.reached} reached"
        )


def check_margins(margins: Sequence[Margin], n_cells: int) -> int:
    """Return the number of rows that all margins want.

    Raises:
        ParamError: without margins, or for margins over different cells or with different totals.
    """
    if not margins:
        raise ParamError("margins", margins, "at least one")
    for margin in margins:
        if len(margin.groups) != n_cells:
            name = f"{margin.name}.groups"
            raise ParamError(name, len(margin.groups), f"{n_cells} cells")
    totals = [int(margin.targets.sum()) for margin in margins]
    for margin, total in zip(margins, totals, strict=True):
        if total != totals[0]:
            expected = f"{totals[0]} rows, as in {margins[0].name}"
            name = f"{margin.name}.targets"
            raise ParamError(name, total, expected)
    return totals[0]


def unmet_groups(counts: Ints, margins: Sequence[Margin]) -> tuple[Unmet, ...]:
    """Return the groups whose cells' counts do not sum to the target."""
    return tuple(
        Unmet(margin.name, int(group), int(margin.targets[group]), int(reached[group]))
        for margin in margins
        for reached in [margin.reached(counts)]
        for group in np.flatnonzero(reached != margin.targets)
    )
