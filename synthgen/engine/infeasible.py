"""Cells that no source can fill, which the ranges of axes tell before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

import numpy as np
import polars as pl

from synthgen.core.rules import axis_dtype, names_in
from synthgen.engine.cells import CellIndex
from synthgen.engine.meeting import sources_meeting
from synthgen.engine.plan import Plan
from synthgen.engine.reach import Reach
from synthgen.recipe.splits import Split

_MOST_CELLS = 1 << 16
_MOST_NAMED = 5
Cell = Mapping[str, int | str | None]


def unreachable_cells(plan: Plan, spec: Split) -> list[Cell]:
    """Return the cells of a balance that its rule allows and the ranges of all sources exclude.

    Of a balance with more than 65,536 cells none is looked at. What a rule says of other axes than
    the balanced ones is taken as possible.
    """
    if not spec.balance:
        return []
    index = CellIndex(spec.balance, plan.axes)
    if prod(index.sizes) > _MOST_CELLS:
        return []
    levels = np.stack([axis.ravel() for axis in np.indices(index.sizes)], axis=1)
    cells = index.numbered(levels)
    sources = {i: plan.sources[i] for i in plan.proposing}
    possible = sources_meeting(spec.where, sources, plan.axes)
    none = cells[~Reach(plan, spec, index).any_can_fill(possible, cells)]
    values = [index.values(cell) for cell in none.tolist()]
    return [cell for cell, there in zip(values, _allowed(plan, spec, values), strict=True) if there]


def _allowed(plan: Plan, spec: Split, cells: list[dict[str, int | str | None]]) -> list[bool]:
    """Say which cells meet the rule of a split, where it looks at balanced axes alone."""
    names = names_in(spec.where, plan.axes) if spec.where else []
    if not names or not cells or not set(names) <= set(spec.balance):
        return [True] * len(cells)
    rule = next(split.rule for split in plan.splits if split.name == spec.name)
    schema = {name: axis_dtype(plan.axes[name]) for name in spec.balance}
    rows = [[cell[name] for name in spec.balance] for cell in cells]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    allowed: list[bool] = frame.select(rule.alias("met")).to_series().to_list()
    return allowed


def told_cells(cells: list[Cell]) -> str:
    """Name some cells, the first of them."""
    first = "; ".join(
        ", ".join(f"{axis}={value}" for axis, value in cell.items()) for cell in cells[:_MOST_NAMED]
    )
    more = len(cells) - _MOST_NAMED
    return f"{first}{f' and {more:,} more' if more > 0 else ''}"


def notes(plan: Plan) -> Iterator[str]:
    """Say what a recipe asks for that cannot be, though it is no fault."""
    for split in plan.splits:
        cells = unreachable_cells(plan, split.spec)
        if cells:
            what = "cell" if len(cells) == 1 else "cells"
            text = f"split {split.name!r}: {len(cells):,} {what} of its balance that no source can"
            yield f"{text} fill: {told_cells(cells)}"
