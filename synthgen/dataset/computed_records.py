"""What a manifest says about axes that its recipe computes: all that it takes to do so again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from synthgen.core.computed_axes import CellAxis, ComputedAxis, StructureAxis, Value
from synthgen.dataset.split_records import Record


@dataclass(frozen=True, slots=True)
class ComputedRecord(Record):
    """One computed axis, with what the seed has chosen.

    Attributes:
        structures: kind of the structures `of`, which `count` says how to count; None for cells.
        axes, cells: the cells, each with a value of every axis; empty for structures.
        picked: whether the recipe left the choice to the seed.
    """

    name: str
    structures: str | None
    of: tuple[str, ...]
    count: Literal["occurrences", "kinds"] | None
    axes: tuple[str, ...]
    cells: tuple[tuple[Value, ...], ...]
    picked: bool

    @classmethod
    def of_axis(cls, axis: ComputedAxis, *, picked: bool) -> ComputedRecord:
        """Return the record of an axis."""
        if isinstance(axis, CellAxis):
            return cls(axis.name, None, (), None, axis.axes, axis.cells, picked)
        count: Literal["occurrences", "kinds"] = "kinds" if axis.kinds else "occurrences"
        return cls(axis.name, axis.kind, axis.of, count, (), (), picked)

    def as_axis(self) -> ComputedAxis:
        """Return the axis that was recorded."""
        if self.structures is None:
            return CellAxis(self.name, self.axes, self.cells)
        return StructureAxis(self.name, self.structures, self.of, self.count or "occurrences")
