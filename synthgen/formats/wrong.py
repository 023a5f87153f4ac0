"""Wrong answers to a problem, whose form does not show that they are wrong.

They are those that the family offers, else answers to other problems of the source, and slips in a
digit where there are too few. As long as there are enough, the answer and the wrong ones have one
form, and are all quoted from the prompt, or none.

They differ from the answer by its type's comparison. Where a problem can have several right
answers, the family's verifier rejects them. They depend only on the row's address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from math import gcd, inf
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from synthgen.authoring import Words
from synthgen.authoring.distractors import chained
from synthgen.contract.answers import known_parser
from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import load_verifier
from synthgen.core.errors import VerificationError
from synthgen.draws.randomness import RowDraws, Rows

_NEIGHBORS, _FEW, _SLOW = 32, 8, 256
"""Rows in a group of neighbors, whose addresses differ only in the lowest bits; few of them if a
block of the family has no more than `_SLOW` rows, as each takes long to draw."""
_MAX_GROUPS = 8
_REMEMBERED = 1 << 14
_OPPOSITES: dict[str, str] = {
    word: opposite
    for pair in Words.beside(__file__)["opposites"]
    for word, opposite in (pair, pair[::-1])
}
_SHAPES = (
    (re.compile(r"[a-z]+"), "a"),
    (re.compile(r"[A-Z]+"), "A"),
    (re.compile(r"[^\w\s,]+"), "."),
)
_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[./][0-9]+)?")
_MAX_DIGITS = 3
"""Longer numbers are not taken from other rows, as they hardly recur: who had seen those rows would
know that they are the answers there. In families with a list of problems, they recur."""
_TOKENS = re.compile(r"[^\W\d_]+|[0-9]+")
_FACTORS, _MIN_FACTORS = range(2, 9), 2
"""Small factors, and how many of them show that a number is a product."""
_PARTS = re.compile(r"([\s,]+)")


@dataclass(frozen=True)
class Wanted:
    """What a row needs: a number of wrong answers, and draws to choose them."""

    count: int
    draws: RowDraws


class _Other(NamedTuple):
    """The answer to another problem, its type, and the kind and difficulty of that problem."""

    text: str
    kind: str
    question: int
    difficulty: int


def wrong_answers(
    inner: Generator,
    problems: Problems,
    style: Render,
    texts: Texts,
    wanted: Mapping[int, Wanted],
    *,
    own: bool = True,
) -> dict[int, list[str]]:
    """Return different wrong answers to some problems: as many as wanted, or fewer, but one.

    Args:
        inner: Family of the problems.
        problems: Problems of the family, all valid.
        style: Style of the texts.
        texts: Texts of the problems.
        wanted: What is wanted, by the place of the problem.
        own: Whether the family may offer some; if not, all are answers of other rows.

    Raises:
        VerificationError: if a problem has no wrong answer.
    """
    columns = texts.statements, texts.answers, texts.answer_types
    rows: list[tuple[str, str, str]]
    rows = [*zip(*(each.to_pylist() for each in columns), strict=True)]
    about = [*zip(_questions(inner, problems), problems.difficulty.tolist(), strict=True)]
    offered = inner.wrong_answers_of(problems, [*wanted]) if own else {}
    many = load_verifier(inner.verifier).many_answers
    most_digits = _MAX_DIGITS if inner.space is None else inf
    choices = {
        i: _Choice(
            rows[i],
            about[i],
            each,
            may_change=own,
            spare=each.count // 2 + 1 if many else 0,
            most_digits=most_digits,
        )
        for i, each in wanted.items()
    }
    for i, choice in choices.items():
        choice.offer(offered.get(i, ()))
    for group in range(_MAX_GROUPS + 1):
        if many:
            _remove_right(inner, choices.values())
        fewest = {i: wanted[i].count if group == 0 else 1 for i in wanted}
        short = [i for i, choice in choices.items() if len(choice.wrong) < fewest[i]]
        if not short or group == _MAX_GROUPS:
            break
        for i, others in zip(short, _nearby(inner, problems, style, short, group), strict=True):
            choices[i].add(others)
    for i in short:
        msg = "no wrong answer was found for a problem that needs one\n"
        msg += f"  prompt: {rows[i][0]!r}\n  answer: {rows[i][1]!r}"
        raise VerificationError(msg)
    return {i: choice.wrong[: wanted[i].count] for i, choice in choices.items()}


def _remove_right(inner: Generator, choices: Iterable[_Choice]) -> None:
    """Remove the answers that the family's verifier accepts."""
    every = [(choice, text) for choice in choices for text in choice.wrong]
    prompts = pa.array([choice.prompt for choice, _ in every], pa.string())
    answers = pa.array([text for _, text in every], pa.string())
    right = load_verifier(inner.verifier).check(prompts, answers, None)
    for (choice, text), is_right in zip(every, right.tolist(), strict=True):
        if is_right:
            choice.wrong.remove(text)


