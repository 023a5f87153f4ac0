"""OMEGA algebra: the place of a local extremum of a chain of functions, to the nearest integer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega.algebra._func_family import (
    KEPT_PLACES,
    LEAST_POINTS,
    FunctionFamily,
    functions_text,
    radians,
    symbols_of,
)
from synthgen.generators.omega.algebra._func_laps import MAXIMUM, MINIMUM, Laps, laps_of
from synthgen.generators.omega.algebra._func_layers import Function, function_tree, points
from synthgen.generators.omega.algebra._func_values import Real, UndecidedError

SUBTYPES = ("from_left", "from_right", "highest", "lowest", "mean")
_KINDS = {
    "extrema": ("local extrema (minima and maxima together)", (MINIMUM, MAXIMUM)),
    "minima": ("local minima", (MINIMUM,)),
    "maxima": ("local maxima", (MAXIMUM,)),
}
_PICKS = (
    "Let p be the x-coordinate of number {k} of these points, counted from the left.",
    "Let p be the x-coordinate of number {k} of these points, counted from the right.",
    "Let p be the x-coordinate of the one at which f has the greatest value.",
    "Let p be the x-coordinate of the one at which f has the least value.",
    "Let p be the mean of their x-coordinates.",
)
_WORDINGS = (
    "Let {f}. Consider all {what} of f with -{r} < x < {r}; corners of the graph count, points"
    " where f is undefined do not. {pick} Round p to the nearest integer and give that integer.",
    "Given {f}, look at the {what} that f has in the open interval (-{r}, {r}), at corners or not,"
    " but only where no denominator is zero. {pick} Which integer is nearest to p?",
    "Consider {f} and its {what} strictly between x = -{r} and x = {r}, those at corners included;"
    " f has no value where a denominator vanishes. {pick} Answer with the integer nearest to p.",
    "For {f}, take every one of the {what} inside the interval from -{r} to {r}, its ends left out."
    " Corners are allowed, gaps in the domain of f are not. {pick} Give p rounded to the nearest"
    " integer.",
)
_MOST_AVERAGED, _LARGEST_NUMBER = 5, 60
_MOST_EXTREMA = 1_000
_PATIENCE = 25
"""Draws of a function before another kind of question is tried."""
_FINEST = Fraction(1, 1 << 24)


@dataclass(frozen=True)
class AlgebraFuncExtremaCoords(FunctionFamily):
    """The x of one of the extrema of a chain of layers, or the mean of all of them, rounded.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. Level n
            has n + 1 layers, at most one of them transcendental, of at least 5, 8, 10, 12, 15, 17
            or 20 points, up to 2 of them for the number of extrema.
        reach: the interval is (-reach, reach).
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "algebra_func_extrema_coords"
    subtypes: ClassVar[tuple[str, ...]] = SUBTYPES
    wordings: ClassVar[int] = len(_WORDINGS)
    symbols: ClassVar[Mapping[str, int]] = symbols_of(
        {"from_left": 4, "from_right": 4, "highest": 3, "lowest": 3, "mean": 3}
        | dict.fromkeys(_KINDS, 0)
    )

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw chains until one has the extrema asked for, at places that are no ties."""
        subtype, name = 0, ""
        for attempt in range(self.tries):
            if attempt % _PATIENCE == 0:
                subtype, name = draws.integer(0, len(SUBTYPES)), draws.choice(tuple(_KINDS))
            (function,) = self.draw_functions(level, draws)
            if points(function) < LEAST_POINTS[level - 1] - 2:
                continue
            try:
                made = self._made(function, level, subtype, name, draws)
            except UndecidedError:
                continue
            if made is not None:
                return made
        return None

    def _made(
        self, function: Function, level: int, subtype: int, name: str, draws: RowDraws
    ) -> Made | None:
        low, high = Fraction(-self.reach), Fraction(self.reach)
        kinds = _KINDS[name][1]
        laps = laps_of(function, low, high)
        n = sum(map(laps.turning, kinds))
        if (
            not 1 <= n <= _MOST_EXTREMA
            or points(function) + min(2, n - 1) < LEAST_POINTS[level - 1]
        ):
            return None
        search = Search(function, low, high, lambda part: sum(map(part.turning, kinds)))
        pick = SUBTYPES[subtype]
        k = 1 + draws.integer(0, min(n, _LARGEST_NUMBER))
        if pick == "mean":
            x = search.mean(n) if 2 <= n <= _MOST_AVERAGED else None
        elif pick in ("highest", "lowest"):
            best = _best(laps, kinds, highest=pick == "highest") if n > 1 else None
            if best is None:
                return None
            x = Search(function, low, high, lambda part: part.turning_at(best)).nearest(1)
        else:
            x = search.nearest(k if pick == "from_left" else n + 1 - k)
        if x is None or draws.integer(0, 256) >= KEPT_PLACES.get(x, 256):
            return None
        numbered = (k,) if pick.startswith("from") else ()
        tree = (pick, name, *numbered, function_tree(function), self.reach)
        return Made(tree, str(x), (function, name, k), subtype, self.built(function))

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define the function and say which of its extrema is asked for."""
        function, name, k = made.facts
        text = _WORDINGS[wording].format(
            f=functions_text((function,), draws),
            r=self.reach,
            what=_KINDS[name][0],
            pick=_PICKS[made.subtype].format(k=k),
        )
        return text + radians((function,))


def _best(laps: Laps, kinds: tuple[int, ...], *, highest: bool) -> Fraction | None:
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


GENERATOR = AlgebraFuncExtremaCoords
