"""Inverses from the text: adjugates by residues, and exact ones over the rationals."""

from __future__ import annotations

from fractions import Fraction

from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_inverse, round_half_up
from synthgen.verifiers.omega.arithmetic._matrix_follow import follows_inverse, is_place
from synthgen.verifiers.omega.arithmetic._matrix_inverses import rounded_inverses
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, square_of
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier

_OPENINGS = (
    "Let A = <a>, and let B be A with every entry divided by <scale>. ",
    "Divide every entry of A = <a> by <scale> to get the matrix B. ",
    "The matrix B is A / <scale>, where A = <a>. ",
    "Given A = <a>, put B = A / <scale>. ",
)
_ENDINGS = {
    "sum": (
        "What is the sum of all entries of the inverse of B, rounded to the nearest integer?",
        "Add up all entries of the inverse of B and round the sum to the nearest integer.",
        "Which integer is nearest to the sum of all entries of the inverse of B?",
        "Find the inverse of B and the exact sum of its entries; answer with the nearest integer.",
    ),
    "absolute sum": (
        "What is the sum of the absolute values of all entries of the inverse of B, rounded to "
        "the nearest integer?",
        "Add up the absolute values of all entries of the inverse of B and round the sum to the "
        "nearest integer.",
        "Which integer is nearest to the sum of the absolute values of all entries of the inverse "
        "of B?",
        "Find the inverse of B and the exact sum of the absolute values of its entries; answer "
        "with the nearest integer.",
    ),
    "trace": (
        "What is the trace of the inverse of B, rounded to the nearest integer?",
        "Add up the diagonal entries of the inverse of B and round the sum to the nearest integer.",
        "Which integer is nearest to the trace of the inverse of B?",
        "Find the inverse of B and its exact trace; answer with the nearest integer.",
    ),
    "largest entry": (
        "Which entry of the inverse of B has the largest absolute value? Give that entry with its "
        "sign, rounded to the nearest integer.",
        "Take the entry of the inverse of B that is largest in absolute value, keep its sign, and "
        "round it to the nearest integer.",
        "Which integer is nearest to the entry, sign included, of largest absolute value in the "
        "inverse of B?",
        "Find the inverse of B and, in it, the entry of largest absolute value; answer with the "
        "integer nearest to that entry, which may be negative.",
    ),
    "entry": (
        "What is the entry in row <row> and column <column> of the inverse of B, rounded to the "
        "nearest integer?",
        "Take the entry of the inverse of B in row <row>, column <column>, and round it to the "
        "nearest integer.",
        "Which integer is nearest to the entry of the inverse of B in row <row> and column "
        "<column>?",
        "Find the inverse of B and its entry in row <row> and column <column>; answer with the "
        "integer nearest to that entry.",
    ),
}
_WORDINGS = {
    kind: [opening + ending for opening, ending in zip(_OPENINGS, endings, strict=True)]
    for kind, endings in _ENDINGS.items()
}


def _fits(question: Question) -> bool:
    matrix = square_of(question)
    if matrix is None:
        return False
    if question.kind != "entry":
        return True
    column, row, _ = question.numbers
    return is_place(matrix, row, column)


def _exact(question: Question) -> str | None:
    inverse = exact_inverse(question.matrices[0])
    if inverse is None:
        return None
    entries = [x for row in inverse for x in row]
    if question.kind == "largest entry":
        largest = max(map(abs, entries))
        found = {x for x in entries if abs(x) == largest}
    elif question.kind == "entry":
        column, row, _ = question.numbers
        found = {inverse[row - 1][column - 1]}
    elif question.kind == "trace":
        found = {sum((row[k] for k, row in enumerate(inverse)), Fraction(0))}
    else:
        terms = map(abs, entries) if question.kind == "absolute sum" else entries
        found = {sum(terms, Fraction(0))}
    multiples = [question.numbers[-1] * value for value in found]
    rounded = {round_half_up(value) for value in multiples}
    half = any((2 * value).denominator == 1 and (2 * value) % 2 == 1 for value in multiples)
    return str(rounded.pop()) if len(rounded) == 1 and not half else None


VERIFIER = MatrixVerifier(_WORDINGS, _fits, rounded_inverses, _exact, follows_inverse)
