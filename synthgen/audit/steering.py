"""Checks of what steered a split, counted again: margins, covers, and the order of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.audit.covered_structures import StructureCounts
from synthgen.audit.findings import MOST_EXAMPLES, Check
from synthgen.audit.metrics import cell_counts
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.dataset.manifest import SplitRecord
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.dataset.split_records import CoverRecord, OrderRecord

_CURRICULA = {"rising": 1, "falling": -1}


def check_steering(
    dataset: Dataset, split: SplitRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]
) -> Iterator[Check]:
    """Check one split against what the manifest says of its margins, covers and order.

    Args:
        dataset: with the files.
        split: of it.
        frame: its rows, a lazy frame of all columns.
        axes: that rules may name.
    """
    if split.margins:
        yield _margins(split, frame)
    counts = _structure_counts(dataset, split)
    for place, cover in enumerate(split.covers):
        name = f"cover/{split.name}/{place}"
        if cover.structures is None:
            yield _judged(name, cover, dict(_tuple_counts(cover, frame, axes)))
        else:
            found = counts[cover.structures]
            yield _structures(name, cover, found)
    if split.order and split.order.by in {*_CURRICULA, "blocks"}:
        names = axes[split.order.axis].values if split.order.axis in axes else ()
        yield _ordered(dataset, split, split.order, names)


def _margins(split: SplitRecord, frame: pl.LazyFrame) -> Check:
    groups: dict[tuple[str, ...], dict[tuple[object, ...], int]] = {}
    for group in split.margins:
        groups.setdefault(tuple(group.cell), {})[tuple(group.cell.values())] = group.rows
    wrong = []
    for names, promised in groups.items():
        found = cell_counts(frame, names)
        for values in {*promised, *found}:
            rows, wanted = found.get(values, 0), promised.get(values, 0)
            if rows != wanted:
                shown = ", ".join(f"{n}={v}" for n, v in zip(names, values, strict=True))
                wrong.append(f"{shown}: {rows} rows, promised {wanted}")
    detail = f"{sum(map(len, groups.values()))} groups of {len(groups)} margins as promised"
    if wrong:
        detail = f"{len(wrong)} groups differ: {'; '.join(sorted(wrong)[:MOST_EXAMPLES])}"
    return Check(f"margins/{split.name}", not wrong, detail)


def _tuple_counts(
    cover: CoverRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]
) -> Iterator[tuple[str, int]]:
    """Yield each tuple that the split should have, with the rows that have it."""
    for names in combinations(cover.axes, cover.strength or len(cover.axes)):
        found = cell_counts(frame, names)
        wanted = [values for values in cover.of if not isinstance(values, str)]
        for values in wanted or _product([axes[name] for name in names]):
            shown = ", ".join(f"{n}={v}" for n, v in zip(names, values, strict=True))
            yield shown, found.get(tuple(values), 0)


def _product(axes: Sequence[Axis]) -> Iterator[tuple[int | str, ...]]:
    """Yield the joint values of axes."""
    if not axes:
        yield ()
        return
    first = axes[0]
    values = first.values or range(first.low or 0, (first.high or 0) + 1)
    for rest in _product(axes[1:]):
        for value in values:
            yield (value, *rest)


def _structures(name: str, cover: CoverRecord, found: StructureCounts) -> Check:
    try:
        if cover.of:
            told = [text for text in cover.of if isinstance(text, str)]
            return _judged(name, cover, {text: found.rows_with(text) for text in told})
        often = found.often(cover.times, cover.symbols)
        return _judged(name, cover, found.seldom(cover.times, cover.symbols), often)
    except ParamError as error:
        return Check(name, ok=False, detail=str(error))


def _judged(
    name: str, cover: CoverRecord, rows: Mapping[str, int], often: int | None = None
) -> Check:
    """Find what occurs too seldom without the manifest saying so.

    Args:
        name: of the check.
        cover: as promised.
        rows: with each unit, of those that may be too few.
        often: units that occur often enough, where those promised have no names.
    """
    unmet = {each.name for each in cover.unmet}
    wrong = [f"{u} ({n})" for u, n in rows.items() if n < cover.times and u not in unmet]
    what = cover.structures or f"tuples of {', '.join(cover.axes)}"
    detail = f"{cover.units - len(unmet)} {what} occur {cover.times} times or more"
    detail += f", {len(unmet)} are recorded as unmet" if unmet else ""
    if wrong:
        detail = f"{len(wrong)} {what} occur fewer than {cover.times} times: "
        detail += "; ".join(wrong[:MOST_EXAMPLES])
    elif often is not None and often < cover.units - len(unmet):
        detail = f"only {often} {what} occur {cover.times} times or more, "
        detail += f"promised {cover.units - len(unmet)}"
        return Check(name, ok=False, detail=detail)
    return Check(name, not wrong, detail)


def _structure_counts(dataset: Dataset, split: SplitRecord) -> dict[str, StructureCounts]:
    """Count the structures of a split, reading it once for all kinds."""
    kinds = {cover.structures for cover in split.covers if cover.structures}
    counts = {kind: StructureCounts(kind) for kind in sorted(kinds)}
    for path in dataset.shard_paths(split.name) if kinds else ():
        for batch in stream_shard(path, ["derivation"]):
            texts = batch.column("derivation").cast(pa.string())
            for found in counts.values():
                found.add(texts)
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
    """Return an axis of all rows in order; names as their places, null as least of all."""
    parts = []
    for path in dataset.shard_paths(split.name):
        for batch in stream_shard(path, [axis]):
            parts.append(pl.Series(axis, batch.column(axis)))
    column = pl.concat(parts) if parts else pl.Series(axis, [], pl.Int64)
    if names:
        places = {name: place for place, name in enumerate(names)}
        column = column.cast(pl.String).replace_strict(places, default=None, return_dtype=pl.Int64)
    return column.cast(pl.Int64).fill_null(np.iinfo(np.int64).min // 2).to_numpy()
