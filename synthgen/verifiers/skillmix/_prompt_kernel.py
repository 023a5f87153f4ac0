"""Compiled reading of prompts for writers, and comparison with the rubric that they ask for.

All constant texts are in one table, group by group; `Base` numbers say where each group begins.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.skillmix._prompt_forms import LIMIT_SLOT, LIST_SLOT, TOPIC_SLOT, Bytes

Ints = NDArray[np.int64]
MOST_SKILLS = 12
WRONG, RIGHT, UNDECIDED = range(3)
FORM_TEXTS, LIMIT_TEXTS, PIECES, COUNTS, ENDINGS, NAMES, CHECKERS, N_GROUPS = range(8)
"""Groups of constant texts: of the forms, of the limit, of the JSON, its numbers, its last item for
each limit, names that have a checker, and the checkers' ids."""

_TOPIC, _NAMED = 0, 1
_LINE_FEED, _COLON, _OPEN, _SPACE, _QUOTE, _BACKSLASH = (ord(char) for char in '\n:( "\\')
_COMMA, _DOT, _DASH = (ord(char) for char in ",.-")
_FNV, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@njit(cache=True, nogil=True)
def check_rubrics(
    prompts: Bytes,
    prompt_offsets: Ints,
    answers: Bytes,
    answer_offsets: Ints,
    slots: Ints,
    firsts: Ints,
    data: Bytes,
    ends: Ints,
    bases: Ints,
    places: Ints,
) -> NDArray[np.int8]:
    """Say of each row whether the answer is what the prompt asks for: WRONG, RIGHT, UNDECIDED.

    Args:
        prompts: bytes of the column.
        prompt_offsets: (n + 1,).
        answers: bytes of the column.
        answer_offsets: (n + 1,).
        slots: what stands behind each text of the forms.
        firsts: number of the first text of each form, (f + 1,).
        data: bytes of all constant texts.
        ends: their offsets.
        bases: first text of each group, (N_GROUPS,).
        places: hash table of names that have a checker; -1 is a free place.
    """
    n = len(prompt_offsets) - 1
    out = np.zeros(n, np.int8)
    spans = np.empty((MOST_SKILLS + 1, 2), np.int64)
    for i in range(n):
        start, end = prompt_offsets[i], prompt_offsets[i + 1]
        for form in range(len(firsts) - 1):
            if _past(prompts, start, end, data, ends, firsts[form]) < 0:
                continue
            k, limit = _read(
                prompts, start, end, slots, firsts[form], firsts[form + 1], data, ends, bases, spans
            )
            if k == 0 or limit != max(1, k - 1):
                break
            if not _is_plain(prompts, spans, k):
                out[i] = UNDECIDED
                break
            low, high = answer_offsets[i], answer_offsets[i + 1]
            at = _answer_end(
                prompts, spans, k, limit, answers, low, high, data, ends, bases, places
            )
            out[i] = RIGHT if at == high else WRONG
            break
    return out


@njit(cache=True, nogil=True)
def _past(text: Bytes, at: Int, end: Int, data: Bytes, ends: Ints, number: Int) -> Int:
    """Return where a constant text ends that stands at `at`; -1 if it does not, or `at` is -1."""
    start = ends[number]
    return _past_equal(text, at, end, data, start, ends[number + 1] - start)


@njit(cache=True, nogil=True)
def _past_equal(text: Bytes, at: Int, end: Int, source: Bytes, start: Int, length: Int) -> Int:
    """Return where a stretch of `source` ends that stands at `at` of `text`, else -1."""
    if at < 0 or end - at < length or (length and text[at] != source[start]):
        return np.int64(-1)
    left, right = np.uintp(at), np.uintp(start)  # unsigned: no index from the end to look for
    differing = np.uint8(0)
    for byte in range(np.uintp(length)):  # to the end, which is compiled to many bytes at a time
        differing |= text[left + byte] ^ source[right + byte]
    return at + length if differing == 0 else np.int64(-1)


