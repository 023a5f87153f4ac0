"""The matrix families of OMEGA: numpy draws the entries, and FLINT works out the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import ClassVar

import numpy as np

from synthgen.authoring import Axis, Condition, Problem, Words, bounded
from synthgen.authoring.params import choices, integer
from synthgen.families.omega.matrices.drawing import (
    SHAPES,
    Drawn,
    Matrix,
    MatrixFamily,
    Plan,
    Question,
    SquareFamily,
)
from synthgen.families.omega.matrices.ranks import CompMatrixRank, TransMatrixRank
from synthgen.families.omega.matrices.solve import (
    determinant_lines,
    eigenvalue_lines,
    inverse_lines,
    nearest_of_inverse,
    nearest_singular,
    power_lines,
    product_lines,
    quantity_of,
    rank_lines,
    singular_lines,
)

_WORDS = Words.beside(__file__)
_MIN_EXPONENT, _MAX_EXPONENT = 2, 12


@dataclass(frozen=True)
class ArithmeticMatrixDeterminant(SquareFamily):
    """Determinants other than zero, modulo 1000."""

    verifier = "arithmetic_matrix_determinant"
    words = _WORDS.part("determinant")
    heads = {"determinant_mod_1000": 0}
    regular = True

    @property
    def fewest_problems(self) -> int | None:
        """The triangular matrices whose diagonal has no factor 2 or 5."""
        if self.shapes == ("symmetric",):
            return None

        def count(n: int, m: int) -> int:
            units = 2 * sum(gcd(value, 10) == 1 for value in range(1, m + 1))
            return int(units**n * (2 * m + 1) ** (n * (n - 1) // 2))

        return self.richest(count)

    def solved(self, question: Question) -> int | None:
        """Reduce the determinant; most large triangular matrices, which give 0, are rejected."""
        (matrix,) = question.matrices
        determinant = matrix.exact.det()
        answer = int(determinant % 1000)
        dull = answer == 0 and matrix.shape == "triangular"
        return None if determinant == 0 or dull else answer

    def steps_of(self, problem: Problem) -> list[str]:
        """Write Bareiss's elimination."""
        return list(determinant_lines(problem.data.matrices[0].rows))


@dataclass(frozen=True)
class ArithmeticMatrixEigenvalues(SquareFamily):
    """Absolute values of eigenvalues of symmetric and triangular matrices, which are all real.

    An eigenvalue of an integer matrix is an algebraic integer, and so is a sum of absolute values
    of them. No algebraic integer is halfway between two integers, so there are no ties.

    Attributes:
        levels: Difficulty levels, 1 to 9, drawn with equal probability; an empty list means all.
            The matrices have 3, 4, 6, 7, 9, 10, 12, 14 or 16 rows, and entries up to 10, 12, 15,
            18, 25, 30, 35, 40 or 50 in magnitude.
        min_size, max_size: Number of rows, 2 to 20; 0 takes that of the level.
        max_entry: Largest magnitude of an entry, 1 to 99; 0 takes that of the level.
        shapes: Symmetric, triangular (upper); by default two thirds are symmetric.
    """

    shapes: tuple[str, ...] = choices((), SHAPES[1:], fewest=0)

    verifier = "arithmetic_matrix_eigenvalues"
    words = _WORDS.part("eigenvalues")
    heads = {"dominant_eigenvalue": 0, "absolute_eigenvalue_sum": 0}

    @property
    def fewest_problems(self) -> int | None:
        """Two questions about each triangular matrix, where those are drawn."""
        if self.shapes == ("symmetric",):
            return None
        return 2 * self.richest(_upper)

    def shapes_of(self, level: int) -> tuple[str, ...]:
        """Return the shapes that are drawn at a level."""
        del level
        return self.shapes or ("symmetric", "symmetric", "triangular")

    def solved(self, question: Question) -> int | None:
        """Read the diagonal of a triangular matrix; of a symmetric one, round singular values."""
        (matrix,) = question.matrices
        if matrix.shape == "triangular":
            values = [abs(row[k]) for k, row in enumerate(matrix.rows)]
            return max(values) if question.kind == "dominant" else sum(values)
        return nearest_singular(matrix.rows, question.kind)

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the characteristic polynomial and the eigenvalues, or the diagonal."""
        kind, (matrix,), _ = problem.data
        return list(eigenvalue_lines(matrix.rows, kind, problem.answer))


@dataclass(frozen=True)
class ArithmeticMatrixInverse(SquareFamily):
    """The inverse of a matrix over twice the number of its rows times the largest entry allowed."""

    verifier = "arithmetic_matrix_inverse"
    words = _WORDS.part("inverse")
    heads = {
        "inverse_sum": 1,
        "inverse_absolute_sum": 1,
        "inverse_trace": 1,
        "inverse_largest_entry": 1,
        "inverse_entry": 3,
    }
    regular = True

    def drawn(self, plan: Plan) -> Drawn:
        """Draw the matrices and the place of an entry."""
        row, column = (plan.between(name, 1, plan.sizes) for name in ("row", "column"))
        scale = 2 * plan.sizes * plan.bounds
        return super().drawn(plan)[0], {"scale": scale, "row": row, "column": column}

    def solved(self, question: Question) -> int | None:
        """Round the quantity in question; None for ties and singular matrices."""
        kind, (matrix,), numbers = question
        return nearest_of_inverse(matrix.exact, kind, numbers["scale"], question.place)

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the inverse and the quantity in question."""
        kind, (matrix,), numbers = problem.data
        place = problem.data.place
        return list(inverse_lines(matrix.rows, kind, numbers["scale"], place))


