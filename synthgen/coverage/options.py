"""Options alone: which option is right, by its form, without the question.

Each option of a question has scores such as its length, the share of the options with its shape, or
its likeness to the others. A linear model, fitted on train, chooses among the options of a row. If
it is right more often than a guess, the wrong options show that they are wrong.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from statistics import median
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_MARK = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:[Oo]ption|[Cc]hoice|OPTION|CHOICE)\s*)?"
    r"([(\[<]?)([A-Za-z]{1,4}|[0-9]{1,2}|[\u2160-\u2169])\s?([)\]>.:])\s"
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_LABELS: tuple[Sequence[str], ...] = (
    "ABCDEFGHIJ",
    "abcdefghij",
    [str(number) for number in range(1, 11)],
    [text.upper() for text in _ROMAN],
    _ROMAN,
)
_SIGNS = " ()[]<>.:"
_NUMBER = re.compile(r"[+-]?[0-9]{1,100}(?:\.[0-9]{1,100}|/[1-9][0-9]{0,100})?")
_TOKENS = re.compile(r"[^\W\d_]+|[0-9]+|[^\w\s]")
_SHAPES = ((re.compile(r"[a-z]+"), "a"), (re.compile(r"[A-Z]+"), "A"), (re.compile(r"\d+"), "9"))
_DIVISORS = range(2, 13)
_REMEMBERED = 1 << 14
_STEPS, _RIDGE = 40, 3.0


@dataclass(frozen=True)
class Question:
    """A question with options.

    Attributes:
        problem: Text before the options.
        options: Texts of the options.
        right: Place of the right option; None if it is unknown.
    """

    problem: str
    options: tuple[str, ...]
    right: int | None


def read_question(prompt: str, answer: str) -> Question | None:
    """Return the question of a prompt whose options have labels, or None if there is none.

    The options begin at the last mark of a first label that a second one follows. The answer is a
    label, or the text of an option.

    >>> read_question("Which is even? (A) 3 (B) 4 Answer:", "B")
    Question(problem='Which is even?', options=('3', '4 Answer:'), right=1)
    """
    prompt = prompt if prompt.isascii() else normalize("NFKC", prompt)
    marks = [*_MARK.finditer(prompt)]
    for first in range(len(marks) - 2, -1, -1):
        for labels in _LABELS:
            if marks[first][2] == labels[0]:
                run = _run(marks[first:], labels)
                if len(run) > 1:
                    return _question(prompt, run, answer)
    return None


def _run(marks: Sequence[re.Match[str]], labels: Sequence[str]) -> list[re.Match[str]]:
    """Return the marks that have consecutive labels in the signs of the first one."""
    run: list[re.Match[str]] = []
    signs = marks[0][1], marks[0][3]
    for mark in marks:
        if len(run) < len(labels) and (mark[1], mark[3]) == signs and mark[2] == labels[len(run)]:
            run.append(mark)
    return run


def _question(prompt: str, run: Sequence[re.Match[str]], answer: str) -> Question:
    texts = [prompt[a.end() : b.start()] for a, b in pairwise(run)]
    between = re.sub(r"^\w+", "", _common_end(texts))
    last = prompt[run[-1].end() :]
    options = [text.removesuffix(between) for text in texts]
    options.append(last.partition(between if between in last[1:] else "\n")[0])
    shown = tuple(text.strip() for text in options)
    labels = [mark[2].lower() for mark in run]
    label = normalize("NFKC", answer).strip(_SIGNS).lower()
    right = labels.index(label) if label in labels else None
    if right is None and shown.count(answer.strip()) == 1:
        right = shown.index(answer.strip())
    return Question(prompt[: run[0].start()].strip(), shown, right)


def _common_end(texts: Sequence[str]) -> str:
    shortest = min(texts, key=len)
    same = 0
    while same < len(shortest) and len({text[-same - 1] for text in texts}) == 1:
        same += 1
    return shortest[len(shortest) - same :]


class Prior:
    """How often texts, shapes, first and last characters are right, and how often they are shown.

    Args:
        questions: Questions whose right options are known.
    """

    def __init__(self, questions: Iterable[Question]) -> None:
        self._right: Counter[tuple[int, str]] = Counter()
        self._shown: Counter[tuple[int, str]] = Counter()
        for question in questions:
            for i, text in enumerate(question.options):
                keys = self._keys(text)
                self._shown.update(keys)
                if i == question.right:
                    self._right.update(keys)

    @staticmethod
    def _keys(text: str) -> list[tuple[int, str]]:
        return [*enumerate((text, shape_of(text), text[:1], text[-1:]))]

    def scores(self, text: str) -> list[float]:
        """Return the share of right ones among each, drawn towards the middle, and the counts."""
        keys = self._keys(text)
        shares = [(self._right[key] + 1.0) / (self._shown[key] + 4.0) for key in keys]
        return [*shares, *(math.log1p(count[keys[0]]) for count in (self._right, self._shown))]


@lru_cache(_REMEMBERED)
def shape_of(text: str) -> str:
    """Return a text with one sign for every run of letters or digits."""
    for pattern, sign in _SHAPES:
        text = pattern.sub(sign, text)
    return text


ALONE = 19
"""The first scores do not look at the problem."""


def scores_of(question: Question, prior: Prior) -> Matrix:
    """Return the scores of every option, (options, scores)."""
    options = question.options
    shapes = [shape_of(text) for text in options]
    tokens = [_TOKENS.findall(text) for text in options]
    bags = [Counter(words) for words in tokens]
    pairs = [frozenset(map("".join, pairwise(text))) for text in options]
    columns = [
        [shapes.count(shape) for shape in shapes],
        [len(shape) for shape in shapes],
        [len(text) for text in options],
        [len(words) for words in tokens],
        [len(bag) / max(len(words), 1) for bag, words in zip(bags, tokens, strict=True)],
        *_likenesses(pairs),
        _likenesses([frozenset(bag) for bag in bags])[0],
        *_numeric(options),
        *zip(*map(prior.scores, options), strict=True),
        *_quoted(question, tokens, bags),
    ]
    return np.array(columns, np.float64).T


def _likenesses(parts: Sequence[frozenset[str]]) -> tuple[list[float], list[float]]:
    """Return the sum of the likenesses of each to the others, and the largest one."""
    every: list[list[float]] = [[] for _ in parts]
    for i, j in combinations(range(len(parts)), 2):
        common = len(parts[i] & parts[j])
        likeness = _share(common, len(parts[i]) + len(parts[j]) - common)
        every[i].append(likeness)
        every[j].append(likeness)
    return [sum(row) for row in every], [max(row, default=0.0) for row in every]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def _numeric(options: Sequence[str]) -> list[list[float]]:
    """Return distance from the median, with and without its sign, divisors, parity and zeros."""
    values = [Fraction(text) if _NUMBER.fullmatch(text) else None for text in options]
    known = [float(value) for value in values if value is not None]
    middle = median(known or [0.0])
    spread = max((abs(value - middle) for value in known), default=0.0) or 1.0
    rows = []
    for text, value in zip(options, values, strict=True):
        distance = (float(value) - middle) / spread if value is not None else 0.0
        top = value.numerator if value is not None else 1
        divisors = sum(top % divisor == 0 for divisor in _DIVISORS)
        zeros = len(text) - len(text.rstrip("0"))
        rows.append([distance, abs(distance), float(divisors), float(top % 2), float(zeros)])
    return [[*column] for column in zip(*rows, strict=True)]


def _quoted(
    question: Question, tokens: Sequence[Sequence[str]], bags: Sequence[Counter[str]]
) -> list[list[float]]:
    """Return what each option has in common with the problem: words, pairs of them, and digits."""
    problem = question.problem
    words = _TOKENS.findall(problem)
    known, pairs, digits = Counter(words), {*pairwise(words)}, _digits(problem)
    n_digits = digits.total()
    rows = []
    for text, parts, bag in zip(question.options, tokens, bags, strict=True):
        size, own = len(parts), {*pairwise(parts)}
        common = sum(min(n, known[word]) for word, n in bag.items())
        rows.append(
            [
                _share(sum(word in known for word in bag), len(bag)),
                _share(common, size),
                float(common == size),
                math.log1p(sum(known[word] for word in bag)),
                float(text in problem),
                _share(len(own & pairs), len(own)),
                _share(
                    sum(min(n, digits[c]) for c, n in _digits(text).items()), n_digits + len(text)
                ),
            ]
        )
    return [[*column] for column in zip(*rows, strict=True)]


def _digits(text: str) -> Counter[str]:
    return Counter(filter(str.isdigit, text))


def _relative(scores: Matrix) -> Matrix:
    """Return how scores deviate from those of the row, how far, and who alone has an extreme."""
    deviation = scores - scores.mean(axis=0)
    deviation /= np.maximum(scores.std(axis=0), 1e-9)
    extremes = []
    for flags in (scores == scores.max(axis=0), scores == scores.min(axis=0)):
        extremes.append(np.where(flags.sum(axis=0) == 1, flags, 0.0))
    return np.stack([deviation, np.abs(deviation), *extremes], axis=2)


def choose_options(
    train: Sequence[Question], asked: Sequence[Question]
) -> tuple[list[int], list[int]]:
    """Return the place of the option of each question that is most likely right.

    Args:
        train: Questions whose right options are known; the first half gives the counts of texts
            and shapes, the second one the weights.
        asked: Questions to answer.

    Returns:
        The places by the form of the options alone, and by the words of the problem as well.
    """
    half = len(train) // 2
    prior = Prior(train[:half])
    fit, others = (
        [_relative(scores_of(question, prior)) for question in questions]
        for questions in (train[half:], asked)
    )
    right = [question.right or 0 for question in train[half:]]
    alone, every = (
        [int((_flat(row, n) @ weights).argmax()) for row in others]
        for n in (ALONE, None)
        for weights in [_fitted([_flat(row, n) for row in fit], right)]
    )
    return alone, every


def _flat(row: Matrix, n: int | None) -> Matrix:
    return row[:, :n].reshape(len(row), -1)


def _fitted(rows: Sequence[Matrix], right: Sequence[int]) -> Matrix:
    """Fit a softmax over the options of each row.

    Every step goes to the maximum of a quadratic lower bound of the likelihood (Böhning 1992).
    """
    width = rows[0].shape[1]
    features = np.zeros((len(rows), max(map(len, rows)), width))
    shown = np.zeros(features.shape[:2], bool)
    for i, row in enumerate(rows):
        features[i, : len(row)] = row - row.mean(axis=0)
        shown[i, : len(row)] = True
    flat = features.reshape(-1, width)
    inverse = np.linalg.inv(flat.T @ flat / 2 + _RIDGE * np.eye(width))
    target = features[np.arange(len(rows)), right].sum(axis=0)
    weights = np.zeros(width)
    for _ in range(_STEPS):
        scores = np.where(shown, features @ weights, -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        weights += inverse @ (target - shares.reshape(-1) @ flat - _RIDGE * weights)
    return weights
