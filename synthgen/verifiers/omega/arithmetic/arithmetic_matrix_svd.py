"""Singular values from the text: roots of the exact characteristic polynomial of A' A."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_singular_values
from synthgen.verifiers.omega.arithmetic._matrix_inertia import rounded_singular_values
from synthgen.verifiers.omega.arithmetic._matrix_roots import LARGEST, SPREAD, SUM
from synthgen.verifiers.omega.arithmetic._matrix_spectra import rounded_spectra
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, square_of
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier

_WORDINGS = {
    LARGEST: (
        "What is the largest singular value of <a>, rounded to the nearest integer?",
        "Let A = <a>. Find the largest singular value of A and round it to the nearest integer.",
        "Compute the spectral norm (the largest singular value) of the matrix <a>. Answer with the "
        "nearest integer.",
        "How large is the largest singular value of A = <a>? Give the nearest integer.",
    ),
    SUM: (
        "What is the sum of all singular values of <a>, rounded to the nearest integer?",
        "Let A = <a>. Add up the singular values of A and round only their sum, to the nearest "
        "integer.",
        "Compute the nuclear norm (the sum of all singular values) of the matrix <a>. Answer with "
        "the nearest integer.",
        "To which integer is the exact sum of the singular values of A = <a> nearest?",
    ),
    SPREAD: (
        "By how much does the largest singular value of <a> exceed the smallest? Round the "
        "difference to the nearest integer.",
        "Let A = <a>. Subtract the smallest singular value of A from the largest one and round "
        "only the difference, to the nearest integer.",
        "Compute the largest minus the smallest singular value of the matrix <a>. Answer with the "
        "nearest integer.",
        "To which integer is the exact difference of the largest and the smallest singular value "
        "of A = <a> nearest?",
    ),
}


def _fits(question: Question) -> bool:
    return square_of(question) is not None


def _solve(questions: Sequence[Question]) -> list[str | None]:
    return rounded_spectra(questions, lambda question: question.kind, _exact, squared=True)


def _exact(question: Question) -> str | None:
    """Count by inertia; where guesses are too bad for that, isolate the roots with SymPy."""
    matrix, kind = question.matrices[0], question.kind
    return rounded_singular_values(matrix, kind) or exact_singular_values(matrix, kind)


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact)
