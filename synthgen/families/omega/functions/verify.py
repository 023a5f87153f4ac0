"""Questions about functions from the text: counts backwards, meetings and areas on cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import floor as whole
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from sympy.polys.domains import QQ

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.families.omega.functions.verify_back import (
    Chain,
    Cut,
    Number,
    floor,
    settled,
    sign,
)
from synthgen.families.omega.functions.verify_boxes import Pair
from synthgen.families.omega.functions.verify_curves import CURVE_VERIFIERS
from synthgen.families.omega.functions.verify_read import (
    ANGLES,
    Layers,
    angles_match,
    function_hole,
)
from synthgen.families.omega.functions.verify_steps import (
    areas_hold,
    layers_hold,
    places_hold,
    written,
    zero_line,
)

_WORDS = Words.beside(__file__)
_DECIMAL = holes.pattern(
    r"(?:-?[1-9][0-9]{0,2}\.[0-9]|0\.[0-9]|-0\.[1-9])", lambda text: int(text.replace(".", ""))
)
_TURNS = {"extrema": (1, -1), "minima": (-1,), "maxima": (1,)}
"""Directions of the function just left of each kind of extremum."""
_WHATS = {text: name for name, text in _WORDS["extrema_coords"]["what"].items()}
_WIDTHS = 1e-4, 1e-7, 1e-11
"""Widths to which meetings are narrowed one after another."""


class Question(NamedTuple):
    """A question about one or two functions.

    Attributes:
        kind: Kind of question.
        functions: Function f, and g if there is one.
        low, high: Ends of the interval, in tenths.
        k: Number of the place in question.
        what: Kind of the extrema in question.
    """

    kind: str
    functions: tuple[Layers, ...]
    low: int
    high: int
    k: int = 1
    what: str = ""

    @property
    def ends(self) -> tuple[Number, Number]:
        """The ends of the interval."""
        return QQ(self.low, 10), QQ(self.high, 10)

    def chain(self, bits: int) -> Chain:
        """Return the function, with a precision."""
        return Chain(self.functions[0], *self.ends, bits)

    def pair(self) -> Pair:
        """Return both functions."""
        return Pair(self.functions, self.low / 10, self.high / 10)


def _reader(part: str) -> Callable[[str], Question | None]:
    """Return the reader of the questions of a family."""

    @reads(
        _WORDS.part(part),
        **{name: function_hole(name) for name in "fg"},
        angles=ANGLES,
        r=holes.pattern("(?:[1-9][0-9]?|100)", int),
        p=_DECIMAL,
        q=_DECIMAL,
        nth=holes.ORDINAL,
        what=holes.word(_WHATS),
    )
    def read(
        kind: str = part, *, angles: bool, what: str = "", nth: int = 1, **given: Any
    ) -> Question | None:
        functions = tuple(given[name] for name in "fg" if name in given)
        low, high = (
            (given["p"], given["q"]) if "p" in given else (-10 * given["r"], 10 * given["r"])
        )
        if low >= high or not angles_match(angles, *functions):
            return None
        return Question(kind, functions, low, high, nth, _WHATS.get(what, ""))

    return read


def _count(problem: Question) -> str | None:
    """Go back from zero, from every turning point, or from every pole as well."""
    kind = problem.kind

    def count(bits: int) -> int:
        chain = problem.chain(bits)
        if kind == "zeros":
            return chain.zeros()
        if kind in ("positive", "negative"):
            return chain.pieces(1 if kind == "positive" else -1)
        return sum(cut.number for cut in _extrema(chain, kind))

    number = settled(count)
    return None if number is None else str(number)


def _closes_count(problem: Question, answer: str, lines: Sequence[str]) -> bool:
    last: str | None = f"{problem.kind}: {answer}"
    if problem.kind == "zeros":
        last = settled(lambda bits: zero_line(problem.chain(bits)))
    return list(lines) == [last]


def _extrema(chain: Chain, kind: str) -> list[Cut]:
    return [cut for cut in chain.cuts if cut.defined and cut.direction in _TURNS[kind]]


def _extremum(problem: Question) -> str | None:
    """List all extrema in order, by the inverses of the layers."""
    pick, k = problem.kind, problem.k

    def place(bits: int) -> int | None:
        chain = problem.chain(bits)
        cuts = _extrema(chain, problem.what)
        if pick in ("highest", "lowest"):
            cuts = _outermost(chain, cuts, 1 if pick == "highest" else -1)
        places = [x for cut in cuts for x in cut.places()]
        if len(places) < k:
            return None
        if pick == "mean":
            return _nearest(chain, reduce(chain.plus, places) / len(places))
        return _nearest(chain, chain.in_order(places)[-k if pick == "from_right" else k - 1])

    nearest = settled(place)
    return None if nearest is None else str(nearest)


def _closes_extremum(problem: Question, answer: str, lines: Sequence[str]) -> bool:
    return list(lines) == settled(lambda bits: _extremum_lines(problem, answer, bits))


def _extremum_lines(problem: Question, answer: str, bits: int) -> list[str]:
    """Write the places that matter, rounded down, and which they are."""
    pick, k, chain = problem.kind, problem.k, problem.chain(bits)
    cuts = _extrema(chain, problem.what)
    what, n = pick, sum(cut.number for cut in cuts)
    if pick in ("highest", "lowest"):
        cuts = _outermost(chain, cuts, 1 if pick == "highest" else -1)
        what = f"{pick} of {n}, value {cuts[0].value}"
    places = [x for cut in cuts for x in cut.places()]
    if pick == "mean":
        places = chain.in_order(places)
    elif pick.startswith("from"):
        what = f"number {k} of {n}"
        places = [chain.in_order(places)[-k if pick == "from_right" else k - 1]]
    listed = ", ".join(written(floor(x * 1000)[0]) for x in places)
    return [f"x = {listed}", f"{what}, to the nearest integer: {answer}"]


def _outermost(chain: Chain, cuts: list[Cut], side: int) -> list[Cut]:
    """Return the cut with the greatest (1) or least (-1) value, none if several places have it."""
    best: list[Cut] = []
    for cut in cuts:
        above = 1
        if best:
            above = sign(chain.plus(cut.value, -best[0].value)) * side
        best = [cut] if above > 0 else [*best, cut] if above == 0 else best
    return best if sum(cut.number for cut in best) == 1 else []


def _nearest(chain: Chain, x: Number) -> int | None:
    """Return the nearest integer, None for a tie."""
    nearest, tie = floor(chain.plus(x, QQ(1, 2)))
    return None if tie else nearest


def _meetings(problem: Question) -> str | None:
    cells = problem.pair().meetings()
    return None if cells is None else str(len(cells.low))


def _closes_meetings(problem: Question, answer: str, lines: Sequence[str]) -> bool:
    return (
        len(lines) == 2
        and lines[1] == f"solutions: {answer}"
        and places_hold(problem.pair(), lines[0]) == int(answer)
    )


def _meeting(problem: Question) -> str | None:
    """Narrow the cells of meetings until the place, sum or mean rounds alike at both ends."""
    pick, k, pair = problem.kind, problem.k, problem.pair()
    cells = pair.meetings()
    if cells is None or len(cells.low) < k:
        return None
    if pick.startswith("from"):
        at = k - 1 if pick == "from_left" else len(cells.low) - k
        cells = cells.kept(np.arange(len(cells.low)) == at)
    for width in _WIDTHS:
        cells = pair.narrowed(cells, width)
        if cells is None:
            return None
        margin = 1e-12 * len(cells.low)
        ends = cells.low.sum() - margin, cells.high.sum() + margin
        low, high = (whole(x / (len(cells.low) if pick == "mean" else 1) + 0.5) for x in ends)
        if low == high:
            return str(low)
    return None


def _closes_meeting(problem: Question, answer: str, lines: Sequence[str]) -> bool:
    what = problem.kind.replace("_", " the ")
    what = f"number {problem.k} {what}" if problem.kind.startswith("from") else what
    return (
        len(lines) == 2
        and lines[1] == f"{what}, to the nearest integer: {answer}"
        and places_hold(problem.pair(), lines[0]) is not None
    )


def _area(problem: Question) -> str | None:
    tenths = problem.pair().tenths()
    return None if tenths is None else f"{tenths // 10}.{tenths % 10}"


def _closes_area(problem: Question, answer: str, lines: Sequence[str]) -> bool:
    return areas_hold(problem.functions, (100 * problem.low, 100 * problem.high), answer, lines)


Solve: TypeAlias = Callable[[Question], str | None]
Close: TypeAlias = Callable[[Question, str, Sequence[str]], bool]
"""Returns whether the lines after those about layers lead to the answer."""


def _verifier(part: str, solve: Solve, closes: Close, kind: str = "integer") -> PlainVerifier[Any]:
    def follows(problem: Question, answer: str, lines: Sequence[str]) -> bool:
        n = sum(map(len, problem.functions))
        about_layers = layers_hold(problem.functions, problem.ends, lines[:n])
        return about_layers and closes(problem, answer, lines[n:])

    return PlainVerifier(_reader(part), solve, kind, follows)


VERIFIERS = {
    "algebra_func_area": _verifier("area", _area, _closes_area, "decimal"),
    "algebra_func_derivative_sign": _verifier("signs", _count, _closes_count),
    "algebra_func_extrema": _verifier("extrema", _count, _closes_count),
    "algebra_func_extrema_coords": _verifier("extrema_coords", _extremum, _closes_extremum),
    "algebra_func_intersection": _verifier("intersection", _meetings, _closes_meetings),
    "algebra_func_intersection_coords": _verifier("intersection_coords", _meeting, _closes_meeting),
    "algebra_func_zeros": _verifier("zeros", _count, _closes_count),
    **CURVE_VERIFIERS,
}
