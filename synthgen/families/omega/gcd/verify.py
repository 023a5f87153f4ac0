"""Divisors and factors of integers from the text."""

from __future__ import annotations

from collections.abc import Iterator

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads

_WORDS = Words.beside(__file__)


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


def _divisions(pair: tuple[int, int]) -> Iterator[str]:
    """Write the divisions with remainder from the pair down to the divisor."""
    larger, smaller = max(pair), min(pair)
    while smaller:
        times, rest = divmod(larger, smaller)
        yield f"{larger} = {times} * {smaller} + {rest}"
        larger, smaller = smaller, rest


VERIFIERS = {"arithmetic_gcd": PlainVerifier(_read_gcd, _gcd, follows=exactly(_divisions))}
