"""Compiled checker of conversions: an amount in two units; see `_check_world_units`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_number_read import (
    AND,
    EQUAL,
    NUMBER_START,
    NUMBER_STOP,
    UNEQUAL,
    VALUE,
    Numbers,
    read_numbers,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import Cuts
from synthgen.verifiers.skillmix._text_table import Ints

LARGEST_UNIT = 10**9
"""Sizes of amounts are exact up to this unit."""
_START, _STOP, _CLAUSE, _MEASURE, _UNIT, _HIGH, _LOW = range(7)
"""Columns of amounts: where their words begin and end in all words, their clause, what they
measure, the size of their unit, and how much they are, as two digits."""
_BASE, _ROOT, _REST = 10**12, 10**9, 10**3
"""Of the two digits; a part of the base, and the rest of it."""
_FARTHEST = 2
"""Clauses from one amount to another that it is stated to be."""


@njit(cache=True, nogil=True)
def unit_conversion(cuts: Cuts, first: int, last: int, known: Numbers) -> bool:
    """Whether an amount is stated to be one in another unit, and the two are equal.

    Args:
        cuts: all texts.
        first: the first sentence.
        last: the sentence behind the last one.
        known: of words.
    """
    clause = cuts.sentence_ends[first - 1] if first else 0
    begin = cuts.clause_ends[clause - 1] if clause else 0
    n_words = cuts.clause_ends[cuts.sentence_ends[last - 1] - 1] - begin
    numbers, amounts = np.empty((n_words, 3), np.int64), np.empty((n_words, 7), np.int64)
    for sentence in range(first, last):
        size = int(np.int64(0))
        while clause < cuts.sentence_ends[sentence]:
            end = cuts.clause_ends[clause]
            size = _read(cuts.words, begin, end, clause, known, numbers, amounts, size)
            begin = end
            clause += 1
        for at in range(1, size):
            one, other = amounts[at - 1], amounts[at]
            if (
                one[_MEASURE] == other[_MEASURE]
                and one[_UNIT] != other[_UNIT]
                and one[_HIGH] == other[_HIGH]
                and one[_LOW] == other[_LOW]
                and other[_CLAUSE] - one[_CLAUSE] <= _FARTHEST
            ):
                between = 0
                for word in range(one[_STOP], other[_START]):
                    between |= known.kinds[cuts.words[word]]
                if between & EQUAL and not between & UNEQUAL:
                    return True
    return False


@lent
def _read(
    words: Ints,
    start: int,
    stop: int,
    clause: int,
    known: Numbers,
    numbers: Ints,
    amounts: Ints,
    size: int,
) -> int:
    """Put the amounts of a clause behind so many others; "2 feet and 3 inches" is one."""
    for at in range(read_numbers(words, start, stop, known, numbers, int(np.int64(0)))):
        begin, end, value = numbers[at, NUMBER_START], numbers[at, NUMBER_STOP], numbers[at, VALUE]
        measure = known.measures[words[end]] if end < stop else 0
        if not measure:
            continue
        unit = known.sizes[words[end]]
        upper = unit * (value // _ROOT)
        low = unit * (value % _ROOT) + upper % _REST * _ROOT
        high = upper // _REST
        if size:
            last = amounts[size - 1]
            joins = last[_CLAUSE] == clause and last[_MEASURE] == measure and unit < last[_UNIT]
            gap = begin - last[_STOP]
            if joins and (gap <= 0 or (gap == 1 and known.kinds[words[begin - 1]] & AND)):
                size -= 1
                begin, unit = last[_START], last[_UNIT]
                low, high = low + last[_LOW], high + last[_HIGH]
        row = amounts[size]
        row[_START], row[_STOP], row[_CLAUSE] = begin, end + 1, clause
        row[_MEASURE], row[_UNIT] = measure, unit
        row[_HIGH], row[_LOW] = high + low // _BASE, low % _BASE
        size += 1
    return size
