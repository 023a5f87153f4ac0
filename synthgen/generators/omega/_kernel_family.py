"""Families whose problems are drawn and told by kernels, many at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, choice_text, constant_text, text_list
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.core.kinds import Int
from synthgen.core.numerals import integer_text
from synthgen.core.randomness import Rows
from synthgen.generators.omega._family import BOXED, OmegaFamily
from synthgen.generators.omega._numbers import LARGEST_LEAF, NEGATIVE, TWO_LIMBS
from synthgen.generators.omega._statements import Statements

Codes = NDArray[np.uint16]
Range = tuple[int, int]
_LIMB = LARGEST_LEAF + 1


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the kernel of a family gives for n rows.

    Attributes:
        levels: int64 (n,).
        subtypes: int64 (n,), zero in a family with one kind of question.
        codes: the canonical derivations.
        values: those of the holes of the statement, int16.
        answers: int64 (n,).
        axes: the family's own.
        valid: bool (n,).
    """

    levels: NDArray[np.int64]
    subtypes: NDArray[np.int64]
    codes: Ragged
    values: Ragged
    answers: NDArray[np.int64]
    axes: Mapping[str, NDArray[Any]]
    valid: NDArray[np.bool_]


class KernelFamily(OmegaFamily):
    """A family whose integer answers come from a kernel.

    `wordings` is the number of wordings of each kind of question; `statements` holds them kind by
    kind.
    """

    statements: ClassVar[Statements]

    @abstractmethod
    def drawn(self, rows: Rows) -> Drawn:
        """Draw the problems at these addresses."""

    def steps(self, subtype: int, values: list[int], answer: int) -> str:
        """Return the way to an answer, line by line, from the values of a statement."""
        raise NotImplementedError

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        drawn = self.drawn(rows)
        columns: dict[str, NDArray[Any]] = {"level": drawn.levels}
        if self.subtypes:
            columns["subtype"] = drawn.subtypes
        columns |= drawn.axes
        return Problems(
            rows=rows,
            derivations=drawn.codes,
            keys=derivation_keys(drawn.codes, self.signature, self.domain),
            axes={name: column.astype(self.axes[name].dtype) for name, column in columns.items()},
            difficulty=drawn.levels.astype(np.int16),
            valid=drawn.valid,
            parts={"drawn": drawn},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Put every question, and write its answer and, if asked, the way to it."""
        drawn: Drawn = problems.parts["drawn"]
        wordings = self.wording_of_rows(problems.rows) + self.wordings * drawn.subtypes
        solutions: pa.StringArray | None = None
        if style.solution == "steps":
            found = zip(drawn.subtypes.tolist(), drawn.answers.tolist(), strict=True)
            ways = (
                self.steps(subtype, drawn.values.row(i).tolist(), answer)
                for i, (subtype, answer) in enumerate(found)
            )
            solutions = text_list(ways)
        ending = BOXED if style.prompt == "boxed" else ""
        return Texts(
            prompts=self.statements.text(drawn.values, wordings, ending),
            answers=integer_text(drawn.answers),
            answer_types=constant_text(self.answer_type, len(problems)),
            templates=choice_text(wordings, self.template_names(style)),
            solutions=solutions,
        )

    def template_names(self, style: Render) -> list[str]:
        """Return the names of the wordings of a style, kind by kind."""
        kinds = [f"_{name}" for name in self.subtypes] or [""]
        return [f"{style.prompt}{kind}_{i + 1}" for kind in kinds for i in range(self.wordings)]


def check_range(name: str, low: int, high: int, bounds: Range) -> None:
    """Check the fields `min_<name>` and `max_<name>`: both 0, or a range within the bounds.

    Raises:
        ParamError: for anything else.
    """
    least, most = f"min_{name}", f"max_{name}"
    for field, value in ((most, high), (least, low)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ParamError(field, value, "an integer")
    if low == high == 0:
        return
    if not high <= bounds[1]:
        raise ParamError(most, high, f"0, or an integer up to {bounds[1]}")
    if not bounds[0] <= low <= high:
        raise ParamError(least, low, f"0 with {most}=0, or from {bounds[0]} to {most}={high}")


@njit(cache=True, nogil=True)
def put_integer(codes: Codes, at: Int, value: Int) -> Int:
    """Write the codes of an integer, as `integer_codes` gives them, and return where they end."""
    if -LARGEST_LEAF <= value <= LARGEST_LEAF:
        codes[at] = value + LARGEST_LEAF
        return at + 1
    if value < 0:
        codes[at] = NEGATIVE
        at, value = at + 1, -value
    limbs: Int = np.int64(0)
    rest = value
    while rest > 0:
        rest //= _LIMB
        limbs += 1
    codes[at] = TWO_LIMBS + limbs - 2
    for place in range(limbs, 0, -1):
        codes[at + place] = value % _LIMB + LARGEST_LEAF
        value //= _LIMB
    return at + limbs + 1


@njit(cache=True, nogil=True)
def grown_codes(codes: Codes, at: Int, more: Int) -> Codes:
    """Return room for `more` codes behind the first `at`."""
    if at + more <= len(codes):
        return codes
    larger = np.empty(2 * (at + more), np.uint16)
    larger[:at] = codes[:at]
    return larger


@njit(cache=True, nogil=True)
def grown_values(values: NDArray[np.int16], at: Int, more: Int) -> NDArray[np.int16]:
    """Return room for `more` values behind the first `at`."""
    if at + more <= len(values):
        return values
    larger = np.empty(2 * (at + more), np.int16)
    larger[:at] = values[:at]
    return larger
