"""Whole processes: wall and CPU time, and the peak memory of each process of the tree."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Thread
from time import perf_counter

ROOT = Path(__file__).parent.parent
_PROC = Path("/proc")
_INTERVAL = 0.01
"""Seconds between two looks at the processes; a peak in the last of them may be missed."""


@dataclass(frozen=True, slots=True)
class ProcessRun:
    """One finished command.

    Attributes:
        seconds: wall time from start to end.
        cpu_seconds: user and system time of the whole tree.
        main_bytes: largest resident memory of the process itself, None without /proc.
        child_bytes: that of its largest descendant, 0 without one. Pages that a forked process
            shares with its parent count for both.
        all_bytes: the sum of those of all processes, an upper bound of their memory together.
        children: most descendants at one time, None without /proc.
        output: what it printed.
    """

    seconds: float
    cpu_seconds: float
    main_bytes: int | None
    child_bytes: int | None
    all_bytes: int | None
    children: int | None
    output: str


def run_python(
    arguments: Sequence[str], environment: Mapping[str, str] | None = None
) -> ProcessRun:
    """Run this Python in the root of the project and measure it.

    Args:
        arguments: after the interpreter.
        environment: variables beside those of this process.

    Raises:
        RuntimeError: if the command fails, with what it printed.
    """
    command = [sys.executable, *arguments]
    with TemporaryFile() as output, TemporaryFile() as errors:
        began = perf_counter()
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=errors,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
        )
        with _Watch(process.pid) as watch:
            _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        printed, complaint = output.read().decode(), errors.read().decode()
    if process.returncode:
        msg = f"{' '.join(command)}: exit code {process.returncode}\n{printed}{complaint}"
        raise RuntimeError(msg)
    peaks = watch.peaks
    main = peaks.pop(process.pid, None)
    return ProcessRun(
        seconds=seconds,
        cpu_seconds=sum(watch.cpu.values()) or usage.ru_utime + usage.ru_stime,
        main_bytes=main,
        child_bytes=None if main is None else max(peaks.values(), default=0),
        all_bytes=None if main is None else main + sum(peaks.values()),
        children=None if main is None else watch.most_children,
        output=printed,
    )


@dataclass
class _Watch:
    """Notes the memory and CPU time of a process and of its descendants while it runs.

    What wait4 reports will not do: its largest resident size is one number for the whole tree and
    begins with the size of the process that started it, and it leaves out the time of descendants
    that nobody waits for.
    """

    pid: int
    peaks: dict[int, int] = field(default_factory=dict)
    cpu: dict[int, float] = field(default_factory=dict)
    most_children: int = 0

    def __enter__(self) -> _Watch:
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(_INTERVAL):
            found = descendants(self.pid)
            self.most_children = max(self.most_children, len(found))
            for pid in (self.pid, *found):
                peak = _peak_bytes(pid)
                if peak:
                    self.peaks[pid] = max(peak, self.peaks.get(pid, 0))
                self.cpu[pid] = max(_cpu_seconds(pid), self.cpu.get(pid, 0.0))


def descendants(pid: int) -> list[int]:
    """Return the children of all threads of a process, and theirs; none if it has ended."""
    found: list[int] = []
    try:
        for path in (_PROC / str(pid) / "task").glob("*/children"):
            found += map(int, path.read_text().split())
    except OSError:
        return []
    return [*found, *(each for child in found for each in descendants(child))]


def _cpu_seconds(pid: int) -> float:
    """Return the user and system time of a process, 0 if it has ended."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_bytes(pid: int) -> int | None:
    """Return the largest resident size that a process has had, or None if it has ended."""
    try:
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return None
    sizes = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return sizes[0] * 1024 if sizes else None
