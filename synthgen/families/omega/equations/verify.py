"""Expressions, linear systems, polynomials and integers from the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

from sympy import Poly, Rational, Symbol, isprime, primerange

from synthgen.authoring import PlainVerifier, exactly, holes, reads
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


@reads(WORDS.part("mixed"), given=GIVEN, text=holes.pattern(TEXT.pattern, expression_of))
def _read_mixed(given: Definitions, text: Tree) -> _Mixed:
    return given, text


def _solve_mixed(problem: _Mixed) -> str | None:
    known = values_of(problem[0])
    try:
        return None if known is None else str(value_of(problem[1], known))
    except (KeyError, ArithmeticError):
        return None


def _mixed_lines(problem: _Mixed) -> list[str]:
    """Write every operation, operands before results and left before right."""
    known = values_of(problem[0]) or {}
    lines = value_lines(known)
    _work_out(problem[1], known, lines)
    return lines


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
def _read_linear(given: Definitions, system: str, x: str, unknowns: str = "") -> _System | None:
    texts = _unlisted(system)
    equations = tuple(terms for text in texts if (terms := equation_of(text)) is not None)
    if len(equations) != len(texts) or len(texts) > _MAX_UNKNOWNS:
        return None
    letters = set[str]().union(*map(letters_in, equations))
    letters = letters.difference(*(one.letters for one in given))
    if len(letters) != len(texts) or x not in letters:
        return None
    if unknowns and _unlisted(unknowns) != sorted(letters):
        return None
    return _System(given, equations, (*sorted(letters - {x}), x))


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

_X = Symbol("x")


class _Pair(NamedTuple):
    """Two polynomials with coprime integer coefficients, and the name of their variable."""

    first: Poly
    second: Poly
    x: str


class _Roots(NamedTuple):
    """Definitions, the variable, polynomials, and how the last is made of them.

    One polynomial and (0, 0): itself. One and (s, 0): f(x + s). Two and (a, b): a f + b g.
    """

    definitions: Definitions
    x: str
    sums: tuple[Sum, ...]
    made: tuple[int, int]


@reads(WORDS.part("roots"), given=holes.pattern(GIVEN.pattern), x=LETTER, p=_POLYNOMIAL)
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


def _polynomial(problem: _Roots, known: Mapping[str, int]) -> Poly | None:
    """Return the polynomial in question with coprime integers; None if it is zero or huge."""
    parts = [part for terms in problem.sums if (part := _summed(terms, problem.x, known))]
    first, second = problem.made
    if len(parts) != len(problem.sums):
        return None
    made = parts[0]
    if second:
        made = first * parts[0] + second * parts[1]
    elif first:
        made = parts[0].compose(Poly(_X + first))
    return _primitive(made)


def _summed(terms: Sum, x: str, known: Mapping[str, int]) -> Poly | None:
    """Collect terms by exponent; None unless they are a polynomial in x of a low degree."""
    values: dict[tuple[int], Any] = {}
    for letters, size in collected(terms, known).items():
        exponent = sum(power for _, power in letters)
        if exponent > _HIGHEST or any(letter != x for letter, _ in letters):
            return None
        values[exponent,] = values.get((exponent,), 0) + Rational(size)
    return Poly(values, _X)


def _primitive(polynomial: Poly | None) -> Poly | None:
    """Return the positive multiple with coprime integers; None for zero and huge integers."""
    if not polynomial:
        return None
    _, integers = polynomial.clear_denoms(convert=True)[1].primitive()
    huge = any(abs(value) >> _MAX_BITS for value in map(int, integers.all_coeffs()))
    return None if huge else integers * (1 if integers.LC() > 0 else -1)


def _rational_roots(polynomial: Poly) -> list[Fraction]:
    """Return all roots with multiplicity, the smallest first; none if one is not rational."""
    roots = polynomial.ground_roots()
    if sum(roots.values()) < polynomial.degree():
        return []
    return sorted(Fraction(int(root.p), int(root.q)) for root in roots for _ in range(roots[root]))


def _second(roots: Sequence[Fraction]) -> Fraction | None:
    distinct = sorted(set(roots))
    return distinct[-2] if len(distinct) > 1 else None


def _solve_roots(problem: _Roots) -> str | None:
    known = values_of(problem.definitions)
    polynomial = None if known is None else _polynomial(problem, known)
    second = _second(_rational_roots(polynomial)) if polynomial else None
    return None if second is None else str(second.numerator + second.denominator)


def _follows_roots(problem: _Roots, answer: str, lines: Sequence[str]) -> bool:
    """Follow the polynomial, and its linear factors from the largest root down."""
    known = values_of(problem.definitions) or {}
    rest, stated = _polynomial(problem, known), value_lines(known)
    n = len(stated)
    if rest is None or list(lines[:n]) != stated or len(lines) != n + rest.degree() + 2:
        return False
    if not lines[n].endswith(" = 0") or _stated(lines[n][:-4], problem.x) != rest:
        return False
    roots: list[Fraction] = []
    for line in lines[n + 1 : -1]:
        match = _FACTOR.fullmatch(line)
        factor, left = (_stated(match[k], problem.x) if match else None for k in (2, 3))
        if match is None or factor is None or left is None or factor.degree() != 1:
            return False
        root = Fraction(int(-factor.nth(0)), int(factor.nth(1)))
        if str(root) != match[1] or root > min(roots, default=root) or factor * left != rest:
            return False
        roots.append(root)
        rest = left
    second = _second(roots)
    if second is None or not rest.is_one:
        return False
    top, bottom = second.as_integer_ratio()
    return lines[-1] == f"second-largest root {second}: {top} + {bottom} = {answer}"


def _stated(text: str, x: str) -> Poly | None:
    """Return a polynomial as it is written, None unless its coefficients are coprime integers."""
    stated = _summed(sum_of(text) or (), x, {})
    polynomial = _primitive(stated)
    return polynomial if polynomial == stated else None


# --- comp_polynomial_gcd ---


@reads(WORDS.part("gcd"), x=LETTER, p=_POLYNOMIAL, q=_POLYNOMIAL)
def _read_gcd(x: str, p: str, q: str) -> _Pair | None:
    sums = [terms for text in (p, q) if (terms := sum_of(text)) is not None]
    if len(sums) != 2 or set[str]().union(*map(letters_in, sums)) != {x}:
        return None
    first, second = (_primitive(_summed(terms, x, {})) for terms in sums)
    if first is None or second is None or min(first.degree(), second.degree()) < 1:
        return None
    return _Pair(first, second, x)


def _asked(roots: Sequence[Fraction]) -> Fraction:
    return sorted(set(roots))[-2:][0]


def _solve_gcd(problem: _Pair) -> str | None:
    roots = _rational_roots(problem.first.gcd(problem.second))
    return str(sum(_asked(roots).as_integer_ratio())) if roots else None


def _follows_gcd(problem: _Pair, answer: str, lines: Sequence[str]) -> bool:
    """Compare the divisor, its roots and the sum."""
    divisor = problem.first.gcd(problem.second)
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

_TRIALS = list(primerange(100_004))
_PROVEN = 2**64
"""SymPy's test of primes is proven below this."""

