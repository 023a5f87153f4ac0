"""Diversity of sampled rows: Vendi scores of their features, and counts of templates.

With a kernel K, K_ii = 1, and the eigenvalues of K / n as shares, the Vendi score of order q is
their Hill number (Friedman and Dieng 2023, arXiv:2210.02410; orders: Pasarkar and Dieng 2024), the
effective number of distinct items. Only order 2 is computed, which needs no eigenvalues: its
inverse is the mean of k(x, y)^2 over all pairs, for which samples have a known bias, removed by
`from_sample`. Scores are comparable only at equal n and with equal features. Sums come from the
linear algebra library, so their last digits may differ between machines.

The ids of a row, such as its local structures or n-grams, become a vector whose cosines measure
similarity. Each id is added, with its own sign, to one of d columns (Weinberger et al. 2009,
"Feature hashing"), weighted by log(1 + count). Rows without ids are equal to each other and unlike
all others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, integer_column
from synthgen.core.errors import ParamError
from synthgen.coverage.evenness import hill_number
from synthgen.coverage.inputs import Side
from synthgen.coverage.structure_kinds import TreeKind
from synthgen.coverage.text_words import words_and_signs
from synthgen.draws.randomness import GOLDEN, U64, mix_words, scale_words
from synthgen.trees.local_structures import local_structures, structure_ids
from synthgen.trees.ngrams import joined, ngrams

Matrix = NDArray[np.floating]
Features = NDArray[np.float32]

_MAX_PRODUCTS = 1 << 40
_NEARLY = 1e-6
MAX_COLUMNS = 1 << 16
_MAX_VALUES = 1 << 28
_LAST_BIT = np.uint64(63)


def vendi_of_features(features: Matrix) -> float:
    """Return the Vendi score of order 2 of rows (n, d), not of zeros, compared by cosine.

    Raises:
        ParamError: for no rows, rows of zeros, or too many rows and columns.
    """
    return _vendi_of_units(unit_rows(features))


def _vendi_of_units(rows: Matrix) -> float:
    n, d = rows.shape
    if n * min(n, d) * d > _MAX_PRODUCTS:
        raise ParamError("shape of features", rows.shape, "fewer rows; take a sample")
    gram = (rows.T @ rows if d < n else rows @ rows.T) / n
    return float(1.0 / np.square(gram, dtype=np.float64).sum())


def from_sample(score: float, n: int) -> float:
    """Estimate the score of order 2 of a population from a random sample of n of its rows.

    (1 - 1/n) / (1/score - 1/n): pairs of a row with itself, 1/n of all pairs of the sample but
    hardly any of the population, are left out. Infinite if no two rows have anything in common.

    Raises:
        ParamError: for n below 2, or a score that is not from 1 to n.
    """
    if n < 2:
        raise ParamError("n", n, "at least 2")
    if not 1.0 - _NEARLY <= score <= n * (1.0 + _NEARLY):
        raise ParamError("score", score, f"a number from 1 to {n}")
    rest = 1.0 / score - 1.0 / n
    return (1.0 - 1.0 / n) / rest if rest > _NEARLY / n else float("inf")


def unit_rows(features: Matrix) -> Matrix:
    """Return rows divided by their Euclidean length, of the same dtype.

    Raises:
        ParamError: for no rows, or a row of zeros or of values that are not finite.
    """
    if features.ndim != 2 or not len(features):
        raise ParamError("shape of features", features.shape, "(n, d) with n at least 1")
    lengths = np.sqrt(np.einsum("ij,ij->i", features, features, dtype=np.float64))
    bad = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if len(bad):
        raise ParamError("row of features", int(bad[0]), "finite values, not all 0")
    return np.asarray(features / lengths[:, None], features.dtype)


def hashed_bags(bags: Ragged, d: int = 4_096) -> Features:
    """Return the bags as unit vectors of d hashed columns, float32 (n, d).

    Args:
        bags: Ids, ragged uint64.
        d: Columns, 2 to 65,536.

    Raises:
        ParamError: for d out of range, or more than 2^28 values.
    """
    check_int("d", d, 2, MAX_COLUMNS)
    rows, ids, counts = _counted(bags)
    words = mix_words(ids + GOLDEN)
    signs = np.where(mix_words(words + GOLDEN) >> _LAST_BIT, -1.0, 1.0)
    weights = signs * np.log1p(counts)
    check_int("values of features", len(bags) * (d + 1), 0, _MAX_VALUES)
    features = np.zeros((len(bags), d + 1), np.float32)
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


def _unit(features: Features) -> Features:
    """Return unit rows; rows of zeros get their length in the last column."""
    features[~features.any(axis=1), -1] = 1.0
    return np.asarray(unit_rows(features), np.float32)


def score(bags: Ragged) -> float | None:
    """Estimate the Vendi score of order 2 of all rows from sampled bags of ids."""
    if len(bags) < 2:
        return None
    features = hashed_bags(bags)
    return from_sample(_vendi_of_units(features[:, features.any(axis=0)]), len(bags))


def template_counts(side: Side, keys: U64) -> tuple[str, int, float, float, int, float]:
    """Return a side's name, templates, their effective number, rows of each, and of the commonest.

    The rows of the most common template are given as a number and in percent.
    """
    counts = np.unique(keys, return_counts=True)[1]
    most = int(counts.max(initial=0))
    mean = round(len(keys) / max(len(counts), 1), 2)
    share = round(100 * most / max(len(keys), 1), 2)
    return side.name, len(counts), round(hill_number(counts, 1), 1), mean, most, share


def first_seen(keys: U64, rows: Sequence[int]) -> list[int]:
    """Return the number of distinct keys in the first rows, for rising numbers of rows."""
    firsts = np.sort(np.unique(keys, return_index=True)[1])
    return [int(count) for count in np.searchsorted(firsts, rows)]


def structure_bags(codes: Ragged, kind: TreeKind) -> Ragged:
    """Return the local structures of each tree."""
    local = local_structures(codes, kind.signature, 3)
    return Ragged(structure_ids(local.values, kind.signature), local.offsets)


def word_bags(prompts: pa.StringArray) -> Ragged:
    """Return the runs of one to three words of each prompt."""
    words = words_and_signs(prompts)
    return joined([ngrams(words, n) for n in (1, 2, 3)])


def axis_bags(codes: NDArray[np.int32]) -> Ragged:
    """Return the values of all axes of each row."""
    n, factors = codes.shape
    ids = (codes.astype(np.int64) + 1 + (np.arange(factors) << 32)).astype(np.uint64)
    return Ragged(ids.ravel(), np.arange(n + 1, dtype=np.int64) * factors)


def spaced(n: int, most: int) -> NDArray[np.int64]:
    """Return up to `most` of n positions, evenly spaced."""
    return np.arange(n) if n <= most else np.arange(most) * n // most


def spaced_rows(rows: Ragged, most: int) -> Ragged:
    """Return up to `most` rows, evenly spaced."""
    return rows.take(spaced(len(rows), most))


def spaced_texts(texts: pa.StringArray, most: int) -> pa.StringArray:
    """Return up to `most` texts, evenly spaced."""
    return texts.take(integer_column(spaced(len(texts), most)))
