"""Progress of a build, independent of its display."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter


class Display:
    """Shows the phases of a build; this one shows nothing."""

    def start(self, phase: str, total: int) -> None:
        """Begin a phase of `total` rows."""

    def update(self, done: int, doing: Callable[[], str] | None = None) -> None:
        """Show that `done` rows of the phase are finished, and what goes on."""

    def note(self, text: str) -> None:
        """Show a remark on the recipe."""

    def stop(self) -> None:
        """End the phase."""


@dataclass
class Phases:
    """Times the phases of a build and passes their progress on.

    Attributes:
        seconds: Wall time by phase.
    """

    display: Display = field(default_factory=Display)
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str, total: int) -> Iterator[Display]:
        """Run a phase under its name; one of no rows is not shown."""
        began = perf_counter()
        display = self.display if total else Display()
        display.start(name, total)
        try:
            yield display
        finally:
            display.stop()
            self.seconds[name] = perf_counter() - began
