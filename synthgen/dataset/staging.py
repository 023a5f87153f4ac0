"""The working folder of an unfinished build: a hidden folder inside the output folder.

`.synthgen/tree` becomes the dataset by renames, the manifest last, so readers of the output folder
find either no data or all of it. The folder also contains notes, the journal of finished files and
the lock; a killed build resumes from them.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from synthgen.core.errors import DatasetError, OutputError
from synthgen.dataset.layout import LOCK, LOCK_TEXT, REPORTS, check_folder, check_work
from synthgen.dataset.manifest import (
    EVALUATIONS,
    MANIFEST_FILE,
    PAPERS,
    FileRecord,
    ShardRecord,
    read_manifest,
)
from synthgen.dataset.places import WORK_FOLDER, Place
from synthgen.dataset.seal import file_sha256, sealed, unsealed
from synthgen.dataset.shards import disk_error

ENTRIES = (*PAPERS, *EVALUATIONS, "selection", "data")
"""Entries of a dataset folder besides the manifest, in the order in which they are moved.

The card is first, because loaders guess what a folder without it contains. It names the files in
`data`, which is last, so until then loading fails.
"""
_RETIRED = (MANIFEST_FILE, "data", "selection", REPORTS)
"""Entries of an old dataset that are moved away, in this order.

Others are replaced in place, or moved away last if the new dataset lacks them.
"""

Finished = FileRecord | ShardRecord


class Staging:
    """The working folder of one build, locked from `open` to `commit`, `keep` or `discard`."""

    def __init__(self, folder: Path, work: str = WORK_FOLDER) -> None:
        self.folder = folder
        self.place = Place.from_path(folder)
        self.work = folder / work
        self.tree = self.work / "tree"
        self._old = self.work / "old"
        self._journal = self.work / "journal.jsonl"
        self._lock: int | None = None
        self._made_folder = False

    @property
    def is_begun(self) -> bool:
        """Whether there is work of an earlier run, or of one that goes on."""
        return self.work.exists()

    def check(self) -> None:
        """Check that a build may use the place, and replace what is there.

        Raises:
            OutputError: as `check_folder`.
        """
        check_folder(self.folder)

    def open(self) -> None:
        """Create the working folder and take its lock.

        Raises:
            OutputError: if another build holds the lock, the folder cannot be written, or the
                working folder holds anything that synthgen did not make.
        """
        with self._writing():
            check_work(self.work)
            self._made_folder = not self.folder.exists()
            while self._lock is None:
                self.work.mkdir(parents=True, exist_ok=True)
                self._lock = _try_lock(self.work / LOCK, self.place)
            _remove(self.temporary)
            self.temporary.mkdir()

    @property
    def temporary(self) -> Path:
        """Folder for files being written, absolute; emptied when a build starts or ends."""
        return (self.work / "tmp").absolute()

    @property
    def is_complete(self) -> bool:
        """Whether the tree is whole, so that only `commit` is left."""
        try:
            read_manifest(self.tree)
        except DatasetError:
            return False
        return True

    def recall(self) -> bool:
        """Undo a commit that was cut short if one of its files has changed; return whether it has.

        What it had moved returns to the tree, whose manifest is removed last: the build goes on
        from there, and makes the changed files again.
        """
        listed = read_manifest(self.tree).listed
        made = {name.partition("/")[0] for name in listed}
        moved = {entry for entry in made if not (self.tree / entry).exists()}
        with self._writing():
            places = {
                name: self.folder if name.partition("/")[0] in moved else self.tree
                for name in listed
            }
            if all(is_unchanged(places[name], record) for name, record in listed.items()):
                return False
            for entry in moved:
                path = self.folder / entry
                if path.is_dir() or (path.exists() and is_unchanged(self.folder, listed[entry])):
                    path.replace(self.tree / entry)
            sync(self.folder)
            (self.tree / MANIFEST_FILE).unlink()
            sync(self.tree)
        return True

    def read(self, name: str) -> dict[str, Any] | None:
        """Return a note left by an earlier run of this build, or None if it is not as written."""
        try:
            return unsealed(json.loads((self.work / name).read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, RecursionError):
            return None

    def write(self, name: str, content: Mapping[str, Any]) -> None:
        """Leave a note for a later run of this build, atomically."""
        write_durably(self.work / name, json.dumps(sealed(content), sort_keys=True))

    def add(self, written: Path, record: Finished) -> None:
        """Flush a finished file, move it into the tree and record it in the journal."""
        with self._writing():
            target = self.tree / record.file
            if written.exists():  # otherwise it was moved, but not recorded
                written.replace(target)
            sync(target)
            sync(target.parent)
            with self._journal.open("a", encoding="utf-8") as journal:
                # A line that was cut short must not swallow this one.
                journal.write(f"\n{json.dumps(sealed(asdict(record)), sort_keys=True)}\n")
                journal.flush()
                os.fsync(journal.fileno())

    def finished(self) -> dict[str, Finished]:
        """Return the journal's records of the files that are unchanged, by path.

        All other files are removed from the tree.
        """
        with self._writing():
            records = {record.file: record for record in self._journaled()}
            unchanged = {f: each for f, each in records.items() if is_unchanged(self.tree, each)}
            for path in [path for path in self.tree.rglob("*") if path.is_file()]:
                if path.relative_to(self.tree).as_posix() not in unchanged:
                    path.unlink()
        return unchanged

    def commit(self) -> None:
        """Turn the finished tree into the dataset, the manifest last. Safe to repeat.

        An old dataset is moved away first. At every moment a reader finds it whole, or nothing, or
        the new one whole.

        Raises:
            OutputError: if the folder cannot be written, or holds anything that synthgen did not
                write, by now.
        """
        check_folder(self.folder)
        made = {name.partition("/")[0] for name in read_manifest(self.tree).listed}
        with self._writing():
            # Each step can be repeated: what has moved already is not in the tree any more. Folders
            # are flushed before the manifest moves, so that a crash cannot leave it without them.
            self._retire(made)
            for entry in ENTRIES:
                if (self.tree / entry).exists():
                    (self.tree / entry).replace(self.folder / entry)
            sync(self.folder)
            (self.tree / MANIFEST_FILE).replace(self.folder / MANIFEST_FILE)
            sync(self.folder)
        with suppress(OutputError):  # the dataset is whole, and the next build removes what is left
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
            with suppress(OSError):  # it is not empty
                self.folder.rmdir()

    def restart(self) -> None:
        """Remove all work except the lock."""
        with self._writing():
            self._clear()
            self.temporary.mkdir()

    def prepare_tree(self, *, with_data: bool = True) -> None:
        """Create the folders of the tree; not during a commit, when they may have moved."""
        with self._writing():
            for part in ("selection", "data") if with_data else ("selection",):
                (self.tree / part).mkdir(parents=True, exist_ok=True)

    def _journaled(self) -> Iterator[Finished]:
        """Yield the records of the journal, without lines that were changed or cut short."""
        try:
            text = self._journal.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return
        for line in text.splitlines():
            try:
                yield finished_record(unsealed(json.loads(line)))
            except (ValidationError, ValueError, RecursionError):
                continue

    def _retire(self, made: Collection[str]) -> None:
        """Move away what is in the folder of an old dataset; not what this commit put there.

        Args:
            made: Entries of the new dataset, besides its manifest.
        """
        self._old.mkdir(exist_ok=True)
        for entry in dict.fromkeys((*_RETIRED, *ENTRIES)):
            replaced = entry in _RETIRED and (self.tree / entry).exists()
            if (replaced or entry not in made) and (self.folder / entry).exists():
                _remove(self._old / entry)
                (self.folder / entry).replace(self._old / entry)
        sync(self._old)
        sync(self.folder)

    def _clear(self) -> None:
        """Remove everything from the working folder but the lock, which marks it.

        The manifest is first, because a tree that has it counts as complete.
        """
        if self.tree.exists():
            (self.tree / MANIFEST_FILE).unlink(missing_ok=True)
            sync(self.tree)
        for path in list(self.work.iterdir()):
            if path.name != LOCK:
                _remove(path)

    def _remove_work(self) -> None:
        with self._writing():
            self._clear()
            (self.work / LOCK).unlink()
            with suppress(OSError):  # another build may be waiting for the lock
                self.work.rmdir()
            sync(self.folder)
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Convert the system's errors into one that names the folder."""
        try:
            yield
        except OSError as error:
            raise disk_error(error, self.folder) from error


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


