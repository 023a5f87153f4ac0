"""Undo formats: find the problem and the options in a prompt, and let the family's verifier judge.

The ends of a prompt show its separator and space. Several readings may be possible, as a full stop
may end the problem or begin the space; a row is right if in one of them the family accepts the
right answer and refuses every other that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import Words
from synthgen.core.contract import Verifier
from synthgen.core.registry import load_verifier

_WORDS = Words.beside(__file__)
_REMEMBERED = 1 << 14
_PREFIX = "format_"
_OF_OPTIONS = ("numbering", "wrapper", "option_word", "length")
_TRUTHS = {"True": True, "False": False}
_CONCLUSIONS = {kind: text.split("{")[0] for kind, text in _WORDS["conclusions"].items()}
_CASINGS: Mapping[str, Callable[[str], str]] = {
    "as_is": str,
    "title": str.title,
    "upper": str.upper,
    "lower": str.lower,
}
Names = frozenset[tuple[str, str]]
"""Axes, without their prefix, and values of them that give the text of a prompt."""
Options = tuple[tuple[str, str, bool], ...]
"""Label, text and whether it is lengthened."""
Claim = tuple[str, str, str | None, bool]
"""Problem, answer, solution, and whether the row says that the answer is right."""


def _spellings(table: str) -> dict[str, tuple[str, Names]]:
    """Map every spelling of the words of a table to their name and the casings that give it."""
    found: dict[str, tuple[str, set[tuple[str, str]]]] = {}
    for (name, word), (casing, cased) in product(_WORDS[table].items(), _CASINGS.items()):
        found.setdefault(cased(word), (name, set()))[1].add(("casing", casing))
    return {word: (name, frozenset(casings)) for word, (name, casings) in found.items()}


_SPELLINGS = {word: _spellings(f"{word}s") for word in ("question", "answer", "suggestion")}
_OPTION_WORDS = sorted(_spellings("option_words").items(), key=lambda pair: -len(pair[0]))
_LABELS = [
    (wrapper, numbering, labels, [f"{around.replace('*', label)} " for label in labels])
    for wrapper, around in _WORDS["wrappers"].items()
    for numbering, labels in _WORDS["numberings"].items()
]
_LAST = [
    (f"{word}{text}", name, casings, text, separator)
    for word, (name, casings) in _SPELLINGS["answer"].items()
    for separator, text in _WORDS["separators"].items()
]
"""Fields for the answer."""
_SENTENCES = {
    kind: re.compile("|".join(re.escape(text).replace(r"\{n\}", "[0-9]+") for text in texts))
    for kind, texts in _WORDS["irrelevant"].items()
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a prompt.

    Attributes:
        problem: the prompt of the family.
        names: values of axes that give this text.
        options: of a question of type choice.
        suggestion: what a question of type true_false suggests.
    """

    problem: str
    names: Names
    options: Options = ()
    suggestion: str | None = None

    def claims(self, answer: str, solution: str | None) -> list[Claim]:
        """Return what a row with this prompt says; nothing if it does not answer the question."""
        if not self.options and self.suggestion is None:
            return [(self.problem, answer, solution, True)]
        steps, _, last = (solution or "").rpartition("\n")
        kind = "choice" if self.options else "true_false"
        end = last.removeprefix(_CONCLUSIONS[kind]).removesuffix(".")
        if solution is not None and last != f"{_CONCLUSIONS[kind]}{end}.":
            return []
        own = None if solution is None else steps
        if self.suggestion is not None:
            if answer not in _TRUTHS:
                return []
            found: list[Claim] = [(self.problem, self.suggestion, None, _TRUTHS[answer])]
            return found if own is None else [*found, (self.problem, end, own, True)]
        texts = {label: text for label, text, _ in self.options}
        is_one = answer in texts and len({*texts.values()}) == len(texts)
        return [
            (self.problem, text, own if label == answer else None, label == answer)
            for label, text in texts.items()
            if is_one and (own is None or end == answer)
        ]

    def shows(self, answer: str, values: Mapping[str, str]) -> bool:
        """Return whether the prompt is as these values of axes say."""
        long = [is_long for *_, is_long in self.options]
        right = [label == answer for label, *_ in self.options]
        lengths = {
            "none": not any(long),
            "all": all(long),
            "right": long == right,
            "wrong": [not one for one in long] == right,
        }
        lengthened = {("length", name) for name, is_so in lengths.items() if is_so and self.options}
        return (self.names | lengthened).issuperset(values.items())


