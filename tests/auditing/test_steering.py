"""Covers and orders are counted again from the files, whatever the manifest says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.auditing.report import audit
from synthgen.core.errors import ParamError
from synthgen.coverage.structure_counts import StructureCounts
from tests.building import build_small, failed_checks, recipe_of, source_of, split_of
from tests.dataset.tiny import edit_manifest, read_json, sign

TEXT = recipe_of(
    source_of("hint", "max_operators = 4, max_value = 100"),
    split_of(
        "train",
        120,
        "n_op > 1",
        """cover = [
    { structures = "placed", of = ["+@0", "*@1"], times = 5 },
    { structures = "edges", times = 2 },
    { structures = "slots", symbols = ["+", "-"], times = 2 },
    { axes = ["n_op"], times = 30 },
    { axes = ["n_op", "depth"], of = [[3, 4]], times = 2 },
]""",
    ),
    split_of(
        "test",
        60,
        more='order = { by = "rising" }',
    ),
    split_of("down", 40, more='order = { by = "falling", axis = "n_op" }'),
    split_of("blocks", 40, more='order = { by = "blocks", axis = "depth" }'),
    split_of("mixed", 40, more='order = { by = "turns", axis = "n_op" }'),
)
FILES = {
    name: f"data/{name}-00000-of-00001.parquet"
    for name in ("train", "test", "down", "blocks", "mixed")
}
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small(tmp_path_factory.mktemp("built"), text=TEXT).folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "copy"))


def change(folder: Path, split: str, edit: Callable[[Rows], object]) -> None:
    """Change the rows of a split and forge the manifest's hashes."""
    path = folder / FILES[split]
    table = pq.read_table(path)
    rows: Rows = table.to_pylist()
    edit(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    sign(folder)


def test_an_untouched_build_passes(folder: Path) -> None:
    assert failed_checks(folder) == {}
    names = {check.name for check in audit(folder, measured=False).checks}
    assert {f"cover/train/{place}" for place in range(5)} <= names
    assert {"order/test", "order/down", "order/blocks"} <= names
    assert "order/mixed" not in names  # what is in turns is not judged


def drop(rows: Rows, gone: Callable[[dict[str, Any]], bool]) -> None:
    rows[:] = [row for row in rows if not gone(row)]


def test_rows_that_are_gone_are_missed_by_covers(folder: Path) -> None:
    change(folder, "train", lambda rows: drop(rows, lambda row: row["n_op"] == 3))
    found = failed_checks(folder)
    assert "n_op=3 (0)" in found["cover/train/3"]
    assert "n_op=3, depth=4 (0)" in found["cover/train/4"]


def test_a_changed_derivation_is_missed_by_covers(folder: Path) -> None:
    def swap(rows: Rows) -> None:
        for row in rows:
            row["derivation"] = row["derivation"].replace("+", "-")

    change(folder, "train", swap)
    assert "+@0 (0)" in failed_checks(folder)["cover/train/0"]


def test_a_structure_that_came_in_too_seldom_is_found(folder: Path) -> None:
    """It may stand in derivations that the build never saw."""
    change(folder, "train", lambda rows: rows[0].update(derivation="(- (+ 1 2) (? 1))"))
    assert "->? (1)" in failed_checks(folder)["cover/train/1"]


def test_structures_that_are_all_gone_are_missed(folder: Path) -> None:
    """Nothing too seldom is left, but fewer structures than were promised."""

    def erase(rows: Rows) -> None:
        for row in rows:
            row["derivation"] = "((("

    change(folder, "train", erase)
    found = failed_checks(folder)
    assert "only 0 edges occur 2 times or more, promised" in found["cover/train/1"]
    assert "only 0 slots occur 2 times or more, promised 8" in found["cover/train/2"]


def test_what_the_manifest_calls_unmet_is_believed_but_nothing_else(folder: Path) -> None:
    change(folder, "train", lambda rows: drop(rows, lambda row: row["n_op"] == 3))
    unmet = {"name": "n_op=3", "candidates": 9, "rare": True}

    def confess(manifest: dict[str, Any]) -> None:
        manifest["splits"][0]["covers"][3]["unmet"].append(unmet)

    edit_manifest(folder, confess)
    found = failed_checks(folder)
    assert "cover/train/3" not in found
    assert "cover/train/4" in found


def test_unmet_units_that_the_manifest_no_longer_names(folder: Path) -> None:
    covers = read_json(folder)["splits"][0]["covers"]
    assert [each["name"] for each in covers[3]["unmet"]] == ["n_op=0", "n_op=1"]

    def deny(manifest: dict[str, Any]) -> None:
        manifest["splits"][0]["covers"][3]["unmet"] = []

    edit_manifest(folder, deny)
    assert failed_checks(folder).keys() == {"cover/train/3"}
    assert "n_op=0 (0); n_op=1 (0)" in failed_checks(folder)["cover/train/3"]


def test_a_promise_of_more_times_is_not_kept(folder: Path) -> None:
    def promise(manifest: dict[str, Any]) -> None:
        for cover in manifest["splits"][0]["covers"]:
            cover["times"] = 119

    edit_manifest(folder, promise)
    assert {f"cover/train/{place}" for place in range(5)} <= failed_checks(folder).keys()


@pytest.mark.parametrize("split", ["test", "down", "blocks"])
def test_a_moved_row_is_out_of_order(split: str, folder: Path) -> None:
    change(folder, split, lambda rows: rows.insert(0, rows.pop()))
    assert f"order/{split}" in failed_checks(folder)


def test_rows_in_turns_may_stand_anywhere(folder: Path) -> None:
    change(folder, "mixed", lambda rows: rows.insert(0, rows.pop()))
    assert failed_checks(folder).keys() == {"selection/mixed", "papers"}


def test_structures_are_counted_once_a_row_over_batches() -> None:
    counts = StructureCounts("edges")
    counts.add(pa.array(["(+ (+ 1 2) (+ 3 4))", "(- 1 2)"]))
    counts.add(pa.array(["(+ (- 1 2) (+ 3 4))"]))
    assert counts.rows_with("+>+") == 2
    assert counts.rows_with("+>-") == 1
    assert counts.rows_with("->+") == 0
    assert counts.rows_with("+>?") == 0
    assert counts.rare(2, ("+", "-")) == {"+>-": 1}
    assert set(counts.rare(2, ())) > {"+>-"}
    assert counts.count_frequent(2, ("+", "-")) == counts.count_frequent(3, ("+", "-")) + 1 == 1
    with pytest.raises(ParamError):
        counts.rows_with("+@1")
