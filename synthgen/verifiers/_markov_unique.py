"""Whether a word has one result, whichever rule is used wherever it matches, and that result.

Every rule must make words smaller: shorter, or as long with letters in better order. Then the pairs
of rules that overlap prove it (Knuth and Bendix 1970). Words are worked on from the right and by
the last rule that matches, unlike in `_markov_follow`. Where that takes too long (`caa > acc` makes
two of every `c` that it moves) the proof alone has to do.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._markov_follow import SIZE, Tape
from synthgen.verifiers._markov_read import (
    ASKED,
    AT_LEFT,
    COUNT,
    FINAL_WORD,
    HALTS,
    LEFT,
    LEFT_END,
    PLACE,
    RIGHT,
    RIGHT_END,
    WORD,
    WORD_END,
    Header,
    Rules,
)
from synthgen.verifiers._problem_text import Bytes

MOST_RULES, MOST_SIDE = 64, 64
"""Programs with more rules or longer sides are refused."""
_MOST_STEPS = 50_000
_MOST_WORK = 1 << 27
_RANK = np.zeros(256, np.int64)
_RANK[np.frombuffer((ascii_lowercase + ascii_uppercase + digits).encode(), np.uint8)] = range(62)


@njit(cache=True, nogil=True)
def has_one_result(text: Bytes, rules: Rules, header: Header, tape: Tape, waiting: Tape) -> bool:
    """Say whether the order of rules cannot matter, and that their result is on the tape.

    Args:
        text: of the problem.
        rules: of the problem.
        header: of the problem.
        tape: with the word that the problem's run ends with.
        waiting: room for words.
    """
    count = header[COUNT]
    if header[ASKED] != FINAL_WORD or count > MOST_RULES:
        return False
    shortlex, sorting = True, True
    for i in range(count):
        left, right = rules[i, LEFT_END] - rules[i, LEFT], rules[i, RIGHT_END] - rules[i, RIGHT]
        if rules[i, HALTS] == 1 or rules[i, PLACE] != AT_LEFT or left == 0 or left > MOST_SIDE:
            return False
        if right > left:
            return False
        shortlex = shortlex and (right < left or _is_earlier(text, rules[i], left))
        sorting = sorting and right == left and _sorts(text, rules[i], left)
    if not shortlex and not sorting:
        return False
    work = np.zeros(1, np.int64)
    for i in range(count):
        for j in range(count):
            if not _pairs_meet(text, rules, count, i, j, waiting, work):
                return False
    size = header[WORD_END] - header[WORD]
    waiting.word[:size] = text[header[WORD] : header[WORD_END]]
    size = _reduce(text, rules, count, waiting.word, size, work)
    if size < 0:
        return True
    if size != tape.state[SIZE]:
        return False
    for k in range(size):
        if waiting.word[k] != tape.word[k]:
            return False
    return True


@lent
def _is_earlier(text: Bytes, rule: Rules, size: Int) -> bool:
    """Say whether the right side comes before the left one, of the same length."""
    for k in range(size):
        left, right = _RANK[text[rule[LEFT] + k]], _RANK[text[rule[RIGHT] + k]]
        if left != right:
            return bool(right < left)
    return False


@njit(cache=True, nogil=True)
def _sorts(text: Bytes, rule: Rules, size: Int) -> bool:
    """Say whether the right side has the left one's letters, and fewer pairs in the wrong order."""
    counts = np.zeros(256, np.int64)
    less: Int = np.int64(0)
    for a in range(size):
        counts[text[rule[LEFT] + a]] += 1
        counts[text[rule[RIGHT] + a]] -= 1
        for b in range(a + 1, size):
            less += np.int64(_RANK[text[rule[LEFT] + a]] > _RANK[text[rule[LEFT] + b]])
            less -= np.int64(_RANK[text[rule[RIGHT] + a]] > _RANK[text[rule[RIGHT] + b]])
    return bool(less > 0 and np.abs(counts).sum() == 0)


@lent
def _pairs_meet(
    text: Bytes, rules: Rules, count: Int, i: Int, j: Int, room: Tape, work: Rules
) -> bool:
    """Say whether rules i and j lead to one word wherever left side j begins in left side i."""
    first, second = rules[i], rules[j]
    size, inner = first[LEFT_END] - first[LEFT], second[LEFT_END] - second[LEFT]
    for shift in range(1 if i == j else 0, size):
        shared = min(size - shift, inner)
        same = 0
        while same < shared and text[first[LEFT] + shift + same] == text[second[LEFT] + same]:
            same += 1
        if same < shared:
            continue
        # The word is left side i, and what of left side j reaches beyond it.
        one = _append(room.word, 0, text, first[RIGHT], first[RIGHT_END])
        one = _append(room.word, one, text, second[LEFT] + shared, second[LEFT_END])
        two = _append(room.spare, 0, text, first[LEFT], first[LEFT] + shift)
        two = _append(room.spare, two, text, second[RIGHT], second[RIGHT_END])
        two = _append(room.spare, two, text, first[LEFT] + shift + shared, first[LEFT_END])
        one = _reduce(text, rules, count, room.word, one, work)
        two = _reduce(text, rules, count, room.spare, two, work)
        if one < 0 or one != two:
            return False
        for k in range(one):
            if room.word[k] != room.spare[k]:
                return False
    return True


@lent
def _append(word: Bytes, at: Int, text: Bytes, begin: Int, end: Int) -> Int:
    for k in range(begin, end):
        word[at] = text[k]
        at += 1
    return at


@lent
def _reduce(text: Bytes, rules: Rules, count: Int, word: Bytes, size: Int, work: Rules) -> Int:
    """Use rules until none matches; return the size of the rest, or -1 for too much work."""
    for _ in range(_MOST_STEPS):
        rule, place = _last_match(text, rules, count, word, size, work)
        if rule < 0:
            return size
        if work[0] > _MOST_WORK:
            return np.int64(-1)
        at = _append(word, place, text, rules[rule, RIGHT], rules[rule, RIGHT_END])
        behind = place + rules[rule, LEFT_END] - rules[rule, LEFT]
        for k in range(behind, size):
            word[at] = word[k]
            at += 1
        size = at
    return np.int64(-1)


@lent
def _last_match(
    text: Bytes, rules: Rules, count: Int, word: Bytes, size: Int, work: Rules
) -> tuple[Int, Int]:
    """Return the last rule that matches and its rightmost place, -1 and -1 for none."""
    for rule in range(count - 1, -1, -1):
        left, left_end = rules[rule, LEFT], rules[rule, LEFT_END]
        for place in range(size - (left_end - left), -1, -1):
            same = left
            while same < left_end and word[place + same - left] == text[same]:
                same += 1
            work[0] += same - left + 1
            if same == left_end:
                return np.int64(rule), np.int64(place)
    return np.int64(-1), np.int64(-1)
