"""Roots of common divisors from the text: Euclid's algorithm and lifted roots, and SymPy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._sums import Sum, read_sum
from synthgen.verifiers.omega.algebra._roots import Polynomial, primitive, rational_roots
from synthgen.verifiers.omega.composition._questions import Questions

_FORMAT = (
    "Write it as n/m in lowest terms with m positive, where m is one for an integer, and give the"
    " integer n + m."
)
_TEXTS = {
    "root": (
        "Let p(<x>) = <p> and q(<x>) = <q>. All roots of the greatest common divisor of these two"
        " polynomials are rational. Take the second-largest of its different roots, or its root if"
        " it has only one. <format>",
        "Two polynomials are given by p(<x>) = <p> and q(<x>) = <q>. Find their greatest common"
        " divisor, whose roots are all rational, and of these roots, each counted once, the"
        " second-largest (the largest if there is just one). <format>",
        "Consider the numbers <x> at which both p(<x>) = <p> and q(<x>) = <q> vanish. They are the"
        " roots of the greatest common divisor of p and q, and all of them are rational. Which is"
        " the second-largest of them? If there is only one, take that one. <format>",
        "The polynomials p(<x>) = <p> and q(<x>) = <q> have a non-constant greatest common divisor"
        " that splits into linear factors with rational roots. Sort its different roots from the"
        " largest to the smallest and take the second one, or the first if there is no second."
        " <format>",
    )
}
_QUESTIONS = Questions(
    {"root": tuple(text.replace("<format>", _FORMAT) for text in _TEXTS["root"])},
    x="[a-z]",
    p="[^.?=,]+?",
    q="[^.?=,]+?",
)
_HIGHEST, _MOST_BITS = 16, 200

Problem = tuple[Polynomial, Polynomial]


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    holes = found[1]
    sums = [read_sum(holes[name]) for name in "pq"]
    values = [_coefficients(terms, holes["x"]) for terms in sums if terms is not None]
    polynomials = [primitive(each) for each in values if each is not None]
    if len(polynomials) != 2 or min(map(len, polynomials)) < 2:
        return None
    return polynomials[0], polynomials[1]


def _coefficients(terms: Sum, x: str) -> list[int] | None:
    """Collect integer terms by exponent."""
    values = [0] * (_HIGHEST + 1)
    for top, bottom, letters in terms:
        if bottom != 1 or len(letters) > 1 or any(name != x for name, _ in letters):
            return None
        exponent = letters[0][1] if letters else 0
        if exponent > _HIGHEST or top.bit_length() > _MOST_BITS:
            return None
        values[exponent] += top
    return values


def _common(first: Polynomial, second: Polynomial) -> Polynomial:
    """Divide with remainders, each made primitive."""
    while second:
        rest = list(first)
        while len(rest) >= len(second):
            top = rest[-1]
            shift = len(rest) - len(second)
            rest = [value * second[-1] for value in rest]
            for i, value in enumerate(second):
                rest[shift + i] -= top * value
            rest.pop()
        first, second = second, primitive(rest)
    return first


def _asked(roots: Sequence[Fraction]) -> Fraction:
    different = sorted(set(roots), reverse=True)
    return different[min(1, len(different) - 1)]


def _solve(problem: Problem) -> str | None:
    roots = rational_roots(_common(*problem))
    if not roots:
        return None
    root = _asked(list(roots))
    return str(root.numerator + root.denominator)


def _exact(problem: Problem) -> str | None:
    """SymPy's common divisor and the linear factors it has."""
    from sympy import Poly, Symbol, gcd

    x = Symbol("x")
    divisor = gcd(*(Poly(list(reversed(values)), x) for values in problem))
    factors = [factor.all_coeffs() for factor, _ in divisor.factor_list()[1]]
    if not factors or any(len(factor) != 2 for factor in factors):
        return None
    root = _asked([Fraction(-int(low), int(high)) for high, low in factors])
    return str(root.numerator + root.denominator)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Check the divisor, its roots and the sum."""
    lines = way.split("\n")
    divisor = _common(*problem)
    if len(lines) != 3 or not lines[0].startswith("gcd: "):
        return False
    terms = read_sum(lines[0].removeprefix("gcd: "))
    values = _coefficients(terms, "x") if terms else None
    if values is None or tuple(values[: len(divisor)]) != divisor or any(values[len(divisor) :]):
        return False
    roots = rational_roots(divisor)
    if not roots or lines[1] != f"roots: {', '.join(map(str, sorted(roots, reverse=True)))}":
        return False
    root = _asked(list(roots))
    return lines[2] == f"{root.numerator} + {root.denominator} = {answer}"


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer", _follows)
