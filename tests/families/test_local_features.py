"""Programs without the skill: one local feature of a prompt must not give most answers."""

import re
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synthgen import generate
from tests.building import build_bundled

MOST = 0.6
"""Share of the rows that a local feature may get."""
NEAR = {"Up": (-1, 0), "Down": (1, 0), "Left": (0, -1), "Right": (0, 1)}


def blocked_target(prompt: str) -> str:
    """Answer 0 where the last cell is blocked, and else the most frequent number."""
    return "0" if prompt.split(" , ")[0].endswith("0") else "1"


def zero(prompt: str) -> str:
    del prompt
    return "0"


def first_literal_and_nots(prompt: str) -> str:
    first = re.findall("True|False", prompt)[0]
    return str((first == "True") != (prompt.count("not") % 2 == 1))


def all_minus_signs(prompt: str) -> str:
    return "-1" if prompt.count("-") % 2 else "+1"


def _board(prompt: str) -> list[str]:
    return re.findall(r"^[.XO]+$", prompt, re.MULTILINE)


def _last_player(prompt: str) -> str:
    marks = Counter("".join(_board(prompt)))
    return "O" if marks["X"] == marks["O"] else "X"


def nobody(prompt: str) -> str:
    del prompt
    return "nobody"


def last_player_of_long_games(prompt: str) -> str:
    rows = _board(prompt)
    marks = len("".join(rows).replace(".", ""))
    return _last_player(prompt) if marks >= 2 * len(rows) - 1 or marks > 6 else "nobody"


def all_columns(prompt: str) -> str:
    del prompt
    return "1, 2, 3, 4, 5, 6, 7"


def _moves(rows: list[str]) -> dict[int, tuple[int, int]]:
    """Return the cell of each move, by its number."""
    side = len(rows)
    if side == 3:
        cells = [(row, column) for row in range(3) for column in range(3)]
        return {3 * r + c + 1: (r, c) for r, c in cells if rows[r][c] == "."}
    free = {c: sum(row[c] == "." for row in rows) for c in range(side)}
    return {c + 1: (n - 1, c) for c, n in free.items() if n}


def _completes(rows: list[str], cell: tuple[int, int], player: str) -> bool:
    side, wanted = len(rows), 3 if len(rows) == 3 else 4
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            r, c = cell[0] + way * down, cell[1] + way * right
            while 0 <= r < side and 0 <= c < side and rows[r][c] == player:
                length, r, c = length + 1, r + way * down, c + way * right
        if length >= wanted:
            return True
    return False


def wins_at_once(prompt: str) -> str:
    rows, last = _board(prompt), _last_player(prompt)
    player = "X" if last == "O" else "O"
    good = [move for move, cell in _moves(rows).items() if _completes(rows, cell, player)]
    return ", ".join(map(str, good))


def wins_or_blocks(prompt: str) -> str:
    """List the moves that win at once, else those that prevent it, else all."""
    rows, last = _board(prompt), _last_player(prompt)
    moves = _moves(rows)
    blocks = [move for move, cell in moves.items() if _completes(rows, cell, last)]
    return wins_at_once(prompt) or ", ".join(map(str, blocks or moves))


def _steps_to_the_box(prompt: str, *, walks: bool) -> str:
    """Go to the nearest cell from which a push brings a box nearer to a target."""
    rows = re.findall("^[#.TBP*+]+$", prompt, re.MULTILINE)
    marks = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    (player,) = (cell for cell, mark in marks.items() if mark in "P+")
    targets = [cell for cell, mark in marks.items() if mark in "T+"]
    free = {cell for cell, mark in marks.items() if mark in ".TP+"}

    def moved(cell: tuple[int, int], way: str, sign: int = 1) -> tuple[int, int]:
        return cell[0] + sign * NEAR[way][0], cell[1] + sign * NEAR[way][1]

    def far(a: tuple[int, int], b: tuple[int, int]) -> int:
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    goals = {}
    for box in (cell for cell, mark in marks.items() if mark == "B"):
        target = min(targets, key=lambda target, box=box: far(box, target))  # type: ignore[misc]
        for way in NEAR:
            if far(moved(box, way), target) < far(box, target):
                goals[moved(box, way, -1)] = way, moved(box, way)
    goals = {cell: goal for cell, goal in goals.items() if {cell, goal[1]} <= free} or goals
    if player in goals:
        return goals[player][0]
    if not walks:
        ways = [way for way in NEAR if moved(player, way) in free] or [*NEAR]
        return min(ways, key=lambda way: min(far(moved(player, way), goal) for goal in goals))
    queue, seen = deque([(player, "")]), {player}
    while queue:
        cell, first = queue.popleft()
        if cell in goals:
            return first
        for way in NEAR:
            if moved(cell, way) in free - seen:
                seen.add(moved(cell, way))
                queue.append((moved(cell, way), first or way))
    return ""


