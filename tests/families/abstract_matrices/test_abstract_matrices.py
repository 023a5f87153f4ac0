"""Abstract matrices: the published rows, worked examples, and guesses without the matrix."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from synthgen.authoring import Problem
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.draws.randomness import Rows, stream_key
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
        {"asks": BOTH, "configurations": ("distribute_nine", "in4_out"), "direction": "columns"},
    ],
    ids=["json", "lines", "columns"],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("abstract_matrices", params, rows=40)


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
