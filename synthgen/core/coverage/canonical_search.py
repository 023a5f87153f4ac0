"""Kernels that put derivations into canonical order: refine, single out, refine again.

Variables have colours (see `canonical_refine`). When refinement no longer parts variables, each one
of a tied group is singled out in turn by a colour of its own. With all variables parted, equal
hashes mean equal sub-trees, and a form can be written. This is the search for canonical labels of
graphs (McKay, Piperno 2014, arXiv:1301.1493), on trees with shared leaves.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.coverage.canonical_refine import VARIABLE, Ints, Trees, refine, tied_group
from synthgen.core.coverage.ngrams import fold
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.core.randomness import U64

_SINGLE = np.uint64(0x73696E676C65)  # in ASCII
_ZERO = np.uint64(0)


@njit(cache=True, nogil=True)
def order_rows(
    trees: Trees, offsets: Ints, variable_codes: Codes, most_forms: int
) -> tuple[Codes, NDArray[np.bool_]]:
    """Return the codes of all rows in canonical order, and which rows were searched to the end."""
    codes, _, _, _, _, numbers = trees
    n = len(offsets) - 1
    out = np.empty_like(codes)
    certain = np.ones(n, np.bool_)
    slots = np.full(len(codes), -1, np.int64)
    local = np.full(len(variable_codes), -1, np.int64)
    hashes, contexts = np.empty(len(codes), np.uint64), np.empty(len(codes), np.uint64)
    room = longest_row(offsets) + 1
    order, best = np.empty(room, np.int64), np.empty(room, np.int64)
    for i in range(n):
        start, stop = offsets[i], offsets[i + 1]
        count = _number_variables(codes, numbers, slots, local, start, stop)
        span = (start, stop, count)
        certain[i] = _search(trees, slots, hashes, contexts, span, order, best, most_forms)
        for j in range(stop - start):
            name = best[j]
            out[start + j] = codes[name] if name >= 0 else variable_codes[-name - 1]
    return out, certain


@lent
def _number_variables(
    codes: Codes, numbers: Ints, slots: Ints, local: Ints, start: Int, stop: Int
) -> Int:
    """Give the variables of a row numbers 0, 1, ... of its own; return how many there are."""
    count: Int = np.int64(0)
    for node in range(start, stop):
        variable = numbers[codes[node]]
        if variable >= 0:
            if local[variable] < 0:
                local[variable] = count
                count += 1
            slots[node] = local[variable]
    for node in range(start, stop):
        if numbers[codes[node]] >= 0:
            local[numbers[codes[node]]] = -1
    return count


@njit(cache=True, nogil=True)
def _search(
    trees: Trees,
    slots: Ints,
    hashes: U64,
    contexts: U64,
    span: tuple[Int, Int, Int],
    order: Ints,
    best: Ints,
    most_forms: int,
) -> bool:
    """Write the form of least hash to `best`; say if all forms were tried or known to be equal.

    Two leaves of the search with equal forms are a symmetry of the tree. Where it takes the earlier
    choice at the level at which they part to the later one, and leaves the choices above alone, the
    later choice has nothing new below it.
    """
    count = span[2]
    colours = np.zeros((count + 1, count), np.uint64)
    tied = np.empty((count + 1, count), np.int64)
    n_tied, at = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    path, best_path = np.full(count + 1, -1, np.int64), np.full(count + 1, -1, np.int64)
    names, best_names = np.empty(count, np.int64), np.empty(count, np.int64)
    forms, least = 0, _ZERO
    level = 0
    fresh = True
    while level >= 0:
        if fresh:
            refine(trees, slots, hashes, contexts, span, colours[level])
            n_tied[level] = tied_group(colours[level], tied[level])
            at[level] = 0
        fresh = False
        if n_tied[level] == 0:
            form = _write(trees, slots, hashes, span, order, names)
            path[level] = -1
            forms += 1
            if forms == 1 or form < least:
                least = form
                best[: span[1] - span[0]] = order[: span[1] - span[0]]
                best_path[:] = path
                best_names[:] = names
                level -= 1
            elif form == least:
                level = _level_of_symmetry(path, best_path, names, best_names, level)
            else:
                level -= 1
        elif at[level] == n_tied[level]:
            level -= 1
        elif forms >= most_forms:
            return False
        else:
            path[level] = tied[level, at[level]]
            at[level] += 1
            colours[level + 1] = colours[level]
            single = colours[level, path[level]]
            colours[level + 1, path[level]] = fold(single, _SINGLE)
            level += 1
            fresh = True
    return True


@lent
def _level_of_symmetry(
    path: Ints, best_path: Ints, names: Ints, best_names: Ints, level: int
) -> int:
    """Return the level to go on at, after a leaf whose form equals the best one's."""
    for part in range(level):
        if names[path[part]] != best_names[best_path[part]]:
            break
        if path[part] != best_path[part]:
            return part
    return level - 1


@njit(cache=True, nogil=True)
def _write(
    trees: Trees,
    slots: Ints,
    hashes: U64,
    span: tuple[Int, Int, Int],
    order: Ints,
    names: Ints,
) -> np.uint64:
    """Write a form: nodes in order, or -1 - name for variables; return its hash."""
    codes, arities, symbol_ids, sizes, unordered, _ = trees
    start, stop, _ = span
    stack = np.empty(stop - start, np.int64)
    names[:] = -1
    n_names: Int = np.int64(0)
    stack[0], top = start, 0
    form = _ZERO
    for at in range(stop - start):
        node = stack[top]
        top -= 1
        slot = slots[node]
        if slot >= 0:
            if names[slot] < 0:
                names[slot] = n_names
                n_names += 1
            order[at] = -1 - names[slot]
            form = fold(fold(form, VARIABLE), np.uint64(names[slot]))
            continue
        order[at] = node
        form = fold(form, symbol_ids[codes[node]])
        arity = arities[codes[node]]
        child = node + 1
        for j in range(arity):  # the first argument goes on top
            stack[top + arity - j] = child
            child += sizes[child]
        if unordered[codes[node]]:
            _sort_down(stack[top + 1 : top + 1 + arity], slots, hashes, sizes)
        top += arity
    return form


@lent
def _sort_down(nodes: Ints, slots: Ints, hashes: U64, sizes: Ints) -> None:
    """Sort sub-trees by size, variable or not, and hash; the least one comes last."""
    for i in range(1, len(nodes)):
        node = nodes[i]
        j = i
        while j > 0 and _before(nodes[j - 1], node, slots, hashes, sizes):
            nodes[j] = nodes[j - 1]
            j -= 1
        nodes[j] = node


@lent
def _before(one: Int, other: Int, slots: Ints, hashes: U64, sizes: Ints) -> bool:
    if sizes[one] != sizes[other]:
        return bool(sizes[one] < sizes[other])
    if (slots[one] >= 0) != (slots[other] >= 0):
        return bool(slots[other] >= 0)
    return bool(hashes[one] < hashes[other])
