"""Roots of polynomials from the text: lifted from a prime field, by SymPy, and factor by factor."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb, lcm

from synthgen.verifiers.omega._definitions import (
    Definitions,
    read_definitions,
    settle,
    settle_exactly,
)
from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._sums import Sum, letters_in, read_sum
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.algebra._roots import Polynomial, primitive, rational_roots

_FORMAT = (
    "Write it as n/m in lowest terms with m positive, where m is one for an integer, and give the "
    "integer n + m."
)
_WORDINGS = wordings(
    f"Let p(<x>) = <p>. What is the second-largest of the different roots of p? {_FORMAT}",
    f"All roots of p(<x>) = <p> are rational. Find the second-largest of its different roots. "
    f"{_FORMAT}",
    f"Of the different values of <y> at which p(<x>) = <p> is zero, take the second-largest. "
    f"{_FORMAT}",
    f"For which <y> does p(<x>) = <p> vanish? Take the second-largest of these values. {_FORMAT}",
    x="[a-z]",
    y="[a-z]",
    p="[^.?=]+",
)
_GIVEN = re.compile(r"Let ([fg])\(([a-z])\) = ([^.=]+)\. (.*)", re.DOTALL)
_COMBINATION = re.compile(r"(-?[1-9][0-9]{0,59})\*f\(([a-z])\) ([+-]) g\(([a-z])\)", re.ASCII)
_SHIFT = re.compile(r"f\(([a-z]) ([+-]) ([1-9][0-9]{0,59})\)", re.ASCII)
_HIGHEST = 16
_LINE = re.compile(r"(-?[0-9]+(?:/[0-9]+)?): \(([^()]+)\)\*\(([^()]+)\)", re.ASCII)

Problem = tuple[Definitions, str, tuple[Sum, ...], tuple[int, int]]
"""Definitions, variable, polynomials, and how the last is made of them.

