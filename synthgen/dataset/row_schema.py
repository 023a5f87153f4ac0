"""The row schema: the same columns in every shard, then the axes of the recipe's generators."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pyarrow as pa

from synthgen.core.images import IMAGE, IMAGE_TYPES, NO_PICTURE
from synthgen.rules.axes import Axis

BASE_COLUMNS: Mapping[str, tuple[pa.DataType, str]] = {
    "id": (pa.string(), "content key of the canonical problem, 32 hexadecimal digits"),
    "prompt": (pa.string(), "the problem as text"),
    "answer": (pa.string(), "the gold answer in canonical form"),
    "answer_type": (pa.string(), "how answers are compared"),
    "solution": (pa.string(), "worked steps, null if none were asked for"),
    "task": (pa.string(), "generator"),
    "template": (pa.string(), "wording of the prompt"),
    "derivation": (pa.string(), "structure of the problem in prefix notation with parentheses"),
    "difficulty": (pa.int16(), "the generator's own measure, larger is harder"),
    "source": (pa.string(), "source of the recipe"),
    "address": (pa.uint64(), "address of the row in its source"),
}

CORRUPTED = "corrupted"
"""Last column of datasets with rows that are wrong on purpose."""
FREE_TEXTS = ("id", "prompt", IMAGE, "answer", "solution", "derivation")
"""Text columns whose texts a batch stores directly."""
UNREPEATED = ("id", "prompt", IMAGE, "solution", "derivation", "address")
"""Columns whose values rarely repeat; all others are dictionary-encoded in the file."""
RESERVED = (*BASE_COLUMNS, IMAGE, CORRUPTED)
"""Names that axes must not have."""
_PICTURE = "picture of the problem"
_CORRUPTED = "whether the answer, or a step of the solution, is wrong on purpose"
CHOICES = pa.dictionary(pa.int32(), pa.string())
"""Type in which a batch may store the other text columns."""


def axis_type(axis: Axis) -> pa.DataType:
    """Return the Arrow type of an axis column."""
    return pa.type_for_alias("string" if axis.values else axis.dtype)


def has_few_values(field: pa.Field) -> bool:
    """Return whether a column is text with few values, the same for all rows of a source."""
    return pa.types.is_string(field.type) and field.name not in FREE_TEXTS


def row_schema(
    axes: Mapping[str, Axis], picture: str = NO_PICTURE, *, noisy: bool = False
) -> pa.Schema:
    """Return the schema of every shard of a dataset.

    Args:
        axes: Axes with columns.
        picture: Kind of the pictures of rows.
        noisy: Whether some rows are wrong on purpose.
    """
    base = {name: kind for name, (kind, _) in BASE_COLUMNS.items()}
    types = base | {name: axis_type(axis) for name, axis in axes.items()}
    if picture != NO_PICTURE:
        types[IMAGE] = IMAGE_TYPES[picture]
    if noisy:
        types[CORRUPTED] = pa.bool_()
    return pa.schema([(name, types[name]) for name in in_order(types)])


def in_order(names: Collection[str]) -> list[str]:
    """Return the names of columns with that of pictures, if there, after the prompt."""
    others = [name for name in names if name != IMAGE]
    if len(others) < len(names):
        others.insert(others.index("prompt") + 1, IMAGE)
    return others


def column_meanings(axes: Mapping[str, Axis]) -> dict[str, str]:
    """Return a one-line description of each column."""
    base = {name: meaning for name, (_, meaning) in BASE_COLUMNS.items()}
    optional = {IMAGE: _PICTURE, CORRUPTED: _CORRUPTED}
    return base | optional | {name: axis.meaning for name, axis in axes.items()}


def stored_schema(schema: pa.Schema, columns: Sequence[str]) -> pa.Schema:
    """Return some columns of a schema, with dictionaries for texts with few values."""
    chosen = [schema.field(name) for name in columns]
    return pa.schema(each.with_type(CHOICES) if has_few_values(each) else each for each in chosen)
