"""The checks of a text, one function per type of constraint.

Each takes the answer and the values of its constraint by name, and returns whether it holds. Blank
answers fail before any of them runs. The names of types and values are those of `types.toml`.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

from synthgen.families.constraints.verify_text import Answer, bare, has_word, without_mark

Check: TypeAlias = Callable[..., bool]
T = TypeVar("T")

CHECKS: dict[str, Check] = {}
"""The functions by type."""

_NO_MARKS = str.maketrans("", "", string.punctuation)


def holds(kind: str, values: Mapping[str, Any], answer: Answer) -> bool:
    """Return whether a text satisfies a constraint; a text without a word satisfies none."""
    return bool(answer.words) and CHECKS[kind](answer, **values)


def variants(text: str) -> list[str]:
    """Return the eight readings of a loose verdict (IFEval, arXiv:2311.07911, section 2.2)."""
    lines = text.split("\n")
    cuts = (lines, lines[1:], lines[:-1], lines[1:-1])
    whole = ["\n".join(cut) for cut in cuts]
    return whole + [variant.replace("*", "") for variant in whole]


def _check(function: Check) -> Check:
    CHECKS[function.__name__.removeprefix("_")] = function
    return function


def _related(count: int, rel: str, n: int) -> bool:
    return {"at least": count >= n, "at most": count <= n, "exactly": count == n}[rel]


def _at(items: Sequence[T], i: int) -> T | None:
    """Return the i-th item, counted from 1, or from the end by negative numbers."""
    return items[i - (i > 0)] if abs(i) <= len(items) else None


# Length.


@_check
def _words(answer: Answer, rel: str, n: int, n2: int = 0) -> bool:
    count = len(answer.words)
    return n <= count <= n2 if rel == "between" else _related(count, rel, n)


@_check
def _sentences(answer: Answer, rel: str, n: int) -> bool:
    return _related(len(answer.sentences), rel, n)


@_check
def _sentence_max(answer: Answer, m: int) -> bool:
    return all(len(sentence.words) <= m for sentence in answer.sentences)


@_check
def _sentence_words(answer: Answer, m: int) -> bool:
    return all(len(sentence.words) == m for sentence in answer.sentences)


@_check
def _growing(answer: Answer, d: int) -> bool:
    lengths = [len(sentence.words) for sentence in answer.sentences]
    return len(lengths) >= 3 and all(b - a == d for a, b in pairwise(lengths))


@_check
def _paragraphs(answer: Answer, n: int) -> bool:
    return len(answer.paragraphs) == n


# Words that must occur or must not.


@_check
def _include(answer: Answer, listed: Sequence[str]) -> bool:
    return set(listed) <= set(answer.lowered_words)


@_check
def _avoid(answer: Answer, listed: Sequence[str]) -> bool:
    return not set(listed) & {*answer.runs, *answer.lowered_words}


@_check
def _word_count(answer: Answer, w: str, rel: str, n: int) -> bool:
    return _related(answer.lowered_words.count(w), rel, n)


@_check
def _word_in_sentence(answer: Answer, w: str, i: int) -> bool:
    sentence = _at(answer.sentences, i)
    return sentence is not None and w in [word.lower() for word in sentence.words]


@_check
def _word_at(answer: Answer, w: str, i: int) -> bool:
    return _at(answer.lowered_words, i) == w


@_check
def _words_in_order(answer: Answer, listed: Sequence[str]) -> bool:
    words = answer.lowered_words
    if not set(listed) <= set(words):
        return False
    places = [words.index(word) for word in listed]
    return places == sorted(places)


@_check
def _unique_words(answer: Answer, n: int) -> bool:
    return len(set(answer.lowered_words)) >= n


@_check
def _repeat_max(answer: Answer, n: int) -> bool:
    return max(Counter(answer.lowered_words).values()) <= n


# Letters and case.


@_check
def _letter_count(answer: Answer, c: str, rel: str, n: int) -> bool:
    return _related(answer.lowered.count(c), rel, n)


@_check
def _vowels(answer: Answer, listed: Sequence[str]) -> bool:
    return not (set("aeiou") - set(listed)) & set(answer.lowered)


@_check
def _word_length_max(answer: Answer, m: int) -> bool:
    return all(sum(map(str.isalpha, word)) <= m for word in answer.words)


@_check
def _no_same_initial(answer: Answer) -> bool:
    initials = [word[0] for word in answer.lowered_words]
    return all(a != b or not a.isalpha() for a, b in pairwise(initials))


@_check
def _alphabet(answer: Answer) -> bool:
    initials = [word[0] for word in answer.lowered_words]
    letters = string.ascii_lowercase
    return (
        len(initials) >= 5
        and set(initials) <= set(letters)
        and all((ord(b) - ord(a) - 1) % 26 == 0 for a, b in pairwise(initials))
    )


@_check
def _lowercase(answer: Answer) -> bool:
    return any(map(str.isalpha, answer.text)) and not any(map(str.isupper, answer.text))


@_check
def _uppercase(answer: Answer) -> bool:
    return any(map(str.isalpha, answer.text)) and not any(map(str.islower, answer.text))


@_check
def _title_case(answer: Answer) -> bool:
    return all(word[0].isupper() or not word[0].isalpha() for word in answer.words)


@_check
def _capital_words(answer: Answer, rel: str, n: int) -> bool:
    capitals = [
        word for word in answer.words if sum(map(str.isalpha, word)) >= 2 and word.isupper()
    ]
    return _related(len(capitals), rel, n)


# Marks.


@_check
def _avoid_mark(answer: Answer, c: str) -> bool:
    return c not in answer.text


@_check
def _mark_count(answer: Answer, c: str, n: int) -> bool:
    return answer.text.count(c) == n


@_check
def _sentence_ends(answer: Answer, c: str) -> bool:
    return all(sentence.text.rstrip("\"'”’»)]}*_").endswith(c) for sentence in answer.sentences)


@_check
def _quoted(answer: Answer) -> bool:
    return len(answer.text) > 2 and answer.text[0] == answer.text[-1] == '"'


@_check
def _numbers(answer: Answer, n: int) -> bool:
    return len(re.findall(r"\d+", answer.text.translate(_NO_MARKS))) == n


@_check
def _brackets(answer: Answer, d: int) -> bool:
    closing = {"(": ")", "[": "]", "{": "}"}
    stack: list[str] = []
    deepest = 0
    for char in answer.text:
        if char in closing:
            stack.append(closing[char])
            deepest = max(deepest, len(stack))
        elif char in ")]}" and (not stack or stack.pop() != char):
            return False
    return not stack and deepest >= d


@_check
def _highlights(answer: Answer, n: int) -> bool:
    inner = r"(?!\s)[^*\n]+(?<!\s)"
    return len(re.findall(rf"\*\*{inner}\*\*|(?<!\*)\*{inner}\*(?!\*)", answer.text)) >= n


@_check
def _placeholders(answer: Answer, n: int) -> bool:
    texts = re.findall(r"\[([^\[\]\n]+)\]", answer.text)
    return sum(any(map(str.isalnum, text)) for text in texts) >= n


# Structure.


@_check
def _bullets(answer: Answer, n: int) -> bool:
    starts = [line for line in answer.lines if line.lstrip()[0] in "-*"]
    items = [line for line in starts if line.lstrip()[:2] in ("- ", "* ")]
    others = [line for line in starts if line not in items and not line.lstrip().startswith("**")]
    return len(items) == n and not others and all(has_word(line) for line in items)


@_check
def _numbered(answer: Answer, n: int) -> bool:
    matches = [re.match(r"\s*(\d{1,3})\. +\S", line) for line in answer.lines]
    return [int(match[1]) for match in matches if match] == [*range(1, n + 1)]


@_check
def _sections(answer: Answer, label: str, n: int) -> bool:
    label_line = re.compile(rf"^[ \t]*{re.escape(label)} (\d{{1,3}})[ \t]*$", re.MULTILINE)
    _, *rest = label_line.split(answer.text)
    places, bodies = rest[::2], rest[1::2]
    return [*map(int, places)] == [*range(1, n + 1)] and all(map(has_word, bodies))


@_check
def _json(answer: Answer, listed: Sequence[str]) -> bool:
    body = re.fullmatch(r"```(?:json)?\n(.*)\n```", answer.text, re.DOTALL | re.IGNORECASE)
    try:
        parsed = json.loads(body[1] if body else answer.text, parse_constant=int)
    except (ValueError, RecursionError):
        return False
    if not isinstance(parsed, dict) or not set(listed) <= set(parsed):
        return False
    values = [value.strip() if isinstance(value, str) else value for value in parsed.values()]
    return all(value not in (None, "", [], {}) for value in values)


@_check
def _title(answer: Answer) -> bool:
    match = re.fullmatch(r"<<([^<>]*)>>", answer.lines[0].strip())
    return match is not None and has_word(match[1])


def _divided(answer: Answer, mark: str) -> list[str]:
    return re.split(rf"^[ \t]*{re.escape(mark)}[ \t]*$", answer.text, flags=re.MULTILINE)


@_check
def _divider(answer: Answer, n: int) -> bool:
    parts = _divided(answer, "***")
    return len(parts) == n and all(map(has_word, parts)) and answer.text.count("***") == n - 1


@_check
def _responses(answer: Answer, n: int) -> bool:
    parts = [part.strip() for part in _divided(answer, "******")]
    whole = answer.text.count("******") == n - 1
    return whole and len(parts) == n == len(set(parts)) and all(map(has_word, parts))


@_check
def _postscript(answer: Answer, marker: str) -> bool:
    return answer.lines[-1].startswith(marker) and answer.text.count(marker) == 1


# Places.


@_check
def _start_with(answer: Answer, phrase: str) -> bool:
    rest = answer.text.removeprefix(phrase)
    return rest != answer.text and not rest[:1].isalnum()


@_check
def _end_with(answer: Answer, phrase: str) -> bool:
    return answer.text.endswith(phrase)


@_check
def _sentence_first(answer: Answer, w: str) -> bool:
    return all(sentence.words[0].lower() == w for sentence in answer.sentences)


@_check
def _sentence_last(answer: Answer, w: str) -> bool:
    return all(sentence.words[-1].lower() == w for sentence in answer.sentences)


@_check
def _paragraph_first(answer: Answer, n: int, i: int, w: str) -> bool:
    paragraph = _at(answer.paragraphs, i)
    return len(answer.paragraphs) == n and Answer(paragraph or "").lowered_words[:1] == [w]


@_check
def _start_end(answer: Answer) -> bool:
    words = answer.lowered_words
    return len(words) >= 3 and words[0] == words[-1]


@_check
def _acrostic(answer: Answer, w: str) -> bool:
    initials = [next(filter(str.isalpha, without_mark(line)), "") for line in answer.lines]
    return "".join(initials).lower() == w


@_check
def _chain(answer: Answer) -> bool:
    sentences = [[word.lower() for word in sentence.words] for sentence in answer.sentences]
    return len(sentences) >= 3 and all(a[-1] == b[0] for a, b in pairwise(sentences))


@_check
def _echo(answer: Answer, request: str) -> bool:
    rest = answer.text.removeprefix(request)
    return rest != answer.text and any(bare(piece) for piece in rest.split())
