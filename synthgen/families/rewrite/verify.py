"""String rewriting from the text: a regular expression, then `str.replace`.

The problem `x > y | z` is between the last two backticks of a prompt, or the whole prompt if there
are none. Letters are a to z, and `_` is the empty right side.
"""

from __future__ import annotations

import re

from synthgen.authoring import PlainVerifier, exactly
from synthgen.authoring.verifier import problem_of

_PROBLEM = re.compile(r"([a-z]+) > ([a-z]+|_) \| ([a-z]+)")

Problem = tuple[str, str, str]
"""x, y and z."""


def _read(prompt: str) -> Problem | None:
    match = _PROBLEM.fullmatch(problem_of(prompt))
    if match is None:
        return None
    x, y, z = match.groups()
    return x, y.replace("_", ""), z


def _solve(problem: Problem) -> str:
    x, y, z = problem
    return z.replace(x, y, 1)


def _lines(problem: Problem) -> list[str]:
    """Return z with its leftmost x in brackets and the letters before it counted, then with y."""
    x, y, z = problem
    before, match, after = z.partition(x)
    if not match:
        return ["none"]
    return [f"{len(before)}: {before}[{x}]{after}", f"{before}[{y}]{after}"]


VERIFIERS = {"rewrite": PlainVerifier(_read, _solve, "string", exactly(_lines), remembered=0)}
