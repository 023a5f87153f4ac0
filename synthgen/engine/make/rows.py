"""Rows of one source as tables: drawn, rendered and laid out in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.interfaces import Problems
from synthgen.core.columns import (
    choice_text,
    constant_text,
    integer_column,
)
from synthgen.core.errors import VerificationError
from synthgen.dataset.row_schema import CHOICES, axis_type
from synthgen.draws.randomness import Rows
from synthgen.engine.make.rasters import images
from synthgen.engine.plan.sources import PlannedSource, with_computed
from synthgen.rules.axes import Axis
from synthgen.trees.content_keys import id_column
from synthgen.trees.derivations import derivation_text


def draw_table(
    source: PlannedSource, addresses: NDArray[np.uint64], axes: Mapping[str, Axis]
) -> pa.Table:
    """Draw and render the rows at these addresses.

    Raises:
        VerificationError: if an address gives no problem, though it was selected.
    """
    problems = source.generator.draw(Rows(source.stream, addresses))
    if not problems.valid.all():
        address = addresses[np.argmin(problems.valid)]
        msg = f"source {source.name!r}: address {address} gave a problem when it was proposed, "
        msg += "but gives none now; draws must depend on stream and address only"
        raise VerificationError(msg)
    return render_table(source, problems, axes)


def render_table(source: PlannedSource, problems: Problems, axes: Mapping[str, Axis]) -> pa.Table:
    """Render drawn problems as rows: all columns of the schema, each in one chunk."""
    generator, n = source.generator, len(problems)
    texts = generator.render(problems, source.style)
    problems = with_computed(problems, generator, source.computed)
    solutions = texts.solutions if texts.solutions is not None else pa.nulls(n, pa.string())
    columns = {
        "id": id_column(problems.keys),
        "prompt": texts.prompts,
        **images(texts.pictures, source.style.picture, n),
        "answer": texts.answers,
        "answer_type": texts.answer_types.dictionary_encode(),
        "solution": solutions,
        "task": constant_text(source.task, n),
        "template": texts.templates.dictionary_encode(),
        "derivation": derivation_text(problems.derivations, generator.signature),
        "difficulty": integer_column(problems.difficulty),
        "source": constant_text(source.name, n),
        "address": integer_column(problems.rows.addresses),
    }
    for name, axis in axes.items():
        kind = CHOICES if axis.values else axis_type(axis)
        if name not in problems.axes:
            columns[name] = pa.nulls(n, kind)
        elif axis.values:
            columns[name] = choice_text(problems.axes[name], generator.axes[name].values)
        else:
            columns[name] = integer_column(problems.axes[name]).cast(kind)
    return pa.table(columns)


def joined(parts: Sequence[pa.Table], places: Sequence[NDArray[np.int64]]) -> pa.Table:
    """Return tables as one, with the rows of each in its places, each column in one chunk."""
    order = integer_column(np.argsort(np.concatenate(places), kind="stable"))
    whole = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
    return whole.take(order).combine_chunks()
