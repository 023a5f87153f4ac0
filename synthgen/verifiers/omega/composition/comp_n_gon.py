"""Letters on a rotated polygon, from the text: by the letters drawn, and pair by pair of tiles."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.combinatorics._tiles_read import LETTER, TILES, tiles_of
from synthgen.verifiers.omega.composition._questions import Questions, parts_sum, sum_steps

_TEXTS = {
    "all": (
        "A bag holds <tiles>. <n> of these tiles are drawn at random without replacement and laid,"
        " clockwise and in the order in which they are drawn, on the vertices of a regular"
        " <n>-gon. A copy of the lettered polygon is turned clockwise by <r> vertices about its"
        " centre and laid on top of it. Take the expected number of vertices at which the two"
        " polygons show the same letter. <ending>",
        "From the letter tiles <tiles>, <n> are picked blindly, without putting any back, and one"
        " is attached to each vertex of a regular polygon with <n> sides, every assignment being"
        " equally likely. Then the polygon is rotated about its centre so that each vertex moves"
        " clockwise to the place of the vertex <r> places further on. What is the expected number"
        " of places that show the same letter before and after the rotation? <ending>",
        "There are tiles with the letters <tiles>. A uniformly random choice of <n> of them, in"
        " random order, is set around a round table with <n> seats, one on each seat. All of them"
        " are then moved clockwise by <r> seats. Find the expected number of seats on which the"
        " new tile has the letter of the old one. <ending>",
        "Tiles: <tiles>. The corners of a regular <n>-gon are labelled by drawing <n> of the tiles"
        " at random without replacement. The polygon, with its labels, is turned by <r> times the"
        " angle between neighbouring corners as seen from the centre. On average, how many corners"
        " come to rest where a corner with an equal label was before? <ending>",
    ),
    "letter": (
        "A bag holds <tiles>. <n> of these tiles are drawn at random without replacement and laid,"
        " clockwise and in the order in which they are drawn, on the vertices of a regular"
        " <n>-gon. A copy of the lettered polygon is turned clockwise by <r> vertices about its"
        " centre and laid on top of it. Take the expected number of vertices at which both polygons"
        " show the letter <s>. <ending>",
        "From the letter tiles <tiles>, <n> are picked blindly, without putting any back, and one"
        " is attached to each vertex of a regular polygon with <n> sides, every assignment being"
        " equally likely. Then the polygon is rotated about its centre so that each vertex moves"
        " clockwise to the place of the vertex <r> places further on. What is the expected number"
        " of places that show the letter <s> both before and after the rotation? <ending>",
        "There are tiles with the letters <tiles>. A uniformly random choice of <n> of them, in"
        " random order, is set around a round table with <n> seats, one on each seat. All of them"
        " are then moved clockwise by <r> seats. Find the expected number of seats on which both"
        " the old tile and the new one have the letter <s>. <ending>",
        "Tiles: <tiles>. The corners of a regular <n>-gon are labelled by drawing <n> of the tiles"
        " at random without replacement. The polygon, with its labels, is turned by <r> times the"
        " angle between neighbouring corners as seen from the centre. On average, how many corners"
        " labelled <s> come to rest where another corner labelled <s> was before? <ending>",
    ),
}
_QUESTIONS = Questions(_TEXTS, tiles=TILES, s=LETTER)
_MOST_TILES = 40

Problem = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""Vertices, turn, copies of each letter, copies of the letters that count."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    bag = tiles_of(found[1]["tiles"]) if found else None
    if found is None or bag is None:
        return None
    kind, holes = found
    counts = tuple(sorted(bag.values(), reverse=True))
    n, turn = int(holes["n"]), int(holes["r"])
    chosen = counts if kind == "all" else (bag.get(holes["s"].strip("'"), 0),)
    if not 3 <= n <= sum(counts) <= _MOST_TILES or not 0 < turn < n or max(chosen) < 2:
        return None
    return n, turn, counts, chosen


def _expected(problem: Problem) -> Fraction:
    """Divide by how many tiles with each letter are drawn; they lie at random on the vertices."""
    n, _, counts, chosen = problem
    total = sum(counts)
    value = Fraction(0)
    for copies in chosen:
        for drawn in range(2, min(copies, n) + 1):
            ways = comb(copies, drawn) * comb(total - copies, n - drawn)
            value += Fraction(ways * drawn * (drawn - 1), comb(total, n) * (n - 1))
    return value


def _solve(problem: Problem) -> str:
    return parts_sum(_expected(problem))


def _exact(problem: Problem) -> str:
    """Try every ordered pair of tiles on every vertex and the one that is turned onto it."""
    n, turn, counts, chosen = problem
    counted = set(chosen)
    tiles = [(letter, copies) for letter, copies in enumerate(counts) for _ in range(copies)]
    if len(chosen) == 1:  # one of the letters with so many copies
        letter = counts.index(chosen[0])
        tiles = [(i, copies if i == letter else 0) for i, copies in tiles]
    pairs = [x[0] == y[0] and x[1] in counted for x, y in permutations(tiles, 2)]
    places = sum((vertex + turn) % n != vertex for vertex in range(n))
    return parts_sum(Fraction(places * sum(pairs), len(pairs)))


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have."""
    n, _, counts, chosen = problem
    total = sum(counts)
    equal = sum(c * (c - 1) for c in chosen)
    value = _expected(problem)
    terms = " + ".join(f"{c} * {c - 1}" for c in chosen if c > 1)
    lines = (
        f"equal pairs: {terms} = {equal} of {total} * {total - 1} = {total * (total - 1)}",
        f"{n} * {equal}/{total * (total - 1)} = {sum_steps(value)}",
    )
    return way == "\n".join(lines) and parts_sum(value) == answer


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
