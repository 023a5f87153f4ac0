"""Heat maps of coverage, as data that the page's script draws for the axes that are picked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from synthgen.audit.blocks import BlockTable, Heat
from synthgen.audit.html_limits import Limits
from synthgen.audit.html_tables import TableView, joined, kept_of, table_view
from synthgen.audit.html_text import clean, json_data


@dataclass(frozen=True, slots=True)
class HeatsView:
    """The heat maps of a block.

    Attributes:
        data: what the script reads: names, labels used by several maps, and the maps.
        first: the first map as a table, for readers without scripts.
        note: what is missing, or empty.
    """

    data: Markup
    first: TableView
    note: str


def heats_view(heats: Sequence[Heat], limits: Limits) -> HeatsView | None:
    """Return the maps of a block as data; None if it has none.

    Maps of the split of the first one come first; cells that other splits have and it has not
    are marked by the script.
    """
    if not heats:
        return None
    shown = heats[: limits.heats]
    names: dict[tuple[str, ...], int] = {}
    side = _side(shown, limits)
    maps = [_map(heat, names, side, limits) for heat in shown]
    largest = max(max(len(heat.row_labels), len(heat.column_labels)) for heat in shown)
    cut = [
        kept_of(len(shown), len(heats), "heat maps"),
        kept_of(side, largest, "values of an axis"),
    ]
    data = {
        "base": clean(heats[0].split, limits.cells),
        "labels": [list(each) for each in names],
        "maps": maps,
    }
    return HeatsView(json_data(data), _table(heats[0], limits), joined(cut))


def _side(heats: Sequence[Heat], limits: Limits) -> int:
    """Return how many rows and columns of every map there is room for."""
    side = limits.heat_side
    while side > 1 and limits.heat_cells < sum(
        min(side, len(heat.row_labels)) * min(side, len(heat.column_labels)) for heat in heats
    ):
        side = side * 4 // 5
    return side


def _map(
    heat: Heat, names: dict[tuple[str, ...], int], side: int, limits: Limits
) -> dict[str, Any]:
    def known(labels: Sequence[str]) -> int:
        shown = tuple(clean(label, limits.cells) for label in labels[:side])
        return names.setdefault(shown, len(names))

    return {
        "split": clean(heat.split, limits.cells),
        "row": clean(heat.row_axis, limits.cells),
        "column": clean(heat.column_axis, limits.cells),
        "rows": known(heat.row_labels),
        "columns": known(heat.column_labels),
        "values": [list(row[:side]) for row in heat.values[:side]],
    }


def _table(heat: Heat, limits: Limits) -> TableView:
    title = f"{heat.split}: {heat.row_axis} (rows) and {heat.column_axis} (columns)"
    columns = (f"{heat.row_axis} \\ {heat.column_axis}", *heat.column_labels)
    rows = tuple((label, *row) for label, row in zip(heat.row_labels, heat.values, strict=False))
    return table_view(BlockTable(title, columns, rows), limits)
