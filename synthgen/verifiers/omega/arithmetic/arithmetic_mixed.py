"""Expressions from the text: read by precedence, worked out in fractions and by SymPy."""

from __future__ import annotations

import re
from math import gcd

from synthgen.verifiers.omega._definitions import (
    Definitions,
    read_definitions,
    settle,
    settle_exactly,
)
from synthgen.verifiers.omega._expressions import (
    Tree,
    exact_value,
    lines_of,
    ratio_of,
    read_expression,
)
from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings

_FORMAT = "Give an integer, or a fraction p/q in lowest terms with a positive denominator."
_WORDINGS: tuple[re.Pattern[str], ...] = wordings(
    f"Evaluate <text>. {_FORMAT}",
    f"What is the exact value of <text>? {_FORMAT}",
    f"Work out <text>. {_FORMAT}",
    f"Simplify <text> to a single number. {_FORMAT}",
    f"Calculate <text> without rounding. {_FORMAT}",
    text="[^.?]+",
)

Problem = tuple[Definitions, Tree]


def _read(statement: str) -> Problem | None:
    found = read_definitions(statement)
    match = read_as(found[1], _WORDINGS) if found else None
    if found is None or match is None:
        return None
    tree = read_expression(match["text"])
    return None if tree is None else (found[0], tree)


def _solve(problem: Problem) -> str | None:
    definitions, tree = problem
    known = settle(definitions)
    value = None if known is None else ratio_of(tree, known)
    if value is None:
        return None
    common = gcd(*value) * (-1 if value[1] < 0 else 1)
    top, bottom = value[0] // common, value[1] // common
    return str(top) if bottom == 1 else f"{top}/{bottom}"


def _exact(problem: Problem) -> str | None:
    from sympy import Integer

    definitions, tree = problem
    known = settle_exactly(definitions)
    if known is None:
        return None
    value = exact_value(tree, {letter: Integer(number) for letter, number in known.items()})
    if value is None:
        return None
    return str(value.p) if value.q == 1 else f"{value.p}/{value.q}"


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Follow every sign from the inside out; the last result is the answer."""
    definitions, tree = problem
    known = settle(definitions)
    if known is None:
        return False
    lines = [f"{letter} = {number}" for letter, number in known.items()]
    lines += lines_of(tree, known)
    return way == "\n".join(lines) and way.endswith(f"= {answer}")


VERIFIER = PlainVerifier(_read, _solve, _exact, "rational", _follows, remembered=0)
