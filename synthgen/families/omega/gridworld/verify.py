"""Boards from the text, worked out by other means than they are drawn with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
Cell = tuple[int, int]
Cells = tuple[Cell, ...]
_N = holes.NATURAL.pattern


def _cells_of(text: str) -> Cells:
    """Read `row 2: 3, 7; row 5: 1` as pairs (column, row)."""
    cells: list[Cell] = []
    for line in text.split("; "):
        number, _, columns = line[4:].partition(": ")
        y = int(number)
        cells += [(int(x), y) for x in columns.split(", ")]
    return tuple(cells)


def _pairs_of(text: str) -> Cells:
    """Read `(3, 2), (7, 2)`."""
    numbers = [int(number) for number in text[1:-1].replace("), (", ", ").split(", ")]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


_ROW = f"row {_N}: {_N}(?:, {_N})*"
_CELLS = holes.pattern(f"{_ROW}(?:; {_ROW})*", _cells_of)
_PAIRS = holes.pattern(rf"\({_N}, {_N}\)(?:, \({_N}, {_N}\))*", _pairs_of)


def _is_board(w: int, h: int, cells: Cells, first: int, longest: int) -> bool:
    """Return whether cells are on a board, each once, row by row, and none of them is a corner."""
    if not (2 <= w <= longest and 2 <= h <= longest):
        return False
    columns, numbers = [x for x, _ in cells], [y * w + x for x, y in cells]
    if not first <= min(columns) <= max(columns) < first + w or numbers != sorted(set(numbers)):
        return False
    corners = first * w + first, (first + h - 1) * w + first + w - 1
    return corners[0] < numbers[0] and numbers[-1] < corners[1]


# --- logic_gridworld_blocked ---

Board = tuple[int, int, Cells]
"""Columns, rows, blocked cells."""


@reads(_WORDS.part("blocked"), w=holes.NATURAL, h=holes.NATURAL, cells=_CELLS, pairs=_PAIRS)
def _read_blocked(w: int, h: int, cells: Cells = (), pairs: Cells = ()) -> Board | None:
    return (w, h, cells or pairs) if _is_board(w, h, cells or pairs, 0, 100) else None


def _count_paths(board: Board) -> str:
    """Walk from diagonal to diagonal, with the paths to its cells by their columns."""
    w, h, cells = board
    blocked, ways = set(cells), Counter({0: 1})
    for diagonal in range(1, w + h - 1):
        before, ways = ways, Counter()
        for column, paths in before.items():
            for x in (column, column + 1):
                if x < w and diagonal - x < h and (x, diagonal - x) not in blocked:
                    ways[x] += paths
    return str(ways[w - 1])


_LINE = re.compile(rf"row ({_N}): ({_N}(?: {_N})*)", re.ASCII)


def _follows_paths(board: Board, answer: str, lines: Sequence[str]) -> bool:
    """Check every number of the table against its neighbors on the left and below."""
    w, h, cells = board
    blocked = set(cells)
    if len(lines) != h + 1 or lines[-1] != f"paths: {answer}":
        return False
    below = [1] + [0] * (w - 1)
    for y, line in enumerate(lines[:-1]):
        match = _LINE.fullmatch(line)
        if match is None or match[1] != str(y):
            return False
        ways = [int(number) for number in match[2].split(" ")]
        if len(ways) != w:
            return False
        for x, number in enumerate(ways):
            left = ways[x - 1] if x else 0
            if number != (0 if (x, y) in blocked else left + below[x]):
                return False
        below = ways
    return str(below[-1]) == answer


# --- logic_gridworld_knight_move ---

Leaper = tuple[int, int, int, int, int, int]
"""Columns, rows, both parts of the leap, target."""
_LONGEST, _LONGEST_LEAP = 128, 16


@reads(_WORDS.part("knight"), **dict.fromkeys("whabxy", holes.NATURAL))
def _read_leaper(w: int, h: int, a: int, b: int, x: int, y: int) -> Leaper | None:
    is_small = max(w, h) <= _LONGEST and min(a, b) >= 1 and max(a, b) <= _LONGEST_LEAP
    return (w, h, a, b, x, y) if is_small and x < w and y < h and x + y > 0 else None


@lru_cache(1 << 9)
def _moves(w: int, h: int, a: int, b: int) -> list[int]:
    """Search breadth first from the corner, square by square.

    Returns:
        Moves to square (x, y) at y * w + x, -1 if it is out of reach.
    """
    leaps = {(i * p, j * q) for p, q in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}
    fewest, fresh, moves = [-1] * (w * h), [(0, 0)], 0
    fewest[0] = 0
    while fresh:
        moves += 1
        after = []
        for x, y in fresh:
            for right, up in leaps:
                i, j = x + right, y + up
                if 0 <= i < w and 0 <= j < h and fewest[j * w + i] < 0:
                    fewest[j * w + i] = moves
                    after.append((i, j))
        fresh = after
    return fewest


def _fewest_moves(leaper: Leaper) -> str | None:
    """Look up the target on the board whose longer side goes up."""
    w, h, a, b, x, y = leaper
    if w > h:
        w, h, x, y = h, w, y, x
    moves = _moves(w, h, min(a, b), max(a, b))[y * w + x]
    return str(moves) if moves > 0 else None


_MOVE = re.compile(rf"move ({_N}): to \(({_N}), ({_N})\)", re.ASCII)


def _follows_moves(leaper: Leaper, answer: str, lines: Sequence[str]) -> bool:
    """Compare the table with the moves to each square, and follow the path to the target."""
    w, h, a, b, *target = leaper
    moves, most = _moves(w, h, a, b), int(answer)
    known = [str(n) if 0 <= n <= most else "-" for n in moves]
    table = [f"row {y}: {' '.join(known[y * w : y * w + w])}" for y in range(h)]
    path = lines[h:]
    if list(lines[:h]) != table or len(path) != most + 1 or path[-1] != f"moves: {answer}":
        return False
    here = [0, 0]
    for move, line in enumerate(path[:-1], start=1):
        match = _MOVE.fullmatch(line)
        if match is None:
            return False
        number, x, y = map(int, match.groups())
        leap = {abs(x - here[0]), abs(y - here[1])}
        if number != move or leap != {a, b} or x >= w or y >= h:
            return False
        here = [x, y]
    return here == target


# --- logic_gridworld_rookmove ---


@reads(_WORDS.part("rook"), w=holes.NATURAL, h=holes.NATURAL, cells=_CELLS)
def _read_rook(w: int, h: int, cells: Cells) -> Board | None:
    return (w, h, cells) if _is_board(w, h, cells, 1, 80) else None


def _slides(board: Board) -> list[list[int]]:
    """Go from cell to cell, row by row: a slide begins wherever the direction changes.

    Each column keeps the fewest slides to the cell that was reached last, if the last slide goes to
    the right, and if it goes up.

    Returns:
        The fewest slides to each cell, row by row; w * h or more if it is out of reach.
    """
    w, h, cells = board
    blocked, far = set(cells), w * h
    columns, rows = [(far, far)] * (w + 1), []
    for y in range(1, h + 1):
        left = (far, far)
        for x in range(1, w + 1):
            if (x, y) in blocked:
                left = (far, far)
            elif x == y == 1:
                left = (1, 1)  # the first slide, in either direction
            else:
                below = columns[x]
                left = min(left[0], left[1] + 1), min(below[1], below[0] + 1)
            columns[x] = left
        rows.append([min(pair) for pair in columns[1:]])
    rows[0][0] = 0
    return rows


def _fewest_slides(board: Board) -> str | None:
    slides = _slides(board)[-1][-1]
    return str(slides) if slides < board[0] * board[1] else None


_SLIDE = re.compile(rf"({_N})\. \(({_N}), ({_N})\) (right|up) to \(({_N}), ({_N})\)", re.ASCII)


def _follows_slides(board: Board, answer: str, lines: Sequence[str]) -> bool:
    """Compare the table, and go every slide over free cells from corner to corner."""
    w, h, cells = board
    blocked, here = set(cells), (1, 1)
    for y, (slides, line) in enumerate(zip(_slides(board), lines, strict=False), 1):
        row = " ".join(str(n) if n <= int(answer) else "-" for n in slides)
        if line != f"row {y}: {row}":
            return False
    path = lines[h:]
    if len(path) != int(answer) + 1 or path[-1] != f"moves: {answer}":
        return False
    for number, line in enumerate(path[:-1], start=1):
        match = _SLIDE.fullmatch(line)
        if match is None or match[1] != str(number):
            return False
        x, y, to_x, to_y = (int(match[k]) for k in (2, 3, 5, 6))
        along, across = (to_x - x, to_y - y) if match[4] == "right" else (to_y - y, to_x - x)
        if (x, y) != here or along < 1 or across or to_x > w or to_y > h:
            return False
        passed = {(i, j) for i in range(x, to_x + 1) for j in range(y, to_y + 1)}
        if passed & blocked:
            return False
        here = (to_x, to_y)
    return here == (w, h)


# --- trans_gridworld ---

Turns = tuple[str, int, int, int]
"""Kind, steps to the right, steps up, turns."""
_MAX_STEPS = 60


@reads(_WORDS.part("turns"), w=holes.NATURAL, h=holes.NATURAL, k=holes.NATURAL)
def _read_turns(kind: str, w: int, h: int, k: int) -> Turns | None:
    fits = min(w, h) >= 1 and max(w, h) <= _MAX_STEPS and 2 <= k <= 2 * _MAX_STEPS
    return (kind, w, h, k) if fits else None


@lru_cache(1 << 18)
def _begun(first: int, second: int, turns: int) -> int:
    """Count the paths whose first step goes in the first direction; the next goes on, or turns."""
    if first == 0 or not 0 <= turns <= 2 * min(first, second):
        return 0
    if first == 1 and second == 0:
        return 1
    return _begun(first - 1, second, turns) + _begun(second, first - 1, turns - 1)


def _counts(problem: Turns) -> dict[int, list[int]]:
    """Return the number of paths with each number of turns, for each first direction."""
    kind, w, h, k = problem
    sides = [(w, h)] if kind == "start" else [(w, h), (h, w)]
    turns = range(k + 1) if kind == "most" else (k,)
    return {t: [_begun(*pair, t) for pair in sides] for t in turns}


def _follows_turns(problem: Turns, answer: str, lines: Sequence[str]) -> bool:
    """Compare with the lines that a solution must have, the shorter side being the first."""
    kind, w, h, k = problem
    if kind != "start":
        w, h = min(w, h), max(w, h)
    wanted = []
    for turns, counts in _counts((kind, w, h, k)).items():
        name = "1 turn" if turns == 1 else f"{turns} turns"
        total = "" if kind == "start" else f" = {sum(counts)}"
        wanted.append(f"{name}: {' + '.join(map(str, counts))}{total}")
    return list(lines) == [*wanted, f"paths: {answer}"]


VERIFIERS = {
    "logic_gridworld_blocked": PlainVerifier(
        _read_blocked, _count_paths, follows=_follows_paths, remembered=0
    ),
    "logic_gridworld_knight_move": PlainVerifier(
        _read_leaper, _fewest_moves, "integer:moves", _follows_moves
    ),
    "logic_gridworld_rookmove": PlainVerifier(
        _read_rook, _fewest_slides, follows=_follows_slides, remembered=0
    ),
    "trans_gridworld": PlainVerifier(
        _read_turns,
        lambda problem: str(sum(map(sum, _counts(problem).values()))),
        follows=_follows_turns,
    ),
}
