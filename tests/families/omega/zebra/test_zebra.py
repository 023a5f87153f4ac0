"""Zebra puzzles: contract, one solution and no clue to spare, canonical forms, what is read."""

import re
from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from synthgen.authoring.words import filled
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.bounded import bounded
from tests.families.verdicts import Verdicts, valid_problems

NAME = "logic_zebralogic"
WORDS = generator_class(NAME).words  # type: ignore[attr-defined]
VERIFIER: Any = load_verifier(NAME)
accepts = Verdicts(NAME).accepts
Table = tuple[int, ...]
TRUE = {
    "same": lambda u, v: u == v,
    "apart": lambda u, v: u != v,
    "left": lambda u, v: u < v,
    "just_left": lambda u, v: u + 1 == v,
    "next": lambda u, v: abs(u - v) == 1,
    "gap": lambda u, v: abs(u - v) == 2,
    "at": lambda u, v: u == v,
    "not_at": lambda u, v: u != v,
}


def made(n: int, **params: Any) -> tuple[Problems, Texts]:
    """Draw rows, keep the valid ones and render them."""
    generator = generator_class(NAME)(**params)
    problems = valid_problems(generator, Rows.span(3, 0, n))
    return problems, generator.render(problems, Render("instruction", "steps"))


def read(texts: Texts) -> list[Any]:
    return [VERIFIER.problem(text) for text in texts.prompts.to_pylist()]


def tables(n: int, m: int) -> list[Table]:
    """Return every way to give the houses to the values of each category."""
    orders = list(permutations(range(n)))
    return [tuple(h for order in some for h in order) for some in product(orders, repeat=m)]


def is_true(clue: tuple[str, int, int], table: Table) -> bool:
    kind, u, v = clue
    return TRUE[kind](table[u], v if kind in ("at", "not_at") else table[v])


@pytest.mark.parametrize(
    ("levels", "rows"), [((), 100), ((1,), 200), ((2, 3), 100), ((4,), 40), ((6,), 24)]
)
def test_contract(levels: tuple[int, ...], rows: int) -> None:
    check_family(NAME, {"levels": levels}, rows=rows)


def test_wordings_have_no_numeral_and_each_hole_once() -> None:
    for _, _, text in WORDS.numbered:
        assert not re.search("[0-9]", text)
        assert Counter(re.findall(r"\{\w+\}", text)).most_common(1)[0][1] == 1


def test_no_two_items_are_equal() -> None:
    items = [item for category in WORDS["categories"] for item in category["items"]]
    assert len(set(items)) == len(items)
    assert len(WORDS["categories"]) >= 7
    assert all(len(category["items"]) >= 7 for category in WORDS["categories"])


def test_unknown_levels_are_refused() -> None:
    with pytest.raises(ParamError, match=r"levels=.*1 to 6"):
        generator_class(NAME)(levels=(7,))


@pytest.mark.parametrize(("level", "rows"), [(1, 200), (2, 60)])
def test_one_solution_and_no_clue_to_spare(level: int, rows: int) -> None:
    for puzzle, answer in zip(
        read(texts := made(rows, levels=(level,))[1]), texts.answers.to_pylist(), strict=True
    ):
        every = tables(puzzle.n, len(puzzle.names))
        found = [table for table in every if all(is_true(clue, table) for clue in puzzle.clues)]
        assert len(found) == 1
        house = puzzle.house if puzzle.named < 0 else found[0][puzzle.named]
        assert found[0][puzzle.choices[int(answer)]] == house
        for spared in puzzle.clues:
            rest = [clue for clue in puzzle.clues if clue != spared]
            assert sum(all(is_true(clue, table) for clue in rest) for table in every) > 1


