"""Refinement of variables by the pattern of their occurrences, whatever their names.

Variables have colours, words that say what is known of them. A round of refinement hashes all
sub-trees upwards (arguments without order as a multiset), all contexts downwards, and folds the
contexts of its occurrences into each variable's colour.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.coverage.ngrams import fold
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import U64, mix64

Ints = NDArray[np.int64]
Trees = tuple[Codes, Ints, U64, Ints, NDArray[np.bool_], Ints]
"""Codes, arities, symbol ids, sub-tree sizes, unordered symbols, variable number or -1."""

VARIABLE = np.uint64(0x7661726961626C65)  # in ASCII
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit(cache=True, nogil=True)
def refine(
    trees: Trees,
    slots: Ints,
    hashes: U64,
    contexts: U64,
    span: tuple[Int, Int, Int],
    colours: U64,
) -> None:
    """Part variables by their contexts until no round parts more; leave the last hashes."""
    codes, arities, _, sizes, unordered, _ = trees
    start, stop, count = span
    sums = np.empty(count, np.uint64)
    parted = _n_different(colours)
    while True:
        _hash_upwards(trees, slots, hashes, span, colours)
        if parted == count:
            return
        contexts[start] = _ONE
        sums[:] = _ZERO
        for node in range(start, stop):
            state = fold(contexts[node], hashes[node])
            child = node + 1
            for j in range(arities[codes[node]]):
                place = _ZERO if unordered[codes[node]] else np.uint64(j + 1)
                contexts[child] = fold(state, place)
                child += sizes[child]
            if slots[node] >= 0:
                sums[slots[node]] += mix64(contexts[node])
        for slot in range(count):
            colours[slot] = fold(colours[slot], sums[slot])
        before = parted
        parted = _n_different(colours)
        if parted == before:
            return


@lent
def _hash_upwards(
    trees: Trees, slots: Ints, hashes: U64, span: tuple[Int, Int, Int], colours: U64
) -> None:
    """Hash all sub-trees; the sum over mixed arguments does not know their order."""
    codes, arities, symbol_ids, sizes, unordered, _ = trees
    for node in range(span[1] - 1, span[0] - 1, -1):
        if slots[node] >= 0:
            hashes[node] = fold(VARIABLE, colours[slots[node]])
            continue
        state, total = symbol_ids[codes[node]], _ZERO
        child = node + 1
        for _ in range(arities[codes[node]]):
            if unordered[codes[node]]:
                total += mix64(hashes[child])
            else:
                state = fold(state, hashes[child])
            child += sizes[child]
        hashes[node] = fold(state, total)


@lent
def _n_different(colours: U64) -> int:
    found = 0
    for one in range(len(colours)):
        known = False
        for other in range(one):
            known = known or colours[other] == colours[one]
        found += 0 if known else 1
    return found


@lent
def tied_group(colours: U64, members: Ints) -> int:
    """Fill the group of equal colours of least size, then colour; return its size, or 0."""
    least, chosen = 0, _ZERO
    for one in range(len(colours)):
        size = 0
        for other in range(len(colours)):
            size += 1 if colours[other] == colours[one] else 0
        better = least == 0 or size < least or (size == least and colours[one] < chosen)
        if size > 1 and better:
            least, chosen = size, colours[one]
    at = 0
    for one in range(len(colours)):
        if least and colours[one] == chosen:
            members[at] = one
            at += 1
    return at
