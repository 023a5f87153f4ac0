"""OMEGA transformation: roots of unity and of other numbers in parts of the plane, and powers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_EXPONENTS = (
    range(5, 13),
    range(13, 25),
    range(25, 49, 2),
    range(49, 97, 4),
    range(97, 201, 8),
)
_MOST_EXPONENT, _MOST_DEGREE, _MOST_VALUE = 200, 240, 60
_QUARTER = Fraction(1, 4)
_REGIONS = {
    "positive real part and positive imaginary part": (0 * _QUARTER, _QUARTER),
    "negative real part and positive imaginary part": (_QUARTER, 2 * _QUARTER),
    "negative real part and negative imaginary part": (2 * _QUARTER, 3 * _QUARTER),
    "positive real part and negative imaginary part": (3 * _QUARTER, 4 * _QUARTER),
    "positive real part": (-_QUARTER, _QUARTER),
    "negative real part": (_QUARTER, 3 * _QUARTER),
    "positive imaginary part": (0 * _QUARTER, 2 * _QUARTER),
    "negative imaginary part": (2 * _QUARTER, 4 * _QUARTER),
}
"""What the roots have, and the arguments of such numbers in turns, from and to."""
_SECTORS = ((0, 30), (0, 45), (15, 60), (30, 150), (45, 120), (75, 105), (100, 200), (150, 330))
_RIGHT_SIDES = ("{}", "{}i", "-{}", "-{}i")
_BASES = ("1 + i", "-1 + i", "-1 - i", "1 - i")
_STEEP = ("1 + sqrt(3)*i", "-1 + sqrt(3)*i", "-1 - sqrt(3)*i", "1 - sqrt(3)*i")
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


@dataclass(frozen=True)
class TransDeMoivre(ListedFamily):
    """Roots that are not rational, counted by their angles.

    Attributes:
        levels: of difficulty, 1 to 5; none stand for all. Exponents are 5-12, 13-24, 25-47 (odd
            ones), 49-93 or 97-193 (every fourth and eighth); those of powers to be computed at
            most 60.
        repeats: addresses for each problem, to see it in other wordings.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "trans_de_moivre"
    n_levels: ClassVar[int] = len(_EXPONENTS)
    wordings: ClassVar[int] = N_WORDINGS
    level_is_canonical: ClassVar[bool] = True
    subtypes: ClassVar[tuple[str, ...]] = tuple(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = {
        "ones": 3,
        "alternating": 2,
        "root_in": 4,
        "root_between": 5,
        "power_part": 4,
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The exponent that the level goes by."""
        return {"exponent": Axis("exponent in question", low=5, high=_MOST_EXPONENT)}

    def list_level(self, level: int) -> Iterator[Made]:
        """Make all problems with the exponents of a level."""
        for n in _EXPONENTS[level - 1]:
            for made in (*_polynomials(n), *_powers(n), *_values(n)):
                tree, answer, kind, facts = made
                yield Made(tree, str(answer), facts, kind, {"exponent": n})

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Ask about the roots or the power."""
        del draws
        return ask(_TEXTS, self.subtypes[made.subtype], wording, **made.facts)


Listed = tuple[Tree, int, int, dict[str, object]]
"""Tree, answer, kind and values of the holes."""


def _between(low: Fraction, high: Fraction, n: int, offset: Fraction) -> int:
    """Count the integers k with low < (offset + k) / n < high."""
    return max(0, ceil(n * high - offset) - floor(n * low - offset) - 1)


def _polynomials(n: int) -> Iterator[Listed]:
    """Make the sums of powers, with steps, and with alternating signs."""
    for place, (region, (low, high)) in enumerate(_REGIONS.items()):
        for step in (1, 2, 3, 4):
            if step * n <= _MOST_DEGREE:
                zero = Fraction(0)
                count = _between(low, high, step * (n + 1), zero) - _between(low, high, step, zero)
                text = _sum(n, step)
                yield ("ones", n, step, place), count, 0, {"polynomial": text, "region": region}
        half = Fraction(n + 1, 2)
        count = _between(low, high, n + 1, half) - _between(low, high, 1, Fraction(1, 2))
        text = _sum(n, 1, alternating=True)
        yield ("alternating", n, place), count, 0, {"polynomial": text, "region": region}


def _sum(n: int, step: int, *, alternating: bool = False) -> str:
    """Write the first three terms and the last."""
    first, second = f"x^{step}" if step > 1 else "x", f"x^{2 * step}"
    if not alternating:
        return f"1 + {first} + {second} + ... + x^{n * step}"
    return f"1 - {first} + {second} - ... {'+' if n % 2 == 0 else '-'} x^{n}"


def _powers(n: int) -> Iterator[Listed]:
    """Make the equations x^n = c and ask for parts of the plane and sectors."""
    for turn, form in enumerate(_RIGHT_SIDES):
        size = 2 + (n + turn) % 8
        offset, c = Fraction(turn, 4), form.format(size)
        for place, (region, (low, high)) in enumerate(_REGIONS.items()):
            count = _between(low, high, n, offset)
            yield ("root_in", n, turn, size, place), count, 1, {"n": n, "c": c, "region": region}
        for start, end in _SECTORS:
            count = _between(Fraction(start, 360), Fraction(end, 360), n, offset)
            facts = {"n": n, "c": c, "low": start, "high": end}
            yield ("root_between", n, turn, size, start, end), count, 2, facts


def _values(n: int) -> Iterator[Listed]:
    """Make the powers of numbers with an argument of 45 or 60 degrees, by De Moivre's formula."""
    if n > _MOST_VALUE:
        return
    for turn, base in enumerate(_BASES):
        eighths = n * (2 * turn + 1)
        for part, name in enumerate(("real part", "imaginary part")):
            facts = {"n": n, "base": base, "part": name}
            value = _cosine(eighths - 2 * part, n)
            yield ("power_part", n, 2, turn, part), value, 3, facts
    for turn, base in enumerate(_STEEP):
        sixths = n * (1, 2, 4, 5)[turn]
        cosine = (2, 1, -1, -2, -1, 1)[sixths % 6]
        facts = {"n": n, "base": base, "part": "real part"}
        yield ("power_part", n, 3, turn, 0), cosine * 2 ** (n - 1), 3, facts


def _cosine(eighths: int, n: int) -> int:
    """Return sqrt(2)^n times the cosine of so many eighths of a turn, of the parity of n."""
    signs = (1, -1, -1, 1) if eighths % 2 else (1, 0, -1, 0)
    doublings = (n - eighths % 2) // 2
    return int(signs[eighths % 8 // 2] << doublings)


GENERATOR = TransDeMoivre
