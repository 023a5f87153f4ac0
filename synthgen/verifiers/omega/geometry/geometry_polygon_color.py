"""Coloured polygons from the text: by differences of places, and by products of numbers.

Every first-coloured vertex goes to a place of the second colour unless it goes to one of the
first. So the rotation by r puts (number of the first colour) - (pairs of them at distance r) of
them onto the second colour, if no vertex is open.

The other way takes places as exponents. The sum of X^-i over the places i of one colour, times the
sum of X^j over the places j of another, has the term X^r as often as the rotation by r puts one on
the other, if X^n = 1. With X = 256 these are integers modulo 256^n - 1, and their bytes counts.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers.omega._forms import NUMBER, WORD, WORDS, Form, Marks
from synthgen.verifiers.omega._kernel_check import NO_ANSWER, KernelVerifier, Problem

_PAINT, _TURN, _BEST = range(3)
_COLOURS = ("uncoloured", "red", "blue", "green", "yellow", "black", "white", "purple", "pink")
_FORM = Form(
    [
        (
            "The vertices of a regular polygon with <n> sides are, in order around it, <list>. "
            "Each uncoloured vertex is now painted <a> or <b>. In how many ways can this be done "
            "such that some rotation of the polygon (leaving it as it is counts as one) carries "
            "every <a> vertex to a place where a <b> vertex was before the rotation? Give an "
            "integer.",
            "Going around a regular <n>-gon, its vertices are <list>. The uncoloured ones are to "
            "be coloured <a> or <b>. Count the colourings for which the polygon can be turned "
            "about its centre, vertices onto vertices, so that no <a> vertex ends where a <a> "
            "vertex was before. Answer with an integer.",
            "A round table has <n> seats at equal distances. In order, their cushions are <list>. "
            "Every uncoloured cushion is dyed <a> or <b>. For how many of the possible dyeings can "
            "all cushions be moved around the table by the same number of seats, so that each <a> "
            "cushion comes to a seat that had a <b> one? The answer is an integer.",
            "<n> points divide a circle into equal arcs; in order they are <list>. Call a way of "
            "colouring the uncoloured points <a> or <b> good if some rotation of the circle that "
            "permutes the points takes every <a> point to a point that is <b>. How many ways are "
            "good? Give an integer.",
        ),
        (
            "The vertices of a regular <n>-gon, read clockwise, are coloured <list>. The polygon "
            "is rotated clockwise about its centre by <m>/<n> of a full turn. How many <a> "
            "vertices land on places where a <b> vertex was before? Give an integer.",
            "Clockwise around a regular polygon with <n> vertices, the colours of the vertices are "
            "<list>. It is turned clockwise by <m> times the angle between neighbouring vertices, "
            "seen from the centre. At how many places was there a <b> vertex before and is there "
            "a <a> one now? Answer with an integer.",
            "<n> lamps stand at equal distances around a wheel; clockwise they are <list>. The "
            "wheel makes <m>/<n> of a full turn clockwise. How many <a> lamps are now where a <b> "
            "lamp was at first? The answer is an integer.",
            "<n> points divide a circle into equal arcs. In clockwise order they are <list>. The "
            "rotation by <m>/<n> of a full circle, clockwise, takes each point to another. Count "
            "the <a> points that it takes to a <b> one. Give an integer.",
        ),
        (
            "The vertices of a regular polygon with <n> sides are coloured, in order around it: "
            "<list>. The polygon is turned about its centre so that vertices land on places of "
            "vertices. What is the largest number of <a> vertices that can land on places where "
            "<b> vertices were before? Give an integer.",
            "Going around a regular <n>-gon, the colours of its vertices are <list>. Of all "
            "rotations that carry the polygon onto itself, take one that moves as many <a> "
            "vertices as possible to places of <b> vertices. How many does it move there? Answer "
            "with an integer.",
            "A flat ring has <n> beads at equal distances, in order <list>. A copy of it is laid "
            "on top, not flipped over, and turned until beads lie on beads. What is the greatest "
            "number of <a> beads of the copy that can lie on <b> beads of the ring at the same "
            "time? The answer is an integer.",
            "<n> points divide a circle into equal arcs; in order they are <list>. For a rotation "
            "of the circle that permutes the points, count the <a> points that it takes to <b> "
            "points. What is the maximum of this count over all such rotations? Give an integer.",
        ),
    ],
    {"n": NUMBER, "m": NUMBER, "list": WORDS, "a": WORD, "b": WORD},
    _COLOURS,
)
_MOST_SIDES, _MOST_OPEN = 31, 8


@lent
def _distances(places: Marks, count: Int, n: Int, found: Marks) -> None:
    """Count how many ordered pairs of places, which rise, there are at each distance around."""
    for distance in range(n):
        found[distance] = 0
    found[0] = count
    for x in range(count):
        for y in range(x):
            distance = places[x] - places[y]
            found[distance] += 1
            found[n - distance] += 1


@lent
def _from_and_to(place: Int, others: Int, mirrored: Int, n: Int) -> Int:
    """Return all distances between a place and others x, there and back.

    `others` has the bits x, `mirrored` the bits n - x. What is returned has more bits than n.
    """
    around = others << (n - place) | mirrored << place
    return around | around >> n


@lent
def _ways(colours: Marks, first: Int, places: Marks) -> Int:
    """Count the ways to paint for which some distance does not occur between the first colour."""
    n = len(colours)
    one, full = np.int64(1), (np.int64(1) << n) - 1
    told: Int = np.int64(0)
    told_mirrored: Int = np.int64(0)
    n_open: Int = np.int64(0)
    for place in range(n):
        if colours[place] == first:
            told, told_mirrored = told | one << place, told_mirrored | one << (n - place)
        elif colours[place] == 0:
            places[n_open] = place
            n_open += 1
    among_told: Int = np.int64(0)
    for place in range(n):
        if told >> place & 1:
            among_told |= _from_and_to(place, told, told_mirrored, n)
    good: Int = np.int64(0)
    for choice in range(1 << n_open):
        painted, mirrored = told, told_mirrored
        for k in range(n_open):
            bit = np.int64(choice >> k & 1)
            painted, mirrored = painted | bit << places[k], mirrored | bit << (n - places[k])
        distances = among_told
        for k in range(n_open):
            if choice >> k & 1:
                distances |= _from_and_to(places[k], painted, mirrored, n)
        good += distances & full != full
    return good


@lent
def _count(kind: Int, values: Marks, low: Int, end: Int, places: Marks, found: Marks) -> Int:
    """Work out the problem between two marks, or say that it is none."""
    n, first, second = values[low], values[end - 2], values[end - 1]
    start = low + 3 if kind == _TURN else low + 2
    if n < 3 or n > _MOST_SIDES or values[start - 1] != n or first == second or not first * second:
        return np.int64(NO_ANSWER)
    colours = values[start : end - 2]
    count: Int = np.int64(0)
    others: Int = np.int64(0)
    n_open: Int = np.int64(0)
    for place in range(n):
        if colours[place] == first:
            places[count] = place
            count += 1
        others += colours[place] == second
        n_open += colours[place] == 0
    if count + others + n_open < n or count == 0 or others == 0:
        return np.int64(NO_ANSWER)
    if n_open > _MOST_OPEN or (n_open > 0) != (kind == _PAINT):
        return np.int64(NO_ANSWER)
    if kind == _PAINT:
        return _ways(colours, first, places)
    _distances(places, count, n, found)
    if kind == _TURN:
        turn = values[low + 1]
        return count - found[turn] if 0 < turn < n else np.int64(NO_ANSWER)
    least = count
    for distance in range(n):
        least = min(least, found[distance])
    return count - least


@njit(cache=True, nogil=True)
def _solve(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    answers = np.full(len(kinds), NO_ANSWER, np.int64)
    places, found = np.empty(_MOST_SIDES, np.int64), np.empty(_MOST_SIDES + 1, np.int64)
    for i in range(len(kinds)):
        if kinds[i] >= 0:
            answers[i] = _count(kinds[i], values, offsets[i], offsets[i + 1], places, found)
    return answers


_ONLY = [bytes(byte == colour for byte in range(256)) for colour in range(len(_COLOURS))]
"""For each colour, what `translate` makes 1 of it with, and 0 of all others."""


def _parts(problem: Problem) -> tuple[bytes, int, int, int]:
    """Return the colours around, the turn if there is one, and the two colours."""
    kind, values = problem
    start = 3 if kind == _TURN else 2
    return bytes(values[start:-2]), values[1] if kind == _TURN else 0, values[-2], values[-1]


def _landed(colours: bytes, first: int, second: int) -> bytes:
    """Return how many vertices of a colour land on places of another, for every turn."""
    n = len(colours)
    starts, ends = colours.translate(_ONLY[first]), colours.translate(_ONLY[second])
    backwards = starts[:1] + starts[:0:-1]  # X^-i is X^(n - i)
    product = int.from_bytes(backwards, "little") * int.from_bytes(ends, "little")
    return (product % ((1 << 8 * n) - 1)).to_bytes(n, "little")


def _painted(colours: bytes, first: int, second: int) -> list[bytes]:
    """Return all that can become of the colours if open vertices get one of two."""
    if 0 not in colours:
        return [colours]
    ways = (colours.replace(b"\0", bytes([colour]), 1) for colour in (first, second))
    return [whole for way in ways for whole in _painted(way, first, second)]


def _exact(problem: Problem) -> int:
    """Count where all vertices land by products."""
    colours, turn, first, second = _parts(problem)
    if problem[0] == _PAINT:
        ways = _painted(colours, first, second)
        return sum(0 in _landed(way, first, first) for way in ways)
    landed = _landed(colours, first, second)
    return landed[turn] if problem[0] == _TURN else max(landed)


def _follows(problem: Problem, answer: int, way: str) -> bool:
    """Follow a solution: pairs of places, a count for each turn, or a turn for each painting."""
    colours, turn, first, second = _parts(problem)
    lines = way.split("\n")
    n = len(colours)
    if problem[0] == _TURN:
        pairs = [(i, (i + turn) % n) for i in range(n)]
        moved = [
            f"{i + 1} to {j + 1}" for i, j in pairs if (colours[i], colours[j]) == (first, second)
        ]
        return lines == [", ".join(moved) or "none", f"count: {answer}"]
    if problem[0] == _BEST:
        told = [f"turn {k}: {count}" for k, count in enumerate(_landed(colours, first, second))]
        return lines == [*told, f"largest: {answer}"]
    ways = _painted(colours, first, second)
    if len(lines) != len(ways) + 1 or lines[-1] != f"ways: {answer}":
        return False
    places = [place for place, colour in enumerate(colours) if colour == 0]
    rows = zip(lines, ways, strict=False)
    return all(_is_line(line, places, whole, first) for line, whole in rows)


def _is_line(line: str, places: list[int], whole: bytes, first: int) -> bool:
    """Say whether a line names a painting and a turn of it that works, or none if none does."""
    head = ", ".join(_COLOURS[whole[place]] for place in places) + ": "
    counts = _landed(whole, first, first)
    works = [f"turn {turn}" for turn, count in enumerate(counts) if count == 0]
    return line.startswith(head) and line[len(head) :] in (works or ["none"])


VERIFIER = KernelVerifier(_FORM, _solve, _exact, _follows)
