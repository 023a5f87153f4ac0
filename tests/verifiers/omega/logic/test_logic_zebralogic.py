"""Puzzles of houses from the text: published examples, every wording of a clue, unfit puzzles."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.logic._zebra_read import read_puzzle
from synthgen.verifiers.omega.logic._zebra_vocabulary import holds
from synthgen.verifiers.omega.logic.logic_zebralogic import VERIFIER
from tests.bounded import bounded

QUESTION = (
    "In a row of {n} houses, numbered from left to right and beginning with one, live {n} people, "
    "one in each house. From every list below, each of them has exactly one item, and no two have "
    "the same.\n{lists}\nThis is known:\n{clues}\n{ask} Choose from this list: {choices}. Give "
    "the place of the right answer in the list, counting from zero."
)
TWO = {
    "n": 2,
    "lists": "Names: Alma, Bruno\nAnimals: cat, dog",
    "clues": ["The owner of the cat is Bruno.", "The owner of the dog lives in house 1."],
    "ask": "What is the name of the person in house 1?",
    "choices": "Bruno, Alma",
}
THREE = {
    "n": 3,
    "lists": "Names: Alma, Bruno, Clara\nAnimals: cat, dog, owl\nDrinks: coffee, milk, tea",
    "clues": [
        "Bruno lives in house 3.",
        "Alma lives directly to the left of the owner of the cat.",
        "The owner of the cat drinks tea.",
        "The owner of the owl drinks coffee.",
        "Bruno drinks coffee.",
    ],
    "ask": "What is the name of the owner of the dog?",
    "choices": "Clara, Alma, Bruno",
}
WAY = "house 1: Alma, dog, milk\nhouse 2: Clara, cat, tea\nhouse 3: Bruno, owl, coffee\n"


def prompt(puzzle: dict[str, object], **changes: object) -> str:
    parts = puzzle | changes
    clues = "\n".join(f"- {clue}" for clue in parts.pop("clues"))  # type: ignore[attr-defined]
    return QUESTION.format(clues=clues, **parts)


def accepts(text: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([text]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (prompt(TWO), "1"),
        (prompt(TWO, choices="Alma, Bruno"), "0"),
        (prompt(THREE), "1"),
        (prompt(THREE, ask="What does Clara drink?", choices="coffee, milk, tea"), "2"),
        (
            prompt(
                THREE, ask="Which animal does the person in house 3 own?", choices="owl, cat, dog"
            ),
            "0",
        ),
    ],
)
def test_examples_by_hand(text: str, answer: str) -> None:
    assert accepts(text, answer)
    assert VERIFIER.symbolic(pa.array([text]), pa.array([answer])).all()
    for wrong in set("012") - {answer}:
        assert not accepts(text, wrong)
        assert not VERIFIER.symbolic(pa.array([text]), pa.array([wrong])).any()


CLUES = [
    ("Alma owns the cat.", "same", 0, 3),
    ("The owner of the cat is Alma.", "same", 3, 0),
    ("Alma and the owner of the cat are the same person.", "same", 0, 3),
    ("The house of Alma is also the house of the owner of the cat.", "same", 0, 3),
    ("Alma does not own the cat.", "apart", 0, 3),
    ("Alma and the owner of the cat are different people.", "apart", 0, 3),
    ("The house of Alma is not the house of the owner of the cat.", "apart", 0, 3),
    ("Alma lives somewhere to the left of the owner of the cat.", "left", 0, 3),
    ("Alma lives somewhere to the right of the owner of the cat.", "left", 3, 0),
    ("The house of Alma has a lower number than the house of Clara.", "left", 0, 2),
    ("The owner of the dog lives directly to the left of Alma.", "just_left", 4, 0),
    ("The owner of the dog lives directly to the right of Alma.", "just_left", 0, 4),
    ("The first house to the right of that of Alma is that of Clara.", "just_left", 0, 2),
    ("Alma lives next to Clara.", "next", 0, 2),
    ("Alma and Clara are direct neighbours.", "next", 0, 2),
    ("The houses of Alma and Clara stand side by side.", "next", 0, 2),
    ("There is exactly one house between those of Alma and Clara.", "gap", 0, 2),
    ("Between Alma and Clara lives exactly one other person.", "gap", 0, 2),
    ("Alma lives two houses away from Clara.", "gap", 0, 2),
    ("The owner of the cat lives in house 3.", "at", 3, 2),
    ("House 3 is that of the owner of the cat.", "at", 3, 2),
    ("In house 3 lives Alma.", "at", 0, 2),
    ("Alma does not live in house 3.", "not_at", 0, 2),
    ("House 3 is not that of Alma.", "not_at", 0, 2),
    ("The number of the house of Alma is not 3.", "not_at", 0, 2),
]


@pytest.mark.parametrize(("text", "kind", "u", "v"), CLUES)
def test_each_wording_of_a_clue_has_its_meaning(text: str, kind: str, u: int, v: int) -> None:
    puzzle = read_puzzle(prompt(THREE, clues=[text]))
    assert puzzle is not None
    assert puzzle.clues == ((kind, u, v),)


@pytest.mark.parametrize(
    ("kind", "true", "false"),
    [
        *(("same", [(1, 1)], [(0, 1)]), ("apart", [(0, 1)], [(2, 2)])),
        *(("left", [(0, 1), (0, 2)], [(1, 0), (1, 1)]), ("just_left", [(1, 2)], [(0, 2), (2, 1)])),
        *(
            ("next", [(1, 2), (2, 1)], [(0, 2), (1, 1)]),
            ("gap", [(0, 2), (2, 0)], [(0, 1), (0, 3)]),
        ),
        *(("at", [(1, 1)], [(1, 2)]), ("not_at", [(1, 2)], [(1, 1)])),
    ],
)
def test_each_kind_of_clue(
    kind: str, true: list[tuple[int, int]], false: list[tuple[int, int]]
) -> None:
    assert all(holds(kind, *pair) for pair in true)
    assert not any(holds(kind, *pair) for pair in false)


@pytest.mark.parametrize(
    "changes",
    [
        {"clues": THREE["clues"][:-1]},  # more than one solution
        {"clues": [*THREE["clues"], "Alma owns the cat."]},  # none
        {"clues": [*THREE["clues"], "Greta owns the cat."]},
        {"clues": [*THREE["clues"], "Alma lives in house 4."]},
        {"clues": [*THREE["clues"], "alma owns the cat."]},
        {"clues": [*THREE["clues"], "Alma lives next to Alma."]},
        {"clues": [*THREE["clues"], "Alma likes the cat."]},
        {"clues": []},
        {"n": 4},
        {"n": "03"},
        {"lists": THREE["lists"] + "\nJobs: baker, potter"},
        {"lists": THREE["lists"] + "\nJobs: baker, potter, cat"},
        {"lists": THREE["lists"] + "\nNames: Greta, Henrik, Dario"},
        {"lists": THREE["lists"].replace("cat", "dog")},
        {"choices": "Clara, Alma"},
        {"choices": "Clara, Alma, Greta"},
        {"choices": "Clara, Alma, dog"},
        {"ask": "What is the name of Alma?"},
        {"ask": "What is the name of the baker?"},
        {"ask": "What is the name of the person in house 4?"},
        {"ask": "Who is it?"},
    ],
)
def test_unfit_puzzles_have_no_answer(changes: dict[str, object]) -> None:
    text = prompt(THREE, **changes)
    assert VERIFIER.answer(text) is None
    assert not VERIFIER.symbolic(pa.array([text]), pa.array(["1"])).any()


def test_puzzles_with_hardly_a_clue_are_given_up_in_time() -> None:
    with bounded():
        lists = [
            "Names: Alma, Bruno, Clara, Dario, Edith, Fabio, Greta",
            "Drinks: tea, coffee, milk, cocoa, cider, lemonade, water",
            "Animals: cat, dog, owl, goat, heron, rabbit, hedgehog",
            "Jobs: baker, potter, tailor, florist, plumber, dentist, miller",
        ]
        impossible = [
            f"{a} lives two houses away from the owner of the {b}."
            for a in ("Alma", "Bruno", "Clara", "Dario")
            for b in ("cat", "dog", "owl")
        ]
        for clues in (["Alma drinks tea."], impossible):
            text = prompt(
                {"n": 7, "lists": "\n".join(lists), "clues": clues},
                ask="What does Alma drink?",
                choices="tea, coffee, milk, cocoa, cider, lemonade, water",
            )
            assert VERIFIER.answer(text) is None
            assert not VERIFIER.symbolic(pa.array([text]), pa.array(["0"])).any()


@pytest.mark.parametrize(
    "way",
    [
        *("", WAY, "answer: Alma, number 1", WAY + "answer: Alma, number 2"),
        *(WAY + "answer: Clara, number 1", WAY + "answer: Alma, number 1\n"),
        *(WAY.replace("dog", "owl") + "answer: Alma, number 1",),
        *(WAY.replace("Clara, cat", "cat, Clara") + "answer: Alma, number 1",),
        "\n".join(sorted(WAY.split("\n")[:-1], reverse=True)) + "\nanswer: Alma, number 1",
    ],
)
def test_steps_must_be_the_solved_table(way: str) -> None:
    assert accepts(prompt(THREE), "1", WAY + "answer: Alma, number 1")
    assert not accepts(prompt(THREE), "1", way)
