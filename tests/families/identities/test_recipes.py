"""The recipes of rewriting by identities, built small: identities and depths of each split."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from synthgen.authoring import Words
from synthgen.families import identities
from tests.building import build_bundled

LISTED = Words.beside(identities.__file__)["identities"].values()
NUMBERS = {text: number for number, (_, text) in enumerate(LISTED)}


def numbers(rows: list[dict[str, Any]]) -> Counter[int]:
    """Identities by what the prompts state."""
    return Counter(NUMBERS[row["prompt"].partition(" | ")[0]] for row in rows)


@pytest.mark.parametrize("number", [40, 10])
def test_identities_of_the_tests_are_not_in_training(number: int, tmp_path: Path) -> None:
    sets = [f"source.{name}.params.number={number}" for name in ("trained", "deep")]
    splits = build_bundled("identities", tmp_path / "out", *sets, rows=1_120)
    assert len(splits["train"]) == 1_000
    stated = numbers(splits["train"])
    assert set(stated) == set(range(number))
    assert max(stated.values()) - min(stated.values()) <= 1
    depths = {name: {row["pattern_depth"] for row in rows} for name, rows in splits.items()}
    for name, rows in splits.items():
        unseen = name.startswith("test_unseen")
        assert all((row["rule"] >= 40) == unseen for row in rows)
        assert not unseen or not {row["rule"] for row in rows} & {41, 61, 65, 76, 80}
        assert all(row["rule"] in numbers([row]) for row in rows)
        deep = int(name[-1]) if name[-1].isdecimal() else 0
        assert depths[name] == ({deep} if deep else {1, 2})
    prompts = [row["prompt"] for rows in splits.values() for row in rows]
    assert len(set(prompts)) == len(prompts)


def test_training_can_repeat_few_instances(tmp_path: Path) -> None:
    few = "source.trained.params.groundings=4"
    rows = build_bundled("identities", tmp_path / "out", few, rows=1_400)
    used: dict[str, set[str]] = {}
    for row in rows["train"]:
        used.setdefault(row["rule_name"], set()).add(instance(row["derivation"], row["rule_name"]))
    assert len(used) == 40
    assert all(1 <= len(instances) <= 4 for instances in used.values())
    assert max(map(len, used.values())) == 4


def instance(derivation: str, name: str) -> str:
    """The identity's part of a derivation: to the bracket that closes it."""
    start = derivation.index(f"({name} ")
    end, opened = start, 0
    while end == start or opened > 0:
        opened += {"(": 1, ")": -1}.get(derivation[end], 0)
        end += 1
    return derivation[start:end]


@pytest.mark.parametrize(("varied", "number"), [(1_000, 5), (10_000, 40)])
def test_a_specialist_has_shares_of_both_kinds(varied: int, number: int, tmp_path: Path) -> None:
    sets = [
        f"split.train.parts.0.rows={50_000 - varied}",
        f"split.train.parts.1.rows={varied}",
        f"source.diverse.params.number={number}",
    ]
    splits = build_bundled("identities-specialist", tmp_path / "out", *sets, rows=1_060)
    stated = numbers(splits["train"])
    assert set(stated) == set(range(10 + number))
    assert sum(count for rule, count in stated.items() if rule < 10) == 1_000 - varied // 50
    assert sum(count for rule, count in stated.items() if rule >= 10) == varied // 50
    for name in ("test", "test_depth_3", "test_depth_4"):
        assert set(numbers(splits[name])) == set(range(10))
        deep = {int(name[-1])} if name != "test" else {1, 2}
        assert {row["pattern_depth"] for row in splits[name]} == deep
