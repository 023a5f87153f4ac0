"""What A::B and insertion make of a string: each token or letter is looked at once."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._systems_fire import Span
from synthgen.verifiers._systems_read import RIGHT_A, Bytes, token_at

GROUP = 4
N_CIRCLE = 5
MOST_TOKENS = 1 << 13
"""Longer programs of A::B are refused: the time is quadratic."""
_A = ord("A")


@njit(cache=True, nogil=True)
def settle(text: Bytes, start: Int, end: Int, out: Bytes, span: Span) -> bool:
    """Write the tokens that a program of A::B leaves to the beginning of `out`, by number.

    Those that face right wait; one that faces left passes those of the other letter, until it meets
    one of its own and both are gone, or it has passed them all and is left. False for a program
    that is too long.
    """
    if (end - start + 1) // 3 > MOST_TOKENS:
        return False
    n_left, waiting = 0, np.empty((end - start + 1) // 3, np.int64)
    n_waiting = 0
    for at in range(start, end, 3):
        token = token_at(text, at, end)
        if token >= RIGHT_A:
            waiting[n_waiting] = token
            n_waiting += 1
            continue
        partner = n_waiting - 1
        while partner >= 0 and waiting[partner] != token + RIGHT_A:
            partner -= 1
        if partner < 0:
            out[n_left] = token
            n_left += 1
        else:
            for k in range(partner + 1, n_waiting):
                waiting[k - 1] = waiting[k]
            n_waiting -= 1
    for k in range(n_waiting):
        out[n_left + k] = waiting[k]
    span[0], span[1] = 0, n_left + n_waiting
    return True


@lent
def expand(text: Bytes, start: Int, end: Int, out: Bytes, span: Span) -> None:
    """Write a string with all insertions to the beginning of `out`.

    A run counts how many letters, each the next of the circle, stand side by side since the last
    insertion.
    """
    at, run = 0, 0
    before: Int = np.int64(-1)
    for place in range(start, end):
        letter = np.int64(text[place]) - _A
        if letter >= N_CIRCLE:
            run, before = 0, -1
        else:
            run = run + 1 if before >= 0 and letter == (before + 1) % N_CIRCLE else 1
            before = letter
        out[at] = text[place]
        at += 1
        if run == GROUP:
            out[at] = np.uint8(_A + (letter + N_CIRCLE - GROUP + 1) % N_CIRCLE)
            at += 1
            run, before = 0, -1
    span[0], span[1] = 0, at


@lent
def pair_step(tokens: Bytes, span: Span) -> Int:
    """Rewrite the first pair that meets; return 2 * letter of its left + letter of its right."""
    for k in range(span[0], span[1] - 1):
        left, right = np.int64(tokens[k]), np.int64(tokens[k + 1])
        if left < RIGHT_A or right >= RIGHT_A:
            continue
        if left - RIGHT_A == right:
            for behind in range(k + 2, span[1]):
                tokens[behind - 2] = tokens[behind]
            span[1] -= 2
        else:
            tokens[k], tokens[k + 1] = tokens[k + 1], tokens[k]
        return 2 * (left - RIGHT_A) + right
    return np.int64(-1)


@lent
def insertion_step(letters: Bytes, span: Span, done: NDArray[np.int64]) -> Int:
    """Insert behind the first group from done[0] on; return where the group begins, or -1."""
    for place in range(span[0] + done[0], span[1] - GROUP + 1):
        found = np.int64(letters[place]) - _A < N_CIRCLE
        for k in range(1, GROUP):
            expected = _A + (np.int64(letters[place]) - _A + k) % N_CIRCLE
            found = found and np.int64(letters[place + k]) == expected
        if not found:
            continue
        for k in range(span[1], place + GROUP, -1):
            letters[k] = letters[k - 1]
        letters[place + GROUP] = letters[place]
        span[1] += 1
        done[0] = place + GROUP + 1 - span[0]
        return place
    return np.int64(-1)
