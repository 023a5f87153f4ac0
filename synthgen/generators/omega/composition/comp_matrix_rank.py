"""OMEGA composition: the probability that a randomly filled matrix has a given rank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.composition._questions import (
    N_WORDINGS,
    ask,
    parts_sum,
    sum_steps,
)

_LEVELS = (
    (((2, 2),), (3, 4), 5),
    (((2, 3),), (2, 5), 4),
    (((3, 3),), (2, 5), 4),
    (((3, 3), (3, 4)), (3, 9), 6),
    (((3, 4), (4, 4)), (3, 9), 9),
)
"""Shapes, open cells from and to, largest value, of each level."""
_SHAPES = sorted({shape for shapes, _, _ in _LEVELS for shape in shapes})
_MOST_FILLINGS, _MOST_VALUES, _MOST_OPEN = 800, 5, 9
_TRIES = 40
_OPEN = None
_TEXTS = {
    "independent": (
        "In the matrix <matrix>, every star is replaced by a number that is drawn at random from"
        " {<values>}, each element being equally likely, independently of the other stars. What is"
        " the probability that the resulting matrix has rank <r>? <ending>",
        "The entries marked * of <matrix>, a matrix given row by row, are chosen independently and"
        " uniformly from the set {<values>}. Find the probability that its rank is exactly <r>."
        " <ending>",
        "Somebody fills the gaps, written *, of the matrix <matrix>. For every gap a number is"
        " picked from {<values>}, uniformly and independently. How likely is it that the rank of"
        " the filled matrix equals <r>? <ending>",
        "Let M be the random matrix <matrix>, where all stars stand for independent random numbers"
        " that take each value in {<values>} with the same probability. Determine the probability"
        " that M has rank <r>. <ending>",
    ),
    "shuffled": (
        "In the matrix <matrix>, the stars are replaced by the numbers <values> in a random order,"
        " each number being used once and all orders being equally likely. What is the probability"
        " that the resulting matrix has rank <r>? <ending>",
        "The numbers <values> are shuffled and written into the entries marked * of <matrix>, a"
        " matrix given row by row; every arrangement of these numbers is equally likely. Find the"
        " probability that its rank is exactly <r>. <ending>",
        "Somebody fills the gaps, written *, of the matrix <matrix> with the numbers <values>,"
        " each of which is drawn once, without replacement and at random. How likely is it that"
        " the rank of the filled matrix equals <r>? <ending>",
        "Let M be the random matrix <matrix>, where a uniformly random rearrangement of the list"
        " <values> takes the places of the stars. Determine the probability that M has rank <r>."
        " <ending>",
    ),
}

Cells = tuple[tuple[int | None, ...], ...]
Values = tuple[int, ...]
Minors = dict[tuple[tuple[int, ...], tuple[int, ...]], NDArray[np.int64]]


@dataclass(frozen=True)
class CompMatrixRank(PlainFamily):
    """A matrix with gaps, which random numbers fill.

    Attributes:
        levels: of difficulty, 1 to 5, drawn with equal probability; none stand for all. The matrix
            is 2 x 2, 2 x 3, 3 x 3, 3 x 3 or 3 x 4, 3 x 4 or 4 x 4, and has 2 to 9 gaps.
    """

    block: ClassVar[int] = 128
    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "comp_matrix_rank"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = N_WORDINGS
    subtypes: ClassVar[tuple[str, ...]] = tuple(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = (
        {"rank_independent": 3, "rank_shuffled": 3, "gap": 0}
        | {f"matrix{n}x{m}": n * m for n, m in _SHAPES}
        | {f"values{n}": n for n in range(2, _MOST_OPEN + 1)}
    )

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Gaps and rank."""
        return {
            "n_gaps": Axis("gaps of the matrix", low=2, high=_MOST_OPEN),
            "matrix_rank": Axis("rank in question", low=0, high=4),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Open cells of a matrix of low rank, and ask for a rank that is neither sure nor not."""
        shapes, gaps, most = _LEVELS[level - 1]
        kind = int(draws.integer(0, 5) == 0)
        for _ in range(_TRIES):
            whole = _low_rank(draws, draws.choice(shapes), most)
            size = len(whole) * len(whole[0])
            n_open = draws.integer(gaps[0], min(gaps[1], size) + 1)
            order = draws.shuffled(range(size))
            width = len(whole[0])
            places = sorted(order[:n_open])
            cells = tuple(
                tuple(_OPEN if i * width + j in places else value for j, value in enumerate(row))
                for i, row in enumerate(whole)
            )
            base = [whole[place // width][place % width] for place in places]
            values = _values(kind, base, draws, most)
            fillings = _fillings(kind, n_open, values)
            if fillings is None:
                continue
            counts = np.bincount(_ranks(cells, fillings), minlength=min(len(whole), width) + 1)
            ranks = [r for r, many in enumerate(counts.tolist()) if 0 < many < len(fillings)]
            if ranks:
                rank = draws.choice(ranks)
                facts = (cells, values, rank, counts.tolist())
                return _made(kind, facts, len(fillings))
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write the matrix row by row with stars, and the values in an order of the text's own."""
        cells, values, rank, _ = made.facts
        rows = (", ".join("*" if v is None else str(v) for v in row) for row in cells)
        return ask(
            _TEXTS,
            self.subtypes[made.subtype],
            wording,
            matrix=f"[{', '.join(f'[{row}]' for row in rows)}]",
            values=", ".join(map(str, draws.shuffled(values))),
            r=rank,
        )

    def steps(self, made: Made) -> str:
        """Tell how many fillings have each rank."""
        _, _, rank, counts = made.facts
        lines = [f"rank {r}: {many}" for r, many in enumerate(counts)]
        total = sum(counts)
        value = Fraction(counts[rank], total)
        return "\n".join([*lines, f"{counts[rank]} of {total}", sum_steps(value)])


def _made(kind: int, facts: tuple[Cells, Values, int, list[int]], total: int) -> Made:
    cells, values, rank, counts = facts
    shape = f"matrix{len(cells)}x{len(cells[0])}"
    matrix: Tree = (shape, *("gap" if v is None else v for row in cells for v in row))
    drawn: Tree = (f"values{len(values)}", *values)
    tree: Tree = (
        ("rank_independent", "rank_shuffled")[kind],
        rank,
        matrix,
        drawn,
    )
    axes = {"n_gaps": sum(row.count(None) for row in cells), "matrix_rank": rank}
    return Made(tree, parts_sum(Fraction(counts[rank], total)), facts, kind, axes)


def _low_rank(draws: RowDraws, shape: tuple[int, int], most: int) -> list[list[int]]:
    """Return a matrix of less than full rank with small entries."""
    n, m = shape
    while True:
        rank = draws.integer(1, min(n, m)) if min(n, m) > 1 else 1
        left = [[draws.integer(-2, 3) for _ in range(rank)] for _ in range(n)]
        right = [[draws.integer(-2, 4) for _ in range(m)] for _ in range(rank)]
        whole = [
            [sum(left[i][k] * right[k][j] for k in range(rank)) for j in range(m)] for i in range(n)
        ]
        if max(abs(v) for row in whole for v in row) <= most and any(map(any, whole)):
            return whole


def _values(kind: int, base: Sequence[int], draws: RowDraws, most: int) -> Values:
    """Return what the gaps are filled from: values of the matrix of low rank, and others."""
    if kind == 0:
        size = draws.integer(2, _MOST_VALUES + 1)
        chosen = set(draws.shuffled(sorted(set(base)))[: size - 1])
        while len(chosen) < size:
            chosen.add(draws.integer(-most, most + 1))
        return tuple(sorted(chosen))
    values = list(base)
    if draws.integer(0, 2):
        values[draws.integer(0, len(values))] = draws.integer(-most, most + 1)
    return tuple(sorted(values))


def _fillings(kind: int, n: int, values: Values) -> NDArray[np.int64] | None:
    """Return all fillings of n gaps, each equally likely, (many, n); None if there are too many."""
    if kind == 0:
        if len(values) ** n > _MOST_FILLINGS:
            return None
        return np.array(list(product(values, repeat=n)), np.int64)
    found: list[Values] = []
    for order in _orders(values):
        found.append(order)
        if len(found) > _MOST_FILLINGS:
            return None
    return np.array(found, np.int64)


def _orders(values: Values) -> Iterator[Values]:
    """Yield the different orders of values."""
    if not values:
        yield ()
    for place, value in enumerate(values):
        if place == 0 or values[place - 1] != value:
            for rest in _orders(values[:place] + values[place + 1 :]):
                yield (value, *rest)


def _ranks(cells: Cells, fillings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rank of every filled matrix: the size of the largest minor that is not zero."""
    n, m = len(cells), len(cells[0])
    gaps = iter(range(fillings.shape[1]))
    entries = {
        (i, j): fillings[:, next(gaps)] if v is None else np.full(len(fillings), v, np.int64)
        for i, row in enumerate(cells)
        for j, v in enumerate(row)
    }
    minors: Minors = {((i,), (j,)): values for (i, j), values in entries.items()}
    ranks = np.zeros(len(fillings), np.int64)
    for size in range(1, min(n, m) + 1):
        if size > 1:
            minors = {
                (rows, columns): _expanded(entries, minors, rows, columns)
                for rows in combinations(range(n), size)
                for columns in combinations(range(m), size)
            }
        ranks[np.any([values != 0 for values in minors.values()], axis=0)] = size
    return ranks


def _expanded(
    entries: Mapping[tuple[int, int], NDArray[np.int64]],
    minors: Minors,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
) -> NDArray[np.int64]:
    """Expand a minor along its first row."""
    total = np.zeros_like(entries[0, 0])
    for k, column in enumerate(columns):
        rest = minors[rows[1:], columns[:k] + columns[k + 1 :]]
        total += (-1) ** k * entries[rows[0], column] * rest
    return total


GENERATOR = CompMatrixRank
