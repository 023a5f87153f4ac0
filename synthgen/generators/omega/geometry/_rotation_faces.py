"""The pieces into which diagonals cut a regular polygon, traced from edge to edge, exactly.

Vertices lie at the n-th roots of unity. The diagonals ac and bd meet at
z = (ac(b + d) - bd(a + c)) / (ac - bd), and two such points are equal iff a sum of 16 roots of
unity is 0. Points are known by z modulo two primes that split in the cyclotomic field. If the sum
is 0 modulo both, they divide its norm, which is at most 16^phi(n) and so below their product for
the n that are allowed: the sum is 0. Directions are whole multiples of pi / n. Only the order of
points along a diagonal is taken from floats, which are far enough apart.
"""

from __future__ import annotations

from cmath import exp
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from math import pi

from synthgen.generators.omega.geometry._dihedral import MOST_SIDES

Chord = tuple[int, int]
"""Two vertices from 0 to n - 1, the lesser first."""
Point = tuple[int, int]
"""Residues of a point."""
_CLOSEST = 1e-7
_BITS = 61
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def side_counts(n: int, chords: Iterable[Chord]) -> Counter[int]:
    """Return how many pieces have how many sides.

    Args:
        n: sides of the polygon.
        chords: different diagonals.
    """
    ways = _edges(n, sorted(set(chords)))
    around: dict[Point, list[int]] = {}
    for node, direction in ways:
        around.setdefault(node, []).append(direction)
    seen = {(_vertex(n, (i + 1) % n), (2 * i + 1 + n) % (2 * n)) for i in range(n - 1)}
    seen.add((_vertex(n, 0), n - 1))
    counts: Counter[int] = Counter()
    for start in ways:
        if start in seen:
            continue
        sides, step = 0, start
        while step not in seen:
            seen.add(step)
            node, direction = ways[step], step[1]
            back = direction + n
            turn = min((back - other - 1) % (2 * n) for other in around[node])
            other = (back - turn - 1) % (2 * n)
            sides += other != direction
            step = (node, other)
        counts[sides] += 1
    return counts


def _edges(n: int, chords: list[Chord]) -> dict[tuple[Point, int], Point]:
    """Return where each edge ends, by its start and its direction, both ways along each line."""
    on_line: dict[Chord, dict[Point, complex]] = {}
    for i in range(n):
        on_line[min(i, (i + 1) % n), max(i, (i + 1) % n)] = {}
    for chord in chords:
        on_line[chord] = {}
    for k, (b, d) in enumerate(chords):
        for a, c in chords[:k]:
            if a < b < c < d:
                point, place = _crossing(n, a, b, c, d)
                on_line[a, c][point] = on_line[b, d][point] = place
    ways: dict[tuple[Point, int], Point] = {}
    for (i, j), inner in on_line.items():
        start = _root(n, i)
        order = sorted(inner, key=lambda point: abs(inner[point] - start))
        _check_order([abs(inner[point] - start) for point in order])
        nodes = [_vertex(n, i), *order, _vertex(n, j)]
        for one, other in pairwise(nodes):
            ways[one, (i + j) % (2 * n)] = other
            ways[other, (i + j + n) % (2 * n)] = one
    return ways


def _check_order(distances: list[float]) -> None:
    if any(far - near < _CLOSEST for near, far in pairwise(distances)):
        msg = "two points of a diagonal are too near for floats"
        raise ArithmeticError(msg)


@lru_cache(1 << 9)
def _vertex(n: int, i: int) -> Point:
    """Return the residues of a vertex."""
    (p, u), (q, v) = _fields(n)
    return pow(u, i, p), pow(v, i, q)


@lru_cache(1 << 9)
def _root(n: int, i: int) -> complex:
    return exp(2j * pi * i / n)


@lru_cache(1 << 18)
def _crossing(n: int, a: int, b: int, c: int, d: int) -> tuple[Point, complex]:
    """Return where the diagonals ac and bd meet: residues, and a float."""
    residues = []
    for place, (p, _) in enumerate(_fields(n)):
        w, x, y, z = (_vertex(n, i)[place] for i in (a, b, c, d))
        one, other = w * y % p, x * z % p
        residues.append((one * (x + z) - other * (w + y)) * pow(one - other, -1, p) % p)
    e, f, g, h = (_root(n, i) for i in (a, b, c, d))
    return (residues[0], residues[1]), (e * g * (f + h) - f * h * (e + g)) / (e * g - f * h)


@lru_cache(MOST_SIDES)
def _fields(n: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return two primes p = 1 mod n of more than 60 bits, each with a root of unity of order n."""
    found: list[tuple[int, int]] = []
    p = (1 << _BITS) // n * n + 1
    while len(found) < 2:
        if _is_prime(p):
            found.append((p, _root_of_unity(n, p)))
        p += n
    return found[0], found[1]


def _root_of_unity(n: int, p: int) -> int:
    factors = [q for q in range(2, n + 1) if n % q == 0 and _is_prime(q)]
    base = 2
    while True:
        root = pow(base, (p - 1) // n, p)
        if all(pow(root, n // q, p) != 1 for q in factors):
            return root
        base += 1


def _is_prime(p: int) -> bool:
    """Miller and Rabin's test, which these witnesses make a proof below 3 * 10^24."""
    if p in _WITNESSES:
        return True
    if p < 2 or any(p % q == 0 for q in _WITNESSES):
        return False
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for witness in _WITNESSES:
        x = pow(witness, odd, p)
        if x in (1, p - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % p
            if x == p - 1:
                break
        else:
            return False
    return True
