"""Curves, iterated tents and waves, and integrals from the text.

Curves meet by distances and extreme points, tents by their values at all corners, waves by trying
every height of the sine; integrals are added up by Gauss's rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import floor, log, pi, prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import PlainVerifier, Words, WorkedVerifier, exactly, holes, reads

_WORDS = Words.beside(__file__)
Floats = NDArray[np.float64]


def _alike(name: str) -> Words:
    return Words({"prompts": {"instruction": _WORDS[name]["wordings"]}})


# The probability that two curves meet

_SMALL = r"-?(?:0|[1-9][0-9]{0,2})"
_TERM = re.compile(r"(-?)(?:([1-9][0-9]{0,2}|[a-w])(?:\*(x(?:\^2)?))?|(x(?:\^2)?))", re.ASCII)
_BARS = re.compile(r"\|([^|]{1,20})\|", re.ASCII)
_SET = rf"\{{({_SMALL}(?:, {_SMALL}){{1,9}})\}}"
_DRAWN = re.compile(rf"([a-w])(?: is drawn)? from {_SET}", re.ASCII)
_MAX_OUTCOMES, _MAX_GROUPS = 5_000, 30
_CRITERIA = _WORDS["parametric"]["criteria"]

Coefficient = tuple[int, str]
"""A number, or a sign and the name of a letter."""
Curve = tuple[str, tuple[Coefficient, ...]]
"""Kind (circle, graph, abs) and coefficients: r; of x^2, x, 1; factor, corner and height."""
Curves = tuple[Curve, Curve, tuple[tuple[str, tuple[int, ...]], ...]]


def _polynomial(text: str, degree: int) -> tuple[Coefficient, ...] | None:
    """Return the coefficients of a polynomial in x from the highest power down."""
    coefficients: dict[int, Coefficient] = {}
    for term in () if text == "0" else text.replace(" - ", " + -").split(" + "):
        match = _TERM.fullmatch(term)
        if match is None:
            return None
        sign, factor, first, second = match.groups("")
        power = {"": 0, "x": 1, "x^2": 2}[first or second]
        if power > degree or power in coefficients:
            return None
        number = int(factor) if factor.isdigit() else 1
        coefficients[power] = (-number if sign else number, factor if factor.isalpha() else "")
    return tuple(coefficients.get(power, (0, "")) for power in range(degree, -1, -1))


def _curve(text: str) -> Curve | None:
    left, _, right = text.partition(" = ")
    if left == "x^2 + y^2":
        coefficients = _polynomial(right, 0)
        return ("circle", coefficients) if coefficients else None
    bars = _BARS.findall(right)
    if not bars:
        coefficients = _polynomial(right, 2)
        return ("graph", coefficients) if coefficients else None
    corner, around = _polynomial(bars[0], 1), _polynomial(_BARS.sub("x", right), 1)
    if len(bars) != 1 or corner is None or around is None or corner[0] != (1, ""):
        return None
    value, name = corner[1]
    return "abs", (around[0], (-value, name), around[1])


_EQUATION = holes.pattern(r"(?:y|x\^2 \+ y\^2) = [-+*^| a-z0-9]{1,60}", _curve)


@reads(
    _alike("parametric"),
    first=_EQUATION,
    second=_EQUATION,
    sets=holes.pattern(
        rf"[a-w] is drawn from {_SET}(?:, [a-w] from {_SET})* and [a-w] from {_SET}".replace(
            "({", "(?:{"
        ),
        lambda text: tuple(
            (name, tuple(map(int, inside.split(", ")))) for name, inside in _DRAWN.findall(text)
        ),
    ),
)
def _read_curves(
    first: Curve, second: Curve, sets: tuple[tuple[str, tuple[int, ...]], ...]
) -> Curves | None:
    if "graph" not in (first[0], second[0]):
        return None
    first, second = sorted((first, second), key=lambda curve: curve[0] == "graph")
    used = sorted(name for _, values in (first, second) for _, name in values if name)
    if used != sorted(name for name, _ in sets) or len(set(used)) != len(used):
        return None
    if any(len(set(values)) != len(values) for _, values in sets):
        return None
    return (first, second, sets) if prod(len(v) for _, v in sets) <= _MAX_OUTCOMES else None


@lru_cache(1 << 12)
def _tally(problem: Curves) -> tuple[int, int]:
    """Return the number of choices with which the curves meet, and of all choices."""
    first, second, sets = problem
    good = total = 0
    for values in product(*(values for _, values in sets)):
        known = dict(zip((name for name, _ in sets), values, strict=True))
        good += _meet(first[0], _numbers(first, known), _numbers(second, known))
        total += 1
    return good, total


def _numbers(curve: Curve, known: Mapping[str, int]) -> list[int]:
    return [value * known.get(name, 1) for value, name in curve[1]]


def _meet(kind: str, curve: list[int], graph: list[int]) -> bool:
    """Check the extreme point of a difference, a distance, or a root on a ray."""
    if kind == "circle":
        a, m, c = graph
        return a == 0 and Fraction(c * c, 1 + m * m) <= curve[0]  # square of the distance
    if kind == "abs":
        factor, corner, height = curve
        a, m, c = graph
        level = m * corner + c - height  # height of the line over the corner
        rays = [Fraction(level, slope) for slope in (factor - m, factor + m) if slope]
        return a == 0 and (level == 0 or any(along >= 0 for along in rays))
    a, b, c = (p - q for p, q in zip(curve, graph, strict=True))
    if a == 0:
        return b != 0 or c == 0
    extreme = c - Fraction(b * b, 4 * a)
    return extreme == 0 or (extreme < 0) == (a > 0)


def _chance(problem: Curves) -> str | None:
    good, total = _tally(problem)
    return str(sum(Fraction(good, total).as_integer_ratio())) if 0 < good < total else None


def _curve_lines(problem: Curves) -> Iterator[str]:
    """Count again for each choice of the first letters, up to 30 choices of them."""
    first, second, sets = problem
    good, total = _tally(problem)
    top, bottom = Fraction(good, total).as_integer_ratio()
    fixed = len(sets) - 1
    while prod(len(values) for _, values in sets[:fixed]) > _MAX_GROUPS:
        fixed -= 1
    yield _CRITERIA[_kind(first, second)]
    for head in product(*(sorted(values) for _, values in sets[:fixed])):
        named = [(name, value) for (name, _), value in zip(sets, head, strict=False)]
        one = [(name, (value,)) for name, value in named]
        meet, of = _tally((first, second, (*one, *sets[fixed:])))
        start = ", ".join(f"{name} = {value}" for name, value in named)
        yield f"{start}: {meet} of {of}"
    sizes = " * ".join(str(len(values)) for _, values in sets)
    yield f"choices: {sizes} = {total}, with which the curves meet: {good}"
    yield f"{good}/{total} = {top}/{bottom}: {top} + {bottom} = {top + bottom}"


def _kind(first: Curve, second: Curve) -> str:
    """Return the name of a pair of curves, of which the second one is a graph."""
    if first[0] != "graph":
        return f"{first[0]}_line"
    straight = (0, "") in (first[1][0], second[1][0])
    return "line_parabola" if straight else "parabolas"


# Iterated tents and waves

_COUNT = "[1-9][0-9]{0,2}"
_BAR = re.compile(
    rf"(\|+)({_COUNT})\*sin\((?:([1-9][0-9]?)\*)?pi\*x\)\|((?: - {_COUNT}\|)*)", re.ASCII
)
_MAX_TENTS, _MAX_BOTH, _MAX_BARS = 9, 14, 20
Wave = tuple[int, int, tuple[int, ...]]
"""Amplitude, frequency, and what each pair of bars subtracts."""
Folds = tuple[str, tuple[int, ...], Wave]
"""Kind and numbers: side, times, divisor, slope and height; side and both times; end and value."""
_NO_WAVE: Wave = (0, 0, ())


def _wave(text: str) -> Wave | None:
    match = _BAR.fullmatch(text)
    folds = tuple(map(int, re.findall("[0-9]+", match[4]))) if match else ()
    if match is None or len(match[1]) != len(folds) + 1 or len(folds) > _MAX_BARS:
        return None
    return int(match[2]), int(match[3] or 1), folds


def _applications(text: str) -> int:
    return {"once": 1, "twice": 2}.get(text) or int(text.removesuffix(" times"))


def _line(text: str) -> tuple[int, int] | None:
    """Return slope and height."""
    coefficients = _polynomial(text, 1)
    if coefficients is None or any(name for _, name in coefficients):
        return None
    return coefficients[0][0], coefficients[1][0]


_TIMES = holes.pattern("(?:once|twice|[3-9] times)", _applications)
_INTEGER = holes.pattern(_COUNT, int)


@reads(
    _WORDS.part("folds"),
    s=_INTEGER,
    k=_TIMES,
    l=_TIMES,
    left=holes.pattern(
        r"(?:(?:[2-9]|[1-9][0-9]{1,2})\*)?y", lambda text: int(text.rstrip("*y") or 1)
    ),
    line=holes.pattern(r"[-+*x 0-9]{1,30}", _line),
    wave=holes.pattern(r"\|+[1-9][-*()|a-z0-9 ]{5,120}\|", _wave),
    e=_INTEGER,
    c=holes.pattern("(?:0|[1-9][0-9]{0,2})", int),
)
def _read_folds(
    kind: str,
    *,
    line: tuple[int, int] = (0, 0),
    wave: Wave = _NO_WAVE,
    **numbers: int,
) -> Folds | None:
    if kind == "wave":
        whole = wave[1] * numbers["e"] % 2 == 0  # an integer number of periods
        return (kind, (numbers["e"], numbers["c"]), wave) if whole else None
    s, k = numbers["s"], numbers["k"]
    if kind == "mutual":
        fits = k + numbers["l"] <= _MAX_BOTH
        return (kind, (s, k, numbers["l"]), _NO_WAVE) if fits else None
    return (kind, (s, k, numbers["left"], *line), _NO_WAVE) if k <= _MAX_TENTS else None


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


def _work_folds(problem: Folds) -> tuple[str | None, list[str]]:
    """Count by the values at the corners, between which a curve is straight or monotone."""
    kind, numbers, wave = problem
    if kind == "line":
        return _work_line(*numbers)
    if kind == "wave":
        return _work_wave(numbers, wave)
    s, k, times = numbers
    f, g = (len(_corners(s, number)) - 1 for number in (k, times))
    return str(f * g), [
        f"f has 2^{k} = {f} pieces from 0 to {s} or back, g has 2^{times} = {g}",
        f"each piece of f meets each piece of g once: {f} * {g} = {f * g}",
    ]


def _work_line(s: int, k: int, d: int, slope: int, height: int) -> tuple[str | None, list[str]]:
    """Count changes of sign between corners, from zero to the top or back, and zeros at them."""
    corners = _corners(s, k)
    values = [d * _tent(x, s, k) - slope * x - height for x in corners]
    inside = {0: 0, s: 0}
    for x, (p, q) in zip(corners, pairwise(values), strict=False):
        if p == q == 0:
            return None, []  # a whole piece lies on the line
        inside[int(_tent(x, s, k))] += p * q < 0
    at, pieces = values.count(Fraction(0)), len(corners) - 1
    total = inside[0] + inside[s] + at
    return str(total), [
        f"f has {pieces} pieces of width {corners[1]}, from 0 to {s} or from {s} to 0",
        f"points inside rising pieces: {inside[0]}, inside falling pieces: {inside[s]}, "
        f"at ends of pieces: {at}",
        f"{inside[0]} + {inside[s]} + {at} = {total}",
    ]


def _work_wave(numbers: tuple[int, ...], wave: Wave) -> tuple[str, list[str]]:
    """Try every integer inside the bars."""
    (end, c), (amplitude, frequency, folds) = numbers, wave
    farthest = c + sum(folds)
    lines = []
    for number in range(len(folds) + 1):
        outer = folds[len(folds) - number :]
        values = [v for v in range(-farthest, farthest + 1) if _folded(v, outer) == c]
        pairs = "pair" if number == 0 else "pairs"
        lines.append(f"values inside {number + 1} {pairs} of bars: {values}")
    period = sum(2 - (abs(v) == amplitude) for v in values if abs(v) <= amplitude)
    periods = frequency * end // 2
    lines.append(f"x in one period: {period}, periods: {periods}")
    return str(period * periods), [*lines, f"{period} * {periods} = {period * periods}"]


def _folded(value: int, folds: tuple[int, ...]) -> int:
    value = abs(value)
    for fold in folds:
        value = abs(value - fold)
    return value


# Integrals

_N, _K = "([1-9][0-9]?)", r"(?:([1-9][0-9]{0,2})\*)?"
_FORMS = {
    "powers": rf"\(?{_K}sin\(x\)\^{_N}(?: \+ {_K}cos\(x\)\^\2\))?/\(sin\(x\)\^\2 \+ cos\(x\)\^\2\)",
    "odd": rf"{_K}x(?:\^{_N})?\*cos\((?:{_N}\*)?x\)(?: \+ {_K}x\^2)? \+ ([1-9][0-9]?)",
    "mirror": rf"{_K}\(x \+ {_N}\)\^{_N}/\(\(x \+ \2\)\^\3 \+ \((-?[0-9]{{1,2}}) - x\)\^\3\)",
    "exponential": rf"{_K}x\^{_N}/\(1 \+ ([2-9])\^x\)",
    "sine": rf"{_K}x\*sin\(x\)(?:\^{_N})?",
    "cosine": rf"{_K}x\*sin\(x\)(?:\^{_N})?/\(1 \+ cos\(x\)\^2\)",
    "tangent": rf"{_K}ln\(1 \+ tan\(x\)\)",
    "logarithm": rf"{_K}ln\(1 \+ x\)/\(1 \+ x\^2\)",
}
_PATTERNS = {kind: re.compile(form, re.ASCII) for kind, form in _FORMS.items()}
_BOUNDS = {
    "powers": ("0", "pi/2"),
    "sine": ("0", "pi"),
    "cosine": ("0", "pi"),
    "tangent": ("0", "pi/4"),
    "logarithm": ("0", "1"),
}
_NODES, _PIECES = np.polynomial.legendre.leggauss(20), (40, 64)
_HIGHEST, _WIDEST = 12, 40
_SURE, _CLEAR = 1e-7, 1e-4
"""Largest difference of two approximations; distance from a tie in units of the last digit."""
Integral = tuple[str, tuple[int, ...], str, str]
"""Kind, numbers of the integrand in the order of the text, and the bounds."""
_BOUND = holes.pattern(r"(?:-?[0-9]{1,2}|pi/2|pi/4|pi)")


@reads(_alike("integrals"), f=holes.pattern(r"[-+*/^()a-z0-9 ]{3,120}?"), a=_BOUND, b=_BOUND)
def _read_integral(f: str, a: str, b: str) -> Integral | None:
    matches = [(kind, pattern.fullmatch(f)) for kind, pattern in _PATTERNS.items()]
    kind, match = next(((kind, match) for kind, match in matches if match), ("", None))
    if match is None:
        return None
    numbers = [int(value) if value else 1 for value in match.groups()]
    if kind == "powers":
        both = " + " in f.split("/")[0]
        if both != f.startswith("("):
            return None
        numbers[2] *= both
    if kind == "odd" and "x^2 + " not in f:
        numbers[3] = 0
    if _BOUNDS.get(kind, (a, b)) != (a, b) or (kind not in _BOUNDS and "pi" in a + b):
        return None
    return (kind, tuple(numbers), a, b) if _is_fine(kind, numbers, a, b) else None


def _is_fine(kind: str, numbers: list[int], a: str, b: str) -> bool:
    """Return whether an integrand is smooth and not too steep."""
    if kind in _BOUNDS:
        exponent = 0 if kind in ("tangent", "logarithm") else numbers[1]
        return exponent <= _HIGHEST
    low, high = int(a), int(b)
    if not low < high <= low + _WIDEST:
        return False
    if kind == "mirror":
        _, c, n, d = numbers
        return n <= _HIGHEST and low + c > 0 and d - high > 0
    return max(numbers[1:3]) <= 20 and high <= 10 and low >= -10


_INTEGRANDS: Mapping[str, Callable[[Sequence[int], Floats], Floats]] = {
    "powers": lambda v, x: (
        (v[0] * np.sin(x) ** v[1] + v[2] * np.cos(x) ** v[1])
        / (np.sin(x) ** v[1] + np.cos(x) ** v[1])
    ),
    "odd": lambda v, x: v[0] * x ** v[1] * np.cos(v[2] * x) + v[3] * x**2 + v[4],
    "mirror": lambda v, x: v[0] * (x + v[1]) ** v[2] / ((x + v[1]) ** v[2] + (v[3] - x) ** v[2]),
    "exponential": lambda v, x: v[0] * x ** v[1] / (1 + np.exp(x * np.log(v[2]))),
    "sine": lambda v, x: v[0] * x * np.sin(x) ** v[1],
    "cosine": lambda v, x: v[0] * x * np.sin(x) ** v[1] / (1 + np.cos(x) ** 2),
    "tangent": lambda v, x: v[0] * np.log(1 + np.tan(x)),
    "logarithm": lambda v, x: v[0] * np.log(1 + x) / (1 + x**2),
}


def _bound(text: str) -> float:
    top, _, bottom = text.partition("/")
    return (pi if top == "pi" else int(top)) / int(bottom or 1)


def _integral(problem: Integral) -> str | None:
    """Round where both of Gauss's sums agree."""
    first, second = _summed(problem)
    cents = floor(second * 100 + 0.5)
    near = abs(second * 100 - floor(second * 100) - 0.5) < _CLEAR
    if abs(first - second) > _SURE or near or cents < 0:
        return None
    return f"{cents // 100}.{cents % 100:02d}"


