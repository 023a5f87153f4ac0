"""`synthgen verify` finds what was edited in a dataset, whoever signed it again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import synthgen as synthgen_package
from synthgen.families.hint.family import Hint
from synthgen.verifying.verification import Verification
from tests.building import build_small, recipe_of, source_of, split_of, synthgen
from tests.dataset.tiny import edit_manifest, sign

TEXT = recipe_of(
    source_of("hint", "max_operators = 4, max_value = 100"),
    source_of("scan"),
    split_of("train", 60, "source = 'hint' AND n_op = 2"),
    split_of("test", 40, "source = 'hint' AND n_op > 2"),
    split_of("other", 30, "source = 'scan'"),
)
TRAIN, TEST = (f"data/{name}-00000-of-00001.parquet" for name in ("train", "test"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small(tmp_path_factory.mktemp("verify"), text=TEXT).folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "copy")
    return tmp_path / "copy"


def verified(folder: Path, rebuild: int | None = None) -> Verification:
    return synthgen_package.verify(folder, rebuild=rebuild, workers=1)


def edit(folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change rows of train and sign them, as a forger would."""
    schema = pq.read_schema(folder / TRAIN)
    rows = pq.read_table(folder / TRAIN).to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / TRAIN)
    sign(folder)


def test_an_untouched_dataset_is_right(folder: Path) -> None:
    found = verified(folder)
    assert found.ok
    assert (found.rows, found.rebuilt, found.unproven) == (130, 130, [])
    assert verified(folder, rebuild=7).rebuilt == 21
    assert verified(folder, rebuild=0).rebuilt == 0


EDITS: list[tuple[dict[str, Any], str]] = [
    ({"derivation": "(+ 1 2)"}, "the id is not the key of the derivation"),
    ({"derivation": "(+ 1 2"}, "the id is not the key of the derivation"),
    ({"derivation": None}, "derivation is missing"),
    ({"id": "0" * 32}, "the id is not the key of the derivation"),
    ({"id": "x"}, "the id is not the key of the derivation"),
    ({"id": None}, "id is missing"),
    ({"answer": "12345"}, "the answer is wrong"),
    ({"source": "nowhere"}, "the source is not in the manifest"),
    ({"task": "scan"}, "the task is not the generator of the source"),
    ({"n_op": -5}, "n_op is out of the range in the manifest"),
    ({"answer_type": "string"}, "the address gives another row: answer_type differs"),
    ({"template": None}, "template is missing"),
    ({"difficulty": 3}, "the address gives another row: difficulty differs"),
    ({"n_op": 3}, "the address gives another row: n_op differs"),
    ({"n_op": None}, "the address gives another row: n_op differs"),
]


@pytest.mark.parametrize(("values", "why"), EDITS, ids=lambda each: str(each)[:40])
def test_an_edited_row_is_found_by_default(folder: Path, values: dict[str, Any], why: str) -> None:
    edit(folder, lambda rows: rows[9].update(values))
    ended = synthgen("verify", str(folder), "--json")
    assert ended.returncode == 1, ended.stderr
    found = json.loads(ended.stdout)
    assert found["wrong"] == 1
    assert [row["why"] for row in found["examples"]] == [why]
    assert why in synthgen("verify", str(folder)).stdout


@pytest.mark.parametrize("address", [0, 2**64 - 1, 12345])
def test_an_edited_address_is_found(folder: Path, address: int) -> None:
    edit(folder, lambda rows: rows[9].update(address=address))
    (row,) = verified(folder).examples
    assert row["why"].startswith("the address gives")


def test_a_row_of_another_split_with_a_forged_id_is_found(folder: Path) -> None:
    schema = pq.read_schema(folder / TEST)
    rows = pq.read_table(folder / TEST).to_pylist()
    copied = pq.read_table(folder / TRAIN).to_pylist()[3] | {"id": "ab" * 16}
    pq.write_table(pa.Table.from_pylist([*rows, copied], schema), folder / TEST)
    sign(folder)
    found = verified(folder, rebuild=0)
    assert (found.wrong, found.examples[0]["split"]) == (1, "test")


def test_one_odd_derivation_does_not_spoil_the_others(folder: Path) -> None:
    edit(folder, lambda rows: rows[0].update(derivation="(1 (2 +) 3)"))
    assert verified(folder).wrong == 1


@pytest.mark.parametrize(
    "name", ["README.md", "eval.yaml", "lm_eval.yaml", "selection/train.members"]
)
def test_files_are_checked(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[7] ^= 1
    (folder / name).write_bytes(content)
    (folder / "notes.txt").write_text("mine")
    ended = synthgen("verify", str(folder))
    assert ended.returncode == 1
    assert f"{name}: changed since it was built" in ended.stdout
    assert "notes.txt: not in the manifest" in ended.stdout
    assert verified(folder).wrong == 0


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "croissant.json").unlink()
    assert verified(folder).files == ["croissant.json: missing"]


def test_another_version_of_a_generator_leaves_the_dataset_unproven(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hint, "version", Hint.version + 1)
    ended = synthgen("verify", str(folder))
    assert ended.returncode == 1
    assert f"source 'hint': built with version {Hint.version - 1} of 'hint'" in ended.stdout
    assert "130 rows checked: 0 wrong" in ended.stdout
    assert "regenerated 30 of 130" in ended.stdout
    assert ended.stdout.splitlines()[-1].startswith("not proven: source 'hint'")
    assert synthgen("verify", str(folder), "--allow-unproven").returncode == 0
    edit(folder, lambda rows: rows[9].update(answer="12345"))
    assert synthgen("verify", str(folder), "--allow-unproven").returncode == 1


def test_rows_without_their_verifier_are_not_called_right(folder: Path) -> None:
    def rename(manifest: dict[str, Any]) -> None:
        manifest["sources"][1].update(generator="gone", verifier="gone")

    edit_manifest(folder, rename)
    found = verified(folder)
    assert not found.ok
    assert found.wrong == 30  # their task is another one
    shard = folder / "data/other-00000-of-00001.parquet"
    table = pq.read_table(shard)
    place = table.schema.get_field_index("task")
    pq.write_table(table.set_column(place, "task", pa.array(["gone"] * 30)), shard)
    sign(folder)
    found = verified(folder)
    assert not found.ok
    assert (found.wrong, found.unchecked, found.rows) == (0, 30, 130)
    assert found.unproven[1:] == [
        "source 'scan': verifier 'gone' is not installed, so its answers are not checked",
        "source 'scan': generator 'gone' is not installed, so its rows are not regenerated",
    ]
