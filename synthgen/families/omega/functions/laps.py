"""Counting by laps: the monotone pieces of a chain of layers on an interval, pushed layer by layer.

A lap is a maximal open piece on which every layer so far is monotone; only the limits at
its ends are kept, with the number of laps that have them. A layer splits a lap where its turning
point (vertex, corner, crest) or its pole lies strictly inside. Places are never computed: the
interval's ends, turning points and poles are rational, and so are all values up to a transcendental
layer. A value of that layer at a rational place, also after later layers, is a `Real`: it is
compared with rational numbers by balls of rising precision. Between two laps the function either
turns or is undefined, so that laps and turning points answer every question about zeros, extrema
and signs of the derivative exactly.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from flint import arb, fmpq

from synthgen.families.omega.functions.layers import (
    WAVES,
    Function,
    Layer,
    UndecidedError,
    applied,
    carried,
    precision,
)

Rational: TypeAlias = tuple[int, int]
"""Numerator and denominator, not always in lowest terms; the denominator is positive, or 0 for an
infinity of the numerator's sign."""
Value: TypeAlias = "Rational | Real"
Lap: TypeAlias = tuple[Value, Value, bool, int]
"""Lower and upper limit, whether the function rises, and number of such laps."""
Turn: TypeAlias = tuple[Value, int, int]
"""Value, MINIMUM or MAXIMUM, and number of such turning points."""
MINIMUM, MAXIMUM = 0, 1
_PRECISIONS = (128, 640, 2_560)
"""Bits of balls that comparisons try one after another."""
_LARGEST_EXPONENT, _ANY_EXPONENT = 250, 10**9
"""Largest magnitude of the exponent of a layer e^(b u) that is compared, in draws and steps."""
_PHASE_BITS = 256
_MAX_LAPS, _MAX_BITS = 20_000, 8_000
_ZERO: Rational = (0, 1)


class Real:
    """A transcendental layer's value at a rational place, after the layers that follow."""

    __slots__ = ("_at", "_known", "_largest", "_layers")

    def __init__(self, at: Rational, layers: tuple[Layer, ...], largest: int) -> None:
        self._at = at
        self._layers = layers
        self._largest = largest
        self._known: dict[int, arb] = {}

    def through(self, layer: Layer) -> Real:
        """Return the value after one more layer."""
        further = Real(self._at, (*self._layers, layer), self._largest)
        for bits, ball in self._known.items():
            with precision(bits):
                further._known[bits] = applied(layer, ball)
        return further

    def _ball(self, bits: int) -> arb:
        """Return a ball that holds the value; `bits` is the current precision."""
        if bits not in self._known:
            kind, c = self._layers[0]
            if kind == "exp" and abs(c[1] * self._at[0]) > self._largest * self._at[1]:
                raise UndecidedError
            ball = arb(fmpq(*self._at))
            for layer in self._layers:
                ball = applied(layer, ball)
            self._known[bits] = ball
        return self._known[bits]

    def sign_from(self, other: Rational) -> int:
        """Return the sign of this minus a rational number, which is never 0.

        Raises:
            UndecidedError: if no precision settles it.
        """
        for bits in _PRECISIONS:
            with precision(bits):
                difference = self._ball(bits) * other[1] - other[0]
            if difference > 0:
                return 1
            if difference < 0:
                return -1
        raise UndecidedError


def sign_from(value: Value, other: Rational) -> int:
    """Return the sign of a value minus a finite rational number."""
    if isinstance(value, Real):
        return value.sign_from(other)
    difference = value[0] * other[1] - other[0] * value[1]
    return (difference > 0) - (difference < 0)


