"""The forms of a batch: an Arrow table, a list of dicts, or a dict of numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.errors import DatasetError

FORMS = ("arrow", "dicts", "numpy")
Batch = Any
"""What these functions return: `pa.Table`, `list[dict[str, Any]]` or `dict[str, NDArray[Any]]`."""


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema with texts in the place of dictionaries."""
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
    """Return a table whose nulls are replaced by a text or a number."""
    table = plain(table)
    columns = [
        pc.fill_null(column, text if pa.types.is_string(column.type) else number)
        if column.null_count
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
        columns = [_objects(column).tolist() for column in table.columns]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    for name, column in zip(names, table.columns, strict=True):
        if column.null_count and pa.types.is_integer(column.type):
            msg = f"column {name!r} has nulls; fill them with .filled(), or select other columns"
            raise DatasetError(msg)
    arrays = map(_objects, table.columns)
    return {name: np.array(array) for name, array in zip(names, arrays, strict=True)}


def rows_of(batch: Batch, start: int, stop: int) -> Batch:
    """Return some rows of a batch in any form."""
    if isinstance(batch, pa.Table):
        return batch.slice(start, stop - start)
    if isinstance(batch, Mapping):
        return {name: array[start:stop] for name, array in batch.items()}
    return batch[start:stop]


def _objects(column: pa.ChunkedArray) -> NDArray[Any]:
    """Return integers as they are, and anything else as objects with None for null."""
    values: NDArray[Any]
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries().combine_chunks()
        values = np.array([*column.dictionary.to_pylist(), None], object)
        codes = pc.fill_null(column.indices, len(values) - 1)
        values = values[codes.to_numpy(zero_copy_only=False)]
        return values
    if not pa.types.is_integer(column.type) or not column.null_count:
        values = column.to_numpy(zero_copy_only=False)
        return values
    values = pc.fill_null(column, 0).to_numpy().astype(object)
    values[column.is_null().to_numpy(zero_copy_only=False)] = None
    return values
