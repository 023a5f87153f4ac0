"""What is asked of an inverse matrix, exactly: residues of the adjugate and of the determinant."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.arithmetic._matrix_residues import (
    BITS_OF_A_PRIME,
    adjugate_mod,
    inverse_table,
    primes_below,
    residues_of,
    signed_value,
)
from synthgen.verifiers.omega.arithmetic._matrix_text import Question
from synthgen.verifiers.omega.arithmetic._matrix_verifier import flat_squares

Integers = NDArray[np.int64]

KINDS = ("sum", "absolute sum", "trace", "largest entry", "entry")
_SUM, _ABS_SUM, _TRACE, _LARGEST, _ENTRY = range(len(KINDS))
_SPARE_BITS = 6.0
_TIED = 1


def rounded_inverses(questions: Sequence[Question]) -> list[str | None]:
    """Round what is asked of scale times the inverse; None for ties and singular matrices.

    The numbers of a question are (column, row, scale) for an entry, and (scale,) otherwise.
    """
    if not questions:
        return []
    asked = np.array([KINDS.index(question.kind) for question in questions], np.int64)
    places = np.array([(*question.numbers, 1)[:2] for question in questions], np.int64)
    tables = primes_below(), inverse_table()
    found = _work_out(*flat_squares(questions), asked, places, *tables)
    residues, chosen, counts, ties = (column.tolist() for column in found)
    results: list[str | None] = []
    for i, question in enumerate(questions):
        count = counts[i]
        if count == 0:
            results.append(None)
            continue
        primes = tuple(chosen[i][:count])
        value = signed_value(residues[i][0][:count], primes)
        determinant = signed_value(residues[i][1][:count], primes)
        if question.kind == KINDS[_ABS_SUM]:
            determinant = abs(determinant)
        results.append(nearest(question.numbers[-1] * value, determinant, tied=bool(ties[i])))
    return results


def nearest(numerator: int, denominator: int, *, tied: bool = False) -> str | None:
    """Round a fraction to the nearest integer; None if it is half-way.

    Args:
        numerator: any integer.
        denominator: not zero.
        tied: whether the fraction's opposite would do as well; it must then round alike.
    """
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    whole, rest = divmod(2 * numerator + denominator, 2 * denominator)
    if rest == 0 or (tied and whole != 0):
        return None
    return str(whole)


@njit(cache=True, nogil=True)
def _bits(entries: Integers, start: Int, n: Int) -> float:
    """Bound the binary logarithm of a sum of all minors of n - 1 rows, and of the determinant."""
    bits = 2.0 * log2(float(n))
    for r in range(n):
        square = 1.0
        for c in range(n):
            value = float(entries[start + r * n + c])
            square += value * value
        bits += 0.5 * log2(square)
    return bits


@njit(cache=True, nogil=True)
def _work_out(
    entries: Integers,
    offsets: Integers,
    sizes: Integers,
    asked: Integers,
    places: Integers,
    primes: Integers,
    inverses: Integers,
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return residues of what is asked of the adjugate and of the determinant, (n, 2, k).

    And the primes, (n, k), how many they are, 0 for a singular matrix, and whether the largest
    entry is tied with one of the other sign.
    """
    most = len(primes)
    residues = np.zeros((len(sizes), 2, most), np.int64)
    chosen = np.zeros((len(sizes), most), np.int64)
    counts, ties = np.zeros(len(sizes), np.int64), np.zeros(len(sizes), np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        needed = int((_bits(entries, offsets[i], n) + _SPARE_BITS) / BITS_OF_A_PRIME) + 1
        table, used = np.empty((needed, n, n), np.int64), np.empty(needed, np.int64)
        count: Int = np.int64(0)
        for j in range(most):
            if count == needed or (count == 0 and j == needed):
                break
            p = primes[j]
            adjugate, determinant = adjugate_mod(residues_of(entries, offsets[i], n, n, p), p)
            if determinant != 0:
                table[count] = adjugate
                used[count] = j
                residues[i, 1, count] = determinant
                chosen[i, count] = p
                count += 1
        if count < needed:
            continue
        counts[i] = count
        ties[i] = _ask(table, used, asked[i], places[i], residues[i, 0], (primes, inverses))
    return residues, chosen, counts, ties


@njit(cache=True, nogil=True)
def _ask(
    table: Integers,
    used: Integers,
    asked: Int,
    place: Integers,
    out: Integers,
    tables: tuple[Integers, Integers],
) -> Int:
    """Fill in the residues of what is asked; say whether the largest entry is tied."""
    primes, inverses = tables
    n = table.shape[1]
    digits, best = np.empty(len(used), np.int64), np.zeros(len(used), np.int64)
    tied: Int = np.int64(0)
    best_sign: Int = np.int64(0)
    for r in range(n):
        for c in range(n):
            sign: Int = np.int64(1)
            if asked in (_ABS_SUM, _LARGEST):
                sign = _magnitude(table[:, r, c], used, digits, primes, inverses)
            if asked == _LARGEST:
                order = _compare(digits, best)
                if order == 0 and sign != best_sign:
                    tied = np.int64(_TIED)
                if order <= 0:
                    continue
                best[:] = digits
                best_sign, tied = sign, np.int64(0)
                out[:] = 0
            wanted = asked in (_SUM, _ABS_SUM, _LARGEST) or (asked == _TRACE and r == c)
            if wanted or (asked == _ENTRY and c == place[0] - 1 and r == place[1] - 1):
                taken = np.int64(1) if asked == _LARGEST else sign
                for k in range(len(used)):
                    out[k] = (out[k] + taken * table[k, r, c]) % primes[used[k]]
    return tied


@njit(cache=True, nogil=True)
def _magnitude(
    residues: Integers, used: Integers, digits: Integers, primes: Integers, inverses: Integers
) -> Int:
    """Write the mixed-radix digits of the absolute value, lowest first; return the sign."""
    last = len(used) - 1
    sign: Int = np.int64(1)
    for _ in range(2):
        for k in range(len(used)):
            p = primes[used[k]]
            digit = residues[k] if sign > 0 else (p - residues[k]) % p
            for j in range(k):
                digit = (digit - digits[j]) % p * inverses[used[j], used[k]] % p
            digits[k] = digit
        if 2 * digits[last] <= primes[used[last]]:
            break
        sign = np.int64(-1)
    return sign


@njit(cache=True, nogil=True)
def _compare(left: Integers, right: Integers) -> Int:
    """Return 1, 0 or -1 as left is above, equal to or below right, highest digit last."""
    for k in range(len(left) - 1, -1, -1):
        if left[k] != right[k]:
            return np.int64(1) if left[k] > right[k] else np.int64(-1)
    return np.int64(0)
