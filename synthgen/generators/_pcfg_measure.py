"""The axes of PCFG SET programs."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.offsets import longest_row
from synthgen.generators._pcfg_strings import exception_at, result_length
from synthgen.generators._pcfg_symbols import (
    EXCEPTIONS,
    FIRST_STRING,
    FUNCTIONS,
    N_FUNCTIONS,
    N_UNARY,
    SYSTEMATIC_PAIRS,
)

_PAIRS = np.array([*SYSTEMATIC_PAIRS.values(), *(p for p, _ in EXCEPTIONS.values())], np.int64)
_PAIR_PLACE = np.full(N_FUNCTIONS * N_FUNCTIONS, -1, np.int64)
_PAIR_PLACE[_PAIRS[:, 0] * N_FUNCTIONS + _PAIRS[:, 1]] = range(len(_PAIRS))
_N_SYSTEMATIC = len(SYSTEMATIC_PAIRS)

COUNTED = (
    "depth",
    "n_functions",
    "n_unary",
    "n_strings",
    "n_tokens",
    "n_twins",
    "longest_string",
    "function",
    "exception",
    "n_exceptions",
    "n_pairs",
    *SYSTEMATIC_PAIRS,
)
"""Axes that are counted on the program as told."""
MEANT = ("answer_length", "longest_result")
"""Axes of the program as meant."""
(
    _DEPTH,
    _N_FUNCTIONS,
    _N_UNARY,
    _N_STRINGS,
    _N_TOKENS,
    _N_TWINS,
    _LONGEST_STRING,
    _FUNCTION,
    _EXCEPTION,
    _N_EXCEPTIONS,
    _N_PAIRS,
    _FIRST_PAIR,
) = range(len(COUNTED) - _N_SYSTEMATIC + 1)


def program_axes(
    counts: tuple[int, int], strings: tuple[int, int], depths: tuple[int, int], max_result: int
) -> dict[str, Axis]:
    """Return the axes of programs.

    Args:
        counts: smallest and largest number of functions.
        strings: shortest and longest string argument.
        depths: smallest and largest nesting of functions.
        max_result: longest string of any step.
    """
    least, most = counts
    tokens = 2 * most + (most + 1) * strings[1]
    most_results = max(max_result, strings[1])
    flags = {
        name: Axis(f"{FUNCTIONS[outer]} stands right before {FUNCTIONS[inner]}", low=0, high=1)
        for name, (outer, inner) in SYSTEMATIC_PAIRS.items()
    }
    return {
        "depth": Axis("nesting of functions", low=depths[0], high=depths[1]),
        "n_functions": Axis("number of functions", low=least, high=most),
        "n_unary": Axis("number of functions of one argument", low=0, high=most),
        "n_strings": Axis("number of string arguments", low=1, high=most + 1),
        "n_tokens": Axis("tokens of the bare prompt, commas included", low=3, high=tokens),
        "n_twins": Axis("number of calls told with a synonym", low=0, high=most),
        "longest_string": Axis("symbols of the longest string argument", "int16", *strings),
        "function": Axis("the first function of the program", values=FUNCTIONS),
        "exception": Axis("exceptional pair that applies", values=("none", *EXCEPTIONS)),
        "n_exceptions": Axis("exceptional pairs that occur", low=0, high=len(EXCEPTIONS)),
        "exception_changes": Axis("the exceptional pair gives another result", low=0, high=1),
        "n_pairs": Axis("pairs of the systematicity test that occur", low=0, high=_N_SYSTEMATIC),
        **flags,
        "answer_length": Axis("symbols of the answer", low=strings[0], high=most_results),
        "longest_result": Axis("symbols of any step's string", low=strings[0], high=most_results),
        "twin_function": Axis(
            "function that the substitutivity test tells with its synonym",
            values=("none", *FUNCTIONS),
        ),
    }


@njit(cache=True, nogil=True)
def count_axes(codes: Codes, offsets: NDArray[np.int64], first_symbol: Int) -> NDArray[np.int16]:
    """Return the axes COUNTED of every program, int16 (len(COUNTED), n)."""
    n = len(offsets) - 1
    axes = np.zeros((len(COUNTED), n), np.int16)
    open_arguments = np.empty(longest_row(offsets), np.int64)
    for i in range(n):
        if codes[offsets[i]] >= FIRST_STRING:
            continue
        top = -1
        seen = 0
        axes[_FUNCTION, i] = codes[offsets[i]] % N_FUNCTIONS
        for at in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[at])
            if code >= first_symbol:
                continue
            if code < FIRST_STRING:
                function = code % N_FUNCTIONS
                axes[_N_FUNCTIONS, i] += 1
                axes[_N_TWINS, i] += code >= N_FUNCTIONS
                axes[_N_UNARY, i] += function < N_UNARY
                axes[_N_TOKENS, i] += 1 + (function >= N_UNARY)
                top += 1
                open_arguments[top] = 1 + (function >= N_UNARY)
                axes[_DEPTH, i] = max(axes[_DEPTH, i], top + 1)
                if code < N_FUNCTIONS and codes[at + 1] < N_FUNCTIONS:
                    place = _PAIR_PLACE[code * N_FUNCTIONS + codes[at + 1]]
                    if place >= 0:
                        seen |= 1 << place
                continue
            length = code - FIRST_STRING + 1
            axes[_N_STRINGS, i] += 1
            axes[_N_TOKENS, i] += length
            axes[_LONGEST_STRING, i] = max(axes[_LONGEST_STRING, i], length)
            while top >= 0:
                open_arguments[top] -= 1
                if open_arguments[top] > 0:
                    break
                top -= 1
        for place in range(len(_PAIRS)):
            if seen >> place & 1 == 0:
                continue
            if place < _N_SYSTEMATIC:
                axes[_FIRST_PAIR + place, i] = 1
                axes[_N_PAIRS, i] += 1
            else:
                axes[_N_EXCEPTIONS, i] += 1
        if axes[_N_EXCEPTIONS, i] > 0:
            axes[_EXCEPTION, i] = 1 + exception_at(codes, offsets[i], offsets[i + 1])
    return axes


@njit(cache=True, nogil=True)
def measure_results(
    codes: Codes, offsets: NDArray[np.int64], first_symbol: Int
) -> NDArray[np.int16]:
    """Return the lengths MEANT of every program, int16 (2, n)."""
    n = len(offsets) - 1
    axes = np.zeros((2, n), np.int16)
    stack = np.zeros(longest_row(offsets), np.int64)
    for i in range(n):
        top: Int = -1
        longest: Int = 0
        for at in range(offsets[i + 1] - 1, offsets[i] - 1, -1):
            code = np.int64(codes[at])
            if code >= first_symbol:
                continue
            if code >= FIRST_STRING:
                top += 1
                stack[top] = code - FIRST_STRING + 1
            else:
                function = code % N_FUNCTIONS
                second = top - (function >= N_UNARY)
                stack[second] = result_length(function, stack[top], stack[second])
                top = second
            longest = max(longest, stack[top])
        axes[0, i] = stack[0]
        axes[1, i] = longest
    return axes
