"""Divisors and factors of integers: numbers are built from their divisors."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from synthgen.authoring import LevelledFamily, Problem, RowDraws, Words, axis
from synthgen.authoring.entropy import PER_DIGIT, entropy_between, positive_of

_WORDS = Words.beside(__file__)
_TRIES = 64
_ENTROPIES = ((4, 7), (10, 12), (15, 20), (20, 25), (25, 30), (30, 36), (36, 44))
"""Least and most digits of entropy of each level."""


@dataclass(frozen=True)
class ArithmeticGcd(LevelledFamily):
    """Two integers whose common divisor takes about a third of their digits.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            The two integers have 4 to 7, 10 to 12, 15 to 20, 20 to 25, 25 to 30, 30 to 36 or 36 to
            44 digits together, the common divisor counted once.
    """

    version = 2
    verifier = "arithmetic_gcd"
    same_up_to = "the order of the numbers"
    domain = "omega"
    words = _WORDS.part("gcd")
    symbols = {"gcd": 2}
    n_levels = 7
    own_axes = {"digits": axis("digits of the larger integer", 1, 45)}

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Multiply a coprime pair by its greatest common divisor to be."""
        entropy = entropy_between(draws, *_ENTROPIES[level - 1])
        third = entropy // 3
        common = PER_DIGIT + draws.integer(max(third - 2 * PER_DIGIT, 0), third + 1)
        divisor = positive_of(draws, common)
        rest = entropy - common
        for _ in range(_TRIES):
            share = draws.integer(0, rest + 1)
            p, q = positive_of(draws, share), positive_of(draws, rest - share)
            if gcd(p, q) == 1 and p != q:
                break
        else:
            return None
        p, q = p * divisor, q * divisor
        small, large = min(p, q), max(p, q)
        return Problem(
            tree=("gcd", small, large),
            answer=str(divisor),
            holes={"p": p, "q": q},
            axes={"digits": len(str(large))},
            data=(large, small),
        )

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the divisions of Euclid's algorithm."""
        larger, smaller = problem.data
        lines = []
        while smaller:
            times, rest = divmod(larger, smaller)
            lines.append(f"{larger} = {times} * {smaller} + {rest}")
            larger, smaller = smaller, rest
        return lines


GENERATORS = {"arithmetic_gcd": ArithmeticGcd}
