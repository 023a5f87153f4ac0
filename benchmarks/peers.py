"""A peer: reasoning-gym making arithmetic problems, one row at a time, on one core.

Its rows are generated and thrown away: not compared with each other, checked, or written.
"""

from __future__ import annotations

from typing import Any

from benchmarks.machine import installed_version
from benchmarks.measure import Measurement, timed

DISTRIBUTION = "reasoning-gym"
BASELINE = "basic_arithmetic"
_DATASETS = (BASELINE, "chain_sum")
_SEED = 1
_WARM_UP_ROWS = 100


def measure_peers(rows: int, measured: int, repeats: int) -> list[Measurement]:
    """Time the peer's datasets with their default settings; nothing if it is not installed.

    Args:
        rows: that the seconds are scaled to.
        measured: rows generated in each run.
        repeats: runs that are counted.
    """
    version = installed_version(DISTRIBUTION)
    if version is None:
        return []
    facts = {"distribution": DISTRIBUTION, "version": version, "measured_rows": measured}
    return [_measure(name, rows, measured, repeats, facts) for name in _DATASETS]


def _measure(
    name: str, rows: int, measured: int, repeats: int, facts: dict[str, Any]
) -> Measurement:
    def generate(count: int = measured) -> int:
        return sum(1 for _ in reasoning_gym.create_dataset(name, size=count, seed=_SEED))

    import reasoning_gym

    runs = timed(generate, repeats, warm_up=lambda: generate(_WARM_UP_ROWS))
    return Measurement(name, rows, tuple(run * rows / measured for run in runs), facts=facts)
