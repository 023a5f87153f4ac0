"""Puzzles: worked examples, uniqueness, and shortest plans."""

from typing import Any

import pytest

from synthgen.authoring import Words
from synthgen.families import puzzles
from synthgen.testing import check_family
from tests.families.verdicts import Verdicts, answer

NAMES = ("words", "symbols", "drawn", "arrows")


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("sudoku", {"level": True}),
        ("sudoku", {"size": 4, "min_blanks": 4, "max_blanks": 10}),
        ("sudoku", {"size": 6, "min_blanks": 8, "max_blanks": 22}),
        ("sokoban", {"height": 8, "width": 7}),
        ("sokoban", {"asks": ("plan", "moves", "next"), "vocabularies": NAMES, "boxes": 2}),
        ("sokoban", {"asks": ("any",), "vocabularies": NAMES, "min_moves": 4}),
    ],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=60)


SUDOKU = (
    "The following 4 x 4 sudoku has exactly one solution:\n\n{}\n\nDots are empty cells. Rows, "
    "columns and boxes (each 2 rows high and 2 columns wide) contain each of the digits 1 to 4 "
    "once. Give the completed rows from top to bottom, separated by spaces."
)


def test_only_sudokus_with_one_solution_have_an_answer() -> None:
    assert answer("sudoku", SUDOKU.format("1.24\n.21.\n.14.\n2..1")) == "1324 4213 3142 2431"
    assert answer("sudoku", SUDOKU.format("....\n.21.\n.1..\n2..1")) is None
    assert answer("sudoku", SUDOKU.format("1.24\n.21.\n.14.\n2.11")) is None
    assert answer("sudoku", SUDOKU.format("1.25\n.21.\n.14.\n2..1")) is None


def test_reasons_of_digits_are_checked() -> None:
    verdicts, prompt = Verdicts("sudoku"), SUDOKU.format("1324\n4213\n3142\n2.31")
    line = "row 4, column 2: 4, the only digit left for this cell"
    assert verdicts.accepts(prompt, "1324 4213 3142 2431", line)
    other = line.replace("the only digit left for this cell", "which fits nowhere else in this row")
    assert verdicts.accepts(prompt, "1324 4213 3142 2431", other)
    assert not verdicts.accepts(prompt, "1324 4213 3142 2431", line.replace("row 4", "row 3"))
    early = SUDOKU.format("....\n4213\n3142\n2431")
    assert not verdicts.accepts(early, "1324 4213 3142 2431", other)


ROOM = (
    "The actions are {} (up), {} (down), {} (left) and {} (right). Each action moves the player "
    "(`P`, or `+` on a target) to the next cell in that direction. If there is a box (`B`, or `*` "
    "on a target) on that cell, the box is pushed one cell further, provided that neither a wall "
    "(`#`) nor another box is there; otherwise the action is impossible. `T` is a target and `.` "
    "is free floor.\n\n######\n#PB.T#\n######\n\n"
)
PLAN = (
    "There is exactly one plan with the fewest actions that brings every box onto a target. Write "
    "it as a comma-separated list of actions."
)
NEXT = (
    "Which action should come first, if all boxes are to reach targets with as few actions as "
    "possible? Answer with the action only."
)


@pytest.mark.parametrize(
    "names", ["Up Down Left Right", "North South West East", "1 2 3 4", "A B C D", "* & 1 M"]
)
def test_the_worked_example_in_every_vocabulary(names: str) -> None:
    words = names.split()
    prompt = ROOM.format(*(f"`{word}`" for word in words))
    assert answer("sokoban", prompt + NEXT) == words[3]
    assert answer("sokoban", prompt + PLAN) == f"{words[3]}, {words[3]}"
    stuck = prompt.replace("PB.T", "BP.T")
    assert answer("sokoban", stuck + PLAN) is None


ANY = (
    "Write any plan without impossible actions that leaves every box on a target, as a "
    "comma-separated list of actions."
)


def test_any_plan_that_works_is_accepted() -> None:
    prompt = ROOM.format("`U`", "`D`", "`L`", "`R`").replace("#PB.T#", "#..BT#\n#..###\n#P.###")
    prompt = prompt.replace("is impossible.", "is impossible, as is an action into a wall.")
    verdicts, prompt = Verdicts("sokoban"), prompt + ANY
    right = ["U, U, R, R", "U, R, U, L, R, R", "R, U, U, R", "D, U, U, U, R, R"]
    assert [verdicts.accepts(prompt, plan) for plan in right] == [True, True, True, False]
    for wrong in ("U, U, R", "U, U, R, R, L, X", "U,U,R,R", "", "R, R, U, U"):
        assert not verdicts.accepts(prompt, wrong), wrong
    room = "box at row 2, column {}; {} to go"
    lines = [
        f"{way}: player at row {row}, column {column}; " + room.format(box, left)
        for way, row, column, box, left in [
            *(("U", 3, 2, 4, 5), ("R", 3, 3, 4, 4), ("U", 2, 3, 4, 3)),
            *(("L", 2, 2, 4, 2), ("R", 2, 3, 4, 1), ("R", 2, 4, 5, 0)),
        ]
    ]
    assert verdicts.accepts(prompt, right[1], "\n".join(lines))
    assert not verdicts.accepts(prompt, right[0], "\n".join(lines))


def test_a_plan_must_be_the_only_shortest_one() -> None:
    prompt = ROOM.format("`U`", "`D`", "`L`", "`R`") + PLAN
    assert answer("sokoban", prompt.replace("#PB.T#", "#.BT##\n#..###\n#P.###")) == "U, U, R"
    tied = prompt.replace("#PB.T#", "#..BT#\n#..###\n#P.###")
    assert answer("sokoban", tied) is None
    assert answer("sokoban", tied.replace(PLAN, NEXT)) is None


def test_no_action_has_the_name_of_a_mark_of_the_room() -> None:
    words = Words.beside(puzzles.__file__)["sokoban"]
    names = [*words["vocabularies"].values(), *words["pools"].values()]
    assert not {*"#.TBP*+"} & {name for vocabulary in names for name in vocabulary}
