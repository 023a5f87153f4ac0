"""Where the graphs of two functions meet, and the area between them, proven by balls.

The cuts of a function are the places at which it turns or is undefined; between two neighboring
cuts of f and g both are monotone, layer by layer, so that values at the ends of a cell bound both
functions and all slopes on it. A cell is halved until the graphs are apart on it, or f - g is
monotone and its signs at the ends show whether there is a meeting. What stays open, such as graphs
that touch, meet at a corner or coincide, is rejected. Precision is kept well below that of the
verifier's floats, which therefore settle whatever is settled here.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf
from typing import Any, TypeAlias

import numpy as np
from flint import acb, arb, fmpq
from flint.utils.flint_exceptions import DomainError
from numpy.typing import NDArray

from synthgen.families.omega.functions.laps import Real, Value, laps_of
from synthgen.families.omega.functions.layers import (
    TRANSCENDENTAL,
    WAVES,
    Function,
    Layer,
    UndecidedError,
    applied,
    carried,
    precision,
)

Floats: TypeAlias = NDArray[np.float64]
Point: TypeAlias = tuple[float, list[arb], list[arb]]
"""A place, and the values of all layers of f and of g there."""

_BITS = 44
GRID = 331
"""A prime: no simple fraction, where functions often meet, is a place of the grid."""
_HALF = 0.48137
"""Cells are cut beside the middle for the same reason."""
_SHARES = (_HALF, 0.37091, 0.61833)
"""Where a cell is divided, and where else if the first is too close to the meeting in it."""
_CUT, _WIDEST_CUT = 2.0**-30, 2.0**-12
"""A cut is at least this far to either side of a turning point or a pole, and at most."""
_HUGE = 1e150
_ARCSINES = {fmpq(k, 2): fmpq(v, 6) for k, v in ((-2, -3), (-1, -1), (0, 0), (1, 1), (2, 3))}
"""Rational heights of a sine wave whose arcsines over pi are rational."""
_DEEPEST, _MAX_CELLS, _MAX_PLACES = 40, 6_000, 4_000
_SAMPLES, _TOLERANCE, _NARROW, _MAX_VALUES = 64, 2e-5, 2e-3, 2_000
"""Places of a first estimate of an integral, error of a part and of the whole, most values."""


def changes(f: Function, g: Function, low: float, high: float) -> Floats:
    """Return the places of a grid after which f - g seems to change its sign."""
    x = low + (high - low) * np.arange(GRID + 1) / GRID
    with np.errstate(all="ignore"):
        (n, d), (m, e) = roughly(f, x), roughly(g, x)
        above = n * e > m * d
    places: Floats = x[1:][above[1:] != above[:-1]]
    return places


def roughly(function: Function, n: Floats) -> tuple[Floats, Floats]:
    """Return values N / D in floats, without bounds of the error."""
    d, flat = np.ones_like(n), True
    for kind, c in function:
        if kind not in TRANSCENDENTAL:
            n, d = carried((kind, c), n, d)
            flat &= kind != "quotient"
        else:
            u = n if flat else np.where(d != 0.0, n / d, np.inf)
            d, flat = np.ones_like(n), True
            if kind == "exp":
                n = c[0] * np.exp(np.minimum(c[1] * u, 300.0)) + c[2]
            else:
                wave = np.sin if kind == "sin" else np.cos
                n = np.where(np.abs(u) < 1e9, c[0] * wave(c[1] * np.pi * u + c[2]) + c[3], 0.0)
        if not flat:
            size = np.maximum(np.abs(n), np.abs(d))
            size = np.where((d != 1.0) & (size > 0.0), size, 1.0)
            n, d = n / size, d / size
    return n, d


def _exactly(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)


class _Graph:
    """A function on an interval, with its cuts.

    Args:
        function: The layers; its laps on the interval are known to be few.
        low, high: Ends of the interval.
    """

    def __init__(self, function: Function, low: Fraction, high: Fraction) -> None:
        self._function = function
        self._low, self._high = _exactly(low), _exactly(high)
        self._span = fmpq(0), fmpq(0)  # of the inputs of a wave
        for i, (kind, _) in enumerate(function):
            if kind in WAVES:
                ends = [
                    _rational(end)
                    for lap in laps_of(function[:i], low, high).laps
                    for end in lap[:2]
                ]
                self._span = min(ends), max(ends)

    def cuts(self) -> list[arb]:
        """Return enclosures of all places at which a layer turns or is undefined.

        There may be others besides.
        """
        enclosures: list[arb] = []
        for i, (kind, c) in enumerate(self._function):
            if kind == "quadratic":
                enclosures += self._places(i, [fmpq(-c[1], 2 * c[0])])
            elif kind == "abs":
                enclosures += self._places(i, [fmpq(c[1])])
            elif kind == "quotient":
                enclosures += self._places(i, [fmpq(-c[3], c[2])])
            elif kind in WAVES:
                crest = fmpq(1, 2) if kind == "sin" else fmpq(0)
                enclosures += self._places(i, self._inputs([crest], c, 1))
        return enclosures

    def _places(self, i: int, values: list[Any]) -> list[arb]:
        """Return enclosures of the x at which the input of layer i has one of some values."""
        for layer in reversed(self._function[:i]):
            values = [u for value in values for u in self._inverse(layer, value)]
            if len(values) > _MAX_PLACES:
                raise UndecidedError
        return [arb(x) for x in values if not (x < self._low or x > self._high)]

    def _inverse(self, layer: Layer, y: Any) -> list[Any]:
        """Return rational numbers or balls that a layer takes to y."""
        kind, c = layer
        if kind == "linear":
            return [(y - c[1]) / c[0]]
        if kind == "quadratic":
            inside = (y - c[2]) * (4 * c[0]) + c[1] * c[1]
            if inside < 0:
                return []
            half = _root(inside)
            return [(half - c[1]) / (2 * c[0]), (-half - c[1]) / (2 * c[0])]
        if kind == "abs":
            height = (y - c[2]) / c[0]
            return [] if height < 0 else [c[1] + height, c[1] - height]
        if kind == "quotient":
            under = y * -c[2] + c[0]
            return [(y * c[3] - c[1]) / under] if _is_definite(under) else []
        if kind == "exp":
            power = (y - c[2]) / c[0]
            return [arb(power).log() / c[1]] if _is_definite(power) and power > 0 else []
        height = (y - c[3]) / c[0]
        if height < -1 or height > 1:
            return []
        angle: Any = _ARCSINES.get(height) if isinstance(height, fmpq) else None
        if angle is None:
            angle = arb(height).intersection(arb(0, 1)).asin() / arb.pi()
        starts = [angle, 1 - angle]
        return self._inputs(starts if kind == "sin" else [s - fmpq(1, 2) for s in starts], c, 2)

    def _inputs(self, starts: list[Any], c: tuple[int, ...], step: int) -> list[Any]:
        """Return the inputs u of the wave in its span with b u + c / pi = start + step k."""
        inputs = []
        low, high = self._span
        for start in starts:
            first = start - c[2] / arb.pi() if c[2] else start
            k, last = (
                floor(_low((c[1] * low - first) / step)),
                ceil(_high((c[1] * high - first) / step)),
            )
            if last - k > _MAX_PLACES:
                raise UndecidedError
            inputs += [(first + step * i) / c[1] for i in range(k, last + 1)]
        return inputs

    def values(self, x: arb) -> list[arb]:
        """Return the values of all layers on a ball, x first."""
        values = [x]
        for layer in self._function:
            x = applied(layer, x)
            values.append(x)
        return values

    def quotient(self, x: arb) -> tuple[arb, arb]:
        """Return the values on a ball as N / D."""
        n, d = x, arb(1)
        for layer in self._function:
            transcendental = layer[0] in TRANSCENDENTAL
            n, d = (applied(layer, n / d), arb(1)) if transcendental else carried(layer, n, d)
        return n, d

    def slope(self, low: list[arb], high: list[arb]) -> arb:
        """Bound the derivative between two places with these values; layers are monotone there."""
        slope = arb(1)
        for layer, a, b in zip(self._function, low, high, strict=False):
            slope *= _steepness(layer, a.union(b))
        return slope


def _low(value: Any) -> float:
    return float(arb(value).lower())


def _high(value: Any) -> float:
    return float(arb(value).upper())


def _rational(value: Value) -> fmpq:
    if isinstance(value, Real) or value[1] == 0:
        raise UndecidedError
    return fmpq(*value)


def _is_definite(value: Any) -> bool:
    """Return whether a number is not zero."""
    if isinstance(value, fmpq) or value != 0:
        return bool(value != 0)
    raise UndecidedError


def _root(value: Any) -> Any:
    """Return the square root of a number, exactly if it is rational."""
    if isinstance(value, fmpq):
        try:
            return value.sqrt()
        except DomainError:
            pass
    return arb(value).nonnegative_part().sqrt()


def _steepness(layer: Layer, u: arb) -> Any:
    """Bound a layer's derivative."""
    kind, c = layer
    if kind == "linear":
        return c[0]
    if kind == "abs":
        return c[0] if u > c[1] else -c[0] if u < c[1] else arb(0, abs(c[0]))
    if kind == "quadratic":
        return u * (2 * c[0]) + c[1]
    if kind == "quotient":
        under = u * c[2] + c[3]
        return (c[0] * c[3] - c[1] * c[2]) / (under * under)
    if kind == "exp":
        return (u * c[1]).exp() * (c[0] * c[1])
    angle = u * c[1] * arb.pi() + c[2]
    return (angle.cos() if kind == "sin" else -angle.sin()) * arb.pi() * (c[0] * c[1])


