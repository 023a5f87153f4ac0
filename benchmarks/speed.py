"""The speed benchmark: whole builds, their steps, the limit and the peer, one after the other."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.builds import SPEED_RECIPE, measure_builds
from benchmarks.limits import LIMIT, measure_limits
from benchmarks.measure import Measurement
from benchmarks.peers import BASELINE, MEDIAN_ROW_RATE, measure_peers
from benchmarks.steps import measure_steps


def measure_speed(rows: int, peer_rows: int, repeats: int) -> list[dict[str, Any]]:
    """Measure everything in one go, so that the ratios are between figures of one machine.

    Args:
        rows: of the build.
        peer_rows: most rows that the peer generates in a run.
        repeats: runs of everything that are counted.
    """
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "dataset"
        build = measure_builds(folder, rows, repeats)
        limits = measure_limits(folder, repeats)
    steps = measure_steps(SPEED_RECIPE, rows, repeats)
    peers = measure_peers(rows, min(rows, peer_rows), repeats)
    return with_ratios([*steps, build, *limits, *peers])


def with_ratios(measurements: list[Measurement]) -> list[dict[str, Any]]:
    """Return the measurements with their rates over those of peer and limit."""
    named = {measurement.name: measurement for measurement in measurements}
    rates = {name: measurement.rate for name, measurement in named.items()}
    median_rate = named[BASELINE].facts.get(MEDIAN_ROW_RATE) if BASELINE in named else None
    return [
        {
            **measurement.to_dict(),
            "ratio_to_basic_arithmetic": _over(measurement.rate, rates.get(BASELINE)),
            "ratio_to_its_median_row": _over(measurement.rate, median_rate),
            "ratio_to_write_limit": _over(measurement.rate, rates.get(LIMIT)),
        }
        for measurement in measurements
    ]


def _over(rate: float, other: float | None) -> float | None:
    return None if other is None else rate / other
