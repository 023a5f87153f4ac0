from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from synthgen.auditing.findings import Report
from synthgen.auditing.report import audit, write_report
from synthgen.core.errors import DatasetError
from synthgen.verifying.promises import Check
from tests.dataset.tiny import (
    SCHEMA,
    default_rows,
    edit_manifest,
    read_rows,
    row,
    sign,
    write_dataset,
    write_rows,
)

TRAIN_0 = "data/train-00000-of-00002.parquet"
TRAIN_1 = "data/train-00001-of-00002.parquet"
HARD = "data/test_hard-00000-of-00001.parquet"
PROBE = "data/probe-00000-of-00001.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "tiny")


MEMBERSHIP = ("selection", "row-order", "split", "first", "quotas")
"""Kinds of checks of where rows belong, which most damage here also breaks."""


def failed(report: Report) -> dict[str, Check]:
    """Return the failed checks other than those of membership."""
    assert report.ok == all(check.ok for check in report.checks)
    kept = (check for check in report.checks if check.name.split("/")[0] not in MEMBERSHIP)
    return {check.name: check for check in kept if not check.ok}


def set_split(folder: Path, number: int, **values: Any) -> None:
    edit_manifest(folder, lambda manifest: manifest["splits"][number].update(values))


def test_a_whole_dataset_passes_every_check(folder: Path) -> None:
    report = audit(folder)
    assert failed(report) == {}
    assert [(s.name, s.rows, s.promised) for s in report.splits] == [
        ("train", 40, 40),
        ("test_hard", 10, 10),
        ("probe", 3, 3),
    ]
    assert [(o.left, o.right, o.ids, o.declared) for o in report.overlaps] == [
        ("train", "test_hard", 0, False),
        ("train", "probe", 3, True),
        ("test_hard", "probe", 0, False),
    ]
    n_op = report.splits[0].axes[0]
    assert (n_op.axis, n_op.low, n_op.high, n_op.mean) == ("n_op", 0, 4, 2.0)
    assert [each.rows for each in n_op.bins] == [8] * 5


def test_two_audits_find_the_same(folder: Path) -> None:
    assert audit(folder) == audit(folder)


def test_an_edited_row_is_found_by_its_shard(folder: Path) -> None:
    rows = read_rows(folder, TRAIN_1)
    rows[3]["answer"] = "1000"
    write_rows(folder, TRAIN_1, rows)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"hashes"}
    assert TRAIN_1 in found["hashes"].detail


def test_a_row_moved_to_another_split_breaks_its_rule(folder: Path) -> None:
    train, hard = read_rows(folder, TRAIN_0), read_rows(folder, HARD)
    moved = train.pop()
    write_rows(folder, TRAIN_0, train)
    write_rows(folder, HARD, [*hard, moved])
    found = failed(audit(folder, measured=False))
    assert {"hashes", "rows/train", "rows/test_hard", "where/test_hard", "cells/train"} <= set(
        found
    )
    sign(folder)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"where/test_hard", "cells/train"}
    assert found["where/test_hard"].rows[0]["id"] == moved["id"]
    assert found["where/test_hard"].rows[0]["n_op"] == moved["n_op"]


def test_a_row_copied_to_another_split_is_an_overlap(folder: Path) -> None:
    copied = row(999, n_op=7) | {key: row(5)[key] for key in ("id", "prompt")}
    write_rows(folder, HARD, [*read_rows(folder, HARD), copied])
    sign(folder)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"overlap/train+test_hard", "overlap/test_hard+probe"}
    check = found["overlap/train+test_hard"]
    assert check.rows == ({"id": copied["id"], "prompt": copied["prompt"]},)
    set_split(folder, 1, overlap=["train"])
    assert failed(audit(folder, measured=False)) == {}


def test_a_row_twice_in_a_split_is_found(folder: Path) -> None:
    rows = read_rows(folder, TRAIN_1)
    write_rows(folder, TRAIN_1, [*rows, rows[0]])
    assert {"hashes", "rows/train", "verified/train", "repeated-problems/train"} <= set(
        failed(audit(folder, measured=False))
    )
    sign(folder)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"repeated-problems/train", "cells/train"}
    assert found["repeated-problems/train"].rows[0]["id"] == rows[0]["id"]


