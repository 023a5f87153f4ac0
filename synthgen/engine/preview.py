"""A few verified rows of each split, without building anything."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from synthgen.core.errors import UnknownNameError
from synthgen.engine.local import LocalEngine
from synthgen.engine.materialise import make_rows
from synthgen.engine.plan import Plan
from synthgen.engine.progress import Silent
from synthgen.engine.select import select


def preview(
    plan: Plan, engine: LocalEngine, n: int, split: str | None
) -> dict[str, list[dict[str, Any]]]:
    """Return up to n rows of each split, or of one: what a build of n rows a split would give.

    Raises:
        UnknownNameError: if the recipe has no such split.
    """
    names = [planned.name for planned in plan.splits]
    if split is not None and split not in names:
        raise UnknownNameError(kind="split", name=split, known=names)
    small = tuple(replace(planned, spec=planned.spec.resized(n)) for planned in plan.splits)
    limits = plan.recipe.limits.model_copy(update={"shortfall": "allow"})
    recipe = plan.recipe.model_copy(update={"limits": limits})
    selection = select(replace(plan, recipe=recipe, splits=small), engine, Silent().update)
    shown = [split] if split else names
    rows = {}
    for name in shown:
        members = selection.splits[name].members
        table, _ = make_rows(members, plan.sources, plan.row_axes, symbolic=1.0, split=name)
        rows[name] = table.to_pylist()
    return rows
