"""OMEGA composition: the probability that two curves with random coefficients meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.algebra._polynomials import polynomial_text
from synthgen.generators.omega.composition._questions import (
    N_WORDINGS,
    ask,
    parts_sum,
    sum_steps,
)

_LEVELS = ((2, 2, 3, 4), (2, 3, 4, 5), (3, 3, 4, 6), (3, 4, 4, 8), (4, 4, 5, 9))
"""Random coefficients, from and to, largest set, and largest coefficient of each level."""
_KINDS = ("line_parabola", "parabolas", "circle_line", "abs_line")
_N_SLOTS = {"line_parabola": 5, "parabolas": 6, "circle_line": 3, "abs_line": 5}
_NOT_ZERO = {"line_parabola": (0,), "parabolas": (0, 3), "circle_line": (), "abs_line": (0,)}
_LARGEST_SET, _TRIES = 5, 60
_LETTERS = "abcdfghmnpqst"
_TEXTS = {
    "meet": (
        "The letters in the equations <first> and <second>, other than x and y, are independent"
        " random numbers: <sets>, each element of a set being equally likely. What is the"
        " probability that the two curves with these equations in the x-y-plane have at least one"
        " point in common? <ending>",
        "Two curves in the plane have the equations <first> and <second>, where <sets>, uniformly"
        " and independently of each other. Find the probability that the curves meet. <ending>",
        "Numbers are chosen at random and independently, every number of a set with the same"
        " probability: <sets>. How likely is it that there are real numbers x and y with which"
        " both <first> and <second> hold? <ending>",
        "For coefficients that are picked independently and uniformly (<sets>), consider the"
        " curves <first> and <second>. Determine the probability that they intersect or touch in"
        " at least one real point. <ending>",
    ),
}

Slot = int | tuple[int, ...]
"""A coefficient, or the set that it is drawn from."""


@dataclass(frozen=True)
class CompParametricIntersection(PlainFamily):
    """A parabola, circle or graph of an absolute value and a line, or two parabolas.

    Attributes:
        levels: of difficulty, 1 to 5, drawn with equal probability; none stand for all. 2, 2-3, 3,
            3-4 or 4 coefficients are random, out of up to 3, 4, 4, 4 or 5 values.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "comp_parametric_intersection"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = N_WORDINGS
    subtypes: ClassVar[tuple[str, ...]] = _KINDS
    symbols: ClassVar[Mapping[str, int]] = {f"meet_{k}": n for k, n in _N_SLOTS.items()} | {
        f"set{n}": n for n in range(2, _LARGEST_SET + 1)
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How many coefficients are random, and how many values they have together."""
        return {
            "n_random": Axis("coefficients that are random", low=2, high=4),
            "n_outcomes": Axis("values of all of them together", low=4, high=_LARGEST_SET**4),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw coefficients and sets until meeting is neither sure nor impossible."""
        fewest, most, largest_set, largest = _LEVELS[level - 1]
        kind = draws.integer(0, len(_KINDS))
        name = _KINDS[kind]
        for _ in range(_TRIES):
            n_random = min(draws.integer(fewest, most + 1), _N_SLOTS[name])
            random = draws.shuffled(range(_N_SLOTS[name]))[:n_random]
            slots = [
                _slot(name, place, draws, largest, largest_set if place in random else 1)
                for place in range(_N_SLOTS[name])
            ]
            if name == "parabolas":
                slots = [part for half in sorted((slots[:3], slots[3:]), key=str) for part in half]
            good, total = _tally(name, slots)
            if 0 < good < total:
                arguments: list[Tree] = [
                    s if isinstance(s, int) else (f"set{len(s)}", *s) for s in slots
                ]
                axes = {"n_random": n_random, "n_outcomes": total}
                answer = parts_sum(Fraction(good, total))
                facts = (slots, good, total)
                return Made((f"meet_{name}", *arguments), answer, facts, kind, axes)
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write both equations with letters for the random coefficients."""
        slots = made.facts[0]
        letters = draws.shuffled(_LETTERS)
        names: dict[int, str] = {}
        drawn: list[str] = []
        for place, slot in enumerate(slots):
            if not isinstance(slot, int):
                names[place] = letters[len(names)]
                inside = ", ".join(map(str, draws.shuffled(slot)))
                verb = "" if drawn else "is drawn "
                drawn.append(f"{names[place]} {verb}from {{{inside}}}")
        equations = _equations(self.subtypes[made.subtype], slots, names)
        first, second = equations if draws.integer(0, 2) else equations[::-1]
        sets = f"{', '.join(drawn[:-1])} and {drawn[-1]}"
        return ask(_TEXTS, "meet", wording, first=first, second=second, sets=sets)

    def steps(self, made: Made) -> str:
        """Tell how many choices let the curves meet."""
        slots, good, total = made.facts
        sizes = " * ".join(str(len(slot)) for slot in slots if not isinstance(slot, int))
        return f"choices: {sizes} = {total}\nmeet: {good}\n{sum_steps(Fraction(good, total))}"


def _slot(name: str, place: int, draws: RowDraws, largest: int, largest_set: int) -> Slot:
    """Draw a coefficient or a set of several."""
    low = -largest
    if name == "circle_line" and place == 0:
        low, largest = 1, 3 * largest
    values = [v for v in range(low, largest + 1) if v or place not in _NOT_ZERO[name]]
    if largest_set == 1:
        return draws.choice(values)
    return tuple(sorted(draws.shuffled(values)[: draws.integer(2, largest_set + 1)]))


def _tally(name: str, slots: Sequence[Slot]) -> tuple[int, int]:
    """Return how many choices let the curves meet, and how many there are."""
    ranges = [(slot,) if isinstance(slot, int) else slot for slot in slots]
    meets = _MEETS[name]
    return sum(meets(*values) for values in product(*ranges)), prod(map(len, ranges))


def _parabolas(a: int, b: int, c: int, d: int, e: int, f: int) -> bool:
    a, b, c = a - d, b - e, c - f
    return b * b >= 4 * a * c if a else (b != 0 or c == 0)


def _line_parabola(a: int, b: int, c: int, d: int, e: int) -> bool:
    return _parabolas(a, b, c, 0, d, e)


def _circle_line(r: int, m: int, c: int) -> bool:
    """Say whether x^2 + (m x + c)^2 = r has a solution."""
    return m * m * c * c >= (1 + m * m) * (c * c - r)


def _abs_line(a: int, h: int, k: int, m: int, c: int) -> bool:
    """Say whether one of the two rays from the corner (h, k) meets the line."""
    above = m * h + c - k
    return above == 0 or above * (a - m) > 0 or above * (a + m) > 0


_MEETS: Mapping[str, Callable[..., bool]] = {
    "line_parabola": _line_parabola,
    "parabolas": _parabolas,
    "circle_line": _circle_line,
    "abs_line": _abs_line,
}


def _equations(name: str, slots: Sequence[Slot], names: Mapping[int, str]) -> tuple[str, str]:
    """Write the two equations."""
    if name == "parabolas":
        return _graph(slots, names, 0, 3), _graph(slots, names, 3, 6)
    if name == "line_parabola":
        return _graph(slots, names, 0, 3), _graph(slots, names, 3, 5)
    if name == "circle_line":
        return f"x^2 + y^2 = {names.get(0, slots[0])}", _graph(slots, names, 1, 3)
    corner = _graph([1, _negative(slots[1])], {1: names[1]} if 1 in names else {}, 0, 2)
    inside = corner.removeprefix("y = ")
    if 1 in names:
        inside = f"x - {names[1]}"
    outside = _graph(
        [slots[0], slots[2]], {i: names[j] for i, j in ((0, 0), (1, 2)) if j in names}, 0, 2
    )
    text = outside.removeprefix("y = ")
    return f"y = {_with_bars(text, inside)}", _graph(slots, names, 3, 5)


def _negative(slot: Slot) -> Slot:
    return -slot if isinstance(slot, int) else slot


def _with_bars(text: str, inside: str) -> str:
    """Put an expression between bars in the place of x."""
    return text.replace("x", f"|{inside}|", 1)


def _graph(slots: Sequence[Slot], names: Mapping[int, str], start: int, stop: int) -> str:
    """Write y = p(x) with the coefficients of these slots, the highest power first."""
    values = [slots[place] if isinstance(slots[place], int) else 1 for place in range(start, stop)]
    letters = {stop - 1 - place: name for place, name in names.items() if start <= place < stop}
    coefficients = [value for value in reversed(values) if isinstance(value, int)]
    return f"y = {polynomial_text(coefficients, 'x', letters=letters)}"


GENERATOR = CompParametricIntersection
