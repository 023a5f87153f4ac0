"""Counting tuples whose sum of powers vanishes modulo M: by characters, and by trying residues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

Terms = tuple[int, ...]
Sum = tuple[Terms, int, int, int]
"""Coefficients, exponent, bound of the unknowns, and modulus."""

_MOST_TUPLES = 1 << 40
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def by_characters(problem: Sum) -> int:
    """Count all tuples with the characters of the integers modulo M.

    The number is the mean over t of the product over the terms c of the sums over x of w^(t c x^e),
    where w is a root of unity of order M. It is worked out modulo a prime above 2^40 that has such
    a root; there are fewer tuples than that.
    """
    terms, exponent, bound, modulus = problem
    prime, sums = _sums(exponent, bound, modulus)
    total = 0
    for t in range(modulus):
        term = 1
        for coefficient in terms:
            term = term * sums[t * coefficient % modulus] % prime
        total += term
    return total * pow(modulus, -1, prime) % prime


@lru_cache(maxsize=64)
def _sums(exponent: int, bound: int, modulus: int) -> tuple[int, list[int]]:
    prime, root = _root_of_unity(modulus)
    powers = [pow(root, r, prime) for r in range(modulus)]
    values = Counter(pow(x, exponent, modulus) for x in range(1, bound + 1))
    return prime, [
        sum(many * powers[u * value % modulus] for value, many in values.items()) % prime
        for u in range(modulus)
    ]


@lru_cache(maxsize=64)
def _root_of_unity(order: int) -> tuple[int, int]:
    """Return a prime above 2^40 and a number of this order modulo it."""
    factors = [d for d in range(2, order + 1) if order % d == 0]
    prime = _MOST_TUPLES // order * order + 1
    while True:
        prime += order
        if not _is_prime(prime):
            continue
        for base in range(2, 200):
            root = pow(base, (prime - 1) // order, prime)
            if all(pow(root, order // d, prime) != 1 for d in factors):
                return prime, root


def _is_prime(n: int) -> bool:
    """Test by Miller and Rabin, whose first twelve witnesses decide below 2^64."""
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for witness in _WITNESSES:
        power = pow(witness, odd, n)
        if power not in (1, n - 1) and all(pow(power, 1 << i, n) != n - 1 for i in range(1, twos)):
            return False
    return True


def by_residues(problem: Sum) -> int:
    """Count all tuples by trying the residues that the terms of either half can have."""
    terms, exponent, bound, modulus = problem
    halves = []
    for half in (terms[::2], terms[1::2]):
        values = [residues_of(c, exponent, bound, modulus) for c in half]
        found: Counter[int] = Counter()
        for chosen in product(*(value.items() for value in values)):
            residues, numbers = zip(*chosen, strict=True) if chosen else ((), ())
            found[sum(residues) % modulus] += prod(numbers)
        halves.append(found)
    return sum(ways * halves[1][-residue % modulus] for residue, ways in halves[0].items())


def residues_of(coefficient: int, exponent: int, bound: int, modulus: int) -> Counter[int]:
    """Count x from 1 to `bound` by the residue of coefficient * x^exponent."""
    numbers = range(1, bound + 1)
    return Counter(coefficient * pow(x, exponent, modulus) % modulus for x in numbers)


def added(some: Mapping[int, int], others: Mapping[int, int], modulus: int) -> dict[int, int]:
    """Count pairs by the residue of their sum."""
    found: Counter[int] = Counter()
    for residue, ways in some.items():
        for other, many in others.items():
            found[(residue + other) % modulus] += ways * many
    return dict(found)


def common_divisors(problem: Sum) -> Iterator[tuple[int, int]]:
    """Yield squarefree d with the number of tuples of multiples of d, signed, where there are any.

    The sign is that of the number of prime factors of d; the sum over all d counts the tuples
    without a common divisor.
    """
    terms, exponent, bound, modulus = problem
    signs = [0, 1, *(0 for _ in range(bound - 1))]
    for d in range(1, bound + 1):  # the signs of all divisors of a number add up to zero
        for multiple in range(2 * d, bound + 1, d):
            signs[multiple] -= signs[d]
    for d in filter(signs.__getitem__, range(1, bound + 1)):
        scaled = tuple(c * pow(d, exponent, modulus) for c in terms)
        ways = {0: 1}
        for c in scaled:
            ways = added(ways, residues_of(c, exponent, bound // d, modulus), modulus)
        if ways.get(0):
            yield d, signs[d] * ways[0]


def coprime_triples(problem: Sum) -> int:
    """Count triples with common divisor one: pairs by divisor and residue, then the third entry."""
    (first, second, third), exponent, bound, modulus = problem
    residues = _residues(exponent, bound, modulus)
    pairs = (first * residues[:, None] + second * residues) % modulus
    coprime, divisors = _divisors(bound)
    grouped = np.bincount((divisors * modulus + pairs).ravel(), minlength=(bound + 1) * modulus)
    wanted = -third * residues % modulus
    fitting = np.zeros((bound + 1, modulus), np.int64)
    for place in range(bound):
        fitting[:, wanted[place]] += coprime[:, place]
    return int(np.sum(grouped.reshape(bound + 1, modulus) * fitting))


@lru_cache(maxsize=16)
def _divisors(bound: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which of 0..bound are coprime to 1..bound, and the common divisors of pairs."""
    numbers = np.arange(1, bound + 1)
    coprime = np.gcd(np.arange(bound + 1)[:, None], numbers) == 1
    return coprime.astype(np.int64), np.gcd(numbers[:, None], numbers)


def _residues(exponent: int, bound: int, modulus: int) -> NDArray[np.int64]:
    return np.array([pow(x, exponent, modulus) for x in range(1, bound + 1)], np.int64)


def all_coprime_triples(problem: Sum) -> int:
    """Go through all triples."""
    (first, second, third), exponent, bound, modulus = problem
    residues = _residues(exponent, bound, modulus)
    _, divisors = _divisors(bound)
    numbers = np.arange(1, bound + 1)
    total = 0
    for place in range(bound):
        sums = first * residues[place] + second * residues[:, None] + third * residues
        coprime = np.gcd(divisors[place][:, None], numbers) == 1
        total += int(np.count_nonzero((sums % modulus == 0) & coprime))
    return total
