"""Questions about functions from the text: counts backwards, meetings and areas on cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import floor as whole

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
_F, _G = function_hole("f"), function_hole("g")
_REACH = holes.pattern("(?:[1-9][0-9]?|100)", int)
_NUMBER = holes.pattern("[1-9][0-9]{0,3}", int)
_DECIMAL = holes.pattern(
    r"(?:-?[1-9][0-9]{0,2}\.[0-9]|0\.[0-9]|-0\.[1-9])", lambda text: int(text.replace(".", ""))
)
_TURNS = {"extrema": (1, -1), "minima": (-1,), "maxima": (1,)}
"""Directions of the function just left of each kind of extremum."""
_WHATS = {text: name for name, text in _WORDS["extrema_coords"]["what"].items()}
_WIDTHS = 1e-4, 1e-7, 1e-11
"""Widths to which meetings are narrowed one after another."""

Single = tuple[str, Layers, int]
"""Kind of question, function and end of the interval."""
Double = tuple[Layers, Layers, int]


def _chain(layers: Layers, reach: int, bits: int) -> Chain:
    return Chain(layers, QQ(-reach), QQ(reach), bits)


def _single(kind: str, f: Layers | None, angles: bool, r: int) -> Single | None:
    return (kind, f, r) if f is not None and angles_match(angles, f) else None


@reads(_WORDS.part("zeros"), f=_F, angles=ANGLES, r=_REACH)
def _read_zeros(f: Layers | None, angles: bool, r: int) -> Single | None:
    return _single("zeros", f, angles, r)


_read_extrema = reads(_WORDS.part("extrema"), f=_F, angles=ANGLES, r=_REACH)(_single)
_read_signs = reads(_WORDS.part("signs"), f=_F, angles=ANGLES, r=_REACH)(_single)


def _count(problem: Single) -> str | None:
    """Go back from zero, from every turning point, or from every pole as well."""
    kind, layers, reach = problem

    def count(bits: int) -> int:
        chain = _chain(layers, reach, bits)
        if kind == "zeros":
            return chain.zeros()
        if kind in ("positive", "negative"):
            return chain.pieces(1 if kind == "positive" else -1)
        return sum(cut.number for cut in _extrema(chain, kind))

    number = settled(count)
    return None if number is None else str(number)


def _follows_count(problem: Single, answer: str, lines: Sequence[str]) -> bool:
    kind, layers, reach = problem
    if kind == "zeros":
        last = settled(lambda bits: zero_line(_chain(layers, reach, bits)))
    else:
        last = f"{kind}: {answer}"
    return lines[-1] == last and layers_hold([layers], (QQ(-reach), QQ(reach)), lines[:-1])


def _extrema(chain: Chain, kind: str) -> list[Cut]:
    return [cut for cut in chain.cuts() if cut.defined and cut.direction in _TURNS[kind]]


Extremum = tuple[str, str, int, Layers, int]
"""Pick, kind of extremum, its number, function and end of the interval."""


@reads(
    _WORDS.part("extrema_coords"), f=_F, angles=ANGLES, r=_REACH, k=_NUMBER, what=holes.word(_WHATS)
)
def _read_extremum(
    kind: str,
    f: Layers | None,
    angles: bool,
    r: int,
    what: str,
    k: int = 1,
) -> Extremum | None:
    if f is None or not angles_match(angles, f):
        return None
    return kind, _WHATS[what], k, f, r


def _extremum(problem: Extremum) -> str | None:
    """List all extrema in order, by the inverses of the layers."""
    pick, kind, k, layers, reach = problem

    def place(bits: int) -> int | None:
        chain = _chain(layers, reach, bits)
        cuts = _extrema(chain, kind)
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


def _follows_extremum(problem: Extremum, answer: str, lines: Sequence[str]) -> bool:
    *_, layers, reach = problem
    last = settled(lambda bits: _extremum_lines(problem, answer, bits))
    fine = last is not None and list(lines[-2:]) == last
    return fine and layers_hold([layers], (QQ(-reach), QQ(reach)), lines[:-2])


def _extremum_lines(problem: Extremum, answer: str, bits: int) -> list[str]:
    """Write the places that matter, rounded down, and which they are."""
    pick, kind, k, layers, reach = problem
    chain = _chain(layers, reach, bits)
    cuts = _extrema(chain, kind)
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


@reads(_WORDS.part("intersection"), f=_F, g=_G, angles=ANGLES, r=_REACH)
def _read_meetings(f: Layers | None, g: Layers | None, angles: bool, r: int) -> Double | None:
    if f is None or g is None or not angles_match(angles, f, g):
        return None
    return f, g, r


def _meetings(problem: Double) -> str | None:
    f, g, reach = problem
    cells = Pair(f, g, -reach, reach).meetings()
    return None if cells is None else str(len(cells.low))


def _follows_meetings(problem: Double, answer: str, lines: Sequence[str]) -> bool:
    f, g, reach = problem
    fine = len(lines) > 2 and lines[-1] == f"solutions: {answer}"
    return (
        fine
        and layers_hold([f, g], (QQ(-reach), QQ(reach)), lines[:-2])
        and places_hold(Pair(f, g, -reach, reach), lines[-2]) == int(answer)
    )


Meeting = tuple[str, int, Layers, Layers, int]
"""Pick, number of the meeting, functions and end of the interval."""


@reads(_WORDS.part("intersection_coords"), f=_F, g=_G, angles=ANGLES, r=_REACH, k=_NUMBER)
def _read_meeting(
    kind: str,
    f: Layers | None,
    g: Layers | None,
    angles: bool,
    r: int,
    k: int = 1,
) -> Meeting | None:
    if f is None or g is None or not angles_match(angles, f, g):
        return None
    return kind, k, f, g, r


def _meeting(problem: Meeting) -> str | None:
    """Narrow the cells of meetings until the place, sum or mean rounds alike at both ends."""
    pick, k, f, g, reach = problem
    pair = Pair(f, g, -reach, reach)
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


def _follows_meeting(problem: Meeting, answer: str, lines: Sequence[str]) -> bool:
    pick, k, f, g, reach = problem
    what = pick.replace("_", " the ")
    what = f"number {k} {what}" if pick.startswith("from") else what
    fine = len(lines) > 2 and lines[-1] == f"{what}, to the nearest integer: {answer}"
    return (
        fine
        and layers_hold([f, g], (QQ(-reach), QQ(reach)), lines[:-2])
        and places_hold(Pair(f, g, -reach, reach), lines[-2]) is not None
    )


Region = tuple[Layers, Layers, int, int]
"""Two functions, and the ends of a region in tenths."""


@reads(_WORDS.part("area"), f=_F, g=_G, angles=ANGLES, p=_DECIMAL, q=_DECIMAL)
def _read_region(
    f: Layers | None,
    g: Layers | None,
    angles: bool,
    p: int,
    q: int,
) -> Region | None:
    if f is None or g is None or not p < q or not angles_match(angles, f, g):
        return None
    return f, g, p, q


def _area(problem: Region) -> str | None:
    f, g, p, q = problem
    tenths = Pair(f, g, p / 10, q / 10).tenths()
    return None if tenths is None else f"{tenths // 10}.{tenths % 10}"


def _follows_area(problem: Region, answer: str, lines: Sequence[str]) -> bool:
    f, g, p, q = problem
    n = len(f) + len(g)
    return layers_hold([f, g], (QQ(p, 10), QQ(q, 10)), lines[:n]) and areas_hold(
        (f, g), (100 * p, 100 * q), answer, lines[n:]
    )


VERIFIERS = {
    "algebra_func_area": PlainVerifier(_read_region, _area, "decimal", _follows_area),
    "algebra_func_derivative_sign": PlainVerifier(_read_signs, _count, follows=_follows_count),
    "algebra_func_extrema": PlainVerifier(_read_extrema, _count, follows=_follows_count),
    "algebra_func_extrema_coords": PlainVerifier(
        _read_extremum, _extremum, follows=_follows_extremum
    ),
    "algebra_func_intersection": PlainVerifier(
        _read_meetings, _meetings, follows=_follows_meetings
    ),
    "algebra_func_intersection_coords": PlainVerifier(
        _read_meeting, _meeting, follows=_follows_meeting
    ),
    "algebra_func_zeros": PlainVerifier(_read_zeros, _count, follows=_follows_count),
    **CURVE_VERIFIERS,
}
