"""Questions about functions that are chains of layers: counts by laps, meetings and areas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any, ClassVar, cast

import numpy as np

from synthgen.authoring import (
    LevelledFamily,
    OwnAxis,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    holes,
    params,
)
from synthgen.families.omega.functions.curves import (
    CompParametricIntersection,
    TransFuncIntersection,
    TransIntegrations,
)
from synthgen.families.omega.functions.laps import (
    MAXIMUM,
    MINIMUM,
    Laps,
    Search,
    best_value,
    laps_of,
)
from synthgen.families.omega.functions.layers import (
    SYMBOLS,
    WAVES,
    Function,
    UndecidedError,
    definition,
    draw_function,
    function_tree,
    pair_trees,
    points,
    transcendentals,
)
from synthgen.families.omega.functions.meet import area, changes, meetings
from synthgen.families.omega.functions.steps import (
    area_lines,
    layer_lines,
    meeting_places,
    place_line,
    place_lines,
    zero_line,
)

_WORDS = Words.beside(__file__)
_TRIES = 400
_KEPT = {4: 72, 8: 128, 20: 144, 40: 112}
"""Number kept of 256 functions with such a count; all with other counts are kept."""
_KEPT_PLACES = {0: 112, 1: 176, -1: 176}
"""Number kept of 256 functions with such a place."""
_MIN_POINTS = (5, 8, 10, 12, 15, 17, 20)
"""Least points of difficulty of questions about places and areas, by level."""
_MAX_COUNTED, _MAX_LISTED, _MAX_TAME = 10_000, 4_000, 1_500
"""Laps of a function whose extrema are counted, or numbered, or whose meetings are sought."""
_TURNS = {"extrema": (MINIMUM, MAXIMUM), "minima": (MINIMUM,), "maxima": (MAXIMUM,)}
_LETTERS = {"f": "ABCDEFGH", "g": "PQRSTUVW"}


def _axes(most_layers: int) -> dict[str, OwnAxis]:
    """Declare the axes of how functions are built."""
    return {
        "layers": axis("layers of all functions together", 2, most_layers),
        "points": axis("points of difficulty of all layers", 2, 4 * most_layers),
        "transcendentals": axis("layers that are exp, sin or cos", 0, 2),
    }


def _symbols(own: Mapping[str, int]) -> dict[str, int]:
    return dict(own) | SYMBOLS | {"x": 0}


def _built(*functions: Function) -> dict[str, int]:
    """Return the axes that say how functions are built."""
    return {
        "layers": sum(map(len, functions)),
        "points": points(*functions),
        "transcendentals": transcendentals(*functions),
    }


@dataclass(frozen=True)
class FunctionFamily(LevelledFamily):
    """Questions about one or two chains of 1 to 8 layers on an interval.

    The data of a problem are its functions.
    """

    n_levels = 7
    level_is_canonical = True
    domain = "omega"
    block = 16

    def holes_of(self, problem: Problem, draws: RowDraws) -> dict[str, object]:
        """Define the functions."""
        functions: tuple[Function, ...] = problem.data
        waves = any(kind in WAVES for function in functions for kind, _ in function)
        defined = {
            name: definition(name, function, _LETTERS[name], draws)
            for name, function in zip("fg", functions, strict=False)
        }
        return {**defined, "angles": " Angles are in radians." if waves else "", **problem.holes}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the functions layer by layer, and what follows."""
        functions: tuple[Function, ...] = problem.data
        low, high = self.interval_of(problem)
        lines = [
            line
            for name, function in zip("uv", functions, strict=False)
            for line in layer_lines(function, name, low, high)
        ]
        return [*lines, *self.closing_lines(problem, low, high)]

    def interval_of(self, problem: Problem) -> tuple[Fraction, Fraction]:
        """Return the ends of the interval in question."""
        reach: int = problem.holes["r"]  # type: ignore[assignment]
        return Fraction(-reach), Fraction(reach)

    def closing_lines(self, problem: Problem, low: Fraction, high: Fraction) -> list[str]:
        """Return the lines that lead from the layers to the answer."""
        raise NotImplementedError


