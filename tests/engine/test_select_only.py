"""Datasets of which only the selection is stored: their rows and checks, and data added later."""

from __future__ import annotations

import pickle
import shutil
import tempfile
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import synthgen
from synthgen.core.errors import ChangedError, DatasetError, OutputError, RecipeError
from synthgen.dataset.manifest import read_manifest
from synthgen.engine import build as building
from synthgen.families.hint.family import Hint
from tests.building import (
    PAIRS,
    PARTS,
    SMALL,
    TWO_SPLITS,
    build_small,
    folder_digests,
    recipe_of,
    source_of,
    split_of,
    write_recipe,
)
from tests.building import (
    synthgen as command,
)
from tests.dataset.tiny import read_json, save_manifest
from tests.engine.test_fresh import KilledError, kill_at, read_rows, stop_after

TWO = recipe_of(
    source_of("hint", "max_operators = 6, level = true"),
    source_of("string_systems"),
    split_of("train", 300),
    split_of("validation", 60),
)
TINY = TWO_SPLITS.replace("rows = 400", "rows = 40").replace("rows = 100\n", "rows = 10\n")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small dataset with its data, to read."""
    return build_small(tmp_path_factory.mktemp("whole")).folder


@pytest.fixture(scope="module")
def selected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its selection only, to read."""
    return build_small(tmp_path_factory.mktemp("selected"), select_only=True).folder


@pytest.fixture
def folder(selected: Path, tmp_path: Path) -> Path:
    """The selection where the tests build, to change."""
    return Path(shutil.copytree(selected, tmp_path / "out"))


def test_only_the_selection_is_stored(whole: Path, selected: Path) -> None:
    found, every = folder_digests(selected), folder_digests(whole)
    members = [f"selection/{name}.members" for name in ("test", "test_i", "test_long", "train")]
    assert [*found] == ["README.md", "manifest.json", "recipe.toml", *members]
    assert {name: every[name] for name in members} == {name: found[name] for name in members}
    assert sum((selected / name).stat().st_size for name in members) < 20 * 4200
    manifest = read_manifest(selected)
    assert manifest.format == "synthgen-selection/2"
    assert (manifest.totals.rows, manifest.totals.verified) == (4200, 0)
    card = (selected / "README.md").read_text("utf-8")
    assert "This folder has no data." in card
    assert "--select-only" in card


@pytest.mark.parametrize("text", [SMALL, PARTS, PAIRS, TWO], ids=["small", "parts", "pairs", "two"])
def test_its_rows_are_those_of_a_build(tmp_path: Path, text: str) -> None:
    built = synthgen.open(build_small(tmp_path, "whole", text=text).folder)
    made = synthgen.open(build_small(tmp_path, text=text, select_only=True).folder)
    assert repr(made) == repr(built)
    for name, view in built.items():
        table = view.to_arrow()
        assert made[name].to_arrow().equals(table)
        places = np.random.default_rng(1).permutation(len(view))[:50]
        assert made[name].take(places).equals(table.take(pa.array(places)))
        assert pickle.loads(pickle.dumps(made[name]))[-1] == view[-1]  # noqa: S301


def test_its_states_are_those_of_rows_without_files(selected: Path, tmp_path: Path) -> None:
    rows = synthgen.rows(write_recipe(tmp_path), workers=1)["train"].where("n_op = 4")
    order = synthgen.stream(rows, batch=50, form="dicts", seed=4)
    list(islice(order, 3))
    again = synthgen.stream(
        synthgen.open(selected)["train"].where("n_op = 4"), batch=50, form="dicts", seed=4
    )
    again.load_state_dict(order.state_dict())
    assert list(again) == list(order)


def test_it_is_opened_from_a_url(selected: Path, whole: Path) -> None:
    import fsspec

    fsspec.filesystem("memory").put(str(selected), "/remote/selected", recursive=True)
    train = synthgen.open("memory://remote/selected")["train"]
    assert train[7] == synthgen.open(whole)["train"][7]


