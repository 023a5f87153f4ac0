"""Compiled reading of numbers in digits or in words; see `_check_world_number`."""

from __future__ import annotations

from typing import NamedTuple

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_number import MOST_DIGITS
from synthgen.verifiers.skillmix._text_table import Ints

(
    WHOLE,
    TENS,
    ONES,
    ARTICLE,
    TIMES,
    COMPARES,
    MORE,
    OUTDOES,
    THAN,
    BY,
    MAKES,
    TOTAL,
    SUM,
    OF,
    IN,
    ALL,
    TOLD,
    ALTOGETHER,
    IS,
    AND,
    EQUAL,
    UNEQUAL,
    STOP_WORD,
    DETERMINER,
) = (1 << at for at in range(24))
"""Kinds of words, as bits; `WHOLE` and `TENS` are numbers by themselves, `ONES` follow tens."""
NUMBER_START, NUMBER_STOP, VALUE = range(3)
"""Columns of numbers: where their words begin and end in all words, and their value."""
_FULL = 10**MOST_DIGITS
"""Such a value is not multiplied any more; all values are below a thousand times as much."""
_LONGEST_NOUN = 3


class Numbers(NamedTuple):
    """What is known of words, by their numbers.

    Attributes:
        kinds: bits of each word.
        values: of words that are numbers.
        measures: what a unit measures, from 1 on, 0 for other words.
        sizes: of units.
    """

    kinds: Ints
    values: Ints
    measures: Ints
    sizes: Ints


@lent
def read_numbers(
    words: Ints, start: int, stop: int, known: Numbers, numbers: Ints, size: int
) -> int:
    """Put the numbers of words[start:stop] behind so many others; return how many there are."""
    kinds, values = known.kinds, known.values
    at = start
    while at < stop:
        kind, value = kinds[words[at]], values[words[at]]
        end = at + 1
        if kind & TENS and end < stop and kinds[words[end]] & ONES:
            value += values[words[end]]
            end += 1
        elif kind & ARTICLE and end < stop and kinds[words[end]] & TIMES:
            value = 1
        elif not kind & (WHOLE | TENS):
            at = end
            continue
        while end < stop and kinds[words[end]] & TIMES and value < _FULL:
            value *= values[words[end]]
            end += 1
        numbers[size, NUMBER_START], numbers[size, NUMBER_STOP] = at, end
        numbers[size, VALUE] = value
        size += 1
        at = end
    return size


@lent
def noun_stop(words: Ints, start: int, stop: int, kinds: Ints) -> int:
    """Return where the one to three words end that say what is counted."""
    end = start
    while end < stop and end < start + _LONGEST_NOUN:
        if kinds[words[end]] & STOP_WORD:
            break
        end += 1
    return end