def _summed(problem: Integral) -> list[float]:
    """Add Gauss's sums over equal pieces, two times."""
    kind, numbers, *bounds = problem
    low, high = map(_bound, bounds)
    sums = []
    for pieces in _PIECES:
        width = (high - low) / pieces
        starts = low + width * np.arange(pieces)
        x = starts[:, None] + width * (_NODES[0] + 1) / 2
        sums.append(float(np.sum(_INTEGRANDS[kind](numbers, x) * _NODES[1]) * width / 2))
    return sums


def _follows_integral(problem: Integral, answer: str, lines: Sequence[str]) -> bool:
    """Write the sum of f and its mirror image, and compare closed forms with Gauss's sums."""
    kind, v, a, b = problem
    n, factor = v[1] if len(v) > 1 else 0, "" if v[0] == 1 else f"{v[0]}*"
    expected, image, total = [], "-x", f"{factor}x^{n}"
    if kind == "powers":
        image, total = "pi/2 - x", str(v[0] + v[2])
    elif kind == "odd":
        square = f"{2 * v[3]}*x^2 + " if v[3] else ""
        total = f"{square}{2 * v[4]}"
    elif kind == "mirror":
        image, total = f"{int(a) + int(b)} - x", str(v[0])
    elif kind in ("sine", "cosine"):
        image, total = "pi - x", f"{factor}pi*sin(x)" + (f"^{n}" if n > 1 else "")
        total += "/(1 + cos(x)^2)" if kind == "cosine" else ""
    elif kind != "exponential":
        image, total = "pi/4 - x", f"{factor}ln(2)"
        if kind == "logarithm":
            f, b = f"{factor}ln(1 + tan(x))", "pi/4"
            expected = [f"with tan(x) in the place of x: integrate f(x) = {f} from 0 to pi/4"]
    value, k = _summed(problem)[1], len(expected)
    if len(lines) != k + 4:
        return False
    start = f"integral of {total} from {a} to {b}: "
    digits = _HALF.fullmatch(lines[k + 2])
    twice = _closed(lines[k + 1].removeprefix(start))
    half = _closed(digits[1]) if digits else None
    return (
        list(lines[: k + 1]) == [*expected, f"f(x) + f({image}) = {total}"]
        and lines[k + 1].startswith(start)
        and digits is not None
        and half is not None
        and twice == [2 * part for part in half]
        and abs(_size(half) - value) < _SURE * max(1, value)
        and digits[2] == f"{floor(_size(half) * 10_000) / 10_000:.4f}"
        and lines[k + 3] == f"rounded: {answer}"
    )


