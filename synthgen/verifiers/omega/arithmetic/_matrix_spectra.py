"""Absolute eigenvalues and singular values from exact characteristic polynomials."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.verifiers.omega.arithmetic._matrix_residues import (
    BITS_OF_A_PRIME,
    MOST_PRIMES,
    characteristic_mod,
    gram_mod,
    primes_below,
    residues_of,
    signed_value,
)
from synthgen.verifiers.omega.arithmetic._matrix_roots import root_bound, rounded_roots
from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix, Question
from synthgen.verifiers.omega.arithmetic._matrix_verifier import flat_squares

Integers = NDArray[np.int64]

_SPARE_BITS = 2


def rounded_spectra(
    questions: Sequence[Question],
    asked: Callable[[Question], str],
    exact: Callable[[Question], str | None],
    *,
    squared: bool,
) -> list[str | None]:
    """Round what is asked of the eigenvalues, all real, or of the singular values (`squared`).

    Args:
        questions: about square matrices.
        asked: returns what of `_matrix_roots` a question asks for.
        exact: works out those that floating point brings no near guess for.
        squared: whether singular values are meant.
    """
    if not questions:
        return []
    matrices = [question.matrices[0] for question in questions]
    counts = np.array([_primes_needed(matrix, squared=squared) for matrix in matrices], np.int64)
    flat = flat_squares(questions)
    tables = _characteristics(*flat, counts, primes_below(), squared)
    guesses = _guesses(*flat, squared=squared)
    primes = tuple(primes_below().tolist())
    results: list[str | None] = []
    for i, question in enumerate(questions):
        used = primes[: counts[i]]
        residues = tables[i, : matrices[i].rows + 1, : len(used)].tolist()
        coefficients = [signed_value(row, used) for row in residues]
        found = rounded_roots(coefficients, guesses[i], asked(question), squared=squared)
        results.append(exact(question) if found is None else str(found))
    return results


def _primes_needed(matrix: Matrix, *, squared: bool) -> int:
    """Return how many primes make the characteristic polynomial certain.

    The squares of the eigenvalues of a matrix with real ones sum to at most those of its entries,
    and the eigenvalues of A' A, none of them negative, sum to those of the entries of A.
    """
    square = sum(entry * entry for entry in matrix.entries)
    n = matrix.rows
    bound = (square // n + 2) ** n if squared else root_bound(square, n)
    return min(MOST_PRIMES, int((bound.bit_length() + _SPARE_BITS) / BITS_OF_A_PRIME) + 1)


@njit(cache=True, nogil=True)
def _characteristics(
    entries: Integers,
    offsets: Integers,
    sizes: Integers,
    counts: Integers,
    primes: Integers,
    squared: bool,  # noqa: FBT001 - kernels take arguments by position
) -> Integers:
    """Return residues of the coefficients, constant first, (n, most rows + 1, most primes)."""
    table = np.zeros((len(sizes), sizes.max() + 1, counts.max()), np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        for j in range(counts[i]):
            work = residues_of(entries, offsets[i], n, n, primes[j])
            if squared:
                work = gram_mod(work, primes[j])
            table[i, : n + 1, j] = characteristic_mod(work, primes[j])
    return table


def _guesses(
    entries: Integers, offsets: Integers, sizes: Integers, *, squared: bool
) -> list[list[float]]:
    """Return floating-point eigenvalues or singular values of every matrix."""
    found: list[list[float]] = [[] for _ in sizes]
    for n in np.unique(sizes).tolist():
        chosen = np.flatnonzero(sizes == n)
        places: Integers = offsets[chosen][:, None] + np.arange(n * n)
        stack = entries[places].reshape(-1, n, n).astype(np.float64)
        try:
            values = np.linalg.svd(stack, compute_uv=False) if squared else _eigenvalues(stack)
        except np.linalg.LinAlgError:
            values = np.zeros((len(stack), n))  # proves nothing, so that the exact way is taken
        for i, row in zip(chosen.tolist(), values.tolist(), strict=True):
            found[i] = row
    return found


def _eigenvalues(stack: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the eigenvalues of symmetric and of upper triangular matrices, (k, n)."""
    values = np.linalg.eigvalsh(stack, UPLO="U").astype(np.float64)
    triangular = ~np.tril(stack, -1).any(axis=(1, 2))
    values[triangular] = np.diagonal(stack, axis1=1, axis2=2)[triangular]
    return values


def is_symmetric(matrix: Matrix) -> bool:
    """Say whether a square matrix equals its transpose."""
    n, entries = matrix.rows, matrix.entries
    return all(entries[r * n : r * n + n] == entries[r::n] for r in range(n))


def is_triangular(matrix: Matrix) -> bool:
    """Say whether a square matrix has nothing but zeros below its diagonal."""
    n, entries = matrix.rows, matrix.entries
    return not any(any(entries[r * n : r * n + r]) for r in range(1, n))
