"""Compound tasks, solved by dynamic programming with one line of work for each place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from synthgen.authoring import (
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    check_int,
    levelled,
    params,
    stream_key,
)

_WORDS = Words.beside(__file__)
_MAX = 100
_MODULUS = 47


class _Granular(PlainFamily):
    """A family whose solution keeps each line but the last with probability `step_ratio`.

    Which lines are kept follows from the problem and the ratio, so a higher ratio keeps more of
    the same lines.
    """

    step_ratio: float

    def line_of(self, known: Any, end: int) -> str:
        """Return the line of work for a place, from 1, given a problem's data."""
        raise NotImplementedError

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Return the lines that are kept."""
        numbers = problem.data[0]
        draws = RowDraws(stream_key("kept lines", self.verifier, *map(str, numbers)))
        kept = [end for end in range(1, len(numbers)) if draws.uniform() < self.step_ratio]
        return [self.line_of(problem.data, end) for end in (*kept, len(numbers))]


@levelled("length", 4, 6, 8, 10, 12, 15, 20, 30, 50, 80)
@dataclass(frozen=True)
class LongestIncreasing(_Granular):
    """Numbers with planted increasing runs, and the longest increasing subsequence.

    Attributes:
        min_length, max_length: Length of the sequence.
        number_range: Bound of the numbers, which are below it and above `max_length`, so that they
            differ from all lengths of subsequences.
        step_ratio: Probability that a line of the solution is kept; the last line always is.
    """

    min_length: int = params.integer(15, 3, _MAX, up_to="max_length")
    max_length: int = params.integer(15, 3, _MAX)
    number_range: int = params.integer(50, 8, 999)
    step_ratio: float = params.number(1.0, 0, 1)

    verifier = "longest_increasing"
    words = _WORDS.part("increasing")
    symbols = {"increasing": (3, _MAX)}
    own_axes = {
        "length": axis("numbers in the sequence", "min_length", "max_length"),
        "longest": axis("the answer", 1, "max_length"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("number_range", self.number_range, 2 * self.max_length + 1, 999)

    def make(self, draws: RowDraws) -> Problem:
        """Plant one to three increasing runs in random numbers."""
        length = draws.integer(self.min_length, self.max_length + 1)
        low = self.max_length + 1
        numbers = [draws.integer(low, self.number_range) for _ in range(length)]
        places = draws.shuffled(range(length))
        for size in _sizes(draws, length):
            chosen, places = sorted(places[:size]), places[size:]
            run = sorted(draws.shuffled(range(low, self.number_range))[:size])
            for place, number in zip(chosen, run, strict=True):
                numbers[place] = number
        lengths = _lengths(numbers)
        longest = max(lengths)
        return Problem(
            tree=("increasing", *numbers),
            answer=str(longest),
            holes={"numbers": " ".join(map(str, numbers))},
            axes={"length": length, "longest": longest},
            difficulty=length,
            data=(numbers, lengths),
        )

    def line_of(self, known: tuple[list[int], list[int]], end: int) -> str:
        """Write the numbers so far, which are smaller than the last, and the lengths."""
        numbers, lengths = known[0][:end], known[1][:end]
        smaller = [int(number < numbers[-1]) for number in numbers]
        return f"{_spaced(numbers)} , {_spaced(smaller)} : {_spaced(lengths)} -> {max(lengths)}"


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _sizes(draws: RowDraws, length: int) -> list[int]:
    """Draw the sizes of one to three runs, together 3 to `length`; the last may be empty."""
    total, runs = draws.integer(3, length + 1), draws.integer(1, 4)
    sizes = []
    for left in range(runs, 1, -1):
        sizes.append(draws.integer(1, total // left + 2))
        total -= sizes[-1]
    return [*sizes, total]


def _lengths(numbers: Sequence[int]) -> list[int]:
    """Return the length of the longest increasing subsequence that ends at each place."""
    lengths: list[int] = []
    for last in numbers:
        before = (n for n, number in zip(lengths, numbers, strict=False) if number < last)
        lengths.append(1 + max(before, default=0))
    return lengths


@levelled("length", 4, 8, 12, 16, 20, 30, 40, 50, 65, 80)
@dataclass(frozen=True)
class PathCounting(_Granular):
    """Cells with obstacles, crossed by steps of one, two or three cells.

    Attributes:
        min_length, max_length: Number of cells.
        min_obstacles, max_obstacles: Cells that are blocked, fewer than `min_length`.
        step_ratio: Probability that a line of the solution is kept; the last line always is.
    """

    min_length: int = params.integer(40, 4, _MAX, up_to="max_length")
    max_length: int = params.integer(40, 4, _MAX)
    min_obstacles: int = params.integer(4, 0, _MAX, up_to="max_obstacles")
    max_obstacles: int = params.integer(4, 0, _MAX, below="min_length")
    step_ratio: float = params.number(1.0, 0, 1)

    version = 2
    verifier = "path_counting"
    words = _WORDS.part("paths")
    symbols = {"cells": (4, _MAX)}
    own_axes = {
        "length": axis("cells", "min_length", "max_length"),
        "obstacles": axis("blocked cells", "min_obstacles", "max_obstacles"),
    }

    def make(self, draws: RowDraws) -> Problem:
        """Block cells at random, but not the last, which would make the answer 0."""
        length = draws.integer(self.min_length, self.max_length + 1)
        obstacles = draws.integer(self.min_obstacles, self.max_obstacles + 1)
        blocked = {*draws.sample(range(length - 1), obstacles)}
        cells = [int(cell not in blocked) for cell in range(length)]
        ways = _ways(cells)
        return Problem(
            tree=("cells", *cells),
            answer=str(ways[-1]),
            holes={"cells": _spaced(cells), "length": length},
            axes={"length": length, "obstacles": obstacles},
            difficulty=length,
            data=(cells, ways),
        )

    def line_of(self, known: tuple[list[int], list[int]], end: int) -> str:
        """Write the cell, the ways to the three before it, and the ways to it."""
        cells, ways = known
        return f"{end} , {cells[end - 1]} , {_spaced(ways[max(0, end - 3) : end])} -> {ways[end]}"


def _ways(cells: Sequence[int]) -> list[int]:
    """Return the ways to reach cell 0, 1, ... modulo 47."""
    ways = [1]
    for cell in cells:
        ways.append(sum(ways[-3:]) * cell % _MODULUS)
    return ways


GENERATORS = {
    "longest_increasing": LongestIncreasing,
    "path_counting": PathCounting,
}
