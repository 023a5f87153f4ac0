"""Ranks of randomly filled matrices, and of large matrices that are given by a formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from math import comb, prod

from flint import fmpz, fmpz_mat

from synthgen.authoring import LevelledFamily, Problem, RowDraws, Tree, Words, axis

_WORDS = Words.beside(__file__)
_FILLED_LEVELS = (
    (((2, 2),), (3, 4), 5),
    (((2, 3),), (2, 5), 4),
    (((3, 3),), (2, 5), 4),
    (((3, 3), (3, 4)), (3, 9), 6),
    (((3, 4), (4, 4)), (3, 9), 9),
)
"""Shapes, least and most gaps, and largest value of each level."""
_SHAPES = sorted({shape for shapes, _, _ in _FILLED_LEVELS for shape in shapes})
_MAX_FILLINGS, _MAX_VALUES, _MAX_GAPS, _MAX_GROUPS = 800, 5, 9, 30
_FILLED_TRIES, _FORMULA_TRIES = 40, 60
_FORMULA_LEVELS = (
    ((20, 26), ("polynomial", "power"), 1, (3, 5)),
    ((20, 32), ("polynomial", "power"), 2, (3, 6)),
    ((24, 40), ("remainder", "power"), 1, (3, 8)),
    ((30, 50), ("remainder", "divides", "polynomial"), 2, (4, 11)),
    ((36, 60), ("remainder", "divides", "named"), 2, (6, 17)),
)
"""Number of rows, kinds, highest power of an index, and modulus, each from and to, by level."""
_MAX_ROWS, _LARGEST_COEFFICIENT, _HIGHEST_POWER = 60, 9, 2

Cells = list[list[int | None]]
"""Entries of a matrix by row; None is a gap."""
Values = tuple[int, ...]
Table = list[list[int]]
"""Coefficients of i^k j^l, by k and l."""


@dataclass(frozen=True)
class CompMatrixRank(LevelledFamily):
    """The probability that a matrix has a given rank once random numbers fill its gaps.

    Attributes:
        levels: Difficulty levels, 1 to 5, drawn with equal probability; an empty list means all.
            The matrix is 2 x 2, 2 x 3, 3 x 3, 3 x 3 or 3 x 4, 3 x 4 or 4 x 4, with 2 to 9 gaps.
    """

    version = 3
    verifier = "comp_matrix_rank"
    domain = "omega"
    words = _WORDS.part("filled_rank")
    n_levels = len(_FILLED_LEVELS)
    symbols = (
        {"rank_independent": 3, "rank_shuffled": 3, "gap": 0}
        | {f"matrix{n}x{m}": n * m for n, m in _SHAPES}
        | {f"values{n}": n for n in range(2, _MAX_GAPS + 1)}
    )
    own_axes = {
        "n_gaps": axis("gaps of the matrix", 2, _MAX_GAPS),
        "matrix_rank": axis("rank in question", 0, 4),
    }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Open gaps in a matrix of low rank, and choose a rank that some fillings have, not all."""
        shapes, gaps, most = _FILLED_LEVELS[level - 1]
        kind = "shuffled" if draws.integer(0, 5) == 0 else "independent"
        for _ in range(_FILLED_TRIES):
            whole = _low_rank(draws, draws.choice(shapes), most)
            width = len(whole[0])
            size = len(whole) * width
            n_gaps = draws.integer(gaps[0], min(gaps[1], size) + 1)
            places = [
                divmod(place, width) for place in sorted(draws.shuffled(range(size))[:n_gaps])
            ]
            base = [whole[i][j] for i, j in places]
            values = _values(kind, base, draws, most)
            fillings = _fillings(kind, n_gaps, values)
            if fillings is None:
                continue
            all_ranks = _ranks(whole, places, fillings)
            counts = [all_ranks.count(rank) for rank in range(min(len(whole), width) + 1)]
            ranks = [rank for rank, count in enumerate(counts) if 0 < count < len(fillings)]
            if ranks:
                cells: Cells = [list(row) for row in whole]
                for i, j in places:
                    cells[i][j] = None
                problem = _filled_problem(kind, cells, values, draws.choice(ranks), counts)
                problem.data = values, fillings, all_ranks
                return problem
        return None

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the values in random order."""
        values = ", ".join(map(str, draws.shuffled(problem.data[0])))
        return {**problem.holes, "values": values}

    def steps_of(self, problem: Problem) -> list[str]:
        """Count the fillings of each rank by what their first gaps hold, and add up."""
        _, fillings, ranks = problem.data
        return [*_group_lines(fillings, ranks), *problem.steps]


def _filled_problem(
    kind: str, cells: Cells, values: Values, rank: int, counts: Sequence[int]
) -> Problem:
    flat = [cell for row in cells for cell in row]
    rows = (", ".join("*" if cell is None else str(cell) for cell in row) for row in cells)
    chance = Fraction(counts[rank], sum(counts))
    top, bottom = chance.numerator, chance.denominator
    return Problem(
        tree=(
            f"rank_{kind}",
            rank,
            (f"matrix{len(cells)}x{len(cells[0])}", *("gap" if x is None else x for x in flat)),
            (f"values{len(values)}", *values),
        ),
        answer=str(top + bottom),
        holes={"matrix": f"[{', '.join(f'[{row}]' for row in rows)}]", "r": rank},
        kind=kind,
        axes={"n_gaps": flat.count(None), "matrix_rank": rank},
        steps=[
            f"fillings of rank 0, 1, ...: {list(counts)}",
            f"probability of rank {rank} = {counts[rank]}/{sum(counts)} = {top}/{bottom}",
            f"{top} + {bottom} = {top + bottom}",
        ],
    )


def _group_lines(fillings: Sequence[Values], ranks: Sequence[int]) -> Iterator[str]:
    """Write the numbers of fillings of rank 0, 1, ..., for each choice of the first gaps.

    Fix as many gaps as 30 lines allow, but never the last one.
    """
    heads = [{filling[:k] for filling in fillings} for k in range(len(fillings[0]))]
    fixed = max(k for k, group in enumerate(heads) if len(group) <= _MAX_GROUPS)
    groups: dict[Values, list[int]] = {}
    for filling, rank in zip(fillings, ranks, strict=True):
        groups.setdefault(filling[:fixed], [0] * (max(ranks) + 1))[rank] += 1
    for head, counts in sorted(groups.items()) if fixed else ():
        yield f"fillings that begin with {', '.join(map(str, head))}: {counts}"


def _low_rank(draws: RowDraws, shape: tuple[int, int], most: int) -> Table:
    """Return a matrix of less than full rank with small entries."""
    n, m = shape
    while True:
        rank = draws.integer(1, min(n, m)) if min(n, m) > 1 else 1
        left = [[draws.integer(-2, 3) for _ in range(rank)] for _ in range(n)]
        right = [[draws.integer(-2, 4) for _ in range(m)] for _ in range(rank)]
        whole = [
            [sum(left[i][k] * right[k][j] for k in range(rank)) for j in range(m)] for i in range(n)
        ]
        if max(abs(v) for row in whole for v in row) <= most and any(map(any, whole)):
            return whole


def _values(kind: str, base: Sequence[int], draws: RowDraws, most: int) -> Values:
    """Return the values for the gaps: some from the matrix of low rank, and others."""
    if kind == "independent":
        size = draws.integer(2, _MAX_VALUES + 1)
        chosen = set(draws.shuffled(sorted(set(base)))[: size - 1])
        while len(chosen) < size:
            chosen.add(draws.integer(-most, most + 1))
        return tuple(sorted(chosen))
    values = list(base)
    if draws.integer(0, 2):
        values[draws.integer(0, len(values))] = draws.integer(-most, most + 1)
    return tuple(sorted(values))


def _fillings(kind: str, n_gaps: int, values: Values) -> list[Values] | None:
    """Return all equally likely fillings of the gaps; None if there are too many."""
    if kind == "independent":
        few = len(values) ** n_gaps <= _MAX_FILLINGS
        return list(product(values, repeat=n_gaps)) if few else None
    orders = list(islice(_orders(values), _MAX_FILLINGS + 1))
    return orders if len(orders) <= _MAX_FILLINGS else None


def _orders(values: Values) -> Iterator[Values]:
    """Yield the different orders of sorted values."""
    if not values:
        yield ()
    for place, value in enumerate(values):
        if place == 0 or values[place - 1] != value:
            for rest in _orders(values[:place] + values[place + 1 :]):
                yield (value, *rest)


def _ranks(
    whole: Table, places: Sequence[tuple[int, int]], fillings: Sequence[Values]
) -> list[int]:
    """Return the rank of each filling."""
    ranks = []
    matrix = fmpz_mat(whole)
    for filling in fillings:
        for place, value in zip(places, filling, strict=True):
            matrix[place] = value
        ranks.append(matrix.rank())
    return ranks


@dataclass(frozen=True)
class TransMatrixRank(LevelledFamily):
    """Matrices too large to eliminate by hand, whose formula determines the rank.

    A sum of c i^k j^l has the rank of the table of its coefficients, and a periodic matrix has the
    rank of one period.

    Attributes:
        levels: Difficulty levels, 1 to 5, drawn with equal probability; an empty list means all.
            The matrices have 20-26, 20-32, 24-40, 30-50 or 36-60 rows; remainders occur from
            level 3 on.
    """

    version = 3
    verifier = "trans_matrix_rank"
    same_up_to = "rules of the same entries"
    domain = "omega"
    words = _WORDS.part("formula_rank")
    n_levels = len(_FORMULA_LEVELS)
    symbols = {
        "rank_polynomial": 2,
        "rank_power": 3,
        "rank_remainder": 3,
        "rank_divides": 3,
        "rank_named": 2,
        "table": (_HIGHEST_POWER + 1) ** 2,
    }
    own_axes = {
        "size": axis("rows of the matrix", 20, _MAX_ROWS),
        "matrix_rank": axis("rank of the matrix", 1, _MAX_ROWS),
    }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw a formula whose matrix is not zero."""
        sizes, kinds, highest, moduli = _FORMULA_LEVELS[level - 1]
        kind = draws.choice(kinds)
        n = draws.integer(sizes[0], sizes[1] + 1)
        for _ in range(_FORMULA_TRIES):
            if kind == "named":  # regular at any size
                names = self.words["named"]
                place = draws.integer(0, len(names))
                name = names[place]
                return _formula_problem(kind, n, (place,), n, {"formula": name}, (name, 0))
            table = _table(draws, 1 if kind == "power" else highest, kind)
            if table is None:
                continue
            holes: dict[str, object] = {"formula": _formula(table)}
            flat = [value for row in table for value in row]
            if kind == "polynomial":
                rank = fmpz_mat(table).rank()
                return _formula_problem(kind, n, (("table", *flat),), rank, holes, (table, 0))
            if kind == "power":
                p = draws.integer(2, 7)
                # an even power does not see the sign of the linear form
                sign = -1 if p % 2 == 0 and table[1][0] < 0 else 1
                form: Tree = ("table", *(sign * value for value in flat))
                return _formula_problem(kind, n, (form, p), p + 1, holes | {"p": p}, (table, p))
            m = draws.integer(moduli[0], moduli[1] + 1)
            rank = fmpz_mat(_period(table, m, kind)).rank()
            if rank:
                reduced: Tree = ("table", *(value % m for value in flat))
                return _formula_problem(kind, n, (reduced, m), rank, holes | {"m": m}, (table, m))
        return None

    def steps_of(self, problem: Problem) -> list[str]:
        """Reduce the matrix to a small one, or state its determinant."""
        (source, p), kind = problem.data, problem.kind
        if kind == "named":
            rule, value = _DETERMINANTS[source]
            lines = [f"det(A) = {rule} = {value(int(problem.answer))}"]
        elif kind == "power":
            leading = [comb(p, k) * source[1][0] ** k for k in range(p + 1)]
            rest = _formula([source[0], *([0] * len(source) for _ in source[1:])])
            lines = [f"coefficients of i^k*({rest})^({p} - k) for k = 0, ..., {p}: {leading}"]
        elif kind == "polynomial":
            lines = [f"coefficients of i^k*j^l by k and l: {source}", _minor_line(source)]
        else:
            period = _period(source, p, kind)
            lines = [f"first {p} rows and columns: {period}", _minor_line(period)]
        return [*lines, f"rank = {problem.answer}"]


