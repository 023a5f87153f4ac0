"""`python -m benchmarks.steering [ROWS]`: what controllers add to a build of HINT.

Each build runs in a process of its own with two workers, in turn with one that steers nothing;
seconds are those of the clock, from the first draw to the last shard. A controller that needs more
candidates than the plain build pays for drawing them, too; so the last column compares with a
build that needs as many for another reason, a rule that chance decides.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

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
_CHANCE = "(7919 * result + 613 * length + 97 * n_paren + 31 * max_dependency) % 997"
_HELD = '[[axis]]\nname = "held"\nstructures = "placed"\nof = ["*@5", "/@6", "+@7", "-@8"]'
CASES: Mapping[str, tuple[str, str]] = {
    "cover, structures": ("", 'cover = [{ structures = "placed", times = 50, symbols = ["*"] }]'),
    "cover, all edges": ("", 'cover = [{ structures = "edges", times = 50 }]'),
    "cover, tuples": ("", 'cover = [{ axes = ["n_op", "n_paren", "depth"], strength = 2 }]'),
    "held-out structures": (_HELD, 'where = "held = 0"'),
    "shares": ("", 'where = "n_op >= 6"\nbalance = ["n_op"]\nshares = { law = "zipf" }'),
    "cap": ("", 'where = "n_op >= 6"\nbalance = ["n_op"]\ncap = { axis = "result", share = 0.05 }'),
    "diverse, edges": ("", 'diverse = { structures = "edges" }'),
    "diverse, local": ("", 'diverse = { structures = "local" }'),
    "order": ("", 'order = { by = "rising", axis = "n_op" }'),
}


def build(text: str, folder: Path) -> tuple[float, int]:
    """Build a recipe; return the seconds from the first draw to the last shard, and candidates."""
    recipe = folder / "steered.toml"
    recipe.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "synthgen", "build", str(recipe), "--json", "--fresh"]
    command += ["--out", str(folder / "out"), "--workers", "2"]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    report = json.loads(ended.stdout)
    return sum(report["seconds"].values()), report["manifest"]["selection"]["candidates"]


def main() -> int:
    """Print a line for each controller."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    plain = _RECIPE.format(rows=rows, tables="", keys="")
    print(f"{rows:,} rows        clock s  of plain  candidates of plain  of plain with as many")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, (tables, keys) in CASES.items():
            text = _RECIPE.format(rows=rows, tables=tables, keys=keys)
            candidates = build(text, folder)[1]  # compiles, too
            usual = build(plain, folder)[1]
            rule = f'where = "{_CHANCE} <= {997 * usual // candidates}"'
            alike = _RECIPE.format(rows=rows, tables="", keys=rule)
            times = [[build(each, folder)[0] for each in (plain, alike, text)] for _ in range(3)]
            seconds = median(steered for *_, steered in times)
            ratio = median(steered / bare for bare, _, steered in times)
            fair = median(steered / ruled for _, ruled, steered in times)
            print(
                f"{case:20} {seconds:10.2f} {ratio:8.2f}x {candidates / usual:19.2f}x "
                f"{fair:21.2f}x",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
