"""The place of a dataset: a local folder, or a URL that fsspec understands.

A store behind a URL has objects with names, but no folders and no renames.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pyarrow as pa

from synthgen.core.errors import DatasetError, OutputError, ParamError, SynthgenError
from synthgen.core.files import check_name, check_regular
from synthgen.dataset.manifest import MANIFEST_FILE, Manifest, parse_manifest, read_manifest

WORK_FOLDER = ".synthgen"
"""Folder of an unfinished build in the place of its dataset."""
MAX_REQUESTS = 16
"""Requests made at the same time, as each may take a round trip."""
_FILE = "file://"
_SHORTENED = re.compile(r"[a-z][a-z0-9+.]+:/")
_RESUME = "; run the same command to resume"

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stored:
    """A file or object: its size, and the store's tag of its content, if it gives one."""

    size: int
    tag: str | None = None


@dataclass(frozen=True)
class Place:
    """A folder, or a URL that fsspec understands.

    Attributes:
        root: Path or URL.
        storage: Options of the URL's file system, such as credentials.
    """

    root: str
    storage: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def from_path(cls, path: str | Path, storage: Mapping[str, Any] | None = None) -> Place:
        """Return the place that a path or URL names; a URL of a local folder is that folder.

        Raises:
            ParamError: for a `Path` made of a URL, which has lost a slash, or a name that is not
                UTF-8.
        """
        root = str(path)
        check_name(root)
        if isinstance(path, Path) and _SHORTENED.match(root):
            raise ParamError("path", root, "a URL as a text, not as a Path")
        local = "://" not in root or root.startswith(_FILE)
        return cls(str(Path(root.removeprefix(_FILE))) if local else root, storage or {})

    @property
    def is_local(self) -> bool:
        """Whether it is a path."""
        return not _is_url(self.root)

    @property
    def folder(self) -> Path | str:
        """The folder as a path, or the URL."""
        return Path(self.root) if self.is_local else self.root

    @property
    def name(self) -> str:
        """Name of the folder, or the last part of the URL."""
        if self.is_local:
            return Path(self.root).resolve().name
        return self.root.rstrip("/").rpartition("/")[2]

    def manifest(self) -> Manifest:
        """Read the manifest.

        Raises:
            DatasetError: as `read_manifest`, or if the URL cannot be read.
        """
        if self.is_local:
            return read_manifest(Path(self.root))
        with reading(self.path(MANIFEST_FILE)), self.open(MANIFEST_FILE) as file:
            text = file.read().decode()
        return parse_manifest(self.path(MANIFEST_FILE), text)

    def path(self, name: str) -> str:
        """Return the path or URL of a file."""
        return f"{self.root.rstrip('/')}/{name}"

    def at(self, name: str) -> Place:
        """Return a place inside this one, or this one for ""."""
        return Place(self.path(name), self.storage) if name else self

    def open(self, name: str) -> pa.NativeFile:
        """Open a file for reading; the error is that of `reading` if it is used inside it."""
        return self.open_tagged(name)[0]

    def open_tagged(self, name: str) -> tuple[pa.NativeFile, str | None]:
        """Open a file for reading, and return a tag that changes with it, if there is one.

        It is the time of the last change, or the store's tag of the content.
        """
        return _open_tagged(self.path(name), self.storage)

    def stored(self, names: Iterable[str]) -> Mapping[str, Stored]:
        """Return size and tag of those of these files that exist.

        Raises:
            DatasetError: if a store cannot be listed.
        """
        if not self.is_local:
            return self.objects()
        paths = {name: Path(self.path(name)) for name in names}
        return {name: Stored(path.stat().st_size) for name, path in paths.items() if path.is_file()}

    # Of URLs only.

    def objects(self) -> dict[str, Stored]:
        """List all objects below a URL, by their names below it.

        Raises:
            DatasetError: if they cannot be listed.
        """
        with reading(self.root):
            system, root = self._system("")
            system.invalidate_cache()
            try:
                listing = system.find(root, detail=True)
            except FileNotFoundError:
                return {}
        above = root.rstrip("/") + "/"
        return {
            path.removeprefix(above): Stored(int(info["size"]), _tag(info))
            for path, info in listing.items()
            if not path.endswith("/")  # placeholders of folders, by some clients
        }

    def read(self, name: str) -> bytes | None:
        """Return the content of a small object, or None if it is missing.

        Raises:
            DatasetError: if it cannot be read.
        """
        with reading(self.path(name)):
            system, path = self._system(name)
            try:
                return bytes(system.cat_file(path))
            except FileNotFoundError:
                return None

    def put(self, path: Path, name: str, **options: Any) -> str | None:
        """Upload a file, and return the store's tag of the object, if it gives one.

        Raises:
            OutputError: if that fails, after what the store's library has tried.
        """
        with _using(self.path(name), OutputError, "written", _RESUME):
            system, target = self._system(name)
            size = path.stat().st_size
            system.put_file(str(path), target, **options)
            info = system.info(target)
            if info["size"] != size:
                msg = f"{info['size']} of {size} bytes have arrived"
                raise OSError(msg)
            return _tag(info)

    def fetch(self, name: str, path: Path) -> None:
        """Download an object.

        Raises:
            DatasetError: if that fails, after what the store's library has tried.
        """
        with reading(self.path(name)):
            system, source = self._system(name)
            system.get_file(source, str(path))

    def remove(self, names: Iterable[str]) -> None:
        """Remove objects that may be there.

        Raises:
            OutputError: if one cannot be removed.
        """

        def remove(name: str) -> None:
            with _using(self.path(name), OutputError, "removed"):
                system, path = self._system(name)
                with suppress(FileNotFoundError):
                    system.rm_file(path)

        at_once(remove, names)

    def _system(self, name: str) -> tuple[Any, str]:
        """Return the file system, and the path of an object in it."""
        return _system_of(self.path(name) if name else self.root, self.storage)


