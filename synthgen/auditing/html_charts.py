"""Charts of pages: bars in small multiples, stacked shares, dots by name, and lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synthgen.auditing.blocks import BarChart, BlockTable
from synthgen.auditing.drawings import (
    CHARACTER,
    Drawing,
    Mark,
    Scale,
    block,
    dot,
    finite,
    line,
    scale_of,
    words,
)
from synthgen.auditing.html_tables import (
    TableLimits,
    TableView,
    clean,
    figure,
    joined,
    kept_of,
    table_view,
)

WIDTH, PANEL_WIDTH, PANEL_HEIGHT = 400, 180, 56
"""Units of the width of charts and of small multiples: about one pixel each on a phone."""
_PICTURE_WIDTH, _LINES_HEIGHT = 290, 200
_LEFT, _BOTTOM, _ROW, _LONGEST_NAME = 34, 20, 22, 14
_MAX_STACKED, _MAX_MARKED = 8, 24
_TO = " to "
"""Between the ends of a range of values in a label."""
_ORDERED = re.compile(r"[-−+≤≥<>\s]*[\d.,]+(\s*(-|–|to|\.\.|…)?\s*[\d.,]*)?[+kM%\s]*")


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing of a chart, with its title and the numbers below it."""

    title: str
    drawing: Drawing
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ChartView:
    """A chart as shown on the page.

    Attributes:
        panels: Its drawings; several are small multiples with the same axes.
        axes: What is drawn, below the drawings.
        legend: Names of its colors.
        table: Table of its numbers, if any.
    """

    title: str
    panels: tuple[Panel, ...]
    axes: str = ""
    legend: tuple[str, ...] = ()
    table: TableView | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval, if there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def text(self) -> str:
        """The value and its interval."""
        ends = [figure(end) for end in (self.low, self.high) if end is not None]
        return f"{figure(self.value)} ({' to '.join(ends)})" if ends else figure(self.value)


@dataclass(frozen=True, slots=True)
class Row:
    """A name of a chart of dots with its value, and the range to compare it with."""

    name: str
    point: Point
    band: tuple[float, float] | None = None


def bars_view(bars: BarChart, limits: TableLimits) -> ChartView:
    """Draw each series of ordered labels as a small multiple, and shares of names as one bar."""
    labels = tuple(clean(name, limits.cells) for name in bars.labels[: limits.labels])
    series = tuple(clean(name, limits.cells) for name in bars.series[: limits.series])
    values = [
        [max(0.0, finite(value)) for value in row[: len(labels)]]
        for row in bars.values[: len(series)]
    ]
    note = joined(
        [
            kept_of(len(labels), len(bars.labels), "labels"),
            kept_of(len(series), len(bars.series), "series"),
        ]
    )
    title, x, y = (clean(each, limits.cells) for each in (bars.title, bars.x_label, bars.y_label))
    table = replace(_numbers(bars, labels, series, limits), note=note)
    if len(labels) <= _MAX_STACKED and not all(map(_ORDERED.fullmatch, labels)):
        drawing = _stacked(title, labels, series, values)
        return ChartView(title, (Panel("", drawing),), y, labels, table)
    top = scale_of((value for row in values for value in row), 0, 1).high
    panels = tuple(
        Panel(name if len(series) > 1 else "", _bars(f"{title}: {name}", labels, row, top))
        for name, row in zip(series, values, strict=True)
    )
    across = f"{y}, up to {figure(top)}; across: {x}" if x else f"{y}, up to {figure(top)}"
    return ChartView(title, panels, across, table=table)


def _bars(label: str, labels: Sequence[str], values: Sequence[float], top: float) -> Drawing:
    band = PANEL_WIDTH / max(1, len(labels))
    bars = [(at * band, (at + 1) * band, value / top) for at, value in enumerate(values)]
    ends = (labels[0].split(_TO)[0], labels[-1].split(_TO)[-1]) if labels else ("", "")
    return bars_drawing(f"Bar chart: {label}", bars, ends)


def bars_drawing(
    label: str,
    bars: Sequence[tuple[float, float, float]],
    ends: tuple[str, str],
    mean: float | None = None,
) -> Drawing:
    """Draw bars, each from its left to its right end and up to a share of the height."""
    path = "".join(
        f"M{left:.4g} {PANEL_HEIGHT}v-{max(1.0, PANEL_HEIGHT * height):.3g}"
        f"h{_inner(right - left):g}V{PANEL_HEIGHT}z"
        for left, right, height in bars
        if height > 0
    )
    marks = [line("bar s0", path), line("base", f"M0 {PANEL_HEIGHT}H{PANEL_WIDTH}")]
    if mean is not None:
        marks.append(line("mean", f"M{mean} 0V{PANEL_HEIGHT}"))
    low, high = ends
    marks.append(words(0, PANEL_HEIGHT + 13, low, limit=_LONGEST_NAME))
    if high != low:
        marks.append(words(PANEL_WIDTH, PANEL_HEIGHT + 13, high, "end", _LONGEST_NAME))
    return Drawing(PANEL_WIDTH, PANEL_HEIGHT + 16, label, tuple(marks))


def _inner(room: float) -> float:
    """Return the width of a bar, with a small gap if there is space, and never zero."""
    return round(max(0.8, room - 1 if room > 3 else room), 1)