@pytest.mark.parametrize("level", [1, 2, 4, 6])
def test_axes_and_shapes_of_a_level(level: int) -> None:
    problems, texts = made(40 if level > 3 else 300, levels=(level,))
    shapes = set()
    for i, puzzle in enumerate(read(texts)):
        n, m = puzzle.n, len(puzzle.names)
        axes = {axis: int(values[i]) for axis, values in problems.axes.items()}
        sizes = {"n_houses": n, "n_attributes": m, "n_clues": len(puzzle.clues)}
        assert axes == {"level": level, "subtype": int(puzzle.named < 0)} | sizes
        assert max(n, m) == level + 1
        assert min(n, m) >= 2
        assert len(set(puzzle.clues)) == len(puzzle.clues)
        shapes.add((n, m))
    assert len(shapes) == 2 * level - 1 if level < 3 else len(shapes) > level
    assert generator_class(NAME)(levels=(level,)).axes["n_houses"].high == level + 1


def test_no_single_clue_answers_the_question() -> None:
    _, texts = made(300, levels=(1, 3))
    for puzzle, answer in zip(read(texts), texts.answers.to_pylist(), strict=True):
        right = puzzle.choices[int(answer)]
        assert ("at", right, puzzle.house) not in puzzle.clues
        assert ("same", right, puzzle.named) not in puzzle.clues
        assert ("same", puzzle.named, right) not in puzzle.clues


def test_the_position_of_the_answer_is_uniform() -> None:
    _, texts = made(600, levels=(3,))
    counts = Counter(
        answer
        for puzzle, answer in zip(read(texts), texts.answers.to_pylist(), strict=True)
        if puzzle.n == 4
    )
    assert len(counts) == 4
    assert max(counts.values()) < 0.35 * counts.total()


@pytest.mark.slow
def test_the_lowest_level_has_two_hundred_problems() -> None:
    generator = generator_class(NAME)(levels=(1,))
    problems, texts = made(6_000, levels=(1,))
    keys = {tuple(key) for key in problems.keys.tolist()}
    assert 190 < len(keys) <= generator.fewest_problems == 200
    assert generator_class(NAME)().fewest_problems is None
    images: dict[Any, tuple[int, ...]] = {}
    for puzzle, answer, key in zip(
        read(texts), texts.answers.to_pylist(), problems.keys.tolist(), strict=True
    ):
        assert images.setdefault(image(puzzle, int(answer)), tuple(key)) == tuple(key)
    assert len(set(images.values())) == len(images)


