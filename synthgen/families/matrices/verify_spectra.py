"""Checking steps about eigenvalues and singular values, in plain integers.

All roots of the characteristic polynomials in question are real, so that Descartes' rule of signs
is exact: as many roots are above c as the coefficients of p(x + c) change their sign.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import mul

IntRows = Sequence[Sequence[int]]

_DECIMAL = r"-?(?:0|[1-9][0-9]{0,5})\.[0-9]{3}"
_VALUES = re.compile(rf"[a-z]+(?: values)?: ({_DECIMAL}(?:, {_DECIMAL})*)", re.ASCII)
_ASKED = {
    "spread": "largest minus smallest singular value",
    "largest singular": "largest singular value",
    "sum singular": "sum of singular values",
    "largest": "largest absolute value",
    "sum": "sum of absolute values",
}


def eigenvalues_follow(rows: IntRows, kind: str, answer: str, lines: Sequence[str]) -> bool:
    """Say whether lines lead from a symmetric or triangular matrix to what is asked."""
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
    """Say whether lines lead from a matrix to what is asked of its singular values."""
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
    """Say whether a line lists all roots, or their square roots, rounded, the smallest first."""
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
    """Return how many roots, or square roots, are above end / 2000."""
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