@dataclass(frozen=True)
class ArithmeticMatrixMultiplication(MatrixFamily):
    """Products of two matrices; they are rectangular except for questions about the trace.

    Attributes:
        levels: Difficulty levels, 1 to 9, drawn with equal probability; an empty list means all.
            There are 3 to 5, 4 to 6, 6 to 7, 7 to 8, 9 to 10, 10 to 11, 12 to 14, 14 to 16 or 16
            to 18 rows and columns, and entries up to 8, 10, 12, 15, 20, 25, 30, 35 or 40 in
            magnitude.
        min_size, max_size: Number of rows and columns, 2 to 20; 0 takes that of the level.
        max_entry: Largest magnitude of an entry, 1 to 99; 0 takes that of the level.
    """

    verifier = "arithmetic_matrix_multiplication"
    words = _WORDS.part("multiplication")
    level_sizes = (
        *((3, 5), (4, 6), (6, 7), (7, 8), (9, 10)),
        *((10, 11), (12, 14), (14, 16), (16, 18)),
    )
    level_entries = (8, 10, 12, 15, 20, 25, 30, 35, 40)
    heads = {"product_sum": 0, "product_absolute_sum": 0, "product_entry": 2, "product_trace": 0}
    n_matrices = 2

    @property
    def fewest_problems(self) -> int:
        """Four questions about each pair of the largest square matrices of a level."""
        return len(self.heads) * self.richest(lambda n, m: int((2 * m + 1) ** (2 * n * n)))

    def drawn(self, plan: Plan) -> Drawn:
        """Draw both matrices and the place of an entry."""
        low, high = np.array(self.sizes, np.int64)[plan.order].T
        inner, columns = (plan.between(label, low, high) for label in ("inner", "columns"))
        is_trace = plan.asked == self.words.kinds.index("trace")
        columns = np.where(is_trace, plan.sizes, columns)
        row, column = plan.between("row", 1, plan.sizes), plan.between("column", 1, columns)
        left = plan.factors("entries", plan.sizes, inner)
        right = plan.factors("second", inner, columns)
        pairs = [(Matrix(a.tolist()), Matrix(b.tolist())) for a, b in zip(left, right, strict=True)]
        return pairs, {"row": row, "column": column}

    def solved(self, question: Question) -> int | None:
        """Multiply, and return the quantity in question."""
        left, right = question.matrices
        return int(quantity_of(left.exact * right.exact, question.kind, question.place))

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the rows or entries of the product that matter."""
        kind, (left, right), _ = problem.data
        place = problem.data.place
        return list(product_lines((left.rows, right.rows), kind, place, problem.answer))


@dataclass(frozen=True)
class ArithmeticMatrixPower(SquareFamily):
    """Powers of a matrix.

    Attributes:
        levels: Difficulty levels, 1 to 9, drawn with equal probability; an empty list means all.
            The matrices have 3, 4, 5, 6, 8, 10, 12, 14 or 16 rows, entries up to 3, 4, 5, 6, 12,
            14, 16, 20 or 24 in magnitude, and exponents 2 to 3, 3 to 4, 4 to 5, 4 to 5, 5 to 7, 6
            to 8, 7 to 9, 8 to 10 or 9 to 11.
        min_size, max_size: Number of rows, 2 to 20; 0 takes that of the level.
        max_entry: Largest magnitude of an entry, 1 to 99; 0 takes that of the level.
        shapes: General, symmetric, triangular (upper); an empty list means all three at level
            1 and for the first two above it, equally often.
        min_exponent, max_exponent: 2 to 12; 0 takes that of the level.
    """

    min_exponent: int = integer(0, _MIN_EXPONENT, _MAX_EXPONENT, or_zero=True)
    max_exponent: int = integer(0, _MIN_EXPONENT, _MAX_EXPONENT, or_zero=True)

    verifier = "arithmetic_matrix_power"
    words = _WORDS.part("power")
    level_sizes = tuple((n, n) for n in (3, 4, 5, 6, 8, 10, 12, 14, 16))
    level_entries = (3, 4, 5, 6, 12, 14, 16, 20, 24)
    level_exponents: ClassVar[Sequence[tuple[int, int]]] = (
        *((2, 3), (3, 4), (4, 5), (4, 5), (5, 7)),
        *((6, 8), (7, 9), (8, 10), (9, 11)),
    )
    heads = {"power_sum": 1, "power_absolute_sum": 1, "power_entry": 3}

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_range("exponent", self.level_exponents)

    @property
    def exponents(self) -> list[tuple[int, int]]:
        """Smallest and largest exponent of each chosen level."""
        return self.range_of("exponent", self.level_exponents)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The axes of square matrices, and the exponent."""
        low, high = min(low for low, _ in self.exponents), max(high for _, high in self.exponents)
        return {**super().axes, "exponent": Axis("exponent of the power", low=low, high=high)}

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Params that fix axes."""
        return {**super().conditions, "exponent": bounded("min_exponent", "max_exponent")}

    @property
    def fewest_problems(self) -> int:
        """Three questions about each matrix of the shapes chosen."""
        general = "general" in (self.shapes or SHAPES)
        count = (lambda n, m: int((2 * m + 1) ** (n * n))) if general else _upper
        return len(self.heads) * self.richest(count)

    def shapes_of(self, level: int) -> tuple[str, ...]:
        """Return the shapes that are drawn at a level."""
        return self.shapes or SHAPES[: 3 if level == 1 else 2]

    def drawn(self, plan: Plan) -> Drawn:
        """Draw the matrices, exponents and the place of an entry."""
        low, high = np.array(self.exponents, np.int64)[plan.order].T
        row, column = (plan.between(name, 1, plan.sizes) for name in ("row", "column"))
        exponent = plan.between("exponent", low, high)
        return super().drawn(plan)[0], {"exponent": exponent, "row": row, "column": column}

    def solved(self, question: Question) -> int | None:
        """Raise the matrix to its power, and return the quantity in question."""
        kind, (matrix,), numbers = question
        power = matrix.exact ** numbers["exponent"]
        return int(quantity_of(power, kind, question.place))

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the powers by squaring."""
        kind, (matrix,), numbers = problem.data
        return list(power_lines(matrix.rows, numbers["exponent"], kind, problem.answer))


