"""Reading the questions of the composed and the transformed families by their wordings."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from synthgen.verifiers.omega._wordings import read_as, wordings

SUM_ENDINGS = (
    "Write this value as a fraction in lowest terms (an integer has the denominator one) and give"
    " the sum of its numerator and its denominator, an integer.",
    "If this value is P/Q in lowest terms, where Q is one for an integer, what is P + Q? Give an"
    " integer.",
    "With this value written as P/Q, where P and Q are coprime positive integers, find P + Q. Give"
    " an integer.",
    "Reduce this value to lowest terms (an integer has the denominator one) and answer with the"
    " integer that is its numerator plus its denominator.",
)
NATURAL = r"(?:0|[1-9][0-9]{0,5})"
"""Pattern of an integer from zero that is not large."""
SMALL = r"-?(?:0|[1-9][0-9]{0,5})"
"""Pattern of an integer that is not large."""


class Questions:
    """The wordings of every kind of question of a family.

    Args:
        texts: kind -> its wordings.
        holes: pattern of each hole; small integers from zero where there is none.
    """

    def __init__(self, texts: Mapping[str, tuple[str, ...]], **holes: str) -> None:
        self._patterns = {}
        for kind, several in texts.items():
            whole = [
                text.replace("<ending>", SUM_ENDINGS[place]) for place, text in enumerate(several)
            ]
            names = {hole: NATURAL for text in whole for hole in _holes(text)} | holes
            self._patterns[kind] = wordings(*map(_once, whole), **names, **_same(names))

    def read(self, statement: str) -> tuple[str, dict[str, str]] | None:
        """Return the kind of a statement and the texts in its holes, or None."""
        for kind, patterns in self._patterns.items():
            match = read_as(statement, patterns)
            if match:
                return kind, match.groupdict()
        return None


def _holes(text: str) -> list[str]:
    return [piece.partition(">")[0] for piece in text.split("<")[1:]]


def _once(text: str) -> str:
    """Rename the second and later occurrences of a hole, which must repeat the first."""
    pieces = text.split("<")
    seen: dict[str, int] = {}
    for place in range(1, len(pieces)):
        name, _, rest = pieces[place].partition(">")
        seen[name] = seen.get(name, 0) + 1
        pieces[place] = f"{name}{'_again' * (seen[name] - 1)}>{rest}"
    return "<".join(pieces)


def _same(names: Mapping[str, str]) -> dict[str, str]:
    return {name + "_again" * times: f"(?P={name})" for name in names for times in range(1, 5)}


def parts_sum(value: Fraction) -> str:
    """Return numerator plus denominator of a value, as an answer."""
    return str(value.numerator + value.denominator)


def sum_steps(value: Fraction) -> str:
    """Return the last line that a solution must have."""
    top, bottom = value.numerator, value.denominator
    return f"{top}/{bottom}: {top} + {bottom} = {top + bottom}"
