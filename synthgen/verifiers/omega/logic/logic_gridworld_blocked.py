"""Paths around blocked cells from the text: inclusion and exclusion, and halves that meet."""

from __future__ import annotations

import re

from synthgen.verifiers.omega._forms import NUMBER, PAIRS, ROWS, Form
from synthgen.verifiers.omega._kernel_check import KernelVerifier, Problem
from synthgen.verifiers.omega.logic._paths_count import count_all

_FORM = Form(
    [
        (
            "A grid has <w> columns and <h> rows, numbered from zero, columns from left to right "
            "and rows from bottom to top. A token starts in the bottom left cell; each move takes "
            "it one cell to the right or one cell up, and it may not enter a blocked cell. The "
            "blocked cells are, as row: columns, <cells>. In how many ways can the token reach the "
            "top right cell? Give an integer.",
            "Count the routes from the lower left to the upper right corner of a board with <w> "
            "columns and <h> rows that go from cell to cell, only rightwards and upwards, and "
            "avoid these walls: <cells>. (Columns are counted from the left, rows from the bottom, "
            "both beginning with zero; each row is followed by the columns of its walls.) Answer "
            "with an integer.",
            "A robot wants to drive from the south-west to the north-east corner of a field of "
            "unit squares, <w> from west to east and <h> from south to north. It only ever drives "
            "one square east or one square north. Some squares are under water and must not be "
            "touched. Naming rows from south to north and columns from west to east, starting at "
            "zero, these are <cells>. How many different ways does the robot have? The answer is "
            "an integer.",
            "Cells of a grid are named (x, y), where x counts columns from the left, y counts rows "
            "from the bottom, and both start at zero. There are <w> columns and <h> rows. The "
            "cells <pairs> are closed. How many paths lead from the bottom left cell to the top "
            "right cell if every step raises either x or y by one and no closed cell is visited? "
            "Give an integer.",
            "In a rectangle of cells, <w> wide and <h> high, ants walk from the bottom left cell "
            "to the top right cell, always to the neighbouring cell on the right or to the one "
            "above. Stones lie on the cells (column, row) = <pairs>, where columns run from the "
            "left and rows from the bottom and the first of each is number zero. How many walks "
            "meet no stone? Answer with an integer.",
        )
    ],
    {"w": NUMBER, "h": NUMBER, "cells": ROWS, "pairs": PAIRS},
)
_LINE = re.compile(r"row (0|[1-9][0-9]?): ((?:(?:0|[1-9][0-9]{0,79}) ?)+)", re.ASCII)
Cell = tuple[int, int]


def _half(steps: int, w: int, h: int, blocked: set[Cell]) -> int:
    """Move so many steps, and return in how many ways each cell is then reached.

    The columns are digits of one number, of w + h bits each: moving up leaves it as it is, moving
    right shifts it by a digit. No count has more bits, since there are fewer steps.
    """
    bits = w + h
    digit = (1 << bits) - 1
    closed = [0] * (w + h)
    for x, y in blocked:
        closed[x + y] |= digit << bits * x
    reached = 1
    for step in range(1, steps + 1):
        first, last = max(0, step - h + 1), min(step, w - 1)
        inside = (1 << bits * (last + 1)) - (1 << bits * first)
        reached = (reached + (reached << bits)) & inside & ~closed[step]
    return reached


def _exact(problem: Problem) -> int:
    """Go half the way from both corners: every path crosses the middle diagonal once.

    A cell's column and its column seen from the other corner add up to w - 1. So that digit of the
    product is the sum over all cells of the diagonal.
    """
    _, (w, h, _, *cells) = problem
    blocked = set(zip(cells[::2], cells[1::2], strict=True))
    turned = {(w - 1 - x, h - 1 - y) for x, y in blocked}
    steps = w + h - 2
    product = _half(steps // 2, w, h, blocked) * _half(steps - steps // 2, w, h, turned)
    bits = w + h
    return product >> bits * (w - 1) & (1 << bits) - 1


def _follows(problem: Problem, answer: int, way: str) -> bool:
    """Check every number of the table against its neighbours below and to the left."""
    _, (w, h, _, *cells) = problem
    blocked = set(zip(cells[::2], cells[1::2], strict=True))
    *lines, last = way.split("\n")
    if len(lines) != h or last != f"paths: {answer}":
        return False
    below = [1] + [0] * (w - 1)
    for y, line in enumerate(lines):
        match = _LINE.fullmatch(line)
        if match is None or match[1] != str(y):
            return False
        ways = [int(number) for number in match[2].split(" ") if number]
        if len(ways) != w or f"row {y}: {' '.join(map(str, ways))}" != line:
            return False
        for x in range(w):
            left = ways[x - 1] if x else 0
            if ways[x] != (0 if (x, y) in blocked else left + below[x]):
                return False
        below = ways
    return below[-1] == answer


VERIFIER = KernelVerifier(_FORM, count_all, _exact, _follows)
