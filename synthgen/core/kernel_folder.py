"""The folder of compiled kernels, named by a hash of everything that they are made from.

Numba stores compiled kernels and compares only a kernel's own file to decide whether they are
valid. The functions that a kernel calls and the constants that it reads are compiled into it as
well, and come from other files: after an update, kernels in unchanged files would run old code.
The hash covers this package and the packages that register families, except for parts that no
kernel can read, and the versions of Python, numba and llvmlite; numba itself keeps kernels of
different processors apart. Kernels of any other module, such as a script, are valid as numba judges
them.

Numba unpickles what it finds in the folder, so nobody else may be able to write there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from functools import cache
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path

from synthgen.core.errors import SynthgenError

_PACKAGE = Path(__file__).parents[1]
_CACHES = "__pycache__"
_ABOVE_KERNELS = {"auditing", "cli", "dataset", "formats", "recipe", "training", "verifying"}
"""Folders of this package that no module with kernels may import."""
_MIXED = "synthgen/engine/"
"""Folder whose modules with kernels import none of its modules without."""
_GROUPS = ("synthgen.families", "synthgen.generators", "synthgen.verifiers")
_SETTING = "NUMBA_CACHE_DIR"
_UNUSED_SECONDS = 24 * 3600
"""Time after which the kernels of other sources are removed: a process may still load some."""


@cache
def kernel_folder() -> str:
    """Return the folder of compiled kernels, which only these sources and this user write.

    It is in the folder that the user has set for numba, in the package, among the user's caches or
    in the temporary folder: the first of them where it can be written.

    Raises:
        SynthgenError: if none of them can be written.
    """
    prefix = f"synthgen-{os.geteuid()}-"
    name = prefix + _hash_of_sources()
    for base in _bases():
        if base.is_absolute() and _is_ready(base, name):
            return str(base / name)
    msg = f"no folder for compiled kernels can be written; set {_SETTING} to one that can"
    raise SynthgenError(msg)


def _bases() -> Iterator[Path]:
    if given := os.environ.get(_SETTING):
        yield Path(given).absolute()
    yield _PACKAGE / _CACHES
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "synthgen")  # noqa: PTH111  # without an error if there is no home
    yield Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108  # the folder in it is checked


def _is_ready(base: Path, name: str) -> bool:
    """Return whether a folder exists, or can be created, that only this user can write."""
    folder = base / name
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        around = base.stat().st_mode
        if around & stat.S_IWOTH and not around & stat.S_ISVTX:  # others could exchange the folder
            return False
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
            _remove_unused(base, name)
        if not _is_private(folder):
            return False
        os.utime(folder)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _is_private(folder: Path) -> bool:
    status = folder.lstat()
    own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return own and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _remove_unused(base: Path, name: str) -> None:
    """Remove this user's folders of other sources that no process has begun to use lately."""
    for folder in base.glob(f"{name.rpartition('-')[0]}-*"):
        if _is_private(folder) and time.time() - folder.stat().st_mtime > _UNUSED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _hash_of_sources() -> str:
    digest = hashlib.sha256(repr((sys.version, version("numba"), version("llvmlite"))).encode())
    families = sorted(path for path in (_PACKAGE / "families").iterdir() if path.is_dir())
    for root in (_PACKAGE, *families, *_third_parties()):
        left_out = {"families", *_ABOVE_KERNELS} if root == _PACKAGE else set()
        above = f"{root.parent}/"
        contents = {path.removeprefix(above): _content(path) for path in _sources(root, left_out)}
        if root != _PACKAGE and not any(map(_has_kernels, contents.values())):
            continue  # whoever edits a plain family need not compile the kernels of all others
        for path, content in contents.items():
            if not path.startswith(_MIXED) or _has_kernels(content):
                digest.update(f"{path}\0{len(content)}\0".encode())
                digest.update(content)
    return digest.hexdigest()[:16]


def _content(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123  # at half the time
        return file.read()


_SIGNS = (b"synthgen.core.kernels", b"synthgen.authoring.compiled", b"import njit")
"""Text of modules that may compile kernels."""


def _has_kernels(content: bytes) -> bool:
    return any(sign in content for sign in _SIGNS)


def _third_parties() -> Iterator[Path]:
    """Yield the folders and files of the packages that register families, without importing."""
    points = [point for group in _GROUPS for point in entry_points(group=group)]
    named = {point.value.partition(":")[0].partition(".")[0].strip() for point in points}
    for package in sorted(named - {"synthgen"}):
        try:
            spec = find_spec(package)
        except (ImportError, ValueError):
            continue
        if spec is not None:
            yield from map(Path, spec.submodule_search_locations or [spec.origin or ""])


def _sources(root: Path, left_out: Collection[str] = ()) -> Iterator[str]:
    """Yield the paths of modules and of the words that they read, in a fixed order."""
    if root.is_file():
        yield str(root)
    elif root.is_dir():
        with os.scandir(root) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
        for entry in entries:
            if entry.is_dir():
                if entry.name != _CACHES and entry.name not in left_out:
                    yield from _sources(Path(entry.path))
            elif entry.name.endswith((".py", ".toml")):
                yield entry.path
