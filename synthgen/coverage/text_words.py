"""Words of texts and runs of n words (shingles) as stable 64-bit ids.

A word is a run of letters, digits and non-ASCII bytes, or one other sign; spaces and control
characters separate words. So `3*x+5` has five words, and `x1` one. Numbers are ordinary words,
because generated problems differ mostly in their numbers; they can be masked optionally, as tools
for web text do.
"""

from __future__ import annotations

from string import ascii_letters, digits

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import (
    Ragged,
    boolean_column,
    longest_row,
    offsets_of,
    text_bytes,
    text_column,
)
from synthgen.core.kernels import Int, jit, kernel
from synthgen.coverage.templates import Level, normalised_texts
from synthgen.draws.randomness import U64, mix64
from synthgen.trees.content_keys import Keys, text_keys
from synthgen.trees.ngrams import ngrams

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

_GAP, _SIGN, _LETTER, _DIGIT = range(4)
_SEED = np.uint64(0x73796E74682F7764)
_NUMBER = np.uint64(0x6E756D6265722F30)
_ONE = np.uint64(1)


def _kinds() -> Bytes:
    """Return the kind of each byte, uint8 (256,)."""
    kinds = np.full(256, _LETTER, np.uint8)
    kinds[:128] = _SIGN
    kinds[:33] = kinds[127] = _GAP
    kinds[[*ascii_letters.encode()]] = _LETTER
    kinds[[*digits.encode()]] = _DIGIT
    return kinds


_KINDS = _kinds()


def words_and_signs(texts: pa.StringArray, *, mask_numbers: int = 0) -> Ragged:
    """Return the words of every text as ids, ragged uint64; nulls have none.

    Args:
        texts: Arrow string column.
        mask_numbers: Number of digits from which words of only digits share one id; 0 for none.
    """
    data, offsets = text_bytes(texts)
    starts = offsets_of(_count_words(data, offsets, _KINDS))
    return Ragged(_hash_words(data, offsets, _KINDS, starts, mask_numbers), starts)


def shingles(words: Ragged, n: int) -> Ragged:
    """Return the runs of n words of every row, ragged uint64.

    A row of 1 to n - 1 words has one run of all of them, so that short texts are compared too.

    Args:
        words: Ids of words.
        n: Length of a run, 1 to 64.

    Raises:
        ParamError: for n out of range.
    """
    runs = ngrams(words, n)
    lengths = runs.lengths.copy()
    short = (words.lengths > 0) & (lengths == 0)
    lengths[short] = 1
    offsets = offsets_of(lengths)
    values = np.empty(offsets[-1], np.uint64)
    values[np.repeat(~short, lengths)] = runs.values
    for length in np.unique(words.lengths[short]).tolist():
        rows = np.flatnonzero(words.lengths == length)
        values[offsets[rows]] = ngrams(words.take(rows), length).values
    return Ragged(values, offsets)


def distinct(rows: Ragged) -> Ragged:
    """Return the distinct ids of every row in rising order."""
    values, lengths = _sort_rows(rows.values, rows.offsets)
    return Ragged(values[: int(lengths.sum())].copy(), offsets_of(lengths))


@jit
def _count_words(data: Bytes, offsets: Ints, kinds: Bytes) -> Ints:
    out = np.zeros(len(offsets) - 1, np.int64)
    for i in range(len(out)):
        before = np.int64(_GAP)
        for at in range(offsets[i], offsets[i + 1]):
            kind = np.int64(kinds[data[at]])
            if kind == _SIGN or (kind >= _LETTER and before < _LETTER):
                out[i] += 1
            before = kind
    return out


@jit
def _hash_words(data: Bytes, offsets: Ints, kinds: Bytes, starts: Ints, fewest_masked: int) -> U64:
    out = np.empty(starts[-1], np.uint64)
    for i in range(len(offsets) - 1):
        at, place = offsets[i], starts[i]
        while at < offsets[i + 1]:
            kind = np.int64(kinds[data[at]])
            if kind == _GAP:
                at += 1
                continue
            word = _SEED
            is_number = True
            first = at
            while at < offsets[i + 1]:
                kind = np.int64(kinds[data[at]])
                if at > first and (kind < _LETTER or kinds[data[first]] == _SIGN):
                    break
                is_number = is_number and kind == _DIGIT
                word = mix64(word ^ (np.uint64(data[at]) + _ONE))
                at += 1
            masked = is_number and 0 < fewest_masked <= at - first
            out[place] = _NUMBER if masked else word
            place += 1
    return out


@jit
def _sort_rows(values: U64, offsets: Ints) -> tuple[U64, Ints]:
    """Return the concatenated distinct values of all rows, and their number in each row."""
    out = np.empty(len(values), np.uint64)
    lengths = np.zeros(len(offsets) - 1, np.int64)
    spare = np.empty(longest_row(offsets), np.uint64)
    end: Int = np.int64(0)
    for i in range(len(lengths)):
        length = offsets[i + 1] - offsets[i]
        row = spare[:length]
        for j in range(length):  # to assign a slice takes a second more to compile
            row[j] = values[offsets[i] + j]
        _sort(row)
        begin = end
        for j in range(length):
            if j == 0 or row[j] != row[j - 1]:
                out[end] = row[j]
                end += 1
        lengths[i] = end - begin
    return out, lengths


@kernel
def _sort(row: U64) -> None:
    """Sort with Shell's algorithm, roughly halving the gaps: rows are short."""
    gap = len(row)
    while gap > 1:
        gap = max(1, gap * 4 // 9)
        for i in range(gap, len(row)):
            value, at = row[i], i
            while at >= gap and row[at - gap] > value:
                row[at] = row[at - gap]
                at -= gap
            row[at] = value


_SPACE = np.uint8(32)
_TO_LOWER = np.uint8(32)


def fast_normalised_keys(texts: pa.StringArray, *, fold_case: bool = True) -> Keys:
    """Return the L1 key of each text, uint64 (n, 2), as `normalised_keys` does."""
    return text_keys(fast_normalised_texts(texts, fold_case=fold_case), Level.NORMALISED.label)


def fast_normalised_texts(texts: pa.StringArray, *, fold_case: bool = True) -> pa.StringArray:
    """Return what `normalised_texts` returns; nulls may become empty."""
    data, offsets = text_bytes(texts)
    out, out_offsets, odd = _normalise(data, offsets, fold_case)
    plain = text_column(out, out_offsets)
    if not odd.any():
        return plain
    mask = boolean_column(odd)
    others = normalised_texts(texts.filter(mask), fold_case=fold_case)
    return pc.replace_with_mask(plain, mask, others)


@jit
def _normalise(
    data: Bytes,
    offsets: Ints,
    fold_case: bool,  # noqa: FBT001
) -> tuple[Bytes, Ints, NDArray[np.bool_]]:
    """Write plain texts with single spaces, others empty; return which texts are not plain."""
    n = len(offsets) - 1
    out = np.empty(offsets[n] - offsets[0], np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    odd = np.zeros(n, np.bool_)
    at = 0
    for i in range(n):
        start = at
        gap = False
        for place in range(offsets[i], offsets[i + 1]):
            byte = data[place]
            if byte == 32 or byte == 9 or byte == 10 or byte == 12 or byte == 13:
                gap = at > start
                continue
            if byte < 32 or byte > 126:
                odd[i] = True
                at = start
                break
            if gap:
                out[at] = _SPACE
                at += 1
                gap = False
            out[at] = byte + _TO_LOWER if fold_case and 65 <= byte <= 90 else byte
            at += 1
        out_offsets[i + 1] = at
    return out, out_offsets, odd
