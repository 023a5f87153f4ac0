"""Blue vertices moved onto red ones, from the text: by differences and sums, and by trying all."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, gcd

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.composition._questions import Questions, parts_sum, sum_steps

_TEXTS = {
    "rotation_chance": (
        "Each vertex of a regular <n>-gon is painted blue with probability <p> and red otherwise,"
        " independently of the others. What is the probability that the <n>-gon can be rotated"
        " about its centre so that all blue vertices come to places where red vertices were before"
        " (which is so if there are no blue ones)? <ending>",
        "A round table has <n> seats at equal distances. Each seat gets a blue cushion with"
        " probability <p>, else a red one, independently. Consider the event that all cushions can"
        " be moved on by the same number of seats such that every blue cushion arrives at a seat"
        " that had a red one; a table without blue cushions counts as such. Find the probability"
        " of this event. <ending>",
        "The vertices of a regular polygon with <n> sides are coloured at random: each is blue with"
        " probability <p> and red if not, independently. Find the chance that at least one rotation"
        " of the polygon onto itself takes the set of blue vertices into the set of red vertices."
        " (The empty set is contained in every set.) <ending>",
        "<n> lamps stand at equal distances around a wheel, and each of them is blue with"
        " probability <p>, otherwise red, independently of all others. How likely is it that the"
        " wheel can be turned so that each blue lamp takes the place that a red lamp had at first?"
        " If no lamp is blue, this counts as possible. <ending>",
    ),
    "symmetry_chance": (
        "Each vertex of a regular <n>-gon is painted blue with probability <p> and red otherwise,"
        " independently of the others. What is the probability that the <n>-gon can be rotated"
        " about its centre, or reflected in one of its axes of symmetry, so that all blue vertices"
        " come to places where red vertices were before (which is so if there are no blue ones)?"
        " <ending>",
        "A round table has <n> seats at equal distances. Each seat gets a blue cushion with"
        " probability <p>, else a red one, independently. Consider the event that all cushions can"
        " be moved on by the same number of seats, or swapped as by a mirror through the centre of"
        " the table that maps seats to seats, such that every blue cushion arrives at a seat that"
        " had a red one; a table without blue cushions counts as such. Find the probability of"
        " this event. <ending>",
        "The vertices of a regular polygon with <n> sides are coloured at random: each is blue with"
        " probability <p> and red if not, independently. Find the chance that at least one symmetry"
        " of the polygon, a rotation or a reflection, takes the set of blue vertices into the set"
        " of red vertices. (The empty set is contained in every set.) <ending>",
        "<n> lamps stand at equal distances around a glass wheel, and each of them is blue with"
        " probability <p>, otherwise red, independently of all others. How likely is it that the"
        " wheel can be turned, or flipped over and turned, so that each blue lamp takes the place"
        " that a red lamp had at first? If no lamp is blue, this counts as possible. <ending>",
    ),
    "rotation_count": (
        "<k> of the vertices of a regular <n>-gon are chosen at random, all choices being equally"
        " likely, and painted blue; the other vertices are painted red. What is the probability"
        " that the <n>-gon can be rotated about its centre so that all blue vertices come to places"
        " where red vertices were before? <ending>",
        "A round table has <n> seats at equal distances. <k> blue cushions and red ones for the"
        " rest are laid on the seats in a uniformly random order. Consider the event that all"
        " cushions can be moved on by the same number of seats such that every blue cushion arrives"
        " at a seat that had a red one. Find the probability of this event. <ending>",
        "In a regular polygon with <n> sides, a uniformly random set of <k> vertices is blue and"
        " all other vertices are red. Find the chance that at least one rotation of the polygon"
        " onto itself takes the set of blue vertices into the set of red vertices. <ending>",
        "<n> lamps stand at equal distances around a wheel; <k> of them are blue and the others"
        " red, each arrangement being equally likely. How likely is it that the wheel can be turned"
        " so that each blue lamp takes the place that a red lamp had at first? <ending>",
    ),
    "symmetry_count": (
        "<k> of the vertices of a regular <n>-gon are chosen at random, all choices being equally"
        " likely, and painted blue; the other vertices are painted red. What is the probability"
        " that the <n>-gon can be rotated about its centre, or reflected in one of its axes of"
        " symmetry, so that all blue vertices come to places where red vertices were before?"
        " <ending>",
        "A round table has <n> seats at equal distances. <k> blue cushions and red ones for the"
        " rest are laid on the seats in a uniformly random order. Consider the event that all"
        " cushions can be moved on by the same number of seats, or swapped as by a mirror through"
        " the centre of the table that maps seats to seats, such that every blue cushion arrives"
        " at a seat that had a red one. Find the probability of this event. <ending>",
        "In a regular polygon with <n> sides, a uniformly random set of <k> vertices is blue and"
        " all other vertices are red. Find the chance that at least one symmetry of the polygon, a"
        " rotation or a reflection, takes the set of blue vertices into the set of red vertices."
        " <ending>",
        "<n> lamps stand at equal distances around a glass wheel; <k> of them are blue and the"
        " others red, each arrangement being equally likely. How likely is it that the wheel can be"
        " turned, or flipped over and turned, so that each blue lamp takes the place that a red"
        " lamp had at first? <ending>",
    ),
}
_QUESTIONS = Questions(_TEXTS, p=r"[1-9][0-9]?/[1-9][0-9]?")
_MOST_SIDES = 14

Problem = tuple[str, int, int, int]
"""Kind, vertices, and the chance of blue as a fraction, or blue vertices and zero."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    kind, holes = found
    n = int(holes["n"])
    first, second = int(holes.get("k") or 0), 0
    if holes.get("p"):
        first, second = map(int, holes["p"].split("/"))
        if first >= second or gcd(first, second) != 1:
            return None
    elif not 0 < first < n:
        return None
    return (kind, n, first, second) if 3 <= n <= _MOST_SIDES else None


