"""The whole build through the command line, as a process of its own: time, memory, first start."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import Measurement
from benchmarks.processes import ROOT, ProcessRun, run_python

SPEED_RECIPE = Path(__file__).with_name("hint-1m.toml")
COLD_RECIPE = ROOT / "recipes" / "hint.toml"
SMALL_ROWS = 1_000
_SCALE = 10


@dataclass(frozen=True, slots=True)
class Build:
    """One measured build, and the JSON that it printed."""

    run: ProcessRun
    report: dict[str, Any]


def measure_builds(folder: Path, rows: int, repeats: int) -> Measurement:
    """Time whole builds, after one that is not counted and stays in `folder`.

    Args:
        folder: for the dataset of the first build.
        rows: of the dataset.
        repeats: builds that are counted, each into a new folder.
    """
    options = ["--rows", str(rows)]
    build(SPEED_RECIPE, folder, options)
    builds = [_build_aside(SPEED_RECIPE, options) for _ in range(repeats)]
    runs = [build.run for build in builds]
    children = [run.children or 0 for run in runs if run.children is not None]
    cores = max(1, *children) if children else os.cpu_count() or 1
    phases = builds[0].report["seconds"]
    return Measurement(
        "whole build",
        rows,
        tuple(run.seconds for run in runs),
        cores,
        {
            "cpu_seconds": median(run.cpu_seconds for run in runs),
            "main_peak_bytes": _largest([run.main_bytes for run in runs]),
            "worker_peak_bytes": _largest([run.child_bytes for run in runs]),
            "phase_seconds": {
                name: median(build.report["seconds"][name] for build in builds) for name in phases
            },
            "candidates": builds[0].report["manifest"]["selection"]["candidates"],
        },
    )


def measure_scaling(most: int) -> list[dict[str, Any]]:
    """Return time and peak memory of builds from 1,000 rows on, each ten times the last."""
    _build_aside(SPEED_RECIPE, ["--rows", str(SMALL_ROWS)])  # compiling takes memory, too
    found = []
    rows = SMALL_ROWS
    while rows <= most:
        build = _build_aside(SPEED_RECIPE, ["--rows", str(rows)])
        selection = build.report["manifest"]["selection"]
        found.append(
            {
                "rows": rows,
                "seconds": build.run.seconds,
                "cpu_seconds": build.run.cpu_seconds,
                "peak_bytes": build.run.all_bytes,
                "candidates": selection["candidates"],
                "selection_bytes_per_row": selection["bytes_per_row"],
            }
        )
        rows *= _SCALE
    return found


def measure_cold_start() -> dict[str, Any]:
    """Time a small build with no compiled kernel there, and again with those that it left."""
    with TemporaryDirectory() as cache:
        environment = {"NUMBA_CACHE_DIR": cache}
        options = ["--rows", str(SMALL_ROWS)]
        cold = _build_aside(COLD_RECIPE, options, environment)
        warm = _build_aside(COLD_RECIPE, options, environment)
    return {
        "recipe": COLD_RECIPE.name,
        "rows": SMALL_ROWS,
        "cold_seconds": cold.run.seconds,
        "warm_seconds": warm.run.seconds,
    }


def _build_aside(
    recipe: Path, options: Sequence[str], environment: dict[str, str] | None = None
) -> Build:
    """Build into a folder that is gone afterwards."""
    with TemporaryDirectory() as scratch:
        return build(recipe, Path(scratch) / "dataset", options, environment)


def build(
    recipe: Path, folder: Path, options: Sequence[str], environment: dict[str, str] | None = None
) -> Build:
    """Build a recipe into a folder, by the command line as a process of its own."""
    command = ["-m", "synthgen", "build", str(recipe), "--fresh", "--json", "--out", str(folder)]
    run = run_python([*command, *options], environment)
    return Build(run, json.loads(run.output))


def _largest(sizes: Sequence[int | None]) -> int | None:
    known = [size for size in sizes if size is not None]
    return max(known, default=None)
