"""Reading definitions of functions: a formula, or a chain of formulas, as layers.

A formula is read by its grammar into a sum of powers of one atom (the variable, a group in
parentheses, a quotient, or a function's value), and each such sum must be one layer around another.
Layers are returned from the innermost on, with the coefficients in the order of the formula:
linear a u + b, quadratic a u^2 + b u + c, abs a |u - b| + c, exp a e^(b u) + c, sin and cos
a sin(b pi u + c) + d, quotient (a u + b)/(c u + d).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, TypeAlias

Layer: TypeAlias = tuple[str, tuple[int, ...]]
Layers: TypeAlias = tuple[Layer, ...]
Sum: TypeAlias = tuple[frozenset[tuple[tuple[int, bool], int]], Any]
"""((power, with pi) -> coefficient) and the atom; power 0 stands for the constant."""

FORMULA = r"[-+*/^(),= A-Za-z0-9]{1,3000}?"
RADIANS = " Angles are in radians."
_ONE = r"[0-9]{1,3}(?![0-9])|abs|sin|cos|exp|pi|x|[-+*/^()]"
_TOKEN = re.compile(rf" *({_ONE})", re.ASCII)
_TOKENS = re.compile(rf"(?: *(?:{_ONE}))*", re.ASCII)
_DEFINITION = re.compile(r"([A-Zfg])\(x\) = ([^=]+)", re.ASCII)
_MOST_LAYERS, _MOST_TOKENS, _DEEPEST = 12, 700, 40


class _FormError(Exception):
    """A text that is no formula of ours."""


class _Reader:
    """A recursive descent over tokens."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = _TOKEN.findall(text)
        if len(self.tokens) > _MOST_TOKENS or _TOKENS.fullmatch(text) is None:
            raise _FormError
        self.tokens.append("")
        self.at = 0
        self.depth = 0

    def take(self, *wanted: str) -> bool:
        if self.tokens[self.at] in wanted and self.tokens[self.at]:
            self.at += 1
            return True
        return False

    def need(self, token: str) -> None:
        if not self.take(token):
            raise _FormError

    def sum(self) -> Sum:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _FormError
        terms: dict[tuple[int, bool], int] = {}
        atom: Any = None
        sign = -1 if self.take("-") else 1
        while True:
            factor, with_pi, own, power = self.term()
            key = (power, with_pi)
            if key in terms or (own is not None and atom is not None and own != atom):
                raise _FormError
            atom = own if own is not None else atom
            terms[key] = sign * factor
            if self.take("+"):
                sign = 1
            elif self.take("-"):
                sign = -1
            else:
                break
        self.depth -= 1
        return frozenset(terms.items()), atom

    def term(self) -> tuple[int, bool, Any, int]:
        factor, with_pi, atom, power = 1, False, None, 0
        first = True
        while first or self.take("*"):
            token = self.tokens[self.at]
            if token.isdigit():
                if not first:
                    raise _FormError
                self.at += 1
                factor = int(token)
            elif self.take("pi"):
                if with_pi:
                    raise _FormError
                with_pi = True
            else:
                if atom is not None:
                    raise _FormError
                atom, power = self.atom(), 1
                if self.take("^"):
                    self.need("2")
                    power = 2
            first = False
        return factor, with_pi, atom, power

    def atom(self) -> Any:
        for name in ("abs", "sin", "cos", "exp"):
            if self.take(name):
                return name, self.group()
        over = self.whole()
        if self.take("/"):
            return "quotient", over, self.whole()
        return "x" if over == _VARIABLE else ("group", over)

    def group(self) -> Sum:
        self.need("(")
        inside = self.sum()
        self.need(")")
        return inside

    def whole(self) -> Sum:
        return _VARIABLE if self.take("x") else self.group()


_VARIABLE: Sum = (frozenset({((1, False), 1)}), "x")
_POWERS = {"linear": (1, 0), "quadratic": (2, 1, 0)}


def _numbers(terms: Sum, *wanted: tuple[int, bool]) -> tuple[int, ...]:
    """Return the coefficients of a sum at these places, all others being zero."""
    found = dict(terms[0])
    if set(found) - set(wanted):
        raise _FormError
    return tuple(found.get(key, 0) for key in wanted)


