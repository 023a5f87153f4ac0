"""Compiled checker of totals: whether a list of numbers adds up; see `_check_world_number`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_number_read import (
    ALL,
    ALTOGETHER,
    IN,
    IS,
    MAKES,
    NUMBER_START,
    NUMBER_STOP,
    OF,
    STOP_WORD,
    SUM,
    THAN,
    TOLD,
    TOTAL,
    VALUE,
    Numbers,
    read_numbers,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import Cuts
from synthgen.verifiers.skillmix._text_table import Ints

FIRST_NUMBER, LAST_NUMBER, ITEMS, ITEM_SUM = range(4)
"""Columns of clauses: where their numbers begin and end, how many have a noun, and their sum."""
_TOO_MUCH = 2 * 10**18
"""More than any number that is read; sums are not taken further."""
_COMMA = ord(",")


@njit(cache=True, nogil=True)
def counting(cuts: Cuts, first: int, last: int, known: Numbers) -> bool:
    """Whether two or more numbers of things are listed, and their total is stated and right.

    Args:
        cuts: all texts.
        first: where the clauses of the text begin.
        last: where they end.
        known: of words.
    """
    start = cuts.clause_ends[first - 1] if first else 0
    numbers = np.empty((cuts.clause_ends[last - 1] - start, 3), np.int64)
    clauses = np.empty((last - first, 4), np.int64)
    size = int(np.int64(0))
    begin = start
    for at in range(len(clauses)):
        end = cuts.clause_ends[first + at]
        clauses[at, FIRST_NUMBER] = size
        size = read_numbers(cuts.words, begin, end, known, numbers, size)
        clauses[at, LAST_NUMBER] = size
        kinds, items, reached = 0, 0, 0
        for word in range(begin, end):
            kinds |= known.kinds[cuts.words[word]]
        for number in range(clauses[at, FIRST_NUMBER], size if not kinds & THAN else 0):
            behind = numbers[number, NUMBER_STOP]
            if behind < end and not known.kinds[cuts.words[behind]] & STOP_WORD:
                items += 1
                if reached < _TOO_MUCH:
                    reached += numbers[number, VALUE]
        clauses[at, ITEMS], clauses[at, ITEM_SUM] = items, reached
        begin = end
    begin = start
    for at in range(len(clauses)):
        end = cuts.clause_ends[first + at]
        total = _total(cuts.words, begin, end, clauses, at, numbers, known.kinds)
        if total >= 0:
            for step in (-1, 1):
                if _adds_up(cuts.marks, first, clauses, at, numbers, total, step):
                    return True
        begin = end
    return False


@lent
def _total(
    words: Ints, start: int, stop: int, clauses: Ints, clause: int, numbers: Ints, kinds: Ints
) -> int:
    """Return which number of a clause is put as a total, -1 for none."""
    makes, adds, cue, before = False, False, -1, 0
    first, last = clauses[clause, FIRST_NUMBER], clauses[clause, LAST_NUMBER]
    for at in range(start, stop if first < last else start):
        kind = kinds[words[at]]
        if kind & THAN:
            return -1
        if kind & (TOTAL | SUM | MAKES):
            cue = at
        makes |= kind & MAKES > 0 or (kind & OF and before & (TOTAL | SUM)) > 0
        adds |= (
            kind & (ALTOGETHER | SUM)
            or (kind & (ALL | TOTAL) and before & IN)
            or (kind & TOLD and before & ALL)
            or (kind & IS and before & TOTAL)
        ) > 0
        before = kind
    if makes:
        for number in range(first, last):
            if numbers[number, NUMBER_START] > cue:
                return number
        return -1
    return last - 1 if adds else -1


@lent
def _adds_up(
    marks: Ints, first: int, clauses: Ints, at: int, numbers: Ints, total: int, step: int
) -> bool:
    """Say whether a list next to a total adds up to it; commas alone hold a list together."""
    value, size, reached = numbers[total, VALUE], 0, 0
    number = total + step
    while clauses[at, FIRST_NUMBER] <= number < clauses[at, LAST_NUMBER] and reached <= value:
        size, reached, number = size + 1, reached + numbers[number, VALUE], number + step
    here = at + step
    while 0 <= here < len(clauses) and reached <= value:
        mark = marks[first + (here if step < 0 else here - 1)]
        if not clauses[here, ITEMS] or (size and mark != _COMMA):
            break
        size, reached = size + clauses[here, ITEMS], reached + clauses[here, ITEM_SUM]
        here += step
    return bool(size > 1 and reached == value)
