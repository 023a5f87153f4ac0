"""Counting by laps: the monotone pieces of a chain of layers on an interval, pushed layer by layer.

A lap is a maximal open piece on which every layer so far is monotone; all that is kept of it are
the limits at its ends and how many laps have these. A layer splits a lap where its turning point
(vertex, corner, crest) or its pole lies strictly inside. Places are never computed: the interval's
ends, turning points and poles are rational, so are all values up to a transcendental layer, and
what follows it is compared by enclosures. Between two laps the function either turns or is
undefined, so that laps and turning points answer every question about zeros, extrema and signs of
the derivative exactly.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from synthgen.generators.omega.algebra._func_layers import Function, Layer
from synthgen.generators.omega.algebra._func_turns import WaveMap
from synthgen.generators.omega.algebra._func_values import (
    Rational,
    Real,
    UndecidedError,
    Value,
    sign_from,
)

Lap: TypeAlias = tuple[Value, Value, bool, int]
"""Lower and upper limit, whether the function rises, and how many laps are like that."""
Turn: TypeAlias = tuple[Value, int, int]
"""Value, MINIMUM or MAXIMUM, and how many turning points are like that."""
MINIMUM, MAXIMUM = 0, 1
_MOST_LAPS = 20_000
_MOST_BITS = 8_000
_ZERO: Rational = (0, 1)


@dataclass
class Laps:
    """The laps of a function on an interval.

    Attributes:
        laps: the laps, in no order.
        turns: the turning points inside the interval, in no order.
        ends: values at the interval's ends, None where undefined.
    """

    laps: list[Lap]
    turns: list[Turn]
    ends: list[Value | None]

    def rising(self) -> int:
        """Return how many laps rise."""
        return sum(n for _, _, up, n in self.laps if up)

    def falling(self) -> int:
        """Return how many laps fall."""
        return sum(n for _, _, up, n in self.laps if not up)

    def turning(self, kind: int) -> int:
        """Return how many turning points of a kind there are."""
        return sum(n for _, own, n in self.turns if own == kind)

    def turning_at(self, value: Fraction) -> int:
        """Return how many turning points have a rational value."""
        place = (value.numerator, value.denominator)
        return sum(n for own, _, n in self.turns if sign_from(own, place) == 0)

    def undefined(self) -> int:
        """Return at how many places inside the interval the function is undefined."""
        return sum(lap[3] for lap in self.laps) - 1 - sum(turn[2] for turn in self.turns)

    def has_finite_gaps(self) -> bool:
        """Say whether the function is undefined somewhere with a finite limit from a side."""
        infinite = 0
        for low, high, _, n in self.laps:
            infinite += n * sum(not isinstance(end, Real) and end[1] == 0 for end in (low, high))
        return infinite != 2 * self.undefined() or None in self.ends

    def zeros(self) -> int:
        """Return how often the function is zero, the interval's ends included."""
        count = 0
        for low, high, _, n in self.laps:
            if sign_from(low, _ZERO) < 0 < sign_from(high, _ZERO):
                count += n
        count += sum(n for value, _, n in self.turns if sign_from(value, _ZERO) == 0)
        return count + sum(end is not None and sign_from(end, _ZERO) == 0 for end in self.ends)


def laps_of(function: Function, low: Fraction, high: Fraction) -> Laps:
    """Return the laps of a function on the interval from `low` to `high`.

    Raises:
        UndecidedError: for a comparison that stays open, infinitely many laps, or too many.
    """
    ends = [(end.numerator, end.denominator) for end in (low, high)]
    laps = Laps([(ends[0], ends[1], True, 1)], [], list(ends))
    for layer in function:
        laps = _Push(layer).all(laps)
    return laps