def at_once(do: Callable[[S], T], given: Iterable[S]) -> list[T]:
    """Make requests at the same time, and return their results in order."""
    with ThreadPoolExecutor(MAX_REQUESTS) as pool:
        return [*pool.map(do, given)]


@contextmanager
def local_folder(path: str | Path) -> Iterator[Path]:
    """Enter a folder, or a temporary copy of all that is at a URL.

    Raises:
        DatasetError: if an object cannot be read; errors that name the copy name the URL instead.
        OutputError: if the copy needs more room than there is.
    """
    place = Place.from_path(path)
    if place.is_local:
        yield Path(place.root)
        return
    wanted = {n: o for n, o in place.objects().items() if not n.startswith(f"{WORK_FOLDER}/")}
    with TemporaryDirectory(prefix="synthgen-") as made:
        size, free = sum(each.size for each in wanted.values()), shutil.disk_usage(made).free
        if size > free:
            msg = f"{place.root}: its {size:,} bytes are copied to {made}, where {free:,} are free;"
            msg = f"{msg} set TMPDIR to a folder with more"
            raise OutputError(msg)
        folder = Path(made)

        def fetch(name: str) -> None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            place.fetch(name, folder / name)

        for name in wanted:
            if {"", ".", ".."} & {*name.split("/")}:
                msg = f"{place.path(name)}: not a name of a file"
                raise DatasetError(msg)
        at_once(fetch, wanted)
        try:
            yield folder
        except DatasetError as error:
            raise type(error)(str(error).replace(made, place.root.rstrip("/"))) from error


def open_file(path: str | Path) -> pa.NativeFile:
    """Open a path or URL for reading, inside `reading`."""
    return _open_tagged(str(path), {})[0]


def _open_tagged(path: str, storage: Mapping[str, Any]) -> tuple[pa.NativeFile, str | None]:
    if not _is_url(path):
        check_regular(Path(path))
        changed = str(Path(path).stat().st_mtime_ns)
        return pa.OSFile(path), changed
    system, inside = _system_of(path, storage)
    opened = system.open(inside, "rb")
    return pa.PythonFile(opened, mode="r"), _tag(getattr(opened, "details", None) or {})


@contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """Convert the errors of a file that cannot be read into a DatasetError that names it."""
    with _using(path, DatasetError, "read"):
        yield


@contextmanager
def _using(
    path: str | Path, kind: type[SynthgenError], done: str, advice: str = ""
) -> Iterator[None]:
    """Convert the errors of a file or object into one that names it and what cannot be done."""
    try:
        yield
    except SynthgenError:
        raise
    except Exception as error:
        known = isinstance(error, (pa.ArrowException, OSError, ValueError, ImportError))
        if not known and not _is_url(path):  # libraries of stores have errors of their own
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        msg = f"{path}: cannot be {done}: {reason}{advice}"
        raise kind(msg) from error


def _is_url(path: str | Path) -> bool:
    return "://" in str(path)


def _system_of(url: str, storage: Mapping[str, Any]) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    # fsspec keeps file systems by process, so that those of a forked one are its own.
    system, path = url_to_fs(url, **storage)
    return system, path


def _tag(info: Mapping[str, Any]) -> str | None:
    tag = info.get("ETag") or info.get("etag")
    return None if tag is None else str(tag).strip('"')
