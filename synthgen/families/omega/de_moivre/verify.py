"""Complex roots from the text, one by one, and powers by repeated multiplication."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from synthgen.authoring import Words, WorkedVerifier, holes, reads

_WORDS = Words.beside(__file__)
_N = holes.pattern("[1-9][0-9]{0,2}", int)
_ANGLE = holes.pattern("0|[1-9][0-9]{0,2}", int)
_SUM = re.compile(r"1 ([+-]) x(?:\^([2-9]))? \+ x\^([0-9]+) ([+-]) \.\.\. ([+-]) x\^([0-9]+)")
_MAX_DEGREE = 400
_DIRECTIONS = {(False, False): 0, (True, False): 1, (False, True): 2, (True, True): 3}
"""Quarter turns of c, by whether it is imaginary and whether negative."""


_DEGREES = {
    "positive real part": (-90, 90),
    "negative real part": (90, 270),
    "positive imaginary part": (0, 180),
    "negative imaginary part": (180, 360),
    "positive real part and a positive imaginary part": (0, 90),
    "negative real part and a positive imaginary part": (90, 180),
    "negative real part and a negative imaginary part": (180, 270),
    "positive real part and a negative imaginary part": (270, 360),
}
_ANGLES = {(1, 1): 45, (-1, 1): 135, (-1, -1): 225, (1, -1): 315}
_STEEP_ANGLES = {(1, 1): 60, (-1, 1): 120, (-1, -1): 240, (1, -1): 300}
"""Arguments in degrees, by the signs of the real and the imaginary part."""


class _Problem(ABC):
    @abstractmethod
    def answer(self) -> str: ...

    @abstractmethod
    def lines(self) -> list[str]:
        """Return the lines that a solution must have."""


@dataclass(frozen=True)
class _Roots(_Problem):
    """Numbers with arguments of `steps` out of `whole` turns, and the part of them that counts.

    Attributes:
        steps, whole: Arguments of the roots that count, in steps of 1 / whole turns.
        region: Degrees, from and to.
        start, gap: First step and gap between steps, with the roots that do not count.
        dropped: Equation of the roots that do not count, if any.
    """

    steps: tuple[int, ...]
    whole: int
    region: tuple[int, int]
    start: int
    gap: int
    dropped: str = ""

    def answer(self) -> str:
        """Test every root."""
        return str(sum(map(self._counts, self.steps)))

    def lines(self) -> list[str]:
        """Try every root, in three turns, and those that do not count among them."""
        (low, high), whole = self.region, self.whole
        number = whole // self.gap
        ks = [
            k
            for k in range(-number, 2 * number)
            if low * whole < 360 * (self.start + k * self.gap) < high * whole
        ]
        inside = f"k = {ks[0]} to {ks[-1]}, {len(ks)} in all" if ks else "no k"
        first, gap = (Fraction(360 * step, whole) for step in (self.start, self.gap))
        lines = [
            f"arguments: {first} + k*{gap} degrees",
            f"between {low} and {high} degrees: {inside}",
        ]
        if self.dropped:
            counting = set(self.steps)
            less = sum((self.start + k * self.gap) % whole not in counting for k in ks)
            lines.append(f"of these, solutions of {self.dropped}: {less}")
            lines.append(f"{len(ks)} - {less} = {self.answer()}")
        return lines

    def _counts(self, step: int) -> bool:
        """Return whether a root has an argument in the region, which may begin below zero."""
        low, high = (end * self.whole for end in self.region)
        return any(low < 360 * k < high for k in (step, step - self.whole))


@dataclass(frozen=True)
class _Power(_Problem):
    """(real + sign sqrt(square) i)^n, and the part of it in question."""

    real: int
    sign: int
    square: int
    n: int
    part: str

    def answer(self) -> str:
        """Multiply the number by itself."""
        a, b = 1, 0
        for _ in range(self.n):
            a, b = a * self.real - b * self.sign * self.square, a * self.sign + b * self.real
        return str(a if self.part == "real part" else b)

    def lines(self) -> list[str]:
        """Turn the base n times."""
        angles = _ANGLES if self.square == 1 else _STEEP_ANGLES
        angle, n = angles[self.real, self.sign], self.n
        rest = sum(angle for _ in range(n)) % 360
        size = f"2^{n}"
        if self.square == 1:
            size = f"2^{n // 2}*sqrt(2)" if n % 2 else f"2^{n // 2}"
        return [
            f"modulus: {'sqrt(2)' if self.square == 1 else '2'}, argument: {angle} degrees",
            f"argument of the power: {n}*{angle} = {n * angle}, modulo 360: {rest}",
            f"{self.part} = {size}*{'cos' if self.part == 'real part' else 'sin'}({rest})"
            f" = {self.answer()}",
        ]


@reads(
    _WORDS,
    polynomial=holes.pattern(_SUM.pattern.replace("(?:", "(").replace("(", "(?:")),
    region=holes.pattern(holes.word(_DEGREES).pattern, _DEGREES.get),
    n=_N,
    c=holes.pattern("-?[1-9][0-9]{0,3}i?"),
    here=holes.pattern(f"(?:{re.escape(_WORDS['here'])})?"),
    where=holes.pattern(f"(?:{re.escape(_WORDS['where'])})?"),
    low=_ANGLE,
    high=_ANGLE,
    part=holes.word(["real part", "imaginary part"]),
    base=holes.pattern(r"-?1 [+-] (?:sqrt\(3\)\*)?i"),
)
def _read(
    kind: str, region: tuple[int, int] = (0, 0), part: str = "", n: int = 1, **parsed: Any
) -> _Problem | None:
    if n > _MAX_DEGREE:
        return None
    if kind == "polynomial":
        return _of_sum(parsed["polynomial"], region)
    if kind == "value":
        real, sign, rest = parsed["base"].split(" ")
        square = 3 if "sqrt" in rest else 1
        if square == 3 and part == "imaginary part":
            return None
        return _Power(int(real), int(f"{sign}1"), square, n, part)
    c = parsed["c"]
    if bool(parsed.get("here") or parsed.get("where")) != c.endswith("i"):
        return None
    start = _DIRECTIONS[c.endswith("i"), c.startswith("-")]
    steps = tuple(range(start, 4 * n, 4))
    if kind == "power":
        return _Roots(steps, 4 * n, region, start, 4)
    low, high = parsed["low"], parsed["high"]
    return _Roots(steps, 4 * n, (low, high), start, 4) if low < high <= 360 else None


def _of_sum(text: str, region: tuple[int, int]) -> _Roots | None:
    """Return the roots of a sum of powers with equal steps and equal or alternating signs."""
    match = _SUM.fullmatch(text)
    if match is None:
        return None
    step, second, last = int(match[2] or 1), int(match[3]), int(match[6])
    n, rest = divmod(last, step)
    signs = ("-", "-", "-" if n % 2 else "+") if match[1] == "-" else ("+", "+", "+")
    if second != 2 * step or rest or n < 3 or last > _MAX_DEGREE or match.group(1, 4, 5) != signs:
        return None
    # (1 - x^step) times the sum is 1 - x^whole; with alternating signs -x takes the place of x
    whole = last + step
    steps = (2 * k for k in range(whole) if k * step % whole)
    shift = whole if match[1] == "-" else 0
    if shift and step > 1:
        return None
    dropped = "x = -1" if shift else "x = 1" if step == 1 else f"x^{step} = 1"
    turned = tuple((k + shift) % (2 * whole) for k in steps)
    return _Roots(turned, 2 * whole, region, shift, 2, dropped)


VERIFIERS = {
    "trans_de_moivre": WorkedVerifier(_read, lambda problem: (problem.answer(), problem.lines()))
}