@dataclass(frozen=True)
class _Counts(FunctionFamily):
    """Questions with a count for an answer, kept if it is neither too small nor too large."""

    reach: int = params.integer(10, 1, 100)
    min_answer: int = params.integer(4, 0, 20)
    max_answer: int = params.integer(1_000, 20, 5_000)

    def wanted(self, answer: int, draws: RowDraws) -> bool:
        """Return whether an answer passes the filter, and thin out the most frequent ones."""
        if not self.min_answer <= answer <= self.max_answer:
            return False
        return draws.integer(0, 256) < _KEPT.get(answer, 256)


@dataclass(frozen=True)
class _LapCounts(_Counts):
    """Questions with a count of zeros, turning points or laps of one function for an answer."""

    own_axes = _axes(8)
    block = 128
    heads: ClassVar[tuple[str, ...]]
    """Symbol of each kind of question."""

    def count(self, head: str, laps: Laps) -> int:
        """Return the count in question; -1 if there are too many laps."""
        raise NotImplementedError

    def closing_lines(self, problem: Problem, low: Fraction, high: Fraction) -> list[str]:
        """State the count for the last layer."""
        del low, high
        return [f"{problem.kind}: {problem.answer}"]

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw chains until the count of one is certain and passes the filter."""
        head = self.heads[draws.integer(0, len(self.heads))] if len(self.heads) > 1 else "zeros"
        for _ in range(_TRIES):
            function = draw_function(draws, level + 1)
            try:
                laps = laps_of(function, Fraction(-self.reach), Fraction(self.reach))
                answer = self.count(head, laps)
            except UndecidedError:
                continue
            if answer >= 0 and self.wanted(answer, draws):
                return Problem(
                    (head, function_tree(function), self.reach),
                    str(answer),
                    {"r": self.reach},
                    head if len(self.heads) > 1 else "",
                    _built(function),
                    data=(function,),
                )
        return None


@dataclass(frozen=True)
class AlgebraFuncZeros(_LapCounts):
    """Zeros of a chain of layers, with at most one of sin, cos and exp among them.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            Level n has n + 1 layers.
        reach: Bound of the interval [-reach, reach].
        min_answer, max_answer: Fewest and most zeros.
    """

    version = 4
    verifier = "algebra_func_zeros"
    words = _WORDS.part("zeros")
    heads = ("zeros",)
    symbols = _symbols({"zeros": 2})

    def count(self, head: str, laps: Laps) -> int:
        """Count zeros."""
        del head
        return laps.zeros()

    def closing_lines(self, problem: Problem, low: Fraction, high: Fraction) -> list[str]:
        """Write how often the last layer is zero."""
        return [zero_line(laps_of(problem.data[0], low, high))]


@dataclass(frozen=True)
class AlgebraFuncExtrema(_LapCounts):
    """Local extrema, minima or maxima of a chain of layers, at most one of them transcendental.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            Level n has n + 1 layers.
        reach: Bound of the interval (-reach, reach).
        min_answer, max_answer: Fewest and most points in question.
    """

    version = 4
    verifier = "algebra_func_extrema"
    words = _WORDS.part("extrema")
    heads = tuple(_TURNS)
    symbols = _symbols(dict.fromkeys(_TURNS, 2))

    def count(self, head: str, laps: Laps) -> int:
        """Count turning points."""
        return laps.turning(*_TURNS[head]) if laps.size() <= _MAX_COUNTED else -1


@dataclass(frozen=True)
class AlgebraFuncDerivativeSign(_LapCounts):
    """Intervals on which a chain of layers has a derivative of one sign.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            Level n has n + 1 layers, at most one of them transcendental.
        reach: Bound of the interval (-reach, reach).
        min_answer, max_answer: Fewest and most intervals in question.
    """

    version = 5
    verifier = "algebra_func_derivative_sign"
    words = _WORDS.part("signs")
    heads = ("positive", "negative")
    symbols = _symbols({"positive": 2, "negative": 2})

    def count(self, head: str, laps: Laps) -> int:
        """Count laps that rise or fall."""
        return laps.moving(up=head == "positive")


_PICKS = ("from_left", "from_right", "highest", "lowest", "mean")
_MAX_AVERAGED, _LARGEST_NUMBER, _MAX_EXTREMA, _TRIES_PER_PICK = 5, 60, 1_000, 25


@dataclass(frozen=True)
class AlgebraFuncExtremaCoords(FunctionFamily):
    """The x of one of the extrema of a chain of layers, or the mean of all of them, rounded.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            Level n has n + 1 layers, at most one of them transcendental, of at least 5, 8, 10, 12,
            15, 17 or 20 points, up to 2 of them for the number of extrema.
        reach: Bound of the interval (-reach, reach).
    """

    reach: int = params.integer(10, 1, 100)

    version = 5
    block = 64
    verifier = "algebra_func_extrema_coords"
    words = _WORDS.part("extrema_coords")
    own_axes = _axes(8)
    symbols = _symbols(
        {"from_left": 4, "from_right": 4, "highest": 3, "lowest": 3, "mean": 3}
        | dict.fromkeys(_TURNS, 0)
    )

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw chains until one has the extrema in question, at places that are not ties."""
        pick = name = ""
        for attempt in range(_TRIES):
            if attempt % _TRIES_PER_PICK == 0:
                pick, name = draws.choice(_PICKS), draws.choice(tuple(_TURNS))
            function = draw_function(draws, level + 1)
            if points(function) < _MIN_POINTS[level - 1] - 2:
                continue
            try:
                k, x = self._place(function, level, pick, name, draws)
            except UndecidedError:
                continue
            if x is not None and draws.integer(0, 256) < _KEPT_PLACES.get(x, 256):
                numbered = (k,) if pick.startswith("from") else ()
                what = _WORDS["extrema_coords"]["what"][name]
                return Problem(
                    (pick, name, *numbered, function_tree(function), self.reach),
                    str(x),
                    {"r": self.reach, "nth": holes.ordinal(k), "what": what},
                    pick,
                    _built(function),
                    data=(function,),
                )
        return None

    def closing_lines(self, problem: Problem, low: Fraction, high: Fraction) -> list[str]:
        """Write the places that matter."""
        (function,), pick, answer = problem.data, problem.kind, problem.answer
        tree = cast("tuple[Any, ...]", problem.tree)
        name = tree[1]
        laps = laps_of(function, low, high)
        n, search = laps.turning(*_TURNS[name]), Search(function, low, high, _TURNS[name])
        if pick == "mean":
            return place_lines([search.thousandths(i + 1) for i in range(n)], pick, answer)
        if pick.startswith("from"):
            k = tree[2]
            number = k if pick == "from_left" else n + 1 - k
            return place_lines([search.thousandths(number)], f"number {k} of {n}", answer)
        best = best_value(laps, _TURNS[name], highest=pick == "highest")
        place = replace(search, value=best).thousandths(1)
        return place_lines([place], f"{pick} of {n}, value {best}", answer)

    def _place(
        self, function: Function, level: int, pick: str, name: str, draws: RowDraws
    ) -> tuple[int, int | None]:
        """Draw the number of an extremum; return it and the place in question, if any."""
        low, high = Fraction(-self.reach), Fraction(self.reach)
        kinds = _TURNS[name]
        laps = laps_of(function, low, high)
        n = laps.turning(*kinds)
        enough = points(function) + min(2, n - 1) >= _MIN_POINTS[level - 1]
        if not 1 <= n <= _MAX_EXTREMA or not enough or laps.size() > _MAX_LISTED:
            return 0, None
        search = Search(function, low, high, kinds)
        k = 1 + draws.integer(0, min(n, _LARGEST_NUMBER))
        if pick == "mean":
            return k, search.mean(n) if 2 <= n <= _MAX_AVERAGED else None
        if pick.startswith("from"):
            return k, search.nearest(k if pick == "from_left" else n + 1 - k)
        best = best_value(laps, kinds, highest=pick == "highest") if n > 1 else None
        if best is None:
            return k, None
        return k, Search(function, low, high, kinds, best).nearest(1)