def image(puzzle: Any, answer: int) -> Any:
    """Name each value of a puzzle with few categories by its house, and take the least image."""
    n, m = puzzle.n, len(puzzle.names)
    (table,) = (
        table for table in tables(n, m) if all(is_true(clue, table) for clue in puzzle.clues)
    )
    found = []
    for order, is_turned in product(permutations(range(m)), (False, True)):

        def name(value: int, order: Any = order, is_turned: bool = is_turned) -> tuple[int, int]:
            house = table[value]
            return order[value // n], n - 1 - house if is_turned else house

        clues: list[Any] = []
        for kind, u, v in puzzle.clues:
            if kind in ("at", "not_at"):
                clues.append((kind, name(u), (n - 1 - v if is_turned else v, -1)))
            elif kind in ("left", "just_left"):
                clues.append((kind, *((name(v), name(u)) if is_turned else (name(u), name(v)))))
            else:
                clues.append((kind, *sorted((name(u), name(v)))))
        named = (-1, -1) if puzzle.named < 0 else name(puzzle.named)
        found.append((n, m, name(puzzle.choices[answer]), named, tuple(sorted(clues))))
    return min(found)


def test_equal_keys_are_images_of_each_other() -> None:
    problems, texts = made(800, levels=(2,))
    images: dict[tuple[int, ...], Any] = {}
    rows = zip(read(texts), texts.answers.to_pylist(), problems.keys.tolist(), strict=True)
    for puzzle, answer, key in rows:
        one = image(puzzle, int(answer))
        assert images.setdefault(tuple(key), one) == one
    assert len(set(images.values())) == len(images)
    generator = generator_class(NAME)()
    trees = derivation_text(problems.derivations, generator.signature).to_pylist()
    assert all(re.match(r"\(zebra\d+ [23] [23] \(by_", tree) for tree in trees)
    assert len(np.unique(problems.keys, axis=0)) == len(set(trees))


# --- what is read ---

TWO = {
    "n": 2,
    "lists": "Names: Alma, Bruno\nAnimals: cat, dog",
    "clues": ["The owner of the cat is Bruno.", "The owner of the dog lives in house 1."],
    "question": "What is the name of the person in house 1?",
    "choices": "Bruno, Alma",
}
THREE = {
    "n": 3,
    "lists": "Names: Alma, Bruno, Clara\nAnimals: cat, dog, owl\nDrinks: coffee, milk, tea",
    "clues": [
        "Bruno lives in house 3.",
        "Alma lives immediately to the left of the owner of the cat.",
        "The owner of the cat drinks tea.",
        "The owner of the owl drinks coffee.",
        "Bruno drinks coffee.",
    ],
    "question": "What is the name of the owner of the dog?",
    "choices": "Clara, Alma, Bruno",
}
TABLE = "house 1: Alma, dog, milk\nhouse 2: Clara, cat, tea\nhouse 3: Bruno, owl, coffee\n"
CHECKS = (
    "Alma is in house 1, immediately to the left of cat in house 2\n"
    "Bruno and coffee are both in house 3\nBruno is in house 3, as stated\n"
    "cat and tea are both in house 2\ncoffee and owl are both in house 3\n"
)


STEPS = TABLE + CHECKS + "answer: Alma, number 1"


def prompt(puzzle: dict[str, object], wording: int = 0, **changes: object) -> str:
    holes: dict[str, Any] = puzzle | changes
    holes["clues"] = "\n".join(f"- {clue}" for clue in holes["clues"])
    return filled(WORDS.wordings("instruction")[wording], holes)


@pytest.mark.parametrize(
    ("puzzle", "changes", "answer"),
    [
        *((TWO, {}, "1"), (TWO, {"choices": "Alma, Bruno"}, "0"), (THREE, {}, "1")),
        (THREE, {"question": "What does Clara drink?", "choices": "coffee, milk, tea"}, "2"),
        (
            THREE,
            {
                "question": "Which animal does the person in house 3 own?",
                "choices": "owl, cat, dog",
            },
            "0",
        ),
    ],
)
def test_examples_by_hand(puzzle: dict[str, object], changes: dict[str, Any], answer: str) -> None:
    for wording in range(4):
        text = prompt(puzzle, wording, **changes)
        assert accepts(text, answer)
        assert not any(accepts(text, wrong) for wrong in {"0", "1", "2", "00"} - {answer})


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("Alma owns the cat.", ("same", 0, 3)),
        ("The owner of the cat is Alma.", ("same", 3, 0)),
        ("Alma and the owner of the cat are the same person.", ("same", 0, 3)),
        ("The owner of the cat is none other than Alma.", ("same", 3, 0)),
        ("Alma does not own the cat.", ("apart", 0, 3)),
        ("Alma and the owner of the cat are different people.", ("apart", 0, 3)),
        ("Alma and the owner of the cat live in different houses.", ("apart", 0, 3)),
        ("Alma lives somewhere to the left of the owner of the cat.", ("left", 0, 3)),
        ("Alma lives somewhere to the right of the owner of the cat.", ("left", 3, 0)),
        ("The house number of Alma is lower than that of Clara.", ("left", 0, 2)),
        ("The owner of the dog lives immediately to the left of Alma.", ("just_left", 4, 0)),
        ("The owner of the dog lives immediately to the right of Alma.", ("just_left", 0, 4)),
        ("The house number of Alma is one higher than that of Clara.", ("just_left", 2, 0)),
        ("Alma lives next door to Clara.", ("next", 0, 2)),
        ("Alma and Clara are next-door neighbors.", ("next", 0, 2)),
        ("Alma and Clara live in adjacent houses.", ("next", 0, 2)),
        ("There is exactly one house between the houses of Alma and Clara.", ("gap", 0, 2)),
        ("Exactly one person lives between Alma and Clara.", ("gap", 0, 2)),
        ("Alma lives two houses away from Clara.", ("gap", 0, 2)),
        ("The owner of the cat lives in house 3.", ("at", 3, 2)),
        ("House 3 is the home of the owner of the cat.", ("at", 3, 2)),
        ("The house number of Alma is 3.", ("at", 0, 2)),
        ("Alma does not live in house 3.", ("not_at", 0, 2)),
        ("House 3 is not the home of Alma.", ("not_at", 0, 2)),
        ("The house number of the person who drinks milk is not 3.", ("not_at", 7, 2)),
    ],
)
def test_each_wording_of_a_clue_has_its_meaning(text: str, clue: tuple[str, int, int]) -> None:
    assert VERIFIER.problem(prompt(THREE, clues=[text])).clues == (clue,)


