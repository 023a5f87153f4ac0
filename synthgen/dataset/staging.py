"""The working folder of an unfinished build: a hidden folder inside the output folder.

`.synthgen/tree` becomes the dataset by renames, the manifest last, so readers of the output folder
find either no data or all of it. The folder also contains the recipe, the journal of finished
shards and the lock; a killed build resumes from them.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from synthgen.core.errors import OutputError
from synthgen.dataset.manifest import MANIFEST_FILE
from synthgen.dataset.shards import disk_error

WORK_FOLDER = ".synthgen"
ENTRIES = ("croissant.json", "recipe.toml", "README.md", "selection", "data")
"""Entries of a dataset folder besides the manifest, in the order in which they are moved."""
_REPORTS = "audit"


class Staging:
    """The working folder of one build, locked from `open` to `commit`, `keep` or `discard`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / WORK_FOLDER
        self.tree = self.work / "tree"
        self._journal = self.work / "journal.jsonl"
        self._lock: int | None = None
        self._made_folder = False

    def open(self) -> None:
        """Create the working folder and take its lock.

        Raises:
            OutputError: if another build holds the lock, or the folder cannot be written.
        """
        self._made_folder = not self.folder.exists()
        try:
            while self._lock is None:
                self.work.mkdir(parents=True, exist_ok=True)
                self._lock = _try_lock(self.work / "lock")
        except OSError as error:
            raise disk_error(error, self.folder) from error
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir()

    @property
    def temporary(self) -> Path:
        """Folder for files being written; emptied when a build starts or ends."""
        return self.work / "tmp"

    def read(self, name: str) -> dict[str, Any] | None:
        """Return a note left by an earlier run of this build, or None."""
        try:
            found = json.loads((self.work / name).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def write(self, name: str, content: Mapping[str, Any]) -> None:
        """Leave a note for a later run of this build, atomically."""
        write_durably(self.work / name, json.dumps(content, sort_keys=True))

    def add_shard(self, written: Path, name: str, record: Mapping[str, Any]) -> None:
        """Flush a finished file, move it to `data/` and record it in the journal."""
        try:
            sync(written)
            written.replace(self.tree / "data" / name)
            sync(self.tree / "data")
            with self._journal.open("a", encoding="utf-8") as journal:
                journal.write(json.dumps({**record, "name": name}, sort_keys=True) + "\n")
                journal.flush()
                os.fsync(journal.fileno())
        except OSError as error:
            raise disk_error(error, self.folder) from error

    def finished_shards(self) -> dict[str, dict[str, Any]]:
        """Return the journal's records by shard name, for the files that are unchanged."""
        try:
            lines = self._journal.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return {}
        records = {}
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:  # a line cut short by a kill
                continue
            if _is_unchanged(self.tree / "data" / record["name"], record):
                records[record["name"]] = record
        if lines:  # a cut line must not swallow the next one
            kept = "".join(json.dumps(r, sort_keys=True) + "\n" for r in records.values())
            write_durably(self._journal, kept)
        return records

    def commit(self) -> None:
        """Turn the finished tree into the dataset, the manifest last. Safe to repeat."""
        try:
            (self.folder / MANIFEST_FILE).unlink(missing_ok=True)
            _remove(self.folder / _REPORTS)
            for entry in ENTRIES:
                if (self.tree / entry).exists():
                    _remove(self.folder / entry)
                    (self.tree / entry).replace(self.folder / entry)
            sync(self.folder)
            (self.tree / MANIFEST_FILE).replace(self.folder / MANIFEST_FILE)
            sync(self.folder)
        except OSError as error:
            raise disk_error(error, self.folder) from error
        with suppress(OSError):  # the dataset is whole, and the next build removes what is left
            self._remove_work()
        self._unlock()

    def keep(self) -> None:
        """Keep the work for a later run and release the lock."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self._unlock()

    def discard(self) -> None:
        """Remove the work, and the output folder too if this build made it."""
        self._remove_work()
        if self._made_folder:
            self.folder.rmdir()

    def restart(self) -> None:
        """Remove all work except the lock."""
        for path in self.work.iterdir():
            if path.name != "lock":
                _remove(path)
        self.temporary.mkdir()

    def prepare_tree(self) -> None:
        """Create the folders of the tree; not during a commit, when they may have moved."""
        for part in (self.tree / "data", self.tree / "selection"):
            part.mkdir(parents=True, exist_ok=True)

    def _remove_work(self) -> None:
        shutil.rmtree(self.work)
        sync(self.folder)
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def write_durably(path: Path, text: str) -> None:
    """Write a file atomically: temporary name, flush to disk, rename."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync(path.parent)
    except OSError as error:
        raise disk_error(error, path.parent) from error


def sync(path: Path) -> None:
    """Flush a file, or a folder's entries, so that it survives a power failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _try_lock(path: Path) -> int | None:
    """Take the lock, or return None if the file was removed meanwhile and the caller must retry.

    The kernel releases the lock when its holder dies for any reason.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        msg = f"{path.parent.parent} is being built by another process; wait for it to end"
        raise OutputError(msg) from None
    if not path.exists() or not os.path.samestat(os.fstat(descriptor), path.stat()):
        os.close(descriptor)
        return None
    return descriptor


def _is_unchanged(path: Path, record: Mapping[str, Any]) -> bool:
    if not path.is_file() or path.stat().st_size != record["bytes"]:
        return False
    with path.open("rb") as file:
        return bool(hashlib.file_digest(file, "sha256").hexdigest() == record["sha256"])


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
