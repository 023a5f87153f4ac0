"""Puzzles that are built backwards: a sudoku from its solution, a Sokoban room from its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from operator import itemgetter
from typing import NamedTuple

from synthgen.authoring import (
    Ink,
    ParamError,
    Picture,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    filled,
    levelled,
    params,
)
from synthgen.authoring.distractors import chained
from synthgen.authoring.pictures import INK, Point, numbered_grid

_WORDS = Words.beside(__file__)
_TRIES, _OFFERED = 24, 10


# sudoku

_BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""Rows and columns of a box."""
_MOST_BLANKS = {4: 12, 6: 26, 9: 52}
"""Empty cells of the emptiest puzzles that can be solved without guessing; more are too rare."""
_OPTIONS = [[digit for digit in range(1, 10) if bits >> digit - 1 & 1] for bits in range(1 << 9)]
"""Digits of each set of bits."""


class Board(NamedTuple):
    """Cells of a sudoku, numbered row by row.

    Attributes:
        units: Other cells in the row, column and box of each cell.
        peers: All of these together.
        seen: Functions that return the digits of the peers from a grid.
    """

    units: list[dict[str, list[int]]]
    peers: list[list[int]]
    seen: list[Callable[[list[int]], Sequence[int]]]


@cache
def board_of(size: int) -> Board:
    """Return the cells of a sudoku."""
    high, wide = _BOXES[size]
    cells = range(size * size)
    places = {
        "row": [cell // size for cell in cells],
        "column": [cell % size for cell in cells],
        "box": [cell // size // high * size + cell % size // wide for cell in cells],
    }
    units = [
        {
            name: [peer for peer in cells if peer != cell and place[peer] == place[cell]]
            for name, place in places.items()
        }
        for cell in cells
    ]
    peers = [sorted({*chain(*by_name.values())}) for by_name in units]
    return Board(units, peers, [itemgetter(*cells_seen) for cells_seen in peers])


def filled_grid(size: int, draws: RowDraws) -> list[int]:
    """Draw a completed grid: fill the cell with the fewest possible digits, in random order."""
    units, peers, _ = board_of(size)
    left = [(1 << size) - 1] * size**2
    digits = [0] * size**2

    def fill(empty: set[int]) -> bool:
        if not empty:
            return True
        cell = min(empty, key=counts.__getitem__)
        for digit in draws.shuffled(_OPTIONS[left[cell]]):
            bit = 1 << digit - 1
            changed = [other for other in peers[cell] if other in empty and left[other] & bit]
            for other in changed:
                left[other] ^= bit
                counts[other] -= 1
            digits[cell] = digit
            if fill(empty - {cell}):
                return True
            for other in changed:
                left[other] ^= bit
                counts[other] += 1
        return False

    empty = {*range(size**2)}
    for corner in (0, 30, 60) if size == 9 else (0,):  # boxes that share no row or column
        box = (corner, *units[corner]["box"])
        for cell, digit in zip(box, draws.shuffled(range(1, size + 1)), strict=True):
            digits[cell] = digit
            empty.remove(cell)
            for other in peers[cell]:
                left[other] &= ~(1 << digit - 1)
    counts = [bits.bit_count() for bits in left]
    fill(empty)
    return digits


def emptied(
    solution: Sequence[int], size: int, order: Iterable[int], wanted: int
) -> tuple[list[int], list[tuple[str, int]]]:
    """Remove digits that the others prove, until `wanted` digits are removed.

    Returns:
        The grid, and the reason and cell of each removed digit.
    """
    units, _, seen = board_of(size)
    grid, proof = [*solution], []
    for cell in order:
        digit, grid[cell] = grid[cell], 0
        reason = "cell" if len({0, *seen[cell](grid)}) == size else None
        for name, unit in () if reason else units[cell].items():
            if all(grid[other] or digit in seen[other](grid) for other in unit):
                reason = name
                break
        if reason is None:
            grid[cell] = digit
            continue
        proof.append((reason, cell))
        if len(proof) == wanted:
            break
    return grid, proof


def _rows(cells: Iterable[object], width: int) -> list[str]:
    text = "".join(map(str, cells))
    return [text[k : k + width] for k in range(0, len(text), width)]


@levelled("blanks", 4, 8, 14, 20, 26, 32, 38, 44, 48, 52)
@dataclass(frozen=True)
class Sudoku(PlainFamily):
    """Sudoku with one solution: every digit follows from those before it.

    Attributes:
        size: Number of digits; 4, 6 or 9.
        min_blanks, max_blanks: Fewest and most empty cells; there are at most 12 with four digits,
            26 with six and 52 with nine.
    """

    size: int = params.choice(9, tuple(_BOXES))
    min_blanks: int = params.integer(30, 2, 60, up_to="max_blanks")
    max_blanks: int = params.integer(45, 2, 60)

    verifier = "sudoku"
    words = _WORDS.part("sudoku")
    symbols = {f"sudoku{size**2}": size**2 for size in _BOXES}
    same_up_to = "names of the digits"
    answers_differ = True
    answer_type = "string"
    own_axes = {
        "size": axis("digits of the sudoku", "size", "size"),
        "blanks": axis("empty cells", "min_blanks", "max_blanks"),
        "hidden": axis("digits found by where else they fit", 0, 60, canonical=False),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        most = _MOST_BLANKS[self.size]
        if self.min_blanks > most:
            wanted = f"an integer up to {most}, as size={self.size}"
            raise ParamError("min_blanks", self.min_blanks, wanted)

    def make(self, draws: RowDraws) -> Problem | None:
        """Complete a grid, and empty cells whose digits follow from the rest."""
        size = self.size
        wanted = draws.integer(self.min_blanks, self.max_blanks + 1)
        solution = filled_grid(size, draws)
        grid, proof = emptied(solution, size, draws.shuffled(range(size**2)), wanted)
        if len(proof) < self.min_blanks:
            return None
        order = {0: 0} | {digit: k for k, digit in enumerate(dict.fromkeys(filter(None, grid)), 1)}
        high, wide = _BOXES[size]
        return Problem(
            tree=("sudoku", *(order[digit] for digit in grid)),
            answer=" ".join(_rows(solution, size)),
            holes={
                "size": size,
                "high": high,
                "wide": wide,
                "grid": "\n".join(_rows(grid, size)).replace("0", "."),
            },
            axes={
                "size": size,
                "blanks": len(proof),
                "hidden": sum(reason != "cell" for reason, _ in proof),
            },
            data=(solution, proof[::-1]),  # the digit removed last is the first to follow
        )

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw the digits, and thick lines between the boxes."""
        del draws
        picture, marks = _grid_picture(str(problem.holes["grid"]).split("\n"), _END)
        cell = (_PICTURE - 2 * _END) / self.size
        high, wide = _BOXES[self.size]
        for corner in product(range(0, self.size, wide), range(0, self.size, high)):
            x, y = (_END + place * cell for place in corner)
            picture.rectangle((x, y), (wide * cell, high * cell), Ink(edge=INK, width=2))
        for center, mark in marks:
            if mark != ".":
                picture.text(center, mark, 0.6 * cell)
        return picture

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Exchange digits of empty cells in the same row, which keeps what is given."""
        solution, proof = problem.data
        rows: dict[int, list[int]] = {}
        for _, cell in proof:
            rows.setdefault(cell // self.size, []).append(cell)
        able = [cells for cells in rows.values() if len(cells) > 1]

        def change(digits: tuple[int, ...], draws: RowDraws) -> tuple[int, ...] | None:
            if not able:
                return None
            a, b = draws.sample(draws.choice(able), 2)
            changed = [*digits]
            changed[a], changed[b] = digits[b], digits[a]
            return tuple(changed)

        made = chained(tuple(solution), change, draws, _OFFERED)
        return [" ".join(_rows(digits, self.size)) for digits in made]

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the digits in the order in which they follow, with the reasons."""
        solution, proof = problem.data
        lines = []
        for reason, cell in proof:
            row, column = divmod(cell, self.size)
            holes = {"row": row + 1, "column": column + 1, "digit": solution[cell]}
            lines.append(filled(_WORDS["sudoku"]["steps"][reason], holes))
        return lines


# pictures

_PICTURE, _END = 280, 2
"""Size of a picture, and room on the right and below."""


def _grid_picture(rows: list[str], margin: int) -> tuple[Picture, list[tuple[Point, str]]]:
    """Return a picture of an empty grid, and the middle of each cell with its character."""
    picture, size = Picture(_PICTURE, _PICTURE), (len(rows[0]), len(rows))
    cell = (_PICTURE - margin - _END) / max(size)
    numbered_grid(picture, size, cell, margin)
    return picture, [
        ((margin + (column + 0.5) * cell, margin + (row + 0.5) * cell), mark)
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks)
    ]


# Sokoban

_SOKOBAN = _WORDS["sokoban"]
_QUESTIONS = ("plan", "moves", "next", "any")
_VOCABULARIES = (*_SOKOBAN["vocabularies"], *_SOKOBAN["pools"])
_MASKS = tuple(
    [(place // 3 - 1, place % 3 - 1) for place, mark in enumerate(mask) if mark == "1"]
    for mask in ("000111000", "010010010", "000110010", "000110110", "000011010")
)
"""Floor that a digger leaves around it, in rows and columns relative to its place."""
_TURN = 0.35
_FARTHEST = {(5, 5): (10, 14, 14), (5, 6): (18, 22, 29), (5, 7): (25,), (6, 6): (25,)}
"""Moves of the longest shortest plan in any room of a size with one, two and three boxes."""
State = tuple[int, tuple[int, ...]]
"""The cell of the player, and the cells of the boxes in ascending order."""


@dataclass(slots=True)
class Label:
    """Moves from a state to the end, number of shortest plans, and the states after their first."""

    distance: int
    plans: int
    firsts: dict[int, State]


def label(
    floor: set[int], steps: Sequence[int], targets: tuple[int, ...], max_distance: int
) -> dict[State, Label]:
    """Play backwards from the end, pulling boxes, and label all states up to a distance."""
    layer = [(player, targets) for player in sorted(floor.difference(targets))]
    labels = {state: Label(0, 1, {}) for state in layer}
    for distance in range(1, max_distance + 1):
        further: list[State] = []
        for state in layer:
            plans = labels[state].plans
            for move, before in _before(state, floor, steps):
                known = labels.get(before)
                if known is None:
                    known = labels[before] = Label(distance, 0, {})
                    further.append(before)
                if known.distance == distance:
                    known.plans += plans
                    known.firsts[move] = state
        layer = further
    return labels


def _before(state: State, floor: set[int], steps: Sequence[int]) -> Iterator[tuple[int, State]]:
    """Yield each move that leads to a state, and the state before it."""
    player, boxes = state
    for move, step in enumerate(steps):
        origin = player - step
        if origin not in floor or origin in boxes:
            continue
        yield move, (origin, boxes)
        if player + step in boxes:
            pulled = [player if box == player + step else box for box in boxes]
            yield move, (origin, tuple(sorted(pulled)))


def plain_moves(
    state: State, floor: set[int], steps: Sequence[int], targets: tuple[int, ...]
) -> set[int]:
    """Return the first moves of the shortest walks to push a box nearer to a target.

    Each pair of box and target has its walks; its distance counts rows and columns.
    """
    player, boxes = state
    free = floor.difference(boxes)
    walks = _walks(player, free, steps)
    plain: set[int] = set()
    for box, target in product(set(boxes).difference(targets), set(targets).difference(boxes)):
        ways = [
            (walks[box - step][0], walks[box - step][1] or {move})
            for move, step in enumerate(steps)
            if box + step in free and box - step in walks and _nears(box, step, target, steps[1])
        ]
        shortest = min(ways, default=(0, set[int]()), key=itemgetter(0))[0]
        plain.update(*(firsts for length, firsts in ways if length == shortest))
    return plain


def _nears(box: int, step: int, target: int, width: int) -> bool:
    """Return whether a step brings a box nearer to a target, counted in rows and columns."""
    if step % width:
        return (target % width - box % width) * step > 0
    return (target // width - box // width) * step > 0


def _turned_boxes(
    labels: Mapping[State, Label], steps: Sequence[int], targets: tuple[int, ...]
) -> set[tuple[int, ...]]:
    """Return the places of boxes that a shortest plan may go on from with a push to no target."""
    turned = set()
    for (_, boxes), known in labels.items():
        for move, (_, after) in known.firsts.items():
            if after != boxes:
                (box,) = set(boxes).difference(after)
                free_targets = set(targets).difference(boxes)
                if box in targets or not any(
                    _nears(box, steps[move], target, steps[1]) for target in free_targets
                ):
                    turned.add(boxes)
    return turned


def _walks(player: int, free: set[int], steps: Sequence[int]) -> dict[int, tuple[int, set[int]]]:
    """Return the distance of each cell that can be reached, and the moves that begin its walks."""
    walks: dict[int, tuple[int, set[int]]] = {player: (0, set())}
    layer = [player]
    while layer:
        further: dict[int, tuple[int, set[int]]] = {}
        for cell in layer:
            length, firsts = walks[cell]
            for move, step in enumerate(steps):
                if cell + step in free and cell + step not in walks:
                    walk = further.setdefault(cell + step, (length + 1, set()))
                    walk[1].update(firsts or {move})
        walks |= further
        layer = [*further]
    return walks


@levelled("moves", 2, 4, 6, 8, 10, 12, 15, 18, 21, 25)
@dataclass(frozen=True)
class Sokoban(PlainFamily):
    """Sokoban rooms, labeled backwards from their end.

    Attributes:
        asks: Questions: "plan" for the shortest plan, which is the only one, "moves" for its
            length, "next" for the first action of all shortest plans, "any" for any plan that
            solves the room; drawn with equal probability. Three in five first actions are not those
            of a walk to the nearest box.
        height, width: Size of the room, with its walls.
        boxes: Number of boxes in the room.
        min_moves, max_moves: Shortest and longest distance to the end.
        vocabularies: Names of the actions, one drawn for each row.
    """

    asks: tuple[str, ...] = params.choices(("plan",), _QUESTIONS)
    height: int = params.integer(7, 5, 12)
    width: int = params.integer(7, 5, 12)
    boxes: int = params.integer(1, 1, 3)
    min_moves: int = params.integer(2, 1, 30, up_to="max_moves")
    max_moves: int = params.integer(12, 1, 30)
    vocabularies: tuple[str, ...] = params.choices(("words",), _VOCABULARIES)

    version = 2
    verifier = "sokoban"
    words = _WORDS.part("sokoban")
    symbols = dict.fromkeys(_QUESTIONS, (5, 12))
    same_up_to = "turns and reflections of the room, names of the actions"
    answers_differ = True
    answer_type = {"plan": "list", "moves": "integer", "next": "label", "any": "checked:sokoban"}
    own_axes = {
        "side": axis("longer side of the room, with walls", 5, 12),
        "boxes": axis("boxes", "boxes", "boxes"),
        "moves": axis("moves of the shortest plan", "min_moves", "max_moves"),
        "vocabulary": axis("names of the actions", values=_VOCABULARIES, canonical=False),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        height, width = sorted((self.height, self.width))
        farthest = _FARTHEST.get((height, width), ())[self.boxes - 1 : self.boxes]
        if farthest and self.min_moves > farthest[0]:
            room = f"height={self.height}, width={self.width} and boxes={self.boxes}"
            raise ParamError("min_moves", self.min_moves, f"at most {farthest[0]}, as {room}")

    def make(self, draws: RowDraws) -> Problem | None:
        """Dig a room, label its states, and draw one at a distance."""
        ask = draws.choice(self.asks)
        # Of all other first actions, some agree with a step straight to the box by chance.
        is_turned = ask == "next" and draws.integer(0, 5) < 3
        steps = (-self.width, self.width, -1, 1)
        for _ in range(_TRIES * (1 + is_turned)):
            floor = self._dug(draws)
            if len(floor) < 2 * self.boxes + 2:
                continue
            targets = tuple(sorted(draws.shuffled(sorted(floor))[: self.boxes]))
            labels = label(floor, steps, targets, self.max_moves)
            turned = _turned_boxes(labels, steps, targets) if is_turned else None
            by_distance: dict[int, list[State]] = {}
            for state, known in labels.items():
                if known.distance < self.min_moves or not _has_one_answer(ask, known):
                    continue
                if turned is None or state[1] in turned:
                    by_distance.setdefault(known.distance, []).append(state)
            for _ in range(_TRIES if by_distance else 0):
                state = draws.choice(by_distance[draws.choice([*by_distance])])
                if ask == "next":
                    plain = plain_moves(state, floor, steps, targets)
                    if is_turned != labels[state].firsts.keys().isdisjoint(plain):
                        continue
                return self._problem(ask, floor, targets, state, labels, draws)
        return None

    def _dug(self, draws: RowDraws) -> set[int]:
        """Dig a floor into the rock by a random walk."""
        height, width = self.height, self.width
        inner = {r * width + c for r in range(1, height - 1) for c in range(1, width - 1)}
        cell = draws.integer(1, height - 1) * width + draws.integer(1, width - 1)
        directions = (-width, width, -1, 1)
        direction = draws.choice(directions)
        floor: set[int] = set()
        for _ in range(17 * (height + width) // 10):
            if draws.uniform() < _TURN:
                direction = draws.choice(directions)
            if cell + direction in inner:
                cell += direction
            floor.update([cell + r * width + c for r, c in draws.choice(_MASKS)])
        return floor & inner

    def _problem(
        self,
        ask: str,
        floor: set[int],
        targets: tuple[int, ...],
        state: State,
        labels: dict[State, Label],
        draws: RowDraws,
    ) -> Problem:
        vocabulary = draws.choice(self.vocabularies) if ask != "moves" else "words"
        pool = _SOKOBAN["pools"].get(vocabulary)
        names = draws.shuffled(pool)[:4] if pool else _SOKOBAN["vocabularies"][vocabulary]
        walk: list[tuple[int, State]] = []
        at = state
        while labels[at].distance:
            walk.append(next(iter(labels[at].firsts.items())))
            at = walk[-1][1]
        plan = [names[move] for move, _ in walk]
        rows = _drawn(floor, targets, state, (self.height, self.width))
        shown = {w: f"`{n}`" for w, n in zip(("up", "down", "left", "right"), names, strict=True)}
        answers = {"moves": str(len(plan)), "next": plan[0]}
        return Problem(
            tree=(ask, *(int(row.translate(_DIGITS)) for row in _turned(rows))),
            answer=answers.get(ask, ", ".join(plan)),
            holes={"room": "\n".join(rows), "actions": filled(_SOKOBAN["actions"], shown)},
            kind=ask,
            axes={
                "side": max(self.height, self.width),
                "boxes": self.boxes,
                "moves": len(plan),
                "vocabulary": vocabulary,
            },
            data=[(names[move], after) for move, after in walk],
        )

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw walls, diamonds for targets, brown boxes and a blue player."""
        del draws
        picture, marks = _grid_picture(str(problem.holes["room"]).split("\n"), 20)
        cell = (_PICTURE - 20 - _END) / max(self.height, self.width)
        for center, mark in marks:
            x, y = center
            if mark == "#":
                picture.square(center, cell, Ink("#868e96"))
            if mark in "T*+":
                half = 0.46 * cell
                corners = ((x, y - half), (x + half, y), (x, y + half), (x - half, y))
                picture.polygon(corners, Ink("#ffc9c9", "#e03131", 1.5))
            if mark in "B*":
                picture.square(center, 0.62 * cell, Ink("#a0622d", INK))
            if mark in "P+":
                picture.circle(center, 0.3 * cell, Ink("#1971c2", INK))
        return picture

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Turn and mirror the plan, as rooms in any position are equally usual."""
        if problem.kind == "moves":
            return []
        names = re.findall("`(.+?)`", str(problem.holes["actions"]))  # up, down, left, right
        plan = [names.index(name) for name in problem.answer.split(", ")]
        made = []
        for turn, *flips in product((0, 1), repeat=3):
            shown = [2 * (move // 2 ^ turn) + (move % 2 ^ flips[move // 2]) for move in plan]
            made.append(", ".join(names[move] for move in shown))
        return draws.shuffled(made)

    def steps_of(self, problem: Problem) -> list[str]:
        """Write all places after each action, and the number of actions left."""
        lines = []
        for left, (action, (player, boxes)) in enumerate(reversed(problem.data)):
            places = [divmod(cell, self.width) for cell in (player, *boxes)]
            (row, column), *others = [(r + 1, c + 1) for r, c in places]
            shown = ", ".join(filled(_SOKOBAN["box"], {"row": r, "column": c}) for r, c in others)
            holes = {"action": action, "row": row, "column": column, "boxes": shown, "left": left}
            lines.append(filled(_SOKOBAN["step"], holes))
        return lines[::-1]


_DIGITS = str.maketrans("#.TBP*+", "1234567")


def _has_one_answer(ask: str, known: Label) -> bool:
    if ask == "plan":
        return known.plans == 1
    return ask in ("moves", "any") or len(known.firsts) == 1


def _drawn(
    floor: set[int], targets: tuple[int, ...], state: State, shape: tuple[int, int]
) -> list[str]:
    """Return the rows of a room as text."""
    player, boxes = state
    marks = dict.fromkeys(floor, ".") | dict.fromkeys(targets, "T")
    marks |= {box: "*" if box in targets else "B" for box in boxes}
    marks[player] = "+" if player in targets else "P"
    return _rows((marks.get(cell, "#") for cell in range(shape[0] * shape[1])), shape[1])


def _turned(rows: list[str]) -> list[str]:
    """Return the first in order of the rotations and reflections of a room."""
    images = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        images += [rows, rows[::-1]]
    return min(images)


GENERATORS = {"sokoban": Sokoban, "sudoku": Sudoku}
