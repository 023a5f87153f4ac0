"""Reading SCAN commands: bytes to words, words to phrases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._scan_words import (
    AND,
    FACTOR,
    FOLLOWS,
    KINDS,
    LETTERS,
    LONGEST_WORD,
    N_SLOTS,
    NO_WORD,
    PATH,
    SLOTS,
    STARTS,
    TIME,
    TURN,
    VALUES,
    VERB,
    WAY,
)

Bytes = NDArray[np.uint8]
Parsed = NDArray[np.int64]
"""A row for each phrase of a command, with these fields. VERB_WORD is NO_WORD for turn and WAY_WORD
where there is no direction; PATH_ROW is a row of STEPS; LINK is the kind of the word before the
phrase; the others are places in the text: where it, its verb, and its last word but a repeat word
begin or end."""
VERB_WORD, PATH_ROW, WAY_WORD, N_TIMES, LINK, BEGIN, VERB_END, FORM_END, END = range(9)
N_FIELDS = 9
SHORTEST = 4
"""No more bytes than any phrase takes up with the word that joins it to the one before."""
_SPACE = np.uint8(32)


@lent
def read_command(text: Bytes, start: Int, end: Int, phrases: Parsed) -> Int:
    """Read text[start:end] into `phrases` and return how many there are, 0 if it is no command."""
    count = 0
    before: Int = AND
    at = start
    while at <= end:
        stop = at
        while stop < end and text[stop] != _SPACE:
            stop += 1
        word = _find_word(text, at, stop)
        if word == NO_WORD or not FOLLOWS[before, KINDS[word]]:
            return 0
        kind = KINDS[word]
        if kind == VERB or kind == TURN:
            phrase = phrases[count]
            phrase[VERB_WORD] = word if kind == VERB else NO_WORD
            phrase[PATH_ROW] = 0
            phrase[WAY_WORD] = NO_WORD
            phrase[N_TIMES] = 1
            phrase[LINK] = before
            phrase[BEGIN] = at
            phrase[VERB_END] = stop
            count += 1
        _take_word(phrases[count - 1], word, kind, stop)
        before = kind
        at = stop + 1
    return count if before == VERB or before == WAY or before == TIME else 0


@lent
def _take_word(phrase: NDArray[np.int64], word: Int, kind: Int, stop: Int) -> None:
    """Note a word that ends at `stop` in its phrase; a connective belongs to none."""
    if kind == WAY:
        phrase[WAY_WORD] = word
    elif kind == PATH:
        phrase[PATH_ROW] = VALUES[word]
    elif kind == TIME:
        phrase[N_TIMES] = VALUES[word]
    if kind < TIME:
        phrase[FORM_END] = stop
    if kind <= TIME:
        phrase[END] = stop


@lent
def _find_word(text: Bytes, start: Int, end: Int) -> Int:
    """Return the number of the word that text[start:end] is, or NO_WORD."""
    length = end - start
    if length == 0 or length > LONGEST_WORD:
        return NO_WORD
    slot: Int = 0
    for at in range(start, end):
        slot = (slot * FACTOR + np.int64(text[at])) % N_SLOTS
    while SLOTS[slot] != NO_WORD:
        word: Int = SLOTS[slot]
        if STARTS[word + 1] - STARTS[word] == length:
            same = 0
            while same < length and text[start + same] == LETTERS[STARTS[word] + same]:
                same += 1
            if same == length:
                return word
        slot = (slot + 1) % N_SLOTS
    return NO_WORD