class _Push:
    """One layer, applied to all laps."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self.kind, self.c = layer
        self.wave = WaveMap(layer) if self.kind in ("sin", "cos") else None
        self.turn: Rational | None = None
        self.pole: Rational | None = None
        self.rises = True
        self._known: dict[Real, Real] = {}
        self._whole: Counter[tuple[int, bool]] = Counter()
        self._crests: Counter[int] = Counter()
        c = self.c
        if self.kind == "linear":
            self.rises = c[0] > 0
        elif self.kind == "quadratic":
            self.turn = (-c[1], 2 * c[0]) if c[0] > 0 else (c[1], -2 * c[0])
        elif self.kind == "abs":
            self.turn = (c[1], 1)
        elif self.kind == "quotient":
            self.pole = (-c[3], c[2])
            self.rises = c[0] * c[3] > c[1] * c[2]
        elif self.kind == "exp":
            self.rises = c[0] * c[1] > 0

    def all(self, old: Laps) -> Laps:
        laps: list[Lap] = []
        turns: list[Turn] = []
        for value, kind, n in old.turns:
            if self.pole is not None and sign_from(value, self.pole) == 0:
                continue
            up = self._rises_beside(value, above=kind == MINIMUM)
            turns.append((self._at(value), kind if up else 1 - kind, n))
        if len(old.laps) > _MOST_LAPS:
            raise UndecidedError
        for lap in old.laps:
            if self.wave is None:
                self._split(lap, laps, turns)
            else:
                self._waves(self.wave, lap, laps)
        if self.wave is not None:
            self._collect(self.wave, laps, turns)
        ends: list[Value | None] = []
        for end in old.ends:
            at_pole = end is None or (self.pole is not None and sign_from(end, self.pole) == 0)
            ends.append(None if end is None or at_pole else self._at(end))
        return Laps(laps, turns, ends)

    def _at(self, value: Value) -> Value:
        """Return the layer's value, or its limit at an infinity."""
        if isinstance(value, Real):
            return self._at_real(value)
        if self.wave is not None:
            return self.wave.at(value)
        n, d = value
        c = self.c
        if self.kind == "linear":
            return c[0] * n + c[1] * d, d
        if self.kind == "abs":
            return c[0] * abs(n - c[1] * d) + c[2] * d, d
        if self.kind == "quadratic":
            if n.bit_length() > _MOST_BITS:
                raise UndecidedError
            return (c[0] * n + c[1] * d) * n + c[2] * d * d, d * d
        if self.kind == "quotient":
            over, under = c[0] * n + c[1] * d, c[2] * n + c[3] * d
            return (over, under) if under > 0 else (-over, -under)
        if n == 0:
            return c[0] + c[2], 1
        if d == 0:
            return (c[0], 0) if (n > 0) == (c[1] > 0) else (c[2], 1)
        return Real(Fraction(n, d), (self.layer,))

    def _at_real(self, value: Real) -> Real:
        if self.kind in ("exp", "sin", "cos"):
            raise UndecidedError
        if value not in self._known:
            self._known[value] = value.through(self.layer)
        return self._known[value]

    def _rises_beside(self, value: Value, *, above: bool) -> bool:
        """Say whether the layer rises just above or just below a value."""
        if self.turn is not None:
            side = sign_from(value, self.turn) or (1 if above else -1)
            return (side > 0) == (self.c[0] > 0)
        if self.wave is not None:
            return self.wave.rises_beside(value, above=above)
        return self.rises

    def _split(self, lap: Lap, laps: list[Lap], turns: list[Turn]) -> None:
        low, high, up, n = lap
        turn, pole = self.turn, self.pole
        if turn is not None and sign_from(low, turn) < 0 < sign_from(high, turn):
            value = self._at(turn)
            turns.append((value, MINIMUM if self.c[0] > 0 else MAXIMUM, n))
            for end, rises in ((low, self.c[0] < 0), (high, self.c[0] > 0)):
                own = self._at(end)
                ends = (value, own) if self.c[0] > 0 else (own, value)
                laps.append((*ends, rises == up, n))
            return
        if pole is not None:
            far: Rational = (1 if self.rises else -1, 0)  # the limit below the pole
            other: Rational = (-far[0], 0)
            sides = sign_from(low, pole), sign_from(high, pole)
            if sides[0] < 0 < sides[1]:
                self._add(self._at(low), far, up, n, laps)
                self._add(other, self._at(high), up, n, laps)
            else:
                first = self._at(low) if sides[0] else other
                self._add(first, self._at(high) if sides[1] else far, up, n, laps)
            return
        self.rises = self._rises_beside(low, above=True)
        self._add(self._at(low), self._at(high), up, n, laps)

    def _add(self, first: Value, second: Value, up: bool, n: int, laps: list[Lap]) -> None:  # noqa: FBT001
        """Add a lap by the limits at its argument's lower and upper end."""
        ends = (first, second) if self.rises else (second, first)
        laps.append((*ends, self.rises == up, n))

    def _waves(self, wave: WaveMap, lap: Lap, laps: list[Lap]) -> None:
        low, high, up, n = lap
        if isinstance(low, Real) or isinstance(high, Real):
            raise UndecidedError
        first, last = wave.first_above(low), wave.last_below(high)
        if first > last:
            self.rises = wave.rises_before(first)
            self._add(wave.at(low), wave.at(high), up, n, laps)
            return
        self.rises = wave.rises_before(first)
        self._add(wave.at(low), wave.crest(first), up, n, laps)
        self.rises = wave.rises_before(last + 1)
        self._add(wave.crest(last), wave.at(high), up, n, laps)
        for parity in (0, 1):
            self._crests[parity] += n * ((last - first + 1 + (first % 2 == parity)) // 2)
            # The whole laps end at the crests first + 1 .. last.
            whole = (last - first + ((first + 1) % 2 == parity)) // 2
            self._whole[parity, up] += n * whole

    def _collect(self, wave: WaveMap, laps: list[Lap], turns: list[Turn]) -> None:
        """Add the crests and the laps between crests, which are all alike."""
        for parity, n in self._crests.items():
            if n:
                kind = MAXIMUM if wave.rises_before(parity) else MINIMUM
                turns.append((wave.crest(parity), kind, n))
        for (parity, up), n in self._whole.items():
            if n:
                self.rises = wave.rises_before(parity)
                self._add(wave.crest(parity + 1), wave.crest(parity), up, n, laps)
