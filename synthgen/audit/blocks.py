"""Coverage findings of an audit: ranked blocks with a verdict, tables and charts.

Metrics make blocks; the terminal and the HTML report render them. Neither depends on the other.
"""

from __future__ import annotations

from dataclasses import dataclass

OK, FLAG, INFO = "ok", "flag", "info"
"""Verdicts: as expected, needs review, information only."""

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class BlockTable:
    """A table; the cells of each row follow the order of the columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Grouped bars: one value for each label and series, (series, labels)."""

    title: str
    x_label: str
    y_label: str
    labels: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Curves over shared x values, (series, points)."""

    title: str
    x_label: str
    y_label: str
    xs: tuple[float, ...]
    series: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Heat:
    """Counts of a split over two axes, (rows, columns); None where no split has a cell.

    Attributes:
        split: whose rows are counted.
        row_axis, column_axis: names of the axes.
        row_labels, column_labels: values or value ranges.
    """

    split: str
    row_axis: str
    column_axis: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    values: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One ranked section of the report.

    Attributes:
        key: short name, such as "atoms".
        title: heading for readers.
        verdict: OK, FLAG or INFO.
        text: one or two sentences that explain the verdict, with numbers.
    """

    key: str
    title: str
    verdict: str
    text: str
    tables: tuple[BlockTable, ...] = ()
    bars: tuple[Bars, ...] = ()
    lines: tuple[Lines, ...] = ()
    heats: tuple[Heat, ...] = ()
