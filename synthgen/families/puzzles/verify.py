"""Puzzles from the text: all solutions of a sudoku, and Sokoban searched forwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import islice, product
from operator import or_
from typing import NamedTuple

from synthgen.authoring import (
    AnswerChecker,
    PlainVerifier,
    Shape,
    Sighted,
    Words,
    filled,
    holes,
    parse_list,
    reads,
    wording_pattern,
)
from synthgen.authoring.pictures import color_name, grid_lines, in_cells

_WORDS = Words.beside(__file__)

# sudoku

_BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3)}


class _Grid(NamedTuple):
    """Size of a sudoku, and its cells, row by row; 0 is empty."""

    size: int
    cells: tuple[int, ...]


@reads(
    _WORDS.part("sudoku"),
    size=holes.NATURAL,
    high=holes.NATURAL,
    wide=holes.NATURAL,
    grid=holes.pattern(r"[1-9.]{4,9}(?:\n[1-9.]{4,9}){3,8}"),
)
def _read_sudoku(size: int, high: int, wide: int, grid: str) -> _Grid | None:
    rows = grid.split("\n")
    if _BOXES.get(size) != (high, wide) or [*map(len, rows)] != [size] * size:
        return None
    cells = tuple(int(mark) if mark != "." else 0 for mark in "".join(rows))
    return _Grid(size, cells) if max(cells) <= size else None


def _see_sudoku(grid: _Grid, shapes: Sequence[Shape] | None) -> _Grid | None:
    """Return the grid if its picture, if there is one, has the same digits."""
    seen = dict.fromkeys(product(range(1, grid.size + 1), repeat=2), 0)
    for (column, row), parts in in_cells(shapes or ()).items():
        for part in parts:
            if part.text.isdecimal():
                seen[row, column] = int(part.text)
    return grid if shapes is None or tuple(seen.values()) == grid.cells else None


@cache
def _units(size: int) -> list[dict[str, int]]:
    """Return the sets of cells in the row, column and box of each cell, as bits."""
    high, wide = _BOXES[size]
    keys = [
        {"row": row, "column": column, "box": (row // high, column // wide)}
        for row in range(size)
        for column in range(size)
    ]
    return [
        {
            name: sum(1 << cell for cell, other in enumerate(keys) if other[name] == place)
            for name, place in key.items()
        }
        for key in keys
    ]


@cache
def _seen(size: int) -> list[int]:
    """Return the cells in the row, column and box of each cell, as bits."""
    return [units["row"] | units["column"] | units["box"] for units in _units(size)]


class _Solver:
    """Solves sudokus of a size by exact search on sets of cells as bits.

    `may` has, for each digit, the cells where it may go if they are free; `placed` its cells.
    """

    def __init__(self, size: int) -> None:
        self._units = dict.fromkeys(unit for units in _units(size) for unit in units.values())
        self._seen = _seen(size)
        self._all = (1 << size * size) - 1

    def solutions(self, grid: _Grid) -> Iterator[list[int]]:
        """Yield the solutions, as the cells of each digit."""
        may, placed, free = [self._all] * grid.size, [0] * grid.size, self._all
        for cell, digit in enumerate(grid.cells):
            if digit:
                if not may[digit - 1] >> cell & 1:
                    return
                free = self._place(1 << cell, digit - 1, may, placed, free)
        yield from self._search(may, placed, free)

    def _place(self, bit: int, digit: int, may: list[int], placed: list[int], free: int) -> int:
        may[digit] &= ~self._seen[bit.bit_length() - 1]
        placed[digit] |= bit
        return free ^ bit

    def _search(self, may: list[int], placed: list[int], free: int) -> Iterator[list[int]]:
        """Place certain digits, then try the cells for the digit and unit with the fewest cells."""
        while free:
            once = twice = 0  # cells with at least one and at least two possible digits
            for cells in may:
                twice |= once & cells
                once |= cells
            if free & ~once:
                return
            single = free & ~twice
            if single:
                bit = single & -single
                digit = next(d for d, cells in enumerate(may) if cells & bit)
                free = self._place(bit, digit, may, placed, free)
                continue
            fewest, best = 99, (0, 0)
            for digit in range(len(may)):
                for unit in self._units:
                    if placed[digit] & unit:
                        continue
                    cells = may[digit] & unit & free
                    count = cells.bit_count()
                    if count == 0:
                        return
                    if count == 1:
                        free = self._place(cells, digit, may, placed, free)
                        fewest = 1
                    elif count < fewest:
                        fewest, best = count, (digit, cells)
            if fewest > 1:
                digit, cells = best
                while cells:
                    bit = cells & -cells
                    cells ^= bit
                    branch = [*may], [*placed]
                    left = self._place(bit, digit, *branch, free)
                    yield from self._search(*branch, left)
                return
        yield placed


_solver = cache(_Solver)


def _solve_sudoku(grid: _Grid) -> str | None:
    """Return the rows of the solution if it is the only one."""
    solutions = [*islice(_solver(grid.size).solutions(grid), 2)]
    return _rows_of(solutions[0], grid.size) if len(solutions) == 1 else None


def _rows_of(placed: Sequence[int], size: int) -> str:
    """Write a filled grid from the cells of each digit."""
    number = sum(digit * int(f"{cells:b}") for digit, cells in enumerate(placed, 1))
    return " ".join(re.findall("." * size, str(number)[::-1]))  # the last cell came first


_REASONS = {
    name: wording_pattern(text, dict.fromkeys(("row", "column", "digit"), holes.pattern("[1-9]")))[
        1
    ]
    for name, text in _WORDS["sudoku"]["steps"].items()
}


def _follows_sudoku(grid: _Grid, answer: str, lines: Sequence[str]) -> bool:
    """Check that each line fills an empty cell for its reason, until all are filled."""
    size, seen = grid.size, _seen(grid.size)
    held = [0] * (size + 1)  # the cells of each digit as bits, first the empty ones
    for cell, digit in enumerate(grid.cells):
        held[digit] |= 1 << cell
    for line in lines:
        matches = [
            (name, match) for name, form in _REASONS.items() if (match := form.fullmatch(line))
        ]
        if not matches:
            return False
        name, match = matches[0]
        row, column, digit = map(int, match.group("row", "column", "digit"))
        place = (row - 1) * size + column - 1
        if max(row, column, digit) > size or not held[0] >> place & 1:
            return False
        if name == "cell":
            fitting = [d for d in range(1, size + 1) if not seen[place] & held[d]]
            certain = fitting == [digit]
        else:
            among = _units(size)[place][name] & held[0]
            free = [p for p in range(size * size) if among >> p & 1]
            certain = [p for p in free if not seen[p] & held[digit]] == [place]
        if not certain:
            return False
        held[0] ^= 1 << place
        held[digit] |= 1 << place
    return not held[0] and _rows_of(held[1:], size) == answer


# Sokoban

_SOKOBAN = _WORDS["sokoban"]
_MAX_STATES = 100_000
_WIDTH = 13
"""Cells are numbered row by row, as if each row had 13: no row has a 13th cell."""
_DIRECTIONS = (-_WIDTH, _WIDTH, -1, 1)
"""Up, down, left and right."""
_State = tuple[int, int]
"""The cell of the player, and the cells of the boxes as bits."""


class _Room(NamedTuple):
    """The question, the names of the actions, floor, targets as bits, and the first state.

    Attributes:
        live: Floor from which a box can be pushed to a target if no other box is in the way.
    """

    ask: str
    names: tuple[str, ...]
    floor: frozenset[int]
    live: frozenset[int]
    targets: int
    start: _State


def _names(text: str) -> tuple[str, ...] | None:
    names = re.findall("`([^`]{1,20})`", text)
    shown = {way: f"`{name}`" for way, name in zip(("up", "down", "left", "right"), names)}  # noqa: B905
    if len({*names}) != 4 or text != filled(_SOKOBAN["actions"], shown):
        return None
    return tuple(names)


@reads(
    _WORDS.part("sokoban"),
    room=holes.pattern(r"[#.TBP*+]{3,12}(?:\n[#.TBP*+]{3,12}){2,11}"),
    actions=holes.pattern(r"The actions are `[^\n]{1,150}\.(?= |$)", _names),
)
def _read_sokoban(
    ask: str, room: str, actions: tuple[str, ...] | None = ("Up", "Down", "Left", "Right")
) -> _Room | None:
    rows = room.split("\n")
    marks = {_WIDTH * r + c: mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    players = [place for place, mark in marks.items() if mark in "P+"]
    boxes = sum(1 << place for place, mark in marks.items() if mark in "B*")
    targets = [place for place, mark in marks.items() if mark in "T*+"]
    if actions is None or len(players) != 1 or boxes.bit_count() != len(targets):
        return None
    floor = frozenset(place for place, mark in marks.items() if mark != "#")
    ends = sum(1 << place for place in targets)
    return _Room(ask, actions, floor, _live(targets, floor), ends, (players[0], boxes))


_THINGS = {
    ("polygon", "red"): "T",
    ("rect", "brown"): "B",
    ("circle", "blue"): "P",
    ("rect", "gray"): "#",
}
"""What is shown by shapes of a color."""


def _see_room(room: _Room, shapes: Sequence[Shape] | None) -> _Room | None:
    """Return the room if its picture, if there is one, shows the same things."""
    if shapes is None:
        return room
    seen: dict[str | None, set[int]] = {mark: set() for mark in (None, *"TBP#")}
    for (column, row), parts in in_cells(shapes).items():
        for part in parts:
            mark = _THINGS.get((part.kind, color_name(part.fill)))
            seen[mark].add(_WIDTH * (row - 1) + column - 1)
    bits = [sum(1 << place for place in seen[mark]) for mark in "TB"]
    columns, rows = (len(lines) - 1 for lines in grid_lines(shapes))
    every = {_WIDTH * row + column for row in range(rows) for column in range(columns)}
    agrees = bits == [room.targets, room.start[1]] and seen["P"] == {room.start[0]}
    return room if agrees and every - room.floor == seen["#"] and not seen[None] else None


def _live(targets: Sequence[int], floor: frozenset[int]) -> frozenset[int]:
    """Pull single boxes from the targets: return all cells that they come to."""
    live, waiting = {*targets}, [*targets]
    while waiting:
        box = waiting.pop()
        for step in _DIRECTIONS:
            if box + step in floor - live and box + 2 * step in floor:
                live.add(box + step)
                waiting.append(box + step)
    return frozenset(live)


def _moved(room: _Room, state: _State, step: int) -> _State | None:
    """Return the state after a move; None if it is impossible or no plan can go on from there."""
    player, boxes = state
    to = player + step
    if to not in room.floor:
        return None
    if boxes >> to & 1:
        beyond = to + step
        if beyond not in room.live or boxes >> beyond & 1:
            return None
        boxes ^= 1 << to | 1 << beyond
    return to, boxes


@lru_cache(1 << 12)
def _plans(room: _Room) -> tuple[tuple[int, ...], int, int] | None:
    """Return one shortest plan, the number of shortest plans, and their first moves as bits.

    Each state of a layer keeps the number of shortest plans to it, and their first moves.
    """
    layer = {room.start: (1, 0)}
    before: dict[_State, tuple[_State, int]] = {room.start: (room.start, 0)}
    while layer and len(before) < _MAX_STATES:
        ends = [state for state in layer if state[1] == room.targets]
        if ends:
            plan, at = list[int](), ends[0]
            while at != room.start:
                at, move = before[at]
                plan.append(move)
            counts, firsts_of = zip(*map(layer.__getitem__, ends), strict=True)
            return tuple(plan[::-1]), sum(counts), reduce(or_, firsts_of)
        further: dict[_State, tuple[int, int]] = {}
        for state, (count, firsts) in layer.items():
            for move, step in enumerate(_DIRECTIONS):
                after = _moved(room, state, step)
                if after is None:
                    continue
                if after not in before:
                    before[after] = state, move
                    further[after] = count, firsts or 1 << move
                elif after in further:
                    known = further[after]
                    further[after] = known[0] + count, known[1] | (firsts or 1 << move)
        layer = further
    return None


def _solve_sokoban(room: _Room) -> str | None:
    plans = _plans(room)
    if plans is None or not plans[0]:
        return None
    plan, count, firsts = plans
    if room.ask == "moves":
        return str(len(plan))
    if room.ask == "next":
        return room.names[plan[0]] if firsts.bit_count() == 1 else None
    unique = count == 1 or room.ask == "any"
    return ", ".join(room.names[move] for move in plan) if unique else None


def _accepts_sokoban(room: _Room, answer: str) -> bool:
    """Compare with the only answer, or play the actions."""
    if room.ask != "any":
        return answer == _solve_sokoban(room)
    state: _State | None = room.start
    for name in answer.split(", "):
        if name not in room.names or state is None:
            return False
        state = _moved(room, state, _DIRECTIONS[room.names.index(name)])
    return state is not None and state[1] == room.targets


def _plain_plan(room: _Room, answer: str) -> str:
    """Return a list of actions as rows have it."""
    names = {name.casefold(): name for name in room.names}
    actions = parse_list(answer) or ()
    return ", ".join(names.get(str(action), str(action)) for action in actions)


def _follows_sokoban(room: _Room, answer: str, lines: Sequence[str]) -> bool:
    """Play the actions of the lines, and compare all places and the number of actions left."""
    state = room.start
    actions = [line.partition(": ")[0] for line in lines]
    for place, name in enumerate(actions):
        if name not in room.names:
            return False
        after = _moved(room, state, _DIRECTIONS[room.names.index(name)])
        if after is None:
            return False
        state = after
        boxes = [box for box in sorted(room.live) if state[1] >> box & 1]
        shown = [filled(_SOKOBAN["box"], _place(box)) for box in boxes]
        left = len(actions) - 1 - place
        values = {"action": name, "boxes": ", ".join(shown), "left": left} | _place(state[0])
        if lines[place] != filled(_SOKOBAN["step"], values):
            return False
    wanted = {"moves": str(len(actions)), "next": actions[0]}.get(room.ask, ", ".join(actions))
    if state[1] != room.targets or wanted != answer:
        return False
    plans = _plans(room)
    return room.ask == "any" or len(plans[0] if plans else ()) == len(lines)


def _place(place: int) -> dict[str, object]:
    return {"row": place // _WIDTH + 1, "column": place % _WIDTH + 1}


_TYPES = {"plan": "list", "moves": "integer", "next": "label", "any": "list"}

VERIFIERS = {
    "sokoban": AnswerChecker(
        Sighted(_read_sokoban, _see_room),
        _accepts_sokoban,
        _follows_sokoban,
        _solve_sokoban,
        _plain_plan,
        lambda room: _TYPES[room.ask],
    ),
    "sudoku": PlainVerifier(
        Sighted(_read_sudoku, _see_sudoku), _solve_sudoku, "string", _follows_sudoku
    ),
}
