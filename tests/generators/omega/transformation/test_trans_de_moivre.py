"""Roots by their angles, and powers: examples by hand and numerically."""

from __future__ import annotations

import cmath
from fractions import Fraction
from math import pi

import pytest

from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.transformation.trans_de_moivre import (
    _REGIONS,
    TransDeMoivre,
    _between,
    _values,
)

QUADRANT = (Fraction(0), Fraction(1, 4))


def test_the_example_of_the_sheet() -> None:
    made = next(
        one for one in listing_of(TransDeMoivre(levels=(1,))).made if one.tree == ("ones", 11, 1, 0)
    )
    assert made.answer == "2"
    assert made.facts["polynomial"] == "1 + x + x^2 + ... + x^11"


def test_borders_of_a_region_do_not_count() -> None:
    zero = Fraction(0)
    assert _between(*QUADRANT, 4, zero) == 0  # roots of x^4 = 1 lie on the axes
    assert _between(*QUADRANT, 12, zero) == 2
    assert _between(*QUADRANT, 5, Fraction(1, 2)) == 1  # x^5 = -1: 36 degrees


@pytest.mark.parametrize("n", [5, 8, 13, 30])
def test_counts_are_those_of_the_points(n: int) -> None:
    for turn in range(4):
        points = [cmath.exp(2j * pi * (turn / 4 + k) / n) for k in range(n)]
        for region, (low, high) in _REGIONS.items():
            fits = 0
            for z in points:
                good = True
                for part in region.split(" and "):
                    value = z.real if "real" in part else z.imag
                    good &= value > 1e-9 if "positive" in part else value < -1e-9
                fits += good
            assert _between(low, high, n, Fraction(turn, 4)) == fits, region


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 33])
def test_powers_are_those_of_complex_numbers(n: int) -> None:
    for _, answer, _, facts in _values(n):
        real, sign, rest = str(facts["base"]).split(" ")
        z = complex(int(real), int(f"{sign}1") * (3**0.5 if "sqrt" in rest else 1)) ** n
        value = z.real if facts["part"] == "real part" else z.imag
        assert abs(answer - value) < 1e-9 * max(1, abs(z))


def test_the_space_is_what_is_listed() -> None:
    sizes = [TransDeMoivre(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [928, 1392, 1392, 1180, 1064]
    assert TransDeMoivre().fewest_problems == sum(sizes)
