"""Compiled comparison of a text with what it must be, piece by piece, without writing that down.

Every function takes the place up to which the text was right and returns the next one, or WRONG
from the first difference on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._cogs_parse import FORMS, Meanings
from synthgen.verifiers._cogs_tokens import UPPER, Bytes, Table, Tokens

WRONG = -1
PHRASES = (
    *("* ", " ( x _ ", " ) ; ", " , x _ ", " , ", " )", " . nmod . ", " AND ", " ( "),
    *(f" . {role} ( x _ " for role in ("agent", "theme", "recipient", "ccomp", "xcomp")),
    *(f"{role} = " for role in ("agent", "theme", "recipient", "ccomp", "xcomp")),
    *(" ( nmod . ", " = ", ")", "(S_active ", "(S_passive ", " ", "the ", "a "),
    *("(NP_name ", "(NP_det ", "(NP_det_pp ", " (PP_"),
    *(f" (VP_{form} " for form in FORMS),
    *("LAMBDA a . ", "LAMBDA b . ", "LAMBDA e . ", " ( a )", " . agent ( e , a )"),
    *(" . agent ( e , b )", " . theme ( e , a )"),
    *(f"(word_{kind} " for kind in ("name", "noun", "unergative", "unaccusative", "transitive")),
)
"""Fixed phrases of all texts that are compared."""
PLACE = {phrase: place for place, phrase in enumerate(PHRASES)}
"""Number of each phrase."""
_ZERO, _TO_SMALL = ord("0"), 32


class Phrases(NamedTuple):
    """The fixed phrases: uint8 end to end, and their offsets, int64 (phrases + 1,)."""

    data: Bytes
    offsets: NDArray[np.int64]


class Expected(NamedTuple):
    """What a text is compared with.

    Attributes:
        phrases: the fixed ones.
        table: of known words.
        text: bytes in which the input stands.
        tokens, meanings: of the input.
    """

    phrases: Phrases
    table: Table
    text: Bytes
    tokens: Tokens
    meanings: Meanings


def phrase_table() -> Phrases:
    """Return the fixed phrases."""
    data = np.frombuffer("".join(PHRASES).encode(), np.uint8)
    return Phrases(data, np.cumsum([0, *(len(phrase) for phrase in PHRASES)]))


@lent
def same(given: Bytes, at: Int, end: Int, data: Bytes, start: Int, stop: Int) -> Int:
    if at == WRONG or end - at < stop - start:
        return WRONG
    for place in range(stop - start):
        if given[at + place] != data[start + place]:
            return WRONG
    return at + stop - start


@lent
def same_phrase(phrases: Phrases, given: Bytes, at: Int, end: Int, phrase: Int) -> Int:
    start, stop = phrases.offsets[phrase], phrases.offsets[phrase + 1]
    return same(given, at, end, phrases.data, start, stop)


@lent
def same_number(given: Bytes, at: Int, end: Int, value: Int) -> Int:
    """Compare with a number in decimal."""
    power = 1
    while value // power >= 10:
        power *= 10
    while power > 0:
        if at == WRONG or at >= end or given[at] != _ZERO + value // power % 10:
            return WRONG
        at += 1
        power //= 10
    return at


@lent
def same_token(expected: Expected, given: Bytes, at: Int, end: Int, token: Int) -> Int:
    """Compare with a word as it stands in the input."""
    start, stop = expected.tokens.starts[token], expected.tokens.ends[token]
    return same(given, at, end, expected.text, start, stop)


@lent
def same_symbol(expected: Expected, given: Bytes, at: Int, end: Int, token: Int) -> Int:
    """Compare with a word as logical forms have it: verbs as their base, nouns in small letters."""
    tokens, table = expected.tokens, expected.table
    if tokens.words[token] >= 0:
        number = tokens.words[token]
        start, stop = table.base_offsets[number], table.base_offsets[number + 1]
        return same(given, at, end, table.bases, start, stop)
    if tokens.shapes[token] != UPPER:
        return same_token(expected, given, at, end, token)
    for place in range(tokens.starts[token], tokens.ends[token]):
        if at == WRONG or at >= end or given[at] != expected.text[place] + _TO_SMALL:
            return WRONG
        at += 1
    return at
