"""Linear systems drawn by a kernel, where their numbers fit into words.

The draws are those of `_system_by_draws` of the family, and the canonical form is that of
`canonical_system`.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below, draw_bits, scale_below
from synthgen.generators.omega._draws import PER_DIGIT, power_of_ten
from synthgen.generators.omega._kernel_family import put_integer

Numbers = NDArray[np.int64]
Codes = NDArray[np.uint16]

DRAWN, UNORDERED, TOO_LARGE, FAILED = range(4)
"""What the kernel comes back with: all; all but codes; nothing, as numbers may be too large; or
nothing, as no matrix was found."""
MOST_ENTROPY = 16 * (PER_DIGIT + 2)
_BOUNDS = np.array([-(-power_of_ten(size) // 2) for size in range(MOST_ENTROPY + 1)], np.int64)
"""How large an integer of an entropy is at most."""
_SMALL = 4 * PER_DIGIT
"""Integers up to this entropy are drawn three by one word."""
_PART = np.uint64((1 << 21) - 1)
_PART_BITS = 21
_TRIES = 64
_PRIME = 2**31 - 1
_LARGEST = 4.0e18
_PER_NUMBER = 9


@njit(cache=True, nogil=True)
def _several_below(key: np.uint64, draw: Int, end: Int, values: Numbers) -> Int:
    """Draw integers from 0 to end - 1, three by one word; return the number of the next draw."""
    for start in range(0, len(values), 3):
        bits = draw_bits(key, draw)
        draw += 1
        for place in range(start, min(start + 3, len(values))):
            values[place] = np.int64(bits & _PART) * end >> _PART_BITS
            bits >>= np.uint64(_PART_BITS)
    return draw


@njit(cache=True, nogil=True)
def _shares(key: np.uint64, draw: Int, total: Int, values: Numbers) -> Int:
    """Split an entropy into shares as `shares` does; return the number of the next draw."""
    last = len(values) - 1
    draw = _several_below(key, draw, total + 1, values[:last])
    values[:last].sort()
    values[last] = total
    for place in range(last, 0, -1):
        values[place] -= values[place - 1]
    return draw


@njit(cache=True, nogil=True)
def _signed(key: np.uint64, draw: Int, shares: Numbers, values: Numbers) -> Int:
    """Draw an integer for each share as `several_signed` does; return the next draw's number."""
    draw = _several_below(key, draw, np.int64(1 << _PART_BITS), values)
    for place in range(len(values)):
        size = max(shares[place], PER_DIGIT)
        bound = _BOUNDS[size]
        if size <= _SMALL:
            values[place] = (values[place] * (2 * bound + 1) >> _PART_BITS) - bound
        else:
            span = np.uint64(2) * np.uint64(bound) + np.uint64(1)
            values[place] = np.int64(scale_below(draw_bits(key, draw), span)) - bound
            draw += 1
    return draw


@njit(cache=True, nogil=True)
def _is_regular(matrix: Numbers, work: Numbers) -> bool:
    """Say whether the determinant is no multiple of the prime."""
    n = len(matrix)
    for i in range(n):
        for j in range(n):
            work[i, j] = matrix[i, j] % _PRIME
    for column in range(n):
        pivot = column
        while pivot < n and work[pivot, column] == 0:
            pivot += 1
        if pivot == n:
            return False
        for j in range(column, n):
            work[pivot, j], work[column, j] = work[column, j], work[pivot, j]
        lead = work[column, column]
        for i in range(column + 1, n):  # rows may be multiplied by what is not zero
            by = _PRIME - work[i, column]
            for j in range(column + 1, n):
                work[i, j] = (work[i, j] * lead % _PRIME + by * work[column, j]) % _PRIME
    return True


@njit(cache=True, nogil=True)
def _is_less(first: Numbers, second: Numbers) -> bool:
    for place in range(len(first)):
        if first[place] != second[place]:
            return bool(first[place] < second[place])
    return False


