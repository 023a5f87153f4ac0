"""Ranks of randomly filled matrices, and of matrices given by a formula, from the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, gcd, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sympy.utilities.iterables import multiset_permutations

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.families.omega.matrices.verify_elimination import bareiss, determinant_of, rank_of

_WORDS = Words.beside(__file__)
_MAX_FILLINGS, _MAX_GROUPS, _MAX_ROWS = 20_000, 30, 60
_CELL = r"(?:\*|-?[1-9][0-9]?|0)"
_ROW = rf"\[{_CELL}(?:, {_CELL}){{0,3}}\]"
_VALUE = holes.pattern(r"(?:-?[1-9][0-9]?|0)", int)

Cells = tuple[tuple[int | None, ...], ...]
"""Entries by row; None is a gap."""
Counts = NDArray[np.int64]
Minors = dict[tuple[tuple[int, ...], tuple[int, ...]], Counts]
"""Minors by rows and columns, one value a filling."""


def _parse_cells(text: str) -> Cells | None:
    rows = [row.split(", ") for row in text[2:-2].split("], [")]
    if any(len(row) != len(rows[0]) for row in rows):
        return None
    return tuple(tuple(None if cell == "*" else int(cell) for cell in row) for row in rows)


class Filled(NamedTuple):
    """A matrix with gaps, the values that fill them, and the rank in question."""

    kind: str
    cells: Cells
    values: tuple[int, ...]
    rank: int


@reads(
    _WORDS.part("filled_rank"),
    matrix=holes.pattern(rf"\[{_ROW}(?:, {_ROW}){{0,3}}\]", _parse_cells),
    values=holes.listed(_VALUE),
    r=holes.pattern("[0-4]", int),
)
def _read_filled(kind: str, matrix: Cells | None, values: tuple[int, ...], r: int) -> Filled | None:
    if matrix is None:
        return None
    gaps = sum(row.count(None) for row in matrix)
    if kind == "independent":
        fits = len(set(values)) == len(values) and len(values) ** gaps <= _MAX_FILLINGS
    else:
        repeats = map(factorial, Counter(values).values())
        fits = len(values) == gaps and factorial(gaps) // prod(repeats) <= _MAX_FILLINGS
    return Filled(kind, matrix, values, r) if gaps and fits else None


def _ranked(problem: Filled) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return all fillings and their ranks: the size of the largest minor other than zero."""
    kind, cells, values, _ = problem
    gaps = sum(row.count(None) for row in cells)
    if kind == "independent":
        fillings = list(product(values, repeat=gaps))
    else:
        fillings = list(map(tuple, multiset_permutations(sorted(values))))
    columns = iter(np.array(fillings, np.int64).T)
    whole = np.ones(len(fillings), np.int64)
    entries = {
        (i, j): next(columns) if cell is None else cell * whole
        for i, row in enumerate(cells)
        for j, cell in enumerate(row)
    }
    minors: Minors = {((i,), (j,)): entry for (i, j), entry in entries.items()}
    ranks = np.zeros(len(fillings), np.int64)
    n, m = len(cells), len(cells[0])
    for size in range(1, min(n, m) + 1):
        if size > 1:
            minors = {
                (rows, columns_): _expanded(entries, minors, rows, columns_)
                for rows in combinations(range(n), size)
                for columns_ in combinations(range(m), size)
            }
        ranks[np.any([minor != 0 for minor in minors.values()], axis=0)] = size
    return fillings, ranks.tolist()


def _tally(problem: Filled, ranks: Sequence[int]) -> list[int]:
    """Count the fillings of each rank."""
    counts = Counter(ranks)
    return [counts[size] for size in range(min(len(problem.cells), len(problem.cells[0])) + 1)]


def _expanded(
    entries: Mapping[tuple[int, int], Counts],
    minors: Minors,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
) -> Counts:
    """Expand a minor along its first row."""
    total = np.zeros_like(entries[0, 0])
    for k, column in enumerate(columns):
        rest = minors[rows[1:], columns[:k] + columns[k + 1 :]]
        total += (-1) ** k * entries[rows[0], column] * rest
    return total


