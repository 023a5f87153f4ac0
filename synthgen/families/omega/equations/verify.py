"""Expressions, linear systems, polynomials and integers from the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb, gcd, isqrt, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sympy import isprime, primerange

from synthgen.authoring import PlainVerifier, holes, reads
from synthgen.families.omega.equations.verify_text import (
    GIVEN,
    LETTER,
    TEXT,
    WORDS,
    Definition,
    Sum,
    Tree,
    applied,
    collected,
    definitions_of,
    equation_of,
    expression_of,
    letters_in,
    linear_row,
    solved,
    sum_of,
    value_lines,
    value_of,
    values_of,
)

Definitions = tuple[Definition, ...]

# --- arithmetic_mixed ---

_Mixed = tuple[Definitions, Tree]


@reads(WORDS.part("mixed"), given=GIVEN, text=TEXT)
def _read_mixed(given: str, text: str) -> _Mixed | None:
    definitions, tree = definitions_of(given), expression_of(text)
    return None if definitions is None or tree is None else (definitions, tree)


def _solve_mixed(problem: _Mixed) -> str | None:
    known = values_of(problem[0])
    try:
        return None if known is None else str(value_of(problem[1], known))
    except (KeyError, ArithmeticError):
        return None


def _follows_mixed(problem: _Mixed, answer: str, lines: Sequence[str]) -> bool:
    """Follow every operation, operands before results and left before right, to the answer."""
    known = values_of(problem[0]) or {}
    wanted = value_lines(known)
    value = _work_out(problem[1], known, wanted)
    return list(lines) == wanted and str(value) == answer


def _work_out(tree: Tree, known: Mapping[str, int], lines: list[str]) -> Fraction:
    """Return the value of an expression, and write a line for each operation in it."""
    if not isinstance(tree, tuple):
        return value_of(tree, known)
    sign, left, right = tree
    first, second = _work_out(left, known, lines), _work_out(right, known, lines)
    value = applied(sign, first, second)
    if not (sign == "/" and value.denominator > 1 and (left, right) == value.as_integer_ratio()):
        lines.append(f"{_text(first)} {sign} {_text(second)} = {value}")
    return value


def _text(value: Fraction) -> str:
    text = str(value)
    return text if text.isdigit() else f"({text})"


# --- algebra_linear_equation ---

_MAX_UNKNOWNS = 12
_LINE = re.compile(
    r"\(([1-9][0-9]?)\)(?: ([1-9][0-9]*)\*\(([1-9][0-9]?)\) ([+-]) ([1-9][0-9]*)\*"
    r"\(([1-9][0-9]?)\)(?:, divided by ([1-9][0-9]*))?:)? (.+) = (-?[0-9]+)",
    re.ASCII,
)


class _System(NamedTuple):
    """Definitions, equations, and the unknowns; the last one is in question."""

    definitions: Definitions
    equations: tuple[Sum, ...]
    names: tuple[str, ...]


def _unlisted(text: str) -> list[str]:
    """Split a list such as `a, b and c`."""
    before, _, last = text.rpartition(" and ")
    return [*before.split(", "), last]


@reads(WORDS.part("linear"), given=GIVEN, system=TEXT, x=LETTER, unknowns=holes.pattern("[a-z, ]+"))
def _read_linear(given: str, system: str, x: str, unknowns: str = "") -> _System | None:
    definitions = definitions_of(given)
    texts = _unlisted(system)
    equations = tuple(terms for text in texts if (terms := equation_of(text)) is not None)
    if definitions is None or len(equations) != len(texts) or len(texts) > _MAX_UNKNOWNS:
        return None
    letters = set[str]().union(*map(letters_in, equations))
    letters = letters.difference(*(one.letters for one in definitions))
    if len(letters) != len(texts) or x not in letters:
        return None
    if unknowns and _unlisted(unknowns) != sorted(letters):
        return None
    return _System(definitions, equations, (*sorted(letters - {x}), x))


def _rows(problem: _System, known: Mapping[str, int]) -> list[list[int] | None]:
    return [linear_row(terms, problem.names, known) for terms in problem.equations]


def _solve_linear(problem: _System) -> str | None:
    known = values_of(problem.definitions)
    values = None if known is None else solved(_rows(problem, known))
    return None if values is None or values[-1].denominator != 1 else str(values[-1])


def _follows_linear(problem: _System, answer: str, lines: Sequence[str]) -> bool:
    """Follow the equations, and the combinations of two that end with the unknown in question."""
    known = values_of(problem.definitions) or {}
    rows, stated = _rows(problem, known), value_lines(known)
    first, last = len(stated), f"{problem.names[-1]} = {answer}"
    if list(lines[:first]) != stated or lines[-1] != last:
        return False
    claimed: list[list[int]] = []
    for number, line in enumerate(lines[first:-1], 1):
        row = _claimed(line, number, claimed, problem)
        if row is None:
            return False
        if number <= len(rows) and rows[number - 1] not in (row, [-value for value in row]):
            return False
        claimed.append(row)
    if len(claimed) <= len(rows):
        return False
    *others, times, constant = claimed[-1]
    return not any(others) and times != 0 and times * int(answer) == constant


def _claimed(
    line: str, number: int, claimed: Sequence[list[int]], problem: _System
) -> list[int] | None:
    """Return the equation of a line; None unless it is numbered and the combination it states."""
    match = _LINE.fullmatch(line)
    terms = equation_of(f"{match[8]} = {match[9]}") if match else None
    row = linear_row(terms, problem.names, {}) if terms else None
    if match is None or row is None or int(match[1]) != number:
        return None
    given = number <= len(problem.equations)
    if match[2] is None or given:
        return row if match[2] is None and given else None
    first, second = int(match[3]), int(match[6])
    if max(first, second) >= number:
        return None
    times, less, by = int(match[2]), int(match[4] + match[5]), int(match[7] or 1)
    pairs = zip(row, claimed[first - 1], claimed[second - 1], strict=True)
    return row if all(by * value == times * a + less * b for value, a, b in pairs) else None


# --- algebra_polynomial_roots ---

_GIVEN = re.compile(r"(.*?)(?:Let f\(([a-z])\) = ([^.=]+)\. )?(?:Let g\(([a-z])\) = ([^.=]+)\. )?")
_POLYNOMIAL = holes.pattern(r"[^.?=;\n]+")
_COMBINATION = re.compile(r"(-?[1-9][0-9]{0,59})\*f\(([a-z])\) ([+-]) g\(([a-z])\)", re.ASCII)
_SHIFT = re.compile(r"f\(([a-z]) ([+-]) ([1-9][0-9]{0,59})\)", re.ASCII)
_FACTOR = re.compile(r"root (-?[0-9]+(?:/[0-9]+)?): \(([^()]+)\)\*\(([^()]+)\)", re.ASCII)
_HIGHEST = 12
_MAX_BITS = 400
_MAX_STEPS = 600

Polynomial = tuple[int, ...]
"""Coprime integer coefficients, the highest first, positive; () for zero."""


class _Pair(NamedTuple):
    """Two polynomials and their variable."""

    first: Polynomial
    second: Polynomial
    x: str


class _Roots(NamedTuple):
    """Definitions, the variable, polynomials, and how the last is made of them.

    One polynomial and (0, 0): itself. One and (s, 0): f(x + s). Two and (a, b): a f + b g.
    """

    definitions: Definitions
    x: str
    sums: tuple[Sum, ...]
    made: tuple[int, int]


@reads(WORDS.part("roots"), given=GIVEN, x=LETTER, p=_POLYNOMIAL)
def _read_roots(given: str, x: str, p: str) -> _Roots | None:
    match = _GIVEN.fullmatch(given)
    definitions = definitions_of(match[1]) if match else None
    if match is None or definitions is None:
        return None
    variables = {letter for letter in (match[2], match[4]) if letter}
    texts, made = [text for text in (match[3], match[5]) if text], (0, 0)
    combination, shift = _COMBINATION.fullmatch(p), _SHIFT.fullmatch(p)
    if len(texts) == 2 and combination:
        variables |= {combination[2], combination[4]}
        made = int(combination[1]), int(f"{combination[3]}1")
    elif len(texts) == 1 and match[2] and shift:
        variables.add(shift[1])
        made = int(shift[2] + shift[3]), 0
    elif not texts:
        texts.append(p)
    else:
        return None
    sums = tuple(terms for text in texts if (terms := sum_of(text)) is not None)
    known = {letter for one in definitions for letter in one.letters}
    if len(sums) != len(texts) or x in known or not variables <= {x}:
        return None
    if not set[str]().union(*map(letters_in, sums)) <= {x, *known}:
        return None
    return _Roots(definitions, x, sums, made)


def _polynomial(problem: _Roots, known: Mapping[str, int]) -> Polynomial:
    """Return the polynomial in question; () if it is zero or huge."""
    parts = [_coefficients(terms, problem.x, known) for terms in problem.sums]
    first, second = problem.made
    values = parts[0] if all(parts) else []
    if not values:
        return ()
    if second:
        values = [first * f + second * g for f, g in zip(*parts, strict=True)]
    elif first:
        values = [
            sum(comb(k, i) * values[k] * first ** (k - i) for k in range(i, _HIGHEST + 1))
            for i in range(_HIGHEST + 1)
        ]
    return _bounded(_primitive(values))


def _bounded(polynomial: Polynomial) -> Polynomial:
    """Return () for a polynomial with huge coefficients."""
    huge = any(value.bit_length() > _MAX_BITS for value in polynomial)
    return () if huge else polynomial


def _coefficients(terms: Sum, x: str, known: Mapping[str, int]) -> list[Fraction | int]:
    """Collect terms by exponent; [] unless they are a polynomial in x of a degree that is read."""
    values: list[Fraction | int] = [0] * (_HIGHEST + 1)
    for letters, size in collected(terms, known).items():
        exponent = sum(power for _, power in letters)
        if exponent > _HIGHEST or any(letter != x for letter, _ in letters):
            return []
        values[exponent] += size
    return values


def _primitive(values: Sequence[Fraction | int]) -> Polynomial:
    """Return coprime integers in proportion to coefficients, which begin with the lowest."""
    times = lcm(*(value.denominator for value in values))
    integers = [int(value * times) for value in reversed(values)]
    while integers and integers[0] == 0:
        integers.pop(0)
    common = gcd(*integers) * (-1 if integers and integers[0] < 0 else 1)
    return tuple(value // common for value in integers)


def _rational_roots(polynomial: Polynomial) -> list[Fraction] | None:
    """Return all roots with multiplicity, the largest first; None if one is not rational.

    The roots times the leading coefficient are those of a monic polynomial, and integers if they
    are rational. If all roots are real, Newton's method from above never passes the largest one.
    """
    lead = polynomial[0]
    monic = [1, *(value * lead**i for i, value in enumerate(polynomial[1:]))]
    roots: list[Fraction] = []
    while len(monic) > 1:
        root = _largest_root(monic)
        if root is None:
            return None
        roots.append(Fraction(root, lead))
        carry, quotient = 0, []
        for value in monic[:-1]:
            carry = carry * root + value
            quotient.append(carry)
        monic = quotient
    return roots


def _largest_root(monic: Sequence[int]) -> int | None:
    """Return the largest root of a polynomial, None unless it is an integer."""
    n = len(monic) - 1
    second = monic[2] if n > 1 else 0
    spread = (n - 1) * ((n - 1) * monic[1] ** 2 - 2 * n * second)  # Laguerre's bound of real roots
    if spread < 0:
        return None
    x = (isqrt(spread) - monic[1]) // n + 1
    for _ in range(_MAX_STEPS):
        value = slope = 0
        for coefficient in monic:
            slope = slope * x + value
            value = value * x + coefficient
        if value == 0:
            return x
        if value < 0 or slope <= 0:
            return None
        x -= max(1, value // slope)  # passes no integer root: Newton's step rounded down, or 1
    return None


def _second(roots: Sequence[Fraction]) -> Fraction | None:
    distinct = sorted(set(roots))
    return distinct[-2] if len(distinct) > 1 else None


def _solve_roots(problem: _Roots) -> str | None:
    known = values_of(problem.definitions)
    polynomial = () if known is None else _polynomial(problem, known)
    second = _second(_rational_roots(polynomial) or ()) if polynomial else None
    return None if second is None else str(second.numerator + second.denominator)


def _follows_roots(problem: _Roots, answer: str, lines: Sequence[str]) -> bool:
    """Follow the polynomial, and its linear factors from the largest root down."""
    known = values_of(problem.definitions) or {}
    rest, stated = _polynomial(problem, known), value_lines(known)
    n = len(stated)
    if list(lines[:n]) != stated or len(lines) != n + len(rest) + 1:
        return False
    if lines[n].removesuffix(" = 0") == lines[n] or _stated(lines[n][:-4], problem.x) != rest:
        return False
    roots: list[Fraction] = []
    for line in lines[n + 1 : -1]:
        match = _FACTOR.fullmatch(line)
        factor, left = (
            (_stated(text, problem.x) for text in match.groups()[1:]) if match else ((), ())
        )
        if match is None or len(factor) != 2 or not left:
            return False
        root = Fraction(-factor[1], factor[0])
        product = zip((*left, 0), (0, *left), strict=True)
        if str(root) != match[1] or root > min(roots, default=root):
            return False
        if tuple(factor[0] * a + factor[1] * b for a, b in product) != rest:
            return False
        roots.append(root)
        rest = left
    second = _second(roots)
    if second is None or rest != (1,):
        return False
    top, bottom = second.as_integer_ratio()
    return lines[-1] == f"second-largest root {second}: {top} + {bottom} = {answer}"


def _stated(text: str, x: str) -> Polynomial:
    """Return a polynomial as it is written, () unless its coefficients are coprime integers."""
    values = _coefficients(sum_of(text) or (), x, {})
    polynomial = _primitive(values)
    return polynomial if polynomial[::-1] == tuple(values[: len(polynomial)]) else ()


# --- comp_polynomial_gcd ---


@reads(WORDS.part("gcd"), x=LETTER, p=_POLYNOMIAL, q=_POLYNOMIAL)
def _read_gcd(x: str, p: str, q: str) -> _Pair | None:
    sums = [terms for text in (p, q) if (terms := sum_of(text)) is not None]
    if len(sums) != 2 or set[str]().union(*map(letters_in, sums)) != {x}:
        return None
    first, second = (_bounded(_primitive(_coefficients(terms, x, {}))) for terms in sums)
    return _Pair(first, second, x) if min(len(first), len(second)) > 1 else None


def _common(problem: _Pair) -> Polynomial:
    """Return the greatest common divisor, by Euclid's algorithm with primitive remainders."""
    first, second, _ = problem
    while second:
        rest = list(first)
        while len(rest) >= len(second):
            top = rest[0]
            padded = (*second, *[0] * (len(rest) - len(second)))
            pairs = zip(rest, padded, strict=True)
            rest = [value * second[0] - top * other for value, other in pairs][1:]
        first, second = second, _primitive(rest[::-1])
    return first


