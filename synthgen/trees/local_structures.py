"""Local structures of derivations: a node with its nearest parents and left siblings.

A structure of size n is a node c after n - 1 of its nearest ancestors p (outermost first) and its
nearest left siblings s (side by side, in order), with an artificial root <s> above the top symbol.
Of size 2 there are parent and child (pc) and adjacent siblings (sc); of size 3 grandparent, parent
and child (ppc), parent and adjacent siblings (psc) and three adjacent siblings (ssc). These letters
are the structure's code (Bogin, Gupta, Berant 2022, arXiv:2201.05899, unobserved local structures).

Here one structure is one word: the number of its code above its symbols, 16 bits each. Words use
the codes of one signature; `structure_ids` turns them into ids that are valid for any signature.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.core.kernels import Int, inline, jit, kernel
from synthgen.draws.randomness import U64
from synthgen.trees.derivations import Codes, Signature
from synthgen.trees.ngrams import BEGIN, fold_words
from synthgen.trees.structures import subtree_sizes

PREFIX_CODES = ("pc", "sc", "ppc", "psc", "ssc")
ROOT = 0xFFFF
"""Code of the artificial root, which no signature may use."""
ROOT_NAME = "<s>"
_PC, _SC, _PPC, _PSC, _SSC = (np.uint64(code) for code in range(5))
_BITS, _CODE_AT = np.uint64(16), np.uint64(48)
_MASK = np.uint64(0xFFFF)


def local_structures(
    derivations: Ragged,
    signature: Signature,
    n: int,
    *,
    commutative: frozenset[str] = frozenset(),
    siblings: bool = True,
) -> Ragged:
    """Return the local structures of sizes 2 to n of each derivation, ragged uint64 words.

    Args:
        derivations: Symbol codes in prefix order.
        signature: Names and arities of the codes.
        n: Largest size, 2 or 3.
        commutative: Names of the symbols whose arguments have no order: their arguments are taken
            in a fixed order of their own symbols, so a swap of arguments changes nothing.
        siblings: Whether to include structures with siblings.

    Returns:
        Each structure as often as it occurs; the decision rule uses only the different ones.

    Raises:
        ParamError: for n out of range, codes that are not whole derivations, or a signature with
            more than 65,535 symbols.
        UnknownNameError: for a commutative symbol that the signature does not have.
    """
    check_int("n", n, 2, 3)
    if len(signature.names) > ROOT:
        raise ParamError("symbols", len(signature.names), f"at most {ROOT} for local structures")
    sizes = subtree_sizes(derivations, signature)
    unordered = symbol_mask(commutative, signature)
    codes, arities = derivations.values, signature.arity_array
    widest = np.maximum(arities, 0).max(initial=1)
    per_node = _count_below(arities, n, siblings=siblings)
    before = offsets_of(per_node[codes] + arities[codes] * (n - 2))
    rows = np.arange(len(derivations) + 1)
    offsets = before[derivations.offsets] - before[derivations.offsets[0]] + rows
    ranks = np.argsort(np.argsort(signature.symbol_ids)).astype(np.int64)
    tables = (arities, unordered, ranks)
    values = _fill(codes, (derivations.offsets, offsets), tables, sizes, (n, siblings, widest))
    return Ragged(values, offsets)


def symbol_mask(names: frozenset[str], signature: Signature) -> NDArray[np.bool_]:
    """Return for each symbol of a signature whether it is one of these names, bool (k,).

    Raises:
        UnknownNameError: for a name that the signature does not have.
    """
    for name in sorted(names):
        if name not in signature.code:
            raise UnknownNameError("symbol", name, signature.names)
    return np.array([name in names for name in signature.names], np.bool_)


def code_of(words: U64) -> NDArray[np.int64]:
    """Return the number of each structure's code in PREFIX_CODES, int64 (m,)."""
    return (words >> _CODE_AT).astype(np.int64)


def symbols_of(words: U64) -> NDArray[np.int64]:
    """Return the symbols of structures, int64 (m, 3); those of size 2 have -1 first.

    The artificial root is ROOT.
    """
    shifts = np.array([32, 16, 0], np.uint64)
    symbols = ((words[:, None] >> shifts) & _MASK).astype(np.int64)
    symbols[code_of(words) < int(_PPC), 0] = -1
    return symbols


