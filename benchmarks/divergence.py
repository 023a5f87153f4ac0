"""Splits of maximum compound divergence: what bundled recipes reach by seed, and how fast.

The search is one thread, so its processor time is what it takes on an idle machine.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.processes import ROOT
from synthgen.engine.plan.plan import make_plan
from synthgen.engine.select.select import select
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides

RECIPES = ("scan-mcd-ngrams", "scan-mcd", "hint-mcd", "pcfg-mcd")
_SEEDS = range(1, 4)
_QUICK = ("divergence.starts=1", "divergence.effort=1", "limits.shortfall=allow")


def measure_divergence(*, quick: bool = False) -> list[dict[str, Any]]:
    """Select the rows of each recipe, pool and search included, once a seed.

    Args:
        quick: the first recipe and seed only, with hardly any search.
    """
    engine = LocalEngine(1)
    recipes, seeds = (RECIPES[:1], _SEEDS[:1]) if quick else (RECIPES, _SEEDS)
    out = []
    for name in recipes:
        path = ROOT / "recipes" / f"{name}.toml"
        _selected(path, Overrides(seed=0, sets=_QUICK), engine)  # compiles
        for seed in seeds:
            overrides = Overrides(seed=seed, sets=_QUICK if quick else ())
            out.append({"recipe": name, "seed": seed, **_selected(path, overrides, engine)})
    return out


def show_divergence(console: Console, runs: list[dict[str, Any]]) -> None:
    """Show every run: divergences, the random baseline, and seconds."""
    names = ("recipe", "seed", "pool", "D_C", "D_A", "random", "sd", "sds above", "CPU s", "wall s")
    table = Table(*names, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for run in runs:
        table.add_row(
            run["recipe"],
            str(run["seed"]),
            f"{run['pool']:,}",
            f"{run['compounds']:.4f}",
            f"{run['atoms']:.4f}",
            f"{run['random_compounds']:.4f}",
            f"{run['compounds_deviation']:.5f}",
            f"{run['deviations_above']:,.0f}",
            f"{run['cpu_seconds']:.1f}",
            f"{run['seconds']:.1f}",
        )
    console.print(table)


def _selected(path: Path, overrides: Overrides, engine: LocalEngine) -> dict[str, Any]:
    plan = make_plan(read_recipe(path, overrides))
    wall, cpu = time.perf_counter(), time.process_time()
    found = select(plan, engine, lambda _: None).record.divergence
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if found is None:
        msg = f"{path.name} has no [divergence]"
        raise ValueError(msg)
    return {
        "pool": found.pool,
        "compounds": found.compounds,
        "atoms": found.atoms,
        "unseen_atoms": found.unseen_atoms,
        "random_compounds": found.random_compounds,
        "compounds_deviation": found.compounds_deviation,
        "deviations_above": (found.compounds - found.random_compounds) / found.compounds_deviation,
        "cpu_seconds": cpu,
        "seconds": wall,
    }
