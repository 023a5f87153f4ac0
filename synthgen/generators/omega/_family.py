"""What OMEGA families have in common: levels, prompt styles, and families in plain Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import choice_text, constant_text, text_list
from synthgen.core.conditions import Condition, one_of
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows
from synthgen.generators.omega._draws import AheadDraws, each_row
from synthgen.generators.omega._numbers import Tree, signature_of, trees_column

BOXED = "\n\nPut the final answer, and nothing else, inside \\boxed{}."
"""Added to a prompt of the style "boxed"."""
MOST_REPEATS = 10**9
"""Times that a family may go through its problems."""


@dataclass(frozen=True)
class OmegaFamily(ABC):
    """A family with levels of difficulty, counted from 1.

    Attributes:
        levels: drawn with equal probability; none stand for all there are.
    """

    levels: tuple[int, ...] = ()

    n_levels: ClassVar[int]
    """Levels that the family has."""
    wordings: ClassVar[int]
    """Ways to put a question."""
    symbols: ClassVar[Mapping[str, int]]
    """The family's own symbols, name -> arity."""
    subtypes: ClassVar[tuple[str, ...]] = ()
    """Kinds of question, if there are several."""
    answer_type: ClassVar[str] = "integer"
    domain: ClassVar[str] = "omega"
    prompts: ClassVar[tuple[str, ...]] = ("instruction", "boxed")
    solutions: ClassVar[tuple[str, ...]] = ("none",)
    conditions: ClassVar[Mapping[str, Condition]] = {"level": one_of("levels")}
    level_is_canonical: ClassVar[bool] = False
    """Whether a problem occurs at one level alone."""

    def __post_init__(self) -> None:
        wanted = f"a list of different levels from 1 to {self.n_levels}"
        if not isinstance(self.levels, tuple) or len(set(self.levels)) != len(self.levels):
            raise ParamError("levels", self.levels, wanted)
        for level in self.levels:
            if isinstance(level, bool) or not isinstance(level, int):
                raise ParamError("levels", self.levels, wanted)
            if not 1 <= level <= self.n_levels:
                raise ParamError("levels", self.levels, wanted)

    @property
    def chosen_levels(self) -> tuple[int, ...]:
        """The levels that are drawn."""
        return self.levels or tuple(range(1, self.n_levels + 1))

    @cached_property
    def signature(self) -> Signature:
        """Integers and the family's own symbols."""
        return signature_of(self.symbols)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The level, the kind of question where there are several, and the family's own."""
        levels = self.chosen_levels
        axes = {
            "level": Axis(
                "level of difficulty",
                low=min(levels),
                high=max(levels),
                canonical=self.level_is_canonical,
            )
        }
        if self.subtypes:
            axes["subtype"] = Axis("kind of question", values=self.subtypes)
        return axes | dict(self.own_axes)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Axes of this family alone."""
        return {}

    @property
    def space(self) -> int | None:
        """Not enumerable, unless a family says otherwise."""
        return None

    @property
    def fewest_problems(self) -> int | None:
        """Unknown, unless a family says otherwise."""
        return None

    @abstractmethod
    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""

    @abstractmethod
    def render(self, problems: Problems, style: Render) -> Texts:
        """Put every question, and write its answer and, if asked, the way to it."""

    def level_of_rows(self, rows: Rows) -> NDArray[np.int64]:
        """Draw the level of each row, int64 (n,)."""
        levels = np.array(self.chosen_levels, np.int64)
        return levels[rows.branch("level").draws().integers(0, len(levels))]

    def wording_of_rows(self, rows: Rows) -> NDArray[np.int64]:
        """Draw the wording of each row, from 0, int64 (n,)."""
        return rows.branch("wording").draws().integers(0, self.wordings)

    def template_names(self, style: Render) -> list[str]:
        """Return the names of the wordings of a style."""
        return [f"{style.prompt}_{i + 1}" for i in range(self.wordings)]


@dataclass(slots=True)  # a frozen one takes three times as long to make
class Made:
    """One problem of a family in plain Python.

    Attributes:
        tree: its canonical structure.
        answer: in the family's answer type.
        facts: whatever the text needs.
        subtype: index into the family's `subtypes`.
        axes: values of the family's own axes.
    """

    tree: Tree
    answer: str
    facts: Any
    subtype: int = 0
    axes: Mapping[str, int] | None = None


class PlainFamily(OmegaFamily):
    """A family whose problems are made and told one by one, in plain Python."""

    block: ClassVar[int] = 256
    """Addresses that selection looks at together; fewer where each takes long."""
    costly: ClassVar[bool] = True
    """Whether drawing a row again costs more than keeping it."""
    words_ahead: ClassVar[Sequence[tuple[int, int]]] = ((16, 16),)
    """About how many words the draws of a problem and those of its text take, level by level, or
    at all levels alike; a matter of speed alone."""

    @abstractmethod
    def make(self, level: int, draws: AheadDraws) -> Made | None:
        """Draw a problem of a level; None if the draw is of no use."""

    @abstractmethod
    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Put the question in one of the wordings; `draws` are for choices of the text alone."""

    def steps(self, made: Made) -> str:
        """Return the way to the answer, line by line."""
        raise NotImplementedError

    def _ahead(self, part: int) -> int:
        """Return how many words to make at once for the draws of a problem, or of its text."""
        levels = self.chosen_levels if len(self.words_ahead) > 1 else (1,)
        return sum(self.words_ahead[level - 1][part] for level in levels) // len(levels)

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        levels = self.level_of_rows(rows)
        drawn = zip(levels.tolist(), each_row(rows, self._ahead(0)), strict=True)
        made = [self.make(level, draws) for level, draws in drawn]
        codes = trees_column((one.tree if one else None for one in made), self.signature)
        columns = {"level": levels.tolist()}
        if self.subtypes:
            columns["subtype"] = [one.subtype if one else 0 for one in made]
        for name in self.own_axes:
            columns[name] = [(one.axes or {})[name] if one else 0 for one in made]
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes={
                name: np.array(values, self.axes[name].dtype) for name, values in columns.items()
            },
            difficulty=levels.astype(np.int16),
            valid=np.array([one is not None for one in made], bool),
            parts={"made": made},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Put every question, and write its answer and, if asked, the way to it."""
        made: list[Made] = problems.parts["made"]
        wordings = self.wording_of_rows(problems.rows)
        ending = BOXED if style.prompt == "boxed" else ""
        choices = each_row(problems.rows.branch("text"), self._ahead(1))
        chosen = zip(made, wordings.tolist(), choices, strict=True)
        prompts = [self.tell(one, wording, draws) + ending for one, wording, draws in chosen]
        solutions: pa.StringArray | None = None
        if style.solution == "steps":
            solutions = text_list([self.steps(one) for one in made])
        return Texts(
            prompts=text_list(prompts),
            answers=text_list([one.answer for one in made]),
            answer_types=constant_text(self.answer_type, len(made)),
            templates=choice_text(wordings, self.template_names(style)),
            solutions=solutions,
        )
