"""Brute force for one function: all monotone pieces, layer by layer, as a plain list.

This goes forward from x where `_func_back` goes backward from a value, and lists every single piece
and turning point. Limits are numbers as in `_func_fixed`, or infinities.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from synthgen.verifiers.omega.algebra._func_fixed import (
    Number,
    OpenError,
    affine,
    bounds,
    pi,
    plus,
    ratio,
    sign,
)
from synthgen.verifiers.omega.algebra._func_points import forward
from synthgen.verifiers.omega.algebra._func_read import Layer, Layers

_MOST_PIECES = 30_000
_INFINITY = float("inf")
Limit: TypeAlias = "Number | float"
Piece: TypeAlias = tuple[Limit, Limit, bool]
"""Limits on the left and on the right, and whether the function rises between them."""


@dataclass
class Pieces:
    """Monotone pieces from left to right.

    Attributes:
        pieces: their limits and directions.
        joined: whether the function is defined between a piece and the next one.
        ends: its values at the interval's ends, None where undefined.
    """

    pieces: list[Piece]
    joined: list[bool] = field(default_factory=list)
    ends: list[Number | None] = field(default_factory=list)

    def turns(self) -> list[bool]:
        """Return for each turning point whether it is a maximum."""
        return [piece[2] for piece, joined in zip(self.pieces, self.joined, strict=False) if joined]

    def zeros(self) -> int:
        """Return how often the function is zero."""
        count = sum(_side(a, 0) * _side(b, 0) < 0 for a, b, _ in self.pieces)
        inner = zip(self.pieces, self.joined, strict=False)
        count += sum(joined and _side(piece[1], 0) == 0 for piece, joined in inner)
        return count + sum(end is not None and sign(end) == 0 for end in self.ends)


def _side(limit: Limit, place: Number | int) -> int:
    """Return the sign of a limit minus a number."""
    if isinstance(limit, float):
        return 1 if limit > 0 else -1
    if not isinstance(limit, tuple) and not isinstance(place, tuple):
        return (limit > place) - (limit < place)
    bits = _BITS
    number = Fraction(place) if isinstance(place, int) else place
    return sign(plus(limit, affine(number, -1, 0, bits), bits))


_BITS = 384


def pieces_of(layers: Layers, reach: int) -> Pieces:
    """Return all pieces of a function on [-reach, reach].

    Raises:
        OpenError: if a comparison stays open, or there are too many.
    """
    low, high = Fraction(-reach), Fraction(reach)
    now = Pieces([(low, high, True)], [], [low, high])
    for layer in layers:
        now = _pushed(layer, now)
        if len(now.pieces) > _MOST_PIECES:
            raise OpenError
    return now


def _pushed(layer: Layer, old: Pieces) -> Pieces:
    kind, c = layer
    pole = Fraction(-c[3], c[2]) if kind == "quotient" else None
    new = Pieces([], [], [])
    for i, (left, right, up) in enumerate(old.pieces):
        cuts = _cuts(layer, left, right) if up else _cuts(layer, right, left)[::-1]
        places: list[Limit] = [left, *cuts, right]
        for first, second in pairwise(places):
            a, b = _limit(layer, first, above=up), _limit(layer, second, above=not up)
            new.pieces.append((a, b, _rises(a, b)))
        new.joined += [pole is None] * len(cuts)
        if i < len(old.joined):
            at_pole = pole is not None and old.joined[i] and _side(right, pole) == 0
            new.joined.append(old.joined[i] and not at_pole)
    for end in old.ends:
        new.ends.append(None if end is None else forward(layer, end, _BITS))
    return new


def _rises(a: Limit, b: Limit) -> bool:
    if isinstance(a, float):
        return a < 0
    return _side(b, a) > 0 if not isinstance(b, float) else b > 0


def _cuts(layer: Layer, low: Limit, high: Limit) -> list[Limit]:
    """Return the places strictly between two at which a layer turns or has a pole, rising."""
    kind, c = layer
    if kind in ("sin", "cos"):
        return _crests(layer, low, high)
    if kind in ("linear", "exp"):
        return []
    place = {"quadratic": Fraction(-c[1], 2 * c[0]), "abs": Fraction(c[1])}.get(kind)
    if place is None:
        place = Fraction(-c[3], c[2])
    return [place] if _side(low, place) < 0 < _side(high, place) else []


def _crests(layer: Layer, low: Limit, high: Limit) -> list[Limit]:
    kind, (_, b, c, _) = layer
    if isinstance(low, float) or isinstance(high, float):
        raise OpenError  # infinitely many
    first: Number = Fraction(1, 2) if kind == "sin" else Fraction(0)
    if c:
        first = plus(first, ratio(Fraction(-c), pi(_BITS), _BITS), _BITS)
    k = (bounds(affine(low, b, 0, _BITS), _BITS)[0] >> _BITS) - 3
    found: list[Limit] = []
    while True:
        turn = affine(first, 1, k, _BITS)
        place = turn / b if not isinstance(turn, tuple) else (turn[0] // b, -(-turn[1] // b))
        if _side(high, place) <= 0:
            return found
        if _side(low, place) < 0:
            found.append(place)
        if len(found) > _MOST_PIECES:
            raise OpenError
        k += 1


def _limit(layer: Layer, u: Limit, *, above: bool) -> Limit:
    """Return a layer's limit as its argument comes to u from above or below."""
    kind, c = layer
    if isinstance(u, float):
        if kind == "linear":
            return u * c[0]
        if kind == "quotient":
            return Fraction(c[0], c[2])
        if kind == "exp":
            return _INFINITY * c[0] if u * c[1] > 0 else Fraction(c[2])
        return _INFINITY * c[0]
    if kind == "quotient" and _side(u, Fraction(-c[3], c[2])) == 0:
        rises = c[0] * c[3] > c[1] * c[2]
        return -_INFINITY if rises == above else _INFINITY
    if kind in ("sin", "cos") and isinstance(u, tuple):
        # Only crests are irrational places: every other place before a wave is rational.
        return _crest_height(layer, u)
    value = forward(layer, u, _BITS)
    if value is None:
        raise OpenError
    return value


def _crest_height(layer: Layer, u: Number) -> Limit:
    value = forward(layer, u, _BITS)
    c = layer[1]
    for height in (c[3] - abs(c[0]), c[3] + abs(c[0])):
        if value is not None:
            low, high = bounds(plus(value, Fraction(-height), _BITS), _BITS)
            if low <= 0 <= high:
                return Fraction(height)
    raise OpenError
