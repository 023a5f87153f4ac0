"""Expressions from the text: read by precedence, worked out in fractions and by SymPy."""

from __future__ import annotations

import re
from functools import partial
from math import gcd

import numpy as np
from numba import njit
from numpy.typing import NDArray

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
from synthgen.verifiers.omega._quick_ratios import expression_at
from synthgen.verifiers.omega._quick_sums import definitions_at, working_arrays
from synthgen.verifiers.omega._quick_text import (
    MOST_BYTES,
    Bytes,
    Marks,
    first_part,
    fixed_parts,
    is_ratio,
    part_end,
    statement_end,
)
from synthgen.verifiers.omega._wordings import read_as, wordings

_FORMAT = "Give an integer, or a fraction p/q in lowest terms with a positive denominator."
_TEXTS = (
    f"Evaluate <text>. {_FORMAT}",
    f"What is the exact value of <text>? {_FORMAT}",
    f"Work out <text>. {_FORMAT}",
    f"Simplify <text> to a single number. {_FORMAT}",
    f"Calculate <text> without rounding. {_FORMAT}",
)
_WORDINGS: tuple[re.Pattern[str], ...] = wordings(*_TEXTS, text="[^.?]+")
_PARTS = fixed_parts(*(part for text in _TEXTS for part in text.split("<text>")))
"""What stands before and behind the expression, wording by wording."""

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


@njit(cache=True, nogil=True)
def _quick(
    parts: Bytes,
    marks: Marks,
    prompts: Bytes,
    prompt_ends: Marks,
    answers: Bytes,
    answer_ends: Marks,
) -> NDArray[np.bool_]:
    """Say which rows are right for sure, where all ratios fit into words."""
    n = len(prompt_ends) - 1
    right = np.zeros(n, np.bool_)
    values, known, ratios, signs = working_arrays()
    for i in range(n):
        low = prompt_ends[i]
        end = statement_end(prompts, low, prompt_ends[i + 1])
        if end - low > MOST_BYTES:
            continue
        known[:] = False
        low = definitions_at(prompts, low, end, values, known, ratios, signs)
        place, at = first_part(prompts, low, end, parts, marks, 2)
        if at < 0:
            continue
        at = expression_at(prompts, at, end, values, known, ratios, signs)
        if part_end(prompts, at, end, parts, marks, place + 1) == end:
            low, stop = answer_ends[i], answer_ends[i + 1]
            right[i] = is_ratio(answers, low, stop, ratios[0, 0], ratios[0, 1])
    return right


VERIFIER = PlainVerifier(
    _read, _solve, _exact, "rational", _follows, remembered=0, quick=partial(_quick, *_PARTS)
)
