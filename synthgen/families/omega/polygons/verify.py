"""Diagonals, regions and colors of regular polygons, from the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb, gcd

from mpmath import cospi, ldexp, mpf, nint, sinpi, workprec

from synthgen.authoring import PlainVerifier, Words, holes, parts_of, reads

_WORDS = Words.beside(__file__)
_COUNT = holes.pattern("[1-9][0-9]{0,3}", int)
_PAIR = r"\([1-9][0-9]?, [1-9][0-9]?\)"
_NUMERAL = re.compile("[0-9]+", re.ASCII)
Line = tuple[int, int]
"""Two vertices from 0, the smaller one first."""


def _pairs_of(text: str) -> tuple[Line, ...]:
    ends = [int(numeral) - 1 for numeral in _NUMERAL.findall(text)]
    return tuple(zip(ends[::2], ends[1::2], strict=True))


_PAIRS = holes.pattern(f"{_PAIR}(?:, {_PAIR}){{0,99}}", _pairs_of)


def _counted(noun: str) -> holes.Hole:
    """Return a hole that holds a number of things, at most three digits."""
    return holes.pattern(
        f"(?:1 {noun}|(?:[2-9]|[1-9][0-9]{{1,2}}) {noun}s)", lambda text: int(text.split()[0])
    )


def _are_diagonals(n: int, lines: Sequence[Line]) -> bool:
    return all(max(line) < n and (line[0] - line[1]) % n not in (0, 1, n - 1) for line in lines)


# geometry_polygon_chords


@reads(_WORDS.part("chords"), n=_COUNT, pairs=_PAIRS)
def _read_chords(n: int, pairs: tuple[Line, ...]) -> tuple[int, tuple[Line, ...]] | None:
    different = len({frozenset(line) for line in pairs}) == len(pairs)
    return (n, pairs) if n <= 60 and different and _are_diagonals(n, pairs) else None


def _is_right(n: int, one: Line, other: Line) -> bool:
    """Return whether two diagonals meet at a right angle, by the arcs that it subtends.

    The angle at a common endpoint is half of the arc between the other ends; that at a crossing is
    half of the two arcs between neighboring ends.
    """
    (a, b), (c, d) = one, other
    if a in other or b in other:
        return 2 * abs(a + b - c - d) == n
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a < c < b < d:
        return 2 * (c - a + d - b) == n
    return c < a < d < b and 2 * (a - c + b - d) == n


def _right_angles(problem: tuple[int, tuple[Line, ...]]) -> str:
    n, lines = problem
    return str(sum([_is_right(n, one, other) for one, other in combinations(lines, 2)]))


def _follows_chords(
    problem: tuple[int, tuple[Line, ...]], answer: str, steps: Sequence[str]
) -> bool:
    """Compare the directions and the perpendicular pairs with the actual ones."""
    n, lines = problem
    names = [f"({a + 1}, {b + 1})" for a, b in lines]
    directions = [(a + b + 2) % n for a, b in lines]
    wanted = [f"{name}: direction {u}" for name, u in zip(names, directions, strict=True)]
    for i, j in combinations(range(len(lines)), 2):
        if 2 * ((directions[i] - directions[j]) % n) == n:
            verdict = "meet" if _is_right(n, lines[i], lines[j]) else "do not meet"
            wanted.append(f"{names[i]} and {names[j]}: {verdict}")
    return list(steps) == [*wanted, f"count: {answer}"]


# geometry_polygon_rotation: coordinates are integers in units of 2^-_SCALE. Whether a point is on
# a line is whether a sum of at most 32 roots of unity is 0. If it is not, its norm is an integer
# other than 0, and each conjugate is at most 32; so it is at least 32^(1 - phi(n)) > 2^-140 for n
# up to 30. Errors are below 2^-480.

_SCALE = 512
_ZERO = 1 << (_SCALE - 300)
_MAX_SIDES, _MAX_DIAGONALS = 30, 24
Point = tuple[int, int]
Piece = list[tuple[Point, Line]]
"""Corners in order, each with the line of the edge to the next corner."""
Cut = tuple[int, tuple[Line, ...], int]
"""Sides of the polygon, all lines, and sides of the pieces in question."""


@reads(
    _WORDS.part("rotation"), n=_COUNT, pairs=_PAIRS, r=_COUNT, s=_COUNT, places=_counted("place")
)
def _read_rotation(
    n: int, pairs: tuple[Line, ...], s: int, r: int = 0, places: int = 0
) -> Cut | None:
    turn = r or places
    if not (n <= _MAX_SIDES and len(pairs) <= _MAX_DIAGONALS and turn < n):
        return None
    moved = [((a + turn) % n, (b + turn) % n) for a, b in pairs]
    lines = {(min(line), max(line)) for line in (*pairs, *moved)}
    return (n, tuple(sorted(lines)), s) if _are_diagonals(n, pairs) else None


@cache
def _roots(n: int) -> list[Point]:
    """Return the vertices of the polygon."""
    with workprec(_SCALE + 64):
        turns = [mpf(2 * i) / n for i in range(n)]
        return [
            (int(nint(ldexp(cospi(t), _SCALE))), int(nint(ldexp(sinpi(t), _SCALE)))) for t in turns
        ]


def _side(n: int, line: Line, point: Point) -> int:
    """Return 1 for a point to the left of a line, 0 on it, -1 to the right."""
    (ax, ay), (bx, by) = (_roots(n)[end] for end in line)
    value = ((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) >> _SCALE
    return 0 if abs(value) < _ZERO else 1 if value > 0 else -1


@lru_cache(1 << 16)
def _meeting(n: int, one: Line, other: Line) -> Point:
    """Return where two lines meet that are not parallel."""
    (ax, ay), (bx, by) = (_roots(n)[end] for end in one)
    (cx, cy), (dx, dy) = (_roots(n)[end] for end in other)
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    along = (((cx - ax) * vy - (cy - ay) * vx) << _SCALE) // (ux * vy - uy * vx)
    return ax + (ux * along >> _SCALE), ay + (uy * along >> _SCALE)


@lru_cache(1 << 10)
def _pieces(n: int, lines: tuple[Line, ...]) -> tuple[list[int], Counter[int]]:
    """Cut the polygon along one line after the other.

    Returns:
        The number of pieces before and after each cut; the number of pieces in the end by corners.
    """
    borders = [(i, (i + 1) % n) for i in range(n)]
    pieces: list[Piece] = [[(_roots(n)[i], (min(i, j), max(i, j))) for i, j in borders]]
    numbers = [1]
    for line in lines:
        sides: dict[Point, int] = {}
        uncut: list[Piece] = []
        for piece in pieces:
            for corner, _ in piece:
                if corner not in sides:
                    sides[corner] = _side(n, line, corner)
            signs = {sides[corner] for corner, _ in piece}
            uncut += _halves(n, line, piece, sides) if {1, -1} <= signs else [piece]
        pieces = uncut
        numbers.append(len(pieces))
    return numbers, Counter(map(len, pieces))


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
            cut = _meeting(n, min(edge, line), max(edge, line))
            sides[cut] = 0
            left.append((cut, line if there < 0 else edge))
            right.append((cut, line if there > 0 else edge))
    return [left, right]


def _count_pieces(problem: Cut) -> str:
    n, lines, sides = problem
    return str(_pieces(n, lines)[1][sides])


def _follows_rotation(problem: Cut, answer: str, steps: Sequence[str]) -> bool:
    """Compare with the pieces after each cut: a line has a piece more than crossings."""
    n, lines, sides = problem
    numbers, counts = _pieces(n, lines)
    wanted = [
        f"line ({a + 1}, {b + 1}): crossings {after - before - 1}, regions {after}"
        for (a, b), before, after in zip(lines, numbers, numbers[1:], strict=False)
    ]
    total = " + ".join(f"{counts[k]} * {k}" for k in sorted(counts))
    return list(steps) == [
        *wanted,
        "by sides: " + ", ".join(f"{counts[k]} with {k} sides" for k in sorted(counts)),
        f"sides of all regions: {total} = {sum(k * counts[k] for k in counts)}",
        f"with {sides} sides: {answer}",
    ]


# geometry_polygon_color

_NAMES = (_WORDS["colour"]["open"], *_WORDS["colour"]["names"])
_COLOUR = holes.word(_NAMES[1:])
_ANY = holes.word(_NAMES).pattern
_MAX_OPEN = 8
Coloured = tuple[str, bytes, int, tuple[str, str]]
"""Kind, colors around (0 uncolored, 1 first, 2 second), rotation, names of the two colors."""


@reads(
    _WORDS.part("colour"),
    n=_COUNT,
    m=_COUNT,
    a=_COLOUR,
    b=_COLOUR,
    places=_counted("place"),
    colours=holes.pattern(f"{_ANY}(?:, {_ANY}){{2,30}}"),
)
def _read_colour(kind: str, n: int, colours: str, a: str, b: str, **turns: int) -> Coloured | None:
    numbers = {_NAMES[0]: 0, a: 1, b: 2}
    try:
        around = bytes([numbers[name] for name in colours.split(", ")])
    except KeyError:
        return None
    turn, n_open = sum(turns.values()), around.count(0)  # at most one wording of it
    if len(around) != n or a == b or not (1 in around and 2 in around) or turn >= n:
        return None
    fits = 0 < n_open <= _MAX_OPEN if kind == "paint" else n_open == 0
    return (kind, around, turn, (a, b)) if fits else None


def _landed(around: bytes, first: int, second: int) -> list[int]:
    """Return, for every rotation, the number of vertices of a color that land on another one."""
    n, doubled = len(around), around * 2
    starts = [place for place, colour in enumerate(around) if colour == first]
    return [sum(doubled[i + turn] == second for i in starts) for turn in range(n)]


def _paintings(around: bytes) -> list[bytes]:
    """Return all colorings that painting the uncolored vertices can give."""
    if 0 not in around:
        return [around]
    return [
        whole for colour in (b"\1", b"\2") for whole in _paintings(around.replace(b"\0", colour, 1))
    ]


@lru_cache(1 << 15)
def _count_colours(kind: str, around: bytes, turn: int) -> str:
    if kind == "paint":
        return str(sum([0 in _landed(whole, 1, 1) for whole in _paintings(around)]))
    landed = _landed(around, 1, 2)
    return str(landed[turn] if kind == "turn" else max(landed))


def _follows_colour(problem: Coloured, answer: str, steps: Sequence[str]) -> bool:
    """Follow pairs of places, counts of rotations, or the smallest rotation for each painting."""
    kind, around, turn, names = problem
    n = len(around)
    if kind == "turn":
        pairs = [(i, (i + turn) % n) for i in range(n)]
        moved = [f"{i + 1} to {j + 1}" for i, j in pairs if (around[i], around[j]) == (1, 2)]
        return list(steps) == [", ".join(moved) or "none", f"count: {answer}"]
    if kind == "best":
        counts = enumerate(_landed(around, 1, 2))
        lines = [f"{places}/{n} of a turn: {count}" for places, count in counts]
        return list(steps) == [*lines, f"largest: {answer}"]
    wholes = _paintings(around)
    if len(steps) != len(wholes) + 1 or steps[-1] != f"ways: {answer}":
        return False
    open_places = [place for place, colour in enumerate(around) if colour == 0]
    for line, whole in zip(steps, wholes, strict=False):
        head = ", ".join(names[whole[place] - 1] for place in open_places)
        landed = _landed(whole, 1, 1)
        smallest = f"{landed.index(0)}/{n} of a turn" if 0 in landed else "none"
        if line != f"{head}: {smallest}":
            return False
    return True


# comp_n_gon

_TILES = _WORDS["n_gon"]["tiles"]
_MAX_TILES = 40
Lettered = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Vertices, copies of each letter, copies of the letters that count."""


