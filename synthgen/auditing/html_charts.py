"""Bar charts as drawings: vertical for ordered values, horizontal for long names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from synthgen.auditing.blocks import BarChart, BlockTable
from synthgen.auditing.html_tables import (
    TableLimits,
    TableView,
    clean,
    compact,
    figure,
    joined,
    kept_of,
    table_view,
)
from synthgen.auditing.wording import cut

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LARGEST = 1e300
"""Limit of drawn values, which keeps differences finite; larger ones are drawn at it."""
_SMALLEST_SPAN = 1e-300


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: its position in drawing units, and its label."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `low` to `high` to positions from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the position of a value, to a tenth; values outside are clamped to the ends."""
        low, high, at = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithmic:
            low, high, at = math.log10(low), math.log10(high), math.log10(at)
        share = (at - low) / (high - low) if high > low else 0.0
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, number: int) -> tuple[Tick, ...]:
        """Return about `number` ticks at round values."""
        values = _round_values(self.low, self.high, number)
        return tuple(Tick(self(value), compact(value)) for value in values)


def finite(value: float) -> float | None:
    """Return a drawable value, or None for NaN and infinities."""
    number = float(max(min(value, _LARGEST), -_LARGEST)) if isinstance(value, int) else value
    return max(min(number, _LARGEST), -_LARGEST) if math.isfinite(number) else None


def value_scale(values: Iterable[float | None], start: float, end: float) -> Scale:
    """Return a scale from zero to a round number above all values."""
    known = [value for value in values if value is not None]
    low, high = min(0.0, *known, 0.0), max(0.0, *known, 0.0)
    step = _step(low, high, 4)
    low, high = math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step
    return Scale(low, high if high > low else low + step, start, end)


def _step(low: float, high: float, parts: int) -> float:
    span = high - low
    if span < _SMALLEST_SPAN:
        return 1.0
    power = 10.0 ** math.floor(math.log10(span / parts))
    return next(step * power for step in _STEPS if step * power * parts >= span * (1 - 1e-9))


def _round_values(low: float, high: float, number: int) -> list[float]:
    step = _step(low, high, number)
    # The tolerance keeps an end that is a multiple of the step in spite of rounding.
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [i * step for i in range(first, min(last, first + 2 * number) + 1)]


WIDTH = 400
"""Units of a drawing's width: about one pixel each on a phone, more on a wide page."""
_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 230, 48, 12, 10, 26
_CHARACTER = 7.3
_LONGEST_NAME = 26
_ROW, _GAP, _WIDEST = 13, 9, 40
_THINNEST = 6.0
_ORDERED = re.compile(r"[-−+≤≥<>\s]*[\d.,]+(\s*(-|–|to|\.\.|…)?\s*[\d.,]*)?[+kM%\s]*")


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle, with the number of its series and its tooltip."""

    x: float
    y: float
    width: float
    height: float
    series: int
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a position; `title` is the whole text if it was cut."""

    x: float
    y: float
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class BarsDrawing:
    """The shapes of a bar chart.

    Attributes:
        horizontal: Whether bars run to the right, with labels on the left.
        zero: Position of the base of the bars.
        ticks: Ticks of the value axis.
        labels: Labels of the other axis.
        ends: Values written at the ends of bars, except zeros.
        curves: Series and path data, used instead of bars that would be too thin to see.
    """

    horizontal: bool
    height: float
    zero: float
    plot: tuple[float, float, float, float]
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    ends: tuple[Label, ...] = ()
    curves: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class BarsView:
    """A bar chart as drawn on the page; `table` has the same numbers."""

    title: str
    x_label: str
    y_label: str
    series: tuple[str, ...]
    drawing: BarsDrawing
    table: TableView


def bars_view(bars: BarChart, limits: TableLimits) -> BarsView:
    """Draw a bar chart: horizontal if labels are names that do not fit next to each other."""
    shown = _cut(bars, limits)
    note = joined(
        [
            kept_of(len(shown.labels), len(bars.labels), "labels"),
            kept_of(len(shown.series), len(bars.series), "series"),
        ]
    )
    ordered = all(_ORDERED.fullmatch(label) for label in shown.labels)
    band = (WIDTH - _LEFT - _RIGHT) / max(1, len(shown.labels))
    room = max((len(label) for label in shown.labels), default=0) * _CHARACTER < band
    drawn = _vertical(shown, band) if ordered or room else _horizontal(shown)
    table = replace(_numbers(shown, limits), note=note)
    return BarsView(shown.title, shown.x_label, shown.y_label, shown.series, drawn, table)


