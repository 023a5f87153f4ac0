"""Proofs of identities: values at points, then a proof by SymPy.

Terms are real functions of a, b, c, d. log(u) needs u > 0, sqrt(u) needs u >= 0, u / v needs v
other than 0, and u^v needs u > 0 unless v is a written number. A rule is an identity if both sides
have the same value wherever both are defined, and if both are defined somewhere. Single points at
which something is 0 do not count.

A rule is first tried at points with all combinations of signs, which rejects nearly all false ones.
It is then proven over real letters, or else over positive ones: the difference of its
sides is expanded or, with exponentials for trigonometric functions, brought to one fraction whose
numerator is expanded. A rule that is too large for this to take a bounded time is rejected. Values
beyond 10^9 in size, or below 10^-9, are not trusted, and points that have one are left out, as are
those at which something is not defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import sympy
from mpmath import mp

Term: TypeAlias = "str | tuple[Term, ...]"
"""A letter or number, or a symbol with its operands; signs may have spaces around them."""

_METAS = "abcd"
_MAX_SYMBOLS, _MAX_DEPTH, _MAX_DEGREE, _LARGEST_NUMBER = 40, 7, 7, 9
_POINTS = 16
_MP = mp.clone()
_MP.dps = 50
_LARGE, _SMALL, _CLOSE = _MP.mpf("1e9"), _MP.mpf("1e-9"), _MP.mpf("1e-20")

_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "^": lambda left, right: left**right,
}


def is_identity(left: Term, right: Term) -> bool:
    """Return whether a rule is proven to be an identity."""
    points = ({name: _coordinate(name, number) for name in _METAS} for number in range(_POINTS))
    tried = [_agree(left, right, point) for point in points]
    if False in tried or True not in tried:
        return False
    if not _is_small(left) or not _is_small(right):
        return False
    for assumption in ({"real": True}, {"positive": True}):
        symbols = {name: sympy.Symbol(name, **assumption) for name in _METAS}
        if _is_zero(_built(left, symbols) - _built(right, symbols)):
            return True
    return False


def _parts(term: Term) -> tuple[str, tuple[Term, ...]]:
    if isinstance(term, str):
        return term, ()
    return str(term[0]).strip(), term[1:]


# values


def _coordinate(letter: str, number: int) -> Any:
    """Return the value of a letter at a point; all combinations of signs occur."""
    size = _MP.mpf(7 + 5 * ((ord(letter) * 11 + number * 17) % 23)) / 13
    return -size if number >> _METAS.index(letter) & 1 else size


def _agree(left: Term, right: Term, point: Mapping[str, Any]) -> bool | None:
    """Return whether two terms are equal at a point; None if one has no trusted value."""
    p, q = _value(left, point), _value(right, point)
    return None if p is None or q is None else bool(abs(p - q) <= _CLOSE * (1 + abs(p)))


def _value(term: Term, point: Mapping[str, Any]) -> Any:
    """Return the real value of a term at a point, None if there is none or it is not trusted."""
    symbol, operands = _parts(term)
    if not operands:
        return point[symbol] if symbol in point else _MP.mpf(int(symbol))
    values = [_value(operand, point) for operand in operands]
    if None in values or not _is_defined(symbol, operands, values):
        return None
    if symbol in _OPERATIONS:
        result = _OPERATIONS[symbol](*values)
    else:
        result = abs(values[0]) if symbol == "abs" else getattr(_MP, symbol)(values[0])
    return result if result == 0 or _SMALL <= abs(result) <= _LARGE else None


def _is_defined(symbol: str, operands: tuple[Term, ...], values: list[Any]) -> bool:
    """Return whether an operation has a real value."""
    if symbol == "/":
        return bool(values[1] != 0)
    if symbol in ("log", "sqrt"):
        return bool(values[0] > 0)
    if symbol == "^":
        written = _parts(operands[1])[0].isdecimal()
        return bool(values[0] > 0 or (written and values[0] != 0))
    return True


# proof


def _is_small(term: Term) -> bool:
    """Return whether a term is simple enough for SymPy: few symbols, small numbers and degrees."""
    every = list(_subterms(term, 1))
    numbers = [int(symbol) for symbol, _, _ in every if symbol.isdecimal()]
    exponents = [operands[1] for symbol, operands, _ in every if symbol == "^"]
    constants = [sum(s.isdecimal() for s, _, _ in _subterms(each, 1)) for each in exponents]
    few = len(every) <= _MAX_SYMBOLS and max(depth for _, _, depth in every) <= _MAX_DEPTH
    small = max(numbers, default=0) <= _LARGEST_NUMBER and max(constants, default=0) <= 1
    return few and small and _degree(term) <= _MAX_DEGREE


def _subterms(term: Term, depth: int) -> Iterator[tuple[str, tuple[Term, ...], int]]:
    """Yield symbol, operands and depth of every subterm."""
    symbol, operands = _parts(term)
    yield symbol, operands, depth
    for operand in operands:
        yield from _subterms(operand, depth + 1)


def _degree(term: Term) -> int:
    """Estimate the degree of a term after expansion; a tangent counts as two functions."""
    symbol, operands = _parts(term)
    degrees = [_degree(operand) for operand in operands]
    if symbol in ("*", "/"):
        return sum(degrees)
    if symbol == "^":
        exponent = _parts(operands[1])[0]
        return degrees[0] * (int(exponent) if exponent.isdecimal() else degrees[1])
    if not degrees:
        return 0 if symbol.isdecimal() else 1
    return max(2 * (symbol in ("tan", "tanh")), *degrees, 1)


def _built(term: Term, symbols: Mapping[str, sympy.Expr]) -> sympy.Expr:
    """Return the SymPy expression of a term over these symbols, built symbol by symbol."""
    symbol, operands = _parts(term)
    if not operands:
        return symbols[symbol] if symbol in symbols else sympy.Integer(int(symbol))
    values = [_built(operand, symbols) for operand in operands]
    if symbol in _OPERATIONS:
        return _OPERATIONS[symbol](*values)
    return sympy.sqrt(values[0] ** 2) if symbol == "abs" else getattr(sympy, symbol)(values[0])


def _is_zero(difference: sympy.Expr) -> bool:
    """Return whether an expression is zero: expanded, or as one fraction of exponentials."""
    if difference.has(sympy.zoo, sympy.nan, sympy.oo):
        return False
    if sympy.expand(difference) == 0:
        return True
    numerator, _ = sympy.fraction(sympy.together(sympy.expand(difference.rewrite(sympy.exp))))
    return bool(sympy.expand(numerator) == 0)