def finished_record(content: object) -> Finished:
    """Return the record of a finished file; raise ValidationError if it is not one."""
    return _adapter().validate_json(json.dumps(content), strict=True)


def is_unchanged(tree: Path, record: Finished) -> bool:
    """Return whether a file is as it was recorded."""
    path = tree / record.file
    if not path.is_file() or path.stat().st_size != record.bytes:
        return False
    return file_sha256(path) == record.sha256


@cache
def _adapter() -> TypeAdapter[Finished]:
    return TypeAdapter(Finished)


def _try_lock(path: Path, place: Place) -> int | None:
    """Take the lock, or return None if the file was removed meanwhile and the caller must retry.

    The kernel releases the lock when its holder dies for any reason.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        msg = f"{place.root} is being built by another process; wait for it to end"
        raise OutputError(msg) from None
    if not path.exists() or not os.path.samestat(os.fstat(descriptor), path.stat()):
        os.close(descriptor)
        return None
    try:
        if not os.fstat(descriptor).st_size:
            _mark(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _mark(lock: int) -> None:
    """Write the text of a lock file, or nothing: with a part of it the folder would be foreign."""
    text = LOCK_TEXT.encode()
    if os.pwrite(lock, text, 0) < len(text):
        os.ftruncate(lock, 0)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _remove(path: Path) -> None:
    """Remove a file or folder, without following links."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
