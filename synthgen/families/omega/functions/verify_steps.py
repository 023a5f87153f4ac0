"""Replaying worked steps about functions: every layer, place and area is computed again.

A layer's numbers come from the places of the chain that ends with it, by inverses. Places where
functions are equal, and areas, must agree with proven bounds; the sum of areas is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from sympy.polys.domains import QQ

from synthgen.families.omega.functions.verify_back import Chain, Number, settled
from synthgen.families.omega.functions.verify_boxes import Pair
from synthgen.families.omega.functions.verify_read import Layer, Layers, read_layer

_DECIMAL = r"-?(?:0|[1-9][0-9]{0,3})\.[0-9]{3}"
_PLACES = re.compile(rf"(?:cut at )?x = ({_DECIMAL}(?:, {_DECIMAL})*)", re.ASCII)
_PART = re.compile(rf"area from ({_DECIMAL}) to ({_DECIMAL}): ({_DECIMAL})", re.ASCII)
_SURE, _ERROR, _MAX_PARTS = 1e-7, 4e-3, 4
_SLACK = 3.0
"""In thousandths: a part's half, and the half width of both enclosures."""


def layers_hold(
    functions: Sequence[Layers], ends: tuple[Number, Number], lines: Sequence[str]
) -> bool:
    """Return whether lines describe each layer of some functions on an interval correctly."""
    expected = [
        (name, k, function)
        for name, function in zip("uv", functions, strict=False)
        for k in range(1, len(function) + 1)
    ]
    return len(expected) == len(lines) and all(
        _layer_holds(function[:k], f"{name}{k}", f"{name}{k - 1}" if k > 1 else "x", ends, line)
        for (name, k, function), line in zip(expected, lines, strict=True)
    )


def _layer_holds(
    layers: Layers, name: str, inside: str, ends: tuple[Number, Number], line: str
) -> bool:
    written, _, rest = line.partition("; ")
    start, _, formula = written.partition(" = ")
    around = re.sub(rf"(?<![a-z]){inside}(?![0-9])", "u", formula)
    if start != name or read_layer(around) != layers[-1]:
        return False
    return rest == settled(lambda bits: _numbers(Chain(layers, *ends, bits), inside))


def _numbers(chain: Chain, inside: str) -> str:
    """Write how often the last layer's critical input is passed, and the extrema and pieces."""
    minima, maxima = (
        sum(cut.number for cut in chain.cuts if cut.defined and cut.direction == side)
        for side in (-1, 1)
    )
    return "; ".join(
        [
            *_passages(chain, inside),
            f"minima: {minima}, maxima: {maxima}, "
            f"rising: {chain.pieces(1)}, falling: {chain.pieces(-1)}",
        ]
    )


def _passages(chain: Chain, inside: str) -> Iterator[str]:
    critical = _critical_input(chain.layers[-1])
    last = len(chain.layers) - 1
    if critical is not None:
        yield f"{inside} = {critical} passed: {sum(chain.count(last, critical)[1:])}"
    elif chain.layers[-1][0] in ("sin", "cos"):
        yield f"crests passed: {chain.crests_passed()}"


def _critical_input(layer: Layer) -> Number | None:
    kind, c = layer
    if kind == "quadratic":
        return QQ(-c[1], 2 * c[0])
    if kind == "abs":
        return QQ(c[1])
    return QQ(-c[3], c[2]) if kind == "quotient" else None


def zero_line(chain: Chain) -> str:
    """Write how often a function passes zero, touches it, and is zero at an end."""
    touched, *passed = chain.count(len(chain.layers), QQ(0))
    ends = chain.zeros() - touched - sum(passed)
    return (
        f"zero passed: {sum(passed)}, touched: {touched}, at the ends: {ends}; "
        f"total: {chain.zeros()}"
    )


def thousandths(text: str) -> int:
    """Read a decimal with three places, in thousandths."""
    return int(text.replace(".", ""))


def written(number: int) -> str:
    """Write a number of thousandths as a decimal."""
    whole, rest = divmod(abs(number), 1000)
    return f"{'-' if number < 0 else ''}{whole}.{rest:03d}"


def places_hold(pair: Pair, line: str) -> int | None:
    """Return the number of meetings in a line; None unless all are there, rounded, in order."""
    match = _PLACES.fullmatch(line)
    cells = pair.meetings()
    if cells is None or match is None or line.startswith("cut"):
        return None
    places = [thousandths(text) for text in match[1].split(", ")]
    if len(places) != len(cells.low) or line != f"x = {', '.join(map(written, places))}":
        return None
    narrow = pair.narrowed(cells, _SURE)
    if narrow is None:
        return None
    low, high = (
        np.floor(1000 * (x + s * _SURE) + 0.5) for x, s in zip(narrow, (-1, 1), strict=True)
    )
    right = ((low == places) | (high == places)).all()
    return len(places) if right else None


def areas_hold(
    functions: Sequence[Layers], ends: tuple[int, int], answer: str, lines: Sequence[str]
) -> bool:
    """Return whether lines add up areas of parts, cut where the functions meet, between two ends.

    Args:
        functions: Functions f and g.
        ends: Ends of the region, in thousandths.
        answer: The area, rounded to one decimal.
        lines: Lines of the solution, after those about layers.
    """
    cuts: list[int] = []
    if lines and lines[0].startswith("cut"):
        match = _PLACES.fullmatch(lines[0])
        cuts = [thousandths(text) for text in match[1].split(", ")] if match else []
        if not cuts or lines[0] != f"cut at x = {', '.join(map(written, cuts))}":
            return False
        lines = lines[1:]
    edges = [ends[0], *cuts, ends[1]]
    parts = [_PART.fullmatch(line) for line in lines[:-1]]
    if not 1 <= len(parts) == len(edges) - 1 <= _MAX_PARTS or sorted(set(edges)) != edges:
        return False
    areas = []
    for (low, high), part in zip(pairwise(edges), parts, strict=True):
        if part is None or part[0] != f"area from {written(low)} to {written(high)}: {part[3]}":
            return False
        areas.append(thousandths(part[3]))
        if written(areas[-1]) != part[3] or not _is_area(functions, low, high, areas[-1]):
            return False
    terms, total = " + ".join(map(written, areas)), sum(areas)
    tenths = (total + 50) // 100
    stated = f"{terms} = {written(total)}" if cuts else terms
    right = answer == f"{tenths // 10}.{tenths % 10}"
    return right and lines[-1] == f"{stated}, rounded: {answer}" and _meet(functions, cuts)


def _is_area(functions: Sequence[Layers], low: int, high: int, area: int) -> bool:
    bounds = Pair(functions, low / 1000, high / 1000).area(_ERROR)
    if bounds is None:
        return False
    return 1000 * bounds[0] - _SLACK <= area <= 1000 * bounds[1] + _SLACK


def _meet(functions: Sequence[Layers], cuts: Sequence[int]) -> bool:
    """Return whether f - g changes its sign within half a thousandth of every cut."""
    pair = Pair(functions, 0.0, 0.0)
    sides = [pair.sides((np.array(cuts) + shift) / 1000) for shift in (-0.5, 0.5)]
    return bool((sides[0] * sides[1] < 0).all())
