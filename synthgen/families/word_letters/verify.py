"""Letters of words from the text, by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.authoring.words import filled

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["steps"]
_LETTER = {
    "first": re.compile(r"\b(\w)\w*"),
    "second": re.compile(r"\b\w(\w)\w*"),
    "third": re.compile(r"\b\w\w(\w)\w*"),
    "fourth": re.compile(r"\b\w\w\w(\w)\w*"),
    "last": re.compile(r"\w*(\w)\b"),
}
_BACK = "reverse order"
_LONGEST_SOLUTION = 1 << 20


class _Problem(NamedTuple):
    """Words in a row, their letters to join, and the order of these."""

    words: tuple[str, ...]
    which: str
    letters: tuple[str, ...]
    order: str


@reads(
    _WORDS,
    listed=holes.listed(holes.pattern("[a-z]{1,20}")),
    which=holes.word(_LETTER),
    order=holes.word(("the same order", _BACK)),
)
def _read(listed: tuple[str, ...], which: str, order: str) -> _Problem | None:
    letters = _LETTER[which].findall(" ".join(listed))
    return _Problem(listed, which, (*letters,), order) if len(letters) == len(listed) else None


def _solve(problem: _Problem) -> str:
    joined = "".join(problem.letters)
    return joined[::-1] if problem.order == _BACK else joined


def _follows(problem: _Problem, answer: str, lines: Sequence[str]) -> bool:
    """Compare with both traces: one letter after another, and least to most."""
    *work, end = lines
    joined = filled(_STEPS["joined"], {"order": problem.order, "answer": answer})
    return end == joined and (work == _each(problem) or work == _least_to_most(problem))


def _each(problem: _Problem) -> list[str]:
    pairs = zip(problem.words, problem.letters, strict=True)
    return [
        filled(_STEPS["letter"], {"which": problem.which, "word": word, "letter": letter})
        for word, letter in pairs
    ]


def _least_to_most(problem: _Problem) -> list[str]:
    """Derive each line from the answers for the first words."""
    back, letters = problem.order == _BACK, problem.letters
    answers = list(accumulate(letters, lambda a, b: b + a if back else a + b))
    lists = list(accumulate(problem.words, lambda a, b: f"{a}, {b}"))
    lines = _each(problem)[:1]
    for place in range(1, len(letters)):
        holes = {"listed": lists[place], "letter": letters[place]}
        holes |= {"before": answers[place - 1], "after": answers[place]}
        lines.append(filled(_STEPS["put" if back else "added"], holes))
    return lines


VERIFIERS = {
    "word_letters": PlainVerifier(_read, _solve, "string", _follows, longest=_LONGEST_SOLUTION)
}
