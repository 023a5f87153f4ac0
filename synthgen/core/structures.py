"""Structures inside derivations: atoms, edges, fragments and whole sub-trees as 64-bit ids.

An atom is one symbol. A fragment is a connected piece of the tree: a node with any of its arguments
expanded, each to a fragment again; the arguments left out are wildcards. An edge is a fragment of
two nodes: parent, slot and child. A sub-tree is a node with all that is below it.

Ids fold the symbols' own ids (name and arity), never their codes, so the same structure has the
same id in every signature, family and version. A fragment without wildcards is the sub-tree of the
same nodes and has its id; a leaf's id is its atom's.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.derivation import Codes, Signature
from synthgen.core.errors import ParamError
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.core.randomness import GOLDEN, U64, mix64

MOST_NODES = 5
MOST_FRAGMENTS = 4096
_WILDCARD = np.uint64(0x77696C6463617264)  # in ASCII
_MANY = 1 << 30  # counts stop here, so that products of two stay within 64 bits


def atoms(derivations: Ragged, signature: Signature) -> Ragged:
    """Return the symbols of each derivation in prefix order, ragged uint64."""
    return Ragged(signature.symbol_ids[derivations.values], derivations.offsets)


def edges(derivations: Ragged, signature: Signature) -> Ragged:
    """Return the (parent, slot, child) of each node but the root, ragged uint64."""
    return fragments(derivations, signature, max_nodes=2)


def fragments(
    derivations: Ragged,
    signature: Signature,
    *,
    max_nodes: int = 3,
    limit: int = MOST_FRAGMENTS,
) -> Ragged:
    """Return the fragments of 2 to `max_nodes` nodes, each as often as it occurs.

    A row with more than `limit` of them keeps the small ones: all up to the largest number of nodes
    at which they are no more than `limit`, and its edges in any case.

    Args:
        derivations: symbol codes in prefix order.
        signature: names and arities of the codes.
        max_nodes: from 2 to 5.
        limit: from 0 to 2^20.

    Returns:
        Ragged uint64; within a row the order is fixed but means nothing.

    Raises:
        ParamError: for arguments out of range, or codes that are not whole derivations.
    """
    check_int("max_nodes", max_nodes, 2, MOST_NODES)
    check_int("limit", limit, 0, 1 << 20)
    sizes = subtree_sizes(derivations, signature)
    codes, offsets, arities = derivations.values, derivations.offsets, signature.arity_array
    counts = _count_fragments(codes, arities, sizes, max_nodes)
    most, totals = _fit(counts, offsets, limit)
    ids = signature.symbol_ids
    out_offsets = offsets_of(totals)
    values = _fill_fragments(codes, offsets, arities, ids, sizes, counts, most, out_offsets)
    return Ragged(values, out_offsets)


def subtrees(
    derivations: Ragged, signature: Signature, *, min_nodes: int = 2, max_nodes: int = 2**15
) -> Ragged:
    """Return the whole sub-trees of `min_nodes` to `max_nodes` nodes, in prefix order of roots.

    Returns:
        Ragged uint64, at most one id for each node.

    Raises:
        ParamError: for numbers below 1, or codes that are not whole derivations.
    """
    check_int("min_nodes", min_nodes, 1, 2**31)
    check_int("max_nodes", max_nodes, min_nodes, 2**31)
    sizes = subtree_sizes(derivations, signature)
    ids = _hash_subtrees(derivations.values, signature.arity_array, signature.symbol_ids, sizes)
    kept = (sizes >= min_nodes) & (sizes <= max_nodes)
    before = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=before[1:])
    return Ragged(ids[kept], before[derivations.offsets])


def subtree_sizes(derivations: Ragged, signature: Signature) -> NDArray[np.int64]:
    """Return the number of nodes below and at every node, int64 (m,).

    Raises:
        ParamError: for a row that is not one whole derivation of the signature.
    """
    sizes, bad = _measure(derivations.values, derivations.offsets, signature.arity_array)
    if bad >= 0:
        raise ParamError("derivation", derivations.row(bad).tolist(), "one whole tree in each row")
    return sizes


@njit(cache=True, nogil=True)
def _measure(
    codes: Codes, offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Return the sizes of all sub-trees, and the first row that is no whole tree, or -1.

    The first argument of a node follows it, and each next one follows the sub-tree before.
    """
    sizes = np.ones(len(codes), np.int64)
    for i in range(len(offsets) - 1):
        start, stop = offsets[i], offsets[i + 1]
        for node in range(stop - 1, start - 1, -1):
            child = node + 1
            for _ in range(arities[codes[node]]):
                if child >= stop:
                    return sizes, i
                child += sizes[child]
            sizes[node] = child - node
        if start == stop or sizes[start] != stop - start:
            return sizes, i
    return sizes, -1


