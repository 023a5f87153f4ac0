"""Compiled points of texts: which topics they are on, and whether they make sense."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._text_table import Ints

LEAST_CLAUSE = 4
"""Words of a clause that makes no sense if it is said twice in a row."""
IS_ARTICLE, ARTICLE = range(2)
"""Columns of words: the article that it is, and the one that goes before it; 0 for none."""


@njit(cache=True, nogil=True)
def topics_of(
    words: Ints, clause_ends: Ints, sentence_ends: Ints, text_ends: Ints, bits: Ints
) -> Ints:
    """Return the bits of the topics that each text is on, by the bits of all words.

    Every sentence has a word of the topic, or the text at least two.
    """
    found = np.zeros((len(text_ends), bits.shape[1]), np.int64)
    for column in range(bits.shape[1]):
        sentence = at = 0
        for text in range(len(text_ends)):
            once = twice = np.int64(0)
            everywhere = np.int64(-1 if sentence < text_ends[text] else 0)
            while sentence < text_ends[text]:
                here = np.int64(0)
                while at < clause_ends[sentence_ends[sentence] - 1]:
                    own = bits[words[at], column]
                    twice |= once & own
                    once |= own
                    here |= own
                    at += 1
                everywhere &= here
                sentence += 1
            found[text, column] = everywhere | twice
    return found


@njit(cache=True, nogil=True)
def make_sense(
    words: Ints, clause_ends: Ints, sentence_ends: Ints, text_ends: Ints, articles: Ints
) -> NDArray[np.bool_]:
    """Say of each text whether its words make sense, as far as can be told from them.

    Articles fit what follows, no sentence stands there twice, and no long clause twice in a row.
    """
    found = np.zeros(len(text_ends), np.bool_)
    first = 0
    for text in range(len(text_ends)):
        last = text_ends[text]
        if first < last:
            start = sentence_ends[first - 1] if first else 0
            found[text] = (
                _articles_fit(words, clause_ends, start, sentence_ends[last - 1], articles)
                and not _says_again(words, clause_ends, start, sentence_ends[last - 1])
                and not _has_twice(words, clause_ends, sentence_ends, first, last)
            )
        first = last
    return found


@lent
def _articles_fit(words: Ints, clause_ends: Ints, first: int, last: int, articles: Ints) -> bool:
    for clause in range(first, last):
        for at in range(clause_ends[clause - 1] if clause else 0, clause_ends[clause] - 1):
            one = articles[words[at], IS_ARTICLE]
            if one and articles[words[at + 1], ARTICLE] != one:
                return False
    return True


@lent
def _says_again(words: Ints, clause_ends: Ints, first: int, last: int) -> bool:
    """Say whether a long clause stands there twice in a row."""
    for clause in range(first + 1, last):
        start = clause_ends[clause - 2] if clause > 1 else 0
        middle, stop = clause_ends[clause - 1], clause_ends[clause]
        if stop - middle >= LEAST_CLAUSE and _same(words, start, middle, middle, stop):
            return True
    return False


@lent
def _has_twice(words: Ints, clause_ends: Ints, sentence_ends: Ints, first: int, last: int) -> bool:
    """Say whether two sentences have the same words."""
    for one in range(first, last):
        start, stop = _span(clause_ends, sentence_ends, one)
        for other in range(first, one):
            begin, end = _span(clause_ends, sentence_ends, other)
            if _same(words, start, stop, begin, end):
                return True
    return False


@lent
def _span(clause_ends: Ints, sentence_ends: Ints, sentence: int) -> tuple[int, int]:
    clause = sentence_ends[sentence - 1] if sentence else 0
    start = clause_ends[clause - 1] if clause else 0
    return start, clause_ends[sentence_ends[sentence] - 1]


@lent
def _same(words: Ints, start: int, stop: int, begin: int, end: int) -> bool:
    if stop - start != end - begin:
        return False
    for at in range(stop - start):
        if words[start + at] != words[begin + at]:
            return False
    return True
