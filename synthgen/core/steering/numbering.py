"""Numbers from 0 for 64-bit ids, in the order in which they first occur."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.lent import lent
from synthgen.core.randomness import U64, mix_words
from synthgen.core.steering.needed_rows import distinct_in_rows

_FIRST_BITS = 12


def distinct_by_row(words: Ragged) -> tuple[U64, Ragged]:
    """Return the different words, and which of them each row has, none twice in a row.

    Returns:
        The words in the order in which they first occur, uint64 (k,), and the places in them of
        each row's, ragged, uint16 where that is enough.
    """
    numbers, n = number_words(words.values, mix_words(words.values))
    ids = np.empty(n, np.uint64)
    ids[numbers] = words.values
    small = numbers.astype(np.uint16) if n <= 1 << 16 else numbers
    return ids, Ragged(*distinct_in_rows(small, words.offsets, n))


@njit(cache=True, nogil=True)
def number_words(words: U64, scrambled: U64) -> tuple[NDArray[np.int32], int]:
    """Number the different words.

    Args:
        words: (m,), with fewer than 2^31 different ones.
        scrambled: the same words mixed, (m,): their high bits place them in the table.

    Returns:
        The number of each word, int32 (m,), and how many there are.
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


@lent
def _slot(
    words: U64,
    scrambled: U64,
    i: int,
    table: NDArray[np.int32],
    firsts: NDArray[np.int64],
    bits: int,
) -> int:
    """Return the slot of a word: the one that has it, or the free one that it would get."""
    slot = np.int64(scrambled[i] >> np.uint64(64 - bits))
    while table[slot] >= 0 and words[firsts[table[slot]]] != words[i]:
        slot += 1
        if slot == len(table):
            slot = np.int64(0)
    return int(slot)


@njit(cache=True, nogil=True)
def rows_with(numbers: NDArray[np.int32], offsets: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return how many rows have each number 0..n-1, equal ones of a row counted once, (n,)."""
    counts, last = np.zeros(n, np.int64), np.full(n, -1, np.int64)
    for row in range(len(offsets) - 1):
        for j in range(offsets[row], offsets[row + 1]):
            if last[numbers[j]] != row:
                last[numbers[j]] = row
                counts[numbers[j]] += 1
    return counts
