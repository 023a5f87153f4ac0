"""Places of extrema from the text: all of them in order, by the inverses of the layers."""

from __future__ import annotations

from fractions import Fraction

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra._func_back import Chain
from synthgen.verifiers.omega.algebra._func_fixed import (
    Number,
    OpenError,
    affine,
    over_integer,
    plus,
    sign,
)
from synthgen.verifiers.omega.algebra._func_points import (
    KINDS,
    Point,
    in_order,
    turning_points,
)
from synthgen.verifiers.omega.algebra._func_quick import place
from synthgen.verifiers.omega.algebra._func_read import (
    FORMULA,
    Layers,
    read_functions,
    without_remark,
)
from synthgen.verifiers.omega.algebra._func_verifier import MOST_REACH, nearest_integer, settled

_R = r"[1-9][0-9]{0,2}"
_PICKS = wordings(
    "Let p be the x-coordinate of number <k> of these points, counted from the left.",
    "Let p be the x-coordinate of number <k> of these points, counted from the right.",
    "Let p be the x-coordinate of the one at which f has the greatest value.",
    "Let p be the x-coordinate of the one at which f has the least value.",
    "Let p be the mean of their x-coordinates.",
    k=_R,
)
_WORDINGS = wordings(
    "Let <f>. Consider all <what> of f with -<r> < x < <s>; corners of the graph count, points"
    " where f is undefined do not. <pick> Round p to the nearest integer and give that integer.",
    "Given <f>, look at the <what> that f has in the open interval (-<r>, <s>), at corners or not,"
    " but only where no denominator is zero. <pick> Which integer is nearest to p?",
    "Consider <f> and its <what> strictly between x = -<r> and x = <s>, those at corners included;"
    " f has no value where a denominator vanishes. <pick> Answer with the integer nearest to p.",
    "For <f>, take every one of the <what> inside the interval from -<r> to <s>, its ends left out."
    " Corners are allowed, gaps in the domain of f are not. <pick> Give p rounded to the nearest"
    " integer.",
    f=FORMULA,
    r=_R,
    s=_R,
    what=r"local (?:minima|maxima|extrema \(minima and maxima together\))",
    pick=r"Let p be [-a-z0-9 ,]{1,80}\.",
)
Problem = tuple[Layers, int, tuple[int, ...], int, int]


def _read(statement: str) -> Problem | None:
    match = read_as(without_remark(statement), _WORDINGS)
    if match is None or match["r"] != match["s"] or int(match["r"]) > MOST_REACH:
        return None
    functions = read_functions(match["f"])
    if functions is None or len(functions) != 1:
        return None
    for number, pattern in enumerate(_PICKS):
        pick = pattern.fullmatch(match["pick"])
        if pick is not None:
            k = int(pick["k"]) if pick.re.groups else 1
            return functions[0], int(match["r"]), KINDS[match["what"]], number, k
    return None


def _x(chain: Chain, kinds: tuple[int, ...], pick: int, k: int) -> int | None:
    points = [p for p in turning_points(chain, heights=pick in (2, 3)) if p.kind in kinds]
    if not points or k > len(points):
        return None
    if pick in (2, 3):
        return nearest_integer(_outermost(points, 1 if pick == 2 else -1, chain.bits).x, chain.bits)
    if pick == 4:
        total: Number = Fraction(0)
        for point in points:
            total = plus(total, point.x, chain.bits)
        return nearest_integer(over_integer(total, len(points)), chain.bits)
    ordered = in_order(points, chain.bits)
    return nearest_integer(ordered[k - 1 if pick == 0 else -k].x, chain.bits)


def _outermost(points: list[Point], side: int, bits: int) -> Point:
    """Return the one point whose value is greatest (side 1) or least (side -1)."""
    best = points[0]
    for point in points[1:]:
        if point.value is None or best.value is None:
            raise OpenError
        above = sign(plus(point.value, affine(best.value, -1, 0, bits), bits)) * side
        best = point if above > 0 else best
    ties = 0
    for point in points:
        if point.value is not None and best.value is not None:
            ties += sign(plus(point.value, affine(best.value, -1, 0, bits), bits)) == 0
    if ties != 1:
        raise OpenError
    return best


def _solve(problem: Problem) -> str | None:
    x = place(*problem)
    return _exact(problem) if x is None else str(x)


def _exact(problem: Problem) -> str | None:
    """Go back through the layers in long integers."""
    layers, reach, kinds, pick, k = problem
    x = settled(layers, reach, lambda chain: _x(chain, kinds, pick, k))
    return None if x is None else str(x)


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
