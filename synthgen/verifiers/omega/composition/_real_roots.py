"""Real roots of integer polynomials, counted by bisection and Descartes' rule of signs.

Polynomials are lists, the lowest coefficient first.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Polynomial = list[Fraction]
Bound = Fraction | None
_DEEPEST = 400


def count_inside(polynomial: Sequence[int | Fraction], low: Bound, high: Bound) -> int:
    """Count the different real roots strictly between two numbers; None is infinity."""
    values = _without_repeats([Fraction(value) for value in polynomial])
    if len(values) < 2:
        return 0
    size = 1 + max(abs(value / values[-1]) for value in values[:-1])  # of every root, by Cauchy
    left = -size if low is None else max(low, -size)
    right = size if high is None else min(high, size)
    return _count(values, left, right) if left < right else 0


def value_at(polynomial: Sequence[int | Fraction], x: Fraction) -> Fraction:
    """Return the value at a number."""
    value = Fraction(0)
    for coefficient in reversed(polynomial):
        value = value * x + coefficient
    return value


def _count(values: Polynomial, left: Fraction, right: Fraction) -> int:
    """Halve intervals until Descartes' rule leaves no doubt."""
    todo, count = [(left, right, 0)], 0
    while todo:
        low, high, depth = todo.pop()
        changes = _descartes(values, low, high)
        if changes <= 1 or depth > _DEEPEST:
            count += changes
            continue
        middle = (low + high) / 2
        count += value_at(values, middle) == 0
        todo += [(low, middle, depth + 1), (middle, high, depth + 1)]
    return count


def _descartes(values: Polynomial, low: Fraction, high: Fraction) -> int:
    """Bound the roots inside an interval; the bound is exact if it is zero or one."""
    width = high - low
    moved = _shifted(values, low)
    scaled = [value * width**i for i, value in enumerate(moved)]
    signs = [value for value in _shifted(scaled[::-1], Fraction(1)) if value]
    return sum((p > 0) != (q > 0) for p, q in pairwise(signs))


def _shifted(values: Polynomial, by: Fraction) -> Polynomial:
    """Return p(x + by)."""
    result = list(values)
    for start in range(len(result) - 1):
        for i in range(len(result) - 2, start - 1, -1):
            result[i] += by * result[i + 1]
    return result


def _without_repeats(values: Polynomial) -> Polynomial:
    """Divide by the common divisor with the derivative."""
    values = _trimmed(values)
    first, second = values, [i * value for i, value in enumerate(values)][1:]
    while second:
        first, second = second, _trimmed(_divide(first, second)[1])
    return _divide(values, first)[0] if len(first) > 1 else values


def _trimmed(values: Polynomial) -> Polynomial:
    end = len(values)
    while end and values[end - 1] == 0:
        end -= 1
    return values[:end]


def _divide(first: Polynomial, second: Polynomial) -> tuple[Polynomial, Polynomial]:
    rest, quotient = list(first), list[Fraction]()
    while len(rest) >= len(second):
        times = rest[-1] / second[-1]
        quotient.insert(0, times)
        shift = len(rest) - len(second)
        rest = [v - times * second[i - shift] if i >= shift else v for i, v in enumerate(rest)][:-1]
    return quotient, rest
