"""A family in a format: its prompts as fields, as multiple choice, or with other sentences around.

What a row's format is follows from its problem and the source's stream, so it has axes like any
other property. The problem, its id and its address are those of the family.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import Words, params
from synthgen.authoring.words import filled
from synthgen.core.columns import text_list
from synthgen.core.contract import Axis, Generator, Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows
from synthgen.core.registry import FORMATTED
from synthgen.formats.wrong import wrong_answers

VERSION = 1
"""Incremented whenever the same format gives a different row."""
_WORDS = Words.beside(__file__)
_AHEAD = 16
_OPEN, _CHOICE, _NONE, _NUMBERS = "open", "choice", "none", 12

MEANINGS = {
    "types": "type of question: open, one of several options, or true or false",
    "questions": "word before the problem",
    "answers": "word before the answer",
    "casings": "case of the words before fields",
    "separators": "text between such a word and its field",
    "spaces": "text between fields",
    "sentences": "irrelevant sentence, and where it is",
}
"""Key of a recipe -> meaning of its axis, which is named by `axis_name`."""
OPTION_MEANINGS = {
    "numberings": "labels of the options",
    "wrappers": "signs around a label",
    "option_words": "word before a label",
    "lengths": "which options are lengthened",
}
"""The same for keys about options; other questions have the value "none"."""


def axis_name(key: str) -> str:
    """Return the name of the axis of a key: `format_space` of `spaces`."""
    return f"format_{key[:-1]}"


def _some(table: str, *without: str) -> tuple[str, ...]:
    return tuple(name for name in _WORDS[table] if name not in without)


def _names(table: str, *default: str, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Declare a list of names of a table of the words; by default all but some."""
    return params.choices(default or _some(table, *without), _some(table))


