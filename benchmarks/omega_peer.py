"""The published OMEGA generators themselves, run in turn with our builds.

Known rates come from another machine (`omega_published.py`). Where a family is close to them, only
a run on the same machine in the same minutes tells how the two compare. The generators are not
ours to ship: whoever has a checkout of their repository (sunblaze-ucb/math_ood) gives its folder.
They are called as their own scripts call them, and each problem is written as a line of JSON.

Run as a program, this file is the process that does so.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter

from benchmarks.processes import run_python

_FUNCTION = "generate_n_constraint_problems"
_MODULES = {
    "geometry_polygon_color": "modules.generate_polygon_coloring_problems",
    "logic_puzzles_grid_chip": "modules.generate_constraint_maximization_problems",
}
_ARGUMENTS: dict[str, Callable[[int], tuple[int, ...]]] = {
    "geometry_polygon_color": lambda level: (2 * level + 4, 2 * level + 5),
    "logic_puzzles_grid_chip": lambda level: (level + 3,),
}
"""What follows the number of problems: fewest and most vertices, or the side of the board."""
PEER_FAMILIES = tuple(_MODULES)
MAX_PEER_LEVEL = 5
_TRIED, _LARGEST_TRY = 100, 1_000_000


def peer_rate(checkout: Path, family: str, level: int, seconds: float) -> float:
    """Return the problems a second of the published generator, in a process of its own.

    Args:
        checkout: of the published repository.
        family: one of `PEER_FAMILIES`.
        level: of difficulty, 1 to 5.
        seconds: about how long it runs.

    Raises:
        RuntimeError: if its process fails, as it does without the repository's files.
    """
    arguments = [str(checkout), family, str(level), str(seconds)]
    return float(run_python(["-m", "benchmarks.omega_peer", *arguments]).output)


def _rate(checkout: str, family: str, level: int, seconds: float) -> float:
    """Let it make more problems until they take about so long."""
    sys.path.insert(0, checkout)
    make = getattr(importlib.import_module(_MODULES[family]), _FUNCTION)
    rows = _TRIED
    while True:
        begun = perf_counter()
        with TemporaryFile("w", encoding="utf-8") as file:
            for problem in make(rows, *_ARGUMENTS[family](level)):
                file.write(json.dumps(problem, ensure_ascii=False) + "\n")
        spent = perf_counter() - begun
        if spent >= seconds / 2 or rows >= _LARGEST_TRY:
            return rows / spent
        rows = min(_LARGEST_TRY, max(2 * rows, int(rows * seconds / spent)))


if __name__ == "__main__":
    _checkout, _family, _level, _seconds = sys.argv[1:]
    print(_rate(_checkout, _family, int(_level), float(_seconds)))
