"""Space: worked examples, ways and tours that are walked, and what a glance must not betray."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from synthgen import generate
from synthgen.testing import check_family
from tests.families.verdicts import Verdicts, answer

ASKS = ("direction", "nearest", "location", "path", "tour")
NOISES = ("none", "irrelevant", "disconnected", "supporting")


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("spatial_points", {"asks": ASKS, "max_points": 8, "level": True}),
        ("spatial_chain", {"max_hops": 10, "noises": NOISES, "level": True}),
    ],
    ids=["points", "chain"],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=60)


MAP = "The oak is at (2, 3). The mill is at (2, 5). The well is at (6, 6). The barn is at (4, 3).\n"
GIVEN = (
    "The oak is 3 units east and 1 unit south of the mill. The mill is at (2, 5). "
    "The barn is 2 units north of the oak.\n"
)
CHAIN = (
    "B is north of A. B is directly northwest of C. Go one step south from C, and you are at D. "
    "D and E share a cell. The cell west of C holds F.\n"
)


@pytest.mark.parametrize(
    ("name", "prompt", "right"),
    [
        ("spatial_points", f"{MAP}direction of the well from the oak:", "northeast"),
        ("spatial_points", f"{MAP}direction of the oak from the mill:", "south"),
        ("spatial_points", f"{MAP}direction of the oak from the gate:", None),
        ("spatial_points", f"{MAP}nearest to the well:", "barn"),
        ("spatial_points", f"{MAP}nearest to the oak:", None),  # the mill and the barn
        ("spatial_points", f"{GIVEN}coordinates of the barn:", "5, 6"),
        ("spatial_points", f"{GIVEN}coordinates of the well:", None),
        ("spatial_chain", f"{CHAIN}D from A:", "southeast"),
        ("spatial_chain", f"{CHAIN}E from D:", "same place"),
        ("spatial_chain", f"{CHAIN}F from A:", "same place"),
        ("spatial_chain", f"{CHAIN}B from E:", "northwest"),
        ("spatial_chain", f"{CHAIN}Z from A:", None),
        ("spatial_chain", f"{CHAIN.strip()} A is north of B.\nD from A:", None),
    ],
)
def test_worked_examples(name: str, prompt: str, right: str | None) -> None:
    if prompt.endswith("nearest to the well:"):
        prompt = prompt.replace("(2, 5)", "(1, 5)")
    assert answer(name, prompt) == right


@pytest.mark.parametrize(
    ("question", "prediction", "is_right"),
    [
        ("steps from the oak to the well:", "north, east, east, east, north, north, east", True),
        ("steps from the oak to the well:", "North,east, east, east, north, east, north", True),
        ("steps from the oak to the well:", "north, north, north, east, east, east, east", False),
        ("steps from the oak to the well:", "east, east, east, east, north, north, north", False),
        ("steps from the oak to the well:", "north, east, east, east, north, north", False),
        ("steps from the oak to the well:", "northeast, east", False),
        ("shortest tour from the oak:", "barn, well, mill", True),
        ("shortest tour from the oak:", "mill, well, barn", True),
        ("shortest tour from the oak:", "well, mill, barn", False),
        ("shortest tour from the oak:", "mill, well", False),
    ],
)
def test_ways_and_tours_are_walked(question: str, prediction: str, is_right: bool) -> None:
    assert Verdicts("spatial_points").verifier.accepts(MAP + question, prediction) == is_right


def share(name: str, params: dict[str, Any], guess: Callable[[str], str]) -> float:
    """Return how often the verifier accepts a guess."""
    rows = generate(name, 400, seed=1, params=params, render={"prompt": "bare"})
    verifier = Verdicts(name).verifier
    right: int = sum(verifier.accepts(row["prompt"], guess(row["prompt"])) for row in rows)
    return right / len(rows)


def _places(prompt: str) -> dict[str, tuple[int, int]]:
    facts = re.findall(r"The (\w+) is at \((\d+), (\d+)\)", prompt)
    return {name: (int(x), int(y)) for name, x, y in facts}


def one_turn(prompt: str) -> str:
    places = _places(prompt)
    start, end = (places[name] for name in re.findall(r"the (\w+)", prompt.splitlines()[-1]))
    x, y = end[0] - start[0], end[1] - start[1]
    steps = ["east" if x > 0 else "west"] * abs(x) + ["north" if y > 0 else "south"] * abs(y)
    return ", ".join(steps)


def always_the_nearest(prompt: str) -> str:
    places = _places(prompt)
    (start,) = re.findall(r"from the (\w+)", prompt)
    x, y = places.pop(start)
    order = []
    while places:
        near = min(places, key=lambda name: abs(places[name][0] - x) + abs(places[name][1] - y))
        order.append(near)
        x, y = places.pop(near)
    return ", ".join(order)


def as_stated(prompt: str) -> str:
    (start,) = re.findall(r"from the (\w+)", prompt)
    return ", ".join(name for name in _places(prompt) if name != start)


def first_direction(prompt: str) -> str:
    return str(re.findall("(?:north|south)?(?:east|west)|north|south|share", prompt + " share")[0])


def usual_direction(prompt: str) -> str:
    words = re.findall("(?:north|south)?(?:east|west)|north|south", prompt)
    return str(Counter([*words, "same place"]).most_common(1)[0][0])


@pytest.mark.parametrize(
    ("name", "params", "guess", "limit"),
    [
        ("spatial_points", {"asks": ["path"]}, one_turn, 0.4),
        ("spatial_points", {"asks": ["tour"]}, as_stated, 0.4),
        ("spatial_points", {"asks": ["tour"]}, always_the_nearest, 0.5),
        ("spatial_chain", {"min_hops": 3}, first_direction, 0.4),
        ("spatial_chain", {"min_hops": 3}, usual_direction, 0.4),
    ],
    ids=["one turn", "as stated", "nearest next", "first", "usual"],
)
def test_a_glance_is_not_enough(
    name: str, params: dict[str, Any], guess: Callable[[str], str], limit: float
) -> None:
    assert share(name, params, guess) < limit
