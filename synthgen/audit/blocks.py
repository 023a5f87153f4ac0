"""What an audit says about coverage: ranked blocks of a verdict, tables and charts.

Metrics make blocks; the terminal and the HTML report show them. Neither knows the other.
"""

from __future__ import annotations

from dataclasses import dataclass

OK, FLAG, INFO = "ok", "flag", "info"
"""Verdicts: as it should be, to be looked at, only information."""

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class BlockTable:
    """A table; the cells of a row are in the order of the columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars side by side: for each label a value of every series, (series, labels)."""

    title: str
    x_label: str
    y_label: str
    labels: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Curves over shared abscissas, (series, points)."""

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
        row_axis, column_axis: names, for pickers.
        row_labels, column_labels: values or ranges of values.
    """

    split: str
    row_axis: str
    column_axis: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    values: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One ranked part of the report.

    Attributes:
        key: short name, such as "atoms".
        title: in words.
        verdict: OK, FLAG or INFO.
        text: the verdict in a sentence or two of plain words, with the numbers.
    """

    key: str
    title: str
    verdict: str
    text: str
    tables: tuple[BlockTable, ...] = ()
    bars: tuple[Bars, ...] = ()
    lines: tuple[Lines, ...] = ()
    heats: tuple[Heat, ...] = ()
