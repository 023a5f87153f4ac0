"""Lattice paths by turns, from the text: step by step, and run by run."""

from __future__ import annotations

from functools import lru_cache

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.composition._questions import Questions

_TEXTS = {
    "exact": (
        "A path on the square grid leads from the origin to the point (<w>, <h>) by steps of"
        " length one to the right or up. A turn is a point of the path where a step to the right"
        " is directly followed by a step up, or the other way round. How many such paths have"
        " exactly <k> turns? Give an integer.",
        "A robot makes <w> steps to the right and <h> steps up on a grid, in any order. It turns"
        " whenever a step has another direction than the step just before it. In how many orders"
        " of the steps does it turn exactly <k> times? Answer with an integer.",
        "How many words with <w> letters R and <h> letters U are there in which two different"
        " letters stand next to each other in exactly <k> places? The answer is an integer.",
        "In a city of square blocks, somebody walks to a corner that is <w> blocks to the east and"
        " <h> blocks to the north, and always walks east or north. How many routes change their"
        " direction exactly <k> times? Give an integer.",
    ),
    "most": (
        "A path on the square grid leads from the origin to the point (<w>, <h>) by steps of"
        " length one to the right or up. A turn is a point of the path where a step to the right"
        " is directly followed by a step up, or the other way round. How many such paths have at"
        " most <k> turns? Give an integer.",
        "A robot makes <w> steps to the right and <h> steps up on a grid, in any order. It turns"
        " whenever a step has another direction than the step just before it. In how many orders"
        " of the steps does it turn no more than <k> times? Answer with an integer.",
        "How many words with <w> letters R and <h> letters U are there in which two different"
        " letters stand next to each other in <k> places or fewer? The answer is an integer.",
        "In a city of square blocks, somebody walks to a corner that is <w> blocks to the east and"
        " <h> blocks to the north, and always walks east or north. How many routes change their"
        " direction at most <k> times? Give an integer.",
    ),
    "start": (
        "A path on the square grid leads from the origin to the point (<w>, <h>) by steps of"
        " length one to the right or up, and begins with a step to the right. A turn is a point of"
        " the path where a step to the right is directly followed by a step up, or the other way"
        " round. How many such paths have exactly <k> turns? Give an integer.",
        "A robot makes <w> steps to the right and <h> steps up on a grid, in any order except that"
        " the first step is to the right. It turns whenever a step has another direction than the"
        " step just before it. In how many orders of the steps does it turn exactly <k> times?"
        " Answer with an integer.",
        "How many words with <w> letters R and <h> letters U begin with R and have two different"
        " letters next to each other in exactly <k> places? The answer is an integer.",
        "In a city of square blocks, somebody walks to a corner that is <w> blocks to the east and"
        " <h> blocks to the north, always walks east or north, and sets out to the east. How many"
        " routes change their direction exactly <k> times? Give an integer.",
    ),
}
_QUESTIONS = Questions(_TEXTS)
_MOST_SIZE = 60

Problem = tuple[str, int, int, int]
"""Kind, steps to the right, steps up, turns."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    w, h, k = (int(found[1][name]) for name in "whk")
    fits = min(w, h) >= 1 and max(w, h) <= _MOST_SIZE and 1 <= k <= 2 * _MOST_SIZE
    return (found[0], w, h, k) if fits else None


@lru_cache(1 << 10)
def _walked(w: int, h: int) -> tuple[list[int], list[int]]:
    """Count paths by turns, those that begin to the right and those that begin up.

    Every cell has the paths to it whose last step was to the right, and up, as lists by turns.
    """
    found = []
    for start in (0, 1):
        row: list[tuple[list[int], list[int]]] = []
        for y in range(h + 1):
            above, row = row, []
            for x in range(w + 1):
                if (x, y) == ((1, 0) if start == 0 else (0, 1)):
                    row.append(([1], []) if start == 0 else ([], [1]))
                    continue
                left = row[x - 1] if x else ([], [])
                below = above[x] if above else ([], [])
                row.append((_sum(left[0], [0, *left[1]]), _sum(below[1], [0, *below[0]])))
        found.append(_sum(*row[w]))
    return found[0], found[1]


def _sum(first: list[int], second: list[int]) -> list[int]:
    size = max(len(first), len(second))
    pairs = zip(first + [0] * (size - len(first)), second + [0] * (size - len(second)), strict=True)
    return [p + q for p, q in pairs]


def _total(problem: Problem, right: list[int], up: list[int]) -> str:
    kind, _, _, k = problem
    if kind == "start":
        return str(sum(right[k : k + 1]))
    both = _sum(right, up)
    return str(sum(both[: k + 1]) if kind == "most" else sum(both[k : k + 1]))


def _solve(problem: Problem) -> str:
    return _total(problem, *_walked(problem[1], problem[2]))


@lru_cache(1 << 14)
def _runs(steps: int, runs: int) -> int:
    """Count the ways to divide steps into runs, by the length of the first run."""
    if runs == 0:
        return int(steps == 0)
    return sum(_runs(steps - first, runs - 1) for first in range(1, steps - runs + 2))


def _exact(problem: Problem) -> str:
    _, w, h, k = problem
    right = [_runs(w, t // 2 + 1) * _runs(h, (t + 1) // 2) for t in range(k + 1)]
    up = [_runs(h, t // 2 + 1) * _runs(w, (t + 1) // 2) for t in range(k + 1)]
    return _total(problem, right, up)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have."""
    kind, w, h, k = problem
    if kind != "start":
        w, h = sorted((w, h))
    right, up = (side + [0] * (k + 1) for side in _walked(w, h))
    lines = []
    for t in range(k + 1) if kind == "most" else (k,):
        both = f"{right[t]}" if kind == "start" else f"{right[t]} + {up[t]} = {right[t] + up[t]}"
        lines.append(f"{t} turns: {both}")
    return way == "\n".join([*lines, f"paths: {answer}"]) and _solve(problem) == answer


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
