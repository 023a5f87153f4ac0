"""Abstract matrices: the published rows, worked examples, and guesses without the matrix."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from synthgen.authoring import Problem
from synthgen.contract.registry import load_verifier
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.abstract_matrices.family import GENERATORS
from synthgen.families.abstract_matrices.panels import (
    CONFIGURATIONS,
    Component,
    Entity,
    Panel,
    panel_text,
)
from synthgen.families.abstract_matrices.relations import completions, fields_of, laws
from synthgen.testing import check_family
from tests.conformance import original

PGM = ("progression", "or", "and", "xor", "distribute_three")
LINES = {"configurations": ("grid_lines",), "relations": PGM, "noise": True, "direction": "either"}
BOTH = ("candidate", "panel")
PUBLISHED = {
    "Constant": {0: "constant"},
    "Progression": {1: "plus_1", 2: "plus_2", -1: "minus_1", -2: "minus_2"},
    "Arithmetic": {1: "add", -1: "subtract"},
}


@pytest.mark.parametrize(
    "params",
    [
        {"asks": BOTH, "panels": "json", "level": True},
        LINES,
        {"panels": "picture"},
        {"asks": BOTH, "configurations": ("distribute_nine", "in4_out"), "direction": "columns"},
    ],
    ids=["json", "lines", "picture", "columns"],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("abstract_matrices", params, rows=20)


# the published rows


def published() -> Iterator[dict[str, Any]]:
    text = original("grounded/iraven.jsonl").read_text(encoding="utf-8")
    return map(json.loads, text.splitlines())


def panel(known: Iterable[Iterable[list[int]]]) -> Panel:
    """Return a published panel, with types from 0 and sizes from 1."""
    return tuple(
        tuple(Entity(slot, kind - 1, size + 1, color) for slot, kind, size, color in component)
        for component in known
    )


def value(component: Component, name: str) -> int:
    if name == "number":
        return 1 << len(component)
    column = ("position", "type", "size", "color").index(name)
    return sum({1 << entity[column] for entity in component})


def satisfied(row: Mapping[str, Any], ninth: Panel) -> int:
    """Return how many of the stated rules a panel completes."""
    count = 0
    panels = [*map(panel, row["context"]), ninth]
    fields = {each[:2]: each for each in fields_of(row["config"])}
    for part, rules in enumerate(row["rules"]):
        is_redrawn = (
            rules[0][1] == "Number"
            or rules[0][:2] == ["Arithmetic", "Position"]
            or len(panels[7][part]) != len(ninth[part])
        )
        for kind, attribute, step in rules:
            name = attribute.lower().removeprefix("number/")
            field = fields.get((part, name))
            known = [value(each[part], name) for each in panels]
            is_mixed = name != "position" and any(values & values - 1 for values in known)
            if field is None or (kind == "Constant" and is_mixed and is_redrawn):
                count += 1  # one place or color, or more or fewer objects than before
            elif kind == "Distribute_Three":
                count += completions(field, known).get("distribute_three") == known[8]
            else:
                rule = PUBLISHED[kind][step or 0]
                rule = "or" if (name, rule) == ("position", "add") else rule
                count += laws(field)[rule](*known[6:8]) == known[8]
    return count


def test_rules_are_the_published_ones() -> None:
    rows = 0
    for row in published():
        assert [satisfied(row, panel(each)) for each in row["candidates"]] == row["satisfied"]
        rows += 1
    assert rows > 40


def test_published_rows_are_solved() -> None:
    """Except for one row of 48, in which two candidates follow as many rules."""
    verifier = load_verifier("abstract_matrices")
    solved = []
    for row in published():
        parts = CONFIGURATIONS[row["config"]]
        panels, candidates = (
            " / ".join(panel_text(parts, panel(each)) for each in row[name])
            for name in ("context", "candidates")
        )
        text = prompt(row["config"], panels, candidates)
        solved.append(verifier.accepts(text, str(row["target"] + 1)))
    assert solved.count(False) == 1


# worked examples


def prompt(configuration: str, panels: str, candidates: str = "") -> str:
    """Write panels, separated by slashes, as a bare prompt."""
    lines = [
        f"Row {place // 3 + 1}, column {place % 3 + 1}: {each.strip()}"
        for place, each in enumerate(panels.split("/"))
    ]
    text = "\n".join(
        [GENERATORS["abstract_matrices"].words["configurations"][configuration], *lines]
    )
    if not candidates:
        return f"{text}\nanswer: panel"
    numbered = [f"{n}. {each.strip()}" for n, each in enumerate(candidates.split("/"), 1)]
    return "\n".join([text, "candidates:", *numbered, "answer: number"])


SINGLE = (
    "circle 3 6 / hexagon 2 2 / pentagon 1 4 / hexagon 3 5 / pentagon 2 1 / square 1 4 /"
    "pentagon 5 6 / square 1 6"
)
GRID = (
    "1 square 1 0, 2 square 1 0 / 2 square 1 0, 3 square 1 0 / 1 square 1 0, 3 square 1 0 /"
    "1 circle 1 3, 4 circle 1 3 / 1 circle 1 3, 2 circle 1 3 / 2 circle 1 3, 4 circle 1 3 /"
    "3 square 2 1, 4 square 2 1 / 1 square 2 1, 4 square 2 1"
)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (prompt("center_single", SINGLE), "triangle 4 0", "triangle 4 1"),
        (
            prompt(
                "center_single",
                SINGLE,
                "pentagon 4 0 / triangle 4 0 / pentagon 4 5 / triangle 4 5 /"
                "triangle 3 5 / pentagon 3 5 / triangle 3 0 / pentagon 3 0",
            ),
            "2",
            "4",
        ),
        (
            prompt("distribute_four", GRID),
            "3 square 2 1, 1 square 2 1",
            "1 square 2 1, 2 square 2 1",
        ),
        (
            prompt("distribute_four", GRID),
            '{"grid": [{"type": "square", "position": 1, "size": 2, "color": 1}, '
            '{"type": "square", "position": 3, "size": 2, "color": 1}]}',
            '{"grid": [{"type": "square", "position": 1, "size": 2, "color": 1}]}',
        ),
    ],
    ids=["panel", "candidate", "positions", "json"],
)
def test_worked_examples(text: str, right: str, wrong: str) -> None:
    verifier = load_verifier("abstract_matrices")
    assert verifier.accepts(text, right)
    assert not verifier.accepts(text, wrong)


def test_a_tie_has_no_answer() -> None:
    constant = "/".join(["square 1 0"] * 8)
    tied = "square 1 0 / square 1 0" + " / circle 2 3" * 6
    text = prompt("center_single", constant, tied)
    verifier = load_verifier("abstract_matrices")
    assert verifier.reads(text)
    assert not any(verifier.accepts(text, str(n)) for n in range(1, 9))


# guesses


@cache
def problems(configuration: str) -> list[Problem]:
    known = LINES if configuration == "grid_lines" else {"configurations": (configuration,)}
    rows = Rows(stream_key("guesses"), np.arange(800, dtype=np.uint64))
    made: list[Problem] = GENERATORS["abstract_matrices"](**known).draw(rows).parts["made"]
    return made


def features(shown: Panel) -> set[tuple[int, str, int]]:
    """Return the values of the attributes of a panel."""
    names = ("number", "position", "type", "size", "color")
    return {(part, name, value(each, name)) for part, each in enumerate(shown) for name in names}


def share(problems: list[Problem], scored: Any) -> float:
    """Return how often the candidate with the highest score is right."""
    right = 0.0
    for problem in problems:
        candidates = [features(each) for each in problem.data.candidates]
        scores = scored(problem.data, candidates)
        best = [place for place, score in enumerate(scores) if score == max(scores)]
        right += (problem.data.target in best) / len(best)
    return right / len(problems)


def majority(_: Any, candidates: list[set[Any]]) -> list[int]:
    """Prefer what most candidates have."""
    counts = Counter(each for known in candidates for each in known)
    return [sum(counts[each] for each in known) for known in candidates]


@pytest.mark.parametrize("configuration", ["distribute_nine", "left_right", "grid_lines"])
def test_candidates_do_not_betray_the_answer(configuration: str) -> None:
    made = problems(configuration)
    half = len(made) // 2
    assert share(made, majority) < 1 / 8 + 0.03
    shown: Counter[Any] = Counter()
    right: Counter[Any] = Counter()
    for problem in made[:half]:
        candidates = [features(each) for each in problem.data.candidates]
        shown.update(each for known in candidates for each in known)
        right.update(candidates[problem.data.target])

    def likely(_: Any, candidates: list[set[Any]]) -> list[float]:
        """Prefer values that were right before."""
        return [
            sum(np.log((right[each] + 1) / (shown[each] + 8)) for each in known)
            for known in candidates
        ]

    assert share(made[half:], likely) < 1 / 8 + 0.06  # 400 rows


def seen(matrix: Any, candidates: list[set[Any]]) -> list[int]:
    """Prefer values that the matrix has."""
    known = {each for shown in matrix.panels for each in features(shown)}
    return [len(each & known) for each in candidates]


def copied(matrix: Any, candidates: list[set[Any]]) -> list[int]:
    """Prefer the values of the panel before."""
    return [len(each & features(matrix.panels[7])) for each in candidates]


def avoided(matrix: Any, candidates: list[set[Any]]) -> list[int]:
    """Avoid the values of the panels above."""
    above = features(matrix.panels[2]) | features(matrix.panels[5])
    return [-len(each & above) for each in candidates]


@pytest.mark.parametrize("program", [seen, copied, avoided], ids=["seen", "copied", "avoided"])
def test_no_local_feature_gives_the_answer(program: Any) -> None:
    for configuration in ("distribute_nine", "left_right", "grid_lines"):
        assert share(problems(configuration), program) < 0.35
    kinds = Counter(problem.answer for problem in problems("left_right"))
    assert kinds.most_common(1)[0][1] / 800 < 1 / 8 + 0.03


def test_grids_with_lines_have_the_triples_of_pgm() -> None:
    rules = {
        (name, rule)
        for problem in problems("grid_lines")
        for name, rule in problem.axes.items()
        if rule in PGM
    }
    assert len(rules) == 29
