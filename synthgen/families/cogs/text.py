"""Rendering of COGS derivations: the sentence, and the logical form composed along with it.

A derivation is read from its root: each noun phrase becomes an entity and each verb an event at the
position of its word, and an event takes the entities of its clause as the fillers of its roles.
Kernels compose texts as numbers of pieces; one loop then copies the bytes of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, longest_row, offsets_of, text_column
from synthgen.core.kernels import Int, jit, kernel
from synthgen.families.cogs import grammar
from synthgen.families.cogs.grammar import PLACES, VERB_PHRASES, WORD_FORMS
from synthgen.trees.derivations import Codes

_ROLES = ("agent", "theme", "recipient", "ccomp", "xcomp")
_WORD_PARTS = tuple(
    dict.fromkeys(part for form in WORD_FORMS.values() for part in form.split("{}"))
)
_FIXED = (
    *("The ", "A ", "was ", "that ", "to ", "by ", "."),
    *("* ", " ( x _ ", " ) ; ", " ) AND ", " )", " , x _ ", " , ", " ( "),
    *(f"{place} " for place in PLACES),
    *(f" . {role} ( x _ " for role in _ROLES),
    *(f"{role} = " for role in _ROLES),
    *(f" . nmod . {place} ( x _ " for place in PLACES),
    *(f" ( nmod . {place} = " for place in PLACES),
    *_WORD_PARTS,
)
_PIECE = {text: place for place, text in enumerate(_FIXED)}
# As numbers of numpy, as a kernel is compiled again for every literal of Python.
_BIG_THE, _BIG_A, _WAS, _THAT, _TO, _BY, _STOP = np.arange(7)
_STAR, _VARIABLE, _NEXT, _CLOSE_AND, _CLOSE, _COMMA_VARIABLE, _COMMA, _OPEN = np.arange(7, 15)
_FIRST_PLACE, _FIRST_ROLE, _FIRST_FREE_ROLE = (
    _PIECE[text] for text in ("on ", " . agent ( x _ ", "agent = ")
)
_FIRST_NMOD, _FIRST_FREE_NMOD = _PIECE[" . nmod . on ( x _ "], _PIECE[" ( nmod . on = "]
_FIRST_NUMBER = len(_FIXED)
_NUMBERS = 1024
"""Positions in a sentence, more than it may have."""
_FIRST_SURFACE = _FIRST_NUMBER + _NUMBERS


class Pieces(NamedTuple):
    """The table of pieces: fixed ones, numbers, words in sentences, words in logical forms.

    Attributes:
        data: uint8, all texts end to end.
        offsets: int64 (pieces + 1,).
        formula: number of the first symbol as logical forms have it.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    formula: int


def text_pieces(surfaces: Sequence[str], formulas: Sequence[str]) -> Pieces:
    """Return the table for the symbols of a signature."""
    texts = [*_FIXED, *map(str, range(_NUMBERS)), *(f"{word} " for word in surfaces), *formulas]
    encoded = [text.encode() for text in texts]
    return Pieces(
        data=np.frombuffer(b"".join(encoded), np.uint8),
        offsets=offsets_of(np.array([len(text) for text in encoded])),
        formula=_FIRST_SURFACE + len(surfaces),
    )


def sentence_texts(
    derivations: Ragged, pieces: Pieces, *, variable_free: bool
) -> tuple[pa.StringArray, pa.StringArray]:
    """Render every derivation as its sentence and its logical form."""
    sentences, formulas = _compose(
        derivations.values, derivations.offsets, pieces.formula, variable_free
    )
    return text_column(*_join(*sentences, pieces)), text_column(*_join(*formulas, pieces))


_SUBJECT_ROLE = np.full(len(grammar.RULES), -1, np.int64)
_OBJECTS = np.zeros(len(grammar.RULES), np.int64)
"""Number of noun phrases after the verb."""
_OBJECT_ROLE = np.full((len(grammar.RULES), 2), -1, np.int64)
_OBJECT_LINK = np.full((len(grammar.RULES), 2), -1, np.int64)
"""Piece of the function word before each of them, or -1."""
for _name, _phrases in VERB_PHRASES.items():
    _code, (_subject, *_objects) = grammar.CODE[_name], _phrases.split()
    _SUBJECT_ROLE[_code], _OBJECTS[_code] = _ROLES.index(_subject), len(_objects)
    for _place, _phrase in enumerate(_objects):
        *_link, _role = _phrase.split(":")
        _OBJECT_ROLE[_code, _place] = _ROLES.index(_role)
        _OBJECT_LINK[_code, _place] = _PIECE[f"{_link[0]} "] if _link else -1
