"""Battleship: worked examples, another enumeration, and what a glance must not betray."""

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from synthgen import generate
from synthgen.families.battleship.family import placements
from synthgen.testing import check_family
from tests.families.verdicts import Verdicts, answer


@pytest.mark.parametrize("params", [{"level": True}, {"side": 4}], ids=["level", "small"])
def test_contract(params: dict[str, Any]) -> None:
    check_family("battleship", params, rows=40)


FLEET = "fleet: one ship of length 3 and one ship of length 1\n"


@pytest.mark.parametrize(
    ("board", "fleet", "ask", "right"),
    [
        ("X...\n....\n....\n....", FLEET, "placements:", "24"),
        ("XX..\n....\n.O..\nO.O.", FLEET, "certainly ship:", "C1"),
        ("XX..\n....\n.O..\nO.O.", FLEET, "certainly water:", "D1, A2, B2, C2, D2"),
        ("XX..\n....\n.O..\nO.O.", FLEET, "placements:", "5"),
        ("X.X.\nOOO.\n....\n....", FLEET, "certainly ship:", "B1"),
        ("X.O.\nO...\n....\n....", FLEET, "certainly ship:", "none"),
        ("XX..\nX...\n....\n....", FLEET, "placements:", None),
        ("XX..\n....\n....", FLEET, "placements:", None),
    ],
)
def test_worked_examples(board: str, fleet: str, ask: str, right: str | None) -> None:
    assert answer("battleship", f"{board}\n{fleet}{ask}") == right


def test_placements_are_all_those_without_touching_ships() -> None:
    for side, fleet in ((4, (3, 1, 1)), (4, (2, 2, 1))):
        cells = [*product(range(side), repeat=2)]
        kinds = []
        for size in fleet:
            lines = [
                [(row + k * down, column + k * (1 - down)) for k in range(size)]
                for row, column in cells
                for down in (0, 1)
            ]
            kinds.append({frozenset(line) for line in lines if {*line} <= {*cells}})
        whole = {
            frozenset().union(*ships)
            for ships in product(*kinds)
            if not any(
                max(abs(a - c), abs(b - d)) < 2
                for k, one in enumerate(ships)
                for other in ships[:k]
                for a, b in one
                for c, d in other
            )
        }
        listed = placements(side, fleet)
        bits = {sum(1 << side * row + column for row, column in each) for each in whole}
        assert sorted(listed) == sorted(bits)


def _rows(prompt: str) -> list[str]:
    return re.findall("^[.XO]{4,}$", prompt, re.MULTILINE)


def _listed(cells: set[tuple[int, int]]) -> str:
    return ", ".join(f"{chr(65 + column)}{row + 1}" for row, column in sorted(cells)) or "none"


def _around(rows: list[str], mark: str, ways: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the untried cells that a step in one of these ways leads to from a mark."""
    side = range(len(rows))
    return {
        (row + down, column + right)
        for row, column in product(side, side)
        for down, right in ways
        if rows[row][column] == mark and row + down in side and column + right in side
        if rows[row + down][column + right] == "."
    }


def touches_a_hit_at_a_corner(prompt: str) -> str:
    return _listed(_around(_rows(prompt), "X", [(-1, -1), (-1, 1), (1, -1), (1, 1)]))


def only_neighbor_of_a_hit(prompt: str) -> str:
    rows = _rows(prompt)
    cells = set()
    for row, column in product(range(len(rows)), repeat=2):
        if rows[row][column] == "X":
            alone = ["." * len(rows) for _ in rows]
            alone[row] = "." * column + "X" + "." * (len(rows) - column - 1)
            near = _around(alone, "X", [(0, 1), (1, 0), (0, -1), (-1, 0)])
            free = {(r, c) for r, c in near if rows[r][c] == "."}
            if len(free) == 1 and not any(rows[r][c] == "X" for r, c in near):
                cells |= free
    return _listed(cells)


@pytest.mark.parametrize(
    ("ask", "guess"),
    [("water", touches_a_hit_at_a_corner), ("ship", only_neighbor_of_a_hit)],
    ids=["corners", "neighbors"],
)
def test_a_glance_is_not_enough(ask: str, guess: Callable[[str], str]) -> None:
    rows = generate("battleship", 150, seed=1, params={"asks": [ask]}, render={"prompt": "bare"})
    verifier = Verdicts("battleship").verifier
    right = sum(verifier.accepts(row["prompt"], guess(row["prompt"])) for row in rows)
    assert right / len(rows) < 0.5
