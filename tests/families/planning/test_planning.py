"""Planning: worked examples, plans that are replayed, and lengths against a plain search."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from synthgen import generate
from synthgen.families.planning.blocks import TABLE, Goal, Supports, moved, shortest
from synthgen.testing import check_family
from tests.families.verdicts import Verdicts, answer

ASKS = ("plan", "shortest", "length")


@pytest.mark.parametrize(
    ("name", "params"),
    [
        (
            "blocks_planning",
            {"asks": ASKS, "vocabularies": ("plain", "mystery", "drawn"), "level": True},
        ),
        ("blocks_planning", {"asks": ASKS, "min_blocks": 9, "max_blocks": 12, "max_length": 48}),
        ("logistics_planning", {"asks": ASKS, "level": True}),
    ],
    ids=["words", "large", "truck"],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=40)


BLOCKS = (
    "A robot hand moves blocks on a table, and can hold one block at a time. At first, it is "
    "empty. A block is clear if no block is on it and the hand does not hold it. Replace X and "
    "Y with the colors of two different blocks. These are the actions:\n"
    "- `pick up X` takes block X from the table, if X is clear and the hand is empty.\n"
    "- `put down X` puts block X, which the hand holds, on the table.\n"
    "- `stack X on Y` puts block X, which the hand holds, on block Y, if Y is clear.\n"
    "- `unstack X from Y` takes block X off block Y, if X is clear and the hand is empty.\n"
    "start: the red block is on the blue block, the blue block is on the table and the green block "
    "is on the table\ngoal: the blue block is on the red block\n"
)
MYSTERY = (
    "Actions change which facts about objects are true. An action is possible if all facts that it "
    "needs are true. Replace X and Y with two different objects. These are the actions:\n"
    "- `succumb X` needs pain X. It makes province X, planet X and harmony true, and pain X false."
    "\n- `attack X` needs province X, planet X and harmony. It makes pain X true, and province X, "
    "planet X and harmony false.\n"
    "- `overcome X Y` needs pain X and province Y. It makes craves X Y, province X and harmony "
    "true, and pain X and province Y false.\n"
    "- `feast X Y` needs craves X Y, province X and harmony. It makes pain X and province Y true, "
    "and craves X Y, province X and harmony false.\n"
    "start: harmony, craves a b, planet b, province a, planet c and province c\n"
    "goal: craves b a\n"
)
TRUCK = (
    "These pairs of places are connected by a road: farm - mill, zoo - mill, zoo - port.\n"
    "The truck is at the mill. Package A is at the farm. Package B is at the zoo. "
    "Package A must go to the port. Package B must go to the farm.\n"
)
RIGHT = "unstack red from blue, put down red, pick up blue, stack blue on red"


@pytest.mark.parametrize(
    ("prompt", "plan", "plan_is_right", "is_shortest"),
    [
        (BLOCKS, RIGHT, True, True),
        (BLOCKS, RIGHT.upper().replace(", ", " ,"), True, True),
        (BLOCKS, f"pick up green, put down green, {RIGHT}", True, False),
        (BLOCKS, f"{RIGHT}, pick up green", True, False),
        (BLOCKS, RIGHT.replace("put down red", "stack red on green"), True, True),
        (BLOCKS, RIGHT.replace("pick up blue", "pick up green"), False, False),
        (BLOCKS, RIGHT.replace("put down red, ", ""), False, False),
        (BLOCKS, RIGHT.removesuffix(", stack blue on red"), False, False),
        (BLOCKS, RIGHT.replace("stack blue on red", "stack blue on blue"), False, False),
        (BLOCKS, "4", False, False),
        (MYSTERY, "feast a b, succumb a, attack b, overcome b a", True, True),
        (MYSTERY, "feast a b, overcome a c, attack b, overcome b a", True, True),
        (MYSTERY, "feast a b, attack b, overcome b a", False, False),
        (MYSTERY, RIGHT, False, False),
    ],
)
def test_plans_of_blocks_are_replayed(
    prompt: str, plan: str, plan_is_right: bool, is_shortest: bool
) -> None:
    verifier = Verdicts("blocks_planning").verifier
    assert verifier.accepts(f"{prompt}plan:", plan) == plan_is_right
    assert verifier.accepts(f"{prompt}shortest plan:", plan) == is_shortest


LONG = (
    "drive to farm, load A, drive to mill, drive to zoo, load B, drive to port, unload A, "
    "drive to zoo, drive to mill, drive to farm, unload B"
)
SHORT = (
    "drive to zoo, load B, drive to mill, drive to farm, unload B, load A, drive to mill, "
    "drive to zoo, drive to port, unload A"
)


@pytest.mark.parametrize(
    ("plan", "plan_is_right", "is_shortest"),
    [
        (SHORT, True, True),
        (LONG, True, False),
        (SHORT.replace("load B, ", "", 1), False, False),
        (SHORT.replace("drive to mill, drive to farm", "drive to farm", 1), False, False),
        (SHORT.replace("unload A", "unload B"), False, False),
        (SHORT.removesuffix(", unload A"), False, False),
        (f"{SHORT}, drive to zoo", True, False),
    ],
)
def test_deliveries_are_replayed(plan: str, plan_is_right: bool, is_shortest: bool) -> None:
    verifier = Verdicts("logistics_planning").verifier
    assert verifier.accepts(f"{TRUCK}plan:", plan) == plan_is_right
    assert verifier.accepts(f"{TRUCK}shortest plan:", plan) == is_shortest


@pytest.mark.parametrize(
    ("name", "prompt", "length"),
    [
        ("blocks_planning", BLOCKS, "4"),
        ("blocks_planning", MYSTERY, "4"),
        ("blocks_planning", BLOCKS.replace("goal: the blue", "goal: the pink"), None),
        (
            "blocks_planning",
            BLOCKS.replace("the blue block is on the table", "the blue block is on the red block"),
            None,
        ),
        (
            "blocks_planning",
            MYSTERY.replace("province X and harmony", "province Y and harmony"),
            None,
        ),
        ("logistics_planning", TRUCK, "10"),
        ("logistics_planning", TRUCK.replace("zoo - mill, ", ""), None),
    ],
    ids=["plain", "mystery", "unknown block", "circle", "other rules", "truck", "no road"],
)
def test_lengths(name: str, prompt: str, length: str | None) -> None:
    assert answer(name, f"{prompt}actions of a shortest plan:") == length


def breadth_first(below: Supports, goal: Goal) -> int:
    """Return the moves of a shortest plan, by a search of all states."""
    layer, seen, count = {below}, {below}, 0
    while not any(all(state[block] == on for block, on in goal.items()) for state in layer):
        further = {
            moved(state, block, to)
            for state in layer
            for block in range(len(below))
            if block not in state
            for to in (TABLE, *range(len(below)))
            if to != block and (to == TABLE or to not in state)
        }
        layer = further - seen
        seen |= layer
        count += 1
    return count


def test_shortest_plans_of_blocks_are_shortest() -> None:
    params = {"min_blocks": 4, "max_blocks": 5, "max_length": 20}
    rows = generate("blocks_planning", 60, seed=1, params=params)
    for row in rows:
        towers = [
            [*map(int, each.split())]
            for each in re.findall(r"tower\d+ ([\d ]+)", row["derivation"])
        ]
        below = {
            block: on for tower in towers for on, block in zip([0, *tower], tower, strict=False)
        }
        facts = re.findall(r"on (\d+) (\d+)", row["derivation"])
        goal = {int(block) - 1: int(on) - 1 for block, on in facts}
        start = tuple(below[block] - 1 for block in sorted(below))
        assert (
            row["length"] == 2 * breadth_first(start, goal) == 2 * len(shortest(start, goal).moves)
        )


def share(name: str, guess: Callable[[str], int]) -> float:
    rows = generate(name, 400, seed=1, params={"asks": ["length"]}, render={"prompt": "bare"})
    right: int = sum(guess(row["prompt"]) == int(row["answer"]) for row in rows)
    return right / len(rows)


def two_for_each_fact(prompt: str) -> int:
    return 2 * len(re.findall(" is on the ", prompt.partition("goal:")[2]))


def blocks_above(prompt: str) -> int:
    """Count blocks that the goal moves, and those above the blocks that it names."""
    start, goal = (
        dict(re.findall(r"the (\w+) block is on the (\w+) block", part))
        for part in prompt.split("start:")[1].split("goal:")
    )
    above = {on: block for block, on in start.items()}
    new = {pair for pair in goal.items() if start.get(pair[0]) != pair[1]}
    moves = {block for block, _ in new}
    for block in {block for pair in new for block in pair}:
        while block in above:
            block = above[block]
            moves.add(block)
    return 2 * len(moves)


def three_more_drives(prompt: str) -> int:
    return 2 * prompt.count("must go") + 4


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("blocks_planning", two_for_each_fact),
        ("blocks_planning", blocks_above),
        ("logistics_planning", three_more_drives),
    ],
    ids=["facts", "above", "drives"],
)
def test_counting_seldom_gives_the_length(name: str, guess: Callable[[str], int]) -> None:
    assert share(name, guess) < 0.6
