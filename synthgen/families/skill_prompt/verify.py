"""Rubrics worked out from the text of a prompt: a compiled comparison, and an oracle.

The family writes prompt and rubric from one drawn mix. Here the prompt is read back: its wording,
the topic, the limit and the lines of its list. The kernel walks along the given rubric and compares
it, piece by piece, with what the prompt asks for; it leaves rows with letters beyond ASCII to the
oracle, which reads prompts by regular expressions and writes the rubric with the JSON library.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import TextVerifier, Words
from synthgen.authoring.words import filled, parts_of
from synthgen.core.byte_spans import find_byte, same_bytes
from synthgen.core.columns import text_bytes, text_list
from synthgen.core.kernels import Int, jit, kernel

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

_WORDS = Words.beside(__file__)
_LIMITS: tuple[str, ...] = tuple(_WORDS["limits"])
_RUBRIC = _WORDS["rubric"]
_MOST_SKILLS = len(_LIMITS) + 1
_LONGEST = 100_000


def _limit(k: int) -> int:
    """Return how many sentences a text may have that illustrates k skills."""
    return 1 if k < 3 else k - 1


# The oracle.

_NAME = r"[^:\"\\\n]+"
_LIST = rf"\n- {_NAME}(?:\n- {_NAME})*|\n- {_NAME}: [^\n]+(?:\n- {_NAME}: [^\n]+)*"
_LINE = re.compile(rf"\n- ({_NAME})(?:: [^\n]+)?")
_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each wording."""
    groups = {
        "topic": r"(?P<topic>[^\"\\\n]+)",
        "limit": f"(?P<limit>{'|'.join(_LIMITS)})",
        "skills": f"(?P<skills>{_LIST})",
    }
    return tuple(
        re.compile(
            "".join(
                groups[part] if place % 2 else re.escape(part)
                for place, part in enumerate(parts_of(wording))
            )
        )
        for wording in _WORDS["wordings"]
    )


def _rubric_of(prompt: str) -> str | None:
    """Return the rubric that a prompt asks for, or None if it is not a prompt of this family."""
    if len(prompt) > _LONGEST:
        return None
    for pattern in _patterns():
        match = pattern.fullmatch(prompt)
        if match:
            names = [line[1] for line in _LINE.finditer(match["skills"])]
            return _rubric(names, match["topic"], _LIMITS.index(match["limit"]) + 1)
    return None


def _rubric(names: list[str], topic: str, limit: int) -> str | None:
    k = len(names)
    if len(set(names)) < k or k > _MOST_SKILLS or limit != _limit(k):
        return None
    if not all(text.isprintable() for text in (topic, *names)):
        return None
    items = [("skill", filled(_RUBRIC["skill"], {"name": name})) for name in names]
    items.append(("topic", filled(_RUBRIC["topic"], {"topic": topic})))
    items += [("sense", _RUBRIC["sense"]), ("length", _RUBRIC["length"][limit - 1])]
    return _JSON.encode(
        {
            "rubric": [{"kind": kind, "text": text, "weight": 1} for kind, text in items],
            "n_sentences": limit,
            "forbidden": [(name.split("(", 1)[0].strip() or name).lower() for name in names],
        }
    )


# The kernel.

_TOPIC_HOLE, _LIMIT_HOLE, _LIST_HOLE, _NO_HOLE = range(4)
_HOLES = {"topic": _TOPIC_HOLE, "limit": _LIMIT_HOLE, "skills": _LIST_HOLE}
_WRONG, _RIGHT, _UNDECIDED = range(3)
_TOPIC, _COUNTS, _FIRST_NAME = range(3)
"""Rows of what is read: the span of the topic, the numbers of skills and of sentences, and the
spans of the names."""
_LINE_FEED, _QUOTE, _BACKSLASH, _COLON, _SPACE, _DASH, _BRACKET = (ord(c) for c in '\n"\\: -(')
_UPPER_A, _UPPER_Z, _LAST_PRINTABLE, _LAST_ASCII = (ord(c) for c in "AZ~\x7f")
_TO_LOWER = np.uint8(ord("a") - ord("A"))
# Pieces of a rubric. Numbers of numpy, as a kernel is compiled again for every literal of Python.
_START, _NEXT_FORBIDDEN, _FIRST_SKILL, _NEXT_SKILL, _ABOUT, _END = np.arange(6)
_N_PIECES = 6


class _Tables(NamedTuple):
    """Constant texts.

    Attributes:
        holes: that follow each text of the wordings; no hole follows the last text of each.
        wordings: number of the first text of each wording, and of the first limit, (w + 1,).
        rubric: number of the first piece of the rubrics for one sentence.
        data: bytes of all texts: of the wordings, the limits, and the pieces for each limit.
        ends: their offsets.
    """

    holes: Ints
    wordings: Ints
    rubric: Int
    data: Bytes
    ends: Ints


