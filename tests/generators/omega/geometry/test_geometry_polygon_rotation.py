"""Pieces of polygons: published examples, known numbers of regions, angles, symmetries."""

from __future__ import annotations

from cmath import exp, pi
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.geometry._rotation_faces import Chord, side_counts
from synthgen.generators.omega.geometry.geometry_polygon_rotation import GeometryPolygonRotation

_KNOWN = (4, 11, 24, 50, 80, 154, 220, 375, 444, 781, 952, 1456, 1696, 2500, 2466)
REGIONS = dict(enumerate(_KNOWN, 4)) | {24: 9024}
"""Regions of a regular n-gon with all diagonals (Poonen and Rubinstein 1998)."""
DIAGONALS_OF_LEVEL = {
    1: (2, 2),
    2: (3, 3),
    3: (4, 4),
    4: (5, 5),
    5: (6, 6),
    6: (7, 12),
    7: (13, 16),
}


def diagonals(n: int) -> list[Chord]:
    return [(i, j) for i, j in combinations(range(n), 2) if j - i not in (1, n - 1)]


def both(n: int, chords: list[Chord], turn: int) -> list[Chord]:
    copies = [((a + turn) % n, (b + turn) % n) for a, b in chords]
    return sorted({(min(ends), max(ends)) for ends in (*chords, *copies)})


@pytest.mark.parametrize("n", REGIONS)
def test_all_diagonals_cut_known_numbers_of_regions(n: int) -> None:
    assert side_counts(n, diagonals(n)).total() == REGIONS[n]


@pytest.mark.parametrize(
    ("n", "chords", "turn", "expected"),
    [
        (6, [(0, 3)], 1, {3: 2, 4: 2}),
        (8, [(0, 3), (2, 6)], 2, {4: 5, 3: 4}),
        (5, [(0, 2)], 1, {3: 3, 4: 1}),
        (6, [(0, 3)], 3, {4: 2}),
        (6, [(0, 2), (2, 4), (0, 4)], 2, {3: 4}),
        (4, [(0, 2)], 1, {3: 4}),
        (6, [(0, 3), (1, 4)], 1, {3: 6}),
    ],
)
def test_examples_by_hand(n: int, chords: list[Chord], turn: int, expected: dict[int, int]) -> None:
    """Three diameters of the hexagon meet in one point; lines that fall together count once."""
    assert dict(side_counts(n, both(n, chords, turn))) == expected


def points_inside(n: int, chords: list[Chord]) -> int:
    """Number of points inside the polygon where lines meet, by floats."""
    found = set()
    for (a, c), (b, d) in combinations(chords, 2):
        if len({a, b, c, d}) == 4 and (a < b < c) != (a < d < c):
            w, x, y, z = (exp(2j * pi * i / n) for i in (a, b, c, d))
            point = (w * y * (x + z) - x * z * (w + y)) / (w * y - x * z)
            found.add((round(point.real, 6) + 0.0, round(point.imag, 6) + 0.0))
    return len(found)


@pytest.mark.parametrize("level", DIAGONALS_OF_LEVEL)
def test_the_angles_of_all_pieces_add_up(level: int) -> None:
    """Every inner point gives a full turn to the pieces, the vertices n - 2 half turns."""
    generator = GeometryPolygonRotation(levels=(level,))
    for made in generator.draw(Rows.span(3, 0, 12)).parts["made"]:
        n, chords, turn, sides, counts = made.facts
        inside = points_inside(n, both(n, chords, turn))
        assert sum((k - 2) * count for k, count in counts.items()) == 2 * inside + n - 2
        assert made.answer == str(counts[sides])
        assert DIAGONALS_OF_LEVEL[level][0] <= len(chords) <= DIAGONALS_OF_LEVEL[level][1]


def test_axes_say_what_was_drawn() -> None:
    problems = GeometryPolygonRotation().draw(Rows.span(3, 0, 60))
    for i, made in enumerate(problems.parts["made"]):
        n, chords, _, sides, counts = made.facts
        seen = {name: int(column[i]) for name, column in problems.axes.items()}
        assert seen["n_sides"] == n
        assert seen["n_diagonals"] == len(chords)
        assert seen["piece_sides"] == sides
        assert seen["n_pieces"] == counts.total()


def least_image(n: int, chords: list[Chord], turn: int) -> tuple[int, list[Chord]]:
    def moved(sign: int, by: int) -> list[Chord]:
        images = [((sign * a + by) % n, (sign * b + by) % n) for a, b in chords]
        return sorted((min(ends), max(ends)) for ends in images)

    return min((sign * turn % n, moved(sign, by)) for sign in (1, -1) for by in range(n))


def test_a_tree_stands_for_a_picture_up_to_its_symmetries() -> None:
    generator = GeometryPolygonRotation(levels=(1,), min_size=6, max_size=7)
    problems = generator.draw(Rows.span(3, 0, 600))
    images: dict[Any, Any] = {}
    for made in problems.parts["made"]:
        n, chords, turn, sides, _ = made.facts
        image = (n, *least_image(n, chords, turn), sides)
        assert images.setdefault(made.tree, image) == image
    assert len({str(image) for image in images.values()}) == len(images)
    assert (
        len(images)
        >= generator.fewest_problems
        == sum(-(-comb(len(diagonals(n)), 2) * (n - 1) // (2 * n)) for n in (6, 7))
    )


def test_the_first_level_has_more_than_a_thousand_problems() -> None:
    problems = GeometryPolygonRotation(levels=(1,)).draw(Rows.span(3, 0, 3_000))
    assert len(np.unique(problems.keys, axis=0)) > 1_000


@pytest.mark.parametrize("bounds", [(1, 3), (4, 4)])
def test_published_ranges_can_be_set(bounds: tuple[int, int]) -> None:
    generator = GeometryPolygonRotation(
        levels=(1,), min_diagonals=bounds[0], max_diagonals=bounds[1]
    )
    counts = generator.draw(Rows.span(3, 0, 60)).axes["n_diagonals"]
    assert set(counts.tolist()) == set(range(bounds[0], bounds[1] + 1))


def test_the_text_says_regular_and_the_steps_name_the_pieces() -> None:
    generator = GeometryPolygonRotation(levels=(1,))
    texts = generator.render(generator.draw(Rows.span(3, 0, 40)), Render("instruction", "steps"))
    assert all("regular" in prompt for prompt in texts.prompts.to_pylist())
    assert texts.solutions is not None
    rows = zip(texts.solutions.to_pylist(), texts.answers.to_pylist(), strict=True)
    for way, answer in rows:
        heads = [line.split(": ")[0] for line in way.splitlines()]
        assert heads[:3] == ["lines", "pieces", "by sides"]
        assert way.endswith(f" sides: {answer}")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"min_size": 5, "max_size": 11, "levels": (5,)}, "min_size=5.*6 diagonals"),
        ({"min_diagonals": 1, "max_diagonals": 25}, "max_diagonals=25"),
        ({"min_size": 6, "max_size": 31}, "max_size=31"),
    ],
)
def test_impossible_params_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        GeometryPolygonRotation(**params)