def _probability(problem: Filled) -> str | None:
    tally = _tally(problem, _ranked(problem)[1])
    count = tally[problem.rank] if problem.rank < len(tally) else 0
    chance = Fraction(count, sum(tally))
    return str(chance.numerator + chance.denominator) if 0 < chance < 1 else None


def _follows_probability(problem: Filled, answer: str, lines: Sequence[str]) -> bool:
    """Compare with the lines that a solution must have."""
    fillings, ranks = _ranked(problem)
    tally, rank = _tally(problem, ranks), problem.rank
    chance = Fraction(tally[rank], sum(tally))
    return list(lines) == [
        *_groups(fillings, ranks),
        f"fillings of rank 0, 1, ...: {tally}",
        f"probability of rank {rank} = {tally[rank]}/{sum(tally)} = "
        f"{chance.numerator}/{chance.denominator}",
        f"{chance.numerator} + {chance.denominator} = {answer}",
    ]


def _groups(fillings: Sequence[tuple[int, ...]], ranks: Sequence[int]) -> list[str]:
    """Write the number of fillings of each rank, by the first gaps, up to 30 choices of them."""
    fixed = len(fillings[0]) - 1
    while len({filling[:fixed] for filling in fillings}) > _MAX_GROUPS:
        fixed -= 1
    counts = Counter(
        (*filling[:fixed], rank) for filling, rank in zip(fillings, ranks, strict=True)
    )
    heads = sorted({filling[:fixed] for filling in fillings}) if fixed else []
    sizes = range(max(ranks) + 1)
    return [
        f"fillings that begin with {str(list(head))[1:-1]}: {[counts[*head, r] for r in sizes]}"
        for head in heads
    ]


FILLED = PlainVerifier(_read_filled, _probability, follows=_follows_probability)

Term = tuple[int, int, int]
"""Coefficient, power of i, power of j."""
_NAMED: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "max(i, j)": ("(-1)^(n - 1)*n", max),
    "min(i, j)": ("1", min),
    "gcd(i, j)": ("phi(1)*phi(2)*...*phi(n)", gcd),
    "|i - j|": ("(-1)^(n - 1)*(n - 1)*2^(n - 2)", lambda i, j: abs(i - j)),
}
"""Formulas of the determinants of the named matrices, and their entries."""
_TERM = re.compile(r"([+-]) (?:([1-9][0-9]{0,2})\*?)?(?:i(\^2)?)?(?:\*?j(\^2)?)?", re.ASCII)


def _parse_formula(text: str) -> str | tuple[Term, ...] | None:
    """Read a polynomial in i and j term by term, or a name."""
    if text in _NAMED:
        return text
    signed = f"- {text[1:]}" if text.startswith("-") else f"+ {text}"
    terms = []
    for piece in re.split(r" (?=[+-] )", signed):
        match = _TERM.fullmatch(piece)
        if match is None:
            return None
        sign, number, i_square, j_square = match.groups()
        powers = [2 if i_square else int("i" in piece), 2 if j_square else int("j" in piece)]
        if piece != f"{sign} {_written(int(number or 1), *powers)}":
            return None
        terms.append((int(f"{sign}{number or 1}"), powers[0], powers[1]))
    return tuple(terms)


def _written(number: int, i_power: int, j_power: int) -> str:
    """Write a term as it must be written."""
    factors = [str(number)] if number > 1 or not (i_power or j_power) else []
    for name, power in (("i", i_power), ("j", j_power)):
        if power:
            factors.append(name if power == 1 else f"{name}^{power}")
    return "*".join(factors)


class Formula(NamedTuple):
    """A matrix by the formula of its entries.

    Attributes:
        kind: Polynomial, power, remainder or divides; or the name of the formula.
        n: Number of rows.
        terms: Terms of the polynomial.
        number: Exponent or modulus.
    """

    kind: str
    n: int
    terms: tuple[Term, ...]
    number: int


