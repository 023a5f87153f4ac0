"""Common divisors: coprime rest, the root in question, and factors without rational roots."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.composition.comp_polynomial_gcd import CompPolynomialGcd


def value(polynomial: list[int], x: Fraction) -> Fraction:
    return sum((c * x**k for k, c in enumerate(polynomial)), Fraction(0))


@pytest.mark.parametrize("level", range(1, 6))
def test_the_divisor_divides_both_and_has_the_roots(level: int) -> None:
    problems = CompPolynomialGcd(levels=(level,)).draw(Rows.span(3, 0, 60))
    assert problems.valid.all()
    for made in problems.parts["made"]:
        pair, divisor, roots, root = made.facts
        assert roots == sorted(set(roots), reverse=True)
        assert root == roots[1 if len(roots) > 1 else 0]
        assert made.answer == str(root.numerator + root.denominator)
        for each in (*roots, root):
            assert all(value(p, each) == 0 for p in (*pair, divisor))


def test_some_divisors_have_one_root_alone() -> None:
    problems = CompPolynomialGcd(levels=(1,)).draw(Rows.span(3, 0, 200))
    assert {1, 2} == set(problems.axes["n_roots"].tolist())


def test_a_pair_is_one_problem_in_either_order() -> None:
    problems = CompPolynomialGcd(levels=(1,)).draw(Rows.span(3, 0, 100))
    for made in problems.parts["made"]:
        first, second = made.tree[1][1:], made.tree[2][1:]
        assert sorted(map(list, made.facts[0])) == sorted(map(list, (first, second)))
