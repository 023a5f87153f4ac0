"""Powers of matrices from the text: halves of the power that meet, and whole powers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_power, of_entries
from synthgen.verifiers.omega.arithmetic._matrix_follow import follows_power, is_place
from synthgen.verifiers.omega.arithmetic._matrix_text import MOST_EXPONENT, Question, square_of
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier

_OPENINGS = (
    "Let A = <a>. ",
    "Consider the matrix A = <a>. ",
    "Given A = <a>, work out the matrix power A^<exponent>. ",
    "Raise the matrix A = <a> to the power <exponent>. ",
)
_ENDINGS = {
    "sum": (
        "What is the sum of all entries of A^<exponent>? Give an integer.",
        "Which integer do the entries of A^<exponent> add up to?",
        "Answer with the integer that is the sum of all of its entries.",
        "What is the sum of all entries of the result, as an integer?",
    ),
    "absolute sum": (
        "What is the sum of the absolute values of all entries of A^<exponent>? Give an integer.",
        "Which integer do the absolute values of the entries of A^<exponent> add up to?",
        "Answer with the integer that is the sum of the absolute values of all of its entries.",
        "What is the sum of the absolute values of all entries of the result, as an integer?",
    ),
    "entry": (
        "What is the entry in row <row> and column <column> of A^<exponent>? Give an integer.",
        "Which integer stands in row <row>, column <column> of A^<exponent>?",
        "Answer with the integer that is its entry in row <row> and column <column>.",
        "What is the entry in row <row> and column <column> of the result, as an integer?",
    ),
}
_WORDINGS = {
    kind: [opening + ending for opening, ending in zip(_OPENINGS, endings, strict=True)]
    for kind, endings in _ENDINGS.items()
}
_SAFE = 2**62

Array = NDArray[Any]


def _fits(question: Question) -> bool:
    matrix = square_of(question)
    if matrix is None:
        return False
    if question.kind != "entry":
        return 1 <= question.numbers[0] <= MOST_EXPONENT
    column, exponent, row = question.numbers
    return is_place(matrix, row, column) and 1 <= exponent <= MOST_EXPONENT


def _solve(questions: Sequence[Question]) -> list[str | None]:
    return [str(_value(question)) for question in questions]


def _value(question: Question) -> int:
    """Carry a row vector half of the way and a column vector the other half.

    For the sum of absolute values these are the rows and columns of the identity.
    """
    matrix = question.matrices[0]
    n = matrix.rows
    exponent = question.numbers[1] if question.kind == "entry" else question.numbers[0]
    early, late = exponent // 2, exponent - exponent // 2
    norm = max(map(abs, matrix.entries)) * n
    kind = np.int64 if norm**late < _SAFE else np.object_
    array = np.array(matrix.entries, kind).reshape(n, n)
    if question.kind == "sum":
        return _dot(_carried(np.ones(n, kind), array, early), _carried_up(array, n, late))
    if question.kind == "entry":
        column, _, row = question.numbers
        start, end = np.zeros(n, kind), np.zeros(n, kind)
        start[row - 1], end[column - 1] = 1, 1
        return _dot(_carried(start, array, early), _carried(end, array.T, late))
    first = _carried(np.eye(n, dtype=kind), array, early)
    second = first @ array if late > early else first
    if norm**exponent >= _SAFE:
        first, second = first.astype(np.object_), second.astype(np.object_)
    return int(sum(np.abs(first @ second).ravel().tolist()))


def _carried(start: Array, array: Array, times: int) -> Array:
    for _ in range(times):
        start = start @ array
    return start


def _carried_up(array: Array, n: int, times: int) -> Array:
    return _carried(np.ones(n, array.dtype), array.T, times)


def _dot(left: Array, right: Array) -> int:
    return sum(map(int.__mul__, left.tolist(), right.tolist()))


def _exact(question: Question) -> str:
    exponent = question.numbers[1] if question.kind == "entry" else question.numbers[0]
    return str(of_entries(exact_power(question.matrices[0], exponent), question, question.kind))


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact, follows_power)
