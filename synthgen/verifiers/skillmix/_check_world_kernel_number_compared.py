"""Compiled checker of differences: whether a stated one is right; see `_check_world_number`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_number_read import (
    BY,
    COMPARES,
    DETERMINER,
    MORE,
    NUMBER_START,
    NUMBER_STOP,
    OUTDOES,
    STOP_WORD,
    THAN,
    VALUE,
    Numbers,
    noun_stop,
    read_numbers,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    START,
    STOP,
    is_among,
)
from synthgen.verifiers.skillmix._text_table import Ints

(
    DIFFERENCE,
    NOUN,
    NOUN_END,
    FIRST,
    FIRST_END,
    MORE_FIRST,
    MORE_FIRST_END,
    WITHOUT,
    WITHOUT_END,
    SECOND,
    SECOND_END,
    FACTS,
) = range(12)
"""Columns of claims, of which each statement has a row: how much more there is, 0 for no claim;
where words of it begin and end: those of the noun, those of what has more, in two parts and
without others, and those of what has less; and how many facts stand before the statement."""
HELD, HOLDER_NUMBER, THING, THING_END, HOLDER, HOLDER_END, MAY_BE, UNFIT = range(8)
"""Columns of facts: how many things are held, by which holder, where the words of the things and
of the holder begin and end, and whether a claim may be about the things; and of the holders, in
their order, the last one that each did not fit."""
_BEFORE, _BEHIND = 8, 2
"""Statements near a claim."""
_CONTENT_FREE = STOP_WORD | DETERMINER


@njit(cache=True, nogil=True)
def arithmetic_comparison(words: Ints, told: Ints, known: Numbers) -> bool:
    """Whether a difference of two stated numbers of things is stated and right.

    Args:
        words: of all texts.
        told: statements of the text.
        known: of words.
    """
    n_words = told[len(told) - 1, STOP] - told[0, START]
    numbers, held = np.empty((n_words, 3), np.int64), np.empty((n_words, 8), np.int64)
    claims = np.empty((len(told) + 1, 12), np.int64)
    claims[0, FACTS] = n_claims = 0
    for at in range(len(told)):
        start, stop, size = told[at, START], told[at, STOP], claims[at, FACTS]
        n = read_numbers(words, start, stop, known, numbers, claims[0, FACTS])
        if n == 1 and _claims(words, start, stop, numbers, known.kinds, claims, at):
            n_claims += 1
        else:
            claims[at, DIFFERENCE] = 0
            size = _hold(words, start, stop, numbers, n, known.kinds, held, size)
        claims[at + 1, FACTS] = size
    for at in range(len(told) if n_claims else 0):
        if claims[at, DIFFERENCE]:
            if at and not _names_first(words, claims, at, known.kinds):
                # "..., 5 fewer cups than the cook"
                claims[at, FIRST], claims[at, FIRST_END] = told[at - 1, START], told[at - 1, STOP]
                claims[at, MORE_FIRST_END] = claims[at, MORE_FIRST]
                claims[at, WITHOUT_END] = claims[at, WITHOUT]
            near = at - _BEFORE if at > _BEFORE else 0
            end = at + 1 + _BEHIND if at + 1 + _BEHIND < len(told) else len(told)
            facts = held[claims[near, FACTS] : claims[end, FACTS]]
            start, stop = told[near, START], told[end - 1, STOP]
            if _is_right(words, start, stop, known.kinds, claims, at, facts, numbers):
                return True
    return False


@lent
def _claims(
    words: Ints, start: int, stop: int, numbers: Ints, kinds: Ints, claims: Ints, row: int
) -> bool:
    """Read the difference that a statement with one number claims, and say whether it does."""
    begin, end, value = numbers[0, NUMBER_START], numbers[0, NUMBER_STOP], numbers[0, VALUE]
    sign = than = by = -1
    for at in range(start, stop):
        kind = kinds[words[at]]
        if sign < 0 and kind & COMPARES:
            sign = at
        if than < 0 and kind & THAN:
            than = at
        if sign >= 0 and by < 0 and kind & BY:
            by = at
    if sign < 0 or value < 1:
        return False
    if than >= 0:
        if than < sign or begin > sign:
            return False
        noun, noun_end = end, sign
        if noun >= sign:
            noun, noun_end = sign + 1, noun_stop(words, sign + 1, stop, kinds)
        first_end, more_end, without_end = begin, than, noun_end
        second, second_end = than + 1, stop
        if not kinds[words[sign]] & MORE:
            value = -value
    else:
        if not (0 <= by < begin and kinds[words[sign]] & OUTDOES):
            return False
        noun, noun_end, first_end = sign - 1, sign, sign - 1
        if sign == start:  # all words but the last one, as words[:-1] has it
            noun, first_end = sign, stop - 1
        more_end, without_end = sign, noun
        second, second_end = sign + 1, by
    claims[row, DIFFERENCE] = value
    claims[row, NOUN], claims[row, NOUN_END] = noun, noun_end
    claims[row, FIRST], claims[row, FIRST_END] = start, first_end
    claims[row, MORE_FIRST], claims[row, MORE_FIRST_END] = sign + 1, more_end
    claims[row, WITHOUT], claims[row, WITHOUT_END] = noun, without_end
    claims[row, SECOND], claims[row, SECOND_END] = second, second_end
    return True


@lent
def _hold(
    words: Ints, start: int, stop: int, numbers: Ints, n: int, kinds: Ints, held: Ints, size: int
) -> int:
    """Put what the words of a statement hold behind so much else; return how much there is."""
    before, first = start, size
    for at in range(n):
        begin, end = numbers[at, NUMBER_START], numbers[at, NUMBER_STOP]
        holder, holder_end = before, begin
        number = held[size - 1, HOLDER_NUMBER] + 1 if size else 0
        before = noun_stop(words, end, stop, kinds)
        names = False
        for word in range(holder, holder_end):
            names |= kinds[words[word]] & _CONTENT_FREE == 0
        if not names and size > first:  # the holder of the number before
            holder, holder_end = held[size - 1, HOLDER], held[size - 1, HOLDER_END]
            number = held[size - 1, HOLDER_NUMBER]
        elif not names:  # "9 belong to the cook"
            holder, holder_end = before, numbers[at + 1, NUMBER_START] if at + 1 < n else stop
        held[size, HELD], held[size, HOLDER_NUMBER] = numbers[at, VALUE], number
        held[size, THING], held[size, THING_END] = end, before
        held[size, HOLDER], held[size, HOLDER_END] = holder, holder_end
        size += 1
    return size


@lent
def _names_first(words: Ints, claims: Ints, row: int, kinds: Ints) -> bool:
    """Say whether a claim has words for what has more."""
    without, end = claims[row, WITHOUT], claims[row, WITHOUT_END]
    for column in (FIRST, MORE_FIRST):
        for at in range(claims[row, column], claims[row, column + 1]):
            word = words[at]
            if not kinds[word] & _CONTENT_FREE and not is_among(words, word, without, end):
                return True
    return False


@lent
def _is_right(
    words: Ints,
    start: int,
    stop: int,
    kinds: Ints,
    claims: Ints,
    row: int,
    facts: Ints,
    marks: Ints,
) -> bool:
    """Say whether two of the facts near a claim, in words[start:stop], differ as it says.

    A holder may have many things: which pairs of holders do not fit is known after one look. The
    numbers of holders rise, so that each needs to know the last one that it did not fit alone.
    """
    marked = False
    for one in range(len(facts)):
        for other in range(len(facts)):
            if facts[one, HELD] - facts[other, HELD] != claims[row, DIFFERENCE]:
                continue
            if not marked:  # so late, for numbers are seldom right
                _mark(words, start, stop, kinds, claims, row, facts, marks)
                marked = True
            if not facts[one, MAY_BE]:
                break
            for at in range(facts[other, THING] - start, facts[other, THING_END] - start):
                if marks[at, 1]:  # more cups than plates
                    return True
            theirs = facts[other, HOLDER_NUMBER] - facts[0, HOLDER_NUMBER]
            if facts[other, MAY_BE] and facts[theirs, UNFIT] != facts[one, HOLDER_NUMBER]:
                if _differ(words, start, marks, facts, one, other):
                    return True
                facts[theirs, UNFIT] = facts[one, HOLDER_NUMBER]
    return False


@lent
def _mark(
    words: Ints,
    start: int,
    stop: int,
    kinds: Ints,
    claims: Ints,
    row: int,
    facts: Ints,
    marks: Ints,
) -> None:
    """Mark words of content of what has more and of what has less by a claim, by two columns.

    Facts that may be about its noun are marked, too.
    """
    for at in range(stop - start):
        word = words[start + at]
        marks[at, 0] = marks[at, 1] = 0
        if not kinds[word] & _CONTENT_FREE:
            for column in (FIRST, MORE_FIRST, SECOND, WITHOUT):
                if is_among(words, word, claims[row, column], claims[row, column + 1]):
                    mark = 1 if column == SECOND else 0
                    marks[at, mark] = 0 if column == WITHOUT else 1
    noun, nameless = claims[row, NOUN_END] - 1, claims[row, NOUN] >= claims[row, NOUN_END]
    for at in range(len(facts)):
        thing, end = facts[at, THING], facts[at, THING_END]
        facts[at, UNFIT] = -1
        facts[at, MAY_BE] = nameless or thing >= end or is_among(words, words[noun], thing, end)


@lent
def _differ(words: Ints, start: int, marks: Ints, facts: Ints, one: int, other: int) -> bool:
    """Say whether either holder has a word with its mark that the other one does not have."""
    mine, theirs = one, other
    for mark in range(2):
        begin, end = facts[theirs, HOLDER], facts[theirs, HOLDER_END]
        found = False
        for at in range(facts[mine, HOLDER], facts[mine, HOLDER_END]):
            if marks[at - start, mark] and not is_among(words, words[at], begin, end):
                found = True
                break
        if not found:
            return False
        mine, theirs = other, one
    return True
