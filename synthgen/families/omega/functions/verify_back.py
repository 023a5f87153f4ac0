"""Going back through layers: where, how often and in which direction a function takes a value.

A value of the outermost layer is taken at the places that the layer's inverse gives, each of these
again at such places of the layer before, down to x. Numbers stay rational as long as they are; a
number that is only enclosed is irrational, so that comparisons with rational thresholds settle at
some precision, and ties are decided exactly. The many inputs of a wave at which it has a value are
not listed to be counted: between two critical values of what comes before the wave, all inputs have
the same number of x, so one of them is followed back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import inf, isqrt
from typing import Any, TypeAlias, TypeVar

from mpmath.ctx_iv import MPIntervalContext
from mpmath.libmp import mpf_sign, to_float, to_int
from sympy.polys.domains import QQ

from synthgen.families.omega.functions.verify_read import Layers

T = TypeVar("T")
Number: TypeAlias = Any
"""A rational number of SymPy's QQ, an interval of mpmath around an irrational one, or an infinity
as a float."""
Place: TypeAlias = tuple[Number, int]
"""A number, and the direction in which it is passed as x grows: 1, -1, or 0 if a layer turns."""
Counts: TypeAlias = tuple[int, int, int]
"""Number of places passed in the directions 0, 1 and -1, which are also the indices."""

_PRECISIONS = (64, 256, 1_024, 4_096)
_MAX_PLACES, _MAX_STEPS = 20_000, 100_000
_HALF, _RATIONAL = QQ(1, 2), type(QQ(1, 2))
_ARCSINES = {QQ(k, 2): QQ(v, 6) for k, v in ((-2, -3), (-1, -1), (0, 0), (1, 1), (2, 3))}
"""Rational heights of a sine wave whose arcsines over pi are rational."""
_SINES = {angle: height for height, angle in _ARCSINES.items()}


class OpenError(Exception):
    """Intervals do not settle a comparison, or there are too many places."""


def settled(work: Callable[[int], T]) -> T | None:
    """Work with rising precision until nothing is open; None if something always is."""
    for bits in _PRECISIONS:
        try:
            return work(bits)
        except OpenError:
            continue
    return None


@cache
def _intervals(bits: int) -> Any:
    """Return mpmath's interval arithmetic of a precision."""
    context = MPIntervalContext()
    context.prec = bits
    return context


def sign(value: Number) -> int:
    """Return the sign of a number."""
    if isinstance(value, (_RATIONAL, int, float)):
        return (value > 0) - (value < 0)
    low, high = map(mpf_sign, value._mpi_)
    if low != high or not low:
        raise OpenError
    return int(low)


def floor(value: Number) -> tuple[int, bool]:
    """Return a number rounded down, and whether it is an integer."""
    if isinstance(value, _RATIONAL):
        whole, rest = divmod(int(value.numerator), int(value.denominator))
        return whole, rest == 0
    low, high = (int(to_int(end, "f")) for end in value._mpi_)
    if low != high:
        raise OpenError
    return low, False


@dataclass(frozen=True)
class Cut:
    """Places of one kind at which a function turns or is undefined.

    Attributes:
        number: Number of places inside the interval.
        value: Value of the function, or its limit on the left.
        direction: Direction of the function just left of these places, 1 (up) or -1 (down).
        defined: Whether the function is defined there.
        places: Function that lists the places.
    """

    number: int
    value: Number
    direction: int
    defined: bool
    places: Callable[[], list[Number]]


