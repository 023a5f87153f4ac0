"""Canonical forms of derivations: one for all orders of commutative arguments and all variables.

Arguments of commutative symbols are put in order of size, variables after others, and then of a
hash without variable names. Variables are told apart by the pattern of their occurrences alone, and
renamed v0, v1, ... by first occurrence in the result; to rename first would be wrong, as x + 3 y
and y 3 + x would differ. Where the pattern leaves variables tied, as in (x - y) + (y - z) before
its sum is put in order, each of a tied group is singled out in turn, the others are refined again,
and of all forms that come out the one with the least hash is kept. Variables that a symmetry of the
tree exchanges need one try together. Identities are not folded and chains not flattened: that is
for the caller to do first, where the task does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.content import Keys, derivation_keys
from synthgen.core.coverage.canonical_search import order_rows
from synthgen.core.coverage.local_structures import symbol_mask
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.kinds import Int
from synthgen.core.structures import subtree_sizes

MOST_FORMS = 120


@dataclass(frozen=True)
class CanonicalForms:
    """Canonical derivations of n rows.

    Attributes:
        derivations: symbol codes in prefix order.
        signature: of these codes; variables are v0, v1, ... in the places of the given ones.
        certain: bool (n,); False where there were more forms to try than allowed, so that an equal
            problem may have another form.
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
        commutative: names of the symbols whose arguments may change places.
        variables: names of the symbols that may be renamed; they take no arguments.
        most_forms: how many forms of one row are tried, from 1 to 10^6.

    Raises:
        ParamError: for codes that are not whole derivations, a variable that takes arguments, or
            another symbol that has the name v0, v1, ... of a renamed one.
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

    Two rows are equal but for their alphabets if and only if they come out equal. A row that holds
    an input and then its output renames both alike.
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
        raise ParamError("symbols", ", ".join(taken), "no names that renamed variables take")
    return Signature(tuple(names), signature.arities)


@njit(cache=True, nogil=True)
def _rename(words: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort each row by item and place; equal items get the number of their first place."""
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
