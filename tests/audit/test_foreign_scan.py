"""The reference table of SCAN's splits from files, and our builds, to the printed digits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from synthgen.audit.findings import Report
from synthgen.audit.foreign import Measuring, audit_sides, train_and_tests
from synthgen.audit.foreign_sides import Reading, side_of_dataset
from synthgen.dataset.reader import open_dataset
from tests.audit.blocks_of import table
from tests.building import build_small
from tests.conformance import original
from tests.families.scan import oracle
from tests.families.scan.table import TABLE, Line

RECIPES = Path(__file__).parents[2] / "recipes"


def lists(split: str) -> dict[str, list[str]]:
    """Commands of train and test."""
    if split == "simple":
        found = oracle.published_lists(original("scan/scan_splits.json"))
        return {part: list(found[f"simple/{part}"]) for part in ("train", "test")}
    rules = oracle.RULES[f"scan-{split}"]
    both = {part: [c for c in oracle.commands() if rules[part](c)] for part in ("train", "test")}
    command, times = oracle.REPEATED.get((f"scan-{split}", "train"), ("jump", 1))
    both["train"] += [command] * (times - 1)
    return both


def line_of(report: Report) -> Line:
    rows, others = table(report, "identity")
    values = {row["kind"]: round(row["divergence"], 4) for row in table(report, "divergence")}
    shares = {row["part"]: round(row["share"], 4) for row in table(report, "tiers", 1)}
    return Line(
        *(rows["rows"], rows["distinct L0"], others["rows"]),
        *(values[name] for name in ("symbols", "2-grams", "3-grams")),
        *(values["answer tokens"], values["answer 2-grams"]),
        *(shares["2-gram"], shares["3-gram"]),
    )


@pytest.mark.parametrize("split", TABLE)
def test_published_files(split: str, tmp_path: Path) -> None:
    original("scan/scan_splits.json")
    files = []
    for part, commands in lists(split).items():
        lines = (f"IN: {c} OUT: {' '.join(oracle.actions(c))}\n" for c in commands)
        files.append(tmp_path / f"{part}.txt")
        files[-1].write_text("".join(lines))
    report = audit_sides(*train_and_tests(files[:1], files[1:], Reading()), Measuring())
    assert report.ok
    assert line_of(report) == TABLE[split]
    compounds = table(report, "divergence")[1]
    is_random = split == "simple"
    assert (compounds["deviations above"] < 3) == is_random
    shifted = [row for row in table(report, "ranges") if row["quantity"] == "answer tokens"][1]
    assert (shifted["outside train"] == 1.0) == (split == "length")


@pytest.mark.parametrize("split", ["length", "addprim-jump"])
def test_builds_of_ours(split: str, tmp_path: Path) -> None:
    recipe = (RECIPES / f"scan-{split}.toml").read_text(encoding="utf-8")
    folder = build_small(tmp_path, text=recipe).folder
    dataset = open_dataset(folder)
    train, test = (
        replace(side_of_dataset(name, dataset, [name]), has_structures=False)
        for name in ("train", "test")
    )
    report = audit_sides(train, [test], Measuring())
    assert report.ok
    assert line_of(report) == TABLE[split]