_WORD_PIECES = np.full((len(WORD_FORMS), 3), -1, np.int64)
"""Pieces before, between and after the occurrences of a single word in its logical form, or -1."""
for _place, _form in enumerate(WORD_FORMS.values()):
    for _index, _part in enumerate(_form.split("{}")):
        _WORD_PIECES[_place, _index] = _PIECE[_part]
_AGENT, _, _, _CCOMP, _XCOMP = np.arange(len(_ROLES))

# Columns of the items of a sentence, in the order of their words. Entity: its kind, position,
# symbol, and the preposition that joins it to the next entity, or -1. Event: EVENT, position, verb,
# number of roles, then for each of up to three its role and its filler (the number of an item).
_KIND, _POSITION, _SYMBOL, _JOINT, _N_ROLES, _FIRST_FILLER = 0, 1, 2, 3, 3, 4
_EVENT, _COMMON, _DEFINITE, _NAMED = range(4)
_WIDTH = 10
_MOST_PIECES = 6
"""Of a logical form, for each symbol of its derivation."""
_NODE, _PLACE, _ITEM, _SENTENCE_END, _FORMULA_END = range(5)
"""Counters of a reader."""


class _Reader(NamedTuple):
    """What rendering moves along.

    Attributes:
        tree: codes of all derivations.
        items: of the sentence, int64 (m, _WIDTH).
        sentences, formulas: pieces of all texts, int32.
        counters: next symbol of the derivation, position of the next word, next item, and ends of
            the pieces of sentences and formulas.
    """

    tree: Codes
    items: NDArray[np.int64]
    sentences: NDArray[np.int32]
    formulas: NDArray[np.int32]
    counters: NDArray[np.int64]


_Parts = tuple[NDArray[np.int32], NDArray[np.int64]]
"""Pieces of all texts, and where each text begins and the last one ends."""


@jit
def _compose(
    codes: Codes, offsets: NDArray[np.int64], words: Int, variable_free: bool
) -> tuple[_Parts, _Parts]:
    """Compose all texts; `words` is the number of the first symbol as logical forms have it."""
    n = len(offsets) - 1
    reader = _Reader(
        codes,
        np.empty((longest_row(offsets), _WIDTH), np.int64),
        np.empty(2 * len(codes) + n, np.int32),
        np.empty(_MOST_PIECES * len(codes), np.int32),
        np.zeros(5, np.int64),
    )
    counters = reader.counters
    sentence_offsets, formula_offsets = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    for i in range(n):
        counters[_NODE] = offsets[i]
        counters[_PLACE] = counters[_ITEM] = 0
        if grammar.FIRST_WORD_RULE <= codes[offsets[i]] <= grammar.LAST_WORD_RULE:
            _compose_word(reader, words)
        else:
            _read_sentence(reader)
            if variable_free:
                _compose_free(reader, words)
            else:
                _compose_original(reader, words)
        sentence_offsets[i + 1] = counters[_SENTENCE_END]
        formula_offsets[i + 1] = counters[_FORMULA_END]
    return (reader.sentences, sentence_offsets), (reader.formulas, formula_offsets)


@kernel
def _say(reader: _Reader, piece: Int) -> None:
    """Append one word to the sentence."""
    counters = reader.counters
    reader.sentences[counters[_SENTENCE_END]] = piece
    counters[_SENTENCE_END] += 1
    counters[_PLACE] += 1


@kernel
def _put(reader: _Reader, piece: Int) -> None:
    """Append one piece to the logical form."""
    counters = reader.counters
    reader.formulas[counters[_FORMULA_END]] = piece
    counters[_FORMULA_END] += 1