@cache
def _tables() -> _Tables:
    parts = [parts_of(wording) for wording in _WORDS["wordings"]]
    texts = [text for each in parts for text in each[::2]]
    holes = [hole for each in parts for hole in [*(_HOLES[p] for p in each[1::2]), _NO_HOLE]]
    starts = np.cumsum([0, *(len(each[::2]) for each in parts)])
    pieces = [piece for limit in range(1, len(_LIMITS) + 1) for piece in _pieces(limit)]
    data, ends = text_bytes(text_list([*texts, *_LIMITS, *pieces]))
    return _Tables(np.array(holes), starts, len(texts) + len(_LIMITS), data, ends)


def _pieces(limit: int) -> list[str]:
    """Return the pieces of a rubric between names and topic."""
    skill, topic = (
        f'{{"kind":"{kind}","text":"{parts_of(_RUBRIC[kind])[0]}' for kind in ("skill", "topic")
    )
    rest = {"sense": _RUBRIC["sense"], "length": _RUBRIC["length"][limit - 1]}
    ends = "".join(f',{{"kind":"{k}","text":"{text}","weight":1}}' for k, text in rest.items())
    return [
        '{"forbidden":["',
        '","',
        f'"],"n_sentences":{limit},"rubric":[{skill}',
        f'","weight":1}},{skill}',
        f'","weight":1}},{topic}',
        f'","weight":1}}{ends}]}}',
    ]


