"""`python -m benchmarks.spread`: what rare cells cost with a source that is spread, and without.

For some balanced splits it prints the draws until they are full, or given up, the rows that they
have then, and rows a second of selection alone, with the kernels loaded.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

from synthgen.draws.randomness import Rows
from synthgen.engine.plan.plan import make_plan
from synthgen.engine.select.select import Selection, select
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.loader import read_recipe

_RECIPE = """
name = "rare"
[[source]]
generator = "{generator}"
{params}
{spread}
[[split]]
name = "train"
rows = {rows}
balance = ["{axis}"]
{where}
[limits]
shortfall = "allow"
"""
_GRAMMAR = 'params = { distribution = "grammar" }'
_VALUES = [9, 25, 99]
CASES = (
    # generator, params, axis, values to spread over, rule, rows
    ("pcfg", "", "depth", [*range(1, 18)], "depth <= 17", 17_000),
    ("pcfg", _GRAMMAR, "n_functions", [*range(1, 21)], "n_functions <= 20", 100_000),
    ("markov", "", "n_steps", [*range(1, 21)], "n_steps <= 20", 10_000),
    ("hint", "", "max_value", _VALUES, f"max_value IN {(*_VALUES,)}", 500),
    ("hint", "", "n_op", [*range(1, 21)], "n_op > 0", 100_000),
)


def selection_of(recipe: str, folder: Path) -> tuple[Selection, float]:
    """Return a selection and its seconds."""
    path = folder / "rare.toml"
    path.write_text(recipe, encoding="utf-8")
    plan = make_plan(read_recipe(path))
    for source in plan.sources:  # loads the kernels and lists what is listed
        source.generator.draw(Rows.span(source.stream, 0, 8))
    start = perf_counter()
    with LocalEngine(1) as engine:
        found = select(plan, engine, lambda _: None)
    return found, perf_counter() - start


def main() -> int:
    """Print a line for each case and way."""
    print("generator  axis         spread  cells  rows     fewest    draws       s      rows/s")
    with tempfile.TemporaryDirectory() as folder:
        for generator, params, axis, values, where, rows in CASES:
            over = f"spread = {{ {axis} = {values} }}"
            for spread in ("", over):
                text = _RECIPE.format(
                    generator=generator,
                    params=params,
                    spread=spread,
                    rows=rows,
                    axis=axis,
                    where=f'where = "{where}"',
                )
                found, seconds = selection_of(text, Path(folder))
                cells = found.record.splits[0].cells
                got = sum(cell.rows for cell in cells)
                fewest = min(cell.rows for cell in cells)
                print(
                    f"{generator:10} {axis:12} {'yes' if spread else 'no':6} {len(cells):6,} "
                    f"{got:8,} {fewest:7,} {found.record.selection.candidates:12,} {seconds:8.2f} "
                    f"{got / seconds:9,.0f}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
