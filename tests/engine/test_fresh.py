"""What a build may remove: only what synthgen has made, and only once the new dataset is whole."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synthgen.auditing.html import HTML_FILE, write_html
from synthgen.auditing.report import audit, write_report
from synthgen.core.errors import ChangedError, DatasetError, OutputError
from synthgen.dataset.layout import WORK_FOLDER
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.staging import Staging
from tests.building import TWO_SPLITS, build_small, folder_digests, synthgen, write_recipe

OTHER = TWO_SPLITS.replace("seed = 3", "seed = 4").replace("rows = 100\n", "rows = 90\n")


class KilledError(BaseException):
    """Stands for a kill."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of two splits that nothing interrupted, to read."""
    return build_small(tmp_path_factory.mktemp("whole"), text=TWO_SPLITS).folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """The same dataset where the tests build, to change."""
    return Path(shutil.copytree(whole, tmp_path / "out"))


def interrupted(folder: Path) -> Path:
    """Leave the work of a build that was cut short, without a dataset, and return it."""
    staging = Staging(folder)
    staging.open()
    staging.prepare_tree()
    staging.write("build.json", {"fingerprint": "x", "content": {}})
    staging.keep()
    return staging.work


TEMPORARY = f"{WORK_FOLDER}/" + "tmp"
LINKS = [
    WORK_FOLDER,
    f"{WORK_FOLDER}/lock",
    TEMPORARY,
    f"{WORK_FOLDER}/tree",
    f"{WORK_FOLDER}/tree/data",
    f"{TEMPORARY}/train-00000-of-00004.parquet",
    f"{WORK_FOLDER}/journal.jsonl",
    f"{WORK_FOLDER}/build.json",
    "data",
    "data/train-00000-of-00004.parquet",
    "selection",
    "audit",
    "README.md",
    "manifest.json",
]


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("name", LINKS)
def test_no_link_is_followed_or_removed(
    tmp_path: Path, folder: Path, name: str, fresh: bool
) -> None:
    link = folder / name
    if name.startswith(f"{WORK_FOLDER}/"):
        interrupted(folder)
        link.parent.mkdir(exist_ok=True)
    victim = tmp_path / "victim"
    if link.is_file() or link.suffix:
        victim.write_text("precious")
        link.unlink(missing_ok=True)
    else:
        (victim / "deep").mkdir(parents=True)
        (victim / "deep" / "file").write_text("precious")
        shutil.rmtree(link, ignore_errors=True)
    link.symlink_to(victim)
    with pytest.raises(OutputError, match=f"{link} is a symlink"):
        build_small(tmp_path, text=TWO_SPLITS, fresh=fresh)
    assert link.readlink() == victim
    kept = victim if victim.is_file() else victim / "deep" / "file"
    assert kept.read_text() == "precious"


def test_a_linked_working_folder_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "file").write_text("precious")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / WORK_FOLDER).symlink_to(tmp_path / "victim")
    recipe = write_recipe(tmp_path, TWO_SPLITS)
    ended = synthgen("build", str(recipe), "--out", str(tmp_path / "out"))
    assert ended.returncode == 2
    assert "is a symlink" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "victim" / "file").read_text() == "precious"


@pytest.mark.parametrize("text", ["{}", "", "[]", '{"format": "synthgen-dataset/4"}'])
def test_a_folder_whose_manifest_is_another_one_is_never_replaced(
    tmp_path: Path, text: str
) -> None:
    out = tmp_path / "out"
    (out / "data").mkdir(parents=True)
    (out / "manifest.json").write_text(text)
    (out / "README.md").write_text("mine")
    (out / "data" / "precious.bin").write_text("mine")
    before = folder_digests(out)
    with pytest.raises(OutputError, match="is not replaced"):
        build_small(tmp_path, text=TWO_SPLITS, fresh=True)
    assert folder_digests(out) == before


