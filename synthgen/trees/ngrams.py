"""N-grams of sequences as 64-bit ids, optionally with a border before and after each sequence.

The n-grams of a sequence of L items are its L - n + 1 runs of n adjacent items, each as often as
it occurs. With borders the sequence first gets one <s> before and one </s> after it, as n-grams of
token sequences are counted for compositional splits. An id folds the number n and the items' own
ids in order, so n-grams of different n never share ids.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, longest_row, offsets_of, text_bytes
from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, inline, jit
from synthgen.draws.randomness import GOLDEN, U64, mix64, mix_words

MAX_ITEMS = 64
BEGIN = np.uint64(0x3C733E)  # <s> in ASCII
END = np.uint64(0x3C2F733E)  # </s> in ASCII
_SPACE = np.uint8(32)
_ONE, _EIGHT = np.uint64(1), np.uint64(8)


def ngrams(sequences: Ragged, n: int, *, borders: bool = False) -> Ragged:
    """Return the n-grams of each sequence from left to right, ragged uint64.

    Args:
        sequences: Ids of the items, any integers; they are folded as words of 64 bits.
        n: Items of an n-gram, from 1 to 64; with 1 each item and border is one.
        borders: Whether to add <s> before and </s> after each sequence first.

    Returns:
        One row for each sequence; it is empty where the sequence has fewer than n items.

    Raises:
        ParamError: for n out of range.
    """
    check_int("n", n, 1, MAX_ITEMS)
    extra = 2 if borders else 0
    offsets = offsets_of(np.maximum(sequences.lengths + extra - n + 1, 0))
    words = sequences.values.astype(np.uint64)
    return Ragged(_fill(words, sequences.offsets, n, extra, offsets), offsets)


def joined(parts: Sequence[Ragged]) -> Ragged:
    """Concatenate parts by row: row i is row i of each part in turn, such as 2- and 3-grams.

    Raises:
        ParamError: for no parts, or parts with unequal numbers of rows.
    """
    if not parts or len({len(part) for part in parts}) != 1:
        lengths = [len(part) for part in parts]
        raise ParamError("rows of the parts", lengths, "at least one part, all of equal length")
    offsets = offsets_of(np.sum([part.lengths for part in parts], axis=0))
    values = np.empty(offsets[-1], np.result_type(*(part.values for part in parts)))
    starts = offsets[:-1].copy()
    for part in parts:
        shift = np.repeat(starts - part.offsets[:-1], part.lengths)
        within = np.arange(part.offsets[0], part.offsets[-1])
        values[within + shift] = part.values[within]
        starts += part.lengths
    return Ragged(values, offsets)


def token_ids(texts: pa.StringArray) -> Ragged:
    """Return an id for each space-separated token of each text, ragged uint64.

    The id of a token folds its UTF-8 bytes. Nulls and empty texts have no tokens.
    """
    data, offsets = text_bytes(texts)
    out_offsets = offsets_of(_count_tokens(data, offsets))
    return Ragged(_hash_tokens(data, offsets, out_offsets), out_offsets)


@inline
def fold(state: np.uint64, word: np.uint64) -> np.uint64:
    """Fold the next word into an id; order matters."""
    return mix64(mix64(state + GOLDEN) ^ word)


def fold_words(states: U64, words: U64) -> U64:
    """Apply `fold` to arrays of states and words that broadcast."""
    return mix_words(mix_words(states + GOLDEN) ^ words)


@jit
def _fill(
    words: U64, offsets: NDArray[np.int64], n: int, extra: int, out_offsets: NDArray[np.int64]
) -> U64:
    """Fold each window; position 0 of a row with borders is <s>, its last one </s>."""
    out = np.empty(out_offsets[-1], np.uint64)
    before = extra // 2
    padded = np.empty(longest_row(offsets) + extra, np.uint64)
    for i in range(len(offsets) - 1):
        length = offsets[i + 1] - offsets[i]
        for j in range(length):
            padded[before + j] = words[offsets[i] + j]
        if extra:
            padded[0] = BEGIN
            padded[before + length] = END
        for j in range(out_offsets[i + 1] - out_offsets[i]):
            state = np.uint64(n)
            for k in range(n):
                state = fold(state, padded[j + k])
            out[out_offsets[i] + j] = state
    return out


@jit
def _count_tokens(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    counts = np.zeros(len(offsets) - 1, np.int64)
    for i in range(len(offsets) - 1):
        inside = False
        for at in range(offsets[i], offsets[i + 1]):
            is_space = data[at] == _SPACE
            if not is_space and not inside:
                counts[i] += 1
            inside = not is_space
    return counts


@jit
def _hash_tokens(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], out_offsets: NDArray[np.int64]
) -> U64:
    """Fold up to seven bytes at once, below their number; a token ends at a space."""
    out = np.empty(out_offsets[-1], np.uint64)
    for i in range(len(offsets) - 1):
        place: Int = out_offsets[i]
        at = offsets[i]
        while place < out_offsets[i + 1]:
            while data[at] == _SPACE:
                at += 1
            state, packed = np.uint64(0), _ONE
            while at < offsets[i + 1] and data[at] != _SPACE:
                packed = (packed << _EIGHT) | np.uint64(data[at])
                at += 1
                if packed >> np.uint64(56):
                    state = fold(state, packed)
                    packed = _ONE
            out[place] = fold(state, packed)
            place += 1
    return out
