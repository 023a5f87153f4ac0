import json
from pathlib import Path
from typing import Any

import pytest

from synthgen.core.errors import DatasetError
from synthgen.dataset.manifest import read_manifest, to_json
from tests.dataset.tiny import AXES, edit_manifest, read_json, save_manifest, write_dataset


def test_what_is_read_is_written_again_byte_for_byte(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    written = to_json(read_manifest(folder))
    assert written == (folder / "manifest.json").read_text(encoding="utf-8")
    assert written.endswith("}\n")


def test_records_have_their_values(tmp_path: Path) -> None:
    manifest = read_manifest(write_dataset(tmp_path / "tiny"))
    train = manifest.splits[0]
    assert (train.name, train.rows, train.balance) == ("train", 40, ("n_op",))
    assert train.cells[1].cell == {"n_op": 1}
    assert train.cap is not None
    assert train.cap.share == 0.9
    assert manifest.axes["kind"].values == ("plain", "nested")


def test_a_folder_without_manifest_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="not a finished dataset"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"format": "synthgen-dataset/1"}', "[" * 10**5]
)
def test_other_formats_and_broken_text_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=r"manifest\.json: (not JSON|format=)"):
        read_manifest(tmp_path)


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(b"\xff\xfe")
    with pytest.raises(DatasetError, match="cannot be read"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    "key",
    ["name", "fingerprint", "sources", "columns", "axes", "dedup", "splits", "selection", "totals"],
)
def test_every_missing_key_is_named(tmp_path: Path, key: str) -> None:
    folder = write_dataset(tmp_path / "tiny")
    edit_manifest(folder, lambda manifest: manifest.pop(key))
    with pytest.raises(DatasetError, match=rf"manifest\.json: {key}: "):
        read_manifest(folder)


def set_at(manifest: dict[str, Any], path: str, value: object) -> None:
    *parents, last = [int(word) if word.isdigit() else word for word in path.split(".")]
    node: Any = manifest
    for parent in parents:
        node = node[parent]
    node[last] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("splits.0.rows", "40"),
        ("splits.0.rows", -1),
        ("splits.0.rows", True),
        ("splits.0.rows", 1.5),
        ("splits.0.where", 3),
        ("splits.0.name", "test-ood"),
        ("splits.0.name", "../train"),
        ("splits.0.extra", 1),
        ("splits.0.cells.0.cell", {"n_op": [1]}),
        ("splits.0.cap", {"axis": "kind", "share": 0, "where": None}),
        ("splits.0.shards.0.sha256", "xyz"),
        ("sources.0.stream", "12"),
        ("selection.bytes_per_row", None),
        ("axes.n_op.low", "0"),
        ("axes.n_op.dtype", "int8"),
        ("axes.n_op.dtype", "float"),
        ("axes.kind.values", [1]),
        ("axes.kind.values", "plain"),
        ("files.0.sha256", "0"),
        ("files.0.file", "../README.md"),
        ("files.0.file", "selection/../x.parquet"),
        ("dedup", "fuzzy"),
        ("totals.rows", None),
        ("overrides", "rows=1"),
    ],
)
def test_mistyped_values_are_named(tmp_path: Path, path: str, value: object) -> None:
    folder = write_dataset(tmp_path / "tiny")
    edit_manifest(folder, lambda manifest: set_at(manifest, path, value))
    with pytest.raises(DatasetError, match=path.replace(".", r"\.")):
        read_manifest(folder)


@pytest.mark.parametrize(
    "file",
    [
        "/etc/passwd",
        "../data/train-00000-of-00001.parquet",
        "data/../secret.parquet",
        "data/nested/train-00000-of-00001.parquet",
        "data/..parquet",
        "data/.hidden.parquet",
        "data\\train-00000-of-00001.parquet",
        "data/train-0.parquet\n",
        "data/train-*.parquet",
        "C:/data/train-00000-of-00001.parquet",
        "data/test_hard-00000-of-00001.parquet",
        "data/train-00000-of-00002.parquet",
    ],
)
def test_shards_cannot_leave_their_folder_or_split(tmp_path: Path, file: str) -> None:
    folder = write_dataset(tmp_path / "tiny")
    edit_manifest(folder, lambda manifest: set_at(manifest, "splits.0.shards.1.file", file))
    with pytest.raises(DatasetError, match=r"shards"):
        read_manifest(folder)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("splits.0.seen_in", "train"),
        ("splits.0.seen_in", "nowhere"),
        ("splits.0.overlap", ["nowhere"]),
        ("splits.0.balance", ["nothing"]),
        ("splits.0.cap", {"axis": "nothing", "share": 0.5, "where": None}),
        ("splits.1.name", "train"),
        ("splits", []),
        ("columns.0.name", "key"),
        ("columns.0.type", "int64"),
        ("columns.11.type", "list<item: string>"),
        ("columns.11.name", "id"),
        ("axes.other", AXES["n_op"]),
        ("axes.n_op.values", ["x"]),
        ("axes.kind.values", []),
        ("axes.n_op.dtype", "int64"),
        ("sources", []),
        ("files", []),
        ("files.0.file", "recipe.toml"),
        ("files.3.file", "selection/other.members"),
    ],
)
def test_names_that_nothing_has_are_refused(tmp_path: Path, path: str, value: object) -> None:
    folder = write_dataset(tmp_path / "tiny")
    edit_manifest(folder, lambda manifest: set_at(manifest, path, value))
    with pytest.raises(DatasetError, match="expected"):
        read_manifest(folder)


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    manifest = read_json(folder)
    del manifest["name"]
    manifest["dedup"] = 3
    save_manifest(folder, manifest)
    with pytest.raises(DatasetError) as caught:
        read_manifest(folder)
    assert len(str(caught.value).splitlines()) == 2


def test_unusual_numbers_are_refused(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    text = json.dumps(read_json(folder)).replace("120.5", "NaN")
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match="bytes_per_row"):
        read_manifest(folder)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("fingerprint", "cd" * 32),
        ("recipe.seed", 8),
        ("axes.n_op.high", 8),
        ("splits.0.cells.0.quota", 9),
        ("splits.0.shards.0.content.0", "1" * 64),
        ("files.0.bytes", 1),
        ("seal", "0" * 64),
        ("seal", None),
    ],
)
def test_a_changed_manifest_is_noticed(tmp_path: Path, path: str, value: object) -> None:
    folder = write_dataset(tmp_path / "tiny")
    manifest = read_json(folder)
    set_at(manifest, path, value)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"manifest\.json: seal=.* the file was changed"):
        read_manifest(folder)
    del manifest["seal"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(DatasetError, match="seal=None"):
        read_manifest(folder)
