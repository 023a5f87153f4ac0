"""Questions about drawn matrices: params, sizes, shapes and entries."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    Condition,
    DrawnFamily,
    Levels,
    ParamError,
    Problem,
    Rows,
    Signature,
    Tree,
    axis,
    bounded,
    one_of,
    signature_of,
)
from synthgen.authoring.compiled import U64
from synthgen.authoring.params import choices, integer

Integers = NDArray[np.int64]
Numbers = Mapping[str, int]
"""Numbers beside the matrices, by the names of their holes."""

SHAPES = ("general", "symmetric", "triangular")
_GENERAL, _SYMMETRIC, _TRIANGULAR = range(3)
_SMALLEST, _LARGEST, _LARGEST_ENTRY = 2, 20, 99
_HALF_WORD = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)


class Matrix(NamedTuple):
    """A matrix as it is drawn: its rows, and the narrowest shape that it has."""

    rows: list[list[int]]
    shape: str = "general"

    @property
    def size(self) -> int:
        """The number of rows or of columns, whichever is larger."""
        return max(len(self.rows), len(self.rows[0]))

    @property
    def tree(self) -> Tree:
        """The derivation."""
        name = f"matrix{len(self.rows)}x{len(self.rows[0])}"
        return (name, *[entry for row in self.rows for entry in row])

    @property
    def exact(self) -> fmpz_mat:
        """The matrix in FLINT."""
        return fmpz_mat(self.rows)


class Plan(NamedTuple):
    """Quantities that are drawn for n rows before their entries.

    Attributes:
        rows: Addresses of the rows.
        order: Place of the level among the chosen levels, int64 (n,).
        sizes, bounds: Number of rows of the matrix, and largest entry, int64 (n,).
        asked: Number of the kind of question, int64 (n,).
    """

    rows: Rows
    order: Integers
    sizes: Integers
    bounds: Integers
    asked: Integers

    def between(self, label: str, low: Integers | int, high: Integers | int) -> Integers:
        """Draw an integer from low to high for each row, int64 (n,)."""
        halves = (self.rows.branch(label).draws().bits() >> _HALF_WORD).astype(np.int64)
        drawn: Integers = low + (halves * (high - low + 1) >> int(_HALF_WORD))
        return drawn

    def words(self, label: str, most: int) -> U64:
        """Draw a word for each of the first `most` entries, uint64 (n, most)."""
        return self.rows.branch(label).draws().bits(most).reshape(-1, most)

    def factors(self, label: str, heights: Integers, widths: Integers) -> list[Integers]:
        """Draw a matrix of uniform entries for each row."""
        sizes = heights * widths
        bounds = self.bounds[:, None]
        entries = _scaled(self.words(label, int(sizes.max(initial=1))), 2 * bounds + 1) - bounds
        shapes = zip(entries, sizes.tolist(), heights.tolist(), widths.tolist(), strict=True)
        return [row[:size].reshape(height, width) for row, size, height, width in shapes]


def _scaled(words: U64, spans: Integers) -> Integers:
    """Map 64 uniform bits to 0..span-1, spans below 2^31, as `scale_words` does."""
    n = spans.astype(np.uint64)
    cross = (words >> _HALF_WORD) * n + ((words & _LOW_HALF) * n >> _HALF_WORD)
    return (cross >> _HALF_WORD).astype(np.int64)


class Question(NamedTuple):
    """A question about matrices: its kind, the matrices, and the numbers beside them."""

    kind: str
    matrices: Sequence[Matrix]
    numbers: Numbers

    @property
    def place(self) -> tuple[int, int]:
        """Row and column of the entry in question, from 1."""
        return self.numbers["row"], self.numbers["column"]


Drawn = tuple[Iterable[Sequence[Matrix]], Mapping[str, Integers]]
"""The matrices of each row, and the numbers beside them, int64 (n,) by name."""


@dataclass(frozen=True)
class MatrixFamily(Levels, DrawnFamily):
    """Questions about integer matrices.

    Attributes:
        levels: Difficulty levels, drawn with equal probability; an empty list means all.
        min_size, max_size: Number of rows, 2 to 20; 0 takes that of the level.
        max_entry: Largest magnitude of a drawn entry, 1 to 99; 0 takes that of the level.
    """

    min_size: int = integer(0, _SMALLEST, _LARGEST, or_zero=True)
    max_size: int = integer(0, _SMALLEST, _LARGEST, or_zero=True)
    max_entry: int = integer(0, 0, _LARGEST_ENTRY)

    version = 2
    domain = "omega"
    n_levels = 9
    level_sizes: ClassVar[Sequence[tuple[int, int]]] = tuple(
        (n, n) for n in (3, 4, 6, 7, 9, 10, 12, 14, 16)
    )
    """Smallest and largest size of each level."""
    level_entries: ClassVar[Sequence[int]] = (10, 12, 15, 18, 25, 30, 35, 40, 50)
    """Largest entry of each level."""
    heads: ClassVar[Mapping[str, int]]
    """Symbol of each kind of question, and how many of the numbers it takes."""
    n_matrices: ClassVar[int] = 1
    """Number of matrices in a question."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_range("size", self.level_sizes)

    def check_range(self, name: str, known: Sequence[tuple[int, int]]) -> None:
        """Raise ParamError unless min_<name> and max_<name> give a range at each level."""
        table = self.range_of(name, known)
        if any(low > high for low, high in table):
            param = f"min_{name}"
            wanted = f"at most max_{name} at each level, which gives {table}"
            raise ParamError(param, getattr(self, param), wanted)

    def range_of(self, name: str, known: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the range of a quantity at each chosen level; params other than 0 win."""
        low, high = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
        return [(low or known[n - 1][0], high or known[n - 1][1]) for n in self.chosen_levels]

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Smallest and largest size of each chosen level."""
        return self.range_of("size", self.level_sizes)

    @property
    def entries(self) -> list[int]:
        """Largest entry of each chosen level."""
        return [self.max_entry or self.level_entries[level - 1] for level in self.chosen_levels]

    def richest(self, count: Callable[[int, int], int]) -> int:
        """Return the largest count of matrices, by size and largest entry, of a chosen level."""
        return max(count(n, m) for (_, n), m in zip(self.sizes, self.entries, strict=True))

    @cached_property
    def signature(self) -> Signature:
        """Integers, questions, and matrices of all sizes."""
        n = self.n_matrices
        sizes = range(_SMALLEST, _LARGEST + 1)
        matrices = {f"matrix{r}x{c}": r * c for r in sizes for c in sizes if r == c or n > 1}
        questions = {name: n_numbers + n for name, n_numbers in self.heads.items()}
        return signature_of(questions | matrices)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Level, kind of question, size, and the axes of the family."""
        known = dict(super().axes)
        low, high = min(low for low, _ in self.sizes), max(high for _, high in self.sizes)
        size = Axis("rows or columns of the largest matrix", low=low, high=high)
        first = {"subtype": known.pop("subtype")} if "subtype" in known else {}
        return self.level_axis | first | {"size": size} | known

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Params that fix axes."""
        return {"level": one_of("levels"), "size": bounded("min_size", "max_size")}

    @abstractmethod
    def drawn(self, plan: Plan) -> Drawn:
        """Draw the matrices and the numbers beside them."""

    @abstractmethod
    def solved(self, question: Question) -> int | None:
        """Return the answer; None if the problem is unfit."""

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the problems at these addresses."""
        order = rows.branch("level").draws().integers(0, len(self.chosen_levels))
        asked = rows.branch("question").draws().integers(0, len(self.heads))
        bounds = np.array(self.entries, np.int64)[order]
        plan = Plan(rows, order, bounds, bounds, asked)
        plan = plan._replace(sizes=plan.between("size", *np.array(self.sizes, np.int64)[order].T))
        matrices, numbers = self.drawn(plan)
        values = zip(*(column.tolist() for column in numbers.values()), strict=True)
        named = [dict(zip(numbers, row, strict=True)) for row in values] or [{}] * len(rows)
        drawn = zip(order.tolist(), asked.tolist(), matrices, named, strict=True)
        return [
            self._problem(place, number, Question(self.words.kinds[number], some, beside))
            for place, number, some, beside in drawn
        ]

    def _problem(self, place: int, number: int, question: Question) -> Problem | None:
        answer = self.solved(question)
        if answer is None:
            return None
        kind, matrices, numbers = question
        head, n_numbers = list(self.heads.items())[number]
        axes: dict[str, int | str] = {
            **numbers,
            "size": max(one.size for one in matrices),
            "matrix_shape": matrices[0].shape,
            "matrix_rank": answer,
        }
        return Problem(
            tree=(head, *list(numbers.values())[:n_numbers], *[one.tree for one in matrices]),
            answer=str(answer),
            holes={**numbers, "a": matrices[0].rows, "b": matrices[-1].rows},
            kind=kind,
            axes={name: value for name, value in axes.items() if name in self.axes},
            difficulty=self.chosen_levels[place],
            data=question,
        )


@dataclass(frozen=True)
class SquareFamily(MatrixFamily):
    """Questions about one square matrix, which may be symmetric or triangular.

    Attributes:
        levels: Difficulty levels, 1 to 9, drawn with equal probability; an empty list means all.
            The matrices have 3, 4, 6, 7, 9, 10, 12, 14 or 16 rows, and entries up to 10, 12, 15,
            18, 25, 30, 35, 40 or 50 in magnitude.
        min_size, max_size: Number of rows, 2 to 20; 0 takes that of the level.
        max_entry: Largest magnitude of an entry, 1 to 99; 0 takes that of the level.
        shapes: General, symmetric, triangular (upper); an empty list means all, equally often.
    """

    shapes: tuple[str, ...] = choices((), SHAPES, fewest=0)

    own_axes = {"matrix_shape": axis("narrowest shape that the matrix has", values=SHAPES)}
    regular: ClassVar[bool] = False
    """Whether triangular matrices have no zero on the diagonal."""

    def shapes_of(self, level: int) -> tuple[str, ...]:
        """Return the shapes that are drawn at a level."""
        del level
        return self.shapes or SHAPES

    def drawn(self, plan: Plan) -> Drawn:
        """Draw a square matrix for each row."""
        known = [self.shapes_of(level) for level in self.chosen_levels]
        picks = plan.between("shape", 0, np.array([len(some) for some in known])[plan.order] - 1)
        pairs = zip(plan.order.tolist(), picks.tolist(), strict=True)
        wanted = np.array([SHAPES.index(known[place][pick]) for place, pick in pairs], np.int64)
        words = plan.words("entries", int(plan.sizes.max(initial=1)) ** 2)
        matrices: list[Sequence[Matrix]] = [()] * len(plan.rows)
        for size in np.unique(plan.sizes).tolist():
            places = np.flatnonzero(plan.sizes == size)
            some = words[places, : size * size].reshape(-1, size, size)
            stack = self._shaped(some, plan.bounds[places], wanted[places])
            lower = np.tril(stack, -1)
            triangular = ~lower.any(axis=(1, 2))
            symmetric = (lower == np.triu(stack, 1).transpose(0, 2, 1)).all(axis=(1, 2))
            shapes = np.where(triangular, _TRIANGULAR, np.where(symmetric, _SYMMETRIC, _GENERAL))
            for place, rows, shape in zip(
                places.tolist(), stack.tolist(), shapes.tolist(), strict=True
            ):
                matrices[place] = (Matrix(rows, SHAPES[shape]),)
        return matrices, {}

    def _shaped(self, words: U64, bounds: Integers, wanted: Integers) -> Integers:
        """Make entries of words, (k, n, n); those below the diagonal follow from the shape."""
        bounds = bounds[:, None, None]
        triangular = wanted[:, None, None] == _TRIANGULAR
        stack = _scaled(words, 2 * bounds + 1) - bounds
        if self.regular:
            nonzero = _scaled(words, 2 * bounds) - bounds
            nonzero += nonzero >= 0
            diagonal = np.eye(stack.shape[-1], dtype=bool)
            stack = np.where(triangular & diagonal, nonzero, stack)
        upper = np.triu(stack)
        mirrored = upper + np.triu(stack, 1).transpose(0, 2, 1)
        stack = np.where(wanted[:, None, None] == _SYMMETRIC, mirrored, stack)
        return np.where(triangular, upper, stack)
