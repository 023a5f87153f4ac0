"""Splits whose prompts are listed in a file of the user's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synthgen.core.errors import OutputError, RecipeError, ShortfallError
from synthgen.engine.plan.members import digest_of, read_members
from synthgen.engine.plan.plan import make_plan
from synthgen.recipe.loader import read_recipe
from tests.building import (
    build_small,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    synthgen,
    write_recipe,
)
from tests.dataset.tiny import save_manifest

LISTED = recipe_of(
    source_of("scan"),
    split_of("train", 6, more='members = "lists/train.txt"'),
    split_of("test", 5, "n_phrases = 1"),
)
TRAIN = ["jump", "walk left", "jump", "look around right twice", "jump", "turn left"]


def write_list(tmp_path: Path, lines: list[str], ending: str = "\n", start: str = "") -> None:
    (tmp_path / "lists").mkdir(exist_ok=True)
    text = start + "".join(line + ending for line in lines)
    (tmp_path / "lists" / "train.txt").write_bytes(text.encode())


@pytest.mark.parametrize(("ending", "start"), [("\n", ""), ("\r\n", "\ufeff"), ("\n\n", "\n")])
def test_the_split_is_the_list(tmp_path: Path, ending: str, start: str) -> None:
    write_list(tmp_path, TRAIN, ending, start)
    result = build_small(tmp_path, text=LISTED)
    prompts = [row["prompt"] for row in rows_of(result.folder, "train")]
    assert sorted(prompts) == sorted(TRAIN)
    assert not set(prompts) & {row["prompt"] for row in rows_of(result.folder, "test")}
    split = result.manifest.splits[0]
    assert split.members is not None
    assert (split.members.lines, split.members.prompts, split.repeats) == (6, 4, 2)


def test_the_list_is_of_bare_prompts_whatever_is_rendered(tmp_path: Path) -> None:
    write_list(tmp_path, TRAIN)
    text = LISTED + '\n[render]\nprompt = "instruction"\n'
    rows = rows_of(build_small(tmp_path, text=text).folder, "train")
    assert sorted(row["prompt"].rsplit("`", 2)[1] for row in rows) == sorted(TRAIN)


def test_fewer_rows_take_first_rows_first(tmp_path: Path) -> None:
    write_list(tmp_path, TRAIN)
    rows = rows_of(build_small(tmp_path, "a", text=LISTED, rows=9).folder, "train")
    assert len(rows) == 5
    assert {row["prompt"] for row in rows} == set(TRAIN)


def test_another_list_is_another_build(tmp_path: Path) -> None:
    write_list(tmp_path, TRAIN)
    build_small(tmp_path, text=LISTED)
    write_list(tmp_path, [*TRAIN[:-1], "turn right"])
    with pytest.raises(OutputError, match=r"members\.train"):
        build_small(tmp_path, text=LISTED)


def test_what_is_not_in_the_language_is_named(tmp_path: Path) -> None:
    write_list(tmp_path, [*TRAIN[:-1], "jump twice thrice"])
    with pytest.raises(ShortfallError, match=r"1 listed prompts .* such as 'jump twice thrice'"):
        build_small(tmp_path, text=LISTED)


def test_the_audit_compares_with_the_list(tmp_path: Path) -> None:
    write_list(tmp_path, TRAIN)
    folder = build_small(tmp_path, text=LISTED).folder
    assert synthgen("audit", str(folder)).returncode == 0
    manifest = json.loads((folder / "manifest.json").read_text())
    record = manifest["splits"][0]["members"]
    assert record["sha256"] == digest_of(TRAIN)
    record["sha256"] = digest_of(["walk"] * 6)
    save_manifest(folder, manifest)
    bad = synthgen("audit", str(folder))
    assert bad.returncode == 1
    assert "do not match the 6 prompts" in bad.stdout


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("../train.txt", r"without '\.\.'"),
        ("/etc/passwd", "a path below the recipe's folder"),
        ("lists\\\\train.txt", "a path below the recipe's folder"),
        ("lists/tran.txt", "expected an existing file"),
        ("lists", "expected an existing file"),
        ("lists/outside.txt", "below the recipe's folder"),
        ("lists/empty.txt", "the file is empty"),
        ("lists/bytes.txt", "UTF-8 text; line 2 is invalid"),
        ("lists/long.txt", "lines of at most"),
    ],
)
def test_a_list_that_cannot_be_used(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "secret.txt").write_text("jump\n")
    folder = tmp_path / "recipe"
    (folder / "lists").mkdir(parents=True)
    (folder / "lists" / "outside.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "lists" / "empty.txt").write_text("\n\n")
    (folder / "lists" / "bytes.txt").write_bytes(b"jump\n\xff\n")
    (folder / "lists" / "long.txt").write_text("a" * 70_000)
    with pytest.raises(RecipeError, match=told):
        plan_of(write_recipe(folder, LISTED.replace("lists/train.txt", name)))


@pytest.mark.parametrize("listed", [TRAIN[:4], [*TRAIN, "walk"]])
def test_other_rows_than_listed_are_refused(tmp_path: Path, listed: list[str]) -> None:
    write_list(tmp_path, listed)
    with pytest.raises(RecipeError, match=rf"rows=\d+: .* lists {len(listed)} prompts"):
        plan_of(write_recipe(tmp_path, LISTED))


def test_rows_are_those_listed_and_the_list_is_read_once(tmp_path: Path) -> None:
    write_list(tmp_path, TRAIN)
    text = LISTED.replace("rows = 6\n", "")
    draft = read_recipe(write_recipe(tmp_path, text))
    (tmp_path / "lists" / "train.txt").unlink()
    (split,) = (split for split in make_plan(draft).splits if split.members)
    assert split.spec.rows == len(TRAIN)


def test_places_of_keys(tmp_path: Path) -> None:
    write_list(tmp_path, TRAIN)
    members = read_members(tmp_path, "lists/train.txt")
    assert members.find(members.keys).tolist() == [0, 1, 2, 3]
    assert members.find(members.keys ^ 1).tolist() == [-1] * 4
    assert dict(zip(members.prompts, members.counts.tolist(), strict=True))["jump"] == 3
