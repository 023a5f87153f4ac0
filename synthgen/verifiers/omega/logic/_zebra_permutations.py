"""Puzzles of houses by sets of permutations: each category keeps the orders that are still open.

The n! ways to give a category's values to the houses are bits of one integer, and so are those in
which a value has a house. A clue on two categories leaves the orders of each for which the other
has a partner.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

from synthgen.verifiers.omega.logic._zebra_read import Clue, Puzzle
from synthgen.verifiers.omega.logic._zebra_vocabulary import PLACED, holds

_MOST_NODES = 4_000
Solution = tuple[int, ...]
"""House of each value, from 0."""


@cache
def _orders(n: int) -> list[tuple[int, ...]]:
    """Return every way to give houses to n values."""
    return list(permutations(range(n)))


@cache
def _having(n: int, value: int, houses: int) -> int:
    """Return the orders, as bits, in which a value has one of a set of houses, given by bits."""
    if houses & (houses - 1):
        return _having(n, value, houses & -houses) | _having(n, value, houses & (houses - 1))
    return sum(1 << at for at, order in enumerate(_orders(n)) if houses >> order[value] & 1)


@cache
def _partners(kind: str, n: int, houses: int, second: bool) -> int:  # noqa: FBT001 - cached
    """Return where the other value of a clue can be if one is in some of these houses, as bits."""
    found = 0
    for here in range(n):
        if houses >> here & 1:
            for there in range(n):
                if holds(kind, there, here) if second else holds(kind, here, there):
                    found |= 1 << there
    return found


@cache
def _together(kind: str, n: int, u: int, v: int) -> int:
    """Return the orders of one category that agree with a clue on two values of it."""
    found = 0
    for here in range(n):
        houses = sum(1 << there for there in range(n) if holds(kind, here, there))
        found |= _having(n, u, 1 << here) & _having(n, v, houses)
    return found


@cache
def _places(n: int, value: int) -> tuple[int, ...]:
    """Return, house by house, the orders in which a value is there."""
    return tuple(_having(n, value, 1 << house) for house in range(n))


def _houses(n: int, orders: int, value: int) -> int:
    """Return the houses that a value has in some of these orders, as bits."""
    found, bit = 0, 1
    for place in _places(n, value):
        if orders & place:
            found |= bit
        bit <<= 1
    return found


def _settle(n: int, clues: list[Clue], open_orders: list[int]) -> bool:
    """Drop orders without a partner until all have one; say whether every category has some."""
    fresh = set(range(len(open_orders)))  # categories that have lost orders
    while fresh:
        lately, fresh = fresh, set()
        for kind, u, v in clues:
            for one, other, second in ((u, v, False), (v, u, True)):
                if one // n not in lately and one // n not in fresh:
                    continue
                houses = _houses(n, open_orders[one // n], one % n)
                allowed = _having(n, other % n, _partners(kind, n, houses, second))
                left = open_orders[other // n] & allowed
                if not left:
                    return False
                if left != open_orders[other // n]:
                    fresh.add(other // n)
                    open_orders[other // n] = left
    return True


def _start(puzzle: Puzzle) -> tuple[list[int], list[Clue]]:
    """Return the orders that clues on single categories leave, and the other clues."""
    n = puzzle.n
    open_orders = [(1 << len(_orders(n))) - 1] * len(puzzle.names)
    between = []
    for kind, u, v in puzzle.clues:
        if kind in PLACED:
            houses = sum(1 << house for house in range(n) if holds(kind, house, v))
            open_orders[u // n] &= _having(n, u % n, houses)
        elif u // n == v // n:
            open_orders[u // n] &= _together(kind, n, u % n, v % n)
        else:
            between.append((kind, u, v))
    return open_orders, between


def solutions(puzzle: Puzzle) -> Iterator[Solution | None]:
    """Yield the solutions one by one; None if it takes too long to go on."""
    n = puzzle.n
    start, clues = _start(puzzle)
    todo, nodes = [start], 0
    while todo:
        open_orders = todo.pop()
        nodes += 1
        if nodes > _MOST_NODES:
            yield None
            return
        if not all(open_orders) or not _settle(n, clues, open_orders):
            continue
        several = [c for c, orders in enumerate(open_orders) if orders & (orders - 1)]
        if not several:
            chosen = [_orders(n)[orders.bit_length() - 1] for orders in open_orders]
            yield tuple(house for order in chosen for house in order)
            continue
        category = min(several, key=lambda c: open_orders[c].bit_count())
        orders = open_orders[category]
        value = next(v for v in range(n) if _houses(n, orders, v).bit_count() > 1)
        for house in range(n):
            left = orders & _having(n, value, 1 << house)
            todo.append([*open_orders[:category], left, *open_orders[category + 1 :]])
