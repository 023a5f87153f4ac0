"""Roots modulo powers of primes, from the text: Newton's lifting, and all numbers or SymPy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.numbertheory._lte_questions import QUESTIONS
from synthgen.verifiers.omega.numbertheory._lte_roots import (
    Finder,
    lifted,
    primes,
    tried,
    without_root,
)
from synthgen.verifiers.omega.numbertheory._repeats import repeated

_POWER = r"\^(?:[2-9]|1[0-2])"
_HOLES = {name: rf"{name}(?:{_POWER})?" for name in "nmx"}
_HOLES |= {f"f{name}": rf"{power}(?: [+-] [1-9][0-9]?)?" for name, power in _HOLES.items()}
_HOLES |= dict.fromkeys(("pe", "pf"), rf"(?:p|[1-9][0-9]{{0,2}})(?:{_POWER})?")
_HOLES |= {"q": r"[2-9]|[1-9][0-9]"}
_PATTERNS = {kind: repeated(texts, _HOLES) for kind, texts in QUESTIONS.items()}
_TERM = re.compile(r"[nmx](?:\^([0-9]+))?(?: ([+-]) ([0-9]+))?", re.ASCII)

Problem = tuple[str, int, int, int, int, int, int]
"""Kind, exponent, offset, powers of the prime (two), its modulus, and the prime or 0."""


def _read(statement: str) -> Problem | None:
    for kind, patterns in _PATTERNS.items():
        match = next(filter(None, (pattern.fullmatch(statement) for pattern in patterns)), None)
        if match:
            return _problem(kind, match.groupdict())
    return None


def _problem(kind: str, parts: dict[str, str]) -> Problem | None:
    texts = [text for name, text in parts.items() if name not in ("pe", "pf", "q")]
    terms = {found.groups() for found in map(_TERM.fullmatch, texts) if found}
    if len(terms) != 1:  # the same polynomial, whatever its unknown is called
        return None
    ((exponent, sign, size),) = terms
    base, _, power = parts["pe"].partition("^")
    other, _, higher = parts.get("pf", parts["pe"]).partition("^")
    given = kind.startswith("n_roots")
    if base != other or (base == "p") == given:
        return None
    offset = int(f"{sign or '+'}{size or 0}")
    if kind in ("least_root", "lifted_root", "largest_root"):
        modulus = 1
    else:
        offset, modulus = 1, int(parts.get("q", 1))
    prime = int(base) if given else 0
    if given and prime not in primes():
        return None
    return kind, int(exponent or 1), offset, int(power or 1), int(higher or 1), modulus, prime


def _answer(problem: Problem, find: Finder) -> str | None:
    kind, k, offset, power, higher, modulus, prime = problem
    if not prime:
        *_, prime = 0, *without_root(k, offset, power, modulus, find)
    found = find(k, offset, prime, higher) if prime else ()
    if not found:
        return None
    if kind == "n_roots":
        return str(len(found))
    if kind == "n_roots_plus_least":
        return str(len(found) + found[0])
    return str(found[-1] if kind == "largest_root" else found[0])


def _solve(problem: Problem) -> str | None:
    return _answer(problem, lifted)


def _exact(problem: Problem) -> str | None:
    return _answer(problem, tried)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    return way == _way(problem, answer)


@lru_cache(maxsize=1 << 12)
def _way(problem: Problem, answer: str) -> str:
    return "\n".join(_lines(problem, answer))


def _lines(problem: Problem, answer: str) -> Iterator[str]:
    """Write the way to the answer as every solution must have it."""
    kind, k, offset, power, higher, modulus, prime = problem
    if prime:
        found = lifted(k, offset, prime, higher)
        yield f"roots modulo {prime**higher}: {', '.join(map(str, found))}"
        plus = kind == "n_roots_plus_least"
        yield f"{len(found)} + {found[0]} = {answer}" if plus else f"number: {answer}"
        return
    for other in without_root(k, offset, power, modulus, lifted):
        there = lifted(k, offset, other, power)
        if there:
            first = min(n % other**power for n in there)
            yield f"p = {other}: root {first} modulo {other**power}"
            prime = other
        else:
            yield f"p = {other}: no root modulo {other**power}"
    found = lifted(k, offset, prime, higher)
    yield f"roots modulo {prime**higher}: {', '.join(map(str, found))}"
    value = int(answer) ** k + offset
    raised = answer if k == 1 else f"{answer}^{k}"
    sign = "+" if offset > 0 else "-"
    yield f"{raised} {sign} {abs(offset)} = {value}" if offset else f"{raised} = {value}"
    yield f"{value} = {prime**higher} * {value // prime**higher}"


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
