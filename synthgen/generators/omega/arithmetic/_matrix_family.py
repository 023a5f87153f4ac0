"""What the families of matrix arithmetic have in common: sizes, shapes, columns and texts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, choice_text, constant_text, text_list
from synthgen.core.conditions import Condition, bounded
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega._family import BOXED, OmegaFamily
from synthgen.generators.omega._numbers import OWN_SYMBOLS
from synthgen.generators.omega.arithmetic._matrix_draw import (
    LARGEST_SIZE,
    SMALLEST_SIZE,
    derivations_of,
    draw_entries,
    matrix_codes,
    matrix_symbols,
)
from synthgen.generators.omega.arithmetic._matrix_statements import statement_texts

Integers = NDArray[np.int64]
Matrix = list[list[int]]

LARGEST_ENTRY = 99
_HALF_WORD = 32


@dataclass(frozen=True, slots=True)
class Plan:
    """What is settled about n problems before their entries are drawn.

    Attributes:
        rows: their addresses.
        levels, sizes, bounds: level, rows of the matrix and largest entry, int64 (n,).
        asked: index of the question, int64 (n,).
    """

    rows: Rows
    levels: Integers
    sizes: Integers
    bounds: Integers
    asked: Integers


@dataclass(frozen=True, slots=True)
class Work:
    """n problems worked out.

    Attributes:
        matrices: entries of the k matrices of each problem, n k rows.
        dims: rows and columns of each matrix, int64 (n, k, 2).
        numbers: the parameters beside the matrices, int64 (n, m).
        answers: one integer each.
        valid: which problems may be used, bool (n,).
        axes: columns of the family's own axes.
    """

    matrices: Ragged
    dims: Integers
    numbers: Integers
    answers: Sequence[int]
    valid: NDArray[np.bool_]
    axes: Mapping[str, Integers]


@dataclass(frozen=True, slots=True)
class Question:
    """One problem as its text needs it.

    Attributes:
        asked: index of the question.
        matrices: row by row.
        numbers: the parameters beside them, by name.
        answer: an integer.
    """

    asked: int
    matrices: tuple[Matrix, ...]
    numbers: Mapping[str, int]
    answer: int


@dataclass(frozen=True)
class MatrixFamily(OmegaFamily):
    """A family of questions about integer matrices.

    Attributes:
        levels: drawn with equal probability; none stand for all there are.
        min_size, max_size: rows of the matrix, 2 to 20; 0 stands for those of the level.
        max_entry: largest magnitude of a drawn entry, 1 to 99; 0 stands for that of the level.
    """

    min_size: int = 0
    max_size: int = 0
    max_entry: int = 0

    block: ClassVar[int] = 8_192
    conditions: ClassVar[Mapping[str, Condition]] = {
        **OmegaFamily.conditions,
        "size": bounded("min_size", "max_size"),
    }
    level_sizes: ClassVar[tuple[tuple[int, int], ...]]
    """Smallest and largest size of each level."""
    level_entries: ClassVar[tuple[int, ...]]
    """Largest entry of each level."""
    heads: ClassVar[Mapping[str, int]]
    """Symbols of the questions, name -> numbers beside the matrices."""
    number_names: ClassVar[tuple[str, ...]] = ()
    """Names of the numbers, of which each question has the first few."""
    n_matrices: ClassVar[int] = 1
    texts: ClassVar[tuple[tuple[str, ...], ...]]
    """Wordings of each question, with holes for a, b and the numbers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("max_entry", self.max_entry, 0, LARGEST_ENTRY)
        for name, size in (("min_size", self.min_size), ("max_size", self.max_size)):
            check_int(name, size, 0, LARGEST_SIZE)
            if size and size < SMALLEST_SIZE:
                raise ParamError(name, size, f"0 or at least {SMALLEST_SIZE}")
        if np.any(self.size_table[:, 0] > self.size_table[:, 1]):
            wanted = f"at most max_size at each level, which gives {self.size_table.tolist()}"
            raise ParamError("min_size", self.min_size, wanted)

    @property
    def size_table(self) -> Integers:
        """Smallest and largest size of each chosen level, (l, 2)."""
        sizes = (self.level_sizes[level - 1] for level in self.chosen_levels)
        table = [(self.min_size or low, self.max_size or high) for low, high in sizes]
        return np.array(table, np.int64)

    @property
    def entry_table(self) -> Integers:
        """Largest entry of each chosen level, (l,)."""
        chosen = [self.max_entry or self.level_entries[level - 1] for level in self.chosen_levels]
        return np.array(chosen, np.int64)

    def most_problems(self, free: Callable[[int], int]) -> int:
        """Return how many choices of `free(size)` entries the richest of the levels has."""
        sizes, entries = self.size_table[:, 1].tolist(), self.entry_table.tolist()
        choices: list[int] = [
            (2 * entry + 1) ** free(size) for size, entry in zip(sizes, entries, strict=True)
        ]
        return max(choices)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large the matrix is."""
        table = self.size_table
        return {
            "size": Axis(
                "rows or columns of the largest matrix",
                low=int(table[:, 0].min()),
                high=int(table[:, 1].max()),
            )
        }

    def plan(self, rows: Rows) -> Plan:
        """Draw level, size and question of each row."""
        levels = self.level_of_rows(rows)
        order = self.order_of(levels)
        sizes = between(rows, "size", *self.size_table[order].T)
        asked = rows.branch("question").draws().integers(0, len(self.heads))
        return Plan(rows, levels, sizes, self.entry_table[order], asked)

    def order_of(self, levels: Integers) -> Integers:
        """Return the place of each level among the chosen ones, int64 (n,)."""
        places = np.zeros(self.n_levels + 1, np.int64)
        places[list(self.chosen_levels)] = np.arange(len(self.chosen_levels))
        return places[levels]

    @abstractmethod
    def work(self, plan: Plan) -> Work:
        """Draw the matrices and work the answers out."""

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        plan = self.plan(rows)
        work = self.work(plan)
        own, square = len(self.heads), self.n_matrices == 1
        symbols = matrix_codes(work.dims[:, :, 0], work.dims[:, :, 1], own, square=square)
        n_numbers = np.array(list(self.heads.values()), np.int64)[plan.asked]
        heads = OWN_SYMBOLS + plan.asked
        codes = derivations_of(heads, work.numbers, n_numbers, symbols, work.matrices)
        columns = {"level": plan.levels, "size": work.dims.max(axis=(1, 2)), **work.axes}
        if self.subtypes:
            columns["subtype"] = plan.asked
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes={name: columns[name].astype(axis.dtype) for name, axis in self.axes.items()},
            difficulty=plan.levels.astype(np.int16),
            valid=work.valid,
            parts={"work": work, "asked": plan.asked},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Put every question, and write its answer and, if asked, the way to it."""
        wordings = self.wording_of_rows(problems.rows)
        work: Work = problems.parts["work"]
        solutions: pa.StringArray | None = None
        if style.solution == "steps":
            solutions = text_list(map(self.steps, self._questions(problems)))
        return Texts(
            prompts=statement_texts(
                [text for texts in self.texts for text in texts],
                self.number_names,
                problems.parts["asked"] * self.wordings + wordings,
                work.matrices,
                np.ascontiguousarray(work.dims[:, :, 1]),
                work.numbers,
                BOXED if style.prompt == "boxed" else "",
            ),
            answers=text_list(map(str, work.answers)),
            answer_types=constant_text(self.answer_type, len(wordings)),
            templates=choice_text(wordings, self.template_names(style)),
            solutions=solutions,
        )

    def steps(self, question: Question) -> str:
        """Return the way to the answer, line by line."""
        raise NotImplementedError

    def _questions(self, problems: Problems) -> Iterator[Question]:
        work: Work = problems.parts["work"]
        flat, ends = work.matrices.values.tolist(), work.matrices.offsets.tolist()
        asked, numbers = problems.parts["asked"].tolist(), work.numbers.tolist()
        k, widths = self.n_matrices, work.dims[:, :, 1].tolist()
        for i, answer in enumerate(work.answers):
            spans = zip(
                ends[i * k : i * k + k], ends[i * k + 1 : i * k + k + 1], widths[i], strict=True
            )
            matrices = tuple(
                [flat[at : at + width] for at in range(start, end, width)]
                for start, end, width in spans
            )
            named = dict(zip(self.number_names, numbers[i], strict=True))
            yield Question(asked[i], matrices, named, answer)


