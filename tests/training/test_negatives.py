"""Negatives as pairs and as graded texts, from columns and through the real client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pytest

from synthgen.core.errors import DatasetError
from synthgen.training.negatives import graded_texts, preference_pairs
from synthgen.verifiers.skillmix.skill_text import VERIFIER
from tests.building import synthgen, write_recipe

RECIPE = """
name = "negatives"
[render]
solution = "negatives"
[[source]]
generator = "skill_text"
params = { ks = [1, 3] }
[[split]]
name = "train"
rows = 20
balance = ["k"]
"""
BY_HAND: dict[str, list[Any]] = {
    "prompt": ["ask", "none", "ask again"],
    "answer": ["one two", "bare", "three"],
    "solution": [
        '[{"points":[0,1,1,1,1],"text":"two"},{"points":[1,0,1,1,1],"text":"one"}]',
        None,
        '[{"points":[0,1,1,1],"text":""}]',
    ],
}


def test_pairs_by_hand() -> None:
    assert preference_pairs(BY_HAND) == {
        "prompt": ["ask", "ask", "ask again"],
        "chosen": ["one two", "one two", "three"],
        "rejected": ["two", "one", ""],
        "lost": [0, 1, 0],
    }


def test_graded_texts_by_hand() -> None:
    found = graded_texts(BY_HAND)
    assert found["prompt"] == ["ask"] * 3 + ["ask again"] * 2
    assert found["completion"] == ["one two", "two", "one", "three", ""]
    points = [[1, 1, 1, 1, 1], [0, 1, 1, 1, 1], [1, 0, 1, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1]]
    assert found["points"] == points


@pytest.mark.parametrize(
    "solution",
    [
        "1: 4",
        "",
        "[]",
        "{}",
        "3",
        '["points"]',
        '[{"points":[0,1,1,1]}]',
        '[{"points":[1,1,1,1],"text":"a"}]',
        '[{"points":[0,0,1,1],"text":"a"}]',
        '[{"points":[0,1,1,2],"text":"a"}]',
        '[{"points":"0111","text":"a"}]',
        '[{"points":[0,1,1,1],"text":7}]',
        "[" * 100_000,
    ],
)
def test_other_solutions_are_refused(solution: str) -> None:
    rows = {"prompt": ["ask"], "answer": ["a"], "solution": [solution]}
    for function in (preference_pairs, graded_texts):
        with pytest.raises(DatasetError, match="no list of negatives"):
            function(rows)


def test_missing_columns_are_named() -> None:
    rows = {"prompt": ["ask"], "text": ["a"]}
    with pytest.raises(DatasetError, match="no column answer, solution among prompt, text"):
        preference_pairs(rows)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> datasets.Dataset:
    folder = tmp_path_factory.mktemp("negatives")
    recipe = write_recipe(folder, RECIPE)
    ended = synthgen("build", str(recipe), "--out", str(folder / "out"), "--workers", "1")
    assert ended.returncode == 0, ended.stderr
    return load(folder / "out", folder / "cache")


def load(folder: Path, cache: Path) -> datasets.Dataset:
    return datasets.load_dataset(str(folder), split="train", cache_dir=str(cache))


def test_a_rejected_text_lacks_one_point_and_the_chosen_one_none(built: datasets.Dataset) -> None:
    pairs = built.map(preference_pairs, batched=True, remove_columns=built.column_names)
    assert set(pairs.column_names) == {"prompt", "chosen", "rejected", "lost"}
    assert len(pairs) == sum(built["k"]) == 10 * 1 + 10 * 3
    for pair in pairs:
        given = VERIFIER.points(pair["prompt"], pair["chosen"])
        assert given is not None
        assert all(given)
        wanted = [int(place != pair["lost"]) for place in range(len(given))]
        assert VERIFIER.points(pair["prompt"], pair["rejected"]) == tuple(wanted)


def test_graded_texts_have_the_points_that_the_checkers_give(built: datasets.Dataset) -> None:
    graded = built.map(graded_texts, batched=True, remove_columns=built.column_names)
    assert len(graded) == len(built) + sum(built["k"])
    for row in graded:
        assert VERIFIER.points(row["prompt"], row["completion"]) == tuple(row["points"])
    first = json.loads(built[0]["solution"])
    assert graded[1]["completion"] == first[0]["text"]
