"""Polynomials in integers, lowest coefficient first: products, shifts, and their text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from synthgen.generators.omega._parts import Ratio, reduced

Polynomial = list[int]


def product(first: Sequence[int], second: Sequence[int]) -> Polynomial:
    """Multiply two polynomials."""
    result = [0] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            result[i + j] += a * b
    return result


def factor_of(root: Ratio) -> Polynomial:
    """Return the linear polynomial with coprime coefficients that has this root."""
    return [-root[0], root[1]]


def quotient(polynomial: Sequence[int], root: Ratio) -> Polynomial:
    """Divide a polynomial by the linear polynomial of one of its roots."""
    top, bottom = root
    result: Polynomial = []
    rest = 0
    for value in reversed(polynomial[1:]):
        rest = (value + rest) // bottom
        result.append(rest)
        rest *= top
    return result[::-1]


def shifted(polynomial: Sequence[int], by: int) -> Polynomial:
    """Return p(x + by)."""
    result = list(polynomial)
    for start in range(len(result) - 1):
        for i in range(len(result) - 2, start - 1, -1):
            result[i] += by * result[i + 1]
    return result


def primitive(polynomial: Sequence[int]) -> Polynomial:
    """Divide by the common divisor and make the highest coefficient positive."""
    common = gcd(*polynomial)
    if polynomial[-1] < 0:
        common = -common
    return [value // common for value in polynomial]


def polynomial_text(
    polynomial: Sequence[int],
    name: str,
    divisor: int = 1,
    letters: Mapping[int, str] | None = None,
) -> str:
    """Write a polynomial, its coefficients divided by `divisor`, the highest power first.

    Args:
        polynomial: lowest coefficient first.
        name: of the variable.
        divisor: positive.
        letters: numbers defined before that stand for coefficients, by exponent.
    """
    letters = letters or {}
    pieces = []
    for power in range(len(polynomial) - 1, -1, -1):
        value = polynomial[power]
        if value == 0:
            continue
        factor = "" if power == 0 else name if power == 1 else f"{name}^{power}"
        if power in letters:
            coefficient, sign = letters[power], "+"
        else:
            top, bottom = reduced(abs(value), divisor)
            coefficient = str(top) if bottom == 1 else f"({top}/{bottom})"
            sign = "-" if value < 0 else "+"
        if not factor:
            body = coefficient
        elif coefficient == "1":
            body = factor
        else:
            body = f"{coefficient}*{factor}"
        pieces.append(f"{sign} {body}")
    text = " ".join(pieces) or "+ 0"
    return f"-{text[2:]}" if text[0] == "-" else text[2:]
