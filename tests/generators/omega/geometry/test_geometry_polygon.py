"""Constructions with regular polygons: areas, diagonals, and vertices counted from any one."""

from __future__ import annotations

from synthgen.core.randomness import Rows
from synthgen.generators.omega.geometry._construct_ask import Question
from synthgen.generators.omega.geometry._construct_figure import Figure
from synthgen.generators.omega.geometry._construct_program import finish
from synthgen.generators.omega.geometry._construct_tree import canonical
from synthgen.generators.omega.geometry.geometry_polygon import GeometryPolygon


def polygon(sides: int, radius: int) -> Figure:
    """Point 0 and a polygon about it: vertices from 1 on, the polygon last."""
    figure = Figure()
    figure.add("point")
    figure.add("polygon", (0,), (sides, radius))
    return figure


def test_published_examples() -> None:
    area = finish(polygon(6, 4), Question("polygon_area", (7,)), "polygon")
    diagonal = finish(polygon(5, 2), Question("distance", (1, 3)), "polygon")
    assert area
    assert area.answer == "41.57"
    assert diagonal
    assert diagonal.answer == "3.80"


def test_vertices_of_a_free_polygon_may_be_counted_from_any_one() -> None:
    trees = set()
    for first in range(1, 8):
        figure = polygon(7, 5)
        ring = [1 + (first + k) % 7 for k in range(7)]
        middle = figure.add("midpoint_pp", (ring[0], ring[2]))
        assert middle
        program = finish(figure, Question("distance", (*middle, ring[3])), "polygon")
        assert program
        trees.add(canonical(program))
    assert len(trees) == 1


def test_other_diagonals_are_other_problems() -> None:
    trees = set()
    for end in (2, 3, 4):
        program = finish(polygon(9, 5), Question("distance", (1, 1 + end)), "polygon")
        assert program
        trees.add(canonical(program))
    assert len(trees) == 3


def test_a_polygon_with_a_told_vertex_cannot_be_turned() -> None:
    trees = set()
    for vertex in (5, 6):
        figure = Figure()
        figure.add("point")
        figure.add("point_apart", (0,), (7,))
        figure.add("polygon_at", (0, 1), (5, 3))
        program = finish(figure, Question("distance", (1, vertex - 1)), "polygon")
        assert program
        trees.add(canonical(program))
    assert len(trees) == 2


def test_areas_are_asked_of_polygons_whose_size_is_not_told() -> None:
    made = GeometryPolygon(levels=(2,)).draw(Rows.span(7, 0, 60)).parts["made"]
    asked = [one.facts[0] for one in made if one.facts[0].question.kind == "polygon_area"]
    assert asked
    assert all(program.steps[-1].name == "polygon_m" for program in asked)
