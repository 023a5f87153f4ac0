"""Histograms of every axis, with all splits over one range of values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synthgen.auditing.blocks import BlockTable, HeatMap
from synthgen.auditing.drawings import Scale
from synthgen.auditing.findings import SplitReport
from synthgen.auditing.html_charts import PANEL_WIDTH, ChartView, Panel, bars_drawing
from synthgen.auditing.html_tables import (
    TableLimits,
    TableView,
    cell_text,
    clean,
    compact,
    figure,
    joined,
    kept_of,
    percent,
    table_view,
)
from synthgen.auditing.tallies import Histogram

_MAX_TEXTS = 10
_THINNEST = 0.8
_NARROW = 12
"""If a split's range is this many times narrower than the joint one, use a logarithmic scale."""


@dataclass(frozen=True, slots=True)
class AxisView:
    """An axis over all splits: a chart of numbers, or a table of shares of texts."""

    chart: ChartView | None = None
    shares: TableView | None = None


def axis_views(
    splits: Sequence[SplitReport], limits: TableLimits
) -> tuple[tuple[AxisView, ...], str]:
    """Return the axes in order of first occurrence, and a note on what was cut."""
    axes: dict[str, dict[str, Histogram]] = {}
    for split in splits[: limits.splits]:
        for each in split.axes:
            axes.setdefault(each.axis, {})[split.name] = each
    shown = list(axes.items())[: limits.axes]
    views = tuple(_axis(name, of_splits, limits) for name, of_splits in shown)
    cut = [
        kept_of(min(len(splits), limits.splits), len(splits), "splits"),
        kept_of(len(shown), len(axes), "axes"),
    ]
    return views, joined(cut)


def _axis(name: str, of_splits: Mapping[str, Histogram], limits: TableLimits) -> AxisView:
    bins = [each for histogram in of_splits.values() for each in histogram.bins]
    if any(isinstance(each.first, str) for each in bins):
        return _texts(name, of_splits, limits)
    low = min((int(each.first) for each in bins), default=0)
    high = max((int(each.last) for each in bins), default=0)
    logarithmic = low >= 0 and _narrowest(of_splits) * _NARROW < high + 1 - low
    # A value extends to the next one, as far as the step: odd counts are no comb.
    step = math.gcd(*(int(each.first) - low for each in bins)) or 1
    step = step if all(each.first == each.last for each in bins) else 1
    scale = Scale(low + 1, high + 1 + step, 0, PANEL_WIDTH, logarithmic)
    ends = _end(low), _end(high)
    title = clean(name, limits.cells) + (" (logarithmic)" if logarithmic else "")
    panels = tuple(
        _panel(f"{name} in {split}", split, each, (scale, step, ends), limits)
        for split, each in of_splits.items()
    )
    return AxisView(ChartView(title, panels))


def _narrowest(of_splits: Mapping[str, Histogram]) -> int:
    """Return the narrowest range of a split with more than one value."""
    spans = [
        int(histogram.bins[-1].last) - int(histogram.bins[0].first) + 1
        for histogram in of_splits.values()
        if len(histogram.bins) > 1
    ]
    return min(spans, default=0)


def _panel(
    label: str,
    split: str,
    histogram: Histogram,
    place: tuple[Scale, int, tuple[str, str]],
    limits: TableLimits,
) -> Panel:
    """Draw one histogram: the area of a bar is proportional to its rows."""
    scale, step, ends = place
    heights = [
        (left, right, each.rows / max(_THINNEST, right - left))
        for each in histogram.bins
        for left, right in [(scale(int(each.first) + 1), scale(int(each.last) + 1 + step))]
    ]
    top = max((height for _, _, height in heights), default=1.0) or 1.0
    bars = [(left, right, height / top) for left, right, height in heights]
    mean = None if histogram.mean is None else scale(histogram.mean + 1 + step / 2)
    summary = _summary(histogram, limits)
    drawing = bars_drawing(
        clean(f"Histogram of {label}: {summary}", limits.texts), bars, ends, mean
    )
    return Panel(clean(split, limits.cells), drawing, summary)


def _end(value: int) -> str:
    return figure(value) if abs(value) < 10**6 else compact(value)


def _summary(histogram: Histogram, limits: TableLimits) -> str:
    parts = []
    if histogram.low is not None and histogram.high is not None:
        ends = [cell_text(end, limits) for end in (histogram.low, histogram.high)]
        parts.append(ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}")
    if histogram.mean is not None:
        parts.append(f"mean {figure(histogram.mean)}")
    parts.append(f"{histogram.distinct:,} {'value' if histogram.distinct == 1 else 'values'}")
    if histogram.nulls:
        parts.append(f"{histogram.nulls:,} rows without")
    return " · ".join(parts)


def _texts(name: str, of_splits: Mapping[str, Histogram], limits: TableLimits) -> AxisView:
    """Lay out the most frequent texts, by their largest share in any split."""
    shares: dict[str, dict[str, float]] = {}
    for split, histogram in of_splits.items():
        for each in histogram.bins:
            shares.setdefault(str(each.first), {})[split] = each.rows / max(1, histogram.rows)
    ranked = sorted(shares, key=lambda text: (-max(shares[text].values()), text))
    limit = min(_MAX_TEXTS, limits.rows)
    rows = tuple(
        (text or "(empty)", *(percent(shares[text].get(split, 0.0), 1) for split in of_splits))
        for text in ranked[:limit]
    )
    title = f"Shares of the values of {name}"
    table = table_view(BlockTable(title, ("value", *of_splits), rows), limits)
    distinct = max(histogram.distinct for histogram in of_splits.values())
    note = joined([kept_of(len(rows), max(distinct, len(ranked)), "values")])
    return AxisView(shares=replace(table, note=note))


@dataclass(frozen=True, slots=True)
class HeatsView:
    """The heat maps of a block.

    Attributes:
        data: Input of the script: names, shared labels, and the maps.
        first: First map as a table, for pages without scripts.
        note: Note on what was cut, or empty.
    """

    data: dict[str, Any]
    first: TableView
    note: str


def heats_view(heats: Sequence[HeatMap], limits: TableLimits) -> HeatsView | None:
    """Return the maps of a block as data; None if it has none.

    Maps of the first map's split come first; the script marks cells that only other splits have.
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
    return HeatsView(data, _table(heats[0], limits), joined(cut))


def _side(heats: Sequence[HeatMap], limits: TableLimits) -> int:
    """Return the number of rows and columns of every map that fit."""
    side = limits.heat_side
    while side > 1 and limits.heat_cells < sum(
        min(side, len(heat.row_labels)) * min(side, len(heat.column_labels)) for heat in heats
    ):
        side = side * 4 // 5
    return side


def _map(
    heat: HeatMap, names: dict[tuple[str, ...], int], side: int, limits: TableLimits
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


def _table(heat: HeatMap, limits: TableLimits) -> TableView:
    title = f"{heat.split}: {heat.row_axis} (rows) and {heat.column_axis} (columns)"
    columns = (f"{heat.row_axis} \\ {heat.column_axis}", *heat.column_labels)
    rows = tuple((label, *row) for label, row in zip(heat.row_labels, heat.values, strict=False))
    return table_view(BlockTable(title, columns, rows), limits)
