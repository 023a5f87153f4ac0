"""Undo formats: read problem and options from a prompt, and let the family's verifier judge.

The ends of a prompt show its separator and space. Several readings may be possible, as a full stop
may end the problem or begin the space; a row is right if in one of them the family accepts the
right answer and rejects all other options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import Words, holes
from synthgen.authoring.verifier import wording_pattern
from synthgen.contract.interfaces import Verifier
from synthgen.contract.registry import load_verifier
from synthgen.core.images import prompt_and_svg, stated

_WORDS = Words.beside(__file__)
_REMEMBERED = 1 << 14
_PREFIX = "format_"
_NO_OPTIONS = dict.fromkeys(("numbering", "wrapper", "option_word", "length"), "none")
_NOTHING = {"select_all": _WORDS["no_label"], "true_false": "False"}
"""Answer if none of the options is right, by type of question."""
_CASINGS: Mapping[str, Callable[[str], str]] = {
    "as_is": str,
    "title": str.title,
    "upper": str.upper,
    "lower": str.lower,
}
Values = Mapping[str, str]
"""Values by axis, without its prefix."""
Casings = frozenset[str]
"""Names of the casings that give the words of a prompt."""
Options = tuple[tuple[str, str, bool], ...]
"""Label, text and whether it is lengthened; the label of a suggestion is "True"."""
Claim = tuple[str, str, str | None, bool]
"""Problem, answer, solution, and whether the row implies that the answer is right."""


def _spellings(table: str) -> dict[str, tuple[str, Casings]]:
    """Map every spelling of the words of a table to their name and the casings that give it."""
    spellings: dict[str, tuple[str, set[str]]] = {}
    for (name, word), (casing, cased) in product(_WORDS[table].items(), _CASINGS.items()):
        spellings.setdefault(cased(word), (name, set()))[1].add(casing)
    return {word: (name, frozenset(casings)) for word, (name, casings) in spellings.items()}


_QUESTIONS, _SUGGESTIONS = _spellings("questions"), _spellings("suggestions")
_OPTION_WORDS = sorted(_spellings("option_words").items(), key=lambda pair: -len(pair[0]))
_LABELS = [
    (wrapper, numbering, labels, [f"{around.replace('*', label)} " for label in labels])
    for wrapper, around in _WORDS["wrappers"].items()
    for numbering, labels in _WORDS["numberings"].items()
]
_REQUESTS = {
    request: kind
    for table in ("requests", "requests_of_few")
    for kind, texts in _WORDS[table].items()
    for request in texts
}
_TEXT = holes.pattern(".+")
_CONCLUSIONS = {
    kind: wording_pattern(text, {"label": _TEXT, "answer": _TEXT})[1]
    for kind, text in _WORDS["conclusions"].items()
}
_SENTENCES = {
    kind: re.compile("|".join(re.escape(text).replace(r"\{n\}", "[0-9]+") for text in texts))
    for kind, texts in _WORDS["irrelevant"].items()
}


class _End(NamedTuple):
    """The space before the last field, and that field.

    Attributes:
        space, separator: Texts of the space and the separator.
        values: Values of the axes that these texts show.
        casings: Casings of the word.
    """

    space: str
    separator: str
    values: Values
    casings: Casings


def _ends() -> dict[str, list[_End]]:
    """Map texts to the possible ends of a prompt that they spell."""
    ends: dict[str, list[_End]] = {}
    for (word, (answer, casings)), (separator, between), (space, text) in product(
        _spellings("answers").items(), _WORDS["separators"].items(), _WORDS["spaces"].items()
    ):
        if "\n" in text or "\n" not in between:
            values = {"answer": answer, "separator": separator, "space": space}
            end = _End(text, between, values, casings)
            ends.setdefault(f"{text}{word}{between}", []).append(end)
    return ends


_ENDS = _ends()
_LENGTHS = sorted({*map(len, _ENDS)}, reverse=True)


@cache
def _starts(separator: str, casings: Casings) -> list[tuple[str, str, Casings]]:
    """Return the possible starts of prompts: text, name of the word, and casings of both words."""
    return [
        (f"{word}{separator}", name, casings & spelled)
        for word, (name, spelled) in _QUESTIONS.items()
        if casings & spelled
    ]


class PromptReading(NamedTuple):
    """One way to read a prompt.

    Attributes:
        kind: Type of the question.
        problem: Prompt of the family.
        values: Values of the axes that give this text.
        casings: Casings that give this text.
        options: Options that the prompt shows.
    """

    kind: str
    problem: str
    values: Values
    casings: Casings
    options: Options

    def claims(self, answer: str, solution: str | None) -> list[Claim]:
        """Return the claims of a row with this prompt; none if it does not answer the question."""
        if self.kind not in _CONCLUSIONS:
            return [(self.problem, answer, solution, True)]
        judged = self._judged(answer)
        steps = right = None
        if judged and solution is not None:
            steps, _, last = solution.rpartition("\n")
            conclusion = _CONCLUSIONS[self.kind].fullmatch(last)
            if not conclusion or conclusion.groupdict().get("label", answer) != answer:
                return []
            named = conclusion.groupdict().get("answer")
            right = named or next(filter(judged.get, judged))
            if not judged.setdefault(right, True):
                return []
        return [
            (self.problem, text, steps if text == right else None, is_right)
            for text, is_right in judged.items()
        ]

    def _judged(self, answer: str) -> dict[str, bool]:
        """Return whether each option is right by an answer; empty if the answer is invalid."""
        right = self._right(answer)
        judged = {text: label in right for label, text, _ in self.options}
        is_answer = answer == (", ".join(right) or _NOTHING.get(self.kind))
        return judged if is_answer and len(judged) == len(self.options) else {}

    def _right(self, answer: str) -> list[str]:
        """Return the labels that an answer names."""
        named = [answer] if self.kind == "choice" else answer.split(", ")
        return [label for label, *_ in self.options if label in named]

    def shows(self, answer: str, values: Values) -> bool:
        """Return whether the prompt agrees with these values of axes."""
        others = {"casing": self.casings, "length": self._lengths(answer)}
        return all(
            value == self.values.get(axis) or value in others.get(axis, ())
            for axis, value in values.items()
        )

    def _lengths(self, answer: str) -> Sequence[str]:
        """Return the values of the axis `length` that lengthen exactly the longer options."""
        if "length" in self.values:
            return ()
        right, every = {*self._right(answer)}, {label for label, *_ in self.options}
        lengths = {"none": set(), "all": every, "right": right, "wrong": every - right}
        long = {label for label, _, is_long in self.options if is_long}
        return [name for name, labels in lengths.items() if labels == long]


@lru_cache(_REMEMBERED)
def readings(prompt: str) -> tuple[PromptReading, ...]:
    """Return the ways to read a prompt; an open question never contains options."""
    frames = [*_frames(prompt)]
    closed = [reading for frame in frames for reading in frame.closed()]
    return tuple(closed or [frame.reading("open", frame.text) for frame in frames])


def _frames(prompt: str) -> Iterator[_Frame]:
    """Yield the ways to read the two ends of a prompt, those with long spaces first."""
    for length in _LENGTHS:
        for end in _ENDS.get(prompt[-length:], ()):
            for start, question, casings in _starts(end.separator, end.casings):
                if prompt.startswith(start):
                    text = prompt[len(start) : -length]
                    values = {"question": question, **end.values}
                    yield _Frame(text, end.space, end.separator, values, casings)


class _Frame(NamedTuple):
    """The text between the first field's separator and the space before the last field.

    Attributes:
        text: Problem, and the fields after it.
        space, separator: Texts of the space and the separator.
        values: Values of the axes that the ends show.
        casings: Casings of the words at the ends.
    """

    text: str
    space: str
    separator: str
    values: Values
    casings: Casings

    def closed(self) -> Iterator[PromptReading]:
        """Read the fields between the problem and a request about it, which ends the text."""
        if not (self.space and self.text.endswith(tuple(_REQUESTS))):
            return
        for request, kind in _REQUESTS.items():
            end = f"{self.space}{request}"
            if self.text.endswith(end):
                for problem, *shown in self._shown(kind, self.text.removesuffix(end)):
                    yield self.reading(kind, problem, *shown)

    def _shown(self, kind: str, text: str) -> Iterator[Any]:
        """Yield problem, values of axes about options, options, and casings."""
        if kind == "fill_in":
            yield (text,)
        elif kind == "true_false":
            for word, (_, spelled) in _SUGGESTIONS.items():
                mark = f"{self.space}{word}{self.separator}"
                problem, middle, suggestion = text.rpartition(mark)
                if middle and spelled & self.casings:
                    options = (("True", suggestion, False),)
                    yield problem, _NO_OPTIONS, options, spelled & self.casings
        else:
            yield from _options(text, self.space, self.casings)

    def reading(
        self,
        kind: str,
        text: str,
        about_options: Values = _NO_OPTIONS,
        options: Options = (),
        casings: Casings | None = None,
    ) -> PromptReading:
        """Return a reading with the values of all axes."""
        problem, sentence = _without_sentence(text)
        values = {**self.values, **about_options, "type": kind, "sentence": sentence}
        return PromptReading(kind, problem, values, casings or self.casings, options)


def _without_sentence(text: str) -> tuple[str, str]:
    """Return a problem without an irrelevant sentence, and the value of the axis."""
    first, _, after = text.partition("\n")
    before, _, last = text.rpartition("\n")
    for kind, pattern in _SENTENCES.items() if after else ():
        for place, line, rest in (("before", first, after), ("after", last, before)):
            if pattern.fullmatch(line):
                return rest, f"{kind}_{place}"
    return text, "none"


def _options(
    text: str, space: str, casings: Casings
) -> Iterator[tuple[str, Values, Options, Casings]]:
    """Yield problem, values, options and casings for all labels with which there are two or more.

    The options begin at the last place that has the first label. A word before the labels is never
    read as a part of what precedes it.
    """
    words = [pair for pair in _OPTION_WORDS if pair[0] in text and casings & pair[1][1]]
    for wrapper, numbering, labels, marks in _LABELS:
        for word, (option_word, spelled) in words if marks[0] in text else ():
            lead = f"{space}{word}"
            places = [*_places(text, [f"{lead}{mark}" for mark in marks])]
            if len(places) < 2:
                continue
            ends = [start for start, _ in places[1:]] + [len(text)]
            texts = [text[start:end] for (_, start), end in zip(places, ends, strict=True)]
            shown = zip(labels, map(_shortened, texts), strict=False)
            options = tuple((label, *option) for label, option in shown)
            values = {"wrapper": wrapper, "numbering": numbering, "option_word": option_word}
            yield text[: places[0][0]], values, options, spelled & casings
            break


def _places(text: str, marks: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the last first mark, and of each following mark after it."""
    at = text.rfind(marks[0])
    for mark, after in zip(marks, [*marks[1:], marks[0]], strict=True):
        if at < 0:
            return
        yield at, at + len(mark)
        at = text.find(after, at + 1)


