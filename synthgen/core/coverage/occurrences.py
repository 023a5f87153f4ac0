"""Occurrences of fragments in derivations, and which of them lie inside one with a node more.

A fragment is a connected piece of a tree (see `synthgen.core.structures`, whose ids these are). An
occurrence is the set of its nodes. Taking away the root, where one kept child is all it has, or a
node without kept children leaves an occurrence of one node less: a link from part to whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.coverage.ngrams import fold
from synthgen.core.derivation import Codes, Signature
from synthgen.core.kinds import Int
from synthgen.core.offsets import longest_row
from synthgen.core.randomness import U64, mix64
from synthgen.core.structures import MOST_FRAGMENTS, MOST_NODES, fragments, subtree_sizes

Ints = NDArray[np.int64]

_WILDCARD = np.uint64(0x77696C6463617264)  # in ASCII, as in core.structures


@dataclass(frozen=True)
class Occurrences:
    """The fragments of n derivations, one by one.

    Attributes:
        ids: fragment id of each occurrence, ragged uint64 (n rows, m in all).
        parts: number of an occurrence, from 0 to m - 1, (l,).
        wholes: number of one that it lies inside, with a node more, (l,).
    """

    ids: Ragged
    parts: Ints
    wholes: Ints


def fragment_occurrences(
    derivations: Ragged, signature: Signature, *, max_nodes: int = 3, limit: int = MOST_FRAGMENTS
) -> Occurrences:
    """Return the occurrences of the fragments of 2 to `max_nodes` nodes.

    Args:
        derivations: symbol codes in prefix order.
        signature: names and arities of the codes.
        max_nodes: from 2 to 5.
        limit: as for `fragments`, which keeps the same occurrences.

    Raises:
        ParamError: for arguments out of range, or codes that are not whole derivations.
    """
    check_int("max_nodes", max_nodes, 2, MOST_NODES)
    offsets = fragments(derivations, signature, max_nodes=max_nodes, limit=limit).offsets
    sizes = subtree_sizes(derivations, signature)
    parents = _parents(derivations.values, derivations.offsets, signature.arity_array, sizes)
    trees = (derivations.values, signature.arity_array, signature.symbol_ids, sizes, parents)
    values, parts, wholes = _enumerate(trees, derivations.offsets, offsets, max_nodes)
    return Occurrences(Ragged(values, offsets), parts, wholes)


@njit(cache=True, nogil=True)
def _parents(codes: Codes, offsets: Ints, arities: Ints, sizes: Ints) -> Ints:
    """Return the place of each node's parent, -1 for the top ones."""
    parents = np.full(len(codes), -1, np.int64)
    for node in range(offsets[-1]):
        child = node + 1
        for _ in range(arities[codes[node]]):
            parents[child] = node
            child += sizes[child]
    return parents


Trees = tuple[Codes, Ints, U64, Ints, Ints]


@njit(cache=True, nogil=True)
def _enumerate(trees: Trees, offsets: Ints, out_offsets: Ints, most: int) -> tuple[U64, Ints, Ints]:
    """Grow the sets of nodes of each row by size: each by a child of its own, after its last node.

    Nodes are in prefix order, so each connected set is grown from its root in one way only. The
    number of occurrences a row has is known, and with it where to stop.
    """
    total = out_offsets[-1]
    ids = np.empty(total, np.uint64)
    parts, wholes = np.empty(total * most, np.int64), np.empty(total * most, np.int64)
    n_links = 0
    room = longest_row(offsets) + longest_row(out_offsets)
    members = np.empty((room, most), np.int64)
    lengths = np.empty(room, np.int64)
    most_slots = 1 << _table_bits(room)
    table, owners = np.zeros(most_slots, np.uint64), np.empty(most_slots, np.int64)
    for i in range(len(offsets) - 1):
        nodes = offsets[i + 1] - offsets[i]
        wanted = nodes + out_offsets[i + 1] - out_offsets[i]
        for j in range(nodes):
            members[j, 0] = offsets[i] + j
            lengths[j] = 1
        _grow(trees, members, lengths, nodes, wanted)
        first = out_offsets[i] - nodes
        bits = _table_bits(wanted)
        table[: 1 << bits] = 0
        for j in range(nodes, wanted):
            ids[first + j] = _fragment_id(trees, members[j], lengths[j])
            key = _set_key(members[j], lengths[j])
            slot = _slot(table, key, bits)
            table[slot], owners[slot] = key, first + j
            if lengths[j] > 2:
                for k in range(lengths[j]):
                    if _may_leave(trees[4], members[j], lengths[j], k):
                        part = _slot(table, key ^ mix64(np.uint64(members[j, k] + 1)), bits)
                        parts[n_links], wholes[n_links] = owners[part], first + j
                        n_links += 1
    return ids, parts[:n_links].copy(), wholes[:n_links].copy()


@njit(cache=True, nogil=True, inline="always")
def _table_bits(n: Int) -> int:
    bits = 2
    while (1 << bits) < 2 * n:
        bits += 1
    return bits


@njit(cache=True, nogil=True)
def _grow(trees: Trees, members: NDArray[np.int64], lengths: Ints, nodes: int, wanted: int) -> None:
    """Fill the sets of two nodes and more, smaller ones first, until there are `wanted` sets."""
    codes, arities, _, sizes, _ = trees
    made: Int = np.int64(nodes)
    at = 0
    while made < wanted:
        length = lengths[at]
        last = members[at, length - 1]
        for k in range(length):
            node = members[at, k]
            child = node + 1
            for _ in range(arities[codes[node]]):
                if child > last and made < wanted:
                    members[made, :length] = members[at, :length]
                    members[made, length] = child
                    lengths[made] = length + 1
                    made += 1
                child += sizes[child]
        at += 1


@njit(cache=True, nogil=True)
def _fragment_id(trees: Trees, members: Ints, length: int) -> np.uint64:
    """Fold the kept nodes, children before parents; arguments left out are wildcards."""
    codes, arities, symbol_ids, sizes, _ = trees
    made = np.empty(length, np.uint64)
    for k in range(length - 1, -1, -1):
        node = members[k]
        state = symbol_ids[codes[node]]
        child = node + 1
        for _ in range(arities[codes[node]]):
            word = _WILDCARD
            for other in range(k + 1, length):
                if members[other] == child:
                    word = made[other]
            state = fold(state, word)
            child += sizes[child]
        made[k] = state
    whole: np.uint64 = made[0]
    return whole


@njit(cache=True, nogil=True, inline="always")
def _set_key(members: Ints, length: int) -> np.uint64:
    """Hash a set of nodes so that taking one away is an exclusive or."""
    key = np.uint64(0)
    for k in range(length):
        key ^= mix64(np.uint64(members[k] + 1))
    return key


@njit(cache=True, nogil=True, inline="always")
def _slot(table: U64, key: np.uint64, bits: int) -> Int:
    slot: Int = np.int64(key >> np.uint64(64 - bits))
    while table[slot] and table[slot] != key:
        slot = (slot + 1) & ((1 << bits) - 1)
    return slot


@njit(cache=True, nogil=True, inline="always")
def _may_leave(parents: Ints, members: Ints, length: int, k: int) -> bool:
    """Say whether the set stays connected without node k."""
    children = 0
    for other in range(length):
        if parents[members[other]] == members[k]:
            children += 1
    return children == 0 if k > 0 else children == 1
