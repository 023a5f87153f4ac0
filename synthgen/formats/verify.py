"""Undo formats: find the problem and the options in a prompt, and let the family's verifier judge.

A prompt is taken apart from both ends: the word before the answer shows the separator, and the text
before it the space between fields. Several readings may be possible, such as a full stop that ends
the problem or begins the space; a row is right if in one of them the family accepts the right
answer and refuses every other that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import Words
from synthgen.core.columns import table_column
from synthgen.core.contract import Verifier
from synthgen.core.registry import load_verifier

_WORDS = Words.beside(__file__)
_REMEMBERED = 1 << 14
_OF_OPTIONS = ("numbering", "wrapper", "option_word", "length")
_CASES: tuple[tuple[frozenset[str], Callable[[str], str]], ...] = (
    (frozenset({"as_is", "title"}), str),  # all words are written with a capital letter
    (frozenset({"upper"}), str.upper),
    (frozenset({"lower"}), str.lower),
)
_SPACES = sorted(_WORDS["spaces"].items(), key=lambda pair: -len(pair[1]))
_OPTION_WORDS = sorted(_WORDS["option_words"].items(), key=lambda pair: -len(pair[1]))
_SENTENCES = {
    kind: re.compile("|".join(re.escape(text).replace(r"\{n\}", "[0-9]+") for text in texts))
    for kind, texts in _WORDS["irrelevant"].items()
}
_TRUTHS = {"True": True, "False": False}
_ENDS = {kind: text.split("{")[0] for kind, text in _WORDS["conclusions"].items()}
Names = frozenset[tuple[str, str]]
"""Axes, without their prefix, and values of them that give a text."""
Claim = tuple[str, str, str | None, bool]
"""Problem, answer, solution, and whether the row says that the answer is right."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a prompt.

    Attributes:
        problem: the prompt of the family.
        names: values of axes that give this text.
        options: label, text and whether it is lengthened.
        suggestion: the answer of a question of type true_false.
    """

    problem: str
    names: Names
    options: tuple[tuple[str, str, bool], ...] = ()
    suggestion: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether neither options nor a suggestion are shown."""
        return not self.options and self.suggestion is None

    def claims(self, answer: str, solution: str | None) -> list[Claim] | None:
        """Return what a row with this prompt says; None if it does not answer the question."""
        if self.is_open:
            return [(self.problem, answer, solution, True)]
        if self.options:
            own = _without(solution, "choice", answer)
            found = [
                (self.problem, text, own if label == answer else None, label == answer)
                for label, text, _ in self.options
            ]
            texts = [text for _, text, _ in self.options]
            ok = sum(is_right for *_, is_right in found) == 1 and len({*texts}) == len(texts)
            return None if not ok or (solution and own is None) else found
        if self.suggestion is None or answer not in _TRUTHS:
            return None
        found = [(self.problem, self.suggestion, None, _TRUTHS[answer])]
        if solution is not None:
            steps, _, last = solution.rpartition("\n")
            right = last.removeprefix(_ENDS["true_false"]).removesuffix(".")
            if not steps or _without(solution, "true_false", right) is None:
                return None
            found.append((self.problem, right, steps, True))
        return found

    def shows(self, answer: str, values: Mapping[str, str]) -> bool:
        """Return whether the row has these values of axes."""
        long = [is_long for *_, is_long in self.options]
        right = [label == answer for label, *_ in self.options]
        lengths = {
            "none": not any(long),
            "all": all(long),
            "right": long == right,
            "wrong": [not one for one in long] == right,
        }
        names = self.names | {("length", name) for name, is_it in lengths.items() if is_it}
        if not self.options:
            names = self.names | _exactly(**dict.fromkeys(_OF_OPTIONS, "none"))
        return names.issuperset(values.items())