@pytest.mark.slow
def test_it_is_audited_and_verified(
    selected: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = folder_digests(selected)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    report = synthgen.audit(selected)
    assert report.ok
    names = {check.name for check in report.checks}
    assert names >= {
        "stored",
        "row-order/train",
        "selection/test_i",
        "where/train",
        "verified/test",
    }
    assert all((split.rows, split.bytes) == (split.promised, 0) for split in report.splits)
    found = synthgen.verify(selected)
    assert found.ok
    assert (found.rows, found.rebuilt) == (4200, 4200)
    assert found.notes == [
        "no data is stored, so the rows were made and verified from their addresses"
    ]
    assert folder_digests(selected) == before
    assert not [*tmp_path.iterdir()]


def test_a_row_in_another_place_is_found(folder: Path) -> None:
    """Whoever changes the membership can also make the hashes right, but not the rules."""
    from synthgen.dataset.membership import Membership, read_membership, write_membership

    path = folder / "selection/test_long.members"
    rows = read_membership(path)
    write_membership(path, Membership(rows.sources[::-1], rows.addresses[::-1]))
    resign(folder, "selection/test_long.members")
    failed = {check.name for check in synthgen.audit(folder).checks if not check.ok}
    assert failed == {"row-order/test_long"}
    assert synthgen.verify(folder).files == [
        "selection/test_long.members: 499 rows are not where the recipe's seed puts them "
        "(row-order/test_long)"
    ]


def resign(folder: Path, name: str) -> None:
    """Record a file as it is now, and seal the manifest again."""
    import hashlib

    manifest = read_json(folder)
    content = (folder / name).read_bytes()
    for record in manifest["files"]:
        if record["file"] == name:
            record.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
    save_manifest(folder, manifest)


@pytest.mark.parametrize("read", [synthgen.open, synthgen.audit, synthgen.verify])
def test_a_changed_selection_is_refused(folder: Path, read: Any) -> None:
    path = folder / "selection/train.members"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(ChangedError, match=r"train\.members: changed since it was written"):
        read(folder)


def test_data_of_others_is_no_data_of_it(folder: Path, whole: Path) -> None:
    shutil.copytree(whole / "data", folder / "data")
    assert not synthgen.audit(folder).ok
    assert len(synthgen.verify(folder).files) == 8


def test_rows_of_another_version_are_not_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hint, "version", Hint.version + 1)
    other = "source 'hint': built with version"
    for read in (synthgen.open, synthgen.audit):
        with pytest.raises(DatasetError, match=rf"{other} .* cannot be made"):
            read(folder)
    verification = synthgen.verify(folder)
    assert not verification.ok
    assert not verification.is_false
    assert all(other in line for line in verification.unproven)


def test_an_address_beyond_a_space_is_refused(tmp_path: Path) -> None:
    from synthgen.dataset.membership import Membership, write_membership

    out = build_small(tmp_path, text=PARTS, select_only=True).folder
    name = "selection/test.members"
    for source, address in ((0, 10**9), (1, 0)):
        places = Membership(np.full(2, source, np.uint16), np.full(2, address, np.uint64))
        write_membership(out / name, places)
        resign(out, name)
        with pytest.raises(DatasetError, match="expected 2 addresses of the sources"):
            synthgen.open(out)


@pytest.mark.parametrize("verb", ["export", "score", "compare", "profile"])
def test_other_commands_say_what_to_do(selected: Path, tmp_path: Path, verb: str) -> None:
    given = tmp_path / "given.jsonl"
    given.write_text('{"id": "x", "prediction": "1"}\n')
    more = {
        "export": ["--format", "sft"],
        "score": ["--predictions", str(given)],
        "compare": [str(selected)],
        "profile": ["--predictions", str(given), "--by", "task"],
    }
    ended = command(verb, str(selected), *more[verb], cwd=tmp_path)
    assert ended.returncode == 2
    assert "holds a selection without data: build its recipe into this folder" in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.skipif(not find_spec("datasets"), reason="needs datasets")
def test_other_loaders_find_nothing(selected: Path, tmp_path: Path) -> None:
    import datasets

    for more in ({}, {"split": "train"}, {"name": "default"}, {"streaming": True}):
        with pytest.raises(FileNotFoundError):
            datasets.load_dataset(str(selected), cache_dir=str(tmp_path), **more)


@pytest.mark.parametrize("kind", ["synthgen-selection/2", "synthgen-dataset/4"])
def test_a_manifest_cannot_claim_the_other_kind(
    folder: Path, whole: Path, tmp_path: Path, kind: str
) -> None:
    other = Path(shutil.copytree(whole, tmp_path / "whole"))
    changed = other if kind.startswith("synthgen-selection") else folder
    save_manifest(changed, read_json(changed) | {"format": kind})
    with pytest.raises(DatasetError, match=r"splits\.train\.shards"):
        synthgen.open(changed)


