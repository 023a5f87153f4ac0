"""Cells of axes that two datasets of ours both have: values and pairs of values of one alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import polars as pl

from synthgen.audit.blocks import INFO, Block, BlockTable, Cell
from synthgen.audit.compare_sides import Opened
from synthgen.audit.metrics import CellValues, cell_counts, cell_order

MOST_AXES = 12
MOST_VALUES = 64
"""An axis with more values in both together is left out: its pairs would all be new."""
MOST_SHOWN = 20

_SIZES = ("values", "pairs of values")
_Frames = tuple[pl.LazyFrame, pl.LazyFrame]


@dataclass(frozen=True, slots=True)
class CellDifference:
    """Cells of one choice of axes, with rows: of A, of B, and those of B that A lacks."""

    axes: tuple[str, ...]
    of_a: int
    of_b: int
    only_b: Mapping[CellValues, int]


def cells_block(a: Opened, b: Opened) -> Block | None:
    """Return values and pairs of values that B covers and A lacks; None without common axes."""
    if a.dataset is None or b.dataset is None:
        return None
    frames = _frame(a), _frame(b)
    axes = _common_axes(a, b, frames)
    if not axes:
        return None
    found = list(_differences(frames, axes))
    counts: list[tuple[Cell, ...]] = []
    for t in (1, 2):
        of_t = [each for each in found if len(each.axes) == t]
        if of_t:
            missing, cells = sum(len(d.only_b) for d in of_t), sum(d.of_b for d in of_t)
            share = round(missing / cells, 6) if cells else 0.0
            counts.append((t, len(of_t), sum(d.of_a for d in of_t), cells, missing, share))
    ranked = sorted(
        ((rows, each.axes, cell) for each in found for cell, rows in each.only_b.items()),
        key=lambda item: (len(item[1]), -item[0], item[1], cell_order(item[2])),
    )
    shown = tuple(
        (", ".join(f"{axis}={value}" for axis, value in zip(names, cell, strict=True)), rows)
        for rows, names, cell in ranked[:MOST_SHOWN]
    )
    columns = (
        "axes at once",
        "choices of axes",
        "cells of A",
        "cells of B",
        "only B",
        "share of B",
    )
    tables = [BlockTable(f"Cells of {', '.join(axes)}", columns, tuple(counts))]
    if shown:
        title = f"Cells of {b.side.name} that {a.side.name} lacks, first {MOST_SHOWN}"
        tables.append(BlockTable(title, ("cell", "rows"), shown))
    told = [f"{row[4]:,} of {row[3]:,} {_SIZES[t]}" for t, row in enumerate(counts)]
    text = f"{a.side.name} lacks {' and '.join(told)} that {b.side.name} has."
    return Block("cells", "Cells of axes", INFO, text, tuple(tables))


def _frame(opened: Opened) -> pl.LazyFrame:
    """Return the rows of a dataset's splits."""
    paths = list(opened.side.files)
    if not paths and opened.dataset is not None:
        return pl.DataFrame(pl.from_arrow(opened.dataset.schema.empty_table())).lazy()
    return pl.scan_parquet(paths, glob=False, hive_partitioning=False)


def _common_axes(a: Opened, b: Opened, frames: _Frames) -> list[str]:
    """Return the first axes of equal kind with few values, in the order of A."""
    if a.dataset is None or b.dataset is None:
        return []
    axes = [name for name in a.dataset.manifest.axes if name in b.dataset.manifest.axes]
    types = [frame.collect_schema() for frame in frames]
    alike = [name for name in axes if _is_text(types[0][name]) == _is_text(types[1][name])]
    few = [name for name in alike if 0 < _values(frames, name) <= MOST_VALUES]
    return few[:MOST_AXES]


def _is_text(kind: Any) -> bool:
    return bool(kind == pl.String)


def _values(frames: _Frames, axis: str) -> int:
    """Return how many values an axis has in both, up to one more than are looked at."""
    found: set[Any] = set()
    for frame in frames:
        values = frame.select(pl.col(axis).drop_nulls().unique()).head(MOST_VALUES + 1)
        found |= set(values.collect(engine="streaming")[axis].to_list())
    return len(found)


def _differences(frames: _Frames, axes: Sequence[str]) -> Iterator[CellDifference]:
    for t in (1, 2):
        for names in combinations(axes, t):
            of_a, of_b = (cell_counts(frame.drop_nulls(list(names)), names) for frame in frames)
            only = {cell: rows for cell, rows in of_b.items() if cell not in of_a}
            yield CellDifference(names, len(of_a), len(of_b), only)
