"""Acting out read SCAN commands, against the text of an answer and of worked steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._scan_read import (
    BEGIN,
    END,
    FORM_END,
    LINK,
    N_TIMES,
    PATH_ROW,
    VERB_END,
    VERB_WORD,
    WAY_WORD,
    Bytes,
    Parsed,
)
from synthgen.verifiers._scan_words import AFTER, LETTERS, NO_WORD, STARTS, STEPS

WRONG = -1
_SPACE, _NEWLINE, _TO_CAPITAL = np.uint8(32), np.uint8(10), np.uint8(32)
_OWN, _TURN, _EQUALS = (np.frombuffer(text, np.uint8) for text in (b"I_", b"I_TURN_", b" = "))


@lent
def tells_actions(text: Bytes, start: Int, end: Int, phrases: Parsed, order: Parsed) -> bool:
    """Say whether text[start:end] is all actions of the phrases, in their order."""
    at = start
    for place in range(len(order)):
        phrase = phrases[order[place]]
        at = _phrase_end(text, start, at, end, phrase, phrase[N_TIMES])
    return bool(at == end)


@lent
def in_order(phrases: Parsed, order: NDArray[np.int64]) -> tuple[Int, Int]:
    """Put phrases into the order in which they are done; return where that begins and ends.

    `order` has room for twice the phrases. The first one stands in its middle, and each next one
    before or behind all those so far.
    """
    low = len(order) // 2
    high = low
    for j in range(len(phrases)):
        if phrases[j, LINK] == AFTER:
            low -= 1
            order[low] = j
        else:
            order[high] = j
            high += 1
    return low, high


@lent
def tells_steps(
    text: Bytes,
    start: Int,
    end: Int,
    prompt: Bytes,
    phrases: Parsed,
    order: NDArray[np.int64],
) -> bool:
    """Say whether text[start:end] has the right line for each node, and no other.

    A phrase has a line for its verb if a direction follows, for all but its repeat word, and for
    all of it if it has one. After each phrase but the first there is a line for all so far.
    """
    at = start
    low = len(order) // 2
    high = low
    for j in range(len(phrases)):
        phrase = phrases[j]
        if phrase[WAY_WORD] != NO_WORD and phrase[VERB_WORD] != NO_WORD:
            at = _title_end(text, start, at, end, prompt[phrase[BEGIN] : phrase[VERB_END]])
            at = _word_end(text, at, at, end, _OWN, phrase[VERB_WORD])
        at = _title_end(text, start, at, end, prompt[phrase[BEGIN] : phrase[FORM_END]])
        at = _phrase_end(text, at, at, end, phrase, 1)
        if phrase[N_TIMES] > 1:
            at = _title_end(text, start, at, end, prompt[phrase[BEGIN] : phrase[END]])
            at = _phrase_end(text, at, at, end, phrase, phrase[N_TIMES])
        if phrase[LINK] == AFTER:
            low -= 1
        else:
            high += 1
        if j > 0:
            at = _title_end(text, start, at, end, prompt[phrases[0, BEGIN] : phrase[END]])
            line = at
            for place in range(low, high):
                part = phrases[order[place]]
                at = _phrase_end(text, line, at, end, part, part[N_TIMES])
        if at == WRONG:
            return False
    return bool(at == end)


@lent
def _title_end(text: Bytes, start: Int, at: Int, end: Int, title: Bytes) -> Int:
    """Return where the begin `title = ` of a line ends, or WRONG; a line but the first is new."""
    if at == WRONG:
        return WRONG
    if at > start:
        if at >= end or text[at] != _NEWLINE:
            return WRONG
        at += 1
    at = _same_end(text, at, end, title)
    return _same_end(text, at, end, _EQUALS)


@lent
def _phrase_end(
    text: Bytes, start: Int, at: Int, end: Int, phrase: NDArray[np.int64], times: Int
) -> Int:
    """Return where the actions of a phrase, so many times, end, or WRONG.

    Every action but one at `start` has a space before it.
    """
    verb, way = phrase[VERB_WORD], phrase[WAY_WORD]
    steps = STEPS[phrase[PATH_ROW]]
    for _ in range(times):
        if way == NO_WORD:
            at = _word_end(text, start, at, end, _OWN, verb)
        else:
            for step in steps:
                if step == 1:
                    at = _word_end(text, start, at, end, _TURN, way)
                elif step == 0 and verb != NO_WORD:
                    at = _word_end(text, start, at, end, _OWN, verb)
        if at == WRONG:
            return WRONG
    return at


@lent
def _word_end(text: Bytes, start: Int, at: Int, end: Int, prefix: Bytes, word: Int) -> Int:
    """Return where one action ends, the prefix and the word in capitals, or WRONG."""
    if at == WRONG:
        return WRONG
    if at > start:
        if at >= end or text[at] != _SPACE:
            return WRONG
        at += 1
    at = _same_end(text, at, end, prefix)
    first, last = STARTS[word], STARTS[word + 1]
    if at == WRONG or at + last - first > end:
        return WRONG
    for letter in range(first, last):
        if text[at] != LETTERS[letter] - _TO_CAPITAL:
            return WRONG
        at += 1
    return at


@lent
def _same_end(text: Bytes, at: Int, end: Int, other: Bytes) -> Int:
    """Return where `other` ends if it stands at this place, or WRONG."""
    if at == WRONG or at + len(other) > end:
        return WRONG
    for i in range(len(other)):
        if text[at + i] != other[i]:
            return WRONG
    return at + len(other)
