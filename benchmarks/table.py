"""What people see of a benchmark: tables on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.peers import MEDIAN_ROW_RATE, SLOWEST_SHARE

_MISSING = "-"
_MIB = 1 << 20


def show_machine(console: Console, machine: Mapping[str, Any]) -> None:
    """Show where the figures come from."""
    libraries = ", ".join(f"{name} {known}" for name, known in machine["libraries"].items())
    console.print(
        f"{machine['usable_processors']} processors ({machine['processor'] or 'unknown'}), "
        f"{machine['system']} {machine['architecture']}, Python {machine['python']}, "
        f"synthgen {machine['synthgen']}, {libraries}"
    )


def show_speed(console: Console, steps: Sequence[Mapping[str, Any]]) -> None:
    """Show every step with its rate, and the rate's ratios to peer and limit."""
    ratios = ("x basic_arithmetic", "x its median row", "x limit")
    table = aligned("step", "rows", "seconds", "rows/s per core", *ratios)
    for step in steps:
        table.add_row(
            step["name"],
            f"{step['rows']:,}",
            f"{step['median_seconds']:.3f}",
            f"{step['rows_per_second_per_core']:,.0f}",
            figure(step["ratio_to_basic_arithmetic"], digits=1),
            figure(step["ratio_to_its_median_row"], digits=1),
            figure(step["ratio_to_write_limit"], digits=2),
        )
    console.print(table)
    for step in steps:
        if "cpu_seconds" in step:
            _show_build(console, step)
    peers = [step for step in steps if "measured_rows" in step]
    for peer in peers:
        console.print(
            f"{peer['name']}: of {peer['distribution']} {peer['version']}, measured on "
            f"{peer['measured_rows']:,} rows and scaled; the slowest thousandth of the rows took "
            f"{peer[SLOWEST_SHARE]:.0%} of the time, the median row is one of "
            f"{peer[MEDIAN_ROW_RATE]:,.0f} a second"
        )
    if not peers:
        missing = "reasoning-gym is not installed, so left out: pip install -e '.[bench]'"
        console.print(missing, markup=False)


def _show_build(console: Console, step: Mapping[str, Any]) -> None:
    phases = ", ".join(f"{name} {spent:.2f} s" for name, spent in step["phase_seconds"].items())
    console.print(
        f"{step['name']}: {step['cores']} working processes, "
        f"{step['cpu_seconds']:.2f} s of CPU time; {phases}; "
        f"peak memory {_mib(step['main_peak_bytes'])} in the main process, "
        f"{_mib(step['worker_peak_bytes'])} in the largest worker"
    )


SCALING = ("rows", "seconds", "us/row", "CPU us/row", "all processes", "selection B/row")


def show_scaling(console: Console, builds: Sequence[Mapping[str, Any]]) -> None:
    """Show time and memory by the size of the build."""
    table = aligned(*SCALING)
    for row in scaling_rows(builds):
        table.add_row(*row)
    console.print(table)


def scaling_rows(builds: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return a row of texts for each size, with the columns of `SCALING`."""
    return [
        (
            f"{build['rows']:,}",
            f"{build['seconds']:.2f}",
            f"{1e6 * build['seconds'] / build['rows']:.2f}",
            f"{1e6 * build['cpu_seconds'] / build['rows']:.2f}",
            _mib(build["peak_bytes"]),
            f"{build['selection_bytes_per_row']:.1f}",
        )
        for build in builds
    ]


def show_families(console: Console, families: Sequence[Mapping[str, Any]]) -> None:
    """Show the builds of each family: by the phases alone, and from process start to exit."""
    table = aligned("recipe", "rows", "candidates", "rows/s", "whole s", "whole rows/s", "x limit")
    for one in families:
        table.add_row(
            one["recipe"],
            f"{one['rows']:,}",
            f"{one['candidates']:,}",
            f"{one['phase_rows_per_second']:,.0f}",
            f"{one['whole_seconds']:.2f}",
            f"{one['rows_per_second']:,.0f}",
            f"{one['ratio_to_write_limit']:.2f}",
        )
    console.print(table)


def show_loading(console: Console, cases: Sequence[Mapping[str, Any]]) -> None:
    """Show how fast rows are read, by the clock and by CPU time, and the peaks of memory."""
    table = aligned("case", "rows", "rows/s", "rows/CPU s", "memory", "of a dataset x4")
    for one in cases:
        table.add_row(
            one["name"],
            f"{one['rows']:,}",
            f"{one['rows_per_second']:,.0f}",
            f"{one['rows_per_cpu_second']:,.0f}",
            _mib(one["peak_bytes"]),
            _mib(one.get("large_peak_bytes")),
        )
    console.print(table)


def show_cold_start(console: Console, cold: Mapping[str, Any]) -> None:
    """Show what the first build costs."""
    console.print(
        f"{cold['recipe']} with {cold['rows']:,} rows: {cold['cold_seconds']:.2f} s with no "
        f"compiled kernel there, {cold['warm_seconds']:.2f} s with all"
    )


def aligned(*names: str) -> Table:
    """Return a table whose columns are aligned to the right, except the first."""
    table = Table(*names, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def figure(value: float | None, digits: int = 0) -> str:
    """Return a figure as text, or a dash if it was not measured."""
    return _MISSING if value is None else f"{value:,.{digits}f}"


def _mib(size: int | None) -> str:
    return _MISSING if size is None else f"{size / _MIB:,.0f} MiB"
