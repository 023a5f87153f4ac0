"""OMEGA algebra: how many local extrema a chain of functions has inside an interval."""

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
from synthgen.generators.omega.algebra._func_hunt import EXTREMA, MAXIMA, MINIMA

SUBTYPES = ("extrema", "minima", "maxima")
_ASKED = ("local extrema (minima and maxima together)", "local minima", "local maxima")
_WORDINGS = (
    "Let {f}. How many {what} does f have strictly between x = -{r} and x = {r}? Corners of the"
    " graph count like smooth ones; points where f is undefined and the ends of the interval do"
    " not count. Give an integer.",
    "Given {f}, count the {what} of f in the open interval (-{r}, {r}). They may lie at corners,"
    " where f has no derivative, but not where a denominator is zero. Answer with an integer.",
    "Consider {f} for -{r} < x < {r}. What is the number of {what} in this open interval, those at"
    " corners included? A point where f is not defined is none. The answer is an integer.",
    "For {f}, find how many {what} the graph of f has with -{r} < x < {r}, smooth or not; the ends"
    " of the interval are left out, and so is any x at which f is undefined. Give an integer.",
)


@dataclass(frozen=True)
class AlgebraFuncExtrema(LapCountFamily):
    """Local extrema, minima or maxima of a chain of layers, at most one of them transcendental.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. Level n
            has n + 1 layers.
        reach: the interval is (-reach, reach).
        min_answer, max_answer: fewest and most points asked for.
    """

    version: ClassVar[int] = 2
    verifier: ClassVar[str] = "algebra_func_extrema"
    subtypes: ClassVar[tuple[str, ...]] = SUBTYPES
    wordings: ClassVar[int] = len(_WORDINGS)
    heads: ClassVar[tuple[str, ...]] = SUBTYPES
    measures: ClassVar[tuple[int, ...]] = (EXTREMA, MINIMA, MAXIMA)
    symbols: ClassVar[Mapping[str, int]] = symbols_of(dict.fromkeys(SUBTYPES, 2))

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define the function and ask for the number of its extrema."""
        f, what = functions_text(made.facts, draws), _ASKED[made.subtype]
        return _WORDINGS[wording].format(f=f, r=self.reach, what=what) + radians(made.facts)


GENERATOR = AlgebraFuncExtrema