@pytest.mark.parametrize("dedup", ["none", "prompt", "canonical"])
def test_repeats_matter_only_where_they_are_excluded(folder: Path, dedup: str) -> None:
    rows = read_rows(folder, HARD)
    rows[1]["prompt"] = rows[0]["prompt"]
    write_rows(folder, HARD, rows)
    sign(folder)
    edit_manifest(folder, lambda manifest: manifest.update(dedup=dedup))
    report = audit(folder)
    assert report.splits[1].repeated_prompts == 1
    assert failed(report).keys() == ({"repeated-prompts/test_hard"} if dedup == "prompt" else set())


@pytest.mark.parametrize("dedup", ["canonical", "prompt", "none"])
@pytest.mark.parametrize("spaces", [" ", "  ", "\u2003"])
def test_no_prompt_is_in_two_splits_whatever_its_spaces(
    folder: Path, dedup: str, spaces: str
) -> None:
    rows = read_rows(folder, HARD)
    rows[0]["prompt"] = row(1)["prompt"].replace(" ", spaces)
    write_rows(folder, HARD, rows)
    sign(folder)
    edit_manifest(folder, lambda manifest: manifest.update(dedup=dedup))
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"overlap/train+test_hard"}
    assert found["overlap/train+test_hard"].rows[0]["prompt"] == row(1)["prompt"]


def test_seen_rows_must_be_in_their_base(folder: Path) -> None:
    write_rows(folder, PROBE, [*read_rows(folder, PROBE), row(77)])
    sign(folder)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"seen-in/probe"}
    assert found["seen-in/probe"].rows[0]["id"] == row(77)["id"]


@pytest.mark.parametrize(
    "where",
    [
        "n_op > 0",
        "source = 'other'",
        "kind = 'nested'",
        "n_op <= 3 AND kind IN ('plain', 'nested')",
        "n_op",
        "n_op <=",
        "nothing > 3",
        "repeat(kind, 1000000000) = 'x'",
        '"repeat"(kind, 2) = kind',
        "n_op IN (SELECT n_op FROM other)",
        "(" * 50 + "n_op <= 4" + ")" * 50,
    ],
)
def test_another_rule_is_not_kept(folder: Path, where: str) -> None:
    set_split(folder, 0, where=where)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"where/train"}
    assert "\n" not in found["where/train"].detail


@pytest.mark.parametrize("where", ["n_op % 5 <= 4", "source = 'adder' OR n_op IS NULL", "TRUE"])
def test_rules_are_kept_as_they_are_meant(folder: Path, where: str) -> None:
    set_split(folder, 0, where=where)
    assert failed(audit(folder, measured=False)) == {}


def test_a_row_without_a_value_does_not_keep_a_rule(tmp_path: Path) -> None:
    rows = default_rows()
    rows["test_hard"].append(row(500, kind=None, n_op=9))
    rows["test_hard"].append(row(501) | {"n_op": None})
    found = failed(audit(write_dataset(tmp_path / "null", rows)))
    assert found.keys() == {"where/test_hard"}
    assert [each["id"] for each in found["where/test_hard"].rows] == [row(501)["id"]]


def test_cells_must_have_the_recorded_rows(folder: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        cells = manifest["splits"][0]["cells"]
        cells[0]["rows"] += 1
        cells.pop()

    edit_manifest(folder, change)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"cells/train"}
    assert "n_op=0: 8 rows, promised 9" in found["cells/train"].detail
    assert "n_op=4: 8 rows, promised 0" in found["cells/train"].detail


@pytest.mark.parametrize(
    ("cap", "ok"),
    [
        ({"axis": "kind", "share": 0.75, "where": None}, True),
        ({"axis": "kind", "share": 0.74, "where": None}, False),
        ({"axis": "difficulty", "share": 0.99, "where": None}, False),
        ({"axis": "difficulty", "share": 0.99, "where": "kind = 'nested'"}, True),
        ({"axis": "answer", "share": 0.001, "where": None}, True),
        ({"axis": "kind", "share": 0.1, "where": "n_op > 100"}, True),
        ({"axis": "kind", "share": 0.1, "where": "nothing > 1"}, False),
        ({"axis": "n_op", "share": 0.1, "where": None}, False),
    ],
)
def test_caps_hold_within_each_cell(folder: Path, cap: dict[str, Any], ok: bool) -> None:
    set_split(folder, 0, cap=cap)
    assert failed(audit(folder, measured=False)).keys() == (set() if ok else {"cap/train"})


