"""Kernel that reads COGS derivations: the sentence, and the logical form composed along it.

A derivation is read from its root: each noun phrase becomes an entity and each verb an event at the
place of its word, and an event takes the entities of its clause as the fillers of its roles.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.generators import _cogs_clauses as clause
from synthgen.generators import _cogs_pieces as piece
from synthgen.generators._cogs_formula import (
    COMMON,
    DEFINITE,
    EVENT,
    NAMED,
    Items,
    Parts,
    formula,
    free_formula,
    word_formula,
)
from synthgen.generators._cogs_grammar import (
    FIRST_PP,
    FIRST_WORD_RULE,
    LAST_WORD_RULE,
    NP_DET_PP,
    NP_NAME,
    S_PASSIVE,
    THE,
    VP_CP,
    VP_INF,
)
from synthgen.generators._cogs_pieces import Pieces, joined

_PARTS = 6
"""Most pieces of a logical form for each symbol of its derivation."""
# Counters that reading a derivation moves on: symbol, place in the parts, position, item.
_NODE, _AT, _POSITION, _ITEM = range(4)
Counters = NDArray[np.int64]


def sentence_texts(
    derivations: Ragged, pieces: Pieces, *, variable_free: bool
) -> tuple[pa.StringArray, pa.StringArray]:
    """Write every derivation as its sentence and its logical form."""
    sentences, sentence_offsets, formulas, formula_offsets = _compose(
        derivations.values, derivations.offsets, pieces.formula, int(variable_free)
    )
    return joined(sentences, sentence_offsets, pieces), joined(formulas, formula_offsets, pieces)


@njit(cache=True, nogil=True)
def _compose(
    codes: Codes, offsets: NDArray[np.int64], words: Int, variable_free: Int
) -> tuple[Parts, NDArray[np.int64], Parts, NDArray[np.int64]]:
    n = len(offsets) - 1
    sentences = np.empty(2 * len(codes) + n, np.int32)
    formulas = np.empty(_PARTS * len(codes), np.int32)
    sentence_offsets = np.zeros(n + 1, np.int64)
    formula_offsets = np.zeros(n + 1, np.int64)
    items = np.empty((longest_row(offsets), 10), np.int64)
    state = np.zeros(4, np.int64)
    end: Int = 0
    for i in range(n):
        tree = codes[offsets[i] : offsets[i + 1]]
        if FIRST_WORD_RULE <= tree[0] <= LAST_WORD_RULE:
            word = words + np.int64(tree[1])
            _put(sentences, state, word)
            end = word_formula(formulas, end, np.int64(tree[0]), word)
        else:
            _read_sentence(tree, sentences, state, items)
            noted = items[: state[_ITEM]]
            if variable_free:
                end = free_formula(formulas, end, noted, words)
            else:
                end = formula(formulas, end, noted, words)
        sentence_offsets[i + 1] = state[_AT]
        formula_offsets[i + 1] = end
    return sentences, sentence_offsets, formulas, formula_offsets


@lent
def _put(parts: Parts, state: Counters, part: Int) -> None:
    """Note one word of the sentence, and count it."""
    parts[state[_AT]] = part
    state[_AT] += 1
    state[_POSITION] += 1


@lent
def _read_sentence(tree: Codes, parts: Parts, state: Counters, items: Items) -> None:
    """Note the words of the sentence, and its entities and events in the order of their places."""
    state[_NODE] = state[_POSITION] = state[_ITEM] = 0
    above: Int = -1
    while True:
        passive = tree[state[_NODE]] == S_PASSIVE
        state[_NODE] += 1
        subject = _read_phrase(tree, parts, state, items)
        if passive:
            _put(parts, state, piece.WAS)
        rule = np.int64(tree[state[_NODE]])
        state[_NODE] += 1
        event = _read_verb(tree, parts, state, items)
        if above >= 0:
            _add_role(items, above, clause.CCOMP, event)
        _add_role(items, event, clause.SUBJECT_ROLE[rule], subject)
        if rule != VP_CP:
            break
        _put(parts, state, piece.THAT)
        above = event
    if rule == VP_INF:
        _put(parts, state, piece.TO)
        infinitive = _read_verb(tree, parts, state, items)
        _add_role(items, event, clause.XCOMP, infinitive)
        _add_role(items, infinitive, clause.AGENT, subject)
    for place in range(clause.PHRASES[rule]):
        link = clause.PHRASE_LINK[rule, place]
        if link != clause.NO_LINK:
            _put(parts, state, piece.BY if link == clause.BY else piece.TO)
        filler = _read_phrase(tree, parts, state, items)
        _add_role(items, event, clause.PHRASE_ROLE[rule, place], filler)
    _put(parts, state, piece.STOP)


@lent
def _read_verb(tree: Codes, parts: Parts, state: Counters, items: Items) -> Int:
    """Note the verb that comes next as a word and as an event; return the event's item."""
    item: Int = state[_ITEM]
    verb = np.int64(tree[state[_NODE]])
    items[item, 0], items[item, 1] = EVENT, state[_POSITION]
    items[item, 2], items[item, 3] = verb, 0
    state[_ITEM] += 1
    state[_NODE] += 1
    _put(parts, state, piece.FIRST_WORD + verb)
    return item


@lent
def _add_role(items: Items, event: Int, role: Int, filler: Int) -> None:
    place = 4 + 2 * items[event, 3]
    items[event, place] = role
    items[event, place + 1] = filler
    items[event, 3] += 1


@lent
def _read_phrase(tree: Codes, parts: Parts, state: Counters, items: Items) -> Int:
    """Note the noun phrase that comes next; return the item of its head, its first entity."""
    head: Int = state[_ITEM]
    while True:
        node, item = state[_NODE], state[_ITEM]
        rule, first = tree[node], np.int64(tree[node + 1])
        state[_ITEM] += 1
        items[item, 3] = -1
        if rule == NP_NAME:
            items[item, 0], items[item, 1], items[item, 2] = NAMED, state[_POSITION], first
            _put(parts, state, piece.FIRST_WORD + first)
            state[_NODE] = node + 2
            return head
        definite = first == THE
        if state[_POSITION] == 0:
            _put(parts, state, piece.CAPITAL_THE if definite else piece.CAPITAL_A)
        else:
            _put(parts, state, piece.FIRST_WORD + first)
        noun = np.int64(tree[node + 2])
        items[item, 0] = DEFINITE if definite else COMMON
        items[item, 1], items[item, 2] = state[_POSITION], noun
        _put(parts, state, piece.FIRST_WORD + noun)
        state[_NODE] = node + 3
        if rule != NP_DET_PP:
            return head
        preposition = np.int64(tree[node + 3]) - FIRST_PP
        items[item, 3] = preposition
        _put(parts, state, piece.FIRST_PREPOSITION + preposition)
        state[_NODE] = node + 4
