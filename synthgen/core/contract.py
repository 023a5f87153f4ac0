"""The contracts of the extension points: what a generator and a verifier give to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.content import Keys
from synthgen.core.derivation import Signature
from synthgen.core.randomness import Rows

SOURCE = "source"
"""Pseudo axis with the name of the source that a row comes from."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One integer or categorical column that splits, controllers and reports may use.

    Attributes:
        meaning: one line.
        dtype: "int16", "int32" or "int64"; for a categorical axis the type of its codes.
        low, high: smallest and largest value that can occur, where known.
        values: names of a categorical axis; its column then holds indices into them.
        canonical: true if the value follows from the derivation alone, so that equal problems
            always have equal values.
    """

    meaning: str
    dtype: str = "int16"
    low: int | None = None
    high: int | None = None
    values: tuple[str, ...] = ()
    canonical: bool = True


@dataclass(frozen=True, slots=True)
class Problems:
    """A batch of n drawn problems, as columns.

    Attributes:
        rows: the addresses they were drawn at.
        derivations: symbol codes in prefix order, canonical form.
        keys: content keys, uint64 (n, 2).
        axes: axis name -> (n,), the axes that the generator declares.
        difficulty: int16 (n,).
        valid: bool (n,); false marks a row that must not be used (nothing else of it is read).
        parts: whatever else `render` needs.
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


@dataclass(frozen=True, slots=True)
class Render:
    """How problems become text.

    Attributes:
        prompt: one of the generator's `prompts`.
        solution: one of the generator's `solutions`.
    """

    prompt: str
    solution: str


@dataclass(frozen=True, slots=True)
class Texts:
    """A batch of n rendered problems.

    Attributes:
        prompts, answers: Arrow string (n,).
        answer_types: string or dictionary of string (n,), names of `verifiers.answers`.
        templates: string or dictionary of string (n,), which wording each prompt has.
        solutions: Arrow string (n,) with nulls, or None if there are none.
    """

    prompts: pa.StringArray
    answers: pa.StringArray
    answer_types: pa.Array
    templates: pa.Array
    solutions: pa.StringArray | None = None


@runtime_checkable
class Generator(Protocol):
    """A frozen dataclass whose fields are the `params` of a recipe's source."""

    version: ClassVar[int]
    """Raised whenever the same address gives a different row."""
    domain: ClassVar[str]
    """Family whose semantics the symbols have; equal derivations of a domain are one problem."""
    verifier: ClassVar[str]
    """Name of the verifier module."""
    prompts: ClassVar[tuple[str, ...]]
    """Prompt styles, the default first."""
    solutions: ClassVar[tuple[str, ...]]
    """Solution styles, the default ("none") first."""

    @property
    def signature(self) -> Signature:
        """Vocabulary of the derivations."""

    @property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""

    @property
    def space(self) -> int | None:
        """Number of addresses when enumerable, else None (all 2^64)."""

    @property
    def fewest_problems(self) -> int | None:
        """Lower bound of the number of different problems; None where none is known."""

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses: pure, no text, no I/O."""

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write valid problems as text: pure."""


@runtime_checkable
class Verifier(Protocol):
    """An independent second implementation that sees only text."""

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Compiled check of every row, bool (n,); null solutions are not looked at."""

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Slow check with exact arithmetic or brute force, for a sample, bool (n,)."""

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if a model's answer equals the gold answer in its type, else 0.0."""
