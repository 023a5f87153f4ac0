"""Every family beside its nearest peer and builds of growing size: a table, a page and a plot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.peers import DISTRIBUTION
from benchmarks.processes import ROOT
from benchmarks.table import SCALING, aligned, figure, scaling_rows

PAGE = ROOT / "docs" / "performance.md"
PLOT = ROOT / "docs" / "images" / "performance.svg"
_HEAD = ("family", "nearest task", "generated", "stored", "its generated", "its stored", "times")
_BLOCK = "<!-- {name}: written by `just bench --performance --page` -->\n{text}<!-- end -->\n"
Figures = Mapping[str, Any]


def show_nearest(console: Console, figures: Sequence[Figures]) -> None:
    """Show both rates of every family, and say so if the peer is missing."""
    table = aligned(*_HEAD)
    for row in _rows(figures):
        table.add_row(*row)
    console.print(table)
    console.print("rows per CPU second of one process; ours are verified before they are stored")
    if not any("peer_stored_per_cpu_second" in one for one in figures):
        console.print(f"{DISTRIBUTION} is not installed: its tasks are not measured")


def write_page(result: Figures, page: Path) -> None:
    """Replace the blocks of a page that a run produces.

    Args:
        result: of the run, with `machine`, `nearest` and `scaling`.
        page: with a block for `run`, `families` and `scaling`.

    Raises:
        ValueError: if the page lacks a block.
    """
    blocks = {
        "run": _run_facts(result),
        "families": _markdown(_HEAD, _rows(result["nearest"]), left=2),
        "scaling": _markdown(SCALING, scaling_rows(result["scaling"]), left=0),
    }
    text = page.read_text(encoding="utf-8")
    for name, content in blocks.items():
        pattern = re.escape(_BLOCK).replace(r"\{name\}", name).replace(r"\{text\}", r"[^<]*")
        block = _BLOCK.format(name=name, text=content)
        text, found = re.subn(pattern, lambda _, block=block: block, text)  # type: ignore[misc]
        if found != 1:
            msg = f"{page}: no block {name}"
            raise ValueError(msg)
    page.write_text(text, encoding="utf-8")


def draw_plot(result: Figures, file: Path) -> None:
    """Draw the rates of all families, and time and memory a row by the size of a build.

    Raises:
        ImportError: without matplotlib.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    heights = [0.17 * len(result["nearest"]), 3]
    file.parent.mkdir(parents=True, exist_ok=True)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "synthgen", "font.size": 8}):
        figure = Figure(figsize=(8, sum(heights) + 1), layout="constrained")
        rates, scaling = figure.subplots(2, 1, height_ratios=heights)
        _draw_rates(rates, result["nearest"])
        _draw_scaling(scaling, result["scaling"])
        figure.savefig(file, metadata={"Date": None})


def _draw_rates(axes: Any, figures: Sequence[Figures]) -> None:
    marks = {
        "write_limit_per_cpu_second": ("|", "tab:gray", "write limit"),
        "generated_per_cpu_second": ("o", "none", "generated"),
        "stored_per_cpu_second": ("o", "tab:blue", "verified and stored"),
        "peer_stored_per_cpu_second": ("D", "tab:orange", f"{DISTRIBUTION}, stored"),
    }
    for key, (mark, color, label) in marks.items():
        known = [(one[key], place) for place, one in enumerate(figures) if key in one]
        if known:
            edge = {} if mark == "|" else {"edgecolors": "tab:blue" if color == "none" else color}
            places = zip(*known, strict=True)
            axes.scatter(*places, s=16, c=color, marker=mark, label=label, **edge)
    axes.set_yticks(range(len(figures)), [" / ".join(_names(one)) for one in figures])
    axes.set_ylim(len(figures), -1)
    axes.set(xscale="log", xlabel="rows per CPU second")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower left")


def _draw_scaling(axes: Any, builds: Sequence[Figures]) -> None:
    rows = [one["rows"] for one in builds]
    axes.plot(rows, [1e6 * one["seconds"] / one["rows"] for one in builds], "o-", label="us")
    memory = [one["peak_bytes"] / one["rows"] for one in builds]
    axes.plot(rows, memory, "s--", label="bytes of memory, all processes")
    axes.set(xscale="log", yscale="log", xlabel="rows of a build of HINT", ylabel="for each row")
    axes.grid(alpha=0.3)
    axes.legend()


def _run_facts(result: Figures) -> str:
    machine = result["machine"]
    libraries = ", ".join(f"{name} {known}" for name, known in machine["libraries"].items())
    ratios = [
        one["stored_per_cpu_second"] / one["peer_stored_per_cpu_second"]
        for one in result["nearest"]
        if "peer_stored_per_cpu_second" in one
    ]
    twice, as_fast = (sum(ratio >= least for ratio in ratios) for least in (2, 1))
    return (
        f"{machine['usable_processors']} processors ({machine['processor']}), "
        f"Python {machine['python']},\n{libraries}.\n\n"
        f"Beside {len(ratios)} tasks of the peer, verified rows are stored at least twice as fast "
        f"in {twice}, as fast in {as_fast - twice} more,\nand slower in {len(ratios) - as_fast}.\n"
    )


def _names(one: Figures) -> list[str]:
    return [name for name in (one["family"], one["task"]) if name]


def _rows(figures: Sequence[Figures]) -> list[tuple[str, ...]]:
    found = []
    for one in figures:
        ours, theirs = one["stored_per_cpu_second"], one.get("peer_stored_per_cpu_second")
        rates = (one["generated_per_cpu_second"], ours, one.get("peer_generated_per_cpu_second"))
        times = theirs and ours / theirs
        row = (one["family"], one["task"] or "-", *map(figure, (*rates, theirs)), figure(times, 1))
        found.append(row)
    return found


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """Return a table whose columns are aligned to the right, except the first ones."""
    rule = ["---"] * left + ["--:"] * (len(head) - left)
    lines = [head, rule, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
