"""Bags of ids as feature matrices: exact columns for few rows, hashed ones for many.

The ids of a row, such as its local structures or n-grams, become a vector whose cosines measure
similarity. The hashed form adds each id, with its own sign, to one of d columns (Weinberger et al.
2009, "Feature hashing"), weighted by log(1 + count). Rows without ids are equal to each other and
unlike all others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.coverage.vendi import unit_rows
from synthgen.draws.randomness import GOLDEN, Rows, mix_words, scale_words

Features = NDArray[np.float32]

MAX_COLUMNS = 1 << 16
_MAX_VALUES = 1 << 28
_LAST_BIT = np.uint64(63)


def sample_rows(n: int, m: int, key: int) -> NDArray[np.int64]:
    """Return m of the rows 0..n-1 in rising order, int64 (min(m, n),), each set equally likely.

    Args:
        n: number of rows.
        m: rows to take.
        key: 64 bits. A larger m adds rows to those of a smaller one.
    """
    check_int("n", n, 0, 2**40)
    check_int("m", m, 0, 2**40)
    if m >= n:
        return np.arange(n)
    words = Rows.span(key, 0, n).keys
    return np.sort(np.argpartition(words, m)[:m])


def hashed_bags(bags: Ragged, d: int = 4_096) -> Features:
    """Return the bags as unit vectors of d hashed columns, float32 (n, d).

    Args:
        bags: ids, ragged uint64.
        d: columns, 2 to 65,536.

    Raises:
        ParamError: for d out of range, or more than 2^28 values.
    """
    check_int("d", d, 2, MAX_COLUMNS)
    rows, ids, counts = _counted(bags)
    words = mix_words(ids + GOLDEN)
    signs = np.where(mix_words(words + GOLDEN) >> _LAST_BIT, -1.0, 1.0)
    weights = signs * np.log1p(counts)
    features = _table(len(bags), d + 1)
    np.add.at(features, (rows, scale_words(words, d)), weights.astype(np.float32))
    return _unit(features)[:, :d] if bool(bags.lengths.all()) else _unit(features)


def _counted(
    bags: Ragged,
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int64]]:
    """Return row, id and count of the distinct ids of each row, ordered by row, then id."""
    rows = np.repeat(np.arange(len(bags)), bags.lengths)
    order = np.lexsort((bags.values, rows))
    rows, ids = rows[order], bags.values[order].astype(np.uint64)
    new = np.ones(len(ids), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]) | (ids[1:] != ids[:-1])
    places = np.flatnonzero(new)
    return rows[places], ids[places], np.diff(np.append(places, len(ids)))


def _table(n: int, d: int) -> Features:
    check_int("values of features", n * d, 0, _MAX_VALUES)
    return np.zeros((n, d), np.float32)


def _unit(features: Features) -> Features:
    """Return unit rows; rows of zeros get their length in the last column."""
    features[~features.any(axis=1), -1] = 1.0
    return np.asarray(unit_rows(features), np.float32)
