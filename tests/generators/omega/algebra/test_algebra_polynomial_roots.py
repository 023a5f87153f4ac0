"""Polynomials with rational roots: every level gives rows, and the formulae of products."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._polynomials import (
    factor_of,
    polynomial_text,
    primitive,
    product,
    quotient,
    shifted,
)
from synthgen.generators.omega.algebra.algebra_polynomial_roots import AlgebraPolynomialRoots

LEVELS = range(1, AlgebraPolynomialRoots.n_levels + 1)


def value(polynomial: list[int], x: Fraction) -> Fraction:
    return sum((c * x**i for i, c in enumerate(polynomial)), Fraction(0))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_gives_rows_whose_roots_are_roots(level: int) -> None:
    """The published generator gives none from its level 2 on."""
    problems = AlgebraPolynomialRoots(levels=(level,)).draw(Rows.span(3, 0, 200))
    assert problems.valid.mean() > 0.95
    assert (problems.axes["degree"][problems.valid] == level + 2).all()
    for made in problems.parts["made"]:
        if made is not None:
            polynomial, roots = made.facts.polynomial, [Fraction(*r) for r in made.facts.roots]
            assert len(polynomial) == level + 3
            assert polynomial[-1] > 0
            assert all(value(polynomial, root) == 0 for root in roots)
            assert sorted(roots, reverse=True) == roots
            assert len(set(roots)) == len(roots) >= 2
            assert made.answer == str(roots[1].numerator + roots[1].denominator)


def test_products_by_hand() -> None:
    cubic = product(product([-2, 3], [3, 5]), [-1, 2])
    assert cubic == [6, -11, -17, 30]
    assert polynomial_text(cubic, "x") == "30*x^3 - 17*x^2 - 11*x + 6"
    assert polynomial_text(cubic, "x", 4, {3: "b"}) == "b*x^3 - (17/4)*x^2 - (11/4)*x + (3/2)"
    assert polynomial_text([0, -1, 0, 1], "t") == "t^3 - t"
    assert polynomial_text([0], "t") == "0"
    assert quotient(cubic, (2, 3)) == [-3, 1, 10]
    quartic = product(product([-4, 5], [-4, 5]), product([-1, 2], [1, 1]))
    assert primitive([-2 * v for v in quartic]) == quartic
    assert shifted([0, 0, 1], 3) == [9, 6, 1]


coefficients = st.lists(st.integers(-50, 50), min_size=2, max_size=8)


@settings(max_examples=100, deadline=None, database=None)
@given(coefficients, st.integers(-9, 9), st.integers(-20, 20), st.integers(1, 9))
def test_polynomials_agree_with_their_values(p: list[int], by: int, top: int, bottom: int) -> None:
    x = Fraction(top, bottom)
    assert value(shifted(p, by), x) == value(p, x + by)
    assert value(product(p, [by, 1]), x) == value(p, x) * (x + by)
    root = (x.numerator, x.denominator)
    if p[-1]:
        assert quotient(product(p, factor_of(root)), root) == p


def test_a_polynomial_is_one_problem_whatever_it_is_multiplied_by() -> None:
    generator = AlgebraPolynomialRoots(levels=(1,))
    problems = generator.draw(Rows.span(3, 0, 300))
    leads = [made.facts.given[0][-1] / made.tree[-1] for made in problems.parts["made"]]
    assert min(leads) < 0 < max(leads)
    assert any(made.facts.divisor > 1 for made in problems.parts["made"])
    assert all(made.tree[-1] > 0 for made in problems.parts["made"])


def test_every_way_to_hide_a_polynomial_occurs() -> None:
    generator = AlgebraPolynomialRoots(levels=(3, 5))
    texts = generator.render(generator.draw(Rows.span(3, 0, 200)), Render("instruction", "none"))
    prompts = texts.prompts.to_pylist()
    combined = sum("g(" in text for text in prompts)
    moved = sum("f(" in text and "g(" not in text for text in prompts)
    assert combined > 30
    assert moved > 30
    assert len(prompts) - combined - moved > 30


@pytest.mark.parametrize("level", LEVELS)
def test_no_answer_can_be_guessed(level: int) -> None:
    made = AlgebraPolynomialRoots(levels=(level,)).draw(Rows.span(5, 0, 400)).parts["made"]
    answers = [one.answer for one in made if one is not None]
    assert max(answers.count(answer) for answer in set(answers)) < 0.25 * len(answers)