def _minor_line(table: Table) -> str:
    """Write the minor of the first independent rows and columns."""
    matrix = fmpz_mat(table)
    rows, columns = _pivots(matrix.transpose()), _pivots(matrix)
    minor = fmpz_mat([[table[i][j] for j in columns] for i in rows]).det()
    where = [", ".join(str(k + 1) for k in places) for places in (rows, columns)]
    return f"minor of rows {where[0]} and columns {where[1]}: {minor}"


def _pivots(matrix: fmpz_mat) -> list[int]:
    """Return the columns that do not depend on earlier ones."""
    reduced, _, rank = matrix.rref()
    rows = reduced.tolist()
    return [next(j for j, x in enumerate(rows[i]) if x) for i in range(rank)]


_DETERMINANTS: Mapping[str, tuple[str, Callable[[int], int]]] = {
    "max(i, j)": ("(-1)^(n - 1)*n", lambda n: (-1) ** (n - 1) * n),
    "min(i, j)": ("1", lambda _: 1),
    "gcd(i, j)": (
        "phi(1)*phi(2)*...*phi(n)",
        lambda n: prod(int(fmpz(k).euler_phi()) for k in range(1, n + 1)),
    ),
    "|i - j|": ("(-1)^(n - 1)*(n - 1)*2^(n - 2)", lambda n: (1 - n) * (-2) ** (n - 2)),
}
"""Determinants by the name of the entry."""


