"""Recompute the axes and groups that a recipe defines, and check them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import table_column
from synthgen.core.errors import ParamError
from synthgen.coverage.structure_reader import StructureReader
from synthgen.coverage.templates import TemplateReader
from synthgen.dataset.manifest import Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.rules.axes import CellAxis, ComputedAxis
from synthgen.rules.computed_axes import computed_columns
from synthgen.trees.key_sets import may_overlap
from synthgen.verifying.owners import owners_of
from synthgen.verifying.promises import MAX_EXAMPLES, Check, Example
from synthgen.verifying.row_checks import rows_at

_TEMPLATE = "template"
_MISSING = np.iinfo(np.int64).min
Words = NDArray[np.uint64]


def check_computed(dataset: Dataset) -> list[Check]:
    """Recompute the recipe's own axes from the derivations and other axes of the files."""
    axes = [record.as_axis() for record in dataset.manifest.computed]
    if not axes:
        return []
    return [
        check
        for split in dataset.manifest.splits
        for check in _check_split(dataset, split.name, axes)
    ]


def check_groups(dataset: Dataset, frames: Mapping[str, pl.LazyFrame]) -> list[Check]:
    """Check that splits with the same rule share no group that the recipe keeps together."""
    manifest = dataset.manifest
    groups = manifest.groups
    pairs = _same_rule(manifest) if groups else []
    words: dict[str, Words] = {}
    checks = []
    for left, right in pairs:
        name = f"groups/{left.name}+{right.name}"
        if groups == _TEMPLATE:
            for split in (left, right):
                if split.name not in words:
                    words[split.name] = _templates(dataset, split.name)
            shared, rows = _shared_templates(dataset, left, words[left.name], words[right.name])
            checks.append(Check(name, not shared, f"{shared} templates occur in both", rows))
        elif isinstance(groups, tuple):
            checks.append(_shared_values(name, groups, frames[left.name], frames[right.name]))
    return checks


def _check_split(dataset: Dataset, split: str, axes: Sequence[ComputedAxis]) -> Iterator[Check]:
    """Compare the columns of one split with their recomputed values, in one pass."""
    wrong = dict.fromkeys((axis.name for axis in axes), 0)
    examples: dict[str, list[Example]] = {axis.name: [] for axis in axes}
    try:
        for table, expected in _recomputed(dataset, split, axes):
            for name, values in expected.items():
                stored = pc.fill_null(table_column(table, name).cast(pa.int64()), _MISSING)
                differs = np.flatnonzero(stored.to_numpy() != values)
                wrong[name] += len(differs)
                room = max(0, MAX_EXAMPLES - len(examples[name]))
                shown = table.take(differs[:room]).select(["id", "derivation", name]).to_pylist()
                recomputed = values[differs[:room]].tolist()
                for row, value in zip(shown, recomputed, strict=True):
                    examples[name].append({**row, "computed": value})
    except ParamError as error:
        yield Check(f"axis/{split}", ok=False, detail=str(error))
        return
    for name, count in wrong.items():
        detail = f"{count} rows differ from the value computed from their derivation or axes"
        yield Check(f"axis/{split}/{name}", not count, detail, tuple(examples[name]))


def _recomputed(
    dataset: Dataset, split: str, axes: Sequence[ComputedAxis]
) -> Iterator[tuple[pa.Table, dict[str, NDArray[np.int16]]]]:
    """Yield the rows of each source by batch, with the expected values of their columns."""
    used = {name for axis in axes if isinstance(axis, CellAxis) for name in axis.axes}
    computed = {axis.name for axis in axes}
    columns = list(dict.fromkeys(["id", "derivation", "source", *sorted(used | computed)]))
    names = {n: record.values for n, record in dataset.manifest.axes.items() if record.values}
    readers: dict[str, StructureReader] = {}
    for path in dataset.shard_paths(split):
        for batch in stream_shard(path, columns):
            table = pa.Table.from_batches([batch])
            for source in pc.unique(table["source"]).to_pylist():
                rows = table.filter(pc.equal(table["source"], source)).combine_chunks()
                reader = readers.setdefault(str(source), StructureReader())
                codes = reader.read(table_column(rows, "derivation").cast(pa.string()))
                known = {
                    name: _integers(table_column(rows, name), names.get(name))
                    for name in used - computed
                    if rows[name].null_count < rows.num_rows
                }
                yield rows, computed_columns(axes, codes, reader.signature, known, names)


def _integers(column: pa.Array, names: Sequence[str] | None) -> NDArray[np.int64]:
    """Return a column as integers, names as indices; nulls as a value that no axis has."""
    if names is not None:
        column = pc.index_in(column.cast(pa.string()), value_set=pa.array(names, pa.string()))
    values: NDArray[Any] = pc.fill_null(column.cast(pa.int64()), _MISSING).to_numpy()
    return values.astype(np.int64)


def _same_rule(manifest: Manifest) -> list[tuple[SplitRecord, SplitRecord]]:
    """Return pairs of splits that draw on the same candidates and must not share problems."""
    return [
        (left.splits[0], right.splits[0])
        for left, right in combinations(owners_of(manifest), 2)
        if left.candidates == right.candidates and not may_overlap(left.splits[0], right.splits[0])
    ]


def _templates(dataset: Dataset, split: str) -> Words:
    """Return one word per row that identifies its template, in row order."""
    reader = TemplateReader()
    words = [np.zeros(0, np.uint64)]
    for path in dataset.shard_paths(split):
        for batch in stream_shard(path, ["derivation"]):
            words.append(reader.words(batch.column("derivation").cast(pa.string())))
    return np.concatenate(words)


def _shared_templates(
    dataset: Dataset, left: SplitRecord, mine: Words, others: Words
) -> tuple[int, tuple[Example, ...]]:
    """Count the templates in both splits; return the first such rows of the left one."""
    shared = np.intersect1d(mine, others)
    rows = np.flatnonzero(np.isin(mine, shared, kind="sort"))[:MAX_EXAMPLES].tolist()
    return len(shared), rows_at(dataset.shard_paths(left.name), rows, ("id", "derivation"))


def _shared_values(
    name: str, axes: tuple[str, ...], left: pl.LazyFrame, right: pl.LazyFrame
) -> Check:
    """Count the value combinations that occur in both splits."""
    both = (
        left.select(axes)
        .unique()
        .join(right.select(axes).unique(), on=list(axes), how="inner", nulls_equal=True)
    )
    shared = both.sort(axes).collect(engine="streaming")
    detail = f"{shared.height} combinations of {', '.join(axes)} occur in both"
    return Check(name, not shared.height, detail, tuple(shared.head(MAX_EXAMPLES).to_dicts()))