@njit(cache=True, nogil=True, inline="always")
def _step(state: np.uint64, word: np.uint64) -> np.uint64:
    """Fold the id of the next argument, or the wildcard, into the id of a node."""
    return mix64(mix64(state + GOLDEN) ^ word)


@njit(cache=True, nogil=True)
def _hash_subtrees(
    codes: Codes, arities: NDArray[np.int64], ids: U64, sizes: NDArray[np.int64]
) -> U64:
    hashes = np.empty(len(codes), np.uint64)
    for node in range(len(codes) - 1, -1, -1):
        state = ids[codes[node]]
        child = node + 1
        for _ in range(arities[codes[node]]):
            state = _step(state, hashes[child])
            child += sizes[child]
        hashes[node] = state
    return hashes


@njit(cache=True, nogil=True)
def _count_fragments(
    codes: Codes, arities: NDArray[np.int64], sizes: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """Return how many fragments of s nodes each node is the root of, int64 (m, most + 1)."""
    counts = np.zeros((len(codes), most + 1), np.int64)
    for node in range(len(codes) - 1, -1, -1):
        mine = counts[node]
        mine[1] = 1
        child = node + 1
        for _ in range(arities[codes[node]]):
            for s in range(most, 1, -1):  # downwards: smaller sizes still lack this argument
                total = mine[s]
                for part in range(1, s):
                    total += mine[s - part] * counts[child, part]
                mine[s] = min(total, _MANY)
            child += sizes[child]
    return counts


@njit(cache=True, nogil=True)
def _fit(
    counts: NDArray[np.int64], offsets: NDArray[np.int64], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the largest size that each row keeps, and how many fragments that makes."""
    n = len(offsets) - 1
    most = np.full(n, 2, np.int64)
    totals = np.zeros(n, np.int64)
    for i in range(n):
        for s in range(2, counts.shape[1]):
            of_size: Int = np.int64(0)
            for node in range(offsets[i], offsets[i + 1]):
                of_size = min(of_size + counts[node, s], _MANY)
            if s > 2 and totals[i] + of_size > limit:
                break
            totals[i] += of_size
            most[i] = s
    return most, totals


@njit(cache=True, nogil=True)
def _fill_fragments(
    codes: Codes,
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    ids: U64,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
    most: NDArray[np.int64],
    out_offsets: NDArray[np.int64],
) -> U64:
    """Write the fragments of every row.

    `made` holds the fragments of the row's nodes end to end, those of one node by size: from
    begins[node, s] on those of s nodes.
    """
    out = np.empty(out_offsets[-1], np.uint64)
    room = longest_row(offsets) + longest_row(out_offsets)
    made, spare = np.empty(room, np.uint64), np.empty(room, np.uint64)
    begins = np.zeros((longest_row(offsets), counts.shape[1] + 1), np.int64)
    for i in range(len(offsets) - 1):
        end = np.int64(0)
        for node in range(offsets[i + 1] - 1, offsets[i] - 1, -1):
            begin = end
            made[begin] = ids[codes[node]]
            own = begins[node - offsets[i]]
            own[1] = begin
            own[2:] = begin + 1
            child = node + 1
            for _ in range(arities[codes[node]]):
                below = begins[child - offsets[i]]
                _extend(made, spare, own, below, most[i])
                child += sizes[child]
            end = own[most[i] + 1]
        _copy_larger(made, begins, offsets[i + 1] - offsets[i], most[i], out, out_offsets[i])
    return out


@njit(cache=True, nogil=True)
def _extend(
    made: U64, spare: U64, own: NDArray[np.int64], below: NDArray[np.int64], most: int
) -> None:
    """Give the unfinished fragments of a node their next argument: left out, or each one below."""
    at = np.int64(0)
    first = own[1]
    starts = own.copy()
    for s in range(1, most + 1):
        own[s] = first + at
        for whole in range(starts[s], starts[s + 1]):
            spare[at] = _step(made[whole], _WILDCARD)
            at += 1
        for part in range(1, s):
            for whole in range(starts[s - part], starts[s - part + 1]):
                for piece in range(below[part], below[part + 1]):
                    spare[at] = _step(made[whole], made[piece])
                    at += 1
    own[most + 1] = first + at
    made[first : first + at] = spare[:at]


@lent
def _copy_larger(
    made: U64, begins: NDArray[np.int64], nodes: int, most: int, out: U64, start: int
) -> None:
    """Copy the fragments of two nodes and more."""
    at = start
    for node in range(nodes):
        for j in range(begins[node, 2], begins[node, most + 1]):
            out[at] = made[j]
            at += 1
