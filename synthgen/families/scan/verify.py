"""SCAN commands from the text: read word by word, and executed against the answer.

The command is the text between the last two backticks of a prompt, or the whole prompt if there
are none. Words are separated by single spaces. It may have any number of phrases, joined from the
left, and any word of the larger languages: the original language is a subset.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import TextVerifier, Words
from synthgen.authoring.problem_text import after, problem_of, problem_span
from synthgen.core.columns import longest_row
from synthgen.core.kernels import Int, jit, kernel

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

_WORDS = Words.beside(__file__)
_SEQUENCES = {
    "opposite": (1, 1, 0),
    "around": (1, 0, 1, 0, 1, 0, 1, 0),
    "across": (1, 0, 1, 0),
    "past": (0, 1, 0),
    "beyond": (1, 0, 0),
}
"""For each word before a direction, its turns (1) and actions (0) in order."""

_VERB, _TURN, _MANNER, _DIRECTION, _REPEAT, _AND, _AFTER = range(7)
_WRONG = -1
_FOLLOWS = np.zeros((7, 7), np.bool_)
"""Which kind of word (column) may come after which (row); `and` is before the first one, too."""
for _before, _next in {
    _VERB: (_MANNER, _DIRECTION, _REPEAT, _AND, _AFTER),
    _TURN: (_MANNER, _DIRECTION),
    _MANNER: (_DIRECTION,),
    _DIRECTION: (_REPEAT, _AND, _AFTER),
    _REPEAT: (_AND, _AFTER),
    _AND: (_VERB, _TURN),
    _AFTER: (_VERB, _TURN),
}.items():
    _FOLLOWS[_before, list(_next)] = True

_LETTER_BITS, _BEFORE_A = 5, ord("a") - 1
_LISTED: list[tuple[str, int, int]] = [
    *((word, _VERB, 0) for word in _WORDS["verbs"]),
    ("turn", _TURN, 0),
    *((word, _MANNER, row) for row, word in enumerate(_SEQUENCES, 1)),
    *((word, _DIRECTION, 0) for word in _WORDS["directions"]),
    *((word, _REPEAT, times) for times, word in enumerate(_WORDS["repeats"], 2)),
    ("and", _AND, 0),
    ("after", _AFTER, 0),
]
"""Words with their kinds and values: of a manner its row of _STEPS, of a repeat word its number."""


def _packed(word: str) -> int:
    """Return the letters of a word as one number, five bits each."""
    packed = 0
    for letter in word:
        packed = packed << _LETTER_BITS | ord(letter) - _BEFORE_A
    return packed


_LISTED.sort(key=lambda listed: _packed(listed[0]))
_LONGEST = max(len(word) for word, _, _ in _LISTED)
_PACKED, _KINDS, _VALUES = (
    np.array(column, np.int64)
    for column in zip(*((_packed(word), *rest) for word, *rest in _LISTED), strict=True)
)
_ACTIONS = [
    {_VERB: f" I_{word.upper()}", _DIRECTION: f" I_TURN_{word.upper()}"}.get(kind, "")
    for word, kind, _ in _LISTED
]
"""Action of each word, if any."""
_ACTION_BYTES = np.frombuffer("".join(_ACTIONS).encode(), np.uint8)
_ACTION_STARTS = np.cumsum([0, *map(len, _ACTIONS)])
_STEPS = np.full((1 + len(_SEQUENCES), 8), -1, np.int64)
"""Turns and actions of no manner (row 0) and of each manner, padded with -1."""
for _row, _sequence in enumerate([(1, 0), *_SEQUENCES.values()]):
    _STEPS[_row, : len(_sequence)] = _sequence
_EQUALS, _NEWLINE = np.frombuffer(b" = ", np.uint8), np.frombuffer(b"\n", np.uint8)
_SPACE = np.uint8(ord(" "))
_SHORTEST = 4
"""No more bytes than any phrase takes up with the word that joins it to the one before."""

_WORD, _ROW, _WAY, _TIMES, _LINK, _BEGIN, _WORD_END, _FORM_END, _END, _FROM, _ONCE, _TO = range(12)
"""Fields of a phrase: its verb, row of _STEPS, direction (or -1), repetitions, and the kind of the
word before it; where in the prompt it begins, and its verb, all but its repeat word, and all of it
end; where in the answer its actions begin, and one repetition and all of them end."""


@jit
def _check_rows(*columns: Any) -> NDArray[np.bool_]:
    """Check all rows against the answer and the steps that their commands have."""
    prompts, prompt_ends, answers, answer_ends, solutions, solution_ends, stated = columns
    n = len(prompt_ends) - 1
    right = np.zeros(n, np.bool_)
    phrases = np.empty((longest_row(prompt_ends) // _SHORTEST + 2, 12), np.int64)
    for i in range(n):
        start, end = problem_span(prompts, prompt_ends[i], prompt_ends[i + 1])
        count = _read_command(prompts, start, end, phrases)
        if count > 0:
            found = phrases[:count]
            right[i] = _has_actions(answers, answer_ends[i], answer_ends[i + 1], found)
            if right[i] and stated[i]:
                start, end = solution_ends[i], solution_ends[i + 1]
                right[i] = _has_steps(solutions, start, end, prompts, answers, found)
    return right


@kernel
def _read_command(text: Bytes, start: Int, end: Int, phrases: Ints) -> Int:
    """Read text[start:end] into `phrases` and return their number, 0 if it is not a command."""
    count: Int = 0
    before: Int = _AND
    at = start
    while at <= end:
        stop = at
        while stop < end and text[stop] != _SPACE:
            stop += 1
        word = _find_word(text, at, stop)
        if word == _WRONG or not _FOLLOWS[before, _KINDS[word]]:
            return 0
        kind = _KINDS[word]
        if kind == _VERB or kind == _TURN:
            phrase = phrases[count]
            phrase[_WORD], phrase[_ROW], phrase[_WAY], phrase[_TIMES] = word, 0, _WRONG, 1
            phrase[_LINK], phrase[_BEGIN], phrase[_WORD_END] = before, at, stop
            count += 1
        phrase = phrases[count - 1]
        if kind == _MANNER:
            phrase[_ROW] = _VALUES[word]
        elif kind == _DIRECTION:
            phrase[_WAY] = word
        elif kind == _REPEAT:
            phrase[_TIMES] = _VALUES[word]
        if kind < _REPEAT:
            phrase[_FORM_END] = stop
        if kind <= _REPEAT:
            phrase[_END] = stop
        before = kind
        at = stop + 1
    return count if _FOLLOWS[before, _AND] else 0


@kernel
def _find_word(text: Bytes, start: Int, end: Int) -> Int:
    """Return the number of the word text[start:end], or _WRONG."""
    if end - start > _LONGEST:
        return _WRONG
    packed: Int = 0
    for at in range(start, end):
        letter = np.int64(text[at]) - _BEFORE_A
        if letter < 1 or letter > 26:
            return _WRONG
        packed = packed << _LETTER_BITS | letter
    low, high = 0, len(_PACKED)
    while low < high:
        middle = (low + high) // 2
        if _PACKED[middle] < packed:
            low = middle + 1
        else:
            high = middle
    return low if low < len(_PACKED) and _PACKED[low] == packed else _WRONG


@kernel
def _has_actions(text: Bytes, start: Int, end: Int, phrases: Ints) -> bool:
    """Say whether text[start:end] is all actions of the phrases, in the order of execution.

    Those after an `after` come first, the last of them foremost; then the first phrase and those
    after an `and`.
    """
    at = start
    for j in range(len(phrases) - 1, 0, -1):
        if phrases[j, _LINK] == _AFTER:
            at = _phrase_end(text, start, at, end, phrases[j])
    for j in range(len(phrases)):
        if phrases[j, _LINK] == _AND:
            at = _phrase_end(text, start, at, end, phrases[j])
    return bool(at == end)


@kernel
def _phrase_end(text: Bytes, start: Int, at: Int, end: Int, phrase: Ints) -> Int:
    """Return where a phrase's actions end if they are next, else _WRONG; record their places."""
    verb, way = phrase[_WORD], phrase[_WAY]
    phrase[_FROM] = at + 1 if at > start else at
    for turn in range(phrase[_TIMES]):
        if way == _WRONG:
            at = _action_end(text, start, at, end, verb)
        else:
            for step in _STEPS[phrase[_ROW]]:
                if step == 1:
                    at = _action_end(text, start, at, end, way)
                elif step == 0 and _KINDS[verb] == _VERB:
                    at = _action_end(text, start, at, end, verb)
        if turn == 0:
            phrase[_ONCE] = at
        if at == _WRONG:
            return _WRONG
    phrase[_TO] = at
    return at


