"""Crests of a wave a sin(b pi u + c) + d or a cos(b pi u + c) + d, numbered by integers.

The phase b u + c / pi (less 1/2 for a sine) is an integer k at the crests; at even k the bare wave
is 1, at odd k it is -1. With c = 0 the phase is rational; otherwise it is irrational at every
rational u, since pi is.
"""

from __future__ import annotations

from fractions import Fraction

from synthgen.generators.omega.algebra._func_layers import Layer
from synthgen.generators.omega.algebra._func_values import (
    Rational,
    Real,
    UndecidedError,
    Value,
    pi_bits,
)

_BITS = 256
_HALF = Fraction(1, 2)


class WaveMap:
    """One layer of the kind sin or cos."""

    def __init__(self, layer: Layer) -> None:
        self._layer = layer
        kind, (self._a, self._b, self._c, self._d) = layer
        self._sine = kind == "sin"
        self._shift = (self._c << 2 * _BITS) // pi_bits(_BITS)

    def crest(self, k: int) -> Rational:
        """Return the layer's value at crest k."""
        return self._d + (-self._a if k % 2 else self._a), 1

    def rises_before(self, k: int) -> bool:
        """Say whether the layer rises between the crests k - 1 and k."""
        return (k % 2 == 0) == (self._a > 0)

    def _floor(self, u: Rational) -> tuple[int, bool]:
        """Return the phase rounded down, and whether it is an integer."""
        n, d = 2 * self._b * u[0] - (u[1] if self._sine else 0), 2 * u[1]
        if d == 0:
            raise UndecidedError  # infinitely many crests
        if self._c == 0:
            k, rest = divmod(n, d)
            return k, rest == 0
        place = (n << _BITS) // d + self._shift
        # Both quotients are at most a few units off.
        low, high = (place - 8) >> _BITS, (place + 8) >> _BITS
        if low != high:
            raise UndecidedError
        return low, False

    def first_above(self, u: Rational) -> int:
        """Return the first crest strictly above u."""
        return self._floor(u)[0] + 1

    def last_below(self, u: Rational) -> int:
        """Return the last crest strictly below u."""
        k, whole = self._floor(u)
        return k - 1 if whole else k

    def rises_beside(self, value: Value, *, above: bool) -> bool:
        """Say whether the layer rises just above or just below a rational place."""
        if isinstance(value, Real):
            raise UndecidedError
        return self.rises_before(self.first_above(value) if above else self.last_below(value) + 1)

    def at(self, u: Rational) -> Value:
        """Return the layer's value at a rational place."""
        if u[1] == 0:
            raise UndecidedError
        place = Fraction(u[0], u[1])
        if self._c == 0:
            turns = (self._b * place + (0 if self._sine else _HALF)) % 2
            if turns.denominator <= 2:
                return self._d + self._a * (0, 1, 0, -1)[int(2 * turns)], 1
            if turns.denominator == 6:
                return 2 * self._d + (self._a if turns < 1 else -self._a), 2
        return Real(place, (self._layer,))
