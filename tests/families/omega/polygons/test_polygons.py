"""Regular polygons: worked examples, searches that try everything, symmetries, bad params."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pytest

from synthgen.authoring import Words
from synthgen.authoring.words import filled
from synthgen.contract.interfaces import Render, valid_ones
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.omega import polygons
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.families.verdicts import accepts, answer, check_every_line_counts

Chord = tuple[int, int]
WORDS = Words.beside(polygons.__file__)
SHAPES = ("chords", "color", "rotation")
NAMES = {"R": "red", "B": "blue", "?": "uncolored", "G": "green"}


class Row(NamedTuple):
    """A row, with its derivation as a list of symbols."""

    tree: list[str]
    prompt: str
    answer: str
    steps: str
    axes: dict[str, int]


def drawn(name: str, rows: int, **params: Any) -> list[Row]:
    generator = generator_class(name)(**params)
    problems = valid_ones(generator.draw(Rows.span(stream_key(3, "test"), 0, rows)))
    texts = generator.render(problems, Render("instruction", "steps"))
    assert texts.solutions is not None
    trees = derivation_text(problems.derivations, generator.signature).to_pylist()
    columns = [texts.prompts.to_pylist(), texts.answers.to_pylist(), texts.solutions.to_pylist()]
    axes = [
        {axis: int(column[i]) for axis, column in problems.axes.items()} for i in range(len(trees))
    ]
    symbols = [tree.replace("(", " ").replace(")", " ").split() for tree in trees]
    return [Row(*row) for row in zip(symbols, *columns, axes, strict=True)]


def prompt(part: str, *, kind: str = "", number: int = 0, **holes: object) -> str:
    return filled(WORDS.part(part).wordings("instruction", kind)[number], holes)


def chords_of(symbols: list[str]) -> list[Chord]:
    ends = list(map(int, symbols))
    return list(zip(ends[::2], ends[1::2], strict=True))


@pytest.mark.parametrize(
    ("name", "params"),
    [
        *((f"geometry_polygon_{name}", {"levels": (1, 2, 3)}) for name in SHAPES),
        *((f"geometry_polygon_{name}", {"levels": (4, 5, 6, 7)}) for name in SHAPES),
        *((name, {"levels": (1, 2, 3, 4, 5)}) for name in ("comp_n_gon", "comp_vertex_color")),
        ("geometry_polygon_color", {"min_size": 30, "max_size": 30, "n_open": 6}),
        ("geometry_polygon_color", {"repeats": 3}),
        ("geometry_polygon_rotation", {"min_size": 29, "max_size": 30}),
        ("comp_n_gon", {"repeats": 3}),
        ("comp_vertex_color", {"repeats": 3}),
    ],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=60 if "rotation" in name else 200)


# geometry_polygon_chords

APART = prompt("chords", n=14, pairs="(14, 11), (1, 3), (1, 8)")
APART_STEPS = (
    "(14, 11): direction 11\n(1, 3): direction 4\n(1, 8): direction 9\n"
    "(14, 11) and (1, 3): do not meet"
)


@pytest.mark.parametrize(
    ("n", "pairs", "expected"),
    [
        (8, "(1, 5), (3, 7), (2, 6), (1, 4), (4, 7)", "1"),
        (12, "(1, 7), (4, 10), (2, 5), (3, 12), (6, 9), (1, 10)", "1"),
        (4, "(1, 3), (4, 2)", "1"),
        (6, "(1, 4), (3, 1), (3, 6), (2, 6)", "1"),
        (5, "(1, 3), (2, 4), (5, 3)", "0"),
        (60, "(1, 31), (16, 46), (30, 2)", "2"),
        *((8, pairs, None) for pairs in ("(1, 9)", "(0, 4)", "(1, 2)", "(1, 8)", "(3, 3)")),
        *((8, pairs, None) for pairs in ("(1, 4), (4, 1)", "(1,4)", "", "(1, 4), ", "(1, 04)")),
        *((2, "(1, 2)", None), (61, "(1, 4)", None)),
    ],
)
def test_right_angles_by_hand(n: int, pairs: str, expected: str | None) -> None:
    assert answer("geometry_polygon_chords", prompt("chords", n=n, pairs=pairs)) == expected


@pytest.mark.parametrize(
    ("level", "bounds"),
    [*enumerate([(6, 7), (8, 9), (10, 11), (12, 13), (14, 15), (16, 19), (20, 25)], 1)],
)
def test_axes_of_diagonals(level: int, bounds: tuple[int, int]) -> None:
    for row in drawn("geometry_polygon_chords", 40, levels=(level,)):
        n, chords = int(row.tree[1]), chords_of(row.tree[2:])
        assert bounds[0] <= len(set(map(frozenset, chords))) == len(chords) <= bounds[1]
        assert row.axes == {"level": level, "n_sides": n, "n_diagonals": len(chords)}


def test_lines_that_meet_outside_the_polygon_do_not_count() -> None:
    """The published generator counts (14, 11) and (1, 3), which are perpendicular."""
    assert accepts("geometry_polygon_chords", APART, "0", f"{APART_STEPS}\ncount: 0")
    for wrong in (
        *("", "count: 0", APART_STEPS, f"{APART_STEPS}\ncount: 1", f"{APART_STEPS}\ncount: 0\n"),
        APART_STEPS.replace("do not meet", "meet") + "\ncount: 0",
        APART_STEPS.replace("direction 4", "direction 5") + "\ncount: 0",
    ):
        assert not accepts("geometry_polygon_chords", APART, "0", wrong)


def test_odd_polygons_are_rare_and_have_no_right_angles() -> None:
    rows = drawn("geometry_polygon_chords", 2_000)
    odd = [row.answer for row in rows if row.axes["n_sides"] % 2]
    assert 0.01 < len(odd) / len(rows) < 0.09
    assert set(odd) == {"0"}


def least_image(n: int, chords: list[Chord]) -> list[Chord]:
    return min(
        sorted(tuple(sorted(((sign * a + by) % n, (sign * b + by) % n))) for a, b in chords)
        for sign in (1, -1)
        for by in range(n)
    )


def test_a_tree_is_a_picture_up_to_its_symmetries() -> None:
    """The 84 sets of three diagonals of a hexagon are 12 different ones."""
    diagonals = [(a, b) for a, b in combinations(range(6), 2) if b - a not in (1, 5)]
    pictures = {str(least_image(6, list(chosen))) for chosen in combinations(diagonals, 3)}
    params = {"min_size": 6, "max_size": 6, "min_diagonals": 3, "max_diagonals": 3, "levels": (1,)}
    seen: dict[str, str] = {}
    for row in drawn("geometry_polygon_chords", 1_500, **params):
        text = re.findall(r"\((\d+), (\d+)\)", row.prompt)
        shown = str(least_image(6, [(int(a), int(b)) for a, b in text]))
        assert seen.setdefault(" ".join(row.tree), shown) == shown
    assert set(seen.values()) == pictures
    assert len(seen) == len(pictures) == 12


# geometry_polygon_rotation

EIGHT = prompt("rotation", n=8, pairs="(1, 4), (7, 3)", r=2, s=4)
EIGHT_STEPS = (
    "line (1, 4): crossings 0, regions 2\nline (1, 5): crossings 0, regions 3\n"
    "line (3, 6): crossings 2, regions 6\nline (3, 7): crossings 2, regions 9\n"
    "by sides: 4 with 3 sides, 5 with 4 sides\n"
    "sides of all regions: 4 * 3 + 5 * 4 = 32\nwith 4 sides: 5"
)


@pytest.mark.parametrize(
    ("n", "pairs", "turn", "sides", "expected"),
    [
        (6, "(1, 4)", 1, 3, "2"),
        (8, "(1, 4), (7, 3)", 2, 4, "5"),
        (6, "(1, 4)", 3, 4, "2"),
        (6, "(1, 4), (2, 5)", 1, 3, "6"),
        (6, "(1, 3), (3, 5), (1, 5)", 2, 3, "4"),
        (5, "(3, 1)", 1, 4, "1"),
        (5, "(3, 1)", 1, 7, "0"),
        *((8, pairs, 1, 3, None) for pairs in ("(1, 9)", "(1, 2)", "(0, 4)", "(4, 4)", "")),
        *((8, "(1, 4)", 0, 3, None), (8, "(1, 4)", 8, 3, None), (31, "(1, 4)", 1, 3, None)),
    ],
)
def test_regions_by_hand(n: int, pairs: str, turn: int, sides: int, expected: str | None) -> None:
    statement = prompt("rotation", n=n, pairs=pairs, r=turn, s=sides)
    assert answer("geometry_polygon_rotation", statement) == expected


@pytest.mark.parametrize(("n", "regions"), [(6, 24), (7, 50), (8, 80), (9, 154), (10, 220)])
def test_all_diagonals_bound_known_numbers_of_regions(n: int, regions: int) -> None:
    """Poonen and Rubinstein 1998; a rotated copy adds the diagonals that are not listed."""
    listed, covered = list[Chord](), set[Chord]()
    for a, b in combinations(range(1, n + 1), 2):
        if b - a not in (1, n - 1) and (a, b) not in covered:
            listed.append((a, b))
            covered |= {(a, b), (min(a % n + 1, b % n + 1), max(a % n + 1, b % n + 1))}
    pairs = ", ".join(map(str, listed))
    prompts = [prompt("rotation", n=n, pairs=pairs, r=1, s=sides) for sides in range(3, n + 1)]
    counts = [answer("geometry_polygon_rotation", statement) for statement in prompts]
    assert sum(int(count or 0) for count in counts) == regions


@pytest.mark.parametrize("level", range(1, 8))
def test_axes_of_regions(level: int) -> None:
    for row in drawn("geometry_polygon_rotation", 12, levels=(level,)):
        sides = row.tree[2]
        *_, last, by_sides, _, _ = row.steps.splitlines()
        counts = {k: int(count) for count, k in re.findall(r"(\d+) with (\d+)", by_sides)}
        assert row.answer == str(counts[sides])
        assert row.axes["n_pieces"] == sum(counts.values()) == int(last.split()[-1])
        assert row.axes["piece_sides"] == int(sides)
        lines = len(row.tree[3:]) // 2
        assert lines / 2 <= row.axes["n_diagonals"] <= lines


def test_steps_count_the_regions_line_by_line() -> None:
    lines = EIGHT_STEPS.splitlines()
    check_every_line_counts("geometry_polygon_rotation", EIGHT, "5", lines)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_tree_of_regions_is_the_figure_that_is_seen(count: int) -> None:
    """All diagonals and rotations of a hexagon or heptagon: which drawings make one figure?"""
    figures = set()
    for n in (6, 7):
        diagonals = [(a, b) for a, b in combinations(range(n), 2) if b - a not in (1, n - 1)]
        for chosen, turn in product(combinations(diagonals, count), range(1, n)):
            lines = {(min(c), max(c)) for a, b in chosen for c in ((a, b), moved(n, turn, a, b))}
            figures.add(f"{n} {least_image(n, sorted(lines))}")
    params = {"min_size": 6, "max_size": 7, "min_diagonals": count, "max_diagonals": count}
    seen: dict[str, set[str]] = {}
    for row in drawn("geometry_polygon_rotation", 2_500 if count < 3 else 400, **params):
        pairs, turn = re.findall(r"\((\d+), (\d+)\)", row.prompt), turn_of(row.prompt)
        n = int(row.tree[1])
        lines = {
            (min(c), max(c))
            for a, b in ((int(a) % n, int(b) % n) for a, b in pairs)
            for c in ((a, b), moved(n, turn, a, b))
        }
        assert str(least_image(n, sorted(lines))) == str(least_image(n, chords_of(row.tree[3:])))
        tree = " ".join(row.tree[:2] + row.tree[3:])
        seen.setdefault(f"{n} {least_image(n, sorted(lines))}", set()).add(tree)
    assert set(seen) <= figures
    assert all(len(trees) == 1 for trees in seen.values())
    if count < 3:
        assert set(seen) == figures
    bound = generator_class("geometry_polygon_rotation")(levels=(1,), **params).fewest_problems
    assert len(figures) >= bound


def moved(n: int, turn: int, a: int, b: int) -> Chord:
    return (a + turn) % n, (b + turn) % n


def turn_of(text: str) -> int:
    found = re.search(r"(\d+)/\d+ of a full turn|vertex (\d+) place", text)
    assert found
    return int(found[1] or found[2])


# geometry_polygon_color


def asked(kind: str, word: str, turn: int = 0, a: str = "red", b: str = "blue") -> str:
    colours = ", ".join(NAMES[letter] for letter in word)
    places = f"{turn} place" if turn == 1 else f"{turn} places"
    holes = {"n": len(word), "colours": colours, "a": a, "b": b, "places": places}
    return prompt("colour", kind=kind, number=1, **holes)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (asked("best", "RBRRBBRB"), "3"),
        (asked("paint", "RB?R?B?"), "3"),
        (asked("turn", "RRBB", 2), "2"),
        (asked("turn", "RRBB", 1), "1"),
        (asked("paint", "R?B"), "1"),
        *((asked("best", word), None) for word in ("RRRR", "BBBB", "RBG", "RB?", "RB", "RB" * 16)),
        *(
            (asked("paint", "RBRB"), None),
            (asked("paint", "RR?"), None),
            (asked("turn", "RR?B"), None),
        ),
        *((asked("turn", "RRBB", 0), None), (asked("turn", "RRBB", 4), None)),
        (asked("best", "RB" + "?" * 9), None),
        (asked("paint", "RB" + "?" * 9), None),
        (asked("turn", "RRBB", 1).replace("1 place", "1 places"), None),
        (asked("turn", "RRBB", 2).replace("2 places", "2 place"), None),
        (asked("best", "RBRB").replace("4-gon", "5-gon"), None),
        (asked("best", "RBRB", b="red"), None),
        (asked("best", "RBRB", a="uncolored"), None),
    ],
)
def test_colours_by_hand(statement: str, expected: str | None) -> None:
    assert answer("geometry_polygon_color", statement) == expected


@pytest.mark.parametrize("level", range(1, 8))
def test_axes_of_colours(level: int) -> None:
    kinds = ("paint", "turn", "best")
    rows = drawn("geometry_polygon_color", 150, levels=(level,))
    for row in rows:
        kind = kinds[row.axes["subtype"]]
        letters = {"a": "R", "b": "B", "open": "?"}
        word = "".join(letters[leaf] for leaf in row.tree[1 + (kind == "turn") :])
        assert row.tree[0] == f"{kind}{len(word)}"
        assert row.axes["n_sides"] == len(word)
        assert word.count("?") == (3 if kind == "paint" else 0)
    shares = np.bincount([row.axes["subtype"] for row in rows]) / len(rows)
    assert shares == pytest.approx([0.4, 0.2, 0.4], abs=0.08)


SWAPPED = str.maketrans("RB", "BR")


def least_word(kind: str, word: str, turn: int) -> tuple[str, str, int]:
    """Return the least image; two colours may be exchanged where no vertex is uncoloured."""
    words = [word, word[::-1]]
    words += [one.translate(SWAPPED) for one in words if kind != "paint"]
    least = min(one[k:] + one[:k] for one in words for k in range(len(word)))
    return kind, least, min(turn, len(word) - turn)


def all_problems(n: int, n_open: int) -> Iterator[tuple[str, str, int]]:
    most_red = max(1, n // 3 + 1 - n_open // 2)
    for kind, turns in (("paint", [0]), ("turn", [*range(1, n)]), ("best", [0])):
        for places in combinations(range(n), n_open if kind == "paint" else 0):
            for colours in product("RB", repeat=n - len(places)):
                few = colours.count("R") <= most_red or kind != "paint"
                if len(set(colours)) == 2 and few:
                    left = iter(colours)
                    word = "".join("?" if i in places else next(left) for i in range(n))
                    yield from (least_word(kind, word, turn) for turn in turns)


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_a_tree_of_colours_is_a_picture_up_to_symmetries_with_one_answer(n: int) -> None:
    params = {"levels": (1,), "min_size": n, "max_size": n, "n_open": 1 + n // 5}
    letters = {"a": "R", "b": "B", "open": "?"}
    seen: dict[tuple[str, str, int], set[tuple[str, str]]] = {}
    for row in drawn("geometry_polygon_color", 3_000, **params):
        kind = row.tree[0].rstrip("0123456789")
        turn = int(row.tree[1]) if kind == "turn" else 0
        word = "".join(letters[leaf] for leaf in row.tree[1 + (kind == "turn") :])
        image = least_word(kind, word, turn)
        seen.setdefault(image, set()).add((" ".join(row.tree), row.answer))
    assert {len(rows) for rows in seen.values()} == {1}
    assert set(seen) == set(all_problems(n, 1 + n // 5))


@pytest.mark.parametrize("level", range(1, 8))
def test_no_number_of_ways_to_paint_is_frequent(level: int) -> None:
    rows = drawn("geometry_polygon_color", 2_500, levels=(level,))
    answers = Counter(row.answer for row in rows if row.tree[0].startswith("paint"))
    assert max(answers.values()) < answers.total() / 3


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_burnsides_number_is_the_number_found_by_trying(n: int) -> None:
    for n_open in range(1, min(3, n - 2) + 1):
        params = {"levels": (1,), "min_size": n, "max_size": n, "n_open": n_open}
        generator = generator_class("geometry_polygon_color")(**params)
        assert generator.fewest_problems == len(set(all_problems(n, n_open)))


def test_every_round_of_addresses_has_all_problems_in_other_words() -> None:
    once, often = (
        generator_class("geometry_polygon_color")(levels=(1,), repeats=repeats)
        for repeats in (1, 3)
    )
    assert once.space is not None
    assert often.space == 3 * once.space
    prompts = set()
    for start in range(0, 3 * once.space, once.space):
        problems = valid_ones(often.draw(Rows.span(3, start, start + once.space)))
        assert len(np.unique(problems.keys, axis=0)) == often.fewest_problems == 100
        prompts |= set(often.render(problems, Render("instruction", "none")).prompts.to_pylist())
    assert len(prompts) > 2.5 * once.space


BEST_STEPS = "0/4 of a turn: 0\n1/4 of a turn: 1\n2/4 of a turn: 2\n3/4 of a turn: 1\nlargest: 2"


@pytest.mark.parametrize(
    ("statement", "gold", "steps", "right"),
    [
        (asked("best", "RRBB"), "2", BEST_STEPS, True),
        (asked("best", "RRBB"), "2", BEST_STEPS.replace("turn: 0", "turn: 1"), False),
        (asked("best", "RRBB"), "2", "2/4 of a turn: 2\nlargest: 2", False),
        (asked("turn", "RRBB", 1), "1", "2 to 3\ncount: 1", True),
        (asked("turn", "RRBB", 1), "1", "1 to 2\ncount: 1", False),
        (asked("paint", "R?B"), "1", "red: none\nblue: 1/3 of a turn\nways: 1", True),
        (asked("paint", "R?B"), "1", "red: none\nblue: 2/3 of a turn\nways: 1", False),
        (asked("paint", "R?B"), "1", "red: none\nblue: 0/3 of a turn\nways: 1", False),
        (asked("paint", "R?B"), "1", "red: none\nblue: none\nways: 1", False),
        (asked("paint", "R?B"), "1", "blue: 1/3 of a turn\nred: none\nways: 1", False),
        (asked("paint", "R?B"), "1", "ways: 1", False),
    ],
)
def test_steps_of_colours(statement: str, gold: str, steps: str, *, right: bool) -> None:
    assert accepts("geometry_polygon_color", statement, gold, steps) == right


# comp_n_gon and comp_vertex_color

SIX = "3 tiles marked 'a', 2 tiles marked 'b' and 1 tile marked 'c'"


@pytest.mark.parametrize(
    ("tiles", "n", "turn", "expected"),
    [
        (SIX, 6, 2, "13"),
        ("'a' (3 copies), 'c' (1 copy) and 'b' (2 copies)", 6, 2, "13"),
        ("3 × 'a', 2 × 'b' and 1 × 'c'", 6, 2, "13"),
        ("'a', 'b', 'c', 'b', 'a' and 'a'", 6, 2, "13"),
        ("2 tiles marked 'x' and 2 tiles marked 'y'", 3, 1, "2"),
        *((SIX, 7, 2, None), (SIX, 6, 6, None), (SIX, 6, 0, None), (SIX, "06", 1, None)),
        *((SIX.replace("1 tile", "1 tiles"), 6, 2, None), (SIX.replace("'b'", "'a'"), 6, 2, None)),
        ("3 × 'a', 2 tiles marked 'b' and 1 × 'c'", 6, 2, None),
        ("1 × 'a', 1 × 'b' and 1 × 'c'", 3, 1, None),
    ],
)
def test_letters_by_hand(tiles: str, n: int | str, turn: int, expected: str | None) -> None:
    assert answer("comp_n_gon", prompt("n_gon", kind="all", tiles=tiles, n=n, r=turn)) == expected


def test_steps_of_letters() -> None:
    statement = prompt("n_gon", kind="all", tiles=SIX, n=6, r=2)
    steps = "equal pairs: 3 * 2 + 2 * 1 = 8 of 6 * 5 = 30\n6 * 8/30 = 8/5: 8 + 5 = 13"
    assert accepts("comp_n_gon", statement, "13", steps)
    for wrong in ("", steps.splitlines()[1], steps.replace("3 * 2 + 2 * 1 = 8", "3 * 2 = 6")):
        assert not accepts("comp_n_gon", statement, "13", wrong)


@pytest.mark.parametrize(
    ("n", "p", "expected"),
    [
        *((6, "1/2", "47"), (8, "1/2", "371"), (3, "1/2", "3")),
        *((2, "1/2", None), (20, "1/2", None), (6, "2/4", None), (6, "3/2", None)),
    ],
)
def test_chances_by_hand(n: int, p: str, expected: str | None) -> None:
    statement = prompt("vertex", kind="rotation_chance", n=n, p=p)
    assert answer("comp_vertex_color", statement) == expected


def test_steps_of_vertices_count_the_smallest_rotation_that_works() -> None:
    """Of two blue vertices of four, neighbours need a turn by two, opposite ones by one."""
    statement = prompt("vertex", kind="rotation_chance", n=4, p="1/2")
    lines = [
        "colourings by the smallest rotation that works, in vertices, or by reflection:",
        *("0 blue: 0 (1); 1 of 1", "1 blue: 1 (4); 4 of 4", "2 blue: 1 (2), 2 (4); 6 of 6"),
        *("11 of 2^4 = 16", "11/16: 11 + 16 = 27"),
    ]
    check_every_line_counts("comp_vertex_color", statement, "27", lines)


def test_the_compositions_list_all_their_problems() -> None:
    letters, vertices = (
        [generator_class(name)(levels=(level,)).space for level in range(1, 6)]
        for name in ("comp_n_gon", "comp_vertex_color")
    )
    assert letters == [87, 395, 777, 2_547, 5_368]
    assert vertices == [137, 71, 73, 76, 78]
    assert generator_class("comp_n_gon")().fewest_problems == 9_174
    assert generator_class("comp_n_gon")(levels=(1,), repeats=3).space == 3 * 87


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("geometry_polygon_chords", {"max_size": 31, "min_size": 6}, "max_size=31"),
        ("geometry_polygon_chords", {"min_size": 4, "max_size": 6}, "min_size=4"),
        ("geometry_polygon_chords", {"min_diagonals": 5, "max_diagonals": 61}, "max_diagonals=61"),
        ("geometry_polygon_chords", {"min_size": 6, "max_size": 6, "levels": (3,)}, "11 diagonals"),
        ("geometry_polygon_chords", {"levels": (8,)}, "levels="),
        (
            "geometry_polygon_rotation",
            {"min_size": 5, "max_size": 11, "levels": (5,)},
            "min_size=5",
        ),
        ("geometry_polygon_rotation", {"max_diagonals": 25}, "max_diagonals=25"),
        ("geometry_polygon_rotation", {"max_diagonals": 5}, "min_diagonals=0"),
        ("geometry_polygon_color", {"n_open": 0}, "n_open=0"),
        ("geometry_polygon_color", {"n_open": 5}, "n_open=5.*6 sides"),
        ("geometry_polygon_color", {"min_size": 3, "max_size": 9}, "min_size=3"),
        ("geometry_polygon_color", {"min_size": 9, "max_size": 8}, "min_size=9"),
        ("geometry_polygon_color", {"repeats": 10**9 + 1}, "repeats=1000000001"),
        (
            "geometry_polygon_color",
            {"min_size": 30, "max_size": 30, "n_open": 6, "repeats": 10**9},
            "repeats=1000000000",
        ),
        ("comp_n_gon", {"levels": (6,)}, "levels="),
        ("comp_vertex_color", {"repeats": 0}, "repeats=0"),
    ],
)
def test_impossible_params_are_refused(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        generator_class(name)(**params)
