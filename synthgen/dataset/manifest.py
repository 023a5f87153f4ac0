"""The manifest: the promises of a finished dataset, and the file that makes a folder a dataset.

It contains no time, host or worker count, so that the same build writes the same bytes. Folders are
untrusted when read: every value is checked for type and range, and file names cannot leave the
folder. A seal shows that the manifest is as it was written.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError

from synthgen.core.errors import ChangedError, DatasetError
from synthgen.core.files import check_regular
from synthgen.core.images import IMAGE, IMAGE_TYPES
from synthgen.dataset.records import (
    ARROW_TYPES,
    AxisRecord,
    CapRecord,
    CellRecord,
    DivergenceRecord,
    FileRecord,
    Manifest,
    MeasureRecord,
    ShardRecord,
    SourceRecord,
    SplitRecord,
)
from synthgen.dataset.row_schema import BASE_COLUMNS, CORRUPTED
from synthgen.dataset.seal import SEAL, sealed, unsealed

__all__ = [
    "EVALUATIONS",
    "FORMAT",
    "INSPECT_FILE",
    "LM_EVAL_FILE",
    "MANIFEST_FILE",
    "PAPERS",
    "SELECTION_FORMAT",
    "AxisRecord",
    "CapRecord",
    "CellRecord",
    "DivergenceRecord",
    "FileRecord",
    "Manifest",
    "MeasureRecord",
    "ShardRecord",
    "SourceRecord",
    "SplitRecord",
    "membership_file",
    "parse_manifest",
    "read_manifest",
    "shard_files",
    "to_json",
]

FORMAT = "synthgen-dataset/4"
SELECTION_FORMAT = "synthgen-selection/2"
"""Of a folder that records which rows were selected, but has no data."""
MANIFEST_FILE = "manifest.json"
PAPERS = ("README.md", "croissant.json", "recipe.toml")
"""Files that describe the dataset to readers other than synthgen."""
_SELECTION_PAPERS = ("README.md", "recipe.toml")
INSPECT_FILE, LM_EVAL_FILE = "eval.yaml", "lm_eval.yaml"
EVALUATIONS = (INSPECT_FILE, LM_EVAL_FILE)
"""Files by which evaluators find the splits; datasets of earlier versions have none."""


def membership_file(split: str) -> str:
    """Return the path of the recorded membership of a split, relative to the dataset folder."""
    return f"selection/{split}.members"


def shard_files(split: str, rows: int, size: int) -> dict[str, int]:
    """Return path and number of rows of each shard of a split.

    Args:
        split: Name of the split.
        rows: Number of its rows.
        size: Rows of all shards but the last.
    """
    number = max(1, -(-rows // size))
    return {
        f"data/{split}-{place:05d}-of-{number:05d}.parquet": min(size, rows - place * size)
        for place in range(number)
    }


def to_json(manifest: Manifest) -> str:
    """Serialise a manifest, with its seal, as text that depends only on its values.

    Splits have the key `noise` only where the dataset has some.
    """
    content = asdict(manifest)
    for split in content["splits"]:
        if split["noise"] is None:
            del split["noise"]
    return json.dumps(sealed(content), sort_keys=True, indent=1, allow_nan=False) + "\n"


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a dataset folder.

    Raises:
        DatasetError: if there is none, or a key is missing, unknown, of the wrong type, or refers
            to something not in the manifest; the message names the file and the key.
        ChangedError: if its content does not match its seal.
    """
    path = folder / MANIFEST_FILE
    try:
        check_regular(path)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        msg = f"{folder}: no {MANIFEST_FILE}, so this is not a finished dataset"
        raise DatasetError(msg) from None
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}"
        raise DatasetError(msg) from None
    return parse_manifest(path, text)


def parse_manifest(path: Path | str, text: str) -> Manifest:
    """Check the text of a manifest; raise DatasetError as `read_manifest` does.

    Args:
        path: Path or URL of the file, for messages.
        text: Content of the file.
    """
    record = _checked_format(path, text)
    content = {key: value for key, value in record.items() if key != SEAL}
    try:
        manifest = _adapter().validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        lines = (f"{path}: {'.'.join(map(str, f['loc'])) or 'file'}: {f['msg']}" for f in faults)
        raise DatasetError("\n".join(lines)) from None
    _check_columns(path, manifest)
    _check_splits(path, manifest)
    _check_files(path, manifest)
    if unsealed(record) is None:
        seal = record.get(SEAL)
        msg = f"{path}: {SEAL}={seal!r}: expected the hash of the content; the file was changed"
        raise ChangedError(msg)
    return manifest


@cache
def _adapter() -> TypeAdapter[Manifest]:
    return TypeAdapter(Manifest)


