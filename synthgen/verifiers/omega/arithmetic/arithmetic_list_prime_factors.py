"""Second-largest prime factors from the text: common divisors with products of primes, trials."""

from __future__ import annotations

from functools import cache, partial
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega._definitions import (
    Definitions,
    read_definitions,
    settle,
    settle_exactly,
)
from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._quick_text import fixed_parts
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.arithmetic._factors import prime_factors
from synthgen.verifiers.omega.arithmetic._quick_factors import second_primes

_TEXTS = (
    "What is the second-largest of the different prime factors of <n>? Give an integer.",
    "List the different prime factors of <n> from the largest to the smallest. Which one comes "
    "second? Answer with an integer.",
    "Find the second-largest prime that divides <n>. Give an integer.",
    "Of the different primes that divide <n>, which one is smaller than exactly one of the "
    "others? The answer is an integer.",
)
_WORDINGS = wordings(*_TEXTS, n="[1-9][0-9]{0,59}|[a-z]")
_PARTS = fixed_parts(*(part for text in _TEXTS for part in text.split("<n>")))
"""What stands before and behind the integer, wording by wording."""
_LAST_TRIAL = 100_003
_LIMB = 30
"""Bits of a number that are divided at once; with a remainder they stay below 2^63."""

Problem = tuple[Definitions, "int | str"]
"""Definitions, and the integer or its letter."""


def _read(statement: str) -> Problem | None:
    found = read_definitions(statement)
    match = read_as(found[1], _WORDINGS) if found else None
    if found is None or match is None:
        return None
    name = match["n"]
    return found[0], int(name) if name.isdigit() else name


def _number(problem: Problem, known: dict[str, int] | None) -> int:
    """Return the integer that is asked about, 0 if there is none."""
    name = problem[1]
    if isinstance(name, int):
        return name if known is not None else 0
    return (known or {}).get(name, 0)


def _solve(problem: Problem) -> str | None:
    different = sorted(set(prime_factors(_number(problem, settle(problem[0]))) or []))
    return str(different[-2]) if len(different) > 1 else None


@cache
def _trials() -> NDArray[np.int64]:
    """Return the primes up to the last trial."""
    sieve = np.ones(_LAST_TRIAL + 1, np.bool_)
    sieve[:2] = False
    for n in range(2, isqrt(_LAST_TRIAL) + 1):
        if sieve[n]:
            sieve[n * n :: n] = False
    return np.flatnonzero(sieve)


def _exact(problem: Problem) -> str | None:
    """Division by every prime up to the root or the last trial, and SymPy's test of the rest."""
    from sympy import isprime

    n = _number(problem, settle_exactly(problem[0]))
    if n < 2:
        return None
    trials = _trials()
    trials = trials[: np.searchsorted(trials, min(isqrt(n), _LAST_TRIAL), "right")]
    rests = np.zeros(len(trials), np.int64)
    for place in range(n.bit_length() // _LIMB, -1, -1):
        limb = n >> place * _LIMB & ((1 << _LIMB) - 1)
        rests = ((rests << _LIMB) + limb) % trials
    found = trials[rests == 0].tolist()
    for prime in found:
        while n % prime == 0:
            n //= prime
    if n > 1:
        if not isprime(n):
            return None
        found.append(n)
    return str(found[-2]) if len(found) > 1 else None


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Follow the definitions, the divisions by growing primes, and the order of the primes."""
    known = settle(problem[0])
    n = _number(problem, known)
    primes = prime_factors(n)
    if primes is None or known is None:
        return False
    lines = [f"{letter} = {value}" for letter, value in known.items()]
    for prime in primes[:-1]:
        lines.append(f"{n} = {prime} * {n // prime}")
        n //= prime
    different = sorted(set(primes), reverse=True)
    lines.append(f"{' > '.join(map(str, different))}, second {answer}")
    return len(different) > 1 and str(different[1]) == answer and way == "\n".join(lines)


VERIFIER = PlainVerifier(
    _read, _solve, _exact, "integer", _follows, remembered=0, quick=partial(second_primes, *_PARTS)
)
