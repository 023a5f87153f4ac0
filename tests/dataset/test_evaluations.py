from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from synthgen.core.errors import DatasetError
from synthgen.dataset.evaluations import render_evaluations
from synthgen.dataset.layout import file_faults
from synthgen.dataset.manifest import EVALUATIONS, Manifest, read_manifest
from tests.dataset.tiny import edit_manifest, write_dataset


class Loader(yaml.SafeLoader):
    """Reads functions by name."""


Loader.add_constructor("!function", Loader.construct_scalar)  # type: ignore[type-var]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "tiny")


@pytest.fixture
def manifest(folder: Path) -> Manifest:
    return read_manifest(folder)


def rendered(manifest: Manifest) -> list[Any]:
    texts = render_evaluations(manifest)
    assert [*texts] == [*EVALUATIONS]
    return [yaml.load(text, Loader) for text in texts.values()]  # noqa: S506


def test_evaluators_find_the_splits_to_test(manifest: Manifest) -> None:
    benchmark, group = rendered(manifest)
    assert benchmark["evaluation_framework"] == "inspect-ai"
    assert [(task["id"], task["config"], task["split"]) for task in benchmark["tasks"]] == [
        ("test_hard", "default", "test_hard"),
        ("probe", "default", "probe"),
    ]
    assert group["group"] == "tiny"
    hard, probe = group["task"]
    assert (hard["task"], hard["test_split"]) == ("test_hard", "test_hard")
    assert (probe["task"], probe["fewshot_split"]) == ("probe", "train")
    assert hard["dataset_kwargs"]["data_files"]["probe"] == "data/probe-*.parquet"
    assert hard["process_results"] == "synthgen.training.adapters.lm_eval_results"


def test_answers_that_are_no_values_have_no_tasks(manifest: Manifest) -> None:
    (source,) = manifest.sources
    benchmark, group = rendered(
        replace(manifest, sources=(replace(source, verifier="constraints"),))
    )
    assert (benchmark["tasks"], group["task"]) == ([], [])


@pytest.mark.parametrize("name", EVALUATIONS)
def test_edited_ones_are_found(folder: Path, name: str) -> None:
    manifest = read_manifest(folder)
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert file_faults(folder, manifest).changed == (name,)
    (folder / name).unlink()
    assert file_faults(folder, manifest).missing == (name,)


def test_both_are_listed_or_none_as_in_earlier_versions(folder: Path) -> None:
    for name in EVALUATIONS:
        (folder / name).unlink()

    def leave_out(found: dict[str, Any], names: tuple[str, ...]) -> None:
        found["files"] = [record for record in found["files"] if record["file"] not in names]

    edit_manifest(folder, lambda found: leave_out(found, EVALUATIONS[:1]))
    with pytest.raises(DatasetError, match=r"files=\['eval.yaml'\]"):
        read_manifest(folder)
    edit_manifest(folder, lambda found: leave_out(found, EVALUATIONS))
    faults = file_faults(folder, read_manifest(folder))
    assert (faults.missing, faults.added, faults.changed) == ((), (), ())
