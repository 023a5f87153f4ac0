"""Audit a train and a test file of your own: leaks, unseen parts, shortcuts.

    python examples/audit_csv.py train.csv test.csv --prompt question --answer answer

The files may be CSV, TSV, JSON, JSON Lines, Arrow or Parquet. The exit code is 1 if a problem is in
both.
The command `synthgen audit --train train.csv --test test.csv` shows the same and more.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import synthgen
from synthgen.auditing.html import write_html


def main() -> None:
    """Audit the files, print what an author wants to know first, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path, nargs="+")
    parser.add_argument("--prompt", help="column; default: prompt, question, input, ...")
    parser.add_argument("--answer", help="column; default: answer, result, output, ...")
    parser.add_argument("--page", type=Path, default=Path("audit.html"))
    options = parser.parse_args()

    columns = {"prompt": options.prompt, "answer": options.answer}
    named = {role: column for role, column in columns.items() if column}
    tests = {path.name: path for path in options.test}
    report = synthgen.audit({"train": options.train, **tests}, columns=named)
    for overlap in report.overlaps:
        print(f"{overlap.right}: {overlap.ids:,} problems are in {overlap.left}, too")
    for check in report.checks:
        if not check.ok:
            print(f"failed: {check.name}: {check.detail}")
    for block in report.blocks:
        if block.verdict == "flag":
            print(f"to review: {block.title}: {block.text}")
    print(f"page: {write_html(options.page, report)}")
    raise SystemExit(0 if report.ok else 1)


if __name__ == "__main__":
    main()
