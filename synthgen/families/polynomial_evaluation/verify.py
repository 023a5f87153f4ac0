"""Values of polynomials from the text: equal powers are collected, then Horner's rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import repeat
from math import prod
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads

_WORDS = Words.beside(__file__)
_TERM = r"(?:(?:(?:[0-9]{1,3})\*)?x(?:\^[2-9])?|[0-9]{1,3})"
_PARTS = re.compile(r"(-?)(?:([0-9]+)\*?)?(x?)\^?([2-9]?)")
_Term = tuple[str, int, int]
"""Text, coefficient and degree."""


class _Problem(NamedTuple):
    """Terms in their order, the number for x, and the modulus or 0."""

    terms: tuple[_Term, ...]
    x: int
    modulus: int = 0


def _terms(text: str) -> tuple[_Term, ...]:
    """Split a polynomial before its signs, which are part of the terms."""
    terms = []
    for term in text.replace(" - ", " -").replace(" + ", " ").split():
        minus, size, x, power = _PARTS.fullmatch(term).groups()  # type: ignore[union-attr]
        terms.append((term, int(f"{minus}{size or 1}"), int(power or len(x))))
    return tuple(terms)


@reads(
    _WORDS,
    polynomial=holes.pattern(f"-?{_TERM}(?: [+-] {_TERM})*", _terms),
    x=holes.INTEGER,
    modulus=holes.NATURAL,
    largest=holes.NATURAL,
)
def _read(
    kind: str, polynomial: tuple[_Term, ...], x: int, modulus: int = 0, largest: int = -1
) -> _Problem | None:
    if kind == "remainder" and (modulus < 1 or largest not in (-1, modulus - 1)):
        return None
    return _Problem(polynomial, x, modulus) if abs(x) < 1_000 else None


def _solve(problem: _Problem) -> str:
    collected = [0] * 10
    for _, coefficient, degree in problem.terms:
        collected[degree] += coefficient
    value = 0
    for coefficient in reversed(collected):
        value = value * problem.x + coefficient
    return str(value % problem.modulus if problem.modulus else value)


def _lines(problem: _Problem) -> Iterator[str]:
    """Write the value of each term, and the sums so far."""
    modulus, name = problem.modulus, "remainder" if problem.modulus else "value"
    rest, exact = 0, 0
    for text, coefficient, degree in problem.terms:
        power = prod(repeat(problem.x, degree))
        known = {"term": text, "coefficient": coefficient, "power": power, "before": rest}
        known |= {"product": coefficient * power, "total": rest + coefficient * power}
        exact += coefficient * power
        rest = exact % modulus if modulus else exact
        yield _WORDS.line(name, **known, modulus=modulus, rest=rest)


VERIFIERS = {
    "polynomial_evaluation": PlainVerifier(
        _read, _solve, "integer", exactly(_lines), longest=1 << 18
    )
}
