"""Splits of maximum compound divergence, from recipe to audit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError, ShortfallError
from tests.building import build_small, folder_digests, plan_of, rows_of, synthgen, write_recipe

DIVIDED = """
name = "divided"
seed = 3

[[source]]
generator = "scan"
params = { max_phrases = 1 }

[[split]]
name = "train"
rows = 50
where = "n_phrases = 1"

[[split]]
name = "dev"
rows = 8
where = "n_phrases = 1"

[[split]]
name = "test"
rows = 12
where = "n_phrases = 1"

[divergence]
train = ["train"]
test = ["dev", "test"]
atom_bound = 0.1
axes = ["n_words"]
axis_bound = 0.1
starts = 2
"""


def test_sizes_are_exact_and_nothing_is_shared(tmp_path: Path) -> None:
    result = build_small(tmp_path, text=DIVIDED)
    prompts = [
        {row["prompt"] for row in rows_of(result.folder, s)} for s in ("train", "dev", "test")
    ]
    assert [len(each) for each in prompts] == [50, 8, 12]
    assert len(set.union(*prompts)) == 70
    train_words = {word for prompt in prompts[0] for word in prompt.split()}
    assert {word for prompt in prompts[1] | prompts[2] for word in prompt.split()} <= train_words
    found = result.manifest.divergence
    assert found is not None
    assert found.pool == 102
    assert found.unseen_atoms == 0
    assert found.atoms <= 0.1
    assert found.compounds > found.random_compounds + 5 * found.compounds_deviation


def test_workers_change_no_byte(tmp_path: Path) -> None:
    one = build_small(tmp_path, "one", text=DIVIDED)
    two = build_small(tmp_path, "two", text=DIVIDED, workers=2)
    assert folder_digests(one.folder) == folder_digests(two.folder)
    other = build_small(tmp_path, "other", text=DIVIDED, seed=4)
    assert rows_of(one.folder, "test") != rows_of(other.folder, "test")


def test_other_splits_have_problems_of_their_own(tmp_path: Path) -> None:
    more = DIVIDED + '\n[[split]]\nname = "rest"\nrows = 10\nwhere = "n_words > 2"\n'
    folder = build_small(tmp_path, text=more).folder
    rest = {row["id"] for row in rows_of(folder, "rest")}
    divided = {row["id"] for s in ("train", "dev", "test") for row in rows_of(folder, s)}
    assert len(rest) == 10
    assert not rest & divided


def test_an_endless_source_gives_a_pool_of_the_size_asked_for(tmp_path: Path) -> None:
    text = DIVIDED.replace('"scan"\nparams = { max_phrases = 1 }', '"hint"')
    text = text.replace("n_phrases = 1", "n_op BETWEEN 3 AND 5").replace('"n_words"', '"n_op"')
    result = build_small(tmp_path, "a", text=text)
    assert result.manifest.divergence is not None
    assert result.manifest.divergence.pool == 280
    larger = build_small(tmp_path, "b", "divergence.pool=500", text=text)
    assert larger.manifest.divergence is not None
    assert larger.manifest.divergence.pool == 500


def test_the_audit_measures_it_again(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=DIVIDED).folder
    good = synthgen("audit", str(folder))
    assert good.returncode == 0, good.stdout
    assert "unseen atoms; promised" in good.stdout
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["divergence"]["compounds"] += 0.001
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert synthgen("audit", str(folder)).returncode == 1


def test_a_pool_that_is_too_small_is_told(tmp_path: Path) -> None:
    text = DIVIDED.replace("n_phrases = 1", "n_words = 2")
    with pytest.raises(ShortfallError, match="only 18 problems of the 70"):
        build_small(tmp_path, text=text)


def test_a_bound_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    sets = ("split.train.rows=96", "split.dev.rows=3", "split.test.rows=3")
    with pytest.raises(ShortfallError, match=r"atom_bound=0\.001: the best split of the pool has"):
        build_small(tmp_path, "a", *sets, "divergence.atom_bound=0.001", text=DIVIDED)
    allow = ("divergence.atom_bound=0.001", "limits.shortfall=allow")
    result = build_small(tmp_path, "b", *sets, *allow, text=DIVIDED)
    assert result.manifest.divergence is not None
    assert result.manifest.divergence.atoms > 0.001


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('train = ["train"]', 'train = ["trian"]', "no such split; did you mean 'train'"),
        ('train = ["train"]', 'train = ["test"]', "each split once"),
        ('train = ["train"]', "train = []", "expected a list of names of splits"),
        ('["n_words"]', '["n_word"]', "did you mean 'n_words'"),
        ('["n_words"]', '["verb_1"]', "unknown integer axis 'verb_1'"),
        ("rows = 8\n", 'rows = 8\nbalance = ["n_words"]\n', "a split without balance"),
        ('rows = 8\nwhere = "n_phrases = 1"', "rows = 8", "one and the same where"),
        ('rows = 8\nwhere = "n_phrases = 1"', 'rows = 8\nseen_in = "train"', "without seen_in"),
        ("starts = 2", 'starts = 2\ncompounds = "words"', "one of fragments, edges, subtrees"),
    ],
)
def test_faults_are_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in DIVIDED
    with pytest.raises(RecipeError, match=told):
        plan_of(write_recipe(tmp_path, DIVIDED.replace(old, new, 1)))