def _height(point: Point) -> arb:
    """Return f - g."""
    return point[1][-1] - point[2][-1]


def _are_huge(point: Point) -> bool:
    """Return whether both functions have values that floats hardly hold."""
    return bool(abs(point[1][-1]) > _HUGE and abs(point[2][-1]) > _HUGE)


def _are_apart(a: Point, b: Point) -> bool:
    """Return whether one function is above the other at both places, and so between them."""
    (_, (*_, f), (*_, g)), (_, (*_, h), (*_, i)) = a, b
    return (f > g and f > i and h > g and h > i) or (f < g and f < i and h < g and h < i)


class _Meetings:
    """The search for meetings of two functions.

    Args:
        f, g: The functions.
        most: Maximum number of meetings.
    """

    def __init__(self, f: _Graph, g: _Graph, most: int) -> None:
        self._f, self._g = f, g
        self._most, self._seen = most, 0
        self._cells: list[tuple[Point, Point]] = []

    def cells(self, low: float, high: float) -> list[tuple[Point, Point]]:
        """Return cells of an interval, from left to right, with one meeting each."""
        before = None
        for left, right in self._cuts(low, high):
            a, b = self._beside(left, -_CUT), self._beside(right, _CUT)
            if before is not None:
                self._search(before, a, 0)
            self._cross(a, b)
            before = b
        return self._cells

    def _cuts(self, low: float, high: float) -> list[tuple[float, float]]:
        """Return narrow pieces around all cuts, and the ends of the interval."""
        pieces = [(low, low)]
        places = ((_low(x) - _CUT, _high(x) + _CUT) for x in (*self._f.cuts(), *self._g.cuts()))
        for left, right in (*sorted(places), (high, high)):
            if left < pieces[-1][1]:
                pieces[-1] = (pieces[-1][0], max(pieces[-1][1], right))
            else:
                pieces.append((left, right))
        return [(max(left, low), min(right, high)) for left, right in pieces]

    def _at(self, x: float) -> Point:
        return x, self._f.values(arb(x)), self._g.values(arb(x))

    def _beside(self, x: float, step: float) -> Point:
        """Return a place, or one further off where values are sharp: poles may be of even order."""
        while True:
            point = self._at(x)
            if all(v.rad() < 1 or v.rel_accuracy_bits() > 3 for v in (point[1][-1], point[2][-1])):
                return point
            if abs(step) > _WIDEST_CUT:
                raise UndecidedError
            step *= 16
            x += step

    def _cross(self, a: Point, b: Point) -> None:
        """Search for a meeting on the narrow piece around a cut, or at an end of the interval.

        Raises:
            UndecidedError: if the functions may touch there.
        """
        ball = arb(a[0]).union(arb(b[0]))
        (n, d), (m, e) = self._f.quotient(ball), self._g.quotient(ball)
        if n * e - m * d != 0:
            return
        f, g = self._f.values(ball), self._g.values(ball)
        if not self._f.slope(f, f) - self._g.slope(g, g) != 0 or a[0] == b[0]:
            raise UndecidedError
        self._sides(a, b)

    def _sides(self, a: Point, b: Point) -> None:
        """Keep a cell on which f - g is monotone if its signs at the ends differ."""
        product = _height(a) * _height(b)
        if product < 0:
            self._cells.append((a, b))
        if not product != 0 or len(self._cells) > self._most:
            raise UndecidedError

    def _search(self, a: Point, b: Point, depth: int) -> None:
        self._seen += 1
        if a[0] > b[0] or depth > _DEEPEST or self._seen > _MAX_CELLS or _are_huge(a):
            raise UndecidedError
        if _are_apart(a, b):
            return
        slope = self._f.slope(a[1], b[1]) - self._g.slope(a[2], b[2])
        if slope != 0 and _height(a) * _height(b) != 0:
            self._sides(a, b)
        elif not abs(_height(a)) > abs(slope) * (b[0] - a[0]):  # else f - g cannot reach zero
            middle = self._middle(a, b)
            self._search(a, middle, depth + 1)
            self._search(middle, b, depth + 1)

    def _middle(self, a: Point, b: Point) -> Point:
        return self._at(a[0] + (b[0] - a[0]) * _HALF)

    def narrowed(self, a: Point, b: Point, width: float) -> tuple[float, float]:
        """Divide a cell with one meeting until it is no wider than `width`.

        Raises:
            UndecidedError: if the sign is open at all points where it could be divided.
        """
        before = _height(a)
        while b[0] - a[0] > width:
            for share in _SHARES:  # the meeting may be too close to the first
                middle = self._at(a[0] + (b[0] - a[0]) * share)
                product = before * _height(middle)
                if product != 0:
                    break
            else:
                raise UndecidedError
            a, b = (middle, b) if product > 0 else (a, middle)
        return a[0], b[0]


