"""Clues that leave one solution and are all needed: sets of houses by value, and search.

Value h of category c has number c * n + h, and the solution has it in house h, from 0. So the
solution of every puzzle is known; the search is for another one. Sets of houses are bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from synthgen.authoring import RowDraws

SAME, APART, LEFT, JUST_LEFT, NEXT, GAP, AT, NOT_AT = range(8)
"""Kinds of clues: two values are in the same house or in different ones; the first is somewhere,
or immediately, to the left of the second; their houses are adjacent, or have one house between
them; a value is in a house, or not."""
KINDS = ("same", "apart", "left", "just_left", "next", "gap", "at", "not_at")
MUTUAL = (SAME, APART, NEXT, GAP)
"""Kinds of clues that mean the same with both values exchanged."""
MAX_HOUSES = 7
Clue = tuple[int, int, int]
"""Kind, value, and value or house."""

_HOLDS: dict[int, Callable[[int, int], bool]] = {
    SAME: lambda here, there: here == there,
    APART: lambda here, there: here != there,
    LEFT: lambda here, there: here < there,
    JUST_LEFT: lambda here, there: here + 1 == there,
    NEXT: lambda here, there: abs(here - there) == 1,
    GAP: lambda here, there: abs(here - there) == 2,
    AT: lambda here, there: here == there,
    NOT_AT: lambda here, there: here != there,
}
_SETS = range(1 << MAX_HOUSES)


def _partners(kind: int, *, back: bool) -> list[int]:
    """Return, for each set of houses of one value of a clue, those that it leaves to the other."""
    pairs = [(i, j) for i in range(MAX_HOUSES) for j in range(MAX_HOUSES) if _HOLDS[kind](i, j)]
    if back:
        pairs = [(j, i) for i, j in pairs]
    left = [sum({1 << j for i, j in pairs if i == house}) for house in range(MAX_HOUSES)]
    partners = [0] * len(_SETS)
    for houses in _SETS[1:]:  # the partners of the lowest house, and of the smaller set without it
        lowest = (houses & -houses).bit_length() - 1
        partners[houses] = partners[houses & (houses - 1)] | left[lowest]
    return partners


_PARTNERS = {kind: (_partners(kind, back=False), _partners(kind, back=True)) for kind in _HOLDS}
_COUNTS = [houses.bit_count() for houses in _SETS]


class Street:
    """The houses that some clues leave to each value.

    Args:
        n: Number of houses.
        m: Number of categories.
        clues: Clues that the known solution satisfies.
    """

    def __init__(self, n: int, m: int, clues: Sequence[Clue] = ()) -> None:
        self._n = n
        self._open = [(1 << n) - 1] * (n * m)
        self._known = [1 << value % n for value in range(n * m)]
        self._arcs: list[list[tuple[list[int], int]]] = [[] for _ in self._open]
        for clue in clues:
            self.add(clue)

    def add(self, clue: Clue) -> None:
        """Add a clue, and take from every value the houses that it excludes."""
        kind, u, v = clue
        there, back = _PARTNERS[kind]
        if kind in (AT, NOT_AT):
            self._open[u] &= back[1 << v]
            self._settle(self._open, [u])
        else:
            self._arcs[u].append((there, v))
            self._arcs[v].append((back, u))
            self._settle(self._open, [u, v])

    def second_solution(self) -> list[int] | None:
        """Return the house of each value in a solution that is not the known one, if any."""
        solution = self._search(self._open)
        return solution and [houses.bit_length() - 1 for houses in solution]

    def _search(self, houses: list[int]) -> list[int] | None:
        """Branch on a value with the fewest houses left, and try its known house last."""
        chosen, fewest = -1, MAX_HOUSES + 1
        for value, left in enumerate(houses):
            if 1 < _COUNTS[left] < fewest:
                chosen, fewest = value, _COUNTS[left]
        if chosen < 0:
            return houses if houses != self._known else None
        own = self._known[chosen]
        for house in (*_bits(houses[chosen] & ~own), *_bits(houses[chosen] & own)):
            after = houses.copy()
            after[chosen] = house
            if self._settle(after, [chosen]):
                solution = self._search(after)
                if solution:
                    return solution
        return None

    def _settle(self, houses: list[int], fresh: list[int]) -> bool:
        """Follow clues from values that have lost houses; return whether every value keeps some."""
        dirty = set()
        while True:
            while fresh:
                value = fresh.pop()
                dirty.add(value // self._n)
                left = houses[value]
                for partners, other in self._arcs[value]:
                    before = houses[other]
                    after = before & partners[left]
                    if after != before:
                        if not after:
                            return False
                        houses[other] = after
                        fresh.append(other)
            if not dirty:
                return True
            if not self._deal(houses, dirty.pop() * self._n, fresh):
                return False

    def _deal(self, houses: list[int], first: int, fresh: list[int]) -> bool:
        """Give each house of a category to one value; return whether that is possible.

        A house that is settled is lost to the other values, and one that only a single value can
        have is settled. Values that lose houses are added to `fresh`.
        """
        values = range(first, first + self._n)
        once = twice = settled = 0
        for value in values:
            left = houses[value]
            if not left & (left - 1):
                if settled & left:
                    return False
                settled |= left
            twice |= once & left
            once |= left
        if once != (1 << self._n) - 1:
            return False
        single = once & ~twice
        for value in values:
            left = houses[value]
            if left & (left - 1):
                own = left & single
                after = own or left & ~settled
                if not after or own & (own - 1):
                    return False
                if after != left:
                    houses[value] = after
                    fresh.append(value)
        return True


def _bits(houses: int) -> Iterator[int]:
    while houses:
        yield houses & -houses
        houses &= houses - 1


# --- drawing ---

_TRIES = 400
_DRAWN = (
    *(SAME, SAME, SAME, SAME, SAME, APART, AT, NOT_AT),
    *(LEFT, LEFT, JUST_LEFT, JUST_LEFT, NEXT, NEXT, GAP, GAP),
)
"""Kinds of clues, repeated by weight."""


def draw_clues(draws: RowDraws, n: int, m: int) -> list[Clue]:
    """Draw clues of n houses and m categories that only the known solution satisfies.

    Each clue excludes a solution that those before it leave. Then, in random order, every clue
    that the others imply is dropped.
    """
    street, clues, others = Street(n, m), list[Clue](), list[list[int]]()
    while other := street.second_solution():
        drawn = (_draw_clue(draws, n, m) for _ in range(_TRIES))
        clue = next((one for one in drawn if one and not _is_true(one, other)), None)
        if clue is None:
            value = next(value for value, house in enumerate(other) if house != value % n)
            clue = (AT, value, value % n)
        street.add(clue)
        clues.append(clue)
        others.append(other)
    words = [draws.bits() for _ in clues]
    for last in range(len(clues) - 1, 0, -1):
        chosen = words[last] * (last + 1) >> 64
        clues[chosen], clues[last] = clues[last], clues[chosen]
    return _needed(n, m, clues, others)


def _needed(n: int, m: int, clues: list[Clue], others: list[list[int]]) -> list[Clue]:
    """Drop the clues that the rest imply, the last one first.

    A solution that only one of the clues excludes proves that this clue is needed.
    """
    broken = [{clue for clue in clues if not _is_true(clue, other)} for other in others]
    for clue in reversed(clues.copy()):
        if {clue} not in broken:
            rest = [one for one in clues if one != clue]
            if not Street(n, m, rest).second_solution():
                clues = rest
                for excluding in broken:
                    excluding.discard(clue)
    return clues


def _draw_clue(draws: RowDraws, n: int, m: int) -> Clue | None:
    """Draw a clue that the known solution satisfies; None if a house lies beyond the row."""
    kind, value = draws.choice(_DRAWN), draws.integer(0, m * n)
    category, house = divmod(value, n)
    words = draws.bits(), draws.bits()
    other_category, other_house = words[0] * m >> 64, house
    if kind in (SAME, APART):
        other_category = (category + 1 + (words[0] * (m - 1) >> 64)) % m
    if kind in (APART, NOT_AT):
        other_house = (house + 1 + (words[1] * (n - 1) >> 64)) % n
    elif kind == LEFT:
        other_house += 1 + (words[1] * n >> 64)
    elif kind in (JUST_LEFT, NEXT, GAP):
        other_house += 2 if kind == GAP else 1
    if other_house >= n:
        return None
    return kind, value, other_house if kind in (AT, NOT_AT) else other_category * n + other_house


def _is_true(clue: Clue, houses: Sequence[int]) -> bool:
    """Return whether a clue is true of the house of each value."""
    kind, u, v = clue
    return _HOLDS[kind](houses[u], v if kind in (AT, NOT_AT) else houses[v])
