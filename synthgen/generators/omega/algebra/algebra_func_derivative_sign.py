"""OMEGA algebra: on how many maximal intervals a chain of functions rises or falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega.algebra._func_family import (
    CountFamily,
    functions_text,
    radians,
    symbols_of,
)
from synthgen.generators.omega.algebra._func_laps import laps_of
from synthgen.generators.omega.algebra._func_layers import function_tree
from synthgen.generators.omega.algebra._func_values import UndecidedError

SUBTYPES = ("positive", "negative")
_WORDINGS = (
    "Let {f}. Into how many maximal open intervals does the set of all x with -{r} < x < {r} and a"
    " {what} derivative of f fall? Points where f is undefined or has no derivative do not belong"
    " to the set. Give an integer.",
    "Given {f}, count the maximal open subintervals of (-{r}, {r}) on which the derivative of f"
    " exists and is {what} everywhere. Answer with an integer.",
    "Consider {f} on the open interval (-{r}, {r}). How many maximal open intervals are there in it"
    " such that f has a {what} derivative at each of their points? The answer is an integer.",
    "For {f}, take all x strictly between -{r} and {r} at which f is differentiable with a {what}"
    " derivative. Of how many separate open intervals does this set consist? Give an integer.",
)


@dataclass(frozen=True)
class AlgebraFuncDerivativeSign(CountFamily):
    """Intervals on which a chain of layers has a derivative of one sign.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. Level n
            has n + 1 layers, at most one of them transcendental.
        reach: the interval is (-reach, reach).
        min_answer, max_answer: fewest and most intervals asked for.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "algebra_func_derivative_sign"
    subtypes: ClassVar[tuple[str, ...]] = SUBTYPES
    wordings: ClassVar[int] = len(_WORDINGS)
    symbols: ClassVar[Mapping[str, int]] = symbols_of(dict.fromkeys(SUBTYPES, 2))

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw chains until the count of one is certain and passes the filter."""
        subtype = draws.integer(0, len(SUBTYPES))
        for _ in range(self.tries):
            (function,) = self.draw_functions(level, draws)
            try:
                laps = laps_of(function, Fraction(-self.reach), Fraction(self.reach))
            except UndecidedError:
                continue
            answer = laps.falling() if subtype else laps.rising()
            if self.wanted(answer, draws):
                tree = (SUBTYPES[subtype], function_tree(function), self.reach)
                return Made(tree, str(answer), (function,), subtype, self.built(function))
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define the function and ask for the number of intervals."""
        f, what = functions_text(made.facts, draws), SUBTYPES[made.subtype]
        return _WORDINGS[wording].format(f=f, r=self.reach, what=what) + radians(made.facts)


GENERATOR = AlgebraFuncDerivativeSign
