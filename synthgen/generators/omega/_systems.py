"""Square systems of linear equations: which are regular, and their canonical form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise, permutations, product
from math import factorial, prod
from operator import add

Matrix = list[list[int]]

_PRIME = 2**31 - 1
_MOST_ORDERS = 24
_SMALL = 4


def surely_regular(matrix: Matrix) -> bool:
    """Say whether the determinant is no multiple of 2^31 - 1, hence not zero."""
    size = len(matrix)
    if size <= _SMALL:
        return _small_determinant(matrix) % _PRIME != 0
    rows = [[value % _PRIME for value in row] for row in matrix]
    for column in range(size):
        pivot = next((row for row in rows if row[0]), None)
        if pivot is None:
            return False
        rows.remove(pivot)
        if column == size - 1:
            return True
        inverse = pow(pivot[0], -1, _PRIME)
        tail = pivot[1:]
        for i, row in enumerate(rows):
            times = row[0] * inverse % _PRIME
            rest = row[1:]
            rows[i] = (
                [(x - times * y) % _PRIME for x, y in zip(rest, tail, strict=True)]
                if times
                else rest
            )
    return True


def _small_determinant(matrix: Matrix) -> int:
    """Return the determinant of 2, 3 or 4 rows, by their pairs."""
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        return a * d - b * c
    if len(matrix) == 3:
        (a, b, c), (d, e, f), (g, h, i) = matrix
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    (a, b, c, d), (e, f, g, h), (i, j, k, m), (n, o, p, q) = matrix
    return (
        (a * f - b * e) * (k * q - m * p)
        - (a * g - c * e) * (j * q - m * o)
        + (a * h - d * e) * (j * p - k * o)
        + (b * g - c * f) * (i * q - m * n)
        - (b * h - d * f) * (i * p - k * n)
        + (c * h - d * g) * (i * o - j * n)
    )


def canonical_system(matrix: Matrix, constants: Sequence[int]) -> tuple[int, ...] | None:
    """Return the numbers of a system, the same for all orders, names and signs of it.

    The unknown that is asked for is the first one. Rows are sorted, each with its constant first
    and a sign that makes the first of constant, first coefficient, sum and sum of cubes that is
    not zero positive; the other unknowns are sorted by their coefficients.

    Returns:
        Row by row constant, first coefficient and the others; None in the rare cases in which no
        sign or order is found fast.
    """
    rows = []
    for row, constant in zip(matrix, constants, strict=True):
        first, *others = row
        sign = constant or first or sum(others) or sum(value**3 for value in others)
        if sign == 0:
            return None
        rows.append([constant, *row] if sign > 0 else [-constant, *(-value for value in row)])
    heads = [tuple(row[:2]) for row in rows]
    columns = list(zip(*rows, strict=True))[2:]
    keys = [(sorted(column), place) for place, column in enumerate(columns)]
    keys.sort()
    columns = [columns[place] for _, place in keys]
    if all(first[0] != second[0] for first, second in pairwise(keys)):
        return tuple(chain.from_iterable(_sorted_rows(heads, columns)))
    best: list[tuple[int, ...]] | None = None
    for order in _orders(columns):
        one = _sorted_rows(heads, order)
        if best is None or one < best:
            best = one
    return None if best is None else tuple(chain.from_iterable(best))


def _sorted_rows(
    heads: list[tuple[int, ...]], columns: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    return sorted(map(add, heads, zip(*columns, strict=True)))


def _orders(columns: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """Yield the orders of columns that have the same coefficients; nothing for too many."""
    groups = [list(group) for _, group in groupby(columns, key=sorted)]
    if prod(factorial(len(group)) for group in groups) > _MOST_ORDERS:
        return
    for choice in product(*(permutations(group) for group in groups)):
        yield [column for group in choice for column in group]
