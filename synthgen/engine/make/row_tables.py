"""Turn addresses into the columns of finished rows: draw, render, lay out; without verification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import choice_text, constant_text, integer_column
from synthgen.core.computed_axes import with_computed
from synthgen.core.content import id_column
from synthgen.core.contract import Axis, Problems, Texts
from synthgen.core.derivation import derivation_text
from synthgen.core.randomness import Rows
from synthgen.dataset.schema import CHOICES, axis_type
from synthgen.engine.plan.sources import PlannedSource


@dataclass(frozen=True, slots=True)
class RowTable:
    """Rows of one source as they are written, in the order of their addresses.

    Attributes:
        table: all columns of the schema, each in one chunk.
        valid: bool (n,); invalid rows must not be written.
    """

    table: pa.Table
    valid: NDArray[np.bool_]


def draw_table(
    source: PlannedSource, addresses: NDArray[np.uint64], axes: Mapping[str, Axis]
) -> RowTable:
    """Draw and render the rows at these addresses."""
    return render_table(source, source.generator.draw(Rows(source.stream, addresses)), axes)


def render_table(source: PlannedSource, problems: Problems, axes: Mapping[str, Axis]) -> RowTable:
    """Render drawn problems as rows."""
    texts = source.generator.render(problems, source.style)
    problems = with_computed(problems, source.generator, source.computed)
    return RowTable(pa.table(_columns(source, problems, texts, axes)), problems.valid)


def _columns(
    source: PlannedSource, problems: Problems, texts: Texts, axes: Mapping[str, Axis]
) -> dict[str, pa.Array]:
    n = len(problems)
    solutions = texts.solutions if texts.solutions is not None else pa.nulls(n, pa.string())
    columns = {
        "id": id_column(problems.keys),
        "prompt": texts.prompts,
        "answer": texts.answers,
        "answer_type": texts.answer_types,
        "solution": solutions,
        "task": constant_text(source.task, n),
        "template": texts.templates,
        "derivation": derivation_text(problems.derivations, source.generator.signature),
        "difficulty": integer_column(problems.difficulty),
        "source": constant_text(source.name, n),
        "address": integer_column(problems.rows.addresses),
    }
    for name, axis in axes.items():
        columns[name] = _axis_column(source, problems, name, axis)
    return columns


def _axis_column(source: PlannedSource, problems: Problems, name: str, axis: Axis) -> pa.Array:
    kind = CHOICES if axis.values else axis_type(axis)
    if name not in problems.axes:
        return pa.nulls(len(problems), kind)
    if axis.values:
        return choice_text(problems.axes[name], source.generator.axes[name].values)
    return integer_column(problems.axes[name]).cast(kind)
