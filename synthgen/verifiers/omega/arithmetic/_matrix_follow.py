"""Following solutions about matrices: every line is worked out again and must be just that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import gcd

from synthgen.verifiers.omega.arithmetic._matrix_exact import of_entries
from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix, Question

Rows = list[list[int]]

_CELL = r"(?:0|-?[1-9][0-9]{0,299})"
_ROW = rf"\[{_CELL}(?:, {_CELL})*\]"
_INVERSE = re.compile(
    rf"inverse of A = \[({_ROW}(?:, {_ROW})*)\] / ([1-9][0-9]{{0,399}})", re.ASCII
)


def same_lines(expected: Iterable[str], way: str) -> bool:
    """Say whether a solution has just the expected lines."""
    lines = iter(way.split("\n"))
    return all(line == next(lines, None) for line in expected) and next(lines, None) is None


def follows_determinant(question: Question, answer: str, way: str) -> bool:
    """Follow an elimination to the determinant and its last three digits."""
    rows, sign, before = question.matrices[0].lists(), 1, 1
    expected: list[str] = []
    while len(rows) > 1:
        swap = next((r for r, row in enumerate(rows) if row[0]), None)
        if swap is None:
            return False
        sign = -sign if swap else sign
        before, rows = _pivoted(rows, swap, before, expected)
    value = sign * rows[0][0]
    expected += [f"det = {value}", f"{value} mod 1000 = {answer}"]
    return same_lines(expected, way)


def follows_rank(question: Question, answer: str, way: str) -> bool:
    """Follow an elimination until zeros alone are left; the rank is the number of pivots."""
    rows, before, pivots = question.matrices[0].lists(), 1, 0
    expected: list[str] = []
    while any(value for row in rows for value in row):
        swap = next((r for r, row in enumerate(rows) if row[0]), None)
        if swap is None:
            rows = [row[1:] for row in rows]
            expected.append(f"drop a zero column: {rows}")
        else:
            before, rows = _pivoted(rows, swap, before, expected)
            pivots += 1
    expected.append(f"rank = {pivots}")
    return str(pivots) == answer and same_lines(expected, way)


def _pivoted(rows: Rows, swap: int, before: int, lines: list[str]) -> tuple[int, Rows]:
    """Write the lines of one step, and return the pivot and the 2 x 2 minors over the one before.

    That the division by the pivot before leaves no rest is Sylvester's identity.
    """
    if swap:
        lines.append(f"swap rows 1 and {swap + 1}")
    first = rows[swap]
    others = [row for r, row in enumerate(rows) if r != swap]
    if swap:
        others.insert(swap - 1, others.pop(0))
    pivot, width = first[0], len(first)
    rest = [
        [(pivot * row[c] - row[0] * first[c]) // before for c in range(1, width)] for row in others
    ]
    lines.append(f"pivot {pivot}, divisor {before}: {rest}")
    return pivot, rest


def follows_inverse(question: Question, answer: str, way: str) -> bool:
    """Multiply the stated inverse with the matrix, and follow what is made of it."""
    stated, _, rest = way.partition("\n")
    match = _INVERSE.fullmatch(stated)
    if match is None:
        return False
    matrix, denominator = question.matrices[0], int(match[2])
    numerators = [list(map(int, row.split(", "))) for row in match[1][1:-1].split("], [")]
    n = matrix.rows
    if len(numerators) != n or any(len(row) != n for row in numerators):
        return False
    unit = [[denominator if r == c else 0 for c in range(n)] for r in range(n)]
    lowest = gcd(denominator, *(x for row in numerators for x in row)) == 1
    if not lowest or _product(matrix.lists(), numerators) != unit:
        return False
    kind, scale = question.kind, question.numbers[-1]
    if kind == "largest entry":
        found = max((x for row in numerators for x in row), key=abs)
    else:
        found = of_entries(numerators, Question(kind, (), question.numbers[:2]), kind)
    value = Fraction(found, denominator)
    multiple = value * scale
    expected = (
        f"{kind} of the inverse of A = {value}",
        f"{kind} of the inverse of B = {scale} * {value} = {multiple}",
        f"rounded = {answer}",
    )
    near = 2 * abs(multiple - int(answer)) < 1
    return near and same_lines(expected, rest)


def follows_product(question: Question, answer: str, way: str) -> bool:
    """Work out the rows or entries of a product that a solution states."""
    left, right = (matrix.lists() for matrix in question.matrices)
    if question.kind == "entry":
        column, row = question.numbers
        return same_lines([_entry_line(left, right, row, column)], way)
    if question.kind == "trace":
        expected = [_entry_line(left, right, k, k) for k in range(1, len(left) + 1)]
        return same_lines([*expected, f"trace = {answer}"], way)
    return same_lines(_row_lines(_product(left, right), question.kind, answer), way)


def _row_lines(product: Rows, kind: str, answer: str) -> Iterator[str]:
    for number, row in enumerate(product, 1):
        total = sum(row) if kind == "sum" else sum(map(abs, row))
        yield f"row {number} of A*B = {row}, {kind} {total}"
    yield f"{kind} = {answer}"


def _entry_line(left: Rows, right: Rows, row: int, column: int) -> str:
    pairs = [(x, line[column - 1]) for x, line in zip(left[row - 1], right, strict=True)]
    signed = [tuple(str(x) if x >= 0 else f"({x})" for x in pair) for pair in pairs]
    terms = " + ".join("*".join(pair) for pair in signed)
    return f"entry ({row}, {column}) of A*B = {terms} = {sum(x * y for x, y in pairs)}"


def follows_power(question: Question, answer: str, way: str) -> bool:
    """Work out the powers that a solution states: the halves of the exponent, from the top."""
    exponent = question.numbers[-1] if question.kind != "entry" else question.numbers[1]
    needed = []
    while exponent > 1:
        needed.append(exponent)
        exponent = exponent - 1 if exponent % 2 else exponent // 2
    matrix = question.matrices[0].lists()
    current, expected = matrix, []
    for power in reversed(needed):
        current = _product(current, matrix if power % 2 else current)
        expected.append(f"A^{power} = {current}")
    return same_lines([*expected, f"{question.kind} = {answer}"], way)


def _product(left: Rows, right: Rows) -> Rows:
    columns = list(zip(*right, strict=True))
    return [[sum(map(int.__mul__, row, column)) for column in columns] for row in left]


def is_place(matrix: Matrix, row: int, column: int) -> bool:
    """Say whether a matrix has an entry at a place, counted from 1."""
    return 1 <= row <= matrix.rows and 1 <= column <= matrix.columns
