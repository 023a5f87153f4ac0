"""Formulae of the plane against figures worked out by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from synthgen.generators.omega.geometry import _construct_plane as plane
from synthgen.generators.omega.geometry._construct_ball import Ball
from synthgen.generators.omega.geometry._construct_rules import RULES, Given

X_AXIS = (0.0, 0.0, 1.0, 0.0)
Y_AXIS = (0.0, 0.0, 0.0, 1.0)
RIGHT = ((0.0, 0.0), (6.0, 0.0), (0.0, 8.0))


def value(name: str, *args: object, numbers: tuple[int, ...] = (), sign: int = 0) -> tuple:  # type: ignore[type-arg]
    return RULES[name].formula(Given(args, numbers, sign, lambda mid, rad: mid))


def near(one: object, two: object) -> bool:
    return one == pytest.approx(two)


def test_lines() -> None:
    assert near(plane.meet((1.0, 1.0, 0.6, 0.8), X_AXIS), (0.25, 0.0))
    assert near(plane.reflected((3.0, 4.0), plane.through((0.0, 0.0), (1.0, 1.0))), (4.0, 3.0))
    assert near(plane.reflected_line(X_AXIS, plane.through((0.0, 0.0), (1.0, 1.0)))[2:], (0.0, 1.0))
    assert near(plane.bisector((0.0, 0.0), (4.0, 0.0)), (2.0, 0.0, 0.0, 1.0))
    assert near(
        plane.acute_bisector(X_AXIS, (0.0, 0.0, 0.6, 0.8), 1)[2:], (2 / sqrt(5), 1 / sqrt(5))
    )
    assert near(plane.angle((1.0, 0.0), (0.0, 0.0), (-1.0, sqrt(3))), 120.0)


def test_circles() -> None:
    unit = (0.0, 0.0, 5.0)
    assert near(plane.line_circle((0.0, 3.0, 1.0, 0.0), unit, 1), (4.0, 3.0))
    assert near(plane.line_circle((0.0, 3.0, 1.0, 0.0), unit, -1), (-4.0, 3.0))
    assert near(plane.circle_circle(unit, (8.0, 0.0, 5.0), 1), (4.0, 3.0))
    assert near(plane.circle_circle(unit, (8.0, 0.0, 5.0), -1), (4.0, -3.0))
    assert near(plane.inverse((4.0, 0.0), (0.0, 0.0, 6.0)), (9.0, 0.0))
    assert near(plane.polar((4.0, 0.0), (0.0, 0.0, 6.0)), (9.0, 0.0, 0.0, 1.0))
    contact = plane.touching((25 / 3, 0.0), unit, 1)[:2]
    assert near(contact, (3.0, 4.0))
    assert near(value("tangent_at", (3.0, 4.0), unit)[0][2:], (-0.8, 0.6))
    assert near(value("touch_out", unit, numbers=(2,))[0], (7.0, 0.0))
    assert near(value("touch_in", unit, numbers=(2,))[0], (3.0, 0.0))
    assert near(value("touch_out_at", unit, (3.0, 4.0), numbers=(5,))[0], (6.0, 8.0))
    assert near(value("chord", unit, (0.0, 0.0), numbers=(5,))[1], (2.5, 2.5 * sqrt(3)))


def test_a_circle_that_touches_two_touching_ones() -> None:
    """Defect: the published formula for its centre holds for no radius."""
    one, two = (0.0, 0.0, 3.0), (5.0, 0.0, 2.0)
    centre, _ = value("touch_out_cc", one, two, (9.0, 9.0), numbers=(1, 0), sign=1)
    assert near(plane.distance(centre, (0.0, 0.0)), 4.0)
    assert near(plane.distance(centre, (5.0, 0.0)), 3.0)


def test_triangles() -> None:
    assert near(plane.circumcircle(RIGHT), (3.0, 4.0, 5.0))
    assert near(plane.incircle(RIGHT), (2.0, 2.0, 2.0))
    assert near(plane.orthocenter(RIGHT), (0.0, 0.0))
    assert near(plane.centroid(RIGHT), (2.0, 8 / 3))
    assert near(plane.double_area(*RIGHT), 48.0)


def test_the_circumcentre_is_not_the_centroid() -> None:
    """Defect: the published command returns the centroid."""
    assert near(value("circumcenter", RIGHT)[0], (3.0, 4.0))
    assert not near(value("circumcenter", RIGHT)[0], plane.centroid(RIGHT))


def test_polygons() -> None:
    made = value("polygon", (0.0, 0.0), numbers=(5, 2))
    assert near(plane.distance(made[0], made[2]), 4 * 0.9510565162951535)
    assert len(made) == 6
    hexagon = value("polygon_at", (0.0, 0.0), (0.0, 9.0), numbers=(6, 4))
    assert near(hexagon[0], (0.0, 4.0))
    assert near(hexagon[1], (-2 * sqrt(3), 2.0))


def test_the_distance_along_a_line_is_from_the_named_point() -> None:
    """Defect: the published command measures from the foot of the perpendicular."""
    point = value("point_along", X_AXIS, (0.0, 3.0), (9.0, 0.0), numbers=(5, 0), sign=1)[0]
    assert near(point, (4.0, 0.0))
    assert near(plane.distance(point, (0.0, 3.0)), 5.0)


@pytest.mark.parametrize("name", ["polygon", "equilateral", "rotate", "chord"])
def test_balls_follow_floats_and_hold_the_truth(name: str) -> None:
    args: dict[str, tuple[tuple[object, ...], tuple[int, ...]]] = {
        "polygon": (((0.0, 0.0),), (7, 3)),
        "equilateral": ((), (7,)),
        "rotate": (((3.0, 4.0), (1.0, 1.0)), (105,)),
        "chord": (((0.0, 0.0, 5.0), (0.0, 0.0)), (3,)),
    }
    floats, numbers = args[name]
    lifted = [tuple(map(Ball, one)) for one in floats]  # type: ignore[arg-type, call-overload]
    balls = RULES[name].formula(Given(lifted, numbers, 0, Ball))
    plain = value(name, *floats, numbers=numbers)
    points = [one for one in zip(balls, plain, strict=True) if len(one[1]) == 2]
    assert points
    for ball, point in points:
        assert (ball[0].mid, ball[1].mid) == point
        assert max(ball[0].rad, ball[1].rad) < 1e-12
