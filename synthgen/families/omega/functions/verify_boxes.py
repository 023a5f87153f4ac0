"""Meetings of two functions and areas between them, on many cells of an interval at once.

Intervals are pairs of arrays of floats, rounded outwards after every operation. A function's value
is kept as a quotient N / D of two intervals with their derivatives, so that poles are places like
others: f = g where N_f D_g - N_g D_f is zero and neither D is. Cells are cut until that difference
has no zero on a cell, or is monotone and its signs at the ends show whether there is one. A bound
that is not a number settles nothing, as all comparisons with it are false.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, pi
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthgen.families.omega.functions.verify_read import Layers

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

_FIRST_CELLS, _MAX_CELLS = 257, 1_500_000
_PARTS = (0.0, 0.32817, 0.67421, 1.0)
"""Where cells are cut, beside simple fractions, at which functions often meet."""
_NARROWEST = 1e-12
_LARGE = 1e60
"""Numerators and denominators are scaled down where they are larger."""
_SUMMED = 1e-11
"""More than the relative rounding error of sums and products over all cells."""
_MAX_POWER = 700.0
"""Larger powers of e are only known to be larger than this one."""
_ERRORS = (4e-3, 5e-4, 5e-5)
"""Distances of the bounds of an area that are tried one after another."""
_LIBRARY = 1e-14
"""More than the relative error of NumPy's exponential and the error of its sine."""


class Box(NamedTuple):
    """An interval for each cell.

    Attributes:
        low, high: Bounds.
    """

    low: Floats
    high: Floats

    def plus(self, other: Box) -> Box:
        """Return the sums."""
        return _outward(self.low + other.low, self.high + other.high)

    def minus(self, other: Box) -> Box:
        """Return the differences."""
        return _outward(self.low - other.high, self.high - other.low)

    def scaled(self, factor: float) -> Box:
        """Return the products with a number."""
        if factor == 1:
            return self
        ends = (self.low, self.high) if factor > 0 else (self.high, self.low)
        return _outward(ends[0] * factor, ends[1] * factor)

    def parts(self, number: int) -> Box:
        """Return the quotients by a number."""
        ends = (self.low, self.high) if number > 0 else (self.high, self.low)
        return _outward(ends[0] / number, ends[1] / number)

    def times(self, other: Box) -> Box:
        """Return the products."""
        a, b = self.low * other.low, self.low * other.high
        c, d = self.high * other.low, self.high * other.high
        low, high = np.fmin(np.fmin(a, b), np.fmin(c, d)), np.fmax(np.fmax(a, b), np.fmax(c, d))
        return _outward(low, high)

    def over(self, other: Box) -> Box:
        """Return the quotients, all reals where the other may be zero."""
        definite = other.is_definite()
        inverse = _outward(1.0 / other.high, 1.0 / other.low)
        low, high = self.times(inverse)
        return Box(np.where(definite, low, -np.inf), np.where(definite, high, np.inf))

    def size(self) -> Box:
        """Return the absolute values."""
        low = np.maximum(np.maximum(self.low, -self.high), 0.0)
        return Box(low, np.maximum(-self.low, self.high))

    def square(self) -> Box:
        """Return the squares."""
        low, high = self.size()
        return _outward(low * low, high * high)

    def is_definite(self) -> Flags:
        """Return which intervals do not contain zero."""
        return (self.low > 0.0) | (self.high < 0.0)

    def where(self, which: Flags, other: Box) -> Box:
        """Return these intervals on some cells, and the other ones elsewhere."""
        low, high = np.where(which, self.low, other.low), np.where(which, self.high, other.high)
        return Box(low, high)

    def kept(self, which: Flags) -> Box:
        """Return some of the intervals."""
        return Box(self.low[which], self.high[which])


def _outward(low: Floats, high: Floats) -> Box:
    """Return bounds moved apart by a rounding error."""
    return Box(np.nextafter(low, -np.inf), np.nextafter(high, np.inf))


_PI = Box(np.array(np.nextafter(pi, 0)), np.array(np.nextafter(pi, 4)))
_QUARTER = _PI.scaled(0.5)


def _constant(value: float) -> Box:
    return Box(np.array(value), np.array(value))


