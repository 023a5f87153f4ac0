from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from synthgen.core.errors import OutputError, ShortfallError
from synthgen.dataset.layout import WORK_FOLDER
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.staging import Staging
from synthgen.engine.build import BuildResult
from synthgen.families.hint.family import Hint
from tests.building import (
    SMALL,
    build_small,
    environment,
    folder_digests,
    ids_of,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    write_recipe,
)

SPLITS = ("train", "test_i", "test", "test_long")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    return build_small(tmp_path_factory.mktemp("built"))


@pytest.fixture
def whole(built: BuildResult) -> Path:
    """A dataset of the small recipe, to read."""
    return built.folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """The same dataset where the tests build, to change."""
    return Path(shutil.copytree(whole, tmp_path / "out"))


def test_a_build_has_the_rows_asked_for_and_nothing_else(built: BuildResult) -> None:
    result = built
    assert {split.name: split.rows for split in result.manifest.splits} == {
        "train": 3000,
        "test_i": 200,
        "test": 500,
        "test_long": 500,
    }
    names = {path.name for path in result.folder.iterdir()}
    assert names == {
        "README.md",
        "croissant.json",
        "data",
        "eval.yaml",
        "lm_eval.yaml",
        "manifest.json",
        "recipe.toml",
        "selection",
    }
    shards = sorted(path.name for path in (result.folder / "data").iterdir())
    assert [name for name in shards if name.startswith("train")] == [
        f"train-0000{i}-of-00005.parquet" for i in range(5)
    ]
    assert (result.folder / "recipe.toml").read_text() == SMALL
    assert result.manifest.totals.verified == result.manifest.totals.rows == 4200


def test_no_problem_is_twice_or_in_two_splits(whole: Path) -> None:
    ids = {split: ids_of(whole, split) for split in SPLITS}
    for split in SPLITS:
        assert len(set(ids[split])) == len(ids[split])
    assert set(ids["test_i"]) <= set(ids["train"])
    for one, other in (("train", "test"), ("train", "test_long"), ("test", "test_long")):
        assert not set(ids[one]) & set(ids[other])


def test_rows_meet_their_rules_and_cells_are_level(whole: Path) -> None:
    train = [row["n_op"] for row in rows_of(whole, "train")]
    counts = {n: train.count(n) for n in set(train)}
    assert counts[0] == 10
    assert counts[1] == 390
    assert {counts[n] for n in range(2, 6)} == {650}
    assert all(3 <= row["n_op"] <= 5 for row in rows_of(whole, "test"))
    assert all(row["n_op"] == 6 for row in rows_of(whole, "test_long"))
    assert all(row["n_op"] > 2 for row in rows_of(whole, "test_i"))


def test_workers_change_no_byte(tmp_path: Path, whole: Path) -> None:
    many = build_small(tmp_path, "many", workers=3).folder
    assert folder_digests(whole) == folder_digests(many)


def test_shard_size_changes_no_row_and_no_order(tmp_path: Path, whole: Path) -> None:
    sets = ("output.rows_per_shard=111", "output.row_group=100")
    other = build_small(tmp_path, "other", *sets).folder
    for split in SPLITS:
        assert rows_of(whole, split) == rows_of(other, split)


