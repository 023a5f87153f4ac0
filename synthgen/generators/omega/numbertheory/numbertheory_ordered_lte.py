"""OMEGA number theory: tuples of integers whose sum of powers is divisible by a prime power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.numbertheory._power_sums import (
    coprime_vanishing,
    joint_spread,
    spread_of,
    spread_text,
    vanishing,
)

_THOUSAND = 1_000
_NAMES = ("xyzwv", "abcde", "uvwxy", "pqrst")
_TUPLES = (
    *("", "", "ordered pairs", "ordered triples", "ordered quadruples", "ordered quintuples"),
)
_ALONE = (
    "Let N be the number of positive integers {names}, not greater than {bound}, for which {sum}"
    " is divisible by {modulus}. Find the remainder of N on division by one thousand. Give an"
    " integer.",
    "How many integers {names} from one to {bound} make {sum} a multiple of {modulus}? Give the"
    " last three digits of this number, that is, its remainder modulo one thousand, as an integer"
    " without leading zeros.",
    "Count the integers {names}, at least one and at most {bound}, that satisfy the congruence of"
    " {sum} and zero modulo {modulus}. Answer with the count modulo one thousand, an integer.",
    "Let {names} run through the integers from one to {bound}. For how many of them does"
    " {modulus} divide {sum}? Reduce the number modulo one thousand and give the resulting"
    " integer.",
)
_PLAIN = (
    "Let N be the number of {tuples} {names} of positive integers, none of them greater than"
    " {bound}, for which {sum} is divisible by {modulus}. Find the remainder of N on division by"
    " one thousand. Give an integer.",
    "How many {tuples} {names} with entries from one to {bound} make {sum} a multiple of"
    " {modulus}? Give the last three digits of this number, that is, its remainder modulo one"
    " thousand, as an integer without leading zeros.",
    "Count the {tuples} {names} of integers, all at least one and at most {bound}, that satisfy"
    " the congruence of {sum} and zero modulo {modulus}. Answer with the count modulo one"
    " thousand, an integer.",
    "The unknowns in {names} run through the integers from one to {bound}. For how many of these"
    " {tuples} does {modulus} divide {sum}? Reduce the number modulo one thousand and give the"
    " resulting integer.",
)
_COPRIME = (
    "Let N be the number of {tuples} {names} of positive integers, none of them greater than"
    " {bound}, whose greatest common divisor is one and for which {sum} is divisible by"
    " {modulus}. Find the remainder of N on division by one thousand. Give an integer.",
    "How many {tuples} {names} with entries from one to {bound} have no common divisor above one"
    " of all entries and make {sum} a multiple of {modulus}? Give the last three digits of this"
    " number, that is, its remainder modulo one thousand, as an integer without leading zeros.",
    "Count the {tuples} {names} of integers, all at least one and at most {bound}, that satisfy"
    " the congruence of {sum} and zero modulo {modulus} and whose entries have the greatest"
    " common divisor one as a whole. Answer with the count modulo one thousand, an integer.",
    "The unknowns in {names} run through the integers from one to {bound}. For how many of these"
    " {tuples} is one the only positive integer that divides all entries, and does {modulus}"
    " divide {sum}? Reduce the number modulo one thousand and give the resulting integer.",
)


@dataclass(frozen=True)
class Choice:
    """Parameters of one part of a level.

    Attributes:
        bases: the base b.
        sizes, powers: i in the bound b^i and j in the modulus b^j.
        terms: unknowns.
        most: largest magnitude of a coefficient.
        coprime: whether the greatest common divisor is to be one; then coefficients can be zero.
    """

    bases: tuple[int, ...]
    sizes: tuple[int, int]
    powers: tuple[int, int]
    terms: int
    most: int = 4
    coprime: bool = False


_SMALL, _LONG = ((2, 3), (2, 3), (2, 3)), ((3, 4), (3, 4), (2, 3))
_USUAL, _LARGE = ((3, 4), (2, 3), (2, 3)), ((3, 4, 6), (2, 3), (2, 3))
_LEVELS = (
    ((Choice(*_SMALL, 1), Choice(*_SMALL, 2)), 1, 10),
    ((Choice(*_LONG, 1), Choice(*_LONG, 2)), 1, 100),
    ((Choice(*_USUAL, 2), Choice(*_USUAL, 3)), 10, 100),
    ((Choice(*_USUAL, 3), Choice(*_USUAL, 4)), 100, 999),
    ((Choice(*_USUAL, 4), Choice(*_USUAL, 3, most=1, coprime=True)), _THOUSAND, None),
    ((Choice(*_LARGE, 4, most=5), Choice(*_USUAL, 3, most=2, coprime=True)), _THOUSAND, None),
    ((Choice(*_LARGE, 5, most=3), Choice(*_USUAL, 3, most=3, coprime=True)), _THOUSAND, None),
)
"""Parts of each level, and the smallest and the largest answer; without a largest one, the smallest
number of tuples."""
_PUBLISHED_LEVELS = 5


@dataclass(frozen=True)
class Count:
    """One question: coefficients in order, exponent and base b, bound b^size, modulus b^power."""

    base: int
    size: int
    power: int
    coefficients: tuple[int, ...]
    coprime: bool

    @property
    def bounds(self) -> tuple[int, int, int]:
        """Exponent, bound and modulus."""
        return self.base, self.base**self.size, self.base**self.power


@dataclass(frozen=True)
class NumbertheoryOrderedLte(ListedFamily):
    """How many tuples of integers up to b^i make a sum of c * x^b divisible by b^j, mod 1,000.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. They have 1-2, 1-2, 2-3, 3-4, 4, 4 or 5
            unknowns, from level 5 on also 3 unknowns with greatest common divisor one, bases 2-3,
            3-4, then also 6, and coefficients of magnitude up to 4, 5 or 3. Answers lie in 1-10,
            1-100, 10-100 and 100-999, and from level 5 on the number of tuples is at least 1,000.
            A problem of several chosen levels is dealt to one of them.
        repeats: addresses for each problem, to see it in other wordings and orders of terms.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "numbertheory_ordered_lte"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = len(_PLAIN)
    variants: ClassVar[int] = 4
    subtypes: ClassVar[tuple[str, ...]] = ("plain", "coprime")
    symbols: ClassVar[Mapping[str, int]] = {"plain": 4, "coprime": 4} | {
        f"terms{n}": n for n in range(1, 6)
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The base and the number of unknowns."""
        return {
            "power_base": Axis("base b of bound, exponent and modulus", low=2, high=6),
            "n_unknowns": Axis("unknowns", low=1, high=5),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make every question whose answer lies between the level's limits."""
        parts, low, high = _LEVELS[level - 1]
        for part in parts:
            for count in _questions(part):
                number = _number(count)
                answer = number % _THOUSAND
                if low <= (number if high is None else answer) <= (high or number):
                    yield _made(count, answer)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Put the question, with the terms in an order of the text's own."""
        count = made.facts
        names = _NAMES[wording][: len(count.coefficients)]
        coefficients = draws.shuffled(count.coefficients)
        alone = len(names) == 1
        text = (_ALONE if alone else _COPRIME if count.coprime else _PLAIN)[wording]
        return text.format(
            tuples=_TUPLES[len(names)],
            names=names if alone else f"({', '.join(names)})",
            sum=_sum(coefficients, names, count.base),
            bound=f"{count.base}^{count.size}",
            modulus=f"{count.base}^{count.power}",
        )

    def steps(self, made: Made) -> str:
        """Add the spreads of residues term by term, or the tuples by common divisors."""
        count = made.facts
        exponent, bound, modulus = count.bounds
        coefficients = count.coefficients
        if count.coprime:
            signed = coprime_vanishing(coefficients, exponent, bound, modulus)
            lines = [f"common divisor {divisor}: {many}" for divisor, many in signed]
        else:
            lines = []
            for place, coefficient in enumerate(coefficients):
                own = spread_of(coefficient, exponent, bound, modulus)
                lines.append(f"coefficient {coefficient}: {spread_text(own)}")
                if 0 < place < len(coefficients) - 1:
                    first = joint_spread(coefficients[: place + 1], exponent, bound, modulus)
                    lines.append(f"sum of {place + 1}: {spread_text(first)}")
        number = _number(count)
        return "\n".join([*lines, f"N = {number}", f"remainder: {made.answer}"])


def _questions(part: Choice) -> Iterator[Count]:
    """Yield the questions of one part of a level, up to the order of unknowns."""
    values = [c for c in range(-part.most, part.most + 1) if c or part.coprime]
    if part.terms == 1:
        values = [1]
    for base in part.bases:
        for size in part.sizes:
            for power in part.powers:
                for coefficients in combinations_with_replacement(values, part.terms):
                    if any(coefficients):
                        yield Count(base, size, power, coefficients, part.coprime)


def _number(count: Count) -> int:
    exponent, bound, modulus = count.bounds
    if count.coprime:
        signed = coprime_vanishing(count.coefficients, exponent, bound, modulus)
        return sum(many for _, many in signed)
    return vanishing(count.coefficients, exponent, bound, modulus)


def _made(count: Count, answer: int) -> Made:
    terms: Tree = (f"terms{len(count.coefficients)}", *count.coefficients)
    name = NumbertheoryOrderedLte.subtypes[count.coprime]
    axes = {"power_base": count.base, "n_unknowns": len(count.coefficients)}
    tree = (name, count.base, count.size, count.power, terms)
    return Made(tree, str(answer), count, subtype=int(count.coprime), axes=axes)


def _sum(coefficients: Sequence[int], names: str, exponent: int) -> str:
    """Write the sum; a term with coefficient zero is left out."""
    text = ""
    for coefficient, name in zip(coefficients, names, strict=True):
        if not coefficient:
            continue
        sign = "-" if coefficient < 0 else "+"
        size = "" if abs(coefficient) == 1 else f"{abs(coefficient)}*"
        sign = f" {sign} " if text else sign.removeprefix("+")
        text += f"{sign}{size}{name}^{exponent}"
    return text


GENERATOR = NumbertheoryOrderedLte
