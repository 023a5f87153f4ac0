"""Synonyms of PCFG SET's functions: which calls of a program are told with them."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.content import Keys
from synthgen.core.derivation import Codes
from synthgen.core.randomness import draw_bits
from synthgen.generators._pcfg_symbols import FIRST_STRING, N_FUNCTIONS

_S11 = np.uint64(11)
_UNIT = 2.0**-53


@njit(cache=True, nogil=True)
def choose_twins(
    codes: Codes,
    offsets: NDArray[np.int64],
    keys: Keys,
    has_twin: NDArray[np.bool_],
) -> NDArray[np.int16]:
    """Choose one of each program's functions that have a synonym: 1 + code, 0 if there is none.

    A program that is told with synonyms has made the choice: it is the first of them. Otherwise the
    content key decides, so that equal programs choose alike.
    """
    chosen = np.zeros(len(keys), np.int16)
    occurs = np.zeros(N_FUNCTIONS, np.bool_)
    for i in range(len(keys)):
        occurs[:] = False
        different = 0
        for at in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[at])
            if code >= FIRST_STRING:
                continue
            if code >= N_FUNCTIONS:
                chosen[i] = 1 + code - N_FUNCTIONS
                break
            if has_twin[code] and not occurs[code]:
                occurs[code] = True
                different += 1
        if chosen[i] > 0 or different == 0:
            continue
        pick = np.int64(keys[i, 0] % np.uint64(different))
        for function in range(N_FUNCTIONS):
            if occurs[function]:
                if pick == 0:
                    chosen[i] = 1 + function
                    break
                pick -= 1
    return chosen


@njit(cache=True, nogil=True)
def tell_twins(
    codes: Codes,
    offsets: NDArray[np.int64],
    keys: NDArray[np.uint64],
    share: float,
    has_twin: NDArray[np.bool_],
) -> Codes:
    """Replace each call of functions that have a synonym by it, with the given probability."""
    told = codes.copy()
    for i in range(len(keys)):
        j = 0
        for at in range(offsets[i], offsets[i + 1]):
            code = codes[at]
            if code >= N_FUNCTIONS or not has_twin[code]:
                continue
            if np.float64(draw_bits(keys[i], j) >> _S11) * _UNIT < share:
                told[at] = code + N_FUNCTIONS
            j += 1
    return told


@njit(cache=True, nogil=True)
def tell_all_twins(codes: Codes, offsets: NDArray[np.int64], chosen: NDArray[np.int16]) -> Codes:
    """Replace every call of the one function chosen for each row (1 + code, 0: none)."""
    told = codes.copy()
    for i in range(len(chosen)):
        for at in range(offsets[i], offsets[i + 1]):
            if codes[at] + 1 == chosen[i]:
                told[at] = codes[at] + N_FUNCTIONS
    return told
