"""`python -m benchmarks.shortcuts`: measure shortcuts of the bundled recipes; write the page.

Every recipe is built small in a folder of its own. Figures are kept in results/shortcuts.json, so
that the recipes can be measured in several runs. Explanations of shares above the limit are in
shortcuts.toml, by recipe and split.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.processes import ROOT, run_python
from synthgen.audit.coverage import dataset_shortcuts
from synthgen.coverage.best_shortcuts import MOST_SHARE
from synthgen.dataset.reader import open_dataset
from synthgen.recipe.bundled import bundled_names, find_recipe

_HERE = Path(__file__).parent
_RESULTS = _HERE / "results" / "shortcuts.json"
_REASONS = _HERE / "shortcuts.toml"
_PAGE = ROOT / "docs" / "shortcuts.md"
_HEAD = f"""# Shortcuts of the bundled recipes

The best predictor that knows nothing of the problem, on every split of every bundled recipe, as
[block 11 of the audit](coverage.md#11-shortcuts) measures it. Shares above {MOST_SHARE:.0%} are
explained below the table, except in splits that may share problems with train (*declared*).
`just shortcuts` builds every recipe with about {{rows:,}} rows and writes this page, and
`just shortcuts scan hint` measures only these again. Explanations are in
`benchmarks/shortcuts.toml`.

| recipe | split | rows | best predictor | right | most frequent answer |
|---|---|---|---|---|---|
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure recipes and write the page.

    Args:
        arguments: of the command line, by default those of this process.

    Returns:
        1 if a recipe could not be built, or a share above the limit has no explanation; else 0.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shortcuts", description=__doc__)
    parser.add_argument("recipes", nargs="*", help="by default all bundled ones, from the start")
    parser.add_argument("--rows", type=int, default=2_000, help="of each dataset")
    parser.add_argument("--page", type=Path, default=_PAGE)
    parser.add_argument("--results", type=Path, default=_RESULTS)
    options = parser.parse_args(arguments)
    kept = {}
    if options.recipes and options.results.is_file():
        kept = json.loads(options.results.read_text(encoding="utf-8"))
    options.results.parent.mkdir(parents=True, exist_ok=True)
    for name in options.recipes or bundled_names():
        kept[name] = _measure(name, options.rows)
        print(f"{name}: {kept[name]['seconds']:.0f} s", flush=True)
        options.results.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    reasons = tomllib.loads(_REASONS.read_text(encoding="utf-8"))
    page, faults = page_of(kept, reasons)
    options.page.write_text(_HEAD.format(rows=options.rows) + page, encoding="utf-8")
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


def _measure(name: str, rows: int) -> dict[str, Any]:
    """Build a recipe and return the best predictor of each of its splits, or why there is none."""
    if "sweep" in tomllib.loads(find_recipe(name).read_text(encoding="utf-8")):
        return {"seconds": 0, "missing": "a sweep makes many datasets", "splits": []}
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "dataset"
        options = ["--out", str(folder), "--rows", str(rows), "--workers", "1", "--json"]
        try:
            run = run_python(["-m", "synthgen", "build", str(find_recipe(name)), *options])
        except RuntimeError as error:
            reason = " ".join(str(error).splitlines()[-1:])
            return {"seconds": 0, "missing": f"the build failed: {reason}", "splits": []}
        found = dataset_shortcuts(open_dataset(folder))
    splits = [
        [*(best.split, best.rows, best.predictor, best.share, best.usual), best.over, best.declared]
        for best in found.splits
    ]
    return {"seconds": run.seconds, "missing": found.missing, "splits": splits}


def page_of(
    figures: Mapping[str, Mapping[str, Any]], reasons: Mapping[str, Mapping[str, str]]
) -> tuple[str, list[str]]:
    """Return the rows of the table with the explanations, and what lacks one.

    Args:
        figures: recipe -> what was measured.
        reasons: recipe -> split -> explanation.
    """
    rows, notes, faults = [], [], []
    for recipe, found in sorted(figures.items()):
        if found["missing"]:
            rows.append(f"| {recipe} | | | not measured: {found['missing']} | | |")
            if "build failed" in found["missing"]:
                faults.append(f"{recipe}: {found['missing']}")
        for split, n, predictor, share, usual, over, declared in found["splits"]:
            right = f"{share:.1%} *declared*" if declared else f"{share:.1%}"
            rows.append(f"| {recipe} | {split} | {n:,} | {predictor} | {right} | {usual:.1%} |")
            reason = reasons.get(recipe, {}).get(split)
            if not over or declared:
                continue
            if reason is None:
                faults.append(f"{recipe}, {split}: {share:.1%} is not explained in {_REASONS.name}")
            notes.append(f"- `{recipe}`, `{split}` ({share:.1%}): {reason or 'not explained.'}")
    above = ["", f"## Above {MOST_SHARE:.0%}", "", *notes] if notes else []
    return "\n".join([*rows, *above]) + "\n", faults


if __name__ == "__main__":
    sys.exit(main())
