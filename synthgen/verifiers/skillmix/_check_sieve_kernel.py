"""Compiled sieve of texts: which skills each of them can show, by the numbers of its words.

It never leaves out a skill that a checker would find, and it need not be exact: the checkers
decide.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.verifiers.skillmix._check_sieve_sentence import look_at_sentence
from synthgen.verifiers.skillmix._check_sieve_table import (
    ANY,
    IN_CLAUSE,
    IN_SENTENCE,
    N_BITS,
    Ints,
)
from synthgen.verifiers.skillmix._check_sieve_text import look_at_text


@njit(cache=True, nogil=True)
def sift(
    words: Ints,
    clause_ends: Ints,
    commas: NDArray[np.bool_],
    sentence_ends: Ints,
    text_ends: Ints,
    table: Ints,
    needs: Ints,
    places: Ints,
    signs: Ints,
    sets: Ints,
    n_lemmas: int,
) -> tuple[NDArray[np.bool_], Ints]:
    """Say of each skill which texts can show it, (skills, texts), and give the bits of clauses.

    Args:
        words: numbers of all words.
        clause_ends: in words.
        commas: whether a comma follows each clause.
        sentence_ends: in clauses.
        text_ends: in sentences.
        table: what is known of each word.
        needs: bits that each checker needs, (skills, N_BITS).
        places: where it needs them.
        signs: that a text must have for it.
        sets: bits of the sets of words that signs depend on, (6, N_BITS).
        n_lemmas: above all numbers of lemmas.
    """
    possible = np.zeros((len(signs), len(text_ends)), np.bool_)
    bits = _clause_bits(words, clause_ends, table)
    seen = np.zeros((n_lemmas, 2), np.int64)
    has = np.zeros(ANY + 1, np.bool_)
    first, sentence = 0, 0
    for text in range(len(text_ends)):
        if sentence == text_ends[text]:
            continue
        has[:] = False
        has[ANY] = True
        start = first
        for at in range(sentence, text_ends[text]):
            stop = sentence_ends[at]
            look_at_sentence(words, clause_ends, commas, start, stop, table, sets, seen, has)
            start = stop
        look_at_text(words, clause_ends, first, start, table, bits, sets, has)
        for skill in range(len(signs)):
            possible[skill, text] = has[signs[skill]] and _has_words(
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


@njit(cache=True, nogil=True)
def _has_words(
    bits: Ints, first: int, last: int, sentence_ends: Ints, sentence: int, needs: Ints, place: int
) -> bool:
    """Say whether a part of a text has the words that a checker needs."""
    found_0 = found_1 = np.int64(0)
    for clause in range(first, last):
        found_0 |= bits[clause, 0]
        found_1 |= bits[clause, 1]
        if found_0 & needs[0] == needs[0] and found_1 & needs[1] == needs[1]:
            return True
        if place == IN_CLAUSE or (place == IN_SENTENCE and clause + 1 == sentence_ends[sentence]):
            found_0 = found_1 = np.int64(0)
        if clause + 1 == sentence_ends[sentence]:
            sentence += 1
    return False
