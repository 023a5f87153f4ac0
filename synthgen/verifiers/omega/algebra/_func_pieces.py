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
    known: dict[tuple[int, int, bool], list[Piece]] = {}
    at_pole: dict[int, bool] = {}
    for i, piece in enumerate(old.pieces):
        # Pieces between the same two limits, as behind a wave, need to be cut once only.
        place = id(piece[0]), id(piece[1]), piece[2]
        if place not in known:
            known[place] = _parts(layer, piece)
        new.pieces += known[place]
        new.joined += [pole is None] * (len(known[place]) - 1)
        if len(new.pieces) > _MOST_PIECES:
            raise OpenError
        if i < len(old.joined):
            if pole is not None and old.joined[i] and place[1] not in at_pole:
                at_pole[place[1]] = _side(piece[1], pole) == 0
            new.joined.append(old.joined[i] and not at_pole.get(place[1], False))
    for end in old.ends:
        new.ends.append(None if end is None else forward(layer, end, _BITS))
    return new


def _parts(layer: Layer, piece: Piece) -> list[Piece]:
    """Return the pieces that a layer makes of one, from left to right."""
    left, right, up = piece
    ends = _limit(layer, left, above=up), _limit(layer, right, above=not up)
    low, high = (left, right) if up else (right, left)
    if layer[0] in ("sin", "cos"):
        heights = _crest_heights(layer, low, high)
        values = [ends[0], *(heights if up else heights[::-1]), ends[1]]
        return [(a, b, _rises(a, b)) for a, b in pairwise(values)]
    cut = _cut(layer, low, high)
    if cut is None:
        return [(*ends, _rises(*ends))]
    before, after = _limit(layer, cut, above=not up), _limit(layer, cut, above=up)
    return [(ends[0], before, _rises(ends[0], before)), (after, ends[1], _rises(after, ends[1]))]


def _rises(a: Limit, b: Limit) -> bool:
    if isinstance(a, float):
        return a < 0
    return _side(b, a) > 0 if not isinstance(b, float) else b > 0


def _cut(layer: Layer, low: Limit, high: Limit) -> Fraction | None:
    """Return the place strictly between two at which a layer turns or has a pole, if any."""
    kind, c = layer
    if kind in ("linear", "exp"):
        return None
    place = {"quadratic": Fraction(-c[1], 2 * c[0]), "abs": Fraction(c[1])}.get(kind)
    if place is None:
        place = Fraction(-c[3], c[2])
    return place if _side(low, place) < 0 < _side(high, place) else None


def _crest_heights(layer: Layer, low: Limit, high: Limit) -> list[Limit]:
    """Return the heights of the crests strictly between two places: one and the other in turn."""
    kind, (_, b, c, _) = layer
    if isinstance(low, float) or isinstance(high, float):
        raise OpenError  # infinitely many
    first: Number = Fraction(1, 2) if kind == "sin" else Fraction(0)
    if c:
        first = plus(first, ratio(Fraction(-c), pi(_BITS), _BITS), _BITS)

    def crest(k: int) -> Number:
        turn = affine(first, 1, k, _BITS)
        return turn / b if not isinstance(turn, tuple) else (turn[0] // b, -(-turn[1] // b))

    k = (bounds(affine(low, b, 0, _BITS), _BITS)[0] >> _BITS) - 3
    last = (bounds(affine(high, b, 0, _BITS), _BITS)[1] >> _BITS) + 3
    if last - k > _MOST_PIECES:
        raise OpenError
    while _side(low, crest(k)) >= 0:
        k += 1
    while _side(high, crest(last)) <= 0:
        last -= 1
    n = max(last - k + 1, 0)
    two = [_limit(layer, crest(number), above=True) for number in range(k, k + min(n, 2))]
    return [two[i % 2] for i in range(n)]


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
