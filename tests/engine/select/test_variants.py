"""Splits that tell the rows of another one again, by a source with the same draws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError
from tests.building import (
    PAIRS,
    build_small,
    folder_digests,
    plan_of,
    rows_of,
    synthgen,
    write_recipe,
)
from tests.dataset.tiny import save_manifest


def test_rows_stand_beside_each_other(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=PAIRS).folder
    ones, others = rows_of(folder, "test"), rows_of(folder, "test_full")
    assert len(ones) == 100
    assert [row["address"] for row in ones] == [row["address"] for row in others]
    assert [row["answer"] for row in ones] == [row["answer"] for row in others]
    assert {row["source"] for row in ones} == {"hint"}
    assert {row["source"] for row in others} == {"full"}
    assert sum(a["prompt"] != b["prompt"] for a, b in zip(ones, others, strict=True)) > 90
    assert {row["source"] for row in rows_of(folder, "train")} == {"hint"}


@pytest.mark.slow
def test_workers_and_scale_keep_the_pairs(tmp_path: Path) -> None:
    one = build_small(tmp_path, "one", text=PAIRS)
    two = build_small(tmp_path, "two", text=PAIRS, workers=2)
    assert folder_digests(one.folder) == folder_digests(two.folder)
    small = build_small(tmp_path, "small", text=PAIRS, rows=33).folder
    addresses = [[row["address"] for row in rows_of(small, s)] for s in ("test", "test_full")]
    assert addresses[0] == addresses[1]


def test_a_variant_of_rows_that_are_seen_in_train(tmp_path: Path) -> None:
    seen = PAIRS.replace('where = "n_op >= 3"', 'seen_in = "train"')
    folder = build_small(tmp_path, text=seen).folder
    train = {row["address"] for row in rows_of(folder, "train")}
    test = [row["address"] for row in rows_of(folder, "test")]
    assert set(test) <= train
    assert test == [row["address"] for row in rows_of(folder, "test_full")]


def test_the_audit_compares_row_by_row(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=PAIRS).folder
    good = synthgen("audit", str(folder))
    assert good.returncode == 0, good.stdout
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["splits"][2]["variant"]["of"] = "train"
    save_manifest(folder, manifest)
    bad = synthgen("audit", str(folder))
    assert bad.returncode == 1
    assert "300 rows do not correspond to the rows of train" in bad.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('draws_of = "hint"', 'draws_of = "hnt"', "no such source; did you mean 'hint'"),
        ('draws_of = "hint"', 'draws_of = "full"', "no such source"),
        ('of = "test"', 'of = "tst"', "no such split; did you mean 'test'"),
        ('source = "full"', 'source = "hint"', "no such source with draws_of"),
        ("rows = 100\nvariant", "rows = 99\nvariant", "expected 100, the rows of 'test'"),
        ("variant =", 'where = "n_op = 3"\nvariant =', "cannot be combined with variant"),
        ('of = "test"', 'of = "test_full"', "no such split"),
        ('seed = 3', 'seed = 3\ndedup = { on = "none" }', "keeps pairs together"),
        ('seed = 3', 'seed = 3\ndedup = { on = "prompt" }', "keeps pairs together"),
    ],
)  # fmt: skip
def test_faults_of_variants_are_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in PAIRS
    with pytest.raises(RecipeError, match=told):
        plan_of(write_recipe(tmp_path, PAIRS.replace(old, new, 1)))
