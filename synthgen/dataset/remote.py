"""The work of a build at a URL, where nothing can be renamed.

Each file goes to its own name when it is finished, and the manifest last, which decides what
exists. What a later run needs is at the URL too, in `.synthgen/`: the notes, a record of every
finished file, and the lock. On this machine there is only what is being written.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections import deque
from collections.abc import Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any

from pydantic import ValidationError

from synthgen.core.errors import DatasetError, OutputError
from synthgen.dataset.layout import refuse_strange
from synthgen.dataset.manifest import MANIFEST_FILE
from synthgen.dataset.places import WORK_FOLDER, Place, Stored, at_once
from synthgen.dataset.records import ShardRecord
from synthgen.dataset.seal import sealed, unsealed
from synthgen.dataset.staging import Finished, Staging, finished_record, is_unchanged, write_durably

_LOCK = f"{WORK_FOLDER}/lock"
_DONE = f"{WORK_FOLDER}/done/"
_MADE = re.compile(
    rf"{re.escape(WORK_FOLDER)}/(lock|(build|selection)\.json|done/[\w./-]+\.json)"
    r"|manifest\.json|README\.md|recipe\.toml|croissant\.json|(lm_)?eval\.yaml"
    r"|data/[\w.]+-\d{5,}-of-\d{5,}\.parquet|selection/[\w.]+\.members|audit/report\.(json|html)"
)
"""Names that a build may replace or remove where there is a manifest or a working folder."""
_UPLOADS = 8
"""Shards that are uploaded at the same time; the store's library may hold them in memory."""
BEAT = 5.0
"""Seconds after which the holder of a lock changes it."""
_SILENCE = 6
"""Beats without a change after which the holder is taken to be dead."""


def staging_at(place: Path | str, *, fresh: bool) -> Staging:
    """Return the work of a build in a folder or at a URL.

    Args:
        place: Folder or URL.
        fresh: Whether the build replaces a dataset that is there, which at a URL is removed when
            the work begins.
    """
    at = Place.from_path(place)
    return Staging(Path(at.root)) if at.is_local else RemoteStaging(at, fresh=fresh)


class RemoteStaging(Staging):
    """The work of one build at a URL, locked from `open` to `commit`, `keep` or `discard`."""

    def __init__(self, place: Place, *, fresh: bool) -> None:
        digest = sha256(place.root.rstrip("/").encode()).hexdigest()[:16]
        name = f"synthgen-{os.geteuid()}-{digest}"  # one for each URL, so that runs find each other
        super().__init__(Path(tempfile.gettempdir()) / name)
        self.place = place
        self._fresh = fresh
        self._lease = _Lease(place, self.folder / "owner")
        self._pool = ThreadPoolExecutor(_UPLOADS)
        self._uploads = deque[Future[None]]()

    @property
    def is_begun(self) -> bool:
        """Whether there is work of an earlier run, or of one that goes on."""
        return _is_begun(self.place.objects())

    def check(self) -> None:
        """Check that a build may use the place, and replace what is there.

        Raises:
            OutputError: if it holds anything that synthgen did not write, by its name. A manifest
                beside unfinished work may be one whose upload was cut off.
            DatasetError: if the URL cannot be read.
        """
        names = self.place.objects()
        if MANIFEST_FILE in names and not _is_begun(names):
            try:
                self.place.manifest()
            except DatasetError as error:
                msg = f"{error}\nso {self.place.root} is not replaced; name another URL with --out"
                raise OutputError(msg) from None
        is_made = MANIFEST_FILE in names or _is_begun(names)
        strange = [name for name in names if not (is_made and _MADE.fullmatch(name))]
        refuse_strange(self.place.root, strange, is_made=is_made)

    def open(self) -> None:
        """Take the locks of this machine and of the URL.

        Raises:
            OutputError: if another build holds one, or the URL cannot be written.
        """
        with self._writing():
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = self.folder.lstat()
        private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
        if not private or status.st_uid != os.geteuid():
            msg = f"{self.folder} can be written by others; remove it, or set TMPDIR"
            raise OutputError(msg)
        super().open()
        try:
            self._lease.take()
            super().restart()
        except BaseException:
            self._close()
            raise

    def read(self, name: str) -> dict[str, Any] | None:
        """Return a note left by an earlier run of this build, or None if it is not as written."""
        return _unsealed(self.place.read(f"{WORK_FOLDER}/{name}"))

    def write(self, name: str, content: Mapping[str, Any]) -> None:
        """Leave a note for a later run of this build."""
        super().write(name, content)
        self.place.put(self.work / name, f"{WORK_FOLDER}/{name}")

    def add(self, written: Path, record: Finished) -> None:
        """Upload a finished file, and then its record; several shards at the same time."""
        self._lease.check()
        is_shard = isinstance(record, ShardRecord)
        self._wait(_UPLOADS - 1 if is_shard else 0)
        self._uploads.append(self._pool.submit(self._upload, written, record))
        if not is_shard:
            self._wait(0)

    def _wait(self, left: int) -> None:
        """Wait until at most `left` uploads remain; raise the error of one that failed."""
        while len(self._uploads) > left:
            self._uploads.popleft().result()

    def _upload(self, written: Path, record: Finished) -> None:
        tag = self.place.put(written, record.file)
        note = written.with_name(f"{written.name}.json")
        write_durably(note, json.dumps(sealed({"record": asdict(record), "tag": tag})))
        self.place.put(note, f"{_DONE}{record.file}.json")
        written.unlink()

    def finished(self) -> dict[str, Finished]:
        """Return the records of the files whose objects are unchanged, by path."""
        objects = self.place.objects()
        notes = [name for name in objects if name.startswith(_DONE)]
        records = {}
        for content in at_once(self.place.read, notes):
            note = _unsealed(content) or {}
            with suppress(ValidationError, DatasetError):
                record = finished_record(note.get("record"))
                there = objects.get(record.file, Stored(-1))
                tags = {there.tag, note["tag"]} - {None}
                if there.size == record.bytes and len(tags) < 2 and self._has(record):
                    records[record.file] = record
        return records

    def _has(self, record: Finished) -> bool:
        """Return whether a file that this run needs is whole; it needs those of the selection."""
        if not record.file.startswith("selection/"):
            return True
        self.place.fetch(record.file, self.tree / record.file)
        return is_unchanged(self.tree, record)

    def commit(self) -> None:
        """Upload the manifest, and remove all that it does not list.

        Raises:
            OutputError: if the URL cannot be written, or another build has taken it over.
        """
        self._wait(0)
        self._lease.check(now=True)
        self.place.put(self.tree / MANIFEST_FILE, MANIFEST_FILE)
        with suppress(OutputError, DatasetError):  # the dataset is whole; the next build cleans up
            self._remove_unlisted()
        self._close()

    def keep(self) -> None:
        """Keep the work at the URL for a later run, and release the locks."""
        self._close()

    def discard(self) -> None:
        """Remove the work, and all that no manifest lists."""
        self._pool.shutdown(cancel_futures=True)
        try:
            self._remove_unlisted()
        finally:
            self._close()

    def restart(self) -> None:
        """Remove all work except the lock; from scratch, also the dataset, its manifest first."""
        super().restart()
        if self._fresh:
            # If the rest cannot be removed, this file shows that synthgen made it.
            write_durably(self.work / "build.json", "{}")
            self.place.put(self.work / "build.json", f"{WORK_FOLDER}/build.json")
            self.place.remove([MANIFEST_FILE])
        self._remove_unlisted()

    def _remove_unlisted(self) -> None:
        """Remove all that no manifest lists, but the lock; the working folder last."""
        objects = self.place.objects()
        listed: Collection[str] = ()
        if MANIFEST_FILE in objects:
            listed = {MANIFEST_FILE, *self.place.manifest().listed}
        left = {name for name in objects if _MADE.fullmatch(name)} - {_LOCK, *listed}
        work = {name for name in left if name.startswith(f"{WORK_FOLDER}/")}
        self.place.remove(left - work)
        self.place.remove(work)

    def _close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._lease.release()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._unlock()


