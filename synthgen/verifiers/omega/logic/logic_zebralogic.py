"""Puzzles of houses from the text: sets of permutations, brute force, and a search by values."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, permutations, product
from math import factorial

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega.logic._zebra_permutations import Solution, solutions
from synthgen.verifiers.omega.logic._zebra_read import Puzzle, read_puzzle
from synthgen.verifiers.omega.logic._zebra_vocabulary import PLACED, holds

_MOST_TABLES = 15_000
_MOST_NODES = 200_000
Houses = dict[int, set[int]]


@lru_cache(1 << 14)
def _only_solution(puzzle: Puzzle) -> Solution | None:
    """Return the solution of a puzzle that has exactly one."""
    found = list(islice(solutions(puzzle), 2))
    return found[0] if len(found) == 1 else None


def _place(puzzle: Puzzle, solution: Solution | None) -> str | None:
    """Return where the answer stands among the choices."""
    if solution is None:
        return None
    house = puzzle.house if puzzle.named < 0 else solution[puzzle.named]
    return str([solution[choice] for choice in puzzle.choices].index(house))


def _solve(puzzle: Puzzle) -> str | None:
    return _place(puzzle, _only_solution(puzzle))


def _exact(puzzle: Puzzle) -> str | None:
    """Try all tables where they are few, else give houses to one value after the other."""
    n, m = puzzle.n, len(puzzle.names)
    if factorial(n) ** m <= _MOST_TABLES:
        found = [table for table in _tables(n, m) if _agrees(puzzle, table)]
    else:
        found = _Search(puzzle).found
    return _place(puzzle, found[0]) if len(found) == 1 else None


def _tables(n: int, m: int) -> list[Solution]:
    orders = list(permutations(range(n)))
    return [tuple(h for order in table for h in order) for table in product(orders, repeat=m)]


def _agrees(puzzle: Puzzle, table: Solution) -> bool:
    return all(
        holds(kind, table[u], v if kind in PLACED else table[v]) for kind, u, v in puzzle.clues
    )


class _Search:
    """Depth-first search for two solutions: the value with the fewest houses left is next.

    Attributes:
        found: at most two solutions; three, none of which counts, if the search was too long.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.found: list[Solution] = []
        self._n = puzzle.n
        self._nodes = 0
        size = puzzle.n * len(puzzle.names)
        houses = {value: set(range(puzzle.n)) for value in range(size)}
        self._clues: dict[int, list[tuple[str, int, bool]]] = {value: [] for value in range(size)}
        for kind, u, v in puzzle.clues:
            if kind in PLACED:
                houses[u] = {house for house in houses[u] if holds(kind, house, v)}
            else:
                self._clues[u].append((kind, v, False))
                self._clues[v].append((kind, u, True))
        self._go_on({}, houses)

    def _go_on(self, placed: dict[int, int], houses: Houses) -> None:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            self.found = [(), (), ()]
        if len(self.found) > 1:
            return
        if not houses:
            self.found.append(tuple(placed[value] for value in range(len(placed))))
            return
        value = min(houses, key=lambda one: len(houses[one]))
        for house in sorted(houses[value]):
            left = self._left(value, house, houses)
            if left is not None:
                self._go_on({**placed, value: house}, left)

    def _left(self, value: int, house: int, houses: Houses) -> Houses | None:
        """Return the houses of the other values once one value has its own, or None."""
        left = {other: set(mine) for other, mine in houses.items() if other != value}
        first = value - value % self._n
        for other in range(first, first + self._n):
            if other in left:
                left[other].discard(house)
        for kind, other, second in self._clues[value]:
            if other in left:
                pairs = (
                    (one, holds(kind, *((one, house) if second else (house, one))))
                    for one in left[other]
                )
                left[other] = {one for one, fits in pairs if fits}
        return left if all(left.values()) else None


def _follows(puzzle: Puzzle, answer: str, way: str) -> bool:
    """Compare the table with the solution, and its last line with the answer."""
    solution = _only_solution(puzzle)
    if solution is None:
        return False
    n = puzzle.n
    lines = []
    for house in range(n):
        names = [
            next(name for i, name in enumerate(listed) if solution[c * n + i] == house)
            for c, listed in enumerate(puzzle.names)
        ]
        lines.append(f"house {house + 1}: {', '.join(names)}")
    chosen = puzzle.choices[int(answer)]
    name = puzzle.names[puzzle.asked][chosen % n]
    return way == "\n".join([*lines, f"answer: {name}, number {answer}"])


VERIFIER = PlainVerifier(lru_cache(1 << 10)(read_puzzle), _solve, _exact, "integer", _follows)