@dataclass(frozen=True)
class ArithmeticMatrixRank(MatrixFamily):
    """The product of a tall and a wide random matrix, so that its rank is below its size.

    Attributes:
        levels: Difficulty levels, 1 to 9, drawn with equal probability; an empty list means all.
            The matrices have 4, 5, 6, 7, 9, 10, 12, 14 or 16 rows, and entries of both factors up
            to 4, 6, 10, 12, 18, 22, 26, 30 or 40 in magnitude.
        min_size, max_size: Number of rows, 2 to 20; 0 takes that of the level.
        max_entry: Largest magnitude of an entry of a factor, 1 to 99; 0 takes that of the level.
    """

    verifier = "arithmetic_matrix_rank"
    words = _WORDS.part("rank")
    level_sizes = tuple((n, n) for n in (4, 5, 6, 7, 9, 10, 12, 14, 16))
    level_entries = (4, 6, 10, 12, 18, 22, 26, 30, 40)
    heads = {"matrix_rank": 0}

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The axes of matrices, and the rank."""
        high = max(high for _, high in self.sizes) - 1
        return {**super().axes, "matrix_rank": Axis("rank of the matrix", low=1, high=high)}

    @property
    def fewest_problems(self) -> int:
        """Rank one: a column that begins with 1, times a row other than zero."""
        return self.richest(lambda n, m: int((2 * m + 1) ** (n - 1) * ((2 * m + 1) ** n - 1)))

    def drawn(self, plan: Plan) -> Drawn:
        """Multiply two factors, whose inner size bounds the rank from above."""
        inner = plan.between("rank", 1, plan.sizes - 1)
        tall = plan.factors("entries", plan.sizes, inner)
        wide = plan.factors("second", inner, plan.sizes)
        products = (left @ right for left, right in zip(tall, wide, strict=True))
        return [(Matrix(one.tolist()),) for one in products], {"inner": inner}

    def solved(self, question: Question) -> int | None:
        """Return the rank; None if a factor has a lower rank itself."""
        rank = question.matrices[0].exact.rank()
        return rank if rank == question.numbers["inner"] else None

    def steps_of(self, problem: Problem) -> list[str]:
        """Write Bareiss's elimination."""
        return list(rank_lines(problem.data.matrices[0].rows))


