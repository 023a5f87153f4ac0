"""Roots of unity as integers, and the points of lines between them."""

from __future__ import annotations

from cmath import exp, pi

import pytest

from synthgen.verifiers.omega.geometry._roots import MOST_SIDES, SCALE, meeting, roots, side, sign

TINY = 1 << (SCALE - 480)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 8, 11, 12, 24, 30, MOST_SIDES])
def test_roots_lie_where_they_should(n: int) -> None:
    points = roots(n)
    for i, (x, y) in enumerate(points):
        assert abs(complex(x / 2**SCALE, y / 2**SCALE) - exp(2j * pi * i / n)) < 1e-14
        assert abs(((x * x + y * y) >> SCALE) - (1 << SCALE)) < TINY
        p, q = points[-i % n]
        assert max(abs(x - p), abs(y + q)) < TINY
    assert max(abs(sum(x for x, _ in points)), abs(sum(y for _, y in points))) < TINY


def test_sides_of_lines() -> None:
    n = 12
    assert side(n, (0, 6), roots(n)[3]) == -1  # from east to west, the north is on the right
    assert side(n, (0, 6), roots(n)[9]) == 1
    assert side(n, (0, 6), roots(n)[6]) == 0
    middle = meeting(n, (0, 6), (3, 9))
    assert max(map(abs, middle)) < TINY
    assert [side(n, (i, i + 6), middle) for i in range(6)] == [0] * 6
    assert sign(1 << SCALE) == 1
    assert sign(-(1 << SCALE)) == -1


def test_three_diagonals_through_a_point_that_is_not_the_centre() -> None:
    """In a regular dodecagon; where the number of sides is prime there is none."""
    point = meeting(12, (0, 5), (1, 7))
    through = [(a, b) for a in range(12) for b in range(a + 1, 12) if side(12, (a, b), point) == 0]
    assert len(through) >= 3
    point = meeting(17, (0, 5), (1, 7))
    through = [(a, b) for a in range(17) for b in range(a + 1, 17) if side(17, (a, b), point) == 0]
    assert through == [(0, 5), (1, 7)]