def _checked_format(path: Path | str, text: str) -> dict[str, Any]:
    """Return the JSON of a manifest, whose format version is checked before any other key."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        msg = f"{path}: not JSON: {error}"
        raise DatasetError(msg) from None
    content = parsed if isinstance(parsed, dict) else {}
    if content.get("format") not in (FORMAT, SELECTION_FORMAT):
        _fail(path, "format", content.get("format"), repr(FORMAT))
    return content


def _check_columns(path: Path | str, manifest: Manifest) -> None:
    types = {column.name: column.type for column in manifest.columns}
    if len(types) < len(manifest.columns):
        _fail(path, "columns", sorted(column.name for column in manifest.columns), "unique names")
    for name, kind in types.items():
        if kind not in ARROW_TYPES:
            _fail(path, f"columns.{name}.type", kind, f"one of {', '.join(ARROW_TYPES)}")
    base = {name: str(kind) for name, (kind, _) in BASE_COLUMNS.items()}
    given = types.pop(IMAGE, None)
    if given and given not in map(str, IMAGE_TYPES.values()):
        _fail(path, f"columns.{IMAGE}.type", given, "string or the type of PNG files")
    if (marks := types.pop(CORRUPTED, "bool")) != "bool":
        _fail(path, f"columns.{CORRUPTED}.type", marks, "bool")
    if list(types.items())[: len(base)] != list(base.items()):
        wrong = sorted(name for name in base if types.get(name) != base[name])
        _fail(path, "columns", wrong or list(types), f"first {', '.join(base)}")
    if unknown := types.keys() - base.keys() - manifest.axes.keys():
        _fail(path, "columns", sorted(unknown), "names of axes after the base columns")
    for name, axis in manifest.axes.items():
        if name not in types:
            _fail(path, f"axes.{name}", name, "a name in columns")
        if axis.column_type != types[name]:
            _fail(path, f"axes.{name}", axis.column_type, f"{types[name]}, the type of its column")


def _check_splits(path: Path | str, manifest: Manifest) -> None:
    """Check that splits refer only to columns and splits of this manifest and their own shards."""
    names = [split.name for split in manifest.splits]
    columns = {column.name for column in manifest.columns}
    sources = {source.name for source in manifest.sources}
    if not names or len(set(names)) < len(names):
        _fail(path, "splits", names, "one or more different names")
    if not sources or len(sources) < len(manifest.sources):
        _fail(path, "sources", sorted(sources), "one or more different names")
    for split in manifest.splits:
        place = f"splits.{split.name}"
        for key, used, known in (
            ("seen_in", {split.seen_in} - {None}, set(names) - {split.name}),
            ("overlap", set(split.overlap), set(names) - {split.name}),
            ("balance", set(split.balance), columns),
            ("variant.of", {split.base} - {None}, set(names) - {split.name}),
            ("variant.source", {split.variant.source} if split.variant else set(), sources),
            ("unseen.of", {split.unseen.of} if split.unseen else set(), set(names)),
            ("unseen.axes", set(split.unseen.axes) if split.unseen else set(), columns),
            ("measured", {measure.axis for measure in split.measured}, columns),
            ("cap", {split.cap.axis} if split.cap else set(), columns),
            ("covers", {name for cover in split.covers for name in cover.axes}, columns),
            ("order", {split.order.axis} if split.order else set(), columns),
        ):
            if used - known:
                _fail(path, f"{place}.{key}", sorted(map(str, used - known)), "known names")
        for cell in split.cells:
            if set(cell.cell) != set(split.balance):
                _fail(path, f"{place}.cells", dict(cell.cell), f"the keys {list(split.balance)}")
        if bool(split.shards) != (manifest.format == FORMAT):
            _fail(path, f"{place}.shards", len(split.shards), f"the shards of a {manifest.format}")
        for shard in split.shards:
            if not shard.file.startswith(f"data/{split.name}-"):
                _fail(path, f"{place}.shards.file", shard.file, f"data/{split.name}-*.parquet")
    for computed in manifest.computed:
        if unknown := {computed.name, *computed.axes} - columns:
            _fail(path, f"computed.{computed.name}", sorted(unknown), "names of columns")
        if any(len(cell) != len(computed.axes) for cell in computed.cells):
            key = f"computed.{computed.name}.cells"
            _fail(path, key, len(computed.axes), "a value of each axis")
    grouped = manifest.groups if isinstance(manifest.groups, tuple) else ()
    if unknown := set(grouped) - columns:
        _fail(path, "groups", sorted(unknown), "names of columns")
    divided = manifest.divergence
    if divided and (unknown := {*divided.train, *divided.test} - set(names)):
        _fail(path, "divergence", sorted(unknown), "known names")
    files = Counter(shard.file for split in manifest.splits for shard in split.shards)
    if repeated := [file for file, times in files.items() if times > 1]:
        _fail(path, "splits.shards.file", repeated, "unique files")


def _check_files(path: Path | str, manifest: Manifest) -> None:
    """Check that all files besides the shards are listed, once each."""
    files = [record.file for record in manifest.files]
    evaluations = EVALUATIONS if {*EVALUATIONS} & {*files} else ()
    members = [membership_file(split.name) for split in manifest.splits]
    papers = [*PAPERS, *evaluations] if manifest.has_data else _SELECTION_PAPERS
    wanted = sorted([*papers, *members])
    if files != wanted:
        _fail(path, "files", sorted(set(files) ^ set(wanted)) or files, ", ".join(wanted))


def _fail(path: Path | str, key: str, value: object, expected: str) -> NoReturn:
    msg = f"{path}: {key}={value!r}: expected {expected}"
    raise DatasetError(msg)
