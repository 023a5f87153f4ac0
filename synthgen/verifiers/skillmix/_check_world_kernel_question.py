"""Compiled checkers of questions; see `_check_world_question`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix import _check_world_kernel_bits as bit
from synthgen.verifiers.skillmix._check_world_kernel_told import Cuts
from synthgen.verifiers.skillmix._text_table import Ints

CLASSES, STEM, TOPICS = range(3)
"""Columns of words.

Bits of classes; the code of the stem, 0 for a word without content; and from there on the bits of
the topics that have the word.
"""
(
    BEFORE_QUESTION,
    ASKS_WHY,
    HOW,
    HOW_MUCH,
    AUXILIARY,
    WHO,
    LOADED,
    ASKS,
    ANSWERS,
    YES,
    INDIRECT,
) = (1 << at for at in range(11))
"""Classes of words, as bits."""
_MARK = ord("?")
_LEAST, _AUXILIARY_WITHIN = 4, 4
"""Words of a question that takes something for granted, and those that have its auxiliary."""


class Questions(NamedTuple):
    """What is known beforehand.

    Attributes:
        words: rows of words by number.
    """

    words: Ints


@njit(cache=True, nogil=True)
def skills(cuts: Cuts, first: int, last: int, wanted: int, known: Questions) -> int:
    """Return the bits of the wanted skills that sentences[first:last] show."""
    found = 0
    if wanted & bit.COMPLEX_QUESTION and _complex_question(cuts, first, last, known):
        found |= bit.COMPLEX_QUESTION
    if wanted & bit.RED_HERRING and _red_herring(cuts, first, last, known):
        found |= bit.RED_HERRING
    return found


@lent
def _start(cuts: Cuts, clause: int) -> int:
    return cuts.clause_ends[clause - 1] if clause else 0


@njit(cache=True, nogil=True)
def _complex_question(cuts: Cuts, first: int, last: int, known: Questions) -> bool:
    """Say whether a question takes for granted what the text has not asserted before."""
    begin = cuts.sentence_ends[first - 1] if first else 0
    asserted = np.empty(cuts.sentence_ends[last - 1] - begin, np.bool_)
    clause = begin
    for sentence in range(first, last):
        end = cuts.sentence_ends[sentence]
        while clause < end:
            asks = cuts.marks[end - 1] == _MARK and _same(cuts, clause, end - 1)
            asserted[clause - begin] = not asks
            if asks and _is_new(cuts, begin, clause, asserted, known):
                return True
            clause += 1
    return False


@lent
def _same(cuts: Cuts, one: int, other: int) -> bool:
    """Say whether two clauses have the same words."""
    start, begin = _start(cuts, one), _start(cuts, other)
    if cuts.clause_ends[one] - start != cuts.clause_ends[other] - begin:
        return False
    for at in range(cuts.clause_ends[one] - start):
        if cuts.words[start + at] != cuts.words[begin + at]:
            return False
    return True


@lent
def _is_new(
    cuts: Cuts, begin: int, clause: int, asserted: NDArray[np.bool_], known: Questions
) -> bool:
    """Say whether no clause before a question asserts all that it takes for granted."""
    stop = cuts.clause_ends[clause]
    start = _assumed(cuts, _start(cuts, clause), stop, known)
    while start < stop and not known.words[cuts.words[start], STEM]:
        start += 1
    if start == stop:
        return False
    for said in range(begin, clause):
        if asserted[said - begin]:
            at = start
            while at < stop and _has_stem(
                cuts, _start(cuts, said), cuts.clause_ends[said], cuts.words[at], known
            ):
                at += 1
            if at == stop:
                return False
    return True


@lent
def _has_stem(cuts: Cuts, start: int, stop: int, word: int, known: Questions) -> bool:
    """Say whether words[start:stop] have the stem of a word, or it has none."""
    stem: int = known.words[word, STEM]
    for at in range(start, stop if stem else start):
        if known.words[cuts.words[at], STEM] == stem:
            return True
    return stem == 0


@lent
def _assumed(cuts: Cuts, start: int, stop: int, known: Questions) -> int:
    """Return where in a question begins what it takes for granted, `stop` for nothing."""
    while start < stop and known.words[cuts.words[start], CLASSES] & BEFORE_QUESTION:
        start += 1
    if stop - start < _LEAST:
        return stop
    kind = known.words[cuts.words[start], CLASSES]
    if kind & ASKS_WHY:
        if kind & HOW and not known.words[cuts.words[start + 1], CLASSES] & HOW_MUCH:
            return stop
        for at in range(start + 1, start + _AUXILIARY_WITHIN):
            if known.words[cuts.words[at], CLASSES] & AUXILIARY:
                return at + 1
    elif kind & (AUXILIARY | WHO):
        for at in range(start, stop):
            if known.words[cuts.words[at], CLASSES] & LOADED:
                return start + 1
    return stop


@lent
def _red_herring(cuts: Cuts, first: int, last: int, known: Questions) -> bool:
    """Say whether a question about one topic gets an assertion about another as its answer."""
    begin = cuts.sentence_ends[first - 1] if first else 0
    end = cuts.sentence_ends[last - 1]
    for clause in range(begin, end):
        asks, stop = _start(cuts, clause), cuts.clause_ends[clause]
        while asks < stop and not known.words[cuts.words[asks], CLASSES] & ASKS:
            asks += 1
        if asks < stop:
            question, answer = asks + 1, asks + 1
            while answer < stop and not known.words[cuts.words[answer], CLASSES] & ANSWERS:
                answer += 1
            if clause + 1 < end:
                question = _behind_that(cuts, question, answer, known)
                if answer == stop:
                    stop = cuts.clause_ends[clause + 1]
            if _misses(cuts, question, answer, answer, stop, known):
                return True
    for sentence in range(first, last - 1):
        end, stop = cuts.sentence_ends[sentence], cuts.sentence_ends[sentence + 1]
        if cuts.marks[end - 1] == _MARK and cuts.marks[stop - 1] != _MARK:
            answer = cuts.clause_ends[end - 1]
            last_word = cuts.clause_ends[stop - 1]
            if _misses(cuts, _start(cuts, end - 1), answer, answer, last_word, known):
                return True
    return False


@lent
def _behind_that(cuts: Cuts, start: int, stop: int, known: Questions) -> int:
    """Return where a question begins behind the one who is asked."""
    for at in range(start, stop):
        if known.words[cuts.words[at], CLASSES] & INDIRECT:
            return at + 1
    return start


@lent
def _misses(cuts: Cuts, start: int, stop: int, begin: int, end: int, known: Questions) -> bool:
    """Say whether the reply words[begin:end] to a question is on other topics alone.

    It shares no word with the question, either.
    """
    words, rows = cuts.words, known.words
    verb = end
    for at in range(end - 1, begin - 1, -1):
        if rows[words[at], CLASSES] & YES:
            return False
        if rows[words[at], CLASSES] & ANSWERS:
            verb = at
    about = spoken = 0
    for column in range(TOPICS, rows.shape[1]):
        one = other = 0
        for at in range(start, stop):
            one |= rows[words[at], column]
        for at in range(verb + 1, end):
            other |= rows[words[at], column]
        if one & other:
            return False
        about |= one
        spoken |= other
    if not about or not spoken:
        return False
    for at in range(verb + 1, end):
        if rows[words[at], STEM] and _has_stem(cuts, start, stop, words[at], known):
            return False
    return True
