"""Balls hold the true results of every operation."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.generators.omega.geometry._construct_ball import Ball, degrees_between, root

reals = st.floats(-1e6, 1e6, allow_subnormal=False)
radii = st.floats(0, 1e-3, allow_subnormal=False)
parts = st.integers(-1000, 1000).map(lambda k: Fraction(k, 1000))
quick = settings(max_examples=150, deadline=None, database=None)


def inside(ball: Ball, part: Fraction) -> Fraction:
    """A real of a ball: its middle moved by a part of its radius."""
    return Fraction(ball.mid) + part * Fraction(ball.rad)


def holds(ball: Ball, value: Fraction) -> bool:
    return abs(Fraction(ball.mid) - value) <= Fraction(ball.rad)


@quick
@given(reals, radii, reals, radii, parts, parts)
def test_sums_products_and_quotients_are_held(
    a: float, r: float, b: float, s: float, p: Fraction, q: Fraction
) -> None:
    one, two = Ball(a, r), Ball(b, s)
    x, y = inside(one, p), inside(two, q)
    assert holds(one + two, x + y)
    assert holds(one - two, x - y)
    assert holds(one * two, x * y)
    assert holds(3.0 - one, 3 - x)
    assert holds(one * 0.1, x * Fraction(0.1))
    assert holds(-one, -x)
    if abs(b) > s:
        assert holds(one / two, x / y)
        assert holds(2.0 / two, 2 / y)
    else:
        with pytest.raises(ZeroDivisionError):
            one / two


@quick
@given(st.floats(1e-6, 1e6), st.floats(0, 1e-7), parts)
def test_roots_are_held(a: float, r: float, p: Fraction) -> None:
    ball = root(Ball(a, r))
    x = inside(Ball(a, r), p)
    low, high = Fraction(ball.mid) - Fraction(ball.rad), Fraction(ball.mid) + Fraction(ball.rad)
    assert low**2 <= x <= high**2
    assert ball.mid == root(a) == math.sqrt(a)


@quick
@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(0, 1e-4), parts, parts)
def test_angles_are_held(x: float, y: float, r: float, p: Fraction, q: Fraction) -> None:
    cross, dot = Ball(y, r), Ball(x, r)
    if math.hypot(x, y) < 0.01:
        return
    ball = degrees_between(cross, dot)
    true = math.degrees(math.atan2(abs(float(inside(cross, p))), float(inside(dot, q))))
    assert abs(ball.mid - true) <= ball.rad + 1e-12
    assert ball.mid == degrees_between(y, x)


def test_what_may_be_negative_or_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="may be negative"):
        root(Ball(1e-9, 1e-8))
    with pytest.raises(ZeroDivisionError, match="may be zero"):
        degrees_between(Ball(1e-9, 1e-8), Ball(0.0))
    with pytest.raises(ZeroDivisionError, match="may be zero"):
        Ball(1.0) / Ball(1e-9, 1e-8)