@pytest.mark.parametrize(
    "name",
    [
        "data/precious.bin",
        "data/precious.parquet",
        "data/deep",
        "selection/mine.members",
        "audit/notes.txt",
        "audit/report.html",
        "audit/report.json",
        ".git",
        f"{WORK_FOLDER}/mine",
        f"{WORK_FOLDER}/lock",
        f"{TEMPORARY}/mine.txt",
        f"{WORK_FOLDER}/tree/data/mine.parquet",
    ],
)
def test_files_of_others_are_refused_by_name(tmp_path: Path, folder: Path, name: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    with pytest.raises(OutputError, match=name.removeprefix(f"{WORK_FOLDER}/")):
        build_small(tmp_path, text=TWO_SPLITS, fresh=True)
    assert path.read_text() == "mine"
    assert open_dataset(folder).rows("train") == 400


def test_a_working_folder_of_others_is_refused(tmp_path: Path) -> None:
    work = tmp_path / "out" / WORK_FOLDER
    (work / "tree").mkdir(parents=True)
    (work / "tree" / "README.md").write_text("mine")
    with pytest.raises(OutputError, match="README"):
        build_small(tmp_path, text=TWO_SPLITS, fresh=True)
    assert (work / "tree" / "README.md").read_text() == "mine"


def test_a_file_that_comes_during_the_build_is_not_removed(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Staging.commit

    def late(staging: Staging) -> None:
        (folder / "data" / "mine").write_text("mine")
        commit(staging)

    with monkeypatch.context() as patched:
        patched.setattr(Staging, "commit", late)
        with pytest.raises(OutputError, match="data/mine"):
            build_small(tmp_path, text=TWO_SPLITS, fresh=True)
    (folder / "data" / "mine").unlink()
    assert not build_small(tmp_path, text=TWO_SPLITS, fresh=True).was_there


def test_reports_of_the_old_dataset_are_removed(tmp_path: Path, folder: Path) -> None:
    report = audit(folder)
    write_report(folder, report)
    write_html(folder / HTML_FILE, report)
    build_small(tmp_path, text=OTHER, fresh=True)
    assert not (folder / "audit").exists()


def loaded_rows(folder: Path) -> dict[str, int] | None:
    """Return the rows of each split that `load_dataset` finds, or None."""
    import datasets

    cache = f"{folder}-cache"
    try:
        found = datasets.load_dataset(str(folder), cache_dir=cache)
    except (ValueError, FileNotFoundError, datasets.exceptions.DatasetNotFoundError):
        return None
    return {name: split.num_rows for name, split in found.items()}


def read_rows(folder: Path) -> dict[str, int] | None:
    """Return the rows of each split that our reader finds, or None."""
    try:
        dataset = open_dataset(folder)
    except DatasetError:
        return None
    return {split: dataset.rows(split) for split in dataset.splits}


def kill_at(patched: pytest.MonkeyPatch, count: int) -> None:
    """Raise at the given change of the file system after a commit began."""
    left = [count]

    def counted(change: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            if not left[0]:
                raise KilledError
            left[0] -= 1
            return change(*arguments, **more)

        return call

    commit = Staging.commit

    def begin(staging: Staging) -> None:
        for name in ("replace", "unlink", "rmdir", "mkdir"):
            patched.setattr(Path, name, counted(getattr(Path, name)))
        patched.setattr(shutil, "rmtree", counted(shutil.rmtree))
        commit(staging)

    patched.setattr(Staging, "commit", begin)
    patched.setattr(Staging, "keep", Staging._unlock)


OLD, NEW = {"train": 400, "test": 100}, {"train": 400, "test": 90}


def test_a_reader_finds_the_old_dataset_or_the_new_one_or_none(tmp_path: Path, whole: Path) -> None:
    straight = folder_digests(build_small(tmp_path, "straight", text=OTHER).folder)
    seen = []
    for count in range(100):
        out = tmp_path / f"out-{count}"
        shutil.copytree(whole, out)
        with pytest.MonkeyPatch.context() as patched:
            kill_at(patched, count)
            try:
                build_small(tmp_path, out.name, text=OTHER, fresh=True)
            except KilledError:
                pass
            else:
                break
        seen.append((read_rows(out), loaded_rows(out)))
        build_small(tmp_path, out.name, text=OTHER, fresh=True)
        assert folder_digests(out) == straight
    assert len(seen) > 10
    assert all(ours in (OLD, NEW, None) for ours, _ in seen)
    assert all(others in (OLD, NEW, None) for _, others in seen)
    assert [ours for ours, _ in seen if ours] == sorted(
        [ours for ours, _ in seen if ours], key=lambda rows: rows == NEW
    )
    assert seen[0] == (OLD, OLD)
    assert seen[-1] == (NEW, NEW)
    assert None in [others for _, others in seen]


def stop_after(patched: pytest.MonkeyPatch, files: int) -> None:
    """Raise after so many files are finished."""
    add, left = Staging.add, [files]

    def counted(staging: Staging, *arguments: Any) -> None:
        add(staging, *arguments)
        left[0] -= 1
        if not left[0]:
            raise KilledError

    patched.setattr(Staging, "add", counted)


def test_a_killed_fresh_build_resumes(tmp_path: Path, folder: Path) -> None:
    before = folder_digests(folder)
    straight = build_small(tmp_path, "straight", text=OTHER).folder
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, 5)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=OTHER, fresh=True)
    after = folder_digests(folder)
    assert {name: after.get(name) for name in before} == before
    result = build_small(tmp_path, text=OTHER, fresh=True)
    assert result.shards_kept == 3
    assert folder_digests(folder) == folder_digests(straight)


@pytest.mark.parametrize("steps", range(1, 12, 2))
@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_that_changes_during_a_commit_is_made_again(
    tmp_path: Path, whole: Path, folder: Path, fresh: bool, steps: int
) -> None:
    out = tmp_path / "out"
    if not fresh:
        shutil.rmtree(out)
    with pytest.MonkeyPatch.context() as patched:
        kill_at(patched, steps)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=TWO_SPLITS, fresh=fresh)
    shards = [*out.rglob("train-00000-of-*.parquet")]
    shard = next(each for each in shards if "old" not in each.parts)
    shard.write_bytes(shard.read_bytes()[:-1])
    if not fresh and (out / "manifest.json").exists():  # it is a dataset, not the work of a build
        with pytest.raises(ChangedError, match=str(shard)):
            build_small(tmp_path, text=TWO_SPLITS)
        return
    build_small(tmp_path, text=TWO_SPLITS, fresh=fresh)
    assert folder_digests(out) == folder_digests(whole)


