"""Ranks from the text: elimination modulo enough primes, exact elimination, Bareiss's steps."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.arithmetic._matrix_exact import exact_rank
from synthgen.verifiers.omega.arithmetic._matrix_follow import follows_rank
from synthgen.verifiers.omega.arithmetic._matrix_residues import (
    BITS_OF_A_PRIME,
    primes_below,
    rank_mod,
    residues_of,
)
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, square_of
from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier, flat_squares

Integers = NDArray[np.int64]

_WORDINGS = {
    "rank": (
        "What is the rank of the matrix <a>? Give an integer.",
        "Let A = <a>. What is the largest number of linearly independent rows of A? Give an "
        "integer.",
        "Find the dimension of the space that the columns of <a> span. Answer with an integer.",
        "How many rows that are not zero does an echelon form of the matrix <a> have? Give an "
        "integer.",
    )
}
_SPARE_BITS = 2.0


def _fits(question: Question) -> bool:
    return square_of(question) is not None


@njit(cache=True, nogil=True)
def _ranks(entries: Integers, offsets: Integers, sizes: Integers, primes: Integers) -> Integers:
    """Return the largest rank modulo primes whose product is above every minor, int64 (n,).

    A minor of more rows is then divisible by all of them, and so zero.
    """
    ranks = np.zeros(len(sizes), np.int64)
    for i in range(len(sizes)):
        n = sizes[i]
        bits = _SPARE_BITS
        for r in range(n):
            square = 1.0
            for c in range(n):
                value = float(entries[offsets[i] + r * n + c])
                square += value * value
            bits += 0.5 * log2(square)
        needed: Int = min(len(primes), int(bits / BITS_OF_A_PRIME) + 1)
        for j in range(needed):
            p = primes[j]
            ranks[i] = max(ranks[i], rank_mod(residues_of(entries, offsets[i], n, n, p), p))
            if ranks[i] == n:
                break
    return ranks


def _solve(questions: Sequence[Question]) -> list[str | None]:
    return [str(value) for value in _ranks(*flat_squares(questions), primes_below()).tolist()]


def _exact(question: Question) -> str:
    return str(exact_rank(question.matrices[0]))


VERIFIER = MatrixVerifier(_WORDINGS, _fits, _solve, _exact, follows_rank)