def between(rows: Rows, label: str, low: Integers | int, high: Integers | int) -> Integers:
    """Draw an integer from low to high of each row, int64 (n,)."""
    halves = (rows.branch(label).draws().bits() >> np.uint64(_HALF_WORD)).astype(np.int64)
    drawn: Integers = low + (halves * (high - low + 1) >> _HALF_WORD)
    return drawn


def symbols_of(heads: Mapping[str, int], n_matrices: int = 1) -> dict[str, int]:
    """Return a family's own symbols, name -> arity."""
    arities = {name: n_numbers + n_matrices for name, n_numbers in heads.items()}
    return arities | matrix_symbols(square=n_matrices == 1)


def places(rows: Rows, n_rows: Integers, n_columns: Integers) -> Integers:
    """Draw the place of an entry, row and column from 1, int64 (n, 2)."""
    row, column = between(rows, "row", 1, n_rows), between(rows, "column", 1, n_columns)
    return np.stack([row, column], axis=1)


def drawn_matrices(
    plan: Plan, dims: Integers, shapes: Integers, *, regular: bool = False, label: str = "entries"
) -> Ragged:
    """Draw one matrix a row; dims: rows and columns, int64 (n, 2)."""
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(dims[:, 0] * dims[:, 1])])
    columns = np.ascontiguousarray(dims[:, 1])
    keys = plan.rows.branch(label).keys
    return Ragged(draw_entries(keys, offsets, columns, plan.bounds, shapes, regular), offsets)
