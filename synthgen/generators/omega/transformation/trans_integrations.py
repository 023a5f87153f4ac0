"""OMEGA transformation: integrals that a symmetry settles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_KINDS = ("powers", "odd", "mirror", "exponential", "sine", "cosine", "tangent")
_LEVELS = (
    (("powers", "odd"), 4, 5),
    (("powers", "odd", "mirror"), 6, 9),
    (("mirror", "exponential", "sine"), 6, 12),
    (("exponential", "sine", "cosine", "mirror"), 8, 20),
    (("powers", "exponential", "sine", "cosine", "tangent"), 12, 40),
)
"""Kinds, highest exponent and largest coefficient of each level."""
_HIGHEST, _TRIES = 12, 40
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
_PI = Fraction(31415926535897932384626433832795028841971, 10**40)
_LOG_TWO = Fraction(6931471805599453094172321214581765680755, 10**40)
_ERROR = Fraction(1, 10**38)
"""Both constants are right to their last digit, and coefficients are small."""
_CLEAR = Fraction(1, 1000)
"""How far, in units of the last digit, a value is from where rounding changes."""

Value = tuple[Fraction, Fraction, Fraction, Fraction]
"""Coefficients of 1, pi, pi^2 and pi ln 2."""
_ZERO = Fraction(0)


@dataclass(frozen=True)
class TransIntegrations(PlainFamily):
    """Integrals without a handy antiderivative: f(x) + f(a + b - x), or f(x) + f(-x), is simple.

    Attributes:
        levels: of difficulty, 1 to 5, drawn with equal probability; none stand for all. Exponents
            are at most 4, 6, 6, 8 or 12, coefficients 5, 9, 12, 20 or 40; powers of sine and cosine
            and odd summands come first, integrals with x sin x or ln(1 + tan x) last.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "trans_integrations"
    answer_type: ClassVar[str] = "decimal"
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = N_WORDINGS
    subtypes: ClassVar[tuple[str, ...]] = _KINDS
    symbols: ClassVar[Mapping[str, int]] = {
        "by_powers": 3,
        "by_odd": 6,
        "by_mirror": 5,
        "by_exponential": 4,
        "by_sine": 2,
        "by_cosine": 2,
        "by_tangent": 2,
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The exponent of the integrand."""
        return {"exponent": Axis("exponent in the integrand", low=0, high=_HIGHEST)}

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw an integral whose value is not near a tie."""
        kinds, highest, largest = _LEVELS[level - 1]
        name = draws.choice(kinds)
        for _ in range(_TRIES):
            numbers, exponent, value, holes = _MAKERS[name](draws, highest, largest)
            answer = rounded(value)
            if answer is not None:
                tree: Tree = (f"by_{name}", *numbers)
                axes = {"exponent": exponent}
                return Made(tree, answer, holes, _KINDS.index(name), axes)
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write the integrand and the bounds."""
        del draws
        f, a, b = made.facts
        return ask(_TEXTS, "integral", wording, f=f, a=a, b=b)


Drawn = tuple[tuple[int, ...], int, Value, tuple[str, str, str]]
"""Parameters, exponent, value, and the texts of integrand and bounds."""


def _powers(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make a quotient that adds up to p + q together with its mirror image at pi/4."""
    n = draws.integer(2, highest + 1)
    p, q = draws.integer(1, largest + 1), draws.integer(0, largest + 1)
    top = f"{_times(p)}sin(x)^{n}" + (f" + {_times(q)}cos(x)^{n}" if q else "")
    top = f"({top})" if q else top
    value = (_ZERO, Fraction(p + q, 4), _ZERO, _ZERO)
    return (n, p, q), n, value, (f"{top}/(sin(x)^{n} + cos(x)^{n})", "0", "pi/2")


def _odd(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make an odd summand, whose integral vanishes, and an even polynomial."""
    k = 2 * draws.integer(0, (highest + 1) // 2) + 1
    s, m = draws.integer(1, largest + 1), draws.integer(1, 4)
    p, r = draws.integer(0, largest + 1), draws.integer(1, largest + 1)
    a = draws.integer(1, 6)
    power = "x" if k == 1 else f"x^{k}"
    even = f"{_times(p)}x^2 + {r}" if p else f"{r}"
    text = f"{_times(s)}{power}*cos({'' if m == 1 else f'{m}*'}x) + {even}"
    value = (2 * (Fraction(p * a**3, 3) + r * a), _ZERO, _ZERO, _ZERO)
    return (k, s, m, p, r, a), k, value, (text, str(-a), str(a))


def _mirror(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k g(x) / (g(x) + g(a + b - x)): half of k (b - a)."""
    n, k = draws.integer(2, highest + 1), draws.integer(1, largest + 1)
    a = draws.integer(-5, 6)
    b = a + draws.integer(1, 10)
    c = draws.integer(max(1, 1 - a), max(1, 1 - a) + 6)
    grown = f"(x + {c})^{n}"
    value = (Fraction(k * (b - a), 2), _ZERO, _ZERO, _ZERO)
    text = f"{_times(k)}{grown}/({grown} + ({a + b + c} - x)^{n})"
    return (n, k, a, b, c), n, value, (text, str(a), str(b))


def _exponential(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make an even function over 1 + b^x: half of its integral."""
    k = 2 * draws.integer(1, min(highest, 8) // 2 + 1)
    p, base = draws.integer(1, largest + 1), draws.integer(2, 10)
    a = draws.integer(1, 5)
    value = (Fraction(p * a ** (k + 1), k + 1), _ZERO, _ZERO, _ZERO)
    text = f"{_times(p)}x^{k}/(1 + {base}^x)"
    return (k, p, base, a), k, value, (text, str(-a), str(a))


def _sine(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k x sin(x)^n: half of pi times the integral without x."""
    n, k = draws.integer(1, highest + 1), draws.integer(1, largest + 1)
    whole, with_pi = _wallis(n)
    value = (_ZERO, k * whole / 2, k * with_pi / 2, _ZERO)
    power = "sin(x)" if n == 1 else f"sin(x)^{n}"
    return (n, k), n, value, (f"{_times(k)}x*{power}", "0", "pi")


def _cosine(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k x sin(x)^n / (1 + cos(x)^2) for n = 1 and 3: with u = cos(x) it is rational."""
    del highest
    k, n = draws.integer(1, 2 * largest + 1), draws.choice((1, 3))
    power = "sin(x)" if n == 1 else f"sin(x)^{n}"
    # pi/2 times the integral of 1 / (1 + u^2) or (1 - u^2) / (1 + u^2) from -1 to 1
    linear, square = (_ZERO, Fraction(k, 4)) if n == 1 else (Fraction(-k), Fraction(k, 2))
    text = f"{_times(k)}x*{power}/(1 + cos(x)^2)"
    return (k, n), n, (_ZERO, linear, square, _ZERO), (text, "0", "pi")


def _tangent(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k ln(1 + tan x), or the same after x = arctan t."""
    del highest
    k, form = draws.integer(1, 3 * largest + 1), draws.integer(0, 2)
    value = (_ZERO, _ZERO, _ZERO, Fraction(k, 8))
    if form == 0:
        return (k, form), 0, value, (f"{_times(k)}ln(1 + tan(x))", "0", "pi/4")
    return (k, form), 0, value, (f"{_times(k)}ln(1 + x)/(1 + x^2)", "0", "1")


_MAKERS: Mapping[str, Callable[[RowDraws, int, int], Drawn]] = {
    "powers": _powers,
    "odd": _odd,
    "mirror": _mirror,
    "exponential": _exponential,
    "sine": _sine,
    "cosine": _cosine,
    "tangent": _tangent,
}


def _times(factor: int) -> str:
    return "" if factor == 1 else f"{factor}*"


@cache
def _wallis(n: int) -> tuple[Fraction, Fraction]:
    """Return the integral of sin^n from zero to pi as p + q pi."""
    if n < 2:
        return (Fraction(2), _ZERO) if n else (_ZERO, Fraction(1))
    p, q = _wallis(n - 2)
    return p * Fraction(n - 1, n), q * Fraction(n - 1, n)


def rounded(value: Value) -> str | None:
    """Return a positive value with two decimals, or None if it is close to a tie."""
    whole, pi, square, log = value
    exact = whole + pi * _PI + square * _PI**2 + log * _PI * _LOG_TWO
    places = exact * 100
    cents = floor(places + Fraction(1, 2))
    irrational = any((pi, square, log))
    margin = _CLEAR + (1_000_000 * _ERROR if irrational else 0)
    if abs(places - floor(places) - Fraction(1, 2)) < margin:
        return None
    return f"{cents // 100}.{cents % 100:02d}"


GENERATOR = TransIntegrations
