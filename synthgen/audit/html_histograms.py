"""Histograms of every axis, the splits beside each other over one range of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synthgen.audit.findings import Histogram, SplitReport
from synthgen.audit.html_limits import Limits
from synthgen.audit.html_scales import Scale
from synthgen.audit.html_tables import joined, kept_of
from synthgen.audit.html_text import clean, compact, figure, percent

WIDTH, HEIGHT = 180, 56
_MOST_TEXTS = 10
_THINNEST = 0.8
_NARROW = 12
"""A split whose range of values is this many times narrower than all together would be a line."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The histogram of one split.

    Attributes:
        path: bars as the data of a path; their areas are rows.
        mean: place of the mean, if there is one.
        told: range, mean and number of values.
    """

    split: str
    path: str
    mean: float | None
    told: str


@dataclass(frozen=True, slots=True)
class Share:
    """The share of a value in a split: as text, and as a length from 0 to 100."""

    text: str
    length: float


@dataclass(frozen=True, slots=True)
class AxisView:
    """An axis over all splits: panels for numbers, or a table of shares for texts.

    Attributes:
        low, high: the range of values that all panels share.
        logarithmic: whether places follow log(1 + value), as ranges differ much between splits.
        splits: columns of the table of shares.
        rows: values and their shares.
        note: what is missing, or empty.
    """

    name: str
    panels: tuple[Panel, ...] = ()
    low: str = ""
    high: str = ""
    logarithmic: bool = False
    splits: tuple[str, ...] = ()
    rows: tuple[tuple[str, tuple[Share, ...]], ...] = ()
    note: str = ""


def axis_views(splits: Sequence[SplitReport], limits: Limits) -> tuple[tuple[AxisView, ...], str]:
    """Return the axes in the order of the first split that has them, and a note of what was cut."""
    found: dict[str, dict[str, Histogram]] = {}
    for split in splits[: limits.splits]:
        for each in split.axes:
            found.setdefault(each.axis, {})[split.name] = each
    shown = list(found.items())[: limits.axes]
    views = tuple(_axis(name, of_splits, limits) for name, of_splits in shown)
    cut = [
        kept_of(min(len(splits), limits.splits), len(splits), "splits"),
        kept_of(len(shown), len(found), "axes"),
    ]
    return views, joined(cut)


def _axis(name: str, of_splits: Mapping[str, Histogram], limits: Limits) -> AxisView:
    bins = [each for histogram in of_splits.values() for each in histogram.bins]
    if any(isinstance(each.first, str) for each in bins):
        return _texts(name, of_splits, limits)
    low = min((int(each.first) for each in bins), default=0)
    high = max((int(each.last) for each in bins), default=0)
    logarithmic = low >= 0 and _narrowest(of_splits) * _NARROW < high + 1 - low
    # A value takes the room up to the next one, so the last one needs room too.
    scale = Scale(low + 1, high + 2, 0, WIDTH, logarithmic)
    panels = tuple(_panel(split, each, scale, limits) for split, each in of_splits.items())
    return AxisView(clean(name, limits.cells), panels, _end(low), _end(high), logarithmic)


def _narrowest(of_splits: Mapping[str, Histogram]) -> int:
    """Return the smallest range of a split with more than one value."""
    spans = [
        int(histogram.bins[-1].last) - int(histogram.bins[0].first) + 1
        for histogram in of_splits.values()
        if len(histogram.bins) > 1
    ]
    return min(spans, default=0)


def _panel(split: str, histogram: Histogram, scale: Scale, limits: Limits) -> Panel:
    spans = [(scale(int(each.first) + 1), scale(int(each.last) + 2)) for each in histogram.bins]
    heights = [
        (left, right, each.rows / max(_THINNEST, right - left))
        for (left, right), each in zip(spans, histogram.bins, strict=True)
        if each.rows
    ]
    top = max((height for _, _, height in heights), default=1.0)
    path = "".join(
        f"M{left:g} {HEIGHT}v-{max(1.0, round(HEIGHT * height / top, 1)):g}"
        f"h{_bar(left, right):g}V{HEIGHT}z"
        for left, right, height in heights
    )
    mean = None if histogram.mean is None else scale(histogram.mean + 1.5)
    return Panel(clean(split, limits.cells), path, mean, _told(histogram, limits))


def _bar(left: float, right: float) -> float:
    """Return the width of a bar: a little air beside it if there is room, and never nothing."""
    room = right - left
    return round(max(_THINNEST, room - 1 if room > 3 else room), 1)


def _end(value: int) -> str:
    return figure(value) if abs(value) < 10**6 else compact(value)


def _told(histogram: Histogram, limits: Limits) -> str:
    parts = []
    if histogram.low is not None and histogram.high is not None:
        ends = [
            clean(end, limits.cells) if isinstance(end, str) else figure(end)
            for end in (histogram.low, histogram.high)
        ]
        parts.append(ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}")
    if histogram.mean is not None:
        parts.append(f"mean {figure(histogram.mean)}")
    parts.append(f"{histogram.distinct:,} {'value' if histogram.distinct == 1 else 'values'}")
    if histogram.nulls:
        parts.append(f"{histogram.nulls:,} rows without")
    return " · ".join(parts)


def _texts(name: str, of_splits: Mapping[str, Histogram], limits: Limits) -> AxisView:
    """Lay out the most frequent texts, by their largest share in any split."""
    shares: dict[str, dict[str, float]] = {}
    for split, histogram in of_splits.items():
        for each in histogram.bins:
            shares.setdefault(str(each.first), {})[split] = each.rows / max(1, histogram.rows)
    ranked = sorted(shares, key=lambda text: (-max(shares[text].values()), text))
    most = min(_MOST_TEXTS, limits.rows)
    rows = tuple(
        (
            clean(text, limits.cells) or "(empty)",
            tuple(_share(shares[text].get(split, 0.0)) for split in of_splits),
        )
        for text in ranked[:most]
    )
    distinct = max(histogram.distinct for histogram in of_splits.values())
    note = joined([kept_of(len(rows), max(distinct, len(ranked)), "values")])
    splits = tuple(clean(split, limits.cells) for split in of_splits)
    return AxisView(clean(name, limits.cells), splits=splits, rows=rows, note=note)


def _share(share: float) -> Share:
    return Share(percent(share, 1), round(100 * share, 1))
