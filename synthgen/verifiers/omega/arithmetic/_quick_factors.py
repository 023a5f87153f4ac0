"""Second-largest prime factors in a kernel: whether a number claimed is the one."""

from __future__ import annotations

from math import isqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega._quick_text import (
    GAVE_UP,
    Bytes,
    Marks,
    first_part,
    integer_at,
    part_end,
    statement_end,
)
from synthgen.verifiers.omega.arithmetic._factors import PROVEN, passes_word

_MOST_PARTS = 6
_PART_DIGITS = 9
_PART = 10**_PART_DIGITS
_ALL_TRIED = 1_000
_MOST_CLAIMED = 100_003
"""Larger numbers are left to the plain way, which knows at most one larger prime factor."""
_PRIMES = np.array(
    [n for n in range(2, _ALL_TRIED) if all(n % d for d in range(2, isqrt(n) + 1))], np.int64
)
_BOUNDS = np.array(PROVEN[:10], np.uint64)
"""As many of these as are at most a number below 10^18, so many bases decide about it."""
_BASES = _PRIMES[: len(_BOUNDS)].astype(np.uint64)
_ZERO, _NINE = np.uint8(ord("0")), np.uint8(ord("9"))


@njit(cache=True, nogil=True)
def second_primes(
    parts: Bytes,
    marks: Marks,
    prompts: Bytes,
    prompt_ends: Marks,
    answers: Bytes,
    answer_ends: Marks,
) -> NDArray[np.bool_]:
    """Say which rows are right for sure; parts are those before and behind each integer."""
    n = len(prompt_ends) - 1
    right = np.zeros(n, np.bool_)
    number = np.zeros(_MOST_PARTS, np.int64)
    for i in range(n):
        low = prompt_ends[i]
        end = statement_end(prompts, low, prompt_ends[i + 1])
        place, at = first_part(prompts, low, end, parts, marks, 2)
        if at < 0:
            continue
        at = _number_at(prompts, at, end, number)
        if part_end(prompts, at, end, parts, marks, place + 1) == end:
            claimed, stop = integer_at(answers, answer_ends[i], answer_ends[i + 1])
            right[i] = stop == answer_ends[i + 1] and _is_second(number, claimed)
    return right


@njit(cache=True, nogil=True)
def _number_at(text: Bytes, at: Int, end: Int, number: Marks) -> Int:
    """Read a positive integer into parts of nine digits, the lowest first."""
    begin = at
    while at < end and _ZERO <= text[at] <= _NINE:
        at += 1
    size = at - begin
    if size == 0 or size > _MOST_PARTS * _PART_DIGITS or text[begin] == _ZERO:
        return GAVE_UP
    number[:] = 0
    for place in range(_MOST_PARTS):
        stop = at - place * _PART_DIGITS
        for k in range(max(begin, stop - _PART_DIGITS), stop):
            number[place] = 10 * number[place] + np.int64(text[k]) - 48
    return at


@njit(cache=True, nogil=True)
def _divided(number: Marks, size: Int, prime: Int) -> Int:
    """Divide a number of so many parts by all powers of a prime; return how often that went."""
    times = 0
    while True:
        rest: Int = np.int64(0)
        for place in range(size - 1, -1, -1):
            rest = (rest * _PART + number[place]) % prime
        if rest:
            return np.int64(times)
        for place in range(size - 1, -1, -1):
            rest = rest * _PART + number[place]
            number[place] = rest // prime
            rest %= prime
        times += 1


@njit(cache=True, nogil=True)
def _is_second(number: Marks, claimed: Int) -> bool:
    """Say whether a number's prime factors are all found, and the second-largest is this one."""
    if not 2 <= claimed <= _MOST_CLAIMED:
        return False
    size: Int = np.int64(_MOST_PARTS)
    while size > 1 and number[size - 1] == 0:
        size -= 1
    claimed_divides = False
    larger = 0
    for prime in _PRIMES:
        if _divided(number, size, prime):
            if prime == claimed:
                claimed_divides = True
            larger += prime > claimed
    if claimed > _ALL_TRIED:
        for prime in _PRIMES:
            if claimed % prime == 0:
                return False
        claimed_divides = bool(_divided(number, size, claimed) > 0)
    if not claimed_divides or np.any(number[2:]):
        return False
    rest = number[1] * _PART + number[0]
    if rest > 1:
        if rest >= _ALL_TRIED * _ALL_TRIED:
            needed = np.int64(np.sum(np.uint64(rest) >= _BOUNDS))
            if not passes_word(np.uint64(rest), _BASES[:needed]):
                return False
        larger += rest > claimed
    return larger == 1
