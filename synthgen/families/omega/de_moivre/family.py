"""Roots counted by their arguments, and powers by De Moivre's formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from flint import fmpz_mat

from synthgen.authoring import LevelledListedFamily, Problem, Words, axis

_WORDS = Words.beside(__file__)
_EXPONENTS = (
    range(5, 13),
    range(13, 25),
    range(25, 49, 2),
    range(49, 97, 4),
    range(97, 201, 8),
)
_MAX_DEGREE, _MAX_POWER = 240, 60
_HALF = Fraction(1, 2)
_REGIONS = {
    "positive real part and a positive imaginary part": (0, 90),
    "negative real part and a positive imaginary part": (90, 180),
    "negative real part and a negative imaginary part": (180, 270),
    "positive real part and a negative imaginary part": (270, 360),
    "positive real part": (-90, 90),
    "negative real part": (90, 270),
    "positive imaginary part": (0, 180),
    "negative imaginary part": (180, 360),
}
"""Regions, and the arguments of their numbers in degrees, from and to."""
_SECTORS = ((0, 30), (0, 45), (15, 60), (30, 150), (45, 120), (75, 105), (100, 200), (150, 330))
_RIGHT_SIDES = ("{}", "{}i", "-{}", "-{}i")
_SIGNS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
_ANGLES = {1: (45, 135, 225, 315), 3: (60, 120, 240, 300)}
"""Arguments of 1 + i and 1 + sqrt(3) i with these signs, by the square of the imaginary part."""
_PARTS = ("real part", "imaginary part")


@dataclass(frozen=True)
class TransDeMoivre(LevelledListedFamily):
    """Roots that are not rational, counted by their arguments, and powers of complex numbers.

    Attributes:
        levels: Difficulty levels, 1 to 5; an empty list means all. Exponents are 5-12, 13-24,
            25-47 (odd ones), 49-93 or 97-193 (every fourth and eighth); those of powers to be
            computed are at most 60.
        repeats: Addresses for each problem, to see it in other wordings.
    """

    version = 2
    verifier = "trans_de_moivre"
    domain = "omega"
    words = _WORDS
    symbols = {"ones": 3, "alternating": 2, "root_in": 4, "root_between": 5, "power_part": 4}
    n_levels = len(_EXPONENTS)
    level_is_canonical = True
    own_axes = {"exponent": axis("exponent in question", 5, 200)}

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield all problems with the exponents of a level."""
        for n in _EXPONENTS[level - 1]:
            yield from _of_polynomials(n)
            yield from _of_equations(n)
            if n <= _MAX_POWER:
                yield from _of_powers(n)


def _between(region: tuple[int, int], n: int, offset: Fraction) -> int:
    """Count the integers k for which (offset + k) / n turns are inside a region."""
    low, high = (Fraction(end, 360) * n - offset for end in region)
    return max(0, ceil(high) - floor(low) - 1)


def _root_lines(
    region: tuple[int, int], n: int, offset: Fraction, dropped: tuple[int, int] = (0, 0)
) -> tuple[int, list[str]]:
    """Count the roots with arguments (offset + k) / n turns inside a region.

    Args:
        region: Degrees, from and to.
        n: Number of roots.
        offset: Offset of the arguments, in n-ths of a turn.
        dropped: s and c of the roots of x^s = c, which do not count, if s is not zero.

    Returns:
        The number of roots, and the lines that lead to it.
    """
    count = _between(region, n, offset)
    first = floor(Fraction(region[0], 360) * n - offset) + 1
    ks = f"k = {first} to {first + count - 1}, {count} in all" if count else "no k"
    lines = [
        f"arguments: {360 * offset / n} + k*{Fraction(360, n)} degrees",
        f"between {region[0]} and {region[1]} degrees: {ks}",
    ]
    degree, c = dropped
    if degree:
        less = _between(region, degree, Fraction(0) if c > 0 else _HALF)
        power = "x" if degree == 1 else f"x^{degree}"
        lines += [f"of these, solutions of {power} = {c}: {less}"]
        lines += [f"{count} - {less} = {count - less}"]
        count -= less
    return count, lines


