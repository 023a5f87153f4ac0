"""Eigenvalues from the text: roots of exact characteristic polynomials, with proof."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_eigenvalue_sum
from synthgen.verifiers.omega.arithmetic._matrix_inertia import rounded_absolute_eigenvalues
from synthgen.verifiers.omega.arithmetic._matrix_roots import LARGEST, SUM
from synthgen.verifiers.omega.arithmetic._matrix_spectra import (
    is_symmetric,
    is_triangular,
    rounded_spectra,
)
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, square_of
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier

_WORDINGS = {
    LARGEST: (
        "What is the largest absolute value of an eigenvalue of <a>? Round it to the nearest "
        "integer.",
        "Let A = <a>. Among the eigenvalues of A, take one of largest absolute value, and give "
        "this absolute value, rounded to the nearest integer.",
        "Find the spectral radius of the matrix <a>, that is, the largest of the absolute values "
        "of its eigenvalues. Answer with the nearest integer.",
        "The eigenvalues of A = <a> are real. How large is the largest of their absolute values? "
        "Give the nearest integer.",
    ),
    SUM: (
        "Add up the absolute values of all eigenvalues of <a>, each as often as its multiplicity, "
        "and round the sum to the nearest integer.",
        "Let A = <a>. What is the sum of the absolute values of the eigenvalues of A, counted with "
        "multiplicity? Round only the sum, to the nearest integer.",
        "Find the absolute value of each eigenvalue of the matrix <a>, counted with multiplicity. "
        "Answer with the integer nearest to their exact sum.",
        "The eigenvalues of A = <a> are real. Taken with their multiplicities, what do their "
        "absolute values sum to? Give the integer nearest to the sum.",
    ),
}


def _fits(question: Question) -> bool:
    matrix = square_of(question)
    return matrix is not None and (is_triangular(matrix) or is_symmetric(matrix))


def _solve(questions: Sequence[Question]) -> list[str | None]:
    """The eigenvalues of a triangular matrix stand on its diagonal."""
    diagonal = [is_triangular(question.matrices[0]) for question in questions]
    others = [question for question, plain in zip(questions, diagonal, strict=True) if not plain]
    found = iter(rounded_spectra(others, lambda question: question.kind, _exact, squared=False))
    return [
        _from_diagonal(question) if plain else next(found)
        for question, plain in zip(questions, diagonal, strict=True)
    ]


def _from_diagonal(question: Question) -> str:
    matrix = question.matrices[0]
    values = [abs(entry) for entry in matrix.entries[:: matrix.rows + 1]]
    return str(max(values) if question.kind == LARGEST else sum(values))


def _exact(question: Question) -> str | None:
    """Count by inertia; where there is no symmetry or no good guess, isolate roots with SymPy."""
    matrix = question.matrices[0]
    found = None
    if is_symmetric(matrix):
        found = rounded_absolute_eigenvalues(matrix.lists(), question.kind)
    return found or exact_eigenvalue_sum(matrix, largest=question.kind == LARGEST)


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact)
