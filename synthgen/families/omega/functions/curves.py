"""Curves with random coefficients, iterated tents and waves, and integrals by symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, prod
from typing import Any

from flint import arb, fmpq

from synthgen.authoring import LevelledFamily, Problem, RowDraws, Tree, Words, axis
from synthgen.families.omega.functions.layers import precision

_WORDS = Words.beside(__file__)
_TRIES = 60
Slot = int | tuple[int, ...]
"""A coefficient, or the set that it is drawn from."""


def _alike(name: str, kinds: Sequence[str]) -> Words:
    """Return words in which all kinds of question have the same wordings."""
    return Words({"prompts": {"instruction": dict.fromkeys(kinds, _WORDS[name]["wordings"])}})


def _polynomial(coefficients: Sequence[int | str]) -> str:
    """Write a polynomial in x; coefficients are numbers or letters, the highest power first."""
    pieces = []
    for power, value in enumerate(reversed(coefficients)):
        factor = ("", "x")[power] if power < 2 else f"x^{power}"
        size, sign = (value, "+") if isinstance(value, str) else (abs(value), "+-"[value < 0])
        if size != 0:
            body = factor if size == 1 and factor else f"{size}*{factor}" if factor else str(size)
            pieces.append(f"{sign} {body}")
    text = " ".join(reversed(pieces)) or "+ 0"
    return f"-{text[2:]}" if text[0] == "-" else text[2:]


# The probability that two curves meet

_CURVE_LEVELS = ((2, 2, 3, 4), (2, 3, 4, 5), (3, 3, 4, 6), (3, 4, 4, 8), (4, 4, 5, 9))
"""Random coefficients, from and to, largest set, and largest coefficient of each level."""
_N_SLOTS = {"line_parabola": 5, "parabolas": 6, "circle_line": 3, "abs_line": 5}
_NOT_ZERO = {"line_parabola": (0,), "parabolas": (0, 3), "circle_line": (), "abs_line": (0,)}
_LARGEST_SET, _MAX_GROUPS = 5, 30
_LETTERS = "abcdfghmnpqst"


@dataclass(frozen=True)
class CompParametricIntersection(LevelledFamily):
    """A parabola, circle or graph of an absolute value and a line, or two parabolas.

    Attributes:
        levels: Difficulty levels, 1 to 5, drawn with equal probability; an empty list means all.
            2, 2-3, 3, 3-4 or 4 coefficients are random, out of up to 3, 4, 4, 4 or 5 values.
    """

    version = 3
    verifier = "comp_parametric_intersection"
    same_up_to = "names of the parameters"
    domain = "omega"
    n_levels = len(_CURVE_LEVELS)
    words = _alike("parametric", tuple(_N_SLOTS))
    symbols = {f"meet_{k}": n for k, n in _N_SLOTS.items()} | {"set": (2, _LARGEST_SET)}
    own_axes = {
        "n_random": axis("coefficients that are random", 2, 4),
        "n_outcomes": axis("values of all of them together", 4, _LARGEST_SET**4),
    }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw coefficients and sets until meeting is neither certain nor impossible."""
        fewest, most, largest_set, largest = _CURVE_LEVELS[level - 1]
        name = draws.choice(tuple(_N_SLOTS))
        for _ in range(_TRIES):
            n_random = min(draws.integer(fewest, most + 1), _N_SLOTS[name])
            random = draws.shuffled(range(_N_SLOTS[name]))[:n_random]
            slots = [
                _slot(name, place, draws, largest, largest_set if place in random else 1)
                for place in range(_N_SLOTS[name])
            ]
            if name == "parabolas":
                slots = [part for half in sorted((slots[:3], slots[3:]), key=str) for part in half]
            ranges = [(slot,) if isinstance(slot, int) else slot for slot in slots]
            good = sum(_MEETS[name](*values) for values in product(*ranges))
            total = prod(map(len, ranges))
            if 0 < good < total:
                letters = draws.shuffled(_LETTERS)[:n_random]
                arguments: list[Tree] = [s if isinstance(s, int) else ("set", *s) for s in slots]
                return Problem(
                    (f"meet_{name}", *arguments),
                    str(sum(Fraction(good, total).as_integer_ratio())),
                    kind=name,
                    axes={"n_random": n_random, "n_outcomes": total},
                    data=(slots, letters, good, total),
                )
        return None

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write both equations with letters for the random coefficients."""
        slots: list[Slot] = problem.data[0]
        letters: list[str] = problem.data[1]
        written: list[int | str] = []
        drawn: list[str] = []
        for slot in slots:
            if isinstance(slot, int):
                written.append(slot)
                continue
            written.append(letters[len(drawn)])
            inside = ", ".join(map(str, draws.shuffled(slot)))
            drawn.append(f"{written[-1]}{'' if drawn else ' is drawn'} from {{{inside}}}")
        equations = _equations(problem.kind, written)
        first, second = equations if draws.integer(0, 2) else equations[::-1]
        sets = f"{', '.join(drawn[:-1])} and {drawn[-1]}"
        return {"first": first, "second": second, "sets": sets}

    def steps_of(self, problem: Problem) -> list[str]:
        """Count the choices with which the curves meet, and reduce the quotient."""
        slots, letters, good, total = problem.data
        sizes = " * ".join(str(len(slot)) for slot in slots if not isinstance(slot, int))
        top, bottom = Fraction(good, total).as_integer_ratio()
        return [
            _WORDS["parametric"]["criteria"][problem.kind],
            *_choice_lines(problem.kind, slots, letters),
            f"choices: {sizes} = {total}, with which the curves meet: {good}",
            f"{good}/{total} = {top}/{bottom}: {top} + {bottom} = {problem.answer}",
        ]


def _choice_lines(kind: str, slots: Sequence[Slot], letters: Sequence[str]) -> Iterator[str]:
    """Write the number of choices with which the curves meet, for the values of the first letters.

    Fix as many letters as 30 lines allow, but never the last one.
    """
    ranges = [(slot,) if isinstance(slot, int) else slot for slot in slots]
    random = [values for values in ranges if len(values) > 1]
    fixed = max(k for k in range(len(random)) if prod(map(len, random[:k])) <= _MAX_GROUPS)
    places = [place for place, values in enumerate(ranges) if len(values) > 1][:fixed]
    for head in product(*random[:fixed]):
        for place, value in zip(places, head, strict=True):
            ranges[place] = (value,)
        meet = [_MEETS[kind](*values) for values in product(*ranges)]
        named = ", ".join(f"{name} = {value}" for name, value in zip(letters, head, strict=False))
        yield f"{named}: {sum(meet)} of {len(meet)}"


def _slot(name: str, place: int, draws: RowDraws, largest: int, largest_set: int) -> Slot:
    """Draw a coefficient or a set of several."""
    low = -largest
    if name == "circle_line" and place == 0:
        low, largest = 1, 3 * largest
    values = [v for v in range(low, largest + 1) if v or place not in _NOT_ZERO[name]]
    if largest_set == 1:
        return draws.choice(values)
    return tuple(sorted(draws.shuffled(values)[: draws.integer(2, largest_set + 1)]))


def _parabolas(a: int, b: int, c: int, d: int, e: int, f: int) -> bool:
    a, b, c = a - d, b - e, c - f
    return b * b >= 4 * a * c if a else (b != 0 or c == 0)


def _line_parabola(a: int, b: int, c: int, d: int, e: int) -> bool:
    return _parabolas(a, b, c, 0, d, e)


def _circle_line(r: int, m: int, c: int) -> bool:
    """Return whether x^2 + (m x + c)^2 = r has a solution."""
    return m * m * c * c >= (1 + m * m) * (c * c - r)


def _abs_line(a: int, h: int, k: int, m: int, c: int) -> bool:
    """Return whether one of the two rays from the corner (h, k) meets the line."""
    above = m * h + c - k
    return above == 0 or above * (a - m) > 0 or above * (a + m) > 0


_MEETS: Mapping[str, Callable[..., bool]] = {
    "line_parabola": _line_parabola,
    "parabolas": _parabolas,
    "circle_line": _circle_line,
    "abs_line": _abs_line,
}


def _equations(name: str, slots: Sequence[int | str]) -> tuple[str, str]:
    """Write the two equations."""
    if name == "circle_line":
        return f"x^2 + y^2 = {slots[0]}", f"y = {_polynomial(slots[1:])}"
    if name != "abs_line":
        return f"y = {_polynomial(slots[:3])}", f"y = {_polynomial(slots[3:])}"
    corner = slots[1]
    inside = f"x - {corner}" if isinstance(corner, str) else _polynomial((1, -corner))
    around = _polynomial((slots[0], slots[2])).replace("x", f"|{inside}|")
    return f"y = {around}", f"y = {_polynomial(slots[3:])}"


# Iterated tents and waves

_FOLD_LEVELS = (
    ((2, 3), (1, 2), (1, 3), 3),
    ((3, 4), (2, 3), (1, 4), 4),
    ((4, 5), (2, 4), (2, 5), 5),
    ((5, 6), (3, 5), (2, 6), 6),
    ((6, 8), (4, 6), (3, 8), 8),
)
"""Folds of a tent against a line, folds of two tents, folds of a wave, largest number, by level."""
_MAX_FOLDS = 16


@dataclass(frozen=True)
class TransFuncIntersection(LevelledFamily):
    """Curves that go up and down so often that only their monotone pieces can be counted.

    Attributes:
        levels: Difficulty levels, 1 to 5, drawn with equal probability; an empty list means all.
            A tent is applied 2-3, 3-4, 4-5, 5-6 or 6-8 times against a line; waves have up to 3,
            4, 5, 6 or 8 bars around each other.
    """

    version = 4
    verifier = "trans_func_intersection"
    same_up_to = "factors of both sides"
    domain = "omega"
    n_levels = len(_FOLD_LEVELS)
    words = _WORDS.part("folds")
    symbols = {"tent_line": 5, "tent_mutual": 3, "tent_wave": 5, "folds": (1, _MAX_FOLDS)}
    own_axes = {"n_folds": axis("tents or bars around each other", 1, _MAX_FOLDS)}

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw one of the three kinds, with at least two points in common."""
        kind = (0, 0, 1, 2, 2, 2, 2)[draws.integer(0, 7)]
        for _ in range(_TRIES):
            made = (_line, _mutual, _wave)[kind](level, draws)
            if int(made.answer) > 1:
                return made
        return None


