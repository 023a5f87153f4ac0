"""Linear equations as text: coefficients split into terms, on both sides of the equals sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import AheadDraws, most_above, signed_of
from synthgen.generators.omega._equation_text import (
    LARGEST,
    MOST_TERMS,
    equation_bytes,
    system_bytes,
)
from synthgen.generators.omega._parts import shuffled

Term = tuple[int, str]
"""A coefficient and what it multiplies, "" in a constant."""
_TRIES = 8


def sum_text(terms: Sequence[Term]) -> str:
    """Write terms as a sum, 0 if there are none."""
    if not terms:
        return "0"
    text = " ".join([_term_text(value, name) for value, name in terms])
    return f"-{text[2:]}" if text[0] == "-" else text[2:]


@lru_cache(1 << 16)
def _term_text(value: int, name: str) -> str:
    """Write a term with its sign in front."""
    size = abs(value)
    body = str(size) if not name else name if size == 1 else f"{size}*{name}"
    return f"- {body}" if value < 0 else f"+ {body}"


def plain_equation(row: Sequence[int], names: Sequence[str]) -> str:
    """Write coefficients and a constant with every unknown once, in order."""
    terms = [(value, name) for value, name in zip(row, names, strict=False) if value]
    return f"{sum_text(terms)} = {row[-1]}"


def equation(
    draws: RowDraws,
    row: Sequence[int],
    names: Sequence[str],
    n_terms: int,
    share: int,
    letters: Mapping[int, str] | None = None,
) -> str:
    """Write coefficients and a constant as an equation of about so many terms in random order.

    Args:
        draws: choose the parts, sides and order.
        row: coefficients of the unknowns, and the constant on the other side.
        names: of the unknowns.
        n_terms: how often a coefficient or the constant is split in two, and terms without that.
        share: entropy of the parts, in sixteenths.
        letters: numbers defined before that stand for whole coefficients, by place in the row.
    """
    if isinstance(draws, AheadDraws):
        text = _quick_equation(draws, row, names, n_terms, share, letters or {})
        if text is not None:
            return text
    *signed, constant = row
    terms: list[Term] = [*zip(signed, names, strict=True), (-constant, "")]
    fixed: list[Term] = []
    if letters:
        fixed = [_named(terms[place], letters[place]) for place in sorted(letters)]
        terms = [term for place, term in enumerate(terms) if place not in letters]
    terms = [term for term in terms if term[0]]
    splits = n_terms - len(terms) - len(fixed)
    for _ in range(splits if terms else 0):
        place = draws.integer(0, len(terms))
        value, name = terms[place]
        part = _part(draws, value, share)
        terms[place] = (part, name)
        terms.append((value - part, name))
    left: list[Term] = []
    right: list[Term] = []
    sides = draws.bits()
    for value, name in shuffled(draws, terms + fixed):
        if sides & 1:
            left.append((value, name))
        else:
            right.append((-value, name))
        sides = sides >> 1 or draws.bits()
    return f"{sum_text(left)} = {sum_text(right)}"


def system_text(
    draws: RowDraws,
    rows: Sequence[Sequence[int]],
    names: Sequence[str],
    most: int,
    share: int,
    letters: Mapping[tuple[int, int], str],
) -> str:
    """Write equations one after another as a list, as `equation` does each of them.

    Args:
        draws: choose how many terms there are, and more.
        rows: coefficients of the unknowns, and the constant on the other side.
        names: of the unknowns.
        most: terms of an equation, if it does not need more.
        share: entropy of the parts, in sixteenths.
        letters: numbers defined before that stand for whole coefficients, by row and place.
    """
    if isinstance(draws, AheadDraws) and most <= MOST_TERMS:
        bound = most_above(share, 1)
        if bound < LARGEST and max(map(max, rows)) < LARGEST and min(map(min, rows)) > -LARGEST:
            places = np.zeros((len(rows), len(names) + 1), np.uint8)
            for at, letter in letters.items():
                places[at] = ord(letter)
            found, draw = system_bytes(
                draws.key, draws.at, np.array(rows, np.int64), _bytes(names), places, most, bound
            )
            draws.move_to(int(draw))
            return found.tobytes().decode("ascii")
    equations = []
    for i, row in enumerate(rows):
        least = sum(map(bool, row[:-1])) + 1
        n_terms = draws.integer(least, max(least, most) + 1)
        named = {j: letter for (k, j), letter in letters.items() if k == i}
        equations.append(equation(draws, row, names, n_terms, share, named))
    return listed(equations)


def listed(texts: Sequence[str]) -> str:
    """Write `a, b and c`."""
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def _quick_equation(
    draws: AheadDraws,
    row: Sequence[int],
    names: Sequence[str],
    n_terms: int,
    share: int,
    letters: Mapping[int, str],
) -> str | None:
    """Write an equation by the kernel, None if its numbers are too large for that."""
    bound = most_above(share, 1)
    if max(n_terms, len(row)) > MOST_TERMS or bound >= LARGEST:
        return None
    if max(row) >= LARGEST or min(row) <= -LARGEST:
        return None
    places = np.zeros(len(row), np.uint8)
    for at, letter in letters.items():
        places[at] = ord(letter)
    numbers = np.array(row, np.int64)
    found, draw = equation_bytes(
        draws.key, draws.at, numbers, _bytes(names), places, n_terms, bound
    )
    draws.move_to(int(draw))
    return found.tobytes().decode("ascii")


def _bytes(names: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("".join(names).encode("ascii"), np.uint8)


def _named(term: Term, letter: str) -> Term:
    """Return a term with a letter for the size of its number."""
    name = term[1]
    return (1, f"{letter}*{name}") if name else (-1, letter)


def _part(draws: RowDraws, value: int, share: int) -> int:
    """Return an integer other than zero and this value."""
    for _ in range(_TRIES):
        part = signed_of(draws, share, 1)
        if part != value:
            return part
    return value + 1 if value != -1 else 1
