"""Integrals by symmetry: examples by hand, ties, and quadrature."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import RowDraws, Rows
from synthgen.generators.omega.transformation.trans_integrations import (
    _MAKERS,
    TransIntegrations,
    _wallis,
    rounded,
)

ZERO = Fraction(0)


def test_the_example_of_the_sheet() -> None:
    assert rounded((ZERO, Fraction(1, 4), ZERO, ZERO)) == "0.79"  # pi / 4


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((Fraction(5, 2), ZERO, ZERO, ZERO), "2.50"),
        ((Fraction(1, 200), ZERO, ZERO, ZERO), None),  # 0.005 is a tie
        ((ZERO, ZERO, Fraction(1, 4), ZERO), "2.47"),  # pi^2 / 4
        ((ZERO, ZERO, ZERO, Fraction(1, 8)), "0.27"),  # pi ln 2 / 8
        ((ZERO, Fraction(-1), Fraction(1, 2), ZERO), "1.79"),
    ],
)
def test_rounding(value: tuple[Fraction, Fraction, Fraction, Fraction], text: str | None) -> None:
    assert rounded(value) == text


def test_powers_of_the_sine() -> None:
    assert _wallis(1) == (2, 0)
    assert _wallis(2) == (0, Fraction(1, 2))
    assert _wallis(3) == (Fraction(4, 3), 0)
    assert _wallis(4) == (0, Fraction(3, 8))


@pytest.mark.parametrize("kind", sorted(_MAKERS))
def test_parameters_say_all(kind: str) -> None:
    draws = RowDraws(5)
    seen: dict[tuple[int, ...], tuple[str, str, str]] = {}
    for _ in range(300):
        numbers, _, _, texts = _MAKERS[kind](draws, 6, 9)
        assert seen.setdefault(numbers, texts) == texts
    assert len(set(seen.values())) == len(seen)


def test_all_values_are_positive_with_two_decimals() -> None:
    problems = TransIntegrations().draw(Rows.span(3, 0, 300))
    for made in problems.parts["made"]:
        whole, _, cents = made.answer.partition(".")
        assert whole.isdigit()
        assert len(cents) == 2
