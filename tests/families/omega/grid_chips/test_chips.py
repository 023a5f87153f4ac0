"""Chips on boards: worked examples, every small board tried, what the cells must show."""

import re
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from synthgen.authoring import Words
from synthgen.authoring.words import filled
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.omega import grid_chips
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.families.verdicts import accepts, answer

WORDS = Words.beside(grid_chips.__file__)
Cell = tuple[int, int]


class Row(NamedTuple):
    """A problem from its derivation: the lists of cells come without the names of the colours."""

    kind: str
    n: int
    lists: list[list[Cell]]
    answer: int
    prompt: str
    axes: dict[str, int]


def drawn(rows: int, **params: Any) -> list[Row]:
    generator = generator_class("logic_puzzles_grid_chip")(**params)
    problems = generator.draw(Rows.span(stream_key(3, "test"), 0, rows))
    texts = generator.render(problems, Render("instruction", "none"))
    found = []
    trees = derivation_text(problems.derivations, generator.signature).to_pylist()
    for i, tree in enumerate(trees):
        root, n, *_ = tree.strip("()").split()
        lists = []
        for numbers in re.findall(r"\(cells\d+ ([\d ]+)\)", tree):
            lines = list(map(int, numbers.split()))
            lists.append(list(zip(lines[::2], lines[1::2], strict=True)))
        axes = {name: int(column[i]) for name, column in problems.axes.items()}
        gold = int(texts.answers[i].as_py())
        found.append(Row(root, int(n), lists, gold, texts.prompts[i].as_py(), axes))
    return found


def chips_prompt(kind: str, n: int, cells: str, others: str, b: str = "white") -> str:
    holes = {"n": n, "a": "black", "b": b, "cells": cells, "others": others}
    return filled(WORDS.part("chip").wordings("instruction", kind)[1], holes)


def boards_prompt(kind: str, n: int | str, m: int, colours: str = "red or blue") -> str:
    holes = {"n": n, "m": m, "colours": colours}
    return filled(WORDS.part("boards").wordings("instruction", kind)[0], holes)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        *(("logic_puzzles_grid_chip", {"levels": (level,)}) for level in range(1, 8)),
        *(("comp_grid_chips", {"levels": (level,)}) for level in range(1, 6)),
        ("logic_puzzles_grid_chip", {"min_size": 3, "max_size": 16}),
        ("logic_puzzles_grid_chip", {}),
        ("comp_grid_chips", {"repeats": 3}),
    ],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=200)


# logic_puzzles_grid_chip

ONE = chips_prompt("limit", 4, "", "(2, 3)")
BOARD = chips_prompt("full", 4, "(1, 2), (3, 2), (4, 3)", "(2, 1), (2, 4)")
ONE_STEPS = "rows without white: 1, 3, 4\ncolumns without white: 1, 2, 4\n3 * 3 = 9"
BOARD_STEPS = (
    "black rows: 1, 3, 4\nblack columns: 2, 3\nwhite rows: 2\nwhite columns: 1, 4\n"
    "3 * 2 + 1 * 2 = 8"
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (ONE, "9"),  # the published generator adds the white cell: 10
        (BOARD, "8"),
        (chips_prompt("limit", 4, "", "(1, 1), (2, 2), (3, 3)"), "1"),
        (chips_prompt("limit", 3, "", "(1, 1), (2, 2), (3, 3)"), "0"),
        (chips_prompt("limit", 5, "", "(1, 1), (1, 2), (1, 3)"), "8"),
        (chips_prompt("full", 2, "(1, 1)", "(2, 2)"), "2"),
        *((chips_prompt("limit", n, "", "(1, 1)"), None) for n in (1, 17)),
        *(
            (chips_prompt("limit", 4, "", cells), None)
            for cells in ("(2, 5)", "(0, 1)", "(2, 3), (2, 3)", "", "(2,3)", "(2, 03)", "(2, 3) ")
        ),
        *(
            (chips_prompt("full", 4, "(1, 2), (3, 2), (4, 3)", cells), None)
            for cells in ("(2, 1)", "(2, 1), (2, 3), (2, 4)", "(1, 2), (2, 1), (2, 4)")
        ),
        (chips_prompt("limit", 4, "", "(2, 3)", b="black"), None),
        (chips_prompt("limit", 4, "", "(2, 3)", b="grey"), None),
    ],
)
def test_chips_by_hand(statement: str, expected: str | None) -> None:
    assert answer("logic_puzzles_grid_chip", statement) == expected


