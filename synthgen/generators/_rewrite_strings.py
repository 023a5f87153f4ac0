"""Strings with structure: letters repeated, blocks repeated, or blocks mirrored.

repeated(k) writes every letter k times in a row, periodic(k) a block k times, and mirrored(k) k
blocks, by turns a block and its reverse. A string may be several of these at once (aaaa is all of
them with k = 4), so each string is said to be of one class only: that of its largest k, and of
equal ones the first of repeated, periodic, mirrored; with no k above 1 it is free.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.permutation import permuted
from synthgen.core.randomness import U64, draw_below, row_key

Letters = NDArray[np.uint8]
Offsets = NDArray[np.int64]
CLASSES = ("free", "repeated", "periodic", "mirrored")
FREE, REPEATED, PERIODIC, MIRRORED = range(4)
ANY = 4
"""Strings of any class; no class of a string."""


@lent
def source_place(kind: Int, k: Int, length: Int, place: Int) -> Int:
    """Return the first place that must have the letter of `place` in a string of this class."""
    if kind == REPEATED:
        return place - place % k
    block = length // k
    inside = place % block
    if kind == MIRRORED and (place // block) % 2 == 1:
        return block - 1 - inside
    return inside


@lent
def is_of_class(text: Letters, start: Int, length: Int, kind: Int, k: Int) -> bool:
    """Say whether the string is repeated(k), periodic(k) or mirrored(k); k divides its length."""
    first = 1 if kind == REPEATED else length // k  # letters before are free
    for place in range(first, length):
        if text[start + place] != text[start + source_place(kind, k, length, place)]:
            return False
    return True


@lent
def own_class(text: Letters, start: Int, length: Int) -> tuple[Int, Int]:
    """Return the one class and k that a string is said to be of."""
    for k in range(length, 1, -1):
        if length % k == 0:
            for kind in range(REPEATED, MIRRORED + 1):
                if is_of_class(text, start, length, kind, k):
                    return np.int64(kind), np.int64(k)
    return np.int64(FREE), np.int64(1)


@lent
def write_string(
    out: Letters, at: Int, length: Int, kind: Int, k: Int, number: np.uint64, head: Int, key: U64
) -> None:
    """Write string `number` of a class at `at`.

    The first `head` free letters are the digits of the number, so that no two strings are equal;
    the others are drawn by the number. `key` holds the key of the draws and the number of letters.
    """
    n_letters = key[1]
    rest_key = row_key(key[0], number)
    free = 0
    for place in range(length):
        source = place if kind == FREE or kind == ANY else source_place(kind, k, length, place)
        if source < place:
            out[at + place] = out[at + source]
            continue
        if free < head:
            out[at + place] = np.uint8(number % n_letters)
            number //= n_letters
        else:
            out[at + place] = np.uint8(draw_below(rest_key, free, np.int64(n_letters)))
        free += 1


@lent
def write_numbered(
    out: Letters, at: Int, pool: NDArray[np.int64], index: np.uint64, table: U64, key: U64
) -> bool:
    """Write the string that a permutation puts at an index; say whether it is of the class asked.

    `pool` holds class, k, length, free letters that are digits, and whether to look at the class.
    """
    kind, k, length = pool[0], pool[1], pool[2]
    number = index if len(table) == 0 else permuted(index, table)
    write_string(out, at, length, kind, k, number, pool[3], key)
    if pool[4] == 0:
        return True
    found, largest = own_class(out, at, length)
    return bool(found == kind and largest == k)