@kernel
def _action_end(text: Bytes, start: Int, at: Int, end: Int, word: Int) -> Int:
    """Return where the action of a word ends if it is next, else _WRONG.

    A space precedes every action except one at `start`.
    """
    first = _ACTION_STARTS[word] + (1 if at == start else 0)
    return after(text, at, end, _ACTION_BYTES[first : _ACTION_STARTS[word + 1]])


@kernel
def _has_steps(
    text: Bytes, start: Int, end: Int, prompt: Bytes, answer: Bytes, phrases: Ints
) -> bool:
    """Say whether text[start:end] has the right line for each node, and no other.

    A phrase has a line for its verb if a direction follows, for all but its repeat word, and for
    all of it if it has one. After each phrase but the first there is a line for all so far. The
    answer is known to be right, so the lines are compared with parts of it.
    """
    at = start
    low, high = phrases[0, _FROM], phrases[0, _TO]
    for j in range(len(phrases)):
        phrase = phrases[j]
        begin, done = phrase[_BEGIN], phrase[_FROM]
        if phrase[_WAY] != _WRONG and _KINDS[phrase[_WORD]] == _VERB:
            first, last = _ACTION_STARTS[phrase[_WORD]] + 1, _ACTION_STARTS[phrase[_WORD] + 1]
            title = prompt[begin : phrase[_WORD_END]]
            at = _line_end(text, start, at, end, title, _ACTION_BYTES[first:last])
        title = prompt[begin : phrase[_FORM_END]]
        at = _line_end(text, start, at, end, title, answer[done : phrase[_ONCE]])
        if phrase[_TIMES] > 1:
            title = prompt[begin : phrase[_END]]
            at = _line_end(text, start, at, end, title, answer[done : phrase[_TO]])
        if phrase[_LINK] == _AFTER:
            low = done
        else:
            high = phrase[_TO]
        if j > 0:
            title = prompt[phrases[0, _BEGIN] : phrase[_END]]
            at = _line_end(text, start, at, end, title, answer[low:high])
        if at == _WRONG:
            return False
    return bool(at == end)


