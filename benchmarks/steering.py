"""`python -m benchmarks.steering [ROWS]`: what controllers add to a build of HINT.

Each build runs in a process of its own with two workers, alternating with one that steers nothing;
seconds are those of all processes on the processor, so that other load counts little, and of the
clock. A controller that needs more candidates than the plain build pays for drawing them, too.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from time import perf_counter

from synthgen.dataset.manifest import read_manifest

_RECIPE = """
name = "steered"
seed = 3
[[source]]
generator = "hint"
params = {{ max_operators = 12 }}
{tables}
[[split]]
name = "train"
rows = {rows}
{keys}
"""
_HELD = '[[axis]]\nname = "held"\nstructures = "placed"\nof = ["*@5", "/@6", "+@7", "-@8"]'
CASES: Mapping[str, tuple[str, str]] = {
    "cover, structures": ("", 'cover = [{ structures = "placed", times = 50, symbols = ["*"] }]'),
    "cover, all edges": ("", 'cover = [{ structures = "edges", times = 50 }]'),
    "cover, tuples": ("", 'cover = [{ axes = ["n_op", "n_paren", "depth"], strength = 2 }]'),
    "held-out structures": (_HELD, 'where = "held = 0"'),
    "margins": (
        "",
        'where = "n_op BETWEEN 7 AND 12 AND depth BETWEEN 5 AND 8"\n'
        'margins = [{ axes = ["n_op"] }, { axes = ["depth"] }]',
    ),
    "shares": ("", 'where = "n_op >= 6"\nbalance = ["n_op"]\nshares = { law = "zipf" }'),
    "pace": ("", f'pace = {{ axes = ["n_op"], of = {[[n, 1] for n in range(7, 13)]} }}'),
    "enrich": ("", 'enrich = { axes = ["n_op", "depth"], share = 0.5 }'),
    "diverse": ("", 'diverse = { structures = "local" }'),
    "order": ("", 'order = { by = "rising", axis = "n_op" }'),
}


def build(text: str, folder: Path) -> tuple[float, float, int]:
    """Build a recipe, and return seconds on the processor, of the clock, and candidates."""
    recipe = folder / "steered.toml"
    recipe.write_text(text, encoding="utf-8")
    out = folder / "out"
    command = [sys.executable, "-m", "synthgen", "build", str(recipe), "--out", str(out)]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run([*command, "--fresh", "--workers", "2"], check=True, stdout=subprocess.DEVNULL)
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter() - start
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, seconds, read_manifest(out).selection.candidates


def main() -> int:
    """Print a line for each controller."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    plain = _RECIPE.format(rows=rows, tables="", keys="")
    print(f"{rows:,} rows       processor s   of plain   clock s   of plain   candidates of plain")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, (tables, keys) in CASES.items():
            text = _RECIPE.format(rows=rows, tables=tables, keys=keys)
            build(text, folder)  # compiles
            pairs = [(build(plain, folder), build(text, folder)) for _ in range(3)]
            ratios = [median(b[i] / a[i] for a, b in pairs) for i in range(3)]
            spent, seconds = (median(b[i] for _, b in pairs) for i in range(2))
            print(
                f"{case:20} {spent:10.2f} {ratios[0]:9.2f}x {seconds:9.2f} {ratios[1]:9.2f}x "
                f"{ratios[2]:12.2f}x",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
