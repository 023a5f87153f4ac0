"""Complex roots from the text, one by one, and powers by repeated multiplication."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
_N = holes.pattern("[1-9][0-9]{0,2}", int)
_ANGLE = holes.pattern("0|[1-9][0-9]{0,2}", int)
_PART = "(?:positive|negative) (?:real|imaginary) part"
_SUM = re.compile(r"1 ([+-]) x(?:\^([2-9]))? \+ x\^([0-9]+) ([+-]) \.\.\. ([+-]) x\^([0-9]+)")
_MOST_DEGREE = 400
_DIRECTIONS = {(False, False): 0, (True, False): 1, (False, True): 2, (True, True): 3}
"""Quarter turns of c, by whether it is imaginary and whether negative."""


class _Problem(ABC):
    @abstractmethod
    def answer(self) -> str: ...


@dataclass(frozen=True)
class _Roots(_Problem):
    """Numbers with arguments of `steps` out of `whole` turns, and the part of them that counts.

    Attributes:
        steps, whole: of the arguments of all roots.
        region: what a root must have, or degrees from and to.
    """

    steps: tuple[int, ...]
    whole: int
    region: str | tuple[int, int]

    def answer(self) -> str:
        """Look at every root."""
        return str(sum(map(self._counts, self.steps)))

    def _counts(self, step: int) -> bool:
        whole, region = self.whole, self.region
        if isinstance(region, tuple):
            return region[0] * whole < 360 * step < region[1] * whole
        quarters = 4 * step
        signs = {
            "positive real": quarters < whole or quarters > 3 * whole,
            "negative real": whole < quarters < 3 * whole,
            "positive imaginary": 0 < quarters < 2 * whole,
            "negative imaginary": quarters > 2 * whole,
        }
        return all(signs[part.removesuffix(" part")] for part in region.split(" and a "))


@dataclass(frozen=True)
class _Power(_Problem):
    """(real + sign sqrt(square) i)^n, and the part of it that is asked for."""

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


@reads(
    _WORDS,
    polynomial=holes.pattern(_SUM.pattern.replace("(?:", "(").replace("(", "(?:")),
    region=holes.pattern(f"{_PART}(?: and a {_PART})?"),
    n=_N,
    c=holes.pattern("-?[1-9][0-9]{0,3}i?"),
    here=holes.pattern(f"(?:{re.escape(_WORDS['here'])})?"),
    where=holes.pattern(f"(?:{re.escape(_WORDS['where'])})?"),
    low=_ANGLE,
    high=_ANGLE,
    part=holes.word(["real part", "imaginary part"]),
    base=holes.pattern(r"-?1 [+-] (?:sqrt\(3\)\*)?i"),
)
def _read(kind: str, **found: str | int) -> _Problem | None:
    n, region, part = int(found.get("n", 1)), str(found.get("region")), str(found.get("part"))
    if n > _MOST_DEGREE:
        return None
    if kind == "polynomial":
        return _of_sum(str(found["polynomial"]), region)
    if kind == "value":
        real, sign, rest = str(found["base"]).split(" ")
        square = 3 if "sqrt" in rest else 1
        if square == 3 and part == "imaginary part":
            return None
        return _Power(int(real), int(f"{sign}1"), square, n, part)
    c = str(found["c"])
    if bool(found.get("here") or found.get("where")) != c.endswith("i"):
        return None
    start = _DIRECTIONS[c.endswith("i"), c.startswith("-")]
    steps = tuple(range(start, 4 * n, 4))
    if kind == "power":
        return _Roots(steps, 4 * n, region)
    low, high = int(found["low"]), int(found["high"])
    return _Roots(steps, 4 * n, (low, high)) if low < high <= 360 else None


def _of_sum(text: str, region: str) -> _Roots | None:
    """Return the roots of a sum of powers with equal steps and equal or alternating signs."""
    match = _SUM.fullmatch(text)
    if match is None:
        return None
    step, second, last = int(match[2] or 1), int(match[3]), int(match[6])
    n, rest = divmod(last, step)
    signs = ("-", "-", "-" if n % 2 else "+") if match[1] == "-" else ("+", "+", "+")
    if second != 2 * step or rest or n < 3 or last > _MOST_DEGREE or match.group(1, 4, 5) != signs:
        return None
    # (1 - x^step) times the sum is 1 - x^whole; with alternating signs -x takes the place of x
    whole = last + step
    steps = (2 * k for k in range(whole) if k * step % whole)
    shift = whole if match[1] == "-" else 0
    if shift and step > 1:
        return None
    return _Roots(tuple((k + shift) % (2 * whole) for k in steps), 2 * whole, region)


VERIFIERS = {"trans_de_moivre": PlainVerifier(_read, lambda problem: problem.answer())}
