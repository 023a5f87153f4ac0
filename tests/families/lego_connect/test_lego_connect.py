"""Bricks: published structures, worked examples, and what a glance must not betray."""

import json
import re
from collections.abc import Callable
from itertools import combinations

import pytest

from synthgen import generate
from synthgen.testing import check_family
from tests.conformance import original
from tests.families.verdicts import Verdicts, answer

Brick = tuple[int, int]


def test_contract() -> None:
    check_family("lego_connect", {"level": True, "min_bricks": 3, "max_bricks": 12}, rows=60)


@pytest.mark.parametrize(
    ("bricks", "verdict"),
    [
        ("(0, 0, red), (3, 1, red), (6, 2, blue)", "valid"),
        ("(0, 0, red), (4, 1, red), (4, 2, blue)", "invalid"),  # corners only
        ("(0, 0, red), (4, 0, red)", "invalid"),  # sides only
        ("(0, 0, red), (4, 0, red), (2, -1, blue)", "valid"),
        ("(0, 0, red), (3, 0, red), (2, 1, blue)", "invalid"),  # overlap
        ("(0, 0, red), (0, 2, red)", "invalid"),
        ("(0, 0, red), (999, 1, red)", None),
    ],
)
def test_validity(bricks: str, verdict: str | None) -> None:
    assert answer("lego_connect", f"{bricks}\nvalid or invalid:") == verdict


@pytest.mark.parametrize(
    ("task", "bricks", "is_right"),
    [
        ("(0, 0, red), (0, 2, red)\nadd 1 brick:", "(3, 1, blue)", True),
        ("(0, 0, red), (0, 2, red)\nadd 1 brick:", "[(-3, 1, 'Blue')]", True),
        ("(0, 0, red), (0, 2, red)\nadd 1 brick:", "(4, 1, blue)", False),
        ("(0, 0, red), (0, 2, red)\nadd 1 brick:", "(3, 1, blue), (3, 3, blue)", False),
        ("(0, 0, red), (0, 2, red)\nadd 2 bricks:", "(3, 1, blue), (3, 3, blue)", True),
        (
            "bricks: 3, layers: 2, columns: 9\nvalid structure:",
            "(0, 0, red), (5, 0, red), (3, 1, red)",
            True,
        ),
        (
            "bricks: 3, layers: 2, columns: 8\nvalid structure:",
            "(0, 0, red), (5, 0, red), (3, 1, red)",
            False,
        ),
        (
            "bricks: 3, layers: 3, columns: 9\nvalid structure:",
            "(0, 0, red), (5, 0, red), (3, 1, red)",
            False,
        ),
        ("bricks: 3, layers: 2, columns: 9\nvalid structure:", "(0, 0, red), (5, 0, red)", False),
    ],
)
def test_structures_are_checked(task: str, bricks: str, is_right: bool) -> None:
    assert Verdicts("lego_connect").verifier.accepts(task, bricks) == is_right


def test_published_structures() -> None:
    for line in original("grounded/lcl.jsonl").read_text().splitlines():
        row = json.loads(line)
        bricks = ", ".join(f"({x}, {y}, {color})" for x, y, color in row["pieces"])
        verdict = answer("lego_connect", f"{bricks}\nvalid or invalid:")
        assert verdict == ("valid" if row["valid"] else "invalid"), bricks


def _bricks(prompt: str) -> list[Brick]:
    return [(int(x), int(y)) for x, y in re.findall(r"\((-?\d+), (-?\d+), ", prompt)]


def _are_near(one: Brick, other: Brick, layers: int) -> bool:
    return abs(one[1] - other[1]) == layers and abs(one[0] - other[0]) < 4


def no_overlap(bricks: list[Brick]) -> bool:
    return not any(_are_near(one, other, 0) for one, other in combinations(bricks, 2))


def none_is_single(bricks: list[Brick]) -> bool:
    near = (any(_are_near(one, other, 1) for other in bricks) for one in bricks)
    return no_overlap(bricks) and all(near)


def layers_follow_each_other(bricks: list[Brick]) -> bool:
    layers = {y for _, y in bricks}
    return len(layers) == max(layers) - min(layers) + 1


def touches_no_corner(bricks: list[Brick]) -> bool:
    pairs = combinations(bricks, 2)
    return not any(abs(a[0] - b[0]) == 4 and abs(a[1] - b[1]) < 2 for a, b in pairs)


@pytest.mark.parametrize(
    ("guess", "limit"),
    [
        (no_overlap, 0.6),
        (none_is_single, 0.7),  # half are valid, and a quarter of the others have these faults
        (layers_follow_each_other, 0.6),
        (touches_no_corner, 0.6),
    ],
)
def test_a_glance_is_not_enough(guess: Callable[[list[Brick]], bool], limit: float) -> None:
    params = {"asks": ["valid"]}
    rows = generate("lego_connect", 600, seed=1, params=params, render={"prompt": "bare"})
    right = sum(guess(_bricks(row["prompt"])) == (row["answer"] == "valid") for row in rows)
    assert right / len(rows) < limit
