"""Constructions with triangles: published examples, centres and radii."""

from __future__ import annotations

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.geometry._construct_ask import Question
from synthgen.generators.omega.geometry._construct_figure import Figure
from synthgen.generators.omega.geometry._construct_program import finish
from synthgen.generators.omega.geometry.geometry_triangle import GeometryTriangle


def right_triangle() -> Figure:
    """Legs 6 and 8: the triangle is the last object."""
    figure = Figure()
    figure.add("point")
    figure.add("point_apart", (0,), (6,))
    figure.add("line_pp", (0, 1))
    figure.add("perpendicular_pl", (0, 2))
    figure.add("rotate", (1, 0), (90,))
    figure.add("point_along", (3, 0, 4), (8, 0), 1)
    made = figure.add("triangle", (0, 1, 5))
    assert made == (6,)
    return figure


@pytest.mark.parametrize(
    ("kind", "answer"), [("circumradius", "5.00"), ("inradius", "2.00"), ("triangle_area", "24.00")]
)
def test_the_right_triangle(kind: str, answer: str) -> None:
    program = finish(right_triangle(), Question(kind, (6,)), "triangle")
    assert program
    assert program.answer == answer


def test_the_equilateral_triangle() -> None:
    figure = Figure()
    figure.add("equilateral", (), (6,))
    centre = figure.add("incenter", (3,))
    assert centre
    program = finish(figure, Question("distance", (0, *centre)), "triangle")
    assert program
    assert program.answer == "3.46"


def test_areas_are_asked_as_areas() -> None:
    """Defect: the published text asks for the measure of an angle where it means an area."""
    generator = GeometryTriangle(levels=(1,))
    problems = generator.draw(Rows.span(7, 0, 80))
    made = problems.parts["made"]
    for one in made:
        program, names = one.facts
        if program.question.kind == "triangle_area":
            text = generator.tell(one, 0, next(iter(Rows.span(1, 0, 1).each())))
            name = names[program.question.args[0]]
            assert text.endswith(f"What is the area of triangle {name}? Round to two decimals.")
            assert "angle " + name + " in degrees" not in text


def test_all_kinds_of_questions_occur() -> None:
    problems = GeometryTriangle(levels=(2,)).draw(Rows.span(7, 0, 80))
    assert set(problems.axes["subtype"].tolist()) == set(range(7))
