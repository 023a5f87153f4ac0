import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from synthgen.dataset.croissant import render_croissant, split_kind
from synthgen.dataset.manifest import Manifest, read_manifest
from tests.dataset.tiny import CARD, default_rows, write_dataset


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_dataset(tmp_path_factory.mktemp("croissant") / "tiny")
    text = render_croissant(read_manifest(folder), CARD)
    (folder / "croissant.json").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def manifest(folder: Path) -> Manifest:
    return read_manifest(folder)


def described(manifest: Manifest, **card: str | None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render_croissant(manifest, CARD | card))
    return found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("train_easy", "cr:TrainingSplit"),
        ("valid", "cr:ValidationSplit"),
        ("val_1", "cr:ValidationSplit"),
        ("dev", "cr:ValidationSplit"),
        ("test_ood", "cr:TestSplit"),
        ("probe", None),
    ],
)
def test_kinds_of_splits(name: str, kind: str | None) -> None:
    assert split_kind(name) == kind


def test_every_shard_is_listed_with_its_hash(manifest: Manifest) -> None:
    objects = [
        node for node in described(manifest)["distribution"] if node["@type"] == "cr:FileObject"
    ]
    assert {node["contentUrl"]: node["sha256"] for node in objects} == {
        shard.file: shard.sha256 for split in manifest.splits for shard in split.shards
    }


def test_what_the_card_has_not_is_left_out(manifest: Manifest) -> None:
    assert described(manifest)["datePublished"] == "2026-01-31"
    without = described(manifest, date=None, citation=None, url=None)
    assert not {"datePublished", "citeAs", "url"} & without.keys()


@pytest.mark.parametrize(
    ("given", "page"),
    [("mit", "MIT"), ("cc-by-4.0", "CC-BY-4.0"), ("apache-2.0", "Apache-2.0"), ("BSL-1.0",) * 2],
)
def test_licenses_are_pages_of_spdx(manifest: Manifest, given: str, page: str) -> None:
    found = described(manifest, license=given)["license"]
    assert found == f"https://spdx.org/licenses/{page}.html"


def test_provenance_holds_the_fingerprint(manifest: Manifest) -> None:
    used = described(manifest)["prov:wasGeneratedBy"]["prov:used"]
    assert used["prov:value"] == manifest.fingerprint


def open_croissant(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library = pytest.importorskip("mlcroissant")
        return library.Dataset(folder / "croissant.json")


@pytest.mark.filterwarnings("ignore")
def test_the_reference_reader_finds_no_error(folder: Path) -> None:
    issues = open_croissant(folder).metadata.issues
    assert not issues.errors
    assert all("version" in warning for warning in issues.warnings)


@pytest.mark.filterwarnings("ignore")
def test_the_reference_reader_reads_the_rows(folder: Path) -> None:
    dataset = open_croissant(folder)
    found = {
        (record["default/split"].decode(), record["default/prompt"].decode()): record
        for record in dataset.records("default")
    }
    rows = {(name, row["prompt"]): row for name, rows in default_rows().items() for row in rows}
    assert found.keys() == rows.keys()
    for key, row in rows.items():
        assert found[key]["default/id"].decode() == row["id"]
        assert found[key]["default/n_op"] == row["n_op"]
        assert found[key]["default/address"] == row["address"]


@pytest.mark.filterwarnings("ignore")
def test_the_reference_reader_knows_the_splits(folder: Path) -> None:
    found = {
        record["splits/name"]: record["splits/url"]
        for record in open_croissant(folder).records("splits")
    }
    # The reader's table shows a missing kind as NaN.
    assert found.pop("probe") != "cr:TestSplit"
    assert found == {"train": "cr:TrainingSplit", "test_hard": "cr:TestSplit"}
