"""Nested tents and waves, from the text: corners one after another, and compositions of graphs."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._sums import read_sum
from synthgen.verifiers.omega.composition._questions import NATURAL, Questions

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
_COUNT = "[1-9][0-9]{0,2}"
_WAVE = rf"\|+{_COUNT}\*sin\((?:[1-9][0-9]?\*)?pi\*x\)\|(?: - {_COUNT}\|)*"
_QUESTIONS = Questions(
    _TEXTS,
    s=_COUNT,
    k="[1-9]",
    l="[1-9]",
    left=r"(?:(?:[2-9]|[1-9][0-9]{1,2})\*)?y",
    line="[^.?=]{1,40}?",
    wave=_WAVE,
    e=_COUNT,
    c=NATURAL,
)
_SINE = re.compile(rf"(\|+)({_COUNT})\*sin\((?:([1-9][0-9]?)\*)?pi\*x\)\|((?: - {_COUNT}\|)*)")
_MOST_TENTS, _MOST_BOTH, _MOST_BARS = 9, 14, 20

Problem = tuple[str, tuple[int, ...], tuple[int, ...]]
"""Kind, numbers and bars: side, times, divisor, slope, height; side and times of both;
amplitude, frequency, end and value, with what each pair of bars subtracts."""
Point = tuple[Fraction, Fraction]
Points = tuple[Point, ...]


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    kind, holes = found
    if kind == "wave":
        match = _SINE.fullmatch(holes["wave"])
        if match is None:
            return None
        folds = tuple(map(int, re.findall("[0-9]+", match[4])))
        if len(match[1]) != len(folds) + 1 or len(folds) > _MOST_BARS:
            return None
        return kind, (int(match[2]), int(match[3] or 1), int(holes["e"]), int(holes["c"])), folds
    s, k = int(holes["s"]), int(holes["k"])
    if kind == "mutual":
        times = int(holes["l"])
        return (kind, (s, k, times), ()) if k + times <= _MOST_BOTH else None
    line = _line(holes["line"])
    if line is None or k > _MOST_TENTS:
        return None
    return kind, (s, k, int(holes["left"].removesuffix("y").removesuffix("*") or 1), *line), ()


def _line(text: str) -> tuple[int, int] | None:
    """Return slope and height."""
    terms = read_sum(text)
    values = [0, 0]
    for top, bottom, letters in terms or ():
        if bottom != 1 or letters not in ((), (("x", 1),)) or abs(top) > 10_000:
            return None
        values[len(letters)] += top
    return (values[1], values[0]) if terms else None


@lru_cache(1 << 8)
def _corners(s: int, k: int) -> tuple[Fraction, ...]:
    """Return where the k-th iterate has value zero or s, by halving backwards."""
    places = [Fraction(0), Fraction(s)]
    for _ in range(k):
        places = sorted({half for x in places for half in (x / 2, s - x / 2)})
    return tuple(places)


def _tent(x: Fraction, s: int, k: int) -> Fraction:
    for _ in range(k):
        x = s - abs(s - 2 * x)
    return x


def _solve(problem: Problem) -> str | None:
    """Look at the values at the corners; between them a curve is straight or monotone."""
    kind, numbers, folds = problem
    if kind == "line":
        s, k, d, slope, height = numbers
        above = [d * _tent(x, s, k) - slope * x - height for x in _corners(s, k)]
        return _zeros(above)
    if kind == "mutual":
        s, k, times = numbers
        return str((len(_corners(s, k)) - 1) * (len(_corners(s, times)) - 1))
    amplitude, frequency, end, c = numbers
    if frequency * end % 2:
        return None
    count = sum(
        2 - (abs(v) == amplitude)
        for v in range(-amplitude, amplitude + 1)
        if _folded(v, folds) == c
    )
    return str(count * frequency * end // 2)


def _folded(value: int, folds: tuple[int, ...]) -> int:
    value = abs(value)
    for fold in folds:
        value = abs(value - fold)
    return value


def _zeros(values: list[Fraction]) -> str | None:
    """Count the zeros of a graph through these heights; None if it has a whole piece of them."""
    if any(p == q == 0 for p, q in pairwise(values)):
        return None
    between = sum((p > 0) != (q > 0) for p, q in pairwise(values) if p and q)
    return str(between + sum(value == 0 for value in values))


def _exact(problem: Problem) -> str | None:
    """Compose the graphs point by point, fold after fold."""
    kind, numbers, folds = problem
    if kind == "line":
        s, k, d, slope, height = numbers
        return _zeros([d * y - slope * x - height for x, y in _iterated(s, k)])
    if kind == "mutual":
        return _crossed(*numbers)
    amplitude, frequency, end, c = numbers
    if frequency * end % 2:
        return None
    # the sine rises and falls through all values; follow v from -amplitude to amplitude
    points = [(Fraction(-amplitude), Fraction(-amplitude)), (Fraction(amplitude),) * 2]
    for fold in (0, *folds):
        points = _bent(points, Fraction(fold))
    inside = _zeros([y - c for _, y in points])
    if inside is None:
        return None
    ends = sum(y == c for x, y in points if abs(x) == amplitude)
    return str((2 * int(inside) - ends) * frequency * end // 2)


def _bent(
    points: list[tuple[Fraction, Fraction]], fold: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """Return the graph of |y - fold|, with a corner wherever y crosses the fold."""
    result = [points[0]]
    for (x1, y1), (x2, y2) in pairwise(points):
        if (y1 - fold) * (y2 - fold) < 0:
            result.append((x1 + (x2 - x1) * (fold - y1) / (y2 - y1), fold))
        result.append((x2, y2))
    return [(x, abs(y - fold)) for x, y in result]


@lru_cache(1 << 8)
def _iterated(s: int, k: int) -> Points:
    """Return the corners of the k-th iterate as a graph, made by bending the one before."""
    points = [(Fraction(0), Fraction(0)), (Fraction(s), Fraction(s))]
    for _ in range(k):
        points = [(x, s - 2 * y) for x, y in _bent(points, Fraction(s, 2))]
    return tuple(points)


def _crossed(s: int, k: int, times: int) -> str | None:
    """Cut every piece of y = f(x) with every piece of x = g(y); count different points."""
    found = set[tuple[Fraction, Fraction]]()
    if k + times > _MOST_BOTH - 2:
        return str(2 ** (k + times))
    for (x1, y1), (x2, y2) in pairwise(_iterated(s, k)):
        slope = (y2 - y1) / (x2 - x1)
        for (v1, u1), (v2, u2) in pairwise(_iterated(s, times)):
            other = (u2 - u1) / (v2 - v1)
            # x = u1 + other (y - v1), y = y1 + slope (x - x1); slopes multiply to more than one
            if slope * other == 1:
                return None
            x = (u1 + other * (y1 - slope * x1 - v1)) / (1 - slope * other)
            y = y1 + slope * (x - x1)
            if x1 <= x <= x2 and v1 <= y <= v2:
                found.add((x, y))
    return str(len(found))


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