class _Wave:
    """The crests of a layer a sin(b pi u + c) + d or a cos(b pi u + c) + d, numbered by integers.

    The phase b u + c / pi (less 1/2 for a sine) is an integer k at the crests; at even k the bare
    wave is 1, at odd k it is -1. With c = 0 the phase is rational; otherwise it is irrational at
    every rational u, since pi is.
    """

    def __init__(self, layer: Layer) -> None:
        self._layer = layer
        kind, (self._a, self._b, self._c, self._d) = layer
        self._sine = kind == "sin"

    def crest(self, k: int) -> Rational:
        """Return the layer's value at crest k."""
        return self._d + (-self._a if k % 2 else self._a), 1

    def rises_before(self, k: int) -> bool:
        """Return whether the layer rises between the crests k - 1 and k."""
        return (k % 2 == 0) == (self._a > 0)

    def _floor(self, u: Rational) -> tuple[int, bool]:
        """Return the phase rounded down, and whether it is an integer."""
        n, d = 2 * self._b * u[0] - (u[1] if self._sine else 0), 2 * u[1]
        if d == 0:
            raise UndecidedError  # infinitely many crests
        if self._c == 0:
            k, rest = divmod(n, d)
            return k, rest == 0
        with precision(_PHASE_BITS):
            whole = (arb(fmpq(n, d)) + self._c / arb.pi()).floor().unique_fmpz()
        if whole is None:
            raise UndecidedError
        return int(whole), False

    def first_above(self, u: Rational) -> int:
        """Return the first crest strictly above u."""
        return self._floor(u)[0] + 1

    def last_below(self, u: Rational) -> int:
        """Return the last crest strictly below u."""
        k, whole = self._floor(u)
        return k - 1 if whole else k

    def at(self, u: Rational) -> Value:
        """Return the layer's value, as a rational number where it is one."""
        if u[1] == 0:
            raise UndecidedError
        if self._c == 0:
            turns = (self._b * Fraction(*u) + (0 if self._sine else Fraction(1, 2))) % 2
            if turns.denominator <= 2:
                return self._d + self._a * (0, 1, 0, -1)[int(2 * turns)], 1
            if turns.denominator == 6:
                return 2 * self._d + (self._a if turns < 1 else -self._a), 2
        return Real(u, (self._layer,), 0)


@dataclass
class Laps:
    """The laps of a function on an interval.

    Attributes:
        laps: The laps, in no order.
        turns: The turning points inside the interval, in no order.
        ends: Values at the interval's ends, None where undefined.
    """

    laps: list[Lap]
    turns: list[Turn]
    ends: list[Value | None]

    def size(self) -> int:
        """Return the number of laps."""
        return sum(lap[3] for lap in self.laps)

    def moving(self, *, up: bool) -> int:
        """Return the number of laps that rise or fall."""
        return sum(lap[3] for lap in self.laps if lap[2] == up)

    def turning(self, *kinds: int) -> int:
        """Return the number of turning points of some kinds."""
        return sum(n for _, kind, n in self.turns if kind in kinds)

    def turning_at(self, value: Fraction) -> int:
        """Return the number of turning points with a rational value."""
        place = (value.numerator, value.denominator)
        return sum(n for own, _, n in self.turns if sign_from(own, place) == 0)

    def undefined(self) -> int:
        """Return the number of places inside the interval at which the function is undefined."""
        return self.size() - 1 - sum(turn[2] for turn in self.turns)

    def is_whole(self) -> bool:
        """Return whether the function is defined on the whole closed interval."""
        return self.undefined() == 0 and None not in self.ends

    def has_finite_gaps(self) -> bool:
        """Return whether the function is undefined somewhere with a finite limit from a side."""
        infinite = 0
        for low, high, _, n in self.laps:
            infinite += n * sum(not isinstance(end, Real) and end[1] == 0 for end in (low, high))
        return infinite != 2 * self.undefined() or None in self.ends

    def zeros(self) -> int:
        """Return the number of zeros, the interval's ends included."""
        count = 0
        for low, high, _, n in self.laps:  # a lap is monotone, so it has at most one zero
            if sign_from(low, _ZERO) < 0 < sign_from(high, _ZERO):
                count += n
        count += sum(n for value, _, n in self.turns if sign_from(value, _ZERO) == 0)
        return count + sum(end is not None and sign_from(end, _ZERO) == 0 for end in self.ends)


def laps_of(
    function: Function, low: Fraction, high: Fraction, largest: int = _LARGEST_EXPONENT
) -> Laps:
    """Return the laps of a function on the interval from `low` to `high`.

    Args:
        function: Layers of the function.
        low: Left end of the interval.
        high: Right end.
        largest: Largest exponent of a layer e^(b u) that is compared, in magnitude.

    Raises:
        UndecidedError: for a comparison that stays open, infinitely many laps, or too many.
    """
    ends = [(end.numerator, end.denominator) for end in (low, high)]
    laps = Laps([(ends[0], ends[1], True, 1)], [], list(ends))
    for layer in function:
        laps = _Push(layer, largest).all(laps)
    return laps


