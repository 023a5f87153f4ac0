"""Divisors and factors of integers from the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
_N = f"({holes.NATURAL.pattern})"
_DIVISION = re.compile(rf"{_N} = {_N} \* {_N} \+ {_N}", re.ASCII)


@reads(_WORDS.part("gcd"), p=holes.NATURAL, q=holes.NATURAL)
def _read_gcd(p: int, q: int) -> tuple[int, int] | None:
    return (p, q) if min(p, q) > 0 else None


def _gcd(pair: tuple[int, int]) -> str:
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


def _follows_gcd(pair: tuple[int, int], answer: str, lines: Sequence[str]) -> bool:
    """Follow the divisions with remainder from the pair down to the answer."""
    larger, smaller = max(pair), min(pair)
    for line in lines:
        match = _DIVISION.fullmatch(line)
        if match is None or smaller == 0:
            return False
        whole, times, divisor, rest = map(int, match.groups())
        if (whole, divisor) != (larger, smaller) or whole != times * divisor + rest:
            return False
        if rest >= divisor:
            return False
        larger, smaller = divisor, rest
    return smaller == 0 and str(larger) == answer


VERIFIERS = {"arithmetic_gcd": PlainVerifier(_read_gcd, _gcd, follows=_follows_gcd)}
