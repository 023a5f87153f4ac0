"""Local extrema from the text: back from every layer's turning point, each kind by its slopes."""

from __future__ import annotations

from functools import lru_cache

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra._func_fixed import OpenError
from synthgen.verifiers.omega.algebra._func_pieces import pieces_of
from synthgen.verifiers.omega.algebra._func_points import HIGHEST, KINDS, LOWEST, turning_points
from synthgen.verifiers.omega.algebra._func_quick import extrema
from synthgen.verifiers.omega.algebra._func_read import (
    FORMULA,
    Layers,
    read_functions,
    without_remark,
)
from synthgen.verifiers.omega.algebra._func_verifier import MOST_REACH, settled

_R = r"[1-9][0-9]{0,2}"
_WORDINGS = wordings(
    "Let <f>. How many <what> does f have strictly between x = -<r> and x = <s>? Corners of the"
    " graph count like smooth ones; points where f is undefined and the ends of the interval do"
    " not count. Give an integer.",
    "Given <f>, count the <what> of f in the open interval (-<r>, <s>). They may lie at corners,"
    " where f has no derivative, but not where a denominator is zero. Answer with an integer.",
    "Consider <f> for -<r> < x < <s>. What is the number of <what> in this open interval, those at"
    " corners included? A point where f is not defined is none. The answer is an integer.",
    "For <f>, find how many <what> the graph of f has with -<r> < x < <s>, smooth or not; the ends"
    " of the interval are left out, and so is any x at which f is undefined. Give an integer.",
    f=FORMULA,
    r=_R,
    s=_R,
    what=r"local (?:minima|maxima|extrema \(minima and maxima together\))",
)
_REMEMBERED = 256
Problem = tuple[Layers, int, tuple[int, ...]]


def _read(statement: str) -> Problem | None:
    match = read_as(without_remark(statement), _WORDINGS)
    if match is None or match["r"] != match["s"] or int(match["r"]) > MOST_REACH:
        return None
    functions = read_functions(match["f"])
    if functions is None or len(functions) != 1:
        return None
    return functions[0], int(match["r"]), KINDS[match["what"]]


def _solve(problem: Problem) -> str | None:
    layers, reach, kinds = problem
    count = extrema(layers, reach, kinds)
    if count is None:
        points = settled(layers, reach, turning_points)
        count = None if points is None else sum(point.kind in kinds for point in points)
    return None if count is None else str(count)


@lru_cache(_REMEMBERED)
def _exact(problem: Problem) -> str | None:
    """Go forward, piece by piece."""
    layers, reach, kinds = problem
    try:
        turns = pieces_of(layers, reach).turns()
    except OpenError:  # values too large to be written down
        return _solve(problem)
    return str(sum((HIGHEST if highest else LOWEST) in kinds for highest in turns))


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
