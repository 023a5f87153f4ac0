"""OMEGA algebra: the area between the graphs of two chains of functions, to one decimal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import ClassVar

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import AheadDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega.algebra._func_area import area
from synthgen.generators.omega.algebra._func_family import (
    LEAST_POINTS,
    FunctionFamily,
    check_integer,
    functions_text,
    pair_trees,
    radians,
    symbols_of,
)
from synthgen.generators.omega.algebra._func_regions import regions
from synthgen.generators.omega.algebra._func_values import UndecidedError

_WORDINGS = (
    "Let {f}. What is the area between the graphs of f and g from x = {p} to x = {q}? Parts with f"
    " below g count as positive, too. Round to one decimal.",
    "Given {f}, integrate the absolute value of f(x) - g(x) from x = {p} to x = {q}. Give the"
    " result rounded to one decimal.",
    "Consider {f}. Find the total area enclosed by the two graphs and the vertical lines x = {p}"
    " and x = {q}, all parts taken as positive, and round it to one decimal.",
    "For {f}, how large is the region between the two graphs with {p} <= x <= {q}? Add up all its"
    " parts without signs and state the total to one decimal.",
)
_CAPS = (50, 100, 150, 250, 500, 800, 1_200)
_MARGIN = 2e-3


@dataclass(frozen=True)
class AlgebraFuncArea(FunctionFamily):
    """Areas between two chains of layers, from one meeting to the next with ends to one decimal.

    Where the functions do not meet twice in [-reach, reach], the area is that from -3 to 3.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. At level n
            f has n + 1 layers and g has n, of at least 3, 6, 8, 10, 13, 15 or 18 points together;
            the area is at most 50, 100, 150, 250, 500, 800 or 1200.
        reach: where meetings are looked for, [-reach, reach].
        max_area: largest area; 0 stands for the level's.
    """

    reach: int = 5
    max_area: int = 0

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "algebra_func_area"
    wordings: ClassVar[int] = len(_WORDINGS)
    answer_type: ClassVar[str] = "decimal"
    n_functions: ClassVar[int] = 2
    block: ClassVar[int] = 64
    symbols: ClassVar[Mapping[str, int]] = symbols_of({"area": 4})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("max_area", self.max_area, 0, 100_000)

    def make(self, level: int, draws: AheadDraws) -> Made | None:
        """Draw pairs until an area is enclosed narrowly enough to be rounded."""
        most = self.max_area or _CAPS[level - 1]
        least = LEAST_POINTS[level - 1]
        for f, g, ends in regions(draws, level, self.tries, self.reach, least):
            try:
                tenths = _tenths(area(f, g, ends[0] / 10, ends[1] / 10, most))
            except UndecidedError:
                continue
            if tenths is not None and 0 < tenths <= 10 * most:
                tree = ("area", *pair_trees(f, g), *ends)
                answer = f"{tenths // 10}.{tenths % 10}"
                return Made(tree, answer, (f, g, ends), axes=self.built(f, g))
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define both functions and the ends of the region."""
        f, g, ends = made.facts
        p, q = (f"{'-' if end < 0 else ''}{abs(end) // 10}.{abs(end) % 10}" for end in ends)
        text = _WORDINGS[wording].format(f=functions_text((f, g), draws), p=p, q=q)
        return text + radians((f, g))


def _tenths(area: tuple[float, float]) -> int | None:
    """Return an area in tenths, rounded, or None if it is too near to a tie."""
    low, high = (floor(10 * end + 0.5) for end in (area[0] - _MARGIN, area[1] + _MARGIN))
    return low if low == high else None


GENERATOR = AlgebraFuncArea
