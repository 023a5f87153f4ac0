"""OMEGA transformation: lattice paths counted by their turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_SIZES = ((3, 5), (6, 8), (9, 11), (12, 15), (16, 20))
_MOST_SIZE, _FEWEST_TURNS, _MOST_TURNS = 20, 2, 9
_TEXTS = {
    "exact": (
        "A path on the square grid leads from the origin to the point (<w>, <h>) by steps of"
        " length one to the right or up. A turn is a point of the path where a step to the right"
        " is directly followed by a step up, or the other way round. How many such paths have"
        " exactly <k> turns? Give an integer.",
        "A robot makes <w> steps to the right and <h> steps up on a grid, in any order. It turns"
        " whenever a step has another direction than the step just before it. In how many orders"
        " of the steps does it turn exactly <k> times? Answer with an integer.",
        "How many words with <w> letters R and <h> letters U are there in which two different"
        " letters stand next to each other in exactly <k> places? The answer is an integer.",
        "In a city of square blocks, somebody walks to a corner that is <w> blocks to the east and"
        " <h> blocks to the north, and always walks east or north. How many routes change their"
        " direction exactly <k> times? Give an integer.",
    ),
    "most": (
        "A path on the square grid leads from the origin to the point (<w>, <h>) by steps of"
        " length one to the right or up. A turn is a point of the path where a step to the right"
        " is directly followed by a step up, or the other way round. How many such paths have at"
        " most <k> turns? Give an integer.",
        "A robot makes <w> steps to the right and <h> steps up on a grid, in any order. It turns"
        " whenever a step has another direction than the step just before it. In how many orders"
        " of the steps does it turn no more than <k> times? Answer with an integer.",
        "How many words with <w> letters R and <h> letters U are there in which two different"
        " letters stand next to each other in <k> places or fewer? The answer is an integer.",
        "In a city of square blocks, somebody walks to a corner that is <w> blocks to the east and"
        " <h> blocks to the north, and always walks east or north. How many routes change their"
        " direction at most <k> times? Give an integer.",
    ),
    "start": (
        "A path on the square grid leads from the origin to the point (<w>, <h>) by steps of"
        " length one to the right or up, and begins with a step to the right. A turn is a point of"
        " the path where a step to the right is directly followed by a step up, or the other way"
        " round. How many such paths have exactly <k> turns? Give an integer.",
        "A robot makes <w> steps to the right and <h> steps up on a grid, in any order except that"
        " the first step is to the right. It turns whenever a step has another direction than the"
        " step just before it. In how many orders of the steps does it turn exactly <k> times?"
        " Answer with an integer.",
        "How many words with <w> letters R and <h> letters U begin with R and have two different"
        " letters next to each other in exactly <k> places? The answer is an integer.",
        "In a city of square blocks, somebody walks to a corner that is <w> blocks to the east and"
        " <h> blocks to the north, always walks east or north, and sets out to the east. How many"
        " routes change their direction exactly <k> times? Give an integer.",
    ),
}


@dataclass(frozen=True)
class TransGridworld(ListedFamily):
    """Paths to the right and up with a given number of turns.

    A path with k turns has k + 1 straight runs; w steps are divided into i runs in C(w - 1, i - 1)
    ways.

    Attributes:
        levels: of difficulty, 1 to 5; none stand for all. Either side has 3-5, 6-8, 9-11, 12-15 or
            16-20 steps; 2 to 9 turns are asked for.
        repeats: addresses for each problem, to see it in other wordings.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "trans_gridworld"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_SIZES)
    wordings: ClassVar[int] = N_WORDINGS
    level_is_canonical: ClassVar[bool] = True
    subtypes: ClassVar[tuple[str, ...]] = tuple(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = {f"turns_{kind}": 3 for kind in _TEXTS}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How long the paths are, and the turns."""
        return {
            "n_steps": Axis("steps of a path", low=6, high=2 * _MOST_SIZE),
            "n_turns": Axis("turns in question", low=_FEWEST_TURNS, high=_MOST_TURNS),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make all problems; the sides of a question with mirror images are sorted."""
        low, high = _SIZES[level - 1]
        for w in range(low, high + 1):
            for h in range(low, high + 1):
                most = min(_MOST_TURNS, 2 * min(w, h) - 1)
                for k in range(_FEWEST_TURNS, most + 1):
                    for kind, name in enumerate(self.subtypes):
                        if name == "start" or w <= h:
                            answer = sum(right + up for _, right, up in _counts(kind, w, h, k))
                            axes = {"n_steps": w + h, "n_turns": k}
                            tree = (f"turns_{name}", w, h, k)
                            yield Made(tree, str(answer), (w, h, k), kind, axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Ask, with either side first where that is all the same."""
        w, h, k = made.facts
        kind = self.subtypes[made.subtype]
        if kind != "start" and draws.integer(0, 2):
            w, h = h, w
        return ask(_TEXTS, kind, wording, w=w, h=h, k=k)

    def steps(self, made: Made) -> str:
        """Count the paths with each number of turns by the direction they begin with."""
        lines, start = [], self.subtypes[made.subtype] == "start"
        for k, right, up in _counts(made.subtype, *made.facts):
            both = f"{right}" if start else f"{right} + {up} = {right + up}"
            lines.append(f"{k} turns: {both}")
        return "\n".join([*lines, f"paths: {made.answer}"])


def _counts(kind: int, w: int, h: int, k: int) -> list[tuple[int, int, int]]:
    """Return turns, paths with them that begin to the right, and up, sides in sorted order."""
    if kind != 2:
        w, h = min(w, h), max(w, h)
    turns = range(k + 1) if kind == 1 else (k,)
    return [(t, _begun(w, h, t), 0 if kind == 2 else _begun(h, w, t)) for t in turns]


def _begun(first: int, second: int, turns: int) -> int:
    """Count the paths whose first run goes in the first direction."""
    if turns == 0:
        return 0
    runs = turns + 1
    return comb(first - 1, (runs + 1) // 2 - 1) * comb(second - 1, runs // 2 - 1)


GENERATOR = TransGridworld