@kernel
def _line_end(text: Bytes, start: Int, at: Int, end: Int, title: Bytes, actions: Bytes) -> Int:
    """Return where the line `title = actions` ends if it is next, else _WRONG."""
    if at > start:
        at = after(text, at, end, _NEWLINE)
    at = after(text, at, end, title)
    at = after(text, at, end, _EQUALS)
    return after(text, at, end, actions)


_MAX_LENGTH = 100_000
Actions = list[str]
_PATHS: dict[str, Callable[[Actions, Actions], Actions]] = {
    "opposite": lambda turn, act: turn + turn + act,
    "around": lambda turn, act: 4 * (turn + act),
    "across": lambda turn, act: 2 * (turn + act),
    "past": lambda turn, act: act + turn + act,
    "beyond": lambda turn, act: turn + 2 * act,
}


def _exact_actions(prompt: str) -> str | None:
    """Return the actions of the prompt's command, or None if it is not one."""
    text = problem_of(prompt)
    if len(text) > _MAX_LENGTH:
        return None
    done: deque[str] = deque()
    place = done.append
    words: list[str] = []
    for word in [*text.split(" "), "and"]:
        if word not in ("and", "after"):
            words.append(word)
            continue
        actions = _actions_of(words)
        if not actions:
            return None
        place(" ".join(actions))
        place = done.append if word == "and" else done.appendleft
        words = []
    return " ".join(done)


def _actions_of(words: list[str]) -> Actions:
    """Return the actions of one phrase, none if it is not one."""
    times = 1
    if words and words[-1] in _WORDS["repeats"]:
        times = 2 + _WORDS["repeats"].index(words.pop())
    if not words or words[0] not in (*_WORDS["verbs"], "turn"):
        return []
    verb, *modifiers = words
    act = [] if verb == "turn" else [f"I_{verb.upper()}"]
    if not modifiers:
        return times * act
    *path, direction = modifiers
    turn = [f"I_TURN_{direction.upper()}"]
    if direction not in _WORDS["directions"] or len(path) > 1:
        return []
    if not path:
        return times * (turn + act)
    return times * _PATHS[path[0]](turn, act) if path[0] in _PATHS else []


VERIFIERS = {"scan": TextVerifier(_check_rows, _exact_actions, "string")}