@lru_cache(_REMEMBERED)
def readings(prompt: str) -> tuple[Reading, ...]:
    """Return the ways to read a prompt; options are never read as a part of an open question."""
    found = [way for frame in _frames(prompt) for way in frame.readings()]
    closed = [way for way in found if way.options or way.suggestion is not None]
    return tuple(closed or found)


def _frames(prompt: str) -> Iterator[_Frame]:
    """Yield the ways to read the two ends of a prompt."""
    for end, answer, one, between, separator in _LAST:
        if not prompt.endswith(end):
            continue
        for first, (question, other) in _SPELLINGS["question"].items():
            start = f"{first}{between}"
            if not prompt.startswith(start) or not one & other:
                continue
            middle = prompt.removesuffix(end).removeprefix(start)
            names = {("question", question), ("answer", answer), ("separator", separator)}
            for space, text in _WORDS["spaces"].items():
                if middle.endswith(text) and ("\n" in text or "\n" not in between):
                    own = frozenset({*names, ("space", space)})
                    yield _Frame(middle.removesuffix(text), text, between, own, one & other)


@dataclass(frozen=True, slots=True)
class _Frame:
    """What is between the first field's separator and the space before the last field.

    Attributes:
        text: the problem, and all other fields.
        space, separator: their texts.
        names: values of axes that the ends show, and `casings` those that they allow.
    """

    text: str
    space: str
    separator: str
    names: Names
    casings: Names

    def readings(self) -> Iterator[Reading]:
        """Read a suggestion or options if a request for them ends the text."""
        closed = False
        for end in _ends(self.text, self.space, "assess"):
            for word, (_, casings) in _SPELLINGS["suggestion"].items():
                mark = f"{self.space}{word}{self.separator}"
                problem, found, suggestion = self.text.removesuffix(end).rpartition(mark)
                if found and casings & self.casings:
                    closed = True
                    yield self._reading("true_false", problem, casings, suggestion=suggestion)
        for end in _ends(self.text, self.space, "choose"):
            text = self.text.removesuffix(end)
            for problem, names, options in _options(text, self.space, self.casings):
                closed = True
                yield self._reading("choice", problem, names, options=options)
        if not closed:
            yield self._reading("open", self.text, self.casings)

    def _reading(self, kind: str, text: str, names: Names, **shown: Any) -> Reading:
        problem, sentence = _without_sentence(text)
        others = {(name, "none") for name in _OF_OPTIONS if kind != "choice"}
        casings = {pair for pair in names if pair[0] != "casing" or pair in self.casings}
        return Reading(
            problem, self.names.union(casings, others, {("type", kind), sentence}), **shown
        )


def _ends(text: str, space: str, requests: str) -> list[str]:
    """Return the request at the end of a text with the space before it, if there is one."""
    ends = (f"{space}{request}" for request in _WORDS[requests] if space)
    return [end for end in ends if text.endswith(end)]


def _without_sentence(text: str) -> tuple[str, tuple[str, str]]:
    """Return a problem without an irrelevant sentence, and the value of the axis."""
    first, _, after = text.partition("\n")
    before, _, last = text.rpartition("\n")
    for kind, pattern in _SENTENCES.items():
        for place, line, rest in (("before", first, after), ("after", last, before)):
            if rest and pattern.fullmatch(line):
                return rest, ("sentence", f"{kind}_{place}")
    return text, ("sentence", "none")


