"""OMEGA transformation: intersections of nested tents and waves, counted by monotone pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.algebra._polynomials import polynomial_text
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_LEVELS = (
    ((2, 3), (1, 2), (1, 3), 3),
    ((3, 4), (2, 3), (1, 4), 4),
    ((4, 5), (2, 4), (2, 5), 5),
    ((5, 6), (3, 5), (2, 6), 6),
    ((6, 8), (4, 6), (3, 8), 8),
)
"""Folds of a tent against a line, folds of two tents, folds of a wave, largest number, by level."""
_MOST_FOLDS, _TRIES = 16, 60
_TENT = (
    "For a real number x from zero to <s>, let t(x) = <s> - |<s> - 2*x|. The function f is t"
    " applied <k> times in a row.",
    "The map t takes each x in the interval from zero to <s> to <s> - |<s> - 2*x|, and f is its"
    " iterate in which t is carried out <k> times.",
    "Let t(x) = <s> - |<s> - 2*x| for x between zero and <s> (both included), and let f be the"
    " composition of <k> copies of t.",
    "On the interval from zero to <s>, ends included, define t(x) = <s> - |<s> - 2*x|, and let"
    " f(x) be the result of applying t to x and then again and again, <k> times in all.",
)
_ASKED = {
    "line": (
        "How many points does the graph of f have in common with the line <left> = <line>? Give an"
        " integer.",
        "Find the number of points at which the line <left> = <line> meets the graph of f. Answer"
        " with an integer.",
        "For how many x in this interval does y = f(x) satisfy <left> = <line>? The answer is an"
        " integer.",
        "Count the intersections of the curve y = f(x) with the line <left> = <line>. Give an"
        " integer.",
    ),
    "mutual": (
        "In the same way, g is t applied <l> times in a row. How many points do the curves y ="
        " f(x) and x = g(y) have in common? Give an integer.",
        "With g as the iterate in which t is carried out <l> times, find the number of points (x,"
        " y) with y = f(x) and x = g(y). Answer with an integer.",
        "Let g be the composition of <l> copies of t. For how many pairs (x, y) of numbers in this"
        " interval are y = f(x) and x = g(y)? The answer is an integer.",
        "Let g(x) be the result of applying t to x <l> times in all. Count the intersections of"
        " the curves y = f(x) and x = g(y). Give an integer.",
    ),
    "wave": (
        "How many numbers x with x at least zero and less than <e> satisfy <wave> = <c>? Give an"
        " integer.",
        "Find the number of points that the curve y = <wave> has in common with the line y = <c>,"
        " where x runs from zero (included) to <e> (not included). Answer with an integer.",
        "On the interval of all x that are not negative and below <e>, count the intersections of"
        " the graph of <wave> with the horizontal line at height <c>. The answer is an integer.",
        "Let h(x) = <wave>. For how many x in the half-open interval from zero to <e>, without <e>"
        " itself, is h(x) equal to <c>? Give an integer.",
    ),
}
_TEXTS = {
    kind: tuple(
        f"{tent} {question}" if kind != "wave" else question
        for tent, question in zip(_TENT, questions, strict=True)
    )
    for kind, questions in _ASKED.items()
}


@dataclass(frozen=True)
class TransFuncIntersection(PlainFamily):
    """Curves that go up and down so often that only their monotone pieces can be counted.

    Attributes:
        levels: of difficulty, 1 to 5, drawn with equal probability; none stand for all. A tent is
            applied 2-3, 3-4, 4-5, 5-6 or 6-8 times against a line; waves have up to as many
            bars around each other as their level has (3 to 8).
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "trans_func_intersection"
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = N_WORDINGS
    subtypes: ClassVar[tuple[str, ...]] = tuple(_ASKED)
    symbols: ClassVar[Mapping[str, int]] = {
        "tent_line": 5,
        "tent_mutual": 3,
        "tent_wave": 5,
    } | {f"folds{n}": n for n in range(1, _MOST_FOLDS + 1)}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How often the plane is folded."""
        return {"n_folds": Axis("tents or bars around each other", low=1, high=_MOST_FOLDS)}

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw one of the three kinds, with at least two points in common."""
        kind = (0, 0, 1, 2, 2, 2, 2)[draws.integer(0, 7)]
        for _ in range(_TRIES):
            made = (_line, _mutual, _wave)[kind](level, draws)
            if int(made.answer) > 1:
                return made
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Define the curves, and ask."""
        del draws
        return ask(_TEXTS, self.subtypes[made.subtype], wording, **made.facts)


def _line(level: int, draws: RowDraws) -> Made:
    """Cut k tents with a line through their square, going over all 2^k straight pieces."""
    (fewest, most), _, _, largest = _LEVELS[level - 1]
    k, s = draws.integer(fewest, most + 1), draws.integer(1, largest + 1)
    d = draws.integer(1, largest + 1)
    slope = draws.integer(-largest, largest + 1)
    height = draws.integer(-largest, s * d + largest + 1)
    points = set[Fraction]()
    pieces = 2**k
    for piece in range(pieces):
        low, high = Fraction(piece * s, pieces), Fraction((piece + 1) * s, pieces)
        rise = pieces if piece % 2 == 0 else -pieces
        start = 0 if piece % 2 == 0 else s
        # d (start + rise (x - low)) = slope x + height
        if d * rise != slope:
            x = (height - d * start + d * rise * low) / (d * rise - slope)
            if low <= x <= high:
                points.add(x)
    tree = ("tent_line", s, k, d, slope, height)
    line = polynomial_text([height, slope], "x")
    facts = {"s": s, "k": k, "left": "y" if d == 1 else f"{d}*y", "line": line}
    return Made(tree, str(len(points)), facts, 0, {"n_folds": k})


def _mutual(level: int, draws: RowDraws) -> Made:
    """Cross two tents: each piece of one goes through each piece of the other once."""
    _, (fewest, most), _, largest = _LEVELS[level - 1]
    s = draws.integer(1, 10 * largest + 1)
    k, times = draws.integer(fewest, most + 1), draws.integer(fewest, most + 1)
    tree = ("tent_mutual", s, min(k, times), max(k, times))
    facts = {"s": s, "k": k, "l": times}
    return Made(tree, str(2 ** (k + times)), facts, 1, {"n_folds": k + times})


def _wave(level: int, draws: RowDraws) -> Made:
    """Unfold the bars around a sine: values of the sine, and how often it takes each."""
    _, _, (fewest, most), largest = _LEVELS[level - 1]
    n = draws.integer(fewest, most + 1)
    folds = [draws.integer(1, largest + 1) for _ in range(n)]
    amplitude = draws.integer(2, 2 * sum(folds) // 2 + 3)
    c = draws.integer(0, largest)
    frequency = draws.integer(1, largest + 1)
    end = draws.integer(1, largest + 1) * (1 if frequency % 2 == 0 else 2)
    values = {c, -c}
    for fold in reversed(folds):
        values = {sign * (fold + v) for v in values if fold + v >= 0 for sign in (1, -1)}
    per_period = sum(2 if abs(v) < amplitude else 1 for v in values if abs(v) <= amplitude)
    count = per_period * frequency * end // 2
    wave = f"|{amplitude}*sin({'' if frequency == 1 else f'{frequency}*'}pi*x)|"
    for fold in folds:
        wave = f"|{wave} - {fold}|"
    tree: Tree = ("tent_wave", amplitude, frequency, end, c, (f"folds{n}", *folds))
    return Made(tree, str(count), {"wave": wave, "c": c, "e": end}, 2, {"n_folds": n})


GENERATOR = TransFuncIntersection