class _Push:
    """One layer, applied to all laps."""

    def __init__(self, layer: Layer, largest: int) -> None:
        self._layer, self._largest = layer, largest
        self._kind, self._c = layer
        self._wave = _Wave(layer) if self._kind in WAVES else None
        self._turn: Rational | None = None
        self._pole: Rational | None = None
        self._known: dict[Real, Real] = {}
        self._laps: list[Lap] = []
        self._turns: list[Turn] = []
        self._whole: Counter[tuple[int, bool]] = Counter()
        self._crests: Counter[int] = Counter()
        c = self._c
        if self._kind == "quadratic":
            self._turn = (-c[1], 2 * c[0]) if c[0] > 0 else (c[1], -2 * c[0])
        elif self._kind == "abs":
            self._turn = (c[1], 1)
        elif self._kind == "quotient":
            self._pole = (-c[3], c[2])

    def all(self, old: Laps) -> Laps:
        if len(old.laps) > _MAX_LAPS:
            raise UndecidedError
        for value, kind, n in old.turns:
            if not self._is_pole(value):  # a turn stays a turn; the layer decides its kind
                up = self._rises(value, above=kind == MINIMUM)
                self._turns.append((self._at(value), kind if up else 1 - kind, n))
        for lap in old.laps:
            if self._wave is None:
                self._split(*lap)
            else:
                self._waves(self._wave, *lap)
        if self._wave is not None:
            self._collect(self._wave)
        ends = [None if end is None or self._is_pole(end) else self._at(end) for end in old.ends]
        return Laps(self._laps, self._turns, ends)

    def _is_pole(self, value: Value) -> bool:
        return self._pole is not None and sign_from(value, self._pole) == 0

    def _at(self, value: Value) -> Value:
        """Return the layer's value, or its limit at an infinity."""
        if isinstance(value, Real):
            if self._kind == "exp" or self._wave is not None:
                raise UndecidedError
            if value not in self._known:
                self._known[value] = value.through(self._layer)
            return self._known[value]
        if self._wave is not None:
            return self._wave.at(value)
        n, d = value
        c = self._c
        if self._kind != "exp":
            if self._kind == "quadratic" and n.bit_length() > _MAX_BITS:
                raise UndecidedError
            over, under = carried(self._layer, n, d)
            return (-over, -under) if under < 0 else (over, under)
        if n == 0:  # the layer is a e^(b u) + c: rational at 0 and, as a limit, at infinities
            return c[0] + c[2], 1
        if d == 0:
            return (c[0], 0) if (n > 0) == (c[1] > 0) else (c[2], 1)
        return Real(value, (self._layer,), self._largest)

    def _limit(self, value: Value, *, above: bool) -> Value:
        """Return the layer's limit as its input comes from above or below."""
        if self._is_pole(value):
            return (-1 if self._rises(value, above=above) == above else 1), 0
        return self._at(value)

    def _rises(self, value: Value, *, above: bool) -> bool:
        """Return whether the layer rises just above or just below a value."""
        c = self._c
        if self._turn is not None:
            side = sign_from(value, self._turn) or (1 if above else -1)
            return (side > 0) == (c[0] > 0)
        if self._wave is not None:
            if isinstance(value, Real):
                raise UndecidedError
            k = self._wave.first_above(value) if above else self._wave.last_below(value) + 1
            return self._wave.rises_before(k)
        if self._kind == "quotient":
            return c[0] * c[3] > c[1] * c[2]
        return c[0] > 0 if self._kind == "linear" else c[0] * c[1] > 0

    def _split(self, low: Value, high: Value, up: bool, n: int) -> None:
        """Cut a lap where the layer turns or has its pole, if that is strictly inside."""
        ends = [low, high]
        cut = self._turn or self._pole
        if cut is not None and sign_from(low, cut) < 0 < sign_from(high, cut):
            ends.insert(1, cut)
            if self._turn is not None:
                self._turns.append((self._at(cut), MINIMUM if self._c[0] > 0 else MAXIMUM, n))
        for start, stop in pairwise(ends):
            limits = self._limit(start, above=True), self._limit(stop, above=False)
            self._add(limits, self._rises(start, above=True), up, n)

    def _add(self, limits: tuple[Value, Value], rises: bool, up: bool, n: int) -> None:
        """Add a lap by the limits at the lower and upper end of its input, which rises if `up`."""
        first, second = limits if rises else limits[::-1]
        self._laps.append((first, second, rises == up, n))

    def _waves(self, wave: _Wave, low: Value, high: Value, up: bool, n: int) -> None:
        """Cut a lap at its first and last crest, and count what is between these."""
        if isinstance(low, Real) or isinstance(high, Real):
            raise UndecidedError
        first, last = wave.first_above(low), wave.last_below(high)
        if first > last:
            self._add((wave.at(low), wave.at(high)), wave.rises_before(first), up, n)
            return
        self._add((wave.at(low), wave.crest(first)), wave.rises_before(first), up, n)
        self._add((wave.crest(last), wave.at(high)), wave.rises_before(last + 1), up, n)
        for parity in (0, 1):
            self._crests[parity] += n * ((last - first + 1 + (first % 2 == parity)) // 2)
            # The whole laps end at the crests first + 1 .. last.
            whole = (last - first + ((first + 1) % 2 == parity)) // 2
            self._whole[parity, up] += n * whole

    def _collect(self, wave: _Wave) -> None:
        """Add the crests and the laps between crests, which are all alike."""
        for parity, n in self._crests.items():
            if n:
                kind = MAXIMUM if wave.rises_before(parity) else MINIMUM
                self._turns.append((wave.crest(parity), kind, n))
        for (parity, up), n in self._whole.items():
            if n:
                limits = wave.crest(parity + 1), wave.crest(parity)
                self._add(limits, wave.rises_before(parity), up, n)


@dataclass(frozen=True)
class Search:
    """Search for turning points, to the nearest integer, by counts on parts of an interval.

    Attributes:
        function: Layers of the function.
        low, high: Ends of the interval.
        kinds: Kinds of the turning points in question.
        value: Rational value that they have, None for any.
        largest: Largest exponent that is compared, in magnitude.
    """

    function: Function
    low: Fraction
    high: Fraction
    kinds: tuple[int, ...]
    value: Fraction | None = None
    largest: int = _LARGEST_EXPONENT

    def _between(self, low: Fraction, high: Fraction) -> int:
        if low >= high:
            return 0
        laps = laps_of(self.function, low, high, self.largest)
        return laps.turning(*self.kinds) if self.value is None else laps.turning_at(self.value)

    def _before(self, end: Fraction) -> int:
        return self._between(self.low, min(end, self.high))

    def nearest(self, number: int) -> int | None:
        """Return the integer nearest to a point, numbered from 1 at the left; None for a tie."""
        half = Fraction(1, 2)
        low, high = self.low.__floor__(), self.high.__ceil__()  # integers around the answer
        while low < high:
            middle = (low + high) // 2
            if self._before(middle + half) >= number:
                high = middle
            else:
                low = middle + 1
        total = self._before(self.high)
        # A point exactly at half an integer is missing from both sides of it: a tie.
        for end in (low - half, low + half):
            outside = not self.low < end < self.high
            if not outside and self._before(end) + self._between(end, self.high) != total:
                return None
        return low

    def thousandths(self, number: int) -> int:
        """Return the x of a point, numbered from 1 at the left, in thousandths, rounded down."""
        search = replace(self, largest=_ANY_EXPONENT)
        low, high = (1000 * self.low).__floor__(), (1000 * self.high).__floor__()
        while low < high:
            middle = (low + high + 1) // 2
            if search._before(Fraction(middle, 1000)) >= number:
                high = middle - 1
            else:
                low = middle
        return low

    def mean(self, total: int) -> int | None:
        """Return the integer nearest to the mean of all points; None if it may be a tie."""
        within = [(self.low, self.high)] * total
        finest = Fraction(1, 1 << 24)
        while max(high - low for low, high in within) > finest:
            within = [self._halved(ends, number) for number, ends in enumerate(within, 1)]
            low, high = (sum(ends, Fraction(0)) / total for ends in zip(*within, strict=True))
            nearest = (low + Fraction(1, 2)).__floor__()
            if nearest == (high - Fraction(1, 2)).__ceil__():
                return nearest if low > nearest - Fraction(1, 2) else None
        return None

    def _halved(self, ends: tuple[Fraction, Fraction], number: int) -> tuple[Fraction, Fraction]:
        low, high = ends
        # Cut beside the middle: points are often at simple fractions.
        middle = low + (high - low) * Fraction(123, 256)
        return (low, middle) if self._before(middle) >= number else (middle, high)


def best_value(laps: Laps, kinds: tuple[int, ...], *, highest: bool) -> Fraction | None:
    """Return the highest or lowest value of turning points if only one of them has it."""
    values: list[Fraction] = []
    for value, kind, _ in laps.turns:
        if kind in kinds:
            if isinstance(value, Real):
                return None
            values.append(Fraction(*value))
    best = max(values) if highest else min(values)
    # A turning point of the other kind may not have that value either.
    return best if laps.turning_at(best) == 1 else None
