"""Families in plain Python: one problem at a time, with words from a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring.params import CheckedParams, integers
from synthgen.authoring.pictures import Picture
from synthgen.authoring.slips import blamed, slip, unknown
from synthgen.authoring.trees import Symbols, Tree, signature_of, trees_column
from synthgen.authoring.words import BOXED, Words, filled
from synthgen.contract.answers import ANSWER_TYPES, parser_of
from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.core.columns import choice_text, text_list
from synthgen.core.images import NO_PICTURE
from synthgen.draws.randomness import RowDraws, Rows
from synthgen.rules.axes import Axis
from synthgen.rules.conditions import Condition, bounded, equal_to, one_of
from synthgen.trees.content_keys import derivation_keys
from synthgen.trees.derivations import Signature

_ADDED = {"level": attrgetter("difficulty"), "subtype": attrgetter("kind")}
"""Axes that the base classes add, and where problems have their values."""


@dataclass(frozen=True, slots=True)
class OwnAxis:
    """An axis that a family declares; its bounds may be names of fields. Made by `axis`."""

    meaning: str
    low: int | str | None
    high: int | str | None
    values: tuple[str, ...]
    canonical: bool

    def resolved(self, family: object) -> Axis:
        """Return the axis of a family with its params."""
        low, high = (self._bound(family, bound) for bound in (self.low, self.high))
        widest = 2**31 if low is None or high is None else max(abs(low), abs(high))
        dtype = "int32" if widest < 2**31 else "int64"
        dtype = "int16" if widest < 2**15 or self.values else dtype
        return Axis(self.meaning, dtype, low, high, self.values, self.canonical)

    @staticmethod
    def _bound(family: object, bound: int | str | None) -> int | None:
        if not isinstance(bound, str):
            return bound
        if bound not in vars(family):
            names = [each.name for each in fields(family)]  # type: ignore[arg-type]
            raise slip(type(family), unknown("param in the bounds of an axis:", bound, names))
        return int(vars(family)[bound])

    @property
    def condition(self) -> Condition | None:
        """Condition under which params fix the axis, if its bounds are fields."""
        if not isinstance(self.low, str) or not isinstance(self.high, str):
            return None
        return equal_to(self.low) if self.low == self.high else bounded(self.low, self.high)


def axis(
    meaning: str,
    low: int | str | None = None,
    high: int | str | None = None,
    *,
    values: tuple[str, ...] = (),
    canonical: bool = True,
) -> OwnAxis:
    """Declare an axis.

    Args:
        meaning: Description in one line.
        low: Smallest value, where known: an integer, or the name of the field that holds it.
        high: Largest value; if both are fields, a recipe can `spread` the family over the axis.
        values: Names of a categorical axis.
        canonical: Whether equal problems always have equal values.
    """
    return OwnAxis(meaning, low, high, values, canonical)


@dataclass(slots=True)  # a frozen class takes three times as long to construct
class Problem:
    """One problem.

    Attributes:
        tree: Canonical structure; problems with equal trees are the same problem.
        answer: Text in the family's answer type.
        holes: Values for the holes of the wording.
        kind: Kind of question, if the words have several.
        axes: Values of the family's own axes; names for categorical axes.
        steps: Lines of the worked solution.
        difficulty: Measure of families without levels; larger is harder.
        data: Anything else that the family's `holes_of`, `answer_of` or `steps_of` need.
    """

    tree: Tree
    answer: str = ""
    holes: Mapping[str, object] = field(default_factory=dict)
    kind: str = ""
    axes: Mapping[str, int | str] = field(default_factory=dict)
    steps: Sequence[str] = ()
    difficulty: int = 0
    data: Any = None


class Family(CheckedParams, Generator):
    """Common base: checked params, and axes and conditions from declarations."""

    own_axes: ClassVar[Mapping[str, OwnAxis]] = {}
    """Axes that this family declares."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "domain" not in dir(cls) and "verifier" in dir(cls):
            cls.domain = cls.verifier

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The declared axes."""
        return {name: declared.resolved(self) for name, declared in self.own_axes.items()}

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes whose bounds are fields."""
        declared = self.own_axes.items()
        return {name: axis.condition for name, axis in declared if axis.condition}


class CompiledFamily(Family):
    """A family that draws and renders columns at once, with kernels or numpy.

    It defines `signature`, `draw` and `render` itself; `version`, `verifier`, `prompts` and
    `solutions` are class variables.
    """

    words: ClassVar[Words | None] = None
    """Words whose list `form` names the sentences that are left out where answers are shown."""


