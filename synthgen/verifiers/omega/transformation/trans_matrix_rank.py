"""Ranks of matrices given by a formula, from the text: elimination of the whole matrix."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import gcd

import numpy as np

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.composition._questions import Questions

_NAMED: dict[str, Callable[[int, int], int]] = {
    "the larger of i and j": max,
    "the smaller of i and j": min,
    "the greatest common divisor of i and j": gcd,
    "the absolute value of i - j": lambda i, j: abs(i - j),
}
_TEXTS = {
    "rank": (
        "A matrix has <n> rows and <n> columns, both numbered from one. Its entry in row i and"
        " column j is <entry>. What is the rank of the matrix over the rational numbers? Give an"
        " integer.",
        "Let A be the square matrix with <n> rows whose entry in row i and column j, counted from"
        " one, is <entry>. Find the rank of A (over the rational numbers). Answer with an integer.",
        "For i and j from one to <n>, the number in row i and column j of a matrix is <entry>. How"
        " many linearly independent rows over the rational numbers does this matrix have? The"
        " answer is an integer.",
        "Determine the dimension of the space of rational vectors that is spanned by the <n>"
        " columns of the following <n> by <n> matrix: with rows and columns counted from one, the"
        " entry in row i and column j is <entry>. Give an integer.",
    ),
}
_QUESTIONS = Questions(_TEXTS, n="[1-9][0-9]?", entry=r"[^.:?]{1,200}")
_POLYNOMIAL = r"([-+*^ij0-9 ]{1,150})"
_ENTRIES = {
    "remainder": re.compile(rf"the remainder of {_POLYNOMIAL} on division by ([1-9][0-9]?)"),
    "divides": re.compile(
        rf"one if {_POLYNOMIAL} is divisible by ([1-9][0-9]?), and zero otherwise"
    ),
    "power": re.compile(rf"\({_POLYNOMIAL}\)\^([1-9])"),
    "polynomial": re.compile(_POLYNOMIAL),
}
_TERM = re.compile(r"([+-]) (?:([1-9][0-9]{0,2})\*?)?(?:i(?:\^([2-9]))?)?(?:\*?j(?:\^([2-9]))?)?")
_PRIME = 2**31 - 1
_MOST_ROWS = 60

Term = tuple[int, int, int]
"""Coefficient, power of i, power of j."""
Problem = tuple[int, str, tuple[Term, ...], int]
"""Rows, kind of the entries (or their name), polynomial, modulus or exponent."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    n, entry = int(found[1]["n"]), found[1]["entry"]
    if n > _MOST_ROWS:
        return None
    if entry in _NAMED:
        return n, entry, (), 0
    for kind, pattern in _ENTRIES.items():
        match = pattern.fullmatch(entry)
        if match:
            terms = _terms(match[1])
            number = int(match[2]) if kind != "polynomial" else 0
            return (n, kind, terms, number) if terms else None
    return None


def _terms(text: str) -> tuple[Term, ...] | None:
    """Read a polynomial in i and j term by term."""
    signed = f"- {text[1:]}" if text.startswith("-") else f"+ {text}"
    pieces = re.split(r" (?=[+-] )", signed)
    terms = []
    for piece in pieces:
        match = _TERM.fullmatch(piece)
        if match is None or len(piece) < 3:
            return None
        sign, number, i_power, j_power = match.groups()
        powers = [int(i_power or "i" in piece), int(j_power or "j" in piece)]
        if piece != f"{sign} {_written(int(number or 1), *powers)}":
            return None
        terms.append((int(f"{sign}{number or 1}"), *powers))
    return tuple((c, k, low) for c, k, low in terms)


def _written(number: int, i_power: int, j_power: int) -> str:
    """Write a term as it must be written."""
    factors = [str(number)] if number > 1 or not (i_power or j_power) else []
    for name, power in (("i", i_power), ("j", j_power)):
        if power:
            factors.append(name if power == 1 else f"{name}^{power}")
    return "*".join(factors)


def _matrix(problem: Problem) -> list[list[int]]:
    n, kind, terms, number = problem
    rows = []
    for i in range(1, n + 1):
        row = []
        for j in range(1, n + 1):
            if kind in _NAMED:
                row.append(_NAMED[kind](i, j))
                continue
            value = sum(c * i**k * j**low for c, k, low in terms)
            if kind == "power":
                value **= number
            elif kind == "remainder":
                value %= number
            elif kind == "divides":
                value = int(value % number == 0)
            row.append(value)
        rows.append(row)
    return rows


def _solve(problem: Problem) -> str:
    """Eliminate modulo a prime, all rows at once.

    The rank in the field is never above the true one, and below it only if the prime divides all
    the largest minors; a wrong answer that is too high is always found out.
    """
    matrix = np.array([[v % _PRIME for v in row] for row in _matrix(problem)], np.int64)
    n = len(matrix)
    rank = 0
    for column in range(n):
        below = np.flatnonzero(matrix[rank:, column])
        if not len(below):
            continue
        pivot = rank + int(below[0])
        matrix[[rank, pivot]] = matrix[[pivot, rank]]
        inverse = pow(int(matrix[rank, column]), -1, _PRIME)
        top = matrix[rank] * inverse % _PRIME
        rest = matrix[rank + 1 :]
        matrix[rank + 1 :] = (rest - rest[:, column : column + 1] * top % _PRIME) % _PRIME
        rank += 1
        if rank == n:
            break
    return str(rank)


def _exact(problem: Problem) -> str:
    """Eliminate in fractions, equal rows once."""
    basis: list[tuple[int, list[Fraction]]] = []
    for row in sorted({tuple(row) for row in _matrix(problem)}):
        rest = [Fraction(value) for value in row]
        for column, known in basis:
            times = rest[column]
            if times:
                rest = [p - times * q for p, q in zip(rest, known, strict=True)]
        lead = next((k for k, value in enumerate(rest) if value), None)
        if lead is not None:
            basis.append((lead, [value / rest[lead] for value in rest]))
    return str(len(basis))


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer")
