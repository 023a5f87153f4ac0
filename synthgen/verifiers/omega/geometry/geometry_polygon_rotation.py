"""Pieces of a polygon from the text: cutting convex pieces line by line, and counting corners.

Both ways differ from tracing edges. The first keeps the pieces as lists of corners and cuts each
with every line. The second looks around every point where lines meet: a sector between two lines is
a corner of the piece that lies on its side of every line.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from synthgen.verifiers.omega._forms import NUMBER, PAIRS, Form
from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega.geometry._roots import Line, Point, meeting, roots, side

_FORM = Form(
    [
        (
            "The vertices of a regular <n>-gon are numbered in order, beginning with one, and the "
            "diagonals <pairs> are drawn, each named by its two ends. The drawing is then rotated "
            "about the centre by <r>/<n> of a full turn, in the direction of the numbering, and "
            "put on top of the first one; lines that fall together count as one. How many of the "
            "smallest pieces into which all lines cut the polygon have exactly <s> sides? Give an "
            "integer.",
            "In a regular polygon with <n> sides, whose vertices carry the numbers from one on "
            "around it, draw the diagonals <pairs>. Draw them a second time, each moved by "
            "<r>/<n> of a full turn about the centre towards higher numbers; a line that is there "
            "already is not drawn again. The polygon falls into regions without lines inside. "
            "Count the regions with exactly <s> sides. Answer with an integer.",
            "A regular polygon of glass has <n> corners, numbered one after the other from one. It "
            "is scored along the diagonals <pairs>, and also along the images of these diagonals "
            "under a rotation about the centre by <r>/<n> of a full turn, the way the numbers "
            "run. Then it is broken along all scored lines. How many of the pieces have exactly "
            "<s> sides? The answer is an integer.",
            "Take a regular <n>-gon with vertices numbered around it from one. Join the pairs of "
            "vertices <pairs> by segments, and add the same segments turned about the centre by "
            "<r>/<n> of a full turn in the order of the numbers. All segments together, coinciding "
            "ones taken once, divide the <n>-gon into cells that contain no segment. Find the "
            "number of cells that are polygons with exactly <s> sides. Give an integer.",
        )
    ],
    {"n": NUMBER, "pairs": PAIRS, "r": NUMBER, "s": NUMBER},
)
_MOST_SIDES, _MOST_DIAGONALS = 30, 24
_REMEMBERED = 1 << 10
_SHIFT = 72
_HALF = 1 << (_SHIFT - 1)
Problem = tuple[int, tuple[Line, ...], int]
"""The polygon's sides, all lines, and the sides of the pieces asked for."""
Piece = list[tuple[Point, Line]]
"""Corners in order, each with the line along which the way to the next one goes."""


def _read(statement: str) -> Problem | None:
    read = _FORM.read_one(statement)
    if read is None:
        return None
    n, count, *ends, turn, sides = read[1]
    if not (3 <= n <= _MOST_SIDES and count <= _MOST_DIAGONALS and 0 < turn < n):
        return None
    lines = set[Line]()
    for a, b in zip(ends[::2], ends[1::2], strict=True):
        if not (1 <= a <= n and 1 <= b <= n and (a - b) % n not in (0, 1, n - 1)):
            return None
        for moved in (0, turn):
            one, other = (a - 1 + moved) % n, (b - 1 + moved) % n
            lines.add((min(one, other), max(one, other)))
    return n, tuple(sorted(lines)), sides


@lru_cache(_REMEMBERED)
def _pieces(n: int, lines: tuple[Line, ...]) -> Counter[int]:
    """Cut the polygon along one line after the other."""
    start: Piece = [(roots(n)[i], (min(i, j), max(i, j))) for i, j in _around(n)]
    pieces = [start]
    for line in lines:
        sides: dict[Point, int] = {}
        uncut: list[Piece] = []
        for piece in pieces:
            for corner, _ in piece:
                if corner not in sides:
                    sides[corner] = side(n, line, corner)
            found = {sides[corner] for corner, _ in piece}
            uncut += _halves(n, line, piece, sides) if {1, -1} <= found else [piece]
        pieces = uncut
    return Counter(map(len, pieces))


def _around(n: int) -> list[Line]:
    return [(i, (i + 1) % n) for i in range(n)]


def _halves(n: int, line: Line, piece: Piece, sides: dict[Point, int]) -> list[Piece]:
    """Cut a convex piece that a line passes through."""
    left: Piece = []
    right: Piece = []
    for place, (corner, edge) in enumerate(piece):
        here, there = sides[corner], sides[piece[(place + 1) % len(piece)][0]]
        if here >= 0:
            left.append((corner, line if here == 0 and there < 0 else edge))
        if here <= 0:
            right.append((corner, line if here == 0 and there > 0 else edge))
        if here * there < 0:
            cut = meeting(n, min(edge, line), max(edge, line))
            sides[cut] = 0
            left.append((cut, line if there < 0 else edge))
            right.append((cut, line if there > 0 else edge))
    return [left, right]


def _solve(problem: Problem) -> str:
    n, lines, sides = problem
    return str(_pieces(n, lines)[sides])


def _corners(problem: Problem) -> str:
    """Count the corners of every piece, known by its side of every line."""
    n, lines, sides = problem
    points = {_known(point) for point in roots(n)}
    for k, (b, d) in enumerate(lines):
        points |= {_known(meeting(n, (a, c), (b, d))) for a, c in lines[:k] if a < b < c < d}
    corners: Counter[tuple[int, ...]] = Counter()
    borders = [(min(ends), max(ends)) for ends in _around(n)]
    for point in sorted(points):
        where = [side(n, line, point) for line in lines]
        edges = [side(n, line, point) for line in borders]
        through = [line for line, s in zip(lines, where, strict=True) if s == 0]
        through += [line for line, s in zip(borders, edges, strict=True) if s == 0]
        rays = sorted(d % (2 * n) for a, b in through for d in (a + b, a + b + n))
        for ray, following in zip(rays, [*rays[1:], rays[0] + 2 * n], strict=True):
            middle = ray + following  # in quarters of 2 pi / n, as those of lines are even
            seen = [s or _beside(n, line, middle) for line, s in zip(lines, where, strict=True)]
            inside = [s or _beside(n, ends, middle) for ends, s in zip(borders, edges, strict=True)]
            if all(
                s == (-1 if ends == (0, n - 1) else 1)
                for ends, s in zip(borders, inside, strict=True)
            ):
                corners[tuple(seen)] += 1
    return str(Counter(corners.values())[sides])


def _known(point: Point) -> Point:
    """Round a point a little, so that different calculations give the same."""
    x, y = point
    return (x + _HALF) >> _SHIFT << _SHIFT, (y + _HALF) >> _SHIFT << _SHIFT


def _beside(n: int, line: Line, direction: int) -> int:
    """Return the side of a line on which a direction from one of its points leads."""
    return 1 if 0 < (direction - 2 * sum(line)) % (4 * n) < 2 * n else -1


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare what a solution says with the lines and pieces of the problem."""
    n, lines, sides = problem
    pieces = _pieces(n, lines)
    told = ", ".join(f"({a + 1}, {b + 1})" for a, b in lines)
    numbers = ", ".join(f"{pieces[k]} with {k} sides" for k in sorted(pieces))
    return way == (
        f"lines: {told}\npieces: {pieces.total()}\nby sides: {numbers}\n"
        f"with {sides} sides: {answer}"
    )


VERIFIER = PlainVerifier(_read, _solve, _corners, "integer", _follows)
