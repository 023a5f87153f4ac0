"""The different 64-bit words of ragged rows, numbered in the order in which they first occur."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.kernels import jit, kernel
from synthgen.draws.randomness import U64, mix_words

Ints = NDArray[np.int64]


@jit
def distinct_in_rows(
    numbers: NDArray[np.integer], offsets: Ints, n: int
) -> tuple[NDArray[np.integer], Ints]:
    """Return the different numbers of each row, in the order of first occurrence, and offsets.

    Args:
        numbers: Numbers 0..n-1.
        offsets: Start of each row and end of the last, (rows + 1,).
        n: Number of different values of `numbers`.
    """
    last = np.full(n, -1, np.int64)
    kept = np.empty_like(numbers)
    starts = np.zeros(len(offsets), np.int64)
    at = 0
    for row in range(len(offsets) - 1):
        for j in range(offsets[row], offsets[row + 1]):
            if last[numbers[j]] != row:
                last[numbers[j]] = row
                kept[at] = numbers[j]
                at += 1
        starts[row + 1] = at
    return kept[:at], starts


_FIRST_BITS = 12


def distinct_by_row(words: Ragged) -> tuple[U64, Ragged]:
    """Return the different words, and the different ones of each row.

    Returns:
        The words in the order in which they first occur, uint64 (k,), and the indices of each
        row's words in them, ragged, uint16 where that is enough.
    """
    numbers, n = number_words(words.values, mix_words(words.values))
    ids = np.empty(n, np.uint64)
    ids[numbers] = words.values
    small = numbers.astype(np.uint16) if n <= 1 << 16 else numbers
    return ids, Ragged(*distinct_in_rows(small, words.offsets, n))


@jit
def number_words(words: U64, scrambled: U64) -> tuple[NDArray[np.int32], int]:
    """Number the different words.

    Args:
        words: Words (m,), with fewer than 2^31 different ones.
        scrambled: The same words mixed, (m,): their high bits place them in the table.

    Returns:
        The number of each word, int32 (m,), and the number of different ones.
    """
    bits = _FIRST_BITS
    table = np.full(1 << bits, -1, np.int32)
    firsts = np.empty(1 << bits, np.int64)
    numbers = np.empty(len(words), np.int32)
    n = 0
    for i in range(len(words)):
        slot = _slot(words, scrambled, i, table, firsts, bits)
        if table[slot] < 0:
            table[slot] = n
            firsts[n] = i
            numbers[i] = n
            n += 1
            if 2 * n > len(table):
                bits += 1
                table = np.full(1 << bits, -1, np.int32)
                longer = np.empty(1 << bits, np.int64)
                longer[:n] = firsts[:n]
                firsts = longer
                for known in range(n):
                    place = _slot(words, scrambled, firsts[known], table, firsts, bits)
                    table[place] = known
        else:
            numbers[i] = table[slot]
    return numbers, n


@kernel
def _slot(
    words: U64,
    scrambled: U64,
    i: int,
    table: NDArray[np.int32],
    firsts: NDArray[np.int64],
    bits: int,
) -> int:
    """Return the slot of a word: the one that has it, or the free slot that it would get."""
    slot = np.int64(scrambled[i] >> np.uint64(64 - bits))
    while table[slot] >= 0 and words[firsts[table[slot]]] != words[i]:
        slot += 1
        if slot == len(table):
            slot = np.int64(0)
    return int(slot)