_Integer = tuple[Definitions, "int | str"]


@reads(WORDS.part("primes"), given=GIVEN, n=holes.pattern("[1-9][0-9]{0,59}|[a-z]"))
def _read_primes(given: Definitions, n: str) -> _Integer:
    return given, n if n.isalpha() else int(n)


def _prime_factors(n: int) -> list[int]:
    """Divide by all primes up to the root or the last trial; the rest must be prime.

    Returns:
        The prime factors with multiplicity in order, none if the rest is composite or too large.
    """
    factors = []
    for prime in _TRIALS:
        if prime * prime > n:
            break
        while n % prime == 0:
            n //= prime
            factors.append(prime)
    if n > 1:
        if n >= _PROVEN or not isprime(n):
            return []
        factors.append(n)
    return factors


def _factors_of(problem: _Integer, known: Mapping[str, int] | None) -> list[int]:
    name = problem[1]
    n = name if isinstance(name, int) else (known or {}).get(name, 0)
    return [] if known is None else _prime_factors(n)


def _solve_primes(problem: _Integer) -> str | None:
    distinct = sorted(set(_factors_of(problem, values_of(problem[0]))))
    return str(distinct[-2]) if len(distinct) > 1 else None


def _prime_lines(problem: _Integer) -> list[str]:
    """Write the divisions by growing primes, and the order of the primes."""
    known = values_of(problem[0]) or {}
    primes, lines = _factors_of(problem, known), value_lines(known)
    n = prod(primes)
    for prime in primes[:-1]:
        lines.append(f"{n} = {prime} * {n // prime}")
        n //= prime
    distinct = sorted(set(primes), reverse=True)
    ending = f"{' > '.join(map(str, distinct))}; the second-largest is {distinct[1]}"
    return [*lines, ending]


VERIFIERS = {
    "algebra_linear_equation": PlainVerifier(_read_linear, _solve_linear, follows=_follows_linear),
    "algebra_polynomial_roots": PlainVerifier(_read_roots, _solve_roots, follows=_follows_roots),
    "arithmetic_list_prime_factors": PlainVerifier(
        _read_primes, _solve_primes, follows=exactly(_prime_lines)
    ),
    "comp_polynomial_gcd": PlainVerifier(_read_gcd, _solve_gcd, follows=_follows_gcd),
    "arithmetic_mixed": PlainVerifier(_read_mixed, _solve_mixed, "rational", exactly(_mixed_lines)),
}