def _without(solution: str | None, kind: str, end: str) -> str | None:
    """Return the steps of the family before the last line; None if the line is another."""
    steps, _, last = (solution or "").rpartition("\n")
    return steps if last == f"{_ENDS[kind]}{end}." else None


@lru_cache(_REMEMBERED)
def readings(prompt: str) -> tuple[Reading, ...]:
    """Return the ways to read a prompt; options are never read as a part of an open question."""
    found = [*dict.fromkeys(_undistracted(one) for one in _readings(prompt))]
    closed = [one for one in found if not one.is_open]
    return tuple(closed or found)


def _readings(prompt: str) -> Iterator[Reading]:
    for (casings, cased), (answer, a), (separator, between) in product(
        _CASES, _WORDS["answers"].items(), _WORDS["separators"].items()
    ):
        if not prompt.endswith(f"{cased(a)}{between}"):
            continue
        for question, q in _WORDS["questions"].items():
            start = f"{cased(q)}{between}"
            if not prompt.startswith(start):
                continue
            names = _exactly(answer=answer, separator=separator, question=question)
            names |= {("casing", casing) for casing in casings}
            middle = prompt[len(start) : len(prompt) - len(cased(a)) - len(between)]
            for space, text in _SPACES:
                fits = "\n" in text or "\n" not in between
                if fits and middle.endswith(text) and len(middle) > len(text):
                    inside = middle[: len(middle) - len(text)]
                    fields = _Fields(inside, text, between, cased)
                    yield from fields.readings(names | _exactly(space=space))


def _exactly(**names: str) -> Names:
    return frozenset(names.items())


def _undistracted(reading: Reading) -> Reading:
    """Take an irrelevant sentence away from the problem."""
    first, _, after = reading.problem.partition("\n")
    before, _, last = reading.problem.rpartition("\n")
    for kind, pattern in _SENTENCES.items():
        for place, line, rest in (("before", first, after), ("after", last, before)):
            if rest and pattern.fullmatch(line):
                names = reading.names | _exactly(sentence=f"{kind}_{place}")
                return replace(reading, problem=rest, names=names)
    return replace(reading, names=reading.names | _exactly(sentence="none"))


class _Fields:
    """What is between the first word and the space before the last one."""

    def __init__(self, text: str, space: str, separator: str, cased: Callable[[str], str]) -> None:
        self._text, self._space, self._separator, self._cased = text, space, separator, cased

    def readings(self, names: Names) -> Iterator[Reading]:
        """Read options or a suggestion if the text ends with a request that needs them."""
        before = self._before(_WORDS["assess"])
        if before is not None:
            word = self._cased(_WORDS["suggestions"]["suggestion"])
            problem, mark, text = before.rpartition(f"{self._space}{word}{self._separator}")
            if mark:
                yield Reading(problem, names | _exactly(type="true_false"), (), text)
                return
        before = self._before(_WORDS["choose"])
        for word, labels in _OPTION_WORDS if before is not None else ():
            found = [*self._options(before or "", labels)]
            for problem, own, options in found:
                own |= names | _exactly(type="choice", option_word=word)
                yield Reading(problem, own, options)
            if found:
                return
        yield Reading(self._text, names | _exactly(type="open"))

    def _before(self, requests: Iterable[str]) -> str | None:
        """Return the text before a request, if it ends with one."""
        for request in requests:
            end = f"{self._space}{request}"
            if self._space and self._text.endswith(end):
                return self._text[: len(self._text) - len(end)]
        return None

    def _options(
        self, text: str, word: str
    ) -> Iterator[tuple[str, Names, tuple[tuple[str, str, bool], ...]]]:
        """Yield problem, names and options for all labels with which there are two or more.

        The options begin at the last place that has the first label.
        """
        for (wrapper, around), (numbering, labels) in product(
            _WORDS["wrappers"].items(), _WORDS["numberings"].items()
        ):
            marks = [
                f"{self._space}{self._cased(word)}{around.replace('*', label)} " for label in labels
            ]
            at = text.rfind(marks[0])
            places = [at]
            for mark in marks[1:] if at >= 0 else ():
                at = text.find(mark, at + 1)
                if at < 0:
                    break
                places.append(at)
            if len(places) < 2:
                continue
            ends = [*places[1:], len(text)]
            options = tuple(
                (label, *_shortened(text[start + len(mark) : end]))
                for label, mark, start, end in zip(labels, marks, places, ends, strict=False)
            )
            names = _exactly(wrapper=wrapper, numbering=numbering)
            yield text[: places[0]], names, options


