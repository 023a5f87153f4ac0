"""Canonical forms of derivations, invariant to commutation and renaming of variables.

Arguments of commutative symbols are sorted by size, variables last, and then by a hash without
variable names. Variables are distinguished only by the pattern of their occurrences, and renamed
v0, v1, ... by first occurrence in the result; renaming first would be wrong, as x + 3 y and y 3 + x
would differ. If the pattern leaves variables tied, as in (x - y) + (y - z) before sorting its sum,
each member of a tied group is singled out in turn, the others are refined again, and the resulting
form with the smallest hash is kept. Variables exchanged by a symmetry of the tree need only one
try. Identities are not folded and chains not flattened; callers do that first if the task does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, longest_row
from synthgen.core.content import Keys, derivation_keys
from synthgen.core.derivation import Codes, Signature
from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, kernel
from synthgen.core.local_structures import symbol_mask
from synthgen.core.ngrams import fold
from synthgen.core.randomness import U64, mix64
from synthgen.core.structures import subtree_sizes

Ints = NDArray[np.int64]
Trees = tuple[Codes, Ints, U64, Ints, NDArray[np.bool_], Ints]
"""Codes, arities, symbol ids, sub-tree sizes, unordered symbols, variable number or -1."""

VARIABLE = np.uint64(0x7661726961626C65)  # in ASCII
_NONE, _ONE = np.uint64(0), np.uint64(1)


@njit(cache=True, nogil=True)
def refine(
    trees: Trees,
    slots: Ints,
    hashes: U64,
    contexts: U64,
    span: tuple[Int, Int, Int],
    colours: U64,
) -> None:
    """Partition variables by their contexts until stable; leave the last hashes."""
    codes, arities, _, sizes, unordered, _ = trees
    start, stop, count = span
    sums = np.empty(count, np.uint64)
    parted = _n_different(colours)
    while True:
        _hash_upwards(trees, slots, hashes, span, colours)
        if parted == count:
            return
        contexts[start] = _ONE
        sums[:] = _NONE
        for node in range(start, stop):
            state = fold(contexts[node], hashes[node])
            child = node + 1
            for j in range(arities[codes[node]]):
                place = _NONE if unordered[codes[node]] else np.uint64(j + 1)
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


@kernel
def _hash_upwards(
    trees: Trees, slots: Ints, hashes: U64, span: tuple[Int, Int, Int], colours: U64
) -> None:
    """Hash all sub-trees; summing over mixed arguments ignores their order."""
    codes, arities, symbol_ids, sizes, unordered, _ = trees
    for node in range(span[1] - 1, span[0] - 1, -1):
        if slots[node] >= 0:
            hashes[node] = fold(VARIABLE, colours[slots[node]])
            continue
        state, total = symbol_ids[codes[node]], _NONE
        child = node + 1
        for _ in range(arities[codes[node]]):
            if unordered[codes[node]]:
                total += mix64(hashes[child])
            else:
                state = fold(state, hashes[child])
            child += sizes[child]
        hashes[node] = fold(state, total)


@kernel
def _n_different(colours: U64) -> int:
    found = 0
    for one in range(len(colours)):
        known = False
        for other in range(one):
            known = known or colours[other] == colours[one]
        found += 0 if known else 1
    return found


@kernel
def tied_group(colours: U64, members: Ints) -> int:
    """Fill the group of equal colours smallest by size, then colour; return its size, or 0."""
    least, chosen = 0, _NONE
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


_SINGLE = np.uint64(0x73696E676C65)  # in ASCII
_ZERO = np.uint64(0)


@njit(cache=True, nogil=True)
def order_rows(
    trees: Trees, offsets: Ints, variable_codes: Codes, most_forms: int
) -> tuple[Codes, NDArray[np.bool_]]:
    """Return the codes of all rows in canonical order, and which rows were searched fully."""
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
        certain[i] = _search(trees, (slots, hashes, contexts), span, order, best, most_forms)
        for j in range(stop - start):
            name = best[j]
            out[start + j] = codes[name] if name >= 0 else variable_codes[-name - 1]
    return out, certain


@kernel
def _number_variables(
    codes: Codes, numbers: Ints, slots: Ints, local: Ints, start: Int, stop: Int
) -> Int:
    """Number the variables of a row from 0; return their count."""
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
    marks: tuple[Ints, U64, U64],
    span: tuple[Int, Int, Int],
    order: Ints,
    best: Ints,
    most_forms: int,
) -> bool:
    """Write the form with the smallest hash to `best`; return whether the search was complete.

    Two leaves of the search with equal forms define a symmetry of the tree. If it maps the earlier
    choice to the later one at the level where they diverge, and fixes the choices above, the later
    choice yields nothing new.
    """
    (slots, hashes, contexts), count = marks, span[2]
    length = span[1] - span[0]
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
                best[:length] = order[:length]
                best_path[:] = path
                best_names[:] = names
            elif form == least:
                level = _level_of_symmetry(path, best_path, names, best_names, level) + 1
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


@kernel
def _level_of_symmetry(
    path: Ints, best_path: Ints, names: Ints, best_names: Ints, level: int
) -> int:
    """Return the level at which to continue after a leaf whose form equals the best one."""
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
    """Write a form as nodes in order, or -1 - name for variables; return its hash."""
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
        for j in range(arity):  # the first argument ends on top
            stack[top + arity - j] = child
            child += sizes[child]
        if unordered[codes[node]]:
            _sort_down(stack[top + 1 : top + 1 + arity], slots, hashes, sizes)
        top += arity
    return form


@kernel
def _sort_down(nodes: Ints, slots: Ints, hashes: U64, sizes: Ints) -> None:
    """Sort sub-trees by size, variable or not, and hash, the smallest last."""
    for i in range(1, len(nodes)):
        node = nodes[i]
        j = i
        while j > 0 and _before(nodes[j - 1], node, slots, hashes, sizes):
            nodes[j] = nodes[j - 1]
            j -= 1
        nodes[j] = node


@kernel
def _before(one: Int, other: Int, slots: Ints, hashes: U64, sizes: Ints) -> bool:
    if sizes[one] != sizes[other]:
        return bool(sizes[one] < sizes[other])
    if (slots[one] >= 0) != (slots[other] >= 0):
        return bool(slots[other] >= 0)
    return bool(hashes[one] < hashes[other])


MOST_FORMS = 120


@dataclass(frozen=True)
class CanonicalForms:
    """Canonical derivations of n rows.

    Attributes:
        derivations: symbol codes in prefix order.
        signature: of these codes; variables become v0, v1, ... in their places.
        certain: bool (n,); False if there were too many forms to try, so that an equal problem may
            have a different form.
    """

    derivations: Ragged
    signature: Signature
    certain: NDArray[np.bool_]

    def keys(self, domain: str) -> Keys:
        """Return the content keys of the forms in a domain, uint64 (n, 2)."""
        return derivation_keys(self.derivations, self.signature, domain)


def canonical_forms(
    derivations: Ragged,
    signature: Signature,
    *,
    commutative: frozenset[str] = frozenset(),
    variables: frozenset[str] = frozenset(),
    most_forms: int = MOST_FORMS,
) -> CanonicalForms:
    """Return the canonical form of every derivation.

    Args:
        derivations: symbol codes in prefix order.
        signature: names and arities of the codes.
        commutative: names of the symbols whose arguments commute.
        variables: names of the symbols that may be renamed; they take no arguments.
        most_forms: largest number of forms tried per row, from 1 to 10^6.

    Raises:
        ParamError: for codes that are not whole derivations, a variable that takes arguments, or
            another symbol with the name v0, v1, ... of a renamed one.
        UnknownNameError: for names that the signature does not have.
    """
    check_int("most_forms", most_forms, 1, 10**6)
    unordered = symbol_mask(commutative, signature)
    variable_codes = np.flatnonzero(symbol_mask(variables, signature))
    renamed = _renamed(signature, variable_codes)
    numbers = np.full(len(signature.names), -1, np.int64)
    numbers[variable_codes] = np.arange(len(variable_codes))
    trees = (
        derivations.values,
        signature.arity_array,
        signature.symbol_ids,
        subtree_sizes(derivations, signature),
        unordered,
        numbers,
    )
    codes = variable_codes.astype(derivations.values.dtype)
    values, certain = order_rows(trees, derivations.offsets, codes, most_forms)
    return CanonicalForms(Ragged(values, derivations.offsets), renamed, certain)


def rename_by_occurrence(sequences: Ragged) -> Ragged:
    """Rename the items of each row 0, 1, 2, ... by first occurrence, ragged int64.

    Two rows become equal if and only if they differ only in their alphabets. In a row that holds an
    input followed by its output, both are renamed alike.
    """
    words = sequences.values.astype(np.int64)
    return Ragged(_rename(words, sequences.offsets), sequences.offsets)


def _renamed(signature: Signature, variable_codes: NDArray[np.int64]) -> Signature:
    names = list(signature.names)
    for number, code in enumerate(variable_codes.tolist()):
        if signature.arities[code]:
            raise ParamError("variable", names[code], "a symbol without arguments")
        names[code] = f"v{number}"
    if len(set(names)) != len(names):
        taken = sorted({name for name in names if names.count(name) > 1})
        raise ParamError("symbols", ", ".join(taken), "names that no renamed variable has")
    return Signature(tuple(names), signature.arities)


@njit(cache=True, nogil=True)
def _rename(words: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort each row by item and position; equal items get the number of their first position."""
    out = np.empty(len(words), np.int64)
    for i in range(len(offsets) - 1):
        start, stop = offsets[i], offsets[i + 1]
        order = np.argsort(words[start:stop], kind="mergesort")
        first = np.empty(stop - start, np.int64)
        for j in range(stop - start):
            at = order[j]
            again = j > 0 and words[start + at] == words[start + order[j - 1]]
            first[at] = first[order[j - 1]] if again else at
        numbers = np.empty(stop - start, np.int64)
        n_names: Int = np.int64(0)
        for j in range(stop - start):
            if first[j] == j:
                numbers[j] = n_names
                n_names += 1
            out[start + j] = numbers[first[j]]
    return out
