"""Expressions as text and as codes of their canonical trees, by a kernel.

The parts of an expression are those of `_mixed_draw`; the text is that of `written`, the codes are
those of `expression_codes` without letters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.core.randomness import draw_below
from synthgen.generators.omega._draws import PER_DIGIT
from synthgen.generators.omega._kernel_family import put_integer
from synthgen.generators.omega._powers import draw_between
from synthgen.generators.omega.arithmetic._mixed_draw import (
    MINUS,
    MOST_PARTS,
    PLUS,
    TIMES,
    Parts,
    draw_value,
    grow_parts,
)

Bytes = NDArray[np.uint8]
Codes = NDArray[np.uint16]

LEAST_SIGNS = 3
_SIGNS = np.frombuffer(b" +-*/", np.uint8)
_SPACE, _OPEN, _CLOSE = (np.uint8(ord(char)) for char in " ()")
_OPENS, _CLOSES, _FIRST_SIGN = -1, -2, -2
"""What waits to be written besides nodes: parentheses, and sign k as _FIRST_SIGN - k."""
_PER_PART = MOST_DIGITS + 8
_PER_CODE = 9
_ROOM = 1 << 12


class Drawn(NamedTuple):
    """An expression as the kernel draws it; no parts if numbers may be too large."""

    draw: Int
    top: Int
    bottom: Int
    share: Int
    n_integers: Int
    largest: Int
    parts: Parts
    text: Bytes
    codes: Codes


@njit(cache=True, nogil=True)
def _is_less(text: Bytes, low: Int, end: Int, other: Int, stop: Int) -> bool:
    """Say whether text[low:end] sorts before text[other:stop]."""
    for place in range(min(end - low, stop - other)):
        if text[low + place] != text[other + place]:
            return bool(text[low + place] < text[other + place])
    return bool(end - low < stop - other)


@njit(cache=True, nogil=True)
def _canonical(parts: Parts, sizes: Parts, heads: NDArray[np.int64]) -> Codes:
    """Return the codes of the canonical tree, whose operands are sorted by their texts.

    The texts of all nodes stand one behind the other, those of the last ones first.
    """
    n = len(parts)
    text = np.empty(_ROOM, np.uint8)
    starts = np.zeros(n + 1, np.int64)  # node k is at starts[k] : starts[k] + lengths[k]
    lengths = np.zeros(n, np.int64)
    swapped = np.zeros(n, np.bool_)
    fill: Int = np.int64(0)
    for k in range(n - 1, -1, -1):
        starts[k] = fill
        sign = parts[k, 0]
        first = k + 1
        second = first + sizes[first] if sign else k
        more = 2 * MOST_DIGITS if sign == 0 else lengths[first] + lengths[second] + 3
        if fill + more > len(text):
            larger = np.empty(2 * (fill + more), np.uint8)
            larger[:fill] = text[:fill]
            text = larger
        if sign == 0:
            fill = write_integer(text, fill, parts[k, 1])
            lengths[k] = fill - starts[k]
            continue
        low, other = starts[first], starts[second]
        if sign in (PLUS, TIMES):
            end, stop = low + lengths[first], other + lengths[second]
            swapped[k] = _is_less(text, other, stop, low, end)
        if swapped[k]:
            first, second = second, first
        text[fill] = _OPEN
        text[fill + 1 : fill + 1 + lengths[first]] = text[
            starts[first] : starts[first] + lengths[first]
        ]
        fill += 1 + lengths[first]
        text[fill] = _SIGNS[sign]
        text[fill + 1 : fill + 1 + lengths[second]] = text[
            starts[second] : starts[second] + lengths[second]
        ]
        fill += 1 + lengths[second]
        text[fill] = _CLOSE
        fill += 1
        lengths[k] = fill - starts[k]
    codes = np.empty(n * _PER_CODE, np.uint16)
    at: Int = np.int64(0)
    waiting = np.zeros(n + 1, np.int64)
    left = 1
    while left:
        left -= 1
        k = waiting[left]
        if parts[k, 0] == 0:
            at = put_integer(codes, at, parts[k, 1])
            continue
        codes[at] = heads[parts[k, 0]]
        at += 1
        first, second = k + 1, k + 1 + sizes[k + 1]
        if swapped[k]:
            first, second = second, first
        waiting[left], waiting[left + 1] = second, first
        left += 2
    return codes[:at].copy()


@njit(cache=True, nogil=True)
def _written(parts: Parts, sizes: Parts) -> Bytes:
    """Write an expression with no more parentheses than it needs."""
    n = len(parts)
    minus = np.zeros(n, np.bool_)  # whether the text of a node begins with a minus sign
    for k in range(n - 1, -1, -1):
        sign = parts[k, 0]
        if sign == 0:
            minus[k] = parts[k, 1] < 0
        elif sign in (PLUS, MINUS) or parts[k + 1, 0] in (0, TIMES):
            minus[k] = minus[k + 1]
    text = np.empty(n * _PER_PART, np.uint8)
    waiting = np.zeros(4 * n + 8, np.int64)
    at: Int = np.int64(0)
    left = 1
    while left:
        left -= 1
        k = waiting[left]
        if k == _OPENS or k == _CLOSES:
            text[at] = _OPEN if k == _OPENS else _CLOSE
            at += 1
            continue
        if k < 0:
            sign = _FIRST_SIGN - k
            wide = sign in (PLUS, MINUS)
            if wide:
                text[at] = text[at + 2] = _SPACE
                at += 1
            text[at] = _SIGNS[sign]
            at += 2 if wide else 1
            continue
        sign = parts[k, 0]
        if sign == 0:
            at = write_integer(text, at, parts[k, 1])
            continue
        first, second = k + 1, k + 1 + sizes[k + 1]
        of_left, of_right = parts[first, 0], parts[second, 0]
        if sign in (PLUS, MINUS):
            before, behind = False, minus[second] or of_right in (PLUS, MINUS)
        else:
            before, behind = of_left not in (0, TIMES), minus[second] or of_right != 0
        if behind:
            waiting[left] = _CLOSES
            left += 1
        waiting[left] = second
        left += 1
        if behind:
            waiting[left] = _OPENS
            left += 1
        waiting[left] = _FIRST_SIGN - sign
        left += 1
        if before:
            waiting[left] = _CLOSES
            left += 1
        waiting[left] = first
        left += 1
        if before:
            waiting[left] = _OPENS
            left += 1
    return text[:at].copy()


@njit(cache=True, nogil=True)
def draw_expression(
    key: np.uint64,
    low: Int,
    high: Int,
    heads: NDArray[np.int64],
    tells: bool,  # noqa: FBT001
) -> Drawn:
    """Draw a value and an expression that has it.

    Args:
        key: of the row.
        low: least entropy, in sixteenths.
        high: most of it.
        heads: codes of the signs, from place 1 on.
        tells: whether text and codes are wanted, too.
    """
    parts = np.empty((MOST_PARTS, 2), np.int64)
    no_text, no_codes = np.empty(0, np.uint8), np.empty(0, np.uint16)
    entropy = draw_between(key, np.int64(0), low, high)
    of_value = max(np.int64(PER_DIGIT), entropy // 4)
    top, bottom, draw = draw_value(key, np.int64(1), of_value)
    n_signs = LEAST_SIGNS + draw_below(key, draw, entropy // (2 * PER_DIGIT) + 1)
    share = max(np.int64(PER_DIGIT), (entropy - of_value) // n_signs)
    count, draw = grow_parts(key, draw + 1, (top, bottom), n_signs, share, parts)
    parts = parts[:count].copy()
    n_integers, largest = np.int64(0), np.int64(0)
    sizes = np.ones(count, np.int64)
    for k in range(count - 1, -1, -1):
        if parts[k, 0]:
            sizes[k] = 1 + sizes[k + 1] + sizes[k + 1 + sizes[k + 1]]
        else:
            n_integers += 1
            largest = max(largest, abs(parts[k, 1]))
    if not tells or count == 0:
        return Drawn(draw, top, bottom, share, n_integers, largest, parts, no_text, no_codes)
    text, codes = _written(parts, sizes), _canonical(parts, sizes, heads)
    return Drawn(draw, top, bottom, share, n_integers, largest, parts, text, codes)
