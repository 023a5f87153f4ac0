"""The reference table of SCAN's splits from files, and our builds, to the printed digits."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.auditing.findings import Report
from synthgen.auditing.read_sides import ReadingOptions, sides_of_files
from synthgen.auditing.report import audit
from synthgen.auditing.third_party import MeasuringOptions, audit_sides
from tests.building import build_small
from tests.conformance import original
from tests.families.scan import language
from tests.families.scan.table import TABLE, Line

RECIPES = Path(__file__).parents[2] / "recipes"


def lists(split: str) -> dict[str, list[str]]:
    """Commands of train and test."""
    if split == "simple":
        found = language.published_lists(original("scan/scan_splits.json"))
        return {part: list(found[f"simple/{part}"]) for part in ("train", "test")}
    rules = language.RULES[f"scan-{split}"]
    both = {part: [c for c in language.commands() if rules[part](c)] for part in ("train", "test")}
    command, times = language.REPEATED.get((f"scan-{split}", "train"), ("jump", 1))
    both["train"] += [command] * (times - 1)
    return both


def line_of(report: Report) -> Line:
    """Return the figures of the words of prompts and of the tokens of answers, to four digits."""
    figures = report.figures
    train, test = (figures[name] for name in figures)
    words, answers = test["words"], test["answer_tokens"]["divergence"]
    grams = words["divergence"]["compound"]
    found = (
        words["divergence"]["atom"],
        grams["bigrams"],
        grams["trigrams"],
        answers["atom"],
        answers["compound"]["bigrams"],
    )
    return Line(
        *(train["rows"], train["distinct"]["prompt"], test["rows"]),
        *(round(each["value"], 4) for each in found),
        *(round(words["unseen"][part], 4) for part in ("pairs", "triples")),
    )


@pytest.mark.parametrize("split", TABLE)
def test_published_files(split: str, tmp_path: Path) -> None:
    original("scan/scan_splits.json")
    files = []
    for part, commands in lists(split).items():
        lines = (f"IN: {c} OUT: {' '.join(language.actions(c))}\n" for c in commands)
        files.append(tmp_path / f"{part}.txt")
        files[-1].write_text("".join(lines))
    report = audit_sides(
        *sides_of_files(files[:1], files[1:], ReadingOptions()), MeasuringOptions()
    )
    assert report.ok
    assert line_of(report) == TABLE[split]
    (test,) = [of_side for of_side in report.figures.values() if "words" in of_side][1:]
    is_random = split == "simple"
    assert (test["words"]["divergence"]["compound"]["bigrams"]["deviations"] < 3) == is_random
    assert (test["lengths"]["answer_tokens"]["outside_train"] == 1.0) == (split == "length")


@pytest.mark.parametrize("split", ["length", "addprim-jump"])
def test_builds_of_ours(split: str, tmp_path: Path) -> None:
    recipe = (RECIPES / f"scan-{split}.toml").read_text(encoding="utf-8")
    report = audit(build_small(tmp_path, text=recipe).folder)
    assert report.ok
    assert line_of(report) == TABLE[split]