class Jet(NamedTuple):
    """Intervals of values and, if requested, of derivatives.

    Attributes:
        value: Value of a function on each cell.
        slope: Derivative on each cell, None if not requested.
    """

    value: Box
    slope: Box | None

    @property
    def derivative(self) -> Box:
        """The derivative, which must have been requested."""
        if self.slope is None:
            raise TypeError
        return self.slope

    def mix(self, a: float, other: Jet | None, b: float) -> Jet:
        """Return a * self + b * other; no other is 1."""
        value, slope = self.value.scaled(a), self.slope and self.slope.scaled(a)
        if b and other is None:
            value = value.plus(_constant(b))
        elif b and other is not None:
            value = value.plus(other.value.scaled(b))
            slope = slope and other.slope and slope.plus(other.slope.scaled(b))
        return Jet(value, slope)

    def times(self, other: Jet | None) -> Jet:
        """Return the product; no other is 1."""
        if other is None:
            return self
        slope = self.slope
        if slope and other.slope:
            slope = slope.times(other.value).plus(other.slope.times(self.value))
        return Jet(self.value.times(other.value), slope)

    def square(self) -> Jet:
        """Return the square."""
        slope = self.slope and self.slope.times(self.value).scaled(2.0)
        return Jet(self.value.square(), slope)

    def size(self) -> Jet:
        """Return the absolute value; at a corner its slope has both signs."""
        slope = self.slope
        if slope:
            most = slope.size().high
            up, down = self.value.low > 0.0, self.value.high < 0.0
            low = np.where(up, slope.low, np.where(down, -slope.high, -most))
            slope = Box(low, np.where(up, slope.high, np.where(down, -slope.low, most)))
        return Jet(self.value.size(), slope)

    def parts(self, number: int) -> Jet:
        """Return the quotient by a number."""
        return Jet(self.value.parts(number), self.slope and self.slope.parts(number))

    def over(self, other: Jet | None) -> Jet:
        """Return the quotient; no other is 1."""
        if other is None:
            return self
        value, slope = self.value.over(other.value), self.slope
        if slope and other.slope:
            slope = slope.minus(value.times(other.slope)).over(other.value)
        return Jet(value, slope)

    def where(self, which: Flags, other: Jet) -> Jet:
        """Return this on some cells, and the other elsewhere."""
        slope = self.slope and other.slope and self.slope.where(which, other.slope)
        return Jet(self.value.where(which, other.value), slope)

    def wave(self, kind: str, c: tuple[int, ...]) -> Jet:
        """Return a layer exp, sin or cos."""
        if kind == "exp":
            bare = _exponential(self.value.scaled(c[1]))
            slope = self.slope and self.slope.times(bare).scaled(c[0] * c[1])
            return Jet(bare.scaled(c[0]).plus(_constant(c[2])), slope)
        angle = self.value.times(_PI).scaled(c[1]).plus(_constant(c[2]))
        angle = angle.plus(_QUARTER) if kind == "cos" else angle
        slope = self.slope
        if slope:
            ahead = _sine(angle.plus(_QUARTER))
            slope = slope.times(ahead).times(_PI).scaled(c[0] * c[1])
        return Jet(_sine(angle).scaled(c[0]).plus(_constant(c[3])), slope)


def _exponential(power: Box) -> Box:
    low = np.exp(np.minimum(power.low, _MAX_POWER)) * (1 - _LIBRARY)
    high = np.exp(power.high) * (1 + _LIBRARY)
    return Box(low, np.nextafter(high, np.inf))


def _sine(angle: Box) -> Box:
    """Return the sines; a crest within rounding of an interval counts as inside."""
    known = (angle.high - angle.low < 6.0) & (np.abs(angle.low) < 1e9)
    low, high = np.where(known, angle.low, 0.0), np.where(known, angle.high, 0.0)
    first, second = np.sin(low), np.sin(high)
    near = 1e-9 + np.abs(low) * 1e-13
    turns = [
        np.ceil((low - near + side * pi / 2) / (2 * pi)) * 2 * pi - side * pi / 2 <= high + near
        for side in (1, -1)
    ]
    least = np.where(turns[0] | ~known, -1.0, np.minimum(first, second) - _LIBRARY)
    return Box(least, np.where(turns[1] | ~known, 1.0, np.maximum(first, second) + _LIBRARY))


