"""OMEGA families level by level: whole builds, beside the rates of the published generators."""

from __future__ import annotations

import time
from dataclasses import fields
from math import exp, log
from pathlib import Path
from statistics import geometric_mean
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.omega_peer import MAX_PEER_LEVEL, PEER_FAMILIES, peer_rate
from benchmarks.omega_published import PUBLISHED
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, generator_names, load_verifier
from synthgen.draws.randomness import Rows
from synthgen.engine.build import build
from synthgen.engine.plan.plan import make_plan
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine, usable_cores
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides

_MIN_ROWS, _MAX_ROWS = 200, 1_000_000
_TRIED_ROWS = 64
_SMALL_BLOCK = 128
_LONG_ENOUGH = 0.7
_STATED = Render("instruction", "none")
_MAX_COPIES = 64
_SHARDS = 8
"""Shards of a build of many rows, so that all workers have some to write."""
_SOURCE = """
[[source]]
name = "copy{copy}"
generator = "{family}"
params = {{ levels = [{level}]{more} }}
"""
_REST = """
[[split]]
name = "train"
rows = {rows}
[dedup]
on = "none"
[limits]
shortfall = "allow"
[output]
rows_per_shard = {shard}
"""


def omega_families() -> list[str]:
    """Return the families of OMEGA: every generator with numbered levels."""
    return [name for name in generator_names() if hasattr(generator_class(name), "n_levels")]


def measure_omega(
    families: list[str], seconds: float, checkout: Path | None = None
) -> list[dict[str, Any]]:
    """Build each family at each level for about so many seconds.

    Repeats of a problem are let through, as a level may have fewer problems than rows are needed
    for the clock.

    Args:
        families: names of generators.
        seconds: that a build takes.
        checkout: of the published repository, whose generators then run in turn with ours where
            `omega_peer` knows how.
    """
    with LocalEngine(usable_cores(), families) as engine, TemporaryDirectory() as scratch:
        if families:  # the first build waits until the workers have started
            _timed_build(_recipe(families[0], 1, _MIN_ROWS, 1), engine, Path(scratch))
        return [
            _measure(family, level, seconds, engine, Path(scratch))
            | _beside(checkout, family, level, seconds)
            for family in families
            for level in range(1, generator_class(family).n_levels + 1)  # type: ignore[attr-defined]
        ]


def _beside(checkout: Path | None, family: str, level: int, seconds: float) -> dict[str, Any]:
    if checkout is None or family not in PEER_FAMILIES or level > MAX_PEER_LEVEL:
        return {}
    return {"peer_rows_per_second": peer_rate(checkout, family, level, seconds)}


def _measure(
    family: str, level: int, seconds: float, engine: LocalEngine, scratch: Path
) -> dict[str, Any]:
    """Build with more rows until it takes about so long, as starting weighs on short builds."""
    rows, copies = _fitting(family, level, _rate(family, level) * seconds)
    while True:
        made, spent = _timed_build(_recipe(family, level, rows, copies), engine, scratch)
        more, more_copies = _fitting(family, level, rows * seconds / spent)
        if spent >= _LONG_ENOUGH * seconds or more <= rows:
            break
        rows, copies = more, more_copies
    published = published_rate(family, level)
    return {
        "family": family,
        "level": level,
        "rows": made,
        "seconds": spent,
        "rows_per_second": made / spent,
        "published_rows_per_second": published,
        "ratio_to_published": made / spent / published if published else None,
    }


