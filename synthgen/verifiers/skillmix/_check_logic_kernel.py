"""Compiled checkers of arguments: which rules the arguments of texts follow.

They find what the plain checkers find, in numbers of words instead of words.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_clauses import REACH
from synthgen.verifiers.skillmix._check_logic_kernel_content import rules_of_content
from synthgen.verifiers.skillmix._check_logic_kernel_formula import Formulas
from synthgen.verifiers.skillmix._check_logic_kernel_known import CONCLUSION, Known
from synthgen.verifiers.skillmix._check_logic_kernel_rules import (
    BEGGING,
    DE_MORGAN,
    DISJUNCTIVE,
    FALSE_DILEMMA,
    SLIPPERY_SLOPE,
    conditional_rules,
    de_morgan,
    disjunctive_syllogism,
    is_given,
)
from synthgen.verifiers.skillmix._check_logic_kernel_sets import Terms, no_terms, rules_of_sets
from synthgen.verifiers.skillmix._check_logic_kernel_told import (
    FORMULA,
    ROLE,
    Cuts,
    Shapes,
    Told,
    read_sentence,
    room_for,
    room_needed,
)
from synthgen.verifiers.skillmix._check_logic_kernel_ways import false_dilemma, slippery_slope
from synthgen.verifiers.skillmix._text_table import Ints, Items, number_of

_UNWANTED = -2


@njit(cache=True, nogil=True)
def find_shapes(
    keys: Ints,
    clause_ends: Ints,
    sentence_ends: Ints,
    text_ends: Ints,
    wanted: NDArray[np.bool_],
    slots: Ints,
    pool: Items,
    stops: Ints,
) -> Ints:
    """Return the shape of each clause of the texts that are wanted, `NEW` if it has none yet.

    Args:
        keys: of all words, see `KEY`.
        clause_ends: in words.
        sentence_ends: in clauses.
        text_ends: in sentences.
        wanted: bool (texts,).
        slots: table of shapes by their keys, see `put`.
        pool: keys of all shapes, one after another.
        stops: where each of them ends.
    """
    shapes = np.full(len(clause_ends), _UNWANTED, np.int64)
    clause = 0
    for text in range(len(text_ends)):
        last = sentence_ends[text_ends[text] - 1] if text_ends[text] else 0
        for at in range(clause, last):
            if wanted[text]:
                start = clause_ends[at - 1] if at else 0
                shapes[at] = number_of(keys, start, clause_ends[at], slots, pool, stops)
        clause = last
    return shapes


@njit(cache=True, nogil=True)
def find_rules(
    cuts: Cuts, text_ends: Ints, wanted: NDArray[np.bool_], shapes: Shapes, known: Known
) -> Ints:
    """Return the bits of the rules that each wanted text follows."""
    found = np.zeros(len(text_ends), np.int64)
    told, formulas = room_for(*_most_needed(cuts, text_ends, wanted, shapes))
    terms = no_terms()
    sentence = int(np.int64(0))  # no literal, for which all would be compiled once more
    for text in range(len(text_ends)):
        if wanted[text] and sentence < text_ends[text]:
            told.sizes[:], formulas.sizes[:] = 0, 0
            _read(cuts, sentence, text_ends[text], shapes, known, told, formulas)
            found[text] = _rules_of(told, formulas, known, terms)
        sentence = text_ends[text]
    return found


@lent
def _most_needed(
    cuts: Cuts, text_ends: Ints, wanted: NDArray[np.bool_], shapes: Shapes
) -> tuple[int, int, int]:
    """Return the most words, pieces and codes that a wanted text has."""
    n_words = n_pieces = n_codes = sentence = 0
    for text in range(len(text_ends)):
        if wanted[text] and sentence < text_ends[text]:
            first = cuts.sentence_ends[sentence - 1] if sentence else 0
            last = cuts.sentence_ends[text_ends[text] - 1]
            words, pieces, codes = room_needed(cuts, shapes, first, last)
            n_words, n_pieces = max(n_words, words), max(n_pieces, pieces)
            n_codes = max(n_codes, codes)
        sentence = text_ends[text]
    return n_words, n_pieces, n_codes


@lent
def _read(
    cuts: Cuts, first: int, last: int, shapes: Shapes, known: Known, told: Told, formulas: Formulas
) -> None:
    """Read the statements of the sentences of a text."""
    start = cuts.sentence_ends[first - 1] if first else 0
    for sentence in range(first, last):
        stop = cuts.sentence_ends[sentence]
        read_sentence(cuts, start, stop, shapes, known, told, formulas)
        start = stop


@lent
def _rules_of(told: Told, formulas: Formulas, known: Known, terms: Terms) -> int:
    """Return the rules of a text whose statements were read."""
    found = 0
    for at in range(told.sizes[0]):
        if told.rows[at, ROLE] == CONCLUSION:
            found |= _rules_that_lead_to(told, at, formulas, known, terms)
    if false_dilemma(told, formulas, known):
        found |= FALSE_DILEMMA
    if slippery_slope(told, formulas, known):
        found |= SLIPPERY_SLOPE
    return found


@lent
def _rules_that_lead_to(told: Told, at: int, formulas: Formulas, known: Known, terms: Terms) -> int:
    """Return the rules that the argument for a conclusion follows."""
    rows, premises = told.rows, told.premises[: _n_premises(told, at)]
    end = rows[at, FORMULA]
    found = rules_of_content(rows, premises, end, formulas, known)
    if is_given(rows, premises, end):
        found &= ~BEGGING
    else:
        found |= conditional_rules(rows, premises, end, formulas)
        if disjunctive_syllogism(rows, premises, end, formulas):
            found |= DISJUNCTIVE
        if de_morgan(rows, premises, end, formulas):
            found |= DE_MORGAN
    return found | rules_of_sets(told, premises, at, formulas, known, terms)


@lent
def _n_premises(told: Told, at: int) -> int:
    """Write down the statements before a conclusion, and behind it the reasons that follow."""
    n = 0
    for before in range(max(0, at - REACH), at):
        told.premises[n] = before
        n += 1
    if at + 1 < told.sizes[0] and told.rows[at + 1, ROLE] > CONCLUSION:
        for behind in range(at + 1, min(told.sizes[0], at + 1 + REACH)):
            if told.rows[behind, ROLE] != CONCLUSION:
                told.premises[n] = behind
                n += 1
    return n
