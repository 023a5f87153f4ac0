"""OMEGA algebra: how often the graphs of two chains of functions meet on an interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import AheadDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.algebra._func_family import (
    CountFamily,
    check_tame,
    functions_text,
    pair_trees,
    radians,
    symbols_of,
)
from synthgen.generators.omega.algebra._func_meet import Pair
from synthgen.generators.omega.algebra._func_pairs import About, pairs
from synthgen.generators.omega.algebra._func_values import UndecidedError

_WORDINGS = (
    "Let {f}. In how many points do the graphs of f and g meet for -{r} <= x <= {r}? Points where f"
    " or g is undefined are none. Give an integer.",
    "Given {f}, count the different solutions of f(x) = g(x) in the closed interval [-{r}, {r}]. At"
    " a solution both functions must be defined. Answer with an integer.",
    "Consider {f}. How many numbers x from -{r} to {r} (both included) satisfy f(x) = g(x), both"
    " sides being defined? The answer is an integer.",
    "For {f}, find the number of intersection points of the two graphs above the interval"
    " [-{r}, {r}] of the x-axis, its ends included. Where a denominator is zero there is no point."
    " Give an integer.",
)


@dataclass(frozen=True)
class AlgebraFuncIntersection(CountFamily):
    """Meetings of two chains of layers, each with at most one of sin, cos and exp.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. At level n
            f has n + 1 layers and g has n.
        reach: the interval is [-reach, reach].
        min_answer, max_answer: fewest and most meetings.
    """

    max_answer: int = 200

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "algebra_func_intersection"
    wordings: ClassVar[int] = len(_WORDINGS)
    n_functions: ClassVar[int] = 2
    block: ClassVar[int] = 64
    symbols: ClassVar[Mapping[str, int]] = symbols_of({"meetings": 3})

    def make(self, level: int, draws: AheadDraws) -> Made | None:
        """Draw pairs until the meetings of one are proven and their number passes the filter."""
        about = About(self.reach, self.min_answer)
        for f, g in pairs(draws, level, self.tries, about):
            try:
                check_tame((f, g), Fraction(-self.reach), Fraction(self.reach))
                meetings = len(Pair(f, g).meetings(-self.reach, self.reach, self.max_answer))
            except UndecidedError:
                continue
            if self.wanted(meetings, draws):
                tree: Tree = ("meetings", *pair_trees(f, g), self.reach)
                return Made(tree, str(meetings), (f, g), axes=self.built(f, g))
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define both functions and ask for the number of their meetings."""
        f = functions_text(made.facts, draws)
        return _WORDINGS[wording].format(f=f, r=self.reach) + radians(made.facts)


GENERATOR = AlgebraFuncIntersection