One polynomial and (0, 0): itself. One and (s, 0): f(x + s). Two and (a, b): a f + b g.
"""


def _read(statement: str) -> Problem | None:
    found = read_definitions(statement)
    if found is None:
        return None
    definitions, question = found
    given: list[tuple[str, str, Sum | None]] = []
    for name in "fg":
        match = _GIVEN.fullmatch(question)
        if match is None or match[1] != name:
            break
        given.append((name, match[2], read_sum(match[3])))
        question = match[4]
    match = read_as(question, _WORDINGS)
    if match is None:
        return None
    x = match["x"]
    if match.groupdict().get("y") not in (None, x) or any(of != x for _, of, _ in given):
        return None
    sums = [terms for _, _, terms in given]
    made = _made_of(match["p"], x, len(sums))
    if not given:
        sums, made = [read_sum(match["p"])], (0, 0)
    known = {letter for letters, _, _ in definitions for letter in letters}
    polynomials = tuple(terms for terms in sums if terms is not None)
    if made is None or len(polynomials) != len(sums) or x in known:
        return None
    if not set[str]().union(*map(letters_in, polynomials)) <= {x, *known}:
        return None
    return definitions, x, polynomials, made


def _made_of(text: str, x: str, n: int) -> tuple[int, int] | None:
    """Read how a polynomial is made of n given ones."""
    combination, shift = _COMBINATION.fullmatch(text), _SHIFT.fullmatch(text)
    if combination and n == 2 and combination[2] == combination[4] == x:
        return int(combination[1]), int(f"{combination[3]}1")
    if shift and n == 1 and shift[1] == x:
        return int(shift[2] + shift[3]), 0
    return None


def _polynomial(problem: Problem, known: dict[str, int] | None) -> Polynomial:
    """Return the polynomial that is asked about, primitive; () if there is none."""
    _, x, sums, (first, second) = problem
    if known is None:
        return ()
    divisor = lcm(*(bottom for terms in sums for _, bottom, _ in terms))
    if divisor.bit_length() > 4_000:
        return ()
    parts = [_coefficients(terms, x, known, divisor) for terms in sums]
    values = [part for part in parts if part is not None]
    if len(values) != len(sums):
        return ()
    if len(values) == 2:
        pairs = zip(*values, strict=True)
        return primitive([first * f + second * g for f, g in pairs])
    if first:
        return primitive(_moved(values[0], first))
    return primitive(values[0])


def _coefficients(terms: Sum, x: str, known: dict[str, int], times: int) -> list[int] | None:
    """Collect `times` the terms by exponent, up to the highest one that is read."""
    values = [0] * (_HIGHEST + 1)
    for top, bottom, letters in terms:
        value, exponent = top * (times // bottom), 0
        for letter, power in letters:
            if letter == x:
                exponent += power
            elif power == 1:
                value *= known[letter]
            else:
                return None
        if exponent > _HIGHEST:
            return None
        values[exponent] += value
    return values


def _moved(values: list[int], by: int) -> list[int]:
    """Return p(x + by) by the binomial theorem."""
    size = len(values)
    return [
        sum(comb(k, i) * values[k] * by ** (k - i) for k in range(i, size) if values[k])
        for i in range(size)
    ]


def _second(roots: list[Fraction]) -> Fraction | None:
    different = sorted(set(roots))
    return different[-2] if len(different) > 1 else None


def _solve(problem: Problem) -> str | None:
    roots = rational_roots(_polynomial(problem, settle(problem[0])))
    second = _second(list(roots)) if roots else None
    return None if second is None else str(second.numerator + second.denominator)


def _exact(problem: Problem) -> str | None:
    """SymPy's factors over the integers."""
    from sympy import Poly, Symbol

    polynomial = _polynomial(problem, settle_exactly(problem[0]))
    if len(polynomial) < 2:
        return None
    roots = Poly(polynomial[::-1], Symbol(problem[1])).ground_roots()
    if sum(roots.values()) != len(polynomial) - 1:
        return None
    second = _second([Fraction(int(root.p), int(root.q)) for root in roots])
    return None if second is None else str(second.numerator + second.denominator)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Follow the definitions, the polynomial, and the factors from the largest root down."""
    known = settle(problem[0])
    rest = _polynomial(problem, known)
    lines = way.split("\n")
    stated = [f"{letter} = {value}" for letter, value in (known or {}).items()]
    n = len(stated)
    if lines[:n] != stated or len(lines) != n + len(rest) + 1 or not lines[n].endswith(" = 0"):
        return False
    if len(rest) < 2 or _stated(lines[n].removesuffix(" = 0"), problem[1]) != rest:
        return False
    roots: list[Fraction] = []
    for line in lines[n + 1 : -1]:
        match = _LINE.fullmatch(line)
        factor = _stated(match[2], problem[1]) if match else ()
        left = _stated(match[3], problem[1]) if match else ()
        if match is None or len(factor) != 2 or not left:
            return False
        root = Fraction(-factor[0], factor[1])
        if str(root) != match[1] or (roots and root > roots[-1]) or _product(factor, left) != rest:
            return False
        roots.append(root)
        rest = left
    second = _second(roots)
    if second is None or rest != (1,):
        return False
    top, bottom = second.numerator, second.denominator
    return lines[-1] == f"second {second}, {top} + {bottom} = {answer}"


def _stated(text: str, x: str) -> Polynomial:
    """Return a polynomial as it is written, () if it is none in x with a positive lead."""
    terms = read_sum(text)
    if terms is None or not letters_in(terms) <= {x} or any(bottom != 1 for _, bottom, _ in terms):
        return ()
    values = _coefficients(terms, x, {}, 1) or []
    while values and values[-1] == 0:
        values.pop()
    return tuple(values)


def _product(factor: Polynomial, other: Polynomial) -> Polynomial:
    low = [factor[0] * value for value in other] + [0]
    high = [0] + [factor[1] * value for value in other]
    return tuple(a + b for a, b in zip(low, high, strict=True))


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer", _follows)