def _times(count: int) -> str:
    return ("once", "twice")[count - 1] if count < 3 else f"{count} times"


def _line(level: int, draws: RowDraws) -> Problem:
    """Cut k tents with a line through their square, going over all 2^k straight pieces."""
    (fewest, most), _, _, largest = _FOLD_LEVELS[level - 1]
    k, s = draws.integer(fewest, most + 1), draws.integer(1, largest + 1)
    d = draws.integer(1, largest + 1)
    slope = draws.integer(-largest, largest + 1)
    height = draws.integer(-largest, s * d + largest + 1)
    inside = {1: set[Fraction](), -1: set[Fraction]()}
    pieces = 2**k
    for piece in range(pieces):
        low, high = Fraction(piece * s, pieces), Fraction((piece + 1) * s, pieces)
        rise = pieces if piece % 2 == 0 else -pieces
        start = 0 if piece % 2 == 0 else s
        # d (start + rise (x - low)) = slope x + height
        if d * rise != slope:
            x = (height - d * start + d * rise * low) / (d * rise - slope)
            if low <= x <= high:
                inside[1 if rise > 0 else -1].add(x)
    points = inside[1] | inside[-1]
    corners = {x for x in points if (x * pieces / s).denominator == 1}
    rising, falling = (len(inside[side] - corners) for side in (1, -1))
    left = "y" if d == 1 else f"{d}*y"
    holes = {"s": s, "k": _times(k), "left": left, "line": _polynomial((slope, height))}
    common = gcd(d, slope, height)
    tree = ("tent_line", s, k, d // common, slope // common, height // common)
    steps = [
        f"f has {pieces} pieces of width {Fraction(s, pieces)}, from 0 to {s} or from {s} to 0",
        f"points inside rising pieces: {rising}, inside falling pieces: {falling}, "
        f"at ends of pieces: {len(corners)}",
        f"{rising} + {falling} + {len(corners)} = {len(points)}",
    ]
    return Problem(tree, str(len(points)), holes, "line", {"n_folds": k}, steps)


def _mutual(level: int, draws: RowDraws) -> Problem:
    """Cross two tents: each piece of one goes through each piece of the other once."""
    _, (fewest, most), _, largest = _FOLD_LEVELS[level - 1]
    s = draws.integer(1, 10 * largest + 1)
    k, times = draws.integer(fewest, most + 1), draws.integer(fewest, most + 1)
    tree = ("tent_mutual", s, min(k, times), max(k, times))
    holes = {"s": s, "k": _times(k), "l": _times(times)}
    steps = [
        f"f has 2^{k} = {2**k} pieces from 0 to {s} or back, g has 2^{times} = {2**times}",
        f"each piece of f meets each piece of g once: {2**k} * {2**times} = {2 ** (k + times)}",
    ]
    answer, folds = str(2 ** (k + times)), {"n_folds": k + times}
    return Problem(tree, answer, holes, "mutual", folds, steps)


def _wave(level: int, draws: RowDraws) -> Problem:
    """Unfold the bars around a sine: values of the sine, and how often it takes each."""
    _, _, (fewest, most), largest = _FOLD_LEVELS[level - 1]
    n = draws.integer(fewest, most + 1)
    folds = [draws.integer(1, largest + 1) for _ in range(n)]
    amplitude = draws.integer(2, 2 * sum(folds) // 2 + 3)
    c = draws.integer(0, largest)
    frequency = draws.integer(1, largest + 1)
    end = draws.integer(1, largest + 1) * (1 if frequency % 2 == 0 else 2)
    values = {c, -c}
    steps = [f"values inside 1 pair of bars: {sorted(values)}"]
    for number, fold in enumerate(reversed(folds), 2):
        # |x| - fold = v holds for both signs of fold + v, unless that is negative.
        values = {sign * (fold + v) for v in values if fold + v >= 0 for sign in (1, -1)}
        steps.append(f"values inside {number} pairs of bars: {sorted(values)}")
    per_period = sum(2 if abs(v) < amplitude else 1 for v in values if abs(v) <= amplitude)
    wave = f"|{amplitude}*sin({'' if frequency == 1 else f'{frequency}*'}pi*x)|"
    for fold in folds:
        wave = f"|{wave} - {fold}|"
    tree: Tree = ("tent_wave", amplitude, frequency, end, c, ("folds", *folds))
    holes = {"wave": wave, "c": c, "e": end}
    periods = frequency * end // 2
    steps += [
        f"x in one period: {per_period}, periods: {periods}",
        f"{per_period} * {periods} = {per_period * periods}",
    ]
    return Problem(tree, str(per_period * periods), holes, "wave", {"n_folds": n}, steps)


# Integrals

_INTEGRAL_KINDS = ("powers", "odd", "mirror", "exponential", "sine", "cosine", "tangent")
_INTEGRAL_LEVELS = (
    (("powers", "odd"), 4, 5),
    (("powers", "odd", "mirror"), 6, 9),
    (("mirror", "exponential", "sine"), 6, 12),
    (("exponential", "sine", "cosine", "mirror"), 8, 20),
    (("powers", "exponential", "sine", "cosine", "tangent"), 12, 40),
)
"""Kinds, highest exponent and largest coefficient of each level."""
_HIGHEST, _INTEGRAL_TRIES, _BITS = 12, 40, 128
_CLEAR = fmpq(1, 1000)
"""Least distance of a value from a tie, in units of the last digit."""
_ZERO = Fraction(0)
Value = tuple[Fraction, Fraction, Fraction, Fraction]
"""Coefficients of 1, pi, pi^2 and pi ln 2."""
Drawn = tuple[tuple[int, ...], int, Value, tuple[str, str, str], tuple[str, str]]
"""Parameters, exponent, value, the texts of integrand f and bounds, and those of the mirror image
of x and of f plus f of that."""


@dataclass(frozen=True)
class TransIntegrations(LevelledFamily):
    """Integrals without a handy antiderivative: f(x) + f(a + b - x), or f(x) + f(-x), is simple.

    Attributes:
        levels: Difficulty levels, 1 to 5, drawn with equal probability; an empty list means all.
            Exponents are at most 4, 6, 6, 8 or 12, coefficients 5, 9, 12, 20 or 40; powers of sine
            and cosine and odd summands come first, integrals with x sin x or ln(1 + tan x) last.
    """

    version = 3
    verifier = "trans_integrations"
    domain = "omega"
    answer_type = "decimal"
    n_levels = len(_INTEGRAL_LEVELS)
    words = _alike("integrals", _INTEGRAL_KINDS)
    symbols = {
        "by_powers": 3,
        "by_odd": 6,
        "by_mirror": 5,
        "by_exponential": 4,
        "by_sine": 2,
        "by_cosine": 2,
        "by_tangent": 2,
    }
    own_axes = {"exponent": axis("exponent in the integrand", 0, _HIGHEST)}

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw an integral whose value is not near a tie."""
        kinds, highest, largest = _INTEGRAL_LEVELS[level - 1]
        name = draws.choice(kinds)
        for _ in range(_INTEGRAL_TRIES):
            numbers, exponent, value, texts, mirrored = _MAKERS[name](draws, highest, largest)
            answer = _rounded(value)
            if answer is not None:
                holes = dict(zip("fab", texts, strict=True))
                return Problem(
                    (f"by_{name}", *numbers),
                    answer,
                    holes,
                    name,
                    {"exponent": exponent},
                    data=(numbers, value, mirrored),
                )
        return None

    def steps_of(self, problem: Problem) -> list[str]:
        """Add f and its mirror image, integrate the sum, and halve the integral."""
        numbers, value, (image, total) = problem.data
        low, high, lines = problem.holes["a"], problem.holes["b"], []
        if problem.kind == "tangent" and numbers[1]:
            f, high = f"{_factor(numbers[0])}ln(1 + tan(x))", "pi/4"
            lines = [f"with tan(x) in the place of x: integrate f(x) = {f} from 0 to pi/4"]
        return [
            *lines,
            f"f(x) + f({image}) = {total}",
            f"integral of {total} from {low} to {high}: {_closed([2 * v for v in value])}",
            f"half of it: {_closed(value)} = {_fourth(value)}...",
            f"rounded: {problem.answer}",
        ]


_UNITS = ("", "pi", "pi^2", "pi*ln(2)")


def _closed(value: Sequence[Fraction]) -> str:
    """Write a value in closed form."""
    pieces = [
        f"{'-' if v < 0 else '+'} "
        + (unit if unit and abs(v) == 1 else f"{abs(v)}{'*' if unit else ''}{unit}")
        for v, unit in zip(value, _UNITS, strict=True)
        if v
    ]
    text = " ".join(pieces)
    return f"-{text[2:]}" if text[0] == "-" else text[2:]


def _enclosed(value: Value) -> arb:
    pi = arb.pi()
    units = (arb(1), pi, pi * pi, pi * arb(2).log())
    parts = zip(value, units, strict=True)
    return sum((arb(fmpq(v.numerator, v.denominator)) * u for v, u in parts), arb(0))


def _fourth(value: Value) -> str:
    """Write a positive value, rounded down to four decimals."""
    digits = (value[0] * 10_000).__floor__()
    if any(value[1:]):  # irrational, so that its digits are certain
        with precision(_BITS):
            whole: Any = (_enclosed(value) * 10_000).floor().unique_fmpz()
            digits = int(whole)
    return f"{digits // 10_000}.{digits % 10_000:04d}"


def _rounded(value: Value) -> str | None:
    """Return a positive value with two decimals, or None if it is close to a tie."""
    with precision(_BITS):
        cents = _enclosed(value) * 100
        ends = [(cents + fmpq(1, 2) + s * _CLEAR).floor().unique_fmpz() for s in (-1, 1)]
    if ends[0] is None or ends[0] != ends[1]:
        return None
    return f"{int(ends[0]) // 100}.{int(ends[0]) % 100:02d}"


def _factor(value: int) -> str:
    return "" if value == 1 else f"{value}*"


def _sine_power(n: int) -> str:
    return "sin(x)" if n == 1 else f"sin(x)^{n}"


def _powers(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make a quotient that adds up to p + q together with its mirror image at pi/4."""
    n = draws.integer(2, highest + 1)
    p, q = draws.integer(1, largest + 1), draws.integer(0, largest)
    q += q >= p  # with equal factors the quotient would be constant
    top = f"{_factor(p)}sin(x)^{n}" + (f" + {_factor(q)}cos(x)^{n}" if q else "")
    top = f"({top})" if q else top
    value = (_ZERO, Fraction(p + q, 4), _ZERO, _ZERO)
    text = f"{top}/(sin(x)^{n} + cos(x)^{n})"
    return (n, p, q), n, value, (text, "0", "pi/2"), ("pi/2 - x", str(p + q))


def _odd(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make an odd summand, whose integral vanishes, and an even polynomial."""
    k = 2 * draws.integer(0, (highest + 1) // 2) + 1
    s, m = draws.integer(1, largest + 1), draws.integer(1, 4)
    p, r = draws.integer(0, largest + 1), draws.integer(1, largest + 1)
    a = draws.integer(1, 6)
    power = "x" if k == 1 else f"x^{k}"
    even = f"{_factor(p)}x^2 + {r}" if p else f"{r}"
    text = f"{_factor(s)}{power}*cos({_factor(m)}x) + {even}"
    value = (2 * (Fraction(p * a**3, 3) + r * a), _ZERO, _ZERO, _ZERO)
    twice = _polynomial((2 * p, 0, 2 * r))
    return (k, s, m, p, r, a), k, value, (text, str(-a), str(a)), ("-x", twice)


def _mirror(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k g(x) / (g(x) + g(a + b - x)): half of k (b - a)."""
    n, k = draws.integer(2, highest + 1), draws.integer(1, largest + 1)
    a = draws.integer(-5, 6)
    b = a + draws.integer(1, 10)
    c = draws.integer(max(1, 1 - a), max(1, 1 - a) + 6)
    grown = f"(x + {c})^{n}"
    value = (Fraction(k * (b - a), 2), _ZERO, _ZERO, _ZERO)
    text = f"{_factor(k)}{grown}/({grown} + ({a + b + c} - x)^{n})"
    return (n, k, a, b, c), n, value, (text, str(a), str(b)), (f"{a + b} - x", str(k))


def _exponential(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make an even function over 1 + b^x: half of its integral."""
    k = 2 * draws.integer(1, min(highest, 8) // 2 + 1)
    p, base = draws.integer(1, largest + 1), draws.integer(2, 10)
    a = draws.integer(1, 5)
    value = (Fraction(p * a ** (k + 1), k + 1), _ZERO, _ZERO, _ZERO)
    power = f"{_factor(p)}x^{k}"
    texts = (f"{power}/(1 + {base}^x)", str(-a), str(a))
    return (k, p, base, a), k, value, texts, ("-x", power)


def _sine(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k x sin(x)^n: half of pi times the integral without x."""
    n, k = draws.integer(1, highest + 1), draws.integer(1, largest + 1)
    whole, with_pi = _wallis(n)
    value = (_ZERO, k * whole / 2, k * with_pi / 2, _ZERO)
    power = _sine_power(n)
    texts = (f"{_factor(k)}x*{power}", "0", "pi")
    return (n, k), n, value, texts, ("pi - x", f"{_factor(k)}pi*{power}")


def _cosine(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k x sin(x)^n / (1 + cos(x)^2) for n = 1 and 3: with u = cos(x) it is rational."""
    del highest
    k, n = draws.integer(1, 2 * largest + 1), draws.choice((1, 3))
    # pi/2 times the integral of 1 / (1 + u^2) or (1 - u^2) / (1 + u^2) from -1 to 1
    linear, square = (_ZERO, Fraction(k, 4)) if n == 1 else (Fraction(-k), Fraction(k, 2))
    value, rest = (_ZERO, linear, square, _ZERO), f"{_sine_power(n)}/(1 + cos(x)^2)"
    texts = (f"{_factor(k)}x*{rest}", "0", "pi")
    return (k, n), n, value, texts, ("pi - x", f"{_factor(k)}pi*{rest}")


def _tangent(draws: RowDraws, highest: int, largest: int) -> Drawn:
    """Make k ln(1 + tan x), or the same after x = arctan t."""
    del highest
    k, form = draws.integer(1, 3 * largest + 1), draws.integer(0, 2)
    value = (_ZERO, _ZERO, _ZERO, Fraction(k, 8))
    texts = (f"{_factor(k)}ln(1 + tan(x))", "0", "pi/4")
    if form:
        texts = (f"{_factor(k)}ln(1 + x)/(1 + x^2)", "0", "1")
    return (k, form), 0, value, texts, ("pi/4 - x", f"{_factor(k)}ln(2)")


_MAKERS: Mapping[str, Callable[[RowDraws, int, int], Drawn]] = {
    "powers": _powers,
    "odd": _odd,
    "mirror": _mirror,
    "exponential": _exponential,
    "sine": _sine,
    "cosine": _cosine,
    "tangent": _tangent,
}


@cache
def _wallis(n: int) -> tuple[Fraction, Fraction]:
    """Return the integral of sin^n from zero to pi as p + q pi."""
    if n < 2:
        return (Fraction(2), _ZERO) if n else (_ZERO, Fraction(1))
    p, q = _wallis(n - 2)
    return p * Fraction(n - 1, n), q * Fraction(n - 1, n)
