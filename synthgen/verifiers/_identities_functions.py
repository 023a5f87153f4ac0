"""Elementary functions of forms: the facts about exp, log, powers, sine and cosine that are used.

exp(f + g) = exp(f) exp(g)          exp(q f) = exp(f)^q for rational q        exp(log f) = f
log(f g) = log(f) + log(g)          log(f^q) = q log(f)  for positive f, g    log(exp f) = f
f^g = exp(g log f)  and  sqrt(f) = exp(log(f) / 2)  for positive f
sin, cos, sinh, cosh                by exp(i f) and exp(f)
|f g| = |f| |g|                     |f| = f or -f where the sign of f is known
"""

from __future__ import annotations

from fractions import Fraction

from synthgen.verifiers._identities_algebra import (
    ABSOLUTE,
    BASE,
    EXP,
    LOG,
    NUMBER,
    POSITIVE,
    TURN,
    VARIABLE,
    Algebra,
    Form,
    Monomial,
    Polynomial,
    UndefinedError,
    constant,
    key_of,
)

_ONE: Polynomial = {(): Fraction(1)}
_LARGEST_PRIME = 97
_HALF = Fraction(1, 2)


class Functions(Algebra):
    """Forms of functions of forms."""

    def variable(self, name: str, sign: int) -> Form:
        """Return plus or minus a positive variable."""
        number = self.atom(VARIABLE, name, None)
        return {((number, Fraction(1)),): Fraction(sign)}, _ONE

    def whole_power(self, base: Form, exponent: int) -> Form:
        """Return a natural power."""
        return self.form(self.power(base[0], exponent), self.power(base[1], exponent))

    def any_power(self, base: Form, exponent: Form) -> Form:
        """Return a power of what is positive; UndefinedError if it never is."""
        return self.exp(self.multiply(exponent, self.log(base)))

    def sqrt(self, inner: Form) -> Form:
        """Return the square root of what is positive or 0; UndefinedError if it never is."""
        return self.any_power(inner, constant(_HALF)) if inner[0] else inner

    def exp(self, inner: Form) -> Form:
        """Return the exponential."""
        over: dict[int, Fraction] = {}
        under: dict[int, Fraction] = {}
        for atom, exponent in self._exponents(inner, EXP):
            if self.kinds[atom] == LOG:
                base = self.payloads[atom]
                atom = base if isinstance(base, int) else atom
            below = exponent < 0 and self.kinds[atom] in (NUMBER, BASE, ABSOLUTE)
            (under if below else over)[atom] = -exponent if below else exponent
        return self.form(self.product(over.items()), self.product(under.items()))

    def log(self, inner: Form) -> Form:
        """Return the logarithm of what is positive; UndefinedError if it never is."""
        over, under = inner
        signs = self._sign(over), self._sign(under)
        if not over or signs[0] * signs[1] < 0:
            raise UndefinedError
        if signs[0] == signs[1] == 0:
            low = self._log_positive(self._absolute(under))
            twice = self.add(low, low)
            return self._minus(self._log_positive(self.times(over, under)), twice)
        sign: Polynomial = {(): Fraction(signs[0] or signs[1])}
        positive = (self._log_positive(self.times(part, sign)) for part in inner)
        return self._minus(*positive)

    def absolute(self, inner: Form) -> Form:
        """Return the absolute value."""
        over, under = map(self._absolute, inner)
        return self.form(over, under)

    def wave(self, inner: Form, kind: int, *, odd: bool) -> Form:
        """Return sinh or cosh (kind EXP), sine or cosine (kind TURN): the odd or the even one."""
        powers = self._exponents(inner, kind)
        if kind == EXP:
            up = self.exp(inner)
            down = self.exp(self.multiply(inner, constant(-1)))
        else:
            up = self.product(powers), _ONE
            down = self.product((atom, -exponent) for atom, exponent in powers), _ONE
        half = constant(_HALF)
        if not odd:
            return self.multiply(self.add(up, down), half)
        if kind == TURN:
            half = {((self.imaginary, Fraction(1)),): -_HALF}, _ONE
        return self.multiply(self._minus(up, down), half)

    def _minus(self, one: Form, other: Form) -> Form:
        return self.add(one, self.multiply(other, constant(-1)))

    def _exponents(self, inner: Form, kind: int) -> list[tuple[int, Fraction]]:
        """Return atoms and exponents of exp(f) or exp(i f); for exp also logarithms with theirs."""
        over, under = inner
        if not over:
            return []
        if under != _ONE:
            scale = over[max(over)]
            whole = {monomial: factor / scale for monomial, factor in over.items()}
            return [(self.atom(kind, (key_of(whole), key_of(under)), (whole, under)), scale)]
        found = []
        for monomial, factor in over.items():
            alone = kind == EXP and len(monomial) == 1 and monomial[0][1] == 1
            if alone and self.kinds[monomial[0][0]] == LOG:
                found.append((monomial[0][0], factor))
            else:
                payload = {monomial: Fraction(1)}, _ONE
                found.append((self.atom(kind, monomial, payload), factor))
        return found

    def _sign(self, polynomial: Polynomial) -> int:
        """Return 1 or -1 if all values have this sign, 0 if this is not known."""
        for monomial in polynomial:
            if any(self.kinds[atom] not in POSITIVE for atom, _ in monomial):
                return 0
        signs = {factor > 0 for factor in polynomial.values()}
        return (1 if True in signs else -1) if len(signs) == 1 else 0

    def _split(self, polynomial: Polynomial) -> tuple[Fraction, Monomial, Polynomial]:
        """Return a positive number and positive variables as factors, and what remains."""
        scale = abs(polynomial[max(polynomial)])
        rows = [dict(monomial) for monomial in polynomial]
        variables = {atom for row in rows for atom in row if self.kinds[atom] == VARIABLE}
        least = {atom: min(row.get(atom, Fraction()) for row in rows) for atom in variables}
        common = tuple(sorted((atom, low) for atom, low in least.items() if low))
        inverse = {tuple((atom, -low) for atom, low in common): 1 / scale}
        return scale, common, self.times(polynomial, inverse)

    def _absolute(self, polynomial: Polynomial) -> Polynomial:
        sign = self._sign(polynomial)
        if sign or not polynomial:
            return self.times(polynomial, {(): Fraction(sign or 1)})
        scale, common, rest = self._split(polynomial)
        if rest[max(rest)] < 0:
            rest = {monomial: -factor for monomial, factor in rest.items()}
        atom = self.atom(ABSOLUTE, key_of(rest), rest)
        return {tuple(sorted([*common, (atom, Fraction(1))])): scale}

    def _log_positive(self, polynomial: Polynomial) -> Form:
        """Return the logarithm of a polynomial where it is positive."""
        scale, powers, rest = self._split(polynomial)
        if self._sign(rest) == 1 and len(rest) == 1:
            powers = (*powers, *next(iter(rest)))
        elif rest != _ONE:
            powers = (*powers, (self.atom(BASE, key_of(rest), rest), Fraction(1)))
        out = self._log_number(scale)
        for atom, exponent in powers:
            payload = self.payloads[atom]
            if self.kinds[atom] == EXP and isinstance(payload, tuple):
                term = self.multiply(payload, constant(exponent))
            else:
                term = {((self.atom(LOG, atom, atom), Fraction(1)),): exponent}, _ONE
            out = self.add(out, term)
        return out

    def _log_number(self, value: Fraction) -> Form:
        """Return the logarithm of a positive number as a sum over its smallest prime factors."""
        out: Polynomial = {}
        for whole, sign in ((value.numerator, 1), (value.denominator, -1)):
            for factor in range(2, _LARGEST_PRIME + 1):
                count = 0
                while whole % factor == 0:
                    whole //= factor
                    count += 1
                if count:
                    out = self.plus(out, self._log_of_natural(factor, sign * count))
            if whole > 1:
                out = self.plus(out, self._log_of_natural(whole, sign))
        return out, _ONE

    def _log_of_natural(self, number: int, times: int) -> Polynomial:
        atom = self.atom(NUMBER, number, {(): Fraction(number)})
        return {((self.atom(LOG, atom, atom), Fraction(1)),): Fraction(times)}
