"""`python -m benchmarks`: measure, show a table, and keep the figures as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.builds import measure_cold_start, measure_scaling
from benchmarks.families import measure_families
from benchmarks.loading import measure_loading
from benchmarks.machine import machine_facts
from benchmarks.nearest import measure_nearest
from benchmarks.performance import PAGE, PLOT, draw_plot, show_nearest, write_page
from benchmarks.speed import measure_speed
from benchmarks.table import (
    show_cold_start,
    show_families,
    show_loading,
    show_machine,
    show_scaling,
    show_speed,
)

_RESULTS = Path(__file__).with_name("results")
_ROWS, _QUICK_ROWS = 1_000_000, 50_000
_PEER_ROWS, _QUICK_PEER_ROWS = 50_000, 2_000
_REPEATS, _QUICK_REPEATS = 5, 1
_SCALING_ROWS = 10_000_000
_NEAREST_SECONDS, _QUICK_NEAREST_SECONDS = 1.0, 0.01
_WIDTH = 120
_INSTEAD = {"scaling", "cold", "families", "loading", "nearest"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks asked for; without any, that of speed.

    Args:
        arguments: of the command line, by default those of this process.

    Returns:
        Exit code.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.page and not options.performance:
        parser.error("--page needs --performance")
    rows = options.rows or (_QUICK_ROWS if options.quick else _ROWS)
    repeats = options.repeats or (_QUICK_REPEATS if options.quick else _REPEATS)
    console = Console(
        highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else _WIDTH
    )
    result: dict[str, Any] = {"rows": rows, "repeats": repeats, "machine": machine_facts()}
    show_machine(console, result["machine"])
    if options.scaling or options.performance:
        most = rows if options.rows or options.quick else _SCALING_ROWS
        result["scaling"] = measure_scaling(most)
        show_scaling(console, result["scaling"])
    if options.cold:
        result["cold"] = measure_cold_start()
        show_cold_start(console, result["cold"])
    if options.families:
        result["families"] = measure_families(options.rows if not options.quick else rows, repeats)
        show_families(console, result["families"])
    if options.loading:
        result["loading"] = measure_loading(rows, repeats)
        show_loading(console, result["loading"])
    if options.performance:
        seconds = _QUICK_NEAREST_SECONDS if options.quick else _NEAREST_SECONDS
        result["nearest"] = measure_nearest(seconds, repeats)
        show_nearest(console, result["nearest"])
    if not result.keys() & _INSTEAD:
        peer_rows = _QUICK_PEER_ROWS if options.quick else _PEER_ROWS
        result["speed"] = measure_speed(rows, peer_rows, repeats)
        show_speed(console, result["speed"])
    path = options.json or _RESULTS / f"{_name(result, quick=options.quick)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if options.page:
        write_page(result, PAGE)
        draw_plot(result, PLOT)
    console.print(f"figures: {path}", markup=False)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=_positive, help=f"of the build, by default {_ROWS:,}")
    parser.add_argument("--repeats", type=_positive, help=f"by default {_REPEATS}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="by default in results/")
    parser.add_argument("--quick", action="store_true", help="few rows, one run: does it work?")
    parser.add_argument(
        "--scaling",
        action="store_true",
        help=f"time and memory from 1,000 rows to --rows ({_SCALING_ROWS:,}), instead",
    )
    parser.add_argument(
        "--cold", action="store_true", help="a first build without compiled kernels, instead"
    )
    parser.add_argument(
        "--families", action="store_true", help="whole builds of every family, instead"
    )
    parser.add_argument(
        "--loading", action="store_true", help="rows per second into training, instead"
    )
    parser.add_argument(
        "--performance",
        action="store_true",
        help="every family beside reasoning-gym's nearest task, and --scaling, instead",
    )
    parser.add_argument(
        "--page", action="store_true", help="write the figures of --performance into its page"
    )
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        msg = f"{text!r}: expected a whole number from 1"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _name(result: dict[str, Any], *, quick: bool) -> str:
    known = ("speed", *sorted(_INSTEAD))
    parts = [name for name in known if name in result]
    return "-".join([*parts, "quick"] if quick else parts)


if __name__ == "__main__":
    sys.exit(main())
