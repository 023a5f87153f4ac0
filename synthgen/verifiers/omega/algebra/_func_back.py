"""Going back through layers: the places at which a chain of layers takes a value.

A value of the outermost layer is taken at the places that the layer's inverse gives, each of these
again at such places of the layer before, down to x. Places under different values are different,
so the list has every place once. Numbers stay fractions as long as they are rational; a number that
is only enclosed is irrational (or is not settled and ends in an OpenError), so ties with rational
thresholds are decided exactly.
"""

from __future__ import annotations

from fractions import Fraction

from synthgen.verifiers.omega.algebra._func_fixed import (
    Number,
    OpenError,
    affine,
    arctangent_over_pi,
    bounds,
    logarithm,
    over_integer,
    pi,
    plus,
    ratio,
    root,
    sign,
    times,
)
from synthgen.verifiers.omega.algebra._func_read import Layer, Layers

MOST_PLACES = 12_000
_HALF = Fraction(1, 2)
_SIXTH = Fraction(1, 6)
Ranges = list[tuple["Fraction | float", "Fraction | float"]]
_INFINITY = float("inf")


def inverse(
    layer: Layer, y: Number, bits: int, span: tuple[Fraction, Fraction] | None
) -> list[tuple[Number, bool]]:
    """Return the places at which a layer has the value y, and whether it turns there.

    Args:
        layer: any kind.
        y: the value.
        bits: precision.
        span: where to look, needed for sin and cos.
    """
    kind, c = layer
    if kind == "linear":
        return [(over_integer(affine(y, 1, -c[1], bits), c[0]), False)]
    if kind == "quadratic":
        return _inverse_quadratic(c, y, bits)
    if kind == "abs":
        height = over_integer(affine(y, 1, -c[2], bits), c[0])
        if sign(height) <= 0:
            return [(Fraction(c[1]), True)] if sign(height) == 0 else []
        return [(affine(height, s, c[1], bits), False) for s in (1, -1)]
    if kind == "quotient":
        under = affine(y, -c[2], c[0], bits)
        return [(ratio(affine(y, c[3], -c[1], bits), under, bits), False)] if sign(under) else []
    if kind == "exp":
        power = over_integer(affine(y, 1, -c[2], bits), c[0])
        if sign(power) <= 0:
            return []
        exact = power == 1
        log: Number = Fraction(0) if exact else logarithm(power, bits)
        return [(over_integer(log, c[1]), False)]
    if span is None:
        raise OpenError
    return _inverse_wave(layer, y, bits, span)


def _inverse_quadratic(c: tuple[int, ...], y: Number, bits: int) -> list[tuple[Number, bool]]:
    inside = affine(y, 4 * c[0], c[1] * c[1] - 4 * c[0] * c[2], bits)
    if sign(inside) < 0:
        return []
    if sign(inside) == 0:
        return [(Fraction(-c[1], 2 * c[0]), True)]
    half = root(inside, bits)
    return [(over_integer(affine(half, s, -c[1], bits), 2 * c[0]), False) for s in (1, -1)]


def _inverse_wave(
    layer: Layer, y: Number, bits: int, span: tuple[Fraction, Fraction]
) -> list[tuple[Number, bool]]:
    """Return the places of a value of a sin(b pi u + c) + d or a cos(b pi u + c) + d in a span."""
    kind, (a, b, c, d) = layer
    height = over_integer(affine(y, 1, -d, bits), a)
    inside = affine(times(height, height, bits), -1, 1, bits)
    if sign(inside) < 0:
        return []
    turning = sign(inside) == 0
    angle = _arcsine(height, inside, bits)
    firsts = [angle] if turning else [angle, affine(angle, -1, 1, bits)]
    if kind == "cos":
        firsts = [plus(first, -_HALF, bits) for first in firsts]
    shift: Number = Fraction(0)
    if c:
        shift = ratio(Fraction(c), pi(bits), bits)
    places: list[tuple[Number, bool]] = []
    for first in firsts:
        start = plus(first, affine(shift, -1, 0, bits), bits)
        near = bounds(start, bits)
        k = (b * span[0] - Fraction(near[1], 1 << bits)).__floor__() // 2 - 1
        last = (b * span[1] - Fraction(near[0], 1 << bits)).__ceil__() // 2 + 1
        if last - k > MOST_PLACES:
            raise OpenError
        while k <= last:
            places.append((over_integer(affine(start, 1, 2 * k, bits), b), turning))
            k += 1
    return places