def _shortened(option: str) -> tuple[str, bool]:
    """Return an option without a clause that lengthens it, and whether it has one."""
    for clause in _WORDS["clauses"]:
        if option.endswith(clause):
            return option.removesuffix(clause), True
    return option, False


class FormattedVerifier(Verifier):
    """Checks rows in formats.

    Args:
        inner: the family's verifier.
    """

    def __init__(self, inner: Verifier) -> None:
        self._inner = inner

    @property
    def has_oracle(self) -> bool:  # type: ignore[override]
        """As the family."""
        return self._inner.has_oracle

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Check the right answer of every row, its solution, and that the others are wrong."""
        steps = solutions.to_pylist() if solutions is not None else [None] * len(answers)
        right = self._accepted(prompts, answers, steps, self._inner.check)
        return np.array([any(own) for own in right], bool)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Check every row with the oracle of the family."""

        def check(prompts: pa.StringArray, answers: pa.StringArray, _: object) -> NDArray[np.bool_]:
            return self._inner.symbolic(prompts, answers)

        right = self._accepted(prompts, answers, [None] * len(answers), check)
        return np.array([any(own) for own in right], bool)

    def shows(self, table: pa.Table) -> NDArray[np.bool_]:
        """Check that the axes of formats are what the prompts show, bool (n,)."""
        prompts, answers = table_column(table, "prompt"), table_column(table, "answer")
        right = self._accepted(prompts, answers, [None] * len(answers), self._inner.check)
        axes = [name for name in table.schema.names if name.startswith("format_")]
        rows = table.select(["prompt", "answer", *axes]).to_pylist()
        found = []
        for row, own in zip(rows, right, strict=True):
            values = {
                name.removeprefix("format_"): row[name] for name in axes if row[name] is not None
            }
            ways = zip(readings(row["prompt"]), own, strict=True)
            found.append(any(ok and way.shows(row["answer"], values) for way, ok in ways))
        return np.array(found, bool)

    def reads(self, prompt: str) -> bool | None:
        """Return whether a prompt is in a format, and worded as those of the family."""
        known = [self._inner.reads(way.problem) for way in readings(prompt)]
        return None if None in known else any(known)

    def grade(self, prediction: str, answer: str) -> float:
        """Grade the answer to an open question; labels have the answer type `choice`."""
        return self._inner.grade(prediction, answer)

    def _accepted(
        self,
        prompts: pa.StringArray,
        answers: pa.StringArray,
        solutions: Sequence[str | None],
        check: Callable[..., NDArray[np.bool_]],
    ) -> list[list[bool]]:
        """Return for each row which of its readings are right."""
        rows = zip(prompts.to_pylist(), answers.to_pylist(), solutions, strict=True)
        said = [[way.claims(*rest) for way in readings(prompt)] for prompt, *rest in rows]
        every = [claim for ways in said for claims in ways for claim in claims or ()]
        columns = [pa.array([claim[i] for claim in every], pa.string()) for i in range(3)]
        right = iter(check(*columns).tolist() if every else ())
        return [
            [
                claims is not None and all([next(right) == claim[-1] for claim in claims])
                for claims in ways
            ]
            for ways in said
        ]


@cache
def formatted(name: str) -> FormattedVerifier:
    """Return the verifier of a family, by its name, for rows in formats."""
    return FormattedVerifier(load_verifier(name))