def _item(wording: str) -> re.Pattern[str]:
    values = {"count": "(?P<count>[2-9]|[1-9][0-9])", "letter": "(?P<letter>[a-z])"}
    parts = parts_of(wording)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [values[name] for name in parts[1::2]]
    return re.compile("".join(parts), re.ASCII)


_ONE, _MANY = (list(map(_item, _TILES[name])) for name in ("one", "many"))


def _tiles_of(text: str) -> Counter[str] | None:
    """Read a list of tiles in one of the styles; the last style lists every single tile."""
    head, _, last = text.rpartition(" and ")
    items = [*head.split(", "), last]
    for style, one in enumerate(_ONE):
        patterns = (one, _MANY[style]) if style < len(_MANY) else (one,)
        parsed = [next(filter(None, (p.fullmatch(item) for p in patterns)), None) for item in items]
        matches = [match.groupdict() for match in parsed if match]
        bag: Counter[str] = Counter()
        for match in matches:
            bag[match["letter"]] += int(match.get("count", 1))
        if len(matches) == len(items) and (style >= len(_MANY) or len(bag) == len(items)):
            return bag
    return None


@reads(
    _WORDS.part("n_gon"),
    n=_COUNT,
    r=_COUNT,
    places=_counted("place"),
    seats=_counted("seat"),
    s=holes.pattern("[a-z]"),
    tiles=holes.pattern("[0-9a-z'×, ()]{3,400}", _tiles_of),
)
def _read_letters(
    kind: str, n: int, tiles: Counter[str] | None, s: str = "", **turns: int
) -> Lettered | None:
    (turn,) = turns.values()
    if tiles is None or not 3 <= n <= tiles.total() <= _MAX_TILES or turn >= n:
        return None
    counts = tuple(sorted(tiles.values(), reverse=True))
    chosen = counts if kind == "all" else (tiles[s],)
    return (n, counts, chosen) if max(chosen) > 1 else None


