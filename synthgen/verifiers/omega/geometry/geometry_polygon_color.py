"""Coloured polygons from the text: by differences of places, and by turning lists.

Every first-coloured vertex goes to a place of the second colour unless it goes to one of the
first. So the rotation by r puts (number of the first colour) - (pairs of them at distance r) of
them onto the second colour, if no vertex is open.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
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


@njit(cache=True, nogil=True)
def _distances(places: Marks, count: Int, n: Int, found: Marks) -> None:
    """Count how many ordered pairs of places there are at each distance around."""
    found[:n] = 0
    for x in range(count):
        for y in range(count):
            found[(places[y] - places[x]) % n] += 1


@njit(cache=True, nogil=True)
def _ways(colours: Marks, first: Int, places: Marks) -> Int:
    """Count the ways to paint for which some distance does not occur between the first colour."""
    n = len(colours)
    full = (np.int64(1) << n) - 1
    n_open = 0
    for colour in colours:
        n_open += colour == 0
    good: Int = np.int64(0)
    for choice in range(1 << n_open):
        count: Int = np.int64(0)
        painted: Int = np.int64(0)
        bit = 0
        for place in range(n):
            chosen = colours[place] == first
            if colours[place] == 0:
                chosen = (choice >> bit) & 1 == 1
                bit += 1
            if chosen:
                places[count] = place
                painted |= np.int64(1) << place
                count += 1
        distances: Int = np.int64(0)
        for k in range(count):
            place = places[k]
            distances |= painted >> place | painted << (n - place) & full
        good += distances != full
    return good


@njit(cache=True, nogil=True)
def _count(kind: Int, values: Marks, places: Marks, found: Marks) -> Int:
    """Work out one problem, or say that it is none."""
    n = values[0]
    start = 3 if kind == _TURN else 2
    end = len(values) - 2
    first, second = values[end], values[end + 1]
    if n < 3 or n > _MOST_SIDES or values[start - 1] != n or first == second or not first * second:
        return np.int64(NO_ANSWER)
    colours = values[start:end]
    count, others = np.int64(0), np.int64(0)
    for place in range(n):
        if colours[place] == first:
            places[count] = place
            count += 1
        others += colours[place] == second
    n_open = n - count - others
    for colour in colours:
        if colour != first and colour != second and colour != 0:
            return np.int64(NO_ANSWER)
    if n_open > _MOST_OPEN or (n_open > 0) != (kind == _PAINT) or count == 0 or others == 0:
        return np.int64(NO_ANSWER)
    if kind == _PAINT:
        return _ways(colours, first, places)
    _distances(places, count, n, found)
    if kind == _TURN:
        return count - found[values[1]] if 0 < values[1] < n else np.int64(NO_ANSWER)
    return count - np.int64(found[:n].min())


@njit(cache=True, nogil=True)
def _solve(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    answers = np.full(len(kinds), NO_ANSWER, np.int64)
    places, found = np.empty(_MOST_SIDES, np.int64), np.empty(_MOST_SIDES, np.int64)
    for i in range(len(kinds)):
        if kinds[i] >= 0:
            answers[i] = _count(kinds[i], values[offsets[i] : offsets[i + 1]], places, found)
    return answers


Colours = tuple[int, ...]


def _parts(problem: Problem) -> tuple[Colours, int, int, int]:
    """Return the colours around, the turn if there is one, and the two colours."""
    kind, values = problem
    start = 3 if kind == _TURN else 2
    return values[start:-2], values[1] if kind == _TURN else 0, values[-2], values[-1]


def _moved(colours: Colours, turn: int) -> Colours:
    return colours[len(colours) - turn :] + colours[: len(colours) - turn]


def _landed(colours: Colours, turn: int, first: int, second: int) -> int:
    """Turn the list of colours and lay it on itself."""
    return list(zip(_moved(colours, turn), colours, strict=True)).count((first, second))


def _painted(colours: Colours, first: int, second: int) -> list[tuple[Colours, Colours]]:
    """Return every choice of colours for the open vertices, and the whole list with it."""
    places = [i for i, colour in enumerate(colours) if colour == 0]
    out = []
    for choice in product((first, second), repeat=len(places)):
        whole = list(colours)
        for place, colour in zip(places, choice, strict=True):
            whole[place] = colour
        out.append((choice, tuple(whole)))
    return out


def _exact(problem: Problem) -> int:
    """Turn lists of colours place by place."""
    colours, turn, first, second = _parts(problem)
    if problem[0] == _TURN:
        return _landed(colours, turn, first, second)
    turns = range(len(colours))
    if problem[0] == _BEST:
        return max(_landed(colours, turn, first, second) for turn in turns)
    return sum(
        any(_landed(whole, turn, first, second) == whole.count(first) for turn in turns)
        for _, whole in _painted(colours, first, second)
    )


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
        told = [f"turn {turn}: {_landed(colours, turn, first, second)}" for turn in range(n)]
        return lines == [*told, f"largest: {answer}"]
    choices = _painted(colours, first, second)
    if len(lines) != len(choices) + 1 or lines[-1] != f"ways: {answer}":
        return False
    rows = zip(lines, choices, strict=False)
    return all(_is_line(line, choice, whole, first) for line, (choice, whole) in rows)


def _is_line(line: str, choice: Colours, whole: Colours, first: int) -> bool:
    """Say whether a line names a painting and a turn of it that works, or none if none does."""
    head = ", ".join(_COLOURS[colour] for colour in choice) + ": "
    works = [
        f"turn {turn}"
        for turn in range(len(whole))
        if not any(x == y == first for x, y in zip(_moved(whole, turn), whole, strict=True))
    ]
    return line.startswith(head) and line[len(head) :] in (works or ["none"])


VERIFIER = KernelVerifier(_FORM, _solve, _exact, _follows)
