"""OMEGA logic: who lives where in a row of houses, from clues with one solution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega.logic._zebra_draw import draw_clues
from synthgen.generators.omega.logic._zebra_form import (
    MOST_CLUES,
    SYMBOLS,
    Clue,
    Question,
    tree_of,
)
from synthgen.generators.omega.logic._zebra_solver import AT, SAME
from synthgen.generators.omega.logic._zebra_text import Puzzle
from synthgen.generators.omega.logic._zebra_words import WORDINGS

_FEWEST = 2
_SMALLEST = 200
"""Puzzles of two houses and two attributes, with their questions: counted by enumeration."""
_TRIES = 40
_BY_VALUE, _BY_HOUSE = range(2)


@dataclass(frozen=True)
class LogicZebralogic(PlainFamily):
    """Houses in a row, people who differ in several things, and clues none of which can be spared.

    Attributes:
        levels: of difficulty, 1 to 6, drawn with equal probability; none stand for all. The larger
            of the numbers of houses and of things to know of each is 2, 3, 4, 5, 6 or 7, the other
            from 2 up to that.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "logic_zebralogic"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = 6
    level_is_canonical: ClassVar[bool] = True
    block: ClassVar[int] = 128
    wordings: ClassVar[int] = len(WORDINGS)
    subtypes: ClassVar[tuple[str, ...]] = ("by_value", "by_house")
    symbols: ClassVar[Mapping[str, int]] = SYMBOLS

    @property
    def fewest_problems(self) -> int | None:
        """The exact number of problems of the lowest level; of others nothing is known."""
        return _SMALLEST if self.chosen_levels == (1,) else None

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large the puzzle is."""
        most = max(self.chosen_levels) + 1
        return {
            "n_houses": Axis("houses of the puzzle", low=_FEWEST, high=most),
            "n_attributes": Axis("things to know of every house", low=_FEWEST, high=most),
            "n_clues": Axis("clues", low=1, high=MOST_CLUES),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw clues, a question that no clue alone answers, and where its answer is listed."""
        n, m = _shape(level, draws)
        clues = draw_clues(np.uint64(draws.bits()), n, m)
        if len(clues) > MOST_CLUES:
            return None
        told: list[Clue] = [(kind, u, v) for kind, u, v in clues.tolist()]
        subtype = draws.integer(0, 2)
        question = _question(n, m, told, subtype, draws)
        if question is None:
            return None
        place = draws.integer(0, n)
        return Made(
            tree_of(n, m, told, question),
            str(place),
            Puzzle(n, m, tuple(told), question, place, draws.bits()),
            subtype,
            {"n_houses": n, "n_attributes": m, "n_clues": len(told)},
        )

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Name everything and put the clues in some order."""
        puzzle: Puzzle = made.facts
        return puzzle.tell(wording, draws)

    def steps(self, made: Made) -> str:
        """Write the solved table."""
        puzzle: Puzzle = made.facts
        return puzzle.table()


def _shape(level: int, draws: RowDraws) -> tuple[int, int]:
    """Draw houses and attributes, the larger number being that of the level."""
    most = level + 1
    other = draws.integer(0, 2 * most - 3)
    return (most, other + _FEWEST) if other < most - 1 else (other - most + 1 + _FEWEST, most)


def _question(n: int, m: int, clues: list[Clue], subtype: int, draws: RowDraws) -> Question | None:
    """Draw the answer and what the question names; not what one clue says already."""
    said = {(u, v) for kind, u, v in clues if kind == SAME}
    placed = {u for kind, u, _ in clues if kind == AT}
    for _ in range(_TRIES):
        answer = draws.integer(0, n * m)
        if subtype == _BY_HOUSE:
            if answer not in placed:
                return answer, -1
            continue
        other = (answer // n + 1 + draws.integer(0, m - 1)) % m
        named = other * n + answer % n
        if (answer, named) not in said and (named, answer) not in said:
            return answer, named
    return None


GENERATOR = LogicZebralogic
