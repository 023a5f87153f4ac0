"""What a benchmark measured: wall seconds of repeated runs, and the rate that follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Any


@dataclass(frozen=True, slots=True)
class Measurement:
    """Repeated timings of one piece of work.

    Attributes:
        name: of the work.
        rows: that one run dealt with.
        runs: wall seconds of each run.
        cores: that a run kept busy.
        facts: whatever else is worth recording.
    """

    name: str
    rows: int
    runs: tuple[float, ...]
    cores: int = 1
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Median of the runs."""
        return median(self.runs)

    @property
    def rate(self) -> float:
        """Rows per second and core."""
        return self.rows / (self.seconds * self.cores)

    def to_dict(self) -> dict[str, Any]:
        """Return what goes into the JSON file."""
        return {
            "name": self.name,
            "rows": self.rows,
            "runs_seconds": list(self.runs),
            "median_seconds": self.seconds,
            "cores": self.cores,
            "rows_per_second_per_core": self.rate,
            **self.facts,
        }


def timed(
    action: Callable[[], object], repeats: int, warm_up: Callable[[], object] | None = None
) -> tuple[float, ...]:
    """Return the wall seconds of `repeats` runs, after a warm-up: by default one more run."""
    (warm_up or action)()
    return tuple(_once(action) for _ in range(repeats))


def _once(action: Callable[[], object]) -> float:
    began = perf_counter()
    action()
    return perf_counter() - began
