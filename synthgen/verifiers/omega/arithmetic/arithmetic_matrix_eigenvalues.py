"""Eigenvalues from the text, counted below places around them.

Where floating point cannot settle a count, the exact characteristic polynomial decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega.arithmetic._matrix_eigencounts import rounded_eigenvalues
from synthgen.verifiers.omega.arithmetic._matrix_exact import (
    exact_characteristic,
    exact_eigenvalue_sum,
)
from synthgen.verifiers.omega.arithmetic._matrix_inertia import rounded_absolute_eigenvalues
from synthgen.verifiers.omega.arithmetic._matrix_roots import LARGEST, SUM, rounded_roots
from synthgen.verifiers.omega.arithmetic._matrix_spectra import (
    is_symmetric,
    is_triangular,
    rounded_spectra,
)
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, Squares, square_of
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
    """Count by inertia in integers where few counts do, else take SymPy's polynomial.

    Its roots are isolated where guesses of them are too bad.
    """
    matrix = question.matrices[0]
    if question.kind == LARGEST and is_symmetric(matrix):
        largest = rounded_absolute_eigenvalues(matrix.lists(), LARGEST)
        if largest is not None:
            return largest
    guesses = _guesses(np.array(matrix.lists(), np.float64))
    coefficients = exact_characteristic(matrix)
    found = rounded_roots(coefficients, guesses, question.kind, squared=False)
    if found is None:
        return exact_eigenvalue_sum(matrix, largest=question.kind == LARGEST)
    return str(found)


def _guesses(matrix: NDArray[np.float64]) -> list[float]:
    """Return floating-point eigenvalues, all of them real."""
    try:
        found: list[float] = np.linalg.eigvals(matrix).real.tolist()
    except np.linalg.LinAlgError:
        return [0.0] * len(matrix)  # proves nothing
    return found


def _quick(squares: Squares) -> NDArray[np.int64]:
    return rounded_eigenvalues(squares.entries, squares.entry_ends, squares.sizes, squares.asked)


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact, quick=_quick)