def structure_ids(words: U64, signature: Signature) -> U64:
    """Return ids that depend only on the code and the symbols' names and arities, uint64 (m,)."""
    ids = np.append(signature.symbol_ids, BEGIN)
    symbols = np.where(symbols_of(words) == ROOT, len(signature.names), symbols_of(words))
    states = code_of(words).astype(np.uint64)
    larger = symbols[:, 0] >= 0
    states[larger] = fold_words(states[larger], ids[symbols[larger, 0]])
    for place in (1, 2):
        states = fold_words(states, ids[symbols[:, place]])
    return states


def structure_text(word: int, signature: Signature) -> str:
    """Format one structure for people, such as `pc <s> +`."""
    one = np.array([word], np.uint64)
    names = [
        ROOT_NAME if symbol == ROOT else signature.names[symbol]
        for symbol in symbols_of(one)[0].tolist()
        if symbol >= 0
    ]
    return " ".join([PREFIX_CODES[int(code_of(one)[0])], *names])


def structure_words(word: int, signature: Signature) -> str:
    """Describe one structure in words, such as `2 under + at the top`."""
    names = [
        "" if symbol == ROOT else signature.names[symbol]
        for symbol in symbols_of(np.array([word], np.uint64))[0].tolist()
        if symbol >= 0
    ]
    code = PREFIX_CODES[word >> int(_CODE_AT)]
    if code.endswith("pc"):
        at_top = "" if names[0] else " at the top"
        return " under ".join(reversed(names[0 if names[0] else 1 :])) + at_top
    if code == "psc":
        return f"{names[1]} beside {names[2]} under {names[0]}"
    return " beside ".join(names)


def _count_below(arities: NDArray[np.int64], n: int, *, siblings: bool) -> NDArray[np.int64]:
    """Return how many structures end at the children of each symbol, without ppc, int64 (k,)."""
    counts = arities.copy()
    if siblings:
        counts += np.maximum(arities - 1, 0)
        if n == 3:
            counts += np.maximum(arities - 1, 0) + np.maximum(arities - 2, 0)
    return counts


@inline
def _pack(code: np.uint64, one: Int, two: Int, three: Int) -> np.uint64:
    word = (code << _BITS | np.uint64(one)) << _BITS | np.uint64(two)
    return word << _BITS | np.uint64(three)


@jit
def _fill(
    codes: Codes,
    both_offsets: tuple[NDArray[np.int64], NDArray[np.int64]],
    tables: tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]],
    sizes: NDArray[np.int64],
    settings: tuple[int, bool, int],
) -> U64:
    """Write the structures that end at the children of each node, and that of the top symbol."""
    arities, unordered, ranks = tables
    offsets, out_offsets = both_offsets
    n, siblings, widest = settings
    out = np.empty(out_offsets[-1], np.uint64)
    parents = np.empty(len(codes), np.int64)
    below = np.empty(widest, np.int64)
    for i in range(len(offsets) - 1):
        at = out_offsets[i]
        top = offsets[i]
        out[at] = _pack(_PC, 0, ROOT, codes[top])
        at += 1
        parents[top] = ROOT
        for node in range(top, offsets[i + 1]):
            parent = np.int64(codes[node])
            arity = arities[parent]
            child = node + 1
            for j in range(arity):
                below[j] = np.int64(codes[child])
                parents[child] = parent
                child += sizes[child]
            if unordered[parent]:
                _sort(below, arity, ranks)
            for j in range(arity):
                out[at] = _pack(_PC, 0, parent, below[j])
                at += 1
                if n == 3:
                    out[at] = _pack(_PPC, parents[node], parent, below[j])
                    at += 1
                if siblings and j > 0:
                    out[at] = _pack(_SC, 0, below[j - 1], below[j])
                    at += 1
                    if n == 3:
                        out[at] = _pack(_PSC, parent, below[j - 1], below[j])
                        at += 1
                if siblings and n == 3 and j > 1:
                    out[at] = _pack(_SSC, below[j - 2], below[j - 1], below[j])
                    at += 1
    return out


@kernel
def _sort(symbols: NDArray[np.int64], length: int, ranks: NDArray[np.int64]) -> None:
    """Sort the first symbols by their ranks."""
    for i in range(1, length):
        symbol = symbols[i]
        j = i
        while j > 0 and ranks[symbols[j - 1]] > ranks[symbol]:
            symbols[j] = symbols[j - 1]
            j -= 1
        symbols[j] = symbol
