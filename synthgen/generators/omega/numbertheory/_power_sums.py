"""How many tuples of bounded integers make a sum of powers vanish modulo a power of the base."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@lru_cache(maxsize=1 << 12)
def spread_of(coefficient: int, exponent: int, bound: int, modulus: int, scale: int = 1) -> Counts:
    """Count x from 1 to `bound` by the residue of coefficient * (scale * x)^exponent."""
    residues = [coefficient * pow(scale * x, exponent, modulus) for x in range(1, bound + 1)]
    counts = np.bincount(np.array(residues, np.int64) % modulus, minlength=modulus)
    return counts.astype(np.int64)


@lru_cache(maxsize=1 << 14)
def joint_spread(
    coefficients: tuple[int, ...], exponent: int, bound: int, modulus: int, scale: int = 1
) -> Counts:
    """Count tuples by the residue of their sum, (modulus,): cyclic convolutions of each term's."""
    last = spread_of(coefficients[-1], exponent, bound, modulus, scale)
    if len(coefficients) == 1:
        return last
    first = joint_spread(coefficients[:-1], exponent, bound, modulus, scale)
    shifts = (np.arange(modulus)[:, None] - np.arange(modulus)) % modulus
    counts: Counts = first[shifts] @ last
    return counts


def vanishing(
    coefficients: tuple[int, ...], exponent: int, bound: int, modulus: int, scale: int = 1
) -> int:
    """Count the tuples with entries from 1 to `bound`, times `scale`, whose sum vanishes."""
    if len(coefficients) == 1:
        return int(spread_of(coefficients[0], exponent, bound, modulus, scale)[0])
    middle = (len(coefficients) + 1) // 2
    halves = coefficients[:middle], coefficients[middle:]
    first, second = (joint_spread(half, exponent, bound, modulus, scale) for half in halves)
    return int(first[0] * second[0] + first[1:] @ second[:0:-1])


def coprime_vanishing(
    coefficients: tuple[int, ...], exponent: int, bound: int, modulus: int
) -> list[tuple[int, int]]:
    """Count the tuples whose greatest common divisor is a multiple of d, with Moebius's sign.

    Returns:
        Squarefree d and its signed number of tuples, for each d with any; the sum counts the tuples
        with greatest common divisor one.
    """
    signed = []
    for divisor in range(1, bound + 1):
        sign = _moebius(divisor)
        if sign:
            scale = divisor % modulus
            many = vanishing(coefficients, exponent, bound // divisor, modulus, scale)
            if many:
                signed.append((divisor, sign * many))
    return signed


@lru_cache(maxsize=1 << 10)
def _moebius(n: int) -> int:
    sign, factor = 1, 2
    while n > 1:
        if n % factor == 0:
            n //= factor
            sign = -sign
            if n % factor == 0:
                return 0
        factor += 1
    return sign


def spread_text(counts: Sequence[int] | Counts) -> str:
    """List the residues that occur, each with how often it does."""
    return ", ".join(f"{residue} ({many})" for residue, many in enumerate(counts) if many)