def _draw_pair(level: int, draws: RowDraws) -> tuple[Function, Function]:
    """Draw f with level + 1 layers, and g with as many as the level."""
    return draw_function(draws, level + 1), draw_function(draws, level)


def _are_tame(reach: int, *functions: Function) -> bool:
    """Return whether functions have few laps, and are infinite beside each place without a value.

    Raises:
        UndecidedError: if that is not settled.
    """
    for function in functions:
        laps = laps_of(function, Fraction(-reach), Fraction(reach))
        if laps.size() > _MAX_TAME or laps.has_finite_gaps():
            return False
    return True


@dataclass(frozen=True)
class AlgebraFuncIntersection(_Counts):
    """Meetings of two chains of layers, each with at most one of sin, cos and exp.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            At level n f has n + 1 layers and g has n.
        reach: Bound of the interval [-reach, reach].
        min_answer, max_answer: Fewest and most meetings.
    """

    max_answer: int = params.integer(200, 20, 5_000)

    version = 3
    verifier = "algebra_func_intersection"
    words = _WORDS.part("intersection")
    own_axes = _axes(15)
    symbols = _symbols({"meetings": 3})

    def closing_lines(self, problem: Problem, low: Fraction, high: Fraction) -> list[str]:
        """List the meetings."""
        del low
        f, g = problem.data
        places = meeting_places(f, g, int(high), self.max_answer)
        return [place_line(places), f"solutions: {len(places)}"]

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw pairs until the meetings of one are proven and their number passes the filter."""
        for _ in range(_TRIES):
            f, g = _draw_pair(level, draws)
            if len(changes(f, g, -self.reach, self.reach)) < max(self.min_answer, 1):
                continue
            try:
                if not _are_tame(self.reach, f, g):
                    continue
                n = len(meetings(f, g, self.reach, self.max_answer))
            except UndecidedError:
                continue
            if self.wanted(n, draws):
                return Problem(
                    ("meetings", *pair_trees(f, g), self.reach),
                    str(n),
                    {"r": self.reach},
                    axes=_built(f, g),
                    data=(f, g),
                )
        return None


_MEETING_PICKS = ("from_left", "from_right", "sum", "mean")
_MEETING_TRIES, _WIDTH, _PLACE_MARGIN = 1_200, 1e-7, 1e-6


@dataclass(frozen=True)
class AlgebraFuncIntersectionCoords(FunctionFamily):
    """The x of one of a few meetings of two chains of layers, or their sum or mean, rounded.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            At level n f has n + 1 layers and g has n, of at least 5, 8, 10, 12, 15, 17 or 20
            points together, one or two of them for the number of meetings.
        reach: Bound of the interval [-reach, reach].
        max_meetings: Most meetings.
    """

    reach: int = params.integer(10, 1, 100)
    max_meetings: int = params.integer(3, 1, 20)

    version = 4
    verifier = "algebra_func_intersection_coords"
    words = _WORDS.part("intersection_coords")
    own_axes = _axes(15)
    symbols = _symbols({"from_left": 4, "from_right": 4, "sum": 3, "mean": 3})

    def closing_lines(self, problem: Problem, low: Fraction, high: Fraction) -> list[str]:
        """List the meetings, and round the quantity in question."""
        del low
        f, g = problem.data
        places = meeting_places(f, g, int(high), self.max_meetings)
        numbered = problem.kind.startswith("from")
        number = cast("tuple[Any, ...]", problem.tree)[1]
        what = f"number {number} {problem.kind}" if numbered else problem.kind
        return place_lines(places, what.replace("_", " the "), problem.answer)

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw pairs until one has few meetings, proven and at places that are not ties."""
        least = _MIN_POINTS[level - 1]
        for _ in range(_MEETING_TRIES):
            f, g = _draw_pair(level, draws)
            if points(f, g) + 2 < least:
                continue
            if not 1 <= len(changes(f, g, -self.reach, self.reach)) <= self.max_meetings:
                continue
            try:
                if not _are_tame(self.reach, f, g):
                    continue
                places = meetings(f, g, self.reach, self.max_meetings, _WIDTH)
            except UndecidedError:
                continue
            if points(f, g) + 1 + min(1, len(places) - 1) >= least and places:
                made = self._made(f, g, [sum(ends) / 2 for ends in places], draws)
                if made is not None:
                    return made
        return None

    def _made(
        self, f: Function, g: Function, places: list[float], draws: RowDraws
    ) -> Problem | None:
        n = len(places)
        pick = _MEETING_PICKS[draws.integer(0, len(_MEETING_PICKS) if n > 1 else 2)]
        k = 1 + draws.integer(0, n)
        if pick in ("sum", "mean"):
            x = sum(places) / (n if pick == "mean" else 1)
        else:
            x = places[k - 1 if pick == "from_left" else -k]
        nearest = floor(x + 0.5)
        if abs(abs(x - nearest) - 0.5) < _PLACE_MARGIN * n:
            return None
        if draws.integer(0, 256) >= _KEPT_PLACES.get(nearest, 256):
            return None
        numbered = (k,) if pick.startswith("from") else ()
        tree: Tree = (pick, *numbered, *pair_trees(f, g), self.reach)
        given = {"r": self.reach, "nth": holes.ordinal(k)}
        return Problem(tree, str(nearest), given, pick, _built(f, g), data=(f, g))


