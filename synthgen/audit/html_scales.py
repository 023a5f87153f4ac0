"""Scales of charts: from values to places on the paper, and round numbers for ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from synthgen.audit.html_text import compact

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LARGEST = 1e300
"""Values beyond it are drawn at it, so that differences stay finite."""
_SMALLEST_SPAN = 1e-300
_LOG_FROM = 100.0
"""Abscissas that span this factor or more are drawn by their logarithms."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: its place in units of the drawing, and its label."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `low` to `high` to places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a value, to a tenth; values outside stand at the ends."""
        low, high, at = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithmic:
            low, high, at = math.log10(low), math.log10(high), math.log10(at)
        share = (at - low) / (high - low) if high > low else 0.0
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, most: int) -> tuple[Tick, ...]:
        """Return about `most` ticks at round values."""
        values = _powers(self.low, self.high) if self.logarithmic else None
        values = values or _round_values(self.low, self.high, most)
        return tuple(Tick(self(value), compact(value)) for value in values)


def finite(value: float) -> float | None:
    """Return a value that can be drawn, or None if it is not a number or infinite."""
    number = float(max(min(value, _LARGEST), -_LARGEST)) if isinstance(value, int) else value
    return max(min(number, _LARGEST), -_LARGEST) if math.isfinite(number) else None


def value_scale(values: Iterable[float | None], start: float, end: float) -> Scale:
    """Return a scale that begins at zero and ends at a round number above all values."""
    found = [value for value in values if value is not None]
    low, high = min(0.0, *found, 0.0), max(0.0, *found, 0.0)
    step = _step(low, high, 4)
    low, high = math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step
    return Scale(low, high if high > low else low + step, start, end)


def abscissa_scale(xs: Iterable[float], start: float, end: float) -> Scale:
    """Return a scale from the smallest to the largest abscissa, by logarithms if that is far."""
    found = sorted(xs)
    low, high = (found[0], found[-1]) if found else (0.0, 1.0)
    if low == high:
        return Scale(low - 0.5, high + 0.5, start, end)
    return Scale(low, high, start, end, logarithmic=low > 0 and high / low >= _LOG_FROM)


def _step(low: float, high: float, parts: int) -> float:
    span = high - low
    if span < _SMALLEST_SPAN:
        return 1.0
    power = 10.0 ** math.floor(math.log10(span / parts))
    return next(step * power for step in _STEPS if step * power * parts >= span * (1 - 1e-9))


def _round_values(low: float, high: float, most: int) -> list[float]:
    step = _step(low, high, most)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [number * step for number in range(first, min(last, first + 2 * most) + 1)]


def _powers(low: float, high: float) -> list[float]:
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    every = -(-len(powers) // 6) or 1
    return [10.0**power for power in powers[::every]]
