"""The kernel that measures COGS derivations: depths, lengths and the form of the subject."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._cogs_clauses import ROLE_COUNT, TOKENS
from synthgen.generators._cogs_grammar import (
    FIRST_PP,
    FIRST_WORD_RULE,
    LAST_PP,
    LAST_WORD_RULE,
    NP_DET,
    NP_DET_PP,
    NP_NAME,
    RULES,
    S_ACTIVE,
    S_PASSIVE,
    THE,
    VP_CP,
    VP_INF,
    A,
)

MEASURED = ("cp_depth", "pp_depth", "n_pp", "n_tokens", "lf_tokens", "subject_type")
SUBJECT_TYPES = ("none", "common", "common_pp", "name")
_NONE, _COMMON, _COMMON_PP, _NAME = range(4)
_FIRST_WORD = len(RULES)
_WORD_FORMULA = np.array([7, 1, 14, 14, 26], np.int64)
"""Tokens of the logical form of a single word, by its rule."""


@njit(cache=True, nogil=True)
def measure(codes: Codes, offsets: NDArray[np.int64], variable_free: Int) -> NDArray[np.int16]:
    """Return the columns MEASURED of every derivation, int16 (6, n)."""
    n = len(offsets) - 1
    columns = np.zeros((6, n), np.int16)
    for i in range(n):
        tree = codes[offsets[i] : offsets[i + 1]]
        if FIRST_WORD_RULE <= tree[0] <= LAST_WORD_RULE:
            columns[3, i] = 1
            columns[4, i] = _WORD_FORMULA[np.int64(tree[0]) - FIRST_WORD_RULE]
            continue
        _measure_sentence(tree, columns[:, i], variable_free)
    return columns


@lent
def _measure_sentence(tree: Codes, column: NDArray[np.int16], variable_free: Int) -> None:
    tokens = 1  # the full stop
    cp_depth, pp_depth, n_pp, chain = 0, 0, 0, 0
    definite, indefinite, names, roles, verbs = 0, 0, 0, 0, 0
    twice: Int = 0
    subject = _NONE
    before: Int = 0
    for node in range(len(tree)):
        code = np.int64(tree[node])
        if code >= _FIRST_WORD:
            tokens += 1
            continue
        tokens += TOKENS[code]
        roles += ROLE_COUNT[code]
        if code == THE:
            definite += 1
        elif code == A:
            indefinite += 1
        elif code == NP_NAME:
            names += 1
            subject = _NAME if subject == _NONE else subject
        elif code == NP_DET or code == NP_DET_PP:
            if subject == _NONE:
                subject = _COMMON if code == NP_DET else _COMMON_PP
            chain = chain + 1 if code == NP_DET_PP else 0
            pp_depth = max(pp_depth, chain)
        elif FIRST_PP <= code <= LAST_PP:
            n_pp += 1
        elif code == S_ACTIVE or code == S_PASSIVE:
            verbs += 1
            before = _repeated_tokens(definite, indefinite, names, n_pp, variable_free)
        elif code == VP_CP:
            cp_depth += 1
        elif code == VP_INF:
            verbs += 1
            twice = _repeated_tokens(definite, indefinite, names, n_pp, variable_free) - before
    entities = _entity_tokens(definite, indefinite, names, n_pp, variable_free) + twice
    others = 2 * verbs + 3 * roles if variable_free else 13 * roles - 1
    column[0], column[1], column[2] = cp_depth, pp_depth, n_pp
    column[3], column[4], column[5] = tokens, entities + others, subject


@lent
def _entity_tokens(
    definite: Int, indefinite: Int, names: Int, n_pp: Int, variable_free: Int
) -> Int:
    """Return the tokens that noun phrases bring to a logical form.

    With variables, a name is two tokens shorter than the variable that a role has otherwise, and a
    conjunct has one token to join it to the next.
    """
    if variable_free:
        return 2 * definite + indefinite + names + 6 * n_pp
    return 8 * definite + 7 * indefinite - 2 * names + 15 * n_pp


@lent
def _repeated_tokens(
    definite: Int, indefinite: Int, names: Int, n_pp: Int, variable_free: Int
) -> Int:
    """Return the tokens of noun phrases where they fill a second role."""
    if variable_free:
        return _entity_tokens(definite, indefinite, names, n_pp, variable_free)
    return -2 * names
