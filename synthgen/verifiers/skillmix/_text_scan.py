"""Compiled form of taking texts apart: numbers of their words, and where their parts end."""

from __future__ import annotations

import numpy as np

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._text_table import Bytes, Ints, Items, number_of

_DIGITS, _LETTERS, _MARKS, _ENDS = 1, 2, 3, 4


def _kinds() -> Bytes:
    kinds = np.zeros(256, np.uint8)
    for kind, characters in (
        (_DIGITS, "0123456789"),
        (_LETTERS, "abcdefghijklmnopqrstuvwxyz"),
        (_MARKS, ",;:"),
        (_ENDS, ".?!"),
    ):
        kinds[list(characters.encode())] = kind
    return kinds


KINDS = _kinds()
"""Of bytes; no others matter, so that what is not ASCII parts words."""


@lent
def scan(
    data: Bytes,
    text_stops: Ints,
    slots: Ints,
    pool: Items,
    pool_stops: Ints,
    words: Ints,
    starts: Ints,
    stops: Ints,
    clause_ends: Ints,
    marks: Ints,
    sentence_ends: Ints,
    text_ends: Ints,
) -> tuple[int, int, int]:
    """Take texts apart; return how many words, clauses and sentences they have.

    Args:
        data: the texts in lower case, one after another.
        text_stops: where each of them ends.
        slots: table of known words, see `put`.
        pool: known words, one after another.
        pool_stops: where each of them ends.
        words: takes the number of each word, `NEW` if it has none.
        starts: takes where in the texts each word begins.
        stops: takes where it ends.
        clause_ends: takes where each clause ends in the words.
        marks: takes the mark behind each clause, 0 for none.
        sentence_ends: takes where each sentence ends in the clauses.
        text_ends: takes where each text ends in the sentences.
    """
    n_words = n_clauses = n_sentences = at = 0
    for text in range(len(text_stops)):
        first_clause, first_word = n_clauses, n_words
        while at < text_stops[text]:
            kind = KINDS[data[at]]
            if kind == 0:
                at += 1
                continue
            if kind < _MARKS:
                starts[n_words], at = at, _word_stop(data, at, text_stops[text])
                stops[n_words] = at
                words[n_words] = number_of(data, starts[n_words], at, slots, pool, pool_stops)
                n_words += 1
                continue
            if n_words > first_word:
                clause_ends[n_clauses], marks[n_clauses] = n_words, data[at]
                n_clauses, first_word = n_clauses + 1, n_words
            elif kind == _ENDS and n_clauses > first_clause:
                marks[n_clauses - 1] = data[at]
            if kind == _ENDS and n_clauses > first_clause:
                sentence_ends[n_sentences] = first_clause = n_clauses
                n_sentences += 1
            at += 1
        if n_words > first_word:
            clause_ends[n_clauses], marks[n_clauses] = n_words, 0
            n_clauses += 1
        if n_clauses > first_clause:
            sentence_ends[n_sentences] = n_clauses
            n_sentences += 1
        text_ends[text] = n_sentences
    return n_words, n_clauses, n_sentences


@lent
def _word_stop(data: Bytes, at: int, stop: int) -> int:
    """Return the end of a word: letters and digits, then an apostrophe with letters behind it."""
    while at < stop and 0 < KINDS[data[at]] < _MARKS:
        at += 1
    if at + 1 < stop and data[at] == ord("'") and KINDS[data[at + 1]] == _LETTERS:
        at += 1
        while at < stop and KINDS[data[at]] == _LETTERS:
            at += 1
    return at