def test_the_same_build_with_data_adds_it_to_this_selection(
    tmp_path: Path, whole: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "select", None)
    assert build_small(tmp_path, select_only=True).was_there
    added = build_small(tmp_path)
    assert not added.was_there
    assert folder_digests(folder) == folder_digests(whole)
    again = build_small(tmp_path, select_only=True)
    assert again.was_there
    assert again.manifest.has_data


def test_data_is_never_added_to_a_changed_selection(
    tmp_path: Path, whole: Path, folder: Path
) -> None:
    path = folder / "selection/test.members"
    path.write_bytes((folder / "selection/test_long.members").read_bytes())
    build_small(tmp_path)
    assert folder_digests(folder) == folder_digests(whole)


def test_another_recipe_is_refused(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(OutputError, match="holds another build"):
        build_small(tmp_path, seed=8)


@pytest.mark.slow
def test_workers_and_kept_rows_change_no_byte(tmp_path: Path) -> None:
    text = recipe_of(source_of("block_synthesis"), split_of("train", 40))
    one, two = (
        build_small(tmp_path, str(n), workers=n, text=text, select_only=True) for n in (1, 2)
    )
    assert folder_digests(one.folder) == folder_digests(two.folder)


@pytest.mark.slow
@pytest.mark.parametrize("adding", [True, False], ids=["data is added", "data is removed"])
def test_a_reader_finds_the_old_dataset_or_the_new_one_or_none(
    tmp_path: Path, adding: bool
) -> None:
    full = build_small(tmp_path, "full", text=TINY).folder
    bare = build_small(tmp_path, "bare", text=TINY, select_only=True).folder
    before, after = (bare, full) if adding else (full, bare)
    how = {"select_only": not adding, "fresh": not adding}
    straight = folder_digests(after)
    seen = []
    for count in range(100):
        out = tmp_path / f"out-{count}"
        shutil.copytree(before, out)
        with pytest.MonkeyPatch.context() as patched:
            kill_at(patched, count)
            try:
                build_small(tmp_path, out.name, text=TINY, **how)
            except KilledError:
                pass
            else:
                break
        seen.append((kind_of(out), read_rows(out)))
        build_small(tmp_path, out.name, text=TINY, **how)
        assert folder_digests(out) == straight
        assert not (out / "data").exists() or adding
    assert len(seen) > 10
    assert [*dict.fromkeys(kind for kind, _ in seen)] == [kind_of(before), None, kind_of(after)]
    assert all(bool(rows) == (kind == "synthgen-dataset/4") for kind, rows in seen)


def kind_of(folder: Path) -> str | None:
    """Return the format of a dataset, or None where there is none."""
    try:
        return read_manifest(folder).format
    except DatasetError:
        return None


@pytest.mark.parametrize("files", [1, 2, 3, 4])
@pytest.mark.parametrize("select_only", [True, False])
def test_a_killed_selection_resumes(tmp_path: Path, files: int, select_only: bool) -> None:
    straight = build_small(tmp_path, "straight", text=TINY, select_only=select_only).folder
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, files)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=TINY, select_only=True)
    build_small(tmp_path, text=TINY, select_only=select_only)
    assert folder_digests(tmp_path / "out") == folder_digests(straight)


def test_unfinished_data_is_not_thrown_away(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, 4)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=TINY)
    with pytest.raises(OutputError, match="holds the unfinished build of this recipe, with data"):
        build_small(tmp_path, text=TINY, select_only=True)
    assert build_small(tmp_path, text=TINY).shards_kept
    fresh = build_small(tmp_path, text=TINY, select_only=True, fresh=True)
    assert not fresh.manifest.has_data


def test_the_command_line_says_what_is_there(tmp_path: Path) -> None:
    recipe = str(write_recipe(tmp_path, TINY))
    built = command("build", recipe, "--out", "out", "--select-only", cwd=tmp_path)
    assert built.returncode == 0
    assert "no data is stored; " in built.stdout
    assert "load:   synthgen.open('out')" in built.stdout
    for verb in ("audit", "verify"):
        ended = command(verb, "out", cwd=tmp_path)
        assert ended.returncode == 0
        assert "no data is stored, so the rows were made" in ended.stdout
    again = command("build", recipe, "--out", "out", cwd=tmp_path)
    assert "verified 50 of 50 rows" in again.stdout
    sweep = write_recipe(
        tmp_path,
        TINY + '[sweep]\nover.split.train.rows = [20, 60]\nsame = ["test"]\n',
        "sweep.toml",
    )
    with pytest.raises(RecipeError, match=r"sweep\.same: expected none with --select-only"):
        synthgen.build(sweep, tmp_path / "sweep", select_only=True, each=lambda *_: None)
