from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from synthgen.auditing.blocks import FLAG, INFO, OK, TITLES, Block
from synthgen.auditing.coverage_blocks import axis_names, dataset_blocks, sides_of
from synthgen.auditing.report import audit, write_report
from synthgen.auditing.text_report import show_report
from synthgen.dataset.reader import open_dataset
from synthgen.recipe.bundled import find_recipe
from tests.auditing.sides_by_hand import by_key, table
from tests.building import build_small
from tests.dataset.tiny import edit_manifest, read_rows, sign, write_dataset, write_rows

TRAIN = "data/train-00000-of-00002.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "tiny")


def blocks_of(folder: Path) -> dict[str, Block]:
    return by_key(dataset_blocks(open_dataset(folder)))


def set_split(folder: Path, number: int, **values: Any) -> None:
    edit_manifest(folder, lambda manifest: manifest["splits"][number].update(values))


def test_an_audit_has_the_fourteen_blocks_in_order(folder: Path) -> None:
    report = audit(folder)
    assert report.ok
    keys = list(TITLES)
    assert [block.key for block in report.blocks] == keys
    saved = json.loads(write_report(folder, report).read_text())
    assert [block["key"] for block in saved["blocks"]] == keys
    assert audit(folder).blocks == report.blocks


def test_what_the_manifest_declares(folder: Path) -> None:
    sides = sides_of(open_dataset(folder))
    hard, probe = (side.declared for side in sides.tests)
    assert (hard.shares, hard.rule, hard.atoms, hard.divided) == (False, True, False, False)
    assert (probe.shares, probe.rule) == (True, True)
    assert axis_names(open_dataset(folder).manifest).first == ["n_op", "kind"]
    set_split(folder, 1, where="n_op <= 4", balance=["n_op"])
    edit_manifest(folder, lambda manifest: manifest["splits"][1].update(cells=[]))
    assert not sides_of(open_dataset(folder)).tests[0].declared.rule
    set_split(folder, 1, unseen={"of": "train", "axes": ["n_op"]})
    assert sides_of(open_dataset(folder)).tests[0].declared.atoms


def test_only_a_rule_that_separates_lengths_excuses_other_lengths(folder: Path) -> None:
    def by_length(train: str, test: str) -> bool:
        def change(manifest: dict[str, Any]) -> None:
            plain = {"balance": [], "cells": [], "cap": None}
            manifest["splits"][0] |= {"where": train, **plain}
            manifest["splits"][1] |= {"where": test}
            structures = {"structures": "edges", "of": ["+>+"], "count": "kinds"}
            others = {"axes": [], "cells": [], "picked": False}
            manifest["computed"] = [{"name": "n_op", **structures, **others}]

        edit_manifest(folder, change)
        return sides_of(open_dataset(folder)).tests[0].declared.length

    assert by_length("kind = 'plain'", "kind = 'nested'")
    assert not by_length("n_op = 0", "n_op > 0")
    shared = "kind = 'plain'"
    assert not by_length(f"n_op = 0 AND {shared}", f"{shared} and n_op > 0")
    assert not by_length("n_op between 0 AND 1 AND difficulty > 2", "n_op > 1 AND difficulty > 2")
    assert by_length(f"n_op = 0 AND {shared}", "n_op > 0 AND kind = 'nested'")
    assert by_length(f"n_op = 0 OR {shared}", f"n_op > 0 OR {shared}")


def test_rows_are_those_of_the_files(folder: Path) -> None:
    rows = read_rows(folder, TRAIN)
    write_rows(folder, TRAIN, rows[:-3])
    sign(folder)
    set_split(folder, 0, rows=99)
    assert sides_of(open_dataset(folder)).train.rows == 37


def test_a_copied_row_is_flagged(folder: Path) -> None:
    assert blocks_of(folder)["identity"].verdict == OK
    hard = "data/test_hard-00000-of-00001.parquet"
    rows = read_rows(folder, hard)
    rows[0] |= {"prompt": read_rows(folder, TRAIN)[0]["prompt"].replace(" ", "  ")}
    write_rows(folder, hard, rows)
    sign(folder)
    block = blocks_of(folder)["identity"]
    assert block.verdict == FLAG
    assert "1 row of test_hard at L1" in block.text


