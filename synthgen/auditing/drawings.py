"""Shapes of charts: marks at positions, scales and ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from synthgen.auditing.html_tables import compact
from synthgen.auditing.wording import cut

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LARGEST = 1e300
"""Limit of drawn values, which keeps differences finite; larger ones are drawn at it."""
_SMALLEST_SPAN = 1e-300
CHARACTER = 7.0
"""Units of a drawing's width that one character of a label takes."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape or text of a drawing.

    Attributes:
        tag: Element of SVG.
        kind: Classes of its style.
        at: Its other attributes.
        text, title: Text that it shows, and its tooltip.
    """

    tag: Literal["path", "rect", "circle", "text"]
    kind: str
    at: Mapping[str, float | str] = field(default_factory=dict)
    text: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing of some size; `label` describes it for screen readers."""

    width: float
    height: float
    label: str
    marks: tuple[Mark, ...]


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

    def ticks(self, number: int) -> list[tuple[float, str]]:
        """Return positions and labels of about `number` round values."""
        step = _step(self.low, self.high, number)
        # The tolerance keeps an end that is a multiple of the step in spite of rounding.
        first = math.ceil(self.low / step - 1e-9)
        last = min(math.floor(self.high / step + 1e-9), first + 2 * number)
        return [(self(i * step), compact(i * step)) for i in range(first, last + 1)]


def scale_of(values: Iterable[float | None], start: float, end: float) -> Scale:
    """Return a scale from zero to a round number above all values."""
    known = [finite(value) for value in values if value is not None]
    low, high = min(0.0, *known, 0.0), max(0.0, *known, 0.0)
    step = _step(low, high, 4)
    low, high = math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step
    return Scale(low, high if high > low else low + step, start, end)


def finite(value: float) -> float:
    """Return a value that can be drawn; 0 for NaN."""
    if isinstance(value, float) and math.isnan(value):
        return 0.0
    return float(max(min(value, _LARGEST), -_LARGEST))


def _step(low: float, high: float, parts: int) -> float:
    span = high - low
    if span < _SMALLEST_SPAN:
        return 1.0
    power = 10.0 ** math.floor(math.log10(span / parts))
    return next(step * power for step in _STEPS if step * power * parts >= span * (1 - 1e-9))


def words(x: float, y: float, text: str, kind: str = "", limit: int = 40) -> Mark:
    """Return a text of one line, with a tooltip if it is cut."""
    line = " ".join(text.split())
    shown = cut(line, limit)
    title = line if shown != line else ""
    return Mark("text", f"tick {kind}".strip(), {"x": round(x, 1), "y": round(y, 1)}, shown, title)


def line(kind: str, d: str) -> Mark:
    """Return a path."""
    return Mark("path", kind, {"d": d})


def block(kind: str, x: float, y: float, width: float, height: float, title: str = "") -> Mark:
    """Return a rectangle."""
    at = {"x": x, "y": y, "width": max(0.0, round(width, 1)), "height": round(height, 1)}
    return Mark("rect", kind, at, title=title)


def dot(kind: str, x: float, y: float, title: str = "", radius: float = 4) -> Mark:
    """Return a circle."""
    return Mark("circle", kind, {"cx": x, "cy": y, "r": radius}, title=title)
