"""Curves with random coefficients: the conditions for meeting."""

from __future__ import annotations

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.composition.comp_parametric_intersection import (
    CompParametricIntersection,
    _tally,
)


@pytest.mark.parametrize(
    ("kind", "slots", "tally"),
    [
        ("line_parabola", [1, 0, 0, 0, (-1, 1)], (1, 2)),  # x^2 = -1, x^2 = 1: 1/2, answer 3
        ("line_parabola", [1, 0, (0, 1, 2), 0, 1], (2, 3)),
        ("parabolas", [1, 0, 0, (1, 2), 0, 1], (0, 2)),
        ("parabolas", [1, 0, (1, 3), 1, (0, 1), 1], (3, 4)),  # equal curves meet
        ("circle_line", [(1, 2, 4), 1, 2], (2, 3)),  # distance sqrt 2 from the centre
        ("abs_line", [1, 0, 0, (0, 1, 2), -1], (1, 3)),  # -1, x - 1 miss; 2x - 1 meets
        ("abs_line", [1, 0, 0, 1, (0, 1)], (2, 2)),  # the line runs along a ray
    ],
)
def test_tallies_by_hand(kind: str, slots: list[object], tally: tuple[int, int]) -> None:
    assert _tally(kind, slots) == tally  # type: ignore[arg-type]


def test_no_probability_is_zero_or_one() -> None:
    problems = CompParametricIntersection().draw(Rows.span(3, 0, 200))
    assert problems.valid.mean() > 0.95
    for made in problems.parts["made"]:
        if made:
            _, good, total = made.facts
            assert 0 < good < total


def test_two_parabolas_are_one_problem_in_either_order() -> None:
    problems = CompParametricIntersection().draw(Rows.span(3, 0, 300))
    for made in problems.parts["made"]:
        if made and made.tree[0] == "meet_parabolas":
            slots = made.facts[0]
            assert str(slots[:3]) <= str(slots[3:])
