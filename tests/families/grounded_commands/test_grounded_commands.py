"""Grounded commands: the published plans, worked examples, and what a scene must not betray."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from operator import ne
from typing import Any

import numpy as np
import pytest

from synthgen.authoring import Problem
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.grounded_commands.planner import (
    Command,
    Phrase,
    Thing,
    World,
    plan,
    referents,
)
from synthgen.testing import check_family
from tests.conformance import original

CLAUSES = {"min_clauses": 1, "max_clauses": 3, "min_objects": 13, "max_objects": 15}
ALL = ("actions", "any_route", "cell")
SMALL, COLORS = ("small", "big"), ("red", "green", "blue", "yellow")
WORDS = ("size_word", "color_word", "noun")
MANNERS = ("while zigzagging", "while spinning", "cautiously", "hesitantly")
RELATIONS = {
    "in the same row as ": "row",
    "in the same column as ": "column",
    "in the same color as ": "color",
    "in the same shape as ": "shape",
    "in the same size as ": "size",
    "inside of ": "inside",
}
GRID = """The grid has 6 columns and 6 rows.
The agent is at column 1, row 2, facing east.
- blue square of size 3: column 3, row 2
- blue square of size 4: column 5, row 5
- green circle of size 1: column 6, row 6
command"""


@pytest.mark.parametrize(
    "params",
    [
        {"asks": ALL, "scene": "json", "level": True},
        {"asks": ALL, "scene": "characters", "facing": "any", "side": 9},
        {"asks": ALL, **CLAUSES},
        {"asks": ALL, "nested": True, **CLAUSES},
        {"asks": ALL, "scene": "picture", **CLAUSES},
    ],
    ids=["json", "characters", "clauses", "nested", "picture"],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("grounded_commands", params, rows=40)


def phrase(text: str) -> Phrase:
    words = text.split()
    size = next((word for word in words if word in SMALL), "")
    return Phrase(size, next((word for word in words if word in COLORS), ""), words[-1])


def command(text: str) -> Command:
    """Read a published command."""
    manner = next((each for each in MANNERS if text.endswith(each)), "")
    verb, _, rest = text.removesuffix(manner).strip().partition(" ")
    head, *clauses = rest.replace(" and ", " that is ").split(" that is ")
    starts = [next(start for start in RELATIONS if each.startswith(start)) for each in clauses]
    objects = [each.removeprefix(start) for each, start in zip(clauses, starts, strict=True)]
    relations = tuple(RELATIONS[start] for start in starts)
    return Command(verb, manner, tuple(map(phrase, [head, *objects])), relations)


def published(name: str) -> Iterator[tuple[Command, World, str]]:
    for line in original(f"grounded/{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        things = tuple(Thing(s, color, shape, (x, y)) for s, color, shape, x, y in row["objects"])
        column, row_number, _ = row["agent"]
        yield (
            command(row["command"]),
            World(6, (column, row_number), "east", things),
            row["actions"],
        )


@pytest.mark.parametrize("name", ["gscan", "reascan"])
def test_plans_are_the_published_ones(name: str) -> None:
    rows = 0
    for stated, world, actions in published(name):
        assert ",".join(plan(world, stated, world.things[0]).actions) == actions
        fits = referents(stated, world.things)
        if name == "gscan" and stated.phrases[0].size:  # three sizes of a kind: the extreme one
            fits = [(min if stated.phrases[0].size == "small" else max)(fits)]
        assert fits == [world.things[0]]
        rows += 1
    assert rows > 100


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (
            ": push the small blue square",
            "walk, walk, push, push, push, push, push, push",
            "walk, walk, push, push, push",
        ),
        (": walk to the small square hesitantly", "walk, stay, walk, stay", "walk, walk, stay"),
        (
            ": pull the small blue square",
            "walk, walk, pull, pull, pull, pull",
            "walk, walk, pull, pull",
        ),
        (
            ": walk to the circle",
            "walk, walk, walk, walk, walk, turn right, walk, walk, walk, walk",
            "turn right, walk, walk, walk, walk, turn left, walk, walk, walk, walk, walk",
        ),
        (
            ", any route: walk to the circle",
            "turn right, walk, walk, walk, walk, turn left, walk, walk, walk, walk, walk",
            "turn left, turn left, turn left, walk, walk, walk, walk, "
            "turn left, walk, walk, walk, walk, walk",
        ),
        (
            ": walk to the circle while zigzagging",
            "walk, turn right, walk, turn left, walk, turn right, walk, turn left, walk, "
            "turn right, walk, turn left, walk, turn right, walk, turn left, walk",
            "walk, turn right, walk, turn left, walk, walk, turn right, walk, walk, "
            "turn left, walk, walk, turn right, walk",
        ),
        (
            ": push the small blue square cautiously",
            "turn left, turn right, turn right, turn left, walk, " * 2
            + ", ".join(["turn left, turn right, turn right, turn left, push"] * 6),
            "walk, walk, push",
        ),
        (
            ": walk to the small blue square while spinning",
            ", ".join(["turn left, turn left, turn left, turn left, walk"] * 2),
            "turn left, turn left, turn left, turn left, walk, walk",
        ),
    ],
)
def test_worked_examples(text: str, right: str, wrong: str) -> None:
    verifier = load_verifier("grounded_commands")
    assert verifier.accepts(GRID + text, right)
    assert not verifier.accepts(GRID + text, wrong)


@pytest.mark.parametrize(
    "text", [": walk to the square", ": walk to the red circle", ": walk to the small circle"]
)
def test_a_command_without_one_object_is_no_problem(text: str) -> None:
    assert not load_verifier("grounded_commands").reads(GRID + text)


def test_boxes_hold_the_cells_to_the_south_east() -> None:
    box = Thing(2, "red", "box", (1, 1))
    inside, outside = Thing(1, "blue", "circle", (2, 2)), Thing(1, "blue", "circle", (3, 2))
    stated = command("push the blue circle that is inside of a red box")
    assert referents(stated, [inside, outside, box]) == [inside]


@cache
def problems() -> list[Problem]:
    rows = Rows(stream_key("targets"), np.arange(1_500, dtype=np.uint64))
    made: list[Problem] = generator_class("grounded_commands")().draw(rows).parts["made"]
    return made


def test_the_command_does_not_betray_the_target() -> None:
    """Guess the most frequent direction of a command in the other rows, or of all rows."""
    directions: dict[object, Counter[object]] = {}
    words = [tuple(each.axes[name] for name in WORDS) for each in problems()]
    for text, problem in zip(words, problems(), strict=True):
        directions.setdefault(text, Counter())[problem.axes["direction"]] += 1
    right = 0
    for text, problem in zip(words, problems(), strict=True):
        others = directions[text] - Counter([problem.axes["direction"]])
        right += others.most_common(1)[0][0] == problem.axes["direction"]
    assert right / 1_500 < 1 / 8 + 0.03
    for name, chance in (("direction", 1 / 8), ("manner", 1 / 5), ("verb", 1 / 3)):
        ((_, count),) = Counter(problem.axes[name] for problem in problems()).most_common(1)
        assert count / 1_500 < chance + 0.03


def test_the_number_of_objects_does_not_betray_the_command() -> None:
    counts: dict[object, list[int]] = {}
    for problem in problems():
        counts.setdefault(problem.axes["size_word"], []).append(int(problem.axes["n_objects"]))
    means = [sum(each) / len(each) for each in counts.values()]
    assert max(means) - min(means) < 0.5


def test_the_target_is_not_the_object_that_most_others_resemble() -> None:
    right = chance = 0.0
    for problem in problems():
        things = problem.data.world.things
        near = [sum(sum(map(ne, one[:3], other[:3])) == 1 for other in things) for one in things]
        best = [place for place, count in enumerate(near) if count == max(near)]
        right += (0 in best) / len(best)
        chance += 1 / len(things)
    assert right / 1_500 < chance / 1_500 + 0.04
