"""Worked steps: a function layer by layer, meetings of two functions, and areas in parts.

With u1, u2, ... for the values after each layer, u2 turns wherever u1 did, and wherever u1 passes
the vertex, corner or a crest of the second layer; where u1 passes its pole, u2 is undefined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor, inf

import numpy as np

from synthgen.families.omega.functions.laps import MAXIMUM, MINIMUM, Laps, laps_of, sign_from
from synthgen.families.omega.functions.layers import (
    WAVES,
    Function,
    Layer,
    UndecidedError,
    layer_text,
)
from synthgen.families.omega.functions.meet import GRID, area, changes, meetings, roughly

_WIDTH = 1e-7
_FINE = 1e-9
"""Width to which a change of sign is narrowed in floats, and the error that they may have."""
_MAX_CUTS = 3
"""The sum of four areas rounded to thousandths rounds as the whole area, far from ties."""


def layer_lines(function: Function, name: str, low: Fraction, high: Fraction) -> Iterator[str]:
    """Write each layer: how often its critical input is passed, and its extrema and pieces.

    Raises:
        UndecidedError: if that is not settled.
    """
    size, inside = 1, "x"
    for k, layer in enumerate(function, 1):
        laps = laps_of(function[:k], low, high)
        passed, size = laps.size() - size, laps.size()
        critical = _critical(layer, inside)
        parts = [f"{name}{k} = {layer_text(layer, inside)}"]
        if critical:
            parts.append(f"{critical} passed: {passed}")
        parts.append(
            f"minima: {laps.turning(MINIMUM)}, maxima: {laps.turning(MAXIMUM)}, "
            f"rising: {laps.moving(up=True)}, falling: {laps.moving(up=False)}"
        )
        yield "; ".join(parts)
        inside = f"{name}{k}"


def _critical(layer: Layer, inside: str) -> str:
    """Write where a layer turns or is undefined."""
    kind, c = layer
    if kind in WAVES:
        return "crests"
    if kind == "quadratic":
        return f"{inside} = {Fraction(-c[1], 2 * c[0])}"
    if kind == "abs":
        return f"{inside} = {c[1]}"
    return f"{inside} = {Fraction(-c[3], c[2])}" if kind == "quotient" else ""


def zero_line(laps: Laps) -> str:
    """Write how often the last layer passes zero, touches it, and is zero at an end."""
    zero = 0, 1
    passed = sum(n for a, b, _, n in laps.laps if sign_from(a, zero) < 0 < sign_from(b, zero))
    touched = laps.turning_at(Fraction(0))
    ends = sum(end is not None and sign_from(end, zero) == 0 for end in laps.ends)
    total = passed + touched + ends
    return f"zero passed: {passed}, touched: {touched}, at the ends: {ends}; total: {total}"


def thousandths(number: int) -> str:
    """Write a number of thousandths as a decimal."""
    return f"{'-' if number < 0 else ''}{abs(number) // 1000}.{abs(number) % 1000:03d}"


def place_line(places: Sequence[int]) -> str:
    """Write places, in thousandths."""
    return f"x = {', '.join(map(thousandths, places)) or 'none'}"


def place_lines(places: Sequence[int], what: str, answer: str) -> list[str]:
    """Write places, in thousandths, and the integer nearest to the quantity in question."""
    return [place_line(places), f"{what}, to the nearest integer: {answer}"]


def meeting_places(f: Function, g: Function, reach: int, most: int) -> list[int]:
    """Return the x at which two functions are equal, in thousandths, rounded to the nearest."""
    parts = meetings(f, g, reach, most, _WIDTH)
    return [floor(500 * (low + high) + 0.5) for low, high in parts]


def area_lines(
    f: Function, g: Function, ends: tuple[Fraction, Fraction], answer: str
) -> Iterator[str]:
    """Write the areas of a few parts, cut where f - g changes its sign, and their sum."""
    p, q = (int(1000 * end) for end in ends)
    cuts = [c for c in _sign_changes(f, g, float(ends[0]), float(ends[1])) if p < c < q][:_MAX_CUTS]
    try:
        areas = _areas(f, g, [p, *cuts, q])
    except UndecidedError:
        cuts, areas = [], _areas(f, g, [p, q])
    if cuts:
        yield f"cut at x = {', '.join(map(thousandths, cuts))}"
    for (low, high), part in zip(pairwise([p, *cuts, q]), areas, strict=True):
        yield f"area from {thousandths(low)} to {thousandths(high)}: {thousandths(part)}"
    terms = " + ".join(map(thousandths, areas))
    total = f"{terms} = {thousandths(sum(areas))}" if cuts else terms
    yield f"{total}, rounded: {answer}"


def _sign_changes(f: Function, g: Function, low: float, high: float) -> list[int]:
    """Return places near which f - g certainly changes its sign, in thousandths, rounded."""
    step, places = (high - low) / GRID, []
    for end in changes(f, g, low, high).tolist():
        a, b = end - step, end
        while b - a > _FINE:
            middle = (a + b) / 2
            a, b = (middle, b) if _side(f, g, a) == _side(f, g, middle) else (a, middle)
        place = floor(1000 * b + 0.5)
        if _side(f, g, (place - 0.5) / 1000) * _side(f, g, (place + 0.5) / 1000) < 0:
            places.append(place)
    return places


def _side(f: Function, g: Function, x: float) -> int:
    """Return the sign of f - g where floats are good enough to know it, else 0."""
    with np.errstate(all="ignore"):
        (n, d), (m, e) = roughly(f, np.array([x])), roughly(g, np.array([x]))
        first, second = float((n * e)[0]), float((m * d)[0])
    if not abs(first - second) > _FINE * (abs(first) + abs(second)):
        return 0
    return 1 if (first > second) == (float((d * e)[0]) > 0) else -1


def _areas(f: Function, g: Function, edges: Sequence[int]) -> list[int]:
    """Return the areas between neighboring edges; all are in thousandths."""
    bounds = [area(f, g, Fraction(a, 1000), Fraction(b, 1000), inf) for a, b in pairwise(edges)]
    return [floor(500 * (low + high) + 0.5) for low, high in bounds]
