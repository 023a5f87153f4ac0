"""Signs of a derivative from the text: all cuts in order, and the slope between each two."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra._func_back import Chain
from synthgen.verifiers.omega.algebra._func_fixed import Number, OpenError, bounds, sign
from synthgen.verifiers.omega.algebra._func_pieces import pieces_of
from synthgen.verifiers.omega.algebra._func_points import (
    UNDEFINED,
    Point,
    forward,
    in_order,
    monotone_rest,
    slope,
    turning_points,
    undefined_points,
)
from synthgen.verifiers.omega.algebra._func_quick import slopes
from synthgen.verifiers.omega.algebra._func_read import (
    FORMULA,
    Layers,
    read_functions,
    without_remark,
)
from synthgen.verifiers.omega.algebra._func_verifier import MOST_REACH, settled

_R = r"[1-9][0-9]{0,2}"
_SIGNS = {"positive": 1, "negative": -1}
_WORDINGS = wordings(
    "Let <f>. Into how many maximal open intervals does the set of all x with -<r> < x < <s> and a"
    " <what> derivative of f fall? Points where f is undefined or has no derivative do not belong"
    " to the set. Give an integer.",
    "Given <f>, count the maximal open subintervals of (-<r>, <s>) on which the derivative of f"
    " exists and is <what> everywhere. Answer with an integer.",
    "Consider <f> on the open interval (-<r>, <s>). How many maximal open intervals are there in it"
    " such that f has a <what> derivative at each of their points? The answer is an integer.",
    "For <f>, take all x strictly between -<r> and <s> at which f is differentiable with a <what>"
    " derivative. Of how many separate open intervals does this set consist? Give an integer.",
    f=FORMULA,
    r=_R,
    s=_R,
    what="positive|negative",
)
_PARTS = (32, 16, 48, 4, 60, 1, 63)
"""Places to look at, in sixty-fourths of a piece."""
_REMEMBERED = 256
Problem = tuple[Layers, int, int]


def _read(statement: str) -> Problem | None:
    match = read_as(without_remark(statement), _WORDINGS)
    if match is None or match["r"] != match["s"] or int(match["r"]) > MOST_REACH:
        return None
    functions = read_functions(match["f"])
    if functions is None or len(functions) != 1:
        return None
    return functions[0], int(match["r"]), _SIGNS[match["what"]]


def _slope_between(chain: Chain, left: Number, right: Number) -> int:
    """Return the sign of the derivative on a piece, at the first place that settles it."""
    low, high = bounds(left, chain.bits)[1], bounds(right, chain.bits)[0]
    for part in _PARTS:
        try:
            return _slope_sign(chain, Fraction(64 * low + part * (high - low), 64 << chain.bits))
        except OpenError:
            continue
    raise OpenError


def _slope_sign(chain: Chain, x: Fraction) -> int:
    """Return the sign of the derivative at a place where there is one that is not zero."""
    product = 1
    now: Number | None = x
    for place, layer in enumerate(chain.layers):
        rest = monotone_rest(chain.layers[place:])
        if rest:
            return product * rest
        if now is None:
            raise OpenError
        product *= sign(slope(layer, now, chain.bits))
        now = forward(layer, now, chain.bits)
    return product


def _pieces(chain: Chain) -> list[int]:
    """Return the sign of the derivative on each piece, from left to right."""
    inner = [*turning_points(chain), *undefined_points(chain)]
    ends = (chain.low, chain.high)
    points = in_order([point for point in inner if point.x not in ends], chain.bits)
    cuts = [Point(chain.low, UNDEFINED), *points, Point(chain.high, UNDEFINED)]
    signs = []
    for left, right in pairwise(cuts):
        if left.kind != UNDEFINED or right.kind != UNDEFINED:
            own = -left.kind if left.kind != UNDEFINED else right.kind
            if left.kind != UNDEFINED and right.kind == left.kind:
                raise OpenError
        else:
            own = _slope_between(chain, left.x, right.x)
        signs.append(own)
    return signs


def _solve(problem: Problem) -> str | None:
    layers, reach, wanted = problem
    count = slopes(layers, reach, wanted)
    if count is None:
        pieces = settled(layers, reach, _pieces)
        count = None if pieces is None else pieces.count(wanted)
    return None if count is None else str(count)


@lru_cache(_REMEMBERED)
def _exact(problem: Problem) -> str | None:
    """Go forward, piece by piece."""
    layers, reach, wanted = problem
    try:
        pieces = pieces_of(layers, reach).pieces
    except OpenError:  # values too large to be written down
        return _solve(problem)
    return str(sum(up == (wanted > 0) for _, _, up in pieces))


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
