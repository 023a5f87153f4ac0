"""Right angles between chords from the text: by the arcs that they cut off, and by coordinates.

Two chords that cross form the angle over half of the two arcs that it and its opposite stand on;
two with a common end form the angle over half of the arc between the others (Thales).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.verifiers.omega._forms import NUMBER, PAIRS, Form, Marks
from synthgen.verifiers.omega._kernel_check import NO_ANSWER, KernelVerifier, Problem
from synthgen.verifiers.omega.geometry._roots import (
    MOST_SIDES,
    SCALE,
    Line,
    roots,
    side,
    sign,
)

_FORM = Form(
    [
        (
            "The vertices of a regular polygon with <n> sides are numbered in order, beginning "
            "with one. The diagonals <pairs> are drawn, each named by its two ends. How many pairs "
            "of these diagonals meet at a right angle, inside the polygon or at one of its "
            "vertices? Give an integer.",
            "Number the vertices of a regular <n>-gon one after the other around it, starting from "
            "one. Each of these pairs of vertices is joined by a segment: <pairs>. Count the pairs "
            "of segments that are perpendicular and have a point in common, which may be an end of "
            "both. Answer with an integer.",
            "<n> points divide a circle into equal arcs and are numbered from one on around it. "
            "The chords <pairs> are drawn. In how many ways can two of these chords be chosen that "
            "cross or share an end, with an angle of ninety degrees between them? The answer is an "
            "integer.",
            "In a regular polygon whose <n> vertices carry the numbers one, two, three and so on "
            "around it, somebody draws the segments <pairs> between vertices. Find the number of "
            "unordered pairs of drawn segments that share a point and are at right angles there. "
            "Give an integer.",
        )
    ],
    {"n": NUMBER, "pairs": PAIRS},
)
_MOST_CHORDS = 400


@njit(cache=True, nogil=True)
def _right(a: Int, b: Int, c: Int, d: Int, n: Int) -> bool:
    """Say whether two different chords meet at a right angle."""
    low, high = min(a, b), max(a, b)
    if a == c or a == d or b == c or b == d:
        between = a + b - c - d  # steps between the other ends: the common one cancels out
        return bool(2 * between == n or 2 * between == -n)
    inner, outer = (c, d) if low < c < high else (d, c)
    if not low < inner < high or low < outer < high:
        return False
    return 2 * (inner - low + (outer - high) % n) == n


@njit(cache=True, nogil=True)
def _count(values: Marks) -> Int:
    """Count the right angles of one problem, or say that it is none."""
    n, count = values[0], values[1]
    if n < 3 or n > MOST_SIDES or count > _MOST_CHORDS:
        return np.int64(NO_ANSWER)
    pairs: Int = np.int64(0)
    for x in range(count):
        a, b = values[2 + 2 * x], values[3 + 2 * x]
        if min(a, b) < 1 or max(a, b) > n or (a - b) % n in (0, 1, n - 1):
            return np.int64(NO_ANSWER)
        for y in range(x):
            c, d = values[2 + 2 * y], values[3 + 2 * y]
            if min(a, b) == min(c, d) and max(a, b) == max(c, d):
                return np.int64(NO_ANSWER)
            pairs += _right(a, b, c, d, n)
    return pairs


@njit(cache=True, nogil=True)
def _solve(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    answers = np.full(len(kinds), NO_ANSWER, np.int64)
    for i in range(len(kinds)):
        if kinds[i] >= 0:
            answers[i] = _count(values[offsets[i] : offsets[i + 1]])
    return answers


def _exact(problem: Problem) -> int:
    """Take scalar products of the coordinates, and sides of each chord that the others end on."""
    n, ends = problem[1][0], problem[1][2:]
    chords = [(a - 1, b - 1) for a, b in zip(ends[::2], ends[1::2], strict=True)]
    return sum(_square(n, one, other) for one, other in combinations(chords, 2))


@lru_cache(1 << 17)
def _square(n: int, one: Line, other: Line) -> bool:
    """Say by coordinates whether two chords meet at a right angle."""
    (a, b), (c, d), points = one, other, roots(n)
    (px, py), (qx, qy), (rx, ry), (sx, sy) = points[a], points[b], points[c], points[d]
    if sign(((qx - px) * (sx - rx) + (qy - py) * (sy - ry)) >> SCALE):
        return False
    if side(n, one, points[c]) * side(n, one, points[d]) > 0:
        return False
    return side(n, other, points[a]) * side(n, other, points[b]) <= 0


def _follows(problem: Problem, answer: int, way: str) -> bool:
    """Compare the directions and pairs that a solution names with those that there are."""
    n, ends = problem[1][0], problem[1][2:]
    chords = list(zip(ends[::2], ends[1::2], strict=True))
    lines = [f"({a}, {b}): direction {(a + b) % n}" for a, b in chords]
    for (a, b), (c, d) in combinations(chords, 2):
        if 2 * ((a + b - c - d) % n) == n:
            verdict = "meet" if _right(a, b, c, d, n) else "apart"
            lines.append(f"({a}, {b}) and ({c}, {d}): {verdict}")
    return way.split("\n") == [*lines, f"count: {answer}"]


VERIFIER = KernelVerifier(_FORM, _solve, _exact, _follows)
