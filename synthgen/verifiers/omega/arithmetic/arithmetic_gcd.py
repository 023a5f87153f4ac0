"""Greatest common divisors from the text: Python's own, prime powers, and Euclid's divisions."""

from __future__ import annotations

import re
from functools import partial
from math import gcd

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._quick_text import (
    Bytes,
    Marks,
    first_part,
    fixed_parts,
    integer_at,
    is_integer,
    part_end,
    statement_end,
)
from synthgen.verifiers.omega._wordings import INTEGER, read_as, wordings

_TEXTS = (
    "What is the greatest common divisor of <p> and <q>? Give an integer.",
    "Find the highest common factor of <p> and <q>. Answer with an integer.",
    "Which is the largest integer that divides both <p> and <q>?",
    "Compute gcd(<p>, <q>). The answer is an integer.",
)
_WORDINGS = wordings(*_TEXTS)
_PARTS = fixed_parts(*(part for text in _TEXTS for part in re.split("<[pq]>", text)))
"""What stands before, between and behind the integers, wording by wording."""
_DIVISION = re.compile(rf"{INTEGER} = {INTEGER} \* {INTEGER} \+ {INTEGER}", re.ASCII)

Pair = tuple[int, int]


def _read(statement: str) -> Pair | None:
    match = read_as(statement, _WORDINGS)
    pair = (int(match["p"]), int(match["q"])) if match else (0, 0)
    return pair if min(pair) > 0 else None


def _solve(pair: Pair) -> str:
    return str(gcd(*pair))


def _halved(pair: Pair) -> str:
    """Stein's binary algorithm: no division but by two."""
    p, q = pair
    twos = 0
    while not (p | q) & 1:
        p, q, twos = p >> 1, q >> 1, twos + 1
    while p:
        p >>= (p & -p).bit_length() - 1
        q >>= (q & -q).bit_length() - 1
        p, q = abs(p - q), min(p, q)
    return str(q << twos)


def _follows(pair: Pair, answer: str, way: str) -> bool:
    """Follow the divisions with remainder from the pair down to the answer."""
    larger, smaller = max(pair), min(pair)
    for line in way.split("\n"):
        match = _DIVISION.fullmatch(line)
        if match is None or smaller == 0:
            return False
        whole, times, divisor, rest = map(int, match.groups())
        if (whole, divisor) != (larger, smaller) or whole != times * divisor + rest:
            return False
        if not 0 <= rest < divisor:
            return False
        larger, smaller = divisor, rest
    return smaller == 0 and str(larger) == answer


@njit(cache=True, nogil=True)
def _quick(
    parts: Bytes,
    marks: Marks,
    prompts: Bytes,
    prompt_ends: Marks,
    answers: Bytes,
    answer_ends: Marks,
) -> NDArray[np.bool_]:
    """Say which rows are right for sure, of integers that fit into words."""
    n = len(prompt_ends) - 1
    right = np.zeros(n, np.bool_)
    for i in range(n):
        low = prompt_ends[i]
        end = statement_end(prompts, low, prompt_ends[i + 1])
        place, at = first_part(prompts, low, end, parts, marks, 3)
        first, at = integer_at(prompts, at, end)
        at = part_end(prompts, at, end, parts, marks, place + 1)
        second, at = integer_at(prompts, at, end)
        at = part_end(prompts, at, end, parts, marks, place + 2)
        if at == end and first > 0 and second > 0:
            found = gcd(first, second)
            right[i] = is_integer(answers, answer_ends[i], answer_ends[i + 1], found)
    return right


VERIFIER = PlainVerifier(
    _read, _solve, _halved, "integer", _follows, quick=partial(_quick, *_PARTS)
)
