"""`python -m benchmarks.rewrites`: rows a second of the string systems, beside reasoning-gym's.

Ours are drawn, written as text and verified, on one core; the peer's are generated, with its
default settings, and thrown away. Both have the same kind of problems: strings of 5 to 20 letters
with 3 to 8 rules, and programs of ten tokens.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.machine import installed_version, machine_facts
from benchmarks.measure import Measurement, timed
from benchmarks.peers import DISTRIBUTION
from benchmarks.table import show_machine
from synthgen.core.contract import Render
from synthgen.core.randomness import Rows, stream_key
from synthgen.families.string_systems.family import StringSystems
from synthgen.families.string_systems.verify import VERIFIERS

_SEED = 1
_BATCH = 10_000
_MOST_ROWS = 20_000
_SOLUTIONS = ("none", "steps")
_OURS = {
    "string_manipulation": StringSystems("manipulation", empty=True),
    "ab": StringSystems("ab", min_length=10, max_length=10, empty=True),
}
"""Our generator for each dataset of the peer."""


def measure_systems(rows: int, peer_rows: int, repeats: int) -> list[Measurement]:
    """Time both for every system, ours without and with steps; ours alone without the peer.

    Args:
        rows: of ours in each run; at most 20,000 are made.
        peer_rows: of the peer in each run.
        repeats: runs that are counted.
    """
    found = []
    rows = min(rows, _MOST_ROWS)
    for name, generator in _OURS.items():
        for solution in _SOLUTIONS:
            runs = timed(lambda g=generator, s=solution: _make(g, s, rows), repeats)  # type: ignore[misc]
            found.append(Measurement(f"synthgen {name}, {solution}", rows, runs))
        version = installed_version(DISTRIBUTION)
        if version is not None:
            runs = timed(lambda n=name: _generate(n, peer_rows), repeats)  # type: ignore[misc]
            facts = {"distribution": DISTRIBUTION, "version": version}
            found.append(Measurement(f"{DISTRIBUTION} {name}", peer_rows, runs, facts=facts))
    return found


def _make(generator: StringSystems, solution: str, rows: int) -> None:
    """Draw, write and verify rows."""
    stream = stream_key(_SEED, "benchmark")
    for start in range(0, rows, _BATCH):
        problems = generator.draw(Rows.span(stream, start, min(start + _BATCH, rows)))
        texts = generator.render(problems, Render("bare", solution))
        right = VERIFIERS["string_systems"].check(texts.prompts, texts.answers, texts.solutions)
        if not bool(np.all(right | ~problems.valid)):
            msg = f"{generator.system}: a row was not verified"
            raise RuntimeError(msg)


def _generate(name: str, rows: int) -> int:
    import reasoning_gym

    return sum(1 for _ in reasoning_gym.create_dataset(name, size=rows, seed=_SEED))


def show(console: Console, steps: Sequence[Mapping[str, Any]]) -> None:
    """Show the rate of each, and say so if the peer's is missing."""
    table = Table("generator", "rows", "seconds", "rows/s per core")
    for step in steps:
        rate = f"{step['rows_per_second_per_core']:,.0f}"
        table.add_row(step["name"], f"{step['rows']:,}", f"{step['median_seconds']:.3f}", rate)
    console.print(table)
    if not any(step["name"].startswith(DISTRIBUTION) for step in steps):
        console.print(f"{DISTRIBUTION} is not installed: its string systems are not measured")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, show, and keep the figures as JSON if asked to.

    Args:
        arguments: of the command line, by default those of this process.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rewrites", description=__doc__)
    parser.add_argument("--rows", type=int, default=_MOST_ROWS)
    parser.add_argument("--peer-rows", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    console = Console(highlight=False, soft_wrap=True)
    machine = machine_facts()
    show_machine(console, machine)
    steps = measure_systems(options.rows, options.peer_rows, options.repeats)
    systems = [step.to_dict() for step in steps]
    show(console, systems)
    if options.json:
        result = {"machine": machine, "systems": systems}
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        console.print(f"figures: {options.json}", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
