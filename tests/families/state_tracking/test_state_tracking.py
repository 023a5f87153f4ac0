"""State tracking: worked examples, and what a text must not betray."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from synthgen import generate
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.columns import text_list
from synthgen.core.errors import ParamError
from synthgen.testing import check_family

TASKS = ("person", "object", "before", "giver", "given", "receiver", "carried")
CASES = [
    ("state_boxes", {"asks": ("place", "contents", "count"), "level": True}),
    ("state_permutations", {"asks": ("item", "holder", "order"), "level": True}),
    ("state_permutations", {"asks": ("item", "order"), "moves": "permutations"}),
    ("state_places", {"asks": TASKS, "level": True}),
]


@pytest.mark.parametrize(
    ("name", "params"), CASES, ids=["boxes", "swaps", "permutations", "places"]
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=60)


BOXES = (
    "The red box contains the apple and the key. The blue box is empty. "
    "The green box contains the coin.\nMove the apple to the blue box. "
    "Swap the contents of the red box with those of the green box. "
    "Put the pen into the red box. Take the key out of its box.\n"
)
BALLS = "Ada has the red ball, Ben has the blue ball and Cleo has the green ball.\n"
PASSES = "All at once, Ada passes a ball to Ben, Ben to Cleo and Cleo to Ada."
STORY = (
    "Mary went to the kitchen. Mary took the apple. John went to the garden. "
    "Mary moved to the garden. Mary gave the apple to John. John walked to the office. "
    "John dropped the apple there. John picked up the milk. Mary gave the book to John."
)


@pytest.mark.parametrize(
    ("name", "prompt", "answer"),
    [
        ("state_boxes", f"{BOXES}box of the apple:", "blue"),
        ("state_boxes", f"{BOXES}box of the coin:", "red"),
        ("state_boxes", f"{BOXES}box of the key:", "none"),
        ("state_boxes", f"{BOXES}in the red box:", "coin, pen"),
        ("state_boxes", f"{BOXES}in the green box:", "nothing"),
        ("state_boxes", f"{BOXES}number of objects in the red box:", "2"),
        ("state_boxes", f"{BOXES}in the white box:", None),
        ("state_permutations", f"{BALLS}Ada and Ben swap balls.\nball of Ben:", "red"),
        ("state_permutations", f"{BALLS}{PASSES}\nballs:", "green, red, blue"),
        ("state_permutations", f"{BALLS}{PASSES} {PASSES}\nholder of the red ball:", "Cleo"),
        ("state_permutations", f"{BALLS}Ada and Dan swap balls.\nball of Ben:", None),
    ],
)
def test_worked_examples(name: str, prompt: str, answer: str | None) -> None:
    assert load_verifier(name).answer(prompt) == answer  # type: ignore[attr-defined]


EVENTS = STORY.rpartition(" Mary gave the book")[0]


@pytest.mark.parametrize(
    ("story", "question", "answer"),
    [
        (EVENTS, "Where is John?", "office"),
        (EVENTS, "Where is the apple?", "office"),
        (EVENTS, "Where is the milk?", "office"),
        (EVENTS, "Where was the apple before the office?", "garden"),
        (EVENTS, "Where was the apple before the garden?", "kitchen"),
        (EVENTS, "Where was the apple before the kitchen?", None),
        (EVENTS, "Who gave the apple to John?", "Mary"),
        (EVENTS, "What did Mary give to John?", "apple"),
        (EVENTS, "Who did Mary give the apple to?", "John"),
        (EVENTS, "What is John carrying?", "milk"),
        (EVENTS, "What is Mary carrying?", "nothing"),
        (EVENTS, "Where is Sandra?", None),
        (STORY.replace("book", "milk"), "Where is the milk?", None),  # Mary did not have it
    ],
)
def test_stories(story: str, question: str, answer: str | None) -> None:
    verifier = load_verifier("state_places")
    assert verifier.answer(f"{story}\n{question}") == answer  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("steps", "right"),
    [
        ("red: key; blue: apple\nred: coin; green: key\nred: coin, pen\ngreen: nothing", True),
        ("red: key; blue: apple\nred: coin; green: key\nred: coin, pen", False),
        ("red: key; blue: apple\nred: key; green: coin\nred: coin, pen\ngreen: nothing", False),
    ],
)
def test_states_of_boxes_are_checked(steps: str, right: bool) -> None:
    columns = [text_list([text]) for text in (f"{BOXES}in the red box:", "coin, pen", steps)]
    assert load_verifier("state_boxes").check(*columns).tolist() == [right]


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        (
            "state_permutations",
            {"moves": "permutations", "max_people": 8},
            "max_people=8: expected at most 5",
        ),
        (
            "state_boxes",
            {"operations": ("put", "remove")},
            "operations=.*: expected .move. or .swap. among them",
        ),
        (
            "state_places",
            {"asks": ("giver",), "max_length": 7},
            "max_length=7: expected at least 8",
        ),
        ("state_places", {"asks": ("given",), "objects": 1}, "objects=1: expected at least 2"),
    ],
)
def test_impossible_params_are_refused(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        generator_class(name)(**params)


def share(name: str, params: dict[str, Any], guess: Callable[[str], str]) -> float:
    rows = generate(name, 400, seed=1, params=params, render={"prompt": "bare"})
    right: int = sum(guess(row["prompt"]) == row["answer"] for row in rows)
    return right / len(rows)


def last_box_with_it(prompt: str) -> str:
    story, _, question = prompt.rpartition("\n")
    (thing,) = re.findall("box of the ([a-z]+):", question)
    (sentence,) = [each for each in re.split(r"(?<=\.)\s", story) if f" {thing}" in each][-1:]
    colors = re.findall("the ([a-z]+) box", sentence.replace("The ", "the "))
    return colors[0] if colors else "none"


def last_room(prompt: str) -> str:
    return str(re.findall(r"to the ([a-z]+)\.", prompt)[-1])


def last_partner(prompt: str) -> str:
    """Guess that a person has what the last partner had at first."""
    start, story, question = prompt.split("\n")
    colors: dict[str, str] = dict(re.findall("([A-Z][a-z]+) has the ([a-z]+) ball", start))
    name = question.removesuffix(":").split()[-1]
    pairs = [
        names
        for names in (re.findall("[A-Z][a-z]+", each) for each in story.split(". "))
        if name in names
    ]
    return colors[next(each for each in pairs[-1] if each != name)]


@pytest.mark.parametrize(
    ("name", "params", "guess"),
    [
        (
            "state_boxes",
            {"asks": ["place"], "min_length": 6, "max_length": 10},
            last_box_with_it,
        ),
        (
            "state_permutations",
            {"asks": ["item"], "min_length": 6, "max_length": 10},
            last_partner,
        ),
        ("state_places", {"asks": ["person"]}, last_room),
        ("state_places", {"asks": ["object"]}, last_room),
    ],
    ids=["boxes", "balls", "person", "object"],
)
def test_the_last_mention_seldom_gives_the_answer(
    name: str, params: dict[str, Any], guess: Callable[[str], str]
) -> None:
    assert share(name, params, guess) < 0.6


def test_answers_are_spread() -> None:
    rows = generate("state_places", 400, seed=1, params={"asks": ["object", "before"]})
    assert max(Counter(row["answer"] for row in rows).values()) / len(rows) < 0.2
