"""Roots in parts of the plane, from the text: one by one by their angles, and numerically."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.composition._questions import Questions

_TEXTS = {
    "polynomial": (
        "How many different complex roots of the polynomial <polynomial> have <region>? Give an"
        " integer.",
        "Among the different complex numbers x with <polynomial> = 0, how many have <region>?"
        " Answer with an integer.",
        "Consider all different solutions of <polynomial> = 0 in the complex plane. Count those"
        " that have <region>. The answer is an integer.",
        "Let p(x) = <polynomial>. Find the number of different zeros of p in the complex plane"
        " that have <region>. Give an integer.",
    ),
    "power": (
        "How many complex numbers x with x^<n> = <c> have <region>? Here i is the imaginary unit."
        " Give an integer.",
        "The equation x^<n> = <c>, where i denotes the imaginary unit, has <n> complex solutions."
        " How many of them have <region>? Answer with an integer.",
        "Count the complex roots of the equation x^<n> = <c> (i is the imaginary unit) that have"
        " <region>. The answer is an integer.",
        "Let S be the set of all complex numbers whose power with the exponent <n> is <c>, where i"
        " is the imaginary unit. Find the number of elements of S that have <region>. Give an"
        " integer.",
    ),
    "sector": (
        "How many complex numbers x with x^<n> = <c> have an argument strictly between <low> and"
        " <high> degrees? Here i is the imaginary unit. Give an integer.",
        "The equation x^<n> = <c>, where i denotes the imaginary unit, has <n> complex solutions."
        " How many of them lie inside the sector of all numbers whose argument is greater than"
        " <low> degrees and less than <high> degrees? Answer with an integer.",
        "Count the complex roots of the equation x^<n> = <c> (i is the imaginary unit) whose angle"
        " with the positive real axis, measured counterclockwise, is more than <low> and less than"
        " <high> degrees. The answer is an integer.",
        "Let S be the set of all complex numbers whose power with the exponent <n> is <c>, where i"
        " is the imaginary unit. Find the number of elements of S with a polar angle in the open"
        " interval from <low> to <high> degrees. Give an integer.",
    ),
    "value": (
        "Let i be the imaginary unit. What is the <part> of (<base>)^<n>? Give an integer.",
        "Find the <part> of the complex number (<base>)^<n>, where i is the imaginary unit. Answer"
        " with an integer.",
        "The complex number <base>, where i is the imaginary unit, is raised to the power of <n>."
        " What is the <part> of the result? The answer is an integer.",
        "With z = <base> and the imaginary unit i, compute the <part> of z^<n>. Give an integer.",
    ),
}
_REGION = r"(?:(?:positive|negative) real part)?(?: and )?(?:(?:positive|negative) imaginary part)?"
_QUESTIONS = Questions(
    _TEXTS,
    polynomial=r"1 [+-] x(?:\^[2-9])? \+ x\^[1-9][0-9]? [+-] \.\.\. [+-] x\^[1-9][0-9]{0,3}",
    region=_REGION,
    c=r"-?[1-9][0-9]{0,3}i?",
    part="(?:real|imaginary) part",
    base=r"-?1 [+-] (?:sqrt\(3\)\*)?i",
)
_SUM = re.compile(r"1 ([+-]) x(?:\^([2-9]))? \+ x\^([0-9]+) ([+-]) \.\.\. ([+-]) x\^([0-9]+)")
_HIGHEST = 400
_NEAR = 1e-7

Problem = tuple[str, tuple[int, ...], tuple[int, ...], str]
"""Kind; what it is about; sector in degrees; region or part.

