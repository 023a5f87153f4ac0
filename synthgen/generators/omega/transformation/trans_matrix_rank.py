"""OMEGA transformation: ranks of large matrices that are given by a formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_LEVELS = (
    ((20, 26), ("polynomial", "power"), 1, (3, 5)),
    ((20, 32), ("polynomial", "power"), 2, (3, 6)),
    ((24, 40), ("remainder", "power"), 1, (3, 8)),
    ((30, 50), ("remainder", "divides", "polynomial"), 2, (4, 11)),
    ((36, 60), ("remainder", "divides", "named"), 2, (6, 17)),
)
"""Rows, kinds, highest power of an index, modulus from and to, of each level."""
_KINDS = ("polynomial", "power", "remainder", "divides", "named")
_NAMED = (
    "the larger of i and j",
    "the smaller of i and j",
    "the greatest common divisor of i and j",
    "the absolute value of i - j",
)
"""Formulae of matrices that are regular at any size."""
_LARGEST, _MOST_ROWS, _TRIES = 9, 60, 60
_HIGHEST = 2
_ENTRY = {
    "polynomial": "<formula>",
    "power": "(<formula>)^<p>",
    "remainder": "the remainder of <formula> on division by <m>",
    "divides": "one if <formula> is divisible by <m>, and zero otherwise",
    "named": "<formula>",
}
_TEXTS = {
    "rank": (
        "A matrix has <n> rows and <n> columns, both numbered from one. Its entry in row i and"
        " column j is <entry>. What is the rank of the matrix over the rational numbers? Give an"
        " integer.",
        "Let A be the square matrix with <n> rows whose entry in row i and column j, counted from"
        " one, is <entry>. Find the rank of A (over the rational numbers). Answer with an integer.",
        "For i and j from one to <n>, the number in row i and column j of a matrix is <entry>. How"
        " many linearly independent rows over the rational numbers does this matrix have? The"
        " answer is an integer.",
        "Determine the dimension of the space of rational vectors that is spanned by the <n>"
        " columns of the following <n> by <n> matrix: with rows and columns counted from one, the"
        " entry in row i and column j is <entry>. Give an integer.",
    ),
}


@dataclass(frozen=True)
class TransMatrixRank(PlainFamily):
    """Matrices too large to eliminate by hand, whose formula tells the rank.

    A sum of c i^k j^l has the rank of the table of its coefficients; a matrix that repeats itself
    has the rank of one period.

    Attributes:
        levels: of difficulty, 1 to 5, drawn with equal probability; none stand for all. Matrices
            have 20-26, 20-32, 24-40, 30-50 or 36-60 rows; remainders occur from level 3 on.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "trans_matrix_rank"
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = N_WORDINGS
    subtypes: ClassVar[tuple[str, ...]] = _KINDS
    symbols: ClassVar[Mapping[str, int]] = {
        "rank_polynomial": 2,
        "rank_power": 3,
        "rank_remainder": 3,
        "rank_divides": 3,
        "rank_named": 2,
        "table": (_HIGHEST + 1) ** 2,
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Rows, and the rank."""
        return {
            "size": Axis("rows of the matrix", low=20, high=_MOST_ROWS),
            "matrix_rank": Axis("rank of the matrix", low=1, high=_MOST_ROWS),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw a formula with a rank of at least one."""
        sizes, kinds, highest, moduli = _LEVELS[level - 1]
        name = draws.choice(kinds)
        n = draws.integer(sizes[0], sizes[1] + 1)
        for _ in range(_TRIES):
            if name == "named":
                place = draws.integer(0, len(_NAMED))
                return _made(name, n, (place,), n, {"formula": _NAMED[place]})
            table = _table(draws, 1 if name == "power" else highest, name)
            if table is None:
                continue
            holes: dict[str, object] = {"formula": _formula(table)}
            flat: Tree = ("table", *(value for row in table for value in row))
            if name == "polynomial":
                return _made(name, n, (flat,), rank_of(table), holes)
            if name == "power":
                p = draws.integer(2, 7)
                return _made(name, n, (flat, p), p + 1, holes | {"p": p})
            m = draws.integer(moduli[0], moduli[1] + 1)
            rank = rank_of(_period(table, m, name))
            if rank:
                reduced: Tree = ("table", *(value % m for row in table for value in row))
                return _made(name, n, (reduced, m), rank, holes | {"m": m})
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Tell the formula of the entries."""
        del draws
        n, holes = made.facts
        name = self.subtypes[made.subtype]
        entry = ask({"entry": (_ENTRY[name],) * N_WORDINGS}, "entry", wording, **holes)
        return ask(_TEXTS, "rank", wording, n=n, entry=entry)


Table = list[list[int]]
"""Coefficients of i^k j^l by k and l."""


def _made(
    name: str, n: int, arguments: Sequence[Tree], rank: int, holes: Mapping[str, object]
) -> Made:
    axes = {"size": n, "matrix_rank": rank}
    tree = (f"rank_{name}", n, *arguments)
    return Made(tree, str(rank), (n, holes), _KINDS.index(name), axes)


def _table(draws: RowDraws, highest: int, name: str) -> Table | None:
    """Draw the coefficients of a polynomial in both indices; None for one of no use."""
    size = _HIGHEST + 1
    table = [[0] * size for _ in range(size)]
    if name == "power":
        table[1][0], table[0][1] = _signed(draws), _signed(draws)
        table[0][0] = draws.integer(-_LARGEST, _LARGEST + 1)
        return table
    for _ in range(draws.integer(2, 4 + highest)):
        k, low = draws.integer(0, highest + 1), draws.integer(0, highest + 1)
        table[k][low] = _signed(draws) if name == "polynomial" else draws.integer(1, 4)
    both = any(any(row) for row in table[1:]) and any(any(row[1:]) for row in table)
    return table if both else None


def _signed(draws: RowDraws) -> int:
    return draws.choice((1, -1)) * draws.integer(1, _LARGEST + 1)


def _period(table: Table, m: int, name: str) -> Table:
    """Return the first m rows and columns of a matrix that repeats itself after m."""
    rows = []
    for i in range(1, m + 1):
        values = [
            sum(c * i**k * j**low for k, row in enumerate(table) for low, c in enumerate(row) if c)
            % m
            for j in range(1, m + 1)
        ]
        rows.append(values if name == "remainder" else [int(value == 0) for value in values])
    return rows


def rank_of(matrix: Sequence[Sequence[int]]) -> int:
    """Return the rank of an integer matrix by elimination without fractions (Bareiss)."""
    rows = [list(row) for row in matrix]
    rank, before = 0, 1
    for column in range(len(rows[0])):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        top = rows[rank]
        for k in range(rank + 1, len(rows)):
            row, times = rows[k], rows[k][column]
            rows[k] = [
                (top[column] * p - times * q) // before for p, q in zip(row, top, strict=True)
            ]
        before = top[column]
        rank += 1
    return rank


def _formula(table: Table) -> str:
    """Write the polynomial, the highest powers of i first."""
    pieces = []
    for k in range(_HIGHEST, -1, -1):
        for low in range(_HIGHEST, -1, -1):
            value = table[k][low]
            if value:
                factors = [_factor("i", k), _factor("j", low)]
                if abs(value) > 1 or k == low == 0:
                    factors.insert(0, str(abs(value)))
                pieces.append(f"{'-' if value < 0 else '+'} {'*'.join(filter(None, factors))}")
    text = " ".join(pieces)
    return f"-{text[2:]}" if text[0] == "-" else text[2:]


def _factor(name: str, power: int) -> str:
    return "" if power == 0 else name if power == 1 else f"{name}^{power}"


GENERATOR = TransMatrixRank
