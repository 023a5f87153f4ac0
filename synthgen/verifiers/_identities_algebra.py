"""Exact arithmetic in which equal functions of a, b, c, d get equal forms.

A form is a fraction of polynomials. Their coefficients are rational numbers and their monomials
products of atoms with rational exponents, of these kinds:

    i            the imaginary unit: i^2 = -1
    variable     one of a, b, c, d, taken to be positive
    exp, turn    exp(f) and exp(i f) of a monomial f: powers of one multiply exponents
    log          the logarithm of a positive atom
    number, base a natural number, or a polynomial, below a root: whole powers are multiplied out
    absolute     of a polynomial p: its even powers are powers of p

Numerators and denominators have real values at real values of the variables, as all functions here
are put together from real ones. What takes too long is given up.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

Monomial: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Numbers of atoms, in order, with exponents other than 0."""
Polynomial: TypeAlias = dict[Monomial, Fraction]
Form: TypeAlias = tuple[Polynomial, Polynomial]
_Key: TypeAlias = tuple[tuple[Monomial, Fraction], ...]

IMAGINARY, VARIABLE, EXP, TURN, LOG, NUMBER, BASE, ABSOLUTE = range(8)
_FREE = {VARIABLE, EXP, TURN, LOG}
POSITIVE = {VARIABLE, EXP, NUMBER, BASE, ABSOLUTE}
_MOST_BITS = 2_048
_MOST_NESTED = 40


class TooMuchError(ArithmeticError):
    """The work that is allowed is done, or a number is too large."""


class UndefinedError(ArithmeticError):
    """There is no value for any values of the variables."""


class Budget:
    """Products of terms that may still be calculated."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, amount: int) -> None:
        """Raise TooMuchError if there is less left than this."""
        self.left -= amount
        if self.left < 0:
            raise TooMuchError


class Algebra:
    """The atoms that have come up in some forms, and arithmetic with these forms."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._numbers: dict[tuple[int, object], int] = {}
        self._nested = 0
        self.kinds: list[int] = []
        self.payloads: list[Polynomial | Form | int | None] = []
        self.imaginary = self.atom(IMAGINARY, None, None)

    def atom(self, kind: int, key: object, payload: Polynomial | Form | int | None) -> int:
        """Return the number of the atom of this kind and key."""
        number = self._numbers.setdefault((kind, key), len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
            self.payloads.append(payload)
        return number

    def times(self, one: Polynomial, other: Polynomial) -> Polynomial:
        """Multiply polynomials."""
        atoms = [1 + sum(map(len, factor)) // len(factor) for factor in (one, other) if factor]
        self._budget.spend(1 + len(one) * len(other) * sum(atoms))
        out: Polynomial = {}
        for left, first in one.items():
            for right, second in other.items():
                powers = dict(left)
                for atom, exponent in right:
                    powers[atom] = powers.get(atom, Fraction()) + exponent
                for monomial, factor in self.product(powers.items()).items():
                    _add_term(out, monomial, first * second * factor)
        return self._small(out)

    def product(self, powers: Iterable[tuple[int, Fraction]]) -> Polynomial:
        """Return a product of powers of different atoms, multiplied out as far as it must be."""
        kept: list[tuple[int, Fraction]] = []
        factors: list[tuple[Polynomial, int]] = []
        for atom, exponent in powers:
            kind, payload, rest = self.kinds[atom], self.payloads[atom], exponent
            if kind == IMAGINARY:
                rest = exponent % 2
                if exponent % 4 >= 2:
                    factors.append(({(): Fraction(-1)}, 1))
            elif kind not in _FREE:
                rest = exponent % (2 if kind == ABSOLUTE else 1)
                if exponent != rest and isinstance(payload, dict):
                    factors.append((payload, int(exponent - rest)))
            if rest:
                kept.append((atom, rest))
        out = {tuple(sorted(kept)): Fraction(1)}
        self._nested += 1
        if self._nested > _MOST_NESTED:
            raise TooMuchError
        for factor, times in factors:
            out = self.times(out, self.power(factor, times))
        self._nested -= 1
        return out

    def power(self, base: Polynomial, exponent: int) -> Polynomial:
        """Return a polynomial to a natural number."""
        if len(base) == 1:
            [(monomial, factor)] = base.items()
            if abs(factor) != 1 and _bits(factor) * exponent > 2 * _MOST_BITS:
                raise TooMuchError
            out = self.product((atom, each * exponent) for atom, each in monomial)
            return self._small({each: c * factor**exponent for each, c in out.items()})
        out, square = {(): Fraction(1)}, base
        while exponent:
            if exponent & 1:
                out = self.times(out, square)
            exponent >>= 1
            if exponent:
                square = self.times(square, square)
        return out

    def plus(self, one: Polynomial, other: Polynomial) -> Polynomial:
        """Add polynomials."""
        self._budget.spend(len(one) + len(other))
        out = dict(one)
        for monomial, factor in other.items():
            _add_term(out, monomial, factor)
        return self._small(out)

    def form(self, over: Polynomial, under: Polynomial) -> Form:
        """Return a fraction; where its denominator is a product of free atoms, it becomes 1.

        Raises:
            UndefinedError: if the denominator is 0.
        """
        if not under:
            raise UndefinedError
        if over == under:
            return constant(1)
        leading = max(under)
        scale = 1 / under[leading]
        out = {monomial: factor * scale for monomial, factor in over.items()}
        if len(under) > 1:
            return self._small(out), {
                monomial: factor * scale for monomial, factor in under.items()
            }
        free = [self.kinds[atom] in _FREE for atom, _ in leading]
        inverse = tuple((atom, -each) for (atom, each), it in zip(leading, free, strict=True) if it)
        rest = tuple(power for power, it in zip(leading, free, strict=True) if not it)
        return self.times(out, {inverse: Fraction(1)}), {rest: Fraction(1)}

    def add(self, one: Form, other: Form) -> Form:
        """Add fractions."""
        if one[1] == other[1]:
            return self.form(self.plus(one[0], other[0]), one[1])
        over = self.plus(self.times(one[0], other[1]), self.times(other[0], one[1]))
        return self.form(over, self.times(one[1], other[1]))

    def multiply(self, one: Form, other: Form) -> Form:
        """Multiply fractions."""
        return self.form(self.times(one[0], other[0]), self.times(one[1], other[1]))

    def divide(self, one: Form, other: Form) -> Form:
        """Divide fractions; by 0 raises UndefinedError."""
        return self.form(self.times(one[0], other[1]), self.times(one[1], other[0]))

    def equal(self, one: Form, other: Form) -> bool:
        """Say whether two fractions are equal."""
        return self.times(one[0], other[1]) == self.times(other[0], one[1])

    def _small(self, polynomial: Polynomial) -> Polynomial:
        """Return the polynomial if its coefficients are small enough, else raise TooMuchError."""
        if any(_bits(factor) > _MOST_BITS for factor in polynomial.values()):
            raise TooMuchError
        return polynomial


def constant(value: Fraction | int) -> Form:
    """Return the form of a number."""
    return {(): Fraction(value)} if value else {}, {(): Fraction(1)}


def key_of(polynomial: Polynomial) -> _Key:
    """Return what equal polynomials of one algebra have in common."""
    return tuple(sorted(polynomial.items()))


def _add_term(out: Polynomial, monomial: Monomial, factor: Fraction) -> None:
    total = out.get(monomial, Fraction()) + factor
    if total:
        out[monomial] = total
    else:
        out.pop(monomial, None)


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
