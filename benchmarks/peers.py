"""A peer: reasoning-gym making arithmetic problems, one row at a time, on one core.

Its rows are generated and thrown away: not compared with each other, checked, or written. The time
of basic_arithmetic is uneven: rare rows with huge quotients, whose divisors it tries one by one,
take most of it, so its mean rate depends on the seed and falls with the number of rows measured.
The rate of its median row is the robust figure, and both are recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.machine import installed_version
from benchmarks.measure import Measurement, timed

DISTRIBUTION = "reasoning-gym"
BASELINE = "basic_arithmetic"
_DATASETS = (BASELINE, "chain_sum")
_SEED = 1
MEDIAN_ROW_RATE = "rows_per_second_of_median_row"
SLOWEST_SHARE = "share_of_slowest_thousandth"


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
    import reasoning_gym

    def generate() -> int:
        return sum(1 for _ in reasoning_gym.create_dataset(name, size=measured, seed=_SEED))

    spent: list[float] = []
    runs = timed(generate, repeats, warm_up=lambda: spent.extend(_row_seconds(name, measured)))
    spent.sort(reverse=True)
    return Measurement(
        name,
        rows,
        tuple(run * rows / measured for run in runs),
        facts={
            **facts,
            MEDIAN_ROW_RATE: 1 / median(spent),
            SLOWEST_SHARE: sum(spent[: max(1, measured // 1_000)]) / sum(spent),
        },
    )


def _row_seconds(name: str, measured: int) -> Iterator[float]:
    """Yield how long each row takes; a few can take most of the time."""
    import reasoning_gym

    dataset = reasoning_gym.create_dataset(name, size=measured, seed=_SEED)
    for index in range(measured):
        began = perf_counter()
        dataset[index]
        yield perf_counter() - began
