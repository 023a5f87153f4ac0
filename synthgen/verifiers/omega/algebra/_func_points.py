"""The points that cut a function into monotone pieces: where it turns and where it is undefined."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from synthgen.verifiers.omega.algebra._func_back import MOST_PLACES, Chain
from synthgen.verifiers.omega.algebra._func_fixed import (
    Number,
    OpenError,
    affine,
    bounds,
    exponential,
    pi,
    plus,
    ratio,
    sign,
    sine_of_turns,
    times,
)
from synthgen.verifiers.omega.algebra._func_read import Layer, Layers

_HALF = Fraction(1, 2)
_SINES = {Fraction(k): v for k, v in ((0, Fraction(0)), (1, _HALF), (3, Fraction(1)), (5, _HALF))}
"""The rational sines of sixths of a half turn."""
LOWEST, HIGHEST, UNDEFINED = -1, 1, 0
KINDS = {
    "local extrema (minima and maxima together)": (LOWEST, HIGHEST),
    "local minima": (LOWEST,),
    "local maxima": (HIGHEST,),
}
"""What questions ask for, in their words."""


@dataclass(frozen=True, slots=True)
class Point:
    """A place at which a function turns or is undefined.

    Attributes:
        x: the place.
        kind: LOWEST, HIGHEST or UNDEFINED.
        value: of the function, None where undefined.
    """

    x: Number
    kind: int
    value: Number | None = None


def forward(layer: Layer, u: Number, bits: int) -> Number | None:
    """Return a layer's value, None at a pole."""
    kind, c = layer
    if kind == "linear":
        return affine(u, c[0], c[1], bits)
    if kind == "quadratic":
        return affine(times(affine(u, c[0], c[1], bits), u, bits), 1, c[2], bits)
    if kind == "abs":
        inside = affine(u, 1, -c[1], bits)
        if isinstance(inside, tuple) and inside[0] <= 0 <= inside[1]:
            inside = (0, max(-inside[0], inside[1]))
        elif isinstance(inside, tuple):
            inside = inside if inside[0] > 0 else (-inside[1], -inside[0])
        else:
            inside = abs(inside)
        return affine(inside, c[0], c[2], bits)
    if kind == "quotient":
        under = affine(u, c[2], c[3], bits)
        if sign(under) == 0:
            return None
        return ratio(affine(u, c[0], c[1], bits), under, bits)
    if kind == "exp":
        if u == 0:
            return Fraction(c[0] + c[2])
        return affine(exponential(affine(u, c[1], 0, bits), bits), c[0], c[2], bits)
    turns = plus(affine(u, c[1], 0, bits), _HALF if kind == "cos" else Fraction(0), bits)
    if c[2] == 0 and not isinstance(turns, tuple) and 6 * turns % 6 in _SINES:
        return c[3] + c[0] * _SINES[6 * turns % 6] * (-1 if turns % 2 >= 1 else 1)
    return affine(sine_of_turns(turns, c[2], bits), c[0], c[3], bits)


def slope(layer: Layer, u: Number, bits: int) -> Number:
    """Return a number with the sign of the layer's derivative, where it has one."""
    kind, c = layer
    if kind == "linear":
        return Fraction(c[0])
    if kind == "quadratic":
        return affine(u, 2 * c[0], c[1], bits)
    if kind == "abs":
        return affine(u, c[0], -c[0] * c[1], bits)
    if kind == "exp":
        return Fraction(c[0] * c[1])
    if kind == "quotient":
        return Fraction(c[0] * c[3] - c[1] * c[2])
    quarter = _HALF if kind == "sin" else Fraction(1)
    turns = plus(affine(u, c[1], 0, bits), quarter, bits)
    if c[2] == 0 and not isinstance(turns, tuple) and turns.denominator == 1:
        return Fraction(0)
    return affine(sine_of_turns(turns, c[2], bits), c[0], 0, bits)


def monotone_rest(layers: Layers) -> int:
    """Return 1 or -1 if all layers rise or fall everywhere, whatever the value, else 0."""
    direction = 1
    for kind, c in layers:
        if kind not in ("linear", "exp"):
            return 0
        direction *= (1 if c[0] > 0 else -1) * (-1 if kind == "exp" and c[1] < 0 else 1)
    return direction


def _onward(
    chain: Chain, after: int, value: Number, kind: int, *, heights: bool
) -> tuple[int, Number | None]:
    """Follow a turning value through the layers from `after` on; UNDEFINED at a pole."""
    now: Number | None = value
    for place, layer in enumerate(chain.layers[after:], after):
        rest = 0 if heights else monotone_rest(chain.layers[place:])
        if rest:
            return kind * rest, None
        if now is None:
            return UNDEFINED, None
        steep = sign(slope(layer, now, chain.bits))
        if layer[0] == "quotient" and forward(layer, now, chain.bits) is None:
            return UNDEFINED, None
        if steep:
            kind *= steep
        else:  # the layer turns at this value too, and is seen from one side
            kind = _turn_kind(layer, now, chain.bits)
        now = forward(layer, now, chain.bits)
    return kind, now


