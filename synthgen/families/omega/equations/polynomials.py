"""Polynomials with rational roots, multiplied out of their factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from flint import fmpq, fmpz, fmpz_poly

from synthgen.authoring import LevelledFamily, Problem, RowDraws, Tree, axis
from synthgen.authoring.entropy import PER_DIGIT, entropy_between, signed_of
from synthgen.families.omega.equations.definitions import (
    DEFINITIONS_AXIS,
    LETTERS,
    SYMBOLS,
    WORDS,
    ComposedFamily,
    Definition,
    define,
    digits_of,
    given_text,
    integer_or_rational,
    non_integer,
    several_below,
    shares,
    some_letters,
    value_lines,
    with_givens,
)

_TRIES = 64
_ENTROPIES = ((3, 5), (5, 10), (9, 12), (12, 15), (15, 20), (20, 24), (24, 28))
_DEGREES = (3, 4, 5, 6, 7, 8, 9)
_EVENNESS = 5
_ONE_IN_INTEGER = _ONE_IN_REPEATED = 100
_MAX_DIGITS = 44
_NAMES = LETTERS.replace("f", "").replace("g", "")
_COMBINATION, _SHIFT = 1, 2


class _Roots(NamedTuple):
    """A polynomial in the form of its text.

    Attributes:
        roots: Distinct ones, the largest first.
        given: The polynomial, or those that it is made of, in integers.
        divisor: Divisor of all coefficients in `given`.
        letters: Letters in place of coefficients of the first of these, by exponent.
        body: Text that makes the polynomial of f and g, if any.
        trees: Trees of the definitions.
    """

    polynomial: fmpz_poly
    roots: list[fmpq]
    variable: str
    given: list[fmpz_poly]
    divisor: int
    letters: Mapping[int, str]
    definitions: list[Definition]
    body: str
    trees: list[Tree]


@dataclass(frozen=True)
class AlgebraPolynomialRoots(ComposedFamily):
    """An expanded polynomial with rational roots, at least two of them distinct.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            The degree is 3 to 9, and the roots have 3 to 5, 5 to 10, 9 to 12, 12 to 15, 15 to 20,
            20 to 24 or 24 to 28 digits of entropy together.
        definitions: Least and most number of definitions before the question: of letters that
            replace coefficients, and of one pair of polynomials, or one shifted polynomial, of
            which the polynomial is made; an empty list means the level's own.
    """

    version = 2
    verifier = "algebra_polynomial_roots"
    same_up_to = "names of the variables, factors of the polynomials"
    words = WORDS.part("roots")
    symbols = {
        **SYMBOLS,
        **{f"roots{d}": d + 1 for d in _DEGREES},
        **{f"polynomial{n}": n for n in range(1, max(_DEGREES) + 2)},
        "combination": 4,
        "shift": 1,
    }
    n_levels = len(_DEGREES)
    level_ranges = {
        "degree": tuple((d, d) for d in _DEGREES),
        "n_roots": tuple((2, d) for d in _DEGREES),
        "n_definitions": ((0, 0), *[(1, 2)] * 5, (1, 3)),
    }
    own_axes = {
        "degree": axis("degree of the polynomial", 3, 9),
        "n_roots": axis("distinct roots", 2, 9),
        "n_definitions": DEFINITIONS_AXIS,
        "digits": axis("digits of the largest integer", 1, _MAX_DIGITS),
    }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw roots, multiply their linear factors, and hide parts of the product."""
        degree = _DEGREES[level - 1]
        entropy = entropy_between(draws, *_ENTROPIES[level - 1])
        roots = _random_roots(draws, degree, entropy)
        if roots is None:
            return None
        polynomial = _product(roots)
        coefficients = _integers(polynomial)
        digits = digits_of(coefficients)
        if digits > _MAX_DIGITS:
            return None
        distinct = sorted(set(roots), reverse=True)
        n = self.count_definitions(level, draws)
        data = _hidden(draws, polynomial, distinct, n, entropy)
        return Problem(
            with_givens((f"roots{degree}", *coefficients), data.trees),
            str(distinct[1].p + distinct[1].q),
            axes={
                "degree": degree,
                "n_roots": len(distinct),
                "n_definitions": n,
                "digits": digits,
            },
            data=data,
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the definitions and the polynomial."""
        data: _Roots = problem.data
        x = data.variable
        given = given_text(draws, data.definitions)
        texts = [
            _polynomial_text(one, x, data.divisor, {} if i else data.letters)
            for i, one in enumerate(data.given)
        ]
        if data.body:
            pairs = zip("fg", texts, strict=False)
            given += "".join(f"Let {name}({x}) = {text}. " for name, text in pairs)
        return {"given": given, "x": x, "p": data.body or texts[0]}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the values of the letters, the polynomial, and one linear factor after another."""
        data: _Roots = problem.data
        x, rest = data.variable, data.polynomial
        lines = [*value_lines(data.definitions), f"{_polynomial_text(rest, x)} = 0"]
        for root in data.roots:
            factor = _factor(root)
            while rest(root) == 0:
                rest //= factor
                product = f"({_polynomial_text(factor, x)})*({_polynomial_text(rest, x)})"
                lines.append(f"root {root}: {product}")
        second = data.roots[1]
        ending = f"{second.p} + {second.q} = {problem.answer}"
        return [*lines, f"second-largest root {second}: {ending}"]


def _random_roots(draws: RowDraws, degree: int, entropy: int) -> list[fmpq] | None:
    """Return rational roots, few of them integers or repeated, at least two of them distinct."""
    repeated = several_below(draws, _ONE_IN_REPEATED, degree - 1).count(0)
    n = max(2, degree - min(repeated, degree // 2))
    roots: list[fmpq] = []
    for share in shares(draws, entropy, n, _EVENNESS):
        for _ in range(_TRIES):
            if draws.integer(0, _ONE_IN_INTEGER):
                root = non_integer(draws, share)
            else:
                root = fmpq(signed_of(draws, share))
            if root not in roots:
                break
        else:
            return None
        roots.append(root)
    return roots + [roots[draws.integer(0, n)] for _ in range(degree - n)]


def _hidden(
    draws: RowDraws, polynomial: fmpz_poly, roots: list[fmpq], n: int, entropy: int
) -> _Roots:
    """Multiply a polynomial by a number, and define n parts of it."""
    times = integer_or_rational(draws, PER_DIGIT)
    if (n and times.q != 1) or times == 0:
        times = fmpq(signed_of(draws, PER_DIGIT, 1))
    scaled = polynomial * times.p
    variable, *letters = some_letters(draws, 1 + 2 * n, _NAMES)
    trees: list[Tree] = []
    given, body = [scaled], ""
    kind = draws.integer(0, 3) if n else 0
    if kind == _COMBINATION:
        given, body, tree = _combination(draws, scaled, variable)
        trees.append(tree)
    elif kind == _SHIFT:
        by = signed_of(draws, PER_DIGIT, 1)
        given = [scaled(fmpz_poly([by, 1]))]
        body = f"f({variable} {'-' if by > 0 else '+'} {abs(by)})"
        trees.append(("shift", by))
    n_letters = n - len(trees)
    named: dict[int, str] = {}
    every: list[Definition] = []
    if n_letters:
        values = _integers(given[0])
        powers = [power for power, value in enumerate(values) if value]
        n_direct = min(len(powers), max(1, n_letters - draws.integer(0, 2)))
        chosen = [powers.pop(draws.integer(0, len(powers))) for _ in range(n_direct)]
        direct_values = [values[power] for power in chosen]
        every, direct = define(draws, direct_values, n_letters, entropy // 4, letters)
        named = {power: one.letter for power, one in zip(chosen, direct, strict=True)}
        trees += [one.tree for one in direct]
    divisor = int(times.q)
    return _Roots(polynomial, roots, variable, given, divisor, named, every, body, trees)


def _combination(
    draws: RowDraws, polynomial: fmpz_poly, x: str
) -> tuple[list[fmpz_poly], str, Tree]:
    """Return f and g such that the polynomial is a f + g or a f - g, the text and the tree."""
    size = max(PER_DIGIT, digits_of(_integers(polynomial)) * PER_DIGIT // 2)
    length = draws.integer(2, len(polynomial) + 1)
    first = [signed_of(draws, size) for _ in range(length - 1)] + [signed_of(draws, size, 1)]
    a = signed_of(draws, PER_DIGIT, 2)
    b = 1 - 2 * draws.integer(0, 2)
    f = fmpz_poly(first)
    g = (polynomial - a * f) * b
    body = f"{a}*f({x}) {'+' if b > 0 else '-'} g({x})"
    trees: list[Tree] = []
    for factor, values in sorted(((a, first), (b, _integers(g) or [0])), key=repr):
        trees += [factor, (f"polynomial{len(values)}", *values)]
    return [f, g], body, ("combination", *trees)


def _integers(polynomial: fmpz_poly) -> list[int]:
    """Return the coefficients of a polynomial, the lowest first."""
    return [int(value) for value in polynomial.coeffs()]


def _polynomial_text(
    polynomial: fmpz_poly, name: str, divisor: int = 1, letters: Mapping[int, str] | None = None
) -> str:
    """Write a polynomial over a divisor, the highest power first, with letters by exponent."""
    pieces = []
    for power, value in reversed(list(enumerate(polynomial.coeffs()))):
        factor = "" if power == 0 else name if power == 1 else f"{name}^{power}"
        number = fmpq(abs(value), divisor)
        coefficient = str(number) if number.q == 1 else f"({number})"
        if letters and power in letters:
            coefficient, value = letters[power], fmpz(1)
        if factor:
            coefficient = factor if coefficient == "1" else f"{coefficient}*{factor}"
        if value:
            pieces.append(f"{'-' if value < 0 else '+'} {coefficient}")
    text = " ".join(pieces) or "+ 0"
    return f"-{text[2:]}" if text[0] == "-" else text[2:]


def _factor(root: fmpq) -> fmpz_poly:
    """Return the linear polynomial with coprime coefficients that has this root."""
    return fmpz_poly([-root.p, root.q])


def _product(roots: Sequence[fmpq]) -> fmpz_poly:
    """Multiply the linear factors of some roots."""
    return prod(map(_factor, roots), start=fmpz_poly([1]))


# --- comp_polynomial_gcd ---

_SIZES = (
    ((2, 2), (1, 1), 6, 1),
    ((2, 3), (1, 2), 6, 3),
    ((3, 3), (2, 2), 9, 5),
    ((3, 4), (2, 3), 12, 7),
    ((4, 5), (2, 4), 15, 9),
)
"""Degree of the divisor, of what each polynomial has besides, largest parts of the roots."""
_QUADRATIC_LEVEL = 3
_HIGHEST = 12
_SCALES = (1, 1, 1, -1, 2, -2, 3)


class _Pair(NamedTuple):
    """Two polynomials, their greatest common divisor, its distinct roots, and the variable."""

    polynomials: list[fmpz_poly]
    divisor: fmpz_poly
    roots: list[fmpq]
    variable: str


@dataclass(frozen=True)
class CompPolynomialGcd(LevelledFamily):
    """Two expanded polynomials whose greatest common divisor has rational roots.

    Attributes:
        levels: Difficulty levels, 1 to 5, drawn with equal probability; an empty list means all.
            The divisor has degree 2, 2-3, 3, 3-4 or 4-5, and each polynomial 1, 1-2, 2, 2-3 or 2-4
            more; from level 3 on it may have factors without rational roots.
    """

    version = 3
    verifier = "comp_polynomial_gcd"
    same_up_to = "names of the variables, the order of the polynomials"
    domain = "omega"
    words = WORDS.part("gcd")
    symbols = {"common_root": 2, **{f"poly{n}": n for n in range(2, _HIGHEST + 2)}}
    n_levels = len(_SIZES)
    own_axes = {
        "degree": axis("higher degree of the two polynomials", 3, _HIGHEST),
        "n_roots": axis("distinct roots of the common divisor", 1, 5),
    }

    def make(self, level: int, draws: RowDraws) -> Problem:
        """Multiply the divisor by coprime polynomials."""
        degrees, others, most_top, most_bottom = _SIZES[level - 1]
        pool = _Pool(draws, most_top, most_bottom)
        roots = [pool.root() for _ in range(draws.integer(degrees[0], degrees[1] + 1))]
        if draws.integer(0, 6) == 0:
            roots[-1] = roots[0]
        divisor = _product(roots)
        pair = []
        for _ in range(2):
            product = fmpz_poly([1])
            degree = draws.integer(others[0], others[1] + 1)
            if level >= _QUADRATIC_LEVEL and degree > 1 and draws.integer(0, 3) == 0:
                product = pool.quadratic()
            while product.degree() < degree:
                product *= _factor(pool.root())
            pair.append(divisor * product)
        if draws.integer(0, 4) == 0:  # a root that one polynomial has more often
            pair[1] *= _factor(draws.choice(roots))
        first, second = sorted(map(_integers, pair), key=lambda p: (len(p), p[::-1]))
        distinct = sorted(set(roots), reverse=True)
        root = distinct[:2][-1]
        return Problem(
            ("common_root", *((f"poly{len(p)}", *p) for p in (first, second))),
            str(root.p + root.q),
            axes={"degree": max(map(len, pair)) - 1, "n_roots": len(distinct)},
            data=_Pair(pair, divisor, distinct, draws.choice("tuvwxyz")),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write both polynomials, times small factors."""
        pair, _, _, x = problem.data
        p, q = (_polynomial_text(one * draws.choice(_SCALES), x) for one in pair)
        return {"p": p, "q": q, "x": x}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the divisor, its roots and the sum."""
        _, divisor, roots, x = problem.data
        root = roots[:2][-1]
        return (
            f"gcd: {_polynomial_text(divisor, x)}",
            f"roots: {', '.join(map(str, roots))}",
            f"{root.p} + {root.q} = {problem.answer}",
        )


class _Pool:
    """Rational roots and quadratic factors, each once."""

    def __init__(self, draws: RowDraws, most_top: int, most_bottom: int) -> None:
        self._draws, self._top, self._bottom = draws, most_top, most_bottom
        self._used: list[fmpq | fmpz_poly] = []

    def root(self) -> fmpq:
        """Return a new root; there are more of them than are needed."""
        while True:
            bottom = self._draws.integer(1, self._bottom + 1)
            root = fmpq(self._draws.integer(-self._top, self._top + 1), bottom)
            if root not in self._used:
                self._used.append(root)
                return root

    def quadratic(self) -> fmpz_poly:
        """Return a new quadratic polynomial without rational roots."""
        while True:
            low = self._draws.integer(-9, 10), self._draws.integer(-5, 6)
            factor = fmpz_poly([*low, self._draws.integer(1, 4)])
            factor //= factor.content()
            c, b, a = factor.coeffs()
            if not (b * b - 4 * a * c).is_square() and factor not in self._used:
                self._used.append(factor)
                return factor
