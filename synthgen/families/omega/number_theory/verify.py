"""Number theory from the text: Newton's lifting, characters, and parts of numbers that fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import lcm
from typing import NamedTuple

import numpy as np
from sympy import mobius, primerange

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)


# --- numbertheory_lte_qr ---

_LARGEST_PRIME, _MAX_TRIED = 5_000, 1 << 20
_EXPONENT = r"(?:\^(?:[2-9]|1[0-2]))?"
_POLYNOMIAL = re.compile(r"([mnx])(?:\^([0-9]+))?(?: ([+-]) ([0-9]+))?", re.ASCII)

Polynomial = tuple[str, int, int]
"""Name of the unknown, its exponent, and the number added."""


class Root(NamedTuple):
    """A question about n^k + offset, p^power and p^lifted.

    The prime p is given, or the least one that is 1 modulo `modulus` and allows a root modulo
    p^power; then `prime` is 0.
    """

    kind: str
    k: int
    offset: int
    power: int
    lifted: int
    modulus: int
    prime: int


def _polynomial(text: str) -> Polynomial:
    x, k, sign, offset = _POLYNOMIAL.fullmatch(text).groups()  # type: ignore[union-attr]
    return x, int(k or 1), int(f"{sign or ''}{offset or 0}")


def _prime_power(text: str) -> tuple[int, int]:
    """Return a prime, 0 for p, and its exponent."""
    base, _, power = text.partition("^")
    return 0 if base == "p" else int(base), int(power or 1)


@reads(
    _WORDS.part("lte_qr"),
    x=holes.pattern("[mnx]"),
    f=holes.pattern(rf"[mnx]{_EXPONENT}(?: [+-] [1-9][0-9]?)?", _polynomial),
    power=holes.pattern(rf"[mnx]{_EXPONENT}", _polynomial),
    pe=holes.pattern(rf"(?:p|[1-9][0-9]{{0,2}}){_EXPONENT}", _prime_power),
    pf=holes.pattern(f"p{_EXPONENT}", _prime_power),
    q=holes.pattern("[2-9]|[1-9][0-9]", int),
)
def _read_root(
    kind: str, x: str, pe: tuple[int, int], q: int = 1, **parsed: tuple[str, int, int]
) -> Root | None:
    name, k, offset = parsed.get("f") or parsed["power"]
    prime, power = pe
    if (
        name != x
        or (prime in _primes()) != kind.startswith("n_roots")
        or prime not in (0, *_primes())
    ):
        return None
    lifted = parsed["pf"][1] if "pf" in parsed else power
    return Root(kind, k, offset if "f" in parsed else 1, power, lifted, q, prime)


@cache
def _primes() -> list[int]:
    return list(primerange(_LARGEST_PRIME))


def _tried(k: int, offset: int, modulus: int) -> list[int]:
    """Return the roots of all numbers below a modulus that is not too large."""
    numbers = np.arange(modulus, dtype=np.int64)
    powers = np.ones(modulus, np.int64)
    for _ in range(k):
        powers = powers * numbers % modulus
    return np.flatnonzero((powers + offset) % modulus == 0).tolist()


@lru_cache(maxsize=1 << 14)
def _roots(k: int, offset: int, prime: int, power: int) -> list[int] | None:
    """Return the roots from 1 to prime^power, in order; None if they are too many to be tried.

    Simple roots modulo the prime are lifted by Newton's formula. If one is not simple, all numbers
    are tried.
    """
    modulus, roots = prime**power, []
    for n in _tried(k, offset, prime):
        if k * pow(n, k - 1, prime) % prime == 0:
            if modulus > _MAX_TRIED:
                return None
            roots = _tried(k, offset, modulus)
            break
        for _ in range(power.bit_length()):
            slope = k * pow(n, k - 1, modulus)
            n = (n - (pow(n, k, modulus) + offset) * pow(slope, -1, modulus)) % modulus
        roots.append(n)
    return sorted(n or modulus for n in roots)


def _searched(root: Root) -> tuple[int, list[int]]:
    """Return the prime, or 0 if none is found, and those before it without a root."""
    without: list[int] = []
    for prime in _primes():
        if prime % root.modulus == 1 % root.modulus:
            roots = _roots(root.k, root.offset, prime, root.power)
            if roots is None:
                break
            if roots:
                return prime, without
            without.append(prime)
    return 0, without


def _root(root: Root) -> str | None:
    prime = root.prime or _searched(root)[0]
    roots = _roots(root.k, root.offset, prime, root.lifted) if prime else None
    if not roots:
        return None
    if root.kind == "n_roots":
        return str(len(roots))
    if root.kind == "n_roots_plus_least":
        return str(len(roots) + roots[0])
    return str(roots[-1] if root.kind == "largest_root" else roots[0])


@lru_cache(maxsize=1 << 12)
def _root_lines(root: Root, answer: str) -> list[str]:
    """Return the lines that a solution must have."""
    kind, k, offset, power, lifted, _, given = root
    prime, without = (given, []) if given else _searched(root)
    modulus, all_roots = prime**lifted, list[int]()
    roots = []
    for exponent in range(1, lifted + 1):
        all_roots = _roots(k, offset, prime, exponent) or []
        roots.append(f"roots modulo {prime**exponent}: {', '.join(map(str, all_roots))}")
    if kind == "n_roots":
        return [*roots, f"number of roots: {answer}"]
    if kind == "n_roots_plus_least":
        return [*roots, f"{len(all_roots)} + {all_roots[0]} = {answer}"]
    first = min(n % prime**power for n in _roots(k, offset, prime, power) or [])
    value = int(answer) ** k + offset
    raised = answer if k == 1 else f"{answer}^{k}"
    if offset:
        raised += f" {'+' if offset > 0 else '-'} {abs(offset)}"
    return [
        *(f"p = {other}: no root modulo {other**power}" for other in without),
        f"p = {prime}: {first} is a root modulo {prime**power}",
        *roots,
        f"{raised} = {value}",
        f"{value} = {modulus} * {value // modulus}",
    ]


# --- numbertheory_ordered_lte ---

_TUPLES = {
    "ordered pairs": 2,
    "ordered triples": 3,
    "ordered quadruples": 4,
    "ordered quintuples": 5,
}
_TERM = r"(?:(?:[2-9]|[1-9][0-9])\*)?[a-z]\^[2-9]"
_SUM = rf"-?{_TERM}(?: [+-] {_TERM}){{0,4}}"
_PARTS = re.compile(r"(-?) ?(?:([0-9]+)\*)?([a-z])\^([0-9])")
_LARGEST_MODULUS, _LARGEST_BOUND, _MAX_TUPLES, _MAX_COPRIME = 220, 700, 1 << 40, 130
_PRIME, _GENERATOR = 1_100_079_792_001, 13
"""A prime above 2^40 that is 1 modulo all powers of 2 to 9 up to 220, and a primitive root."""

Ring = tuple[int, int, int]
"""Exponent, bound of the unknowns, and modulus."""
Count = tuple[tuple[int, ...], Ring, bool]
"""Coefficients in order, the ring, and whether the entries have no common divisor."""
Terms = dict[str, tuple[int, int]]
"""Unknown -> coefficient and exponent."""


def _unknowns(text: str) -> str | None:
    """Return the names of the unknowns, if their number is the stated one."""
    if "(" not in text:
        return text[-1]
    size, names = text.removesuffix(") of positive integers").split(" (")
    letters = names.split(", ")
    return "".join(letters) if len(set(letters)) == len(letters) == _TUPLES[size] else None


def _terms(text: str) -> Terms | None:
    """Return the terms of a sum, which must be of different unknowns."""
    terms: Terms = {}
    for sign, size, name, exponent in _PARTS.findall(text):
        if name in terms:
            return None
        terms[name] = int(f"{sign}{size or 1}"), int(exponent)
    return terms


_BASE_POWER = holes.pattern(r"[2-9]\^[1-9]", lambda text: (int(text[0]), int(text[2])))


@reads(
    _WORDS.part("ordered_lte"),
    unknowns=holes.pattern(
        r"(?:positive integers [a-z]|ordered (?:pair|triple|quadruple|quintuple)s"
        r" \([a-z](?:, [a-z]){1,4}\) of positive integers)",
        _unknowns,
    ),
    sum=holes.pattern(_SUM, _terms),
    bound=_BASE_POWER,
    modulus=_BASE_POWER,
)
def _read_count(
    kind: str,
    unknowns: str | None,
    sum: Terms | None,  # noqa: A002
    bound: tuple[int, int],
    modulus: tuple[int, int],
) -> Count | None:
    base, exponents = bound[0], {exponent for _, exponent in (sum or {}).values()}
    if not unknowns or not sum or exponents != {base} or modulus[0] != base:
        return None
    coprime, highest, ring = kind == "coprime", bound[0] ** bound[1], modulus[0] ** modulus[1]
    if not set(sum) <= set(unknowns) or (len(sum) < len(unknowns) and not coprime):
        return None
    if coprime and (len(unknowns) != 3 or highest > _MAX_COPRIME):
        return None
    if highest > _LARGEST_BOUND or ring > _LARGEST_MODULUS:
        return None
    if highest ** len(unknowns) >= _MAX_TUPLES:
        return None
    coefficients = sorted(sum[name][0] if name in sum else 0 for name in unknowns)
    return tuple(coefficients), (base, highest, ring), coprime


def _by_characters(coefficients: Sequence[int], ring: Ring) -> int:
    """Count all tuples with the characters of the integers modulo M.

    The number is the mean over t of the product over the terms c of the sums over x of w^(t c x^e),
    where w is a root of unity of order M. It is worked out modulo a prime above any number of
    tuples.
    """
    sums, total = _sums(*ring), 0
    for t in range(len(sums)):
        term = 1
        for coefficient in coefficients:
            term = term * sums[t * coefficient % len(sums)] % _PRIME
        total += term
    return total * pow(len(sums), -1, _PRIME) % _PRIME


@lru_cache(maxsize=1 << 10)
def _sums(exponent: int, bound: int, modulus: int) -> list[int]:
    """Return the sums over x up to the bound of w^(u x^e), for each u."""
    root = pow(_GENERATOR, (_PRIME - 1) // modulus, _PRIME)
    powers = [pow(root, r, _PRIME) for r in range(modulus)]
    values = Counter(pow(x, exponent, modulus) for x in range(1, bound + 1))
    return [
        sum(many * powers[u * value % modulus] for value, many in values.items()) % _PRIME
        for u in range(modulus)
    ]


def _all_triples(coefficients: Sequence[int], ring: Ring) -> int:
    """Try all triples without a common divisor."""
    exponent, bound, modulus = ring
    numbers = np.arange(1, bound + 1)
    powers = np.array([pow(x, exponent, modulus) for x in range(1, bound + 1)])
    first, second, third = (c * powers for c in coefficients)
    sums = (first[:, None, None] + second[:, None] + third) % modulus
    divisors = np.gcd(np.gcd(numbers[:, None, None], numbers[:, None]), numbers)
    return int(np.count_nonzero((sums == 0) & (divisors == 1)))


def _number(count: Count) -> int:
    coefficients, ring, coprime = count
    return (_all_triples if coprime else _by_characters)(coefficients, ring)


@lru_cache(maxsize=1 << 12)
def _count_lines(count: Count) -> list[str]:
    """Return the lines that a solution must have."""
    coefficients, (exponent, bound, modulus), coprime = count
    if coprime:
        lines = ["triples of multiples of d, with the sign of Moebius's function:"]
        lines += (f"d = {d}: {many}" for d, many in _multiples(coefficients, count[1]))
    else:
        lines = ["residues, each with the number of its occurrences:"]
        so_far = Counter({0: 1})
        for place, c in enumerate(coefficients):
            own = Counter(c * pow(x, exponent, modulus) % modulus for x in range(1, bound + 1))
            lines.append(f"coefficient {c}: {_residues(own)}")
            longer: Counter[int] = Counter()
            for residue, ways in so_far.items():
                for other, many in own.items():
                    longer[(residue + other) % modulus] += ways * many
            so_far = longer
            if 0 < place < len(coefficients) - 1:
                lines.append(f"first {place + 1} terms: {_residues(so_far)}")
    number = _number(count)
    return [*lines, f"N = {number}", f"{number} = 1000 * {number // 1_000} + {number % 1_000}"]


def _residues(counts: Counter[int]) -> str:
    return ", ".join(f"{residue} ({many})" for residue, many in sorted(counts.items()))


def _multiples(coefficients: Sequence[int], ring: Ring) -> Iterator[tuple[int, int]]:
    """Yield each d with the number of tuples of multiples of d, signed by Moebius's function."""
    exponent, bound, modulus = ring
    for d in range(1, bound + 1):
        sign = int(mobius(d))
        scaled = [c * pow(d, exponent, modulus) for c in coefficients]
        many = _by_characters(scaled, (exponent, bound // d, modulus)) if sign else 0
        if many:
            yield d, sign * many


# --- numbertheory_qr_sum ---

_RANKS = {"swap": 3, "digit_sum": 10}
_ASKED = {"alternating": "remainder", "swap": "number", "digit_sum": "number"}
_MAX_DIVISOR, _BLOCK = 24, 1_000


class Rule(NamedTuple):
    """Kind of the property, digits of the number, the divisor, and the digit t or 0."""

    kind: str
    digits: int
    divisor: int
    target: int


Extreme = tuple[str, Rule, bool]
"""Kind of the question, rule of the number, and whether the largest are in question."""


@reads(
    _WORDS.part("qr_sum"),
    side=holes.word(("largest", "smallest")),
    d=holes.pattern("[2-9]|10", int),
    e=holes.pattern("[3-9]|1[01]", int),
    v=holes.pattern("[2-9]|[1-9][0-9]", int),
    t=holes.pattern("[1-9]", int),
    ten=holes.pattern("10{1,10}", int),
)
def _read_extreme(kind: str, d: int, v: int, side: str = "largest", **more: int) -> Extreme | None:
    chained = kind == "chained"
    if v > _MAX_DIVISOR or (kind == "change_two" and d == 2):
        return None
    if more.get("e", d + 1) != d + 1 or more.get("ten", 10 ** (d - 1 + chained)) != 10 ** (
        d - 1 + chained
    ):
        return None
    rule = Rule("change_one" if chained else kind, d, v, more.get("t", 0))
    return kind, rule, side == "largest"


@lru_cache(maxsize=1 << 10)
def _values(rule: Rule) -> list[tuple[int, list[int]]]:
    """Return the values that must be divisible: a constant, and weights of the digits in order."""
    kind, digits, _, t = rule
    tens = [10**place for place in reversed(range(digits))]
    if kind in ("change_one", "change_two"):
        chosen = combinations(range(digits), 1 + (kind == "change_two"))
        return [
            (
                t * sum(tens[i] for i in places),
                [0 if i in places else tens[i] for i in range(digits)],
            )
            for places in chosen
        ]
    if kind == "swap":
        pairs = range(digits - 1)
        return [(0, [*tens[:i], tens[i + 1], tens[i], *tens[i + 2 :]]) for i in pairs]
    if kind == "reverse":
        return [(0, tens), (0, tens[::-1])]
    return [(0, [(-1 if kind == "alternating" else 1) ** i for i in range(digits)])]


def _codes(rule: Rule, first: int, last: int, parts: range) -> list[bytes]:
    """Return the residues that parts of numbers, digits `first` to `last`, contribute.

    The values that must be divisible are linear in the digits. A leading part gets the code that
    the other part must have, constants included.
    """
    values, v = _values(rule), rule.divisor
    numbers = np.arange(parts.start, parts.stop, parts.step)
    digits = numbers // 10 ** np.arange(last - first)[::-1, None] % 10
    sums = np.array([[w % v for w in weights[first:last]] for _, weights in values]) @ digits
    if first == 0:
        sums = -(sums + np.array([[constant % v] for constant, _ in values]))
    data, size = (sums % v).T.astype(np.uint16).tobytes(), 2 * len(values)
    return [data[at : at + size] for at in range(0, len(data), size)]


@lru_cache(maxsize=1 << 12)
def _extremes(rule: Rule, rank: int, *, largest: bool) -> tuple[int, ...]:
    """Return the most extreme numbers in order, `rank` of them or all there are.

    Leading parts are tried in order; a table has the other parts by their residues.
    """
    order, width = -1 if largest else 1, rule.digits // 2
    middle, parts = rule.digits - width, range(10**width)
    table: dict[bytes, list[int]] = {}
    for part, code in zip(
        parts[::order], _codes(rule, middle, rule.digits, parts[::order]), strict=True
    ):
        table.setdefault(code, []).append(part)
    numbers: list[int] = []
    leading = range(10 ** (middle - 1), 10**middle)[::order]
    for start in range(0, len(leading), _BLOCK):
        block = leading[start : start + _BLOCK]
        for part, code in zip(block, _codes(rule, 0, middle, block), strict=True):
            numbers += (part * 10**width + rest for rest in table.get(code, ()))
            if len(numbers) >= rank:
                return tuple(numbers[:rank])
    return tuple(numbers)


def _extreme_numbers(extreme: Extreme) -> tuple[tuple[int, ...], int, int] | None:
    """Return the extreme numbers, and S and M or zeros; None if there are too few."""
    kind, rule, largest = extreme
    rank = _RANKS.get(kind, 1)
    numbers = _extremes(rule, rank, largest=largest)
    if len(numbers) < rank:
        return None
    if kind != "chained":
        return numbers, 0, 0
    common = lcm(*filter(None, map(int, str(numbers[0]))))
    others = _extremes(Rule("reverse", rule.digits + 1, common, 0), 1, largest=True)
    return (numbers, common, others[0]) if others else None


def _extreme(extreme: Extreme) -> str | None:
    result = _extreme_numbers(extreme)
    if result is None:
        return None
    numbers, _, other = result
    asked = other or numbers[-1]
    quotient, remainder = divmod(asked, 10 ** (len(str(asked)) - 1))
    answers = {"number": asked, "remainder": remainder}
    return str(answers.get(_ASKED.get(extreme[0], ""), quotient + remainder))


@lru_cache(maxsize=1 << 12)
def _extreme_lines(extreme: Extreme, answer: str) -> list[str]:
    """Return the lines that a solution must have."""
    kind, rule, _ = extreme
    numbers, common, other = _extreme_numbers(extreme) or ((), 0, 0)
    asked = other or numbers[-1]
    lines = [f"in order: {', '.join(map(str, numbers))}"] if len(numbers) > 1 else []
    lines.append(f"N = {numbers[-1]}")
    lines += _multiples_of(rule, numbers[-1])
    if other:
        lines += [f"S = {common}", f"M = {other}"]
        lines += _multiples_of(Rule("reverse", rule.digits + 1, common, 0), other)
    quotient, remainder = divmod(asked, 10 ** (len(str(asked)) - 1))
    if kind not in _RANKS:
        lines.append(f"{asked} = {quotient} * {10 ** (len(str(asked)) - 1)} + {remainder}")
    if kind not in _ASKED:
        lines.append(f"{quotient} + {remainder} = {answer}")
    return lines


def _multiples_of(rule: Rule, number: int) -> Iterator[str]:
    for constant, weights in _values(rule):
        value = constant + sum(w * int(c) for w, c in zip(weights, str(number), strict=True))
        times = value // rule.divisor
        yield f"{value} = {rule.divisor} * {times if times >= 0 else f'({times})'}"


VERIFIERS = {
    "numbertheory_lte_qr": PlainVerifier(
        _read_root, _root, follows=lambda root, answer, lines: lines == _root_lines(root, answer)
    ),
    "numbertheory_ordered_lte": PlainVerifier(
        _read_count,
        lambda count: str(_number(count) % 1_000),
        follows=lambda count, _, lines: lines == _count_lines(count),
    ),
    "numbertheory_qr_sum": PlainVerifier(
        _read_extreme,
        _extreme,
        follows=lambda extreme, answer, lines: lines == _extreme_lines(extreme, answer),
    ),
}
