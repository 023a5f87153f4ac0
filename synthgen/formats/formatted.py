"""A family in a format: prompts as fields, as multiple choice, or among other sentences.

The format of a row follows from its problem and the source's stream, and has axes like any other
property. The problem, its id and its address are those of the family.
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
from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import FORMATTED, load_verifier
from synthgen.core.columns import text_list
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import RowDraws, Rows
from synthgen.formats.wrong import Wanted, wrong_answers
from synthgen.rules.axes import Axis

VERSION = 3
"""Incremented whenever the same format gives a different row."""
_WORDS = Words.beside(__file__)
_AHEAD = 16
_OWN = "own"
_OPEN, _CHOICE, _TRUE_FALSE = "open", "choice", "true_false"
_WITH_OPTIONS = {_CHOICE: "choice", "select_all": "labels"}
"""Type of question -> type of its answer."""
_NONE, _NUMBERS = "none", 12
_MEANINGS, _OF_OPTIONS = _WORDS["meanings"], _WORDS["meanings_of_options"]
Codes = dict[str, NDArray[np.int16]]
"""Key of a recipe -> places of values."""


def axis_name(key: str) -> str:
    """Return the name of the axis of a key: `format_space` of `spaces`."""
    return f"format_{key[:-1]}"


def _names(table: str, *default: str, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Declare a param that lists names of a table of the words; default: all except `without`."""
    known = tuple(_WORDS[table])
    return params.choices(default or tuple(name for name in known if name not in without), known)


@dataclass(frozen=True)
class Format(params.CheckedParams):
    """Values from which the formats of a source are drawn with equal probability.

    Attributes:
        options: Largest number of options of a question; fewer if fewer answers differ.
        wrong_from: Source of wrong answers: "own" for what the family offers, then answers of other
            rows; or "answers" for those only.
        seed: Seed of the formats.
        All others: Values of the axes; the words state their meanings.
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
    wrong_from: str = params.choice(_OWN, (_OWN, "answers"))
    seed: int = params.integer(0, 0, 2**31 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pairs:
            wanted = "one that is not empty between options, and has a line break if separators do"
            raise ParamError("spaces", self.spaces, wanted)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Indices of the separators and spaces that fit together.

        After a separator with a line break, fields are on lines of their own. Between options, a
        space is not empty, and does not begin like the rest of a label: `1. 2. 3`.
        """
        kept = []
        for i, separator in enumerate(self.separators):
            for j, name in enumerate(self.spaces):
                space = _WORDS["spaces"][name]
                between = space and not (space.startswith(".") and "stop" in self.wrappers)
                broken = "\n" in space or "\n" not in _WORDS["separators"][separator]
                if broken and (between or self.types == (_OPEN,)):
                    kept.append((i, j))
        return kept

    @cached_property
    def axes(self) -> dict[str, Axis]:
        """Axes by key; other questions have the value "none" on axes of options."""
        others = {*self.types} - {*_WITH_OPTIONS}
        meanings = _MEANINGS | (_OF_OPTIONS if len(others) < len(self.types) else {})
        axes = {}
        for key, meaning in meanings.items():
            values: tuple[str, ...] = getattr(self, key)
            if key in _OF_OPTIONS and others:
                values = tuple(dict.fromkeys((*values, _NONE)))
            axes[key] = Axis(f"format: {meaning}", values=values, canonical=False)
        return axes

    def draw(self, rows: Rows) -> Codes:
        """Draw the value of each axis."""
        draws = rows.draws()
        every = sorted({**_MEANINGS, **_OF_OPTIONS})
        drawn = {key: draws.integers(0, len(getattr(self, key))) for key in every}
        pairs = np.array(self.pairs)[draws.integers(0, len(self.pairs))]
        drawn["separators"], drawn["spaces"] = pairs.T
        others = np.array([kind not in _WITH_OPTIONS for kind in self.types])[drawn["types"]]
        for key in _OF_OPTIONS.keys() & self.axes.keys() if others.any() else ():
            drawn[key][others] = self.axes[key].values.index(_NONE)
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
    """Return a family without its format, and the format with its version, if it has one."""
    if not isinstance(generator, Formatted):
        return generator, {}
    return generator.inner, {"version": VERSION, **asdict(generator.format)}