def _expected(problem: Lettered) -> Fraction:
    """Sum over the number of drawn tiles of each letter, which lie at random on the vertices."""
    n, counts, chosen = problem
    total = sum(counts)
    value = Fraction(0)
    for copies in chosen:
        for drawn in range(2, min(copies, n) + 1):
            ways = comb(copies, drawn) * comb(total - copies, n - drawn)
            value += Fraction(ways * drawn * (drawn - 1), comb(total, n) * (n - 1))
    return value


def _sum_of_parts(value: Fraction) -> str:
    return str(value.numerator + value.denominator)


def _reduced(value: Fraction) -> str:
    """Return the last line of a solution."""
    top, bottom = value.numerator, value.denominator
    return f"{top}/{bottom}: {top} + {bottom} = {top + bottom}"


def _follows_letters(problem: Lettered, answer: str, steps: Sequence[str]) -> bool:
    """Compare with the lines that a solution must have."""
    n, counts, chosen = problem
    total, value = sum(counts), _expected(problem)
    terms = " + ".join(f"{c} * {c - 1}" for c in chosen if c > 1)
    equal, pairs = sum(c * (c - 1) for c in chosen), total * (total - 1)
    return _sum_of_parts(value) == answer and list(steps) == [
        f"equal pairs: {terms} = {equal} of {total} * {total - 1} = {pairs}",
        f"{n} * {equal}/{pairs} = {_reduced(value)}",
    ]


