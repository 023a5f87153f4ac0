"""Areas from the text: Gauss-Legendre quadrature after an exact look for poles."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor, isfinite

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra._func_back import Chain
from synthgen.verifiers.omega.algebra._func_numeric import area
from synthgen.verifiers.omega.algebra._func_points import undefined_points
from synthgen.verifiers.omega.algebra._func_read import (
    FORMULA,
    Layers,
    read_functions,
    without_remark,
)
from synthgen.verifiers.omega.algebra._func_verifier import settled

_DECIMAL = r"-?(?:0|[1-9][0-9]{0,2})\.[0-9]"
_WORDINGS = wordings(
    "Let <f>. What is the area between the graphs of f and g from x = <p> to x = <q>? Parts with f"
    " below g count as positive, too. Round to one decimal.",
    "Given <f>, integrate the absolute value of f(x) - g(x) from x = <p> to x = <q>. Give the"
    " result rounded to one decimal.",
    "Consider <f>. Find the total area enclosed by the two graphs and the vertical lines x = <p>"
    " and x = <q>, all parts taken as positive, and round it to one decimal.",
    "For <f>, how large is the region between the two graphs with <p> <= x <= <q>? Add up all its"
    " parts without signs and state the total to one decimal.",
    f=FORMULA.replace("A-Z", ";A-Z"),
    p=_DECIMAL,
    q=_DECIMAL,
)
_REMEMBERED = 256
Problem = tuple[Layers, Layers, Fraction, Fraction]
_GRIDS = ((500, 4), (4_000, 4), (16_000, 8))
_AGREE = 5e-4
_EXACT_GRIDS = ((30_000, 3), (90_000, 2))
_LARGEST = 1e6


def _read(statement: str) -> Problem | None:
    match = read_as(without_remark(statement), _WORDINGS)
    if match is None:
        return None
    low, high = Fraction(match["p"]), Fraction(match["q"])
    functions = read_functions(match["f"])
    if functions is None or len(functions) != 2 or not -100 <= low < high <= 100:
        return None
    return functions[0], functions[1], low, high


def _whole(layers: Layers, low: Fraction, high: Fraction) -> bool:
    """Say whether a function is defined from `low` to `high`."""

    def defined(chain: Chain) -> bool:
        return not undefined_points(chain)

    return settled(layers, high, defined, low) is True


def _rounded(problem: Problem, grids: tuple[tuple[int, int], ...]) -> str | None:
    """Refine until two grids agree; None if they do not, or if the value is near a tie."""
    f, g, low, high = problem
    if not (_whole(f, low, high) and _whole(g, low, high)):
        return None
    before = float("inf")
    for cells, points in grids:
        now = area(f, g, float(low), float(high), cells, points)
        if not isfinite(now) or now > _LARGEST:
            return None
        if abs(now - before) < _AGREE:
            tenths = floor(10 * now + 0.5)
            if floor(10 * (now - _AGREE) + 0.5) != floor(10 * (now + _AGREE) + 0.5):
                return None
            return f"{tenths // 10}.{tenths % 10}"
        before = now
    return None


def _solve(problem: Problem) -> str | None:
    return _rounded(problem, _GRIDS)


@lru_cache(_REMEMBERED)
def _exact(problem: Problem) -> str | None:
    return _rounded(problem, _EXACT_GRIDS)


VERIFIER = PlainVerifier(_read, _solve, _exact, "decimal")
