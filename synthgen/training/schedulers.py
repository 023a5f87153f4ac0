"""Choose the cell of the next problem by the pass rates of the problems before.

A scheduler is deterministic: its choices follow from its options, its seed, and the results
reported so far. Each draw has random numbers keyed by its number, so a state is a few counts.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Any

from synthgen.core.checks import check_int, check_share
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.draws.streams import stream_key
from synthgen.training.stream import check_same

_MAX = 2**62
_VERSION = 1
_KEYS = ("fingerprint", "seed", "drawn", "passed", "tried")
State = dict[str, Any]


@dataclass(eq=False, kw_only=True)
class Scheduler(ABC):
    """Common base of the schedulers.

    Args:
        seed: Seed of the draws.

    Attributes:
        names: Names of the cells.
        drawn: Number of draws so far.
        passed, tried: Results of each cell, counted as the scheduler needs them.
    """

    seed: int = 0

    def __post_init__(self) -> None:
        check_int("seed", self.seed, 0, 2**64 - 1)
        self.names = self._cells()
        if not self.names or len({*self.names}) < len(self.names):
            raise ParamError("cells", self.names, "one or more different names")
        self.drawn = 0
        self.passed: dict[str, float] = dict.fromkeys(self.names, 0)
        self.tried: dict[str, float] = dict.fromkeys(self.names, 0)

    @abstractmethod
    def _cells(self) -> list[str]:
        """Return the names of the cells, and check the options."""

    @abstractmethod
    def _choice(self, random: Random) -> str:
        """Return the cell of a draw."""

    def choose(self, n: int = 1) -> list[str]:
        """Return the cells of the next n problems."""
        check_int("n", n, 0, _MAX)
        cells = []
        for _ in range(n):
            cells.append(self._choice(Random(stream_key(self.seed, "draw", self.drawn))))  # noqa: S311
            self.drawn += 1
        return cells

    def report(self, cell: str, passed: int, n: int = 1) -> None:
        """Report that `passed` of n answers to problems of a cell were right.

        Raises:
            UnknownNameError: for an unknown cell.
        """
        if cell not in self.tried:
            raise UnknownNameError(kind="cell", name=cell, known=self.names)
        check_int("n", n, 0, _MAX)
        check_int("passed", passed, 0, n)
        self._count(cell, passed, n)

    def _count(self, cell: str, passed: int, n: int) -> None:
        self.passed[cell] += passed
        self.tried[cell] += n

    def state_dict(self) -> State:
        """Return the counts, as values for JSON."""
        counts = {"passed": dict(self.passed), "tried": dict(self.tried)}
        here = {"fingerprint": self._fingerprint(), "seed": self.seed}
        return {**here, "drawn": self.drawn, **counts}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Move to recorded counts.

        Raises:
            ParamError: if they belong to other cells or options; the message names the difference.
        """
        check_same(state, {"fingerprint": self._fingerprint(), "seed": self.seed}, _KEYS)
        drawn = check_int("state: drawn", state["drawn"], 0, _MAX)
        for name in ("passed", "tried"):
            counts = state[name]
            known = isinstance(counts, Mapping) and {*counts} == {*self.names}
            if not known or not all(map(_is_count, counts.values())):
                what = f"state: {name}"
                raise ParamError(what, counts, "a number from 0 for each cell")
        self.drawn = drawn
        self.passed, self.tried = ({n: state[key][n] for n in self.names} for key in _KEYS[3:])

    def _fingerprint(self) -> State:
        """Return everything that choices depend on, besides the seed and the counts."""
        options = {each.name: getattr(self, each.name) for each in fields(self)}
        del options["seed"]
        return {"version": _VERSION, "scheduler": type(self).__name__, **_plain(options)}


@dataclass(eq=False)
class Fixed(Scheduler):
    """Cells in proportion to fixed weights.

    Args:
        weights: Weights of the cells, as `synthgen profile` gives; or the cells, weighted equally.

    >>> Fixed({"easy": 1, "hard": 3}, seed=1).choose(5)
    ['easy', 'hard', 'hard', 'hard', 'hard']
    """

    weights: Mapping[str, float] | Sequence[str]

    def _cells(self) -> list[str]:
        given = self.weights
        if isinstance(given, Mapping) and not (
            all(map(_is_count, given.values())) and any(given.values())
        ):
            raise ParamError("weights", given, "numbers from 0, one of them positive")
        return [*given]

    def _choice(self, random: Random) -> str:
        weights = self.weights.values() if isinstance(self.weights, Mapping) else None
        return random.choices(self.names, [*weights] if weights else None)[0]


