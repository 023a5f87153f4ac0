"""Families of problems on boards whose sides depend on the level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from synthgen.authoring import Axis, Condition, DrawnFamily, Levels, axis, one_of

SIZES = ((5, 9), (10, 19), (20, 29), (30, 39), (40, 49), (50, 59), (60, 69))
"""Shortest and longest side of a board at each level."""
SHORTEST = 3
_BLOCKS = ((1_024, 9), (256, 19), (32, 100))
"""Addresses of a block, and the longest side of a board that they suit."""
SIDES = {
    "short_side": axis("shorter side of the board", SHORTEST, 100),
    "long_side": axis("longer side of the board", SHORTEST, 100),
}
Range = tuple[int, int]


class SizedFamily(Levels, DrawnFamily):
    """Boards whose sides are those of the levels, or given by params."""

    min_size: int
    max_size: int

    sizes: ClassVar[Sequence[Range]] = SIZES
    """Shortest and longest side at each level."""
    counted: ClassVar[str] = "n_blocked"
    """The axis that counts cells of the board or moves between them."""

    @property
    def chosen_levels(self) -> tuple[int, ...]:
        """The levels that are drawn; one if params give the sides that define levels."""
        levels = super().chosen_levels
        return (min(levels),) if self.max_size and self.level_is_canonical else levels

    def sizes_of(self, level: int) -> Range:
        """Return the shortest and the longest side at a level."""
        return (self.min_size, self.max_size) if self.max_size else self.sizes[level - 1]

    @property
    def longest(self) -> int:
        """The longest side of a board."""
        return max(high for _, high in map(self.sizes_of, self.chosen_levels))

    def max_counted(self) -> int:
        """Return a bound of the axis that counts."""
        return self.longest**2

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The level and the declared axes, bounded by the sides."""
        axes = self.level_axis | dict(super().axes)
        low = min(low for low, _ in map(self.sizes_of, self.chosen_levels))
        for side in ("short_side", "long_side"):
            axes[side] = replace(axes[side], low=low, high=self.longest)
        counted = replace(axes[self.counted], low=1, high=self.max_counted())
        return axes | {self.counted: counted}

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Level, the only axis that params fix."""
        return {"level": one_of("levels")}

    @property
    def block(self) -> int:
        """Number of addresses that selection draws at a time: large boards take long."""
        return next(size for size, side in _BLOCKS if self.longest <= side)


def rows_of_waves(waves: Sequence[int], w: int, h: int, stride: int) -> list[str]:
    """Write the number of the first set of cells that has each cell, row by row.

    Sets are bits, `stride` of them from one row to the next.
    """
    table = ["-"] * (h * stride)
    for number in range(len(waves) - 1, -1, -1):
        for at, bit in enumerate(reversed(f"{waves[number]:b}")):
            if bit == "1":
                table[at] = str(number)
    return [" ".join(table[at : at + w]) for at in range(0, len(table), stride)]
