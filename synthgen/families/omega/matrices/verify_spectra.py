"""Singular values, proven by singular vectors, and steps about them and eigenvalues.

Steps are checked in plain integers. All roots of the characteristic polynomials in question are
real, so that Descartes' rule of signs is exact: as many roots are above c as the coefficients of
p(x + c) change their sign.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import isqrt
from operator import mul
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

IntRows = Sequence[Sequence[int]]
Integers = NDArray[Any]
"""Integers of 64 bits, or Python's."""

_DECIMAL = r"-?(?:0|[1-9][0-9]{0,5})\.[0-9]{3}"
_VALUES = re.compile(rf"[a-z]+(?: values)?: ({_DECIMAL}(?:, {_DECIMAL})*)", re.ASCII)
_FLOAT_BITS, _MPMATH_BITS = 48, (100, 200, 400)
_ASKED = {
    "spread": "largest minus smallest singular value",
    "largest singular": "largest singular value",
    "sum singular": "sum of singular values",
    "largest": "largest absolute value",
    "sum": "sum of absolute values",
}


def nearest_singular(rows: IntRows, kind: str) -> str | None:
    """Round the largest singular value, the sum of all, or the spread.

    Take singular vectors from numpy, then from mpmath, until they prove the rounding.
    """
    n = len(rows)
    norm = isqrt(sum(x * x for row in rows for x in row)) + 1
    floats = _float_vectors(rows)
    if floats is not None:
        bits = (60 - (n * n * norm).bit_length()) // 2  # sums of n entries stay below 2^62
        for scale, dtype in ((bits, np.int64), (_FLOAT_BITS, object)):
            left, right = (np.rint(part * 2.0**scale).astype(np.int64) for part in floats)
            answer = _proven(rows, (left.astype(dtype), right.astype(dtype)), scale, kind)
            if answer is not None:
                return answer
    for scale in _MPMATH_BITS:
        vectors = _mpmath_vectors(rows, scale)
        answer = _proven(rows, vectors, scale, kind) if vectors else None
        if answer is not None:
            return answer
    return None


