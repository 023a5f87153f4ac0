import errno
import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from synthgen.core.errors import OutputError
from synthgen.dataset.manifest import MANIFEST_FILE, ShardRecord
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.seal import sealed
from synthgen.dataset.shards import disk_error
from synthgen.dataset.staging import ENTRIES, Staging, write_durably
from tests.dataset.tiny import write_dataset

NAMES = [f"train-0000{number}-of-00004.parquet" for number in range(4)]


def add(staging: Staging, name: str, content: bytes = b"rows") -> None:
    path = staging.temporary / name
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    record = ShardRecord(f"data/{name}", 4, len(content), 9, digest, ("ab" * 32,), 4)
    staging.add(path, record)


def opened(folder: Path) -> Staging:
    staging = Staging(folder)
    staging.open()
    staging.prepare_tree()
    return staging


def complete(folder: Path) -> Staging:
    """Return a staging folder whose tree is a whole dataset."""
    staging = opened(folder)
    shutil.rmtree(staging.tree)
    write_dataset(staging.tree)
    return staging


def test_a_tree_becomes_the_dataset_and_leaves_nothing_else(tmp_path: Path) -> None:
    staging = complete(tmp_path / "out")
    assert staging.is_complete
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".synthgen"]
    staging.commit()
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {*ENTRIES, MANIFEST_FILE}


@pytest.mark.parametrize("moved", range(len(ENTRIES) + 1))
def test_a_commit_that_was_cut_short_can_be_repeated(tmp_path: Path, moved: int) -> None:
    staging = complete(tmp_path / "out")
    for entry in ENTRIES[:moved]:
        (staging.tree / entry).replace(staging.folder / entry)
    staging.keep()
    again = Staging(tmp_path / "out")
    again.open()
    assert again.is_complete
    again.commit()
    assert open_dataset(tmp_path / "out").rows("train") == 40
    assert not again.work.exists()


def test_finished_files_are_those_whose_bytes_are_unchanged(tmp_path: Path) -> None:
    staging = opened(tmp_path / "out")
    for name in NAMES[:3]:
        add(staging, name)
    (staging.tree / "data" / NAMES[1]).write_bytes(b"sowr")
    (staging.tree / "data" / NAMES[2]).unlink()
    with (staging.work / "journal.jsonl").open("a") as journal:
        journal.write('{"file": "data/d.parquet", "by')
    assert set(staging.finished()) == {f"data/{NAMES[0]}"}
    assert [path.name for path in (staging.tree / "data").iterdir()] == [NAMES[0]]
    add(staging, NAMES[3])
    assert set(staging.finished()) == {f"data/{NAMES[0]}", f"data/{NAMES[3]}"}


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        "7",
        "null",
        '{"file": "data/x.parquet"}',
        "[" * 100_000,
        json.dumps(sealed({"file": "data/x.parquet"})),
        json.dumps(sealed({"file": "../../x", "bytes": 1, "sha256": "0" * 64})),
        json.dumps(sealed({"name": 1, "bytes": "x", "sha256": None})),
    ],
)
def test_lines_of_another_form_count_as_no_work(tmp_path: Path, line: str) -> None:
    staging = opened(tmp_path / "out")
    add(staging, NAMES[0])
    with (staging.work / "journal.jsonl").open("a") as journal:
        journal.write(line)
    assert set(staging.finished()) == {f"data/{NAMES[0]}"}


def test_a_file_that_is_not_there_is_not_recorded(tmp_path: Path) -> None:
    staging = opened(tmp_path / "out")
    record = ShardRecord(f"data/{NAMES[0]}", 4, 4, 9, "0" * 64, "ab", 4)
    with pytest.raises(OutputError, match="No such file"):
        staging.add(staging.temporary / NAMES[0], record)
    assert staging.finished() == {}


def test_temporary_files_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    staging = opened(tmp_path / "out")
    (staging.temporary / "half.parquet").write_bytes(b"ro")
    staging._unlock()
    again = Staging(tmp_path / "out")
    again.open()
    assert list(again.temporary.iterdir()) == []


def test_discard_removes_only_what_this_build_made(tmp_path: Path) -> None:
    new = Staging(tmp_path / "new")
    new.open()
    new.discard()
    assert not (tmp_path / "new").exists()
    (tmp_path / "old").mkdir()
    old = Staging(tmp_path / "old")
    old.open()
    old.discard()
    assert list((tmp_path / "old").iterdir()) == []


def test_notes_survive_and_a_broken_one_counts_as_none(tmp_path: Path) -> None:
    staging = opened(tmp_path / "out")
    assert staging.read("note.json") is None
    staging.write("note.json", {"a": 1})
    assert staging.read("note.json") == {"a": 1}
    for text in ('{"a":', '{"a": 1}', "[]", "7", "", "[" * 100_000):
        (staging.work / "note.json").write_text(text)
        assert staging.read("note.json") is None
    whole = json.dumps(sealed({"a": 1}))
    (staging.work / "note.json").write_text(whole.replace("1", "2", 1))
    assert staging.read("note.json") is None
    staging.write("note.json", {"a": 2})
    staging.restart()
    assert staging.read("note.json") is None


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_durably(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="no space left"):
        write_durably(path, "new")
    assert path.read_text() == "old"


def test_disk_errors_say_what_can_be_done() -> None:
    full = disk_error(OSError(errno.ENOSPC, "x"), Path("out"))
    assert "run the same command to resume" in str(full)
    denied = disk_error(OSError(errno.EACCES, "Permission denied"), Path("out"))
    assert "Permission denied" in str(denied)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        Staging(tmp_path / "file" / "out").open()


def test_a_disk_with_room_for_a_part_of_the_lock_file_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", lambda file, text, place: os.write(file, text[:5]))
        with pytest.raises(OutputError, match="no space left"):
            opened(tmp_path / "out")
    assert opened(tmp_path / "out").work.exists()


def test_work_that_cannot_be_removed_does_not_undo_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staging = complete(tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr("shutil.rmtree", raise_busy)
        staging.commit()
    assert (tmp_path / "out" / MANIFEST_FILE).exists()
    again = Staging(tmp_path / "out")
    again.open()  # its lock was released
    again.discard()
    assert not again.work.exists()


def raise_busy(*_: object, **__: object) -> None:
    raise OSError(errno.EBUSY, "busy")
