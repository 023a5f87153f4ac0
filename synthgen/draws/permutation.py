"""Keyed permutations of 0..n-1: a pseudo-random order of a finite generator's addresses.

A number below n is read as a pair (left, right) with n <= a * b possible pairs, a and b about the
square root of n. Eight rounds add a keyed function of one half to the other, modulo its size: a
Feistel network over mixed radices (Black and Rogaway 2002). From a pair beyond n
the walk continues; there are fewer than a, each visited at most once, so a walk is bounded, and
for large n hardly ever needed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.kernels import inline, jit, kernel
from synthgen.draws.randomness import GOLDEN, U64, mix64, mix_words

MAX_ITEMS = 2**63
_ROUNDS = 8
_SIZE, _LEFT, _RIGHT, _KEYS = range(4)
_LOW_32, _S32 = np.uint64(0xFFFFFFFF), np.uint64(32)


def permutation_table(key: int, n: int) -> U64:
    """Return the table that kernels need to permute 0..n-1, uint64 (3 + rounds,).

    Args:
        key: Key of 64 bits that selects the permutation.
        n: Number of items, from 1 to 2^63.

    Raises:
        ParamError: for another n.
    """
    check_int("n", n, 1, MAX_ITEMS)
    left = math.isqrt(n - 1) + 1
    right = -(-n // left)
    counters = np.arange(1, _ROUNDS + 1, dtype=np.uint64)
    keys = mix_words(mix_words(np.uint64(key) + counters * GOLDEN) + GOLDEN)
    return np.concatenate([np.array([n, left, right], np.uint64), keys])


@kernel
def permuted(index: np.uint64, table: U64) -> np.uint64:
    """Return the position to which the permutation of this table maps an index below its n."""
    n, left_size, right_size = table[_SIZE], table[_LEFT], table[_RIGHT]
    while True:
        left, right = index // right_size, index % right_size
        for j in range(_KEYS, len(table), 2):
            left = _moved(left, mix64(right ^ table[j]), left_size)
            right = _moved(right, mix64(left ^ table[j + 1]), right_size)
        index = left * right_size + right
        if index < n:
            return index


@inline
def _moved(half: np.uint64, bits: np.uint64, size: np.uint64) -> np.uint64:
    """Return half + floor(bits * size / 2^64) modulo size, for a half below the size.

    Sizes do not exceed 2^32, so that their products with 32 bits do not overflow.
    """
    half += ((bits >> _S32) * size + ((bits & _LOW_32) * size >> _S32)) >> _S32
    return half - size if half >= size else half


@jit
def permute(indices: U64, table: U64) -> NDArray[np.uint64]:
    """Return the position to which the table's permutation maps each index, uint64 (m,)."""
    out = np.empty(len(indices), np.uint64)
    for i in range(len(indices)):
        out[i] = permuted(indices[i], table)
    return out
