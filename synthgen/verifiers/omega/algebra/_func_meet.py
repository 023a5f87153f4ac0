"""Meetings of two functions from the text, on cells between the cuts of both.

Between two neighbouring cuts (places at which f or g turns or is undefined) both functions are
monotone, so that their values at a cell's ends bound them on it, and the slopes of all layers are
bounded by those values as well. A cell is cut until the ranges are apart, or f - g is monotone and
the signs at the ends tell whether it has a zero.
"""

from __future__ import annotations

from synthgen.verifiers.omega.algebra._func_back import Chain
from synthgen.verifiers.omega.algebra._func_fixed import (
    Bounds,
    OpenError,
    bounds,
    exponential,
    pi,
    ratio,
    sine_of_turns,
    times,
)
from synthgen.verifiers.omega.algebra._func_points import (
    UNDEFINED,
    turning_points,
    undefined_points,
)
from synthgen.verifiers.omega.algebra._func_read import Layer

_DEEPEST, _MOST_CELLS = 200, 60_000
_LARGEST_POWER, _ENDLESS = 500, 40
_GAP = 53
"""A cut is at most 2^-53 to either side of a turning point or a pole."""
Ends = tuple[int, int]
"""A cell's ends, times 2^bits."""


class Meeting:
    """Two functions on one interval.

    Args:
        f, g: chains on the same interval with the same precision.
    """

    def __init__(self, f: Chain, g: Chain) -> None:
        self.f, self.g = f, g
        self.bits = f.bits
        self._known: dict[int, tuple[list[Bounds], list[Bounds]]] = {}
        self._seen = 0

    def cells(self) -> list[Ends]:
        """Return cells, from left to right, each with exactly one place where f = g.

        Raises:
            OpenError: if that is not settled.
        """
        found: list[Ends] = []
        for low, high in self._smooth(found):
            self._search(low, high, found, 0)
        return sorted(found)

    def _smooth(self, found: list[Ends]) -> list[Ends]:
        """Return the cells between cuts, and add those around a cut that have a meeting."""
        bits = self.bits
        cuts: list[tuple[int, int, bool]] = []
        for chain in (self.f, self.g):
            for point in (*turning_points(chain), *undefined_points(chain)):
                low, high = bounds(point.x, bits)
                gap = 1 << (bits - max(_GAP, bits // 6))
                cuts.append((low - gap, high + gap, point.kind == UNDEFINED))
        cells = []
        start, end = (bounds(x, bits)[0] for x in (self.f.low, self.f.high))
        for low, high, undefined in _merged(cuts):
            if not undefined and start < low and high < end:
                self._cut(low, high, found)
            if start < low:
                cells.append((start, min(low, end)))
            start = max(start, high)
        if start < end:
            cells.append((start, end))
        return cells

    def _cut(self, low: int, high: int, found: list[Ends]) -> None:
        """Look for a meeting on a narrow piece around a turning point.

        Raises:
            OpenError: if the functions may touch there.
        """
        f, g = self._values(self.f, (low, high)), self._values(self.g, (low, high))
        if f[-1][0] > g[-1][1] or g[-1][0] > f[-1][1]:
            return
        f_slope, g_slope = self._slopes(self.f, f, f), self._slopes(self.g, g, g)
        if f_slope[0] <= g_slope[1] and g_slope[0] <= f_slope[1]:
            raise OpenError
        if self.sign(low) != self.sign(high):
            found.append((low, high))

    def _at(self, x: int) -> tuple[list[Bounds], list[Bounds]]:
        """Return the values of all layers of both functions at a place."""
        if x not in self._known:
            self._known[x] = self._values(self.f, (x, x)), self._values(self.g, (x, x))
        return self._known[x]

    def _values(self, chain: Chain, x: Bounds) -> list[Bounds]:
        values = [x]
        for layer in chain.layers:
            x = _onward(layer, x, self.bits)
            values.append(x)
        return values

    def sign(self, x: int) -> int:
        """Return the sign of f - g at a place.

        Raises:
            OpenError: if it is not certain.
        """
        f, g = self._at(x)
        if f[-1][0] > g[-1][1]:
            return 1
        if f[-1][1] < g[-1][0]:
            return -1
        raise OpenError

    def _search(self, low: int, high: int, found: list[Ends], depth: int) -> None:
        self._seen += 1
        if depth > _DEEPEST or self._seen > _MOST_CELLS:
            raise OpenError
        (f_low, g_low), (f_high, g_high) = self._at(low), self._at(high)
        first, second = _hull(f_low[-1], f_high[-1]), _hull(g_low[-1], g_high[-1])
        if first[0] > second[1] or first[1] < second[0]:
            return
        f_slope = self._slopes(self.f, f_low, f_high)
        g_slope = self._slopes(self.g, g_low, g_high)
        if f_slope[0] > g_slope[1] or f_slope[1] < g_slope[0]:
            if self.sign(low) != self.sign(high):
                found.append((low, high))
            return
        middle = low + (high - low) * 15_487 // 32_000
        self._search(low, middle, found, depth + 1)
        self._search(middle, high, found, depth + 1)

    def _slopes(self, chain: Chain, low: list[Bounds], high: list[Bounds]) -> Bounds:
        """Bound the derivative on a cell on which all layers are monotone."""
        product: Bounds = (1 << self.bits, 1 << self.bits)
        for layer, start, stop in zip(chain.layers, low, high, strict=False):
            factor = _slope_range(layer, _hull(start, stop), self.bits)
            product = bounds(times(product, factor, self.bits), self.bits)
        return product

    def narrowed(self, cell: Ends, width: int) -> Ends:
        """Halve a cell with one meeting until it is no wider than `width`."""
        low, high = cell
        first = self.sign(low)
        while high - low > width:
            middle = low + (high - low) * 15_487 // 32_000
            if self.sign(middle) == first:
                low = middle
            else:
                high = middle
        return low, high


def _linear(u: Bounds, factor: int, constant: int, bits: int) -> Bounds:
    """Return factor * u + constant."""
    first, second = u[0] * factor + (constant << bits), u[1] * factor + (constant << bits)
    return (first, second) if factor >= 0 else (second, first)


def _onward(layer: Layer, u: Bounds, bits: int) -> Bounds:
    """Enclose a layer's values on an interval.

    Raises:
        OpenError: if it may hold a pole.
    """
    kind, c = layer
    if kind == "linear":
        return _linear(u, c[0], c[1], bits)
    if kind == "quadratic":
        low, high = bounds(times(_linear(u, c[0], c[1], bits), u, bits), bits)
        return low + (c[2] << bits), high + (c[2] << bits)
    if kind == "abs":
        low, high = u[0] - (c[1] << bits), u[1] - (c[1] << bits)
        size = (low, high) if low > 0 else (max(low, -high, 0), max(-low, high))
        return _linear(size, c[0], c[2], bits)
    if kind == "quotient":
        over, under = _linear(u, c[0], c[1], bits), _linear(u, c[2], c[3], bits)
        return bounds(ratio(over, under, bits), bits)
    if kind == "exp":
        return _linear(_exponential(_linear(u, c[1], 0, bits), bits), c[0], c[2], bits)
    low, high = _linear(u, c[1], 0, bits)
    quarter = 1 << (bits - 1) if kind == "cos" else 0
    turns = low + quarter, high + quarter
    return _linear(sine_of_turns(turns, c[2], bits), c[0], c[3], bits)


def _merged(cuts: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """Join pieces that overlap; each is (low, high, whether something is undefined in it)."""
    merged: list[tuple[int, int, bool]] = []
    for low, high, undefined in sorted(cuts):
        if merged and low <= merged[-1][1]:
            before = merged.pop()
            merged.append((before[0], max(before[1], high), before[2] or undefined))
        else:
            merged.append((low, high, undefined))
    return merged


def _exponential(power: Bounds, bits: int) -> Bounds:
    """Return e^power; beyond e^500 the upper bound stands for any number, however large."""
    low, high = power
    limit = _LARGEST_POWER << bits
    if high <= limit:
        return (
            exponential((low, high), bits)
            if low > -limit
            else (0, exponential((high, high), bits)[1])
        )
    return exponential((max(-limit, min(low, limit)),) * 2, bits)[0], 1 << _ENDLESS * bits


def _hull(a: Bounds, b: Bounds) -> Bounds:
    return min(a[0], b[0]), max(a[1], b[1])


def _slope_range(layer: Layer, u: Bounds, bits: int) -> Bounds:
    """Bound a layer's derivative on an interval."""
    kind, c = layer
    if kind == "linear":
        return c[0] << bits, c[0] << bits
    if kind == "quadratic":
        return _linear(u, 2 * c[0], c[1], bits)
    if kind == "abs":
        place, slope = c[1] << bits, c[0] << bits
        if u[0] >= place:
            return slope, slope
        return (-slope, -slope) if u[1] <= place else (-abs(slope), abs(slope))
    if kind == "exp":
        steep = _exponential(_linear(u, c[1], 0, bits), bits)
        return _linear(steep, c[0] * c[1], 0, bits)
    if kind == "quotient":
        return _quotient_slope(c, u, bits)
    quarter = 1 << (bits - 1 if kind == "sin" else bits)
    low, high = _linear(u, c[1], 0, bits)
    turns = low + quarter, high + quarter
    low, high = sine_of_turns(turns, c[2], bits)
    wave = max(low, -1 << bits), min(high, 1 << bits)
    return bounds(times(_linear(pi(bits), c[1] * c[0], 0, bits), wave, bits), bits)


def _quotient_slope(c: tuple[int, ...], u: Bounds, bits: int) -> Bounds:
    """Bound (a d - b c) / (c u + d)^2."""
    under = _linear(u, c[2], c[3], bits)
    det = c[0] * c[3] - c[1] * c[2]
    near = min(abs(under[0]), abs(under[1])) if under[0] > 0 or under[1] < 0 else 1
    far = max(abs(under[0]), abs(under[1]))
    one = 1 << 3 * bits
    ends = det * one // (max(near, 1) ** 2), det * one // (far * far)
    return min(ends) - 1, max(ends) + 1