def _options(text: str, space: str, casings: Names) -> Iterator[tuple[str, Names, Options]]:
    """Yield problem, names and options for all labels with which there are two or more.

    The options begin at the last place that has the first label. A word before the labels is never
    read as a part of what precedes it.
    """
    for wrapper, numbering, labels, marks in _LABELS:
        for word, (option_word, own) in _OPTION_WORDS if marks[0] in text else ():
            places = [*_places(text, [f"{space}{word}{mark}" for mark in marks])]
            if len(places) < 2 or not own & casings:
                continue
            ends = [start for start, _ in places[1:]] + [len(text)]
            texts = [text[start:end] for (_, start), end in zip(places, ends, strict=True)]
            shown = zip(labels, map(_shortened, texts), strict=False)
            options = tuple((label, *option) for label, option in shown)
            names = {("wrapper", wrapper), ("numbering", numbering), ("option_word", option_word)}
            yield text[: places[0][0]], own.union(names), options
            break


def _places(text: str, marks: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the last of the first mark, and of each other after it."""
    at = text.rfind(marks[0])
    for mark, after in zip(marks, [*marks[1:], marks[0]], strict=True):
        if at < 0:
            return
        yield at, at + len(mark)
        at = text.find(after, at + 1)


def _shortened(option: str) -> tuple[str, bool]:
    """Return an option without a clause that lengthens it, and whether it has one."""
    short = [option.removesuffix(one) for one in _WORDS["clauses"] if option.endswith(one)]
    return (short[0], True) if short else (option, False)


class FormattedVerifier(Verifier):
    """Checks rows in formats.

    Args:
        inner: the family's verifier.
    """

    def __init__(self, inner: Verifier) -> None:
        self._inner = inner
        vars(self)["has_oracle"] = inner.has_oracle

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Check the right answer of every row, its solution, and that the others are wrong."""
        steps = solutions.to_pylist() if solutions is not None else [None] * len(answers)
        return self._right(prompts, answers, steps, self._inner.check)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Check every row with the oracle of the family."""
        nothing = [None] * len(answers)
        return self._right(
            prompts, answers, nothing, lambda problems, own, _: self._inner.symbolic(problems, own)
        )

    def _right(
        self,
        prompts: pa.StringArray,
        answers: pa.StringArray,
        solutions: Sequence[str | None],
        check: Callable[..., NDArray[np.bool_]],
    ) -> NDArray[np.bool_]:
        """Return for which rows a check agrees with all claims of one reading."""
        rows = zip(prompts.to_pylist(), answers.to_pylist(), solutions, strict=True)
        said = [[way.claims(*rest) for way in readings(prompt)] for prompt, *rest in rows]
        every = [claim for ways in said for claims in ways for claim in claims]
        columns = [pa.array([claim[i] for claim in every], pa.string()) for i in range(3)]
        agrees = iter(check(*columns) == [claim[-1] for claim in every] if every else ())
        right = [[[next(agrees) for _ in claims] for claims in ways] for ways in said]
        return np.array([any(one and all(one) for one in ways) for ways in right], bool)

    def shows(self, table: pa.Table) -> NDArray[np.bool_]:
        """Check that the prompts are as the axes of their formats say, bool (n,)."""
        axes = [name for name in table.schema.names if name.startswith(_PREFIX)]
        found = []
        for row in table.select(["prompt", "answer", *axes]).to_pylist():
            values = {name.removeprefix(_PREFIX): row[name] for name in axes if row[name]}
            found.append(any(way.shows(row["answer"], values) for way in readings(row["prompt"])))
        return np.array(found, bool)

    def grade(self, prediction: str, answer: str) -> float:
        """Grade the answer to an open question; labels have the answer type `choice`."""
        return self._inner.grade(prediction, answer)


@cache
def formatted(name: str) -> FormattedVerifier:
    """Return the verifier of a family, by its name, for rows in formats."""
    return FormattedVerifier(load_verifier(name))