def _fitting(family: str, level: int, rows: float) -> tuple[int, int]:
    """Return a number of rows near this that makes whole blocks, and of sources that have them."""
    generator: Any = generator_class(family)(levels=(level,))  # type: ignore[call-arg]
    block = generator.block
    fewest = max(_MIN_ROWS, usable_cores() * min(block, _SMALL_BLOCK))  # work for all workers
    fitting = min(_MAX_ROWS, max(fewest, int(rows)))
    space = generator.space
    if space and fitting > space and not _repeats(family):
        copies = min(_MAX_COPIES, -(-fitting // space))
        return copies * space, copies
    return (fitting // block * block if fitting > block else fitting), 1


def _repeats(family: str) -> bool:
    kind: Any = generator_class(family)
    return any(field.name == "repeats" for field in fields(kind))


def _recipe(family: str, level: int, rows: int, copies: int) -> str:
    """Return the recipe of a build in which a small space is gone through several times."""
    more = f", repeats = {rows}" if _repeats(family) else ""
    sources = [
        _SOURCE.format(copy=copy, family=family, level=level, more=more) for copy in range(copies)
    ]
    return (
        'name = "speed"\n'
        + "".join(sources)
        + _REST.format(rows=rows, shard=max(1_000, rows // _SHARDS))
    )


def _timed_build(text: str, engine: LocalEngine, scratch: Path) -> tuple[int, float]:
    """Build, and return the rows made and the seconds taken."""
    recipe = scratch / "speed.toml"
    recipe.write_text(text, encoding="utf-8")
    # A folder for each build: a worker may still end a task of the last one.
    with TemporaryDirectory(dir=scratch) as folder:
        begun = time.perf_counter()
        plan = make_plan(read_recipe(recipe, Overrides()))
        built = build(plan, Path(folder) / "out", engine, Phases())
        spent = time.perf_counter() - begun
    return sum(split.rows for split in built.manifest.splits), spent


def _rate(family: str, level: int) -> float:
    """Return about how many rows a second a build makes, from a few rows in this process."""
    generator: Any = generator_class(family)(levels=(level,))  # type: ignore[call-arg]
    verifier = load_verifier(generator.verifier)
    for attempt in range(2):  # the first one compiles
        rows = min(_TRIED_ROWS, generator.block)
        begun = time.perf_counter()
        problems = generator.draw(Rows.span(attempt, 0, min(rows, generator.space or rows)))
        problems = generator.draw(Rows(attempt, problems.rows.addresses[problems.valid]))
        texts = generator.render(problems, _STATED)
        verifier.check(texts.prompts, texts.answers, None)
        spent = time.perf_counter() - begun
    return max(1, len(problems)) / spent * usable_cores()


def published_rate(family: str, level: int) -> float | None:
    """Return the rows a second of the published generator at a level.

    Levels between two known ones get the value between them on a logarithmic scale; those beyond
    get none.
    """
    known = {place: rate for place, rate in enumerate(PUBLISHED.get(family, ()), 1) if rate}
    if level in known:
        return known[level]
    below = [place for place in known if place < level]
    above = [place for place in known if place > level]
    if not below or not above:
        return None
    low, high = max(below), min(above)
    share = (level - low) / (high - low)
    return exp(log(known[low]) * (1 - share) + log(known[high]) * share)


def show_omega(console: Console, figures: list[dict[str, Any]]) -> None:
    """Show a line for each family: rates by level, and how many times the published ones."""
    levels = range(1, max(figure["level"] for figure in figures) + 1)
    table = Table("rows/s", *(f"L{level}" for level in levels))
    for family in dict.fromkeys(figure["family"] for figure in figures):
        own = {figure["level"]: figure for figure in figures if figure["family"] == family}
        table.add_row(family, *(_cell(own.get(level)) for level in levels))
    console.print(table)
    ratios = [f["ratio_to_published"] for f in figures if f["ratio_to_published"]]
    if ratios:
        mean = geometric_mean(ratios)
        console.print(f"times the published generators: {mean:.0f} (geometric mean)", markup=False)
    for figure in figures:
        if "peer_rows_per_second" in figure:
            peer = figure["peer_rows_per_second"]
            times = figure["rows_per_second"] / peer
            name = f"{figure['family']} L{figure['level']}"
            console.print(f"{name}: {times:.1f} times the {peer:,.0f} rows/s of its published one")


def _cell(figure: dict[str, Any] | None) -> str:
    if figure is None:
        return ""
    ratio = figure["ratio_to_published"]
    return f"{figure['rows_per_second']:,.0f}" + (f" ({ratio:,.0f}x)" if ratio else "")