def steps_straight(prompt: str) -> str:
    return _steps_to_the_box(prompt, walks=False)


def walks_to_the_box(prompt: str) -> str:
    return _steps_to_the_box(prompt, walks=True)


def copies(prompt: str) -> str:
    return prompt.rpartition(" | ")[2]


def games(game: str, ask: str) -> dict[str, Any]:
    return {"games": [game], "asks": [ask]}


BOARDS = [
    *(
        ("board_games", games(game, "winner"), [nobody, _last_player, last_player_of_long_games])
        for game in ("ttt", "four")
    ),
    ("board_games", games("four", "legal"), [all_columns]),
    *(
        ("board_games", games(game, "best"), [wins_at_once, wins_or_blocks])
        for game in ("ttt", "four")
    ),
]
ROOMS = [
    ("sokoban", {"asks": ["next"], **room}, [steps_straight, walks_to_the_box])
    for room in ({}, {"height": 10, "width": 10}, {"boxes": 2})
]
MIXED = {"structure": "random", "operations": ["copy", "not", "and", "or"], "overwrites": True}
CHAINS = [
    ("variable_assignment", {}, [first_literal_and_nots]),
    ("variable_assignment", {"max_length": 40, "max_distractors": 39}, [first_literal_and_nots]),
    ("variable_assignment", {"max_distractors": 9, **MIXED}, [first_literal_and_nots]),
    ("lego", {}, [all_minus_signs]),
    ("lego", {"min_length": 4, "max_length": 16, "orders": ["shuffled"]}, [all_minus_signs]),
]
PATHS = [
    ("path_counting", {"min_obstacles": n, "max_obstacles": n}, [blocked_target, zero])
    for n in (4, 8)
]


def test_few_strings_of_a_system_are_their_own_answer() -> None:
    for system in ("manipulation", "ab", "insertion"):
        params = {"system": system}
        rows = generate("string_systems", 200, seed=1, params=params, render={"prompt": "bare"})
        assert sum(copies(row["prompt"]) == row["answer"] for row in rows) / len(rows) <= 0.15


@pytest.mark.parametrize(
    ("name", "params", "programs"),
    [*BOARDS, *ROOMS, *CHAINS, *PATHS],
    ids=lambda value: value[0].__name__ if isinstance(value, list) else str(value),
)
def test_one_local_feature_does_not_give_most_answers(
    name: str, params: dict[str, Any], programs: list[Callable[[str], str]]
) -> None:
    style = "bare" if name in ("variable_assignment", "lego", "path_counting") else "instruction"
    rows = generate(name, 200, seed=1, params=params, render={"prompt": style})
    for program in programs:
        right = sum(program(row["prompt"]) == row["answer"] for row in rows)
        assert right / len(rows) <= MOST, program.__name__


def adds_up(prompt: str, *, target: int, may_leave: bool) -> bool:
    """Return whether numbers make a target with + and - alone."""
    numbers = [int(number) for number in re.findall(r"\d+(?:, \d+)+", prompt)[0].split(", ")]
    values = {0}
    for number in numbers:
        signs = (1, -1, 0) if may_leave else (1, -1)
        values = {value + sign * number for value in values for sign in signs}
    return target in values


@pytest.mark.parametrize("use", ["all", "some"])
@pytest.mark.parametrize("count", [4, 5, 6])
def test_sums_are_seldom_enough_for_countdown(use: str, count: int) -> None:
    params = {"use": use, "min_numbers": count, "max_numbers": count}
    rows = generate("countdown", 200, seed=1, params=params)
    made = [adds_up(row["prompt"], target=row["target"], may_leave=use == "some") for row in rows]
    assert made == [bool(row["sums"]) for row in rows]
    assert sum(made) / len(made) <= 0.4


@pytest.mark.slow
def test_held_out_hands_are_new_and_have_no_new_value(tmp_path: Path) -> None:
    rows = build_bundled("general-points-hands", tmp_path / "out")
    known = {row["hand"] for row in rows["train"]}
    assert not known & {row["hand"] for name in ("test_hands", "test_both") for row in rows[name]}
    assert sum(row["hand"] in known for row in rows["test_bindings"]) > 280
    values = [
        {hand // 20**k % 20 for hand in hands for k in range(4)}
        for hands in (known, {row["hand"] for name in rows for row in rows[name]})
    ]
    assert values[0] == values[1]
