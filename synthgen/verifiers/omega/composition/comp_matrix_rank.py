"""Ranks of randomly filled matrices, from the text: elimination in a field, and in fractions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega.composition._questions import Questions, parts_sum, sum_steps

_TEXTS = {
    "independent": (
        "In the matrix <matrix>, every star is replaced by a number that is drawn at random from"
        " {<values>}, each element being equally likely, independently of the other stars. What is"
        " the probability that the resulting matrix has rank <r>? <ending>",
        "The entries marked * of <matrix>, a matrix given row by row, are chosen independently and"
        " uniformly from the set {<values>}. Find the probability that its rank is exactly <r>."
        " <ending>",
        "Somebody fills the gaps, written *, of the matrix <matrix>. For every gap a number is"
        " picked from {<values>}, uniformly and independently. How likely is it that the rank of"
        " the filled matrix equals <r>? <ending>",
        "Let M be the random matrix <matrix>, where all stars stand for independent random numbers"
        " that take each value in {<values>} with the same probability. Determine the probability"
        " that M has rank <r>. <ending>",
    ),
    "shuffled": (
        "In the matrix <matrix>, the stars are replaced by the numbers <values> in a random order,"
        " each number being used once and all orders being equally likely. What is the probability"
        " that the resulting matrix has rank <r>? <ending>",
        "The numbers <values> are shuffled and written into the entries marked * of <matrix>, a"
        " matrix given row by row; every arrangement of these numbers is equally likely. Find the"
        " probability that its rank is exactly <r>. <ending>",
        "Somebody fills the gaps, written *, of the matrix <matrix> with the numbers <values>,"
        " each of which is drawn once, without replacement and at random. How likely is it that"
        " the rank of the filled matrix equals <r>? <ending>",
        "Let M be the random matrix <matrix>, where a uniformly random rearrangement of the list"
        " <values> takes the places of the stars. Determine the probability that M has rank <r>."
        " <ending>",
    ),
}
_NUMBER = r"-?(?:0|[1-9][0-9]{0,2})"
_ROW = rf"\[(?:\*|{_NUMBER})(?:, (?:\*|{_NUMBER})){{0,5}}\]"
_QUESTIONS = Questions(
    _TEXTS,
    matrix=rf"\[{_ROW}(?:, {_ROW}){{0,5}}\]",
    values=rf"{_NUMBER}(?:, {_NUMBER}){{1,11}}",
    r="[0-6]",
)
_MOST_SIDE, _MOST_VALUE, _MOST_FILLINGS = 4, 99, 20_000
_PRIME = 2**31 - 1
"""More than any minor of a matrix that is read: at most (99 * 2)^4 by Hadamard's bound."""

Problem = tuple[str, tuple[tuple[str, ...], ...], tuple[int, ...], int]
"""Kind, rows of entries, values, rank."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    kind, holes = found
    rows = tuple(tuple(row.split(", ")) for row in re.findall(r"\[([^\[\]]+)\]", holes["matrix"]))
    values = tuple(sorted(map(int, holes["values"].split(", "))))
    width = len(rows[0])
    numbers = [*values, *(int(entry) for row in rows for entry in row if entry != "*")]
    gaps = sum(row.count("*") for row in rows)
    if any(len(row) != width for row in rows) or max(width, len(rows)) > _MOST_SIDE:
        return None
    if not gaps or max(map(abs, numbers)) > _MOST_VALUE:
        return None
    if kind == "independent":
        fits = len(set(values)) == len(values) and len(values) ** gaps <= _MOST_FILLINGS
    else:
        orders = factorial(gaps) // prod(map(factorial, Counter(values).values()))
        fits = len(values) == gaps and orders <= _MOST_FILLINGS
    return (kind, rows, values, int(holes["r"])) if fits else None


def _fillings(problem: Problem) -> list[tuple[int, ...]]:
    kind, rows, values, _ = problem
    gaps = sum(row.count("*") for row in rows)
    if kind == "independent":
        return list(product(values, repeat=gaps))
    partial: list[tuple[tuple[int, ...], Counter[int]]] = [((), Counter(values))]
    for _ in range(gaps):
        partial = [
            ((*done, value), left - Counter((value,))) for done, left in partial for value in left
        ]
    return [done for done, _ in partial]


def _tally(problem: Problem) -> list[int]:
    """Count the fillings of each rank by elimination modulo a prime, all matrices at once."""
    _, rows, _, _ = problem
    fillings = np.array(_fillings(problem), np.int64)
    n, m = len(rows), len(rows[0])
    matrices = np.empty((len(fillings), n, m), np.int64)
    gap = 0
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            matrices[:, i, j] = fillings[:, gap] if entry == "*" else int(entry)
            gap += entry == "*"
    ranks = np.zeros(len(fillings), np.int64)
    everywhere = np.arange(len(fillings))
    matrices %= _PRIME
    for j in range(m):
        usable = (matrices[:, :, j] != 0) & (np.arange(n) >= ranks[:, None])
        which = everywhere[usable.any(axis=1)]
        pivots, tops = usable[which].argmax(axis=1), ranks[which]
        swapped = matrices[which, pivots].copy()
        matrices[which, pivots] = matrices[which, tops]
        matrices[which, tops] = swapped
        ranks[which] += 1
        for i in range(n):
            below = i >= ranks[which]
            chosen, pivot_rows = which[below], swapped[below]
            matrices[chosen, i] = _cancelled(matrices[chosen, i], pivot_rows, j)
    tally: list[int] = np.bincount(ranks, minlength=min(n, m) + 1).tolist()
    return tally


def _cancelled(rows: NDArray[np.int64], pivots: NDArray[np.int64], j: int) -> NDArray[np.int64]:
    """Return multiples of rows plus multiples of pivot rows that are zero in column j."""
    left = rows * pivots[:, j : j + 1] % _PRIME
    result: NDArray[np.int64] = (left - pivots * rows[:, j : j + 1] % _PRIME) % _PRIME
    return result


def _probability(problem: Problem, tally: Sequence[int]) -> Fraction:
    rank = problem[3]
    return Fraction(tally[rank] if rank < len(tally) else 0, sum(tally))


def _answer(value: Fraction) -> str | None:
    return parts_sum(value) if 0 < value < 1 else None


def _solve(problem: Problem) -> str | None:
    return _answer(_probability(problem, _tally(problem)))


def _exact(problem: Problem) -> str | None:
    """Eliminate in fractions, one filling after the other."""
    tally = [0] * (_MOST_SIDE + 1)
    for filling in _fillings(problem):
        numbers = iter(filling)
        rows = [
            [Fraction(next(numbers) if entry == "*" else int(entry)) for entry in row]
            for row in problem[1]
        ]
        tally[_rank(rows)] += 1
    return _answer(_probability(problem, tally))


def _rank(rows: list[list[Fraction]]) -> int:
    rank = 0
    for j in range(len(rows[0])):
        pivot = next((row for row in rows[rank:] if row[j]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(rank, pivot)
        rank += 1
        for row in rows[rank:]:
            times = row[j] / pivot[j]
            row[:] = [a - times * b for a, b in zip(row, pivot, strict=True)]
    return rank


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have."""
    tally = _tally(problem)
    value = _probability(problem, tally)
    lines = [f"rank {rank}: {many}" for rank, many in enumerate(tally)]
    lines += [f"{tally[problem[3]]} of {sum(tally)}", sum_steps(value)]
    return way == "\n".join(lines) and parts_sum(value) == answer


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer", _follows)
