"""`python -m benchmarks.shortcuts`: measure shortcuts of the bundled recipes; write the page.

Every recipe is built small in a folder of its own. The page keeps the figures of recipes that a run
does not measure. Explanations of shares above the limit are in shortcuts.toml, by recipe and split.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.processes import ROOT, run_python
from synthgen.auditing.coverage_blocks import dataset_shortcuts
from synthgen.coverage.best_shortcuts import MAX_SHARE
from synthgen.dataset.reader import open_dataset
from synthgen.recipe.bundled import bundled_names, find_recipe

_HERE = Path(__file__).parent
_REASONS = _HERE / "shortcuts.toml"
_PAGE = ROOT / "docs" / "shortcuts.md"
_HEAD = f"""# Shortcuts of the bundled recipes

The best predictor that knows nothing of the problem, on every split of every bundled recipe, as
[block 11 of the audit](coverage.md#11-shortcuts) measures it. Shares above {MAX_SHARE:.0%} are
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
    parser.add_argument("recipes", nargs="*", help="by default all bundled ones")
    parser.add_argument("--rows", type=int, default=2_000, help="of each dataset")
    parser.add_argument("--page", type=Path, default=_PAGE)
    options = parser.parse_args(arguments)
    reasons = tomllib.loads(_REASONS.read_text(encoding="utf-8"))
    before = figures_of(options.page.read_text(encoding="utf-8")) if options.page.is_file() else {}
    kept = {name: found for name, found in before.items() if name in bundled_names()}
    faults: list[str] = []
    for name in options.recipes or bundled_names():
        found = _measure(name, options.rows)
        print(f"{name}: {found['seconds']:.0f} s", flush=True)
        kept[name] = found
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
            reason = " ".join(str(error).splitlines()[-1:]).replace(f"{ROOT}/", "")
            if "its cover needs" in reason:
                reason = "what it must cover needs more rows"
                return {"seconds": 0, "missing": reason, "splits": []}
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
    above = ["", f"## Above {MAX_SHARE:.0%}", "", *notes] if notes else []
    return "\n".join([*rows, *above]) + "\n", faults


def figures_of(page: str) -> dict[str, dict[str, Any]]:
    """Return the figures that a page shows, from which `page_of` makes the same page."""
    figures: dict[str, dict[str, Any]] = {}
    table = page.partition("|---|")[2].splitlines()
    for line in table[1:]:
        if not line.startswith("|"):
            break
        recipe, split, rows, predictor, right, usual = (
            cell.strip() for cell in line.split("|")[1:-1]
        )
        found = figures.setdefault(recipe, {"missing": "", "splits": []})
        if not split:
            found["missing"] = predictor.removeprefix("not measured: ")
            continue
        share, _, declared = right.partition(" ")
        over = f"\n- `{recipe}`, `{split}` (" in page
        shares = [float(one.rstrip("%")) / 100 for one in (share, usual)]
        n = int(rows.replace(",", ""))
        found["splits"].append([split, n, predictor, *shares, over, bool(declared)])
    return figures


if __name__ == "__main__":
    sys.exit(main())
