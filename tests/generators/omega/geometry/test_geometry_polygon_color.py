"""Coloured polygons: published examples, lists that are turned, and exact numbers of problems."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.geometry import _colour_draw
from synthgen.generators.omega.geometry._colour_draw import BEST, PAINT, TURN, distinct
from synthgen.generators.omega.geometry.geometry_polygon_color import GeometryPolygonColor


def landed(word: str, turn: int) -> int:
    n = len(word)
    return sum(word[i] == "R" and word[(i + turn) % n] == "B" for i in range(n))


def oracle(kind: int, word: str, turn: int) -> int:
    n = len(word)
    if kind == TURN:
        return landed(word, turn)
    if kind == BEST:
        return max(landed(word, r) for r in range(n))
    ways = 0
    for choice in product("RB", repeat=word.count("?")):
        whole = word
        for letter in choice:
            whole = whole.replace("?", letter, 1)
        ways += any(landed(whole, r) == whole.count("R") for r in range(n))
    return ways


def answer(kind: int, word: str, turn: int = 0) -> int:
    masks = [sum(1 << i for i, c in enumerate(word) if c == letter) for letter in "RB"]
    return int(_colour_draw._answer(kind, len(word), *masks, turn))


@pytest.mark.parametrize(
    ("kind", "word", "turn", "expected"),
    [
        (BEST, "RBRRBBRB", 0, 3),
        (PAINT, "RB?R?B?", 0, 3),
        (TURN, "RRBB", 2, 2),
        (TURN, "RRBB", 1, 1),
        (BEST, "RBRB", 0, 2),
        (PAINT, "R?B", 0, 1),
    ],
)
def test_examples_by_hand(kind: int, word: str, turn: int, expected: int) -> None:
    assert answer(kind, word, turn) == expected == oracle(kind, word, turn)


def words_of(generator: GeometryPolygonColor, rows: Rows) -> list[tuple[int, str, int, int]]:
    drawn = generator.draw(rows).parts["drawn"]
    found = []
    for i in np.flatnonzero(drawn.valid).tolist():
        values, kind = drawn.values.row(i).tolist(), int(drawn.subtypes[i])
        n, first = values[0], values[-2]
        word = "".join("?" if c == 0 else "BR"[c == first] for c in values[-2 - n : -2])
        found.append((kind, word, values[1] if kind == TURN else 0, int(drawn.answers[i])))
    return found


@pytest.mark.parametrize("level", range(1, 8))
def test_answers_agree_with_lists_that_are_turned(level: int) -> None:
    found = words_of(GeometryPolygonColor(levels=(level,)), Rows.span(3, 0, 200))
    for kind, word, turn, expected in found:
        assert oracle(kind, word, turn) == expected
        assert word.count("?") == (3 if kind == PAINT else 0)
    shares = np.bincount([kind for kind, *_ in found]) / len(found)
    assert shares == pytest.approx([0.4, 0.2, 0.4], abs=0.08)


def least_image(kind: int, word: str, turn: int) -> tuple[int, int, str]:
    n = len(word)
    images = [(turn, word), ((n - turn) % n if kind == TURN else 0, word[::-1])]
    return min((t, kind, w[k:] + w[:k]) for t, w in images for k in range(n))


def all_problems(kind: int, n: int, n_open: int) -> set[tuple[int, int, str]]:
    """Every problem, tried one by one."""
    found = set()
    turns = range(1, n) if kind == TURN else range(1)
    for places in combinations(range(n), n_open if kind == PAINT else 0):
        for colours in product("RB", repeat=n - len(places)):
            if len(set(colours)) == 2:
                left = iter(colours)
                word = "".join("?" if i in places else next(left) for i in range(n))
                found |= {least_image(kind, word, turn) for turn in turns}
    return found


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
@pytest.mark.parametrize("kind", [PAINT, TURN, BEST])
def test_burnsides_number_is_the_number_found_by_trying(n: int, kind: int) -> None:
    for n_open in (1, 2, 3):
        if n_open < n - 1:
            assert distinct(kind, n, n_open) == len(all_problems(kind, n, n_open))


def test_the_addresses_of_a_level_hold_all_problems_and_no_more() -> None:
    generator = GeometryPolygonColor(levels=(1,))
    problems = generator.draw(Rows.span(3, 0, generator.space))
    valid = problems.valid
    assert len(np.unique(problems.keys[valid], axis=0)) == generator.fewest_problems == 166
    other = generator.draw(Rows.span(4, 0, generator.space))
    assert not np.array_equal(other.keys, problems.keys)
    assert set(map(tuple, other.keys[other.valid].tolist())) == set(
        map(tuple, problems.keys[valid].tolist())
    )


def test_every_round_of_addresses_has_all_problems_in_other_words() -> None:
    once, often = (GeometryPolygonColor(levels=(1,), repeats=repeats) for repeats in (1, 3))
    assert often.space == 3 * once.space
    assert often.fewest_problems == once.fewest_problems == 166
    told = set()
    for start in range(0, often.space, once.space):
        problems = often.draw(Rows.span(3, start, start + once.space))
        assert len(np.unique(problems.keys[problems.valid], axis=0)) == 166
        told |= set(often.render(problems, Render("instruction", "none")).prompts.to_pylist())
    assert len(told) > 2.5 * once.space


def test_equal_trees_are_equal_pictures() -> None:
    generator = GeometryPolygonColor(levels=(2,))
    rows = Rows.span(3, 0, 1_500)
    problems = generator.draw(rows)
    images: dict[tuple[int, ...], tuple[int, int, str]] = {}
    found = words_of(generator, rows)
    keys = problems.keys[problems.valid].tolist()
    for key, (kind, word, turn, _) in zip(keys, found, strict=True):
        image = least_image(kind, word, turn)
        assert images.setdefault(tuple(key), image) == image
    assert len(set(images.values())) == len(images)


def test_sides_and_open_vertices_can_be_set() -> None:
    generator = GeometryPolygonColor(levels=(1,), min_size=30, max_size=30, n_open=6)
    for kind, word, turn, expected in words_of(generator, Rows.span(3, 0, 20)):
        assert len(word) == 30
        assert word.count("?") == (6 if kind == PAINT else 0)
        assert oracle(kind, word, turn) == expected


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_open": 0}, "n_open=0"),
        ({"n_open": 5}, "n_open=5.*6 sides"),
        ({"min_size": 3, "max_size": 9}, "min_size=3"),
        ({"min_size": 9, "max_size": 31}, "max_size=31"),
        ({"repeats": 0}, "repeats=0"),
        ({"repeats": 10**9 + 1}, "repeats=1000000001"),
        ({"min_size": 30, "max_size": 30, "n_open": 6, "repeats": 10**9}, "repeats=1000000000"),
    ],
)
def test_impossible_params_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        GeometryPolygonColor(**params)


def test_steps_of_each_kind() -> None:
    generator = GeometryPolygonColor()
    assert generator.steps(TURN, [4, 1, 4, 1, 1, 2, 2, 1, 2], 1) == "2 to 3\ncount: 1"
    best = "turn 0: 0\nturn 1: 1\nturn 2: 2\nturn 3: 1\nlargest: 2"
    assert generator.steps(BEST, [4, 4, 1, 1, 2, 2, 1, 2], 2) == best
    painted = "red: none\nblue: turn 1\nways: 1"
    assert generator.steps(PAINT, [3, 3, 1, 0, 2, 1, 2], 1) == painted