@njit(cache=True, nogil=True)
def _order(keys: Numbers) -> Numbers:
    """Return the order in which rows of numbers rise."""
    order = np.arange(len(keys))
    for last in range(1, len(order)):
        place = last
        while place and _is_less(keys[order[place]], keys[order[place - 1]]):
            order[place], order[place - 1] = order[place - 1], order[place]
            place -= 1
    return order


@njit(cache=True, nogil=True)
def _canonical(rows: Numbers, out: Numbers) -> bool:
    """Write the canonical numbers; false where that takes more than signs and sorting."""
    n = len(rows)
    signed = np.empty((n, n + 1), np.int64)
    for i in range(n):
        sign = rows[i, n] if rows[i, n] else rows[i, 0]
        if sign == 0:
            return False
        for j in range(n + 1):
            value = rows[i, j - 1] if j else rows[i, n]
            signed[i, j] = value if sign > 0 else -value
    columns = np.empty((n - 1, n), np.int64)
    for j in range(n - 1):
        columns[j] = signed[:, j + 2]
        columns[j].sort()
    order = _order(columns)
    for place in range(1, n - 1):
        if not _is_less(columns[order[place - 1]], columns[order[place]]):
            return False
    out[:, :2] = signed[:, :2]
    for place in range(n - 1):
        out[:, place + 2] = signed[:, order[place] + 2]
    signed[:] = out
    for place, i in enumerate(_order(signed)):
        out[place] = signed[i]
    return True


@njit(cache=True, nogil=True)
def _put_codes(numbers: Numbers, codes: Codes) -> Int:
    """Write the codes of integers one after another, and return how many there are."""
    at: Int = np.int64(0)
    for value in numbers.flat:
        at = put_integer(codes, at, value)
    return at


@njit(cache=True, nogil=True)
def draw_system(
    key: np.uint64, draw: Int, n: Int, entropy: Int
) -> tuple[Int, Int, Int, Int, Numbers, Codes]:
    """Draw a solution with a quarter of the entropy, and a regular matrix.

    Returns:
        What came out, the number of the next draw, the matrix' entropy, the largest canonical
        number, the rows below the solution, each with its constant, and the canonical codes.
    """
    rows = np.zeros((n + 1, n + 1), np.int64)
    canonical = np.zeros((n, n + 1), np.int64)
    codes = np.empty(n * (n + 1) * _PER_NUMBER, np.uint16)
    solution, matrix = rows[0, :n], rows[1:, :n]
    sizes = np.empty(n * n, np.int64)
    values = np.empty(n * n, np.int64)
    draw = _shares(key, draw, entropy // 4, sizes[:n])
    draw = _signed(key, draw, sizes[:n], solution)
    rest = entropy - entropy // 4
    least = rest // 3
    share: Int = least + draw_below(key, draw, 2 * rest // 3 + 1 - least)
    draw = _shares(key, draw + 1, share, sizes)
    found = False
    for _ in range(_TRIES):
        draw = _signed(key, draw, sizes, values)
        matrix[:] = values.reshape((n, n))
        found = True
        for row in matrix:
            found = found and bool(np.any(row[1:]))
        found = found and _is_regular(matrix, canonical)
        if found:
            break
    if not found:
        return FAILED, draw, share, np.int64(0), rows, codes[:0]
    for row in rows[1:]:
        for j in range(n):
            part = np.float64(row[j]) * np.float64(solution[j])
            if abs(part) >= _LARGEST or abs(np.float64(row[n]) + part) >= _LARGEST:
                return TOO_LARGE, draw, share, np.int64(0), rows, codes[:0]
            row[n] += row[j] * solution[j]
    if not _canonical(rows[1:], canonical):
        return UNORDERED, draw, share, np.int64(0), rows, codes[:0]
    largest = np.max(np.abs(canonical))
    return DRAWN, draw, share, largest, rows, codes[: _put_codes(canonical, codes)]