@njit(cache=True, nogil=True)
def _read(
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
        at = _past(text, at, end, data, ends, number)
        if at < 0:
            return nothing
        if slots[number] == TOPIC_SLOT:
            spans[_TOPIC, 0] = at
            while at < end and text[at] not in (_DOT, _COMMA, _LINE_FEED):
                at += 1
            spans[_TOPIC, 1] = at
            if at == spans[_TOPIC, 0]:
                return nothing
        elif slots[number] == LIMIT_SLOT:
            behind: Int = np.int64(-1)
            while behind < 0:
                if bases[LIMIT_TEXTS] + limit == bases[LIMIT_TEXTS + 1]:
                    return nothing
                behind = _past(text, at, end, data, ends, bases[LIMIT_TEXTS] + limit)
                limit += 1
            at = behind
        elif slots[number] == LIST_SLOT:
            k, at = _read_list(text, at, end, spans)
    return (k, limit) if at == end else nothing


@njit(cache=True, nogil=True)
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
        spans[_NAMED + k, 0], spans[_NAMED + k, 1] = start, at
        for other in range(k):
            low, high = spans[_NAMED + other]
            if high - low == at - start and _past_equal(text, start, at, text, low, at - start) > 0:
                return np.int64(0), at
        if start == at:
            return np.int64(0), at
        while at < end and text[at] != _LINE_FEED:
            at += 1
        k += 1
    return k, at


@njit(cache=True, nogil=True)
def _is_plain(text: Bytes, spans: Ints, k: Int) -> bool:
    """Say whether topic and names are printable ASCII that JSON writes as it is."""
    for span in range(k + 1):
        for at in range(spans[span, 0], spans[span, 1]):
            byte = text[at]
            if byte < _SPACE or byte > 126 or byte == _QUOTE or byte == _BACKSLASH:
                return False
    return True


@njit(cache=True, nogil=True)
def _answer_end(
    text: Bytes,
    spans: Ints,
    k: Int,
    limit: Int,
    answers: Bytes,
    at: Int,
    end: Int,
    data: Bytes,
    ends: Ints,
    bases: Ints,
    places: Ints,
) -> Int:
    """Return where the rubric ends that begins at `at`; -1 if it is not the one asked for."""
    piece = bases[PIECES]
    at = _past(answers, at, end, data, ends, piece)
    for j in range(k):
        at = _past(answers, at, end, data, ends, piece + (1 if j else 2))
        at = _past_lower(answers, at, end, text, spans[_NAMED + j, 0], spans[_NAMED + j, 1])
    at = _past(answers, at, end, data, ends, piece + 3)
    at = _past(answers, at, end, data, ends, bases[COUNTS] + limit - 1)
    at = _past(answers, at, end, data, ends, piece + 4)
    for j in range(k):
        low, high = spans[_NAMED + j]
        at = _past(answers, at, end, data, ends, piece + 5)
        checker = _checker(text, low, high, data, ends, bases, places)
        at = _past(answers, at, end, data, ends, piece + 6 if checker < 0 else checker)
        at = _past(answers, at, end, data, ends, piece + 7)
        at = _past_equal(answers, at, end, text, low, high - low)
        at = _past(answers, at, end, data, ends, piece + 8)
    low, high = spans[_TOPIC]
    at = _past(answers, at, end, data, ends, piece + 9)
    at = _past_equal(answers, at, end, text, low, high - low)
    at = _past(answers, at, end, data, ends, piece + 10)
    return _past(answers, at, end, data, ends, bases[ENDINGS] + limit - 1)


@njit(cache=True, nogil=True)
def _past_lower(text: Bytes, at: Int, end: Int, source: Bytes, low: Int, high: Int) -> Int:
    """Return where a name ends that stands at `at` in lower case, else -1.

    What is in brackets is left out, and space at the ends.
    """
    first, last = low, low
    while last < high and source[last] != _OPEN:
        last += 1
    while first < last and source[first] == _SPACE:
        first += 1
    while last > first and source[last - 1] == _SPACE:
        last -= 1
    if first == last:
        first, last = low, high
    if at < 0 or end - at < last - first:
        return np.int64(-1)
    for byte in range(last - first):
        letter = source[first + byte]
        if 65 <= letter <= 90:
            letter += 32
        if text[at + byte] != letter:
            return np.int64(-1)
    return at + last - first


@njit(cache=True, nogil=True)
def hash_span(text: Bytes, start: Int, end: Int) -> np.uint64:
    """Return the FNV-1a hash of some bytes."""
    word = _FNV
    for at in range(start, end):
        word = (word ^ np.uint64(text[at])) * _PRIME
    return word


@njit(cache=True, nogil=True)
def _checker(
    text: Bytes, low: Int, high: Int, data: Bytes, ends: Ints, bases: Ints, places: Ints
) -> Int:
    """Return the number of the id of a name's checker; -1 if it has none."""
    place = np.int64(hash_span(text, low, high) % np.uint64(len(places)))
    while places[place] >= 0:
        number = bases[NAMES] + places[place]
        same_length = ends[number + 1] - ends[number] == high - low
        if same_length and _past(text, low, high, data, ends, number) == high:
            found: Int = bases[CHECKERS] + places[place]
            return found
        place = (place + 1) % len(places)
    return np.int64(-1)
