"""Linear equations as text: coefficients split into terms, on both sides of the equals sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._draws import signed_of
from synthgen.generators.omega._parts import shuffled

Term = tuple[int, str]
"""A coefficient and what it multiplies, "" in a constant."""
_TRIES = 8


def sum_text(terms: Sequence[Term]) -> str:
    """Write terms as a sum, 0 if there are none."""
    if not terms:
        return "0"
    pieces = []
    for value, name in terms:
        size = abs(value)
        body = str(size) if not name else name if size == 1 else f"{size}*{name}"
        pieces.append(f"- {body}" if value < 0 else f"+ {body}")
    text = " ".join(pieces)
    return f"-{text[2:]}" if text[0] == "-" else text[2:]


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
    letters = letters or {}
    terms: list[Term] = []
    fixed: list[Term] = []
    for place, value in enumerate(row):
        name = names[place] if place < len(names) else ""
        side = 1 if place < len(names) else -1
        if place in letters:
            fixed.append((side, f"{letters[place]}*{name}" if name else letters[place]))
        elif value:
            terms.append((side * value, name))
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


def _part(draws: RowDraws, value: int, share: int) -> int:
    """Return an integer other than zero and this value."""
    for _ in range(_TRIES):
        part = signed_of(draws, share, 1)
        if part != value:
            return part
    return value + 1 if value != -1 else 1