def _shortened(option: str) -> tuple[str, bool]:
    """Return an option without a clause that lengthens it, and whether it has one."""
    short = [option.removesuffix(clause) for clause in _WORDS["clauses"] if option.endswith(clause)]
    return (short[0], True) if short else (option, False)


def _readings_of(whole: str) -> list[PromptReading]:
    """Return the ways to read a prompt, each with the picture that follows the prompt, if any."""
    prompt, svg = prompt_and_svg(whole)
    return [way._replace(problem=stated(way.problem, svg)) for way in readings(prompt)]


class FormattedVerifier(Verifier):
    """Checks rows in formats.

    Args:
        inner: Family's verifier.
    """

    def __init__(self, inner: Verifier) -> None:
        self._inner = inner

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Check the right answer of every row, its solution, and that the others are wrong."""
        steps = solutions.to_pylist() if solutions is not None else [None] * len(answers)
        return self._right(prompts, answers, steps, self._inner.check)

    def _right(
        self,
        prompts: pa.StringArray,
        answers: pa.StringArray,
        solutions: Sequence[str | None],
        check: Callable[..., NDArray[np.bool_]],
    ) -> NDArray[np.bool_]:
        """Return the mask of rows for which a check agrees with all claims of one reading.

        The first readings of all rows are checked together, then the second ones of those rejected.
        """
        rows = [*zip(answers.to_pylist(), solutions, strict=True)]
        ways = [_readings_of(statement) for statement in prompts.to_pylist()]
        right = np.zeros(len(rows), bool)
        for turn in range(max(map(len, ways), default=0)):
            places = [i for i in np.flatnonzero(~right).tolist() if turn < len(ways[i])]
            claims_of = [ways[i][turn].claims(*rows[i]) for i in places]
            every = [claim for claims in claims_of for claim in claims]
            columns = [pa.array([claim[i] for claim in every], pa.string()) for i in range(3)]
            agrees = iter(check(*columns) == [claim[-1] for claim in every] if every else ())
            for i, claims in zip(places, claims_of, strict=True):
                agreed = [next(agrees) for _ in claims]
                right[i] = bool(claims) and all(agreed) and self._is_about_a_problem(claims)
        return right

    def _is_about_a_problem(self, claims: Sequence[Claim]) -> bool:
        """Return whether claims accept an answer, or reject answers to a prompt of the family."""
        accepts = any(is_right for *_, is_right in claims)
        return accepts or self._inner.reads(claims[0][0]) is not False

    def shows(self, table: pa.Table) -> NDArray[np.bool_]:
        """Return the mask of prompts that agree with the axes of their formats, bool (n,)."""
        axes = [name for name in table.schema.names if name.startswith(_PREFIX)]
        shown = []
        for row in table.select(["prompt", "answer", *axes]).to_pylist():
            values = {name.removeprefix(_PREFIX): row[name] for name in axes if row[name]}
            shown.append(any(r.shows(row["answer"], values) for r in readings(row["prompt"])))
        return np.array(shown, bool)

    def accepts(self, prompt: str, prediction: str) -> bool:
        """Return whether an answer to an open question, or a label, is right."""
        is_right = any(
            way.kind not in _CONCLUSIONS and self._inner.accepts(way.problem, prediction)
            for way in _readings_of(prompt)
        )
        return is_right or super().accepts(prompt, prediction)


def other_choices(prompt: str, answer: str) -> list[str]:
    """Return the other labels that a prompt shows, or the other truth value; none without them."""
    for way in readings(prompt):
        if way.kind in _CONCLUSIONS:
            shown = [label for label, _, _ in way.options]
            labels = ["True", "False"] if way.kind == "true_false" else shown
            return [label for label in labels if label != answer]
    return []


@cache
def formatted(name: str) -> FormattedVerifier:
    """Return the verifier of a family, by its name, for rows in formats."""
    return FormattedVerifier(load_verifier(name))
