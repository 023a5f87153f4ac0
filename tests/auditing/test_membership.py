"""A changed membership is found by `synthgen audit` and `synthgen verify`, whoever signed it again.

Each damage is repaired as far as a forger can who knows all formats: hashes, sizes, the seal, and
where it says so the recorded selection and the order of the rows.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen import verify
from synthgen.auditing.report import audit
from synthgen.dataset.manifest import membership_file, read_manifest
from synthgen.dataset.membership import Membership, read_membership, write_membership
from synthgen.draws.randomness import stream_key
from synthgen.draws.shuffles import shuffle_ranks
from tests.building import (
    PAIRS,
    PARTS,
    SHORT_PHRASES,
    build_small,
    failed_checks,
    recipe_of,
    source_of,
    split_of,
    synthgen,
)
from tests.dataset.tiny import edit_manifest, sign

Rows = list[dict[str, Any]]

SHARED = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    split_of(
        "train",
        600,
        "n_op BETWEEN 3 AND 5",
        'balance = ["n_op"]\ncap = { axis = "result", share = 0.05 }',
    ),
    split_of("test_i", 60, "n_op > 3", 'seen_in = "train"\nbalance = ["n_op"]'),
    split_of("valid", 200, "n_op BETWEEN 3 AND 5"),
    split_of("test", 300, "n_op >= 3"),
)
SMALL_SPACE = recipe_of(
    source_of("scan"),
    split_of("train", 20, SHORT_PHRASES),
    split_of("dev", 4, SHORT_PHRASES),
    split_of("test", 10, SHORT_PHRASES),
)
GROUPS = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    split_of("train", 400),
    split_of("test", 100),
    '[assign]\nby = "template"\n',
)
AXIS_GROUPS = GROUPS.replace('by = "template"', 'by = ["n_op", "result"]')
ALL = {
    "shared": SHARED,
    "small space": SMALL_SPACE,
    "template": GROUPS,
    "axes": AXIS_GROUPS,
    "parts": PARTS,
    "variants": PAIRS,
    "by address": SHARED + '[output]\norder = "address"\nrows_per_shard = 150\n',
    "every prompt": SHARED + '[dedup]\non = "prompt"\n',
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of each recipe, built once."""
    folders: dict[str, Path] = {}

    def build(name: str) -> Path:
        if name not in folders:
            folders[name] = build_small(tmp_path_factory.mktemp("built"), text=ALL[name]).folder
        return folders[name]

    return build


