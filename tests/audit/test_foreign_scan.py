"""The reference table of SCAN's splits from files, and our builds, to the printed digits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from synthgen.audit.findings import Report
from synthgen.audit.foreign import Measuring, audit_sides, train_and_tests
from synthgen.audit.foreign_sides import Reading, side_of_dataset
from synthgen.dataset.reader import open_dataset
from tests.audit.blocks_of import table
from tests.building import build_small
from tests.conformance import original
from tests.generators import scan_oracle as oracle

RECIPES = Path(__file__).parents[2] / "recipes"


class Line(NamedTuple):
    """Rows and different rows of train, rows of test, divergences, shares of unseen n-grams."""

    n_train: int
    unique: int
    n_test: int
    atoms: float
    bi: float
    tri: float
    output_atoms: float
    output_bi: float
    unseen_bi: float
    unseen_tri: float


TABLE = {
    "simple": Line(16728, 16728, 4182, 0.0001, 0.0001, 0.0006, 0.0001, 0.0001, 0, 0.0002),
    "length": Line(16990, 16990, 3920, 0.0295, 0.0261, 0.0528, 0.0033, 0.0173, 0, 0),
    "addprim-jump": Line(14670, 13204, 7706, 0.0510, 0.1932, 0.3564, 0.1220, 0.5044, 1, 1),
    "addprim-turn-left": Line(21890, 19702, 1208, 0.0391, 0.0314, 0.2031, 0.0127, 0.0130, 0, 1),
    "template-around-right": Line(15225, 15225, 4476, 0.0397, 0.1290, 0.2736, 0.0795, 0.0824, 1, 1),
    "template-opposite-right": Line(
        15225, 15225, 4476, 0.0397, 0.1290, 0.2736, 0.0300, 0.0217, 1, 1
    ),
    "template-right": Line(15225, 15225, 4476, 0.0273, 0.1341, 0.2958, 0.0098, 0.0095, 1, 1),
    "template-jump-around-right": Line(
        18528, 18528, 1173, 0.0510, 0.0448, 0.1683, 0.1367, 0.1493, 0, 1
    ),
}


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
    values = {row["of"]: round(row["divergence"], 4) for row in table(report, "divergence")}
    shares = {row["part"]: round(row["share"], 4) for row in table(report, "tiers", 1)}
    return Line(
        *(rows["rows"], rows["different L0"], others["rows"]),
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
    shifted = [row for row in table(report, "ranges") if row["of"] == "answer tokens"][1]
    assert (shifted["beyond train"] == 1.0) == (split == "length")


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
