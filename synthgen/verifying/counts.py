"""Counts over keys and cells of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from synthgen.trees.content_keys import Keys
from synthgen.trees.key_sets import key_frame

CellValues = tuple[Any, ...]


def positions_in(keys: Keys, others: Keys, limit: int) -> list[int]:
    """Return the first rows whose keys also occur among others."""
    return _positions(_joined(keys, others, "semi"), limit)


def positions_not_in(keys: Keys, others: Keys, limit: int) -> tuple[int, list[int]]:
    """Return the number of rows whose keys are not among others, and the first ones."""
    alien = _joined(keys, others, "anti")
    return alien.height, _positions(alien, limit)


def _joined(keys: Keys, others: Keys, how: Literal["semi", "anti"]) -> pl.DataFrame:
    mine, theirs = key_frame(keys), key_frame(others)
    return mine.with_row_index().join(theirs, on=theirs.columns, how=how)


def _positions(rows: pl.DataFrame, limit: int) -> list[int]:
    return rows["index"].bottom_k(limit).sort().to_list()


def cell_counts(frame: pl.LazyFrame, by: Sequence[str]) -> dict[CellValues, int]:
    """Return the number of rows of every value combination, () if there are no columns."""
    if not by:
        return {(): int(frame.select(pl.len()).collect(engine="streaming").item())}
    counted = frame.group_by(by).agg(_rows=pl.len()).collect(engine="streaming")
    return {row[:-1]: row[-1] for row in counted.select(*by, "_rows").iter_rows()}


@dataclass(frozen=True, slots=True)
class LargestShare:
    """The most frequent value of an axis in a cell of `size` rows."""

    cell: CellValues
    value: Any
    rows: int
    size: int


def largest_shares(
    frame: pl.LazyFrame, by: Sequence[str], axis: str, counted: pl.Expr
) -> list[LargestShare]:
    """Return the most frequent value of an axis in each cell, with its rows.

    Only rows with a value for which `counted` is true count as occurrences; every row counts
    towards the size of its cell.
    """
    sizes = cell_counts(frame, by)
    largest: dict[CellValues, LargestShare] = {}
    values = frame.filter(counted, pl.col(axis).is_not_null())
    counts = cell_counts(values, [*by, axis])
    for (*cell, value), rows in sorted(counts.items(), key=lambda item: cell_order(item[0])):
        key = tuple(cell)
        if key not in largest or rows > largest[key].rows:
            largest[key] = LargestShare(key, value, rows, sizes[key])
    return list(largest.values())


def cell_order(cell: CellValues) -> tuple[tuple[bool, str, Any], ...]:
    """Return a sort key for cells with values of different types or null."""
    return tuple((value is None, type(value).__name__, value or 0) for value in cell)
