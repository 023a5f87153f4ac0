"""OMEGA algebra: on how many maximal intervals a chain of functions rises or falls."""

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
from synthgen.generators.omega.algebra._func_hunt import FALLING, RISING

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
class AlgebraFuncDerivativeSign(LapCountFamily):
    """Intervals on which a chain of layers has a derivative of one sign.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. Level n
            has n + 1 layers, at most one of them transcendental.
        reach: the interval is (-reach, reach).
        min_answer, max_answer: fewest and most intervals asked for.
    """

    version: ClassVar[int] = 2
    verifier: ClassVar[str] = "algebra_func_derivative_sign"
    subtypes: ClassVar[tuple[str, ...]] = SUBTYPES
    wordings: ClassVar[int] = len(_WORDINGS)
    heads: ClassVar[tuple[str, ...]] = SUBTYPES
    measures: ClassVar[tuple[int, ...]] = (RISING, FALLING)
    symbols: ClassVar[Mapping[str, int]] = symbols_of(dict.fromkeys(SUBTYPES, 2))

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define the function and ask for the number of intervals."""
        f, what = functions_text(made.facts, draws), SUBTYPES[made.subtype]
        return _WORDINGS[wording].format(f=f, r=self.reach, what=what) + radians(made.facts)


GENERATOR = AlgebraFuncDerivativeSign
