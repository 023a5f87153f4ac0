"""The contracts of the extension points: what generators and verifiers provide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.images import NO_PICTURE, joined
from synthgen.draws.randomness import Rows
from synthgen.rules.axes import Axis
from synthgen.rules.conditions import Condition
from synthgen.trees.content_keys import Keys
from synthgen.trees.derivations import Signature


@dataclass(frozen=True, slots=True)
class Problems:
    """A batch of n drawn problems, as columns.

    Attributes:
        rows: Addresses they were drawn at.
        derivations: Symbol codes in prefix order, canonical form.
        keys: Content keys, uint64 (n, 2).
        axes: Axis name -> (n,), the axes that the generator declares.
        difficulty: Measure of the generator, int16 (n,).
        valid: Flags, bool (n,); the other values of a row with false are not read.
        parts: Anything else that `render` needs.
    """

    rows: Rows
    derivations: Ragged
    keys: Keys
    axes: Mapping[str, NDArray[Any]]
    difficulty: NDArray[np.int16]
    valid: NDArray[np.bool_]
    parts: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.rows)


def valid_ones(problems: Problems) -> Problems:
    """Return only the valid problems of a batch.

    Raises:
        TypeError: if a part is not a column, so that it cannot be cut.
    """
    keep = np.flatnonzero(problems.valid)
    if len(keep) == len(problems):
        return problems
    return Problems(
        Rows(problems.rows.stream, problems.rows.addresses[keep]),
        problems.derivations.take(keep),
        problems.keys[keep],
        {name: column[keep] for name, column in problems.axes.items()},
        problems.difficulty[keep],
        problems.valid[keep],
        {name: _cut(name, part, keep, len(problems)) for name, part in problems.parts.items()},
    )


def _cut(name: str, part: Any, keep: NDArray[np.int64], n: int) -> Any:
    if isinstance(part, Ragged) and len(part) == n:
        return part.take(keep)
    if isinstance(part, np.ndarray) and len(part) == n:
        return part[keep]
    if isinstance(part, list) and len(part) == n:
        return [part[i] for i in keep.tolist()]
    msg = f"part {name!r} of type {type(part).__name__}: "
    msg += f"expected an array, list or Ragged of {n} values"
    raise TypeError(msg)


@dataclass(frozen=True, slots=True)
class Render:
    """Styles of rendered problems.

    Attributes:
        prompt: Style out of the generator's `prompts`.
        solution: Style out of the generator's `solutions`.
        picture: Kind of pictures out of `core.images.PICTURES`.
    """

    prompt: str
    solution: str
    picture: str = NO_PICTURE


@dataclass(frozen=True, slots=True)
class Texts:
    """A batch of n rendered problems.

    Attributes:
        prompts, answers: Arrow string (n,).
        answer_types: String or dictionary of string (n,), types of `contract.answers.parser_of`.
        templates: String or dictionary of string (n,), the wording of each prompt.
        solutions: Arrow string (n,) with nulls, or None if there are none.
        pictures: Arrow string (n,) of SVG, or None if none were asked for or drawn.
    """

    prompts: pa.StringArray
    answers: pa.StringArray
    answer_types: pa.Array
    templates: pa.Array
    solutions: pa.StringArray | None = None
    pictures: pa.StringArray | None = None

    @property
    def statements(self) -> pa.StringArray:
        """What verifiers read: the prompts, with their pictures if there are any."""
        return self.prompts if self.pictures is None else joined(self.prompts, self.pictures)


BLOCK = 65_536
"""Addresses that selection processes together, unless a generator sets fewer. The selected rows
depend on it, so it is not a setting."""


class Generator(ABC):
    """A problem family: a frozen dataclass whose fields are the `params` of a recipe's source."""

    version: ClassVar[int] = 1
    """Incremented whenever the same address gives a different row."""
    domain: ClassVar[str]
    """Family that defines the symbols; equal derivations of a domain are one problem."""
    verifier: ClassVar[str]
    """Name of the verifier."""
    prompts: ClassVar[tuple[str, ...]]
    """Prompt styles, the default first."""
    solutions: ClassVar[tuple[str, ...]] = ("none",)
    """Solution styles, the default ("none") first."""
    has_options: ClassVar[bool] = True
    """Whether its problems make sense as multiple choice: not if options are easy to tell apart."""
    same_up_to: ClassVar[str] = ""
    """Detail in which the prompts of one tree may differ, such as "the order of the cards"."""
    restated_by: ClassVar[tuple[str, ...]] = ()
    """Params that choose how a problem is stated or answered, and not which problem it is."""

    @property
    def block(self) -> int:
        """Addresses that selection processes together; fewer where each takes long to draw."""
        return BLOCK

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Vocabulary of the derivations."""

    @property
    @abstractmethod
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""

    @property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params can fix, and how, so that a recipe can spread a source over them."""
        return {}

    @property
    def styles(self) -> tuple[str, ...]:
        """Prompt styles that these params allow, out of `prompts`."""
        return self.prompts

    @property
    def space(self) -> int | None:
        """Number of addresses when enumerable, else None (all 2^64)."""
        return None

    @property
    def fewest_problems(self) -> int | None:
        """Lower bound of the number of different problems; None if unknown."""
        return None

    @property
    def pictured(self) -> str:
        """Whether rows may have pictures: "no", "optional", or "needed" to understand prompts."""
        return "no"

    @property
    def restates(self) -> bool:
        """Whether its params ask for each problem several times, in different prompts."""
        return False

    @property
    def answers_differ(self) -> bool:
        """Whether the answers of one tree may differ in the detail `same_up_to`, too."""
        return False

    @abstractmethod
    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses: pure, no text, no I/O."""

    @abstractmethod
    def render(self, problems: Problems, style: Render) -> Texts:
        """Write valid problems as text: pure."""

    def wrong_answers_of(
        self, problems: Problems, places: Sequence[int]
    ) -> Mapping[int, Iterable[str]]:
        """Return answers to the valid problems at some places that are probably wrong: pure."""
        del problems, places
        return {}


class Verifier(ABC):
    """An independent second implementation that sees only text."""

    open_ended: ClassVar[bool] = False
    """Whether the answer states what any text must satisfy; the solution is one such text."""

    many_answers: ClassVar[bool] = False
    """Whether a problem can have several right answers, so that one may fit another row, too."""

    @abstractmethod
    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Check every row, bool (n,); null solutions are not checked.

        The prompts of rows with pictures are statements, as in `core.images`.
        """

    def reads(self, prompt: str) -> bool | None:
        """Return whether a prompt is worded as those of the family; None if that is not known."""
        del prompt
        return None

    def accepts(self, prompt: str, prediction: str) -> bool:
        """Return whether a model's answer to a prompt is right, in any spelling of its type."""
        return bool(self.check(pa.array([prompt]), pa.array([prediction]), None)[0])

    def parts(self, prediction: str, answer: str) -> list[tuple[str, bool, bool]]:
        """Return for each part of an answer with parts its name, a strict and a loose verdict."""
        del prediction, answer
        return []
