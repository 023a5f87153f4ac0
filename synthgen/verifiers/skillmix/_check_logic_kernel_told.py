"""Compiled statements of a text, by the shapes of its clauses; see `_check_logic_clauses`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_clauses import REACH
from synthgen.verifiers.skillmix._check_logic_kernel_formula import (
    Formulas,
    filled,
    no_formulas,
    node,
)
from synthgen.verifiers.skillmix._check_logic_kernel_known import (
    CONCLUSION,
    IF,
    NONE,
    REASON_AFTER,
    STEM,
    Known,
)
from synthgen.verifiers.skillmix._check_logic_kernel_share import (
    N_SHARE_COLUMNS,
    read_share,
)
from synthgen.verifiers.skillmix._text_table import Ints

ROLE, FORMULA, JOINED = range(3)
"""Columns of statements."""
PIECE_ROLE, START, STOP, ANTECEDENT, REST, PIECE_STOP = range(6)
"""Columns of pieces: where the programs of the antecedent and of the rest begin, and where the
programs of the piece end."""
N_PIECE_COLUMNS = 6
_QUESTION, _COMMA = ord("?"), ord(",")


class Shapes(NamedTuple):
    """Shapes of clauses.

    Attributes:
        stops: where each of them ends in the pieces.
        pieces: rows.
        programs: of formulas, see `filled`.
    """

    stops: Ints
    pieces: Ints
    programs: Ints


class Cuts(NamedTuple):
    """Texts taken apart, see `Cut`; each clause has the number of its shape."""

    words: Ints
    clause_ends: Ints
    marks: Ints
    sentence_ends: Ints
    shapes: Ints


class Told(NamedTuple):
    """Statements of a text.

    Attributes:
        rows: role, formula, and whether a comma or nothing parts it from the one before.
        shares: the same as statements about a share, see `read_share`.
        words: of all statements, without what stands before them; of a conditional, those of its
            parts.
        stops: where each of them ends in the words.
        sizes: how many statements and words there are.
        premises: of the argument that is looked at.
        given: shares of those premises.
    """

    rows: Ints
    shares: Ints
    words: Ints
    stops: Ints
    sizes: Ints
    premises: Ints
    given: Ints


@lent
def room_needed(cuts: Cuts, shapes: Shapes, first: int, last: int) -> tuple[int, int, int]:
    """Return how many words, pieces and codes clauses have."""
    n_words = cuts.clause_ends[last - 1] - (cuts.clause_ends[first - 1] if first else 0)
    n_pieces = n_codes = 0
    for clause in range(first, last):
        shape = cuts.shapes[clause]
        begin = shapes.stops[shape - 1] if shape else 0
        for piece in range(begin, shapes.stops[shape]):
            n_pieces += 1
            n_codes += shapes.pieces[piece, PIECE_STOP] - shapes.pieces[piece, ANTECEDENT]
    return n_words, n_pieces, n_codes


@njit(cache=True, nogil=True)
def room_for(n_words: int, n_pieces: int, n_codes: int) -> tuple[Told, Formulas]:
    """Return room for what clauses say that have no more of these."""
    told = Told(
        np.empty((n_pieces, 3), np.int64),
        np.empty((n_pieces, N_SHARE_COLUMNS), np.int64),
        np.empty(2 * n_words, np.int64),
        np.empty(n_pieces, np.int64),
        np.zeros(2, np.int64),
        np.empty(2 * REACH, np.int64),
        np.empty((2 * REACH, N_SHARE_COLUMNS), np.int64),
    )
    # A formula has no more stems and nodes than codes; a share has no more stems than words.
    n_stems, n_bodies = n_codes + 3 * n_words, n_codes + n_pieces + 1
    return told, no_formulas(n_stems, n_bodies, n_codes + n_pieces)


@lent
def read_sentence(
    cuts: Cuts, first: int, last: int, shapes: Shapes, known: Known, told: Told, formulas: Formulas
) -> None:
    """Read the statements of the clauses of a sentence; questions state nothing."""
    if cuts.marks[last - 1] == _QUESTION:
        return
    begin = told.sizes[0]
    role, pending, joined, reasons = NONE, -1, False, False
    spoken = start = stop = 0
    for clause in range(first, last):
        spoken = cuts.clause_ends[clause - 1] if clause else 0
        words = cuts.words[spoken : cuts.clause_ends[clause]]
        shape = cuts.shapes[clause]
        for at in range(shapes.stops[shape - 1] if shape else 0, shapes.stops[shape]):
            piece = shapes.pieces[at]
            if piece[PIECE_ROLE] != NONE:
                role = role if role != NONE else piece[PIECE_ROLE]
                reasons |= piece[PIECE_ROLE] != CONCLUSION
            if piece[REST] > piece[ANTECEDENT]:
                program = shapes.programs[piece[ANTECEDENT] : piece[REST]]
                pending = filled(formulas, program, words, known.words[:, STEM])
                start, stop = spoken + piece[START], spoken + piece[STOP]
            if piece[PIECE_STOP] == piece[REST]:
                continue
            program = shapes.programs[piece[REST] : piece[PIECE_STOP]]
            formula = filled(formulas, program, words, known.words[:, STEM])
            if pending >= 0:
                formula = node(formulas, IF, 1, pending, formula)
                _say(told, cuts.words[start:stop])
            _say(told, words[piece[START] : piece[STOP]])
            _state(told, role, formula, joined)
            role, pending, joined = NONE, -1, True
        if cuts.marks[clause] != _COMMA:
            pending, joined = -1, False
    if reasons:
        _mark_conclusions(told.rows, begin, told.sizes[0])
    for at in range(begin, told.sizes[0]):
        read_share(words_of(told, at), known, formulas, told.shares[at])


@lent
def _say(told: Told, words: Ints) -> None:
    stop = told.sizes[1]
    for word in words:
        told.words[stop] = word
        stop += 1
    told.sizes[1] = stop


@lent
def _state(told: Told, role: int, formula: int, joined: bool) -> None:  # noqa: FBT001
    """End a statement, whose words were said."""
    at = told.sizes[0]
    told.rows[at, ROLE], told.rows[at, FORMULA], told.rows[at, JOINED] = role, formula, joined
    told.stops[at] = told.sizes[1]
    told.sizes[0] += 1


@njit(cache=True, nogil=True, inline="always")
def words_of(told: Told, at: int) -> Ints:
    """Return the words of a statement."""
    return told.words[told.stops[at - 1] if at else 0 : told.stops[at]]


@lent
def _mark_conclusions(rows: Ints, first: int, last: int) -> None:
    """Mark the conclusions that are known by their reasons alone."""
    at = first
    while at < last:
        role = rows[at, ROLE]
        if role <= CONCLUSION:
            at += 1
            continue
        start = at
        at += 1
        while at < last and rows[at, JOINED] and rows[at, ROLE] > CONCLUSION:
            at += 1
        before = role == REASON_AFTER or rows[start, JOINED]
        target = start - 1 if before else at
        if first <= target < last and rows[target, ROLE] == NONE:
            rows[target, ROLE] = CONCLUSION
