"""What belongs to a dataset folder, and whether anything else is there.

A build replaces and removes only what synthgen has made: files that a manifest lists, reports of
its audit, and a working folder that a lock file marks. It does not follow symlinks.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from synthgen.core.errors import DatasetError, OutputError
from synthgen.dataset.manifest import MANIFEST_FILE, Manifest, read_manifest
from synthgen.dataset.places import WORK_FOLDER
from synthgen.dataset.seal import file_sha256
from synthgen.dataset.shards import disk_error

_WORK = re.compile(rf"{re.escape(WORK_FOLDER)}(-\d+-of-\d+)?")
LOCK, LOCK_TEXT = "lock", "working folder of synthgen build\n"
"""Name and content of the file that marks a working folder as made by synthgen."""
REPORTS = "audit"
_REPORT_FILES = (f"{REPORTS}/report.json", f"{REPORTS}/report.html")
_REPORT_FORMAT = "synthgen-audit/"
_FOLDERS = ("data", "selection", REPORTS)
_WORK_FOLDERS = ("tmp", *(f"{top}{sub}" for top in ("tree", "old") for sub in ("", "/data")))
_WORK_FOLDERS += ("tree/selection", "old/selection", f"old/{REPORTS}")
_WORK_FILE = re.compile(
    rf"{LOCK}|(build|selection)\.json|journal\.jsonl|\.[a-z]+\.jsonl?\.tmp"
    r"|tmp/[\w.-]+\.(arrow|tmp|parquet|members|md|toml|json|yaml)"
    r"|(tree|old)/(\.?manifest\.json(\.tmp)?|README\.md|recipe\.toml|croissant\.json"
    r"|(lm_)?eval\.yaml"
    r"|data/[\w.]+-\d{5,}-of-\d{5,}\.parquet|selection/[\w.]+\.members)"
    rf"|old/{REPORTS}/report\.(json|html)"
)
_MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class FileFaults:
    """Files of a dataset folder that differ from the manifest, by path.

    Attributes:
        missing: Files that are listed, but not there.
        added: Files that are there, but not listed, other than audit reports and hidden files.
        changed: Files with another size or hash.
    """

    missing: tuple[str, ...]
    added: tuple[str, ...]
    changed: tuple[str, ...]


def file_faults(folder: Path, manifest: Manifest) -> FileFaults:
    """Compare all files of a dataset folder with the manifest; each is read once.

    Raises:
        DatasetError: if a file cannot be read.
    """
    listed = manifest.listed
    try:
        there = set(_entries(folder, _FOLDERS))
        missing = {name for name in listed if not (folder / name).is_file()}
        changed = [
            name
            for name in sorted({*listed} - missing)
            if (folder / name).stat().st_size != listed[name].bytes
            or file_sha256(folder / name) != listed[name].sha256
        ]
    except OSError as error:
        msg = f"{error.filename}: cannot be read: {error.strerror}"
        raise DatasetError(msg) from None
    added = there - {*listed, MANIFEST_FILE, REPORTS, *_REPORT_FILES}
    return FileFaults(
        tuple(sorted(missing)),
        tuple(sorted(name for name in added if not name.startswith((".", f"{REPORTS}/.")))),
        tuple(changed),
    )


def share_folder(rank: int, world_size: int) -> str:
    """Return the name of the working folder of one rank of several that make shards."""
    return f"{WORK_FOLDER}-{rank}-of-{world_size}"


def share_folders(folder: Path) -> list[str]:
    """Return the names of the working folders of ranks that are in a folder."""
    names = [name for name in _entries(folder, ()) if _WORK.fullmatch(name)]
    return [name for name in names if name != WORK_FOLDER]


def check_folder(folder: Path) -> None:
    """Check that a build may use this folder, and replace what is in it.

    Raises:
        OutputError: for a file in its place, anything that synthgen did not write, or a
            symlink in the place of something that it would write.
    """
    try:
        if folder.exists() and not folder.is_dir():
            msg = f"{folder} is a file; name a folder with --out"
            raise OutputError(msg)
        for name in (WORK_FOLDER, *share_folders(folder)):
            check_work(folder / name)
        names = [name for name in _entries(folder, _FOLDERS) if not _WORK.fullmatch(name)]
        _check_names(folder, names)
    except OSError as error:
        raise disk_error(error, folder) from error


def check_work(work: Path) -> None:
    """Check that a working folder, if there is one, was made by synthgen and holds only its files.

    Raises:
        OutputError: if it is a symlink, or holds links or other files.
    """
    if work.is_symlink() or (work.exists() and not work.is_dir()):
        _refuse_foreign(work.parent, [work.name])
    names = list(_entries(work, _WORK_FOLDERS))
    _refuse_foreign(work, [name for name in names if not _WORK_FILE.fullmatch(name)])
    _refuse_links(work, names)
    if names != [LOCK] or (work / LOCK).stat().st_size:  # else it was killed before the mark
        _refuse_foreign(work, [] if _is_marked(work / LOCK) else names)


def _entries(folder: Path, folders: Collection[str], prefix: str = "") -> Iterator[str]:
    """Yield the relative paths of all entries, except for the named folders, which are entered."""
    try:
        entries = sorted(os.scandir(folder / prefix), key=lambda entry: entry.name)
    except FileNotFoundError:  # another build is at work, or has ended
        return
    for entry in entries:
        name = f"{prefix}{entry.name}"
        if name in folders and entry.is_dir(follow_symlinks=False):
            yield from _entries(folder, folders, f"{name}/")
        else:
            yield name


def _check_names(folder: Path, names: Sequence[str]) -> None:
    """Check that entries of a folder are those of a dataset, or of a build that was cut short."""
    work = folder / WORK_FOLDER
    if MANIFEST_FILE not in names and not _is_marked(work / LOCK):
        refuse_strange(folder, names, is_made=False)
    _refuse_links(folder, names)
    known = {MANIFEST_FILE, *(name for name in names if _is_report(folder, name))}
    if MANIFEST_FILE in names:
        try:
            known |= {*read_manifest(folder).listed}
        except DatasetError as error:
            msg = f"{error}\nso {folder} is not replaced; name another folder with --out"
            raise OutputError(msg) from None
    for part in ("old", "tree"):  # a commit was cut short
        try:
            known |= {*read_manifest(work / part).listed}
        except DatasetError:
            continue
    _refuse_foreign(folder, [name for name in names if name not in known])


def _refuse_links(folder: Path, names: Iterable[str]) -> None:
    """Raise an error for the first entry that is neither a file nor a folder."""
    for name in names:
        path = folder / name
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            kind = "a symlink" if stat.S_ISLNK(mode) else "not a regular file"
            msg = f"{path} is {kind}, which a build neither follows nor replaces; remove it"
            raise OutputError(msg)


def _refuse_foreign(folder: Path, names: list[str]) -> None:
    _refuse_links(folder, names)
    refuse_strange(folder, names)


def refuse_strange(place: Path | str, names: Sequence[str], *, is_made: bool = True) -> None:
    """Raise OutputError for names that are not those of synthgen, if there are any.

    Args:
        place: Folder or URL.
        names: Names of the strange files.
        is_made: Whether synthgen made other files there.
    """
    if not names:
        return
    if not is_made:
        msg = f"{place} is not empty and is not a synthgen dataset; name another folder with --out"
        raise OutputError(msg)
    shown = ", ".join(names[:_MAX_NAMED])
    msg = f"{place} holds files that synthgen did not write ({shown}); move them away first"
    raise OutputError(msg)


def _is_marked(lock: Path) -> bool:
    """Return whether a lock file marks its folder as made by synthgen."""
    if not lock.is_file() or lock.stat().st_size != len(LOCK_TEXT):
        return False
    return lock.read_bytes() == LOCK_TEXT.encode()


def _is_report(folder: Path, name: str) -> bool:
    """Return whether a file is a report of an audit, by its content."""
    if name not in _REPORT_FILES:
        return False
    text = (folder / name).read_text(encoding="utf-8", errors="replace")
    if name.endswith(".html"):
        return _REPORT_FORMAT in text
    try:
        report = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(report, dict) and str(report.get("format")).startswith(_REPORT_FORMAT)
