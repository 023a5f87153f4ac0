"""Linear systems from the text: fraction-free elimination, SymPy, and the combinations claimed."""

from __future__ import annotations

import re

from synthgen.verifiers.omega._definitions import (
    Definitions,
    read_definitions,
    settle,
    settle_exactly,
    solved_exactly,
)
from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._sums import (
    Sum,
    letters_in,
    linear_form,
    read_equation,
    read_sum,
)
from synthgen.verifiers.omega.algebra._quick_system import solved_systems

_LETTER = r"(?P<x>[a-z])"
_WORDINGS = tuple(
    re.compile(text, re.ASCII | re.DOTALL)
    for text in (
        rf"Solve the system of equations (?P<system>.*) for {_LETTER}\. Give an integer\.",
        rf"The numbers (?P<unknowns>[a-z, ]*) satisfy (?P<system>.*)\. What is {_LETTER}\? "
        r"Answer with an integer\.",
        rf"Given that (?P<system>.*), find {_LETTER}\. The answer is an integer\.",
        rf"Find the value of {_LETTER} for which (?P<system>.*) all hold\. Give an integer\.",
    )
)
_MOST_UNKNOWNS = 12
_LINE = re.compile(
    r"\(([1-9][0-9]?)\)(?: ([1-9][0-9]*)\*\(([1-9][0-9]?)\) ([+-]) ([1-9][0-9]*)\*"
    r"\(([1-9][0-9]?)\)(?:, divided by ([1-9][0-9]*))?:)? (.+)",
    re.ASCII,
)

Problem = tuple[Definitions, tuple[Sum, ...], str]
"""Definitions, equations, and the unknown that is asked for."""
Row = tuple[int, ...]


def _read(statement: str) -> Problem | None:
    found = read_definitions(statement)
    if found is None:
        return None
    definitions, question = found
    match = next((m for m in (p.fullmatch(question) for p in _WORDINGS) if m), None)
    if match is None:
        return None
    equations = [read_equation(text) for text in _unlisted(match["system"])]
    system = tuple(terms for terms in equations if terms is not None)
    if len(system) != len(equations) or not 2 <= len(system) <= _MOST_UNKNOWNS:
        return None
    known = {letter for letters, _, _ in definitions for letter in letters}
    unknowns = set[str]().union(*map(letters_in, system)) - known
    if len(unknowns) != len(system) or match["x"] not in unknowns:
        return None
    named = match.groupdict().get("unknowns")
    if named is not None and _unlisted(named) != sorted(unknowns):
        return None
    return definitions, system, match["x"]


def _unlisted(text: str) -> list[str]:
    """Take a list such as `a, b and c` apart."""
    before, _, last = text.rpartition(" and ")
    return [*before.split(", "), last]


def _rows(problem: Problem, known: dict[str, int] | None) -> tuple[list[str], list[list[int]]]:
    """Return the unknowns, the one that is asked for last, and their coefficients and constants."""
    _, system, x = problem
    forms = [linear_form(terms, known or {}) for terms in system]
    if known is None or any(form is None for form in forms):
        return [], []
    names = set[str]().union(*(form for form in forms if form is not None)) - {"", x}
    order = [*sorted(names), x]
    rows = [[*(form.get(name, 0) for name in order), -form[""]] for form in forms if form]
    return order, rows


def _solve(problem: Problem) -> str | None:
    """Bareiss' elimination in integers, until the last unknown stands alone."""
    order, rows = _rows(problem, settle(problem[0]))
    size = len(order)
    previous = 1
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        top = rows[column]
        lead = top[column]
        for i in range(column + 1, size):
            row = rows[i]
            by = row[column]
            for j in range(column + 1, size + 1):
                row[j] = (row[j] * lead - by * top[j]) // previous
        previous = lead
    if not rows:
        return None
    value, rest = divmod(rows[-1][-1], rows[-1][-2])
    return None if rest else str(value)


def _exact(problem: Problem) -> str | None:
    """SymPy's matrices over the rationals."""
    from sympy import Integer

    _, rows = _rows(problem, settle_exactly(problem[0]))
    if not rows:
        return None
    values = solved_exactly([[Integer(value) for value in row] for row in rows])
    value = values[-1] if values is not None else None
    return str(int(value)) if isinstance(value, Integer) else None


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Follow the definitions, the equations, and every combination of two of them."""
    known = settle(problem[0])
    order, rows = _rows(problem, known)
    lines = way.split("\n")
    stated = [f"{letter} = {value}" for letter, value in (known or {}).items()]
    if not rows or lines[: len(stated)] != stated or lines[-1] != f"{order[-1]} = {answer}":
        return False
    claimed: list[Row] = []
    for number, line in enumerate(lines[len(stated) : -1], 1):
        row = _line(line, number, claimed, order)
        if row is None or (number <= len(rows) and not _same(row, rows[number - 1])):
            return False
        claimed.append(row)
    if len(claimed) <= len(rows):
        return False
    *others, times, constant = claimed[-1]
    return not any(others) and times != 0 and times * int(answer) == constant


def _same(row: Row, other: list[int]) -> bool:
    """Say whether two equations are the same but for the sign of everything."""
    return row in (tuple(other), tuple(-value for value in other))


def _line(line: str, number: int, claimed: list[Row], order: list[str]) -> Row | None:
    """Return the equation of a line; None if it is not numbered, or not the combination it says."""
    match = _LINE.fullmatch(line)
    if match is None or int(match[1]) != number:
        return None
    sides = match[8].split(" = ")
    terms = read_sum(sides[0])
    right = read_sum(sides[1]) if len(sides) == 2 else None
    if terms is None or right is None or len(right) != 1 or right[0][2]:
        return None
    form = linear_form(terms, {})
    if form is None or form[""] or not set(form) <= {*order, ""}:
        return None
    row = (*(form.get(name, 0) for name in order), right[0][0])
    if match[2] is None:
        return row if number <= len(order) else None
    first, second = int(match[3]), int(match[6])
    if number <= len(order) or max(first, second) >= number:
        return None
    times, less, by = int(match[2]), int(match[4] + match[5]), int(match[7] or 1)
    made = [
        times * a + less * b for a, b in zip(claimed[first - 1], claimed[second - 1], strict=True)
    ]
    return row if tuple(by * value for value in row) == tuple(made) else None


VERIFIER = PlainVerifier(
    _read, _solve, _exact, "integer", _follows, remembered=0, quick=solved_systems
)