def _asked(roots: Sequence[Fraction]) -> Fraction:
    return sorted(set(roots))[-2:][0]


def _solve_gcd(problem: _Pair) -> str | None:
    roots = _rational_roots(_common(problem))
    return str(sum(_asked(roots).as_integer_ratio())) if roots else None


def _follows_gcd(problem: _Pair, answer: str, lines: Sequence[str]) -> bool:
    """Compare the divisor, its roots and the sum."""
    divisor = _common(problem)
    roots = _rational_roots(divisor)
    if len(lines) != 3 or not roots or not lines[0].startswith("gcd: "):
        return False
    stated = ", ".join(map(str, sorted(set(roots), reverse=True)))
    top, bottom = _asked(roots).as_integer_ratio()
    return (
        _stated(lines[0].removeprefix("gcd: "), problem.x) == divisor
        and lines[1] == f"roots: {stated}"
        and lines[2] == f"{top} + {bottom} = {answer}"
    )


# --- arithmetic_list_prime_factors ---

_LAST_TRIAL = 100_003
_PROVEN = 2**64
"""SymPy's test of primes is proven below this."""
_LIMB = 30
"""Bits of an integer that are divided at once; with a remainder they stay below 2^63."""

_Integer = tuple[Definitions, "int | str"]


@reads(WORDS.part("primes"), given=GIVEN, n=holes.pattern("[1-9][0-9]{0,59}|[a-z]"))
def _read_primes(given: str, n: str) -> _Integer | None:
    definitions = definitions_of(given)
    return None if definitions is None else (definitions, n if n.isalpha() else int(n))


