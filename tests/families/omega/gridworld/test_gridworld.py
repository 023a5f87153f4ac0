"""Boards and lattice paths: contracts, levels, axes, canonical forms, examples and solutions."""

import re
from collections.abc import Iterator
from itertools import combinations, pairwise, product
from math import comb
from typing import Any

import numpy as np
import pytest

from synthgen.authoring.words import filled
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.families.verdicts import accepts, check_every_line_counts, valid_problems

BLOCKED, KNIGHT = "logic_gridworld_blocked", "logic_gridworld_knight_move"
ROOK, TURNS = "logic_gridworld_rookmove", "trans_gridworld"
SIZES = ((5, 9), (10, 19), (20, 29), (30, 39), (40, 49), (50, 59), (60, 69))
Cell = tuple[int, int]


def family(name: str, **params: Any) -> Any:
    return generator_class(name)(**params)


def made(name: str, n: int, **params: Any) -> tuple[Problems, Texts]:
    """Draw rows, keep the valid ones and render them."""
    generator = family(name, **params)
    problems = valid_problems(generator, Rows.span(3, 0, n))
    return problems, generator.render(problems, Render("instruction", "steps"))


def read(name: str, texts: Texts) -> list[Any]:
    """Return what the verifier reads in each prompt."""
    return [load_verifier(name).problem(text) for text in texts.prompts.to_pylist()]  # type: ignore[attr-defined]


def prompt(name: str, wording: int, kind: str = "", **values: object) -> str:
    words = family(name).words
    return filled(words.wordings("instruction", kind)[wording], values)


def answer(name: str, wording: int, kind: str = "", **values: object) -> str | None:
    return load_verifier(name).answer(prompt(name, wording, kind, **values))  # type: ignore[attr-defined]


def by_row(cells: list[Cell]) -> str:
    rows: dict[int, list[int]] = {}
    for x, y in sorted(cells, key=lambda cell: cell[::-1]):
        rows.setdefault(y, []).append(x)
    return "; ".join(f"row {y}: {', '.join(map(str, xs))}" for y, xs in rows.items())


def as_pairs(cells: list[Cell]) -> str:
    return ", ".join(map(str, sorted(cells, key=lambda cell: cell[::-1])))


@pytest.mark.parametrize(
    ("name", "params", "rows"),
    [
        *((BLOCKED, {"levels": (1,)}, 200), (BLOCKED, {"levels": (2,)}, 100)),
        (BLOCKED, {"levels": (3, 4)}, 30),
        pytest.param(BLOCKED, {"levels": (7,)}, 6, marks=pytest.mark.slow),
        (BLOCKED, {"min_size": 3, "max_size": 8, "most_paths": 5}, 150),
        *((KNIGHT, {"levels": (1,)}, 200), (KNIGHT, {"levels": (2, 7), "repeats": 3}, 100)),
        (KNIGHT, {"min_size": 3, "max_size": 6, "corner": 16}, 150),
        *((ROOK, {"levels": (1,)}, 200), (ROOK, {}, 60)),
        (ROOK, {"min_size": 3, "max_size": 7, "min_share": 1, "max_share": 50}, 150),
        *((TURNS, {}, 200), (TURNS, {"levels": (1, 5), "repeats": 4}, 150)),
    ],
)
def test_contract(name: str, params: dict[str, Any], rows: int) -> None:
    check_family(name, params, rows=rows)


@pytest.mark.parametrize("name", [BLOCKED, KNIGHT, ROOK, TURNS])
def test_every_numeral_of_a_wording_belongs_to_the_problem(name: str) -> None:
    for _, _, text in family(name).words.numbered:
        assert not re.search("[0-9]", text)
        holes = re.findall(r"\{\w+\}", text)
        assert len(set(holes)) == len(holes)


