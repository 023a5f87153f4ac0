"""Parts, repeats and the exact partition of small spaces, against commands counted by hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import RecipeError, ShortfallError
from synthgen.engine.select.quotas import member_times, part_times, rows_of_part
from synthgen.recipe.schema import Part
from tests.building import (
    PARTS,
    SHORT_PHRASES,
    build_small,
    folder_digests,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    synthgen,
    write_recipe,
)
from tests.dataset.tiny import edit_manifest

_ENDLESS = 'parts = [{ where = "n_op = 0", rows = 500 }, { where = "n_op > 0", rows = 100 }]'
ENDLESS = recipe_of(source_of("hint"), split_of("train", 600, more=_ENDLESS))
PARTITION = recipe_of(
    source_of("scan"),
    split_of("train", 20, SHORT_PHRASES),
    split_of("dev", 4, SHORT_PHRASES),
    split_of("test", 10, SHORT_PHRASES),
)


def test_parts_have_their_rows_and_problems(tmp_path: Path) -> None:
    result = build_small(tmp_path, text=PARTS)
    rows = rows_of(result.folder, "train")
    jump = Counter(row["prompt"] for row in rows if row["verb_1"] == "jump")
    others = Counter(row["prompt"] for row in rows if row["verb_1"] != "jump")
    assert sorted(jump.values()) == [4, 5, 5, 5, 5]
    assert len(others) == 16
    assert set(others.values()) == {1}
    assert not any(prompt.startswith("turn") for prompt in others)
    test = {row["prompt"] for row in rows_of(result.folder, "test")}
    assert len(test) == 2
    assert not test & set(jump)
    split = result.manifest.splits[0]
    assert (split.rows, split.repeats) == (40, 19)
    assert [(part.rows, part.problems) for part in split.parts] == [(24, 5), (16, 16)]


def test_repeats_are_spread_out(tmp_path: Path) -> None:
    rows = rows_of(build_small(tmp_path, text=PARTS).folder, "train")
    places = [i for i, row in enumerate(rows) if row["verb_1"] == "jump"]
    assert max(np.diff(places)) > 1
    neighbours = sum(a["id"] == b["id"] for a, b in pairwise(rows))
    assert neighbours < 12


@pytest.mark.slow
def test_workers_and_scale_change_nothing_of_it(tmp_path: Path) -> None:
    one = build_small(tmp_path, "one", text=PARTS)
    two = build_small(tmp_path, "two", text=PARTS, workers=2)
    assert folder_digests(one.folder) == folder_digests(two.folder)
    small = build_small(tmp_path, "small", text=PARTS, scale=0.5)
    train = small.manifest.splits[0]
    assert [(part.rows, part.problems) for part in train.parts] == [(12, 3), (8, 8)]
    ids = {row["id"] for row in rows_of(one.folder, "train")}
    assert {row["id"] for row in rows_of(small.folder, "train")} <= ids


def test_the_audit_counts_parts_again(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=PARTS).folder
    good = synthgen("audit", str(folder), "--json")
    assert good.returncode == 0, good.stdout
    assert '"parts/train"' in good.stdout

    def promise(manifest: dict[str, Any]) -> None:
        (part,) = [part for part in manifest["splits"][0]["parts"] if part["problems"] == 5]
        part["problems"] = 6

    edit_manifest(folder, promise)
    bad = synthgen("audit", str(folder), "--json")
    assert bad.returncode == 1
    assert "24 rows of 5 problems, promised 24 rows of 6 problems" in bad.stdout


def test_a_part_that_runs_dry_is_named(tmp_path: Path) -> None:
    text = PARTS.replace("distinct = 5", "distinct = 8").replace("rows = 2\n", "rows = 1\n")
    with pytest.raises(
        ShortfallError, match=r"parts exhausted below quota: verb_1 = 'jump' \(7 of 8\)"
    ):
        build_small(tmp_path, text=text)


def test_a_part_that_runs_dry_ends_the_search_through_an_endless_space(tmp_path: Path) -> None:
    with pytest.raises(
        ShortfallError, match=r"parts exhausted below quota: n_op = 0 \(10 of 500\)"
    ):
        build_small(tmp_path, text=ENDLESS)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_small_space_is_shared_out_exactly(tmp_path: Path, seed: int) -> None:
    result = build_small(tmp_path, text=PARTITION, seed=seed)
    prompts = [
        {row["prompt"] for row in rows_of(result.folder, s)} for s in ("train", "dev", "test")
    ]
    assert [len(each) for each in prompts] == [20, 4, 10]
    assert len(set.union(*prompts)) == 34


def test_what_is_left_after_a_part_goes_to_the_other_split(tmp_path: Path) -> None:
    text = PARTS.replace("rows = 2\n", "rows = 3\n")
    with pytest.raises(ShortfallError, match="split 'test' has only 2 of 3 rows"):
        build_small(tmp_path, text=text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("rows = 40", "rows = 41", "expected 40, the sum of the rows of the parts"),
        ("distinct = 5", "distinct = 25", "at most the 24 rows of the part"),
        ("verb_1 = 'jump'\", distinct", "verb_2 = 'hop'\", distinct", "'hop'"),
        ("rows = 40", 'rows = 40\nbalance = ["verb_1"]', "cannot be combined with parts"),
    ],
)
def test_faults_of_parts_are_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in PARTS
    with pytest.raises(RecipeError, match=told):
        plan_of(write_recipe(tmp_path, PARTS.replace(old, new)))


@given(st.integers(1, 50), st.integers(0, 200), st.data())
def test_every_part_is_repeated_evenly(distinct: int, more: int, data: st.DataObject) -> None:
    part = Part(where="a = 1", rows=distinct + more, distinct=distinct)
    have = data.draw(st.integers(0, distinct))
    times = part_times([part], np.zeros(have, np.int32))
    assert times.sum() == rows_of_part(part, have)
    assert have == 0 or times.max() - times.min() <= 1
    assert have < distinct or times.sum() == part.rows


@given(st.lists(st.integers(1, 9), min_size=1, max_size=20), st.integers(1, 200))
def test_lists_are_repeated_up_to_the_rows(listed: list[int], rows: int) -> None:
    times = member_times(np.array(listed, np.int64), rows)
    assert times.sum() == min(rows, sum(listed))
    assert (times <= listed).all()
    # No problem gets another row while one that is listed as often has fewer.
    short = [t for t, wanted in zip(times, listed, strict=True) if t < wanted]
    assert not short or times.max() <= min(short) + 1
