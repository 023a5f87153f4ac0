"""What the campaigns share: counts, digests, and commands of synthgen under limits."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import multiprocessing
import os
import resource
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from typing import Any
from unittest import mock

from benchmarks.processes import ROOT
from synthgen.core.errors import SynthgenError

TRACEBACK = "Traceback (most recent call last)"
PATIENCE = 600.0
"""Seconds after which a command counts as a hang, on a busy machine, too."""
_MAX_SECONDS, _MAX_BYTES = 60.0, 2 << 30
"""Bounds of the processor time and memory of one command; a first one may compile kernels."""
SMALL = """
name = "small"
[[source]]
generator = "hint"
params = { max_operators = 4, max_value = 100 }
[[split]]
name = "train"
rows = 400
where = "n_op <= 2"
[[split]]
name = "test"
rows = 100
where = "n_op > 2"
[[split]]
name = "valid"
rows = 100
where = "n_op = 4"
[[split]]
name = "dev"
rows = 100
where = "n_op = 4"
[output]
rows_per_shard = 200
[run]
workers = 1
"""
"""A recipe whose build has four splits: one in two shards, and three whose rules overlap."""
_ADDRESS_SPACE = 16 << 30
_MAX_EXAMPLES = 10


@dataclass
class Tally:
    """What a campaign did, and what went wrong.

    Attributes:
        did: number of things done, by name.
        wrong: number of failed checks by name; 0 for checks that never failed.
        examples: descriptions of the first failures.
        skipped: why the campaign did nothing, "" if it ran.
    """

    did: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    skipped: str = ""

    def expect(self, holds: bool, wrong: str, example: object) -> None:  # noqa: FBT001
        """Count a check, under the name of its failure."""
        self.wrong[wrong] += not holds
        if not holds and len(self.examples) < _MAX_EXAMPLES:
            self.examples.append(f"{wrong}: {example}")

    def add(self, other: Tally) -> None:
        """Add what another tally has counted."""
        for mine, more in ((self.did, other.did), (self.wrong, other.wrong)):
            for what, number in more.items():
                mine[what] += number
        self.examples += other.examples[: _MAX_EXAMPLES - len(self.examples)]


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes:
        code: exit code, None if it was killed.
        out, err: output.
        seconds: processor time.
        peak_bytes: memory.
        outside: paths that it wrote or removed where it must not.
    """

    code: int | None
    out: str = ""
    err: str = ""
    seconds: float = 0.0
    peak_bytes: int = 0
    outside: tuple[str, ...] = ()


class Commands:
    """Runs commands of synthgen one by one in a process of its own, under limits.

    A command takes milliseconds, as modules and kernels are loaded once. A command that hangs is
    killed with its process, and the next one gets a new process.

    Args:
        folder: the only one in which commands may write, besides the cache of kernels.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Commands:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()

    def run(self, *arguments: str, of: Callable[..., None] | None = None) -> Ended:
        """Run one command, or a function instead."""
        self._connection.send((of or _command, arguments))
        try:
            if self._connection.poll(PATIENCE):
                ended: Ended = self._connection.recv()
                return ended
        except EOFError:
            pass
        self.__exit__()
        self._start()
        return Ended(None)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, self._folder), daemon=True)
        with mock.patch.dict(os.environ, environment() | {"TMPDIR": str(self._folder)}):
            self._process.start()
        other.close()


def skipped_without(**packages: str) -> str:
    """Return why a campaign is skipped, "" if all packages that it needs are there.

    Args:
        packages: what pip installs for each name that is imported.
    """
    missing = {name: package for name, package in packages.items() if find_spec(name) is None}
    if not missing:
        return ""
    return f"skipped without {' and '.join(missing)}: pip install {' '.join(missing.values())}"


def expect_bounds(tally: Tally, ended: Ended, example: object) -> None:
    """Count a command that hangs, crashes, shows a traceback or takes too much memory."""
    tally.expect(ended.code is not None, "hangs and crashes", example)
    tally.expect(TRACEBACK not in ended.out + ended.err, "tracebacks", f"{example}\n{ended.err}")
    tally.expect(ended.seconds <= _MAX_SECONDS, "commands over 60 seconds", example)
    tally.expect(ended.peak_bytes <= _MAX_BYTES, "commands over 2 GiB", example)
    tally.expect(not ended.outside, "writes outside of the folder", f"{ended.outside}: {example}")


def environment() -> dict[str, str]:
    """Return the environment of commands: this checkout first, wide lines."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "400"}


def build_command(*arguments: str) -> list[str]:
    """Return the command line of a build by two workers in a process of its own."""
    return [sys.executable, "-m", "synthgen", "build", *arguments, "--workers", "2"]


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder, hidden ones too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):  # workers may remove files
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def expect_same(tally: Tally, found: dict[str, str], wanted: dict[str, str], what: object) -> None:
    """Count files that differ, are missing or are left over."""
    other = [name for name in wanted if found.get(name) != wanted[name]]
    tally.expect(not other, "builds with other bytes", f"{what}: {other}")
    left = [*(found.keys() - wanted.keys())]
    tally.expect(not left, "builds with left-over files", f"{what}: {left}")


def _serve(connection: Connection, folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    outside: list[str] = []
    _watch(folder, outside)
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        ended = _run(function, arguments)
        connection.send(replace(ended, outside=tuple(outside)))
        outside.clear()


_CHANGES = {
    "os.mkdir": 1,
    "os.remove": 1,
    "os.rename": 2,
    "os.rmdir": 1,
    "os.symlink": 2,
    "os.truncate": 1,
}
"""Events that change files, and the number of their arguments that are paths."""


def _watch(folder: Path, outside: list[str]) -> None:
    """Add to a list every path outside of a folder that this process changes from now on."""
    inside = (f"{folder.resolve()}/", "/dev/", f"/proc/{os.getpid()}/")

    def heed(event: str, arguments: tuple[Any, ...]) -> None:
        paths: tuple[Any, ...] = arguments[: _CHANGES.get(event, 0)]
        if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            paths = arguments[:1]
        if event in ("os.remove", "os.rmdir") and arguments[1] >= 0:
            return  # below a folder that is open, so its opening was seen
        for path in paths:
            if isinstance(path, str | bytes | os.PathLike):
                real = os.path.realpath(os.fsdecode(path))
                if not f"{real}/".startswith(inside) and "__pycache__" not in real:
                    outside.append(f"{event} {real}")

    sys.addaudithook(heed)


def run_here(*arguments: str, of: Callable[..., None] | None = None) -> Ended:
    """Run one command, or a function instead, in this process and without limits."""
    return _run(of or _command, arguments)


def _command(*arguments: str) -> None:
    from synthgen.__main__ import main

    try:
        with mock.patch.object(sys, "argv", ["synthgen", *arguments]):
            main()
    finally:
        gc.unfreeze()  # main assumes that its process ends


def _run(function: Callable[..., None], arguments: Sequence[str]) -> Ended:
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forget the peak so far
    began, out, err = process_time(), io.StringIO(), io.StringIO()
    code: int = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            function(*arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except SynthgenError as error:  # of a function; commands have shown it
            code = error.exit_code
            print(error, file=sys.stderr)
        except BaseException:  # noqa: BLE001  # what an interpreter would print
            code = 1
            traceback.print_exc()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = int(status.partition("VmHWM:")[2].split()[0]) * 1024
    return Ended(code, out.getvalue(), err.getvalue(), process_time() - began, peak)
