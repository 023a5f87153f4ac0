"""Rounded sums of roots: proven, also where roots coincide, vanish or are badly guessed."""

from __future__ import annotations

from math import sqrt

import pytest

from synthgen.verifiers.omega.arithmetic._matrix_roots import (
    LARGEST,
    SPREAD,
    SUM,
    root_bound,
    rounded_roots,
)


def with_roots(*roots: int) -> list[int]:
    """Coefficients of the monic polynomial with these roots, constant first."""
    coefficients = [1]
    for root in roots:
        shifted = [0, *coefficients]
        coefficients = [a - root * b for a, b in zip(shifted, [*coefficients, 0], strict=True)]
    return coefficients


@pytest.mark.parametrize("roots", [(3, -7, 1), (5, 5, -5, 2), (0, 0, 0), (-1, -1), (4,), (9, 0)])
def test_integer_roots_also_multiple_ones(roots: tuple[int, ...]) -> None:
    polynomial = with_roots(*roots)
    guesses = [root + 1e-9 for root in roots]
    assert rounded_roots(polynomial, guesses, LARGEST, squared=False) == max(map(abs, roots))
    assert rounded_roots(polynomial, guesses, SUM, squared=False) == sum(map(abs, roots))


@pytest.mark.parametrize("squares", [(2, 3, 50), (2, 2, 7), (0, 5, 11), (0, 0, 6), (16, 9, 1)])
def test_square_roots(squares: tuple[int, ...]) -> None:
    values = [sqrt(square) for square in squares]
    polynomial = with_roots(*squares)
    wanted = {LARGEST: max(values), SUM: sum(values), SPREAD: max(values) - min(values)}
    for asked, value in wanted.items():
        assert rounded_roots(polynomial, values, asked, squared=True) == round(value)


def test_wrong_guesses_prove_nothing() -> None:
    polynomial = with_roots(2, 3, 50)
    for guesses in ([sqrt(2), sqrt(3), 7.9], [sqrt(2)] * 3, [0.0] * 3, [7.0711, 7.0710, 1.4]):
        assert rounded_roots(polynomial, guesses, SUM, squared=True) is None


def test_a_half_integer_is_not_rounded() -> None:
    """It cannot come up: 2 x - 1 is no monic polynomial. Roots 1/4 and 1/4 of one that is not."""
    assert rounded_roots([1, -8, 16], [0.25, 0.25], SUM, squared=False) is None


def test_near_a_half_more_bits_are_taken() -> None:
    """The roots of x^2 - 1001 x + 1 sum to 1001; the larger one is 1000.999."""
    root = (1001 + sqrt(1001**2 - 4)) / 2
    assert rounded_roots([1, -1001, 1], [root, 1 / root], LARGEST, squared=False) == 1001
    wide = [-(10**12) - 10**6 - 1, 0, 1]  # sqrt(10^12 + 10^6 + 1) = 10^6 + 1/2 + 3.75e-7
    value = sqrt(10**12 + 10**6 + 1)
    assert rounded_roots(wide, [value, -value], LARGEST, squared=False) == 10**6 + 1


def test_coefficients_are_bounded() -> None:
    for roots in ((9, -9, 9, 9), (1, 0, 0), (30, -2, 5, 7, 7)):
        bound = root_bound(sum(root * root for root in roots), len(roots))
        assert max(map(abs, with_roots(*roots))) <= bound
