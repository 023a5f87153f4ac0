"""Constraints on texts written by hand: what holds, what does not, and texts at the edge."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from synthgen.core.registry import load_verifier
from synthgen.families.constraints.verify import verdicts

CASES = [
    (case["type"], case["values"], case["right"], case["wrong"])
    for case in tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))["case"]
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


HOSTILE = (
    "(" * 50_000,
    "*" * 50_000,
    "a " * 25_000,
    '{"a":' * 9_000,
    "<<" * 20_000,
    "\n- " * 9_000,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_get_a_verdict(text: str) -> None:
    grade = load_verifier("constraints").grade
    for kind, values, *_ in CASES:
        assert grade(text, json.dumps([{"type": kind, **values}])) in (0.0, 1.0)