def meetings(
    f: Function, g: Function, reach: int, most: int, width: float = inf
) -> list[tuple[float, float]]:
    """Return parts of [-reach, reach], from left to right, each with exactly one place where f = g.

    Both functions must have few laps, and be infinite beside each place where they are undefined.
    There may be at most `most` meetings; the parts are no wider than `width`.

    Raises:
        UndecidedError: if that is not proven.
    """
    with precision(_BITS):
        graphs = [_Graph(h, Fraction(-reach), Fraction(reach)) for h in (f, g)]
        search = _Meetings(graphs[0], graphs[1], most)
        return [search.narrowed(*cell, width) for cell in search.cells(-reach, reach)]


def area(
    f: Function, g: Function, low: Fraction, high: Fraction, most: float
) -> tuple[float, float]:
    """Return a lower and an upper bound of the area between two graphs, at most about `most`.

    Raises:
        UndecidedError: if the area seems larger, or the bounds stay far apart.
    """
    x = float(low) + float(high - low) * (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    with np.errstate(all="ignore"):
        (n, d), (m, e) = roughly(f, x), roughly(g, x)
        rough = float(np.abs(n / d - m / e).mean()) * float(high - low)
    if not rough < 2 * most:
        raise UndecidedError

    # Integers would be converted again in every step.
    upper, lower = ([(kind, tuple(map(acb, c))) for kind, c in h] for h in (f, g))

    def height(z: acb, analytic: bool) -> acb:
        first = second = z
        for layer in upper:
            first = applied(layer, first, analytic)
        for layer in lower:
            second = applied(layer, second, analytic)
        return (first - second).real_abs(analytic)

    ends = acb(_exactly(low)), acb(_exactly(high))
    with precision(_BITS):
        whole = acb.integral(
            height, *ends, rel_tol=1e-12, abs_tol=_TOLERANCE, eval_limit=_MAX_VALUES
        ).real
    if not whole.rad() < _NARROW:
        raise UndecidedError
    return _low(whole), _high(whole)
