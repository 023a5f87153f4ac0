"""Constructions with circles: published examples, and points and tangents that come in pairs."""

from __future__ import annotations

from collections import Counter

from synthgen.core.randomness import Rows
from synthgen.generators.omega.geometry._construct_ask import Question
from synthgen.generators.omega.geometry._construct_figure import Figure
from synthgen.generators.omega.geometry._construct_program import finish
from synthgen.generators.omega.geometry._construct_rules import RULES
from synthgen.generators.omega.geometry.geometry_circle import GeometryCircle


def started(radius: int) -> Figure:
    """Point 0, circle 1 about it, and point 2 on the circle."""
    figure = Figure()
    figure.add("point")
    figure.add("circle_pr", (0,), (radius,))
    figure.add("point_on_c", (1,))
    return figure


def answer(figure: Figure, kind: str, *args: int) -> str | None:
    program = finish(figure, Question(kind, args), "circle")
    return program.answer if program else None


def test_published_examples() -> None:
    one = started(5)
    tangent = one.add("tangent_at", (2, 1))
    middle = one.add("midpoint_pp", (0, 2))
    assert tangent
    assert middle
    image = one.add("mirror_pl", (*middle, *tangent))
    assert image
    assert answer(one, "distance", 0, *image) == "7.50"
    two = Figure()
    two.add("point")
    two.add("circle_pr", (0,), (6,))
    two.add("point_apart", (0,), (4,))
    image = two.add("mirror_pc", (2, 1))
    assert image
    assert answer(two, "distance", 2, *image) == "5.00"


def test_the_text_says_which_of_two_points_is_meant() -> None:
    """Defect: two-point intersections fail in the published generator, so none is ever used."""
    made = GeometryCircle(levels=(4, 5)).draw(Rows.span(7, 0, 100)).parts["made"]
    names = Counter(step.name for one in made for step in one.facts[0].steps)
    for name in ("meet_lc", "meet_cc", "tangent_from", "touch_out_cc", "point_along"):
        assert names[name] > 0
        assert RULES[name].takes[2] == "P"


def test_a_known_intersection_is_told_apart_by_name() -> None:
    figure = started(5)
    turned = figure.add("rotate", (2, 0), (75,))
    assert turned
    line = figure.add("line_pp", (2, *turned))
    assert line
    other = figure.add("meet_lc_other", (*line, 1, 2), public=False)
    assert other
    x, y = figure.values[other[0]]
    u, v = figure.values[turned[0]]
    assert abs(x - u) + abs(y - v) < 1e-9


def test_commands_near_a_degenerate_case_are_refused() -> None:
    figure = started(5)
    tangent = figure.add("tangent_at", (2, 1))
    assert tangent
    assert figure.add("meet_lc", (*tangent, 1, 0), (0,), 1) is None
    assert figure.add("mirror_pc", (2, 1)) is None
    assert figure.add("circle_pp", (0, 2)) is None
    far = figure.add("point_apart", (0,), (9,))
    assert far
    assert figure.add("tangent_from", (*far, 1, 2), (0,), 1) is not None
    assert figure.add("tangent_from", (2, 1, 0), (0,), 1) is None


def test_steps_can_be_undone() -> None:
    figure = started(5)
    before = figure.mark(), {kind: list(pool) for kind, pool in figure.pools.items()}
    mark = figure.mark()
    far = figure.add("point_apart", (0,), (9,))
    assert far
    figure.add("line_pp", (2, *far))
    figure.back(mark)
    assert (figure.mark(), figure.pools) == before
    assert len(figure.values) == len(figure.balls) == len(figure.kinds) == len(figure.maker)