@pytest.fixture
def copy(built: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    return lambda name: Path(shutil.copytree(built(name), tmp_path / "copy"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_nothing_valid_is_refused(name: str, built: Callable[[str], Path]) -> None:
    report = audit(built(name), measured=False)
    assert report.ok, [check for check in report.checks if not check.ok]
    found = verify(built(name), rebuild=5)
    assert found.ok, found.files
    names = {check.name for check in report.checks}
    expected = {f"{kind}/train" for kind in ("selection", "row-order", "split")}
    assert names >= expected


def expect_found(folder: Path, *checks: str, file: str) -> None:
    """Expect that these checks fail and name the file, and exit code 1 of `verify`."""
    failed = failed_checks(folder)
    assert failed.keys() >= {*checks}
    assert any(file in detail for detail in failed.values()), failed
    verified = synthgen("verify", str(folder))
    assert verified.returncode == 1, verified.stdout + verified.stderr
    assert file in verified.stdout


def shard(split: str) -> str:
    return f"data/{split}-00000-of-00001.parquet"


def read(folder: Path, split: str) -> Rows:
    rows: Rows = pq.read_table(folder / shard(split)).to_pylist()
    return rows


def write(folder: Path, split: str, rows: Rows, *, ordered: bool = True) -> None:
    """Replace the rows of a split and its recorded selection, in the order of the seed."""
    manifest = read_manifest(folder)
    names = [source.name for source in manifest.sources]
    places = Membership(
        np.array([names.index(row["source"]) for row in rows], np.uint16),
        np.array([row["address"] for row in rows], np.uint64),
    )
    if ordered:
        salt = stream_key(manifest.recipe["seed"], "order", split)
        order = np.argsort(shuffle_ranks(places.sources, places.addresses, salt))
        rows = [rows[i] for i in order.tolist()]
        places = Membership(places.sources[order], places.addresses[order])
    schema = pq.read_schema(folder / shard(split))
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / shard(split))
    write_membership(folder / membership_file(split), places)
    sign(folder)


def change_selection(folder: Path, change: Callable[[Membership], Membership]) -> None:
    path = folder / membership_file("train")
    write_membership(path, change(read_membership(path)))


def _reordered(members: Membership) -> Membership:
    return Membership(members.sources[::-1].copy(), members.addresses[::-1].copy())


def _with_another_address(members: Membership) -> Membership:
    addresses = members.addresses.copy()
    addresses[3] = 2**40
    return Membership(members.sources, addresses)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda members: members.take(slice(0, 500)), "100 rows missing, 0 added, 0 moved"),
        (_reordered, "0 rows missing, 0 added, 600 moved"),
        (_with_another_address, "1 rows missing, 1 added, 0 moved"),
    ],
)
def test_a_changed_selection(
    copy: Callable[[str], Path],
    change: Callable[[Membership], Membership],
    what: str,
    *,
    signed: bool,
) -> None:
    folder = copy("shared")
    change_selection(folder, change)
    if signed:
        sign(folder)
    expect_found(folder, "selection/train", file=f"selection/train.members: {what}")


def test_a_deleted_selection(copy: Callable[[str], Path]) -> None:
    folder = copy("shared")
    shutil.rmtree(folder / "selection")
    expect_found(folder, "files", "selection/valid", file="selection/valid.members")


@pytest.mark.parametrize("name", ["README.md", "eval.yaml", "lm_eval.yaml"])
def test_edited_papers(copy: Callable[[str], Path], name: str) -> None:
    folder = copy("shared")
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    expect_found(folder, "hashes", file=name)


@pytest.mark.parametrize("more", [False, True])
def test_a_variant_of_another_split(copy: Callable[[str], Path], *, more: bool) -> None:
    folder = copy("variants")
    splits = {split.name: split.rows for split in read_manifest(folder).splits}
    of = "train" if more else "test"

    def edit(manifest: dict[str, Any]) -> None:
        manifest["splits"][2]["variant"] = {"of": of, "source": "full" if more else "hint"}

    edit_manifest(folder, edit)
    rows = max(splits["test_full"], splits[of])
    text = f"{rows} rows do not correspond to the rows of {of}"
    assert text in failed_checks(folder)["row-order/test_full"]


def test_an_edited_manifest(copy: Callable[[str], Path]) -> None:
    folder = copy("shared")
    text = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(text.replace('"rows": 600', '"rows": 601'))
    for command in ("audit", "verify"):
        ended = synthgen(command, str(folder))
        assert ended.returncode == 1
        assert "manifest.json: seal=" in ended.stderr


@pytest.mark.parametrize(
    "edit",
    [
        lambda manifest: manifest["splits"][0].update(rows=601),
        lambda manifest: manifest["totals"].update(rows=1),
    ],
)
def test_edited_row_counts_in_a_sealed_manifest(
    copy: Callable[[str], Path], edit: Callable[[dict[str, Any]], object]
) -> None:
    folder = copy("shared")
    edit_manifest(folder, edit)
    audited, verified = (synthgen(command, str(folder)) for command in ("audit", "verify"))
    assert (audited.returncode, verified.returncode) == (1, 1)
    assert "promised" in audited.stdout
    assert "manifest.json: " in verified.stdout


