"""Compiled comparison of rubrics with those that prompts for writers ask for."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import same_bytes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._prompt_forms import Bytes
from synthgen.verifiers.skillmix._prompt_read import (
    COUNTS,
    ENDINGS,
    FORBIDDEN,
    ITEMS,
    MOST_SKILLS,
    NAMED,
    NAMES,
    PIECES,
    TOPIC,
    Ints,
    is_plain,
    past,
    past_equal,
    read_prompt,
)

WRONG, RIGHT, UNDECIDED = range(3)

_OPEN, _SPACE, _UPPER_A, _UPPER_Z = (ord(char) for char in "( AZ")
_TO_LOWER = np.uint8(ord("a") - ord("A"))


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
    known = np.empty(MOST_SKILLS, np.int64)
    for i in range(n):
        start, end = prompt_offsets[i], prompt_offsets[i + 1]
        for form in range(len(firsts) - 1):
            k, limit = read_prompt(
                prompts, start, end, slots, firsts[form], firsts[form + 1], data, ends, bases, spans
            )
            if k == 0:
                continue
            if limit != max(1, k - 1):
                break
            if not _recognise(prompts, spans, k, data, ends, bases[NAMES], places, known):
                out[i] = UNDECIDED
                break
            low, high = answer_offsets[i], answer_offsets[i + 1]
            at = _answer_end(prompts, spans, k, known, limit, answers, low, high, data, ends, bases)
            out[i] = RIGHT if at == high else WRONG
            break
    return out


@lent
def _recognise(
    text: Bytes, spans: Ints, k: Int, data: Bytes, ends: Ints, first: Int, places: Ints, known: Ints
) -> bool:
    """Number the names that have a checker, others -1; say whether these and the topic are plain.

    Numbers are written to `known`, (MOST_SKILLS,).
    """
    plain = is_plain(text, spans[TOPIC, 0], spans[TOPIC, 1])
    for j in range(k):
        low, high = spans[NAMED + j, 0], spans[NAMED + j, 1]
        known[j] = _known_name(text, low, high, data, ends, first, places)
        if known[j] < 0:
            plain &= is_plain(text, low, high)
    return plain


@lent
def _answer_end(
    text: Bytes,
    spans: Ints,
    k: Int,
    known: Ints,
    limit: Int,
    answers: Bytes,
    at: Int,
    end: Int,
    data: Bytes,
    ends: Ints,
    bases: Ints,
) -> Int:
    """Return where the rubric ends that begins at `at`; -1 if it is not the one asked for."""
    piece = bases[PIECES]
    for j in range(k):
        at = past(answers, at, end, data, ends, piece + (1 if j else 0))
        if known[j] >= 0:
            at = past(answers, at, end, data, ends, bases[FORBIDDEN] + known[j])
        else:
            at = _past_lower(answers, at, end, text, spans[NAMED + j, 0], spans[NAMED + j, 1])
    at = past(answers, at, end, data, ends, bases[COUNTS] + limit - 1)
    for j in range(k):
        if known[j] >= 0:
            at = past(answers, at, end, data, ends, bases[ITEMS] + known[j])
        else:
            low, high = spans[NAMED + j, 0], spans[NAMED + j, 1]
            at = past(answers, at, end, data, ends, piece + 2)
            at = past_equal(answers, at, end, text, low, high - low)
            at = past(answers, at, end, data, ends, piece + 3)
    low, high = spans[TOPIC, 0], spans[TOPIC, 1]
    at = past(answers, at, end, data, ends, piece + 4)
    at = past_equal(answers, at, end, text, low, high - low)
    return past(answers, at, end, data, ends, bases[ENDINGS] + limit - 1)


@lent
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
    left, right = np.uintp(at), np.uintp(first)  # unsigned: no index from the end to look for
    differing = np.uint8(0)
    for byte in range(np.uintp(last - first)):
        letter = source[right + byte]
        if _UPPER_A <= letter <= _UPPER_Z:
            letter += _TO_LOWER
        differing |= text[left + byte] ^ letter
    return at + last - first if differing == 0 else np.int64(-1)


@lent
def name_place(text: Bytes, start: Int, end: Int, n: Int) -> Int:
    """Return the place of a name, out of n, by its length and three of its bytes."""
    length = end - start
    if length <= 0:
        return np.int64(0)
    word = np.int64(text[start]) + 31 * np.int64(text[start + length // 2])
    word += 997 * np.int64(text[end - 1]) + 7919 * length
    return word % n


@lent
def _known_name(
    text: Bytes, low: Int, high: Int, data: Bytes, ends: Ints, first: Int, places: Ints
) -> Int:
    """Return the number of a name among those that have a checker; -1 if it has none."""
    length = high - low
    place = name_place(text, low, high, len(places))
    while places[place] >= 0:
        start = ends[first + places[place]]
        same_length = ends[first + places[place] + 1] - start == length
        if same_length and same_bytes(text, low, data, start, length):
            found: Int = places[place]
            return found
        place = (place + 1) % len(places)
    return np.int64(-1)