def _arcsine(height: Number, inside: Number, bits: int) -> Number:
    """Return asin(height) / pi."""
    if not isinstance(height, tuple):
        known = {Fraction(0): Fraction(0), _HALF: _SIXTH, Fraction(1): _HALF}
        if abs(height) in known:
            return known[abs(height)] if height > 0 else -known[abs(height)]
    return arctangent_over_pi(bounds(ratio(height, root(inside, bits), bits), bits), bits)


class Chain:
    """A function of x on [-reach, reach], or from `low` to `reach`, and its way back."""

    def __init__(
        self, layers: Layers, reach: int | Fraction, bits: int, low: Fraction | None = None
    ) -> None:
        self.layers = layers
        self.bits = bits
        self.low, self.high = -Fraction(reach) if low is None else low, Fraction(reach)
        self._ends = (bounds(self.low, bits), bounds(self.high, bits))
        self.spans: list[tuple[Fraction, Fraction] | None] = []
        ranges: Ranges = [(self.low, self.high)]
        for layer in layers:
            least, most = min(r[0] for r in ranges), max(r[1] for r in ranges)
            finite = isinstance(least, Fraction) and isinstance(most, Fraction)
            self.spans.append((Fraction(least), Fraction(most)) if finite else None)
            if layer[0] in ("sin", "cos") and not finite:
                raise OpenError  # infinitely many waves
            ranges = _range_after(layer, ranges)

    def places(self, above: int, *values: Number, turning: bool) -> list[Number]:
        """Return the x of [-reach, reach] at which layer `above` - 1 has one of some values.

        Args:
            above: number of layers that lead from x to the values.
            values: different ones.
            turning: whether to keep the places at which one of these layers turns.

        Raises:
            OpenError: if the precision is too low, or there are too many places.
        """
        now = list(values)
        for i in range(above - 1, -1, -1):
            found: list[Number] = []
            for value in now:
                before = inverse(self.layers[i], value, self.bits, self.spans[i])
                found += [u for u, turns in before if turning or not turns]
            now = found
            if len(now) > MOST_PLACES:
                raise OpenError
        return [x for x in now if self._within(x)]

    def _within(self, x: Number) -> bool:
        if not isinstance(x, tuple):
            return self.low <= x <= self.high
        (low, from_low), (to_high, high) = self._ends
        if from_low < x[0] and x[1] < to_high:
            return True
        if x[1] < low or x[0] > high:
            return False
        raise OpenError


def _range_after(layer: Layer, ranges: Ranges) -> Ranges:
    """Return closed intervals that a layer's values fill, but for their ends."""
    kind, c = layer
    after: Ranges = []
    for low, high in ranges:
        if kind in ("sin", "cos"):
            after.append((Fraction(c[3] - abs(c[0])), Fraction(c[3] + abs(c[0]))))
        elif kind == "exp":
            after.append((-_INFINITY, _INFINITY))
        elif kind == "quotient":
            after += _quotient_range(c, low, high)
        else:
            ends = [_value(layer, low), _value(layer, high)]
            turn = {"quadratic": Fraction(-c[1], 2 * c[0]), "abs": Fraction(c[1])}.get(kind)
            if turn is not None and low < turn < high:
                ends.append(_value(layer, turn))
            after.append((min(ends), max(ends)))
    return after


def _value(layer: Layer, u: Fraction | float) -> Fraction | float:
    kind, c = layer
    if isinstance(u, float):
        return u * c[0] if kind == "linear" else _INFINITY * c[0]
    if kind == "linear":
        return c[0] * u + c[1]
    if kind == "abs":
        return c[0] * abs(u - c[1]) + c[2]
    return (c[0] * u + c[1]) * u + c[2]


def _quotient_range(c: tuple[int, ...], low: Fraction | float, high: Fraction | float) -> Ranges:
    pole, limit = Fraction(-c[3], c[2]), Fraction(c[0], c[2])
    rises = c[0] * c[3] > c[1] * c[2]

    def end(u: Fraction | float, *, above: bool) -> Fraction | float:
        if isinstance(u, float):
            return limit
        if u == pole:
            return -_INFINITY if rises == above else _INFINITY
        return (c[0] * u + c[1]) / (c[2] * u + c[3])

    parts = [(low, pole), (pole, high)] if low < pole < high else [(low, high)]
    ends = [(end(a, above=True), end(b, above=False)) for a, b in parts]
    return [(min(pair), max(pair)) for pair in ends]
