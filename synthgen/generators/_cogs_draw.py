"""The kernel that draws COGS sentences, each as a derivation in prefix order.

A sentence that nests too deep or has a noun twice is drawn again, with the next numbers of its row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._cogs_categories import Programs
from synthgen.generators._cogs_grammar import (
    ACTOR,
    AGENT,
    BARE_VERB,
    CLAUSE,
    FIRST_WORD_RULE,
    FRAME_CP,
    FRAME_TABLE,
    INFINITIVE,
    NOTHING,
    S_ACTIVE,
    VP_CP,
    A,
)
from synthgen.generators._cogs_phrases import (
    ANY,
    REDRAWN,
    REFUSED,
    REQUIRED,
    Chances,
    draw_phrase,
    draw_word,
    unit,
)
from synthgen.generators._cogs_words import Words

MOST_DEPTH = 40
"""Of clauses and of prepositional phrases."""
MOST_SYMBOLS = 1000
"""Of a derivation: clauses are given up at half of it, no innermost one needs the other."""
_ATTEMPTS = 64
"""Sentences tried for one address before it is given up as invalid."""
_FRAMES = len(FRAME_TABLE)


class Draws(NamedTuple):
    """What was drawn for each of n rows.

    Attributes:
        codes, offsets: derivations in prefix order.
        outer, inner: int16 (n,), frame of the outermost and the innermost clause; beyond the
            frames, the rule of a single word.
        valid: bool (n,).
    """

    codes: Codes
    offsets: NDArray[np.int64]
    outer: NDArray[np.int16]
    inner: NDArray[np.int16]
    valid: NDArray[np.bool_]


@njit(cache=True, nogil=True)
def draw_sentences(
    keys: NDArray[np.uint64],
    categories: NDArray[np.int64],
    cp_depths: NDArray[np.int64],
    pp_depths: NDArray[np.int64],
    singles: Codes,
    programs: Programs,
    words: Words,
    chances: Chances,
) -> Draws:
    """Draw the sentence of every row; an invalid row holds a single article.

    Args:
        keys: row keys (n,).
        categories: index of each row's program (n,), -1 for a single word.
        cp_depths: number of `that` clauses where it is given, else -1 (n,).
        pp_depths: length of the chain of prepositional phrases on the theme, or -1 (n,).
        singles: rule and word of each row that is a single word, uint16 (n, 2).
        programs: of all categories.
        words: to draw from.
        chances: of the main grammar.
    """
    n = len(keys)
    codes = np.empty(24 * n + MOST_SYMBOLS, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    outer = np.zeros(n, np.int16)
    inner = np.zeros(n, np.int16)
    valid = np.zeros(n, np.bool_)
    frames = np.zeros(2, np.int64)
    seen = np.zeros(MOST_SYMBOLS, np.int64)
    at: Int = 0
    for i in range(n):
        if at + MOST_SYMBOLS > len(codes):
            codes = _longer(codes, 2 * len(codes))
        if categories[i] < 0:
            codes[at : at + 2] = singles[i]
            outer[i] = inner[i] = _FRAMES + np.int64(singles[i, 0]) - FIRST_WORD_RULE
            valid[i] = True
            at += 2
            offsets[i + 1] = at
            continue
        j: Int = 0
        end: Int = at
        for _ in range(_ATTEMPTS):
            end, j = _sentence(
                codes,
                at,
                keys[i],
                j,
                (categories[i], cp_depths[i], pp_depths[i]),
                programs,
                words,
                chances,
                frames,
                seen,
            )
            if end != REFUSED:
                break
        valid[i] = end != REFUSED
        if end == REFUSED:
            codes[at] = A
            end = at + 1
        outer[i], inner[i] = frames[0], frames[1]
        at = end
        offsets[i + 1] = at
    return Draws(codes[:at], offsets, outer, inner, valid)


@njit(cache=True, nogil=True)
def _longer(codes: Codes, size: Int) -> Codes:
    longer = np.empty(size, np.uint16)
    longer[: len(codes)] = codes
    return longer


@lent
def _frame(shares: NDArray[np.float64], chance: float) -> Int:
    frame = 0
    while chance >= shares[frame]:
        frame += 1
    return frame


@lent
def _sentence(
    codes: Codes,
    at: Int,
    key: np.uint64,
    j: Int,
    row: tuple[int, int, int],
    programs: Programs,
    words: Words,
    chances: Chances,
    frames: NDArray[np.int64],
    seen: NDArray[np.int64],
) -> tuple[Int, Int]:
    """Write one derivation at `at`; return its end or REFUSED, and the next draw number."""
    category, cp_depth, pp_depth = row
    own, further = programs.words[category], programs.further[category]
    subject_pp = REQUIRED if programs.subject_pp[category] else ANY
    if chances.repeats == 0 and max(cp_depth, pp_depth) >= 0:
        chances = Chances(
            chances.pp, chances.definite, chances.name, chances.max_cp, chances.max_pp, REDRAWN
        )
    depth = 0
    start = at
    seen[0] = 0
    while True:
        frame = _frame(programs.frames[category, min(depth, 1)], unit(key, j))
        j += 1
        if depth < cp_depth:
            frame = FRAME_CP
        if depth == 0:
            frames[0] = frame
        if frame != FRAME_CP:
            break
        depth += 1
        if (cp_depth < 0 and depth > chances.max_cp) or at - start > MOST_SYMBOLS // 2 - 170:
            return REFUSED, j
        codes[at] = S_ACTIVE
        at, j = draw_phrase(
            codes, at + 1, key, j, ACTOR, -1, subject_pp, further, words, chances, seen
        )
        if at == REFUSED:
            return at, j
        codes[at] = VP_CP
        codes[at + 1] = draw_word(words, CLAUSE, key, j)
        at, j = at + 2, j + 1
    frames[1] = frame
    form = FRAME_TABLE[frame]
    codes[at] = form[0]
    at, j = draw_phrase(
        codes, at + 1, key, j, form[2], own[0], subject_pp, further, words, chances, seen
    )
    if at == REFUSED:
        return at, j
    codes[at] = form[1]
    codes[at + 1] = draw_word(words, own[2] if own[2] >= 0 else form[3], key, j)
    at, j = at + 2, j + 1
    for place in range(1, 3):
        kind = form[3 + place]
        if kind == NOTHING:
            break
        if kind == BARE_VERB:
            codes[at] = draw_word(words, own[3] if own[3] >= 0 else INFINITIVE, key, j)
            return at + 1, j + 1
        is_theme = place == form[6]
        target = own[1] if is_theme else -1
        chain = pp_depth if is_theme else ANY
        if kind == AGENT:
            kind, chain = ACTOR, subject_pp
        if pp_depth >= 0 and not is_theme:
            chain = 0
        at, j = draw_phrase(codes, at, key, j, kind, target, chain, further, words, chances, seen)
        if at == REFUSED:
            return at, j
    return at, j
