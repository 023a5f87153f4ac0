"""Undo formats: find the problem and the options in a prompt, and let the family's verifier judge.

The ends of a prompt show its separator and space. Several readings may be possible, as a full stop
may end the problem or begin the space; a row is right if in one of them the family accepts the
right answer and refuses every other that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

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
Claim = tuple[str, str, str | None, bool]
"""Problem, answer, solution, and whether the row says that the answer is right."""


def _spellings(table: str) -> dict[str, tuple[str, Names]]:
    """Map every spelling of the words of a table to their name and the casings that give it."""
    found: dict[str, tuple[str, set[tuple[str, str]]]] = {}
    for (name, word), (casing, cased) in product(_WORDS[table].items(), _CASINGS.items()):
        found.setdefault(cased(word), (name, set()))[1].add(("casing", casing))
    return {word: (name, frozenset(casings)) for word, (name, casings) in found.items()}


_SPELLINGS = {word: _spellings(f"{word}s") for word in ("question", "answer", "suggestion")}
_OPTION_WORDS = _spellings("option_words")
_SEPARATORS = {text: name for name, text in _WORDS["separators"].items()}


def _either(texts: Iterable[str]) -> str:
    """Return a pattern of some texts, the longest first."""
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


_SENTENCES = {
    kind: re.compile("|".join(re.escape(text).replace(r"\{n\}", "[0-9]+") for text in texts))
    for kind, texts in _WORDS["irrelevant"].items()
}


@cache
def _form(kind: str, space: str) -> re.Pattern[str]:
    """Return the pattern of prompts of a type, with a space between their fields."""
    gap = re.escape(space)
    word = {name: f"(?P<{name}>{_either(table)})" for name, table in _SPELLINGS.items()}
    middle = {
        "true_false": f"{gap}{word['suggestion']}(?P=separator)(?P<text>.*){gap}"
        f"(?:{_either(_WORDS['assess'])})",
        "choice": f"{gap}(?:{_either(_WORDS['choose'])})",
        "open": "",
    }
    start = f"{word['question']}(?P<separator>{_either(_SEPARATORS)})(?P<problem>.*)"
    return re.compile(f"{start}{middle[kind]}{gap}{word['answer']}(?P=separator)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a prompt.

    Attributes:
        problem: the prompt of the family.
        names: values of axes that give this text.
        options: label, text and whether it is lengthened.
        suggestion: what a question of type true_false suggests.
    """

    problem: str
    names: Names
    options: tuple[tuple[str, str, bool], ...] = ()
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
            found = [(self.problem, self.suggestion, None, _TRUTHS.get(answer, False))]
            found += [] if own is None else [(self.problem, end, own, True)]
            return found if answer in _TRUTHS else []
        texts = {label: text for label, text, _ in self.options}
        is_one = answer in texts and len({*texts.values()}) == len(texts)
        return [
            (self.problem, text, own if label == answer else None, label == answer)
            for label, text in texts.items()
            if is_one and end in ("", answer)
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
    for kind in _WORDS["types"][::-1]:
        found = []
        for space, text in _WORDS["spaces"].items():
            match = _form(kind, text).fullmatch(prompt)
            if match:
                found += _readings(kind, space, match)
        if found:
            return tuple(found)
    return ()


def _readings(kind: str, space: str, match: re.Match[str]) -> Iterator[Reading]:
    spelt = {
        word: own[match[word]] for word, own in _SPELLINGS.items() if word in match.groupdict()
    }
    casings = frozenset.intersection(*(casings for _, casings in spelt.values()))
    separator = _SEPARATORS[match["separator"]]
    names = {("type", kind), ("space", space), ("separator", separator)}
    names |= {(word, name) for word, (name, _) in spelt.items()}
    if not casings or ("\n" in match["separator"] and "\n" not in _WORDS["spaces"][space]):
        return
    if kind != "choice":
        problem, sentence = _without_sentence(match["problem"])
        names |= {(name, "none") for name in _OF_OPTIONS} | {sentence}
        suggestion = match["text"] if kind == "true_false" else None
        yield Reading(problem, casings.union(names), (), suggestion)
        return
    for text, own, options in _options(match["problem"], _WORDS["spaces"][space], casings):
        problem, sentence = _without_sentence(text)
        yield Reading(problem, own.union(names, {sentence}), options)


def _without_sentence(text: str) -> tuple[str, tuple[str, str]]:
    """Return a problem without an irrelevant sentence, and the value of the axis."""
    first, _, after = text.partition("\n")
    before, _, last = text.rpartition("\n")
    for kind, pattern in _SENTENCES.items():
        for place, line, rest in (("before", first, after), ("after", last, before)):
            if rest and pattern.fullmatch(line):
                return rest, ("sentence", f"{kind}_{place}")
    return text, ("sentence", "none")


def _options(
    text: str, space: str, casings: Names
) -> list[tuple[str, Names, tuple[tuple[str, str, bool], ...]]]:
    """Return problem, names and options for all labels with which there are two or more.

    The options begin at the last place that has the first label. A word before the labels is never
    read as a part of what precedes it.
    """
    found = []
    for word, (option_word, own) in sorted(_OPTION_WORDS.items(), key=lambda pair: -len(pair[0])):
        if found and not word:
            break
        for (wrapper, around), (numbering, labels) in product(
            _WORDS["wrappers"].items(), _WORDS["numberings"].items()
        ):
            marks = [f"{space}{word}{around.replace('*', label)} " for label in labels]
            places = [*_places(text, marks)] if own & casings else []
            if len(places) < 2:
                continue
            ends = [*places[1:], len(text)]
            shown = zip(labels, marks, places, ends, strict=False)
            options = tuple((label, *_shortened(text[a + len(m) : z])) for label, m, a, z in shown)
            names = {("wrapper", wrapper), ("numbering", numbering), ("option_word", option_word)}
            found.append((text[: places[0]], (own & casings).union(names), options))
    return found


def _places(text: str, marks: Sequence[str]) -> Iterator[int]:
    """Yield the last place of the first mark, and those of the others after it."""
    at = text.rfind(marks[0])
    for mark in marks[1:]:
        if at < 0:
            return
        yield at
        at = text.find(mark, at + 1)
    if at >= 0:
        yield at


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

    def reads(self, prompt: str) -> bool | None:
        """Return whether a prompt is in a format, and worded as those of the family."""
        known = [self._inner.reads(way.problem) for way in readings(prompt)]
        return None if None in known else any(known)

    def grade(self, prediction: str, answer: str) -> float:
        """Grade the answer to an open question; labels have the answer type `choice`."""
        return self._inner.grade(prediction, answer)


@cache
def formatted(name: str) -> FormattedVerifier:
    """Return the verifier of a family, by its name, for rows in formats."""
    return FormattedVerifier(load_verifier(name))
