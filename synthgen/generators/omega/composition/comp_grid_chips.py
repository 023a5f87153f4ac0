"""OMEGA composition: full boards of coloured chips, counted, and one of them drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega.composition._questions import (
    N_WORDINGS,
    ask,
    parts_sum,
    sum_steps,
)

_SIZES = ((2, 3), (4, 5), (6, 7), (8, 9), (10, 12))
_MOST_SIZE = 12
_COLOURS = {
    2: "red or blue",
    3: "red, blue or green",
    4: "red, blue, green or white",
    5: "red, blue, green, white or black",
}
_BOARD = (
    "Each cell of a board with <n> rows and <m> columns may hold one chip, which is <colours>, or"
    " stay empty. All chips in the same row must have the same colour, and all chips in the same"
    " column must have the same colour. Call such a placement full if no chip of any of these"
    " colours can be put into an empty cell without breaking the rules.",
    "A cabinet has <n> rows and <m> columns of drawers. A drawer is empty or holds one ball, which"
    " is <colours>. Two balls in one row, or in one column, never differ in colour. A filling of"
    " the cabinet is full if no empty drawer can take a ball of any of these colours under this"
    " rule.",
    "Tokens that are <colours> lie on a grid of <n> by <m> cells, at most one in a cell, such that"
    " the tokens of a row all have one colour and so have the tokens of a column. A pattern of"
    " this kind is called full if it would be spoiled by every further token, whatever its place"
    " and whichever of these colours it has.",
    "In a rectangular array with <n> rows and <m> columns, each place is blank or carries a mark"
    " that is <colours>. Marks of different colours never occur in a common row or in a common"
    " column. We look at full arrays only: those in which no blank place could be given a mark of"
    " one of these colours while keeping this property.",
)
_ASKED = {
    "all": (
        "How many full placements are there? Placements that differ by a rotation or a reflection"
        " of the board count separately. Give an integer.",
        "In how many ways can the cabinet be full? All drawers are told apart. Answer with an"
        " integer.",
        "Find the number of full patterns; symmetric ones count separately. The answer is an"
        " integer.",
        "Count the full arrays, where arrays that differ in any place are different. Give an"
        " integer.",
    ),
    "red": (
        "In how many full placements does the cell in the top left corner hold a red chip? Give an"
        " integer.",
        "In how many ways can the cabinet be full with a red ball in the first drawer of the first"
        " row? Answer with an integer.",
        "Find the number of full patterns with a red token on the first cell of the first row. The"
        " answer is an integer.",
        "Count the full arrays that have a red mark in the upper left corner. Give an integer.",
    ),
    "empty": (
        "In how many full placements is the cell in the top left corner empty? Give an integer.",
        "In how many ways can the cabinet be full although the first drawer of the first row is"
        " empty? Answer with an integer.",
        "Find the number of full patterns without a token on the first cell of the first row. The"
        " answer is an integer.",
        "Count the full arrays whose upper left corner is blank. Give an integer.",
    ),
    "chance": (
        "One of all full placements is chosen at random, each with the same probability. What is"
        " the probability that its cell in the top left corner is empty? <ending>",
        "The cabinet is filled in one of all full ways, each being equally likely. Find the"
        " probability that the first drawer of the first row is empty. <ending>",
        "Of all full patterns one is drawn uniformly at random. How likely is it that the first"
        " cell of the first row has no token? <ending>",
        "A uniformly random one of all full arrays is written down. Find the probability that its"
        " upper left corner is blank. <ending>",
    ),
}
_TEXTS = {
    kind: tuple(f"{board} {asked}" for board, asked in zip(_BOARD, questions, strict=True))
    for kind, questions in _ASKED.items()
}


@dataclass(frozen=True)
class CompGridChips(ListedFamily):
    """Boards in whose rows and columns all chips agree, and that take no further chip.

    Every row and every column of a full board has a chip, and so a colour; a cell holds a chip if
    and only if both colours agree, and rows and columns have the same set of colours. With s(n, k)
    maps of n things onto k colours there are sum over k of C(c, k) s(n, k) s(m, k) boards; for two
    colours (2^n - 2)(2^m - 2) + 2.

    Attributes:
        levels: of difficulty, 1 to 5; none stand for all. The longer side has 2-3, 4-5, 6-7, 8-9
            or 10-12 cells, the other from 2 on; there are 2 to 5 colours.
        repeats: addresses for each problem, to see it in other wordings.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "comp_grid_chips"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_SIZES)
    wordings: ClassVar[int] = N_WORDINGS
    level_is_canonical: ClassVar[bool] = True
    subtypes: ClassVar[tuple[str, ...]] = tuple(_ASKED)
    symbols: ClassVar[Mapping[str, int]] = {f"full_{kind}": 3 for kind in _ASKED}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The size of the board, and the colours."""
        return {
            "short_side": Axis("cells of the board's shorter side", low=2, high=_MOST_SIZE),
            "long_side": Axis("cells of the board's longer side", low=2, high=_MOST_SIZE),
            "n_colours": Axis("colours", low=2, high=5),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make a problem of each kind for each board and number of colours."""
        low, high = _SIZES[level - 1]
        for m in range(low, high + 1):
            for n in range(2, m + 1):
                for colours in _COLOURS:
                    axes = {"short_side": n, "long_side": m, "n_colours": colours}
                    for kind, name in enumerate(self.subtypes):
                        facts = (n, m, colours)
                        tree = (f"full_{name}", colours, n, m)
                        yield Made(tree, _answer(kind, *facts), facts, kind, axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe a board, one side or the other as its rows, and ask."""
        n, m, colours = made.facts
        n, m = draws.choice(((n, m), (m, n)))
        kind = self.subtypes[made.subtype]
        return ask(_TEXTS, kind, wording, n=n, m=m, colours=_COLOURS[colours])

    def steps(self, made: Made) -> str:
        """Count the boards by how many colours they have."""
        n, m, colours = made.facts
        name = self.subtypes[made.subtype]
        lines = []
        for k in range(1, min(n, colours) + 1):
            choices, rows, columns = comb(colours, k), _onto(n, k), _onto(m, k)
            product = choices * rows * columns
            lines.append(f"{k} colours: {choices} * {rows} * {columns} = {product}")
        total, red = _boards(*made.facts), _red(*made.facts)
        lines.append(f"full: {total}")
        if name != "all":
            lines.append(f"red corner: {red}")
        if name in ("empty", "chance"):
            lines.append(f"empty corner: {total} - {colours} * {red} = {total - colours * red}")
        if name == "chance":
            lines.append(sum_steps(Fraction(total - colours * red, total)))
        return "\n".join(lines)


@cache
def _onto(n: int, k: int) -> int:
    """Return k! times Stirling's number: maps of n things onto k."""
    if k == 0 or n == 0:
        return int(k == n)
    return k * (_onto(n - 1, k) + _onto(n - 1, k - 1))


def _boards(n: int, m: int, colours: int) -> int:
    return sum(comb(colours, k) * _onto(n, k) * _onto(m, k) for k in range(1, colours + 1))


def _red(n: int, m: int, colours: int) -> int:
    """Count the boards whose first row and first column are red."""
    return sum(
        comb(colours - 1, k - 1) * (_onto(n, k) // k) * (_onto(m, k) // k)
        for k in range(1, colours + 1)
    )


def _answer(kind: int, n: int, m: int, colours: int) -> str:
    total, red = _boards(n, m, colours), _red(n, m, colours)
    empty = total - colours * red
    if kind == 3:
        return parts_sum(Fraction(empty, total))
    return str((total, red, empty)[kind])


GENERATOR = CompGridChips
