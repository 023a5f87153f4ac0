"""Chips on boards from the text: by trying cells one by one, and by colours of rows and columns.

The first way looks at every cell: could a chip of this colour lie here, next to those that are
told? The second goes through all ways to give the rows and the columns one of the two colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers.omega._forms import NUMBER, PAIRS, WORD, Form, Marks
from synthgen.verifiers.omega._kernel_check import NO_ANSWER, KernelVerifier, Problem

_LIMIT, _FULL = range(2)
_COLOURS = ("red", "blue", "green", "yellow", "black", "white", "purple", "pink")
_FORM = Form(
    [
        (
            "A board has <n> rows and <n> columns, both counted from one, and <a> and <b> chips "
            "are put on it, at most one in a cell. All chips of a row must have the same colour, "
            "and so must all chips of a column. There are <b> chips at these places, given as "
            "(row, column): <others>. What is the largest number of <a> chips that can be on the "
            "board? Give an integer.",
            "Each cell of a square board with <n> rows may hold one chip, <a> or <b>, or stay "
            "empty. No row and no column may hold chips of both colours. Rows and columns are "
            "numbered from one. The cells (row, column) listed here hold <b> chips: <others>. At "
            "most how many <a> chips can lie on the board? Answer with an integer.",
            "In a cabinet with <n> rows and <n> columns of drawers, both numbered from one, a "
            "drawer is empty or holds one ball, <a> or <b>. Balls in the same row have the same "
            "colour, and balls in the same column have the same colour. Drawers with a <b> ball "
            "include, as (row, column): <others>. Find the greatest possible number of <a> balls. "
            "The answer is an integer.",
            "Tokens, either <a> or <b>, lie on a square grid of <n> rows, one a cell at most. Two "
            "tokens in a common row or a common column never differ in colour. With rows and "
            "columns counted from one, <b> tokens lie at (row, column) = <others>, and perhaps "
            "elsewhere. How many <a> tokens can there be at most? Give an integer.",
        ),
        (
            "A board has <n> rows and <n> columns, both counted from one, and <a> and <b> chips "
            "lie on it, at most one in a cell. All chips of a row have the same colour, and so "
            "have all chips of a column. No chip of either colour could be added without breaking "
            "this. Among the chips there are <a> ones at (row, column) = <cells> and <b> ones at "
            "(row, column) = <others>. How many chips lie on the board altogether? Give an "
            "integer.",
            "Each cell of a square board with <n> rows holds one chip, <a> or <b>, or is empty. "
            "No row and no column holds chips of both colours, and every empty cell is empty "
            "because a chip of either colour there would spoil this. Rows and columns are numbered "
            "from one. Cells (row, column) with <a> chips include <cells>; cells with <b> chips "
            "include <others>. Find the total number of chips. Answer with an integer.",
            "In a cabinet with <n> rows and <n> columns of drawers, both numbered from one, each "
            "drawer is empty or holds one ball, <a> or <b>. Balls in the same row have the same "
            "colour, and balls in the same column have the same colour. The cabinet is as full as "
            "these rules allow: no empty drawer can take a ball of either colour. Some "
            "drawers are known, as (row, column): <a> balls in <cells>, <b> balls in <others>. How "
            "many balls are there in all? The answer is an integer.",
            "Tokens, either <a> or <b>, lie on a square grid of <n> rows, one a cell at most. Two "
            "tokens in a common row or a common column never differ in colour, and no further "
            "token, <a> or <b>, fits in anywhere under this rule. With rows and columns counted "
            "from one, there are <a> tokens at (row, column) = <cells> and <b> tokens at (row, "
            "column) = <others>, besides others that are not named. How many tokens lie on the "
            "grid, named or not? Give an integer.",
        ),
    ],
    {"n": NUMBER, "a": WORD, "b": WORD, "cells": PAIRS, "others": PAIRS},
    _COLOURS,
)
_MOST_SIZE = 16
_TAKEN, _ROW, _COLUMN = range(3)


@lent
def _told(kind: Int, values: Marks, low: Int, lines: Marks) -> bool:
    """Note the chips that are told, and say whether they may lie there.

    In a full board each row and column must have one.

    Args:
        kind: of the question.
        values: of all problems.
        low: where those of this one begin.
        lines: of each line, the cells of the row that are taken, as bits, and the colours that the
            row and the column have: 1 for the first, 2 for the second, 3 for both.
    """
    n = values[low]
    if n < 2 or n > _MOST_SIZE or values[low + 1] == values[low + 2]:
        return False
    for line in range(n):
        lines[line, _TAKEN], lines[line, _ROW], lines[line, _COLUMN] = 0, 0, 0
    at = low + 3
    for colour in range(2 - kind, 3):
        for k in range(values[at]):
            row, column = values[at + 1 + 2 * k] - 1, values[at + 2 + 2 * k] - 1
            if min(row, column) < 0 or max(row, column) >= n or lines[row, _TAKEN] >> column & 1:
                return False
            lines[row, _TAKEN] |= np.int64(1) << column
            lines[row, _ROW] |= colour
            lines[column, _COLUMN] |= colour
        at += 1 + 2 * values[at]
    for line in range(n):
        row, column = lines[line, _ROW], lines[line, _COLUMN]
        if row == 3 or column == 3 or (kind == _FULL and (row == 0 or column == 0)):
            return False
    return True


@lent
def _count(kind: Int, n: Int, lines: Marks) -> Int:
    """Try a chip in every empty cell: of a full board, either colour; else the first."""
    count: Int = np.int64(0)
    for row in range(n):
        for column in range(n):
            near = lines[row, _ROW] | lines[column, _COLUMN]
            if lines[row, _TAKEN] >> column & 1:
                count += kind == _FULL
            elif kind == _FULL:
                count += near != 3
            else:
                count += near & 2 == 0
    return count


@njit(cache=True, nogil=True)
def _solve(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    answers = np.full(len(kinds), NO_ANSWER, np.int64)
    lines = np.zeros((_MOST_SIZE, 3), np.int64)
    for i in range(len(kinds)):
        if kinds[i] >= 0 and _told(kinds[i], values, offsets[i], lines):
            answers[i] = _count(kinds[i], values[offsets[i]], lines)
    return answers


Cells = list[tuple[int, int]]


def _lists(problem: Problem) -> tuple[int, list[Cells]]:
    """Return the size and the cells of each colour that is told."""
    n, _, _, *rest = problem[1]
    lists = []
    while rest:
        end = 1 + 2 * rest[0]
        lists.append(list(zip(rest[1:end:2], rest[2:end:2], strict=True)))
        rest = rest[end:]
    return n, lists


def _exact(problem: Problem) -> int:
    """Go through all colours that rows and columns can have next to the chips that are told.

    Where only the second colour is told, what counts is how many other rows have the first.
    """
    n, lists = _lists(problem)
    if problem[0] == _LIMIT:
        free_rows = n - len({row for row, _ in lists[0]})
        free_columns = n - len({column for _, column in lists[0]})
        return max(rows * free_columns for rows in range(free_rows + 1))
    told = [(*cell, colour) for colour, cells in enumerate(lists) for cell in cells]
    row_colours = _colourings(n, ((row, colour) for row, _, colour in told))
    column_colours = _colourings(n, ((column, colour) for _, column, colour in told))
    counts = {
        sum(rows.count(column) for column in columns)
        for rows, columns in product(row_colours, column_colours)
    }
    return counts.pop() if len(counts) == 1 else NO_ANSWER


def _colourings(n: int, told: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return all colours of lines under which every chip, told by line and colour, may lie."""
    choices = [{0, 1} for _ in range(n)]
    for line, colour in told:
        choices[line - 1] &= {colour}
    return list(product(*choices))


def _follows(problem: Problem, answer: int, way: str) -> bool:
    """Follow the rows and columns of each colour, and the sum of products at the end."""
    n, lists = _lists(problem)
    names = [_COLOURS[colour] for colour in problem[1][1:3]]
    lines = way.split("\n")
    if len(lines) != (3 if problem[0] == _LIMIT else 5):
        return False
    products: list[str] = []
    for k, cells in enumerate(lists):
        sets = {row for row, _ in cells}, {column for _, column in cells}
        heads = [f"{names[k]} rows: ", f"{names[k]} columns: "]
        if problem[0] == _LIMIT:
            everything = set(range(1, n + 1))
            sets = everything - sets[0], everything - sets[1]
            heads = [f"rows without {names[1]}: ", f"columns without {names[1]}: "]
        products.append(" * ".join(str(len(numbers)) for numbers in sets))
        for line, head, numbers in zip(lines[2 * k :], heads, sets, strict=False):
            if line != head + ", ".join(map(str, sorted(numbers))):
                return False
    return lines[-1] == f"{' + '.join(products)} = {answer}"


VERIFIER = KernelVerifier(_FORM, _solve, _exact, _follows)
