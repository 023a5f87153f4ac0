"""Real numbers of the lap count: rational and infinite ones, and irrational ones enclosed.

Up to a transcendental layer all values are rational. One value of such a layer at a rational place,
and what elementary layers make of it, is kept as where it came from, and compared with rational
numbers by enclosures of rising precision. A comparison that stays open ends the draw.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from synthgen.generators.omega.algebra._func_layers import Layer

PRECISIONS = (128, 640, 2_560)
"""Bits after the point that comparisons try one after another."""
LARGEST_EXPONENT = 250
"""Largest exponent, in magnitude, of a layer e^(b u)."""
Rational: TypeAlias = tuple[int, int]
"""Numerator and denominator, not always in lowest terms; the denominator is positive, or 0 for an
infinity of the numerator's sign."""


class UndecidedError(Exception):
    """A comparison that enclosures do not settle, or a function with infinitely many laps."""


class Real:
    """A transcendental layer's value at a rational place, and the layers after it."""

    __slots__ = ("_at", "_known", "_layers")

    def __init__(self, at: Fraction, layers: tuple[Layer, ...]) -> None:
        self._at = at
        self._layers = layers
        self._known: dict[int, tuple[int, int]] = {}

    def through(self, layer: Layer) -> Real:
        """Return the value after one more layer."""
        further = Real(self._at, (*self._layers, layer))
        for bits, bounds in self._known.items():
            further._known[bits] = _through(layer, bounds, bits)
        return further

    def bounds(self, bits: int) -> tuple[int, int]:
        """Return a lower and an upper bound, times 2^bits."""
        if bits not in self._known:
            bounds = _first(self._layers[0], self._at, bits)
            for layer in self._layers[1:]:
                bounds = _through(layer, bounds, bits)
            self._known[bits] = bounds
        return self._known[bits]

    def sign_from(self, other: Rational) -> int:
        """Return the sign of this minus a rational number, which is never 0.

        Raises:
            UndecidedError: if no precision settles it.
        """
        for bits in PRECISIONS:
            low, high = self.bounds(bits)
            place = other[0] << bits
            if low * other[1] > place:
                return 1
            if high * other[1] < place:
                return -1
        raise UndecidedError


Value: TypeAlias = "Rational | Real"


def sign_from(value: Value, other: Rational) -> int:
    """Return the sign of a value minus a finite rational number."""
    if isinstance(value, Real):
        return value.sign_from(other)
    difference = value[0] * other[1] - other[0] * value[1]
    return (difference > 0) - (difference < 0)


def _through(layer: Layer, bounds: tuple[int, int], bits: int) -> tuple[int, int]:
    """Enclose an elementary layer's values on an interval."""
    kind, c = layer
    low, high = bounds
    if kind == "linear":
        ends = [c[0] * low + (c[1] << bits), c[0] * high + (c[1] << bits)]
    elif kind == "abs":
        ends = [abs(low - (c[1] << bits)), abs(high - (c[1] << bits))]
        if low <= c[1] << bits <= high:
            ends.append(0)
        ends = [c[0] * end + (c[2] << bits) for end in ends]
    elif kind == "quadratic":
        ends = [((c[0] * y + (c[1] << bits)) * y >> bits) + (c[2] << bits) for y in (low, high)]
        if (
            2 * c[0] * low <= -c[1] << bits <= 2 * c[0] * high
            or 2 * c[0] * high <= (-c[1] << bits) <= 2 * c[0] * low
        ):
            ends.append(((4 * c[0] * c[2] - c[1] * c[1]) << bits) // (4 * c[0]))
    else:
        under = [c[2] * y + (c[3] << bits) for y in (low, high)]
        if under[0] <= 0 <= under[1]:
            return -1 << 8 * bits, 1 << 8 * bits
        over = [c[0] * y + (c[1] << bits) for y in (low, high)]
        ends = [(n << bits) // d for n, d in zip(over, under, strict=True)]
    return min(ends) - 1, max(ends) + 1


def _first(layer: Layer, at: Fraction, bits: int) -> tuple[int, int]:
    """Enclose a transcendental layer's value at a rational place."""
    kind, c = layer
    if kind == "exp":
        low, high = _exponential(c[1] * at, bits + 8)
        constant = c[2]
    else:
        turns = c[1] * at + (Fraction(1, 2) if kind == "cos" else 0)
        low, high = _sine(turns % 2, c[2], bits + 8)
        constant = c[3]
    ends = (c[0] * low, c[0] * high)
    return (min(ends) >> 8) + (constant << bits), (max(ends) >> 8) + 1 + (constant << bits)


@lru_cache(64)
def pi_bits(bits: int) -> int:
    """Return pi times 2^bits, at most 2^-8 too small or too large (Machin's formula)."""
    one = 1 << (bits + 16)

    def inverse_tangent(n: int) -> int:
        term = one // n
        total, k = term, 1
        while term:
            term //= -n * n
            k += 2
            total += term // k
        return total

    return (16 * inverse_tangent(5) - 4 * inverse_tangent(239)) >> 16


def _sine(turns: Fraction, shift: int, bits: int) -> tuple[int, int]:
    """Enclose sin(turns * pi + shift), times 2^bits, for turns from 0 to 2."""
    work = bits + 32
    pi = pi_bits(work)
    angle = pi * turns.numerator // turns.denominator + (shift << work)
    angle %= 2 * pi
    if angle > pi:
        angle -= 2 * pi
    squared = angle * angle >> work
    term, total, k = angle, angle, 1
    while term:
        k += 2
        term = -(term * squared >> work) // (k * (k - 1))
        total += term
        if -2 < term < 2:
            break
    # A hundred or a thousand terms, each one unit off, stay far below 2^32 units.
    return (total >> 32) - 1, (total >> 32) + 2


def _exponential(power: Fraction, bits: int) -> tuple[int, int]:
    """Enclose e^power, times 2^bits."""
    if abs(power) > LARGEST_EXPONENT:
        raise UndecidedError
    size = abs(power)
    halvings = 16
    work = bits + 64 + 4 * LARGEST_EXPONENT
    small = (size.numerator << work) // (size.denominator << halvings)
    term, total, k = 1 << work, 1 << work, 0
    while term:
        k += 1
        term = (term * small >> work) // k
        total += term
    for _ in range(halvings):
        total = total * total >> work
    # Relative error: below 2^(9 - work) before the squarings, which double it 16 times.
    slack = (total >> (work - 32)) + 2
    low, high = total - slack, total + slack
    if power < 0:
        low, high = (1 << 2 * work) // high, (1 << 2 * work) // low + 1
    return low >> (work - bits), (high >> (work - bits)) + 1
