"""Splits of maximum compound divergence, from recipe to audit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synthgen.auditing.report import audit
from synthgen.core.errors import RecipeError, ShortfallError
from synthgen.engine.plan.plan import make_plan
from synthgen.engine.select.select import select
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.bundled import find_recipe
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides
from tests.building import (
    build_small,
    failed_checks,
    folder_digests,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    synthgen,
    write_recipe,
)
from tests.dataset.tiny import save_manifest

DIVIDED = recipe_of(
    source_of("scan", "max_phrases = 1"),
    split_of("train", 50, "n_phrases = 1"),
    split_of("dev", 8, "n_phrases = 1"),
    split_of("test", 12, "n_phrases = 1"),
    """[divergence]
train = ["train"]
test = ["dev", "test"]
atom_bound = 0.1
axes = ["n_words"]
axis_bound = 0.1
starts = 2
""",
)

BY_WORDS = 'starts = 2\ncompounds = "ngrams"\n'


@pytest.mark.slow
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


@pytest.mark.slow
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
    good = synthgen("audit", str(folder), "--verbose")
    assert good.returncode == 0, good.stdout
    assert "unseen atoms; promised" in good.stdout
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["divergence"]["compounds"] += 0.001
    save_manifest(folder, manifest)
    assert synthgen("audit", str(folder)).returncode == 1


@pytest.mark.parametrize(
    ("more", "labels"),
    [
        ("", ("words", "3- and 4-grams of words")),
        ('words = "derivation"\nngram = [2]\n', ("symbols", "2-grams of symbols")),
    ],
)
def test_runs_of_words_are_compounds_too(
    tmp_path: Path, more: str, labels: tuple[str, str]
) -> None:
    text = DIVIDED.replace("starts = 2", BY_WORDS + more)
    result = build_small(tmp_path, text=text)
    found = result.manifest.divergence
    assert found is not None
    assert found.kind == "ngrams"
    assert (found.ngram, found.words) == (((2,), "derivation") if more else ((3, 4), "prompt"))
    assert found.unseen_atoms == 0
    assert found.atoms <= 0.1
    assert found.compounds > found.random_compounds + 5 * found.compounds_deviation
    report = audit(result.folder)
    assert [check.ok for check in report.checks if check.name == "divergence"] == [True]
    block = next(block for block in report.blocks if block.key == "divergence")
    rows = block.tables[0].rows
    assert block.tables[0].title == "Division of train | dev + test, all rows"
    assert [row[0] for row in rows] == list(labels)
    assert [row[3:6] for row in rows] == [
        (50, 20, round(found.atoms, 6)),
        (50, 20, round(found.compounds, 6)),
    ]
    assert f"of {labels[1]}" in block.text
    manifest = json.loads((result.folder / "manifest.json").read_text())
    manifest["divergence"]["ngram"] = [5]
    save_manifest(result.folder, manifest)
    assert "divergence" in failed_checks(result.folder)


def test_prompts_of_one_word_are_not_divided_by_words(tmp_path: Path) -> None:
    text = DIVIDED.replace('"scan"\nparams = { max_phrases = 1 }', '"hint"')
    text = text.replace("n_phrases = 1", "n_op BETWEEN 3 AND 5").replace('"n_words"', '"n_op"')
    with pytest.raises(ShortfallError, match="every prompt of the pool is a single word"):
        build_small(tmp_path, text=text.replace("starts = 2", BY_WORDS))


def test_exponents_are_recorded_and_measured_with(tmp_path: Path) -> None:
    text = DIVIDED.replace("starts = 2", "starts = 2\ncompound_exponent = 0.5\npenalty = 2")
    result = build_small(tmp_path, text=text)
    assert result.manifest.divergence is not None
    assert result.manifest.divergence.compound_exponent == 0.5
    report = audit(result.folder, measured=False)
    check = next(check for check in report.checks if check.name == "divergence")
    assert check.ok
    usual = build_small(tmp_path, "usual", text=DIVIDED).manifest
    assert usual.divergence is not None
    assert usual.divergence.compounds != result.manifest.divergence.compounds
    assert "penalty" not in usual.recipe["divergence"]
    assert result.manifest.recipe["divergence"]["penalty"] == 2


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
        ('rows = 8\nwhere = "n_phrases = 1"', "rows = 8", "the same where in all of its splits"),
        ('rows = 8\nwhere = "n_phrases = 1"', 'rows = 8\nseen_in = "train"', "without seen_in"),
        ("starts = 2", 'starts = 2\ncompounds = "words"', "fragments, edges, subtrees, ngrams"),
        ("starts = 2", "starts = 2\nngram = [2]", "ngram: requires compounds = 'ngrams'"),
        ("starts = 2", "compound_exponent = 1.0", "a number above 0 and below 1"),
        ("starts = 2", "penalty = -1", "a number from 0 to 1000"),
        ("starts = 2", BY_WORDS + "ngram = []", "a list of different integers from 2 to 10"),
        ("starts = 2", BY_WORDS + "ngram = [3, 3]", "a list of different integers from 2 to 10"),
        ("starts = 2", BY_WORDS + "ngram = [1]", "a list of different integers from 2 to 10"),
        ("starts = 2", BY_WORDS + "nodes = 2", "nodes: requires compounds = 'fragments'"),
        (
            "starts = 2",
            BY_WORDS + '[render]\nprompt = "instruction"',
            "words='prompt': expected 'derivation', since the prompts of 'scan' have the style",
        ),
    ],
)
def test_faults_are_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in DIVIDED
    with pytest.raises(RecipeError, match=told):
        plan_of(write_recipe(tmp_path, DIVIDED.replace(old, new, 1)))


@pytest.mark.parametrize("name", ["hint-mcd", "pcfg-mcd"])
def test_bundled_recipes_are_far_from_random_splits(name: str) -> None:
    quick = Overrides(rows=4_400, sets=("divergence.starts=1", "divergence.effort=6"))
    plan = make_plan(read_recipe(find_recipe(name), quick))
    selection = select(plan, LocalEngine(1), lambda *_: None)
    assert {name: len(rows) for name, rows in selection.members.items()} == {
        "train": 4_000,
        "test": 400,
    }
    found = selection.record.divergence
    assert found is not None
    assert found.atoms <= 0.02
    assert found.unseen_atoms == 0
    assert found.compounds > found.random_compounds + 20 * found.compounds_deviation
