"""Functions as chains of layers: how they are drawn, written, and enclosed by balls.

A layer is a kind and its coefficients; a function is a tuple of layers, the innermost first. Kinds
and ranges of coefficients are those of the published generator, except that no layer is the
identity or constant. A quotient has no common factor and a positive leading denominator, so that
equal quotients are written alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import gcd
from typing import Any, TypeAlias

from flint import arb, ctx

from synthgen.authoring import RowDraws, Tree

Layer: TypeAlias = tuple[str, tuple[int, ...]]
"""linear a u + b, quadratic a u^2 + b u + c, abs a |u - b| + c, exp a e^(b u) + c, sin and cos
a sin(b pi u + c) + d, quotient (a u + b)/(c u + d)."""
Function: TypeAlias = tuple[Layer, ...]

POINTS = {"linear": 1, "quadratic": 2, "abs": 3, "exp": 3, "sin": 4, "cos": 4, "quotient": 4}
"""Points of difficulty of each kind."""
SYMBOLS = {"linear": 3, "quadratic": 4, "abs": 4, "exp": 4, "sin": 5, "cos": 5, "quotient": 5}
"""Symbols of a tree: a layer's coefficients, then what is inside."""
WAVES = ("sin", "cos")
TRANSCENDENTAL = (*WAVES, "exp")
_ELEMENTARY = ("linear", "quadratic", "abs", "quotient")
_LONGEST_NESTED = 180


class UndecidedError(Exception):
    """Bounds do not settle a comparison, or a function has too many pieces."""


def draw_function(draws: RowDraws, n: int) -> Function:
    """Draw a chain of n layers, of which with probability 1/2 exactly one is transcendental."""
    kinds = [draws.choice(_ELEMENTARY) for _ in range(n)]
    if n > 1 and draws.integer(0, 2):
        kinds[draws.integer(0, n)] = draws.choice(TRANSCENDENTAL)
    return tuple((kind, _coefficients(draws, kind)) for kind in kinds)


def _not_zero(draws: RowDraws, bound: int) -> int:
    value = draws.integer(-bound, bound)
    return value if value < 0 else value + 1


def _coefficients(draws: RowDraws, kind: str) -> tuple[int, ...]:
    if kind == "linear":
        a = draws.integer(-5, 6) or 1 - 2 * draws.integer(0, 2)
        return a, draws.integer(-5, 6) if a != 1 else _not_zero(draws, 5)
    if kind == "quadratic":
        a = draws.integer(-5, 6) or 1 - 2 * draws.integer(0, 2)
        return a, draws.integer(-5, 6), draws.integer(-5, 6)
    if kind == "abs":
        return _not_zero(draws, 3), draws.integer(-3, 4), draws.integer(-3, 4)
    if kind == "exp":
        return _not_zero(draws, 3), _not_zero(draws, 2), draws.integer(-3, 4)
    if kind == "quotient":
        return _quotient(draws)
    shift = draws.integer(-3, 4)
    return _not_zero(draws, 3), draws.integer(1, 4), shift, draws.integer(-3, 4)


def _quotient(draws: RowDraws) -> tuple[int, ...]:
    a, c, b = _not_zero(draws, 3), draws.integer(1, 4), draws.integer(-3, 4)
    d = draws.choice([d for d in range(-3, 4) if a * d != b * c])
    common = gcd(a, b, c, d)
    return a // common, b // common, c // common, d // common


def points(*functions: Function) -> int:
    """Return the points of difficulty of functions."""
    return sum(POINTS[kind] for function in functions for kind, _ in function)


def transcendentals(*functions: Function) -> int:
    """Return the number of transcendental layers."""
    return sum(kind in TRANSCENDENTAL for function in functions for kind, _ in function)


def function_tree(function: Function) -> Tree:
    """Return a function as a tree, the outermost layer at its root."""
    tree: Tree = "x"
    for kind, coefficients in function:
        tree = (kind, *coefficients, tree)
    return tree