@dataclass(frozen=True)
class ArithmeticMatrixSvd(SquareFamily):
    """Singular values: the largest, the sum of all, or the largest minus the smallest.

    Singular values of an integer matrix are algebraic integers, and so are sums and differences of
    them. No algebraic integer is halfway between two integers, so there are no ties.

    Attributes:
        levels: Difficulty levels, 1 to 9, drawn with equal probability; an empty list means all.
            The matrices have 4, 5, 6, 7, 9, 10, 12, 14 or 16 rows, and entries up to 4, 6, 10, 12,
            18, 22, 26, 30 or 40 in magnitude.
        min_size, max_size: Number of rows, 2 to 20; 0 takes that of the level.
        max_entry: Largest magnitude of an entry, 1 to 99; 0 takes that of the level.
        shapes: General, symmetric, triangular (upper); an empty list means all, equally often.
    """

    verifier = "arithmetic_matrix_svd"
    words = _WORDS.part("svd")
    level_sizes = ArithmeticMatrixRank.level_sizes
    level_entries = ArithmeticMatrixRank.level_entries
    heads = {"largest_singular_value": 0, "singular_value_sum": 0, "singular_value_spread": 0}
    regular = True

    def solved(self, question: Question) -> int | None:
        """Round the quantity in question of the singular values."""
        return nearest_singular(question.matrices[0].rows, question.kind)

    def steps_of(self, problem: Problem) -> list[str]:
        """Write A^T*A, its characteristic polynomial and the singular values."""
        kind, (matrix,), _ = problem.data
        return list(singular_lines(matrix.rows, kind, problem.answer))


def _upper(n: int, m: int) -> int:
    """Return the number of triangular, or of symmetric, matrices."""
    return int((2 * m + 1) ** (n * (n + 1) // 2))


GENERATORS = {
    "arithmetic_matrix_determinant": ArithmeticMatrixDeterminant,
    "arithmetic_matrix_eigenvalues": ArithmeticMatrixEigenvalues,
    "arithmetic_matrix_inverse": ArithmeticMatrixInverse,
    "arithmetic_matrix_multiplication": ArithmeticMatrixMultiplication,
    "arithmetic_matrix_power": ArithmeticMatrixPower,
    "arithmetic_matrix_rank": ArithmeticMatrixRank,
    "arithmetic_matrix_svd": ArithmeticMatrixSvd,
    "comp_matrix_rank": CompMatrixRank,
    "trans_matrix_rank": TransMatrixRank,
}
