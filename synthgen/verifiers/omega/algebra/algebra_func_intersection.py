"""Meetings of two graphs from the text: one by one, on cells where both functions are smooth."""

from __future__ import annotations

from functools import lru_cache

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra import _func_quick_meet
from synthgen.verifiers.omega.algebra._func_numeric import meetings
from synthgen.verifiers.omega.algebra._func_read import (
    FORMULA,
    Layers,
    read_functions,
    without_remark,
)
from synthgen.verifiers.omega.algebra._func_verifier import MOST_REACH, settled_pair

_R = r"[1-9][0-9]{0,2}"
_WORDINGS = wordings(
    "Let <f>. In how many points do the graphs of f and g meet for -<r> <= x <= <s>? Points where f"
    " or g is undefined are none. Give an integer.",
    "Given <f>, count the different solutions of f(x) = g(x) in the closed interval [-<r>, <s>]. At"
    " a solution both functions must be defined. Answer with an integer.",
    "Consider <f>. How many numbers x from -<r> to <s> (both included) satisfy f(x) = g(x), both"
    " sides being defined? The answer is an integer.",
    "For <f>, find the number of intersection points of the two graphs above the interval"
    " [-<r>, <s>] of the x-axis, its ends included. Where a denominator is zero there is no point."
    " Give an integer.",
    f=FORMULA.replace("A-Z", ";A-Z"),
    r=_R,
    s=_R,
)
_REMEMBERED = 256
Problem = tuple[Layers, Layers, int]


def _read(statement: str) -> Problem | None:
    match = read_as(without_remark(statement), _WORDINGS)
    if match is None or match["r"] != match["s"] or int(match["r"]) > MOST_REACH:
        return None
    functions = read_functions(match["f"])
    if functions is None or len(functions) != 2:
        return None
    return functions[0], functions[1], int(match["r"])


def _solve(problem: Problem) -> str | None:
    """Count in floats, or in long integers where those leave anything open."""
    count = _func_quick_meet.meetings(*problem)
    if count is None:
        return _slow(problem)
    return str(count)


def _slow(problem: Problem) -> str | None:
    count = settled_pair(*problem, lambda meeting: len(meeting.cells()))
    return None if count is None else str(count)


@lru_cache(_REMEMBERED)
def _exact(problem: Problem) -> str | None:
    """Count changes of sign on a fine grid."""
    f, g, reach = problem
    places = meetings(f, g, reach)
    return _slow(problem) if places is None else str(len(places))


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
