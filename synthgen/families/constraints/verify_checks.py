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


def _related(count: int, rel: str, n: int) -> bool:
    return {"at least": count >= n, "at most": count <= n, "exactly": count == n}[rel]


def _at(items: Sequence[T], i: int) -> T | None:
    """Return the i-th item, counted from 1, or from the end by negative numbers."""
    return items[i - (i > 0)] if abs(i) <= len(items) else None


def _words(answer: Answer, rel: str, n: int, n2: int = 0) -> bool:
    count = len(answer.words)
    return n <= count <= n2 if rel == "between" else _related(count, rel, n)


def _sentence_max(answer: Answer, m: int) -> bool:
    return all(len(sentence.words) <= m for sentence in answer.sentences)


def _sentence_words(answer: Answer, m: int) -> bool:
    return all(len(sentence.words) == m for sentence in answer.sentences)


def _growing(answer: Answer, d: int) -> bool:
    lengths = [len(sentence.words) for sentence in answer.sentences]
    return len(lengths) >= 3 and all(b - a == d for a, b in pairwise(lengths))


def _word_in_sentence(answer: Answer, w: str, i: int) -> bool:
    sentence = _at(answer.sentences, i)
    return sentence is not None and w in [word.lower() for word in sentence.words]


def _words_in_order(answer: Answer, listed: Sequence[str]) -> bool:
    words = answer.lowered_words
    if not set(listed) <= set(words):
        return False
    places = [words.index(word) for word in listed]
    return places == sorted(places)


def _word_length_max(answer: Answer, m: int) -> bool:
    return all(sum(map(str.isalpha, word)) <= m for word in answer.words)


def _no_same_initial(answer: Answer) -> bool:
    initials = [word[0] for word in answer.lowered_words]
    return all(a != b or not a.isalpha() for a, b in pairwise(initials))


def _alphabet(answer: Answer) -> bool:
    initials = [word[0] for word in answer.lowered_words]
    letters = string.ascii_lowercase
    return (
        len(initials) >= 5
        and set(initials) <= set(letters)
        and all((ord(b) - ord(a) - 1) % 26 == 0 for a, b in pairwise(initials))
    )


def _lowercase(answer: Answer) -> bool:
    return any(map(str.isalpha, answer.text)) and not any(map(str.isupper, answer.text))


def _uppercase(answer: Answer) -> bool:
    return any(map(str.isalpha, answer.text)) and not any(map(str.islower, answer.text))


def _title_case(answer: Answer) -> bool:
    return all(word[0].isupper() or not word[0].isalpha() for word in answer.words)


def _capital_words(answer: Answer, rel: str, n: int) -> bool:
    capitals = [
        word for word in answer.words if sum(map(str.isalpha, word)) >= 2 and word.isupper()
    ]
    return _related(len(capitals), rel, n)


def _sentence_ends(answer: Answer, c: str) -> bool:
    return all(sentence.text.rstrip("\"'”’»)]}*_").endswith(c) for sentence in answer.sentences)


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


def _highlights(answer: Answer, n: int) -> bool:
    inner = r"(?!\s)[^*\n]+(?<!\s)"
    return len(re.findall(rf"\*\*{inner}\*\*|(?<!\*)\*{inner}\*(?!\*)", answer.text)) >= n


def _placeholders(answer: Answer, n: int) -> bool:
    texts = re.findall(r"\[([^\[\]\n]+)\]", answer.text)
    return sum(any(map(str.isalnum, text)) for text in texts) >= n


def _bullets(answer: Answer, n: int) -> bool:
    starts = [line for line in answer.lines if line.lstrip()[0] in "-*"]
    items = [line for line in starts if line.lstrip()[:2] in ("- ", "* ")]
    others = [line for line in starts if line not in items and not line.lstrip().startswith("**")]
    return len(items) == n and not others and all(has_word(line) for line in items)


def _numbered(answer: Answer, n: int) -> bool:
    matches = [re.match(r"\s*(\d{1,3})\. +\S", line) for line in answer.lines]
    return [int(match[1]) for match in matches if match] == [*range(1, n + 1)]


def _sections(answer: Answer, label: str, n: int) -> bool:
    label_line = re.compile(rf"^[ \t]*{re.escape(label)} (\d{{1,3}})[ \t]*$", re.MULTILINE)
    _, *rest = label_line.split(answer.text)
    places, bodies = rest[::2], rest[1::2]
    return [*map(int, places)] == [*range(1, n + 1)] and all(map(has_word, bodies))


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


def _title(answer: Answer) -> bool:
    match = re.fullmatch(r"<<([^<>]*)>>", answer.lines[0].strip())
    return match is not None and has_word(match[1])


def _divided(text: str, mark: str) -> list[str]:
    return re.split(rf"^[ \t]*{re.escape(mark)}[ \t]*$", text, flags=re.MULTILINE)


