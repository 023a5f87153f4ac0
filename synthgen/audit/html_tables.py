"""Tables of a page: cells as text, numbers to the right, and a note of what was cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from synthgen.audit.blocks import BlockTable, Cell
from synthgen.audit.html_limits import Limits
from synthgen.audit.html_text import NOTHING, clean, figure

_WIDE = 48
_NUMBER = re.compile(
    r"\(?[<>]? ?[−-]?[\d.,]+(e[−-]?\d+| x 10\^\d+)?( ?(%|k|M|MB|kB))?\)?|−?∞|not a number"
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `numeric` if all its texts are numbers, `wide` if some texts are long."""

    name: str
    numeric: bool
    wide: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as the page shows it.

    Attributes:
        marks: classes of cells, by row and column; others have none.
        note: what is missing, or empty.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    marks: dict[tuple[int, int], str] = field(default_factory=dict)


def table_view(table: BlockTable, limits: Limits) -> TableView:
    """Return the first rows and columns of a table as text."""
    shown = [row[: limits.columns] for row in table.rows[: limits.rows]]
    names = table.columns[: limits.columns]
    texts = tuple(tuple(cell_text(cell, limits) for cell in row) for row in shown)
    columns = tuple(
        Column(
            clean(name, limits.cells),
            _numeric(row[i] for row in texts if i < len(row)),
            any(len(row[i]) > _WIDE for row in texts if i < len(row)),
        )
        for i, name in enumerate(names)
    )
    cut = [
        kept_of(len(shown), len(table.rows), "rows"),
        kept_of(len(names), len(table.columns), "columns"),
    ]
    return TableView(clean(table.title, limits.cells), columns, texts, joined(cut))


def table_of(
    title: str,
    columns: tuple[str, ...],
    rows: Sequence[tuple[Cell, ...]],
    limits: Limits,
    all_rows: int | None = None,
) -> TableView:
    """Return a table of our own making, whose rows were cut from `all_rows` before."""
    view = table_view(BlockTable(title, columns, tuple(rows)), limits)
    if all_rows is None:
        return view
    note = joined([kept_of(len(view.rows), all_rows, "rows")])
    return TableView(view.title, view.columns, view.rows, note)


def cell_text(cell: Cell, limits: Limits) -> str:
    """Write one cell."""
    return clean(cell, limits.cells) if isinstance(cell, str) else figure(cell)


def kept_of(shown: int, all_of_them: int, what: str) -> str:
    """Tell how many of something are shown, or nothing if all are."""
    return f"{shown:,} of {all_of_them:,} {what}" if shown < all_of_them else ""


def joined(cut: Sequence[str]) -> str:
    """Return one note of what was cut; empty if nothing was."""
    told = [each for each in cut if each]
    return f"Shown: {', '.join(told)}. The JSON report has all." if told else ""


def _numeric(texts: Iterable[str]) -> bool:
    found = [text for text in texts if text not in {"", NOTHING}]
    return bool(found) and all(_NUMBER.fullmatch(text) for text in found)