class Chain:
    """A function on an interval.

    Args:
        layers: Layers from the innermost on, at most one of them transcendental.
        low, high: Ends of the interval.
        bits: Precision of intervals.
    """

    def __init__(self, layers: Layers, low: Number, high: Number, bits: int) -> None:
        self.layers, self.low, self.high = layers, low, high
        self._iv = _intervals(bits)
        waves = [i for i, (kind, _) in enumerate(layers) if kind in ("sin", "cos")]
        self._wave = waves[0] if waves else len(layers)
        self._steps_left = _MAX_STEPS
        self._known: dict[int, Counts] = {}

    # Arithmetic

    def _enclosed(self, value: Number) -> Any:
        if not isinstance(value, _RATIONAL):
            return value
        return self._iv.mpf(int(value.numerator)) / int(value.denominator)

    def plus(self, a: Number, b: Number) -> Number:
        """Return a + b."""
        alike = isinstance(a, _RATIONAL) == isinstance(b, _RATIONAL)
        return a + b if alike else self._enclosed(a) + self._enclosed(b)

    def _root(self, value: Number) -> Number:
        """Return the square root of a positive number, exactly if it is rational."""
        if isinstance(value, _RATIONAL):
            n, d = int(value.numerator), int(value.denominator)
            over, under = isqrt(n), isqrt(d)
            if over * over == n and under * under == d:
                return QQ(over, under)
        return self._iv.sqrt(self._enclosed(value))

    def _arcsine(self, height: Number) -> Number:
        """Return asin(height) / pi, exactly if height and result are rational."""
        if isinstance(height, _RATIONAL) and height in _ARCSINES:
            return _ARCSINES[height]
        side = self._enclosed(self._root(1 - height * height))
        return self._iv.atan2(self._enclosed(height), side) / self._iv.pi

    def _sine(self, turns: Number, shift: int) -> Number:
        """Return sin(turns * pi + shift) for rational turns, exactly if that is rational."""
        turns -= 2 * floor(turns / 2)[0]
        if shift == 0:
            side, rest = (1, turns) if turns <= 1 else (-1, turns - 1)
            known = _SINES.get(min(rest, 1 - rest))
            if known is not None:
                return side * known
        return self._iv.sin(self._enclosed(turns) * self._iv.pi + shift)

    # Forward: limits from one side

    def push(self, j: int, v: Number, s: int, stop: int | None = None) -> tuple[Number, int, bool]:
        """Follow the input of layer j to a limit v as x comes from the left, up to layer `stop`.

        The input rises towards v if s is 1, and falls if it is -1. Returned are the limit of the
        last value, its direction, and whether all layers are defined at v.
        """
        defined = True
        for kind, c in self.layers[j:stop]:
            s *= self._slope(kind, c, v, s)
            if kind == "quotient" and not isinstance(v, float) and sign(v * c[2] + c[3]) == 0:
                v, defined = s * inf, False
            else:
                v = self._value(kind, c, v)
        return v, s, defined

    def _slope(self, kind: str, c: tuple[int, ...], v: Number, s: int) -> int:
        """Return 1 if a layer rises just before its input reaches v, and -1 if it falls."""
        a = sign(c[0])
        if kind == "linear":
            return a
        if kind == "exp":
            return a * sign(c[1])
        if kind == "quotient":
            return sign(c[0] * c[3] - c[1] * c[2])
        if kind in ("quadratic", "abs"):
            if isinstance(v, float):
                return a * sign(v)
            return sign(v * (2 * c[0]) + c[1] if kind == "quadratic" else (v - c[1]) * a) or -s * a
        if isinstance(v, float):
            raise OpenError  # infinitely many waves
        turns = v * c[1] + (_HALF if kind == "cos" else 0)  # the wave is a sin(turns pi + c) + d
        k, whole = floor(
            self.plus(turns + _HALF, self._iv.mpf(c[2]) / self._iv.pi if c[2] else QQ(0))
        )
        if whole:  # a crest: at odd k the bare wave is highest
            return s if (k % 2 == 1) == (a > 0) else -s
        return a if k % 2 == 0 else -a

    def _value(self, kind: str, c: tuple[int, ...], v: Number) -> Number:
        """Return a layer's value, or its limit at an infinity."""
        far = isinstance(v, float)
        if kind == "linear":
            return v * c[0] if far else v * c[0] + c[1]
        if kind == "quotient":
            return QQ(c[0], c[2]) if far else (v * c[0] + c[1]) / (v * c[2] + c[3])
        if kind == "exp":
            if far:
                return c[0] * inf if v * c[1] > 0 else QQ(c[2])
            return self._iv.exp(self._enclosed(v * c[1])) * c[0] + c[2] if v else QQ(c[0] + c[2])
        if far:
            return c[0] * inf
        if kind == "quadratic":
            return (v * c[0] + c[1]) * v + c[2]
        if kind == "abs":
            return (v - c[1]) * sign(v - c[1]) * c[0] + c[2]
        return self._sine(v * c[1] + (_HALF if kind == "cos" else 0), c[2]) * c[0] + c[3]

    # Backward: places of a value

    def _before(self, j: int, y: Number) -> list[Place]:
        """Return the inputs at which layer j, not a wave, has a value."""
        kind, c = self.layers[j]
        a = sign(c[0])
        self._steps_left -= 1
        if self._steps_left < 0:
            raise OpenError
        if kind == "linear":
            return [((y - c[1]) / c[0], a)]
        if kind == "quadratic":
            inside = (y - c[2]) * (4 * c[0]) + c[1] * c[1]
            if sign(inside) <= 0:
                return [] if sign(inside) else [(QQ(-c[1], 2 * c[0]), 0)]
            half = self._root(inside)
            return [((half * s - c[1]) / (2 * c[0]), s) for s in (1, -1)]
        if kind == "abs":
            height = (y - c[2]) / c[0]
            if sign(height) <= 0:
                return [] if sign(height) else [(QQ(c[1]), 0)]
            return [(height * s + c[1], s * a) for s in (1, -1)]
        if kind == "quotient":
            under = c[0] - y * c[2]
            determinant = sign(c[0] * c[3] - c[1] * c[2])
            return [((y * c[3] - c[1]) / under, determinant)] if sign(under) else []
        power = (y - c[2]) / c[0]
        if sign(power) <= 0:
            return []
        one = isinstance(power, _RATIONAL) and power == 1
        return [(QQ(0) if one else self._iv.log(self._enclosed(power)) / c[1], a * sign(c[1]))]

    def _starts(self, y: Number) -> list[Place]:
        """Return the t for which the wave has a value at the inputs (t + 2 k) / b."""
        a, _, _, d = self.layers[self._wave][1]
        height = (y - d) / a
        sides = sign(height + 1), sign(1 - height)
        if min(sides) < 0:
            return []
        angle = self._arcsine(height)
        if min(sides) == 0:
            return [(self._shifted(angle), 0)]
        return [(self._shifted(angle), sign(a)), (self._shifted(1 - angle), -sign(a))]

    def _shifted(self, angle: Number) -> Number:
        """Return b u for an angle over pi."""
        kind, (_, _, c, _) = self.layers[self._wave]
        angle = self.plus(angle, -_HALF) if kind == "cos" else angle
        return self._enclosed(angle) - c / self._iv.pi if c else angle

    def _follow(self, j: int, now: list[Place]) -> list[Place]:
        """Return the x of the closed interval that lead to some inputs of layer j."""
        for i in range(j - 1, -1, -1):
            if i == self._wave:
                starts = [(t, s * own) for y, s in now for t, own in self._starts(y)]
                now = [(u, s) for t, s in starts for u in self._inputs(t)]
            else:
                now = [(u, s * own) for y, s in now for u, own in self._before(i, y)]
            if len(now) > _MAX_PLACES:
                raise OpenError
        low, high = self._ends
        return [
            (x, s)
            for x, s in now
            if (
                self.low <= x <= self.high
                if isinstance(x, _RATIONAL)
                else sign(x - low) > 0 and sign(high - x) > 0
            )
        ]

    @cached_property
    def _ends(self) -> tuple[Number, Number]:
        return self._enclosed(self.low), self._enclosed(self.high)

    # Counting through a wave

    @cached_property
    def _critical(self) -> list[Number]:
        """Inputs of the wave between two of which all have the same number of x before them."""
        starts: list[tuple[int, Number, int]] = [(0, self.low, -1), (0, self.high, 1)]
        for j, (kind, c) in enumerate(self.layers[: self._wave]):
            if kind in ("quadratic", "abs"):
                starts.append((j, _turning_input(kind, c), 1))
            elif kind == "quotient":
                starts += [(j, QQ(-c[3], c[2]), s) for s in (1, -1)]
        values = (self.push(*start, stop=self._wave)[0] for start in starts)
        critical = sorted({value for value in values if not isinstance(value, float)})
        beyond = [critical[0] - 1, critical[-1] + 1] if critical else [QQ(0)]
        if any(self._follow(self._wave, [(u, 1)]) for u in beyond):
            raise OpenError  # infinitely many waves
        return critical

    def _phases(self, start: Number) -> list[tuple[int, bool]]:
        """Return the k of (start + 2 k) / b at each critical input, rounded down, and if whole."""
        b = self.layers[self._wave][1][1]
        return [floor(self.plus(-start, u * b) / 2) for u in self._critical]

    def _inputs(self, start: Number) -> list[Number]:
        """Return the inputs (start + 2 k) / b of the wave that may have an x before them."""
        phases = self._phases(start)
        if not phases or phases[-1][0] - phases[0][0] > _MAX_PLACES:
            raise OpenError
        b = self.layers[self._wave][1][1]
        return [(start + 2 * k) / b for k in range(phases[0][0], phases[-1][0] + 1)]

    def _along(self, start: Number) -> Counts:
        """Count the x inside the interval before all inputs (start + 2 k) / b of the wave."""
        phases, critical = self._phases(start), self._critical
        tallies = []
        for i, ((low, _), (high, whole)) in enumerate(pairwise(phases)):
            number = high - low - whole
            if number > 0:  # all inputs between two critical ones lead to equally many x
                if i not in self._known:
                    middle = (critical[i] + critical[i + 1]) / 2
                    self._known[i] = self._tally(self._follow(self._wave, [(middle, 1)]))
                tallies.append((number, self._known[i]))
        for u, (_, whole) in zip(critical, phases, strict=True):
            if whole:
                tallies.append((1, self._tally(self._follow(self._wave, [(u, 1)]))))
        turns, ups, downs = (sum(n * counts[s] for n, counts in tallies) for s in (0, 1, -1))
        return turns, ups, downs

    def _tally(self, places: list[Place]) -> Counts:
        inside = [s for x, s in places if x not in (self.low, self.high)]
        return inside.count(0), inside.count(1), inside.count(-1)

    def count(self, j: int, y: Number) -> Counts:
        """Count the x inside the interval at which the input of layer j is y."""
        if j <= self._wave:
            return self._tally(self._follow(j, [(y, 1)]))
        now: list[Place] = [(y, 1)]
        for i in range(j - 1, self._wave, -1):
            now = [(u, s * own) for v, s in now for u, own in self._before(i, v)]
        total = [0, 0, 0]
        for v, s in now:
            for start, own in self._starts(v):
                counts = self._along(start)
                for way in (0, 1, -1):
                    total[way * s * own] += counts[way]
        return total[0], total[1], total[-1]

    # Questions

    def crests_passed(self) -> int:
        """Return how often the input of the wave passes a crest."""
        starts = (self._shifted(height * _HALF) for height in (1, -1))
        return sum(sum(self._along(start)[1:]) for start in starts)

    def zeros(self) -> int:
        """Return the number of zeros in the closed interval."""
        ends = self.push(0, self.low, -1), self.push(0, self.high, 1)
        at_ends = sum(
            defined and not isinstance(v, float) and sign(v) == 0 for v, _, defined in ends
        )
        return sum(self.count(len(self.layers), QQ(0))) + at_ends

    @cached_property
    def cuts(self) -> list[Cut]:
        """All places inside the interval at which the function turns or is undefined.

        Each is that of the first layer that turns there or is undefined.
        """
        return list(self._each_cut())

    def _each_cut(self) -> Iterator[Cut]:
        for j, (kind, c) in enumerate(self.layers):
            if kind in ("quadratic", "abs"):
                yield from self._cuts_at(j, _turning_input(kind, c), (1, -1))
            elif kind == "quotient":
                for s in (1, -1):
                    yield from self._cuts_at(j, QQ(-c[3], c[2]), (s,))
            elif j == self._wave:
                for height in (1, -1):
                    yield from self._crests(height)

    def _cuts_at(self, j: int, u: Number, ways: tuple[int, ...]) -> Iterator[Cut]:
        """Yield the places at which the input of layer j passes u, in one of some directions."""
        counts = self.count(j, u)
        number = sum(counts[s] for s in ways)
        if number:
            limit = self.push(j, u, ways[0])
            yield Cut(number, *limit, lambda: self._passed(self._follow(j, [(u, 1)]), ways))

    def _crests(self, height: int) -> Iterator[Cut]:
        a, _, _, d = self.layers[self._wave][1]
        start = self._shifted(height * _HALF)
        _, ups, downs = self._along(start)
        if ups + downs:
            limit = self.push(self._wave + 1, QQ(a * height + d), height * sign(a))

            def places() -> list[Number]:
                before: list[Place] = [(u, 1) for u in self._inputs(start)]
                return self._passed(self._follow(self._wave, before), (1, -1))

            yield Cut(ups + downs, *limit, places)

    def _passed(self, places: list[Place], ways: tuple[int, ...]) -> list[Number]:
        return [x for x, s in places if s in ways and x not in (self.low, self.high)]

    def pieces(self, direction: int) -> int:
        """Return the number of maximal pieces on which the function rises (1) or falls (-1)."""
        left = sum(cut.number for cut in self.cuts if cut.direction == direction)
        return left + (self.push(0, self.high, 1)[1] == direction)

    def in_order(self, places: list[Number]) -> list[Number]:
        """Sort places from left to right."""
        ordered = sorted(places, key=lambda x: to_float(self._enclosed(x)._mpi_[0]))
        for left, right in pairwise(ordered):
            if sign(self.plus(right, -left)) <= 0:
                raise OpenError
        return ordered


def _turning_input(kind: str, c: tuple[int, ...]) -> Number:
    return QQ(-c[1], 2 * c[0]) if kind == "quadratic" else QQ(c[1])
