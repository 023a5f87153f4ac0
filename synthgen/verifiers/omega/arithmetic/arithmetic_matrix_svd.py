"""Singular values from the text: eigenvalues of A' A, counted below places around them.

Where floating point cannot settle a count, the exact characteristic polynomial decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from synthgen.verifiers.omega.arithmetic import _matrix_counts
from synthgen.verifiers.omega.arithmetic._matrix_counts import (
    UNDECIDED,
    rounded_by_counts,
    singular_guesses,
)
from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_singular_values
from synthgen.verifiers.omega.arithmetic._matrix_inertia import rounded_singular_values
from synthgen.verifiers.omega.arithmetic._matrix_roots import LARGEST, SPREAD, SUM
from synthgen.verifiers.omega.arithmetic._matrix_spectra import rounded_spectra
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, square_of
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier, flat_squares

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

_ASKED = {LARGEST: _matrix_counts.LARGEST, SUM: _matrix_counts.SUM, SPREAD: _matrix_counts.SPREAD}


def _fits(question: Question) -> bool:
    return square_of(question) is not None


def _solve(questions: Sequence[Question]) -> list[str | None]:
    if not questions:
        return []
    flat = flat_squares(questions)
    asked = np.array([_ASKED[question.kind] for question in questions], np.int64)
    found = rounded_by_counts(*flat, asked, singular_guesses(*flat))
    left = [questions[i] for i in np.flatnonzero(found == UNDECIDED).tolist()]
    others = iter(rounded_spectra(left, lambda question: question.kind, _exact, squared=True))
    return [next(others) if value == UNDECIDED else str(value) for value in found.tolist()]


def _exact(question: Question) -> str | None:
    """Count by inertia; where guesses are too bad for that, isolate the roots with SymPy."""
    matrix, kind = question.matrices[0], question.kind
    return rounded_singular_values(matrix, kind) or exact_singular_values(matrix, kind)


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact)
