"""Builds in processes of their own: how they begin and end, and what a killed one leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.faults.common import TRACEBACK, Tally, environment

_PATIENCE = 600.0
_ORPHAN_SECONDS = 20.0


def start(command: list[str], more: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start a build in a session of its own.

    Args:
        command: its command line.
        more: variables of its environment.
    """
    return subprocess.Popen(
        command,
        env=environment() | dict(more or {}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def await_moment(build: subprocess.Popen[bytes], has_come: Callable[[], bool]) -> None:
    """Wait for something that a build does, or for its end."""
    while build.poll() is None and not has_come():
        time.sleep(0.002)


def end(build: subprocess.Popen[bytes], tally: Tally) -> tuple[int, str]:
    """Wait for the end of a build; return its exit code and what it said in stderr."""
    assert build.stderr is not None  # noqa: S101
    try:
        build.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        tally.expect(False, "builds that hang", build.args)
        os.killpg(build.pid, signal.SIGKILL)
    os.set_blocking(build.stderr.fileno(), False)  # orphans may have it open
    said = (build.stderr.read() or b"").decode().strip()
    build.stderr.close()
    tally.expect(TRACEBACK not in said, "tracebacks", said)
    return build.wait(), said


def is_mixture(found: dict[str, str], new: dict[str, str], old: dict[str, str]) -> bool:
    """Return whether a reader would find parts of two builds, or a part of one."""
    if "manifest.json" in found:
        return not any(wanted and wanted.items() <= found.items() for wanted in (new, old))
    rows = _rows_and_card(found)
    return len(rows) > 1 and rows not in (_rows_and_card(new), _rows_and_card(old))


def _rows_and_card(found: dict[str, str]) -> dict[str, str]:
    """Return what other loaders read; they need no manifest."""
    rows = {name: digest for name, digest in found.items() if name.startswith("data/")}
    return {**rows, "README.md": found.get("README.md", "")} if rows else {}


def alive(sessions: list[int]) -> list[int]:
    """Return the processes of some sessions that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = path.read_text("utf-8").rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if state not in "ZX" and int(session) in sessions:
            found.append(int(path.parent.name))
    return found


def await_end(sessions: list[int]) -> list[int]:
    """Wait until all processes of some sessions have ended; return those that have not."""
    until = time.monotonic() + _ORPHAN_SECONDS
    while (left := alive(sessions)) and time.monotonic() < until:
        time.sleep(0.05)
    return left
