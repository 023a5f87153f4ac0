"""Counting tuples with a vanishing sum of powers, from the text: characters, and residues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.numbertheory._repeats import repeated
from synthgen.verifiers.omega.numbertheory._vanishing_sums import (
    Sum,
    added,
    all_coprime_triples,
    by_characters,
    by_residues,
    common_divisors,
    coprime_triples,
    residues_of,
)

_ALONE = (
    "Let N be the number of positive integers {names}, not greater than {bound}, for which {sum}"
    " is divisible by {modulus}. Find the remainder of N on division by one thousand. Give an"
    " integer.",
    "How many integers {names} from one to {bound} make {sum} a multiple of {modulus}? Give the"
    " last three digits of this number, that is, its remainder modulo one thousand, as an integer"
    " without leading zeros.",
    "Count the integers {names}, at least one and at most {bound}, that satisfy the congruence of"
    " {sum} and zero modulo {modulus}. Answer with the count modulo one thousand, an integer.",
    "Let {names} run through the integers from one to {bound}. For how many of them does"
    " {modulus} divide {sum}? Reduce the number modulo one thousand and give the resulting"
    " integer.",
)
_PLAIN = (
    "Let N be the number of {tuples} {names} of positive integers, none of them greater than"
    " {bound}, for which {sum} is divisible by {modulus}. Find the remainder of N on division by"
    " one thousand. Give an integer.",
    "How many {tuples} {names} with entries from one to {bound} make {sum} a multiple of"
    " {modulus}? Give the last three digits of this number, that is, its remainder modulo one"
    " thousand, as an integer without leading zeros.",
    "Count the {tuples} {names} of integers, all at least one and at most {bound}, that satisfy"
    " the congruence of {sum} and zero modulo {modulus}. Answer with the count modulo one"
    " thousand, an integer.",
    "The unknowns in {names} run through the integers from one to {bound}. For how many of these"
    " {tuples} does {modulus} divide {sum}? Reduce the number modulo one thousand and give the"
    " resulting integer.",
)
_COPRIME = (
    "Let N be the number of {tuples} {names} of positive integers, none of them greater than"
    " {bound}, whose greatest common divisor is one and for which {sum} is divisible by"
    " {modulus}. Find the remainder of N on division by one thousand. Give an integer.",
    "How many {tuples} {names} with entries from one to {bound} have no common divisor above one"
    " of all entries and make {sum} a multiple of {modulus}? Give the last three digits of this"
    " number, that is, its remainder modulo one thousand, as an integer without leading zeros.",
    "Count the {tuples} {names} of integers, all at least one and at most {bound}, that satisfy"
    " the congruence of {sum} and zero modulo {modulus} and whose entries have the greatest"
    " common divisor one as a whole. Answer with the count modulo one thousand, an integer.",
    "The unknowns in {names} run through the integers from one to {bound}. For how many of these"
    " {tuples} is one the only positive integer that divides all entries, and does {modulus}"
    " divide {sum}? Reduce the number modulo one thousand and give the resulting integer.",
)

_TERM = re.compile(r"(?:([+-]) )?(-)?(?:([1-9][0-9]?)\*)?([a-z])\^([2-9])", re.ASCII)
_PATTERNS = {
    coprime: repeated(
        texts,
        {
            "tuples": r"ordered (?:pair|triple|quadruple|quintuple)s",
            "names": r"[a-z]|\([a-z](?:, [a-z]){1,4}\)",
            "sum": r"[-+*^a-z0-9 ]{3,100}",
            "bound": r"[2-9]\^[1-9]",
            "modulus": r"[2-9]\^[1-9]",
        },
    )
    for coprime, texts in ((False, (*_ALONE, *_PLAIN)), (True, _COPRIME))
}
_KINDS = ("", "ordered pairs", "ordered triples", "ordered quadruples", "ordered quintuples")
_LARGEST_MODULUS, _LARGEST_BOUND, _MOST_TUPLES = 220, 700, 1 << 40
_COPRIME_UNKNOWNS, _COPRIME_BOUND = 3, 130

Problem = tuple[Sum, bool]
"""What is summed, and whether the entries are to have no common divisor."""


def _read(statement: str) -> Problem | None:
    for coprime, patterns in _PATTERNS.items():
        match = next(filter(None, (pattern.fullmatch(statement) for pattern in patterns)), None)
        if match:
            return _problem(match.groupdict(), coprime=coprime)
    return None


def _problem(parts: dict[str, str], *, coprime: bool) -> Problem | None:
    names = re.findall("[a-z]", parts["names"])
    terms = _terms(parts["sum"])
    if terms is None or _KINDS[len(names) - 1] != parts.get("tuples", ""):
        return None
    coefficients = {name: coefficient for coefficient, name, _ in terms}
    exponents = {exponent for _, _, exponent in terms}
    (base, size), (same, power) = (map(int, parts[n].split("^")) for n in ("bound", "modulus"))
    if exponents != {base} or same != base or len(coefficients) != len(terms):
        return None
    if len(set(names)) != len(names) or not set(coefficients) <= set(names):
        return None
    if not coprime and len(coefficients) < len(names):
        return None
    bound, modulus = base**size, base**power
    if bound > _LARGEST_BOUND or modulus > _LARGEST_MODULUS:
        return None
    if bound ** len(names) >= _MOST_TUPLES:
        return None
    if coprime and (len(names) != _COPRIME_UNKNOWNS or bound > _COPRIME_BOUND):
        return None
    ordered = tuple(sorted(coefficients.get(name, 0) for name in names))
    return (ordered, base, bound, modulus), coprime


def _terms(text: str) -> list[tuple[int, str, int]] | None:
    """Return coefficient, unknown and exponent of each term of a sum."""
    terms: list[tuple[int, str, int]] = []
    at = 0
    while at < len(text):
        match = _TERM.match(text, at)
        first = not terms
        if match is None or (match[1] is None) != first or (match[2] and not first):
            return None
        sign = -1 if "-" in (match[1], match[2]) else 1
        if match[3] == "1":
            return None
        terms.append((sign * int(match[3] or 1), match[4], int(match[5])))
        at = match.end() + (text[match.end() : match.end() + 1] == " ")
    return None if text.endswith(" ") else terms


def _solve(problem: Problem) -> str:
    count = coprime_triples if problem[1] else by_characters
    return str(count(problem[0]) % 1_000)


def _exact(problem: Problem) -> str:
    count = all_coprime_triples if problem[1] else by_residues
    return str(count(problem[0]) % 1_000)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    return way == _way(problem, answer)


@lru_cache(maxsize=1 << 12)
def _way(problem: Problem, answer: str) -> str:
    return "\n".join(_lines(problem, answer))


def _lines(problem: Problem, answer: str) -> Iterator[str]:
    """Write the way to the answer as every solution must have it."""
    summed, coprime = problem
    if coprime:
        signed = dict(common_divisors(summed))
        yield from (f"common divisor {divisor}: {many}" for divisor, many in signed.items())
        yield f"N = {sum(signed.values())}"
    else:
        terms, exponent, bound, modulus = summed
        so_far = {0: 1}
        for place, coefficient in enumerate(terms):
            own = residues_of(coefficient, exponent, bound, modulus)
            yield f"coefficient {coefficient}: {_spread(own)}"
            so_far = added(so_far, own, modulus)
            if 0 < place < len(terms) - 1:
                yield f"sum of {place + 1}: {_spread(so_far)}"
        yield f"N = {so_far.get(0, 0)}"
    yield f"remainder: {answer}"


def _spread(counts: dict[int, int]) -> str:
    return ", ".join(f"{residue} ({many})" for residue, many in sorted(counts.items()))


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
