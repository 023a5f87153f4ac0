"""Boards: monotone paths, leapers and rooks. Cell (x, y) of a board is number y * width + x."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb

from synthgen.authoring import (
    Late,
    LevelledFamily,
    LevelledListedFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    params,
)
from synthgen.families.omega.gridworld.boards import (
    SHORTEST,
    SIDES,
    SIZES,
    Range,
    SizedFamily,
    rows_of_waves,
)
from synthgen.families.omega.gridworld.leapers import LogicGridworldKnightMove

_WORDS = Words.beside(__file__)


def _draw_cells(draws: RowDraws, n_cells: int, count: int) -> list[int]:
    """Draw different cells of a board besides its first and its last one, in order."""
    cells: set[int] = set()
    while len(cells) < count:
        cells.add(draws.integer(1, n_cells - 1))
    return sorted(cells)


def _images(w: int, h: int, cells: list[int]) -> list[list[int]]:
    """Return the boards with the same paths that are not wider than high.

    Columns and rows may change places, and so may the first and the last cell.
    """
    images = [cells] if w <= h else []
    if w >= h:
        images.append(sorted(cell % w * h + cell // w for cell in cells))
    last = w * h - 1
    return images + [[last - cell for cell in reversed(image)] for image in images]


def _by_row(cells: Sequence[int], w: int) -> Mapping[int, list[int]]:
    """Return the rows that have cells, in order, each with their columns."""
    rows = groupby(cells, lambda cell: cell // w)
    return {y: [cell % w for cell in row] for y, row in rows}


def _cells_text(cells: Sequence[int], w: int, first: int) -> str:
    """Write `row 2: 3, 7; row 5: 1`, the lowest numbers of rows and columns being `first`."""
    return "; ".join(
        f"row {y + first}: {', '.join([str(x + first) for x in xs])}"
        for y, xs in _by_row(cells, w).items()
    )


# --- logic_gridworld_blocked ---

_MAX_SIDE = 80
_MIN_BLOCKED = 8
"""Least number of blocked cells, where there is room."""
_TRIES = 64


@dataclass(frozen=True)
class LogicGridworldBlocked(SizedFamily, LevelledFamily):
    """Paths from corner to corner of a board, right and up, around cells blocked at random.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            The sides of the board are 5 to 9, 10 to 19, ..., 60 to 69.
        min_size, max_size: Sides that replace those of the levels, 3 to 80; 0 for the levels'. Then
            there is one level, the lowest chosen.
        most_paths: Bound on the paths of a board, 1 to 10^9. Where there are more, further cells
            are blocked.
    """

    min_size: int = params.integer(0, SHORTEST, _MAX_SIDE, or_zero=True, up_to="max_size")
    max_size: int = params.integer(0, SHORTEST, _MAX_SIDE, or_zero=True)
    most_paths: int = params.integer(10**6, 1, 10**9)

    version = 2
    verifier = "logic_gridworld_blocked"
    same_up_to = "turns and reflections of the field"
    domain = "omega"
    words = _WORDS.part("blocked")
    symbols = {f"blocked{k}": k + 2 for k in range(_MAX_SIDE + 1)} | {
        f"row{k}": k + 1 for k in range(1, _MAX_SIDE + 1)
    }
    n_levels = len(SIZES)
    level_is_canonical = True
    own_axes = SIDES | {"n_blocked": axis("blocked cells of the board", 1, 6_400)}

    @property
    def fewest_problems(self) -> int | None:
        """Boards with free lower and right edges, if none of them has too many paths."""
        best = 0
        for low, high in map(self.sizes_of, self.chosen_levels):
            for w in range(low, high + 1):
                if comb(w + low - 2, w - 1) <= self.most_paths:
                    free, most = (w - 1) * (low - 1), 3 * w // 2
                    counts = range(min(_MIN_BLOCKED, most), most + 1)
                    best = max(best, *(comb(free, min(count, free)) for count in counts))
        return min(-(-best // 4), 2**63 - 1) or None

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw blocked cells that leave a path, and block more while there are too many paths."""
        low, high = self.sizes_of(level)
        for _ in range(_TRIES):
            w, h = draws.integer(low, high + 1), draws.integer(low, high + 1)
            most = 3 * w // 2
            count = draws.integer(min(_MIN_BLOCKED, most), most + 1)
            cells = _draw_cells(draws, w * h, min(count, (w - 1) * (h - 1)))
            is_open = _open_places(w, h, cells)
            paths = _ways(w, is_open)[-2]
            if paths:
                break
        else:
            return None
        if paths > self.most_paths:
            paths = _block_more(draws, w, is_open, self.most_paths)
            cells = [cell for cell in range(w * h) if not is_open[cell + cell // w]]
        short, long = min(w, h), max(w, h)
        rows = _by_row(min(_images(w, h, cells)), short).items()
        return Problem(
            (f"blocked{len(rows)}", short, long, *((f"row{len(xs)}", y, *xs) for y, xs in rows)),
            str(paths),
            axes={"short_side": short, "long_side": long, "n_blocked": len(cells)},
            data=(w, h, cells),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """List the blocked cells by row, or as pairs if the wording asks for them."""
        del draws
        w, h, cells = problem.data
        rows = Late(lambda: _cells_text(cells, w, 0))
        pairs = Late(lambda: ", ".join(f"({cell % w}, {cell // w})" for cell in cells))
        return {"w": w, "h": h, "cells": rows, "pairs": pairs}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the number of ways to reach each cell, row by row."""
        w, h, cells = problem.data
        ways = _ways(w, _open_places(w, h, cells))
        rows = [ways[start : start + w] for start in range(w + 1, len(ways), w + 1)]
        lines = [f"row {y}: {' '.join(map(str, row))}" for y, row in enumerate(rows)]
        return [*lines, f"paths: {problem.answer}"]


def _open_places(w: int, h: int, cells: Sequence[int]) -> list[bool]:
    """Return which places of a board are open; each row ends with an additional closed place."""
    is_open = ([True] * w + [False]) * h
    for cell in cells:
        is_open[cell + cell // w] = False
    return is_open


def _ways(w: int, is_open: Sequence[bool]) -> list[int]:
    """Return the number of ways to reach each place from the left and below, after a row."""
    left, ways = 1, [0] * w + [1]
    for below, free in zip(ways, is_open, strict=False):  # ways grow ahead of the places below
        left = left + below if free else 0
        ways.append(left)
    return ways


def _block_more(draws: RowDraws, w: int, is_open: list[bool], most: int) -> int:
    """Block cells in random order until at most `most` paths are left; return their number.

    A cell through which all remaining paths go stays open.
    """
    live = [place for place in range(1, len(is_open) - 1) if is_open[place]]
    order, paths = draws.sample(live[:-1], len(live) - 1), 0
    while not paths:
        ranks = [len(order)] * len(is_open)
        for rank, place in enumerate(order):
            ranks[place] = rank
        # Blocked cells never add paths: multiply their number, then bisect, to count rarely.
        few, many, ways = 0, 0, _ways_through(w, live)
        while not few or many + 1 < few:
            count = (many + few) // 2 if few else min(4 * many or 8, len(order))
            reached = _ways_through(w, [place for place in live if ranks[place] >= count])
            if reached[-1] <= most:
                few, paths = count, reached[-1]
            else:
                many, ways = count, reached
                live = [place for place in live if ways[place + w + 1]]
        for place in order[:many]:
            is_open[place] = False
        closed, order = order[many], _dispensable(w, live, ways, order[few:])
    is_open[closed] = False
    return paths


def _ways_through(w: int, live: Sequence[int]) -> list[int]:
    """Return the ways to reach each place, after a row, through the first and other places."""
    ways = [0] * (live[-1] + w + 2)
    ways[w + 1] = 1
    for place in live:
        ways[place + w + 1] = ways[place + w] + ways[place]
    return ways


def _dispensable(
    w: int, live: Sequence[int], ways: Sequence[int], places: Sequence[int]
) -> list[int]:
    """Return the places through which not all paths go."""
    last = live[-1]
    onwards = [0] * (last + w + 2)
    onwards[last + 1] = 1
    for place in reversed(live):
        onwards[place] = onwards[place + 1] + onwards[place + w + 1]
    return [place for place in places if ways[place + w + 1] * onwards[place] != ways[-1]]


# --- logic_gridworld_rookmove ---

_ROOK_SIZES = (*SIZES[:5], (50, 60))
_MAX_ROOK_SIDE = 60
_ROOK_TRIES = 200
_FREQUENT, _SMALL = 3, 9
"""Answer of which every other board is redrawn, and longest side of such a board."""


@dataclass(frozen=True)
class LogicGridworldRookmove(SizedFamily, LevelledFamily):
    """A board with blocked cells, and the fewest slides from corner to corner.

    Attributes:
        levels: Difficulty levels, 1 to 6, drawn with equal probability; an empty list means all.
            Width and height are 5 to 9, 10 to 19, 20 to 29, 30 to 39, 40 to 49 or 50 to 60.
        min_size, max_size: Width and height that replace those of the levels, 3 to 60; 0 for the
            levels'.
        min_share, max_share: Blocked cells in percent, 1 to 50. Boards without a path are drawn
            again; above 30 percent, hardly any large board has one.
    """

    min_size: int = params.integer(0, SHORTEST, _MAX_ROOK_SIDE, or_zero=True, up_to="max_size")
    max_size: int = params.integer(0, SHORTEST, _MAX_ROOK_SIDE, or_zero=True)
    min_share: int = params.integer(10, 1, 50, up_to="max_share")
    max_share: int = params.integer(20, 1, 50)

    version = 3
    verifier = "logic_gridworld_rookmove"
    same_up_to = "reflections of the board"
    domain = "omega"
    words = _WORDS.part("rook")
    symbols = {f"rook{rows}": rows + 1 for rows in range(2, _MAX_ROOK_SIDE + 1)}
    n_levels = len(_ROOK_SIZES)
    sizes = _ROOK_SIZES
    own_axes = {
        "short_side": axis("cells of the board's shorter side", 3, 60),
        "long_side": axis("cells of the board's longer side", 3, 60),
        "n_blocked": axis("blocked cells", 1, 1_800),
    }

    def max_counted(self) -> int:
        """Return the most blocked cells of a board."""
        return max(self.longest**2 * self.max_share // 100, 1)

    @property
    def fewest_problems(self) -> int:
        """Square boards with free lower and right edges; up to four are one problem."""
        ranges = map(self.sizes_of, self.chosen_levels)
        sides = {side for low, high in ranges for side in range(low, high + 1)}
        counts = ((side, self._counts_of(side * side)) for side in sides)
        return sum(
            -(-comb((side - 1) ** 2, count) // 4)
            for side, (low, high) in counts
            for count in range(low, high + 1)
        )

    def _counts_of(self, n_cells: int) -> Range:
        """Return the least and the greatest number of blocked cells."""
        low, high = -(-n_cells * self.min_share // 100), n_cells * self.max_share // 100
        low = max(min(low, high), 1)
        return low, max(low, high)

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw sides and a number of blocked cells, then cells until there is a path."""
        low, high = self.sizes_of(level)
        w, h = draws.integer(low, high + 1), draws.integer(low, high + 1)
        fewest, most = self._counts_of(w * h)
        count = draws.integer(fewest, most + 1)
        for _ in range(_ROOK_TRIES):
            cells = _draw_cells(draws, w * h, count)
            slides = len(_reached(w, h, cells)) - 1
            is_frequent = slides == _FREQUENT and max(w, h) <= _SMALL
            if slides and not (is_frequent and draws.integer(0, 2)):
                break
        else:
            return None
        short, long = min(w, h), max(w, h)
        masks = min(_masks(image, short, long) for image in _images(w, h, cells))
        return Problem(
            (f"rook{long}", short, *masks),
            str(slides),
            {"w": w, "h": h, "cells": _cells_text(cells, w, 1)},
            axes={"short_side": short, "long_side": long, "n_blocked": count},
            data=(w, h, cells),
        )

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the fewest slides to each cell that needs no more, and a shortest path."""
        w, h, cells = problem.data
        waves = _reached(w, h, cells)
        stop, path = h * (w + 1) - 2, [f"moves: {problem.answer}"]
        for number in range(len(waves) - 1, 0, -1):
            start, direction = _slide_to(stop, waves[number], waves[number - 1], w)
            (x, y), (to_x, to_y) = ((at % (w + 1) + 1, at // (w + 1) + 1) for at in (start, stop))
            path.append(f"{number}. ({x}, {y}) {direction} to ({to_x}, {to_y})")
            stop = start
        lines = rows_of_waves(waves, w, h, w + 1)
        return [*(f"row {number}: {row}" for number, row in enumerate(lines, 1)), *path[::-1]]


def _masks(cells: Sequence[int], w: int, h: int) -> list[int]:
    """Return the blocked columns of each row as bits."""
    masks = [0] * h
    for cell in cells:
        masks[cell // w] |= 1 << cell % w
    return masks


def _reached(w: int, h: int, cells: Sequence[int]) -> list[int]:
    """Return the cells reached with at most 0, 1, 2, ... slides, as bits, up to the last cell.

    Only the corner is returned if the last cell is out of reach. Behind each row is a blocked cell,
    so that cell (x, y) is bit y * (w + 1) + x.
    """
    free = sum((1 << w) - 1 << y * (w + 1) for y in range(h))
    for cell in cells:
        free ^= 1 << cell + cell // w
    waves, last = [1], h * (w + 1) - 2
    while not waves[-1] >> last:
        before = waves[-1]
        waves.append(_spread(before, free, 1) | _spread(before, free, w + 1))
        if waves[-1] == before:
            return [1]
    return waves


def _spread(cells: int, free: int, step: int) -> int:
    """Add all cells that are reached through free cells in one direction; runs double."""
    while free:  # ends of runs of `step` free cells, through which cells spread at once
        cells |= free & cells << step
        free &= free << step
        step *= 2
    return cells


def _slide_to(stop: int, reached: int, starts: int, w: int) -> tuple[int, str]:
    """Return a cell of `starts` from which a slide reaches a new cell, and the direction."""
    between = reached & ~starts
    for step, direction in ((1, "right"), (w + 1, "up")):
        start = stop - step
        while start >= 0 and between >> start & 1:
            start -= step
        if start >= 0 and starts >> start & 1:
            return start, direction
    msg = "the cell is not reached by one slide"
    raise ValueError(msg)


# --- trans_gridworld ---

_TURN_SIZES = ((3, 5), (6, 8), (9, 11), (12, 15), (16, 20))
_MIN_TURNS, _MAX_TURNS = 2, 9


@dataclass(frozen=True)
class TransGridworld(LevelledListedFamily):
    """Paths to the right and up with a given number of turns.

    A path with k turns has k + 1 straight runs; w steps are divided into i runs in C(w - 1, i - 1)
    ways.

    Attributes:
        levels: Difficulty levels, 1 to 5; an empty list means all. Either side has 3 to 5, 6 to 8,
            9 to 11, 12 to 15 or 16 to 20 steps; the number of turns is 2 to 9.
        repeats: Addresses for each problem, to see it in other wordings.
    """

    version = 3
    verifier = "trans_gridworld"
    domain = "omega"
    words = _WORDS.part("turns")
    symbols = {"turns_exact": 3, "turns_most": 3, "turns_start": 3}
    n_levels = len(_TURN_SIZES)
    level_is_canonical = True
    own_axes = {
        "n_steps": axis("steps of a path", 6, 40),
        "n_turns": axis("turns in question", _MIN_TURNS, _MAX_TURNS),
    }

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield all problems; the sides of a question with mirror images are sorted.

        A path with an odd number of turns, walked backwards and mirrored, begins as it did.
        """
        low, high = _TURN_SIZES[level - 1]
        for w in range(low, high + 1):
            for h in range(low, high + 1):
                for k in range(_MIN_TURNS, min(_MAX_TURNS, 2 * min(w, h) - 1) + 1):
                    for kind in self.words.kinds:
                        if w <= h or not _has_images(kind, k):
                            counts = _paths_by_turns(kind, w, h, k)
                            yield Problem(
                                (f"turns_{kind}", w, h, k),
                                str(sum(map(sum, counts.values()))),
                                kind=kind,
                                axes={"n_steps": w + h, "n_turns": k},
                                data=(w, h, k),
                            )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Swap the sides at random where the question has mirror images."""
        w, h, k = problem.data
        if _has_images(problem.kind, k) and draws.integer(0, 2):
            w, h = h, w
        return {"w": w, "h": h, "k": k}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the number of paths with each number of turns, by their first direction."""
        lines = []
        for turns, counts in _paths_by_turns(problem.kind, *problem.data).items():
            total = f" = {sum(counts)}" if len(counts) > 1 else ""
            noun = "turn" if turns == 1 else "turns"
            lines.append(f"{turns} {noun}: {' + '.join(map(str, counts))}{total}")
        return [*lines, f"paths: {problem.answer}"]


def _has_images(kind: str, turns: int) -> bool:
    """Return whether swapping the sides keeps the numbers of paths by turns."""
    return kind != "start" or turns % 2 == 1


def _paths_by_turns(kind: str, w: int, h: int, k: int) -> dict[int, list[int]]:
    """Return the number of paths with each number of turns, for each first direction."""
    sides = [(w, h)] if kind == "start" else [(w, h), (h, w)]
    turns = range(k + 1) if kind == "most" else (k,)
    return {t: [_begun(*pair, t) for pair in sides] for t in turns}


def _begun(first: int, second: int, turns: int) -> int:
    """Count the paths whose first run goes in the first direction."""
    return comb(first - 1, turns // 2) * comb(second - 1, (turns - 1) // 2) if turns else 0


GENERATORS = {
    "logic_gridworld_blocked": LogicGridworldBlocked,
    "logic_gridworld_knight_move": LogicGridworldKnightMove,
    "logic_gridworld_rookmove": LogicGridworldRookmove,
    "trans_gridworld": TransGridworld,
}
