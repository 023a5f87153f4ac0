"""Recipes of many splits, whose pairs must not cost much each."""

from pathlib import Path

import pytest

from synthgen import verify
from synthgen.auditing.report import audit
from tests.building import build_small, recipe_of, source_of, split_of


def built(tmp_path: Path, splits: int) -> Path:
    """Build splits of which every second one has the same rule."""
    rules = ("n_op <= 4", "n_op > 4")
    tables = [split_of(f"s{i}", 3, rules[i % 2]) for i in range(splits)]
    text = recipe_of(source_of("hint", "max_operators = 8"), *tables)
    return Path(build_small(tmp_path, text=text).folder)


def test_pairs_that_share_nothing_are_counted_if_there_are_very_many(tmp_path: Path) -> None:
    folder = built(tmp_path, 50)
    report = audit(folder, measured=False)
    assert report.ok
    assert report.overlaps == ()
    (check,) = (check for check in report.checks if check.name.startswith("overlap"))
    assert check.detail == "1225 pairs of splits share nothing"
    proven = {c.name: c.detail for c in report.checks if c.name.startswith("split/")}
    assert proven == {f"split/s{i}": "3 rows are where their key puts them" for i in range(50)}


@pytest.mark.slow
def test_a_hundred_splits_take_seconds(tmp_path: Path) -> None:
    folder = built(tmp_path, 100)  # 4,950 pairs, each of which would cost about a millisecond
    assert audit(folder).ok
    assert verify(folder, workers=1).ok