def _of_polynomials(n: int) -> Iterator[Problem]:
    """Yield the sums of powers, with steps, and with alternating signs.

    Their roots are those of x^a = 1 that are not roots of x^b = 1, and the same for -1.
    """
    for place, (name, region) in enumerate(_REGIONS.items()):
        for step in (1, 2, 3, 4):
            if step * n <= _MAX_DEGREE:
                solved = _root_lines(region, step * (n + 1), Fraction(0), (step, 1))
                holes = {"polynomial": _sum_text(n, step, "+"), "region": name}
                yield _problem(("ones", n, step, place), solved, "polynomial", holes, n)
        solved = _root_lines(region, n + 1, (n + 1) * _HALF, (1, -1))
        holes = {"polynomial": _sum_text(n, 1, "-"), "region": name}
        yield _problem(("alternating", n, place), solved, "polynomial", holes, n)


def _problem(
    tree: tuple[str | int, ...],
    solved: tuple[int, list[str]],
    kind: str,
    holes: Mapping[str, object],
    n: int,
) -> Problem:
    return Problem(tree, str(solved[0]), holes, kind, {"exponent": n}, solved[1])


def _sum_text(n: int, step: int, sign: str) -> str:
    """Write the first three terms and the last, the second one with this sign."""
    first = f"x^{step}" if step > 1 else "x"
    last = sign if n % 2 else "+"
    return f"1 {sign} {first} + x^{2 * step} {sign} ... {last} x^{n * step}"


def _of_equations(n: int) -> Iterator[Problem]:
    """Yield the equations x^n = c, with questions about parts of the plane and sectors."""
    for turn, form in enumerate(_RIGHT_SIDES):
        size = 2 + (n + turn) % 8
        offset, c = Fraction(turn, 4), form.format(size)
        notes = {key: _WORDS[key] if "i" in c else "" for key in ("here", "where")}
        shared = {"n": n, "c": c, **notes}
        for place, (name, region) in enumerate(_REGIONS.items()):
            holes: dict[str, object] = {**shared, "region": name}
            solved = _root_lines(region, n, offset)
            yield _problem(("root_in", n, turn, size, place), solved, "power", holes, n)
        for low, high in _SECTORS:
            holes = {**shared, "low": low, "high": high}
            solved = _root_lines((low, high), n, offset)
            yield _problem(("root_between", n, turn, size, low, high), solved, "sector", holes, n)


def _of_powers(n: int) -> Iterator[Problem]:
    """Yield the powers of numbers with an argument that is a multiple of 45 or 60 degrees."""
    for square, angles in _ANGLES.items():
        for turn, (angle, (a, b)) in enumerate(zip(angles, _SIGNS, strict=True)):
            # a + b sqrt(-square) takes the basis 1, sqrt(-square) to the columns of this matrix.
            powers = fmpz_mat([[a, -square * b], [b, a]]) ** n
            base = f"{a} {'-' if b < 0 else '+'} {'i' if square == 1 else 'sqrt(3)*i'}"
            for part, name in enumerate(_PARTS if square == 1 else _PARTS[:1]):
                value = int(powers[part, 0])
                solved = value, _power_lines(n, square + 1, angle, name, value)
                tree = ("power_part", n, 2 if square == 1 else 3, turn, part)
                yield _problem(tree, solved, "value", {"n": n, "base": base, "part": name}, n)


def _power_lines(n: int, square: int, angle: int, part: str, value: int) -> list[str]:
    """Write modulus and argument of a number and of its power, and the part in question."""
    rest = n * angle % 360
    modulus = f"2^{n}" if square == 4 else f"2^{n // 2}" + "*sqrt(2)" * (n % 2)
    turned = f"{'cos' if part == 'real part' else 'sin'}({rest})"
    return [
        f"modulus: {'2' if square == 4 else 'sqrt(2)'}, argument: {angle} degrees",
        f"argument of the power: {n}*{angle} = {n * angle}, modulo 360: {rest}",
        f"{part} = {modulus}*{turned} = {value}",
    ]


GENERATORS = {"trans_de_moivre": TransDeMoivre}
