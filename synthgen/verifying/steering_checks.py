"""Recompute and check the covers and the row order of a split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.coverage.structure_counts import StructureCounts
from synthgen.dataset.manifest import SplitRecord
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.dataset.records import CoverRecord, OrderRecord
from synthgen.rules.axes import Axis
from synthgen.verifying.counts import cell_counts
from synthgen.verifying.promises import MAX_EXAMPLES, Check

_CURRICULA = {"rising": 1, "falling": -1}


def check_steering(
    dataset: Dataset, split: SplitRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]
) -> Iterator[Check]:
    """Check the covers and order of one split against the manifest.

    Args:
        dataset: Dataset to check.
        split: One of its splits.
        frame: Rows of the split, a lazy frame of all columns.
        axes: Axes that rules may name.
    """
    counts = _structure_counts(dataset, split)
    for place, cover in enumerate(split.covers):
        name = f"cover/{split.name}/{place}"
        if cover.structures is None:
            yield _cover_check(name, cover, dict(_tuple_counts(cover, frame, axes)))
        else:
            yield _structures(name, cover, counts[cover.structures])
    if split.order and split.order.by in {*_CURRICULA, "blocks"}:
        names = axes[split.order.axis].values if split.order.axis in axes else ()
        yield _ordered(dataset, split, split.order, names)


def _tuple_counts(
    cover: CoverRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]
) -> Iterator[tuple[str, int]]:
    """Yield each wanted tuple with its number of rows."""
    for names in combinations(cover.axes, cover.strength or len(cover.axes)):
        rows = cell_counts(frame, names)
        wanted = [values for values in cover.of if not isinstance(values, str)]
        for values in wanted or _product([axes[name] for name in names]):
            shown = ", ".join(f"{n}={v}" for n, v in zip(names, values, strict=True))
            yield shown, rows.get(tuple(values), 0)


def _product(axes: Sequence[Axis]) -> Iterator[tuple[int | str, ...]]:
    """Yield the joint values of axes."""
    values: list[Sequence[int | str]] = [
        axis.values or range(axis.low or 0, (axis.high or 0) + 1) for axis in reversed(axes)
    ]
    for joint in product(*values):
        yield joint[::-1]


def _structures(name: str, cover: CoverRecord, counts: StructureCounts) -> Check:
    try:
        if cover.of:
            wanted = [text for text in cover.of if isinstance(text, str)]
            return _cover_check(name, cover, {text: counts.rows_with(text) for text in wanted})
        frequent = counts.count_frequent(cover.times, cover.symbols)
        return _cover_check(name, cover, counts.rare(cover.times, cover.symbols), frequent)
    except ParamError as error:
        return Check(name, ok=False, detail=str(error))


def _cover_check(
    name: str, cover: CoverRecord, rows: Mapping[str, int], frequent: int | None = None
) -> Check:
    """Check that units occur often enough, except those recorded as unmet.

    Args:
        name: Name of the check.
        cover: Record in the manifest.
        rows: Number of rows with each unit that may be too rare.
        frequent: Number of units that occur often enough, if the promised ones have no names.
    """
    unmet = {each.name for each in cover.unmet}
    wrong = [f"{u} ({n})" for u, n in rows.items() if n < cover.times and u not in unmet]
    what = cover.structures or f"tuples of {', '.join(cover.axes)}"
    detail = f"{cover.units - len(unmet)} {what} occur {cover.times} times or more"
    detail += f", {len(unmet)} are recorded as unmet" if unmet else ""
    if wrong:
        detail = f"{len(wrong)} {what} occur fewer than {cover.times} times: "
        detail += "; ".join(wrong[:MAX_EXAMPLES])
    elif frequent is not None and frequent < cover.units - len(unmet):
        detail = f"only {frequent} {what} occur {cover.times} times or more, "
        detail += f"promised {cover.units - len(unmet)}"
        return Check(name, ok=False, detail=detail)
    return Check(name, not wrong, detail)


def _structure_counts(dataset: Dataset, split: SplitRecord) -> dict[str, StructureCounts]:
    """Count the structures of all kinds of a split in one pass."""
    kinds = {cover.structures for cover in split.covers if cover.structures}
    counts = {kind: StructureCounts(kind) for kind in sorted(kinds)}
    for path in dataset.shard_paths(split.name) if kinds else ():
        for batch in stream_shard(path, ["derivation"]):
            texts = batch.column("derivation").cast(pa.string())
            for counter in counts.values():
                counter.add(texts)
    return counts


def _ordered(
    dataset: Dataset, split: SplitRecord, order: OrderRecord, names: Sequence[str]
) -> Check:
    by, axis = order.by, order.axis
    values = _column(dataset, split, axis, names)
    steps = np.diff(values)
    if by == "blocks":
        bad = np.flatnonzero(steps != 0).size - max(0, len(np.unique(values)) - 1)
    else:
        bad = np.flatnonzero(steps * _CURRICULA[by] < 0).size
    detail = f"{bad} rows are out of order ({by} {axis})"
    return Check(f"order/{split.name}", not bad, detail)


def _column(
    dataset: Dataset, split: SplitRecord, axis: str, names: Sequence[str]
) -> NDArray[np.int64]:
    """Return an axis of all rows in order; names as indices, nulls lowest."""
    parts = []
    for path in dataset.shard_paths(split.name):
        for batch in stream_shard(path, [axis]):
            parts.append(pl.Series(axis, batch.column(axis)))
    column = pl.concat(parts) if parts else pl.Series(axis, [], pl.Int64)
    if names:
        places = {name: place for place, name in enumerate(names)}
        column = column.cast(pl.String).replace_strict(places, default=None, return_dtype=pl.Int64)
    return column.cast(pl.Int64).fill_null(np.iinfo(np.int64).min // 2).to_numpy()