def _of_inner(name: str) -> Any:
    """Return a property with the value of the family."""
    return property(attrgetter(f"inner.{name}"))


@dataclass(frozen=True)
class Formatted(Generator):
    """A family whose rows have formats.

    Attributes:
        inner: Family.
        format: Values from which the formats are drawn.

    Raises:
        ParamError: for questions other than open ones, if answers of the family are requirements.
    """

    inner: Generator
    format: Format

    block = _of_inner("block")
    signature = _of_inner("signature")
    conditions = _of_inner("conditions")
    space = _of_inner("space")
    styles = _of_inner("styles")
    fewest_problems = _of_inner("fewest_problems")
    restates = _of_inner("restates")
    pictured = _of_inner("pictured")

    def __post_init__(self) -> None:
        for name in ("version", "domain", "prompts", "solutions"):
            vars(self)[name] = getattr(self.inner, name)
        vars(self)["verifier"] = f"{FORMATTED}{self.inner.verifier}"
        types, name = self.format.types, self.inner.verifier
        if types != (_OPEN,) and load_verifier(name).open_ended:
            wanted = f"open only, as answers of {name} state what a text must satisfy"
            raise ParamError("types", types, wanted)
        if types != (_OPEN,) and not self.inner.has_options:
            wanted = f"open only, as right and wrong answers of {name} are easy to tell apart"
            raise ParamError("types", types, wanted)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Axes of the family and of the format."""
        added = {axis_name(key): axis for key, axis in self.format.axes.items()}
        return {**self.inner.axes, **added}

    def draw(self, rows: Rows) -> Problems:
        """Make the problems of the family, with formats."""
        problems = self.inner.draw(rows)
        added = {axis_name(key): codes for key, codes in self._drawn(problems).items()}
        axes = ChainMap(added, cast("dict[str, NDArray[Any]]", problems.axes))  # stays lazy
        return replace(problems, axes=axes)

    def _rows(self, problems: Problems, label: str) -> Rows:
        """Return rows addressed by the problems' keys, so that equal problems draw the same."""
        seeded = Rows(problems.rows.stream, problems.keys[:, 0])
        return seeded.branch(f"{label} {self.format.seed}")

    def _drawn(self, problems: Problems) -> Codes:
        return self.format.draw(self._rows(problems, "format"))

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write the texts of the family in formats."""
        texts = self.inner.render(problems, style)
        columns = [
            np.array(self.format.axes[key].values, object)[codes].tolist()
            for key, codes in self._drawn(problems).items()
        ]
        rows = [
            _Row(dict(zip(self.format.axes, names, strict=True)), draws, self.format.options)
            for *names, draws in zip(
                *columns, self._rows(problems, "text").each(_AHEAD), strict=True
            )
        ]
        wanted = {i: Wanted(row.n_wrong, row.draws) for i, row in enumerate(rows) if row.n_wrong}
        own = self.format.wrong_from == _OWN
        found = wrong_answers(self.inner, problems, style, texts, wanted, own=own)
        wrong = [found.get(i, []) for i in range(len(rows))]
        solutions = texts.solutions
        steps = pa.nulls(len(rows)) if solutions is None else solutions
        words = getattr(self.inner, "words", None)
        prompts = [
            words.without_form(prompt) if words and row.shows_answers else prompt
            for row, prompt in zip(rows, texts.prompts.to_pylist(), strict=True)
        ]
        given = (texts.answers, texts.answer_types, steps)
        lists = zip(prompts, *(column.to_pylist() for column in given), wrong, strict=True)
        made = [row.write(*parts) for row, parts in zip(rows, lists, strict=True)]
        return Texts(
            prompts=text_list(row[0] for row in made),
            answers=text_list(row[1] for row in made),
            answer_types=text_list(row[2] for row in made),
            templates=texts.templates,
            solutions=None
            if solutions is None
            else pa.array([row[3] for row in made], pa.string()),
            pictures=texts.pictures,
        )


class _Row:
    """Writes one row.

    Args:
        names: Values of the format by key.
        draws: Random draws for everything that is not an axis.
        options: Largest number of options.

    Attributes:
        n_wrong: Number of wrong answers to show, if there are as many.
        shows_answers: Whether options or a suggestion show the form of an answer.
    """

    def __init__(self, names: Mapping[str, str], draws: RowDraws, options: int) -> None:
        self._names, self._kind = names, names["types"]
        self.draws, self._max_options = draws, options
        self.n_wrong = 0
        self.shows_answers = self._kind in (*_WITH_OPTIONS, _TRUE_FALSE)
        if self._kind in _WITH_OPTIONS:
            # "none" is the answer as often as each label.
            is_missing = self._kind != _CHOICE and not draws.integer(0, options + 1)
            self.n_wrong = options - 1 + is_missing
        elif self._kind == _TRUE_FALSE:
            self.n_wrong = draws.integer(0, 2)

    def write(
        self, prompt: str, answer: str, kind: str, solution: str | None, wrong: Sequence[str]
    ) -> tuple[str, str, str, str | None]:
        """Return prompt, answer, type of the answer, and solution."""
        form, right = self._kind, answer
        shown: list[str] = []
        if form in _WITH_OPTIONS:
            right, shown = self._options(answer, wrong)
        elif form == _TRUE_FALSE:
            right, shown = str(not wrong), [self._suggestion(wrong[0] if wrong else answer)]
        requests = _WORDS["requests"]
        if len(shown) < self._max_options and form in _WORDS["requests_of_few"]:
            requests = _WORDS["requests_of_few"]
        if form in requests:
            shown.append(self.draws.choice(requests[form]))
        if form in _WORDS["conclusions"]:
            kind = _WITH_OPTIONS.get(form, _CHOICE)
            if solution is not None:
                holes = {"label": right, "answer": answer}
                solution = f"{solution}\n{filled(_WORDS['conclusions'][form], holes)}"
        else:
            kind = kind.replace("checked:", f"checked:{FORMATTED}", 1)
        start = self._field("questions", self._with_sentence(prompt))
        fields = (start, *shown, self._field("answers", ""))
        return self._word("spaces").join(fields), right, kind, solution

    def _word(self, key: str) -> str:
        return str(_WORDS[key][self._names[key]])

    def _cased(self, word: str) -> str:
        casing = self._names["casings"]
        return word if casing == "as_is" else str(getattr(word, casing)())

    def _field(self, key: str, text: str) -> str:
        return f"{self._cased(self._word(key))}{self._word('separators')}{text}"

    def _with_sentence(self, text: str) -> str:
        """Return a problem, with an irrelevant sentence on a separate line if there is one."""
        kind, _, place = self._names["sentences"].partition("_")
        if kind == _NONE:
            return text
        wording = self.draws.choice(_WORDS["irrelevant"][kind])
        sentence = filled(wording, {"n": self.draws.integer(2, _NUMBERS)})
        return "\n".join((sentence, text) if place == "before" else (text, sentence))

    def _options(self, answer: str, wrong: Sequence[str]) -> tuple[str, list[str]]:
        """Return the label of the answer, and the options; the answer may be missing."""
        labels, around = _WORDS["numberings"][self._names["numberings"]], self._word("wrappers")
        word = self._cased(self._word("option_words"))
        is_missing = len(wrong) == self._max_options
        # 0 is the right one.
        order = self.draws.shuffled(range(is_missing, len(wrong) + 1))
        shown = []
        for label, i in zip(labels, order, strict=False):
            is_long = self._names["lengths"] in ("all", "wrong" if i else "right")
            clause = self.draws.choice(_WORDS["clauses"]) if is_long else ""
            text = wrong[i - 1] if i else answer
            shown.append(f"{word}{around.replace('*', label)} {text}{clause}")
        return _WORDS["no_label"] if is_missing else labels[order.index(0)], shown

    def _suggestion(self, text: str) -> str:
        word = self._cased(_WORDS["suggestions"]["suggestion"])
        return f"{word}{self._word('separators')}{text}"
