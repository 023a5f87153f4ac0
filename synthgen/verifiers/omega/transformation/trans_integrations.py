"""Integrals from the text: Gauss's rule on many pieces, and SymPy's quadrature to many digits."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from math import floor, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.composition._questions import Questions

_TEXTS = {
    "integral": (
        "Compute the integral of <f> with respect to x from <a> to <b>, rounded to two decimals.",
        "What is the value of the definite integral of <f> dx between x = <a> and x = <b>? Round"
        " to two decimals.",
        "Find the signed area between the graph of y = <f> and the x-axis from x = <a> to x = <b>,"
        " where area below the axis counts as negative. Give it rounded to two decimals.",
        "Let f(x) = <f>. Integrate f over the interval from <a> to <b> and round the result to two"
        " decimals.",
    ),
}
_BOUND = r"(?:-?[0-9]{1,2}|pi/2|pi/4|pi)"
_QUESTIONS = Questions(_TEXTS, f=r"[-+*/^()a-z0-9 ]{3,120}?", a=_BOUND, b=_BOUND)
_N = "([1-9][0-9]?)"
_K = r"(?:([1-9][0-9]{0,2})\*)?"
_FORMS = {
    "powers": rf"\(?{_K}sin\(x\)\^{_N}(?: \+ {_K}cos\(x\)\^\2\))?/\(sin\(x\)\^\2 \+ cos\(x\)\^\2\)",
    "odd": rf"{_K}x(?:\^{_N})?\*cos\((?:{_N}\*)?x\)(?: \+ {_K}x\^2)? \+ ([1-9][0-9]?)",
    "mirror": rf"{_K}\(x \+ {_N}\)\^{_N}/\(\(x \+ \2\)\^\3 \+ \((-?[0-9]{{1,2}}) - x\)\^\3\)",
    "exponential": rf"{_K}x\^{_N}/\(1 \+ ([2-9])\^x\)",
    "sine": rf"{_K}x\*sin\(x\)(?:\^{_N})?",
    "cosine": rf"{_K}x\*sin\(x\)(?:\^{_N})?/\(1 \+ cos\(x\)\^2\)",
    "tangent": rf"{_K}ln\(1 \+ tan\(x\)\)",
    "logarithm": rf"{_K}ln\(1 \+ x\)/\(1 \+ x\^2\)",
}
_PATTERNS = {kind: re.compile(form, re.ASCII) for kind, form in _FORMS.items()}
_BOUNDS = {
    "powers": ("0", "pi/2"),
    "sine": ("0", "pi"),
    "cosine": ("0", "pi"),
    "tangent": ("0", "pi/4"),
    "logarithm": ("0", "1"),
}
_NODES, _PIECES = 20, (40, 64)
_HIGHEST, _WIDEST = 12, 40
_SURE, _CLEAR = 1e-7, 1e-4
"""Largest difference of two approximations; distance from a tie in units of the last digit."""

Problem = tuple[str, tuple[int, ...], str, str]
"""Kind, numbers of the integrand in the order of the text, and the bounds."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    f, a, b = (found[1][name] for name in "fab")
    matches = [(kind, pattern.fullmatch(f)) for kind, pattern in _PATTERNS.items()]
    kind, match = next(((kind, match) for kind, match in matches if match), ("", None))
    if match is None:
        return None
    numbers = [int(value) if value else 1 for value in match.groups()]
    if kind == "powers":
        both = " + " in f.split("/")[0]
        if both != f.startswith("("):
            return None
        numbers[2] *= both
    if kind == "odd" and "x^2 + " not in f:
        numbers[3] = 0
    if _BOUNDS.get(kind, (a, b)) != (a, b) or (kind not in _BOUNDS and "pi" in a + b):
        return None
    return (kind, tuple(numbers), a, b) if _is_fine(kind, numbers, a, b) else None


def _is_fine(kind: str, numbers: list[int], a: str, b: str) -> bool:
    """Say whether an integrand is smooth and not too steep."""
    if kind in _BOUNDS:
        return numbers[-1 if kind != "powers" else 1] <= _HIGHEST or kind in (
            "tangent",
            "logarithm",
        )
    low, high = int(a), int(b)
    if not low < high <= low + _WIDEST:
        return False
    if kind == "mirror":
        _, c, n, d = numbers
        return n <= _HIGHEST and low + c > 0 and d - high > 0
    return max(numbers[1:3]) <= 20 and high <= 10 and low >= -10


def _integrand(problem: Problem, lib: Any, x: Any) -> Any:
    """Return the value at x, with the functions of a library (numpy or SymPy)."""
    kind, v, _, _ = problem
    k = v[0]
    if kind == "powers":
        s, c = lib.sin(x) ** v[1], lib.cos(x) ** v[1]
        return (k * s + v[2] * c) / (s + c)
    if kind == "odd":
        return k * x ** v[1] * lib.cos(v[2] * x) + v[3] * x**2 + v[4]
    if kind == "mirror":
        grown = (x + v[1]) ** v[2]
        return k * grown / (grown + (v[3] - x) ** v[2])
    if kind == "exponential":
        return k * x ** v[1] / (1 + lib.exp(x * lib.log(v[2])))
    if kind == "tangent":
        return k * lib.log(1 + lib.tan(x))
    if kind == "logarithm":
        return k * lib.log(1 + x) / (1 + x**2)
    value = k * x * lib.sin(x) ** v[1]
    return value / (1 + lib.cos(x) ** 2) if kind == "cosine" else value


def _bound(text: str, circle: Any) -> Any:
    if not text.startswith("pi"):
        return int(text)
    return circle / int(text.removeprefix("pi/")) if "/" in text else circle


def _solve(problem: Problem) -> str | None:
    """Add Gauss's sums over equal pieces, two times."""
    low, high = (float(_bound(text, pi)) for text in problem[2:])

    def f(x: NDArray[np.float64]) -> NDArray[np.float64]:
        values: NDArray[np.float64] = _integrand(problem, np, x)
        return values

    first, second = (_gauss(f, low, high, pieces) for pieces in _PIECES)
    return _rounded(second) if abs(first - second) < _SURE else None


def _gauss(
    f: Callable[[NDArray[np.float64]], NDArray[np.float64]], low: float, high: float, pieces: int
) -> float:
    nodes, weights = _rule()
    width = (high - low) / pieces
    starts = low + width * np.arange(pieces)
    x = starts[:, None] + width * (nodes + 1) / 2
    return float(np.sum(f(x) * weights) * width / 2)


@lru_cache(1)
def _rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights


def _rounded(value: float) -> str | None:
    """Return a value with two decimals; None if it is negative or close to a tie."""
    cents = floor(value * 100 + 0.5)
    near = abs(value * 100 - floor(value * 100) - 0.5) < _CLEAR
    return None if near or cents < 0 else f"{cents // 100}.{cents % 100:02d}"


def _exact(problem: Problem) -> str | None:
    """SymPy's quadrature, to 20 digits."""
    import sympy

    x = sympy.Symbol("x")
    low, high = (_bound(text, sympy.pi) for text in problem[2:])
    integral = sympy.Integral(_integrand(problem, sympy, x), (x, low, high))
    return _rounded(float(integral.evalf(20)))


VERIFIER = GroupedVerifier(_read, _solve, _exact, "decimal")
