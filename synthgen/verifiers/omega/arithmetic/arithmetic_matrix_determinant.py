"""Determinants from the text: local rings, a characteristic polynomial, Bareiss's steps."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_determinant
from synthgen.verifiers.omega.arithmetic._matrix_follow import follows_determinant
from synthgen.verifiers.omega.arithmetic._matrix_local import last_three_digits
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, square_of
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier, flat_squares

_WORDINGS = {
    "determinant": (
        "Find the remainder when the determinant of <a> is divided by one thousand. The remainder "
        "is an integer from zero to nine hundred ninety-nine.",
        "Let A = <a>. What is det(A) modulo one thousand? Give the least non-negative residue, an "
        "integer.",
        "Compute the determinant of the matrix <a> and reduce it modulo one thousand to an integer "
        "that is at least zero and less than one thousand.",
        "For the matrix A = <a>, which integer from zero to nine hundred ninety-nine is congruent "
        "to det(A) modulo one thousand?",
    )
}


def _fits(question: Question) -> bool:
    return square_of(question) is not None


def _solve(questions: Sequence[Question]) -> list[str | None]:
    return [str(value) for value in last_three_digits(*flat_squares(questions)).tolist()]


def _exact(question: Question) -> str:
    return str(exact_determinant(question.matrices[0]) % 1000)


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact, follows_determinant)
