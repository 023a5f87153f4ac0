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
    """Words in a row, which letters of theirs are joined, and in which order."""

    words: tuple[str, ...]
    which: str
    order: str


@reads(
    _WORDS,
    listed=holes.listed(holes.pattern("[a-z]{1,20}")),
    which=holes.word(_LETTER),
    order=holes.word(("the same order", _BACK)),
)
def _read(listed: tuple[str, ...], which: str, order: str) -> _Problem | None:
    problem = _Problem(listed, which, order)
    return problem if len(_letters(problem)) == len(listed) else None


def _letters(problem: _Problem) -> list[str]:
    return _LETTER[problem.which].findall(" ".join(problem.words))


def _solve(problem: _Problem) -> str:
    letters = _letters(problem)
    if problem.order == _BACK:
        letters.reverse()
    return "".join(letters)


def _follows(problem: _Problem, answer: str, lines: Sequence[str]) -> bool:
    """Compare with both traces: one letter after another, and least to most."""
    end = filled(_STEPS["joined"], {"order": problem.order, "answer": answer})
    return list(lines) in ([*_each(problem), end], [*_least_to_most(problem), end])


def _each(problem: _Problem) -> list[str]:
    pairs = zip(problem.words, _letters(problem), strict=True)
    return [
        filled(_STEPS["letter"], {"which": problem.which, "word": word, "letter": letter})
        for word, letter in pairs
    ]


def _least_to_most(problem: _Problem) -> list[str]:
    """Derive each line from the answers for the first words."""
    back = problem.order == _BACK
    letters = _letters(problem)
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
