"""Line charts as drawings: a curve for every series over shared abscissas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synthgen.audit.blocks import BlockTable, Lines
from synthgen.audit.html_bars import WIDTH
from synthgen.audit.html_limits import Limits
from synthgen.audit.html_scales import Scale, Tick, abscissa_scale, finite, value_scale
from synthgen.audit.html_tables import TableView, joined, kept_of, table_view
from synthgen.audit.html_text import clean

_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 240, 48, 16, 10, 26
_MOST_DOTS = 24


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve as the data of a path, and its points if they are few."""

    series: int
    path: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class LinesView:
    """A line chart as the page draws it; `table` has the same numbers."""

    title: str
    x_label: str
    y_label: str
    series: tuple[str, ...]
    width: float
    height: float
    plot: tuple[float, float, float, float]
    curves: tuple[Curve, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    table: TableView


def lines_view(lines: Lines, limits: Limits) -> LinesView:
    """Draw curves; points that are no numbers leave gaps, and too many points are thinned."""
    kept = _thinned(len(lines.xs), limits.points)
    kept = [i for i in kept if finite(lines.xs[i]) is not None]
    xs = [finite(lines.xs[i]) or 0.0 for i in kept]
    rows = [
        [finite(row[i]) if i < len(row) else None for i in kept]
        for row in lines.values[: limits.series]
    ]
    plot = (_LEFT, _TOP, WIDTH - _RIGHT, _HEIGHT - _BOTTOM)
    across = abscissa_scale(xs, plot[0], plot[2])
    up = value_scale((value for row in rows for value in row), plot[3], plot[1])
    curves = tuple(_curve(number, xs, row, across, up) for number, row in enumerate(rows))
    names = tuple(clean(name, limits.cells) for name in lines.series[: limits.series])
    note = joined(
        [
            kept_of(len(kept), len(lines.xs), "points"),
            kept_of(len(names), len(lines.series), "series"),
        ]
    )
    x_label = clean(lines.x_label, limits.cells)
    table = _numbers(lines, kept, names, limits)
    return LinesView(
        clean(lines.title, limits.cells),
        x_label + (" (logarithmic)" if across.logarithmic else ""),
        clean(lines.y_label, limits.cells),
        names,
        WIDTH,
        _HEIGHT,
        plot,
        curves,
        across.ticks(5),
        up.ticks(4),
        TableView(table.title, table.columns, table.rows, note),
    )


def _thinned(points: int, most: int) -> list[int]:
    """Return numbers of points at equal steps, the first and the last among them."""
    if points <= most:
        return list(range(points))
    last = max(1, most - 1)
    return sorted({i * (points - 1) // last for i in range(most)})


def _curve(
    number: int, xs: Sequence[float], values: Sequence[float | None], across: Scale, up: Scale
) -> Curve:
    points: list[tuple[float, float]] = []
    path, pen_up = "", True
    for x, value in zip(xs, values, strict=True):
        if value is None:
            pen_up = True
            continue
        at = (across(x), up(value))
        path += f"{'M' if pen_up else 'L'}{at[0]:g} {at[1]:g}"
        pen_up = False
        points.append(at)
    return Curve(number, path, tuple(points) if len(points) <= _MOST_DOTS else ())


def _numbers(lines: Lines, kept: Sequence[int], names: Sequence[str], limits: Limits) -> TableView:
    rows = tuple(
        (
            lines.xs[i],
            *(row[i] if i < len(row) else None for row in lines.values[: limits.series]),
        )
        for i in kept
    )
    table = BlockTable(lines.title, (lines.x_label or "x", *names), rows)
    return table_view(table, limits)
