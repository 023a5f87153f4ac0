"""Linear systems in a kernel: the statement read, solved modulo a prime, the solution put in.

A matrix that is regular modulo a prime is regular, so that integers which satisfy its equations are
the only solution. Where the residues give no such integers, the kernel gives up.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega._quick_ratios import LARGEST, Known
from synthgen.verifiers.omega._quick_sums import (
    N_LETTERS,
    definitions_at,
    equation_at,
    working_arrays,
)
from synthgen.verifiers.omega._quick_text import (
    GAVE_UP,
    MOST_BYTES,
    Bytes,
    Marks,
    fixed,
    goes_on,
    is_integer,
    letter_at,
    statement_end,
)

_MOST_UNKNOWNS = 12
_PRIME = 2_147_483_629
_COMMA, _AND = fixed(", "), fixed(" and ")
_SOLVE, _FOR, _GIVE = (
    fixed("Solve the system of equations "),
    fixed(" for "),
    fixed(". Give an integer."),
)
_NUMBERS, _SATISFY = fixed("The numbers "), fixed(" satisfy ")
_WHAT, _ANSWER = fixed(". What is "), fixed("? Answer with an integer.")
_GIVEN, _FIND, _IS = fixed("Given that "), fixed(", find "), fixed(". The answer is an integer.")
_VALUE, _WHICH = fixed("Find the value of "), fixed(" for which ")
_HOLD = fixed(" all hold. Give an integer.")


@njit(cache=True, nogil=True)
def solved_systems(
    prompts: Bytes, prompt_ends: Marks, answers: Bytes, answer_ends: Marks
) -> NDArray[np.bool_]:
    """Say which answers are surely right."""
    n = len(prompt_ends) - 1
    right = np.zeros(n, np.bool_)
    values, known, ratios, signs = working_arrays()
    seen = np.zeros(N_LETTERS, np.bool_)
    rows = np.empty((_MOST_UNKNOWNS, N_LETTERS + 1), np.int64)
    work = np.empty((_MOST_UNKNOWNS, _MOST_UNKNOWNS + 1), np.int64)
    solution = np.empty(N_LETTERS, np.int64)
    for i in range(n):
        low = prompt_ends[i]
        end = statement_end(prompts, low, prompt_ends[i + 1])
        if end - low > MOST_BYTES:
            continue
        known[:] = False
        low = definitions_at(prompts, low, end, values, known, ratios, signs)
        size, asked = _question(prompts, low, end, values, known, rows, seen)
        if size < 2 or not seen[asked] or np.sum(seen) != size:
            continue
        if _solve(rows[:size], seen, work, solution) and _holds(rows[:size], seen, solution):
            right[i] = is_integer(answers, answer_ends[i], answer_ends[i + 1], solution[asked])
    return right


@njit(cache=True, nogil=True)
def _question(
    text: Bytes, at: Int, end: Int, values: Marks, known: Known, rows: Marks, seen: Known
) -> tuple[Int, Int]:
    """Read the question; return how many equations there are, 0 if it is none, and the unknown."""
    none = np.int64(0)
    named = np.zeros(N_LETTERS, np.bool_)
    seen[:] = False
    if goes_on(text, at, end, _SOLVE):
        at, size = _system(text, at + len(_SOLVE), end, values, known, rows, seen)
        asked, at = _letter_between(text, at, end, _FOR, _GIVE)
    elif goes_on(text, at, end, _NUMBERS):
        at = _letters(text, at + len(_NUMBERS), end, named)
        if not goes_on(text, at, end, _SATISFY):
            return none, none
        at, size = _system(text, at + len(_SATISFY), end, values, known, rows, seen)
        asked, at = _letter_between(text, at, end, _WHAT, _ANSWER)
        if np.any(named != seen):
            return none, none
    elif goes_on(text, at, end, _GIVEN):
        at, size = _system(text, at + len(_GIVEN), end, values, known, rows, seen)
        asked, at = _letter_between(text, at, end, _FIND, _IS)
    elif goes_on(text, at, end, _VALUE):
        asked, at = _letter_between(text, at, end, _VALUE, _WHICH)
        at, size = _system(text, at, end, values, known, rows, seen)
        at = at + len(_HOLD) if goes_on(text, at, end, _HOLD) else GAVE_UP
    else:
        return none, none
    return (size, asked) if at == end and asked >= 0 else (none, none)


@njit(cache=True, nogil=True)
def _letter_between(
    text: Bytes, at: Int, end: Int, before: Bytes, behind: Bytes
) -> tuple[Int, Int]:
    """Return a letter between two fixed parts, -1 if there is none, and where these end."""
    if not goes_on(text, at, end, before):
        return np.int64(-1), GAVE_UP
    at += len(before)
    letter = letter_at(text, at, end)
    if letter < 0 or not goes_on(text, at + 1, end, behind):
        return np.int64(-1), GAVE_UP
    return letter, at + 1 + len(behind)


@njit(cache=True, nogil=True)
def _letters(text: Bytes, at: Int, end: Int, named: Known) -> Int:
    """Read a list of two or more rising letters, as `a, b and c`, and return where it ends."""
    last: Int = np.int64(-1)
    while True:
        letter = letter_at(text, at, end)
        if letter <= last:
            return GAVE_UP
        named[letter] = True
        last, at = letter, at + 1
        if goes_on(text, at, end, _COMMA):
            at += len(_COMMA)
        elif goes_on(text, at, end, _AND):
            letter = letter_at(text, at + len(_AND), end)
            if letter <= last:
                return GAVE_UP
            named[letter] = True
            return at + len(_AND) + 1
        else:
            return GAVE_UP


@njit(cache=True, nogil=True)
def _system(
    text: Bytes, at: Int, end: Int, values: Marks, known: Known, rows: Marks, seen: Known
) -> tuple[Int, Int]:
    """Read a list of two or more equations; return where it ends, and how many there are."""
    size = 0
    is_last = False
    while at >= 0 and size < len(rows):
        at = equation_at(text, at, end, values, known, rows[size], seen)
        size += 1
        if is_last:
            return at, np.int64(size)
        if goes_on(text, at, end, _COMMA):
            at += len(_COMMA)
        elif goes_on(text, at, end, _AND):
            at += len(_AND)
            is_last = True
        else:
            break
    return GAVE_UP, np.int64(0)


@njit(cache=True, nogil=True)
def _inverse(value: Int) -> Int:
    """Return 1 / value modulo the prime, by Euclid's algorithm."""
    before: Int = np.int64(_PRIME)
    rest = value
    x, y = np.int64(0), np.int64(1)
    while rest:
        times = before // rest
        before, rest = rest, before - times * rest
        x, y = y, x - times * y
    return x % _PRIME


