"""Tuples with a vanishing sum of powers: examples by hand, and brute force."""

from __future__ import annotations

from itertools import product
from math import gcd

import pytest

from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.numbertheory._power_sums import coprime_vanishing, vanishing
from synthgen.generators.omega.numbertheory.numbertheory_ordered_lte import (
    NumbertheoryOrderedLte,
)

WINDOWS = {1: (1, 10), 2: (1, 100), 3: (10, 100), 4: (100, 999)}


def tried(coefficients: tuple[int, ...], exponent: int, bound: int, modulus: int) -> list[int]:
    """Return the common divisor of every tuple that fits."""
    return [
        gcd(*numbers)
        for numbers in product(range(1, bound + 1), repeat=len(coefficients))
        if sum(c * x**exponent for c, x in zip(coefficients, numbers, strict=True)) % modulus == 0
    ]


def test_examples_by_hand() -> None:
    # cubes modulo 9 are 0, 1 and 8, three times each among 1..9: only 0 + 0 fits
    assert vanishing((1, 2), 3, 9, 9) == 9
    # 0 + 0 + 0 in 27 ways, and 0, 1 and 8 in six orders with 27 ways each
    assert vanishing((1, 1, 1), 3, 9, 9) == 189


@pytest.mark.parametrize(
    ("coefficients", "exponent", "bound", "modulus"),
    [
        *(((1,), 2, 4, 4), ((1,), 3, 27, 27), ((-3, 4), 3, 9, 27), ((1, -1), 2, 8, 8)),
        *(((1, -2, 3), 3, 9, 9), ((-4, 1, 4), 4, 16, 16), ((2, 2, -1, 3), 3, 9, 9)),
        *(((0, 1, -1), 3, 9, 9), ((-1, 0, 1), 4, 16, 64), ((1, 1, 1, 1, -2), 2, 4, 8)),
    ],
)
def test_counts_by_brute_force(
    coefficients: tuple[int, ...], exponent: int, bound: int, modulus: int
) -> None:
    divisors = tried(coefficients, exponent, bound, modulus)
    assert vanishing(coefficients, exponent, bound, modulus) == len(divisors)
    signed = coprime_vanishing(coefficients, exponent, bound, modulus)
    assert sum(many for _, many in signed) == divisors.count(1)


def test_one_unknown_begins_at_one() -> None:
    made = listing_of(NumbertheoryOrderedLte((1,))).made
    alone = {one.tree: one.answer for one in made if len(one.facts.coefficients) == 1}
    # a^3 is divisible by 3^2 for the 3 multiples of 3 up to 9, and not counting 0
    assert alone["plain", 3, 2, 2, ("terms1", 1)] == "3"


@pytest.mark.parametrize("level", WINDOWS)
def test_answers_lie_where_the_level_says(level: int) -> None:
    low, high = WINDOWS[level]
    found = [int(one.answer) for one in listing_of(NumbertheoryOrderedLte((level,))).made]
    assert low <= min(found)
    assert max(found) <= high


def test_the_fifth_level_counts_at_least_a_thousand_and_answers_less() -> None:
    made = listing_of(NumbertheoryOrderedLte((5,))).made
    assert len(made) >= 1_000
    assert {one.subtype for one in made} == {0, 1}
    for one in made[::97]:
        count = one.facts
        number = vanishing(count.coefficients, *count.bounds)
        if count.coprime:
            signed = coprime_vanishing(count.coefficients, *count.bounds)
            number = sum(many for _, many in signed)
        assert number >= 1_000
        assert int(one.answer) == number % 1_000


def test_terms_in_another_order_are_one_problem() -> None:
    for one in listing_of(NumbertheoryOrderedLte()).made:
        assert list(one.facts.coefficients) == sorted(one.facts.coefficients)


def test_the_solution_adds_term_by_term() -> None:
    generator = NumbertheoryOrderedLte((3,))
    tree = ("plain", 3, 2, 3, ("terms3", 1, 1, 1))
    made = next(one for one in listing_of(generator).made if one.tree == tree)
    spread = "coefficient 1: 0 (3), 1 (1), 8 (1), 10 (1), 17 (1), 19 (1), 26 (1)"
    assert generator.steps(made).splitlines() == [
        spread,
        spread,
        "sum of 2: 0 (15), 1 (6), 2 (3), 7 (3), 8 (6), 9 (6), 10 (6), 11 (3), 16 (3), 17 (6),"
        " 18 (6), 19 (6), 20 (3), 25 (3), 26 (6)",
        spread,
        f"N = {made.answer}",
        f"remainder: {made.answer}",
    ]
