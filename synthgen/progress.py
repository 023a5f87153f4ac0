"""Progress of a build on a terminal, or as plain lines elsewhere."""

from __future__ import annotations

from time import perf_counter

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

_PATIENCE = 3.0
"""Seconds without a row after which somebody who watches is told why."""


class _Speed(ProgressColumn):
    """Rows a second."""

    def render(self, task: Task) -> Text:
        """Show the speed once there is one, and until then what the first rows may wait for."""
        told = f"{task.speed:,.0f} rows/s" if task.speed else ""
        if not task.completed and (task.elapsed or 0) > _PATIENCE:
            told = "no rows yet; new kernels are compiled once"
        return Text(told, style="dim")


class Bars:
    """Progress of each phase as a bar, on a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._task = TaskID(0)

    def start(self, phase: str, total: int) -> None:
        """Show the bar of a phase."""
        self._progress = Progress(
            TextColumn("{task.description:8}"),
            BarColumn(),
            TextColumn("{task.completed:,} of {task.total:,}"),
            _Speed(),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._task = self._progress.add_task(phase, total=total)
        self._progress.start()

    def update(self, done: int) -> None:
        """Move the bar."""
        if self._progress:
            self._progress.update(self._task, completed=done)

    def stop(self) -> None:
        """Leave the bar as it is."""
        if self._progress:
            self._progress.stop()


class Lines:
    """One plain line a phase, where nobody watches."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._phase = ""
        self._began = 0.0
        self._done = 0

    def start(self, phase: str, total: int) -> None:  # noqa: ARG002  # the display's contract
        """Remember when the phase began."""
        self._phase, self._began, self._done = phase, perf_counter(), 0

    def update(self, done: int) -> None:
        """Remember how far it is."""
        self._done = done

    def stop(self) -> None:
        """Write its line."""
        seconds = perf_counter() - self._began
        speed = f", {self._done / seconds:,.0f} rows/s" if seconds > 0 and self._done else ""
        self._console.print(f"{self._phase}: {self._done:,} rows in {seconds:.2f} s{speed}")
