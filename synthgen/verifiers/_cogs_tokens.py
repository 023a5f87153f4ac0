"""Words of a COGS input: the compiled tokeniser, and the table in which it looks words up.

A word of up to 16 letters is packed into two numbers and found by open addressing. What is not in
the table can be a noun or a name, by its letters.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._cogs_verbs import verb_forms

Bytes = NDArray[np.uint8]

USES = "nuotdcibpqwyz"
USE = {letter: 1 << place for place, letter in enumerate(USES)}
FUNCTION_WORDS = ("A", "The", "a", "the", "was", "to", "by", "that", "on", "in", "beside", ".")
"""Their numbers are their places; those of verb forms follow."""
UNKNOWN = -1
WRONG, LOWER, UPPER, CAPITALISED = range(4)
"""Shapes of words: not only letters, all small, all capital, only the first one capital."""
LONGEST_INPUT = 1 << 16
"""Bytes; anything longer is refused."""
_LONGEST_WORD = 64
_PACKED = 16
_SLOTS = 2048
_EMPTY = -1
_FACTOR_1, _FACTOR_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT, _EIGHT = np.uint64(53), np.uint64(8)
_SPACE = ord(" ")
_SMALL_A, _SMALL_Z, _BIG_A, _BIG_Z = (ord(char) for char in "azAZ")


class Table(NamedTuple):
    """Known words.

    Attributes:
        slots: int64 (_SLOTS,), number of the word there, or _EMPTY.
        packed: uint64 (words, 2).
        uses: int64 (words,), one bit for each letter of USES.
        bases: uint8, bases of all words end to end.
        base_offsets: int64 (words + 1,).
    """

    slots: NDArray[np.int64]
    packed: NDArray[np.uint64]
    uses: NDArray[np.int64]
    bases: Bytes
    base_offsets: NDArray[np.int64]


class Tokens(NamedTuple):
    """Room for the words of one input.

    Attributes:
        starts, ends: where each word stands, int64 (m,).
        words: number in the table, or UNKNOWN, int64 (m,).
        shapes: int64 (m,).
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: NDArray[np.int64]
    shapes: NDArray[np.int64]


def room_for(tokens: int) -> Tokens:
    """Return room for so many words."""
    return Tokens(*(np.empty(tokens, np.int64) for _ in range(4)))


@cache
def word_table() -> Table:
    """Return the table of function words and verb forms."""
    forms = verb_forms()
    words = [*FUNCTION_WORDS, *forms]
    bases = [*("" for _ in FUNCTION_WORDS), *(base for base, _ in forms.values())]
    uses = [*("" for _ in FUNCTION_WORDS), *(letters for _, letters in forms.values())]
    packed = np.zeros((len(words), 2), np.uint64)
    slots = np.full(_SLOTS, _EMPTY, np.int64)
    for number, word in enumerate(words):
        letters = np.frombuffer(word.encode(), np.uint8)
        high, low = _pack(letters, 0, len(letters))
        packed[number] = high, low
        slot = int(_slot(high, low))
        while slots[slot] != _EMPTY:
            slot = (slot + 1) % _SLOTS
        slots[slot] = number
    return Table(
        slots=slots,
        packed=packed,
        uses=np.array([sum(USE[letter] for letter in group) for group in uses], np.int64),
        bases=np.frombuffer("".join(bases).encode(), np.uint8),
        base_offsets=np.cumsum([0, *(len(base) for base in bases)]),
    )


@lent
def _pack(text: Bytes, start: Int, end: Int) -> tuple[np.uint64, np.uint64]:
    """Return the bytes text[start:end], at most 16 of them, as two numbers."""
    high, low = np.uint64(0), np.uint64(0)
    for at in range(start, end):
        if at - start < 8:
            high = (high << _EIGHT) | np.uint64(text[at])
        else:
            low = (low << _EIGHT) | np.uint64(text[at])
    return high, low


@lent
def _slot(high: np.uint64, low: np.uint64) -> Int:
    return np.int64(((high * _FACTOR_1) ^ (low * _FACTOR_2)) * _FACTOR_1 >> _SHIFT)


@lent
def _number(
    slots: NDArray[np.int64], packed: NDArray[np.uint64], text: Bytes, start: Int, end: Int
) -> Int:
    """Return the number of a word in the table, or UNKNOWN."""
    if end - start > _PACKED:
        return UNKNOWN
    high, low = _pack(text, start, end)
    slot = _slot(high, low)
    while slots[slot] != _EMPTY:
        number: Int = slots[slot]
        if packed[number, 0] == high and packed[number, 1] == low:
            return number
        slot = (slot + 1) % _SLOTS
    return UNKNOWN


@lent
def _shape(text: Bytes, start: Int, end: Int) -> Int:
    small, big = 0, 0
    for at in range(start, end):
        small += _SMALL_A <= text[at] <= _SMALL_Z
        big += _BIG_A <= text[at] <= _BIG_Z
    if small + big < end - start or end - start > _LONGEST_WORD:
        return WRONG
    if big == 0:
        return LOWER
    if small == 0:
        return UPPER
    return CAPITALISED if big == 1 and _BIG_A <= text[start] <= _BIG_Z else WRONG


@lent
def split_words(table: Table, text: Bytes, start: Int, end: Int, tokens: Tokens) -> Int:
    """Split text[start:end] at single spaces and look every word up; return their number.

    Text that is empty, too long or has a space too many has 0 words.
    """
    if end <= start or end - start > LONGEST_INPUT:
        return 0
    slots, packed = table.slots, table.packed
    starts, ends, words, shapes = tokens
    count = 0
    begin = start
    for at in range(start, end + 1):
        if at < end and text[at] != _SPACE:
            continue
        if at == begin:
            return 0
        starts[count], ends[count] = begin, at
        words[count] = _number(slots, packed, text, begin, at)
        shapes[count] = _shape(text, begin, at)
        count += 1
        begin = at + 1
    return count