def test_fresh_forgets_the_work_of_another_command(tmp_path: Path) -> None:
    for text, fresh in ((TWO_SPLITS, False), (OTHER, True)):
        with pytest.MonkeyPatch.context() as patched:
            stop_after(patched, 5)
            with pytest.raises(KilledError):
                build_small(tmp_path, text=text, fresh=fresh)
    assert build_small(tmp_path, text=TWO_SPLITS, fresh=True).shards_kept == 0


def test_a_commit_of_another_recipe_is_finished_first(tmp_path: Path, folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        kill_at(patched, 3)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=OTHER, fresh=True)
    assert read_rows(folder) is None
    with pytest.raises(OutputError, match="holds another build"):
        build_small(tmp_path, text=TWO_SPLITS)
    assert read_rows(folder) == NEW


NOTES = ["[]", "{}", "7", '{"format": 4}', '{"splits": []}', "", "{", "[" * 100_000]


@pytest.mark.parametrize("name", ["journal.jsonl", "selection.json", "build.json"])
@pytest.mark.parametrize("text", NOTES)
def test_notes_of_another_form_count_as_no_work(
    tmp_path: Path, whole: Path, name: str, text: str
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, 4)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=TWO_SPLITS)
    (tmp_path / "out" / WORK_FOLDER / name).write_text(text)
    assert folder_digests(build_small(tmp_path, text=TWO_SPLITS).folder) == folder_digests(whole)


@pytest.mark.parametrize("damage", ["lost", "empty", "flipped"])
def test_a_damaged_selection_is_made_again(tmp_path: Path, whole: Path, damage: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, 4)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=TWO_SPLITS)
    path = tmp_path / "out" / WORK_FOLDER / "tree" / "selection" / "test.members"
    content = bytearray(path.read_bytes())
    content[150] ^= 1
    path.unlink()
    if damage != "lost":
        path.write_bytes(content if damage == "flipped" else b"")
    result = build_small(tmp_path, text=TWO_SPLITS)
    assert result.shards_kept == 2
    assert folder_digests(result.folder) == folder_digests(whole)


def test_a_note_with_other_numbers_is_not_believed(tmp_path: Path, whole: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, 4)
        with pytest.raises(KilledError):
            build_small(tmp_path, text=TWO_SPLITS)
    path = tmp_path / "out" / WORK_FOLDER / "selection.json"
    note = json.loads(path.read_text())
    note["selection"]["candidates"] += 1
    path.write_text(json.dumps(note))
    assert folder_digests(build_small(tmp_path, text=TWO_SPLITS).folder) == folder_digests(whole)
