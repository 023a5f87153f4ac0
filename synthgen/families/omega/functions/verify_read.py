"""Reading definitions of functions: a formula, or a chain of formulas, as layers.

A formula is one layer around x, or around a group in parentheses that is such a formula itself.
Layers are returned from the innermost on, with the coefficients in the order of the formula:
linear a u + b, quadratic a u^2 + b u + c, abs a |u - b| + c, exp a e^(b u) + c, sin and cos
a sin(b pi u + c) + d, quotient (a u + b)/(c u + d).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from synthgen.authoring import holes

Layer: TypeAlias = tuple[str, tuple[int, ...]]
Layers: TypeAlias = tuple[Layer, ...]

_N = "[1-9][0-9]?"
_FACTOR = rf"(-?(?:{_N}\*)?)"
_PLUS = rf"((?: [-+] {_N})?)"
_BAR = rf"(u|\({_FACTOR}u{_PLUS}\))"
_FORMS = {
    "linear": rf"{_FACTOR}u{_PLUS}",
    "quadratic": rf"{_FACTOR}u\^2((?: [-+] (?:{_N}\*)?u)?){_PLUS}",
    "abs": rf"{_FACTOR}abs\(u{_PLUS}\){_PLUS}",
    "exp": rf"{_FACTOR}exp\({_FACTOR}u\){_PLUS}",
    "sin": rf"{_FACTOR}sin\({_FACTOR}pi\*u{_PLUS}\){_PLUS}",
    "cos": rf"{_FACTOR}cos\({_FACTOR}pi\*u{_PLUS}\){_PLUS}",
    "quotient": rf"{_BAR}/{_BAR}",
}
_PATTERNS = {kind: re.compile(form, re.ASCII) for kind, form in _FORMS.items()}
_TRANSCENDENTAL = ("sin", "cos", "exp")
_MAX_LAYERS, _MAX_GROUPS, _MAX_TEXT = 12, 120, 1_200
_VARIABLE = re.compile(r"(?<![a-z])x")
_PART = re.compile(r"([A-Z])\(x\) = ([^=]+)", re.ASCII)


def _factor(text: str) -> int:
    """Read what is in front of a product, such as "-3*", "-" or nothing."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * int(digits.rstrip("*") or 1)


def _constant(text: str) -> int:
    """Read a constant with the spaces around its sign, or nothing."""
    return int(text.replace(" ", "") or 0)


def read_layer(text: str) -> Layer | None:
    """Return the layer that a text around u is; None if it is not one."""
    for kind, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text)
        if match:
            coefficients = _coefficients(kind, match)
            return (kind, coefficients) if coefficients else None
    return None


def _coefficients(kind: str, match: re.Match[str]) -> tuple[int, ...] | None:
    """Return a layer's coefficients, None for a constant quotient or a wave backwards."""
    groups = match.groups("")
    if kind == "quotient":
        c = tuple(
            value
            for part, factor, plus in (groups[:3], groups[3:])
            for value in ((1, 0) if part == "u" else (_factor(factor), _constant(plus)))
        )
        return c if c[0] * c[3] != c[1] * c[2] else None
    a = _factor(groups[0])
    if kind == "linear":
        return a, _constant(groups[1])
    if kind == "quadratic":
        middle = groups[1].replace(" ", "").removesuffix("u").removeprefix("+")
        return a, _factor(middle) if groups[1] else 0, _constant(groups[2])
    if kind == "abs":
        return a, -_constant(groups[1]), _constant(groups[2])
    if kind == "exp":
        return a, _factor(groups[1]), _constant(groups[2])
    b = _factor(groups[1])
    return (a, b, _constant(groups[2]), _constant(groups[3])) if b > 0 else None


def _groups(text: str) -> list[str] | None:
    """Return the different groups in parentheses, longest first; None if some do not close."""
    groups: set[str] = set()
    starts: list[int] = []
    for place, character in enumerate(text):
        if character == "(":
            starts.append(place)
        elif character == ")":
            if not starts or len(groups) > _MAX_GROUPS:
                return None
            groups.add(text[starts.pop() : place + 1])
    return None if starts else sorted(groups, key=len, reverse=True)


def _formula(text: str) -> Layers | None:
    """Read a formula in x."""
    layers: list[Layer] = []
    while len(layers) < _MAX_LAYERS:
        layer = read_layer(_VARIABLE.sub("u", text))
        if layer:
            return (layer, *reversed(layers))
        for group in _groups(text) or ():
            around = text.replace(group, "u")
            layer = None if _VARIABLE.search(around) else read_layer(around)
            if layer:
                layers.append(layer)
                text = group[1:-1]
                break
        else:
            return None
    return None


def _chain(text: str) -> Layers | None:
    """Read `C(B(A(x))), where A(x) = formula, B(x) = formula and C(x) = formula`."""
    body, _, rest = text.partition(", where ")
    *parts, last = rest.split(", ")
    matches = [_PART.fullmatch(part) for part in (*parts, *last.split(" and "))]
    expected = "x"
    layers: list[Layer] = []
    for match in matches:
        own = _formula(match[2]) if match else None
        if match is None or own is None:
            return None
        expected = f"{match[1]}({expected})"
        layers += own
    names = [match[1] for match in matches if match]
    fine = body == expected and len(set(names)) == len(names) and len(layers) <= _MAX_LAYERS
    return tuple(layers) if fine else None


@lru_cache(1 << 12)
def read_function(text: str) -> Layers | None:
    """Return the layers of a function that a text `f(x) = ...` defines; None if it does not.

    Functions with more than one transcendental layer are not read: no question is about them.
    """
    formula = text.partition(" = ")[2]
    if len(formula) > _MAX_TEXT:
        return None
    layers = _chain(formula) if ", where " in formula else _formula(formula)
    if layers is None or sum(kind in _TRANSCENDENTAL for kind, _ in layers) > 1:
        return None
    return layers


def function_hole(name: str) -> holes.Hole:
    """Return the hole of a definition of a function of x."""
    return holes.pattern(rf"{name}\(x\) = [^.?;<]{{1,{_MAX_TEXT}}}?", read_function)


ANGLES = holes.pattern("(?: Angles are in radians[.])?", bool)


def angles_match(stated: bool, *functions: Layers) -> bool:
    """Return whether the remark on angles is present exactly if there are angles."""
    return stated == any(kind in ("sin", "cos") for function in functions for kind, _ in function)
