"""The forms of a batch: an Arrow table, a list of dicts, or a dict of numpy arrays."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import repeat
from operator import setitem
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.errors import DatasetError

FORMS = ("arrow", "dicts", "numpy")
Batch = Any
"""A batch in a form: `pa.Table`, `list[dict[str, Any]]` or `dict[str, NDArray[Any]]`."""


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema whose dictionaries are replaced by texts."""
    return pa.schema(
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in schema
    )


def plain(table: pa.Table) -> pa.Table:
    """Return a table whose dictionaries are decoded into texts."""
    return table.cast(plain_schema(table.schema))


def conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table with the columns of a schema; those that it lacks are null."""
    if table.schema.equals(schema):
        return table
    columns = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def filled(table: pa.Table, text: str, number: int) -> pa.Table:
    """Return a table whose nulls are replaced by a text or a number, but for those of PNG files."""
    table = plain(table)
    columns = [
        pc.fill_null(column, text if pa.types.is_string(column.type) else number)
        if column.null_count and not pa.types.is_struct(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(columns, schema=table.schema)


def converted(table: pa.Table, form: str) -> Batch:
    """Return a table in one of `FORMS`.

    Raises:
        DatasetError: for "numpy", if a column of integers has nulls.
    """
    if form == "arrow":
        return plain(table)
    names = table.column_names
    if form == "dicts":
        # Filling dicts column by column takes two thirds of the time of building each from a row.
        rows = [*map(dict.copy, repeat(dict.fromkeys(names), table.num_rows))]
        for name, column in zip(names, table.columns, strict=True):
            deque(map(setitem, rows, repeat(name), _values(column)), maxlen=0)
        return rows
    for name, column in zip(names, table.columns, strict=True):
        if column.null_count and pa.types.is_integer(column.type):
            msg = f"column {name!r} has nulls; fill them with .filled(), or select other columns"
            raise DatasetError(msg)
    return {
        name: column.to_numpy().copy()
        if pa.types.is_integer(column.type) or pa.types.is_boolean(column.type)
        else _objects(column)
        for name, column in zip(names, table.columns, strict=True)
    }


def rows_of(batch: Batch, start: int, stop: int) -> Batch:
    """Return some rows of a batch in any form."""
    if isinstance(batch, pa.Table):
        return batch.slice(start, stop - start)
    if isinstance(batch, Mapping):
        return {name: array[start:stop] for name, array in batch.items()}
    return batch[start:stop]


def _objects(column: pa.ChunkedArray) -> NDArray[Any]:
    values = np.empty(len(column), object)
    values[:] = _values(column)
    return values


def _values(column: pa.ChunkedArray) -> list[Any]:
    """Return Python values, None for null."""
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries().combine_chunks()
        values = [*column.dictionary.to_pylist(), None]
        return [values[code] for code in pc.fill_null(column.indices, -1).to_numpy().tolist()]
    if pa.types.is_integer(column.type) and not column.null_count:
        numbers: list[Any] = column.to_numpy().tolist()
        return numbers
    objects: list[Any] = column.to_pylist()
    return objects