@cache
def _trials() -> NDArray[np.int64]:
    return np.array(list(primerange(2, _LAST_TRIAL + 1)), np.int64)


def _prime_factors(n: int) -> list[int] | None:
    """Divide by all primes up to the root or the last trial at once; the rest must be prime.

    Returns:
        The prime factors with multiplicity in order, None if the rest is composite or too large.
    """
    if n < 2:
        return None
    trials = _trials()
    trials = trials[: np.searchsorted(trials, min(isqrt(n), _LAST_TRIAL), "right")]
    rests = np.zeros(len(trials), np.int64)
    for place in range(n.bit_length() // _LIMB, -1, -1):
        limb = n >> place * _LIMB & ((1 << _LIMB) - 1)
        rests = ((rests << _LIMB) + limb) % trials
    factors = []
    for prime in trials[rests == 0].tolist():
        while n % prime == 0:
            n //= prime
            factors.append(prime)
    if n > 1:
        if n >= _PROVEN or not isprime(n):
            return None
        factors.append(n)
    return factors


def _factors_of(problem: _Integer, known: Mapping[str, int] | None) -> list[int]:
    name = problem[1]
    n = name if isinstance(name, int) else (known or {}).get(name, 0)
    return [] if known is None else _prime_factors(n) or []


def _solve_primes(problem: _Integer) -> str | None:
    distinct = sorted(set(_factors_of(problem, values_of(problem[0]))))
    return str(distinct[-2]) if len(distinct) > 1 else None


def _follows_primes(problem: _Integer, answer: str, lines: Sequence[str]) -> bool:
    """Follow the divisions by growing primes, and the order of the primes."""
    known = values_of(problem[0]) or {}
    primes, wanted = _factors_of(problem, known), value_lines(known)
    n = np.prod(np.array(primes, object))
    for prime in primes[:-1]:
        wanted.append(f"{n} = {prime} * {n // prime}")
        n //= prime
    distinct = " > ".join(map(str, sorted(set(primes), reverse=True)))
    return list(lines) == [*wanted, f"{distinct}; the second-largest is {answer}"]


VERIFIERS = {
    "algebra_linear_equation": PlainVerifier(_read_linear, _solve_linear, follows=_follows_linear),
    "algebra_polynomial_roots": PlainVerifier(_read_roots, _solve_roots, follows=_follows_roots),
    "arithmetic_list_prime_factors": PlainVerifier(
        _read_primes, _solve_primes, follows=_follows_primes
    ),
    "comp_polynomial_gcd": PlainVerifier(_read_gcd, _solve_gcd, follows=_follows_gcd),
    "arithmetic_mixed": PlainVerifier(_read_mixed, _solve_mixed, "rational", _follows_mixed),
}