_UNITS = {"": 1.0, "pi": pi, "pi^2": pi * pi, "pi*ln(2)": pi * log(2)}
_HALF = re.compile(r"half of it: ([-+*/^()a-z0-9 ]{1,60}) = ([0-9]{1,7}\.[0-9]{4})\.\.\.")


def _closed(text: str) -> list[Fraction] | None:
    """Return the coefficients of the units in a closed form; None if it is not one."""
    parts: dict[str, Fraction] = {}
    for term in text.replace(" - ", " + -").split(" + "):
        match = _CLOSED.fullmatch(term)
        unit = match[3] if match else ""
        if match is None or unit in parts or not (match[2] or unit):
            return None
        parts[unit] = Fraction(match[2] or 1) * (-1 if match[1] else 1)
        if f"{abs(parts[unit])}" != (match[2] or "1"):
            return None
    return [parts.get(unit, Fraction(0)) for unit in _UNITS]


def _size(parts: Sequence[Fraction]) -> Fraction | float:
    """Return a closed form's value, exactly if it is rational."""
    return sum(map(mul, parts, _UNITS.values())) if any(parts[1:]) else parts[0]


_CLOSED = re.compile(
    r"(-?)((?:[1-9][0-9]{0,9}(?:/[1-9][0-9]{0,5})?(?:(?=\*)|$))?)\*?((?:pi(?:\^2|\*ln\(2\))?)?)",
    re.ASCII,
)

CURVE_VERIFIERS = {
    "comp_parametric_intersection": PlainVerifier(
        _read_curves, _chance, follows=exactly(_curve_lines)
    ),
    "trans_func_intersection": WorkedVerifier(_read_folds, _work_folds),
    "trans_integrations": PlainVerifier(_read_integral, _integral, "decimal", _follows_integral),
}
