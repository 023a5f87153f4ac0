"""Puzzles from the text: all solutions of a sudoku, and Sokoban searched forwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from synthgen.authoring import (
    AnswerChecker,
    PlainVerifier,
    Words,
    filled,
    holes,
    parse_list,
    reads,
    wording_pattern,
)

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
    if len(solutions) != 1:
        return None
    number = sum(digit * int(f"{cells:b}") for digit, cells in enumerate(solutions[0], 1))
    return " ".join(re.findall("." * grid.size, str(number)[::-1]))  # the last cell came first


_REASONS = {
    name: wording_pattern(text, dict.fromkeys(("row", "column", "digit"), holes.pattern("[1-9]")))[
        1
    ]
    for name, text in _WORDS["sudoku"]["steps"].items()
}


def _follows_sudoku(grid: _Grid, answer: str, lines: Sequence[str]) -> bool:
    """Check that each line fills an empty cell for its reason, until all are filled."""
    cells, size = [*grid.cells], grid.size
    for line in lines:
        matches = [
            (name, match) for name, form in _REASONS.items() if (match := form.fullmatch(line))
        ]
        if not matches:
            return False
        name, match = matches[0]
        row, column, digit = map(int, match.group("row", "column", "digit"))
        place = (row - 1) * size + column - 1
        if max(row, column) > size or cells[place]:
            return False
        if name == "cell":
            certain = [d for d in range(1, size + 1) if _fits(cells, place, d, size)] == [digit]
        else:
            unit = _units(size)[place][name]
            among = [p for p, held in enumerate(cells) if unit >> p & 1 and not held]
            certain = [p for p in among if _fits(cells, p, digit, size)] == [place]
        if not certain:
            return False
        cells[place] = digit
    return "".join(map(str, cells)) == answer.replace(" ", "")


def _fits(cells: Sequence[int], place: int, digit: int, size: int) -> bool:
    """Return whether no cell in the row, column or box of a place holds a digit."""
    seen = _seen(size)[place]
    return not any(held == digit and seen >> other & 1 for other, held in enumerate(cells))


# Sokoban

_SOKOBAN = _WORDS["sokoban"]
_MAX_STATES = 100_000
_DIRECTIONS = (-1, 1, -1j, 1j)
"""Up, down, left and right, in rows + columns i."""
_State = tuple[complex, frozenset[complex]]


class _Room(NamedTuple):
    """The question, the names of the actions, floor, targets, player and boxes."""

    ask: str
    names: tuple[str, ...]
    floor: frozenset[complex]
    targets: frozenset[complex]
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
    marks = {complex(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    players = [place for place, mark in marks.items() if mark in "P+"]
    boxes = frozenset(place for place, mark in marks.items() if mark in "B*")
    targets = frozenset(place for place, mark in marks.items() if mark in "T*+")
    if actions is None or len(players) != 1 or len(boxes) != len(targets):
        return None
    floor = frozenset(place for place, mark in marks.items() if mark != "#")
    return _Room(ask, actions, floor, targets, (players[0], boxes))


def _moved(state: _State, direction: complex, floor: frozenset[complex]) -> _State | None:
    """Return the state after a move; None if it is impossible."""
    player, boxes = state
    to = player + direction
    if to not in floor:
        return None
    if to in boxes:
        beyond = to + direction
        if beyond not in floor or beyond in boxes:
            return None
        boxes = boxes - {to} | {beyond}
    return to, boxes


def _plans(room: _Room) -> tuple[list[int], int, set[int]] | None:
    """Return one shortest plan, the number of shortest plans, and their first moves.

    Each state of a layer keeps the number of shortest plans to it for each first move.
    """
    layer: dict[_State, dict[int, int]] = {room.start: {}}
    before: dict[_State, tuple[_State, int]] = {}
    seen = {room.start}
    while layer and len(seen) < _MAX_STATES:
        ends = [state for state in layer if state[1] == room.targets]
        if ends:
            plan, at = [], ends[0]
            while at != room.start:
                at, move = before[at]
                plan.append(move)
            firsts = {move for state in ends for move in layer[state]}
            return plan[::-1], sum(sum(layer[state].values()) for state in ends), firsts
        further: dict[_State, dict[int, int]] = {}
        for state, plans in layer.items():
            for move, direction in enumerate(_DIRECTIONS):
                after = _moved(state, direction, room.floor)
                if after is None or after in seen:
                    continue
                before.setdefault(after, (state, move))
                counts = further.setdefault(after, {})
                for first, count in (plans or {move: 1}).items():
                    counts[first] = counts.get(first, 0) + count
        seen |= {*further}
        layer = further
    return None


@lru_cache(1 << 12)
def _solve_sokoban(room: _Room) -> str | None:
    plans = _plans(room)
    if plans is None or not plans[0]:
        return None
    plan, count, firsts = plans
    if room.ask == "moves":
        return str(len(plan))
    if room.ask == "next":
        return room.names[plan[0]] if len(firsts) == 1 else None
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
        state = _moved(state, _DIRECTIONS[room.names.index(name)], room.floor)
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
        after = _moved(state, _DIRECTIONS[room.names.index(name)], room.floor)
        if after is None:
            return False
        state = after
        boxes = sorted(state[1], key=lambda place: (place.real, place.imag))
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


def _place(place: complex) -> dict[str, object]:
    return {"row": int(place.real) + 1, "column": int(place.imag) + 1}


_TYPES = {"plan": "list", "moves": "integer", "next": "label", "any": "list"}

VERIFIERS = {
    "sokoban": AnswerChecker(
        _read_sokoban,
        _accepts_sokoban,
        _follows_sokoban,
        _solve_sokoban,
        _plain_plan,
        lambda room: _TYPES[room.ask],
    ),
    "sudoku": PlainVerifier(_read_sudoku, _solve_sudoku, "string", _follows_sudoku),
}
