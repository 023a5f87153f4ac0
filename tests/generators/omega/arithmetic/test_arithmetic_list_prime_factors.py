"""Prime factors: the least second-largest prime of a level, and the compiled test of primes."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega.arithmetic import arithmetic_list_prime_factors as family
from synthgen.generators.omega.arithmetic._primes import is_prime, prime_from
from synthgen.generators.omega.arithmetic.arithmetic_list_prime_factors import (
    ArithmeticListPrimeFactors,
)

LEAST = {1: 25, 2: 100, 3: 200, 4: 400, 5: 800, 6: 1_600, 7: 3_200}
DIGITS = {1: (4, 7), 2: (8, 12), 3: (12, 15), 4: (15, 18), 5: (18, 25), 6: (25, 30), 7: (30, 36)}


@pytest.mark.parametrize("level", LEAST)
def test_numbers_are_products_of_primes_of_their_level(level: int) -> None:
    problems = ArithmeticListPrimeFactors(levels=(level,)).draw(Rows.span(3, 0, 200))
    assert problems.valid.all()
    low, high = DIGITS[level]
    assert low <= problems.axes["digits"].min() <= problems.axes["digits"].max() <= high + 1
    for made in problems.parts["made"]:
        number = made.facts
        assert prod(number.primes) == number.n
        assert all(is_prime(np.uint64(prime)) for prime in number.primes)
        second = sorted(set(number.primes))[-2]
        assert made.answer == str(second)
        assert second >= LEAST[level]


def test_the_compiled_test_of_primes() -> None:
    sieve = [n for n in range(2, 3_000) if all(n % d for d in range(2, int(n**0.5) + 1))]
    assert [n for n in range(3_000) if is_prime(np.uint64(n))] == sieve
    strong = [2_047, 1_373_653, 25_326_001, 3_215_031_751, 2_152_302_898_747]
    strong += [3_474_749_660_383, 341_550_071_728_321, 3_825_123_056_546_413_051]
    assert not any(is_prime(np.uint64(n)) for n in strong)
    assert is_prime(np.uint64(2**61 - 1))
    assert prime_from(10**18) == 10**18 + 3
    assert [prime_from(n) for n in (0, 2, 3, 4, 8, 90)] == [2, 2, 3, 5, 11, 97]


def test_divisions_by_hand() -> None:
    assert list(family._divisions(33_263, [29, 31, 37])) == [
        "33263 = 29 * 1147",
        "1147 = 31 * 37",
    ]
    assert list(family._divisions(10_282, [2, 53, 97])) == ["10282 = 2 * 5141", "5141 = 53 * 97"]
    assert list(family._factors_of_small(360)) == [2, 2, 2, 3, 3, 5]


def test_solutions_divide_by_growing_primes() -> None:
    generator = ArithmeticListPrimeFactors(levels=(2,))
    texts = generator.render(generator.draw(Rows.span(3, 0, 50)), Render("instruction", "steps"))
    assert texts.solutions is not None
    for way, answer in zip(texts.solutions.to_pylist(), texts.answers.to_pylist(), strict=True):
        *divisions, last = way.split("\n")
        primes = [int(line.split(" ")[2]) for line in divisions]
        assert all(p <= q for p, q in pairwise(primes))
        assert last.endswith(f", second {answer}")


@pytest.mark.parametrize("level", LEAST)
def test_no_answer_can_be_guessed(level: int) -> None:
    made = ArithmeticListPrimeFactors(levels=(level,)).draw(Rows.span(5, 0, 400)).parts["made"]
    answers = [one.answer for one in made]
    assert max(answers.count(answer) for answer in set(answers)) < 0.15 * len(answers)
