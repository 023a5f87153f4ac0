"""Functions as chains of layers: how they are drawn, written as trees and written as text.

A layer is a kind and its coefficients; a function is a tuple of layers, the innermost first. Kinds
and ranges of coefficients are those of the published generator, but for a layer that would be the
identity or a constant. A quotient has no common factor and a positive leading denominator, so that
one quotient has one form.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TypeAlias

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._numbers import Tree

Layer: TypeAlias = tuple[str, tuple[int, ...]]
Function: TypeAlias = tuple[Layer, ...]

POINTS = {"linear": 1, "quadratic": 2, "abs": 3, "exp": 3, "sin": 4, "cos": 4, "quotient": 4}
"""Points of difficulty of each kind."""
TRANSCENDENTAL = ("sin", "cos", "exp")
ELEMENTARY = ("linear", "quadratic", "abs", "quotient")
SYMBOLS = {"linear": 3, "quadratic": 4, "abs": 4, "exp": 4, "sin": 5, "cos": 5, "quotient": 5}
"""Symbols of a tree: a layer's coefficients, then what is inside."""
_LONGEST_NESTED = 180


def draw_function(draws: RowDraws, n: int) -> Function:
    """Draw a chain of n layers, of which with probability 1/2 exactly one is transcendental."""
    kinds = [draws.choice(ELEMENTARY) for _ in range(n)]
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
    others = [d for d in range(-3, 4) if a * d != b * c]
    d = draws.choice(others)
    common = gcd(a, b, c, d)
    return a // common, b // common, c // common, d // common


def points(function: Function) -> int:
    """Return the points of difficulty of a function."""
    return sum(POINTS[kind] for kind, _ in function)


def transcendentals(*functions: Function) -> int:
    """Return how many layers are transcendental."""
    return sum(kind in TRANSCENDENTAL for function in functions for kind, _ in function)


def function_tree(function: Function) -> Tree:
    """Return a function as a tree, the outermost layer at its root."""
    tree: Tree = "x"
    for kind, coefficients in function:
        tree = (kind, *coefficients, tree)
    return tree


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


def nested_text(function: Function, variable: str) -> str | None:
    """Write a function as one formula, or None if that is too long to read."""
    text = variable
    for place, layer in enumerate(function):
        text = layer_text(layer, f"({text})" if place else text)
        if len(text) > _LONGEST_NESTED:
            return None
    return text


def definition(
    name: str, function: Function, variable: str, letters: Sequence[str], draws: RowDraws
) -> str:
    """Define a function, as one formula or as a chain of functions named by `letters`."""
    nested = nested_text(function, variable)
    chained = len(function) > 1 and draws.integer(0, 4) == 0
    if nested is not None and not chained:
        return f"{name}({variable}) = {nested}"
    chain = variable
    for letter in letters[: len(function)]:
        chain = f"{letter}({chain})"
    parts = [
        f"{letter}({variable}) = {layer_text(layer, variable)}"
        for letter, layer in zip(letters, function, strict=False)
    ]
    return f"{name}({variable}) = {chain} with " + ", ".join(parts)