def _is_begun(names: Collection[str]) -> bool:
    return any(name.startswith(f"{WORK_FOLDER}/") for name in names)


class _Lease:
    """A lock at a URL: an object that its holder changes every few seconds.

    Args:
        place: Place at a URL.
        note: Local file that holds the last token of this machine.
    """

    def __init__(self, place: Place, note: Path) -> None:
        self._place = place
        self._note = note
        self._token = ""
        self._lost = False
        self._ended = Event()
        self._thread = Thread(target=self._beat_on, daemon=True)

    def take(self) -> None:
        """Take the lock, unless its holder lives.

        A holder with the last token of this machine is dead, as the caller holds the lock of the
        machine. Others are watched for a while, because clocks may differ.

        Raises:
            OutputError: if another build holds it.
        """
        before = self._place.read(_LOCK)
        mine = self._note.read_text(encoding="utf-8") if self._note.is_file() else ""
        if before is not None and _token(before) != mine:
            sleep(BEAT * _SILENCE)
            if self._place.read(_LOCK) not in (before, None):
                raise self._taken()
        self._token = secrets.token_hex(8)
        write_durably(self._note, self._token)
        if before is None:
            with suppress(OutputError):  # another was faster, or the store has no such mode
                self._put(0, mode="create")
        if before is not None or self._place.read(_LOCK) is None:
            self._put(0)
        self.check(now=True)
        self._thread.start()

    def check(self, *, now: bool = False) -> None:
        """Raise OutputError if another build has the lock, as read at the last beat or `now`."""
        if self._lost or (now and _token(self._place.read(_LOCK)) != self._token):
            raise self._taken()

    def release(self) -> None:
        """Remove the lock, if this build still holds it."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(BEAT)
        with suppress(OutputError, DatasetError):  # a later run finds it dead
            if self._token and _token(self._place.read(_LOCK)) == self._token:
                self._place.remove([_LOCK])

    def _beat_on(self) -> None:
        beats = 0
        while not self._ended.wait(BEAT) and not self._lost:
            with suppress(OutputError, DatasetError):  # uploads fail, too, if it lasts
                self._lost = _token(self._place.read(_LOCK)) != self._token
                beats += 1
                if not self._lost:
                    self._put(beats)

    def _put(self, beats: int, **options: Any) -> None:
        path = self._note.with_name("lock")
        write_durably(path, json.dumps({"holder": self._token, "beats": beats}))
        self._place.put(path, _LOCK, **options)

    def _taken(self) -> OutputError:
        msg = f"{self._place.root} is being built by another process; wait for it to end"
        return OutputError(msg)


def _token(lock: bytes | None) -> str | None:
    """Return the holder of a lock, or None without one."""
    try:
        content = json.loads(lock or b"")
    except (ValueError, RecursionError):
        return None
    return str(content.get("holder")) if isinstance(content, dict) else None


def _unsealed(content: bytes | None) -> dict[str, Any] | None:
    try:
        return unsealed(json.loads(content or b""))
    except (ValueError, RecursionError):
        return None
