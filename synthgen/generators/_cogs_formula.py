"""Kernels that compose logical forms from the entities and events of a sentence.

An item is one row of integers. Entity: its kind, position, word, and the preposition that joins it
to the next entity, or -1. Event: EVENT, position, verb, number of roles, then role and filler (the
number of an item) of each. What is composed are numbers of pieces of text.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators import _cogs_pieces as piece
from synthgen.generators._cogs_clauses import CCOMP, XCOMP
from synthgen.generators._cogs_grammar import CODE, WORD_NAME

Items = NDArray[np.int64]
Parts = NDArray[np.int32]

EVENT, COMMON, DEFINITE, NAMED = range(4)
_WORD_NOUN, _WORD_TRANSITIVE = CODE["word_noun"], CODE["word_transitive"]
_WORD_UNACCUSATIVE = CODE["word_unaccusative"]


@lent
def _put(parts: Parts, at: Int, *pieces: Int) -> Int:
    for part in pieces:
        parts[at] = part
        at += 1
    return at


@lent
def word_formula(parts: Parts, at: Int, rule: Int, word: Int) -> Int:
    """Compose the logical form of a single word at `at` and return where it ends."""
    if rule == WORD_NAME:
        return _put(parts, at, word)
    if rule == _WORD_NOUN:
        return _put(parts, at, piece.LAMBDA_A, word, piece.OF_A)
    if rule == _WORD_TRANSITIVE:
        at = _put(parts, at, piece.LAMBDA_A, piece.LAMBDA_B, piece.LAMBDA_E)
        at = _put(parts, at, word, piece.AGENT_OF_B, piece.AND)
        return _put(parts, at, word, piece.THEME_OF_A)
    role = piece.THEME_OF_A if rule == _WORD_UNACCUSATIVE else piece.AGENT_OF_A
    return _put(parts, _put(parts, at, piece.LAMBDA_A, piece.LAMBDA_E, word), role)


@lent
def formula(parts: Parts, at: Int, items: Items, words: Int) -> Int:
    """Compose the published form at `at` and return where it ends.

    Args:
        parts: to fill.
        at: where to begin.
        items: of the sentence.
        words: number of the first word as logical forms have it.
    """
    for item in range(len(items)):
        if items[item, 0] == DEFINITE:
            number = piece.FIRST_NUMBER + items[item, 1]
            at = _put(parts, at, piece.STAR, words + items[item, 2], piece.OPEN_VARIABLE)
            at = _put(parts, at, number, piece.NEXT)
    for item in range(len(items)):
        kind, word = items[item, 0], words + items[item, 2]
        number = piece.FIRST_NUMBER + items[item, 1]
        if kind == EVENT:
            for place in range(4, 4 + 2 * items[item, 3], 2):
                at = _put(parts, at, word, piece.FIRST_ROLE + items[item, place], number)
                at = _filler(parts, at, items[items[item, place + 1]], words)
            continue
        if kind == COMMON:
            at = _put(parts, at, word, piece.OPEN_VARIABLE, number, piece.CLOSE_AND)
        preposition = items[item, 3]
        if preposition >= 0:
            at = _put(parts, at, word, piece.FIRST_NMOD + preposition, number)
            at = _filler(parts, at, items[item + 1], words)
    parts[at - 1] = piece.CLOSE
    return at


@lent
def _filler(parts: Parts, at: Int, item: NDArray[np.int64], words: Int) -> Int:
    """Compose the second argument of a conjunct, and what joins it to the next conjunct."""
    if item[0] == NAMED:
        return _put(parts, at, piece.COMMA, words + item[2], piece.CLOSE_AND)
    number = piece.FIRST_NUMBER + item[1]
    return _put(parts, at, piece.COMMA_VARIABLE, number, piece.CLOSE_AND)


@lent
def free_formula(parts: Parts, at: Int, items: Items, words: Int) -> Int:
    """Compose the variable-free form at `at` and return where it ends; arguments as `formula`."""
    event: Int = 0
    while items[event, 0] != EVENT:
        event += 1
    open_events = 0
    while event >= 0:
        open_events += 1
        at = _put(parts, at, words + items[event, 2], piece.OPEN)
        inside: Int = -1
        for place in range(4, 4 + 2 * items[event, 3], 2):
            role, filler = items[event, place], items[event, place + 1]
            if place > 4:
                at = _put(parts, at, piece.COMMA)
            at = _put(parts, at, piece.FIRST_FREE_ROLE + role)
            if role == CCOMP or role == XCOMP:
                inside = filler  # always the last role
            else:
                at = _entity(parts, at, items, filler, words)
        event = inside
    for _ in range(open_events):
        at = _put(parts, at, piece.CLOSE)
    return at


@lent
def _entity(parts: Parts, at: Int, items: Items, entity: Int, words: Int) -> Int:
    """Compose an entity with those that its prepositional phrases join to it."""
    open_phrases = 0
    while True:
        if items[entity, 0] == DEFINITE:
            at = _put(parts, at, piece.STAR)
        at = _put(parts, at, words + items[entity, 2])
        preposition = items[entity, 3]
        if preposition < 0:
            break
        at = _put(parts, at, piece.FIRST_FREE_NMOD + preposition)
        open_phrases += 1
        entity += 1
    for _ in range(open_phrases):
        at = _put(parts, at, piece.CLOSE)
    return at
