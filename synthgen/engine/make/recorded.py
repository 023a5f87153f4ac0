"""Rows of a dataset, made again from the sources in its manifest and its recorded membership."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import (
    AuthorError,
    ChangedError,
    DatasetError,
    SynthgenError,
    UnknownNameError,
)
from synthgen.dataset.manifest import (
    FORMAT,
    Manifest,
    ShardRecord,
    SourceRecord,
    SplitRecord,
    membership_file,
    shard_files,
)
from synthgen.dataset.membership import Membership, read_membership
from synthgen.dataset.places import Place, reading
from synthgen.dataset.reader import Dataset
from synthgen.dataset.shards import write_shard
from synthgen.engine.make.address_groups import GROUP_ROWS, AddressedRows
from synthgen.engine.plan.sources import PlannedSource
from synthgen.formats.formatted import VERSION, Formatted, format_of

_MAX = 2**64 - 1


def other_version(record: SourceRecord) -> str | None:
    """Return why a source is not installed as it was when the dataset was built, or None."""
    name = record.generator
    try:
        kind = generator_class(name)
    except UnknownNameError:
        return f"generator {name!r} is not installed"
    except AuthorError as error:
        return str(error)
    if kind.version != record.version:
        return f"built with version {record.version} of {name!r}, this is version {kind.version}"
    if record.format and record.format.get("version") != VERSION:
        return "built with another version of formats"
    return None


def recorded_source(manifest: Manifest, record: SourceRecord) -> PlannedSource | str:
    """Return a source as it was when the dataset was built, or why it would draw other rows."""
    if other := other_version(record):
        return other
    name = record.generator
    kind = generator_class(name)
    try:
        generator = kind(**{key: _frozen(value) for key, value in record.params.items()})
        if record.format:
            given = {key: _frozen(value) for key, value in record.format.items()}
            del given["version"]
            generator = Formatted(generator, format_of(given))
    except (SynthgenError, TypeError) as error:
        return f"cannot be recreated: {error}"
    for axis, actual in generator.axes.items():
        known = manifest.axes.get(axis)
        if known is None or not {*actual.values} <= {*known.values}:
            return f"its axis {axis!r} differs from the manifest"
    for style, styles in ((record.prompt, kind.prompts), (record.solution, kind.solutions)):
        if style not in styles:
            return f"{style!r} is not a style of {name!r}"
    return PlannedSource(
        record.name,
        name,
        generator,
        int(record.stream, 16),
        Render(record.prompt, record.solution, manifest.picture),
        computed=tuple(each.as_axis() for each in manifest.computed),
    )


def selected_rows(place: Place, manifest: Manifest, memory: int) -> dict[str, AddressedRows]:
    """Return the rows of each split of a dataset, to be made from its recorded membership.

    Args:
        place: Folder of the dataset.
        manifest: Manifest of the dataset.
        memory: Bytes of rows to keep for each split.

    Raises:
        ChangedError: if the membership is not as it was written.
        DatasetError: if it cannot be read, or a source would draw other rows.
    """
    sources = []
    for record in manifest.sources:
        source = recorded_source(manifest, record)
        if isinstance(source, str):
            msg = f"{place.root}: source {record.name!r}: {source}, so its rows cannot be made"
            raise DatasetError(msg)
        sources.append(source)
    known = manifest.axes
    axes = {name: known[name].as_axis() for name in manifest.schema.names if name in known}
    return {
        split.name: AddressedRows(
            recorded_membership(place, manifest, split, sources), sources, axes, split, memory
        )
        for split in manifest.splits
    }


@contextmanager
def with_data(dataset: Dataset) -> Iterator[Dataset]:
    """Enter a dataset; if it has no data, this is made and verified, in a temporary folder.

    Raises:
        ChangedError, DatasetError: as `selected_rows`.
        VerificationError: with the rows that a verifier rejects.
        OutputError: if the disk is full.
    """
    manifest, schema = dataset.manifest, dataset.schema
    if manifest.has_data:
        yield dataset
        return
    rows = selected_rows(dataset.place, manifest, memory=0)
    with TemporaryDirectory(prefix="synthgen-") as made:
        folder = Path(made)
        (folder / "data").mkdir()
        (folder / "selection").symlink_to((dataset.folder / "selection").resolve())
        splits = []
        for split in manifest.splits:
            (file,) = shard_files(split.name, split.rows, max(1, split.rows))
            shard = write_shard(folder / file, schema, rows[split.name], GROUP_ROWS)
            record = ShardRecord(file, **asdict(shard), verified=shard.rows)
            record = replace(record, bytes=0)  # of those that are stored
            splits.append(replace(split, shards=(record,)))
        totals = replace(manifest.totals, verified=manifest.totals.rows)
        whole = replace(manifest, format=FORMAT, splits=tuple(splits), totals=totals)
        yield Dataset(Place.from_path(folder), whole)


def recorded_membership(
    place: Place, manifest: Manifest, split: SplitRecord, sources: Sequence[PlannedSource]
) -> Membership:
    """Read the recorded membership of a split.

    Raises:
        ChangedError: if it is not as it was written.
        DatasetError: if it cannot be read, or contradicts the manifest or the sources.
    """
    file = membership_file(split.name)
    path = place.path(file)
    with reading(path), place.open(file) as source:
        content = source.read()
    if sha256(content).hexdigest() != manifest.listed[file].sha256:
        msg = f"{path}: changed since it was written"
        raise ChangedError(msg)
    members = read_membership(path, content)
    spaces = np.array([min(each.generator.space or _MAX, _MAX) for each in sources], np.uint64)
    known = members.sources < len(spaces)
    if len(members) == split.rows and known.all():
        known = members.addresses < spaces[members.sources]
    if len(members) != split.rows or not known.all():
        msg = f"{path}: expected {split.rows} addresses of the sources in the manifest"
        raise DatasetError(msg)
    return members


def _frozen(value: Any) -> Any:
    """Return a param as recipes give it: lists are tuples."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
