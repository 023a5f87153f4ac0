"""Progress of a build: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column
from rich.text import Text

from synthgen.cli.common import say, say_error
from synthgen.engine.progress import Display

_MAX_SILENCE = 3.0
"""Seconds without a row after which the reason is shown."""
_STARTING = "starting; a first run compiles kernels"
_BETWEEN_LINES = 10.0


class Notes(Display):
    """Shows remarks only, beside the output."""

    def note(self, text: str) -> None:
        """Print a remark."""
        say_error(f"note: {text}")


def state_of(done: int, total: int, doing: str, seconds: float) -> str:
    """Return one line on a phase: its rows, what it searches, or why there are no rows yet.

    While all rows are there and the search goes on, their number says nothing and is left out.
    """
    if doing and done >= total:
        return doing
    if not done and seconds > _MAX_SILENCE:
        return doing or _STARTING
    return f"{done:,} of {total:,} rows" + (f"; {doing}" if doing else "")


class _Bar(BarColumn):
    """A bar, while there is something to measure."""

    def render(self, task: Task) -> RenderableType:  # type: ignore[override]
        """Draw the bar, or nothing before the first row and while a search goes on."""
        searching = task.fields["doing"] and task.finished
        return super().render(task) if task.completed and not searching else Text()


class _State(ProgressColumn):
    """What a phase has done, and its speed."""

    def __init__(self) -> None:
        super().__init__(Column(ratio=1, no_wrap=True, overflow="ellipsis"))

    def render(self, task: Task) -> Text:
        """Show one line that is cut at the edge of the terminal."""
        doing = task.fields["doing"]
        total = int(task.total or 0)
        text = state_of(int(task.completed), total, doing, task.elapsed or 0.0)
        speed = f", {task.speed:,.0f} rows/s" if task.speed and not doing else ""
        return Text(text + speed, style="dim")


class ProgressBars(Notes):
    """Progress of each phase as a line with a bar on a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._task = TaskID(0)
        self._shown = 0.0

    def start(self, phase: str, total: int) -> None:
        """Show the bar of a phase."""
        self._progress = Progress(
            TextColumn("{task.description:6}"),
            _Bar(bar_width=16),
            _State(),
            TimeElapsedColumn(),
            console=self._console,
            expand=True,
        )
        self._task = self._progress.add_task(phase, total=total, doing="")
        self._progress.start()

    def update(self, done: int, doing: Callable[[], str] | None = None) -> None:
        """Advance the bar, and say every second what is searched."""
        if not self._progress:
            return
        self._progress.update(self._task, completed=done)
        if doing is None:
            self._progress.update(self._task, doing="")
        elif perf_counter() - self._shown > 1:
            self._shown = perf_counter()
            self._progress.update(self._task, doing=doing())

    def stop(self) -> None:
        """Stop updating the bar."""
        if self._progress:
            self._progress.update(self._task, doing="")
            self._progress.stop()


class ProgressLines(Notes):
    """A plain line per phase, and one every ten seconds, for redirected output."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._phase = ""
        self._total = self._done = 0
        self._began = self._shown = 0.0
        self._line = ""

    def start(self, phase: str, total: int) -> None:
        """Record the start of a phase."""
        self._phase, self._total, self._done = phase, total, 0
        self._began = self._shown = perf_counter()

    def update(self, done: int, doing: Callable[[], str] | None = None) -> None:
        """Record the progress, and print it every ten seconds if it has changed."""
        self._done = done
        now = perf_counter()
        if now - self._shown > _BETWEEN_LINES:
            self._shown = now
            state = state_of(done, self._total, doing() if doing else "", now - self._began)
            line = f"{self._phase}: {state}"
            if line != self._line:
                say(self._console, line)
            self._line = line

    def stop(self) -> None:
        """Print the line of the phase."""
        seconds = perf_counter() - self._began
        speed = f", {self._done / seconds:,.0f} rows/s" if seconds > 0 and self._done else ""
        say(self._console, f"{self._phase}: {self._done:,} rows in {seconds:.2f} s{speed}")


def display_of(console: Console) -> ProgressBars | ProgressLines:
    """Return progress bars for a terminal, plain lines otherwise."""
    return ProgressBars(console) if console.is_terminal else ProgressLines(console)
