"""Axes that a recipe computes: from the structures of a derivation, or from other axes.

Builds fill the columns and audits fill them again from the files by the same functions. A source
whose derivations cannot have a structure, or that lacks an axis of the cells, gives zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.rules.axes import Axis, CellAxis, ComputedAxis, StructureAxis
from synthgen.trees.derivations import Signature
from synthgen.trees.named_structures import structure_id_in, structure_ids
from synthgen.trees.structures import count_wanted

Column = NDArray[np.int16]
_MAX_NAMED = 6


def declared_axis(computed: ComputedAxis, axes: Mapping[str, Axis]) -> Axis:
    """Return the declaration of a computed axis for rules and readers.

    Args:
        computed: Definition of the axis.
        axes: Axes that it may be made from.
    """
    if isinstance(computed, CellAxis):
        canonical = all(axes[name].canonical for name in computed.axes if name in axes)
        meaning = f"1 where ({', '.join(computed.axes)}) is one of: {_named(computed.chosen)}"
        return Axis(meaning, low=0, high=1, canonical=canonical)
    what = "number of different ones among" if computed.kinds else "number of occurrences of"
    meaning = f"{what} {_named(computed.of)} ({computed.kind})"
    return Axis(meaning, low=0, high=len(computed.of) if computed.kinds else None)


def computed_columns(
    computed: Sequence[ComputedAxis],
    derivations: Ragged,
    signature: Signature,
    columns: Mapping[str, NDArray[Any]],
    names: Mapping[str, Sequence[str]],
) -> dict[str, Column]:
    """Return the columns of computed axes, int16 (n,) each.

    Args:
        computed: Axes to compute; those of cells may be made from the ones before them.
        derivations: Derivations of n rows.
        signature: Signature of their codes.
        columns: Known axes of the rows; those with names hold indices into them.
        names: Names of the axes that have names.
    """
    made: dict[str, Column] = {}
    for axis in computed:
        if isinstance(axis, CellAxis):
            made[axis.name] = cell_column(axis, {**columns, **made}, names, len(derivations))
        else:
            made[axis.name] = structure_column(axis, derivations, signature)
    return made


def structure_column(axis: StructureAxis, derivations: Ragged, signature: Signature) -> Column:
    """Count the structures of an axis in each derivation, int16 (n,); at most 32,767.

    Raises:
        ParamError: for a text that is not a structure, or codes that are not whole derivations.
    """
    ids = {structure_id_in(text, axis.kind, signature) for text in axis.of} - {None}
    if not ids:
        return np.zeros(len(derivations), np.int16)
    wanted = np.sort(np.array(list(ids), np.uint64))
    structures = structure_ids(derivations, signature, axis.kind)
    return count_wanted(structures.values, structures.offsets, wanted, axis.kinds)


def cell_column(
    axis: CellAxis,
    columns: Mapping[str, NDArray[Any]],
    names: Mapping[str, Sequence[str]],
    n: int,
) -> Column:
    """Return which of n rows are in a cell, int16 (n,), 0 or 1."""
    cells = _coded(axis, names)
    if not len(cells) or any(name not in columns for name in axis.axes):
        return np.zeros(n, np.int16)
    inside = np.ones(n, np.bool_)
    numbers, wanted = np.zeros(n, np.int64), np.zeros(len(cells), np.int64)
    for place, name in enumerate(axis.axes):
        values, ranks = np.unique(cells[:, place], return_inverse=True)
        column = columns[name].astype(np.int64)
        at = np.minimum(np.searchsorted(values, column), len(values) - 1)
        inside &= values[at] == column
        numbers, wanted = numbers * len(values) + at, wanted * len(values) + ranks.reshape(-1)
        different, again = np.unique(wanted, return_inverse=True)  # keeps the numbers small
        at = np.minimum(np.searchsorted(different, numbers), len(different) - 1)
        inside &= different[at] == numbers
        numbers, wanted = at, again.reshape(-1)
    return inside.astype(np.int16)


def _coded(axis: CellAxis, names: Mapping[str, Sequence[str]]) -> NDArray[np.int64]:
    """Return the cells that rows can have as integers, (m, k)."""
    tables = [
        {name: code for code, name in enumerate(names[column])} if column in names else None
        for column in axis.axes
    ]
    coded = []
    for cell in axis.cells:
        values = [
            value if table is None else table.get(str(value))
            for value, table in zip(cell, tables, strict=True)
        ]
        if all(isinstance(value, int) for value in values):
            coded.append(values)
    return np.array(coded, np.int64).reshape(-1, len(axis.axes))


def _named(items: Sequence[str]) -> str:
    more = len(items) - _MAX_NAMED
    listed = ", ".join(items[:_MAX_NAMED])
    return f"{listed} and {more} more" if more > 0 else listed
