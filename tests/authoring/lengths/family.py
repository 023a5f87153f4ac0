"""Lengths in other units."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.authoring import PlainFamily, Problem, RowDraws, Words, params

SIZES = {"mm": 1, "cm": 10, "dm": 100, "m": 1000}


@dataclass(frozen=True)
class Lengths(PlainFamily):
    """A length in another unit.

    Attributes:
        most: Largest number.
    """

    most: int = params.integer(900, 1, 900)

    verifier = "lengths"
    solutions = ("none",)
    words = Words.beside(__file__)
    symbols: ClassVar = {"exact": 3, "rounded": 3, **dict.fromkeys(SIZES, 0)}

    def make(self, draws: RowDraws) -> Problem | None:
        kind = draws.choice(("exact", "rounded"))
        n = draws.integer(1, self.most + 1)
        unit, to = draws.choice([*SIZES]), draws.choice([*SIZES])
        if kind == "exact" and n * SIZES[unit] % SIZES[to]:
            return None
        return Problem(
            tree=(kind, n, unit, to),
            answer=str(n * SIZES[unit] // SIZES[to]),
            kind=kind,
            data=(n, unit, to),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        n, unit, to = problem.data
        return {"n": n, "unit": unit, "to": to, "who": draws.choice(("Ada", "Ben"))}


GENERATORS = {"lengths": Lengths}