@dataclass(eq=False)
class Window(Scheduler):
    """RLVE's sliding window of levels (arXiv 2511.07317): each ladder rises on its own.

    A ladder begins at its lowest level. When at least `least` answers at the highest level of its
    window have been counted, the window rises by a level if the pass rate is at least `threshold`,
    and that level is counted anew. Ladders and the levels of a window are equally likely.

    Args:
        ladders: Cells of each ladder, the easiest first, as `Cells.ladders` gives them.
        threshold: Pass rate from which a window rises.
        least: Number of answers that a window needs before it may rise.
        width: Number of levels in a window.

    >>> window = Window({"hint": ["hint 1", "hint 2", "hint 3"]}, width=2)
    >>> window.report("hint 1", 8, 8)
    >>> window.windows
    {'hint': ['hint 1', 'hint 2']}
    """

    ladders: Mapping[str, Sequence[str]]
    threshold: float = 0.9
    least: int = 8
    width: int = 4

    def _cells(self) -> list[str]:
        ladders = self.ladders
        if not isinstance(ladders, Mapping) or not all(ladders.values()):
            raise ParamError("ladders", ladders, "lists of cells by name")
        check_share("threshold", self.threshold)
        check_int("least", self.least, 1, _MAX)
        check_int("width", self.width, 1, _MAX)
        self._tops = dict.fromkeys(ladders, 0)
        return [cell for ladder in ladders.values() for cell in ladder]

    @property
    def windows(self) -> dict[str, list[str]]:
        """The cells in the window of each ladder."""
        return {
            name: [*self.ladders[name]][max(0, top + 1 - self.width) : top + 1]
            for name, top in self._tops.items()
        }

    def _choice(self, random: Random) -> str:
        return random.choice(random.choice([*self.windows.values()]))

    def _count(self, cell: str, passed: int, n: int) -> None:
        super()._count(cell, passed, n)
        for name, top in self._tops.items():
            if self.ladders[name][top] == cell and self.tried[cell] >= self.least:
                passes = self.passed[cell] >= self.threshold * self.tried[cell]
                self._tops[name] += passes and top + 1 < len(self.ladders[name])
                self.passed[cell] = self.tried[cell] = 0

    def state_dict(self) -> State:
        """Return the counts and the highest level of each window, as values for JSON."""
        return {**super().state_dict(), "tops": dict(self._tops)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Move to recorded counts and windows; see `Scheduler.load_state_dict` for the errors."""
        tops = state.get("tops") if isinstance(state, Mapping) else None
        if not isinstance(tops, Mapping) or {*tops} != {*self.ladders}:
            raise ParamError("state: tops", tops, "a number for each ladder")
        for name, ladder in self.ladders.items():
            check_int(f"state: top of {name}", tops[name], 0, len(ladder) - 1)
        super().load_state_dict({key: value for key, value in state.items() if key != "tops"})
        self._tops = {name: tops[name] for name in self.ladders}


@dataclass(eq=False, kw_only=True)
class Rated(Scheduler):
    """Base of the schedulers that follow the pass rates of all cells.

    Args:
        memory: Factor on the earlier results of a cell whenever new ones are reported; below 1,
            they are forgotten as the model changes.
    """

    memory: float = 0.98

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("memory", self.memory)

    def _count(self, cell: str, passed: int, n: int) -> None:
        self.passed[cell] = self.passed[cell] * self.memory + passed
        self.tried[cell] = self.tried[cell] * self.memory + n

    def rate(self, cell: str) -> float:
        """Return the pass rate of a cell, 1/2 before any results."""
        return (self.passed[cell] + 1) / (self.tried[cell] + 2)


@dataclass(eq=False)
class Thompson(Rated):
    """Thompson sampling: the cell whose pass rate, sampled from its posterior, is nearest a target.

    Args:
        cells: Names of the cells.
        target: Pass rate to aim at; a group at 1/2 is the most informative.
    """

    cells: Sequence[str]
    target: float = 0.5

    def _cells(self) -> list[str]:
        check_share("target", self.target)
        return [*self.cells]

    def _choice(self, random: Random) -> str:
        def distance(name: str) -> float:
            passed, failed = self.passed[name], self.tried[name] - self.passed[name]
            return abs(self.target - random.betavariate(passed + 1, failed + 1))

        return min(self.names, key=distance)


@dataclass(eq=False)
class Falling(Rated):
    """Cells whose pass rate is near a falling mean: a Gaussian over the pass rates.

    Args:
        cells: Names of the cells.
        draws: Number of draws in which the mean falls from `start` to `end`, where it stays.
        start, end: Pass rates at which the mean starts and ends.
        width: Standard deviation of the Gaussian.
    """

    cells: Sequence[str]
    draws: int
    start: float = 0.8
    end: float = 0.2
    width: float = 0.15

    def _cells(self) -> list[str]:
        check_int("draws", self.draws, 1, _MAX)
        for name in ("start", "end"):
            check_share(name, getattr(self, name))
        if not _is_count(self.width) or not self.width:
            raise ParamError("width", self.width, "a number above 0")
        return [*self.cells]

    @property
    def mean(self) -> float:
        """The mean now."""
        done = min(1.0, self.drawn / self.draws)
        return self.start + (self.end - self.start) * done

    def _choice(self, random: Random) -> str:
        powers = [-0.5 * ((self.rate(name) - self.mean) / self.width) ** 2 for name in self.names]
        highest = max(powers)  # so that the nearest cell has weight 1, however far it is
        return random.choices(self.names, [math.exp(power - highest) for power in powers])[0]


def _is_count(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value < math.inf  # type: ignore[operator]


def _plain(value: Any) -> Any:
    """Return options as JSON gives them back."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return value if isinstance(value, str | int | float) else [_plain(each) for each in value]