def _turn_kind(layer: Layer, u: Number, bits: int) -> int:
    """Say whether a layer is lowest or highest where it turns."""
    kind, c = layer
    if kind in ("sin", "cos"):
        value = forward(layer, u, bits)
        return (
            HIGHEST
            if value is not None and sign(plus(value, Fraction(-c[3]), bits)) > 0
            else LOWEST
        )
    return LOWEST if c[0] > 0 else HIGHEST


def _crest_values(layer: Layer) -> list[tuple[Number, int]]:
    c = layer[1]
    top, bottom = Fraction(c[3] + abs(c[0])), Fraction(c[3] - abs(c[0]))
    return [(top, HIGHEST), (bottom, LOWEST)]


def turning_points(chain: Chain, *, heights: bool = False) -> list[Point]:
    """Return the points inside the interval at which the function turns, in no order.

    Args:
        chain: the function.
        heights: whether the points' values are needed.
    """
    points: list[Point] = []
    for i, layer in enumerate(chain.layers):
        kind, c = layer
        starts: list[tuple[Number, int]] = []  # value of layer i, kind
        if kind in ("sin", "cos"):
            starts = _crest_values(layer)
        elif kind in ("quadratic", "abs"):
            turn = Fraction(-c[1], 2 * c[0]) if kind == "quadratic" else Fraction(c[1])
            value = forward(layer, turn, chain.bits)
            if value is not None:
                starts = [(value, LOWEST if c[0] > 0 else HIGHEST)]
        for value, own in starts:
            final, height = _onward(chain, i + 1, value, own, heights=heights)
            if final == UNDEFINED:
                continue
            for x in _first_turns(chain, i, value):
                if isinstance(x, tuple) or x not in (chain.low, chain.high):
                    points.append(Point(x, final, height))
        if len(points) > MOST_PLACES:
            raise OpenError
    return points


def _first_turns(chain: Chain, i: int, value: Number) -> list[Number]:
    """Return the places at which layer i turns with a value and no layer before it does."""
    layer, (kind, c) = chain.layers[i], chain.layers[i]
    if kind == "quadratic":
        return chain.places(i, Fraction(-c[1], 2 * c[0]), turning=False)
    if kind == "abs":
        return chain.places(i, Fraction(c[1]), turning=False)
    span = chain.spans[i]
    from_layer = crests(layer, value, chain.bits, span) if span else []
    return chain.places(i, *from_layer, turning=False)


def crests(layer: Layer, value: Number, bits: int, span: tuple[Fraction, Fraction]) -> list[Number]:
    """Return the places of a wave's crests of a height in a span, and some around it."""
    kind, (a, b, c, d) = layer
    top = sign(plus(value, Fraction(-d), bits)) == (1 if a > 0 else -1)
    first: Number = Fraction(0 if top else 1) + (_HALF if kind == "sin" else 0)
    if c:
        first = plus(first, ratio(Fraction(-c), pi(bits), bits), bits)
    near = Fraction(bounds(first, bits)[0], 1 << bits)
    start = ((b * span[0] - near) / 2).__floor__() - 1
    stop = ((b * span[1] - near) / 2).__ceil__() + 1
    if stop - start > MOST_PLACES:
        raise OpenError
    every = (affine(first, 1, 2 * k, bits) for k in range(start, stop + 1))
    return [_over(u, b) for u in every]


def _over(value: Number, b: int) -> Number:
    if not isinstance(value, tuple):
        return value / b
    return value[0] // b, -(-value[1] // b)


def undefined_points(chain: Chain) -> list[Point]:
    """Return the points of the closed interval at which a denominator is zero, in no order."""
    points = []
    for i, (kind, c) in enumerate(chain.layers):
        if kind == "quotient":
            pole = Fraction(-c[3], c[2])
            points += [Point(x, UNDEFINED) for x in chain.places(i, pole, turning=True)]
    return points


def in_order(points: list[Point], bits: int) -> list[Point]:
    """Sort points from left to right.

    Raises:
        OpenError: if the precision does not tell two of them apart.
    """
    ordered = sorted(points, key=lambda point: bounds(point.x, bits))
    for left, right in pairwise(ordered):
        if bounds(left.x, bits)[1] >= bounds(right.x, bits)[0]:
            raise OpenError
    return ordered