class TextFamily(Family):
    """A family whose problems are rendered from its words."""

    words: ClassVar[Words]
    """Wordings; `Words.beside(__file__)` reads `words.toml`."""
    symbols: ClassVar[Symbols] = {}
    """Symbols of the trees besides integers, name -> arity."""
    answer_type: ClassVar[str | Mapping[str, str]] = "integer"
    """Type of the answers, or the types by kind of question."""
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        types = cls.answer_type
        for name in [types] if isinstance(types, str) else types.values():
            if parser_of(name) is None:
                raise slip(cls, unknown("answer_type", name, ANSWER_TYPES))
        if "words" in dir(cls) and "prompts" not in vars(cls):
            cls.prompts = tuple(dict.fromkeys([*cls.words.styles, "boxed"]))
        for style in cls.prompts if "words" in dir(cls) else ():
            if style not in (*cls.words.styles, "boxed"):
                raise slip(cls, unknown("style of prompts", style, cls.words.styles))

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of the answer; override where it depends on more than the kind."""
        types = self.answer_type
        return types if isinstance(types, str) else types[problem.kind]

    def answer_of(self, problem: Problem) -> str:
        """Return the answer; override where it is costly and most problems are not rendered."""
        return problem.answer

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Return the values of the holes; override to draw details that only the text shows."""
        del draws
        return problem.holes

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Return the lines of the worked solution."""
        return problem.steps

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterable[str]:
        """Return wrong answers for questions with options; override to offer some.

        The draws are those of `holes_of` again, so that both can draw the same details.
        """
        del problem, draws
        return ()

    def picture(self, problem: Problem, draws: RowDraws) -> Picture | None:
        """Return a picture of a problem, None if it shows nothing; override to offer pictures.

        The draws are those of `holes_of` again, so that both can draw the same details.
        """
        raise NotImplementedError

    @property
    def pictured(self) -> str:
        """Whether the family draws pictures; they are needed where its param `scene` says so."""
        if type(self).picture is TextFamily.picture:
            return "no"
        return "needed" if vars(self).get("scene") == "picture" else "optional"

    def problems_of(self, problems: Problems) -> Sequence[Problem]:
        """Return the problems of a batch."""
        made: Sequence[Problem] = problems.parts["made"]
        return made

    def wrong_answers_of(
        self, problems: Problems, places: Sequence[int]
    ) -> Mapping[int, Iterable[str]]:
        """Return the wrong answers that the family offers to some problems, by place."""
        if type(self).wrong_answers is TextFamily.wrong_answers:
            return {}
        made = self.problems_of(problems)
        rows = Rows(problems.rows.stream, problems.rows.addresses[list(places)])
        draws = rows.branch("text").each()
        return {i: self.wrong_answers(made[i], each) for i, each in zip(places, draws, strict=True)}

    @cached_property
    def signature(self) -> Signature:
        """Integers and the family's own symbols."""
        return signature_of(self.symbols)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The declared axes, and the kind of question where there are several."""
        kinds = self.words.kinds
        subtype = {"subtype": Axis("kind of question", values=kinds)} if len(kinds) > 1 else {}
        return subtype | dict(super().axes)

    def axis_columns(self, problems: Sequence[Problem | None]) -> dict[str, NDArray[Any]]:
        """Return the columns of all axes; zero where there is no problem."""
        return {
            name: np.array(_values(problems, name, spec), spec.dtype)
            for name, spec in self.axes.items()
        }

    def write(
        self, rows: Rows, problems: Sequence[Problem], answers: list[str], style: Render
    ) -> Texts:
        """Render problems in wordings drawn at these rows."""
        end = BOXED if style.prompt == "boxed" and "boxed" not in self.words.styles else ""
        texts = {kind: self.words.wordings(style.prompt, kind) for kind in self.words.kinds}
        firsts = dict(zip(texts, accumulate(map(len, texts.values()), initial=0), strict=False))
        bits = rows.branch("wording").draws().bits().tolist()
        prompts, places = [], []
        solutions: pa.StringArray | None = None
        pictures: pa.StringArray | None = None
        with blamed(self, problems, holes=True):
            for problem, word, draws in zip(
                problems, bits, rows.branch("text").each(), strict=True
            ):
                wordings = texts[problem.kind]
                chosen = word * len(wordings) >> 64
                places.append(firsts[problem.kind] + chosen)
                prompts.append(filled(wordings[chosen], self.holes_of(problem, draws)) + end)
            if style.solution == "steps":
                solutions = text_list("\n".join(self.steps_of(problem)) for problem in problems)
            if style.picture != NO_PICTURE and self.pictured != "no":
                pairs = zip(problems, rows.branch("text").each(), strict=True)
                shown = [self.picture(*pair) for pair in pairs]
                pictures = pa.array([each and each.svg() for each in shown], pa.string())
            answer_column = text_list(answers)
        names = [
            "_".join(filter(None, (style.prompt, kind, str(number + 1))))
            for kind, wordings in texts.items()
            for number in range(len(wordings))
        ]
        return Texts(
            prompts=text_list(prompts),
            answers=answer_column,
            answer_types=text_list(map(self.answer_type_of, problems)),
            templates=choice_text(np.array(places, np.int64), names),
            solutions=solutions,
            pictures=pictures,
        )


class DrawnFamily(TextFamily):
    """A family that draws its problems one by one: a `PlainFamily` or a `LevelledFamily`."""

    @property
    def block(self) -> int:
        """Addresses that selection processes together."""
        return 1024

    @abstractmethod
    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the problems at these addresses."""

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        with blamed(self):
            made = self.make_all(rows)
        return self.columns(rows, made)

    def columns(self, rows: Rows, made: list[Problem | None]) -> Problems:
        """Return problems that were made for these rows as columns."""
        with blamed(self, made):
            codes = trees_column(
                (problem.tree if problem else None for problem in made), self.signature
            )
            return Problems(
                rows=rows,
                derivations=codes,
                keys=derivation_keys(codes, self.signature, self.domain),
                axes=self.axis_columns(made),
                difficulty=np.array(
                    [problem.difficulty if problem else 0 for problem in made], np.int16
                ),
                valid=np.array([problem is not None for problem in made], bool),
                parts={"made": made},
            )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Render every problem."""
        made: list[Problem] = problems.parts["made"]
        return self.write(problems.rows, made, [self.answer_of(problem) for problem in made], style)


class PlainFamily(DrawnFamily):
    """A family that makes one problem at a time.

    A subclass is a frozen dataclass whose fields are made with `params`. It has `version`,
    `verifier`, `words`, `symbols`, `answer_type` and `own_axes` as class variables, and `make`.
    """

    @abstractmethod
    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a problem; None if these draws do not give one."""

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the problems at these addresses."""
        return [self.make(draws) for draws in rows.each()]


@dataclass(frozen=True)
class Levels(CheckedParams):
    """The param `levels` of a family with levels of difficulty, counted from 1.

    Attributes:
        levels: Levels drawn with equal probability; an empty list means all.
    """

    levels: tuple[int, ...] = integers((), 1, 99)

    n_levels: ClassVar[int]
    """Levels that the family has."""
    level_is_canonical: ClassVar[bool] = False
    """Whether a problem occurs at one level only."""

    def __post_init__(self) -> None:
        super().__post_init__()
        integers((), 1, self.n_levels).metadata["check"]("levels", self.levels)  # type: ignore[attr-defined]

    @property
    def chosen_levels(self) -> tuple[int, ...]:
        """The levels that are drawn."""
        return self.levels or tuple(range(1, self.n_levels + 1))

    @property
    def level_axis(self) -> dict[str, Axis]:
        """The axis `level`."""
        low, high = min(self.chosen_levels), max(self.chosen_levels)
        known = self.level_is_canonical
        return {"level": Axis("level of difficulty", low=low, high=high, canonical=known)}


class LevelledText(Levels, TextFamily):
    """What families with levels of difficulty have in common, drawn or listed."""

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The level, the kind of question where there are several, and the declared axes."""
        return self.level_axis | dict(super().axes)

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The level, and axes whose bounds are fields."""
        return {"level": one_of("levels")} | dict(super().conditions)


class LevelledFamily(LevelledText, DrawnFamily):
    """A `PlainFamily` with levels of difficulty, drawn with equal probability."""

    @abstractmethod
    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw a problem of a level; None if these draws do not give one."""

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the problems at these addresses."""
        choices = np.array(self.chosen_levels, np.int64)
        levels = choices[rows.branch("level").draws().integers(0, len(choices))].tolist()
        made = []
        for level, draws in zip(levels, rows.each(), strict=True):
            problem = self.make(level, draws)
            if problem is not None:
                problem.difficulty = level
            made.append(problem)
        return made


def _values(problems: Sequence[Problem | None], name: str, spec: Axis) -> list[int | str]:
    """Return the values of an axis as numbers, zero where there is no problem."""
    added = _ADDED.get(name)
    if added:
        values = [problem.axes.get(name, added(problem)) if problem else 0 for problem in problems]
    else:
        values = [problem.axes[name] if problem else 0 for problem in problems]
    numbers: dict[int | str, int] = {value: number for number, value in enumerate(spec.values)}
    return [numbers.get(value, value) for value in values] if numbers else values
