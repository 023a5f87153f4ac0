"""Number games: what is solvable, and which answers are right."""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import pytest

from synthgen.contract.answers import grade
from synthgen.families.countdown.family import solve
from synthgen.testing import check_family
from synthgen.training.reward import reward
from tests.families.verdicts import Verdicts

CARDS = (
    "Make 24 from the cards {}. Every card must be used exactly once. Numbered cards are worth "
    "their number, A is worth 1, and J, Q and K have the value {} each. You may add, subtract, "
    "multiply and divide, in any order and with parentheses. Give just the arithmetic expression, "
    "in numbers."
)
SOME = (
    "Make 24 from the numbers 7, 3, 6, 2. Each number may be used once or left out; the allowed "
    "operations are +, -, *, / and parentheses, and division is exact. Give your expression "
    "followed by a semicolon and a comma-separated list of the unused numbers, or `none` if you "
    "used them all."
)
HANDS = [*combinations_with_replacement(range(1, 14), 4)]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("general_points", {}),
        ("general_points", {"cards": 5, "bindings": ("11-12-13", "5-5-5"), "max_rank": 19}),
        ("countdown", {}),
        ("countdown", {"use": "some", "level": True}),
    ],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=100)


def test_the_solver_finds_every_solvable_hand() -> None:
    assert len(HANDS) == 1820
    assert sum(solve(hand, Fraction(24), 2) is not None for hand in HANDS) == 1362


@pytest.mark.parametrize(
    ("faces", "share"), [((10, 10, 10), 0.7309), ((5, 5, 5), 0.8293), ((11, 12, 13), 0.7918)]
)
def test_the_share_of_solvable_draws(faces: tuple[int, ...], share: float) -> None:
    worth = (*range(11), *faces)
    solved = 0
    for hand in HANDS:
        if solve(tuple(sorted(worth[rank] for rank in hand)), Fraction(24), 2) is not None:
            solved += 24 // prod(factorial(hand.count(rank)) for rank in {*hand})
    assert solved / 13**4 == pytest.approx(share, abs=5e-5)


def test_the_same_cards_with_two_bindings() -> None:
    verdicts = Verdicts("general_points")
    ten, five = CARDS.format("A, J, 6, 3", 10), CARDS.format("A, J, 6, 3", 5)
    assert verdicts.accepts(ten, "3*10-6*1", "3 * 10 = 30\n6 * 1 = 6\n30 - 6 = 24")
    assert not verdicts.accepts(ten, "3*10-6*1", "3 * 10 = 30\n30 - 6 = 24\n6 * 1 = 6")
    assert not verdicts.accepts(ten, "6*3+5+1")
    assert verdicts.accepts(five, "6*3+5+1")
    assert not verdicts.accepts(five, "3*10-6*1")


WRONG = (
    *("8/(3-8/3)+0", "8*3", "8/(3-8/3)*1", "88/3-3", "8/(3-8/3", "8/(3-8/3);", "8/(3-8/3); none"),
    *("-8/(8/3-3)", "8//(3-8/3)", "8/(3-8/3)=25", "8**(3-8/3)", "8/(3.0-8/3)", "(8)(3)", "8+8+3+3"),
)


def test_answers_are_evaluated_exactly_and_nothing_else_is() -> None:
    verdicts, prompt = Verdicts("general_points"), CARDS.format("3, 8, 3, 8", 10)
    for right in ("8/(3-8/3)", "(8 / (3 - (8 / 3)))", "8/(3-8/3) = 24"):
        assert verdicts.accepts(prompt, right)
    for wrong in WRONG:
        assert not verdicts.accepts(prompt, wrong), wrong
        assert grade(wrong, "8/(3-8/3)", "expression") == 0.0
    assert reward(r"So \boxed{8 \div (3 - 8 \div 3)}.", "8/(3-8/3)", "expression") == 1.0


def test_numbers_that_are_left_out_are_listed() -> None:
    verdicts = Verdicts("countdown")
    for right in ("7 * 3 + 6 / 2; none", "6 * (7 - 3); 2", "3 * 7 + 6 / 2; none"):
        assert verdicts.accepts(SOME, right)
        assert grade(right, "6 * (7 - 3); 2", "expression") == 1.0
    for wrong in ("6 * (7 - 3)", "6 * (7 - 3); none", "6 * (7 - 3); 2, 3", "7 * 3 + 6 / 2; 2"):
        assert not verdicts.accepts(SOME, wrong)
