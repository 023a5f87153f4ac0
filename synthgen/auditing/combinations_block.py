"""Block 5: axis combinations that train covers, and those it lacks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from synthgen.auditing.blocks import (
    FLAG,
    INFO,
    OK,
    Block,
    BlockTable,
    Cell,
    HeatMap,
    not_measured,
    titled,
)
from synthgen.auditing.wording import finite
from synthgen.core.printing import listed
from synthgen.coverage import t_way
from synthgen.coverage.axis_counts import STRENGTHS, AxisCounts, Factor, factors_for
from synthgen.coverage.inputs import Side
from synthgen.coverage.measurements import Axes
from synthgen.coverage.t_way import CombinationCounts

MAX_PAIRS, MAX_SPLITS, MAX_CELLS = 45, 8, 60_000


def heats(
    sides: Sequence[Side], measures: Mapping[str, AxisCounts], factors: Sequence[Factor]
) -> tuple[HeatMap, ...]:
    """Return the heat maps of axis pairs in axis order, for the first splits.

    A cell that no split contains is None: it may be impossible.

    Args:
        sides: Sides, train first.
        measures: Counts of each side.
        factors: Counted axes.
    """
    shown = [side.name for side in sides[:MAX_SPLITS]]
    maps: list[HeatMap] = []
    left = MAX_CELLS
    for j, k in list(itertools.combinations(range(len(factors)), 2))[:MAX_PAIRS]:
        rows, columns = factors[j], factors[k]
        left -= len(rows.labels) * len(columns.labels) * len(shown)
        if left < 0:
            break
        tables = [measures[side.name].counts[2].table((j, k)) for side in sides]
        possible = np.sum(tables, axis=0) > 0
        for name, table in zip(shown, tables, strict=False):
            values = tuple(
                tuple(n if can else None for n, can in zip(line, flags, strict=True))
                for line, flags in zip(table.tolist(), possible.tolist(), strict=True)
            )
            maps.append(HeatMap(name, rows.axis, columns.axis, rows.labels, columns.labels, values))
    return tuple(maps)


MAX_BEYOND = 0.01
"""Share of rows that may fall outside the bins of train by chance."""
_MAX_CELLS_LISTED = 20
Found = Mapping[str, AxisCounts]


def combinations_block(sides: Sequence[Side], axes: Axes) -> Block:
    """Report which combinations of one, two and three axes are covered.

    Args:
        sides: Sides, train first.
        axes: Counted axes, and those left out: with one value, or beyond the largest number.
    """
    if axes.missing:
        return not_measured("combinations", axes.missing)
    train, *tests = sides
    measures, factors, left_out = axes.counts, axes.factors, axes.left_out
    if not factors:
        text = "No axis has more than one value, so there are no combinations to measure."
        return titled("combinations", INFO, text)
    every = {
        t: _union([measures[side.name].counts[t] for side in sides]) for t in _strengths(measures)
    }
    of_train = measures[train.name].counts
    unexpected = [
        side
        for side in tests
        if not side.declared.rule and _has_new_value(measures[side.name].counts, of_train, factors)
    ]
    columns = ("t", "axes", "axis combinations", "cells", "covered", "share, %")
    more = ("cells in any split", "share of those, %", "least covered")
    covered = tuple(_coverage_rows(of_train, every, factors))
    tables = [
        BlockTable(f"t-way coverage of {train.name}", (*columns, *more), covered),
        _differences(train, tests, measures),
        _lacked_cells(train, tests, measures, factors),
        _missing_cells(train, of_train, every, factors),
        _axes_table(factors),
    ]
    text = _summary(train.name, of_train, every)
    if left_out:
        text += " Axes not counted (a single value, or after the first ten): "
        text += f"{listed(left_out, 10)}."
    if unexpected:
        names = listed([side.name for side in unexpected])
        text = f"Values missing from {train.name} despite the same rule: {names}. {text}"
    verdict = FLAG if unexpected else OK if tests else INFO
    figures = _figures(train, tests, measures, every)
    block = titled("combinations", verdict, text, tables, figures=figures)
    return replace(block, heats=heats(sides, measures, factors))


def _figures(
    train: Side, tests: Sequence[Side], measures: Found, every: Mapping[int, CombinationCounts]
) -> dict[str, Any]:
    """Return the share of cells that train covers, and of those of others that it lacks."""
    of_train = measures[train.name].counts
    covered = {}
    for t, counts in every.items():
        coverage, occurring = t_way.coverage(of_train[t]), sum(t_way.coverage(counts).hits)
        of_occurring = sum(coverage.hits) / occurring if occurring else 0.0
        covered[f"t{t}"] = {"of_all": coverage.total, "of_occurring": of_occurring}
    figures: dict[str, Any] = {train.name: {"cells": covered}}
    for side in tests:
        mine = measures[side.name].counts
        lacked = {t: t_way.set_difference(mine[t], of_train[t]).total for t in every}
        cells = {f"t{t}": {"not_in_train": share} for t, share in lacked.items()}
        figures[side.name] = {"cells": cells}
    return figures


def _strengths(measures: Found) -> list[int]:
    return [t for t in STRENGTHS if all(t in each.counts for each in measures.values())]


def _union(parts: Sequence[CombinationCounts]) -> CombinationCounts:
    out = CombinationCounts(parts[0].sizes, parts[0].t)
    for part in parts:
        out.merge(part)
    return out


def _coverage_rows(
    of_train: Mapping[int, CombinationCounts],
    every: Mapping[int, CombinationCounts],
    factors: Sequence[Factor],
) -> Iterator[tuple[Cell, ...]]:
    for t, counts in every.items():
        covered = t_way.coverage(of_train[t])
        hits, cells = sum(covered.hits), sum(covered.cells)
        occurring = sum(t_way.coverage(counts).hits)
        weakest = ", ".join(factors[j].axis for j in covered.weakest or ())
        of_these = finite(100 * hits / occurring, 2) if occurring else None
        counted = (t, len(factors_for(factors, t)), len(covered.cells), cells, hits)
        shares = (finite(100 * covered.total, 2), occurring, of_these)
        yield (*counted, *shares, f"{weakest} ({covered.minimum:.1%})")


def _differences(train: Side, tests: Sequence[Side], measures: Found) -> BlockTable:
    """Return set-difference coverage: configurations of each split missing from train."""
    rows = []
    for side in tests:
        for t in _strengths(measures):
            difference = t_way.set_difference(
                measures[side.name].counts[t], measures[train.name].counts[t]
            )
            hits, cells = sum(difference.hits), sum(difference.cells)
            note = "by its rule" if hits and side.declared.rule else ""
            rows.append((side.name, t, cells, hits, finite(100 * difference.total, 2), note))
    columns = ("split", "t", "cells", f"not in {train.name}", "share, %", "")
    return BlockTable(f"Cells of other splits missing from {train.name}", columns, tuple(rows))


def _lacked_cells(
    train: Side, tests: Sequence[Side], measures: Found, factors: Sequence[Factor]
) -> BlockTable:
    """List the first cells missing from train, for the smallest t with any."""
    rows: list[tuple[Cell, ...]] = []
    for side in tests:
        for t in _strengths(measures):
            mine = measures[side.name].counts[t]
            cells = t_way.difference_cells(mine, measures[train.name].counts[t], _MAX_CELLS_LISTED)
            rows += [
                (side.name, t, cell_text(cell, factors), _rows_in(mine, cell)) for cell in cells
            ]
            if cells:
                break
    title = f"Smallest cells missing from {train.name}"
    return BlockTable(title, ("split", "t", "cell", "rows"), tuple(rows))


def _missing_cells(
    train: Side,
    of_train: Mapping[int, CombinationCounts],
    every: Mapping[int, CombinationCounts],
    factors: Sequence[Factor],
) -> BlockTable:
    """List the first pair cells missing from train, and their rows in all splits."""
    t = 2 if 2 in of_train else 1
    cells = t_way.missing_cells(of_train[t], _MAX_CELLS_LISTED)
    rows = tuple((t, cell_text(each, factors), _rows_in(every[t], each)) for each in cells)
    title = f"First cells of {t} axes without a row in {train.name}"
    return BlockTable(title, ("t", "cell", "rows in other splits (0: may be impossible)"), rows)


def _axes_table(factors: Sequence[Factor]) -> BlockTable:
    rows = tuple(
        (each.axis, len(each.labels), "bins" if each.binned else "values", listed(each.labels, 12))
        for each in factors
    )
    return BlockTable("Counted axes", ("axis", "number", "counted as", "values"), rows)


def cell_text(cell: t_way.Cell, factors: Sequence[Factor]) -> str:
    """Render a cell, such as `n_op = 3, depth = 2`."""
    pairs = zip(cell.factors, cell.values, strict=True)
    return ", ".join(f"{factors[j].axis} = {factors[j].labels[value]}" for j, value in pairs)


def _rows_in(counts: CombinationCounts, cell: t_way.Cell) -> int:
    c = counts.combinations.index(cell.factors)
    values = np.array(cell.values, np.int64)[:, None]
    return int(counts.counts_of(c, counts.numbers_of(c, values))[0])


def _has_new_value(
    mine: Mapping[int, CombinationCounts],
    train: Mapping[int, CombinationCounts],
    factors: Sequence[Factor],
) -> bool:
    """Return whether rows have a value not in train, or too many outside its bins."""
    for j, factor in enumerate(factors):
        table = mine[1].table((j,))
        new = int(table[train[1].table((j,)) == 0].sum())
        if new > (MAX_BEYOND * mine[1].rows if factor.binned else 0):
            return True
    return False


_SIZES = {1: "single values", 2: "pairs", 3: "triples"}


def _summary(
    train: str,
    of_train: Mapping[int, CombinationCounts],
    every: Mapping[int, CombinationCounts],
) -> str:
    parts = []
    for t, counts in every.items():
        hits = sum(t_way.coverage(of_train[t]).hits)
        occurring = sum(t_way.coverage(counts).hits)
        share = f"{100 * hits / occurring:.3g}%" if occurring else "none"
        parts.append(f"{share} of the {occurring:,} {_SIZES[t]}")
    return f"Of the cells in any split, {train} covers {', '.join(parts)}."
