"""Questions about integer matrices from the text, in plain integers and with numpy and mpmath.

SymPy would not be an independent check: where python-flint is installed, its exact matrices are
FLINT's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd
from operator import mul
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.families.omega.matrices.verify_elimination import (
    adjugate_of,
    bareiss,
    determinant_of,
    rank_of,
)
from synthgen.families.omega.matrices.verify_ranks import FILLED, FORMULA
from synthgen.families.omega.matrices.verify_spectra import (
    eigenvalues_follow,
    nearest_singular,
    singular_values_follow,
)

_WORDS = Words.beside(__file__)
_MAX_ROWS = 20
_LONGEST_SOLUTION = 100_000
_CELL = r"(?:0|-?[1-9][0-9]{0,6})"
_ROW = rf"\[{_CELL}(?:, {_CELL})*\]"
_LONG_ROW = r"\[(?:0|-?[1-9][0-9]{0,999})(?:, (?:0|-?[1-9][0-9]{0,999}))*\]"
_INVERSE = re.compile(
    rf"inverse of A = (\[{_LONG_ROW}(?:, {_LONG_ROW})*\]) / ([1-9][0-9]{{0,999}})", re.ASCII
)

Rows = tuple[tuple[int, ...], ...]


class Question(NamedTuple):
    """A question about a matrix; the place is (0, 0) where the question has none."""

    kind: str
    rows: Rows
    number: int = 0
    place: tuple[int, int] = (0, 0)


class Product(NamedTuple):
    """A question about the product of two matrices."""

    kind: str
    left: Rows
    right: Rows
    place: tuple[int, int] = (0, 0)


def _parse(text: str) -> Rows | None:
    rows = tuple(tuple(row) for row in json.loads(text))
    widths = {len(row) for row in rows}
    return rows if len(widths) == 1 and max(len(rows), *widths) <= _MAX_ROWS else None


_MATRIX = holes.pattern(rf"\[{_ROW}(?:, {_ROW})*\]", _parse)
_NUMBER = holes.pattern(r"[1-9][0-9]{0,5}", int)


def _square(a: Rows | None) -> Rows | None:
    return a if a and len(a) == len(a[0]) else None


def _same_lines(expected: Iterable[str], lines: Sequence[str]) -> bool:
    """Return whether the lines are the expected ones, which are made as needed."""
    left = iter(lines)
    return all(line == next(left, None) for line in expected) and next(left, None) is None


_read_determinant = reads(_WORDS.part("determinant"), a=_MATRIX)(_square)
_read_rank = reads(_WORDS.part("rank"), a=_MATRIX)(_square)


def _determinant(rows: Rows) -> str:
    return str(determinant_of(list(bareiss(rows)), len(rows)) % 1000)


def _follows_determinant(rows: Rows, answer: str, lines: Sequence[str]) -> bool:
    steps = list(bareiss(rows))
    determinant = determinant_of(steps, len(rows))
    expected = [line for step in steps[:-1] for line in step.lines]
    expected += [f"det = {determinant}", f"{determinant} mod 1000 = {answer}"]
    return determinant != 0 and _same_lines(expected, lines)


def _follows_rank(rows: Rows, answer: str, lines: Sequence[str]) -> bool:
    steps = (line for step in bareiss(rows) for line in step.lines)
    return lines[-1] == f"rank = {answer}" and _same_lines(steps, lines[:-1])


@reads(_WORDS.part("multiplication"), a=_MATRIX, b=_MATRIX, row=_NUMBER, column=_NUMBER)
def _read_product(
    kind: str, a: Rows | None, b: Rows | None, row: int = 1, column: int = 1
) -> Product | None:
    if a is None or b is None or len(a[0]) != len(b) or row > len(a) or column > len(b[0]):
        return None
    if kind == "trace" and len(a) != len(b[0]):
        return None
    return Product(kind, a, b, (row, column))


def _product(question: Product) -> str:
    kind, left, right, place = question
    return str(*_values(kind, _times(left, right), place))


def _times(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> list[list[int]]:
    columns = list(zip(*right, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in left]


def _product_lines(question: Product, answer: str) -> Iterator[str]:
    kind, left, right, place = question
    if kind == "entry":
        yield _entry_line(left, right, *place)
        return
    name = kind.replace("_", " ")
    if kind == "trace":
        yield from (_entry_line(left, right, k, k) for k in range(1, len(left) + 1))
    else:
        for number, row in enumerate(_times(left, right), 1):
            total = sum(row) if kind == "sum" else sum(map(abs, row))
            yield f"row {number} of A*B = {row}, {name} {total}"
    yield f"{name} = {answer}"


def _entry_line(left: Rows, right: Rows, row: int, column: int) -> str:
    pairs = [(x, line[column - 1]) for x, line in zip(left[row - 1], right, strict=True)]
    signed = [tuple(str(x) if x >= 0 else f"({x})" for x in pair) for pair in pairs]
    terms = " + ".join("*".join(pair) for pair in signed)
    return f"entry ({row}, {column}) of A*B = {terms} = {sum(x * y for x, y in pairs)}"


def _read_question(
    kind: str, a: Rows | None, row: int = 1, column: int = 1, **number: int
) -> Question | None:
    rows = _square(a)
    if rows is None or max(row, column) > len(rows):
        return None
    (value,) = number.values()
    return Question(kind, rows, value, (row, column))


_read_power = reads(
    _WORDS.part("power"),
    a=_MATRIX,
    exponent=holes.pattern("[1-9]|1[0-6]", int),
    row=_NUMBER,
    column=_NUMBER,
)(_read_question)
_read_inverse = reads(
    _WORDS.part("inverse"), a=_MATRIX, scale=_NUMBER, row=_NUMBER, column=_NUMBER
)(_read_question)


def _power(question: Question) -> str:
    kind, rows, exponent, place = question
    return str(*_values(kind, _raised(rows, exponent), place))


def _raised(rows: Rows, exponent: int) -> Sequence[Sequence[int]]:
    if exponent == 1:
        return rows
    half = _raised(rows, exponent // 2)
    square = _times(half, half)
    return _times(square, rows) if exponent % 2 else square


def _power_lines(question: Question, answer: str) -> Iterator[str]:
    """Yield the powers that a solution must state: those of the halved exponents."""
    needed, exponent = [], question.number
    while exponent > 1:
        needed.append(exponent)
        exponent = exponent - 1 if exponent % 2 else exponent // 2
    current: Sequence[Sequence[int]] = question.rows
    for power in reversed(needed):
        current = _times(current, question.rows if power % 2 else current)
        yield f"A^{power} = {current}"
    yield f"{question.kind.replace('_', ' ')} = {answer}"


def _inverse(question: Question) -> str | None:
    adjugate = adjugate_of(question.rows)
    if adjugate is None:
        return None
    numerators, denominator = adjugate
    values = {
        question.number * value for value in _values(question.kind, numerators, question.place)
    }
    rounded = {(2 * value + denominator) // (2 * denominator) for value in values}
    ties = any((2 * value + denominator) % (2 * denominator) == 0 for value in values)
    return str(rounded.pop()) if len(rounded) == 1 and not ties else None


def _values(kind: str, rows: Sequence[Sequence[int]], place: tuple[int, int]) -> set[int]:
    """Return the quantity in question; as largest entries there may be x and -x."""
    if kind == "entry":
        return {rows[place[0] - 1][place[1] - 1]}
    if kind == "trace":
        return {sum(line[k] for k, line in enumerate(rows))}
    entries = [x for line in rows for x in line]
    if kind == "largest_entry":
        largest = max(map(abs, entries))
        return {x for x in entries if abs(x) == largest}
    return {sum(map(abs, entries) if kind == "absolute_sum" else entries)}


def _follows_inverse(question: Question, answer: str, lines: Sequence[str]) -> bool:
    """Multiply the stated inverse by the matrix, and check the values that follow from it."""
    match = _INVERSE.fullmatch(lines[0])
    if not match:
        return False
    numerators, denominator = json.loads(match[1]), int(match[2])
    n = len(question.rows)
    if [len(row) for row in numerators] != [n] * n:
        return False
    unit = [[denominator if r == c else 0 for c in range(n)] for r in range(n)]
    lowest = gcd(denominator, *(x for row in numerators for x in row)) == 1
    if not lowest or _times(question.rows, numerators) != unit:
        return False
    name, scale = question.kind.replace("_", " "), question.number
    stated = {
        Fraction(value, denominator) for value in _values(question.kind, numerators, question.place)
    }
    return any(
        2 * abs(scale * value - int(answer)) < 1
        and list(lines[1:])
        == [
            f"{name} of the inverse of A = {value}",
            f"{name} of the inverse of B = {scale} * {value} = {scale * value}",
            f"rounded = {answer}",
        ]
        for value in stated
    )


@reads(_WORDS.part("eigenvalues"), a=_MATRIX)
def _read_eigenvalues(kind: str, a: Rows | None) -> Question | None:
    rows = _square(a)
    if rows is None or not (_is_triangular(rows) or rows == tuple(zip(*rows, strict=True))):
        return None
    return Question("largest" if kind == "dominant" else kind, rows)


def _is_triangular(rows: Rows) -> bool:
    return not any(any(row[:r]) for r, row in enumerate(rows))


def _eigenvalues(question: Question) -> str | None:
    """Read the diagonal; of a symmetric matrix, absolute eigenvalues are singular values."""
    kind, rows, *_ = question
    if not _is_triangular(rows):
        return _singular(question)
    values = [abs(row[k]) for k, row in enumerate(rows)]
    return str(max(values) if kind == "largest" else sum(values))


@reads(_WORDS.part("svd"), a=_MATRIX)
def _read_singular(kind: str, a: Rows | None) -> Question | None:
    rows = _square(a)
    return Question(kind, rows) if rows is not None else None


def _singular(question: Question) -> str | None:
    return nearest_singular(question.rows, question.kind)


VERIFIERS = {
    "arithmetic_matrix_determinant": PlainVerifier(
        _read_determinant, _determinant, follows=_follows_determinant
    ),
    "arithmetic_matrix_eigenvalues": PlainVerifier(
        _read_eigenvalues,
        _eigenvalues,
        follows=lambda question, answer, lines: eigenvalues_follow(
            question.rows, question.kind, answer, lines
        ),
    ),
    "arithmetic_matrix_inverse": PlainVerifier(_read_inverse, _inverse, follows=_follows_inverse),
    "arithmetic_matrix_multiplication": PlainVerifier(
        _read_product,
        _product,
        follows=lambda question, answer, lines: _same_lines(
            _product_lines(question, answer), lines
        ),
    ),
    "arithmetic_matrix_power": PlainVerifier(
        _read_power,
        _power,
        follows=lambda question, answer, lines: _same_lines(_power_lines(question, answer), lines),
    ),
    "arithmetic_matrix_rank": PlainVerifier(
        _read_rank,
        lambda rows: str(rank_of(rows)),
        follows=_follows_rank,
        longest=_LONGEST_SOLUTION,
    ),
    "arithmetic_matrix_svd": PlainVerifier(
        _read_singular,
        _singular,
        follows=lambda question, answer, lines: singular_values_follow(
            question.rows, question.kind, answer, lines
        ),
    ),
    "comp_matrix_rank": FILLED,
    "trans_matrix_rank": FORMULA,
}
