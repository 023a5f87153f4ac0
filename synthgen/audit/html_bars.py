"""Bar charts as drawings: upright for values in order, lying for names that need room."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from synthgen.audit.blocks import Bars, BlockTable
from synthgen.audit.html_limits import Limits
from synthgen.audit.html_scales import Scale, Tick, finite, value_scale
from synthgen.audit.html_tables import TableView, joined, kept_of, table_view
from synthgen.audit.html_text import clean, compact, figure

WIDTH = 400
"""Units of a drawing's width: about one pixel each on a phone, more on a wide page."""
_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 230, 48, 12, 10, 26
_CHARACTER = 7.3
_LONGEST_NAME = 26
_ROW, _GAP, _WIDEST = 13, 9, 40
_THINNEST = 3.0
_ORDERED = re.compile(r"[-−+≤≥<>\s]*[\d.,]+(\s*(-|–|to|\.\.|…)?\s*[\d.,]*)?[+kM%\s]*")


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle, of the series with this number, and what it says."""

    x: float
    y: float
    width: float
    height: float
    series: int
    told: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place; `told` is the whole text where it is cut."""

    x: float
    y: float
    text: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class BarsView:
    """A bar chart as the page draws it.

    Attributes:
        lying: whether bars run to the right and labels stand at the left.
        zero: place of the base of the bars.
        ticks: of the axis of values.
        labels: at the other axis.
        ends: values written at the ends of bars, but for zeros.
        curves: series and data of paths, in the place of bars that would be too thin to see.
        table: the same numbers.
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[str, ...]
    lying: bool
    width: float
    height: float
    zero: float
    plot: tuple[float, float, float, float]
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    ends: tuple[Label, ...]
    curves: tuple[tuple[int, str], ...]
    table: TableView


def bars_view(bars: Bars, limits: Limits) -> BarsView:
    """Draw a bar chart: lying where labels are names without room beside each other."""
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
    drawn = _upright(shown, band) if ordered or room else _lying(shown)
    table = _numbers(shown, limits)
    return BarsView(
        shown.title,
        shown.x_label,
        shown.y_label,
        shown.series,
        drawn.lying,
        WIDTH,
        drawn.height,
        drawn.zero,
        drawn.plot,
        drawn.bars,
        drawn.ticks,
        drawn.labels,
        drawn.ends,
        drawn.curves,
        TableView(table.title, table.columns, table.rows, note),
    )


@dataclass(frozen=True, slots=True)
class _Drawn:
    lying: bool
    height: float
    zero: float
    plot: tuple[float, float, float, float]
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    ends: tuple[Label, ...] = ()
    curves: tuple[tuple[int, str], ...] = ()


def _cut(bars: Bars, limits: Limits) -> Bars:
    names = tuple(clean(name, limits.cells) for name in bars.labels[: limits.labels])
    rows = bars.values[: limits.series]
    return Bars(
        clean(bars.title, limits.cells),
        clean(bars.x_label, limits.cells),
        clean(bars.y_label, limits.cells),
        names,
        tuple(clean(name, limits.cells) for name in bars.series[: limits.series]),
        tuple(tuple(row[: len(names)]) for row in rows),
    )


def _upright(bars: Bars, band: float) -> _Drawn:
    plot = (_LEFT, _TOP, WIDTH - _RIGHT, _HEIGHT - _BOTTOM)
    scale = _scale(bars.values, plot[3], plot[1])
    count = max(1, len(bars.series))
    width = min(_WIDEST, (band - min(16.0, band * 0.24)) / count)
    padding = (band - width * count) / 2
    zero = scale(0)
    thin = count > 1 and width < _THINNEST
    rectangles = []
    for number, at, value, told in _each(bars) if not thin else ():
        top = scale(value)
        x = _LEFT + at * band + padding + number * width
        y, height = min(top, zero), abs(top - zero)
        rectangles.append(Bar(round(x, 1), y, round(width, 2), round(height, 1), number, told))
    every = _every(bars.labels, band)
    labels = tuple(
        Label(round(_LEFT + (at + 0.5) * band, 1), plot[3] + 16, _short(label), label)
        for at, label in enumerate(bars.labels)
        if at % every == 0
    )
    return _Drawn(
        lying=False,
        height=_HEIGHT,
        zero=zero,
        plot=plot,
        bars=tuple(rectangles),
        ticks=scale.ticks(4),
        labels=labels,
        curves=_curves(bars, band, scale) if thin else (),
    )


def _curves(bars: Bars, band: float, scale: Scale) -> tuple[tuple[int, str], ...]:
    """Join the ends of the bars of each series."""
    points: dict[int, list[str]] = {}
    for number, at, value, _ in _each(bars):
        x = round(_LEFT + (at + 0.5) * band, 1)
        points.setdefault(number, []).append(f"{x:g} {scale(value):g}")
    return tuple((number, f"M{'L'.join(places)}") for number, places in points.items())


def _lying(bars: Bars) -> _Drawn:
    longest = min(_LONGEST_NAME, max(len(label) for label in bars.labels))
    left = round(longest * _CHARACTER + 12)
    band = _ROW * max(1, len(bars.series)) + _GAP
    height = band * len(bars.labels) + _TOP + _BOTTOM
    plot = (left, _TOP, WIDTH - _LEFT, height - _BOTTOM)
    scale = _scale(bars.values, plot[0], plot[2])
    zero = scale(0)
    rectangles, ends = [], []
    for number, at, value, told in _each(bars):
        end = scale(value)
        y = _TOP + at * band + _GAP / 2 + number * _ROW
        x, width = min(end, zero), abs(end - zero)
        rectangles.append(Bar(x, y, round(width, 1), _ROW - 2, number, told))
        if value:
            ends.append(Label(max(end, zero) + 4, y + _ROW - 4, compact(value)))
    middle = band / 2 + 4
    labels = tuple(
        Label(left - 8, round(_TOP + at * band + middle, 1), _short(label), label)
        for at, label in enumerate(bars.labels)
    )
    return _Drawn(
        lying=True,
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


def _each(bars: Bars) -> list[tuple[int, int, float, str]]:
    """Return series, label, value and text of every value that can be drawn."""
    found = []
    for number, row in enumerate(bars.values):
        name = f"{_short(bars.series[number])}, " if len(bars.series) > 1 else ""
        for at, value in enumerate(row):
            drawn = finite(value)
            if drawn is not None:
                told = f"{name}{_short(bars.labels[at])}: {figure(value)}"
                found.append((number, at, drawn, told))
    return found


def _every(labels: Sequence[str], band: float) -> int:
    """Return of how many labels one has room."""
    longest = max((len(_short(label)) for label in labels), default=1)
    return max(1, -(-int(longest * _CHARACTER + 8) // max(1, int(band))))


def _short(label: str) -> str:
    line = " ".join(label.split())
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1] + "…"


def _numbers(bars: Bars, limits: Limits) -> TableView:
    rows = tuple(
        (label, *(row[at] if at < len(row) else None for row in bars.values))
        for at, label in enumerate(bars.labels)
    )
    table = BlockTable(bars.title, (bars.x_label or "label", *bars.series), rows)
    return table_view(table, limits)