@cache
def _differences(n: int, *, mirrors: bool) -> tuple[int, ...]:
    """Count the good sets of each size: those whose differences (or sums) leave a residue out.

    A rotation by r takes no blue vertex to a blue one if r is no difference of two of them; the
    reflection of i to s - i, if s is no sum of two.
    """
    full = (1 << n) - 1
    counts = []
    for size in range(n // 2 + 1):  # more blue vertices than red ones have no room
        good = 0
        for blue in combinations(range(n), size):
            differences = sums = 0
            for i in blue:
                for j in blue:
                    differences |= 1 << (i - j) % n
                    sums |= 1 << (i + j) % n
            good += differences != full or (mirrors and sums != full)
        counts.append(good)
    return (*counts, *[0] * (n + 1 - len(counts)))


@cache
def _tried(n: int, *, mirrors: bool) -> tuple[int, ...]:
    """Count the good colourings of each size by moving every vertex."""
    moves = [[(i + turn) % n for i in range(n)] for turn in range(n)]
    if mirrors:
        moves += [[(turn - i) % n for i in range(n)] for turn in range(n)]
    counts = [0] * (n + 1)
    for colouring in range(1 << n):
        blue = [i for i in range(n) if colouring >> i & 1]
        if 2 * len(blue) <= n:
            counts[len(blue)] += any(not any(colouring >> m[i] & 1 for i in blue) for m in moves)
    return tuple(counts)


def _value(problem: Problem, good: tuple[int, ...]) -> Fraction:
    _, n, first, second = problem
    if not second:
        return Fraction(good[first], comb(n, first))
    blue = Fraction(first, second)
    return sum((many * blue**k * (1 - blue) ** (n - k) for k, many in enumerate(good)), Fraction(0))


def _answer(value: Fraction) -> str | None:
    return parts_sum(value) if 0 < value < 1 else None


def _solve(problem: Problem) -> str | None:
    good = _differences(problem[1], mirrors=problem[0].startswith("symmetry"))
    return _answer(_value(problem, good))


def _exact(problem: Problem) -> str | None:
    return _answer(_value(problem, _tried(problem[1], mirrors=problem[0].startswith("symmetry"))))


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have."""
    kind, n, first, second = problem
    good = _differences(n, mirrors=kind.startswith("symmetry"))
    value = _value(problem, good)
    sizes = range(n // 2 + 1) if second else (first,)
    lines = [f"{k} blue: {good[k]} of {comb(n, k)}" for k in sizes]
    if second:
        lines.append(f"{value * second**n} of {second}^{n} = {second**n}")
    return way == "\n".join([*lines, sum_steps(value)]) and parts_sum(value) == answer


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
