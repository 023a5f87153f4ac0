"""OMEGA arithmetic: the second-largest of the different prime factors of an integer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._definitions import (
    DEFINITION_SYMBOLS,
    ComposedFamily,
    Definition,
    define_all,
    letters_of,
    sentence,
)
from synthgen.generators.omega._draws import (
    PER_DIGIT,
    AheadDraws,
    entropy_between,
    integer_between,
    power_of_ten,
)
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._numbers import Tree, integer_codes
from synthgen.generators.omega._parts import some_letters
from synthgen.generators.omega.arithmetic._primes import LARGEST, prime_from
from synthgen.generators.omega.arithmetic._primes_draw import LARGEST_SMALL, draw_primes

_ENTROPIES = ((4, 7), (8, 12), (12, 15), (15, 18), (18, 25), (25, 30), (30, 36))
_LEAST_SECOND = (25, 100, 200, 400, 800, 1_600, 3_200)
_MOST_SECOND_DIGITS = (3, 4, 4, 5, 5, 5, 5)
_DEFINITIONS = ((0, 0), (0, 0), (0, 0), (0, 0), (0, 1), (0, 1), (1, 2))
_MOST_DIGITS = 40
_MOST_PRIMES = 30
_WORDINGS = (
    "What is the second-largest of the different prime factors of {n}? Give an integer.",
    "List the different prime factors of {n} from the largest to the smallest. Which one comes "
    "second? Answer with an integer.",
    "Find the second-largest prime that divides {n}. Give an integer.",
    "Of the different primes that divide {n}, which one is smaller than exactly one of the "
    "others? The answer is an integer.",
)


@dataclass(slots=True)
class _Number:
    n: int
    primes: list[int]
    definitions: list[Definition]


@dataclass(frozen=True)
class ArithmeticListPrimeFactors(ComposedFamily):
    """An integer put together from its prime factors.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. The
            integer has 4 to 7, 8 to 12, 12 to 15, 15 to 18, 18 to 25, 25 to 30 or 30 to 36
            digits of entropy, and its second-largest prime factor is at least 25, 100, 200, 400,
            800, 1,600 or 3,200 and below 10^3, 10^4 or, from level 4 on, 10^5.
        definitions: least and most number of sentences that define the integer before the
            question; none stand for the level's own.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "arithmetic_list_prime_factors"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_ENTROPIES)
    n_definitions: ClassVar[tuple[tuple[int, int], ...]] = _DEFINITIONS
    wordings: ClassVar[int] = len(_WORDINGS)
    block = 1024
    words_ahead = ((1, 0), (1, 0), (1, 0), (1, 0), (18, 6), (20, 6), (24, 10))
    symbols: ClassVar[Mapping[str, int]] = {**DEFINITION_SYMBOLS, "second_prime": 1}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How long the integer is, and of how many primes."""
        return {
            "digits": Axis("digits of the largest integer", low=1, high=_MOST_DIGITS),
            "n_primes": Axis("different prime factors", low=2, high=_MOST_PRIMES),
            "n_definitions": self.definitions_axis,
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw the two largest primes, and fill up with numbers of no larger primes."""
        entropy = entropy_between(draws, *_ENTROPIES[level - 1])
        second, largest, *others = _some_factors(draws, level, entropy)
        primes = [second, largest]
        n, most = second * largest, power_of_ten(entropy)
        for small in others:
            n *= small
            primes += _factors_of_small(small)
        while most // n > 1:
            small = draws.integer(2, min(most // n, second, LARGEST_SMALL) + 1)
            n *= small
            primes += _factors_of_small(small)
        n_definitions = self.count_definitions(level, draws)
        definitions: list[Definition] = []
        tree: Tree
        if n_definitions:
            letters = some_letters(draws, 2 * n_definitions)
            definitions, direct = define_all(draws, [n], n_definitions, entropy // 3, letters)
            tree = ("second_prime", ("let", direct[0].tree))
        else:
            tree = [self.signature.code["second_prime"], *integer_codes(n)]
        axes = {
            "digits": len(str(n)),
            "n_primes": len(set(primes)),
            "n_definitions": n_definitions,
        }
        return Made(tree, str(second), _Number(n, primes, definitions), axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write the definitions and ask for the prime."""
        number: _Number = made.facts
        definitions = number.definitions
        before = "".join(sentence(draws, one) for one in definitions)
        name = definitions[-1].letter if definitions else number.n
        return before + _WORDINGS[wording].format(n=name)

    def steps(self, made: Made) -> str:
        """Write the numbers defined, the divisions by one prime after the other, and the list."""
        number: _Number = made.facts
        known = letters_of(number.definitions)
        lines = [f"{letter} = {value}" for letter, value in known.items()]
        lines += _divisions(number.n, sorted(number.primes))
        different = sorted(set(number.primes), reverse=True)
        lines.append(f"{' > '.join(map(str, different))}, second {made.answer}")
        return "\n".join(lines)


def _some_factors(draws: RowDraws, level: int, entropy: int) -> list[int]:
    """Return the second-largest and the largest prime, and numbers of no larger primes, if any."""
    if not isinstance(draws, AheadDraws):
        return [*_two_primes(draws, level, entropy)]
    least = _LEAST_SECOND[level - 1]
    low, most_digits = _entropy_above(2 * least), _MOST_SECOND_DIGITS[level - 1]
    factors, at = draw_primes(draws.key, draws.at, entropy, least, low, most_digits)
    draws.move_to(int(at))
    return factors.tolist()  # type: ignore[no-any-return]


def _two_primes(draws: RowDraws, level: int, entropy: int) -> tuple[int, int]:
    """Return the second-largest and the largest prime, both with about uniform logarithms."""
    least = _LEAST_SECOND[level - 1]
    low = _entropy_above(2 * least)
    high = min(PER_DIGIT * _MOST_SECOND_DIGITS[level - 1], entropy // 2)
    size = draws.integer(min(low, high), high + 1)
    most = power_of_ten(size)
    second = prime_from(integer_between(draws, least, most - most // 50))
    size = draws.integer(size, entropy - size + 1)
    most = max(second + 1, min(LARGEST, power_of_ten(size)))
    return second, prime_from(integer_between(draws, second + 1, most))


@cache
def _entropy_above(least: int) -> int:
    """Return the least entropy of more than so many choices, in sixteenths."""
    return next(s for s in count() if power_of_ten(s) > least)


@cache
def _factors_of_small(n: int) -> tuple[int, ...]:
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            return divisor, *_factors_of_small(n // divisor)
        divisor += 1
    return (n,) if n > 1 else ()


def _divisions(n: int, primes: Sequence[int]) -> Iterator[str]:
    for prime in primes[:-1]:
        yield f"{n} = {prime} * {n // prime}"
        n //= prime


GENERATOR = ArithmeticListPrimeFactors
