"""Right angles between diagonals: published examples, an oracle with coordinates, symmetries."""

from __future__ import annotations

from cmath import exp, pi
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from synthgen.core.columns import Ragged
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.geometry import _chords_draw
from synthgen.generators.omega.geometry.geometry_polygon_chords import GeometryPolygonChords

Chord = tuple[int, int]
LEVELS = {1: (6, 7), 2: (8, 9), 3: (10, 11), 4: (12, 13), 5: (14, 15), 6: (16, 19), 7: (20, 25)}


def right_angles(n: int, chords: list[Chord]) -> int:
    values = np.array([n, len(chords), *(end for chord in chords for end in chord)], np.int16)
    return int(_chords_draw._right_angles(values, 0, n, len(chords)))


def oracle(n: int, chords: list[Chord]) -> int:
    """With floats: solve for the point where two lines meet, and look at the angle there."""
    count = 0
    for one, other in combinations(chords, 2):
        a, b, c, d = (exp(2j * pi * end / n) for end in (*one, *other))
        u, v = b - a, d - c
        cross = (u.conjugate() * v).imag
        if abs(cross) < 1e-9 or abs((u.conjugate() * v).real) > 1e-9:
            continue
        s = ((c - a).conjugate() * v).imag / cross
        t = ((c - a).conjugate() * u).imag / cross
        count += -1e-9 < s < 1 + 1e-9 and -1e-9 < t < 1 + 1e-9
    return count


def chords_of(row: list[int]) -> tuple[int, list[Chord]]:
    return row[0], list(zip(row[2::2], row[3::2], strict=True))


def drawn(rows: int = 300, **params: Any) -> list[tuple[int, list[Chord], int]]:
    problems = GeometryPolygonChords(**params).draw(Rows.span(3, 0, rows))
    found = problems.parts["drawn"]
    assert found.valid.all()
    return [(*chords_of(found.values.row(i).tolist()), int(found.answers[i])) for i in range(rows)]


@pytest.mark.parametrize(
    ("n", "chords", "answer"),
    [
        (8, [(1, 5), (3, 7), (2, 6), (1, 4), (4, 7)], 1),
        (12, [(1, 7), (4, 10), (2, 5), (3, 12), (6, 9), (1, 10)], 1),
        (4, [(1, 3), (4, 2)], 1),
        (6, [(1, 4), (1, 3), (3, 6), (2, 6)], 1),
        (6, [(1, 4), (1, 3), (3, 4)], 1),
    ],
)
def test_examples_by_hand(n: int, chords: list[Chord], answer: int) -> None:
    assert right_angles(n, chords) == answer == oracle(n, chords)


def test_lines_that_meet_outside_the_polygon_do_not_count() -> None:
    """The published generator takes such pairs for right angles (71 of 300 rows at level 5)."""
    assert right_angles(14, [(14, 11), (1, 3)]) == 0
    assert (14 + 11 - 1 - 3) % 14 == 7  # perpendicular lines all the same


@pytest.mark.parametrize("level", LEVELS)
def test_answers_agree_with_coordinates(level: int) -> None:
    for n, chords, answer in drawn(60, levels=(level,)):
        assert answer == oracle(n, chords)
        assert LEVELS[level][0] <= len(chords) <= LEVELS[level][1]
        assert len({frozenset(chord) for chord in chords}) == len(chords)
        assert all((a - b) % n not in (0, 1, n - 1) for a, b in chords)


def test_odd_polygons_are_rare_and_have_no_right_angles() -> None:
    odd = [answer for n, _, answer in drawn(2_000) if n % 2]
    assert 0.01 < len(odd) / 2_000 < 0.09
    assert set(odd) == {0}


def least_image(n: int, chords: list[Chord]) -> list[Chord]:
    images = [
        sorted(
            (min(x, y), max(x, y))
            for x, y in (((sign * a + turn) % n, (sign * b + turn) % n) for a, b in chords)
        )
        for sign in (1, -1)
        for turn in range(n)
    ]
    return min(images)


def test_a_tree_stands_for_a_picture_up_to_its_symmetries() -> None:
    """Of the 84 sets of three diagonals of a hexagon there are 12 different ones."""
    sets = list(combinations(combinations(range(6), 2), 3))
    pictures = [
        list(chords) for chords in sets if all((a - b) % 6 not in (1, 5) for a, b in chords)
    ]
    assert len(pictures) == 84
    classes = {tuple(least_image(6, chords)) for chords in pictures}
    generator = GeometryPolygonChords(
        min_size=6, max_size=6, min_diagonals=3, max_diagonals=3, levels=(1,)
    )
    problems = generator.draw(Rows.span(3, 0, 1_500))
    keys: dict[tuple[int, ...], tuple[Chord, ...]] = {}
    for i in range(len(problems)):
        values = problems.parts["drawn"].values.row(i).tolist()
        image = tuple(least_image(*chords_of(values)))
        assert keys.setdefault(tuple(problems.keys[i].tolist()), image) == image
    assert set(keys.values()) == classes
    assert len(keys) == len(classes) == 12
    assert generator.fewest_problems <= len(classes)


def test_published_ranges_can_be_set() -> None:
    few = drawn(levels=(1,), min_diagonals=7, max_diagonals=13)
    many = drawn(levels=(1,), min_diagonals=14, max_diagonals=20)
    assert {len(chords) for _, chords, _ in few} == set(range(7, 14))
    assert {len(chords) for _, chords, _ in many} == set(range(14, 21))


def test_steps_name_perpendicular_pairs() -> None:
    way = GeometryPolygonChords().steps(0, [14, 3, 14, 11, 1, 3, 1, 8], 0)
    assert way.splitlines() == [
        *("(14, 11): direction 11", "(1, 3): direction 4", "(1, 8): direction 9"),
        *("(14, 11) and (1, 3): apart", "count: 0"),
    ]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"max_size": 31, "min_size": 6}, "max_size=31"),
        ({"min_size": 4, "max_size": 6}, "min_size=4"),
        ({"min_diagonals": 5, "max_diagonals": 61}, "max_diagonals=61"),
        ({"min_size": 6, "max_size": 6, "levels": (2, 3)}, "max_size=6.*11 diagonals"),
        ({"levels": (8,)}, "levels="),
    ],
)
def test_impossible_params_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        GeometryPolygonChords(**params)


def test_every_wording_says_regular() -> None:
    generator = GeometryPolygonChords()
    values = Ragged(np.array([6, 1, 1, 4] * 4, np.int16), np.arange(0, 17, 4))
    texts = generator.statements.text(values, np.arange(4), "").to_pylist()
    assert all("regular" in text or "equal arcs" in text for text in texts)
