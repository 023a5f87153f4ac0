"""Removal of compiled kernels that depend on a changed source other than their own.

Numba caches compiled kernels next to the sources and recompiles when the file of a kernel changes.
But functions that a kernel calls, and constants that it reads, are compiled into it as well, and
may come from other files: after an update of a checkout, kernels in unchanged files would still
run old code, and make rows that differ from those of their source.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

_Stamps: TypeAlias = dict[str, list[int]]
"""Time of the last change and size of each source, by its path from the folder of the package."""

_CACHES = "__pycache__"
_RECORD = f"{_CACHES}/sources.json"
_IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+([\w.]+)(?:[ \t]+import[ \t]*(\([^)]*\)|.*))?", re.MULTILINE
)


def remove_stale_kernels(package: Path) -> list[Path]:
    """Remove the compiled kernels of all modules that import a changed source.

    Args:
        package: folder of the package; a read-only folder is left unchanged.

    Returns:
        The files removed.
    """
    now, record = dict(_stamps(package, "")), package / _RECORD
    before = _read(record)
    if before == now or not os.access(package, os.W_OK):
        return []
    changed = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
    removed: list[Path] = []
    with suppress(OSError):
        for kernels in _kernels_of(package, changed):
            kernels.unlink(missing_ok=True)
            removed.append(kernels)
        _write(record, now)
    return removed


def _stamps(folder: Path, place: str) -> Iterator[tuple[str, list[int]]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = place + entry.name
            if not entry.is_dir():
                found = entry.stat()
                yield name, [found.st_mtime_ns, found.st_size]
            elif entry.name != _CACHES:
                yield from _stamps(folder / entry.name, f"{name}/")


def _read(record: Path) -> _Stamps:
    """Return the recorded stamps; nothing if unreadable, so that all sources count as changed."""
    try:
        found = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(record: Path, stamps: _Stamps) -> None:
    record.parent.mkdir(exist_ok=True)
    whole = record.with_name(f"{record.name}.{os.getpid()}")  # others may start at the same time
    whole.write_text(json.dumps(stamps), encoding="utf-8")
    whole.replace(record)


def _kernels_of(package: Path, changed: set[str]) -> list[Path]:
    """Return the compiled kernels of changed modules and their direct or indirect importers."""
    kernels = sorted(package.rglob(f"{_CACHES}/*.nb[ci]"))
    if not kernels or any(not name.endswith(".py") for name in changed):
        return kernels
    importers = _importers(package)
    stale = {_module(package.name, name) for name in changed}
    open_ends = list(stale)
    while open_ends:
        for module in importers.get(open_ends.pop(), ()):
            if module not in stale:
                stale.add(module)
                open_ends.append(module)
    return [path for path in kernels if _owner(package, path) in stale]


def _importers(package: Path) -> Mapping[str, set[str]]:
    """Return the modules of a package that import each name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in package.rglob("*.py"):
        module = _module(package.name, path.relative_to(package).as_posix())
        for source, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
            found[source].add(module)
            for name in re.findall(r"\w+", names):
                found[f"{source}.{name}"].add(module)
    return found


def _module(package: str, name: str) -> str:
    """Return the name of the module in a file of a package."""
    dotted = f"{package}/{name.removesuffix('.py')}".replace("/", ".")
    return dotted.removesuffix(".__init__")


def _owner(package: Path, kernels: Path) -> str:
    """Return the module that kernels belong to, by the beginning of their file name."""
    folder = kernels.parent.parent.relative_to(package).as_posix()
    stem = kernels.name.split(".")[0]
    return _module(package.name, f"{folder}/{stem}.py" if folder != "." else f"{stem}.py")
