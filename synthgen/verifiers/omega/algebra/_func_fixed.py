"""Enclosures in integers: a real number as two bounds, times a power of two, or as a fraction.

An exact number is a `Fraction`; any other is a pair of integers (low, high) that means low / 2^bits
to high / 2^bits. Every function rounds outwards. Sines and logarithms go through the arctangent
series, so that nothing is taken from a mathematical library.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import TypeAlias

Bounds: TypeAlias = tuple[int, int]
Number: TypeAlias = "Fraction | Bounds"
MOST_EXPONENT = 600


class OpenError(Exception):
    """The precision does not settle a comparison, or the work would be too much."""


def bounds(value: Number, bits: int) -> Bounds:
    """Return bounds of a number."""
    if isinstance(value, tuple):
        return value
    low = (value.numerator << bits) // value.denominator
    return low, low if low * value.denominator == value.numerator << bits else low + 1


def sign(value: Number) -> int:
    """Return the sign of a number.

    Raises:
        OpenError: if the bounds allow more than one.
    """
    if isinstance(value, tuple):
        if value[0] > 0:
            return 1
        if value[1] < 0:
            return -1
        raise OpenError
    return (value > 0) - (value < 0)


def affine(value: Number, factor: int, constant: int, bits: int) -> Number:
    """Return factor * value + constant."""
    if not isinstance(value, tuple):
        return value * factor + constant
    shift = constant << bits
    if factor >= 0:
        return value[0] * factor + shift, value[1] * factor + shift
    return value[1] * factor + shift, value[0] * factor + shift


def plus(a: Number, b: Number, bits: int) -> Number:
    """Return a + b."""
    if not isinstance(a, tuple) and not isinstance(b, tuple):
        return a + b
    (a_low, a_high), (b_low, b_high) = bounds(a, bits), bounds(b, bits)
    return a_low + b_low, a_high + b_high


def over_integer(value: Number, divisor: int) -> Number:
    """Return value / divisor."""
    if not isinstance(value, tuple):
        return value / divisor
    low, high = value if divisor > 0 else (-value[1], -value[0])
    return low // abs(divisor), -(-high // abs(divisor))


def times(a: Number, b: Number, bits: int) -> Number:
    """Return a * b."""
    if not isinstance(a, tuple) and not isinstance(b, tuple):
        return a * b
    (low, high), (least, most) = bounds(a, bits), bounds(b, bits)
    if least >= 0:
        bottom = low * (least if low >= 0 else most)
        top = high * (most if high >= 0 else least)
    elif most <= 0:
        bottom = high * (least if high >= 0 else most)
        top = low * (most if low >= 0 else least)
    else:
        bottom = min(low * most, high * least)
        top = max(low * least, high * most)
    return bottom >> bits, -(-top >> bits)


def ratio(a: Number, b: Number, bits: int) -> Number:
    """Return a / b for a number b whose sign is certain and not zero."""
    if not isinstance(a, tuple) and not isinstance(b, tuple):
        return a / b
    sign(b)
    (low, high), (least, most) = bounds(a, bits), bounds(b, bits)
    if least <= 0 <= most:
        raise OpenError
    if most < 0:
        low, high, least, most = -high, -low, -most, -least
    bottom = (low << bits) // (most if low >= 0 else least)
    top = (high << bits) // (least if high >= 0 else most)
    return bottom, top + 1


def root(value: Number, bits: int) -> Number:
    """Return the square root of a positive number, as a fraction if it is one."""
    if not isinstance(value, tuple):
        over, under = isqrt(value.numerator), isqrt(value.denominator)
        if over * over == value.numerator and under * under == value.denominator:
            return Fraction(over, under)
        value = bounds(value, bits)
    return isqrt(max(value[0], 0) << bits), isqrt(value[1] << bits) + 1


@lru_cache(64)
def _series(z: int, bits: int, step: int) -> int:
    """Sum z - z^3/3 + z^5/5 ... (step -1), or with plus signs (step 1), within 2^10 units."""
    squared, term, total, k = z * z >> bits, z, z, 1
    while term not in (0, -1):
        term = step * (term * squared >> bits)
        k += 2
        total += term // k
        if -2 < term < 2:
            break
    return total


@lru_cache(32)
def pi(bits: int) -> Bounds:
    """Return pi by Gauss's formula: 48 atan(1/18) + 32 atan(1/57) - 20 atan(1/239)."""
    work = bits + 24
    parts = [(48, 18), (32, 57), (-20, 239)]
    total = sum(n * _series((1 << work) // k, work, -1) for n, k in parts)
    return (total >> 24) - 1, (total >> 24) + 2


def arctangent_over_pi(value: Bounds, bits: int) -> Bounds:
    """Return atan(value) / pi."""
    low, high = (_arctangent(end, bits) for end in value)
    around = (low[0], high[1])
    quotient = ratio(around, pi(bits), bits)
    return bounds(quotient, bits)


def _arctangent(z: int, bits: int) -> Bounds:
    work = bits + 32
    z <<= 32
    halvings = 8
    for _ in range(halvings):
        z = (z << work) // ((1 << work) + isqrt((1 << 2 * work) + z * z))
    total = _series(z, work, -1) << halvings
    return (total >> 32) - 1, (total >> 32) + 2


def logarithm(value: Number, bits: int) -> Bounds:
    """Return the natural logarithm of a positive number."""
    low, high = bounds(value, bits)
    if low <= 0:
        raise OpenError
    return _logarithm(low, bits)[0], _logarithm(high, bits)[1]


def _logarithm(v: int, bits: int) -> Bounds:
    work = bits + 32
    power = v.bit_length() - 1
    m = v << (work - power) if work >= power else v >> (power - work)
    one = 1 << work
    total = 2 * _series(((m - one) << work) // (m + one), work, 1)
    total += (power - bits) * _log_of_two(work)
    return (total >> 32) - 1, (total >> 32) + 2


@lru_cache(32)
def _log_of_two(bits: int) -> int:
    return 2 * _series((1 << bits) // 3, bits, 1)


def exponential(power: Number, bits: int) -> Bounds:
    """Return e^power."""
    low, high = bounds(power, bits)
    if high < -MOST_EXPONENT << bits:
        return 0, 1 + (1 << bits >> MOST_EXPONENT)
    if max(abs(low), abs(high)) >> bits > MOST_EXPONENT:
        raise OpenError
    return _exponential(low, bits)[0], _exponential(high, bits)[1]


def _exponential(power: int, bits: int) -> Bounds:
    work = bits + 48 + 3 * (abs(power) >> bits)
    power <<= work - bits
    two = _log_of_two(work)
    whole = power // two
    rest = (power - whole * two) >> 6
    term = total = 1 << work
    k = 0
    while term:
        k += 1
        term = (term * rest >> work) // k
        total += term
    for _ in range(6):
        total = total * total >> work
    shift = work - bits - whole
    low, high = total - (1 << 34), total + (1 << 34)
    if shift < 0:
        return low << -shift, high << -shift
    return low >> shift, (high >> shift) + 1


def sine_of_turns(turns: Number, shift: int, bits: int) -> Bounds:
    """Return sin(turns * pi + shift) for an integer shift."""
    low, high = bounds(turns, bits)
    width = high - low
    if width >> bits:
        return -1 << bits, 1 << bits
    work = bits + 32
    circle = pi(work)[0]
    angle = ((low % (2 << bits)) * circle >> bits) + (shift << work)
    angle = (angle + circle) % (2 * circle) - circle
    if abs(angle) > circle // 2:
        angle = (circle if angle > 0 else -circle) - angle
    # The sine of a ninth, then twice that of three times as much: sin 3x = 3 sin x - 4 (sin x)^3.
    angle //= 9
    squared, term, total, k = angle * angle >> work, angle, angle, 1
    while not -2 < term < 2:
        k += 2
        term = -(term * squared >> work) // (k * (k - 1))
        total += term
    for _ in range(2):
        total = 3 * total - (4 * total * (total * total >> work) >> work)
    value = total >> 32
    return value - 4 * width - 3, value + 4 * width + 3