@kernel
def _read_sentence(reader: _Reader) -> None:
    """Write the words of the sentence, and collect its entities and events."""
    tree, counters = reader.tree, reader.counters
    above: Int = np.int64(-1)
    while True:
        passive = tree[counters[_NODE]] == grammar.S_PASSIVE
        counters[_NODE] += 1
        subject = _read_phrase(reader)
        if passive:
            _say(reader, _WAS)
        rule = np.int64(tree[counters[_NODE]])
        counters[_NODE] += 1
        event = _read_verb(reader)
        if above >= 0:
            _add_role(reader, above, _CCOMP, event)
        _add_role(reader, event, _SUBJECT_ROLE[rule], subject)
        if rule != grammar.VP_CP:
            break
        _say(reader, _THAT)
        above = event
    if rule == grammar.VP_INF:
        _say(reader, _TO)
        infinitive = _read_verb(reader)
        _add_role(reader, event, _XCOMP, infinitive)
        _add_role(reader, infinitive, _AGENT, subject)
    for place in range(_OBJECTS[rule]):
        link = _OBJECT_LINK[rule, place]
        if link >= 0:
            _say(reader, link)
        _add_role(reader, event, _OBJECT_ROLE[rule, place], _read_phrase(reader))
    _say(reader, _STOP)


@kernel
def _read_verb(reader: _Reader) -> Int:
    """Read the verb that comes next as a word and as an event; return the event's item."""
    counters = reader.counters
    item: Int = counters[_ITEM]
    event, verb = reader.items[item], np.int64(reader.tree[counters[_NODE]])
    event[_KIND], event[_POSITION], event[_SYMBOL] = _EVENT, counters[_PLACE], verb
    event[_N_ROLES] = 0
    counters[_ITEM] += 1
    counters[_NODE] += 1
    _say(reader, _FIRST_SURFACE + verb)
    return item


@kernel
def _add_role(reader: _Reader, event: Int, role: Int, filler: Int) -> None:
    item = reader.items[event]
    place = _FIRST_FILLER + 2 * item[_N_ROLES]
    item[place], item[place + 1] = role, filler
    item[_N_ROLES] += 1


@kernel
def _read_phrase(reader: _Reader) -> Int:
    """Read the noun phrase that comes next; return the item of its head, its first entity."""
    tree, counters = reader.tree, reader.counters
    head: Int = counters[_ITEM]
    while True:
        node, item = counters[_NODE], reader.items[counters[_ITEM]]
        rule, first = tree[node], np.int64(tree[node + 1])
        counters[_ITEM] += 1
        item[_JOINT] = -1
        if rule == grammar.NP_NAME:
            item[_KIND], item[_POSITION], item[_SYMBOL] = _NAMED, counters[_PLACE], first
            _say(reader, _FIRST_SURFACE + first)
            counters[_NODE] = node + 2
            return head
        is_definite = first == grammar.THE
        article = _FIRST_SURFACE + first
        if counters[_PLACE] == 0:
            article = np.int64(_BIG_THE if is_definite else _BIG_A)
        _say(reader, article)
        noun = np.int64(tree[node + 2])
        item[_KIND] = _DEFINITE if is_definite else _COMMON
        item[_POSITION], item[_SYMBOL] = counters[_PLACE], noun
        _say(reader, _FIRST_SURFACE + noun)
        counters[_NODE] = node + 3
        if rule != grammar.NP_DET_PP:
            return head
        item[_JOINT] = np.int64(tree[node + 3]) - grammar.FIRST_PP
        _say(reader, _FIRST_PLACE + item[_JOINT])
        counters[_NODE] = node + 4


@kernel
def _compose_word(reader: _Reader, words: Int) -> None:
    """Write a single word and its logical form."""
    node = reader.counters[_NODE]
    rule, word = (
        np.int64(reader.tree[node]) - grammar.FIRST_WORD_RULE,
        np.int64(reader.tree[node + 1]),
    )
    _say(reader, words + word)  # without the space after a word
    _put(reader, _WORD_PIECES[rule, 0])
    for place in range(1, 3):
        if _WORD_PIECES[rule, place] >= 0:
            _put(reader, words + word)
            _put(reader, _WORD_PIECES[rule, place])


