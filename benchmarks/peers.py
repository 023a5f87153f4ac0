"""A peer: reasoning-gym making arithmetic problems, one row at a time, on one core.

Its rows are generated and thrown away: not compared with each other, checked, or written.
"""

from __future__ import annotations

from benchmarks.machine import installed_version
from benchmarks.measure import Measurement, timed

DISTRIBUTION = "reasoning-gym"
BASELINE = "basic_arithmetic"
_DATASETS = (BASELINE, "chain_sum")
_SEED = 1
_WARM_UP_ROWS = 100


def measure_peers(measured: int, repeats: int) -> list[Measurement]:
    """Time the peer's datasets with their default settings; nothing if it is not installed.

    Args:
        measured: rows generated in each run.
        repeats: runs that are counted.
    """
    version = installed_version(DISTRIBUTION)
    if version is None:
        return []
    facts = {"distribution": DISTRIBUTION, "version": version}
    for name in _DATASETS:
        _generate(name, _WARM_UP_ROWS)
    return [
        Measurement(name, measured, timed(lambda: _generate(name, measured), repeats), facts=facts)
        for name in _DATASETS
    ]


def _generate(name: str, rows: int) -> int:
    """Generate rows, and return how many there were."""
    import reasoning_gym

    return sum(1 for _ in reasoning_gym.create_dataset(name, size=rows, seed=_SEED))
