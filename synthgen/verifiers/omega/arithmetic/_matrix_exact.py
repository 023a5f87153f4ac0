"""Slow oracles: SymPy's exact matrices and polynomials. SymPy is imported where it is used."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix, Question

_FIRST_BITS, _MOST_BITS = 8, 200


def domain_matrix(matrix: Matrix) -> Any:
    """Return a matrix as SymPy's own, over the integers."""
    from sympy import ZZ
    from sympy.polys.matrices import DomainMatrix

    rows = [[ZZ(value) for value in row] for row in matrix.lists()]
    return DomainMatrix(rows, (matrix.rows, matrix.columns), ZZ)


def exact_determinant(matrix: Matrix) -> int:
    """Return the determinant."""
    constant = int(domain_matrix(matrix).charpoly()[-1])
    return -constant if matrix.rows % 2 else constant


def exact_characteristic(matrix: Matrix) -> list[int]:
    """Return the coefficients of the characteristic polynomial, constant first."""
    return [int(value) for value in reversed(domain_matrix(matrix).charpoly())]


def exact_rank(matrix: Matrix) -> int:
    """Return the rank, over the rationals."""
    return int(domain_matrix(matrix).to_field().rank())


def exact_inverse(matrix: Matrix) -> list[list[Fraction]] | None:
    """Return the inverse, None if there is none."""
    from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

    try:
        inverse = domain_matrix(matrix).to_field().inv().to_list()
    except DMNonInvertibleMatrixError:
        return None
    return [[Fraction(int(x.numerator), int(x.denominator)) for x in row] for row in inverse]


def exact_product(left: Matrix, right: Matrix) -> list[list[int]]:
    """Return the product."""
    product = domain_matrix(left) * domain_matrix(right)
    return [[int(value) for value in row] for row in product.to_list()]


def exact_power(matrix: Matrix, exponent: int) -> list[list[int]]:
    """Return a power."""
    return [[int(x) for x in row] for row in (domain_matrix(matrix) ** exponent).to_list()]


def exact_eigenvalue_sum(matrix: Matrix, *, largest: bool) -> str | None:
    """Round the largest absolute value of a real eigenvalue, or the sum of all."""
    polynomial = _polynomial(domain_matrix(matrix))
    for bits in range(_FIRST_BITS, _MOST_BITS, 16):
        lows, highs = [], []
        for low, high in _real_roots(polynomial, bits):
            lows.append(Fraction(0) if low <= 0 <= high else min(abs(low), abs(high)))
            highs.append(max(abs(low), abs(high)))
        total = (sum(lows, Fraction(0)), sum(highs, Fraction(0)))
        low, high = (max(lows), max(highs)) if largest else total
        if round_half_up(low) == round_half_up(high):
            return str(round_half_up(low))
    return None


def exact_singular_values(matrix: Matrix, asked: str) -> str | None:
    """Round the "largest" singular value, the "sum" of all, or the "spread" of the largest."""
    entries = domain_matrix(matrix)
    polynomial = _polynomial(entries.transpose() * entries)
    for bits in range(_FIRST_BITS, _MOST_BITS, 16):
        lows, highs = [], []
        for low, high in _real_roots(polynomial, 2 * bits):
            lows.append(Fraction(isqrt(max(0, int(low * 4**bits))), 2**bits))
            highs.append(Fraction(isqrt(int(high * 4**bits)) + 1, 2**bits))
        low, high = max(lows), max(highs)
        if asked == "sum":
            low, high = sum(lows, Fraction(0)), sum(highs, Fraction(0))
        elif asked == "spread":
            low, high = low - min(highs), high - min(lows)
        if round_half_up(low) == round_half_up(high):
            return str(round_half_up(low))
    return None


def round_half_up(value: Fraction | int) -> int:
    """Return the nearest integer; a tie goes up."""
    return int((2 * Fraction(value) + 1) // 2)


def _polynomial(matrix: Any) -> Any:
    from sympy import Poly, Symbol

    return Poly.from_list([int(value) for value in matrix.charpoly()], Symbol("x"))


def _real_roots(polynomial: Any, bits: int) -> list[tuple[Fraction, Fraction]]:
    """Return an interval of length below 2^-bits around each real root, as often as it counts."""
    from sympy import Rational

    intervals = polynomial.intervals(eps=Rational(1, 2**bits))
    return [
        (Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q)))
        for (low, high), count in intervals
        for _ in range(count)
    ]


def of_entries(rows: list[list[int]], question: Question, kind: str) -> int:
    """Return the "sum", "absolute sum", "trace" or "entry" of a matrix.

    The numbers of a question about an entry begin with its column and end with its row.
    """
    if kind == "sum":
        return sum(map(sum, rows))
    if kind == "absolute sum":
        return sum(abs(x) for row in rows for x in row)
    if kind == "trace":
        return sum(row[r] for r, row in enumerate(rows))
    column, *_, row_number = question.numbers
    return rows[row_number - 1][column - 1]
