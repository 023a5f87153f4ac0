"""OMEGA algebra: how many zeros a chain of functions has on an interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega.algebra._func_count import LapCountFamily
from synthgen.generators.omega.algebra._func_family import (
    functions_text,
    radians,
    symbols_of,
)
from synthgen.generators.omega.algebra._func_hunt import ZEROS

_WORDINGS = (
    "Let {f}. How many zeros does f have in the closed interval [-{r}, {r}]? Count every zero once,"
    " whether the graph crosses or only touches the axis there; where a denominator is zero, f is"
    " undefined. Give an integer.",
    "Given {f}, count the different real solutions of f(x) = zero with -{r} <= x <= {r}. A solution"
    " at an end of the interval counts, and a point where a denominator vanishes is no solution."
    " Answer with an integer.",
    "Consider {f}. In how many points of [-{r}, {r}], ends included, does the graph of f meet the"
    " x-axis? Touching counts as meeting, and f has no value where a denominator is zero. The"
    " answer is an integer.",
    "For {f}, find the number of distinct x from -{r} to {r} (both included) at which f is defined"
    " and equal to zero. Give an integer.",
)


@dataclass(frozen=True)
class AlgebraFuncZeros(LapCountFamily):
    """Zeros of a chain of layers, with at most one of sin, cos and exp among them.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. Level n
            has n + 1 layers.
        reach: the interval is [-reach, reach].
        min_answer, max_answer: fewest and most zeros.
    """

    version: ClassVar[int] = 2
    verifier: ClassVar[str] = "algebra_func_zeros"
    wordings: ClassVar[int] = len(_WORDINGS)
    heads: ClassVar[tuple[str, ...]] = ("zeros",)
    measures: ClassVar[tuple[int, ...]] = (ZEROS,)
    symbols: ClassVar[Mapping[str, int]] = symbols_of({"zeros": 2})

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define the function and ask for the number of its zeros."""
        f = functions_text(made.facts, draws)
        return _WORDINGS[wording].format(f=f, r=self.reach) + radians(made.facts)


GENERATOR = AlgebraFuncZeros
