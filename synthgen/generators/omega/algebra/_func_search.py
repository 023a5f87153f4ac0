"""Places of turning points, to the nearest integer, by exact counts on parts of an interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from synthgen.generators.omega.algebra._func_laps import Laps, laps_of
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_values import Real

_FINEST = Fraction(1, 1 << 24)


def best_value(laps: Laps, kinds: tuple[int, ...], *, highest: bool) -> Fraction | None:
    """Return the value of the highest or lowest turning point if it is certain and alone."""
    values: list[Fraction] = []
    for value, kind, n in laps.turns:
        if kind in kinds:
            if isinstance(value, Real):
                return None
            values += [Fraction(*value)] * min(n, 2)
    best = max(values) if highest else min(values)
    # A turning point of the other kind may not have that value either.
    return best if laps.turning_at(best) == 1 else None


@dataclass(frozen=True)
class Search:
    """Finds places by counts on parts of an interval, which rational ends keep exact.

    Attributes:
        function: the layers.
        low, high: the interval.
        count: how many of the points in question the laps of a part have.
    """

    function: Function
    low: Fraction
    high: Fraction
    count: Callable[[Laps], int]

    def _between(self, low: Fraction, high: Fraction) -> int:
        return self.count(laps_of(self.function, low, high)) if low < high else 0

    def _before(self, end: Fraction) -> int:
        return self._between(self.low, min(end, self.high))

    def nearest(self, number: int) -> int | None:
        """Return the integer nearest to a point, numbered from 1 at the left; None for a tie."""
        half = Fraction(1, 2)
        low, high = floor(self.low), -floor(-self.high)  # integers around the answer
        while low < high:
            middle = (low + high) // 2
            if self._before(middle + half) >= number:
                high = middle
            else:
                low = middle + 1
        total = self._before(self.high)
        for end in (low - half, low + half):
            outside = not self.low < end < self.high
            if not outside and self._before(end) + self._between(end, self.high) != total:
                return None
        return low

    def mean(self, total: int) -> int | None:
        """Return the integer nearest to the mean of all points; None if it may be a tie."""
        within = [(self.low, self.high)] * total
        width = self.high - self.low
        while width > _FINEST:
            within = [self._halved(ends, number) for number, ends in enumerate(within, 1)]
            width = max(high - low for low, high in within)
            low, high = (sum(ends, Fraction(0)) / total for ends in zip(*within, strict=True))
            nearest = floor(low + Fraction(1, 2))
            if nearest == -floor(Fraction(1, 2) - high):
                return nearest if low > nearest - Fraction(1, 2) else None
        return None

    def _halved(self, ends: tuple[Fraction, Fraction], number: int) -> tuple[Fraction, Fraction]:
        low, high = ends
        # Cut beside the middle: points are often at simple fractions.
        middle = low + (high - low) * Fraction(123, 256)
        return (low, middle) if self._before(middle) >= number else (middle, high)