def test_the_same_command_again_does_nothing(
    tmp_path: Path, built: BuildResult, folder: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    again = build_small(tmp_path)
    assert again.was_there
    assert not built.was_there
    assert {path: path.stat().st_mtime_ns for path in again.folder.rglob("*")} == before


@pytest.mark.usefixtures("folder")
def test_another_recipe_is_refused_with_the_keys_that_differ(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"split\.train\.rows: 3000 -> 2000") as caught:
        build_small(tmp_path, "out", "split.train.rows=2000")
    assert "--fresh" in str(caught.value)


@pytest.mark.usefixtures("folder")
def test_fresh_replaces_the_dataset(tmp_path: Path) -> None:
    result = build_small(tmp_path, "out", "split.train.rows=2000", fresh=True)
    assert len(ids_of(result.folder, "train")) == 2000
    assert not (result.folder / WORK_FOLDER).exists()


FEW = ("split.train.where='n_op <= 1'", "split.test_i.where='n_op=1'")
"""Overrides with which the first split has too few problems."""


def test_the_dataset_stays_until_the_fresh_one_is_whole(tmp_path: Path, folder: Path) -> None:
    before = folder_digests(folder)
    with pytest.raises(ShortfallError):
        build_small(tmp_path, "out", *FEW, fresh=True)
    assert folder_digests(folder) == before


def test_overrides_and_versions_are_in_the_manifest(tmp_path: Path) -> None:
    result = build_small(tmp_path, rows=400, seed=11)
    manifest = json.loads((result.folder / "manifest.json").read_text())
    assert manifest["overrides"] == ["seed=11", "rows=400"]
    assert manifest["recipe"]["seed"] == 11
    assert manifest["sources"][0]["version"] == Hint.version
    assert set(manifest["libraries"]) >= {"numpy", "pyarrow", "polars"}


@pytest.mark.parametrize("name", ["notes.txt", "data"])
def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(OutputError, match="not empty"):
        build_small(tmp_path, fresh=True)
    assert (tmp_path / "out" / name).read_text() == "mine"


def test_foreign_files_beside_a_dataset_are_never_removed(tmp_path: Path, folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"notes\.txt"):
        build_small(tmp_path, "out", "split.train.rows=2000", fresh=True)
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(OutputError, match="is a file"):
        build_small(tmp_path)


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert build_small(tmp_path).manifest.totals.rows == 4200


def test_a_second_build_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    staging = Staging(tmp_path / "out")
    staging.open()
    with pytest.raises(OutputError, match="being built by another process"):
        build_small(tmp_path)
    staging.keep()
    assert build_small(tmp_path).manifest.totals.rows == 4200


_HOLDER = """
import sys, time
from pathlib import Path
from synthgen.dataset.staging import Staging
Staging(Path(sys.argv[1])).open()
print("held", flush=True)
time.sleep(60)
"""


def test_a_killed_build_leaves_no_lock_behind(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(OutputError, match="another process"):
        build_small(tmp_path)
    holder.kill()
    holder.wait()
    holder.stdout.close()
    assert build_small(tmp_path).manifest.totals.rows == 4200


def test_an_unfinished_build_of_another_recipe_is_refused(tmp_path: Path) -> None:
    plan = plan_of(write_recipe(tmp_path), "split.test.rows=77")
    staging = Staging(tmp_path / "out")
    staging.open()
    staging.write("build.json", {"fingerprint": plan.fingerprint, "content": plan.content})
    staging.keep()
    with pytest.raises(OutputError, match=r"split\.test\.rows: 77 -> 500"):
        build_small(tmp_path)
    assert build_small(tmp_path, fresh=True).manifest.totals.rows == 4200


def test_a_damaged_shard_of_an_interrupted_build_is_made_again(tmp_path: Path, whole: Path) -> None:
    plan = plan_of(write_recipe(tmp_path))
    staging = Staging(tmp_path / "out")
    staging.open()
    staging.prepare_tree()
    staging.write("build.json", {"fingerprint": plan.fingerprint, "content": plan.content})
    for shard in open_dataset(whole).manifest.listed.values():
        name = shard.file.removeprefix("data/")
        if name in ("test-00000-of-00001.parquet", "test_i-00000-of-00001.parquet"):
            copy = staging.temporary / name
            copy.write_bytes((whole / shard.file).read_bytes())
            staging.add(copy, shard)
    damaged = staging.tree / "data" / "test-00000-of-00001.parquet"
    content = bytearray(damaged.read_bytes())
    content[100] ^= 1
    damaged.write_bytes(content)
    with (staging.work / "journal.jsonl").open("a") as journal:
        journal.write('{"name": "train-000')
    staging.keep()
    result = build_small(tmp_path)
    assert result.shards_kept == 1
    assert folder_digests(result.folder) == folder_digests(whole)


def test_a_shortfall_names_split_cells_and_candidates_and_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ShortfallError) as caught:
        build_small(tmp_path, "out", *FEW)
    message = str(caught.value)
    assert "split 'train' has only 400 of 3,000 rows after" in message
    assert "n_op=0 (10 of 1,500); n_op=1 (390 of 1,500)" in message
    assert not (tmp_path / "out").exists()


def test_an_allowed_shortfall_is_recorded(tmp_path: Path) -> None:
    result = build_small(tmp_path, "out", *FEW, "limits.shortfall='allow'")
    train = result.manifest.splits[0]
    assert train.rows == 400
    assert [(cell.rows, cell.dry) for cell in train.cells] == [(10, True), (390, True)]


def test_a_space_that_ends_is_used_to_the_last_problem(tmp_path: Path) -> None:
    text = recipe_of(
        source_of("hint", "max_operators = 2, max_value = 100"),
        split_of("train", 29_630),
        seed=0,
    )
    result = build_small(tmp_path, text=text)
    assert len(set(ids_of(result.folder, "train"))) == 29_630
    with pytest.raises(ShortfallError, match="only 29,630 of 29,631"):
        build_small(tmp_path, "more", "split.train.rows=29631", text=text)


def test_dedup_none_keeps_repeats_and_prompt_compares_texts(tmp_path: Path) -> None:
    text = recipe_of(
        source_of("hint", "max_operators = 0"),
        split_of("train", 10),
        '[dedup]\non = "none"\n',
        seed=0,
    )
    assert build_small(tmp_path, "none", text=text).manifest.selection.duplicates == 0
    prompt = build_small(tmp_path, "prompt", text=text.replace("none", "prompt"))
    assert sorted(row["prompt"] for row in rows_of(prompt.folder, "train")) == list("0123456789")


def test_sharing_that_is_not_declared_is_refused(tmp_path: Path) -> None:
    text = recipe_of(
        source_of("hint_paper", 'concept = "x"'),
        split_of("train", 1100, "published_split = 'train'"),
        split_of("val", 491, "published_split = 'val'"),
        '[dedup]\non = "none"\n',
        seed=0,
    )
    with pytest.raises(ShortfallError, match=r"'train' and 'val' share .* overlap = \['val'\]"):
        build_small(tmp_path, text=text)
    declared = text.replace("rows = 491", 'rows = 491\noverlap = ["train"]')
    assert build_small(tmp_path, text=declared).manifest.totals.rows == 1591


def test_two_sources_mix_and_never_repeat_each_other(tmp_path: Path) -> None:
    text = recipe_of(
        source_of("hint", "max_operators = 3, max_value = 100", 'name = "short"'),
        source_of("hint", "min_operators = 2, max_operators = 5", 'name = "wide"'),
        source_of("hint_paper", 'concept = "x"'),
        split_of("train", 3000, more='balance = ["source"]'),
        split_of("wide_only", 300, "source = 'wide' AND n_op = 4"),
        "[output]\nrows_per_shard = 1000\n",
        seed=0,
    )
    one = build_small(tmp_path, "one", text=text)
    rows = rows_of(one.folder, "train")
    counts = {name: sum(row["source"] == name for row in rows) for name in ("short", "wide")}
    assert counts == {"short": 1000, "wide": 1000}
    assert len({row["id"] for row in rows}) == 3000
    assert {row["subset"] for row in rows if row["source"] != "hint_paper"} == {None}
    assert {row["source"] for row in rows_of(one.folder, "wide_only")} == {"wide"}
    two = build_small(tmp_path, "two", text=text, workers=2)
    assert folder_digests(one.folder) == folder_digests(two.folder)