@pytest.mark.parametrize(("level", "sizes"), [(1, {4}), (5, {8}), (6, {9, 10}), (7, {11, 12})])
def test_levels_set_the_size_and_no_cell_is_superfluous(level: int, sizes: set[int]) -> None:
    problems = drawn(300, levels=(level,))
    assert {row.n for row in problems} == sizes
    for row in problems:
        rows = [{r for r, _ in cells} for cells in row.lists]
        columns = [{c for _, c in cells} for cells in row.lists]
        assert row.axes["n_rows"] == row.n
        assert row.axes["n_cells"] == sum(len(set(cells)) for cells in row.lists)
        if row.kind == "full":
            for lines in (rows, columns):
                assert not lines[0] & lines[1]
                assert lines[0] | lines[1] == set(range(1, row.n + 1))
            continue
        assert 0 < row.answer == (row.n - len(rows[0])) * (row.n - len(columns[0]))
        assert len(row.lists[0]) <= len(rows[0]) + len(columns[0])


def test_a_tree_has_neither_names_of_colours_nor_the_order_of_cells() -> None:
    problems = drawn(4_000, levels=(1,))
    colours = set(
        re.findall(
            r"\b(?:red|blue|green|yellow|black|white|purple|pink)\b",
            " ".join(row.prompt for row in problems),
        )
    )
    assert len(colours) == 8
    for row in problems:
        assert row.lists == sorted(map(sorted, row.lists))
    answers = np.bincount([row.answer for row in problems])
    assert answers.max() < 0.3 * len(problems)


def test_a_board_and_its_rotations_and_reflections_are_one_problem() -> None:
    verifier: Any = load_verifier("logic_puzzles_grid_chip")
    seen: dict[str, str] = {}
    for row in drawn(3_000, min_size=3, max_size=3):
        _, _, cells, others = verifier.problem(row.prompt)
        n, images = row.n, []
        for swapped, up, left in product((False, True), repeat=3):
            image = [
                sorted((n + 1 - r if up else r, n + 1 - c if left else c) for r, c in turned)
                for turned in (
                    [cell[::-1] if swapped else cell for cell in a] for a in (cells, others)
                )
            ]
            images.append(str(sorted(image)))
        tree = f"{row.kind} {row.lists}"
        assert seen.setdefault(f"{row.kind} {min(images)}", tree) == tree
    assert len(set(seen.values())) == len(seen) >= 3


def test_steps_of_chips() -> None:
    name = "logic_puzzles_grid_chip"
    assert accepts(name, ONE, "9", ONE_STEPS)
    assert accepts(name, BOARD, "8", BOARD_STEPS)
    for wrong in (
        ONE_STEPS.replace("1, 3, 4", "1, 3"),
        ONE_STEPS.replace("white", "black"),
        ONE_STEPS.replace("3 * 3", "9 * 1"),
        *(ONE_STEPS.replace("= 9", "= 09"), "3 * 3 = 9", BOARD_STEPS),
    ):
        assert not accepts(name, ONE, "9", wrong)
    for wrong in (
        BOARD_STEPS.replace("3 * 2 + 1 * 2", "1 * 2 + 3 * 2"),
        BOARD_STEPS.replace("black columns: 2, 3", "black columns: 3, 2"),
        *("", ONE_STEPS),
    ):
        assert not accepts(name, BOARD, "8", wrong)


@pytest.mark.parametrize(
    ("low", "high", "message"), [(2, 4, "min_size=2"), (4, 17, "max_size=17"), (5, 4, "min_size=5")]
)
def test_impossible_sizes_are_refused(low: int, high: int, message: str) -> None:
    with pytest.raises(ParamError, match=message):
        generator_class("logic_puzzles_grid_chip")(min_size=low, max_size=high)


# comp_grid_chips


@pytest.mark.parametrize(
    ("kind", "n", "m", "expected"),
    [
        *(("all", 5, 5, "902"), ("all", 4, 6, "870"), ("all", 2, 2, "6"), ("all", 3, 2, "14")),
        *(("all", 1, 5, None), ("all", 99, 5, None), ("all", "05", 5, None)),
    ],
)
def test_boards_by_hand(kind: str, n: int | str, m: int, expected: str | None) -> None:
    assert answer("comp_grid_chips", boards_prompt(kind, n, m)) == expected
    green = boards_prompt(kind, n, m, "red or green")
    assert answer("comp_grid_chips", green) is None


def test_every_board_is_listed() -> None:
    kind = generator_class("comp_grid_chips")
    sizes = [kind(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [16 * pairs for pairs in (3, 7, 11, 15, 30)]
    assert kind().fewest_problems == 1_056


def test_steps_of_boards() -> None:
    statement = boards_prompt("all", 3, 2)
    steps = "1 colour: 2 * 1 * 1 = 2\n2 colours: 1 * 2 * 6 = 12\nfull: 14"
    assert accepts("comp_grid_chips", statement, "14", steps)
    for wrong in ("1 colour: 2 * 1 * 1 = 2\nfull: 14", "full: 14", steps.replace("12", "13")):
        assert not accepts("comp_grid_chips", statement, "14", wrong)
