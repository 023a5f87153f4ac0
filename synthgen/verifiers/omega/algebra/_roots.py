"""Rational roots of integer polynomials: roots modulo a prime, lifted and checked by division.

Polynomials are tuples of integers, the lowest coefficient first.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

Polynomial = tuple[int, ...]

_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181)


def primitive(polynomial: Sequence[int]) -> Polynomial:
    """Divide by the common divisor and make the highest coefficient positive; () for zero."""
    values = list(polynomial)
    while values and values[-1] == 0:
        values.pop()
    if not values:
        return ()
    common = gcd(*values)
    return tuple(value // (common if values[-1] > 0 else -common) for value in values)


def divided(polynomial: Polynomial, root: Fraction) -> Polynomial | None:
    """Divide by the linear polynomial of a root; None if it is no root."""
    top, bottom = root.numerator, root.denominator
    result = []
    carry = 0
    for value in reversed(polynomial):
        carry, rest = divmod(value + carry, bottom)
        if rest:
            return None
        result.append(carry)
        carry *= top
    # the last quotient is the value at the root, divided by its denominator
    return tuple(reversed(result[:-1])) if result[-1] == 0 else None


def rational_roots(polynomial: Polynomial) -> dict[Fraction, int] | None:
    """Return the roots with multiplicities; None if not all roots are rational.

    The polynomial is primitive.
    """
    found: dict[Fraction, int] = {}
    if len(polynomial) < 2:
        return None
    for root in _candidates(_squarefree(polynomial)):
        rest = divided(polynomial, root)
        while rest is not None:
            found[root] = found.get(root, 0) + 1
            polynomial = rest
            rest = divided(polynomial, root) if len(polynomial) > 1 else None
    return found if len(polynomial) == 1 else None


def _candidates(polynomial: Polynomial) -> list[Fraction]:
    """Return all rational roots of a polynomial without repeated ones, and maybe others."""
    slopes = _derivative(polynomial)
    lead = polynomial[-1]
    for prime in _PRIMES:
        if lead % prime == 0:
            continue
        values = [value % prime for value in reversed(polynomial)]
        roots = [t for t in range(prime) if _value(values, t, prime) == 0]
        tops = [value % prime for value in reversed(slopes)]
        if any(_value(tops, t, prime) == 0 for t in roots):
            continue
        if len(roots) < len(polynomial) - 1:
            return []
        # numerators of the roots over the highest coefficient are below this
        bound = 2 * lead * (max(map(abs, polynomial)) + lead) + 1
        return [_lifted(polynomial, slopes, t, prime, bound) for t in roots]
    return []


def _value(falling: Sequence[int], t: int, modulus: int) -> int:
    value = 0
    for coefficient in falling:
        value = (value * t + coefficient) % modulus
    return value


def _lifted(polynomial: Polynomial, slopes: Polynomial, t: int, prime: int, bound: int) -> Fraction:
    """Lift a simple root modulo a prime by Newton's method to one modulo more than `bound`."""
    falling, falling_slopes = polynomial[::-1], slopes[::-1]
    modulus = prime
    while modulus <= bound:
        modulus *= modulus
        slope = pow(_value(falling_slopes, t, modulus), -1, modulus)
        t = (t - _value(falling, t, modulus) * slope) % modulus
    lead = polynomial[-1]
    top = t * lead % modulus
    return Fraction(top - modulus if 2 * top > modulus else top, lead)


def _derivative(polynomial: Polynomial) -> Polynomial:
    return tuple(i * value for i, value in enumerate(polynomial))[1:]


def _squarefree(polynomial: Polynomial) -> Polynomial:
    """Divide by the common divisor with the derivative where there may be one."""
    slopes = _derivative(polynomial)
    if _coprime_modulo(polynomial, slopes):
        return polynomial
    common, other = polynomial, primitive(slopes)
    while len(other) > 1:
        common, other = other, primitive(_remainder(common, other))
    return polynomial if other else _quotient(polynomial, common)


def _coprime_modulo(first: Polynomial, second: Polynomial, prime: int = 2**31 - 1) -> bool:
    """Say whether two polynomials are coprime modulo a prime, hence coprime."""
    if first[-1] % prime == 0 or second[-1] % prime == 0:
        return False
    a, b = [value % prime for value in first], [value % prime for value in second]
    while len(b) > 1:
        inverse = pow(b[-1], -1, prime)
        while len(a) >= len(b):
            times = a.pop() * inverse % prime
            shift = len(a) + 1 - len(b)
            for i, value in enumerate(b[:-1]):
                a[shift + i] = (a[shift + i] - times * value) % prime
        while a and a[-1] == 0:
            a.pop()
        a, b = b, a
    return bool(b)


def _remainder(first: Polynomial, second: Polynomial) -> list[int]:
    """Return the remainder of a multiple of the first polynomial."""
    rest = list(first)
    lead = second[-1]
    while len(rest) >= len(second):
        top = rest.pop()
        shift = len(rest) + 1 - len(second)
        rest = [value * lead for value in rest]
        for i, value in enumerate(second[:-1]):
            rest[shift + i] -= top * value
    return rest


def _quotient(first: Polynomial, second: Polynomial) -> Polynomial:
    """Divide a polynomial by a primitive divisor."""
    rest = list(first)
    result = []
    while len(rest) >= len(second):
        times = rest.pop() // second[-1]
        result.append(times)
        shift = len(rest) + 1 - len(second)
        for i, value in enumerate(second[:-1]):
            rest[shift + i] -= times * value
    return tuple(reversed(result))
