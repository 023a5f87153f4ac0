"""What a careful forger has made right again is noticed, and named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

import synthgen as synthgen_package
from benchmarks.faults.forged import Forged, NotHereError
from benchmarks.faults.forged_members import member_forgeries
from benchmarks.faults.forged_records import (
    file_forgeries,
    paper_forgeries,
    recipe_forgeries,
    record_forgeries,
)
from synthgen.verifying.verification import Verification
from tests.building import build_small, recipe_of, source_of, split_of

TEXT = recipe_of(
    source_of("hint", "max_operators = 4, max_value = 100"),
    split_of("train", 120, "n_op <= 2"),
    split_of("test", 60, "n_op > 2", "measure = ['depth']"),
    split_of("dev", 60, "n_op > 2"),
    split_of("again", 20, more='seen_in = "train"'),
    "[output]\nrows_per_shard = 100\n",
)
FORGERIES = [
    *chain(member_forgeries(), paper_forgeries(), recipe_forgeries()),
    *chain(record_forgeries(), file_forgeries()),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small(tmp_path_factory.mktemp("forged"), text=TEXT).folder


@pytest.fixture
def forged(built: Path, tmp_path: Path) -> Forged:
    shutil.copytree(built, tmp_path / "copy")
    return Forged(tmp_path / "copy", Random(1))  # noqa: S311  # places of edits, not secrets


def verified(forged: Forged) -> Verification:
    forged.save()
    return synthgen_package.verify(forged.folder, workers=1)


def test_a_dataset_that_is_saved_again_is_right(forged: Forged) -> None:
    assert verified(forged).ok


@pytest.mark.parametrize(("name", "change"), FORGERIES, ids=[name for name, _ in FORGERIES])
def test_a_forgery_is_named(name: str, change: Callable[[Forged], object], forged: Forged) -> None:
    try:
        change(forged)
    except NotHereError:
        pytest.skip("this dataset has no place for it")
    found = verified(forged)
    assert found.is_false
    lines = [*found.files, *(row["split"] for row in found.examples)]
    assert any(touched in line for line in lines for touched in forged.touched)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"overrides": ["rows"]}, "manifest.json: overrides=['rows']"),
        ({"overrides": ["seed=4"]}, "manifest.json: fingerprint"),
        ({"groups": "template"}, "manifest.json: groups"),
    ],
)
def test_a_false_record_is_named(values: dict[str, Any], said: str, forged: Forged) -> None:
    forged.manifest_edits.append(lambda manifest: manifest.update(values))
    assert said in "\n".join(verified(forged).files)


@pytest.mark.parametrize("key", ["arrow_bytes", "content"])
def test_a_false_record_of_a_shard_is_named(key: str, forged: Forged) -> None:
    def change(manifest: dict[str, Any]) -> None:
        shard = manifest["splits"][0]["shards"][0]
        shard[key] = shard[key] * 2

    forged.manifest_edits.append(change)
    assert "data/train-00000-of-00002.parquet: " in "\n".join(verified(forged).files)


def test_a_false_size_of_a_file_is_named(forged: Forged) -> None:
    forged.seal_edits.append(lambda manifest: manifest["files"][0].update(bytes=1))
    assert verified(forged).files == ["README.md: changed since it was built"]


def test_an_unknown_version_hides_nothing_else(forged: Forged) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["sources"][0]["version"] = 99
        manifest["recipe"]["split"][0]["where"] = "n_op <= 3"

    forged.manifest_edits.append(change)
    found = verified(forged)
    assert found.unproven
    assert "recipe.split.train.where" in "\n".join(found.files)


def test_a_missing_generator_hides_nothing_else(forged: Forged) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["sources"][0]["generator"] = "gone"
        manifest["recipe"]["seed"] = 4

    forged.recipe = forged.recipe.replace('"hint"', '"gone"')
    forged.manifest["recipe"]["source"][0].update(generator="gone", name="gone")
    forged.manifest_edits.append(change)
    found = verified(forged)
    assert found.unproven
    assert "manifest.json: recipe.seed=4: recipe.toml gives 3" in "\n".join(found.files)