_CAPS = (50, 100, 150, 250, 500, 800, 1_200)
_AREA_MARGIN = 2e-3
_DEFAULT_ENDS = -30, 30
"""Ends in tenths for functions that do not meet twice."""
_MAX_CHANGES, _NARROWEST = 100, 2
"""Most meetings that are considered, and least distance of the ends in tenths."""


@dataclass(frozen=True)
class AlgebraFuncArea(FunctionFamily):
    """Areas between two chains of layers, from one meeting to the next with ends to one decimal.

    Where the functions do not meet twice in [-reach, reach], the area extends from -3 to 3.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            At level n f has n + 1 layers and g has n, of at least 3, 6, 8, 10, 13, 15 or 18 points
            together; the area is at most 50, 100, 150, 250, 500, 800 or 1200.
        reach: Bound of the interval in which meetings are sought, [-reach, reach].
        max_area: Largest area; 0 means the level's.
    """

    reach: int = params.integer(5, 1, 100)
    max_area: int = params.integer(0, 0, 100_000)

    version = 4
    verifier = "algebra_func_area"
    answer_type = "decimal"
    words = _WORDS.part("area")
    own_axes = _axes(15)
    symbols = _symbols({"area": 4})

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw pairs until an area is enclosed narrowly enough to be rounded."""
        most = self.max_area or _CAPS[level - 1]
        for _ in range(_TRIES):
            f, g = _draw_pair(level, draws)
            if points(f, g) + 2 < _MIN_POINTS[level - 1]:
                continue
            p, q = self._ends(f, g, draws)
            ends = Fraction(p, 10), Fraction(q, 10)
            try:
                if not all(laps_of(function, *ends).is_whole() for function in (f, g)):
                    continue
                tenths = _tenths(area(f, g, *ends, most))
            except UndecidedError:
                continue
            if tenths is not None and 0 < tenths <= 10 * most:
                return Problem(
                    ("area", *pair_trees(f, g), p, q),
                    f"{tenths // 10}.{tenths % 10}",
                    {"p": _decimal(p), "q": _decimal(q)},
                    axes=_built(f, g),
                    data=(f, g),
                )
        return None

    def interval_of(self, problem: Problem) -> tuple[Fraction, Fraction]:
        """Return the ends of the region."""
        *_, p, q = cast("tuple[Any, ...]", problem.tree)
        return Fraction(p, 10), Fraction(q, 10)

    def closing_lines(self, problem: Problem, low: Fraction, high: Fraction) -> list[str]:
        """Add up the areas of a few parts."""
        f, g = problem.data
        return list(area_lines(f, g, (low, high), problem.answer))

    def _ends(self, f: Function, g: Function, draws: RowDraws) -> tuple[int, int]:
        """Return the approximate places of two consecutive meetings, in tenths, or the default."""
        places = changes(f, g, -self.reach, self.reach)[:_MAX_CHANGES]
        tenths = np.unique(np.rint(10 * places).astype(int)).tolist()
        pairs = [(p, q) for p, q in pairwise(tenths) if q >= p + _NARROWEST]
        return draws.choice(pairs) if pairs else _DEFAULT_ENDS


def _decimal(tenths: int) -> str:
    return f"{'-' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10}"


def _tenths(bounds: tuple[float, float]) -> int | None:
    """Return an area in tenths, rounded, or None if it is too near to a tie."""
    low, high = (
        floor(10 * end + 0.5) for end in (bounds[0] - _AREA_MARGIN, bounds[1] + _AREA_MARGIN)
    )
    return low if low == high else None


GENERATORS = {
    "algebra_func_area": AlgebraFuncArea,
    "algebra_func_derivative_sign": AlgebraFuncDerivativeSign,
    "algebra_func_extrema": AlgebraFuncExtrema,
    "algebra_func_extrema_coords": AlgebraFuncExtremaCoords,
    "algebra_func_intersection": AlgebraFuncIntersection,
    "algebra_func_intersection_coords": AlgebraFuncIntersectionCoords,
    "algebra_func_zeros": AlgebraFuncZeros,
    "comp_parametric_intersection": CompParametricIntersection,
    "trans_func_intersection": TransFuncIntersection,
    "trans_integrations": TransIntegrations,
}
