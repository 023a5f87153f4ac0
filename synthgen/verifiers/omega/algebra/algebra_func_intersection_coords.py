"""Places of meetings from the text: each enclosed between two places of known signs."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra._func_fixed import Number, over_integer, plus
from synthgen.verifiers.omega.algebra._func_meet import Meeting
from synthgen.verifiers.omega.algebra._func_numeric import meetings
from synthgen.verifiers.omega.algebra._func_read import (
    FORMULA,
    Layers,
    read_functions,
    without_remark,
)
from synthgen.verifiers.omega.algebra._func_verifier import (
    MOST_REACH,
    nearest_integer,
    settled_pair,
)

_R = r"[1-9][0-9]{0,2}"
_PICKS = wordings(
    "Let p be the x-coordinate of number <k> of these points, counted from the left.",
    "Let p be the x-coordinate of number <k> of these points, counted from the right.",
    "Let p be the sum of their x-coordinates.",
    "Let p be the mean of their x-coordinates.",
    k=_R,
)
_WORDINGS = wordings(
    "Let <f>. Consider all points with -<r> <= x <= <s> in which the graphs of f and g meet. <pick>"
    " Round p to the nearest integer and give that integer.",
    "Given <f>, look at the intersection points of the two graphs whose x lies in [-<r>, <s>];"
    " where f or g is undefined there is none. <pick> Which integer is nearest to p?",
    "Consider <f> and the points, with x from -<r> to <s>, that both graphs have in common. <pick>"
    " Answer with the integer nearest to p.",
    "For <f>, take every point above the interval [-<r>, <s>] of the x-axis that lies on both"
    " graphs. <pick> Give p rounded to the nearest integer.",
    f=FORMULA.replace("A-Z", ";A-Z"),
    r=_R,
    s=_R,
    pick=r"Let p be [-a-z0-9 ,]{1,80}\.",
)
_REMEMBERED = 256
Problem = tuple[Layers, Layers, int, int, int]
_GRID_ERROR = 1e-3
_WIDTH = 40
"""Places are enclosed to 2^-40."""


def _read(statement: str) -> Problem | None:
    match = read_as(without_remark(statement), _WORDINGS)
    if match is None or match["r"] != match["s"] or int(match["r"]) > MOST_REACH:
        return None
    functions = read_functions(match["f"])
    if functions is None or len(functions) != 2:
        return None
    for place, pattern in enumerate(_PICKS):
        pick = pattern.fullmatch(match["pick"])
        if pick is not None:
            k = int(pick["k"]) if pick.re.groups else 1
            return functions[0], functions[1], int(match["r"]), place, k
    return None


def _x(meeting: Meeting, pick: int, k: int) -> int | None:
    cells = meeting.cells()
    bits = meeting.bits
    if not cells or k > len(cells):
        return None
    if pick < 2:
        cells = [cells[k - 1 if pick == 0 else -k]]
    total: Number = Fraction(0)
    for cell in cells:
        total = plus(total, meeting.narrowed(cell, 1 << (bits - _WIDTH)), bits)
    return nearest_integer(over_integer(total, len(cells)) if pick == 3 else total, bits)


def _solve(problem: Problem) -> str | None:
    f, g, reach, pick, k = problem
    x = settled_pair(f, g, reach, lambda meeting: _x(meeting, pick, k))
    return None if x is None else str(x)


@lru_cache(_REMEMBERED)
def _exact(problem: Problem) -> str | None:
    """Take the changes of sign on a fine grid; places near a tie are left to the other way."""
    f, g, reach, pick, k = problem
    places = meetings(f, g, reach)
    if places is None:
        return _solve(problem)
    if not len(places) or k > len(places):
        return None
    x = float(places[k - 1 if pick == 0 else -k])
    if pick >= 2:
        x = float(places.sum()) / (len(places) if pick == 3 else 1)
    near_tie = abs(abs(x - floor(x + 0.5)) - 0.5) < _GRID_ERROR * len(places)
    return _solve(problem) if near_tie else str(floor(x + 0.5))


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