About: highest power, step and sign of the second term of a sum; exponent, signs of the real and the
imaginary part of c; exponent, real part, imaginary part and the square of what multiplies it.
"""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    kind, holes = found
    region = holes.get("region") or holes.get("part") or ""
    if kind == "polynomial":
        about = _sum(holes["polynomial"])
        return (kind, about, (), region) if about and region else None
    n = int(holes["n"])
    if not 1 <= n <= _HIGHEST or not (region or kind == "sector"):
        return None
    if kind == "value":
        real, sign, rest = holes["base"].split(" ")
        return kind, (n, int(real), int(f"{sign}1"), 3 if "sqrt" in rest else 1), (), region
    size = 1 if int(holes["c"].removesuffix("i")) > 0 else -1
    equation = (n, 0, size) if holes["c"].endswith("i") else (n, size, 0)
    if kind == "power":
        return kind, equation, (), region
    low, high = int(holes["low"]), int(holes["high"])
    return (kind, equation, (low, high), "") if low < high <= 360 else None


def _sum(text: str) -> tuple[int, ...] | None:
    """Return highest power, step, and sign of the second term of a sum with equal steps."""
    match = _SUM.fullmatch(text)
    if match is None:
        return None
    step, second, last = int(match[2] or 1), int(match[3]), int(match[6])
    alternating = match[1] == "-"
    terms, rest = divmod(last, step)
    wanted = "-" if alternating and terms % 2 else "+"
    if second != 2 * step or rest or not terms >= 3 or last > _HIGHEST:
        return None
    if (match[4] == "-") != alternating or match[5] != wanted:
        return None
    return last, step, -1 if alternating else 1


def _angles(problem: Problem) -> set[Fraction]:
    """Return the arguments of all roots, in turns from zero to one."""
    kind, about, _, _ = problem
    if kind != "polynomial":
        n, real, imaginary = about
        start = {(1, 0): 0, (0, 1): 1, (-1, 0): 2, (0, -1): 3}[real, imaginary]
        return {Fraction(start + 4 * k, 4 * n) for k in range(n)}
    last, step, sign = about
    whole = {Fraction(k, last + step) for k in range(last + step)}
    whole -= {Fraction(k, step) for k in range(step)}
    return {(angle + Fraction(1, 2)) % 1 for angle in whole} if sign < 0 else whole


def _signs(angle: Fraction) -> tuple[int, int]:
    """Return the signs of real and imaginary part."""
    place = int(angle * 4) * 2 + (0 if (angle * 4).denominator == 1 else 1)
    real = (1, 1, 0, -1, -1, -1, 0, 1)[place]
    imaginary = (0, 1, 1, 1, 0, -1, -1, -1)[place]
    return real, imaginary


def _fits(real: int, imaginary: int, region: str) -> bool:
    wanted = {"positive": 1, "negative": -1}
    parts = [part.split(" ") for part in region.split(" and ")]
    return all({"real": real, "imaginary": imaginary}[p[1]] == wanted[p[0]] for p in parts)


def _solve(problem: Problem) -> str | None:
    """Look at every root's angle; multiply powers out."""
    kind, about, sector, region = problem
    if kind == "value":
        return _multiplied(about, region)
    angles = _angles(problem)
    if kind == "sector":
        low, high = (Fraction(end, 360) for end in sector)
        return str(sum(low < angle < high for angle in angles))
    return str(sum(_fits(*_signs(angle), region) for angle in angles))


def _multiplied(about: tuple[int, ...], part: str) -> str | None:
    """Multiply a + b sqrt(square) i by itself."""
    n, real, sign, square = about
    a, b = 1, 0
    for _ in range(n):
        a, b = a * real - b * sign * square, a * sign + b * real
    if part == "real part":
        return str(a)
    return str(b) if square == 1 else None


def _exact(problem: Problem) -> str | None:
    """Try points of the unit circle; expand powers by the binomial theorem.

    All roots of these polynomials, with c of magnitude one, are among them if as many are found as
    the degree says. A root off the border of a region is further from it than 1e-4.
    """
    kind, about, sector, region = problem
    if kind == "value":
        n, real, sign, square = about
        if region == "imaginary part" and square != 1:
            return None
        odd = region == "imaginary part"
        return str(
            sum(
                comb(n, k) * real ** (n - k) * sign**k * (-1) ** (k // 2) * square ** (k // 2)
                for k in range(int(odd), n + 1, 2)
            )
        )
    roots = _roots(problem)
    if roots is None:
        return None
    if kind == "sector":
        degrees = np.angle(roots, deg=True)
        degrees = np.where(degrees < -_NEAR, degrees + 360, degrees)
        return str(int(np.sum((degrees > sector[0] + _NEAR) & (degrees < sector[1] - _NEAR))))
    signs = zip(_rounded(roots.real), _rounded(roots.imag), strict=True)
    return str(sum(_fits(real, imaginary, region) for real, imaginary in signs))


def _rounded(values: NDArray[np.float64]) -> list[int]:
    signs: list[int] = np.where(np.abs(values) < _NEAR, 0, np.sign(values)).astype(int).tolist()
    return signs


def _roots(problem: Problem) -> NDArray[np.complex128] | None:
    """Return the points of the unit circle at which a polynomial vanishes, if they are all."""
    kind, about, _, _ = problem
    if kind == "polynomial":
        last, step, sign = about
        n, degree = last + step, last
        powers = np.arange(0, last + 1, step)
        terms = np.where(powers // step % 2 == 1, sign, 1)
    else:
        n, degree = about[0], about[0]
        powers, terms = np.array([0, n]), np.array([-complex(*about[1:]), 1])
    turns = np.arange(4 * n)
    values = np.exp(2j * np.pi / (4 * n) * (np.outer(turns, powers) % (4 * n))) @ terms
    found = turns[np.abs(values) < _NEAR]
    roots: NDArray[np.complex128] = np.exp(2j * np.pi / (4 * n) * found)
    return roots if len(roots) == degree else None


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer")