def _formula_problem(
    kind: str,
    n: int,
    arguments: Sequence[Tree],
    rank: int,
    holes: Mapping[str, object],
    source: tuple[str | Table, int],
) -> Problem:
    return Problem(
        tree=(f"rank_{kind}", n, *arguments),
        answer=str(rank),
        holes={"n": n, **holes},
        kind=kind,
        axes={"size": n, "matrix_rank": rank},
        data=source,
    )


def _table(draws: RowDraws, highest: int, kind: str) -> Table | None:
    """Draw the coefficients of a polynomial; None unless it depends on both indices."""
    size = _HIGHEST_POWER + 1
    table = [[0] * size for _ in range(size)]
    if kind == "power":
        table[1][0], table[0][1] = _signed(draws), _signed(draws)
        table[0][0] = draws.integer(-_LARGEST_COEFFICIENT, _LARGEST_COEFFICIENT + 1)
        return table
    for _ in range(draws.integer(2, 4 + highest)):
        k, low = draws.integer(0, highest + 1), draws.integer(0, highest + 1)
        table[k][low] = _signed(draws) if kind == "polynomial" else draws.integer(1, 4)
    both = any(any(row) for row in table[1:]) and any(any(row[1:]) for row in table)
    return table if both else None


def _signed(draws: RowDraws) -> int:
    return draws.choice((1, -1)) * draws.integer(1, _LARGEST_COEFFICIENT + 1)


def _period(table: Table, m: int, kind: str) -> Table:
    """Return the first m rows and columns of a matrix that repeats itself after m."""
    rows = []
    for i in range(1, m + 1):
        values = [
            sum(c * i**k * j**low for k, row in enumerate(table) for low, c in enumerate(row) if c)
            % m
            for j in range(1, m + 1)
        ]
        rows.append(values if kind == "remainder" else [int(value == 0) for value in values])
    return rows


def _formula(table: Table) -> str:
    """Write the polynomial, the highest powers of i first."""
    pieces = []
    for k in range(_HIGHEST_POWER, -1, -1):
        for low in range(_HIGHEST_POWER, -1, -1):
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