@njit(cache=True, nogil=True)
def _solve(rows: Marks, seen: Known, work: Marks, solution: Marks) -> bool:
    """Solve modulo the prime, to residues of either sign; false if the matrix is not regular."""
    size = len(rows)
    column = 0
    for letter in range(N_LETTERS):
        if seen[letter]:
            for i in range(size):
                work[i, column] = rows[i, letter] % _PRIME
            column += 1
    for i in range(size):
        work[i, size] = -rows[i, N_LETTERS] % _PRIME
    for column in range(size):
        pivot = column
        while pivot < size and work[pivot, column] == 0:
            pivot += 1
        if pivot == size:
            return False
        inverse = _inverse(work[pivot, column])
        for j in range(column, size + 1):
            value = work[pivot, j] * inverse % _PRIME
            work[pivot, j] = work[column, j]
            work[column, j] = value
        for i in range(size):
            times = work[i, column]
            if i != column and times:
                for j in range(column, size + 1):
                    work[i, j] = (work[i, j] + (_PRIME - times) * work[column, j]) % _PRIME
    place = 0
    for letter in range(N_LETTERS):
        if seen[letter]:
            value = work[place, size]
            solution[letter] = value - _PRIME if value > _PRIME // 2 else value
            place += 1
    return True


@njit(cache=True, nogil=True)
def _holds(rows: Marks, seen: Known, solution: Marks) -> bool:
    """Say whether integers satisfy all equations."""
    for row in rows:
        total: Int = row[N_LETTERS]
        for letter in range(N_LETTERS):
            if not seen[letter]:
                continue
            part = np.float64(row[letter]) * np.float64(solution[letter])
            if abs(part) >= LARGEST or abs(np.float64(total) + part) >= LARGEST:
                return False
            total += row[letter] * solution[letter]
        if total != 0:
            return False
    return True
