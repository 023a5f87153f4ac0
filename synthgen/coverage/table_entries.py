"""Rows that are entries of one table, such as f(a, b, c)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_values
from synthgen.coverage.inputs import ANSWER, STRUCTURE, Side, text_of
from synthgen.coverage.structure_reader import StructureReader

Ints = NDArray[np.int64]


def table_entries(sides: Sequence[Side], most_places: int) -> tuple[Ints | None, Ints, Ints]:
    """Return the values, answer and side of every row; None if they form no table.

    A table has rows such as `(f a b)`, with 2 to `most_places` values.
    """
    reader = StructureReader()
    values: list[Ints] = []
    whose: list[Ints] = []
    answers: list[pa.StringArray] = []
    for number, side in enumerate(sides):
        for batch in side.batches([STRUCTURE, ANSWER]):
            found = reader.read(text_of(batch, STRUCTURE))
            lengths = np.unique(found.lengths)
            places = int(lengths[0]) - 1 if len(lengths) == 1 else 0
            if not 2 <= places <= most_places or (values and values[0].shape[1] != places + 1):
                return None, np.zeros(0, np.int64), np.zeros(0, np.int64)
            values.append(found.values.reshape(-1, places + 1).astype(np.int64))
            whose.append(np.full(len(found), number))
            answers.append(text_of(batch, ANSWER))
    codes = np.concatenate(values) if values else np.zeros((0, 1), np.int64)
    arities = reader.signature.arity_array
    if not len(codes) or len(np.unique(codes[:, 0])) > 1 or arities[codes[:, 1:]].any():
        return None, np.zeros(0, np.int64), np.zeros(0, np.int64)
    labels = integer_values(pa.concat_arrays(answers).dictionary_encode().indices)
    return codes[:, 1:], labels.astype(np.int64), np.concatenate(whose)
