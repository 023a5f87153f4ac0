"""Lengths from the text."""

from fractions import Fraction

from synthgen.authoring import PlainVerifier, Words, holes, reads

METRES = {"mm": Fraction(1, 1000), "cm": Fraction(1, 100), "dm": Fraction(1, 10), "m": Fraction(1)}
UNIT = holes.word(METRES)


@reads(Words.beside(__file__), n=holes.NATURAL, unit=UNIT, to=UNIT, who=holes.word(("Ada", "Ben")))
def read(kind: str, n: int, unit: str, to: str, who: str) -> tuple[str, Fraction]:
    del who
    return kind, n * METRES[unit] / METRES[to]


def solve(problem: tuple[str, Fraction]) -> str | None:
    kind, length = problem
    whole = length.numerator // length.denominator
    return str(whole) if kind == "rounded" or length == whole else None


VERIFIERS = {"lengths": PlainVerifier(read, solve)}