def _enclose(layers: Layers, cells: Box, slopes: bool) -> tuple[Jet, Jet | None, Flags]:
    """Return N, D (None for 1), and where all denominators of the function are certainly not 0."""
    one = np.ones_like(cells.low)
    n, d = Jet(cells, Box(one, one) if slopes else None), None
    defined = one > 0.0
    for kind, c in layers:
        if kind == "linear":
            n = n.mix(c[0], d, c[1])
        elif kind == "quotient":
            n, d, here = _quotient(n, d, c)
            defined &= here
        elif kind == "abs":
            n, d = n.mix(1, d, -c[1]).size(), d and d.size()
            n = n.mix(c[0], d, c[2])
        elif kind == "quadratic":  # ((2 a u + b)^2 - (b^2 - 4 a c)) / (4 a)
            n, d = n.mix(2 * c[0], d, c[1]).square(), d and d.square()
            n = n.mix(1, d, 4 * c[0] * c[2] - c[1] * c[1]).parts(4 * c[0])
        else:
            n, d = n.over(d).wave(kind, c), None
        if d:
            n, d = _moderate(n, d)
    return n, d, defined


def _quotient(n: Jet, d: Jet | None, c: tuple[int, ...]) -> tuple[Jet, Jet | None, Flags]:
    """Return N and D after (a u + b) / (c u + d), and where its denominator is certainly not 0.

    Without a pole it is (a + (b c - a d) / (c u + d)) / c, in which u occurs only once.
    """
    below = n.over(d).mix(c[2], None, c[3])
    flat = below.value.is_definite()
    factor = Jet(_constant(c[1] * c[2] - c[0] * c[3]), _constant(0) if n.slope else None)
    bare = factor.over(below).mix(1, None, c[0]).parts(c[2])
    if flat.all():
        return bare, None, flat
    over, under = n.mix(c[0], d, c[1]), n.mix(c[2], d, c[3])
    one = Jet(_constant(1), _constant(0) if n.slope else None)
    return bare.where(flat, over), one.where(flat, under), flat | under.value.is_definite()


def _moderate(n: Jet, d: Jet) -> tuple[Jet, Jet]:
    """Scale numerators and denominators down together where they are large."""
    size = np.maximum(n.value.size().high, d.value.size().high)
    large = (size > _LARGE) & np.isfinite(size)
    if not large.any():
        return n, d
    down = np.ldexp(1.0, np.where(large, -np.frexp(np.where(large, size, 1.0))[1], 0))

    def less(box: Box) -> Box:
        return _outward(box.low * down, box.high * down)

    return (
        Jet(less(n.value), n.slope and less(n.slope)),
        Jet(less(d.value), d.slope and less(d.slope)),
    )


