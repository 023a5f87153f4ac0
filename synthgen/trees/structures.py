"""Structures inside derivations: atoms, edges, fragments and whole sub-trees as 64-bit ids.

An atom is one symbol. A fragment is a connected piece of the tree: a node with any of its arguments
expanded, each to a fragment again; the arguments left out are wildcards. An edge is a fragment of
two nodes: parent, slot and child. A sub-tree is a node with all of its descendants.

Ids fold the symbols' own ids (name and arity), never their codes, so the same structure has the
same id in every signature, family and version. A fragment without wildcards is the sub-tree of the
same nodes and has its id; a leaf's id is its atom's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, longest_row, offsets_of
from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.randomness import U64
from synthgen.trees.derivations import Codes, Signature
from synthgen.trees.ngrams import fold

MAX_NODES = 5
MAX_FRAGMENTS = 4096
MAX_ARGUMENTS = 1000
"""Arguments of a symbol that readers of texts accept: a node's fragments take time that grows with
the square of its arguments."""
_WILDCARD = np.uint64(0x77696C6463617264)  # in ASCII
_MANY = 1 << 30  # counts saturate here, so that products of two fit into 64 bits


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
    limit: int = MAX_FRAGMENTS,
) -> Ragged:
    """Return the fragments of 2 to `max_nodes` nodes, each as often as it occurs.

    A row with more than `limit` fragments keeps the small ones: its edges, and all fragments up to
    the largest number of nodes at which there are at most `limit`.

    Args:
        derivations: Symbol codes in prefix order.
        signature: Names and arities of the codes.
        max_nodes: Nodes of the largest fragment, from 2 to 5.
        limit: Number of fragments, from 0 to 2^20.

    Returns:
        Ragged uint64; within a row the order is fixed but arbitrary.

    Raises:
        ParamError: for arguments out of range, or codes that are not whole derivations.
    """
    check_int("max_nodes", max_nodes, 2, MAX_NODES)
    check_int("limit", limit, 0, 1 << 20)
    sizes = subtree_sizes(derivations, signature)
    codes, offsets, arities = derivations.values, derivations.offsets, signature.arity_array
    counts = _count_fragments(codes, arities, sizes, max_nodes)
    largest, totals = _fit(counts, offsets, limit)
    out_offsets = offsets_of(totals)
    tables = arities, signature.symbol_ids
    values = _fill_fragments(codes, (offsets, out_offsets), tables, sizes, counts, largest)
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
    return Ragged(ids, derivations.offsets).only(kept)


def subtree_sizes(derivations: Ragged, signature: Signature) -> NDArray[np.int64]:
    """Return the number of nodes of the sub-tree at every node, int64 (m,).

    Raises:
        ParamError: for a row that is not one whole derivation of the signature.
    """
    sizes, bad = _measure(derivations.values, derivations.offsets, signature.arity_array)
    if bad >= 0:
        raise ParamError("derivation", derivations.row(bad).tolist(), "one whole tree in each row")
    return sizes


@jit
def _measure(
    codes: Codes, offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Return the sizes of all sub-trees, and the first row that is not a whole tree, or -1.

    The first argument of a node follows it, and each next argument follows the previous sub-tree.
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


@jit
def _hash_subtrees(
    codes: Codes, arities: NDArray[np.int64], ids: U64, sizes: NDArray[np.int64]
) -> U64:
    hashes = np.empty(len(codes), np.uint64)
    for node in range(len(codes) - 1, -1, -1):
        state = ids[codes[node]]
        child = node + 1
        for _ in range(arities[codes[node]]):
            state = fold(state, hashes[child])
            child += sizes[child]
        hashes[node] = state
    return hashes


@jit
def _count_fragments(
    codes: Codes, arities: NDArray[np.int64], sizes: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """Return how many fragments of s nodes are rooted at each node, int64 (m, most + 1)."""
    counts = np.zeros((len(codes), most + 1), np.int64)
    for node in range(len(codes) - 1, -1, -1):
        mine = counts[node]
        mine[1] = 1
        child = node + 1
        for _ in range(arities[codes[node]]):
            # Downwards, as smaller sizes must not include this argument yet.
            for s in range(most, 1, -1):
                total = mine[s]
                for part in range(1, s):
                    total += mine[s - part] * counts[child, part]
                mine[s] = min(total, _MANY)
            child += sizes[child]
    return counts


@jit
def _fit(
    counts: NDArray[np.int64], offsets: NDArray[np.int64], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the largest size that each row keeps, and the resulting number of fragments."""
    n = len(offsets) - 1
    most = np.empty(n, np.int64)
    totals = np.zeros(n, np.int64)
    for i in range(n):
        most[i] = 2
        for s in range(2, counts.shape[1]):
            of_size: Int = np.int64(0)
            for node in range(offsets[i], offsets[i + 1]):
                of_size = min(of_size + counts[node, s], _MANY)
            if s > 2 and totals[i] + of_size > limit:
                break
            totals[i] += of_size
            most[i] = s
    return most, totals


@jit
def _fill_fragments(
    codes: Codes,
    both_offsets: tuple[NDArray[np.int64], NDArray[np.int64]],
    tables: tuple[NDArray[np.int64], U64],
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
    most: NDArray[np.int64],
) -> U64:
    """Write the fragments of every row.

    `made` holds the fragments of the row's nodes consecutively, those of each node by size: its
    fragments of s nodes start at begins[node, s].
    """
    (offsets, out_offsets), (arities, ids) = both_offsets, tables
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
            for s in range(2, len(own)):
                own[s] = begin + 1
            child = node + 1
            for _ in range(arities[codes[node]]):
                below = begins[child - offsets[i]]
                _extend(made, spare, own, below, most[i])
                child += sizes[child]
            end = own[most[i] + 1]
        _copy_larger(made, begins, offsets[i + 1] - offsets[i], most[i], out, out_offsets[i])
    return out


