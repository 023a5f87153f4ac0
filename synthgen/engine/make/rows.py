"""Rows of one source as tables: drawn, rendered, laid out in columns, and checked by an oracle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.interfaces import Problems, Verifier
from synthgen.core.columns import (
    choice_text,
    constant_text,
    integer_column,
    integer_values,
    table_column,
)
from synthgen.core.errors import VerificationError
from synthgen.dataset.row_schema import CHOICES, axis_type
from synthgen.draws.randomness import Rows
from synthgen.engine.plan.sources import PlannedSource, with_computed
from synthgen.rules.axes import Axis
from synthgen.trees.content_keys import Keys, id_column, keys_of_ids
from synthgen.trees.derivations import derivation_text

_UNIT = 2.0**64


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
        "answer": texts.answers,
        "answer_type": texts.answer_types,
        "solution": solutions,
        "task": constant_text(source.task, n),
        "template": texts.templates,
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


def check_sample(
    verifier: Verifier, table: pa.Table, share: float
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Let the oracle of a verifier, if it has one, check a stratified sample of rows.

    Returns:
        Positions of the sample, and which of its answers the oracle accepts.
    """
    if not verifier.has_oracle:
        return np.zeros(0, np.int64), np.zeros(0, bool)
    sample = stratified_sample(
        table_column(table, "template"),
        integer_values(table_column(table, "difficulty")),
        keys_of_ids(table_column(table, "id")),
        share,
    )
    rows = table.take(integer_column(sample))
    agrees = verifier.symbolic(table_column(rows, "prompt"), table_column(rows, "answer"))
    return sample, agrees


def stratified_sample(
    templates: pa.Array, difficulty: NDArray[np.int16], keys: Keys, share: float
) -> NDArray[np.int64]:
    """Choose a share of the rows by their keys, and the lowest key of every stratum.

    The choice depends on a row's content, not on its position. A stratum has one template and one
    difficulty. Positions are returned in ascending order.
    """
    if share == 0 or not len(keys):
        return np.zeros(0, np.int64)
    chosen = keys[:, 0] < share * _UNIT if share < 1 else np.ones(len(keys), bool)
    names = templates if pa.types.is_dictionary(templates.type) else templates.dictionary_encode()
    codes = integer_values(names.indices).astype(np.int64)
    levels = difficulty.astype(np.int64) - difficulty.min()
    strata = codes * (levels.max() + 1) + levels
    missing = np.bincount(strata) > 0
    missing[strata[chosen]] = False
    for stratum in np.flatnonzero(missing):
        inside = np.flatnonzero(strata == stratum)
        chosen[inside[np.argmin(keys[inside, 0])]] = True
    return np.flatnonzero(chosen)