def test_edited_rows_of_a_shard_in_a_sealed_manifest(copy: Callable[[str], Path]) -> None:
    folder = copy("shared")
    edit_manifest(folder, lambda manifest: manifest["splits"][0]["shards"][0].update(rows=601))
    for command in ("audit", "verify"):
        ended = synthgen(command, str(folder))
        assert ended.returncode == 1
        assert shard("train") in ended.stdout + ended.stderr


@pytest.mark.parametrize("name", ["shared", "small space", "template", "axes", "every prompt"])
def test_rows_exchanged_between_splits_of_one_rule(copy: Callable[[str], Path], name: str) -> None:
    folder = copy(name)
    one, other = ("valid", "test") if name in ("shared", "every prompt") else ("train", "test")
    ones, others = read(folder, one), read(folder, other)
    i, j = (
        next(
            (i, j)
            for i, a in enumerate(ones)
            for j, b in enumerate(others)
            if b.get("n_op", 0) == a.get("n_op", 0)
            and any(a[key] != b[key] for key in ("difficulty", "result", "n_op") if key in a)
        )
        if name != "small space"
        else (0, 0)
    )
    ones[i], others[j] = others[j], ones[i]
    write(folder, one, ones)
    write(folder, other, others)
    kind = "first" if name == "small space" else "split"
    expect_found(folder, f"{kind}/{one}", file=one)


def test_a_reordered_split(copy: Callable[[str], Path]) -> None:
    folder = copy("shared")
    rows = read(folder, "valid")
    rows[3], rows[90] = rows[90], rows[3]
    write(folder, "valid", rows, ordered=False)
    expect_found(folder, "row-order/valid", file=f"{shard('valid')}: ")


def test_a_row_seen_in_train_that_is_not_the_first_of_its_cell(copy: Callable[[str], Path]) -> None:
    folder = copy("shared")
    rows, train = read(folder, "test_i"), read(folder, "train")
    lowest = min(rows, key=lambda row: row["address"])
    cell = [row for row in train if row["n_op"] == lowest["n_op"]]
    rows[rows.index(lowest)] = max(cell, key=lambda row: row["address"])
    write(folder, "test_i", rows)
    expect_found(folder, "first/test_i", file="selection/test_i.members: ")


def test_uneven_cells(copy: Callable[[str], Path]) -> None:
    folder = copy("shared")

    def edit(manifest: dict[str, Any]) -> None:
        cells = manifest["splits"][0]["cells"]
        cells[0]["rows"] += 3
        cells[1]["rows"] -= 3

    edit_manifest(folder, edit)
    expect_found(folder, "quotas/train", file="manifest.json: 2 cells of train lack rows")


def test_an_address_that_the_build_did_not_draw(copy: Callable[[str], Path]) -> None:
    folder = copy("shared")
    rows = read(folder, "valid")
    rows[0]["address"] = 10**12
    write(folder, "valid", rows)
    expect_found(folder, "row-order/valid", file="that the build did not draw")


def test_rows_of_a_variant_exchanged(copy: Callable[[str], Path]) -> None:
    folder = copy("variants")
    rows = read(folder, "test_full")
    rows[0], rows[1] = rows[1], rows[0]
    write(folder, "test_full", rows, ordered=False)
    expect_found(folder, "row-order/test_full", file=shard("test_full"))


def test_repeats_of_parts_have_an_order(copy: Callable[[str], Path]) -> None:
    folder = copy("parts")
    rows = read(folder, "train")
    place = next(i for i, row in enumerate(rows[1:]) if row["address"] != rows[0]["address"]) + 1
    rows[0], rows[place] = rows[place], rows[0]
    write(folder, "train", rows, ordered=False)
    expect_found(folder, "row-order/train", file=shard("train"))


def test_a_small_space_leaves_later_problems_to_others(built: Callable[[str], Path]) -> None:
    report = audit(built("small space"), measured=False)
    details = {check.name: check.detail for check in report.checks}
    assert "others left the rest (1 of dev)" in details["split/train"]
    assert details["first/dev"].startswith("0 of 2 problems left to other splits")