def _cut(bars: BarChart, limits: TableLimits) -> BarChart:
    names = tuple(clean(name, limits.cells) for name in bars.labels[: limits.labels])
    rows = bars.values[: limits.series]
    return BarChart(
        clean(bars.title, limits.cells),
        clean(bars.x_label, limits.cells),
        clean(bars.y_label, limits.cells),
        names,
        tuple(clean(name, limits.cells) for name in bars.series[: limits.series]),
        tuple(tuple(row[: len(names)]) for row in rows),
    )


def _vertical(bars: BarChart, band: float) -> BarsDrawing:
    plot = (_LEFT, _TOP, WIDTH - _RIGHT, _HEIGHT - _BOTTOM)
    scale = _scale(bars.values, plot[3], plot[1])
    count = max(1, len(bars.series))
    width = min(_WIDEST, (band - min(16.0, band * 0.24)) / count)
    padding = (band - width * count) / 2
    zero = scale(0)
    thin = count > 1 and width < _THINNEST
    rectangles = []
    for number, at, value, title in _each(bars) if not thin else ():
        top = scale(value)
        x = _LEFT + at * band + padding + number * width
        y, height = min(top, zero), abs(top - zero)
        rectangles.append(Bar(round(x, 1), y, round(width, 2), round(height, 1), number, title))
    every = _every(bars.labels, band)
    labels = tuple(
        Label(round(_LEFT + (at + 0.5) * band, 1), plot[3] + 16, _short(label), label)
        for at, label in enumerate(bars.labels)
        if at % every == 0
    )
    return BarsDrawing(
        horizontal=False,
        height=_HEIGHT,
        zero=zero,
        plot=plot,
        bars=tuple(rectangles),
        ticks=scale.ticks(4),
        labels=labels,
        curves=_curves(bars, band, scale) if thin else (),
    )


def _curves(bars: BarChart, band: float, scale: Scale) -> tuple[tuple[int, str], ...]:
    """Join the ends of the bars of each series."""
    points: dict[int, list[str]] = {}
    for number, at, value, _ in _each(bars):
        x = round(_LEFT + (at + 0.5) * band, 1)
        points.setdefault(number, []).append(f"{x:g} {scale(value):g}")
    return tuple((number, f"M{'L'.join(places)}") for number, places in points.items())


def _horizontal(bars: BarChart) -> BarsDrawing:
    longest = min(_LONGEST_NAME, max(len(label) for label in bars.labels))
    left = round(longest * _CHARACTER + 12)
    band = _ROW * max(1, len(bars.series)) + _GAP
    height = band * len(bars.labels) + _TOP + _BOTTOM
    plot = (left, _TOP, WIDTH - _LEFT, height - _BOTTOM)
    scale = _scale(bars.values, plot[0], plot[2])
    zero = scale(0)
    rectangles, ends = [], []
    for number, at, value, title in _each(bars):
        end = scale(value)
        y = _TOP + at * band + _GAP / 2 + number * _ROW
        x, width = min(end, zero), abs(end - zero)
        rectangles.append(Bar(x, y, round(width, 1), _ROW - 2, number, title))
        if value:
            ends.append(Label(max(end, zero) + 4, y + _ROW - 4, compact(value)))
    middle = band / 2 + 4
    labels = tuple(
        Label(left - 8, round(_TOP + at * band + middle, 1), _short(label), label)
        for at, label in enumerate(bars.labels)
    )
    return BarsDrawing(
        horizontal=True,
        height=height,
        zero=zero,
        plot=plot,
        bars=tuple(rectangles),
        ticks=scale.ticks(3),
        labels=labels,
        ends=tuple(ends),
    )


def _scale(values: Sequence[Sequence[float]], start: float, end: float) -> Scale:
    return value_scale((finite(value) for row in values for value in row), start, end)


def _each(bars: BarChart) -> list[tuple[int, int, float, str]]:
    """Return series, label, value and tooltip of every drawable value."""
    points = []
    for number, row in enumerate(bars.values):
        name = f"{_short(bars.series[number])}, " if len(bars.series) > 1 else ""
        for at, value in enumerate(row):
            drawn = finite(value)
            if drawn is not None:
                title = f"{name}{_short(bars.labels[at])}: {figure(value)}"
                points.append((number, at, drawn, title))
    return points


def _every(labels: Sequence[str], band: float) -> int:
    """Return the step between the labels that fit."""
    longest = max((len(_short(label)) for label in labels), default=1)
    return max(1, -(-int(longest * _CHARACTER + 8) // max(1, int(band))))


def _short(label: str) -> str:
    return cut(" ".join(label.split()), _LONGEST_NAME)


def _numbers(bars: BarChart, limits: TableLimits) -> TableView:
    rows = tuple(
        (label, *(row[at] if at < len(row) else None for row in bars.values))
        for at, label in enumerate(bars.labels)
    )
    table = BlockTable(bars.title, (bars.x_label or "label", *bars.series), rows)
    return table_view(table, limits)