def test_a_missing_shard_is_named(folder: Path) -> None:
    (folder / TRAIN_1).unlink()
    found = failed(audit(folder, measured=False))
    assert TRAIN_1 in found["files"].detail
    assert {"schema", "rows/train", "contents"} <= set(found)


PROTECTED = ["README.md", "recipe.toml", "croissant.json", "eval.yaml", "lm_eval.yaml"]
PROTECTED += ["selection/train.members"]


@pytest.mark.parametrize("name", PROTECTED)
def test_every_other_file_is_protected(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[7] ^= 1
    (folder / name).write_bytes(content)
    found = failed(audit(folder, measured=False))
    assert found.keys() - {"records"} == {"hashes"}
    assert name in found["hashes"].detail
    (folder / name).unlink()
    found = failed(audit(folder, measured=False))
    assert found.keys() - {"records"} == {"files"}
    assert name in found["files"].detail


@pytest.mark.parametrize("name", ["notes.txt", "selection/other.members", "data/x.txt"])
def test_an_added_file_is_named(folder: Path, name: str) -> None:
    (folder / name).write_text("mine")
    (folder / ".gitattributes").write_text("of a hub")
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"stray"}
    assert name in found["stray"].detail
    assert ".gitattributes" not in found["stray"].detail


@pytest.mark.parametrize("name", ["train-extra.parquet", "deep/x.PARQUET"])
def test_a_stray_shard_is_named(folder: Path, name: str) -> None:
    (folder / "data" / name).parent.mkdir(exist_ok=True)
    shutil.copy(folder / TRAIN_0, folder / "data" / name)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"stray"}
    assert f"data/{name.partition('/')[0]}" in found["stray"].detail


def test_broken_and_foreign_shards_make_checks_fail(folder: Path) -> None:
    (folder / TRAIN_0).write_bytes(b"PAR1")
    write_rows(folder, HARD, read_rows(folder, HARD), SCHEMA.remove(12))
    found = failed(audit(folder, measured=False))
    assert TRAIN_0 in found["schema"].detail
    assert "columns ['kind']" in found["schema"].detail
    assert str(folder) not in found["schema"].detail


@pytest.mark.parametrize("bad", [None, "", "A" * 32, "g" * 32, " " * 32])
def test_ids_have_one_form(folder: Path, bad: str | None) -> None:
    rows = read_rows(folder, TRAIN_0)
    rows[0]["id"] = bad
    write_rows(folder, TRAIN_0, rows)
    sign(folder)
    found = failed(audit(folder, measured=False))
    assert found.keys() == {"contents"}
    assert "column 'id'" in found["contents"].detail


def test_verified_rows_are_all_rows(folder: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["splits"][0]["shards"][0]["verified"] -= 1

    edit_manifest(folder, change)
    assert failed(audit(folder, measured=False)).keys() == {"verified/train", "totals"}


def test_a_folder_without_manifest_is_refused(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    with pytest.raises(DatasetError, match="not a finished dataset"):
        audit(folder)


def test_folder_names_are_no_patterns(tmp_path: Path) -> None:
    assert audit(write_dataset(tmp_path / "odd [x]*? name")).ok


def test_the_report_is_written_whole(folder: Path) -> None:
    report = audit(folder)
    path = write_report(folder, report)
    assert path == folder / "audit/report.json"
    first = path.read_bytes()
    assert json.loads(first)["ok"] is True
    assert json.loads(first)["splits"][0]["axes"][0]["axis"] == "n_op"
    assert write_report(folder, audit(folder)).read_bytes() == first
    assert [entry.name for entry in path.parent.iterdir()] == ["report.json"]
    assert str(folder) not in first.decode()
