"""Battleship: all placements of a fleet are listed once, and shots leave some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_, or_

from synthgen.authoring import PlainFamily, Problem, RowDraws, Words, axis, filled, levelled, params
from synthgen.authoring.distractors import other_sets

_WORDS = Words.beside(__file__)
_TEXTS = _WORDS["texts"]
_ASKS = ("ship", "water", "count")
_FLEETS = {
    4: ((3, 2), (2, 2, 1), (3, 1, 1)),
    5: ((3, 2, 1), (3, 2, 2), (4, 2, 1), (3, 2, 1, 1)),
    6: ((4, 3, 2), (3, 3, 2), (4, 2, 2)),
}
_NAMES = tuple("-".join(map(str, fleet)) for fleets in _FLEETS.values() for fleet in fleets)
_MAX_PLACEMENTS, _TRIES, _OFFERED = 30, 12, 12
_HIT, _EMPTY, _PLAIN = 0.35, 0.1, 0.3
"""Shares of shots that must hit, of empty answers, and of water that only touches hits, kept."""

Ship = tuple[int, int]
"""The cells of a ship, and these with all cells around them, as bits."""


@cache
def ships(side: int, size: int) -> list[Ship]:
    """Return all places of a ship."""
    made = []
    for down, right in ((0, 1), (1, 0))[: 1 + (size > 1)]:
        for row in range(side - down * (size - 1)):
            for column in range(side - right * (size - 1)):
                cells = [(row + k * down, column + k * right) for k in range(size)]
                around = {
                    (r + a, c + b)
                    for r, c in cells
                    for a in (-1, 0, 1)
                    for b in (-1, 0, 1)
                    if 0 <= r + a < side and 0 <= c + b < side
                }
                made.append((_bits(cells, side), _bits(around, side)))
    return made


def _bits(cells: Sequence[tuple[int, int]] | set[tuple[int, int]], side: int) -> int:
    return sum(1 << row * side + column for row, column in cells)


@cache
def placements(side: int, fleet: tuple[int, ...]) -> list[int]:
    """Return the cells of all placements of a fleet."""

    def place(number: int, first: int, taken: int, around: int) -> Iterator[int]:
        if number == len(fleet):
            yield taken
            return
        size = fleet[number]
        alike = number + 1 < len(fleet) and fleet[number + 1] == size
        for k, (cells, halo) in enumerate(ships(side, size)[first:], first):
            if not cells & around:
                yield from place(number + 1, k + 1 if alike else 0, taken | cells, around | halo)

    return [*place(0, 0, 0, 0)]


@levelled("n_placements", 3, 4, 5, 6, 7, 8, 10, 12, 16, 20)
@dataclass(frozen=True)
class Battleship(PlainFamily):
    """Hits and misses on a board, and a fleet that is stated.

    Attributes:
        asks: Questions: untried cells that certainly hold a "ship" or are "water", and the "count"
            of the placements that fit; drawn with equal probability.
        side: Side of the board.
        min_placements, max_placements: Fewest and most placements that fit the shots.
    """

    asks: tuple[str, ...] = params.choices(_ASKS, _ASKS)
    side: int = params.choice(5, tuple(_FLEETS))
    min_placements: int = params.integer(2, 1, _MAX_PLACEMENTS, up_to="max_placements")
    max_placements: int = params.integer(12, 1, _MAX_PLACEMENTS)

    verifier = "battleship"
    same_up_to = "turns and reflections of the board"
    answers_differ = True
    words = _WORDS
    symbols = {**dict.fromkeys(_ASKS, (5, 7)), "fleet": (2, 4)}
    answer_type = {"ship": "set", "water": "set", "count": "integer"}
    own_axes = {
        "side": axis("side of the board", "side", "side"),
        "fleet": axis("lengths of the ships", values=_NAMES),
        "n_placements": axis("placements that fit", "min_placements", "max_placements"),
        "n_shots": axis("shots", 1, 36),
        "n_certain": axis("cells of the answer", 0, 36),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Place a fleet, and shoot until few enough placements are left."""
        ask, fleet = draws.choice(self.asks), draws.choice(_FLEETS[self.side])
        keeps_empty, keeps_plain = draws.uniform() < _EMPTY, draws.uniform() < _PLAIN
        for _ in range(_TRIES):
            hits, misses, left = self._shots(fleet, draws)
            if not self.min_placements <= len(left) <= self.max_placements:
                continue
            if ask == "count":
                return self._problem(ask, fleet, (hits, misses), left, [])
            if ask == "ship":
                certain = self._cells(reduce(and_, left) & ~hits)
            else:
                certain = self._cells(~(reduce(or_, left) | misses))
                if not keeps_plain and {*certain} == {*self._cells(self._corners(hits) & ~misses)}:
                    continue
            if certain or keeps_empty:
                return self._problem(ask, fleet, (hits, misses), left, certain)
        return None

    def _shots(self, fleet: tuple[int, ...], draws: RowDraws) -> tuple[int, int, list[int]]:
        """Shoot until at most a drawn number of placements fits, and return those."""
        left = placements(self.side, fleet)
        truth = draws.choice(left)
        most = draws.integer(self.min_placements, self.max_placements + 1)
        untried = draws.shuffled(range(self.side**2))
        hits = misses = 0
        while len(left) > most and untried:
            must_hit = draws.uniform() < _HIT
            place = next((k for k, c in enumerate(untried) if truth >> c & 1), 0) if must_hit else 0
            bit = 1 << untried.pop(place)
            if truth & bit:
                hits |= bit
                left = [each for each in left if each & bit]
            else:
                misses |= bit
                left = [each for each in left if not each & bit]
        return hits, misses, left

    def _cells(self, bits: int) -> list[int]:
        return [cell for cell in range(self.side**2) if bits >> cell & 1]

    def _corners(self, hits: int) -> int:
        """Return the cells that touch a hit at a corner."""
        side, cells = self.side, set[tuple[int, int]]()
        for cell in self._cells(hits):
            row, column = divmod(cell, side)
            cells |= {(row + a, column + b) for a in (-1, 1) for b in (-1, 1)}
        return _bits({(r, c) for r, c in cells if 0 <= r < side and 0 <= c < side}, side)

    def _problem(
        self,
        ask: str,
        fleet: tuple[int, ...],
        shots: tuple[int, int],
        left: list[int],
        certain: list[int],
    ) -> Problem:
        side, (hits, misses) = self.side, shots
        marks = ["X" if hits >> c & 1 else "O" if misses >> c & 1 else "." for c in range(side**2)]
        rows = ["".join(marks[k : k + side]) for k in range(0, side**2, side)]
        answer = ", ".join(self._name(cell) for cell in certain) or _TEXTS["none"]
        return Problem(
            tree=(ask, ("fleet", *fleet), *(int(row.translate(_DIGITS)) for row in _turned(rows))),
            answer=str(len(left)) if ask == "count" else answer,
            holes={"rules": _TEXTS["rules"], "board": "\n".join(rows), "fleet": _fleet_text(fleet)},
            kind=ask,
            axes={
                "side": side,
                "fleet": "-".join(map(str, fleet)),
                "n_placements": len(left),
                "n_shots": (hits | misses).bit_count(),
                "n_certain": len(certain),
            },
            data=(left, certain, marks),
        )

    def _name(self, cell: int) -> str:
        return f"{chr(65 + cell % self.side)}{cell // self.side + 1}"

    def steps_of(self, problem: Problem) -> list[str]:
        """List the placements that fit."""
        left = [sorted(map(self._name, self._cells(each))) for each in problem.data[0]]
        return [" ".join(names) for names in sorted(left)]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Exchange, add or leave out cells that have not been shot at, or change the number."""
        left, certain, marks = problem.data
        if problem.kind == "count":
            return [str(n) for n in draws.shuffled(range(1, len(left) + 8))]
        untried = [cell for cell, mark in enumerate(marks) if mark == "."]
        made = other_sets(certain, untried, draws, _OFFERED)
        return [", ".join(self._name(cell) for cell in sorted(each)) for each in made]


_DIGITS = str.maketrans(".XO", "123")


def _turned(rows: list[str]) -> list[str]:
    """Return the first in order of the rotations and reflections of a board."""
    images = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        images += [rows, rows[::-1]]
    return min(images)


def _fleet_text(fleet: tuple[int, ...]) -> str:
    parts = []
    for size, count in Counter(fleet).items():
        holes: Mapping[str, object] = {"size": size}
        if count > 1:
            holes = {"size": size, "count": _TEXTS["counts"][count - 2]}
        parts.append(filled(_TEXTS["some" if count > 1 else "one"], holes))
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


GENERATORS = {"battleship": Battleship}
