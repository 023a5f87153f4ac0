"""Compiled checker of syllogisms whose middle term has two senses; see `_check_world_fact`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_fact_known import (
    BEARERS,
    FIRST,
    HOMONYMS,
    SECOND,
    Facts,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    CONCLUDES,
    LINK,
    NEGATION,
    PRONOUN,
    START,
    STOP,
    STOP_WORD,
    Cuts,
    bare,
    concluded,
    is_among,
)
from synthgen.verifiers.skillmix._text_table import Ints

_PREDICATE = 2
"""Words before a predicate, at least."""
_SUBJECT_OF_RULE, _SUBJECT = 5, 4
"""Words among which a subject must be."""


@njit(cache=True, nogil=True)
def equivocation(cuts: Cuts, told: Ints, known: Facts) -> bool:
    """Say whether a syllogism has a middle term that its premises use in different senses."""
    minors, holders = np.empty(len(told), np.int64), np.empty(len(told), np.int64)
    slides = 0
    for at in range(len(told)):
        minors[at], holders[at] = _held(cuts, told, at, known)
        slides |= minors[at]
    for at in range(len(told) if slides else 0):
        start, stop = told[at, START], told[at, STOP]
        if told[at, LINK] == CONCLUDES:
            continue
        for place in range(start, min(stop, start + _SUBJECT_OF_RULE)):
            word = cuts.words[place]
            middle = known.words[word, HOMONYMS] & slides
            if (
                middle
                and not is_among(cuts.words, word, start, place)
                and _has_second_sense(cuts, place + 1, stop, middle, known)
                and _is_given(cuts, told, at, place, middle, minors, holders)
            ):
                return True
    return False


@lent
def _held(cuts: Cuts, told: Ints, at: int, known: Facts) -> tuple[int, int]:
    """Return the homonyms that a statement has as predicates in their first sense, and of whom."""
    start, stop = told[at, START], told[at, STOP]
    found = 0
    for place in range(start + _PREDICATE, start if told[at, LINK] == CONCLUDES else stop):
        found |= known.words[cuts.words[place], HOMONYMS]
    holder = bare(cuts, start, stop)
    if not found or holder == stop:
        return 0, 0
    return found & known.words[cuts.words[holder], BEARERS], cuts.words[holder]


@lent
def _has_second_sense(cuts: Cuts, start: int, stop: int, middle: int, known: Facts) -> bool:
    """Say whether words mark the second sense of a homonym, and not the first."""
    found = False
    for at in range(start, stop):
        if known.words[cuts.words[at], FIRST] & middle:
            return False
        found |= known.words[cuts.words[at], SECOND] & middle > 0
    return found


@lent
def _is_given(
    cuts: Cuts, told: Ints, major: int, place: int, middle: int, minors: Ints, holders: Ints
) -> bool:
    """Say whether a statement concludes that a holder has what the rule says behind a place."""
    for at in range(len(told)):
        start, stop = told[at, START], told[at, STOP]
        if not _says_all(cuts, place + 1, told[major, STOP], start, stop):
            continue
        if not concluded(cuts, told, at):
            continue
        stands = cuts.classes[cuts.words[start]] & PRONOUN > 0
        for minor in range(len(told)):
            if (
                minor != major
                and minors[minor] & middle
                and (
                    stands
                    or is_among(cuts.words, holders[minor], start, min(stop, start + _SUBJECT))
                )
            ):
                return True
    return False


@lent
def _says_all(cuts: Cuts, first: int, last: int, start: int, stop: int) -> bool:
    """Say whether words[start:stop] have all content of words[first:last], and deny nothing."""
    for at in range(start, stop):
        if cuts.classes[cuts.words[at]] & NEGATION:
            return False
    for at in range(first, last):
        word = cuts.words[at]
        if not cuts.classes[word] & STOP_WORD and not is_among(cuts.words, word, start, stop):
            return False
    return True