def _float_vectors(rows: IntRows) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return left and right singular vectors, as rows."""
    try:
        left, _, right = np.linalg.svd(np.array(rows, np.float64))
    except np.linalg.LinAlgError:
        return None
    fine = max(np.abs(left).max(), np.abs(right).max()) < 1.001
    return (left.T, right) if fine else None


def _mpmath_vectors(rows: IntRows, bits: int) -> tuple[Integers, Integers] | None:
    """Return left and right singular vectors, as rows, times 2^bits and rounded."""
    with mpmath.workprec(2 * bits):
        try:
            left, _, right = mpmath.svd_r(mpmath.matrix([list(row) for row in rows]))
        except RuntimeError:  # no convergence
            return None
        whole = [
            [[int(mpmath.nint(mpmath.ldexp(x, bits))) for x in row] for row in part.tolist()]
            for part in (left.T, right)
        ]
    return np.array(whole[0], object), np.array(whole[1], object)


def _proven(rows: IntRows, vectors: tuple[Integers, Integers], bits: int, kind: str) -> str | None:
    """Round a quantity of the singular values of A, if the vectors prove it.

    The rows of U and V are about 2^bits times orthonormal. All is computed in integers:
    M = U A V', and U U' and V V'. With S = 2^(2 bits), and `skew` a bound of the norms of U U' - S
    and V V' - S, the singular values of M are those of A times factors from S - skew to S + skew.
    By Weyl's inequality they are within `off` of the |m_kk|, where `off` bounds the norm of M
    without its diagonal. So S times the k-th singular value of A differs from the k-th of the
    |m_kk| by at most off + (|m_kk| + off) skew / (S - skew).
    """
    left, right = vectors
    matrix = np.array(rows, left.dtype)
    product = np.abs(left @ matrix @ right.T)
    diagonal = sorted(np.diagonal(product).tolist(), reverse=True)
    np.fill_diagonal(product, 0)
    off = max(product.sum(axis=0).max(), product.sum(axis=1).max())
    one = 1 << (2 * bits)
    unit = np.eye(len(rows), dtype=left.dtype) * one
    skew = max(int(np.abs(part @ part.T - unit).sum(axis=1).max()) for part in vectors)
    if 2 * skew >= one:
        return None
    used = {"largest": diagonal[:1], "sum": diagonal}.get(kind, [diagonal[0], diagonal[-1]])
    value = used[0] - used[1] if kind == "spread" else sum(used)
    whole_off = len(used) * int(off)
    slack = whole_off + (sum(used) + whole_off) * skew // (one - skew) + 1
    low, high = ((2 * end + one) // (2 * one) for end in (value - slack, value + slack))
    return str(low) if low == high else None


def eigenvalues_follow(rows: IntRows, kind: str, answer: str, lines: Sequence[str]) -> bool:
    """Return whether lines lead from a symmetric or triangular matrix to its answer."""
    last = f"{_ASKED[kind]}, to the nearest integer: {answer}"
    if not any(any(row[:r]) for r, row in enumerate(rows)):
        return list(lines) == [f"diagonal: {[row[k] for k, row in enumerate(rows)]}", last]
    polynomial = _characteristic(rows)
    return (
        len(lines) == 3
        and lines[0] == f"characteristic polynomial of A: {polynomial}"
        and _are_roots(polynomial, "eigenvalues", lines[1])
        and lines[2] == last
    )


def singular_values_follow(rows: IntRows, kind: str, answer: str, lines: Sequence[str]) -> bool:
    """Return whether lines lead from a matrix to the answer about its singular values."""
    columns = list(zip(*rows, strict=True))
    square = [[sum(map(mul, a, b)) for b in columns] for a in columns]
    what = _ASKED.get(f"{kind} singular") or _ASKED[kind]
    polynomial = _characteristic(square)
    return (
        len(lines) == 4
        and lines[0] == f"A^T*A = {square}"
        and lines[1] == f"characteristic polynomial of A^T*A: {polynomial}"
        and _are_roots(polynomial, "singular values", lines[2])
        and lines[3] == f"{what}, to the nearest integer: {answer}"
    )


def _characteristic(rows: IntRows) -> list[int]:
    """Return the characteristic polynomial, highest power first, as Faddeev and Le Verrier do."""
    n = len(rows)
    coefficients, power = [1], [[0] * n for _ in range(n)]
    for k in range(1, n + 1):
        for i in range(n):
            power[i][i] += coefficients[-1]
        columns = list(zip(*power, strict=True))
        power = [[sum(map(mul, row, column)) for column in columns] for row in rows]
        coefficients.append(-sum(power[i][i] for i in range(n)) // k)
    return coefficients


def _are_roots(polynomial: Sequence[int], name: str, line: str) -> bool:
    """Return whether a line lists all roots, or their square roots, rounded, the smallest first."""
    match = _VALUES.fullmatch(line)
    texts = match[1].split(", ") if match else []
    values = [int(text.replace(".", "")) for text in texts]
    if len(values) != len(polynomial) - 1 or values != sorted(values) or "-0.000" in texts:
        return False
    return line == f"{name}: {', '.join(texts)}" and all(
        _above(polynomial, 2 * value - 1, name) - _above(polynomial, 2 * value + 1, name) == times
        for value, times in Counter(values).items()
    )


def _above(polynomial: Sequence[int], end: int, name: str) -> int:
    """Return the number of roots, or of square roots, above end / 2000."""
    over, under = end, 2000
    if name == "singular values":
        if end < 0:
            return len(polynomial) - 1
        over, under = end * end, under * under
    # the coefficients of under^n p(x + over / under), by Horner's rule, over and over
    scaled = [c * under**k for k, c in enumerate(polynomial)]
    for stop in range(len(scaled) - 1, 0, -1):
        for k in range(stop):
            scaled[k + 1] += over * scaled[k]
    signs = [c > 0 for c in scaled if c]
    return sum(a != b for a, b in pairwise(signs))
