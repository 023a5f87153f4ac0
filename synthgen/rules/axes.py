"""Axes: the columns by which splits, controllers, reports and readers distinguish rows.

Only declarations, so that a reader of datasets needs neither kernels nor Polars.
"""

from __future__ import annotations

from dataclasses import dataclass

CHOICES, CHOSEN = "choices", "chosen"
"""Axes of families that draw a target from several right answers, each equally likely: the number
of answers, and the place of the target among them."""
SOURCE = "source"
"""Pseudo axis with the name of the source that a row comes from."""
Value = int | str


@dataclass(frozen=True, slots=True)
class Axis:
    """One integer or categorical column that splits, controllers and reports may use.

    Attributes:
        meaning: Description in one line.
        dtype: Type "int16", "int32" or "int64"; for a categorical axis that of its codes.
        low, high: Smallest and largest value that can occur, where known.
        values: Names of a categorical axis; its column then holds indices into them.
        canonical: Whether the value depends only on the derivation, so that equal problems always
            have equal values.
    """

    meaning: str
    dtype: str = "int16"
    low: int | None = None
    high: int | None = None
    values: tuple[str, ...] = ()
    canonical: bool = True

    @property
    def is_counted(self) -> bool:
        """Whether its values are known, so that they can be cells."""
        return bool(self.values) or (self.low is not None and self.high is not None)

    @property
    def size(self) -> int:
        """Number of its values, where they are known."""
        return len(self.values) or (self.high or 0) - (self.low or 0) + 1


@dataclass(frozen=True, slots=True)
class StructureAxis:
    """Number of occurrences of structures in a derivation, or of different ones.

    Attributes:
        kind: Kind of the structures, see `named_structures.KINDS`.
        of: Texts of the structures.
        count: What is counted: "occurrences" or "kinds".
    """

    name: str
    kind: str
    of: tuple[str, ...]
    count: str

    @property
    def chosen(self) -> tuple[str, ...]:
        """The structures counted, as text."""
        return self.of

    @property
    def kinds(self) -> bool:
        """Whether different structures are counted, not occurrences."""
        return self.count == "kinds"


@dataclass(frozen=True, slots=True)
class CellAxis:
    """1 for a row whose values of some axes are one of these cells, else 0.

    Attributes:
        axes: Names of other axes.
        cells: Value of each axis: an integer, or a name where the axis has names.
    """

    name: str
    axes: tuple[str, ...]
    cells: tuple[tuple[Value, ...], ...]

    @property
    def chosen(self) -> tuple[str, ...]:
        """The cells counted, as text: each cell as `(3, 2)`."""
        return tuple(f"({', '.join(map(str, cell))})" for cell in self.cells)


ComputedAxis = StructureAxis | CellAxis
