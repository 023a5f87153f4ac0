"""Compiled reading of prompts for writers: where topic and names stand, and what the limit is.

All constant texts are in one table, group by group; `bases` say where each group begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.byte_spans import find_byte, same_bytes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._prompt_forms import LIMIT_SLOT, LIST_SLOT, TOPIC_SLOT, Bytes

Ints = NDArray[np.int64]
MOST_SKILLS = 12
FORM_TEXTS, LIMIT_TEXTS, PIECES, COUNTS, ENDINGS, NAMES, FORBIDDEN, ITEMS, N_GROUPS = range(9)
"""Groups of constant texts: of the forms, of the limit, of the JSON, what stands between its lists
and at its end for each limit, names that have a checker, what is forbidden and the item of each."""

TOPIC, NAMED = 0, 1
"""Rows of a table of spans, int64 (MOST_SKILLS + 1, 2): the topic's and the first name's."""
_LINE_FEED, _COLON, _SPACE, _QUOTE, _BACKSLASH = (ord(char) for char in '\n: "\\')
_COMMA, _DOT, _DASH = (ord(char) for char in ",.-")
_LAST_PLAIN = ord("~")


@lent
def past(text: Bytes, at: Int, end: Int, data: Bytes, ends: Ints, number: Int) -> Int:
    """Return where a constant text ends that stands at `at`; -1 if it does not, or `at` is -1."""
    start = ends[number]
    return past_equal(text, at, end, data, start, ends[number + 1] - start)


@lent
def past_equal(text: Bytes, at: Int, end: Int, source: Bytes, start: Int, length: Int) -> Int:
    """Return where a stretch of `source` ends that stands at `at` of `text`, else -1."""
    if at < 0 or end - at < length or not same_bytes(text, at, source, start, length):
        return np.int64(-1)
    return at + length


@lent
def read_prompt(
    text: Bytes,
    at: Int,
    end: Int,
    slots: Ints,
    first: Int,
    last: Int,
    data: Bytes,
    ends: Ints,
    bases: Ints,
    spans: Ints,
) -> tuple[Int, Int]:
    """Read a prompt of one form; return how many skills and sentences it has, or zeros.

    Where the topic and the names stand is written to `spans`.
    """
    nothing: tuple[Int, Int] = (np.int64(0), np.int64(0))
    k, limit = nothing
    for number in range(first, last):
        at = past(text, at, end, data, ends, number)
        if at < 0:
            return nothing
        if slots[number] == TOPIC_SLOT:
            spans[TOPIC, 0] = at
            while at < end and text[at] not in (_DOT, _COMMA, _LINE_FEED):
                at += 1
            spans[TOPIC, 1] = at
            if at == spans[TOPIC, 0]:
                return nothing
        elif slots[number] == LIMIT_SLOT:
            behind: Int = np.int64(-1)
            while behind < 0:
                if bases[LIMIT_TEXTS] + limit == bases[LIMIT_TEXTS + 1]:
                    return nothing
                behind = past(text, at, end, data, ends, bases[LIMIT_TEXTS] + limit)
                limit += 1
            at = behind
        elif slots[number] == LIST_SLOT:
            k, at = _read_list(text, at, end, spans)
    return (k, limit) if at == end else nothing


@lent
def _read_list(text: Bytes, at: Int, end: Int, spans: Ints) -> tuple[Int, Int]:
    """Read lines that begin with a dash; return how many there are, or 0, and where they end."""
    k: Int = np.int64(0)
    while end - at > 3 and text[at] == _LINE_FEED and text[at + 1] == _DASH:
        if text[at + 2] != _SPACE or k == MOST_SKILLS:
            return np.int64(0), at
        at += 3
        start = at
        while at < end and text[at] != _COLON and text[at] != _LINE_FEED:
            at += 1
        spans[NAMED + k, 0], spans[NAMED + k, 1] = start, at
        for other in range(k):
            low, length = spans[NAMED + other, 0], at - start
            same_length = spans[NAMED + other, 1] - low == length
            if same_length and same_bytes(text, start, text, low, length):
                return np.int64(0), at
        if start == at:
            return np.int64(0), at
        at += find_byte(text, _LINE_FEED, at, end - at)
        k += 1
    return k, at


@lent
def is_plain(text: Bytes, start: Int, end: Int) -> bool:
    """Say whether a stretch is printable ASCII that JSON writes as it is."""
    for at in range(np.uintp(start), np.uintp(end)):  # unsigned: no index from the end
        byte = text[at]
        if byte < _SPACE or byte > _LAST_PLAIN or byte == _QUOTE or byte == _BACKSLASH:
            return False
    return True
