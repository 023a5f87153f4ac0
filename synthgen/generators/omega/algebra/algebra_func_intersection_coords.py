"""OMEGA algebra: where the graphs of two chains of functions meet, to the nearest integer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import AheadDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega.algebra._func_family import (
    KEPT_PLACES,
    LEAST_POINTS,
    FunctionFamily,
    check_integer,
    check_tame,
    functions_text,
    pair_trees,
    radians,
    symbols_of,
)
from synthgen.generators.omega.algebra._func_layers import Function, points
from synthgen.generators.omega.algebra._func_meet import Floats, Pair
from synthgen.generators.omega.algebra._func_pairs import About, pairs
from synthgen.generators.omega.algebra._func_values import UndecidedError

SUBTYPES = ("from_left", "from_right", "sum", "mean")
_PICKS = (
    "Let p be the x-coordinate of number {k} of these points, counted from the left.",
    "Let p be the x-coordinate of number {k} of these points, counted from the right.",
    "Let p be the sum of their x-coordinates.",
    "Let p be the mean of their x-coordinates.",
)
_WORDINGS = (
    "Let {f}. Consider all points with -{r} <= x <= {r} in which the graphs of f and g meet. {pick}"
    " Round p to the nearest integer and give that integer.",
    "Given {f}, look at the intersection points of the two graphs whose x lies in [-{r}, {r}];"
    " where f or g is undefined there is none. {pick} Which integer is nearest to p?",
    "Consider {f} and the points, with x from -{r} to {r}, that both graphs have in common. {pick}"
    " Answer with the integer nearest to p.",
    "For {f}, take every point above the interval [-{r}, {r}] of the x-axis that lies on both"
    " graphs. {pick} Give p rounded to the nearest integer.",
)
_WIDTH, _MARGIN = 1e-9, 1e-6


@dataclass(frozen=True)
class AlgebraFuncIntersectionCoords(FunctionFamily):
    """The x of one of a few meetings of two chains of layers, or their sum or mean, rounded.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. At level n
            f has n + 1 layers and g has n, of at least 5, 8, 10, 12, 15, 17 or 20 points together,
            one or two of them for the number of meetings.
        reach: the interval is [-reach, reach].
        max_meetings: most meetings.
    """

    max_meetings: int = 3

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "algebra_func_intersection_coords"
    subtypes: ClassVar[tuple[str, ...]] = SUBTYPES
    wordings: ClassVar[int] = len(_WORDINGS)
    n_functions: ClassVar[int] = 2
    tries: ClassVar[int] = 1_200
    block: ClassVar[int] = 64
    symbols: ClassVar[Mapping[str, int]] = symbols_of(
        {"from_left": 4, "from_right": 4, "sum": 3, "mean": 3}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("max_meetings", self.max_meetings, 1, 20)

    def make(self, level: int, draws: AheadDraws) -> Made | None:
        """Draw pairs until one has few meetings, proven and at places that are no ties."""
        about = About(self.reach, 1, self.max_meetings)
        for f, g in pairs(draws, level, self.tries, about):
            try:
                check_tame((f, g), Fraction(-self.reach), Fraction(self.reach))
                cells = Pair(f, g).meetings(-self.reach, self.reach, self.max_meetings, _WIDTH)
            except UndecidedError:
                continue
            made = self._made(f, g, cells.mean(axis=1), level, draws)
            if made is not None:
                return made
        return None

    def _made(
        self, f: Function, g: Function, places: Floats, level: int, draws: RowDraws
    ) -> Made | None:
        n = len(places)
        enough = points(f) + points(g) + 1 + min(1, n - 1) >= LEAST_POINTS[level - 1]
        if not 1 <= n <= self.max_meetings or not enough:
            return None
        subtype = draws.integer(0, len(SUBTYPES) if n > 1 else 2)
        pick, k = SUBTYPES[subtype], 1 + draws.integer(0, n)
        if pick in ("sum", "mean"):
            x = float(places.sum()) / (n if pick == "mean" else 1)
        else:
            x = float(places[k - 1 if pick == "from_left" else -k])
        nearest = floor(x + 0.5)
        if abs(abs(x - nearest) - 0.5) < _MARGIN * n:
            return None
        if draws.integer(0, 256) >= KEPT_PLACES.get(nearest, 256):
            return None
        numbered = (k,) if pick.startswith("from") else ()
        tree = (pick, *numbered, *pair_trees(f, g), self.reach)
        return Made(tree, str(nearest), (f, g, k), subtype, self.built(f, g))

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define both functions and say which of their meetings is asked for."""
        f, g, k = made.facts
        text = _WORDINGS[wording].format(
            f=functions_text((f, g), draws), r=self.reach, pick=_PICKS[made.subtype].format(k=k)
        )
        return text + radians((f, g))


GENERATOR = AlgebraFuncIntersectionCoords