def versions(text: str) -> list[str]:
    """Return the versions of a text, which lines of six asterisks separate."""
    return _divided(text, "******")


def _divider(answer: Answer, n: int) -> bool:
    parts = _divided(answer.text, "***")
    return len(parts) == n and all(map(has_word, parts)) and answer.text.count("***") == n - 1


def _responses(answer: Answer, n: int) -> bool:
    parts = [part.strip() for part in versions(answer.text)]
    whole = answer.text.count("******") == n - 1
    return whole and len(parts) == n == len(set(parts)) and all(map(has_word, parts))


def _postscript(answer: Answer, marker: str) -> bool:
    return answer.lines[-1].startswith(marker) and answer.text.count(marker) == 1


def _start_with(answer: Answer, phrase: str) -> bool:
    rest = answer.text.removeprefix(phrase)
    return rest != answer.text and not rest[:1].isalnum()


def _sentence_first(answer: Answer, w: str) -> bool:
    return all(sentence.words[0].lower() == w for sentence in answer.sentences)


def _sentence_last(answer: Answer, w: str) -> bool:
    return all(sentence.words[-1].lower() == w for sentence in answer.sentences)


def _paragraph_first(answer: Answer, n: int, i: int, w: str) -> bool:
    paragraph = _at(answer.paragraphs, i)
    return len(answer.paragraphs) == n and Answer(paragraph or "").lowered_words[:1] == [w]


def _start_end(answer: Answer) -> bool:
    words = answer.lowered_words
    return len(words) >= 3 and words[0] == words[-1]


def _acrostic(answer: Answer, w: str) -> bool:
    initials = [next(filter(str.isalpha, without_mark(line)), "") for line in answer.lines]
    return "".join(initials).lower() == w


def _chain(answer: Answer) -> bool:
    sentences = [[word.lower() for word in sentence.words] for sentence in answer.sentences]
    return len(sentences) >= 3 and all(a[-1] == b[0] for a, b in pairwise(sentences))


def _echo(answer: Answer, request: str) -> bool:
    rest = answer.text.removeprefix(request)
    return rest != answer.text and any(bare(piece) for piece in rest.split())


CHECKS: Mapping[str, Check] = {
    # Length.
    "words": _words,
    "sentences": lambda answer, rel, n: _related(len(answer.sentences), rel, n),
    "sentence_max": _sentence_max,
    "sentence_words": _sentence_words,
    "growing": _growing,
    "paragraphs": lambda answer, n: len(answer.paragraphs) == n,
    # Words that must occur or must not.
    "include": lambda answer, listed: set(listed) <= set(answer.lowered_words),
    "avoid": lambda answer, listed: not set(listed) & {*answer.runs, *answer.lowered_words},
    "word_count": lambda answer, w, rel, n: _related(answer.lowered_words.count(w), rel, n),
    "word_in_sentence": _word_in_sentence,
    "word_at": lambda answer, w, i: _at(answer.lowered_words, i) == w,
    "words_in_order": _words_in_order,
    "unique_words": lambda answer, n: len(set(answer.lowered_words)) >= n,
    "repeat_max": lambda answer, n: max(Counter(answer.lowered_words).values()) <= n,
    # Letters and case.
    "letter_count": lambda answer, c, rel, n: _related(answer.lowered.count(c), rel, n),
    "vowels": lambda answer, listed: not (set("aeiou") - set(listed)) & set(answer.lowered),
    "word_length_max": _word_length_max,
    "no_same_initial": _no_same_initial,
    "alphabet": _alphabet,
    "lowercase": _lowercase,
    "uppercase": _uppercase,
    "title_case": _title_case,
    "capital_words": _capital_words,
    # Marks.
    "avoid_mark": lambda answer, c: c not in answer.text,
    "mark_count": lambda answer, c, n: answer.text.count(c) == n,
    "sentence_ends": _sentence_ends,
    "quoted": lambda answer: len(answer.text) > 2 and answer.text[0] == answer.text[-1] == '"',
    "numbers": lambda answer, n: len(re.findall(r"\d+", answer.text.translate(_NO_MARKS))) == n,
    "brackets": _brackets,
    "highlights": _highlights,
    "placeholders": _placeholders,
    # Structure.
    "bullets": _bullets,
    "numbered": _numbered,
    "sections": _sections,
    "json": _json,
    "title": _title,
    "divider": _divider,
    "responses": _responses,
    "postscript": _postscript,
    # Places.
    "start_with": _start_with,
    "end_with": lambda answer, phrase: answer.text.endswith(phrase),
    "sentence_first": _sentence_first,
    "sentence_last": _sentence_last,
    "paragraph_first": _paragraph_first,
    "start_end": _start_end,
    "acrostic": _acrostic,
    "chain": _chain,
    "echo": _echo,
}
"""The check of each type."""
