"""Answers from FLINT, and worked solutions, to questions about integer matrices.

The solutions eliminate as Bareiss (1968) did: a pivot p turns each remaining entry x into
(p x - y z) / q, with y and z the entries of x's row and column in the pivot's column and row, and
q the previous pivot (1 at first). Every division is exact, and the last pivot of a square matrix is
its determinant, up to the sign of the row swaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, cast

from flint import acb, arb, ctx, fmpq, fmpq_mat, fmpz_mat, fmpz_poly

IntRows = list[list[int]]
Place = tuple[int, int]
"""Row and column of an entry, from 1."""

_FIRST_PRECISION = 64


def quantity_of(matrix: fmpz_mat | fmpq_mat, kind: str, place: Place) -> fmpq:
    """Return the sum of all entries, of their absolute values, the trace, or one entry."""
    if kind == "entry":
        return fmpq(matrix[place[0] - 1, place[1] - 1])
    if kind == "trace":
        return fmpq(sum(matrix[k, k] for k in range(matrix.nrows())))
    entries = matrix.entries()
    return fmpq(sum(map(abs, entries) if kind == "absolute_sum" else entries))


def nearest_of_inverse(matrix: fmpz_mat, kind: str, scale: int, place: Place) -> int | None:
    """Round the quantity in question of `scale` times the inverse.

    Returns:
        None for a singular matrix, a value halfway between two integers, or entries of largest
        absolute value that round differently.
    """
    try:
        inverse = fmpq_mat(matrix).inv()
    except ZeroDivisionError:
        return None
    if kind != "largest_entry":
        return _nearest(scale * quantity_of(inverse, kind, place))
    entries = inverse.entries()
    largest = max(map(abs, entries))
    rounded = {_nearest(scale * entry) for entry in entries if abs(entry) == largest}
    return rounded.pop() if len(rounded) == 1 else None


def _nearest(value: fmpq) -> int | None:
    return None if value.denominator == 2 else int((value + fmpq(1, 2)).floor())


def nearest_singular(rows: IntRows, kind: str) -> int:
    """Round the largest singular value, the sum of all, or the spread from smallest to largest.

    The squares of the singular values are the roots of the characteristic polynomial of A' A, which
    FLINT isolates in balls of growing precision. This ends: singular values are algebraic integers,
    so no sum or difference of them is halfway between integers.
    """
    polynomial = _square(rows).charpoly()
    precision = _FIRST_PRECISION
    while True:
        with ctx.workprec(precision):
            values = [root.sqrt() for root in _real_roots(polynomial)]
            value = sum(values, arb()) if kind == "sum" else reduce(arb.max, values)
            if kind == "spread":
                value -= reduce(arb.min, values)
            nearest = (value + 0.5).floor().unique_fmpz()
        if nearest is not None:
            return int(nearest)
        precision *= 2


def _square(rows: IntRows) -> fmpz_mat:
    """Return the product of the transposed matrix and the matrix."""
    matrix = fmpz_mat(rows)
    return matrix.transpose() * matrix


def _real_roots(polynomial: fmpz_poly) -> list[arb]:
    """Return the roots, which are all real, each as often as its multiplicity."""
    roots = cast("list[tuple[acb, int]]", polynomial.complex_roots())
    return [root.real for root, times in roots for _ in range(times)]


_ASKED = {
    "dominant": "largest absolute value",
    "largest": "largest singular value",
    "spread": "largest minus smallest singular value",
}


def eigenvalue_lines(rows: IntRows, kind: str, answer: str) -> Iterator[str]:
    """Write the eigenvalues of a symmetric or triangular matrix, and the quantity in question."""
    if any(any(row[:r]) for r, row in enumerate(rows)):
        polynomial = fmpz_mat(rows).charpoly()
        yield f"characteristic polynomial of A: {_coefficients(polynomial)}"
        yield f"eigenvalues: {_thousandths(polynomial, root=False)}"
    else:
        yield f"diagonal: {[row[k] for k, row in enumerate(rows)]}"
    yield f"{_ASKED.get(kind, 'sum of absolute values')}, to the nearest integer: {answer}"


def singular_lines(rows: IntRows, kind: str, answer: str) -> Iterator[str]:
    """Write A^T*A, the singular values, and the quantity in question."""
    square = _square(rows)
    polynomial = square.charpoly()
    yield f"A^T*A = {_plain(square)}"
    yield f"characteristic polynomial of A^T*A: {_coefficients(polynomial)}"
    yield f"singular values: {_thousandths(polynomial, root=True)}"
    yield f"{_ASKED.get(kind, 'sum of singular values')}, to the nearest integer: {answer}"


def _coefficients(polynomial: fmpz_poly) -> list[int]:
    """Return the coefficients, that of the highest power first."""
    return [int(c) for c in reversed(polynomial.coeffs())]


def _thousandths(polynomial: fmpz_poly, *, root: bool) -> str:
    """Write all real roots, or their square roots, with three decimals, the smallest first.

    None is halfway between two thousandths: rational ones are integers.
    """
    precision = _FIRST_PRECISION
    whole: list[Any] = [None]
    while None in whole:
        with ctx.workprec(precision):
            values = [x.sqrt() if root else x for x in _real_roots(polynomial)]
            whole = [(1000 * value + arb(1) / 2).floor().unique_fmpz() for value in values]
        precision *= 2
    return ", ".join(map(_decimal, sorted(map(int, whole))))


def _decimal(thousandths: int) -> str:
    """Write a number of thousandths with three decimals."""
    size = abs(thousandths)
    return f"{'-' if thousandths < 0 else ''}{size // 1000}.{size % 1000:03d}"


def determinant_lines(rows: IntRows) -> Iterator[str]:
    """Write the elimination of a regular matrix, its determinant and the last three digits."""
    sign, before, rest = 1, 1, rows
    while len(rest) > 1:
        swap = _row_to_swap(rest)
        if swap:
            yield f"swap rows 1 and {swap + 1}"
            sign = -sign
        divisor, (before, rest) = before, _eliminated(rest, swap, before)
        yield f"pivot {before}, divisor {divisor}: {rest}"
    determinant = sign * rest[0][0]
    yield f"det = {determinant}"
    yield f"{determinant} mod 1000 = {determinant % 1000}"


def rank_lines(rows: IntRows) -> Iterator[str]:
    """Write the elimination of a matrix until only zeros are left."""
    rank, before, rest = 0, 1, rows
    while any(map(any, rest)):
        swap = _row_to_swap(rest)
        if swap is None:
            rest = [row[1:] for row in rest]
            yield f"drop a zero column: {rest}"
            continue
        if swap:
            yield f"swap rows 1 and {swap + 1}"
        divisor, (before, rest) = before, _eliminated(rest, swap, before)
        rank += 1
        yield f"pivot {before}, divisor {divisor}: {rest}"
    yield f"rank = {rank}"


def _row_to_swap(rest: IntRows) -> int | None:
    """Return the first row that does not begin with zero, if any."""
    return next((r for r, row in enumerate(rest) if row[0]), None)


def _eliminated(rest: IntRows, swap: int | None, before: int) -> tuple[int, IntRows]:
    """Return the pivot, and what remains below and to the right of it."""
    rows = list(rest)
    rows[0], rows[swap or 0] = rows[swap or 0], rows[0]
    (pivot, *top), below = rows[0], rows[1:]
    return pivot, [
        [(pivot * x - row[0] * z) // before for x, z in zip(row[1:], top, strict=True)]
        for row in below
    ]


def inverse_lines(rows: IntRows, kind: str, scale: int, place: Place) -> Iterator[str]:
    """Write the inverse of A, the quantity in question of A and of B = A / scale, and round."""
    inverse = fmpq_mat(fmpz_mat(rows)).inv()
    numerators, denominator = inverse.numer_denom()
    yield f"inverse of A = {_plain(numerators)} / {denominator}"
    if kind == "largest_entry":
        value = max(inverse.entries(), key=abs)
    else:
        value = quantity_of(inverse, kind, place)
    name = kind.replace("_", " ")
    yield f"{name} of the inverse of A = {value}"
    yield f"{name} of the inverse of B = {scale} * {value} = {scale * value}"
    yield f"rounded = {_nearest(scale * value)}"


def product_lines(
    factors: tuple[IntRows, IntRows], kind: str, place: Place, answer: str
) -> Iterator[str]:
    """Write the rows or entries of a product that matter, and the quantity in question."""
    left, columns = factors[0], list(zip(*factors[1], strict=True))
    name = kind.replace("_", " ")
    if kind == "entry":
        yield _entry_line(left[place[0] - 1], columns[place[1] - 1], place)
        return
    for k, row in enumerate(left, 1):
        if kind == "trace":
            yield _entry_line(row, columns[k - 1], (k, k))
        else:
            product = [_dot(row, column) for column in columns]
            total = sum(product) if kind == "sum" else sum(map(abs, product))
            yield f"row {k} of A*B = {product}, {name} {total}"
    yield f"{name} = {answer}"


def _dot(row: Sequence[int], column: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(row, column, strict=True))


def _entry_line(row: Sequence[int], column: Sequence[int], place: Place) -> str:
    terms = (f"{_factor(x)}*{_factor(y)}" for x, y in zip(row, column, strict=True))
    return f"entry {place} of A*B = {' + '.join(terms)} = {_dot(row, column)}"


def _factor(x: int) -> str:
    return f"({x})" if x < 0 else str(x)


def power_lines(rows: IntRows, exponent: int, kind: str, answer: str) -> Iterator[str]:
    """Write the powers that lead to one by squaring, and the quantity in question."""
    first = power = fmpz_mat(rows)
    done = 1
    for bit in bin(exponent)[3:]:
        power, done = power * power, 2 * done
        yield f"A^{done} = {_plain(power)}"
        if bit == "1":
            power, done = power * first, done + 1
            yield f"A^{done} = {_plain(power)}"
    yield f"{kind.replace('_', ' ')} = {answer}"


def _plain(matrix: fmpz_mat) -> IntRows:
    return [[int(x) for x in row] for row in matrix.tolist()]
