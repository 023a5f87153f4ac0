"""Joint cells: the combinations of values of some columns that occur, numbered in rising order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError

Cells = NDArray[np.int64]
_MOST_NUMBER = 2**63


def joint_cells(columns: NDArray[np.integer]) -> tuple[Cells, NDArray[np.int64]]:
    """Return the combinations that occur and which of them each row has.

    Args:
        columns: values, (n, k).

    Returns:
        Cells (m, k), in rising order, first column first, and the cell of each row, int64 (n,).

    Raises:
        ParamError: for values whose ranges span more than 2^63 combinations.
    """
    values = _columns("columns", columns)
    low, strides = _numbering(values)
    numbers, cell_of = np.unique((values - low) @ strides, return_inverse=True)
    cells = np.empty((len(numbers), values.shape[1]), np.int64)
    for column, stride in enumerate(strides):
        cells[:, column], numbers = np.divmod(numbers, stride)
    return cells + low, cell_of.astype(np.int64)


def rows_in_cells(columns: NDArray[np.integer], cells: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Say which rows have one of the cells, bool (n,).

    Args:
        columns: values, (n, k).
        cells: combinations, (m, k).

    Raises:
        ParamError: for unequal numbers of columns, or cells too far apart, as in `joint_cells`.
    """
    values, wanted = _columns("columns", columns), _columns("cells", cells)
    if values.shape[1] != wanted.shape[1]:
        raise ParamError("cells", wanted.shape, f"{values.shape[1]} columns")
    if not len(wanted):
        return np.zeros(len(values), np.bool_)
    low, strides = _numbering(wanted)
    near: NDArray[np.bool_] = ((values >= low) & (values <= wanted.max(0))).all(1)
    found: NDArray[np.bool_] = near.copy()
    found[near] = np.isin((values[near] - low) @ strides, (wanted - low) @ strides)
    return found


def _columns(name: str, columns: NDArray[np.integer]) -> Cells:
    if columns.ndim != 2 or columns.shape[1] == 0 or columns.dtype.kind not in "iu":
        raise ParamError(name, columns.shape, "integers in one column or more")
    return columns.astype(np.int64)


def _numbering(values: Cells) -> tuple[Cells, Cells]:
    """Return the least value of each column, and strides that give each combination a number."""
    if not len(values):
        return np.zeros(values.shape[1], np.int64), np.ones(values.shape[1], np.int64)
    low: NDArray[Any] = values.min(0)
    spans = [int(high) - int(least) + 1 for high, least in zip(values.max(0), low, strict=True)]
    strides = [1]
    for span in spans[:0:-1]:
        strides.append(strides[-1] * span)
    if strides[-1] * spans[0] > _MOST_NUMBER:
        raise ParamError("columns", spans, "ranges of values with at most 2^63 combinations")
    return low, np.array(strides[::-1], np.int64)
