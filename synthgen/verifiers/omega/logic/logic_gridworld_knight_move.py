"""Fewest moves of a leaper from the text: boards of bits that leap, and a search from both ends."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from synthgen.verifiers.omega._forms import NUMBER, Form
from synthgen.verifiers.omega._kernel_check import NO_ANSWER, KernelVerifier, Problem
from synthgen.verifiers.omega.logic._leaps_spread import spread, spread_all

_FORM = Form(
    [
        (
            "A piece moves on a board with <w> columns and <h> rows, numbered from zero, columns "
            "from left to right and rows from bottom to top. With one move it changes its column "
            "by <a> and its row by <b>, or its column by <b> and its row by <a>, in any of the "
            "directions, and it may never leave the board. It stands in column zero of row zero. "
            "What is the least number of moves in which it reaches column <x> of row <y>? Give an "
            "integer.",
            "A leaper of type (<a>, <b>) is a chess piece that jumps, however it likes, so that "
            "one of its two coordinates goes up or down by <a> and the other goes up or down by "
            "<b>. It is in the corner square of a board, where both coordinates are zero. The "
            "board is <w> squares wide and <h> squares high, so the first coordinate stays below "
            "<w> and the second below <h>, and neither becomes negative. How many jumps does it "
            "need at least to land on the square (<x>, <y>)? Answer with an integer.",
            "Squares of a grid are written (x, y): x counts columns from the left, y counts rows "
            "from the bottom, and both start at zero. A frog in the lower left square hops within "
            "the grid of <w> columns and <h> rows; every hop changes x or y by <a>, up or down, "
            "and the other of the two by <b>, up or down. Find the smallest number of hops that "
            "takes the frog to (<x>, <y>). Give an integer.",
            "On a field of <w> by <h> tiles (width by height) a robot can only spring from a tile "
            "to one that is away by <a> across and <b> up or down, or by <b> across and <a> up or "
            "down. It starts on the tile in the bottom left corner and must stay on the field. To "
            "get to the tile that has exactly <x> columns to its left and <y> rows below it, how "
            "many springs are necessary? The answer is an integer.",
            "Think of a generalised knight that goes <a> along one axis and <b> along the other in "
            "each move, where it is free to choose which axis is which and both directions. "
            "Starting from the origin, it visits only points with integer coordinates from zero "
            "up to, but without, <w> in x and <h> in y. What is the length, in moves, of a "
            "shortest way to the point with x = <x> and y = <y>? Answer with an integer.",
        )
    ],
    dict.fromkeys(("w", "h", "a", "b", "x", "y"), NUMBER),
)
_MOVE = re.compile(
    r"move ([1-9][0-9]{0,4}): to \((0|[1-9][0-9]{0,2}), (0|[1-9][0-9]{0,2})\); "
    r"squares first reached: ([1-9][0-9]{0,4})",
    re.ASCII,
)


@lru_cache(1 << 14)
def _exact(problem: Problem) -> int:
    """Search from both ends, one move of the smaller side at a time, until the two meet."""
    _, (w, h, a, b, x, y) = problem
    sides, seen = [{(0, 0)}, {(x, y)}], [{(0, 0)}, {(x, y)}]
    leaps = {(i * p, j * q) for p, q in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}
    moves = 0
    while not seen[0] & sides[1] and not seen[1] & sides[0]:
        one = 0 if len(sides[0]) <= len(sides[1]) else 1
        after = {(i + p, j + q) for i, j in sides[one] for p, q in leaps}
        sides[one] = {(i, j) for i, j in after if 0 <= i < w and 0 <= j < h} - seen[one]
        if not sides[one]:
            return NO_ANSWER
        seen[one] |= sides[one]
        moves += 1
    return moves


def _follows(problem: Problem, answer: int, way: str) -> bool:
    """Follow the moves to the target, and count what every move reaches for the first time."""
    _, (w, h, a, b, *target) = problem
    *lines, last = way.split("\n")
    if len(lines) != answer or last != f"moves: {answer}":
        return False
    sizes = np.zeros(answer + 1, np.int64)
    spread(np.array([w, h, a, b]), 0, target[1] * w + target[0], sizes)
    here = (0, 0)
    for move, line in enumerate(lines, start=1):
        match = _MOVE.fullmatch(line)
        if match is None:
            return False
        number, x, y, count = map(int, match.groups())
        leap = sorted((abs(x - here[0]), abs(y - here[1])))
        if (number, count) != (move, sizes[move]) or leap != sorted((a, b)) or x >= w or y >= h:
            return False
        here = (x, y)
    return here == tuple(target)


VERIFIER = KernelVerifier(_FORM, spread_all, _exact, _follows)
