"""Compiled statements of a text about the world or a mind; see `_check_world_parse`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_parse import LEAST
from synthgen.verifiers.skillmix._text_table import Ints

(
    SO,
    SURELY,
    BECAUSE,
    JOINING,
    CERTAIN,
    SPLITTING,
    REASONING,
    KNOWING,
    AROUND,
    DETERMINER,
    PRONOUN,
    NEGATION,
    STOP_WORD,
    PERSON,
    THEN,
    WHILE,
    THAT,
    MEANS,
    DEICTIC,
    OF,
) = (1 << at for at in range(20))
"""Classes of words, as bits; `THEN` and those behind it, but for `DEICTIC`, are single words.

Kernels hand them on as `int(...)`: what is handed a constant is compiled once more for it.
"""
NO_LINK, CONCLUDES, GROUNDS, COMES_THEN, GOES_ON = range(5)
"""Links of statements: none, "so", "because", "then" and "while"."""
START, STOP, LINK, CLAUSE = range(4)
"""Columns of statements: where their words begin and end, their link, and their clause."""
_FARTHEST_THAT = 6
_FARTHEST_GROUND = 3


class Cuts(NamedTuple):
    """Texts taken apart, see `Cut`.

    Attributes:
        words: numbers of all words.
        classes: bits of each word by its number.
        clause_ends: in words.
        marks: behind each clause.
        sentence_ends: in clauses.
        text_ends: in sentences.
    """

    words: Ints
    classes: Ints
    clause_ends: Ints
    marks: Ints
    sentence_ends: Ints
    text_ends: Ints


@lent
def has_any(words: Ints, start: int, stop: int, classes: Ints, bits: int) -> bool:
    """Say whether one of words[start:stop] is of one of these classes."""
    return first_of(words, start, stop, classes, bits) >= 0


@lent
def first_of(words: Ints, start: int, stop: int, classes: Ints, bits: int) -> int:
    """Return where the first of words[start:stop] of one of these classes stands, -1 for none."""
    for at in range(start, stop):
        if classes[words[at]] & bits:
            return at
    return -1


@lent
def bare(cuts: Cuts, start: int, stop: int) -> int:
    """Return where a noun phrase begins behind its determiners, `stop` if it has nothing else."""
    while start < stop and cuts.classes[cuts.words[start]] & DETERMINER:
        start += 1
    return start


@lent
def is_among(words: Ints, word: int, start: int, stop: int) -> bool:
    """Say whether a word is one of words[start:stop]."""
    for at in range(start, stop):
        if words[at] == word:
            return True
    return False


@njit(cache=True, nogil=True)
def statements(cuts: Cuts, first: int, last: int) -> Ints:
    """Return the statements of sentences[first:last], in order, as rows."""
    begin = cuts.sentence_ends[first - 1] if first else 0
    end = cuts.sentence_ends[last - 1]
    n_words = cuts.clause_ends[end - 1] - (cuts.clause_ends[begin - 1] if begin else 0)
    told = np.empty((n_words, 4), np.int64)  # each has a word
    n, clause = 0, begin
    for sentence in range(first, last):
        carried = NO_LINK  # the link of "therefore, ..."
        while clause < cuts.sentence_ends[sentence]:
            start = cuts.clause_ends[clause - 1] if clause else 0
            while start < cuts.clause_ends[clause]:
                stop = _piece_stop(cuts, start, cuts.clause_ends[clause])
                rest, link = _unlinked(cuts, start, stop, carried)
                carried = link
                if rest < stop:
                    told[n, START], told[n, STOP] = rest, stop
                    told[n, LINK], told[n, CLAUSE] = link, clause
                    n, carried = n + 1, NO_LINK
                start = stop
            clause += 1
    return told[:n]


@lent
def _piece_stop(cuts: Cuts, start: int, stop: int) -> int:
    """Return where a piece of a clause ends: before a conjunction that begins another."""
    for at in range(start + LEAST, stop - LEAST):
        if cuts.classes[cuts.words[at]] & SPLITTING and not cuts.classes[cuts.words[at + 1]] & OF:
            return at
    return stop


@lent
def _unlinked(cuts: Cuts, start: int, stop: int, link: int) -> tuple[int, int]:
    """Return where a piece begins behind its conjunctions, and their link."""
    words, classes = cuts.words, cuts.classes
    while start < stop:
        kind = classes[words[start]]
        if kind & (SO | SURELY):
            link = CONCLUDES
        elif kind & BECAUSE and start + 1 < stop and not classes[words[start + 1]] & OF:
            link = GROUNDS
        elif kind & (THEN | WHILE):
            if link == NO_LINK:
                link = COMES_THEN if kind & THEN else GOES_ON
        elif not kind & JOINING:
            break
        start += 1
    that = first_of(words, start, min(stop, start + _FARTHEST_THAT), classes, int(THAT))
    if that >= 0:
        around, reasons, knows = True, False, False
        for at in range(start, that):
            kind = classes[words[at]]
            around &= kind & (AROUND | REASONING | KNOWING) > 0
            reasons |= kind & REASONING > 0
            knows |= kind & KNOWING > 0
        if around and reasons:
            return that + 1, CONCLUDES
        if around and knows:
            return that + 1, link
    if start + 1 < stop and classes[words[start]] & DEICTIC and classes[words[start + 1]] & MEANS:
        return start + 2, CONCLUDES
    return start, link


@lent
def concluded(cuts: Cuts, told: Ints, at: int) -> bool:
    """Say whether a statement is put as a conclusion, by its link, its words or its neighbors."""
    if told[at, LINK] in (CONCLUDES, GROUNDS):
        return bool(told[at, LINK] == CONCLUDES)
    if has_any(cuts.words, told[at, START], told[at, STOP], cuts.classes, int(CERTAIN)):
        return True
    if at + 1 < len(told) and told[at + 1, LINK] == GROUNDS:
        return True
    for back in range(max(0, at - _FARTHEST_GROUND), at):
        if told[back, LINK] == GROUNDS:
            return True
    return False
