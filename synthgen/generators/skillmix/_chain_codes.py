"""Derivations of the skill chains: the last atom at the root, the input below the first one."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.derivation import Codes, Signature
from synthgen.core.kinds import Int
from synthgen.generators.skillmix._chain_catalog import Atom
from synthgen.generators.skillmix._chain_draw import SOURCE, Chains, Drawn, Marks
from synthgen.generators.skillmix._chain_family import LIST, NUMBER, STRING, TYPES, WORDS
from synthgen.generators.skillmix._chain_inputs import WORD_LENGTHS, Sizes

MOST_DIGITS = 4
_TEN = 10


def chain_signature(atoms: Sequence[Atom], sizes: Sizes) -> Signature:
    """Return atoms, inputs by their type and length, letters and numbers."""
    symbols = {atom.label: 1 for atom in atoms}
    for name, longest in zip(TYPES, _longest(sizes), strict=True):
        symbols |= {f"{name}{length}": length for length in range(1, longest + 1)}
    symbols |= dict.fromkeys(ascii_lowercase, 0)
    symbols |= {str(number): 0 for number in range(max(sizes.max_entry, _TEN - 1) + 1)}
    return Signature.of(symbols)


def _longest(sizes: Sizes) -> tuple[int, int, int, int]:
    strings = max(sizes.max_length, WORD_LENGTHS[1])
    return strings, sizes.max_length, MOST_DIGITS, sizes.max_words


def chain_codes(drawn: Drawn, atoms: Marks, signature: Signature) -> Ragged:
    """Return the derivation of every row; rows without values have one of no length."""
    code = signature.code
    roots = np.array([code[f"{name}1"] - 1 for name in TYPES], np.int64)
    return Ragged(*_derive(*drawn[:4], atoms, roots, (code["a"] - 1, code["0"])))


@njit(cache=True, nogil=True)
def _derive(
    chains: Chains,
    counts: Marks,
    values: NDArray[np.int32],
    marks: Marks,
    atoms: Marks,
    roots: Marks,
    leaves: tuple[int, int],
) -> tuple[Codes, Marks]:
    """Write codes; `roots` and `leaves` are those of empty inputs, of no letter and of zero."""
    n = len(counts)
    inputs: Int = np.int64(0)
    for i in range(n):
        inputs += marks[i, 1] - marks[i, 0]
    codes = np.empty(n * (chains.shape[1] + MOST_DIGITS + 1) + inputs, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        low, high = marks[i, 0], marks[i, 1]
        kind = atoms[chains[i, 0], SOURCE]
        if low < high:
            for k in range(counts[i] - 1, -1, -1):
                codes[at] = chains[i, k]
                at += 1
        if kind == NUMBER and low < high:
            number, digits = np.int64(values[low]), 1
            while number >= _TEN**digits:
                digits += 1
            codes[at] = roots[kind] + digits
            for k in range(digits, 0, -1):
                codes[at + k] = leaves[1] + number % _TEN
                number //= _TEN
            at += digits + 1
        elif kind == WORDS and low < high:
            root, words = at, 0
            at += 1
            start = low
            for k in range(low, high):
                if values[k] == 0:
                    words += 1
                    codes[at] = roots[STRING] + k - start
                    for j in range(start, k):
                        codes[at + 1 + j - start] = leaves[0] + values[j]
                    at += 1 + k - start
                    start = k + 1
            codes[root] = roots[kind] + words
        elif low < high:
            codes[at] = roots[kind] + high - low
            for k in range(low, high):
                codes[at + 1 + k - low] = leaves[int(kind == LIST)] + values[k]
            at += 1 + high - low
        offsets[i + 1] = at
    return codes[:at].copy(), offsets