class Pair:
    """Two functions on one interval.

    Args:
        functions: Layers of f and of g.
        low, high: Ends of the interval.
    """

    def __init__(self, functions: Sequence[Layers], low: float, high: float) -> None:
        self._f, self._g = functions
        self._low, self._high = low, high

    def _difference(self, cells: Box, slopes: bool) -> tuple[Jet, Flags]:
        """Return N_f D_g - N_g D_f, and where both functions are certainly defined."""
        n, d, fine = _enclose(self._f, cells, slopes)
        m, e, also = _enclose(self._g, cells, slopes)
        return _minus(n.times(e), m.times(d)), fine & also

    def _height(self, cells: Box, slopes: bool) -> Jet:
        """Return f - g, unbounded where a function may be undefined."""
        n, d, _ = _enclose(self._f, cells, slopes)
        m, e, _ = _enclose(self._g, cells, slopes)
        return _minus(n.over(d), m.over(e))

    def _signs(self, x: Floats) -> Floats:
        """Return the sign of N_f D_g - N_g D_f at places, 0 where it is not certain."""
        value = self._difference(Box(x, x), slopes=False)[0].value
        return (value.low > 0.0) * 1.0 - (value.high < 0.0) * 1.0

    def sides(self, x: Floats) -> Floats:
        """Return the sign of f - g at places, 0 where it is not certain."""
        with np.errstate(all="ignore"):
            value = self._height(Box(x, x), slopes=False).value
        return (value.low > 0.0) * 1.0 - (value.high < 0.0) * 1.0

    def meetings(self) -> Box | None:
        """Return cells, from left to right, with one meeting each; None if that is not settled."""
        with np.errstate(all="ignore"):
            edges = np.linspace(self._low, self._high, _FIRST_CELLS + 1)
            cells, seen = Box(edges[:-1], edges[1:]), 0
            meetings: list[Box] = []
            while len(cells.low):
                seen += len(cells.low)
                if seen > _MAX_CELLS or (cells.high - cells.low).min() < _NARROWEST:
                    return None
                apart = self._difference(cells, slopes=False)[0].value.is_definite()
                cells = cells.kept(~apart)
                jet, defined = self._difference(cells, slopes=True)
                # Settled: the difference is monotone, and its signs at both ends are certain.
                steep = defined & jet.derivative.is_definite()
                low, high = np.split(self._signs(np.concatenate(cells)), 2)
                meetings.append(cells.kept(steep & (low * high < 0)))
                cells = _cut(cells.kept(~steep | (low * high == 0)))
        low, high = np.concatenate(meetings, axis=1)
        order = np.argsort(low)
        return Box(low[order], high[order])

    def narrowed(self, cells: Box, width: float) -> Box | None:
        """Narrow cells with one meeting each; None if floats are too coarse."""
        with np.errstate(all="ignore"):
            first = self._signs(cells.low)
            while (wide := cells.high - cells.low > width).any():
                middle = cells.low + (cells.high - cells.low) * _PARTS[1]
                sides = self._signs(middle) * first
                if not sides[wide].all():
                    return None
                cells = Box(
                    np.where(wide & (sides > 0), middle, cells.low),
                    np.where(wide & (sides < 0), middle, cells.high),
                )
        return cells

    def tenths(self) -> int | None:
        """Return the area between the graphs in tenths, rounded; None if that is not settled."""
        for error in _ERRORS:
            bounds = self.area(error)
            if bounds is None:
                return None
            low, high = (floor(10 * end + 0.5) for end in bounds)
            if low == high:
                return low
        return None

    def area(self, error: float) -> tuple[float, float] | None:
        """Bound the area; the bounds are about `error` apart, None if that takes many cells."""
        edges = np.linspace(self._low, self._high, _FIRST_CELLS + 1)
        cells, seen, least, most = Box(edges[:-1], edges[1:]), 0, 0.0, 0.0
        with np.errstate(all="ignore"):
            while len(cells.low):
                seen += len(cells.low)
                width = cells.high - cells.low
                if seen > _MAX_CELLS or width.min() < _NARROWEST:
                    return None
                low, high = self._areas(cells)
                near = high - low <= error / (self._high - self._low) * width
                least, most = least + float(low[near].sum()), most + float(high[near].sum())
                cells = _cut(cells.kept(~near))
        return least - _SUMMED * most, most + _SUMMED * most

    def _areas(self, cells: Box) -> tuple[Floats, Floats]:
        """Bound the area on each cell.

        On a cell of width w on which h = f - g keeps its sign, the integral of |h| differs from w
        times |h| at the middle by at most w^2 / 8 times the spread of h'.
        """
        height = self._height(cells, slopes=True)
        middle = cells.low + (cells.high - cells.low) / 2
        at = self._height(Box(middle, middle), slopes=False).value.size()
        width = cells.high - cells.low
        spread = width * width / 8 * (height.derivative.high - height.derivative.low)
        size, definite = height.value.size(), height.value.is_definite()
        low = np.where(definite, np.maximum(at.low * width - spread, 0.0), 0.0)
        high = np.where(
            definite, np.fmin(at.high * width + spread, size.high * width), size.high * width
        )
        return low, high


def _minus(a: Jet, b: Jet) -> Jet:
    slope = a.slope and b.slope and a.slope.minus(b.slope)
    return Jet(a.value.minus(b.value), slope)


def _cut(cells: Box) -> Box:
    """Cut every cell."""
    ends = [cells.low + (cells.high - cells.low) * part for part in _PARTS[1:-1]]
    ends = [cells.low, *ends, cells.high]
    return Box(np.concatenate(ends[:-1]), np.concatenate(ends[1:]))
