"""Chips on boards, from the text: cell by cell, and by the sets of colors of rows and columns."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

from synthgen.authoring import PlainVerifier, Words, WorkedVerifier, exactly, holes, reads

_WORDS = Words.beside(__file__)
_COUNT = holes.pattern("[1-9][0-9]?", int)
_COLOUR = holes.word(_WORDS["chip"]["colours"])

# logic_puzzles_grid_chip

Cells = tuple[tuple[int, int], ...]
Chips = tuple[int, tuple[str, str], Cells, Cells]
"""Rows, the two colors, and the cells of each, from 1; none of the first where it is limited."""
_MAX_SIZE = 16
_PLACES = {
    f"{row}, {column}": (row, column) for row, column in product(range(1, _MAX_SIZE + 1), repeat=2)
}


def _cells_of(text: str) -> Cells | None:
    try:
        return tuple([_PLACES[place] for place in text[1:-1].split("), (")])
    except KeyError:
        return None


_CELLS = holes.pattern(r"\([0-9(), ]{4,2000}\)", _cells_of)


@reads(_WORDS.part("chip"), n=_COUNT, a=_COLOUR, b=_COLOUR, cells=_CELLS, others=_CELLS)
def _read_chips(
    kind: str, n: int, a: str, b: str, others: Cells, cells: Cells = ()
) -> Chips | None:
    if a == b or bool(cells) != (kind == "full"):
        return None
    listed = {*cells, *others}
    fits = 2 <= n <= _MAX_SIZE and max(map(max, listed)) <= n
    distinct = len(listed) == len(cells) + len(others)
    return (n, (a, b), cells, others) if fits and distinct else None


def _count_chips(problem: Chips) -> str | None:
    """Try a chip in every cell: of a full board in either color, else in the first.

    Of a full board, every row and column must have a color, and only one.
    """
    n, _, cells, others = problem
    lines = set(range(1, n + 1))
    rows, columns = (lines.difference([cell[side] for cell in others]) for side in range(2))
    if not cells:
        return str(sum([row in rows and column in columns for row in lines for column in lines]))
    if rows != {row for row, _ in cells} or columns != {column for _, column in cells}:
        return None
    return str(sum([(row in rows) == (column in columns) for row in lines for column in lines]))


def _chip_lines(problem: Chips) -> list[str]:
    """Write the rows and columns of each color, and the sum of products at the end."""
    n, names, *lists = problem
    lines, products = [], []
    for name, cells in zip(names, lists, strict=True):
        sides = [{cell[side] for cell in cells} for side in range(2)]
        heads = [f"{name} rows", f"{name} columns"]
        if not lists[0]:
            sides = [{*range(1, n + 1)} - known for known in sides]
            heads = [f"rows without {name}", f"columns without {name}"]
        if cells:
            named = zip(heads, sides, strict=True)
            lines += [f"{head}: {', '.join(map(str, sorted(side)))}" for head, side in named]
            products.append(" * ".join(str(len(side)) for side in sides))
    return [*lines, f"{' + '.join(products)} = {_count_chips(problem)}"]


# comp_grid_chips

_NUMBERS = {name: number for number, name in enumerate(_WORDS["boards"]["colours"], 2)}
_MAX_SIDE = 60
Boards = tuple[str, int, int, int]
"""Kind, rows, columns, colors."""


@reads(_WORDS.part("boards"), n=_COUNT, m=_COUNT, colours=holes.word(_NUMBERS))
def _read_boards(kind: str, n: int, m: int, colours: str) -> Boards | None:
    return (kind, n, m, _NUMBERS[colours]) if min(n, m) >= 2 and max(n, m) <= _MAX_SIDE else None


@cache
def _sets_of_colours(length: int, colours: int) -> Counter[tuple[int, bool]]:
    """Count the ways to color lines by the set of colors used, and whether the first is red."""
    sets = Counter({(1 << colour, colour == 0): 1 for colour in range(colours)})
    for _ in range(length - 1):
        more: Counter[tuple[int, bool]] = Counter()
        for (used, red), ways in sets.items():
            for colour in range(colours):
                more[used | 1 << colour, red] += ways
        sets = more
    return sets


def _work_boards(problem: Boards) -> tuple[str, list[str]]:
    """Count the full boards, those with a red corner and those with an empty one.

    No row of a full board is empty, or a chip could be added to it that has the color of a column
    (any, if that column is empty, too). So rows and columns have colors, and the same ones; then
    a cell is empty only where two different colors meet.
    """
    kind, n, m, colours = problem
    sides = [_sets_of_colours(side, colours) for side in sorted((n, m))]
    ways = {
        used: [sets[used, True] + sets[used, False] for sets in sides]
        for used in range(1, 1 << colours)
    }
    total = sum(map(prod, ways.values()))
    red = sum(sides[0][used, True] * sides[1][used, True] for used in ways)
    empty = total - colours * red
    top, bottom = Fraction(empty, total).as_integer_ratio()
    lines = []
    for k in range(1, min(n, m, colours) + 1):
        choices, (rows, columns) = comb(colours, k), ways[(1 << k) - 1]
        noun = "colour" if k == 1 else "colours"
        lines.append(f"{k} {noun}: {choices} * {rows} * {columns} = {choices * rows * columns}")
    lines.append(f"full: {total}")
    if kind != "all":
        lines.append(f"red corner: {red}")
    if kind in ("empty", "chance"):
        lines.append(f"empty corner: {total} - {colours} * {red} = {empty}")
    if kind == "chance":
        lines.append(f"{top}/{bottom}: {top} + {bottom} = {top + bottom}")
    answer = {"all": total, "red": red, "empty": empty, "chance": top + bottom}[kind]
    return str(answer), lines


VERIFIERS = {
    "comp_grid_chips": WorkedVerifier(_read_boards, _work_boards),
    "logic_puzzles_grid_chip": PlainVerifier(
        _read_chips, _count_chips, follows=exactly(_chip_lines), remembered=0
    ),
}
