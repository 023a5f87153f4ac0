"""SymPy's opinion of a rule: a proof that it is an identity, and values at points.

What an identity is, is told in `_identities_sound`, nothing of which is used here. Expressions are
built symbol by symbol, never parsed. A rule is first tried at points with all combinations of
signs, which leaves out nearly all that do not hold and SymPy would take long for. It is then proven
over real meta-variables, or else over positive ones: its difference is expanded or, with
exponentials for trigonometric functions, brought to one fraction whose numerator is expanded. For
one that is too large for this to take a bounded time, the points have to do. Values beyond 10^9 in
size, or below 10^-9, are not trusted, and points that have one are left out, as are those at which
something is not defined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import sympy

from synthgen.verifiers._identities_tree import METAS, VARIABLES, Term, subterms

_FUNCTIONS: Mapping[str, Callable[..., sympy.Expr]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "^": lambda left, right: left**right,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "exp": sympy.exp,
    "log": sympy.log,
    "sqrt": sympy.sqrt,
    "abs": lambda inner: sympy.sqrt(inner**2),
}
_MOST_SYMBOLS = 40
_MOST_DEPTH = 7
_MOST_DEGREE = 7
_LARGEST_NUMBER = 9
_DIGITS = 50
_POINTS = 4
_RULE_POINTS = 16
_LARGE, _SMALL = sympy.Float("1e9", _DIGITS), sympy.Float("1e-9", _DIGITS)
_CLOSE = sympy.Float("1e-20", _DIGITS)


@lru_cache(maxsize=1024)
def holds(left: Term, right: Term) -> bool:
    """Say whether a rule is an identity."""
    points = ({name: _place(name, number) for name in METAS} for number in range(_RULE_POINTS))
    tried = [_agree(left, right, point) for point in points]
    if False in tried or True not in tried:
        return False
    if not _is_small(left) or not _is_small(right):
        return True
    for assumption in ({"real": True}, {"positive": True}):
        symbols = {name: sympy.Symbol(name, **assumption) for name in METAS}
        if _is_zero(_built(left, symbols) - _built(right, symbols)):
            return True
    return False


def agree_at(left: Term, right: Term, values: Mapping[str, Term]) -> bool:
    """Say whether both sides of a rule agree for these terms, at all points where they can be."""
    for number in range(_POINTS):
        point = {letter: _place(letter, number) for letter in VARIABLES}
        known = {name: _value(value, point) for name, value in values.items()}
        place = {name: value for name, value in known.items() if value is not None}
        if len(place) == len(known) and _agree(left, right, place) is False:
            return False
    return True


def _place(letter: str, number: int) -> sympy.Float:
    """Return the value of a letter at a point; a to d have each combination of signs in turn."""
    size = sympy.Rational(7 + 5 * ((ord(letter) * 11 + number * 17) % 23), 13)
    negative = number >> METAS.index(letter) & 1 if letter in METAS else number & 1
    return sympy.Float(-size if negative else size, _DIGITS)


def _is_small(term: Term) -> bool:
    """Say whether SymPy can be trusted to be quick: few symbols, small numbers and degrees."""
    every = [inner for _, inner in subterms(term)]
    numbers = [int(inner.symbol) for inner in every if inner.symbol.isdecimal()]
    exponents = [inner.operands[1] for inner in every if inner.symbol == "^"]
    constants = [sum(i.symbol.isdecimal() for _, i in subterms(each)) for each in exponents]
    few = len(every) <= _MOST_SYMBOLS and term.depth <= _MOST_DEPTH
    small = max(numbers, default=0) <= _LARGEST_NUMBER and max(constants, default=0) <= 1
    return few and small and _degree(term) <= _MOST_DEGREE


def _degree(term: Term) -> int:
    """Return about how many factors multiplying out a term gives; a tangent is two functions."""
    degrees = [_degree(operand) for operand in term.operands]
    if term.symbol in ("*", "/"):
        return sum(degrees)
    if term.symbol == "^":
        exponent = term.operands[1].symbol
        return degrees[0] * (int(exponent) if exponent.isdecimal() else degrees[1])
    if not degrees:
        return 0 if term.symbol.isdecimal() else 1
    return max(2 * (term.symbol in ("tan", "tanh")), *degrees, 1)


def _built(term: Term, symbols: Mapping[str, sympy.Expr]) -> sympy.Expr:
    """Return the SymPy expression of a term over these symbols."""
    if not term.operands:
        return symbols[term.symbol] if term.symbol in symbols else sympy.Integer(int(term.symbol))
    return _FUNCTIONS[term.symbol](*(_built(operand, symbols) for operand in term.operands))


def _is_zero(difference: sympy.Expr) -> bool:
    """Say whether an expression is zero: multiplied out, or as one fraction of exponentials."""
    if difference.has(sympy.zoo, sympy.nan, sympy.oo):
        return False
    if sympy.expand(difference) == 0:
        return True
    numerator, _ = sympy.fraction(sympy.together(sympy.expand(difference.rewrite(sympy.exp))))
    return bool(sympy.expand(numerator) == 0)


def _agree(left: Term, right: Term, point: Mapping[str, sympy.Float]) -> bool | None:
    """Say whether two terms are equal at a point; None if it is none for them."""
    one, other = _value(left, point), _value(right, point)
    if one is None or other is None:
        return None
    return bool(abs(one - other) <= _CLOSE * (1 + abs(one)))


def _value(term: Term, point: Mapping[str, sympy.Float]) -> sympy.Float | None:
    """Return the real value of a term at a point, None where there is none to be trusted."""
    if not term.operands:
        known = point.get(term.symbol)
        return sympy.Float(int(term.symbol), _DIGITS) if known is None else known
    values: list[sympy.Float] = []
    for operand in term.operands:
        value = _value(operand, point)
        if value is None:
            return None
        values.append(value)
    if not _is_defined(term, values):
        return None
    if term.symbol == "^" and _is_whole(values[1]):
        values[1] = sympy.Integer(int(values[1]))
    result = sympy.Float(_FUNCTIONS[term.symbol](*values), _DIGITS)
    return result if result.is_zero or _SMALL <= abs(result) <= _LARGE else None


def _is_defined(term: Term, values: Sequence[sympy.Float]) -> bool:
    """Say whether an operation has a real value."""
    first, last = values[0], values[-1]
    if term.symbol == "/":
        return not last.is_zero
    if term.symbol in ("log", "sqrt"):
        return bool(first > 0)
    if term.symbol == "^":
        written = term.operands[1].symbol.isdecimal()
        return bool(first > 0 or (written and not first.is_zero))
    return True


def _is_whole(value: sympy.Float) -> bool:
    return bool((value - int(value)).is_zero)
