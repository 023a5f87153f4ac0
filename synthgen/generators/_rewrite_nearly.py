"""What is nearly an occurrence: a letter changed, a long proper prefix, or the reverse."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below
from synthgen.generators._rewrite_strings import Letters

NOOP_KINDS = ("none", "random", "changed", "prefix", "reversed")
"""Of a row that changes something, of an input without anything like the left side, and of others.
An input is of the first kind from `changed` on that occurs in it; prefixes of at least half of the
left side count."""
NONE, RANDOM, CHANGED, PREFIX, REVERSED = range(5)
_KIND_DRAW, _CHANGE_DRAW, _LETTER_DRAW, _CUT_DRAW, _PLACE_DRAW = range(1 << 17, (1 << 17) + 5)


@lent
def plant_nearly(
    text: Letters,
    length: Int,
    lhs: Letters,
    key: np.uint64,
    n_letters: Int,
    kinds: NDArray[np.int64],
) -> tuple[Int, Int]:
    """Plant something like `lhs` and return from where to where it goes; without kinds nothing.

    Where the kind drawn is `lhs` itself or nothing, one letter is changed.
    """
    if len(kinds) == 0:
        return np.int64(0), np.int64(0)
    size = len(lhs)
    kind = kinds[draw_below(key, _KIND_DRAW, len(kinds))]
    if kind == REVERSED and _is_palindrome(lhs):
        kind = CHANGED
    if kind == PREFIX and size < 2:
        kind = CHANGED
    end: Int = size
    if kind == PREFIX:
        least = (size + 1) // 2
        end = least + draw_below(key, _CUT_DRAW, size - least)
    start = draw_below(key, _PLACE_DRAW, length - end + 1)
    for place in range(end):
        text[start + place] = lhs[size - 1 - place] if kind == REVERSED else lhs[place]
    if kind == CHANGED:
        changed = draw_below(key, _CHANGE_DRAW, size)
        other = draw_below(key, _LETTER_DRAW, n_letters - 1)
        text[start + changed] = other + 1 if other >= lhs[changed] else other
    return start, start + end


@lent
def _is_palindrome(text: Letters) -> bool:
    for place in range(len(text) // 2):
        if text[place] != text[len(text) - 1 - place]:
            return False
    return True


@lent
def nearest_kind(text: Letters, length: Int, lhs: Letters) -> Int:
    """Return the kind of an input without occurrences of `lhs`."""
    size = len(lhs)
    prefix = max(1, (size + 1) // 2)
    kind: Int = RANDOM
    for start in range(length):
        same, wrong = 0, 0
        room = min(size, length - start)
        while same < room and wrong < 2:
            if text[start + same] != lhs[same]:
                wrong += 1
                if wrong == 1 and same >= prefix:
                    kind = PREFIX
            same += 1
        if wrong == 1 and room == size and same == size:
            return CHANGED
        if wrong == 0 and room >= prefix:
            kind = PREFIX
    return REVERSED if kind == RANDOM and _has_reverse(text, length, lhs) else kind


@lent
def _has_reverse(text: Letters, length: Int, lhs: Letters) -> bool:
    size = len(lhs)
    for start in range(length - size + 1):
        same = 0
        while same < size and text[start + same] == lhs[size - 1 - same]:
            same += 1
        if same == size:
            return True
    return False
