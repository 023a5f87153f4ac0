"""Recompute and check the margins, covers and row order of a split."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.audit.findings import MOST_EXAMPLES, Check
from synthgen.audit.metrics import cell_counts
from synthgen.core.columns import Ragged
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.named_structures import (
    parse_structure,
    structure_id_in,
    structure_ids,
    structure_names,
)
from synthgen.core.steering import distinct_by_row
from synthgen.coverage.structure_reader import StructureReader
from synthgen.dataset.manifest import SplitRecord
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.dataset.records import CoverRecord, OrderRecord


class StructureCounts:
    """Number of rows with each structure, updated batch by batch."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._reader = StructureReader()
        self._rows: dict[int, int] = {}
        self._examples: dict[int, Ragged] = {}

    def add(self, derivations: pa.StringArray) -> None:
        """Count the rows of a batch.

        Raises:
            ParamError: for a text that is not a derivation.
        """
        codes = self._reader.read(derivations)
        ids, distinct = distinct_by_row(structure_ids(codes, self._reader.signature, self._kind))
        counts = np.bincount(distinct.values, minlength=len(ids))
        firsts = np.unique(distinct.values, return_index=True)[1]
        rows = np.searchsorted(distinct.offsets, firsts, side="right") - 1
        for key, count, row in zip(ids.tolist(), counts.tolist(), rows.tolist(), strict=True):
            if key not in self._rows:
                self._rows[key] = 0
                self._examples[key] = codes.take(np.array([row]))
            self._rows[key] += count

    def rows_with(self, text: str) -> int:
        """Return the number of rows with a structure."""
        key = structure_id_in(text, self._kind, self._reader.signature)
        return self._rows.get(key, 0) if key is not None else 0

    def rare(self, times: int, symbols: Collection[str]) -> dict[str, int]:
        """Return the structures in fewer than `times` rows, with their rows.

        Args:
            times: number of rows.
            symbols: symbols that structures may contain; empty for all.
        """
        names = {}
        for key, rows in self._rows.items():
            if rows < times:
                name = self._name(key)
                if not symbols or {*parse_structure(name, self._kind).symbols} <= {*symbols}:
                    names[name] = rows
        return names

    def count_frequent(self, times: int, symbols: Collection[str]) -> int:
        """Return the number of structures in at least `times` rows; arguments as in `rare`."""
        keys = [key for key, rows in self._rows.items() if rows >= times]
        if not symbols:
            return len(keys)
        parsed = (parse_structure(self._name(key), self._kind) for key in keys)
        return sum({*structure.symbols} <= {*symbols} for structure in parsed)

    def _name(self, key: int) -> str:
        example, signature = self._examples[key], self._reader.signature
        ids = structure_ids(example, signature, self._kind).values.tolist()
        names = structure_names(example, signature, self._kind)
        place: int = ids.index(key)
        return names[place]


_CURRICULA = {"rising": 1, "falling": -1}


def check_steering(
    dataset: Dataset, split: SplitRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]
) -> Iterator[Check]:
    """Check the margins, covers and order of one split against the manifest.

    Args:
        dataset: dataset to check.
        split: one of its splits.
        frame: rows of the split, a lazy frame of all columns.
        axes: axes that rules may name.
    """
    if split.margins:
        yield _margins(split, frame)
    counts = _structure_counts(dataset, split)
    for place, cover in enumerate(split.covers):
        name = f"cover/{split.name}/{place}"
        if cover.structures is None:
            yield _cover_check(name, cover, dict(_tuple_counts(cover, frame, axes)))
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
    """Yield each wanted tuple with its number of rows."""
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
            wanted = [text for text in cover.of if isinstance(text, str)]
            return _cover_check(name, cover, {text: found.rows_with(text) for text in wanted})
        frequent = found.count_frequent(cover.times, cover.symbols)
        return _cover_check(name, cover, found.rare(cover.times, cover.symbols), frequent)
    except ParamError as error:
        return Check(name, ok=False, detail=str(error))


def _cover_check(
    name: str, cover: CoverRecord, rows: Mapping[str, int], frequent: int | None = None
) -> Check:
    """Check that units occur often enough, except those recorded as unmet.

    Args:
        name: name of the check.
        cover: record in the manifest.
        rows: number of rows with each unit that may be too rare.
        frequent: number of units that occur often enough, if the promised ones have no names.
    """
    unmet = {each.name for each in cover.unmet}
    wrong = [f"{u} ({n})" for u, n in rows.items() if n < cover.times and u not in unmet]
    what = cover.structures or f"tuples of {', '.join(cover.axes)}"
    detail = f"{cover.units - len(unmet)} {what} occur {cover.times} times or more"
    detail += f", {len(unmet)} are recorded as unmet" if unmet else ""
    if wrong:
        detail = f"{len(wrong)} {what} occur fewer than {cover.times} times: "
        detail += "; ".join(wrong[:MOST_EXAMPLES])
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