def test_targets_and_shortfalls(folder: Path) -> None:
    block = blocks_of(folder)["controllers"]
    assert block.verdict == OK
    assert table(block, "Rows of splits").rows[0] == ("train", 40, 40, 80, 50.0, 1, 5, 0)
    assert not block.bars
    cell = {"cell": {"n_op": 4}, "rows": 8, "quota": 10, "dry": True, "candidates": 8}

    def dry(manifest: dict[str, Any]) -> None:
        manifest["splits"][0]["cells"][4] = cell
        manifest["recipe"]["split"] = [{"name": "train", "rows": 42}]

    edit_manifest(folder, dry)
    block = blocks_of(folder)["controllers"]
    assert block.verdict == FLAG
    assert "Below target: train has 40 of 42 rows." in block.text
    assert "could be found: train n_op=4 (8 of 10)." in block.text
    assert table(block, "Cells").rows[0] == ("train", "n_op=4", 10, 8, 8, "exhausted")
    edit_manifest(folder, lambda manifest: manifest["recipe"].update(split=[]))
    assert blocks_of(folder)["controllers"].verdict == OK
    edit_manifest(folder, lambda manifest: manifest["splits"][0]["cells"][4].update(dry=False))
    block = blocks_of(folder)["controllers"]
    assert block.verdict == FLAG
    assert "Below target: train n_op=4 (8 of 10)." in block.text


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        (lambda manifest: manifest["recipe"].pop("seed"), "seed"),
        (lambda manifest: manifest.update(synthgen=""), "synthgen"),
    ],
)
def test_provenance_is_required(
    folder: Path, change: Callable[[dict[str, Any]], object], missing: str
) -> None:
    block = blocks_of(folder)["provenance"]
    assert block.verdict == OK
    assert table(block, "Sources").rows[0][:3] == ("adder", "adder", 1)
    edit_manifest(folder, change)
    block = blocks_of(folder)["provenance"]
    assert block.verdict == FLAG
    assert f"Not recorded: {missing}." in block.text


def test_a_derivation_that_is_none_breaks_nothing(folder: Path) -> None:
    rows = read_rows(folder, TRAIN)
    rows[0]["derivation"] = "(+ 1"
    write_rows(folder, TRAIN, rows)
    sign(folder)
    assert blocks_of(folder)["tiers"].verdict == INFO


def test_the_terminal_shows_tables_of_what_is_flagged(folder: Path) -> None:
    def shown() -> str:
        out = io.StringIO()
        show_report(Console(file=out, width=200), audit(folder))
        return out.getvalue()

    text = shown()
    assert "ok   Identity and overlap: 0 rows of other splits occur in train" in text
    assert "Rows shared with" not in text
    hard = "data/test_hard-00000-of-00001.parquet"
    copied = [read_rows(folder, TRAIN)[0] | {"n_op": 7}, *read_rows(folder, hard)]
    write_rows(folder, hard, copied)
    sign(folder)
    text = shown()
    assert "flag Identity and overlap" in text
    assert "Rows shared with train" in text


def recipe(name: str) -> str:
    return find_recipe(name).read_text(encoding="utf-8")


def test_scan_with_a_held_out_primitive_is_not_flagged(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=recipe("scan-addprim-jump")).folder
    found = blocks_of(folder)
    assert {block.key for block in found.values() if block.verdict == FLAG} == set()
    assert table(found["tiers"], "Rows").rows == (("test", 7706, 0, 0, 0, 0, 7706, 0),)
    different = table(found["identity"], "Distinct").rows
    assert different[0] == ("train", 14670, 13204, 13204, 13204, 13204)
    assert "test: 0.065 (100% of rows have an unseen pair)" in found["easiness"].text
    parts = table(found["controllers"], "Parts").rows
    assert parts[1][2:4] == (1467, 1)


@pytest.mark.slow
def test_scan_divided_by_compounds_has_the_recorded_divergence(tmp_path: Path) -> None:
    quick = ("divergence.starts=1", "divergence.effort=4")
    folder = build_small(tmp_path, "out", *quick, text=recipe("scan-mcd")).folder
    dataset = open_dataset(folder)
    record = dataset.manifest.divergence
    assert record is not None
    block = blocks_of(folder)["divergence"]
    rows = {row[:2]: row for row in table(block, "Chernoff").rows}
    assert rows["dev + test", "atoms"][5] == pytest.approx(record.atoms, abs=1e-6)
    assert rows["dev + test", "fragments"][5] == pytest.approx(record.compounds, abs=1e-6)
    assert block.verdict == OK
    random = rows["dev + test", "fragments"][6]
    assert random == pytest.approx(record.random_compounds, abs=5 * record.compounds_deviation)


def test_a_random_split_of_scan_looks_like_one(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=recipe("scan-simple")).folder
    found = blocks_of(folder)
    row = next(r for r in table(found["divergence"], "Chernoff").rows if r[1] == "atoms")
    assert abs(float(row[8])) < 5
    assert found["divergence"].verdict == INFO
    assert found["atoms"].verdict == found["ranges"].verdict == OK
