"""Assignments and LEGO chains: contracts, examples by hand on both sides, axes from the texts."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.building import build_bundled
from tests.families.scripted import scripted
from tests.families.verdicts import accepts, answer, check_every_line_counts

PROGRAM: Any = generator_class("variable_assignment")
LEGO: Any = generator_class("lego")
ORDERS = ("chain", "reversed", "shuffled")
ALL = ("copy", "not", "and", "or", "xor")
RANDOM = {"structure": "random", "operations": ALL, "max_distractors": 30}


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("variable_assignment", {}),
        ("variable_assignment", {"operations": ALL, "overwrites": True, "trace": "needed"}),
        ("variable_assignment", {**RANDOM, "overwrites": True, "max_length": 20, "level": True}),
        (
            "variable_assignment",
            {"min_length": 90, "max_length": 100, "min_distractors": 40, "max_distractors": 60},
        ),
        ("lego", {}),
        ("lego", {"asked": "any", "orders": ORDERS, "level": True}),
        ("lego", {"asked": "last", "min_length": 90, "max_length": 120, "orders": ("shuffled",)}),
    ],
    ids=str,
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=30 if params.get("min_length") == 90 else 80)


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def named(names: str) -> list[tuple[int, int, int]]:
    """Return what a family draws to name variables so."""
    left = list(LETTERS)
    drawn = []
    for place, name in enumerate(names):
        other = left.index(name)
        drawn.append((other, place, len(LETTERS)))
        left[place], left[other] = left[other], left[place]
    return drawn


def check_both_sides(name: str, problem: Any, family: Any, prompt: str, lines: list[str]) -> None:
    assert family.words.wordings("bare")[0].format(**problem.holes) == prompt
    assert family.steps_of(problem) == lines
    assert answer(name, prompt) == problem.answer == lines[-1].split()[-1]
    check_every_line_counts(name, prompt, problem.answer, lines)


def test_the_example_of_kazemnejad_by_hand() -> None:
    values = [(0, 0, 2), (1, 0, 2), (1, 0, 2)]
    drawn = [(3, 2, 9), (0, 0, 1), *values, *named("kpd"), (2, 2, 3)]
    lines = ["k = +1", "p = -k = -(+1) = -1", "d = +p = +(-1) = -1"]
    family = LEGO(asked="last")
    problem = family.make(scripted(*drawn))
    assert problem.axes == {"length": 3, "depth": 3, "order": "chain"}
    check_both_sides("lego", problem, family, "k = +1, p = -k, d = +p | d", lines)
    family = LEGO(asked="any", orders=("reversed",))
    problem = family.make(scripted(*drawn[:-1], (1, 0, 3)))
    check_both_sides("lego", problem, family, "d = +p, p = -k, k = +1 | p", lines[:2])
    assert problem.axes == {"length": 3, "depth": 2, "order": "reversed"}


SHUFFLED = [(4, 0, 5), (2, 0, 4), (0, 0, 3), (0, 0, 2)]
"""Draws that shuffle 0 to 4 so that 1 and 3 come first."""


def test_programs_by_hand() -> None:
    chain = [(0, 0, 2), (1, 0, 2), (0, 0, 2)]
    drawn = [(3, 2, 11), (0, 0, 3), *[(0, 0, 3), (0, 0, 2)], *chain, *named("abc")]
    few = {"min_distractors": 0, "max_distractors": 4}
    problem = PROGRAM(**few).make(scripted(*drawn))
    lines = ["a = True", "b = not a = not True = False", "c = b = False"]
    prompt = "a = True; b = not a; c = b; print(c)"
    check_both_sides("variable_assignment", problem, PROGRAM(**few), prompt, lines)
    among = [(0, 0, 2), (3, 0, 4), (1, 0, 2), *[(1, 0, 4), (2, 0, 3)], (0, 0, 2)]
    drawn = [(5, 2, 11), (2, 0, 5), *SHUFFLED, *among, *named("axbyc")]
    prompt = "a = True; x = False; b = not a; y = not b; c = b; print(c)"
    for trace in ("all", "needed"):
        family = PROGRAM(trace=trace, **few)
        problem = family.make(scripted(*drawn))
        more = ["x = False", "y = not b = not False = True"]
        kept = [lines[0], more[0], lines[1], more[1], lines[2]] if trace == "all" else lines
        check_both_sides("variable_assignment", problem, family, prompt, kept)
        assert problem.axes == {"length": 5, "chain": 3, "distractors": 2}


OVERWRITTEN = "a = True; b = False; a = a != b; b = not a; c = a or b; a = b and c; print(a)"


def test_the_last_assignment_counts() -> None:
    lines = [
        "a = True",
        "b = False",
        "a = a != b = True != False = True",
        "b = not a = not True = False",
        "c = a or b = True or False = True",
        "a = b and c = False and True = False",
    ]
    assert answer("variable_assignment", OVERWRITTEN) == "False"
    check_every_line_counts("variable_assignment", OVERWRITTEN, "False", lines)
    assert answer("variable_assignment", OVERWRITTEN.replace("print(a)", "print(c)")) == "True"


@pytest.mark.parametrize("params", [{"overwrites": True, "operations": ALL}, RANDOM], ids=str)
def test_axes_are_those_of_the_texts(params: dict[str, Any]) -> None:
    family = PROGRAM(min_length=12, max_length=12, **params)
    problems = family.draw(Rows.span(3, 0, 200))
    chains = set()
    for place, prompt in enumerate(
        family.render(problems, Render("bare", "none")).prompts.to_pylist()
    ):
        *statements, asked = prompt.split("; ")
        needs: dict[str, tuple[frozenset[int], int]] = {}
        for number, statement in enumerate(statements):
            name, _, *right = statement.split()
            used = [needs[word] for word in right if word in needs]
            before = frozenset().union(*(numbers for numbers, _ in used))
            needs[name] = (before | {number}, 1 + max((longest for _, longest in used), default=0))
        numbers, longest = needs[asked[6:-1]]
        found = {name: int(column[place]) for name, column in problems.axes.items()}
        assert found == {"length": 12, "chain": longest, "distractors": 12 - len(numbers)}
        assert params is RANDOM or longest == len(numbers)
        chains.add(longest)
    assert len(chains) >= 5


def test_the_order_of_equations_makes_no_other_problem() -> None:
    forward, mixed = (LEGO(orders=(order,)).draw(Rows.span(3, 0, 50)) for order in ORDERS[::2])
    assert forward.keys.tolist() == mixed.keys.tolist()
    assert Counter(mixed.axes["order"].tolist()) == {ORDERS.index("shuffled"): 50}


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("lego", "k = +1, p = -k | d"),
        ("lego", "k = -p, p = -k | k"),
        ("lego", "k = +1, p = -k, k = +p | p"),
        ("lego", "k = +1, p = -k, d = +k | d"),
        ("lego", "k = +1, p = +2 | p"),
        ("variable_assignment", "a = b; b = True; print(a)"),
        ("variable_assignment", "a = True; print(b)"),
        ("variable_assignment", "a = True; or = a; print(a)"),
        ("variable_assignment", "a = True; b = or; print(b)"),
        ("variable_assignment", "a = 1; print(a)"),
    ],
)
def test_what_is_no_problem(name: str, prompt: str) -> None:
    assert answer(name, prompt) is None
    assert not accepts(name, prompt, "+1" if name == "lego" else "True")


def test_wrong_params_are_refused() -> None:
    with pytest.raises(ParamError, match="min_distractors=2: expected less than min_length=2"):
        PROGRAM(min_distractors=2)
    with pytest.raises(ParamError, match=r"operations=.*: expected a list with copy or not"):
        PROGRAM(operations=("and",))


@pytest.mark.slow
def test_longer_problems_are_held_out(tmp_path: Path) -> None:
    rows = build_bundled("anil", tmp_path / "anil", rows=240)
    assert max(row["length"] for row in rows["train"]) == 20
    assert {row["length"] > 20 for row in rows["test_longer"]} == {True}
    chains = [row for row in rows["train"] if row["source"] == "chain"]
    assert {row["distractors"] for row in chains} == {0}
    assert all(row["chain"] == row["length"] for row in chains)
    rows = build_bundled("kazemnejad", tmp_path / "kazemnejad", rows=390)
    for name in ("polynomial", "lego", "lego_shuffled"):
        lengths = {
            split: {row["length"] for row in found if row["source"] == name}
            for split, found in rows.items()
        }
        assert lengths["train"] == {*range(4, 9)}
        assert lengths["test_longer"] <= {*range(9, 17)}