def _questions(inner: Generator, problems: Problems) -> list[int]:
    """Return the kind of question of each problem."""
    some = "subtype" in inner.axes
    return problems.axes["subtype"].tolist() if some else [0] * len(problems)


def _nearby(
    inner: Generator, problems: Problems, style: Render, places: Sequence[int], group: int
) -> list[list[_Other]]:
    """Return the answers of some problems and of their neighbors, or of a further group."""
    size = np.uint64(_NEIGHBORS if inner.block > _SLOW else _FEW)
    stream, addresses = problems.rows.stream, problems.rows.addresses[list(places)]
    first = (addresses - addresses % size) ^ (np.uint64(group) * size)
    if inner.space is not None:
        first[first >= inner.space] = 0
    firsts, numbers = np.unique(first, return_inverse=True)
    every = (firsts[:, None] + np.arange(size, dtype=np.uint64)).reshape(-1)
    if inner.space is not None:
        every = every[every < inner.space]
    drawn = inner.draw(Rows(stream, every))
    if not drawn.valid.all():  # drawn again, because not all families' problems can be cut
        drawn = inner.draw(Rows(stream, every[drawn.valid]))
    texts = inner.render(drawn, Render(style.prompt, inner.solutions[0]))
    answers, kinds = texts.answers.to_pylist(), texts.answer_types.to_pylist()
    about = zip(_questions(inner, drawn), drawn.difficulty.tolist(), strict=True)
    others = [
        _Other(answer, kind, question, difficulty)
        for answer, kind, (question, difficulty) in zip(answers, kinds, about, strict=True)
    ]
    ends = np.append(np.searchsorted(drawn.rows.addresses, firsts), len(others)).tolist()
    groups = [others[start:end] for start, end in pairwise(ends)]
    return [groups[number] for number in numbers.reshape(-1).tolist()]


