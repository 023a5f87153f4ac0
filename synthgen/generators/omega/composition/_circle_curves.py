"""Graphs that circles are cut with, as polynomials on intervals, and exact counts of real roots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd

from synthgen.generators.omega.algebra._polynomials import Polynomial, product

Bound = Fraction | None
"""An end of an interval; None is infinity."""
Piece = tuple[Bound, Bound, Polynomial]
"""A polynomial on an interval that has its lower end and lacks its upper one."""


@dataclass(frozen=True)
class Curve:
    """y = p(x), y = sign * |p(x)| + height, or y = p(|x - corner|).

    Attributes:
        kind: "plain", "around" (bars around the polynomial) or "inside".
        polynomial: p, lowest coefficient first.
        sign, height: for "around".
        corner: for "inside".
        zeros: where p changes its sign, ascending, for "around".
    """

    kind: str
    polynomial: tuple[int, ...]
    sign: int = 1
    height: int = 0
    corner: int = 0
    zeros: tuple[Fraction, ...] = ()

    def pieces(self) -> list[Piece]:
        """Return the polynomials that the graph consists of."""
        if self.kind == "plain":
            return [(None, None, list(self.polynomial))]
        if self.kind == "inside":
            corner = Fraction(self.corner)
            right = composed(self.polynomial, [-self.corner, 1])
            left = composed(self.polynomial, [self.corner, -1])
            return [(None, corner, left), (corner, None, right)]
        ends: list[Bound] = [None, *self.zeros, None]
        above = self.sign if len(self.zeros) % 2 == 0 else -self.sign
        pieces = []
        for low, high in pairwise(ends):
            values = [above * value for value in self.polynomial]
            values[0] += self.height
            pieces.append((low, high, values))
            above = -above
        return pieces


def composed(outer: Sequence[int], inner: Sequence[int]) -> Polynomial:
    """Return outer(inner(x))."""
    result: Polynomial = [0]
    for value in reversed(outer):
        result = product(result, inner)
        result[0] += value
    return result


def crossings(circle: tuple[int, int, int], curve: Curve) -> int:
    """Count the points that a circle (centre a, b; square of the radius) shares with a graph."""
    a, b, square = circle
    count = 0
    for low, high, values in curve.pieces():
        shifted = [values[0] - b, *values[1:]]
        equation = product(shifted, shifted)
        equation += [0] * (3 - len(equation))
        equation[0] += a * a - square
        equation[1] -= 2 * a
        equation[2] += 1
        count += roots_between(equation, low, high)
    return count


def roots_between(polynomial: Sequence[int], low: Bound, high: Bound) -> int:
    """Count the different real roots x with low <= x < high, by Sturm's theorem.

    A polynomial with repeated roots is divided by the last of its chain first.
    """
    values = _reduced(polynomial)
    chain = _chain(values)
    if len(chain[-1]) > 1:
        chain = _chain(_quotient(values, chain[-1]))
    count = _changes(chain, low, above=False) - _changes(chain, high, above=True)
    if low is not None and _sign(values, low) == 0:
        count += 1
    if high is not None and _sign(values, high) == 0:
        count -= 1
    return count


def _chain(first: Polynomial) -> list[Polynomial]:
    """Return Sturm's chain up to positive factors."""
    chain = [first, _reduced([i * value for i, value in enumerate(first)][1:])]
    while True:
        rest = _reduced([-value for value in _remainder(chain[-2], chain[-1])])
        if not rest:
            return chain
        chain.append(rest)


def _remainder(first: Polynomial, second: Polynomial) -> Polynomial:
    """Return a positive multiple of the remainder."""
    rest, lead = list(first), abs(second[-1])
    sign = 1 if second[-1] > 0 else -1
    while len(rest) >= len(second):
        times = sign * rest.pop()
        rest = [lead * value for value in rest]
        shift = len(rest) + 1 - len(second)
        for i, value in enumerate(second[:-1]):
            rest[shift + i] -= times * value
    return rest


def _quotient(first: Polynomial, second: Polynomial) -> Polynomial:
    """Divide by a primitive divisor."""
    rest, quotient = list(first), list[int]()
    while len(rest) >= len(second):
        times = rest.pop() // second[-1]
        quotient.append(times)
        shift = len(rest) + 1 - len(second)
        for i, value in enumerate(second[:-1]):
            rest[shift + i] -= times * value
    return quotient[::-1]


def _reduced(polynomial: Sequence[int]) -> Polynomial:
    """Drop zeros at the top and divide by the common divisor."""
    values = list(polynomial)
    while values and values[-1] == 0:
        values.pop()
    common = gcd(*values) if values else 1
    return [value // common for value in values]


def _changes(chain: Sequence[Polynomial], at: Bound, *, above: bool) -> int:
    """Count changes of sign along the chain at a number, or at plus or minus infinity."""
    if at is None:
        signs = [each[-1] if above or len(each) % 2 else -each[-1] for each in chain]
    else:
        signs = [_sign(each, at) for each in chain]
    return sum((p > 0) != (q > 0) for p, q in pairwise(filter(None, signs)))


def _sign(polynomial: Polynomial, x: Fraction) -> int:
    """Return an integer with the sign of the value at a number."""
    top, bottom = x.numerator, x.denominator
    value, power = 0, 1
    for coefficient in reversed(polynomial):
        value = value * top + coefficient * power
        power *= bottom
    return value