@dataclass(frozen=True)
class Format(params.Checked):
    """What the formats of a source are drawn from, each value with equal probability.

    Attributes:
        types, questions, answers, casings, separators, spaces, sentences: see `MEANINGS`.
        numberings, wrappers, option_words, lengths: see `OPTION_MEANINGS`.
        options: most options of a question; fewer if there are fewer different answers.
        seed: another one draws other formats.
    """

    types: tuple[str, ...] = _names("types", _OPEN)
    questions: tuple[str, ...] = _names("questions", "question")
    answers: tuple[str, ...] = _names("answers", "answer")
    casings: tuple[str, ...] = _names("casings")
    separators: tuple[str, ...] = _names("separators", without=(_NONE,))
    spaces: tuple[str, ...] = _names("spaces", without=(_NONE, "semicolon"))
    sentences: tuple[str, ...] = _names("sentences", _NONE)
    numberings: tuple[str, ...] = _names("numberings", "upper")
    wrappers: tuple[str, ...] = _names("wrappers", "parentheses")
    option_words: tuple[str, ...] = _names("option_words", _NONE)
    lengths: tuple[str, ...] = _names("lengths", _NONE)
    options: int = params.integer(4, 2, 10)
    seed: int = params.integer(0, 0, 2**31 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pairs:
            wanted = "a space with a line break, as the separators have one"
            if _NONE in self.spaces:
                wanted = "a space that is not empty between options"
            raise ParamError("spaces", self.spaces, wanted)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Places of separators and spaces that go together.

        After a separator with a line break, fields are on lines of their own.
        """
        return [
            (i, j)
            for i, separator in enumerate(_texts("separators", self.separators))
            for j, space in enumerate(_texts("spaces", self.spaces))
            if "\n" in space or "\n" not in separator
            if self.types == (_OPEN,) or (space and not self._looks_like_label(space))
        ]

    def _looks_like_label(self, space: str) -> bool:
        """Return whether `1. 2. 3` could be two options or three."""
        return "stop" in self.wrappers and space.startswith(".")

    @cached_property
    def axes(self) -> dict[str, Axis]:
        """Key -> axis."""
        meanings = MEANINGS | (OPTION_MEANINGS if _CHOICE in self.types else {})
        return {
            key: Axis(f"format: {meaning}", values=self._values(key), canonical=False)
            for key, meaning in meanings.items()
        }

    def _values(self, key: str) -> tuple[str, ...]:
        values: tuple[str, ...] = getattr(self, key)
        lacks = key in OPTION_MEANINGS and self.types != (_CHOICE,) and _NONE not in values
        return (*values, _NONE) if lacks else values

    def draw(self, rows: Rows) -> dict[str, NDArray[np.int16]]:
        """Draw the value of each axis, as its place, by key."""
        draws = rows.draws()
        every = {*MEANINGS, *OPTION_MEANINGS}
        drawn = {key: draws.integers(0, len(getattr(self, key))) for key in sorted(every)}
        pairs = np.array(self.pairs)[draws.integers(0, len(self.pairs))]
        drawn["separators"], drawn["spaces"] = pairs.T
        for key in OPTION_MEANINGS if _CHOICE in self.types else ():
            is_choice = drawn["types"] == self.types.index(_CHOICE)
            none = self._values(key).index(_NONE) if _NONE in self._values(key) else 0
            drawn[key] = np.where(is_choice, drawn[key], none)
        return {key: drawn[key].astype(np.int16) for key in self.axes}


def format_of(given: Mapping[str, Any]) -> Format:
    """Return the format of a table of a recipe.

    Raises:
        ParamError: for an unknown key, or another value than expected.
    """
    known = {field.name for field in fields(Format)}
    for key in given:
        if key not in known:
            raise ParamError(key, given[key], f"one of the keys {', '.join(sorted(known))}")
    return Format(**given)


def without_format(generator: Generator) -> tuple[Generator, dict[str, Any]]:
    """Return a family without its format, and that with its version; empty if it has none."""
    if not isinstance(generator, Formatted):
        return generator, {}
    return generator.inner, {"version": VERSION, **asdict(generator.format)}


def _texts(table: str, names: Sequence[str]) -> list[str]:
    return [_WORDS[table][name] for name in names]


def _of_inner(name: str) -> Any:
    """Return a property with the value that the family has."""
    return property(attrgetter(f"inner.{name}"))


@dataclass(frozen=True)
class Formatted(Generator):
    """A family whose rows are in formats.

    Attributes:
        inner: the family.
        format: what the formats are drawn from.
    """

    inner: Generator
    format: Format

    def __post_init__(self) -> None:
        for name in ("version", "domain", "prompts", "solutions"):
            vars(self)[name] = getattr(self.inner, name)
        vars(self)["verifier"] = f"{FORMATTED}{self.inner.verifier}"

    block = _of_inner("block")
    costly = _of_inner("costly")
    signature = _of_inner("signature")
    conditions = _of_inner("conditions")
    space = _of_inner("space")
    fewest_problems = _of_inner("fewest_problems")
    restates = _of_inner("restates")

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Axes of the family and of the format."""
        own = {axis_name(key): axis for key, axis in self.format.axes.items()}
        return {**self.inner.axes, **own}

    def draw(self, rows: Rows) -> Problems:
        """Make the problems of the family, with formats."""
        problems = self.inner.draw(rows)
        own = {axis_name(key): codes for key, codes in self._drawn(problems).items()}
        axes = ChainMap(own, cast("dict[str, NDArray[Any]]", problems.axes))  # stays lazy
        return replace(problems, axes=axes)

    def _rows(self, problems: Problems, label: str) -> Rows:
        """Return the content of the problems as addresses, so that equal ones draw the same."""
        seeded = Rows(problems.rows.stream, problems.keys[:, 0])
        return seeded.branch(f"{label} {self.format.seed}")

    def _drawn(self, problems: Problems) -> dict[str, NDArray[np.int16]]:
        return self.format.draw(self._rows(problems, "format"))

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write the texts of the family in formats."""
        texts = self.inner.render(problems, style)
        drawn = self._drawn(problems)
        names = {key: _looked_up(drawn[key], axis.values) for key, axis in self.format.axes.items()}
        draws = [*self._rows(problems, "text").each(_AHEAD)]
        counts = [self._wrong(kind, own) for kind, own in zip(names["types"], draws, strict=True)]
        wrong = wrong_answers(self.inner, problems, style, texts, counts, draws)
        solutions = [None] * len(draws) if texts.solutions is None else texts.solutions.to_pylist()
        made = [
            _Row({key: column[i] for key, column in names.items()}, own).write(*row)
            for i, (own, *row) in enumerate(
                zip(
                    draws,
                    texts.prompts.to_pylist(),
                    texts.answers.to_pylist(),
                    wrong,
                    solutions,
                    strict=True,
                )
            )
        ]
        kinds = zip(names["types"], texts.answer_types.to_pylist(), strict=True)
        return Texts(
            prompts=text_list(row[0] for row in made),
            answers=text_list(row[1] for row in made),
            answer_types=text_list(own if kind == _OPEN else _CHOICE for kind, own in kinds),
            templates=texts.templates,
            solutions=None
            if texts.solutions is None
            else pa.array([row[2] for row in made], pa.string()),
        )

    def _wrong(self, kind: str, draws: RowDraws) -> int:
        """Return how many wrong answers a row shows."""
        if kind == _CHOICE:
            return self.format.options - 1
        return 0 if kind == _OPEN else draws.integer(0, 2)


def _looked_up(codes: NDArray[np.int16], values: Sequence[str]) -> list[str]:
    return [values[code] for code in codes.tolist()]


class _Row:
    """Writes one row.

    Args:
        names: key -> value of the format.
        draws: for everything that is not an axis.
    """

    def __init__(self, names: Mapping[str, str], draws: RowDraws) -> None:
        self._names, self._draws = names, draws

    def write(
        self, prompt: str, answer: str, wrong: Sequence[str], solution: str | None
    ) -> tuple[str, str, str | None]:
        """Return prompt, answer and solution, given wrong answers as far as they are shown."""
        shown: list[str] = []
        conclusion = None
        if self._names["types"] == _CHOICE:
            right, shown = self._options(answer, wrong)
            conclusion = filled(_WORDS["conclusions"]["choice"], {"label": right})
            answer = right
        elif self._names["types"] != _OPEN:
            conclusion = filled(_WORDS["conclusions"]["true_false"], {"answer": answer})
            shown = [self._field("suggestions", "suggestion", *wrong or [answer])]
            shown.append(self._draws.choice(_WORDS["assess"]))
            answer = str(not wrong)
        if solution is not None and conclusion is not None:
            solution = f"{solution}\n{conclusion}"
        return self.prompt(self._distracted(prompt), shown), answer, solution

    def prompt(self, text: str, shown: Sequence[str] = ()) -> str:
        """Return the fields of a question, what is shown, and an answer."""
        fields = (
            self._field("questions", self._names["questions"], text),
            *shown,
            self._field("answers", self._names["answers"], ""),
        )
        return str(self._of("spaces").join(fields))

    def _of(self, key: str) -> Any:
        return _WORDS[key][self._names[key]]

    def _cased(self, text: str) -> str:
        casing = self._names["casings"]
        return text if casing == "as_is" else str(getattr(text, casing)())

    def _field(self, table: str, name: str, text: str) -> str:
        return f"{self._cased(_WORDS[table][name])}{self._of('separators')}{text}"

    def _distracted(self, text: str) -> str:
        """Return a problem with an irrelevant sentence on a line of its own, or without."""
        kind, _, place = self._names["sentences"].partition("_")
        if kind == _NONE:
            return text
        wording = self._draws.choice(_WORDS["irrelevant"][kind])
        sentence = filled(wording, {"n": self._draws.integer(2, _NUMBERS)})
        return "\n".join((sentence, text) if place == "before" else (text, sentence))

    def _options(self, answer: str, wrong: Sequence[str]) -> tuple[str, list[str]]:
        """Return the label of the answer, and the options with a request to choose one."""
        order = self._draws.shuffled(range(len(wrong) + 1))
        texts = [answer, *wrong]
        word = self._cased(self._of("option_words"))
        labels = self._of("numberings")
        shown = [
            f"{word}{self._of('wrappers').replace('*', label)} {texts[i]}{self._clause(right=not i)}"
            for label, i in zip(labels, order, strict=False)
        ]
        return labels[order.index(0)], [*shown, self._draws.choice(_WORDS["choose"])]

    def _clause(self, *, right: bool) -> str:
        lengthened = ("all", "right" if right else "wrong")
        return self._draws.choice(_WORDS["clauses"]) if self._names["lengths"] in lengthened else ""