class _Choice:
    """Chooses wrong answers to one problem.

    Args:
        row: Prompt, answer and type of the answer.
        about: Kind of question and difficulty.
        wanted: What is wanted.
        may_change: Whether answers with a mistake are better than answers of other rows.
        spare: Further answers to choose, as some may be right.
        most_digits: Digits of the longest numbers that are taken from other rows.

    Attributes:
        prompt: The prompt.
        wrong: Wrong answers so far.
    """

    def __init__(
        self,
        row: tuple[str, str, str],
        about: tuple[int, int],
        wanted: Wanted,
        *,
        may_change: bool,
        spare: int,
        most_digits: float,
    ) -> None:
        self.prompt, self._answer, self._kind = row
        self._about, self._draws, self._may_change = about, wanted.draws, may_change
        self._count, self._most_digits = wanted.count + spare, most_digits
        self._parse = known_parser(self._kind)
        self._quoted = _tokens(self.prompt)
        self._is_number = _NUMBER.fullmatch(self._answer) is not None
        self._is_long = self._is_number and _n_digits(self._answer) > most_digits
        self.wrong: list[str] = []

    def offer(self, texts: Iterable[str]) -> None:
        """Take the first wrong answers that the family offers, and slips in a long number."""
        self.wrong = [*islice(self._new(texts), self._count)]
        if self._is_long and self._may_change and len(self.wrong) < self._count:
            wrong = [*islice(self._new([*self.wrong, *self._changed()]), self._count)]
            self.wrong = wrong if len(wrong) == self._count else self.wrong

    def add(self, others: Sequence[_Other]) -> None:
        """Add answers to other problems: to the same kind of question, if there are any."""
        near = [each for each in others if each.kind == self._kind]
        same = [each for each in near if each.question == self._about[0]]
        self.wrong = self._chosen(self._in_turn(same)) or self._chosen(self._in_turn(near))

    def _new(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the texts that are answers, and differ in value from the right one and others."""
        seen, values = set[str](), [None, self._parse(self._answer)]
        for text in texts:
            if text not in seen:
                seen.add(text)
                value = self._parse(text)
                if value not in values:
                    values.append(value)
                    yield text

    def _in_turn(self, others: Sequence[_Other]) -> list[str]:
        """Return the answers in random order, those to problems as difficult first.

        Each is among the first ones about as many times more often as it is more frequent than
        others of its form (Rosén's Pareto sampling): a usual answer is shown as a wrong one so
        often that it is right no more than any other.
        """
        levels: tuple[list[str], list[str]] = [], []
        for each in others:
            if each.text != self._answer:
                levels[each.difficulty != self._about[1]].append(each.text)
        return [text for level in levels for text in self._by_chance(Counter(level))]

    def _by_chance(self, counts: Counter[str]) -> list[str]:
        totals: Counter[Hashable] = Counter()
        for text, n in counts.items():
            totals[self._form(text)] += n
        ranks = {}
        for text, n in counts.items():
            drawn, share = self._draws.uniform(), self._count * n / totals[self._form(text)]
            ranks[text] = drawn / (1 - drawn) * max(1 - share, 0.0) / share
        return sorted(ranks, key=ranks.__getitem__)

    def _chosen(self, others: Sequence[str]) -> list[str]:
        """Return the wrong answers so far, then answers of other rows.

        The latter have the right one's form if they are enough. If not, and the family has none,
        other forms occur as often as that of the right one, so that it is no more usual.
        """
        own, count = self.wrong, self._count
        if self._is_number and not self._is_long:
            others = [text for text in others if _n_digits(text) <= self._most_digits] or others
        pool = [*self._new([*own, *others])][len(own) :]
        if len(pool) <= count and not own:
            pool = [*self._new(others[: 2 * count])]  # else rare ones are frequent
        by_form: dict[Hashable, list[str]] = {self._form(self._answer): [*own]}
        for text in pool:
            by_form.setdefault(self._form(text), []).append(text)
        like, *rest = by_form.values()
        short = len(like) < count and not own and not self._is_number and self._may_change
        if short or not pool:
            changed = self._changed()
            like = [*self._new([*own, *changed] if len(changed) >= count else [*like, *changed])]
        if len(like) >= count or own:
            return like[:count]
        kept = self._draws.integer(0, len(like) + 1)
        chosen = like[:kept]
        for texts in self._draws.shuffled(rest):
            chosen += texts[: min(kept + 1, count - len(chosen))]
        if len(chosen) < count:
            left = [text for text in dict.fromkeys([*like, *pool]) if text not in chosen]
            chosen += left[: count - len(chosen)]
        if not chosen and self._answer in _OPPOSITES:
            chosen.append(_OPPOSITES[self._answer])
        return self._draws.shuffled(chosen)

    def _changed(self) -> list[str]:
        """Return the answer with mistakes that leave its form."""
        changed = chained(self._answer, _changed, self._draws, 2 * self._count)
        return [text for text in changed if _form(text) == _form(self._answer)]

    def _form(self, text: str) -> Hashable:
        """Return what can be seen of an answer without knowing the problem, and what is quoted."""
        tokens = _TOKENS.findall(text)
        n_other = sum(token not in self._quoted for token in tokens)
        return n_other, (len(tokens) - n_other).bit_length(), _form(text)


def _n_digits(text: str) -> int:
    return sum(map(str.isdigit, text))


@lru_cache(256)
def _tokens(prompt: str) -> frozenset[str]:
    return frozenset(_TOKENS.findall(prompt))


@lru_cache(_REMEMBERED)
def _form(text: str) -> Hashable:
    """Return about how long a number or a word is, or the shape of a longer text."""
    if _NUMBER.fullmatch(text):
        return _DIGITS.sub(lambda digits: "9" * len(digits[0]).bit_length(), text)
    if text.isalpha():
        return "word", len(text).bit_length()
    shape = _DIGITS.sub("9", text)
    for pattern, sign in _SHAPES:
        shape = pattern.sub(sign, shape)
    return shape


def _changed(text: str, draws: RowDraws) -> str | None:
    """Return a text of the same form with one mistake: in a digit, or in the order of parts."""
    if _NUMBER.fullmatch(text):
        return _miscounted(text, draws) or _slip(text, draws)
    parts = _PARTS.split(text)  # parts at odd places are separators
    shapes = [_form(part) for part in parts]
    at = 2 * draws.integer(0, len(parts) // 2 + 1)
    around = shapes[max(at - 2, 0) : at + 3]
    others = [
        place
        for place in range(0, len(parts), 2)
        if shapes[max(place - 2, 0) : place + 3] == around and parts[place] != parts[at]
    ]
    if not others:
        return None
    other = draws.choice(others)
    parts[at], parts[other] = parts[other], parts[at]
    return "".join(parts)


def _miscounted(text: str, draws: RowDraws) -> str | None:
    """Return a number with one factor more or less by one; None if it has few small factors."""
    value = int(text) if text.isdigit() else 0
    factors = [factor for factor in _FACTORS if value % factor == 0]
    if not value or len(factors) < _MIN_FACTORS:
        return None
    factor = draws.choice(factors)
    return str(value // factor * (factor + draws.choice((1, -1))))


def _slip(text: str, draws: RowDraws) -> str | None:
    """Return a number with another digit, neither the first nor the last one.

    Zeros are kept, and so are the remainders modulo 2, 3 and 5, by which primes and round numbers
    are known.
    """
    places = [match.start() for match in re.finditer("[0-9]", text)]
    inner = [at for at in places[1:-1] if text[at] != "0"] or places[:1]
    if len(places) < 2:
        return None
    at = draws.choice(inner)
    digit = (int(text[at]) + draws.choice((2, 5))) % 9 + 1  # 3 or 6 more, and never 0
    changed = f"{text[:at]}{digit}{text[at + 1 :]}"
    top, _, bottom = changed.partition("/")
    return changed if not bottom or gcd(int(top), int(bottom)) == 1 else None