@pytest.mark.parametrize("name", [BLOCKED, ROOK])
@pytest.mark.parametrize("level", [1, 2, 3, 5])
def test_levels_and_axes_of_blocked_boards(name: str, level: int) -> None:
    problems, texts = made(name, 200 // level**2, levels=(level,))
    first = 1 if name == ROOK else 0
    low, high = SIZES[level - 1]
    for i, (w, h, cells) in enumerate(read(name, texts)):
        assert low <= min(w, h) <= max(w, h) <= high
        axes = {axis: int(values[i]) for axis, values in problems.axes.items()}
        sides = {"short_side": min(w, h), "long_side": max(w, h)}
        assert axes == {"level": level, "n_blocked": len(set(cells))} | sides
        assert not {(first, first), (w - 1 + first, h - 1 + first)} & set(cells)
        if name == ROOK:
            assert 0.1 <= len(cells) / (w * h) <= 0.2


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        *((BLOCKED, bounds) for bounds in ((3, 7), (7, 10), (6, 6), (12, 12), (18, 18))),
        *((KNIGHT, bounds) for bounds in ((3, 9), (9, 12), (18, 18))),
        *((ROOK, bounds) for bounds in ((3, 6), (6, 9), (8, 8), (40, 40))),
    ],
)
def test_published_sizes_can_be_set(name: str, bounds: tuple[int, int]) -> None:
    problems, _ = made(name, 40, min_size=bounds[0], max_size=bounds[1])
    assert len(problems) == 40
    assert problems.axes["short_side"].min() >= bounds[0]
    assert problems.axes["long_side"].max() <= bounds[1]


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        *((name, {"max_size": 5}, r"min_size=0: .*max_size=5") for name in (BLOCKED, KNIGHT)),
        *((name, {"min_size": 5}, r"min_size=5: .*max_size=0") for name in (KNIGHT, ROOK)),
        *((name, {"min_size": 6, "max_size": 5}, "min_size=6") for name in (BLOCKED, ROOK)),
        (BLOCKED, {"levels": (8,)}, r"levels=.*1 to 7"),
        (BLOCKED, {"min_size": 3, "max_size": 81}, r"max_size=81"),
        (BLOCKED, {"most_paths": 0}, r"most_paths=0: .*1 to 1000000000"),
        (KNIGHT, {"min_size": 3, "max_size": 101}, r"max_size=101"),
        (KNIGHT, {"corner": 17}, r"corner=17: .*1 to 16"),
        (KNIGHT, {"repeats": 0}, r"repeats=0"),
        (ROOK, {"min_size": 2, "max_size": 6}, "min_size=2"),
        *((ROOK, {"max_share": 51}, "max_share=51"), (ROOK, {"min_share": 21}, "min_share=21")),
        (ROOK, {"min_size": 6, "max_size": 61}, "max_size=61"),
        (TURNS, {"levels": (6,)}, r"levels=.*1 to 5"),
    ],
)
def test_unusable_params_are_refused(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        family(name, **params)


def least_image(w: int, h: int, cells: tuple[Cell, ...], first: int) -> Any:
    """The least of a board, its mirror image, and both turned by half."""
    images = []
    plain = [(x - first, y - first) for x, y in cells]
    for i, j, some in ((w, h, plain), (h, w, [(y, x) for x, y in plain])):
        images.append((i, j, tuple(sorted(some))))
        images.append((i, j, tuple(sorted((i - 1 - x, j - 1 - y) for x, y in some))))
    return min(images)


@pytest.mark.parametrize("name", [BLOCKED, ROOK])
def test_a_problem_is_a_board_up_to_its_images(name: str) -> None:
    problems, texts = made(name, 3_000, levels=(1,), min_size=3, max_size=4)
    images: dict[tuple[int, ...], Any] = {}
    first = 1 if name == ROOK else 0
    for key, (w, h, cells) in zip(problems.keys.tolist(), read(name, texts), strict=True):
        image = least_image(w, h, cells, first)
        assert images.setdefault(tuple(key), image) == image
    assert len(set(images.values())) == len(images)
    bound = family(name, levels=(1,), min_size=3, max_size=4).fewest_problems
    assert 1 <= bound <= len(images)


# --- logic_gridworld_blocked ---


@pytest.mark.parametrize(
    ("w", "h", "cells", "count"),
    [
        *((3, 3, [(1, 1)], 2), (5, 4, [(1, 1), (3, 2), (0, 3)], 6), (3, 3, [(1, 0), (0, 1)], 0)),
        *((9, 9, [(8, 0), (0, 8)], comb(16, 8) - 2), (80, 80, [(79, 0)], comb(158, 79) - 1)),
    ],
)
def test_paths_by_hand(w: int, h: int, cells: list[Cell], count: int) -> None:
    for wording in range(5):
        found = answer(BLOCKED, wording, w=w, h=h, cells=by_row(cells), pairs=as_pairs(cells))
        assert found == str(count)


@pytest.mark.parametrize(
    ("w", "h", "cells"),
    [
        *((3, 3, "row 0: 0"), (3, 3, "row 2: 2"), (3, 3, "row 1: 3"), (3, 3, "row 3: 1")),
        *((1, 3, "row 1: 0"), (101, 3, "row 1: 0"), (3, 3, ""), (3, 3, "row 1: 1, 1")),
        *((3, 3, "row 1: 2, 1"), (3, 3, "row 2: 1; row 1: 1"), ("03", 3, "row 1: 1")),
        (3, 3, "row 1: 1; row 01: 2"),
    ],
)
def test_other_boards_have_no_answer(w: object, h: object, cells: str) -> None:
    assert answer(BLOCKED, 0, w=w, h=h, cells=cells) is None


def test_the_fewest_blocked_cells_do_not_stick() -> None:
    """In the published generator, a narrow board lowers the bound for all that follow."""
    counts: dict[int, set[int]] = {w: set() for w in range(5, 10)}
    for w, _, cells in read(BLOCKED, made(BLOCKED, 2_000, levels=(1,))[1]):
        counts[w].add(len(cells))
    assert (counts[5], counts[6], counts[9]) == ({7}, {8, 9}, set(range(8, 14)))


@pytest.mark.parametrize("most", [1, 10, 10**9])
def test_the_number_of_paths_is_bounded(most: int) -> None:
    _, texts = made(BLOCKED, 30, levels=(2,), most_paths=most)
    answers = [int(text) for text in texts.answers.to_pylist()]
    assert 1 <= min(answers) <= max(answers) <= most
    assert most < 10**9 or max(answers) > 10**6


def test_given_sizes_are_one_level() -> None:
    generator = family(BLOCKED, levels=(3, 2), min_size=3, max_size=5)
    assert set(generator.draw(Rows.span(3, 0, 50)).axes["level"].tolist()) == {2}
    assert generator.axes["long_side"].high == 5
    assert family(BLOCKED, levels=(3,)).fewest_problems is None


TABLE = "row 0: 1 1 1 1 1\nrow 1: 1 0 1 2 3\nrow 2: 1 1 2 0 3\nrow 3: 0 1 3 3 6\npaths: 6"


@pytest.mark.parametrize(
    "solution",
    [
        *("", "paths: 6", TABLE.rsplit("\n", 1)[0], TABLE.replace("paths: 6", "paths: 3")),
        *(TABLE.replace("3 3 6", "3 3 7"), TABLE.replace("1 0 1", "1 1 1"), TABLE + " "),
        *(TABLE.replace("row 2", "row 02"), TABLE.replace("1 2 3\n", "1 2 3 \n")),
        *(TABLE.replace("row 0: 1 1 1 1 1", "row 0: 1 1 1 1"), TABLE + "\npaths: 6"),
        TABLE.replace("row 3: 0 1 3 3 6\n", ""),
    ],
)
def test_steps_are_the_table_of_paths(solution: str) -> None:
    text = prompt(BLOCKED, 0, w=5, h=4, cells="row 1: 1; row 2: 3; row 3: 0")
    assert accepts(BLOCKED, text, "6", TABLE)
    assert not accepts(BLOCKED, text, "6", solution)


# --- logic_gridworld_knight_move ---


@pytest.mark.parametrize(
    ("numbers", "moves"),
    [
        *(((8, 8, 1, 2, 7, 7), "6"), ((7, 9, 2, 3, 6, 8), "4"), ((9, 7, 3, 2, 8, 6), "4")),
        *(((3, 3, 2, 1, 0, 1), "3"), ((60, 61, 1, 2, 59, 59), "40"), ((3, 3, 1, 2, 1, 1), None)),
        ((8, 6, 1, 2, 5, 7), None),  # on the board that has width and height exchanged
        *(((8, 8, 1, 2, 8, 7), None), ((8, 8, 1, 2, 7, 8), None)),  # one beyond the edge
        *(((8, 8, 1, 2, 0, 0), None), ((8, 8, 0, 2, 2, 2), None), ((129, 8, 1, 2, 3, 3), None)),
        ((8, 8, 1, 17, 3, 3), None),
    ],
)
def test_moves_by_hand(numbers: tuple[int, ...], moves: str | None) -> None:
    for wording in range(5):
        assert answer(KNIGHT, wording, **dict(zip("whabxy", numbers, strict=True))) == moves


def test_levels_of_leapers_and_repeats() -> None:
    assert family(KNIGHT, levels=(1,)).space == 889
    assert family(KNIGHT, levels=(2,)).space == 4_474
    generator = family(KNIGHT, levels=(1,), repeats=20)
    assert (generator.space, generator.fewest_problems) == (17_780, 889)
    problems = generator.draw(Rows(1, np.arange(5, 17_780, 889, dtype=np.uint64)))
    assert len(np.unique(problems.keys, axis=0)) == 1
    texts = generator.render(problems, Render("instruction", "none"))
    assert len(set(texts.prompts.to_pylist())) > 5


HOPS = "row 0: 0 - 2\nrow 1: - - 1\nrow 2: 2 1 -\nmove 1: to (2, 1)\nmove 2: to (0, 2)\nmoves: 2"


@pytest.mark.parametrize(
    "solution",
    [
        *("", "moves: 2", HOPS.rsplit("\n", 1)[0], HOPS.replace("moves: 2", "moves: 4")),
        *(HOPS.replace("row 0: 0 - 2", "row 0: 0 3 -"), HOPS.replace("2 1 -", "2 1 4")),
        *(HOPS.replace("move 2", "move 3"), HOPS.replace("row 1: - - 1\n", ""), HOPS + "\n"),
        *(HOPS.replace("(2, 1)", "(1, 2)"), HOPS.replace("(0, 2)", "(0, 0)")),
    ],
)
def test_steps_are_a_shortest_path_of_a_leaper(solution: str) -> None:
    text = prompt(KNIGHT, 2, w=3, h=3, a=2, b=1, x=0, y=2)
    assert accepts(KNIGHT, text, "2", HOPS)
    check_every_line_counts(KNIGHT, text, "2", HOPS.splitlines())
    assert not accepts(KNIGHT, text, "2", solution)


@pytest.mark.parametrize("level", [1, 3, 5])
def test_the_edges_of_a_board_matter_to_most_leapers(level: int) -> None:
    """A closed form: the fewest moves that distance and parity allow."""
    _, texts = made(KNIGHT, 500, levels=(level,))
    found = 0
    columns = zip(read(KNIGHT, texts), texts.answers.to_pylist(), strict=True)
    for (_, _, a, b, x, y), gold in columns:
        moves = max(-(-max(x, y) // max(a, b)), -(-(x + y) // (a + b)))
        moves += (moves * (a + b) - x - y) % 2 if (a + b) % 2 else 0
        found += str(moves) == gold
    assert found < 250


# --- logic_gridworld_rookmove ---


@pytest.mark.parametrize(
    ("w", "h", "cells", "moves"),
    [
        (4, 4, "row 1: 4; row 4: 1", "3"),
        (6, 5, "row 1: 6; row 2: 4; row 3: 2, 5; row 4: 3; row 5: 1", "4"),
        *((3, 3, "row 2: 2", "2"), (2, 2, "row 2: 1", "2"), (3, 3, "row 1: 3; row 3: 1", "3")),
        (3, 3, "row 1: 2; row 2: 1", None),  # the published text asks for -1
        *((3, 3, "row 1: 1", None), (3, 3, "row 3: 3", None), (3, 3, "row 4: 1", None)),
        *((3, 3, "row 1: 4", None), (3, 3, "row 0: 1", None), (81, 3, "row 2: 1", None)),
        *((3, 3, "", None), (1, 3, "row 2: 1", None), (3, 3, "row 2: 0", None)),
    ],
)
def test_slides_by_hand(w: int, h: int, cells: str, moves: str | None) -> None:
    for wording in range(4):
        assert answer(ROOK, wording, w=w, h=h, cells=cells) == moves


def test_shares_out_of_distribution_can_be_set() -> None:
    params = {"levels": (1,), "min_size": 6, "max_size": 9, "min_share": 10, "max_share": 30}
    _, texts = made(ROOK, 200, **params)
    shares = [len(cells) / (w * h) for w, h, cells in read(ROOK, texts)]
    assert len(shares) > 190
    assert 0.1 <= min(shares) < 0.12
    assert 0.28 < max(shares) <= 0.3


SLIDE_TABLE = "row 1: 0 1 1 -\nrow 2: 1 2 2 2\nrow 3: 1 2 2 2\nrow 4: - 2 2 3\n"
SLIDES = (
    SLIDE_TABLE
    + "1. (1, 1) right to (2, 1)\n2. (2, 1) up to (2, 4)\n3. (2, 4) right to (4, 4)\nmoves: 3"
)


@pytest.mark.parametrize(
    "solution",
    [
        *(SLIDES.replace("moves: 3", "moves: 4"), SLIDES.replace("1. ", "2. "), "moves: 3", ""),
        SLIDE_TABLE + "1. (1, 1) up to (1, 4)\n2. (1, 4) right to (4, 4)\nmoves: 3",
        SLIDES.removeprefix(SLIDE_TABLE),
        SLIDE_TABLE
        + "1. (1, 1) up to (1, 4)\n2. (1, 4) right to (2, 4)\n3. (2, 4) right to (4, 4)\nmoves: 3",
        SLIDE_TABLE + "1. (1, 1) right to (2, 1)\n2. (2, 1) up to (2, 4)\nmoves: 3",
        *(SLIDES.replace("(2, 1) up", "(2, 2) up"), SLIDES.replace("(4, 4)", "(5, 4)")),
        SLIDES.replace("right to (2, 1)", "up to (2, 1)"),
        SLIDES.replace("1. (1, 1) right to (2, 1)", "1. (1, 1) right to (1, 1)"),
    ],
)
def test_steps_are_a_shortest_path_of_a_rook(solution: str) -> None:
    text = prompt(ROOK, 3, w=4, h=4, cells="row 1: 4; row 4: 1")
    other = "1. (1, 1) up to (1, 3)\n2. (1, 3) right to (4, 3)\n3. (4, 3) up to (4, 4)\nmoves: 3"
    check_every_line_counts(ROOK, text, "3", SLIDES.splitlines())
    assert accepts(ROOK, text, "3", SLIDE_TABLE + other)
    assert not accepts(ROOK, text, "3", solution)


# --- trans_gridworld ---


def test_turns_of_the_sheet_and_the_space() -> None:
    assert answer(TURNS, 0, "exact", w=9, h=9, k=4) == "448"  # 8 * 28 * 2
    assert answer(TURNS, 0, "exact", w=8, h=8, k=4) == "294"  # 7 * 21 * 2
    for unfit in ({"w": 0}, {"w": 61}, {"h": -9}, {"k": 1}, {"k": "04"}):
        assert answer(TURNS, 0, "exact", **({"w": 9, "h": 9, "k": 4} | unfit)) is None
    sizes = [family(TURNS, levels=(level,)).space for level in range(1, 6)]
    assert sizes == [103, 156, 156, 264, 400]
    problems, texts = made(TURNS, 1_079)
    assert len(np.unique(problems.keys, axis=0)) == family(TURNS).space == 1_079
    for i, (_, w, h, k) in enumerate(read(TURNS, texts)):
        assert (problems.axes["n_steps"][i], problems.axes["n_turns"][i]) == (w + h, k)


def test_a_problem_is_a_set_of_paths_up_to_its_images() -> None:
    """Paths may be walked backwards, and right and up may change places."""
    classes = set()
    sides = range(3, 6)
    for kind, w, h, k in product(("exact", "most", "start"), sides, sides, range(2, 10)):
        if k < 2 * min(w, h):
            found = [
                path
                for path in map("".join, combinations_of(w, h))
                if (kind != "start" or path[0] == "R")
                and (turns_of(path) == k or (kind == "most" and turns_of(path) < k))
            ]
            swapped = [path.translate(str.maketrans("RU", "UR")) for path in found]
            images = (found, swapped, [p[::-1] for p in found], [p[::-1] for p in swapped])
            classes.add(min(tuple(sorted(image)) for image in images))
    assert len(classes) == family(TURNS, levels=(1,)).space


def combinations_of(w: int, h: int) -> Iterator[list[str]]:
    for rights in combinations(range(w + h), w):
        yield ["R" if at in rights else "U" for at in range(w + h)]


def turns_of(path: str) -> int:
    return sum(one != other for one, other in pairwise(path))


def test_steps_count_the_paths_of_each_first_direction() -> None:
    text = prompt(TURNS, 2, "most", w=5, h=4, k=2)
    lines = ["0 turns: 0 + 0 = 0", "1 turn: 1 + 1 = 2", "2 turns: 3 + 4 = 7", "paths: 9"]
    assert accepts(TURNS, text, "9", "\n".join(lines))
    for wrong in (lines[1:], lines[:-1], [*lines[:2], "2 turns: 4 + 3 = 7", lines[3]]):
        assert not accepts(TURNS, text, "9", "\n".join(wrong))