def _check_rows(
    prompts: Bytes,
    prompt_offsets: Ints,
    answers: Bytes,
    answer_offsets: Ints,
    *solutions: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Check all rows; the family has no solutions."""
    found = _compare(prompts, prompt_offsets, answers, answer_offsets, _tables())
    right: NDArray[np.bool_] = found == _RIGHT
    for i in np.flatnonzero(found == _UNDECIDED).tolist():
        prompt, answer = (
            bytes(data[offsets[i] : offsets[i + 1]]).decode("utf-8", "surrogateescape")
            for data, offsets in ((prompts, prompt_offsets), (answers, answer_offsets))
        )
        right[i] = _rubric_of(prompt) == answer
    return right & ~solutions[-1]


@jit
def _compare(
    prompts: Bytes, prompt_offsets: Ints, answers: Bytes, answer_offsets: Ints, tables: _Tables
) -> NDArray[np.int8]:
    """Return _WRONG, _RIGHT or _UNDECIDED for each row."""
    n = len(prompt_offsets) - 1
    out = np.zeros(n, np.int8)
    read = np.zeros((_FIRST_NAME + _MOST_SKILLS, 2), np.int64)
    for i in range(n):
        start, end = prompt_offsets[i], prompt_offsets[i + 1]
        if end - start > _LONGEST:
            continue
        wording = 0
        while wording < len(tables.wordings) - 1 and not _read_prompt(
            prompts[start:end], wording, tables, read
        ):
            wording += 1
        if wording == len(tables.wordings) - 1:
            continue
        out[i] = _kind_of(prompts[start:end], read)
        if out[i] == _RIGHT and not _is_rubric(
            answers[answer_offsets[i] : answer_offsets[i + 1]], prompts[start:end], tables, read
        ):
            out[i] = _WRONG
    return out


@kernel
def _past(text: Bytes, at: Int, tables: _Tables, number: Int) -> Int:
    """Return where a constant text ends that begins at `at`; -1 if it does not, or `at` is -1."""
    start = tables.ends[number]
    return _past_copy(text, at, tables.data, start, tables.ends[number + 1])


@kernel
def _past_copy(text: Bytes, at: Int, source: Bytes, start: Int, end: Int) -> Int:
    """Return where a copy of source[start:end] ends that begins at `at`, else -1."""
    length = end - start
    if at < 0 or len(text) - at < length or not same_bytes(text, at, source, start, length):
        return np.int64(-1)
    return at + length


@kernel
def _read_prompt(text: Bytes, wording: Int, tables: _Tables, read: Ints) -> bool:
    """Say whether a prompt has a wording and a limit that fits its skills; write what it says."""
    at: Int = np.int64(0)
    limit: Int = np.int64(0)
    k: Int = np.int64(0)
    for number in range(tables.wordings[wording], tables.wordings[wording + 1]):
        at = _past(text, at, tables, number)
        if at < 0:
            return False
        if tables.holes[number] == _TOPIC_HOLE:
            read[_TOPIC, 0] = at
            while at < len(text) and text[at] != _QUOTE and text[at] != _LINE_FEED:
                at += 1
            read[_TOPIC, 1] = at
            if at == read[_TOPIC, 0]:
                return False
        elif tables.holes[number] == _LIMIT_HOLE:
            after: Int = np.int64(-1)
            while after < 0 and limit < len(_LIMITS):
                after = _past(text, at, tables, tables.wordings[-1] + limit)
                limit += 1
            at = after
        elif tables.holes[number] == _LIST_HOLE:
            k, at = _read_list(text, at, read)
    read[_COUNTS, 0], read[_COUNTS, 1] = k, limit
    return bool(at == len(text) and k > 0 and limit == max(1, k - 1))


@kernel
def _read_list(text: Bytes, at: Int, read: Ints) -> tuple[Int, Int]:
    """Read lines that begin with a dash; return how many there are, or 0, and where they end."""
    k: Int = np.int64(0)
    described: Int = np.int64(0)
    nothing: tuple[Int, Int] = (np.int64(0), np.int64(-1))
    while len(text) - at > 2 and text[at] == _LINE_FEED and text[at + 1] == _DASH:
        start = at + 3
        if text[at + 2] != _SPACE or k == _MOST_SKILLS:
            return nothing
        at = start
        while at < len(text) and text[at] != _COLON and text[at] != _LINE_FEED:
            at += 1
        if at == start:
            return nothing
        for other in range(_FIRST_NAME, _FIRST_NAME + k):
            if read[other, 1] - read[other, 0] == at - start and same_bytes(
                text, start, text, read[other, 0], at - start
            ):
                return nothing
        read[_FIRST_NAME + k, 0], read[_FIRST_NAME + k, 1] = start, at
        k += 1
        if at < len(text) and text[at] == _COLON:
            if len(text) - at < 3 or text[at + 1] != _SPACE or text[at + 2] == _LINE_FEED:
                return nothing
            at += find_byte(text, _LINE_FEED, at, len(text) - at)
            described += 1
    return (k, at) if described in (0, k) else nothing


@kernel
def _kind_of(text: Bytes, read: Ints) -> Int:
    """Return _WRONG for bytes that no topic or name has, _UNDECIDED for any beyond ASCII."""
    kind: Int = np.int64(_RIGHT)
    for row in range(_FIRST_NAME + read[_COUNTS, 0]):
        if row == _COUNTS:
            continue
        for at in range(read[row, 0], read[row, 1]):
            byte = text[at]
            if byte > _LAST_ASCII:
                kind = np.int64(_UNDECIDED)
            elif byte < _SPACE or byte > _LAST_PRINTABLE or byte == _QUOTE or byte == _BACKSLASH:
                return np.int64(_WRONG)
    return kind


@kernel
def _is_rubric(answer: Bytes, text: Bytes, tables: _Tables, read: Ints) -> bool:
    """Say whether an answer is the rubric that a prompt asks for."""
    k, limit = read[_COUNTS, 0], read[_COUNTS, 1]
    first = tables.rubric + (limit - 1) * _N_PIECES
    at: Int = np.int64(0)
    for j in range(k):
        at = _past(answer, at, tables, first + (_NEXT_FORBIDDEN if j else _START))
        at = _past_forbidden(answer, at, text, read[_FIRST_NAME + j, 0], read[_FIRST_NAME + j, 1])
    for j in range(k):
        at = _past(answer, at, tables, first + (_NEXT_SKILL if j else _FIRST_SKILL))
        at = _past_copy(answer, at, text, read[_FIRST_NAME + j, 0], read[_FIRST_NAME + j, 1])
    at = _past(answer, at, tables, first + _ABOUT)
    at = _past_copy(answer, at, text, read[_TOPIC, 0], read[_TOPIC, 1])
    return bool(_past(answer, at, tables, first + _END) == len(answer))


@kernel
def _past_forbidden(answer: Bytes, at: Int, text: Bytes, start: Int, end: Int) -> Int:
    """Return where a name ends that begins at `at` in lower case, else -1.

    What is in brackets is left out, and space at the ends.
    """
    first, last = start, start
    while last < end and text[last] != _BRACKET:
        last += 1
    while first < last and text[first] == _SPACE:
        first += 1
    while last > first and text[last - 1] == _SPACE:
        last -= 1
    if first == last:
        first, last = start, end
    if at < 0 or len(answer) - at < last - first:
        return np.int64(-1)
    for place in range(last - first):
        byte = text[first + place]
        if _UPPER_A <= byte <= _UPPER_Z:
            byte += _TO_LOWER
        if answer[at + place] != byte:
            return np.int64(-1)
    return at + last - first


class RubricVerifier(TextVerifier):
    """A verifier of prompts whose answers state what a text must satisfy."""

    open_ended = True


VERIFIERS = {"skill_prompt": RubricVerifier(_check_rows, _rubric_of, "rubric")}
