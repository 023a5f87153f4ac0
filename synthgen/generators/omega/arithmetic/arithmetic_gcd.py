"""OMEGA arithmetic: the greatest common divisor of two integers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import PER_DIGIT, AheadDraws, entropy_between, positive_of
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._numbers import integer_codes
from synthgen.generators.omega.arithmetic._gcd_draw import DRAWN, TOO_LARGE, draw_pair

_ENTROPIES = ((4, 7), (10, 12), (15, 20), (20, 25), (25, 30), (30, 36), (36, 44))
_SIXTEENTHS = tuple((PER_DIGIT * low, PER_DIGIT * high) for low, high in _ENTROPIES)
_MOST_DIGITS = 45
_TRIES = 64
_WORDINGS = (
    "What is the greatest common divisor of {p} and {q}? Give an integer.",
    "Find the highest common factor of {p} and {q}. Answer with an integer.",
    "Which is the largest integer that divides both {p} and {q}?",
    "Compute gcd({p}, {q}). The answer is an integer.",
)


@dataclass(frozen=True)
class ArithmeticGcd(PlainFamily):
    """Two integers with a common divisor that takes a third of their digits or so.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. The two
            integers have 4 to 7, 10 to 12, 15 to 20, 20 to 25, 25 to 30, 30 to 36 or 36 to 44
            digits of entropy together, the common divisor counted once.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_gcd"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_ENTROPIES)
    wordings: ClassVar[int] = len(_WORDINGS)
    block = 1024
    words_ahead = ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (18, 0), (22, 0))
    symbols: ClassVar[Mapping[str, int]] = {"gcd": 2}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How long the integers are."""
        return {"digits": Axis("digits of the larger integer", low=1, high=_MOST_DIGITS)}

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Multiply a coprime pair by its greatest common divisor to be."""
        drawn = _draw_pair(level, draws)
        if drawn is None:
            return None
        p, q, divisor = drawn
        p, q = p * divisor, q * divisor
        codes = [
            self.signature.code["gcd"],
            *integer_codes(min(p, q)),
            *integer_codes(max(p, q)),
        ]
        return Made(codes, str(divisor), (p, q), axes={"digits": len(str(max(p, q)))})

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Ask for the divisor of both."""
        del draws
        p, q = made.facts
        return _WORDINGS[wording].format(p=p, q=q)

    def steps(self, made: Made) -> str:
        """Write the divisions of Euclid's algorithm."""
        p, q = made.facts
        return "\n".join(_divisions(max(p, q), min(p, q)))


def _draw_pair(level: int, draws: RowDraws) -> tuple[int, int, int] | None:
    """Draw a coprime pair and a divisor, by the kernel if they are not too large for that."""
    if isinstance(draws, AheadDraws):
        low, high = _SIXTEENTHS[level - 1]
        found, p, q, divisor = draw_pair(draws.key, low, high)
        if found != TOO_LARGE:
            return (int(p), int(q), int(divisor)) if found == DRAWN else None
    entropy = entropy_between(draws, *_ENTROPIES[level - 1])
    third = entropy // 3
    common = PER_DIGIT + draws.integer(max(third - 2 * PER_DIGIT, 0), third + 1)
    divisor = positive_of(draws, common)
    rest = entropy - common
    for _ in range(_TRIES):
        share = draws.integer(0, rest + 1)
        p, q = positive_of(draws, share), positive_of(draws, rest - share)
        if gcd(p, q) == 1 and p != q:
            return p, q, divisor
    return None


def _divisions(larger: int, smaller: int) -> Iterator[str]:
    while smaller:
        times, rest = divmod(larger, smaller)
        yield f"{larger} = {times} * {smaller} + {rest}"
        larger, smaller = smaller, rest


GENERATOR = ArithmeticGcd
