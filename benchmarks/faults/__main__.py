"""`python -m benchmarks.faults`: run campaigns, print their counts, exit 1 if anything is wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.faults.calls import calls
from benchmarks.faults.common import Tally
from benchmarks.faults.disk import disk
from benchmarks.faults.flip import flip
from benchmarks.faults.forge import forge
from benchmarks.faults.fuzz import fuzz
from benchmarks.faults.kill import kill
from benchmarks.faults.page import write_row
from benchmarks.faults.ray import ray
from benchmarks.faults.store import store
from benchmarks.machine import machine_facts

CAMPAIGNS = {
    "kill": kill,
    "disk": disk,
    "calls": calls,
    "flip": flip,
    "forge": forge,
    "store": store,
    "ray": ray,
    "fuzz": fuzz,
}
PAGE = Path(__file__).parents[2] / "docs/reliability.md"
"""Where a full run writes what it did."""
_NAME, _WIDTH = 10, 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaigns that are named, or all.

    Args:
        arguments: of the command line, by default those of this process.

    Returns:
        Exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument(
        "campaign",
        nargs="*",
        metavar="|".join(CAMPAIGNS),
        help="default: all; store needs s3fs and moto[server], and ray needs ray",
    )
    parser.add_argument("--size", choices=("small", "full"), default="small")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if unknown := {*options.campaign} - {*CAMPAIGNS}:
        parser.error(f"unknown campaign {min(unknown)!r}; known: {', '.join(CAMPAIGNS)}")
    facts = machine_facts()
    print(f"size {options.size}, seed {options.seed}, Python {facts['python']}, ", end="")
    print(f"{facts['usable_processors']} processors")
    failed = False
    for name in options.campaign or CAMPAIGNS:
        began = perf_counter()
        with TemporaryDirectory(prefix=f"synthgen-{name}-") as folder:
            tally = CAMPAIGNS[name](options.size, options.seed, Path(folder))
        seconds = perf_counter() - began
        show(name, tally, seconds)
        if options.size == "full" and not tally.skipped:
            run = f"size {options.size}, seed {options.seed}, {seconds:,.0f} s on "
            run += f"{facts['usable_processors']} processors"
            write_row(PAGE, name, run, tally)
        failed = failed or bool(tally.wrong.total())
    return int(failed)


def show(name: str, tally: Tally, seconds: float) -> None:
    """Print the counts of a campaign at 80 columns, and its first failures."""
    if tally.skipped:
        print(f"\n{name:{_NAME}}{tally.skipped}")
        return
    print(f"\n{name:{_NAME}}{f'{seconds:,.0f} seconds':>{_WIDTH - _NAME}}")
    for what, number in tally.did.items():
        print(f"  {what:{_WIDTH - 12}}{number:>10,}")
    for what, number in tally.wrong.items():
        print(f"  {f'wrong: {what}':{_WIDTH - 12}}{number:>10,}")
    for example in tally.examples:
        print(f"  {example}")


if __name__ == "__main__":
    sys.exit(main())
