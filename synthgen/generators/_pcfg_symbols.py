"""Symbols of PCFG SET (Hupkes et al. 2020): string functions, their synonyms, strings and letters.

A program is a tree of functions over strings, as codes in prefix order: codes 0 to 9 are the
functions, 10 to 19 their synonyms, 19 + k a string of k symbols, which has the symbols as its
arguments, and from 20 + max_string on the alphabet.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from synthgen.core.derivation import Signature

UNARY = ("copy", "reverse", "shift", "echo", "swap_first_last", "repeat")
BINARY = ("append", "prepend", "remove_first", "remove_second")
FUNCTIONS = UNARY + BINARY
COPY, REVERSE, SHIFT, ECHO, SWAP, REPEAT, APPEND, PREPEND, REMOVE_FIRST, REMOVE_SECOND = range(10)
N_UNARY, N_FUNCTIONS = len(UNARY), len(FUNCTIONS)
TWIN = "_twin"
FIRST_STRING = 2 * N_FUNCTIONS
"""Code of a string of one symbol; a longer one comes that much later."""
NAME_LENGTHS = np.array([len(name) for name in FUNCTIONS], np.int64)

SYSTEMATIC_PAIRS = {
    "swap_repeat": (SWAP, REPEAT),
    "append_remove": (APPEND, REMOVE_SECOND),
    "repeat_remove": (REPEAT, REMOVE_SECOND),
    "append_swap": (APPEND, SWAP),
}
"""Pairs of adjacent functions that the systematicity test holds out."""

EXCEPTIONS = {
    "reverse_echo": ((REVERSE, ECHO), (ECHO, COPY)),
    "prepend_remove_first": ((PREPEND, REMOVE_FIRST), (REMOVE_SECOND, APPEND)),
    "echo_remove_first": ((ECHO, REMOVE_FIRST), (COPY, APPEND)),
    "prepend_reverse": ((PREPEND, REVERSE), (REMOVE_SECOND, ECHO)),
}
"""Adjacent functions with exceptional meaning, and the functions that they then mean."""


@lru_cache(maxsize=16)
def signature_of(letters: str, numbers: int, max_string: int) -> Signature:
    """Return the vocabulary for an alphabet and the longest string argument."""
    names = [*FUNCTIONS, *(name + TWIN for name in FUNCTIONS)]
    arities = ([1] * N_UNARY + [2] * (N_FUNCTIONS - N_UNARY)) * 2
    names += [f"string{length}" for length in range(1, max_string + 1)]
    arities += range(1, max_string + 1)
    alphabet = [f"{letter}{number}" for letter in letters for number in range(1, numbers + 1)]
    return Signature((*names, *alphabet), (*arities, *[0] * len(alphabet)))
