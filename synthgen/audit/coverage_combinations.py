"""Block 5: which combinations of axes train covers, and which others have that it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable, Cell
from synthgen.audit.coverage_axes import STRENGTHS, AxisFacts, factors_for
from synthgen.audit.coverage_factors import Factor
from synthgen.audit.coverage_heats import heats
from synthgen.audit.coverage_sides import Side
from synthgen.audit.coverage_words import finite, listed
from synthgen.core.coverage import combinations, t_way
from synthgen.core.coverage.combinations import CombinationCounts

MOST_BEYOND = 0.01
"""Share of rows that may lie beyond the bins of train by chance."""
_MOST_CELLS_LISTED = 20
_TITLE = "Combinations of axes"
Found = Mapping[str, AxisFacts]


def combinations_block(
    sides: Sequence[Side], facts: Found, factors: Sequence[Factor], left_out: Sequence[str]
) -> Block:
    """Say which combinations of one, two and three axes are covered.

    Args:
        sides: train first.
        facts: counts of each side.
        factors: the axes that were counted.
        left_out: axes that were not, having one value or being too many.
    """
    train, *tests = sides
    if not factors:
        text = "No axis has more than one value, so there are no combinations."
        return Block("combinations", _TITLE, INFO, text)
    every = {t: _union([facts[side.name].counts[t] for side in sides]) for t in _strengths(facts)}
    of_train = facts[train.name].counts
    alone = [
        side
        for side in tests
        if not side.declared.rule and _has_new_value(facts[side.name].counts, of_train, factors)
    ]
    tables = [
        BlockTable(
            f"What {train.name} covers of every t axes",
            (
                "t",
                "axes",
                "combinations of axes",
                "cells",
                "covered",
                "share, %",
                "cells that occur anywhere",
                "share of these, %",
                "least covered",
            ),
            tuple(_coverage_rows(of_train, every, factors)),
        ),
        _differences(train, tests, facts),
        _lacked_cells(train, tests, facts, factors),
        _missing_cells(train, of_train, every, factors),
        _axes_table(factors),
    ]
    told = _told(of_train, every)
    if left_out:
        told += f" Axes left out (one value only, or beyond the first ten): {listed(left_out, 10)}."
    if alone:
        told += f" {listed([side.name for side in alone])} has values that {train.name} lacks"
        told += ", though it follows the same rule."
    verdict = FLAG if alone else OK if tests else INFO
    shown = tuple(table for table in tables if table.rows)
    return Block("combinations", _TITLE, verdict, told, shown, heats=heats(sides, facts, factors))


def _strengths(facts: Found) -> list[int]:
    return [t for t in STRENGTHS if all(t in each.counts for each in facts.values())]


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
        axes = len(factors_for(factors, t))
        yield (
            t,
            axes,
            len(covered.cells),
            cells,
            hits,
            finite(100 * covered.total, 2),
            occurring,
            of_these,
            f"{weakest} ({covered.minimum:.1%})",
        )


def _differences(train: Side, tests: Sequence[Side], facts: Found) -> BlockTable:
    """Set-difference coverage: configurations of a split that train lacks."""
    rows = []
    for side in tests:
        for t in _strengths(facts):
            found = t_way.set_difference(facts[side.name].counts[t], facts[train.name].counts[t])
            hits, cells = sum(found.hits), sum(found.cells)
            told = "by its rule" if hits and side.declared.rule else ""
            rows.append((side.name, t, cells, hits, finite(100 * found.total, 2), told))
    columns = ("split", "t", "cells that it has", f"not in {train.name}", "share, %", "")
    return BlockTable(f"Cells of other splits that {train.name} lacks", columns, tuple(rows))


def _lacked_cells(
    train: Side, tests: Sequence[Side], facts: Found, factors: Sequence[Factor]
) -> BlockTable:
    """List the first lacking cells, of the least t that has some."""
    rows: list[tuple[Cell, ...]] = []
    for side in tests:
        for t in _strengths(facts):
            mine = facts[side.name].counts[t]
            cells = t_way.difference_cells(mine, facts[train.name].counts[t], _MOST_CELLS_LISTED)
            rows += [
                (side.name, t, cell_text(cell, factors), _rows_in(mine, cell)) for cell in cells
            ]
            if cells:
                break
    title = f"First cells that {train.name} lacks, of the fewest axes"
    return BlockTable(title, ("split", "t", "cell", "rows"), tuple(rows))


def _missing_cells(
    train: Side,
    of_train: Mapping[int, CombinationCounts],
    every: Mapping[int, CombinationCounts],
    factors: Sequence[Factor],
) -> BlockTable:
    """List the first cells of pairs that train lacks, and whether any split has them."""
    t = 2 if 2 in of_train else 1
    cells = t_way.missing_cells(of_train[t], _MOST_CELLS_LISTED)
    rows = tuple((t, cell_text(each, factors), _rows_in(every[t], each)) for each in cells)
    title = f"First cells of {t} axes that no row of {train.name} has"
    return BlockTable(title, ("t", "cell", "rows of other splits (0: may be impossible)"), rows)


def _axes_table(factors: Sequence[Factor]) -> BlockTable:
    rows = tuple(
        (each.axis, len(each.labels), "bins" if each.binned else "values", listed(each.labels, 12))
        for each in factors
    )
    return BlockTable("Axes as they were counted", ("axis", "number", "of", "values"), rows)


def cell_text(cell: combinations.Cell, factors: Sequence[Factor]) -> str:
    """Write a cell, such as `n_op = 3, depth = 2`."""
    pairs = zip(cell.factors, cell.values, strict=True)
    return ", ".join(f"{factors[j].axis} = {factors[j].labels[value]}" for j, value in pairs)


def _rows_in(counts: CombinationCounts, cell: combinations.Cell) -> int:
    c = counts.combinations.index(cell.factors)
    values = np.array(cell.values, np.int64)[:, None]
    return int(counts.counts_of(c, counts.numbers_of(c, values))[0])


def _has_new_value(
    mine: Mapping[int, CombinationCounts],
    train: Mapping[int, CombinationCounts],
    factors: Sequence[Factor],
) -> bool:
    """Say whether rows have a value that train lacks, or more than a few one beyond its bins."""
    for j, factor in enumerate(factors):
        table = mine[1].table((j,))
        new = int(table[train[1].table((j,)) == 0].sum())
        if new > (MOST_BEYOND * mine[1].rows if factor.binned else 0):
            return True
    return False


def _told(of_train: Mapping[int, CombinationCounts], every: Mapping[int, CombinationCounts]) -> str:
    parts = []
    for t, counts in every.items():
        hits = sum(t_way.coverage(of_train[t]).hits)
        occurring = sum(t_way.coverage(counts).hits)
        share = f"{100 * hits / occurring:.3g} %" if occurring else "none"
        parts.append(f"{share} of {occurring:,} for t = {t}")
    return f"Of the cells of t axes that occur in any split, the first one has {', '.join(parts)}."
