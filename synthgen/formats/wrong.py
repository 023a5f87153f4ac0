"""Wrong answers to a problem: answers to its neighbors, and near misses of them and its own.

They differ from the answer by its type's comparison. Where a problem can have several right
answers, the family's verifier rejects them. They depend only on the row's address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from synthgen.authoring import Words
from synthgen.contract.answers import known_parser
from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import load_verifier
from synthgen.core.errors import VerificationError
from synthgen.draws.randomness import RowDraws, Rows

_NEIGHBORS = 8
"""Number of rows in a group of neighbors, whose addresses differ only in the lowest bits."""
_FEW = 3
_REMEMBERED = 1 << 14
_OPPOSITES: dict[str, str] = {
    word: opposite
    for pair in Words.beside(__file__)["opposites"]
    for word, opposite in (pair, pair[::-1])
}
_SHAPES = ((re.compile(r"[a-z]+"), "a"), (re.compile(r"[A-Z]+"), "A"), (re.compile(r"\d+"), "9"))
_TOKENS = re.compile(r"(\s+|,\s*)")
Answer = tuple[str, str]
"""Text and type."""


def wrong_answers(
    inner: Generator,
    problems: Problems,
    style: Render,
    texts: Texts,
    counts: Sequence[int],
    draws: Sequence[RowDraws],
) -> list[list[str]]:
    """Return up to `counts` different wrong answers to each problem, and at least one if any.

    Args:
        inner: Family of the problems.
        problems: Problems of the family, all valid.
        style: Style of the texts.
        texts: Texts of the problems.
        counts: Number of wrong answers wanted for each problem.
        draws: Random draws of each problem.

    Raises:
        VerificationError: if a problem has no wrong answer.
    """
    places = np.flatnonzero(counts)
    wrong: list[list[str]] = [[] for _ in counts]
    if not len(places):
        return wrong
    verifier = load_verifier(inner.verifier)
    prompts, answers = texts.prompts.to_pylist(), texts.answers.to_pylist()
    kinds = texts.answer_types.to_pylist()
    spare = 2 if verifier.many_answers else 1
    nearby = _answers_nearby(inner, problems, style, places)
    for i, others in zip(places.tolist(), nearby, strict=True):
        limit = spare * (counts[i] + 1) - 1
        near = [text for text, kind in others if kind == kinds[i]]
        wrong[i] = _Wrong(prompts[i], answers[i], kinds[i], draws[i]).answers(near, limit)
    if verifier.many_answers:
        shown = [prompts[i] for i in places.tolist() for _ in wrong[i]]
        every = pa.array([text for texts_of in wrong for text in texts_of], pa.string())
        right = iter(verifier.check(pa.array(shown, pa.string()), every, None).tolist())
        wrong = [[text for text in texts_of if not next(right)] for texts_of in wrong]
    for i in places.tolist():
        if not wrong[i]:
            msg = "no wrong answer was found for a question about suggested answers\n"
            msg += f"  prompt: {prompts[i]!r}\n  answer: {answers[i]!r}"
            raise VerificationError(msg)
    return [texts_of[:count] for texts_of, count in zip(wrong, counts, strict=True)]


def _answers_nearby(
    inner: Generator, problems: Problems, style: Render, places: Any
) -> list[list[Answer]]:
    """Return the answers of the neighbors of some problems, and their own."""
    stream, addresses = problems.rows.stream, problems.rows.addresses[places]
    first = addresses - addresses % np.uint64(_NEIGHBORS)
    firsts, group = np.unique(first, return_inverse=True)
    every = (firsts[:, None] + np.arange(_NEIGHBORS, dtype=np.uint64)).reshape(-1)
    if inner.space is not None:
        every = every[every < inner.space]
    drawn = inner.draw(Rows(stream, every))
    if not drawn.valid.all():  # drawn again, because not all families' problems can be cut
        drawn = inner.draw(Rows(stream, every[drawn.valid]))
    texts = inner.render(drawn, Render(style.prompt, inner.solutions[0]))
    answers = [*zip(texts.answers.to_pylist(), texts.answer_types.to_pylist(), strict=True)]
    ends = [*np.searchsorted(drawn.rows.addresses, firsts).tolist(), len(answers)]
    groups = [answers[start:end] for start, end in pairwise(ends)]
    return [groups[number] for number in group.reshape(-1).tolist()]


class _Wrong:
    """Makes wrong answers to one problem."""

    def __init__(self, prompt: str, answer: str, kind: str, draws: RowDraws) -> None:
        self._prompt, self._answer, self._draws = prompt, answer, draws
        self._parse = known_parser(kind)

    def answers(self, others: Sequence[str], limit: int) -> list[str]:
        """Return up to `limit` answers that differ in value.

        The most similar ones come first. A single word without digits, such as a color, has near
        misses only if all answers nearby are different strings, or there is no other.
        """
        others = sorted(self._draws.shuffled(others), key=self._differences, reverse=True)
        answer = self._answer
        has_near = bool(re.search("[0-9]", answer)) or len(_TOKENS.split(answer)) > 1
        has_near |= len({*others}) == len(others) > _FEW and not answer.istitle()
        values = [self._parse(answer)]
        wrong: list[str] = []
        for _ in range(8 * limit + len(others)):
            if len(wrong) == limit:
                break
            if others and not (has_near and self._draws.integer(0, 2)):
                text = others.pop()
            elif has_near or not wrong:
                # Wrong answers get near misses, too; else the right one is the most like the rest.
                text = _near_miss(self._draws.choice([answer, *wrong, *wrong]), self._draws)
            else:
                break
            value = self._parse(text)
            if value is not None and value not in values:
                values.append(value)
                wrong.append(text)
        return wrong

    def _differences(self, text: str) -> tuple[int, int]:
        """Return the number of visible differences from the answer, and that of the lengths."""
        quoted = (text in self._prompt) != (self._answer in self._prompt)
        length = abs(len(text) - len(self._answer))
        return quoted + (_shape(text) != _shape(self._answer)), length


@lru_cache(_REMEMBERED)
def _shape(text: str) -> str:
    for pattern, sign in _SHAPES:
        text = pattern.sub(sign, text)
    return text


def _near_miss(text: str, draws: RowDraws) -> str:
    """Return a text with one change: the opposite, another digit, or two parts exchanged."""
    if text in _OPPOSITES:
        return _OPPOSITES[text]
    digits = [match.start() for match in re.finditer(r"[0-9]", text)]
    if digits:
        at = draws.choice(digits)
        first = not text[at - 1 : at].isdigit()
        others = [digit for digit in "0123456789"[first:] if digit != text[at]]
        return f"{text[:at]}{draws.choice(others)}{text[at + 1 :]}"
    parts = _TOKENS.split(text)
    step = 2  # the parts between are separators
    if len(parts) == 1:
        parts, step = [*text], 1
    pairs = [i for i in range(0, len(parts) - step, step) if parts[i] != parts[i + step]]
    if not pairs:
        return text + "".join(parts[-step:])
    at = draws.choice(pairs)
    parts[at], parts[at + step] = parts[at + step], parts[at]
    return "".join(parts)
