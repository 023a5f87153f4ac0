"""OMEGA algebra: the place of a local extremum of a chain of functions, to the nearest integer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from synthgen.core.contract import Problems
from synthgen.core.randomness import RowDraws, Rows
from synthgen.generators.omega._family import Made
from synthgen.generators.omega.algebra._func_count import problems_of
from synthgen.generators.omega.algebra._func_family import (
    KEPT_PLACES,
    LEAST_POINTS,
    FunctionFamily,
    functions_text,
    radians,
    symbols_of,
)
from synthgen.generators.omega.algebra._func_hunt import FOUND
from synthgen.generators.omega.algebra._func_laps import MAXIMUM, MINIMUM, laps_of
from synthgen.generators.omega.algebra._func_layers import Function, function_tree, points
from synthgen.generators.omega.algebra._func_pick import (
    FROM_LEFT,
    HIGHEST,
    LARGEST_NUMBER,
    LOWEST,
    MEAN,
    MOST_AVERAGED,
    MOST_EXTREMA,
    MOST_LAPS,
    PATIENCE,
    Hunt,
    draw_of,
    hunt_places,
    new_hunt,
)
from synthgen.generators.omega.algebra._func_search import Search, best_value
from synthgen.generators.omega.algebra._func_values import UndecidedError

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


@dataclass(frozen=True)
class AlgebraFuncExtremaCoords(FunctionFamily):
    """The x of one of the extrema of a chain of layers, or the mean of all of them, rounded.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. Level n
            has n + 1 layers, at most one of them transcendental, of at least 5, 8, 10, 12, 15, 17
            or 20 points, up to 2 of them for the number of extrema.
        reach: the interval is (-reach, reach).
    """

    version: ClassVar[int] = 2
    block: ClassVar[int] = 256
    verifier: ClassVar[str] = "algebra_func_extrema_coords"
    subtypes: ClassVar[tuple[str, ...]] = SUBTYPES
    wordings: ClassVar[int] = len(_WORDINGS)
    symbols: ClassVar[Mapping[str, int]] = symbols_of(
        {"from_left": 4, "from_right": 4, "highest": 3, "lowest": 3, "mean": 3}
        | dict.fromkeys(_KINDS, 0)
    )

    def draw(self, rows: Rows) -> Problems:
        """Do for all rows what `make` does for one."""
        levels = self.level_of_rows(rows)
        hunt = new_hunt(rows.keys, levels + 1, np.array((0, *LEAST_POINTS))[levels])
        kept = [KEPT_PLACES.get(x, 256) for x in range(-self.reach, self.reach + 1)]
        hunt_places(hunt, self.reach, self.tries, np.array(kept), self._settle)
        found = enumerate(zip(*(column.tolist() for column in hunt[5:10]), strict=True))
        names = tuple(_KINDS)
        made = [
            self._made(hunt.function(i), pick, names[name], k, x) if state == FOUND else None
            for i, (state, pick, name, k, x) in found
        ]
        return problems_of(self, rows, made)

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw chains until one has the extrema asked for, at places that are no ties."""
        subtype, name = 0, ""
        for attempt in range(self.tries):
            if attempt % PATIENCE == 0:
                subtype, name = draws.integer(0, len(SUBTYPES)), draws.choice(tuple(_KINDS))
            (function,) = self.draw_functions(level, draws)
            if points(function) < LEAST_POINTS[level - 1] - 2:
                continue
            k, x = self._place(function, level, subtype, name, lambda n: draws.integer(0, n))
            if x is not None and draws.integer(0, 256) < KEPT_PLACES.get(x, 256):
                return self._made(function, subtype, name, k, x)
        return None

    def _made(self, function: Function, subtype: int, name: str, k: int, x: int) -> Made:
        pick = SUBTYPES[subtype]
        numbered = (k,) if pick.startswith("from") else ()
        tree = (pick, name, *numbered, function_tree(function), self.reach)
        return Made(tree, str(x), (function, name, k), subtype, self.built(function))

    def _settle(self, hunt: Hunt, i: int) -> bool:
        """Look at the function of a row exactly, with its next draws; say if it is kept."""
        name, pick = tuple(_KINDS)[int(hunt.names[i])], int(hunt.picks[i])
        level = int(hunt.sizes[i]) - 1
        k, x = self._place(hunt.function(i), level, pick, name, lambda n: draw_of(hunt, i, n))
        if x is None or draw_of(hunt, i, 256) >= KEPT_PLACES.get(x, 256):
            return False
        hunt.numbers[i], hunt.answers[i] = k, x
        return True

    def _place(
        self, function: Function, level: int, subtype: int, name: str, draw: Callable[[int], int]
    ) -> tuple[int, int | None]:
        """Draw the number of an extremum, and return it and the place that is asked for, if any."""
        low, high = Fraction(-self.reach), Fraction(self.reach)
        kinds, k = _KINDS[name][1], 0
        try:
            laps = laps_of(function, low, high)
            n = sum(map(laps.turning, kinds))
            enough = points(function) + min(2, n - 1) >= LEAST_POINTS[level - 1]
            listed = sum(lap[3] for lap in laps.laps) <= MOST_LAPS
            if not 1 <= n <= MOST_EXTREMA or not enough or not listed:
                return k, None
            search = Search(function, low, high, lambda part: sum(map(part.turning, kinds)))
            k = 1 + draw(min(n, LARGEST_NUMBER))
            if subtype == MEAN:
                return k, search.mean(n) if 2 <= n <= MOST_AVERAGED else None
            if subtype in (HIGHEST, LOWEST):
                best = best_value(laps, kinds, highest=subtype == HIGHEST) if n > 1 else None
                if best is None:
                    return k, None
                search = Search(function, low, high, lambda part: part.turning_at(best))
                return k, search.nearest(1)
            return k, search.nearest(k if subtype == FROM_LEFT else n + 1 - k)
        except UndecidedError:
            return k, None

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


GENERATOR = AlgebraFuncExtremaCoords