@pytest.mark.parametrize(
    "clue",
    [
        *("Alma owns the cat.", "Greta owns the cat.", "Alma lives in house 4."),
        *("alma owns the cat.", "Alma lives next door to Alma.", "Alma likes the cat."),
        *("Alma lives in house 03.", "Alma lives in house <k>.", "The house number of <u> is 3."),
    ],
)
def test_other_clues_are_contradictions_or_unread(clue: str) -> None:
    assert VERIFIER.answer(prompt(THREE, clues=[*THREE["clues"], clue])) is None  # type: ignore[misc]


@pytest.mark.parametrize(
    "changes",
    [
        {"clues": THREE["clues"][:-1]},  # type: ignore[index]
        *({"clues": [""]}, {"n": 4}, {"n": "03"}),
        *({"lists": f"{THREE['lists']}\nJobs: baker, potter"},),
        *({"lists": f"{THREE['lists']}\nJobs: baker, potter, cat"},),
        *({"lists": f"{THREE['lists']}\nNames: Greta, Henrik, Dario"},),
        *({"lists": str(THREE["lists"]).replace("cat", "dog")},),
        *({"choices": "Clara, Alma"}, {"choices": "Clara, Alma, Greta"}),
        *({"choices": "Clara, Alma, dog"}, {"choices": "Clara, Alma, Alma"}),
        *({"question": "What is the name of Alma?"},),
        *({"question": "What is the name of the baker?"},),
        *({"question": "What is the name of the person in house 4?"}, {"question": "Who is it?"}),
    ],
)
def test_unfit_puzzles_have_no_answer(changes: dict[str, object]) -> None:
    assert VERIFIER.answer(prompt(THREE, **changes)) is None  # type: ignore[arg-type]


def test_puzzles_with_hardly_a_clue_are_given_up_in_time() -> None:
    chosen = [one for one in WORDS["categories"] if one["title"] != "Vehicles"][:7]
    lists = "\n".join(f"{one['title']}: {', '.join(one['items'][:7])}" for one in chosen)
    ask = {"question": "What does Alma drink?", "choices": ", ".join(chosen[1]["items"][:7])}
    impossible = [
        f"{a} lives two houses away from the owner of the {b}."
        for a in ("Alma", "Bruno", "Clara", "Dario")
        for b in ("cat", "dog", "owl")
    ]
    clues = (["Alma drinks tea."], impossible, ["Alma does not drink tea."] * 101)
    with bounded():
        for some in clues:
            assert VERIFIER.answer(prompt({"n": 7, "lists": lists, "clues": some}, **ask)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "solution",
    [
        *("", TABLE, "answer: Alma, number 1", TABLE + "answer: Alma, number 1"),
        *(STEPS.replace("number 1", "number 2"), STEPS.replace("answer: Alma", "answer: Clara")),
        *(STEPS + "\n", STEPS.replace("dog", "owl"), STEPS.replace("Clara, cat", "cat, Clara")),
        STEPS.replace("both in house 2", "both in house 3"),
        STEPS.replace("in house 1, immediately", "in house 2, immediately"),
        "\n".join(sorted(TABLE.split("\n")[:-1], reverse=True)) + "\n" + STEPS[len(TABLE) :],
    ],
)
def test_steps_must_be_the_solved_table_and_the_houses_of_each_clue(solution: str) -> None:
    assert accepts(prompt(THREE), "1", STEPS)
    assert not accepts(prompt(THREE), "1", solution)
