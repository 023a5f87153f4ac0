"""Products of matrices from the text: sums of columns by sums of rows, and whole products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_product, of_entries
from synthgen.verifiers.omega.arithmetic._matrix_follow import follows_product
from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix, Question
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier

_OPENINGS = (
    "Let A = <a> and B = <b>. ",
    "Multiply the matrices A = <a> and B = <b>. ",
    "Given the matrices A = <a> and B = <b>, consider the product A*B. ",
    "Take A = <a> and B = <b>, and work out A*B. ",
)
_ENDINGS = {
    "sum": (
        "What is the sum of all entries of A*B? Give an integer.",
        "Which integer do the entries of the product A*B add up to?",
        "Find the integer that is the sum of all of its entries.",
        "Add up all entries of the result, and answer with that integer.",
    ),
    "absolute sum": (
        "What is the sum of the absolute values of all entries of A*B? Give an integer.",
        "Which integer do the absolute values of the entries of the product A*B add up to?",
        "Find the integer that is the sum of the absolute values of all of its entries.",
        "Add up the absolute values of all entries of the result, and answer with that integer.",
    ),
    "entry": (
        "What is the entry in row <row> and column <column> of A*B? Give an integer.",
        "Which integer stands in row <row>, column <column> of the product A*B?",
        "Find the integer that is its entry in row <row> and column <column>.",
        "Look up row <row>, column <column> of the result, and answer with the integer there.",
    ),
    "trace": (
        "What is the trace of A*B? Give an integer.",
        "Which integer do the diagonal entries of the product A*B add up to?",
        "Find the integer that is its trace.",
        "Add up the diagonal entries of the result, and answer with that integer.",
    ),
}
_WORDINGS = {
    kind: [opening + ending for opening, ending in zip(_OPENINGS, endings, strict=True)]
    for kind, endings in _ENDINGS.items()
}
_SAFE = 2**62


def _fits(question: Question) -> bool:
    if len(question.matrices) != 2 or question.matrices[0].columns != question.matrices[1].rows:
        return False
    left, right = question.matrices
    if question.kind == "entry":
        column, row = question.numbers
        return 1 <= row <= left.rows and 1 <= column <= right.columns
    return question.kind != "trace" or left.rows == right.columns


def _solve(questions: Sequence[Question]) -> list[str | None]:
    return [str(_value(question)) for question in questions]


def _value(question: Question) -> int:
    left, right = question.matrices
    if question.kind == "entry":
        column, row = question.numbers
        line = left.entries[(row - 1) * left.columns : row * left.columns]
        return sum(map(int.__mul__, line, right.entries[column - 1 :: right.columns]))
    if question.kind == "trace":
        across = [x for c in range(right.columns) for x in right.entries[c :: right.columns]]
        return sum(map(int.__mul__, left.entries, across))
    if question.kind == "sum":
        down = [sum(left.entries[c :: left.columns]) for c in range(left.columns)]
        return sum(map(int.__mul__, down, map(sum, right.lists())))
    largest = max(map(abs, left.entries)) * max(map(abs, right.entries))
    kind = np.int64 if largest * left.columns * left.rows * right.columns < _SAFE else np.object_
    return int(np.abs(_array(left, kind) @ _array(right, kind)).sum())


def _array(matrix: Matrix, kind: type[np.generic]) -> NDArray[Any]:
    return np.array(matrix.entries, kind).reshape(matrix.rows, matrix.columns)


def _exact(question: Question) -> str:
    return str(of_entries(exact_product(*question.matrices), question, question.kind))


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact, follows_product)
