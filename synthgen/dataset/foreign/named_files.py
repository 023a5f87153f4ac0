"""Files that a user names: paths, folders, patterns, URLs, and what a shell pipes in."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import has_magic, iglob
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any

from synthgen.core.errors import DatasetError, ParamError
from synthgen.core.files import check_name
from synthgen.dataset.foreign import known_ending
from synthgen.dataset.manifest import MANIFEST_FILE

STDIN = "-"
SPLIT_FILE, SPLIT_DATA = "split.json", "data"
"""Record in the folder of a split, and folder with its rows."""
_PIPED = re.compile(r"/dev/(stdin|fd/\d+)|/proc/self/fd/\d+")
_MAX_FILES = 10_000
_SHARD = re.compile(r"[-_.]?\d+-of-\d+$|[-_.]\d+$")
_TRAIN = re.compile(r"(?<![a-z])train(ing)?(?![a-z])", re.IGNORECASE)


def is_foreign(name: str) -> bool:
    """Return whether a name means files of rows rather than a synthgen dataset."""
    if name == STDIN or _PIPED.fullmatch(name):
        return True
    if "://" in name:
        return known_ending(name) or has_magic(name)
    path = Path(name)
    if path.is_dir():
        return not (path / MANIFEST_FILE).exists() and any(map(known_ending, _in_folder(path)))
    return path.is_file() or (has_magic(name) and not path.exists())


@contextmanager
def local_files(names: Sequence[str]) -> Iterator[list[Path]]:
    """Yield the local files that names mean, in order; copies live inside the `with` block.

    A folder means the files of a known format in it and in its folders, and a pattern such as
    `data/*.jsonl` every file that fits. URLs, and what is piped in, are copied first, as an audit
    reads its files several times.

    Raises:
        ParamError: if a name means no file, or too many.
        DatasetError: if a URL or pipe cannot be read.
    """
    with TemporaryDirectory(prefix="synthgen-") as folder:
        files = [path for name in names for path in _files_of(name, Path(folder))]
        if len(files) > _MAX_FILES:
            raise ParamError("FILE", ", ".join(names), f"at most {_MAX_FILES:,} files")
        yield files


def by_split(files: Sequence[Path]) -> dict[str, list[Path]]:
    """Group files by the split in their names: `test` for `test-00000-of-00002.parquet`.

    >>> [*by_split([Path("train-0-of-2.csv"), Path("train-1-of-2.csv"), Path("dev.csv")])]
    ['train', 'dev']
    """
    groups: dict[str, list[Path]] = {}
    for path in files:
        stem = path.name.split(".")[0] or path.name
        split = _SHARD.sub("", stem)
        groups.setdefault("train" if _TRAIN.search(split) else split, []).append(path)
    return groups


def _files_of(name: str, copies: Path) -> list[Path]:
    check_name(name)
    if name == STDIN:
        return [_copied(sys.stdin.buffer, copies / "standard-input")]
    if _PIPED.fullmatch(name):
        with Path(name).open("rb") as file:
            return [_copied(file, copies / name.strip("/").replace("/", "-"))]
    if "://" in name:
        return _fetched(name, copies)
    path = Path(name)
    if path.is_dir():
        found = [each for each in _in_folder(path) if known_ending(each)]
    elif has_magic(name) and not path.exists():
        fitting = map(Path, iglob(name, recursive=True))  # noqa: PTH207, as the name may be absolute
        found = sorted(each for each in fitting if each.is_file())
    else:
        return [path]
    if not found:
        raise ParamError("FILE", name, "a name that means at least one file")
    return found


def _in_folder(folder: Path) -> list[Path]:
    """Return the files in a folder that are not hidden, sorted by path; of a split, its rows."""
    inside = folder / SPLIT_DATA if (folder / SPLIT_FILE).is_file() else folder
    files = (path for path in inside.rglob("*") if path.is_file())
    return sorted(
        path for path in files if not any(p.startswith(".") for p in path.relative_to(folder).parts)
    )


def _copied(file: IO[bytes], path: Path) -> Path:
    with path.open("wb") as copy:
        shutil.copyfileobj(file, copy)
    return path


def _fetched(url: str, copies: Path) -> list[Path]:
    """Copy the files of a URL, which may have a pattern, and return the copies."""
    import fsspec

    def fetch(system: Any, inside: str, number: int) -> Path:
        folder = copies / str(number)
        folder.mkdir(exist_ok=True)
        path = folder / (PurePosixPath(inside).name or "file")
        with system.open(inside, "rb") as file:
            return _copied(file, path)

    try:
        system, inside = fsspec.core.url_to_fs(url)
        found = sorted(system.glob(inside)) if has_magic(inside) else [inside]
        if len(found) > _MAX_FILES:
            raise ParamError("FILE", url, f"at most {_MAX_FILES:,} files")
        first = len([*copies.iterdir()])
        fetched = [fetch(system, each, number) for number, each in enumerate(found, first)]
    except ParamError:
        raise
    except Exception as error:  # noqa: BLE001  # stores raise errors of their own libraries
        msg = f"{url}: cannot be read: {error}"
        raise DatasetError(msg) from None
    if not fetched:
        raise ParamError("FILE", url, "a URL that means at least one file")
    return fetched
