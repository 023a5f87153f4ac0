"""Greatest common divisors from the text: Python's own, prime powers, and Euclid's divisions."""

from __future__ import annotations

import re
from math import gcd

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._wordings import INTEGER, read_as, wordings

_WORDINGS = wordings(
    "What is the greatest common divisor of <p> and <q>? Give an integer.",
    "Find the highest common factor of <p> and <q>. Answer with an integer.",
    "Which is the largest integer that divides both <p> and <q>?",
    "Compute gcd(<p>, <q>). The answer is an integer.",
)
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


VERIFIER = PlainVerifier(_read, _solve, _halved, "integer", _follows)
