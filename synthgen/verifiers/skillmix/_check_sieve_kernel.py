"""Compiled sieve of texts: which skills each of them can show, by the numbers of its words.

It never leaves out a skill that a checker would find, and it need not be exact: the checkers
decide.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_sieve_sentence import look_at_sentence
from synthgen.verifiers.skillmix._check_sieve_table import (
    ANY,
    IN_CLAUSE,
    IN_TEXT,
    N_BITS,
    Ints,
)
from synthgen.verifiers.skillmix._check_sieve_text import look_at_text
from synthgen.verifiers.skillmix._check_sieve_uses import look_at_uses


@njit(cache=True, nogil=True)
def sift(
    words: Ints,
    clause_ends: Ints,
    marks: Ints,
    sentence_ends: Ints,
    text_ends: Ints,
    table: Ints,
    needs: Ints,
    places: Ints,
    signs: Ints,
    sets: Ints,
    opposites: NDArray[np.bool_],
    n_lemmas: int,
) -> tuple[NDArray[np.bool_], Ints]:
    """Say of each skill which texts can show it, (skills, texts), and give the bits of clauses.

    Args:
        words: numbers of all words.
        clause_ends: in words.
        marks: behind each clause.
        sentence_ends: in clauses.
        text_ends: in sentences.
        table: what is known of each word.
        needs: bits that each checker needs, (skills, N_BITS).
        places: where it needs them.
        signs: that a text must have for it.
        sets: bits of the sets of words that signs depend on, (6, N_BITS).
        opposites: which two words are opposites, by their numbers in the table.
        n_lemmas: above all numbers of lemmas.
    """
    possible = np.zeros((len(signs), len(text_ends)), np.bool_)
    bits = _clause_bits(words, clause_ends, table)
    seen = np.zeros((n_lemmas, 2), np.int64)
    has = np.zeros(ANY + 1, np.bool_)
    first = sentence = int(np.int64(0))  # no literal, for which all would be compiled once more
    for text in range(len(text_ends)):
        if sentence == text_ends[text]:
            continue
        has[:] = False
        has[ANY] = True
        start = first
        for at in range(sentence, text_ends[text]):
            stop = sentence_ends[at]
            look_at_sentence(words, clause_ends, marks, start, stop, table, sets, seen, has)
            start = stop
        look_at_text(words, clause_ends, first, start, table, bits, sets, opposites, has)
        look_at_uses(words, clause_ends, marks, first, start, table, bits, sets, has)
        low, high = _bits_of(bits, first, start)
        for skill in range(len(signs)):
            if not has[signs[skill]] or _lacks(low, high, needs[skill]):
                continue
            possible[skill, text] = places[skill] == IN_TEXT or _has_words(
                bits, first, start, sentence_ends, sentence, needs[skill], places[skill]
            )
        first, sentence = start, text_ends[text]
    return possible, bits


@njit(cache=True, nogil=True)
def _clause_bits(words: Ints, clause_ends: Ints, table: Ints) -> Ints:
    bits = np.zeros((len(clause_ends), N_BITS), np.int64)
    start = 0
    for clause in range(len(clause_ends)):
        for at in range(start, clause_ends[clause]):
            for column in range(N_BITS):
                bits[clause, column] |= table[words[at], column]
        start = clause_ends[clause]
    return bits


@lent
def _bits_of(bits: Ints, first: int, last: int) -> tuple[np.int64, np.int64]:
    """Return the bits that clauses have together."""
    low = high = np.int64(0)
    for clause in range(first, last):
        low |= bits[clause, 0]
        high |= bits[clause, 1]
    return low, high


@lent
def _lacks(low: np.int64, high: np.int64, needs: Ints) -> bool:
    return bool(low & needs[0] != needs[0] or high & needs[1] != needs[1])


@lent
def _has_words(
    bits: Ints, first: int, last: int, sentence_ends: Ints, sentence: int, needs: Ints, place: int
) -> bool:
    """Say whether a clause or a sentence has the words that a checker needs."""
    low = high = np.int64(0)
    for clause in range(first, last):
        low |= bits[clause, 0]
        high |= bits[clause, 1]
        if not _lacks(low, high, needs):
            return True
        ends = clause + 1 == sentence_ends[sentence]
        if place == IN_CLAUSE or ends:
            low = high = np.int64(0)
        if ends:
            sentence += 1
    return False
