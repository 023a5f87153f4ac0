"""Features of sampled rows, by which the diversity of a side is scored, and counts of templates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, integer_column
from synthgen.coverage.effective import hill_number
from synthgen.coverage.feature_matrices import hashed_bags
from synthgen.coverage.inputs import Side
from synthgen.coverage.structure_kinds import TreeKind
from synthgen.coverage.text_words import words_and_signs
from synthgen.coverage.vendi import from_sample, vendi_of_features
from synthgen.draws.randomness import U64
from synthgen.trees.local_structures import local_structures, structure_ids
from synthgen.trees.ngrams import joined, ngrams

_COLUMNS = 4_096


def score(bags: Ragged) -> float | None:
    """Estimate the Vendi score of order 2 of all rows from sampled bags of ids."""
    if len(bags) < 2:
        return None
    return from_sample(vendi_of_features(hashed_bags(bags, _COLUMNS)), len(bags))


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
