"""Two datasets held against each other: what was put there by hand is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from synthgen.auditing.compare import WantedSide, compare
from synthgen.auditing.findings import Report
from synthgen.auditing.read_sides import ReadingOptions
from synthgen.auditing.third_party import MeasuringOptions
from synthgen.core.errors import DatasetError, ParamError, UnknownNameError
from tests.auditing.blocks_of import block, table
from tests.dataset.tiny import row, write_dataset

LONG = " ".join(f"word{number}" for number in range(30))


def made(folder: Path, **splits: list[dict[str, Any]]) -> WantedSide:
    rows: dict[str, list[dict[str, Any]]] = {"test_hard": [], "probe": []}
    return WantedSide(write_dataset(folder, rows | splits))


def prompts(path: Path, *texts: str) -> WantedSide:
    path.write_text("prompt\n" + "".join(f"{text}\n" for text in texts))
    return WantedSide(path)


def failed(report: Report) -> set[str]:
    return {check.name for check in report.checks if not check.ok}


def shared(report: Report) -> dict[str, tuple[int, int]]:
    rows = block(report, "shared").tables[0].rows
    return {str(one[0]): (int(one[2] or 0), int(one[4] or 0)) for one in rows}


@pytest.fixture
def two(tmp_path: Path) -> tuple[WantedSide, WantedSide]:
    """A has problems 0 to 9; B has 8, 9 and 12, of which 9 is told otherwise."""
    other = row(9) | {"prompt": "Add one to nine!"}
    new = row(12, n_op=9) | {"derivation": "(* 12 (+ 12 1))", "kind": "nested"}
    return (
        made(tmp_path / "a", train=[row(number) for number in range(10)]),
        made(tmp_path / "b", train=[row(8), other, new]),
    )


@pytest.mark.slow
def test_shared_rows_of_two_datasets(two: tuple[WantedSide, WantedSide]) -> None:
    report = compare(*two, MeasuringOptions())
    assert shared(report) == {
        "L0": (1, 1),
        "L1": (1, 1),
        "L2": (2, 2),
        "L3": (10, 2),
        "L4": (1, 1),
    }
    assert failed(report) == {"shared-L0", "shared-L1", "shared-L2"}
    assert [len(check.rows) for check in report.checks] == [1, 1, 2]
    assert report.checks[2].rows[1]["prompt"] == "Add one to nine!"
    assert block(report, "shared").verdict == "flag"
    assert report.name == "a and b"


@pytest.mark.slow
def test_what_b_covers_and_a_lacks(two: tuple[WantedSide, WantedSide]) -> None:
    report = compare(*two, MeasuringOptions())
    found = {one["kind"]: list(one.values())[1:5] for one in table(report, "coverage")}
    assert found["atoms"] == [11, 6, 7, 2]
    assert found["templates"] == [1, 2, 0, 1]
    assert found["structures"] == [10, 3, 8, 1]
    assert {one["atom"] for one in table(report, "atoms", 1)} == {"*", "12"}
    (tiers,) = table(report, "tiers")
    assert list(tiers.values()) == ["b", 3, 2, 0, 0, 0, 0, 1]


def test_cells_of_common_axes(two: tuple[WantedSide, WantedSide]) -> None:
    report = compare(*two, MeasuringOptions())
    single, pairs = table(report, "cells")
    assert list(single.values())[:5] == [1, 2, 7, 5, 1]
    assert list(pairs.values())[:5] == [2, 1, 9, 3, 1]
    shown = {one["cell"]: one["rows"] for one in table(report, "cells", 1)}
    assert shown == {"n_op=9": 1, "kind=nested, n_op=9": 1}


def test_a_dataset_shares_everything_with_itself(two: tuple[WantedSide, WantedSide]) -> None:
    report = compare(two[0], two[0], MeasuringOptions())
    assert set(shared(report).values()) == {(10, 10)}
    assert report.name.startswith("A: ")
    assert all(one[3] == one[4] == 0 for one in block(report, "coverage").tables[0].rows)
    assert block(report, "tiers").tables[0].rows[0][2] == 10


def test_splits_may_be_chosen(tmp_path: Path) -> None:
    rows = {"train": [row(1), row(2)], "probe": [row(1)], "test_hard": [row(30)]}
    folder = write_dataset(tmp_path / "a", rows)
    one, other = WantedSide(folder, ("train",)), WantedSide(folder, ("test_hard",))
    assert failed(compare(one, other, MeasuringOptions())) == set()
    assert compare(one, other, MeasuringOptions()).name == "a:train and a:test_hard"
    with pytest.raises(UnknownNameError, match=r"unknown split 'trian'; did you mean 'train'"):
        compare(WantedSide(folder, ("trian",)), other, MeasuringOptions())


def test_a_benchmark_of_bare_prompts(tmp_path: Path, two: tuple[WantedSide, WantedSide]) -> None:
    bench = prompts(tmp_path / "bench.tsv", "What is 3 + 1?", "what  is 4 + 1?", "What is 77 + 1?")
    report = compare(two[0], bench, MeasuringOptions(fold_case=True))
    assert shared(report) == {"L0": (1, 1), "L1": (2, 2), "L3": (10, 3), "L4": (1, 1)}
    assert failed(report) == {"shared-L0", "shared-L1"}
    assert "only a has a structure column" in block(report, "provenance").text
    assert {one["word"] for one in table(report, "atoms", 1)} == {"#", "what"}
    clean = prompts(tmp_path / "clean.tsv", "Name a colour.")
    assert compare(two[0], clean, MeasuringOptions()).ok


def test_near_duplicates_count_if_asked_for(tmp_path: Path) -> None:
    one = prompts(tmp_path / "a.tsv", LONG, "other")
    other = prompts(tmp_path / "b.tsv", f"{LONG} more", "third", "fourth")
    report = compare(one, other, MeasuringOptions())
    assert report.ok
    assert shared(report)["L4"] == (1, 1)
    report = compare(one, other, MeasuringOptions(), fail_on=["L4", "L0"])
    assert failed(report) == {"shared-L4"}
    assert [check.name for check in report.checks] == ["shared-L0", "shared-L4"]
    with pytest.raises(UnknownNameError, match="unknown level 'L5'"):
        compare(one, other, MeasuringOptions(), fail_on=["L5"])


def test_structures_of_two_files(tmp_path: Path) -> None:
    for name, text in (("a", "(f x)"), ("b", "f(x)"), ("c", "f x")):
        (tmp_path / f"{name}.tsv").write_text(f"prompt\ttree\nnumber {name}\t{text}\n")
    given = [
        WantedSide(tmp_path / f"{name}.tsv", (), ReadingOptions(structure="tree", answers="none"))
        for name in "abc"
    ]
    assert shared(compare(given[0], given[1], MeasuringOptions()))["L2"] == (1, 1)
    report = compare(given[0], given[2], MeasuringOptions())
    assert "L2" not in shared(report)
    assert "one side has trees, the other tokens" in block(report, "provenance").text


def test_what_cannot_be_compared_is_named(
    tmp_path: Path, two: tuple[WantedSide, WantedSide]
) -> None:
    file = prompts(tmp_path / "a.tsv", "x")
    with pytest.raises(ParamError, match=r"splits='train': expected none of .*a.tsv"):
        compare(WantedSide(file.path, ("train",)), file, MeasuringOptions())
    with pytest.raises(DatasetError, match=r"no manifest\.json"):
        compare(WantedSide(tmp_path), file, MeasuringOptions())
    with pytest.raises(DatasetError, match="cannot be read"):
        compare(file, WantedSide(tmp_path / "gone.tsv"), MeasuringOptions())
    shard = next((two[0].path / "data").glob("train-*"))
    shard.write_bytes(b"PAR1" + shard.read_bytes()[4:-4] + b"XXXX")
    with pytest.raises(DatasetError, match=shard.name):
        compare(*two, MeasuringOptions())
