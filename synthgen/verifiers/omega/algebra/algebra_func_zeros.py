"""Zeros from the text: back from zero through the layers; and forward, piece by piece."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra._func_back import Chain
from synthgen.verifiers.omega.algebra._func_fixed import OpenError
from synthgen.verifiers.omega.algebra._func_pieces import pieces_of
from synthgen.verifiers.omega.algebra._func_quick import zeros
from synthgen.verifiers.omega.algebra._func_read import (
    FORMULA,
    Layers,
    read_functions,
    without_remark,
)
from synthgen.verifiers.omega.algebra._func_verifier import MOST_REACH, settled

_R = r"[1-9][0-9]{0,2}"
_WORDINGS = wordings(
    "Let <f>. How many zeros does f have in the closed interval [-<r>, <s>]? Count every zero once,"
    " whether the graph crosses or only touches the axis there; where a denominator is zero, f is"
    " undefined. Give an integer.",
    "Given <f>, count the different real solutions of f(x) = zero with -<r> <= x <= <s>. A solution"
    " at an end of the interval counts, and a point where a denominator vanishes is no solution."
    " Answer with an integer.",
    "Consider <f>. In how many points of [-<r>, <s>], ends included, does the graph of f meet the"
    " x-axis? Touching counts as meeting, and f has no value where a denominator is zero. The"
    " answer is an integer.",
    "For <f>, find the number of distinct x from -<r> to <s> (both included) at which f is defined"
    " and equal to zero. Give an integer.",
    f=FORMULA,
    r=_R,
    s=_R,
)
_REMEMBERED = 256
Problem = tuple[Layers, int]


def _read(statement: str) -> Problem | None:
    match = read_as(without_remark(statement), _WORDINGS)
    if match is None or match["r"] != match["s"] or int(match["r"]) > MOST_REACH:
        return None
    functions = read_functions(match["f"])
    return (functions[0], int(match["r"])) if functions and len(functions) == 1 else None


def _zeros(chain: Chain) -> int:
    return len(chain.places(len(chain.layers), Fraction(0), turning=True))


def _solve(problem: Problem) -> str | None:
    count = zeros(*problem)
    if count is None:
        count = settled(*problem, _zeros)
    return None if count is None else str(count)


@lru_cache(_REMEMBERED)
def _exact(problem: Problem) -> str | None:
    """Go forward, piece by piece."""
    try:
        return str(pieces_of(*problem).zeros())
    except OpenError:  # values too large to be written down
        return _solve(problem)


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
