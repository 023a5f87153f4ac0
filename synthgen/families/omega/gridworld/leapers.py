"""Leapers: knights, and pieces that leap further, on boards of bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

import numpy as np

from synthgen.authoring import MAX_REPEATS, Problem, Rows, Words, axis, params, stream_key
from synthgen.authoring.compiled import permutation_table, permute
from synthgen.families.omega.gridworld.boards import (
    SHORTEST,
    SIDES,
    SIZES,
    Range,
    SizedFamily,
    rows_of_waves,
)

_LEAPERS = tuple((a, b) for a in range(1, 7) for b in range(a + 1, 8 - a) if (a, b) != (2, 4))
"""Short and long part of a leap. A leaper of parts 2 and 4 is a knight on every other line."""


@dataclass(frozen=True)
class LogicGridworldKnightMove(SizedFamily):
    """A leaper that crosses a board from one corner to a square near the opposite one.

    Its leap has parts of 1 to 6 squares, 7 together at most. All problems are listed; address i is
    problem i modulo their number, in a permuted order.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all. The sides of the board are 5 to
            9, 10 to 19, ..., 60 to 69.
        min_size, max_size: Sides that replace those of the levels, 3 to 100; 0 for the levels'.
            Then there is one level, the lowest chosen.
        corner: Number of columns and rows that may hold the target, 1 to 16, counted from the far
            corner.
        repeats: Addresses for each problem, to see it in other wordings and orientations.
    """

    min_size: int = params.integer(0, SHORTEST, 100, or_zero=True, up_to="max_size")
    max_size: int = params.integer(0, SHORTEST, 100, or_zero=True)
    corner: int = params.integer(4, 1, 16)
    repeats: int = params.integer(1, 1, MAX_REPEATS)

    version = 4
    verifier = "logic_gridworld_knight_move"
    same_up_to = "turns and reflections of the board"
    domain = "omega"
    words = Words.beside(__file__).part("knight")
    answer_type = "integer:moves"
    symbols = {"leaps": 6}
    n_levels = len(SIZES)
    level_is_canonical = True
    counted = "n_moves"
    own_axes = SIDES | {
        "short_leap": axis("shorter part of a leap", 1, 6),
        "long_leap": axis("longer part of a leap", 1, 6),
        "n_moves": axis("fewest moves to the target", 1, 10_000),
    }

    @property
    def block(self) -> int:
        """Number of addresses that selection draws at a time, without any board."""
        return 4_096

    @property
    def _problems(self) -> Sequence[tuple[int, ...]]:
        levels = self.chosen_levels
        return _leaps(levels, tuple(map(self.sizes_of, levels)), self.corner)

    @property
    def space(self) -> int | None:
        """Every problem, `repeats` times."""
        return len(self._problems) * self.repeats

    @property
    def fewest_problems(self) -> int | None:
        """The exact number of problems."""
        return len(self._problems)

    @property
    def restates(self) -> bool:
        """Whether each problem has several addresses."""
        return self.repeats > 1

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Look up the problems at these addresses, and draw their orientation in the text."""
        n = len(self._problems)
        order = permutation_table(stream_key("omega", "knight_move"), n)
        index = permute(rows.addresses % np.uint64(n), order).tolist()
        text = rows.branch("text").draws()
        turned, swapped = text.integers(0, 2).tolist(), text.integers(0, 2).tolist()
        made: list[Problem | None] = []
        for i, is_turned, is_swapped in zip(index, turned, swapped, strict=True):
            level, a, b, w, h, x, y, moves = self._problems[i]
            sides = (h, w, y, x) if is_turned else (w, h, x, y)
            values = (*sides, b, a) if is_swapped else (*sides, a, b)
            made.append(
                Problem(
                    ("leaps", a, b, w, h, x, y),
                    str(moves),
                    dict(zip("whxyab", values, strict=True)),
                    axes=dict(zip(self.own_axes, (w, h, a, b, moves), strict=True)),
                    difficulty=level,
                    data=values,
                )
            )
        return made

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the fewest moves to each square that needs no more, and a shortest path."""
        w, h, x, y, a, b = problem.data
        stride, most = w + max(a, b), int(problem.answer)
        waves = list(islice(_waves(w, h, a, b), most + 1))
        place, path = y * stride + x, [f"moves: {problem.answer}"]
        for move in range(most, 0, -1):
            path.append(f"move {move}: to ({place % stride}, {place // stride})")
            before = [place + shift * sign for shift in _shifts(stride, a, b) for sign in (1, -1)]
            place = next(one for one in before if one >= 0 and waves[move - 1] >> one & 1)
        lines = rows_of_waves(waves, w, h, stride)
        return [*(f"row {number}: {row}" for number, row in enumerate(lines)), *path[::-1]]


@lru_cache(16)
def _leaps(
    levels: tuple[int, ...], sizes: tuple[Range, ...], corner: int
) -> Sequence[tuple[int, ...]]:
    """List level, leap, board, target and moves of every problem, w <= h and, if equal, x <= y."""
    return [
        (level, *one)
        for level, (low, high) in zip(levels, sizes, strict=True)
        for one in _balanced(
            [
                (a, b, w, h, x, y, moves)
                for w in range(low, high + 1)
                for h in range(w, high + 1)
                for a, b in _LEAPERS
                for (y, x), moves in sorted(_targets(w, h, a, b, corner).items())
                if w < h or x <= y
            ]
        )
    ]


def _balanced(problems: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Drop problems evenly until fewer than half need as few moves as on an unbounded board.

    If all problems do, or all but one, keep all.
    """
    is_easy = [moves == _unbounded(a, b, x, y) for a, b, _, _, x, y, moves in problems]
    easy = sum(is_easy)
    kept = min(easy, (len(problems) - easy) * 4 // 5) or easy
    seen, chosen = 0, list[tuple[int, ...]]()
    for problem, left_out in zip(problems, is_easy, strict=True):
        if not left_out or (seen + 1) * kept // easy > seen * kept // easy:
            chosen.append(problem)
        seen += left_out
    return chosen


def _unbounded(a: int, b: int, x: int, y: int) -> int:
    """Return the moves that distance and parity require, as a closed form would.

    A leap changes a coordinate by b at most and both together by a + b, which is odd or even in
    all leaps of a piece.
    """
    moves = max(-(-max(x, y) // b), -(-(x + y) // (a + b)))
    return moves + ((moves * (a + b) - x - y) % 2 if (a + b) % 2 else 0)


def _targets(w: int, h: int, a: int, b: int, corner: int) -> dict[tuple[int, int], int]:
    """Return the fewest moves to each (y, x) in the far corner that can be reached."""
    stride, targets = w + max(a, b), dict[tuple[int, int], int]()
    corners = product(range(max(0, h - corner), h), range(max(0, w - corner), w))
    squares = [(y, x) for y, x in corners if y or x]
    for moves, fresh in enumerate(_waves(w, h, a, b)):
        targets |= {(y, x): moves for y, x in squares if fresh >> y * stride + x & 1}
        if len(targets) == len(squares):
            break
    return targets


def _shifts(stride: int, a: int, b: int) -> tuple[int, ...]:
    """Return how far the number of a square changes with a leap up."""
    return (b * stride + a, b * stride - a, a * stride + b, a * stride - b)


def _waves(w: int, h: int, a: int, b: int) -> Iterator[int]:
    """Yield the squares first reached with 0, 1, 2, ... leaps from the corner, as bits.

    A row of the board is followed by as many unused squares as the leap is long, so that leaps
    across the left or the right edge end there.
    """
    stride = w + max(a, b)
    free = sum((1 << w) - 1 << y * stride for y in range(h))
    shifts, fresh = _shifts(stride, a, b), 1
    while fresh:
        yield fresh
        free &= ~fresh
        reached = 0
        for shift in shifts:
            reached |= fresh << shift | fresh >> shift
        fresh = reached & free
