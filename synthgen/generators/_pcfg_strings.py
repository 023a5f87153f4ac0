"""What the string functions of PCFG SET do: lengths of results, exceptions and evaluation."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._pcfg_symbols import (
    APPEND,
    ECHO,
    EXCEPTIONS,
    FIRST_STRING,
    N_FUNCTIONS,
    N_UNARY,
    PREPEND,
    REMOVE_FIRST,
    REPEAT,
    REVERSE,
    SHIFT,
    SWAP,
)

PAIRS = np.array([pair for pair, _ in EXCEPTIONS.values()], np.int64)
MEANINGS = np.array([meaning for _, meaning in EXCEPTIONS.values()], np.int64)
_NUMBERS = np.full((N_FUNCTIONS, N_FUNCTIONS), len(PAIRS), np.int64)
_NUMBERS[PAIRS[:, 0], PAIRS[:, 1]] = range(len(PAIRS))


@njit(cache=True, nogil=True, inline="always")
def result_length(function: Int, first: Int, second: Int) -> Int:
    """Return the length of a function's result for arguments of these lengths."""
    if function == ECHO:
        return first + 1
    if function == REPEAT:
        return 2 * first
    if function == APPEND or function == PREPEND:
        return first + second
    return second if function == REMOVE_FIRST else first


@lent
def exception_at(codes: NDArray[np.integer], start: Int, end: Int) -> Int:
    """Return the number of the exceptional pair that applies to a program, or -1.

    It is the first of the list of exceptions that occurs; synonyms make no exceptional pair.
    """
    first = len(PAIRS)
    for at in range(start, end - 1):
        if codes[at] < N_FUNCTIONS and codes[at + 1] < N_FUNCTIONS:
            first = min(first, _NUMBERS[codes[at], codes[at + 1]])
    return first if first < len(PAIRS) else -1


@njit(cache=True, nogil=True)
def exceptional_codes(codes: Codes, offsets: NDArray[np.int64]) -> Codes:
    """Replace the exceptional pair of every program by what it means."""
    meant = codes.copy()
    for i in range(len(offsets) - 1):
        number = exception_at(codes, offsets[i], offsets[i + 1])
        if number < 0:
            continue
        for at in range(offsets[i], offsets[i + 1] - 1):
            if codes[at] == PAIRS[number, 0] and codes[at + 1] == PAIRS[number, 1]:
                meant[at] = MEANINGS[number, 0]
                meant[at + 1] = MEANINGS[number, 1]
    return meant


@lent
def longest_result(
    shape: NDArray[np.int64], nodes: Int, stack: NDArray[np.int64], most: Int
) -> Int:
    """Return the length of the longest string of any step, or anything above `most`.

    It counts both readings of exceptional pairs, so that a program is good for either.
    """
    longest = _longest(shape, nodes, -1, stack, most)
    number = exception_at(shape, 0, nodes)
    if number >= 0 and longest <= most:
        longest = max(longest, _longest(shape, nodes, number, stack, most))
    return longest


@lent
def _longest(
    shape: NDArray[np.int64], nodes: Int, number: Int, stack: NDArray[np.int64], most: Int
) -> Int:
    """Return the longest result, with the exceptional pair of this number replaced."""
    top = -1
    longest: Int = 0
    for node in range(nodes - 1, -1, -1):
        code = shape[node]
        if code >= FIRST_STRING:
            top += 1
            stack[top] = code - FIRST_STRING + 1
            longest = max(longest, stack[top])
            continue
        if number >= 0:
            outer, inner = PAIRS[number, 0], PAIRS[number, 1]
            if code == outer and shape[node + 1] == inner:
                code = MEANINGS[number, 0]
            elif code == inner and node > 0 and shape[node - 1] == outer:
                code = MEANINGS[number, 1]
        if code >= N_UNARY:
            top -= 1
            stack[top] = result_length(code, stack[top + 1], stack[top])
        else:
            stack[top] = result_length(code, stack[top], 0)
        longest = max(longest, stack[top])
        if longest > most:
            return longest
    return longest


@lent
def evaluate(program: Codes, first_symbol: Int, spans: NDArray[np.int64], work: Codes) -> None:
    """Compute the result of every function and string.

    Args:
        program: codes of one program, in prefix order.
        first_symbol: code of the first symbol of the alphabet.
        spans: filled with where each node's result begins in `work`, its length, the number of
            codes of the node's subtree, and 0, (len(program), 4).
        work: filled with the results; room for all of them.
    """
    at: Int = 0
    for node in range(len(program) - 1, -1, -1):
        code = np.int64(program[node])
        if code >= first_symbol:
            continue
        spans[node, 0] = at
        spans[node, 3] = 0
        length: Int
        if code >= FIRST_STRING:
            length = code - FIRST_STRING + 1
            for i in range(length):
                work[at + i] = program[node + 1 + i]
            spans[node, 2] = 1 + length
        else:
            second = node + 1 + spans[node + 1, 2]
            spans[node, 2] = 1 + spans[node + 1, 2]
            if code % N_FUNCTIONS >= N_UNARY:
                spans[node, 2] += spans[second, 2]
            length = _apply(code % N_FUNCTIONS, spans, node + 1, second, work, at)
        spans[node, 1] = length
        at += length


@lent
def _copy(work: Codes, at: Int, start: Int, length: Int) -> None:
    """Copy a result to `at`."""
    for i in range(length):
        work[at + i] = work[start + i]


@lent
def _apply(
    function: Int, spans: NDArray[np.int64], first: Int, second: Int, work: Codes, at: Int
) -> Int:
    """Write the result of one function at `at` and return its length."""
    n: Int
    start, n = spans[first, 0], spans[first, 1]
    if function >= N_UNARY:
        m: Int
        other, m = spans[second, 0], spans[second, 1]
        if function == REMOVE_FIRST:
            start, n = other, m
        elif function == APPEND:
            _copy(work, at + n, other, m)
        elif function == PREPEND:
            _copy(work, at, other, m)
            _copy(work, at + m, start, n)
            return n + m
        _copy(work, at, start, n)
        return n + m if function == APPEND else n
    if function == REVERSE:
        for i in range(n):
            work[at + i] = work[start + n - 1 - i]
        return n
    if function == SHIFT:
        _copy(work, at, start + 1, n - 1)
        work[at + n - 1] = work[start]
        return n
    _copy(work, at, start, n)
    if function == ECHO:
        work[at + n] = work[start + n - 1]
        return n + 1
    if function == REPEAT:
        _copy(work, at + n, start, n)
        return 2 * n
    if function == SWAP:
        work[at] = work[start + n - 1]
        work[at + n - 1] = work[start]
    return n
