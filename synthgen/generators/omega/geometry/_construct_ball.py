"""Real numbers as balls: a float and a proven bound of its distance from the true value."""

from __future__ import annotations

import math
from typing import TypeVar

_UNIT = 2.0**-53
"""Relative error of one float operation, rounded to nearest."""
_OVER = 1.0 + 2.0**-48
"""Covers the rounding of the few operations that compute a bound."""
_TINY = 1e-300
"""Covers underflow."""


class Ball:
    """All reals within `rad` of `mid`.

    Every operation returns a ball that holds the results of the operation on all reals of its
    operands. A plain float or integer among the operands stands for itself.

    Attributes:
        mid: what plain floats would give.
        rad: bound of the error of `mid`.
    """

    __slots__ = ("mid", "rad")

    def __init__(self, mid: float, rad: float = 0.0) -> None:
        self.mid = mid
        self.rad = rad

    def __repr__(self) -> str:
        return f"Ball({self.mid!r}, {self.rad!r})"

    def __add__(self, other: Ball | float) -> Ball:
        mid, rad = _parts(other)
        total = self.mid + mid
        return Ball(total, (self.rad + rad + abs(total) * _UNIT) * _OVER + _TINY)

    __radd__ = __add__

    def __neg__(self) -> Ball:
        return Ball(-self.mid, self.rad)

    def __sub__(self, other: Ball | float) -> Ball:
        mid, rad = _parts(other)
        total = self.mid - mid
        return Ball(total, (self.rad + rad + abs(total) * _UNIT) * _OVER + _TINY)

    def __rsub__(self, other: float) -> Ball:
        return (-self) + other

    def __mul__(self, other: Ball | float) -> Ball:
        mid, rad = _parts(other)
        product = self.mid * mid
        error = abs(self.mid) * rad + abs(mid) * self.rad + self.rad * rad
        return Ball(product, (error + abs(product) * _UNIT) * _OVER + _TINY)

    __rmul__ = __mul__

    def __truediv__(self, other: Ball | float) -> Ball:
        mid, rad = _parts(other)
        least = abs(mid) - rad
        if least <= 0.0:
            msg = f"divisor={other!r} may be zero"
            raise ZeroDivisionError(msg)
        quotient = self.mid / mid
        error = (self.rad + abs(quotient) * rad) / least
        return Ball(quotient, (error + abs(quotient) * _UNIT) * _OVER + _TINY)

    def __rtruediv__(self, other: float) -> Ball:
        return Ball(other) / self


Real = TypeVar("Real", float, Ball)
"""A formula holds for floats, which find a figure, and for balls, which prove its answer."""


def _parts(value: Ball | float) -> tuple[float, float]:
    return (value.mid, value.rad) if isinstance(value, Ball) else (float(value), 0.0)


def root(value: Real) -> Real:
    """Return the square root.

    Raises:
        ValueError: if the value may be negative.
    """
    if not isinstance(value, Ball):
        return math.sqrt(value)
    least = value.mid - value.rad
    if least <= 0.0:
        msg = f"radicand={value!r} may be negative"
        raise ValueError(msg)
    result = math.sqrt(value.mid)
    error = value.rad / (result + math.sqrt(least))
    return Ball(result, (error + result * _UNIT) * _OVER + _TINY)


def degrees_between(cross: Real, dot: Real) -> Real:
    """Return the angle of a vector (dot, |cross|) against the first axis, in degrees.

    Raises:
        ZeroDivisionError: if the vector may be zero.
    """
    if not isinstance(cross, Ball) or not isinstance(dot, Ball):
        return math.degrees(math.atan2(abs(cross), dot))
    angle = math.atan2(abs(cross.mid), dot.mid)
    moved = cross.rad + dot.rad
    least = math.hypot(cross.mid, dot.mid) * (1.0 - 2.0**-50) - moved
    if least <= 0.0:
        msg = f"vector=({dot!r}, {cross!r}) may be zero"
        raise ZeroDivisionError(msg)
    # asin(x) <= pi / 2 * x bounds the turn of a vector that is moved by x of its length.
    return Ball(math.degrees(angle), (1.6 * moved / least + 2e-15) * 57.3 * _OVER)
