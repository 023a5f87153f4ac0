"""Kernels over prefix codes: sizes, instances of a side, and how often a side matches.

A side matches a term as an ordered tree: symbol by symbol, each meta-variable standing for any
subterm, the same one wherever it occurs again. Nothing is calculated or rearranged.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._identities_terms import FIRST_META, METAS

_N_METAS = len(METAS)


@lent
def subtree_sizes(tree: Codes, arities: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    """Fill the number of codes of the subtree at each place."""
    for at in range(len(tree) - 1, -1, -1):
        size: Int = np.int64(1)
        for _ in range(arities[tree[at]]):
            size += sizes[at + size]
        sizes[at] = size


@lent
def instance(out: Codes, at: Int, side: Codes, source: Codes, starts: NDArray[np.int64]) -> Int:
    """Write a side with meta-variable k as source[starts[k]:starts[k + 1]]; return its end."""
    for code in side:
        if code < FIRST_META:
            out[at] = code
            at += 1
            continue
        meta = np.int64(code) - FIRST_META
        for place in range(starts[meta], starts[meta + 1]):
            out[at] = source[place]
            at += 1
    return at


@njit(cache=True, nogil=True)
def count_matches(
    tree: Codes, side: Codes, arities: NDArray[np.int64], sizes: NDArray[np.int64]
) -> Int:
    """Return at how many places of a term the side matches; fills `sizes`."""
    subtree_sizes(tree, arities, sizes)
    bound = np.empty(_N_METAS, np.int64)
    count: Int = 0
    for place in range(len(tree)):
        if tree[place] == side[0] and _matches(tree, place, side, sizes, bound):
            count += 1
    return count


@lent
def _matches(
    tree: Codes, place: Int, side: Codes, sizes: NDArray[np.int64], bound: NDArray[np.int64]
) -> bool:
    """Say whether the side matches at this place; equal arities keep both prefixes in step."""
    bound[:] = -1
    at = place
    for code in side:
        if code < FIRST_META:
            if tree[at] != code:
                return False
            at += 1
            continue
        meta = np.int64(code) - FIRST_META
        if bound[meta] < 0:
            bound[meta] = at
        elif not _same(tree, bound[meta], at, sizes[at]):
            return False
        at += sizes[at]
    return True


@lent
def _same(tree: Codes, one: Int, other: Int, size: Int) -> bool:
    """Say whether two stretches are equal: prefixes of one arity are equal only as wholes."""
    if one + size > len(tree):
        return False
    for step in range(size):
        if tree[one + step] != tree[other + step]:
            return False
    return True