@reads(
    _WORDS.part("formula_rank"),
    n=holes.pattern("[1-9][0-9]?", int),
    formula=holes.pattern(
        rf"(?:{'|'.join(map(re.escape, _NAMED))}|[-+*^ij0-9 ]{{1,150}})", _parse_formula
    ),
    p=holes.pattern("[1-9]", int),
    m=holes.pattern("[1-9][0-9]?", int),
)
def _read_formula(
    kind: str, n: int, formula: str | tuple[Term, ...] | None, p: int = 0, m: int = 0
) -> Formula | None:
    if formula is None or n > _MAX_ROWS:
        return None
    if isinstance(formula, str):
        return Formula(formula, n, (), 0) if kind in ("polynomial", "named") else None
    return Formula(kind, n, formula, p or m)


def _rank(problem: Formula) -> str:
    """Eliminate the whole matrix."""
    return str(rank_of(_rows(problem, problem.n)))


def _rows(problem: Formula, n: int) -> list[list[int]]:
    """Return the first n rows and columns."""
    kind, _, terms, number = problem
    indices = range(1, n + 1)
    if kind in _NAMED:
        return [[_NAMED[kind][1](i, j) for j in indices] for i in indices]
    rows = []
    for i in indices:
        by_power = [sum(c * i**k for c, k, power in terms if power == low) for low in range(3)]
        values = [by_power[0] + j * (by_power[1] + j * by_power[2]) for j in indices]
        if kind == "power":
            values = [value**number for value in values]
        elif kind == "remainder":
            values = [value % number for value in values]
        elif kind == "divides":
            values = [int(value % number == 0) for value in values]
        rows.append(values)
    return rows


def _follows_formula(problem: Formula, answer: str, lines: Sequence[str]) -> bool:
    """Reduce the matrix as a solution must, and compare."""
    kind, n, terms, number = problem
    if kind in _NAMED:
        determinant = determinant_of(list(bareiss(_rows(problem, n))), n)
        start = [f"det(A) = {_NAMED[kind][0]} = {determinant}"]
    elif kind == "power":
        start = [_power_line(terms, number)]
    else:
        small: list[list[int]] = [[0] * 3 for _ in range(3)]
        for c, k, power in terms:
            small[k][power] += c
        name = "coefficients of i^k*j^l by k and l"
        if kind != "polynomial":
            small, name = _rows(problem, number), f"first {number} rows and columns"
        start = [f"{name}: {small}", _minor_line(small)]
    return list(lines) == [*start, f"rank = {answer}"]


def _power_line(terms: Sequence[Term], number: int) -> str:
    """Write the coefficients of the powers of i, and what stays of the linear form without i."""
    (factor,) = (c for c, k, _ in terms if k)
    rest = [
        f"{'+' if c > 0 else '-'} {_written(abs(c), 0, power)}" for c, k, power in terms if not k
    ]
    text = " ".join(rest)
    text = f"-{text[2:]}" if text[0] == "-" else text[2:]
    leading = [comb(number, k) * factor**k for k in range(number + 1)]
    return f"coefficients of i^k*({text})^({number} - k) for k = 0, ..., {number}: {leading}"


def _minor_line(rows: list[list[int]]) -> str:
    """Write the minor of the first independent rows and columns."""
    places = []
    for side in (rows, list(zip(*rows, strict=True))):
        ranks = [rank_of(side[:k]) for k in range(len(side) + 1)]
        places.append([k for k in range(len(side)) if ranks[k] < ranks[k + 1]])
    minor = [[rows[i][j] for j in places[1]] for i in places[0]]
    value = determinant_of(list(bareiss(minor)), len(minor))
    where = [", ".join(str(k + 1) for k in side) for side in places]
    return f"minor of rows {where[0]} and columns {where[1]}: {value}"


FORMULA = PlainVerifier(_read_formula, _rank, follows=_follows_formula)