# comp_vertex_color

Random = tuple[str, int, int, int]
"""Kind, vertices, and the chance of blue as a fraction, or blue vertices and zero."""


@reads(
    _WORDS.part("vertex"),
    n=_COUNT,
    k=_COUNT,
    p=holes.pattern("[1-9][0-9]?/[1-9][0-9]?", lambda text: tuple(map(int, text.split("/")))),
)
def _read_random(kind: str, n: int, k: int = 0, p: tuple[int, int] | None = None) -> Random | None:
    if not 3 <= n <= 14 or k >= n or (p and (p[0] >= p[1] or gcd(*p) != 1)):
        return None
    return (kind, n, *(p or (k, 0)))


_REFLECTED = -1
"""Key of a reflection among the numbers of vertices of rotations."""


@cache
def _good_sets(n: int) -> list[Counter[int]]:
    """Count the good sets of each size by the least residue that their differences leave out.

    A rotation by r takes no blue vertex to a blue one if r is not a difference of two of them;
    the reflection of i to s - i takes none to a blue one if s is not a sum of two. Sets whose
    differences are all residues but whose sums are not are counted as reflected.
    """
    full = (1 << n) - 1
    counts: list[Counter[int]] = [Counter() for _ in range(n + 1)]
    for size in range(n // 2 + 1):  # more blue vertices than red ones have no room
        for blue in combinations(range(n), size):
            differences = sums = 0
            for i in blue:
                for j in blue:
                    differences |= 1 << (i - j) % n
                    sums |= 1 << (i + j) % n
            if differences != full:
                counts[size][(~differences & differences + 1).bit_length() - 1] += 1
            elif sums != full:
                counts[size][_REFLECTED] += 1
    return counts


def _good(kind: str, n: int) -> list[int]:
    """Count the good sets of each size."""
    mirrors = kind.startswith("symmetry")
    return [c.total() - (0 if mirrors else c[_REFLECTED]) for c in _good_sets(n)]


def _probability(problem: Random) -> Fraction:
    kind, n, first, second = problem
    good = _good(kind, n)
    if not second:
        return Fraction(good[first], comb(n, first))
    blue = Fraction(first, second)
    return sum((many * blue**k * (1 - blue) ** (n - k) for k, many in enumerate(good)), Fraction(0))


def _solve_random(problem: Random) -> str | None:
    value = _probability(problem)
    return _sum_of_parts(value) if 0 < value < 1 else None


def _follows_random(problem: Random, answer: str, steps: Sequence[str]) -> bool:
    """Compare with the lines that a solution must have."""
    kind, n, first, second = problem
    good, value = _good(kind, n), _probability(problem)
    lines = ["colourings by the smallest rotation that works, in vertices, or by reflection:"]
    for k in range(n // 2 + 1) if second else (first,):
        sets = _good_sets(n)[k]
        works = [f"{turn} ({sets[turn]})" for turn in range(n) if sets[turn]]
        if kind.startswith("symmetry") and sets[_REFLECTED]:
            works.append(f"reflection ({sets[_REFLECTED]})")
        lines.append(f"{k} blue: {', '.join(works) or 'none'}; {good[k]} of {comb(n, k)}")
    if second:
        lines.append(f"{value * second**n} of {second}^{n} = {second**n}")
    return _sum_of_parts(value) == answer and list(steps) == [*lines, _reduced(value)]


VERIFIERS = {
    "comp_n_gon": PlainVerifier(
        _read_letters, lambda problem: _sum_of_parts(_expected(problem)), follows=_follows_letters
    ),
    "comp_vertex_color": PlainVerifier(_read_random, _solve_random, follows=_follows_random),
    "geometry_polygon_chords": PlainVerifier(_read_chords, _right_angles, follows=_follows_chords),
    "geometry_polygon_color": PlainVerifier(
        _read_colour,
        lambda problem: _count_colours(*problem[:3]),
        follows=_follows_colour,
        remembered=0,
    ),
    "geometry_polygon_rotation": PlainVerifier(
        _read_rotation, _count_pieces, follows=_follows_rotation
    ),
}