@jit
def _extend(
    made: U64, spare: U64, own: NDArray[np.int64], below: NDArray[np.int64], most: int
) -> None:
    """Extend the unfinished fragments of a node by the next argument: a wildcard or a fragment."""
    at = np.int64(0)
    first = own[1]
    starts = own.copy()
    for s in range(1, most + 1):
        own[s] = first + at
        for whole in range(starts[s], starts[s + 1]):
            spare[at] = fold(made[whole], _WILDCARD)
            at += 1
        for part in range(1, s):
            for whole in range(starts[s - part], starts[s - part + 1]):
                for piece in range(below[part], below[part + 1]):
                    spare[at] = fold(made[whole], made[piece])
                    at += 1
    own[most + 1] = first + at
    for j in range(at):
        made[first + j] = spare[j]


@kernel
def _copy_larger(
    made: U64, begins: NDArray[np.int64], nodes: int, most: int, out: U64, start: int
) -> None:
    """Copy the fragments of two or more nodes."""
    at = start
    for node in range(nodes):
        for j in range(begins[node, 2], begins[node, most + 1]):
            out[at] = made[j]
            at += 1


SYMBOLS, PLACED, EDGES, SLOTS, SIBLINGS, LOCAL = range(6)
MAX_DEPTH = 255
MAX_COUNT = 32_767
_SYMBOL_AT = tuple(np.uint64(shift) for shift in (32, 16, 0))
_CODE_AT, _LOW, _FIRST_OF_THREE = np.uint64(48), np.uint64(0xFFFF), np.uint64(2)
Ints = NDArray[np.int64]


@jit
def walk_structures(
    codes: Codes, offsets: Ints, arities: Ints, kind: int
) -> tuple[Ints, Ints, Ints, Ints, int]:
    """Return outer symbol, place and inner symbol of each structure, and the first bad row or -1.

    For each node above, the stack holds its symbol, the number of arguments seen, and the symbol of
    the last one. A missing inner symbol is -1, a missing place 0.
    """
    n, size = len(offsets) - 1, len(codes)
    outer, places = np.empty(size, np.int64), np.zeros(size, np.int64)
    inner, out_offsets = np.full(size, -1, np.int64), np.zeros(n + 1, np.int64)
    room = longest_row(offsets) + 1
    above, had, last = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        depth: Int = np.int64(0)
        whole = offsets[i] < offsets[i + 1]
        for node in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[node])
            whole = whole and (depth > 0 or node == offsets[i])
            if not whole:
                break
            top = depth - 1
            if kind == SYMBOLS or kind == PLACED:
                outer[at] = code
                places[at] = min(depth, MAX_DEPTH) if kind == PLACED else 0
                at += 1
            elif depth > 0 and kind != SIBLINGS:
                outer[at], inner[at] = above[top], code
                places[at] = had[top] + 1 if kind == SLOTS else 0
                at += 1
            elif depth > 0 and had[top] > 0:
                outer[at], inner[at] = last[top], code
                at += 1
            if depth > 0:
                had[top] += 1
                last[top] = code
            above[depth], had[depth] = code, 0
            depth += 1
            while depth > 0 and had[depth - 1] >= arities[above[depth - 1]]:
                depth -= 1
        if not whole or depth > 0:
            return outer, places, inner, out_offsets, i
        out_offsets[i + 1] = at
    return outer, places, inner, out_offsets, -1


@jit
def fold_structures(outer: Ints, places: Ints, inner: Ints, ids: U64, kind: int) -> U64:
    """Fold kind, place and symbols into ids; a symbol's id is unchanged."""
    out = np.empty(len(outer), np.uint64)
    for i in range(len(outer)):
        state = ids[outer[i]]
        if kind != SYMBOLS:
            state = fold(state, np.uint64(kind) << _CODE_AT | np.uint64(places[i]))
            if kind != PLACED:
                state = fold(state, ids[inner[i]])
        out[i] = state
    return out


@jit
def fold_local(words: U64, ids: U64) -> U64:
    """Fold local structures as `local_structures.structure_ids` does; the last id is the root's."""
    out = np.empty(len(words), np.uint64)
    root = np.int64(len(ids) - 1)
    for i in range(len(words)):
        word = words[i]
        state = word >> _CODE_AT
        first = 0 if state >= _FIRST_OF_THREE else 1
        for place in range(first, 3):
            symbol = np.int64((word >> _SYMBOL_AT[place]) & _LOW)
            state = fold(state, ids[symbol if symbol < root else root])
        out[i] = state
    return out


@jit
def count_wanted(
    ids: U64,
    offsets: Ints,
    wanted: U64,
    kinds: bool,  # noqa: FBT001
) -> NDArray[np.int16]:
    """Count the wanted ids of each row, int16 (n,); each id only once if `kinds`.

    `wanted` is sorted, and has at least one id.
    """
    out = np.zeros(len(offsets) - 1, np.int16)
    last_row = np.full(len(wanted), -1, np.int64)
    for i in range(len(out)):
        count = 0
        for at in range(offsets[i], offsets[i + 1]):
            low, high = 0, len(wanted) - 1
            while low < high:
                middle = (low + high) >> 1
                if wanted[middle] < ids[at]:
                    low = middle + 1
                else:
                    high = middle
            if wanted[low] == ids[at] and not (kinds and last_row[low] == i):
                last_row[low] = i
                count += 1
        out[i] = min(count, MAX_COUNT)
    return out