def pair_trees(f: Function, g: Function) -> tuple[Tree, Tree]:
    """Return the trees of two functions whose order does not matter, in a fixed order."""
    first, second = sorted((function_tree(f), function_tree(g)), key=repr)
    return first, second


def _plus(constant: int) -> str:
    return f" {'+' if constant > 0 else '-'} {abs(constant)}" if constant else ""


def _times(factor: int, what: str) -> str:
    if abs(factor) == 1:
        return what if factor > 0 else f"-{what}"
    return f"{factor}*{what}"


def layer_text(layer: Layer, inside: str) -> str:
    """Write one layer around what is inside: a variable or something in parentheses."""
    kind, c = layer
    if kind == "linear":
        return _times(c[0], inside) + _plus(c[1])
    if kind == "quadratic":
        middle = f" {'+' if c[1] > 0 else '-'} {_times(abs(c[1]), inside)}" if c[1] else ""
        return _times(c[0], f"{inside}^2") + middle + _plus(c[2])
    if kind == "abs":
        return _times(c[0], f"abs({inside}{_plus(-c[1])})") + _plus(c[2])
    if kind == "exp":
        return _times(c[0], f"exp({_times(c[1], inside)})") + _plus(c[2])
    if kind == "quotient":
        over, under = _times(c[0], inside) + _plus(c[1]), _times(c[2], inside) + _plus(c[3])
        return "/".join(part if part == inside else f"({part})" for part in (over, under))
    angle = _times(c[1], f"pi*{inside}") + _plus(c[2])
    return _times(c[0], f"{kind}({angle})") + _plus(c[3])


def nested_text(function: Function) -> str | None:
    """Write a function of x as one formula, or None if that is too long to read."""
    text = "x"
    for place, layer in enumerate(function):
        text = layer_text(layer, f"({text})" if place else text)
        if len(text) > _LONGEST_NESTED:
            return None
    return text


def definition(name: str, function: Function, letters: Sequence[str], draws: RowDraws) -> str:
    """Define a function, as one formula or as a chain of functions named by `letters`."""
    nested = nested_text(function)
    chained = len(function) > 1 and draws.integer(0, 4) == 0
    if nested is not None and not chained:
        return f"{name}(x) = {nested}"
    used = letters[: len(function)]
    chain = "x"
    for letter in used:
        chain = f"{letter}({chain})"
    *parts, last = (f"{a}(x) = {layer_text(b, 'x')}" for a, b in zip(used, function, strict=True))
    return f"{name}(x) = {chain}, where {', '.join(parts)} and {last}"


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute balls with this many bits."""
    before, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = before


def carried(layer: Layer, n: Any, d: Any) -> tuple[Any, Any]:
    """Return N / D after a linear, quadratic, abs or quotient layer of n / d."""
    kind, c = layer
    if kind == "linear":
        return c[0] * n + c[1] * d, d
    if kind == "quadratic":
        return (c[0] * n + c[1] * d) * n + c[2] * d * d, d * d
    if kind == "abs":
        return c[0] * abs(n - c[1] * d) + c[2] * abs(d), abs(d)
    return c[0] * n + c[1] * d, c[2] * n + c[3] * d


def applied(layer: tuple[str, tuple[Any, ...]], u: Any, analytic: bool | None = None) -> Any:
    """Return a layer's values on a ball, nan at a pole.

    For a complex ball, `analytic` says whether the values must be those of one analytic function.
    """
    kind, c = layer
    if kind == "linear":
        return u * c[0] + c[1]
    if kind == "quadratic":
        return (u * c[0] + c[1]) * u + c[2]
    if kind == "quotient":
        return (u * c[0] + c[1]) / (u * c[2] + c[3])
    if kind == "exp":
        return (u * c[1]).exp() * c[0] + c[2]
    if kind in WAVES:
        angle = u * c[1] * arb.pi() + c[2]
        return (angle.sin() if kind == "sin" else angle.cos()) * c[0] + c[3]
    size = abs(u - c[1]) if analytic is None else (u - c[1]).real_abs(analytic)
    return size * c[0] + c[2]