def _stacked(
    title: str, labels: Sequence[str], series: Sequence[str], values: Sequence[Sequence[float]]
) -> Drawing:
    left = _left(series)
    most = max((sum(row) for row in values), default=1.0)
    scale = scale_of([most], left, WIDTH - 12)
    marks: list[Mark] = []
    for at, (name, row) in enumerate(zip(series, values, strict=True)):
        marks.append(words(left - 8, at * _ROW + 15, name, "end", _LONGEST_NAME))
        x, total = float(left), 0.0
        for number, (label, value) in enumerate(zip(labels, row, strict=False)):
            total += value
            end = scale(total)
            title_of = f"{name}, {label}: {figure(value)}"
            if end > x:
                marks.append(block(f"bar s{number}", x, at * _ROW + 3, end - x, 16, title_of))
            x = end
    height = len(series) * _ROW
    marks += _across(scale, height)
    return Drawing(WIDTH, height + _BOTTOM, f"Stacked bars: {title}", tuple(marks))


def _across(scale: Scale, height: float, number: int = 4) -> list[Mark]:
    """Return the horizontal axis below a drawing."""
    marks = [line("base", f"M{scale.start} {height}H{scale.end}")]
    for x, label in scale.ticks(number):
        marks += [line("grid", f"M{x} {height}v4"), words(x, height + 16, label, "middle")]
    return marks


def _left(names: Sequence[str]) -> int:
    """Return the room for names at the left."""
    return round(min(_LONGEST_NAME, max(map(len, names), default=0)) * CHARACTER + 12)


def dots_view(
    title: str, axes: str, rows: Sequence[Row], limits: TableLimits, top: float = 0.0
) -> ChartView:
    """Draw a dot for each row, its interval, and the range to compare it with.

    The axis reaches `top` at least.
    """
    shown = [replace(row, name=clean(row.name, limits.cells)) for row in rows[: limits.splits]]
    left = _left([row.name for row in shown])
    ends = [top] + [
        end
        for row in shown
        for end in (row.point.value, row.point.low, row.point.high, *(row.band or ()))
    ]
    scale = scale_of(ends, left, _PICTURE_WIDTH - 14)
    marks: list[Mark] = []
    for at, row in enumerate(shown):
        y, point = at * _ROW + 11, row.point
        marks.append(words(left - 8, y + 4, row.name, "end", _LONGEST_NAME))
        marks.append(line("grid", f"M{scale.start} {y}H{scale.end}"))
        if row.band:
            first, last = (scale(finite(end)) for end in row.band)
            marks.append(block("band", first, y - 7, max(2.0, last - first), 14))
        if point.low is not None and point.high is not None:
            first, last = scale(finite(point.low)), scale(finite(point.high))
            marks.append(line("whisker s0", f"M{first} {y}H{last}"))
        marks.append(dot("bar s0", scale(finite(point.value)), y, f"{row.name}: {point.text}"))
    height = len(shown) * _ROW
    marks += _across(scale, height)
    drawing = Drawing(_PICTURE_WIDTH, height + _BOTTOM, f"Dots: {title}", tuple(marks))
    return ChartView(title, (Panel("", drawing),), axes)


def lines_view(
    title: str,
    axes: str,
    labels: Sequence[str],
    series: Sequence[tuple[str, Sequence[Point | None]]],
    limits: TableLimits,
) -> ChartView:
    """Draw a line of points with intervals for each series; shares from 0 to 1 as percent."""
    scale = Scale(0, 100, _LINES_HEIGHT, 8)
    band = (WIDTH - _LEFT - 8) / max(1, len(labels))
    marks: list[Mark] = []
    for y, label in scale.ticks(4):
        marks.append(line("grid", f"M{_LEFT} {y}H{WIDTH - 8}"))
        marks.append(words(_LEFT - 6, y + 4, label, "end"))
    for number, (name, points) in enumerate(series[: limits.series]):
        marks += _line(number, name, labels, points, (scale, band))
    every = max(1, -(-int(max(map(len, labels), default=1) * CHARACTER + 10) // max(1, int(band))))
    marks += [
        words(_LEFT + (at + 0.5) * band, _LINES_HEIGHT + 16, label, "middle", _LONGEST_NAME)
        for at, label in enumerate(labels)
        if at % every == 0
    ]
    drawing = Drawing(WIDTH, _LINES_HEIGHT + _BOTTOM, f"Lines: {title}", tuple(marks))
    names = tuple(name for name, _ in series[: limits.series])
    return ChartView(title, (Panel("", drawing),), axes, names)


def _line(
    number: int,
    name: str,
    labels: Sequence[str],
    points: Sequence[Point | None],
    place: tuple[Scale, float],
) -> list[Mark]:
    """Draw one series; series are shifted a little, so that their intervals do not overlap."""
    scale, band = place
    marks, path, pen = [], "", "M"
    shift = (number - 2.5) * min(3.0, band / 10)
    for at, point in enumerate(points):
        if point is None:
            pen = "M"
            continue
        x = round(_LEFT + (at + 0.5) * band + shift, 1)
        y = scale(100 * point.value)
        path, pen = f"{path}{pen}{x} {y}", "L"
        if point.low is not None and point.high is not None:
            ends = f"M{x} {scale(100 * point.low)}V{scale(100 * point.high)}"
            marks.append(line(f"whisker s{number}", ends))
        if len(points) <= _MAX_MARKED:
            title = f"{name}, {labels[at]}: {100 * point.value:.1f}%"
            marks.append(dot(f"bar s{number}", x, y, title, 3))
    return [line(f"curve s{number}", path), *marks] if path else []


def _numbers(
    bars: BarChart, labels: Sequence[str], series: Sequence[str], limits: TableLimits
) -> TableView:
    rows = tuple(
        (label, *(row[at] if at < len(row) else None for row in bars.values[: len(series)]))
        for at, label in enumerate(labels)
    )
    table = BlockTable(bars.title, (bars.x_label or "label", *series), rows)
    return table_view(table, limits)
