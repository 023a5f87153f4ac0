"""Reading sums of terms such as `3*x`, `b*x^2`, `(3/4)*x` and `-7`, and equations of two sums."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

Term = tuple[int, int, tuple[tuple[str, int], ...]]
"""Numerator and denominator of a coefficient, and letters with their exponents."""
Sum = tuple[Term, ...]

_NUMBER = r"(0|[1-9][0-9]{0,79})"
_LETTER = r"([a-z])(?:\^([1-9][0-9]?))?"
_TERM = re.compile(
    rf"(-?)(?:{_NUMBER}|\({_NUMBER}/{_NUMBER}\)|{_LETTER})(?:\*{_LETTER})?", re.ASCII
)
_MOST_TERMS, _LONGEST_TERM = 400, 200


@lru_cache(1 << 16)
def read_term(text: str) -> Term | None:
    """Return a term, or None if the text is none."""
    match = _TERM.fullmatch(text)
    if match is None:
        return None
    sign, whole, top, bottom, first, power, second, other_power = match.groups()
    numerator = int(whole or top or 1) * (-1 if sign else 1)
    denominator = int(bottom or 1)
    if denominator == 0:
        return None
    letters = [(name, int(p or 1)) for name, p in ((first, power), (second, other_power)) if name]
    return numerator, denominator, tuple(letters)


def read_sum(text: str) -> Sum | None:
    """Return the terms of a sum, or None if the text is none."""
    pieces = text.replace(" - ", " + -").split(" + ")
    if len(pieces) > _MOST_TERMS:
        return None
    if len(text) >= _LONGEST_TERM and max(map(len, pieces)) >= _LONGEST_TERM:
        return None
    terms = tuple([term for piece in pieces if (term := read_term(piece)) is not None])
    return terms if len(terms) == len(pieces) else None


def read_equation(text: str) -> Sum | None:
    """Return the terms of an equation, all on its left side; None if the text is none."""
    sides = text.split(" = ")
    if len(sides) != 2:
        return None
    left, right = read_sum(sides[0]), read_sum(sides[1])
    if left is None or right is None:
        return None
    return left + tuple([(-top, bottom, letters) for top, bottom, letters in right])


def linear_form(terms: Sum, known: Mapping[str, int]) -> dict[str, int] | None:
    """Collect the integer coefficients of unknown letters; the constant has the name "".

    Returns:
        None for a term that is not an integer times at most one unknown.
    """
    form = {"": 0}
    for top, bottom, letters in terms:
        if bottom != 1:
            return None
        if not letters or (letters[0][0] not in known and len(letters) == letters[0][1] == 1):
            name = letters[0][0] if letters else ""
            form[name] = form.get(name, 0) + top
            continue
        unknown = ""
        for letter, power in letters:
            if power != 1 or (unknown and letter not in known):
                return None
            if letter in known:
                top *= known[letter]
            else:
                unknown = letter
        form[unknown] = form.get(unknown, 0) + top
    return form


def letters_in(terms: Sum) -> set[str]:
    """Return the letters of a sum."""
    return {letter for term in terms for letter, _ in term[2]}
