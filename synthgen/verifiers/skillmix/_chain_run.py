"""Running a chain, and comparing every value that is told with what it should be."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._problem_text import after
from synthgen.verifiers.skillmix._chain_atoms import FACTS, ROW
from synthgen.verifiers.skillmix._chain_measure import listed, measure, of_number, ranked
from synthgen.verifiers.skillmix._chain_read import Bytes, Numbers
from synthgen.verifiers.skillmix._chain_rules import (
    BY_ITEM,
    BY_PLACE,
    BY_RANK,
    CHOOSING,
    COUNTING,
    KIND,
    LISTING,
    item_of,
    length_of,
    place_of,
    stays,
)
from synthgen.verifiers.skillmix._chain_values import MOST_ITEMS, after_value

ROOM = 2 * MOST_ITEMS + 2
LARGEST = 10**9
"""A chain whose numbers leave these bounds, on either side of 0, is refused."""
_LSORTDESC = ROW["lsortdesc"]
_ROW, _FIRST, _SECOND, _SOURCE, _RESULT = range(5)
_WORDS, _ZERO = 3, ord("0")
_LINE = np.frombuffer(b"\n", np.uint8)
_COLON = np.frombuffer(b": ", np.uint8)
_DOTS = np.frombuffer(b"...", np.uint8)


@lent
def apply_atom(atom: Int, values: Numbers, n: Int, out: Numbers, room: Numbers) -> Int:
    """Write what an atom makes of values[:n] to `out`; return its length, 0 if there is nothing."""
    row, a, b = FACTS[atom, _ROW], FACTS[atom, _FIRST], FACTS[atom, _SECOND]
    kind = KIND[row]
    m = n
    if kind == BY_PLACE:
        m = length_of(row, a, n)
        for k in range(m):
            out[k] = values[place_of(row, a, n, k)]
    elif kind == BY_ITEM:
        for k in range(n):
            out[k] = item_of(row, a, b, values[k])
    elif kind == CHOOSING:
        m = np.int64(0)
        for k in range(n):
            if stays(row, a, values, k):
                out[m] = values[k]
                m += 1
    elif kind == BY_RANK:
        ranked(values, n, out, int(row == _LSORTDESC))
    elif kind == LISTING:
        m = listed(row, a, b, values, n, out)
    elif kind == COUNTING:
        out[0] = measure(row, a, values, n, room)
        m = np.int64(1)
    else:
        m = of_number(row, values[0], out)
    if m > MOST_ITEMS:
        return np.int64(0)
    if FACTS[atom, _RESULT] != _WORDS:
        for k in range(m):
            if not -LARGEST <= out[k] <= LARGEST:
                return np.int64(0)
    return m


@lent
def _after_step(
    text: Bytes, at: Int, end: Int, step: Int, last: Int, kind: Int, values: Numbers, n: Int
) -> Int:
    """Return where a step's line ends if it stands at `at`, else -1; only the last may not hide."""
    if step > 0:
        at = after(text, at, end, _LINE)
    number = step + 1
    if number >= 10:
        if at < 0 or at >= end or text[at] != _ZERO + number // 10:
            return np.int64(-1)
        at += 1
    if at < 0 or at >= end or text[at] != _ZERO + number % 10:
        return np.int64(-1)
    at = after(text, at + 1, end, _COLON)
    if not last:
        hidden = after(text, at, end, _DOTS)
        if hidden >= 0:
            return hidden
    return after_value(text, at, end, kind, values, n)


@lent
def chain_is_right(
    chain: Numbers,
    count: Int,
    kind: Int,
    rooms: Numbers,
    n: Int,
    answers: Bytes,
    answer: tuple[Int, Int],
    solutions: Bytes,
    solution: tuple[Int, Int],
    stated: Int,
) -> bool:
    """Say whether an answer, and a solution if one is stated, are those of a chain.

    Args:
        chain: atoms in the order in which they are applied.
        count: of them.
        kind: type of the value that the chain starts from.
        rooms: (3, ROOM), the first holding that value.
        n: its length.
        answers: text.
        answer: where the answer begins and ends in it.
        solutions: text.
        solution: where the solution begins and ends in it.
        stated: 1 if there is one, else 0.
    """
    at: Int = np.int64(solution[0])
    side = 0
    for step in range(count):
        atom = chain[step]
        if FACTS[atom, _SOURCE] != kind:
            return False
        n = apply_atom(atom, rooms[side], n, rooms[1 - side], rooms[2])
        if n <= 0:
            return False
        side = 1 - side
        kind = FACTS[atom, _RESULT]
        if stated:
            last = int(step == count - 1)
            at = _after_step(solutions, at, solution[1], step, last, kind, rooms[side], n)
            if at < 0:
                return False
    if stated and at != solution[1]:
        return False
    return bool(after_value(answers, answer[0], answer[1], kind, rooms[side], n) == answer[1])
