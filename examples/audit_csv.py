"""Audit a train and a test file of your own: leaks, unseen parts, shortcuts.

    python examples/audit_csv.py train.csv test.csv --prompt question --answer answer

The files may be CSV, TSV, JSON Lines or Parquet. The exit code is 1 if a problem is in both.
The command `synthgen audit --train train.csv --test test.csv` shows the same and more.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from synthgen.auditing.findings import Report
from synthgen.auditing.html import write_html
from synthgen.auditing.read_sides import ReadingOptions, sides_of_files
from synthgen.auditing.third_party import MeasuringOptions, audit_sides


def show(report: Report) -> None:
    """Print what an author of a benchmark wants to know first."""
    for overlap in report.overlaps:
        print(f"{overlap.right}: {overlap.ids:,} problems are in {overlap.left}, too")
    for check in report.checks:
        if not check.ok:
            print(f"failed: {check.name}: {check.detail}")
    for block in report.blocks:
        if block.verdict == "flag":
            print(f"to review: {block.title}: {block.text}")


def main() -> None:
    """Read the options, audit the files, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path, nargs="+")
    parser.add_argument("--prompt", help="column; default: prompt, question, input, ...")
    parser.add_argument("--answer", help="column; default: answer, result, output, ...")
    parser.add_argument("--page", type=Path, default=Path("audit.html"))
    options = parser.parse_args()

    reading = ReadingOptions(options.prompt, options.answer)
    report = audit_sides(
        *sides_of_files([options.train], options.test, reading), MeasuringOptions()
    )
    show(report)
    print(f"page: {write_html(options.page, report)}")
    raise SystemExit(0 if report.ok else 1)


if __name__ == "__main__":
    main()
