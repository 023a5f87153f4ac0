"""The way to an answer about matrices, line by line, in exact integers.

Elimination is that of Bareiss (1968): a pivot p turns each remaining entry x into
(p x - y z) / q, with y and z the entries of x's row and column in the pivot's column and row, and
q the pivot before (1 at first). Every division is exact, and the last pivot is the determinant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd

Matrix = list[list[int]]


def determinant_lines(matrix: Matrix) -> Iterator[str]:
    """Write the elimination of a regular matrix, its determinant and the last three digits."""
    sign, before, rest = 1, 1, matrix
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


def rank_lines(matrix: Matrix) -> Iterator[str]:
    """Write the elimination of a matrix until nothing but zeros is left."""
    rank, before, rest = 0, 1, matrix
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


def _row_to_swap(rest: Matrix) -> int | None:
    """Return the first row that does not begin with zero, if any."""
    return next((r for r, row in enumerate(rest) if row[0]), None)


def _eliminated(rest: Matrix, swap: int | None, before: int) -> tuple[int, Matrix]:
    """Return the pivot, and what remains below and to the right of it."""
    rows = list(rest)
    rows[0], rows[swap or 0] = rows[swap or 0], rows[0]
    (pivot, *top), below = rows[0], rows[1:]
    remaining = [
        [(pivot * x - row[0] * z) // before for x, z in zip(row[1:], top, strict=True)]
        for row in below
    ]
    return pivot, remaining


def adjugate(matrix: Matrix) -> tuple[Matrix, int]:
    """Return an integer matrix and a positive integer, without common divisor: the inverse.

    Fraction-free Gauss-Jordan elimination of the matrix beside the identity.
    """
    n, before = len(matrix), 1
    work = [[*row, *(int(r == c) for c in range(n))] for r, row in enumerate(matrix)]
    for k in range(n):
        swap = next(r for r in range(k, n) if work[r][k])
        work[k], work[swap] = work[swap], work[k]
        pivot_row = work[k]
        pivot = pivot_row[k]
        for r in range(n):
            if r != k:
                row, factor = work[r], work[r][k]
                work[r] = [
                    (pivot * x - factor * z) // before for x, z in zip(row, pivot_row, strict=True)
                ]
        before = pivot
    inverse = [row[n:] for row in work]
    common = gcd(before, *(x for row in inverse for x in row))
    common = common if before > 0 else -common
    return [[x // common for x in row] for row in inverse], before // common


def inverse_lines(matrix: Matrix, name: str, scale: int, place: tuple[int, int]) -> Iterator[str]:
    """Write the inverse, what is asked of it, the same of B = A / scale, and that rounded.

    `name` is "sum", "absolute sum", "trace", "largest entry" or "entry", and `place` that of the
    entry from 1, where one is asked for.
    """
    numerators, denominator = adjugate(matrix)
    yield f"inverse of A = {numerators} / {denominator}"
    entries = [x for row in numerators for x in row]
    found = {
        "sum": sum(entries),
        "absolute sum": sum(map(abs, entries)),
        "trace": sum(row[r] for r, row in enumerate(numerators)),
        "largest entry": max(entries, key=abs),
        "entry": numerators[place[0] - 1][place[1] - 1],
    }
    value = Fraction(found[name], denominator)
    yield f"{name} of the inverse of A = {value}"
    yield f"{name} of the inverse of B = {scale} * {value} = {scale * value}"
    yield f"rounded = {(2 * scale * value + 1) // 2}"


def product_lines(
    factors: Sequence[Matrix], name: str, place: tuple[int, int], answer: int
) -> Iterator[str]:
    """Write the rows or entries of a product that matter, and what is asked of it.

    `name` is "sum", "absolute sum", "trace" or "entry", and `place` that of the entry from 1, where
    one is asked for.
    """
    left, columns = factors[0], list(zip(*factors[1], strict=True))
    if name == "entry":
        yield _entry_line(left[place[0] - 1], columns[place[1] - 1], place)
    elif name == "trace":
        for k, (row, column) in enumerate(zip(left, columns, strict=True), 1):
            yield _entry_line(row, column, (k, k))
        yield f"trace = {answer}"
    else:
        for k, row in enumerate(left, 1):
            product = [_dot(row, column) for column in columns]
            total = sum(product) if name == "sum" else sum(map(abs, product))
            yield f"row {k} of A*B = {product}, {name} {total}"
        yield f"{name} = {answer}"


def _dot(row: Sequence[int], column: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(row, column, strict=True))


def _entry_line(row: Sequence[int], column: Sequence[int], place: tuple[int, int]) -> str:
    terms = " + ".join(f"{_factor(x)}*{_factor(y)}" for x, y in zip(row, column, strict=True))
    return f"entry {place} of A*B = {terms} = {_dot(row, column)}"


def _factor(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def power_lines(matrix: Matrix, exponent: int, name: str, answer: int) -> Iterator[str]:
    """Write the powers that lead to one by squaring, and what is asked of it."""
    powers = {1: matrix}
    done = 1
    for bit in bin(exponent)[3:]:
        for more in (done, 1) if bit == "1" else (done,):
            product = _product(powers[done], powers[more])
            done += more
            powers[done] = product
            yield f"A^{done} = {product}"
    yield f"{name} = {answer}"


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[_dot(row, column) for column in columns] for row in left]