@kernel
def _compose_original(reader: _Reader, words: Int) -> None:
    """Compose the published form of the sentence that was read."""
    items, count = reader.items, reader.counters[_ITEM]
    for place in range(count):
        item = items[place]
        if item[_KIND] == _DEFINITE:
            _put(reader, _STAR)
            _put_variable(reader, words + item[_SYMBOL], _VARIABLE, item[_POSITION])
            _put(reader, _NEXT)
    for place in range(count):
        item = items[place]
        symbol, position = words + item[_SYMBOL], item[_POSITION]
        if item[_KIND] == _EVENT:
            end = _FIRST_FILLER + 2 * item[_N_ROLES]
            for role in range(_FIRST_FILLER, end, 2):
                _put_variable(reader, symbol, _FIRST_ROLE + item[role], position)
                _put_filler(reader, items[item[role + 1]], words)
            continue
        if item[_KIND] == _COMMON:
            _put_variable(reader, symbol, _VARIABLE, position)
            _put(reader, _CLOSE_AND)
        if item[_JOINT] >= 0:
            _put_variable(reader, symbol, _FIRST_NMOD + item[_JOINT], position)
            _put_filler(reader, items[place + 1], words)
    reader.formulas[reader.counters[_FORMULA_END] - 1] = _CLOSE


@kernel
def _put_variable(reader: _Reader, symbol: Int, opening: Int, position: Int) -> None:
    """Append a predicate and its first argument, the variable of a position."""
    _put(reader, symbol)
    _put(reader, opening)
    _put(reader, _FIRST_NUMBER + position)


@kernel
def _put_filler(reader: _Reader, item: NDArray[np.int64], words: Int) -> None:
    """Append the second argument of a conjunct, and what joins it to the next conjunct."""
    if item[_KIND] == _NAMED:
        _put(reader, _COMMA)
        _put(reader, words + item[_SYMBOL])
    else:
        _put(reader, _COMMA_VARIABLE)
        _put(reader, _FIRST_NUMBER + item[_POSITION])
    _put(reader, _CLOSE_AND)


@kernel
def _compose_free(reader: _Reader, words: Int) -> None:
    """Compose the variable-free form of the sentence that was read."""
    items = reader.items
    event: Int = np.int64(0)
    while items[event, _KIND] != _EVENT:
        event += 1
    open_events = 0
    while event >= 0:
        item = items[event]
        open_events += 1
        _put(reader, words + item[_SYMBOL])
        _put(reader, _OPEN)
        inside: Int = np.int64(-1)
        for place in range(_FIRST_FILLER, _FIRST_FILLER + 2 * item[_N_ROLES], 2):
            role, filler = item[place], item[place + 1]
            if place > _FIRST_FILLER:
                _put(reader, _COMMA)
            _put(reader, _FIRST_FREE_ROLE + role)
            if role == _CCOMP or role == _XCOMP:
                inside = filler  # always the last role
            else:
                _put_entity(reader, filler, words)
        event = inside
    for _ in range(open_events):
        _put(reader, _CLOSE)


@kernel
def _put_entity(reader: _Reader, entity: Int, words: Int) -> None:
    """Append an entity with those that its prepositional phrases join to it."""
    open_phrases = 0
    while True:
        item = reader.items[entity]
        if item[_KIND] == _DEFINITE:
            _put(reader, _STAR)
        _put(reader, words + item[_SYMBOL])
        if item[_JOINT] < 0:
            break
        _put(reader, _FIRST_FREE_NMOD + item[_JOINT])
        open_phrases += 1
        entity += 1
    for _ in range(open_phrases):
        _put(reader, _CLOSE)


@jit
def _join(
    parts: NDArray[np.int32], offsets: NDArray[np.int64], pieces: Pieces
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the bytes of all texts, and where each begins."""
    text_offsets = np.zeros(len(offsets), np.int64)
    total = 0
    for i in range(len(offsets) - 1):
        for place in range(offsets[i], offsets[i + 1]):
            part = parts[place]
            total += pieces.offsets[part + 1] - pieces.offsets[part]
        text_offsets[i + 1] = total
    out = np.empty(total, np.uint8)
    at = 0
    for place in range(offsets[-1]):
        part = parts[place]
        for byte in range(pieces.offsets[part], pieces.offsets[part + 1]):
            out[at] = pieces.data[byte]
            at += 1
    return out, text_offsets