def _peeled(formula: Sum) -> tuple[Layer, Sum | None]:
    """Split a sum into its outermost layer and the sum inside it, if any."""
    atom = formula[1]
    if atom == "x" or (isinstance(atom, tuple) and atom[0] == "group"):
        a, b, c = _numbers(formula, (2, False), (1, False), (0, False))
        layer: Layer = ("quadratic", (a, b, c)) if a else ("linear", (b, c))
        return layer, None if atom == "x" else atom[1]
    if not isinstance(atom, tuple):
        raise _FormError
    if atom[0] == "quotient":
        over, under = _aligned(atom[1], atom[2])
        if _numbers(formula, (1, False)) != (1,) or over[1] != under[1]:
            raise _FormError
        a, b = _numbers(over, (1, False), (0, False))
        c, d = _numbers(under, (1, False), (0, False))
        return ("quotient", (a, b, c, d)), _inside(over[1])
    a, d = _numbers(formula, (1, False), (0, False))
    inner = atom[1]
    if atom[0] == "abs":
        one, shift = _numbers(inner, (1, False), (0, False))
        if one != 1:
            raise _FormError
        return ("abs", (a, -shift, d)), _inside(inner[1])
    if atom[0] == "exp":
        (b,) = _numbers(inner, (1, False))
        return ("exp", (a, b, d)), _inside(inner[1])
    b, c = _numbers(inner, (1, True), (0, False))
    return (atom[0], (a, b, c, d)), _inside(inner[1])


def _aligned(over: Sum, under: Sum) -> tuple[Sum, Sum]:
    """Read a numerator or denominator that is the chain inside itself as one times that chain."""
    if over[1] == ("group", under):
        return over, (frozenset({((1, False), 1)}), over[1])
    if under[1] == ("group", over):
        return (frozenset({((1, False), 1)}), under[1]), under
    return over, under


def _inside(atom: Any) -> Sum | None:
    if atom == "x":
        return None
    if isinstance(atom, tuple) and atom[0] == "group":
        inside: Sum = atom[1]
        return inside
    raise _FormError


def _proper(layer: Layer) -> bool:
    """Say whether a layer is no constant on any interval, and a wave no wave backwards."""
    kind, c = layer
    if kind == "quotient":
        return c[2] != 0 and c[0] * c[3] != c[1] * c[2]
    if kind in ("sin", "cos"):
        return c[0] != 0 and c[1] > 0
    if kind == "exp":
        return c[0] != 0 and c[1] != 0
    return c[0] != 0


def _layers(text: str) -> list[Layer]:
    reader = _Reader(text)
    formula: Sum | None = reader.sum()
    if reader.tokens[reader.at]:
        raise _FormError
    layers: list[Layer] = []
    while formula is not None:
        layer, formula = _peeled(formula)
        if not _proper(layer) or len(layers) >= _MOST_LAYERS:
            raise _FormError
        layers.append(layer)
    return layers[::-1]


def _definition(text: str) -> tuple[str, Layers]:
    """Read `f(x) = formula`, or `f(x) = B(A(x)) with A(x) = formula, B(x) = formula`."""
    head, _, rest = text.partition(" with ")
    match = _DEFINITION.fullmatch(head)
    if match is None:
        raise _FormError
    name, body = match.groups()
    if not rest:
        return name, tuple(_layers(body))
    parts = [_DEFINITION.fullmatch(part) for part in rest.split(", ")]
    if not all(parts) or len(parts) > _MOST_LAYERS:
        raise _FormError
    own = {part[1]: _layers(part[2]) for part in parts if part}
    chain, layers = "x", []
    for part in parts:
        if part:
            chain = f"{part[1]}({chain})"
            layers += own[part[1]]
    if chain != body or len(own) != len(parts) or len(layers) > _MOST_LAYERS:
        raise _FormError
    return name, tuple(layers)


@lru_cache(1 << 12)
def read_functions(text: str) -> tuple[Layers, ...] | None:
    """Return the functions f, or f and g, that a text defines; None if it does not.

    Functions with more than one transcendental layer are not read: no count of ours is theirs.
    """
    try:
        found = [_definition(part) for part in text.split("; ")]
    except _FormError:
        return None
    several = any(sum(kind in ("sin", "cos", "exp") for kind, _ in f) > 1 for _, f in found)
    if [name for name, _ in found] not in (["f"], ["f", "g"]) or several:
        return None
    return tuple(layers for _, layers in found)


def without_remark(statement: str) -> str:
    """Take the remark about radians off a statement."""
    return statement.removesuffix(RADIANS)
