"""Constraints on texts written by hand: what holds, what does not, and texts at the edge."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from synthgen.core.registry import load_verifier
from synthgen.families.constraints.verify import verdicts
from tests.bounded import bounded

CASES = [
    (case["type"], case["values"], case["right"], case["wrong"])
    for file in sorted(Path(__file__).with_name("texts").glob("*.toml"))
    for case in tomllib.loads(file.read_text("utf-8"))["case"]
]


def satisfied(kind: str, values: dict[str, Any], text: str, *, loose: bool = False) -> bool:
    answer = json.dumps([{"type": kind, **values}])
    grade = load_verifier("constraints").grade(text, answer)
    found = verdicts(text, answer, loose=loose)
    assert loose or found == [grade == 1.0]
    return found[0]


@pytest.mark.parametrize(("kind", "values", "right", "wrong"), CASES)
def test_texts_written_by_hand(
    kind: str, values: dict[str, Any], right: list[str], wrong: list[str]
) -> None:
    for text in right:
        assert satisfied(kind, values, text), text
        assert satisfied(kind, values, text.replace("\n", "\r\n")), text
    for text in [*wrong, "", "  \n", "..."]:
        assert not satisfied(kind, values, text), text


def test_every_type_has_texts() -> None:
    from synthgen.families.constraints.family import COMPATIBLE, TYPES

    kinds = {kind for kind, *_ in CASES}
    assert kinds == {kind for kind, _ in COMPATIBLE}
    assert all(len(set(TYPES[kind]["wordings"])) >= 5 for kind in kinds)


def test_loose_verdicts_do_without_the_first_or_last_line_or_asterisks() -> None:
    strict = "Sure, here it is:\n*the cat sat.*\nHope this helps"
    assert not satisfied("lowercase", {}, strict)
    assert satisfied("lowercase", {}, strict, loose=True)
    assert not satisfied("lowercase", {}, "Sure\nThe cat", loose=True)
    assert satisfied("highlights", {"n": 1}, "*a*", loose=True)


def test_a_text_gets_a_verdict_on_each_constraint() -> None:
    answer = json.dumps([{"type": "lowercase"}, {"type": "quoted"}, {"type": "numbers", "n": 1}])
    assert verdicts('"the 1st cat"', answer) == [True, True, True]
    assert verdicts("the cat", answer) == [True, False, False]
    with pytest.raises(ValueError, match="unknown constraint 'rhyme'"):
        verdicts("the cat", '[{"type": "rhyme"}]')


MEGABYTE = 1_000_000
HOSTILE = (
    "(",
    "*",
    "**a",
    "* a",
    "a ",
    "a\n",
    " \n",
    "a. ",
    '{"a":',
    "<<",
    "[a",
    "\n- ",
    "-" * 999 + "a",
    "a" + " " * 999,
    "a" + "\u0301\u0316" * 99,
    "1",
    "Part 1",
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_megabyte_of_hostile_text_gets_its_verdicts_soon(unit: str) -> None:
    rules = {kind: {"type": kind, **values} for kind, values, *_ in CASES}
    text = unit * (MEGABYTE // len(unit))
    with bounded():
        assert len(verdicts(f"{text} x", json.dumps([*rules.values()]))) == len(rules)
