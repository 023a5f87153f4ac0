from __future__ import annotations

import errno
import hashlib
from pathlib import Path

import pytest

from synthgen.core.errors import OutputError
from synthgen.dataset.manifest import MANIFEST_FILE
from synthgen.dataset.shards import disk_error
from synthgen.dataset.staging import ENTRIES, Staging, write_durably


def add(staging: Staging, name: str, content: bytes = b"rows") -> None:
    path = staging.temporary / name
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    staging.add_shard(path, name, {"bytes": len(content), "sha256": digest, "rows": 4})


def opened(folder: Path) -> Staging:
    staging = Staging(folder)
    staging.open()
    staging.prepare_tree()
    return staging


def complete(staging: Staging) -> None:
    for entry in ENTRIES:
        path = staging.tree / entry
        if not path.exists():
            path.write_text(entry)
    add(staging, "train-00000-of-00001.parquet")
    (staging.tree / MANIFEST_FILE).write_text("{}")


def test_a_tree_becomes_the_dataset_and_leaves_nothing_else(tmp_path: Path) -> None:
    staging = opened(tmp_path / "out")
    complete(staging)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".synthgen"]
    staging.commit()
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {*ENTRIES, MANIFEST_FILE}


@pytest.mark.parametrize("moved", range(len(ENTRIES) + 1))
def test_a_commit_that_was_cut_short_can_be_repeated(tmp_path: Path, moved: int) -> None:
    staging = opened(tmp_path / "out")
    complete(staging)
    for entry in ENTRIES[:moved]:
        (staging.tree / entry).replace(staging.folder / entry)
    staging.keep()
    again = Staging(tmp_path / "out")
    again.open()
    assert (again.tree / MANIFEST_FILE).exists()
    again.commit()
    assert (tmp_path / "out" / "data" / "train-00000-of-00001.parquet").read_bytes() == b"rows"
    assert not again.work.exists()


def test_finished_shards_are_those_whose_bytes_are_unchanged(tmp_path: Path) -> None:
    staging = opened(tmp_path / "out")
    for name in ("a", "b", "c"):
        add(staging, name)
    (staging.tree / "data" / "b").write_bytes(b"sowr")
    (staging.tree / "data" / "c").unlink()
    with (staging.work / "journal.jsonl").open("a") as journal:
        journal.write('{"name": "d", "by')
    assert set(staging.finished_shards()) == {"a"}
    add(staging, "d")
    assert set(staging.finished_shards()) == {"a", "d"}


def test_temporary_files_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    staging = opened(tmp_path / "out")
    (staging.temporary / "half").write_bytes(b"ro")
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
    (staging.work / "note.json").write_text('{"a":')
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


def test_work_that_cannot_be_removed_does_not_undo_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staging = opened(tmp_path / "out")
    complete(staging)
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
