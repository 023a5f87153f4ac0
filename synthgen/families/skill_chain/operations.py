"""The atoms as functions of a value, item by item; the verifier has separate ones.

A string is bytes, a list a tuple of integers, a number an integer, and words are a tuple of bytes.
So one rule can serve several types, and values of different types are never equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from math import isqrt
from statistics import median_low
from typing import Any

Value = Any
"""bytes, tuple[int, ...], int or tuple[bytes, ...]."""
Rule = Callable[..., "Value | None"]
"""Function of a value and the argument of an atom; None or an empty value if undefined."""
_A, _Z = ord("a"), ord("z")
_BEFORE_A = _A - 1
_NEXT_VOWEL: dict[int, int] = dict(zip(b"aeiou", b"eioua", strict=True))
_MAX_DIVIDED = 10_000
"""Largest number whose divisors and prime factors are listed."""


def _by_place(places: Callable[..., Iterable[int]]) -> Rule:
    """Return a rule whose result has the items at some places; `places` gets the length first."""
    return lambda value, *a: type(value)(map(value.__getitem__, places(len(value), *a)))


def _by_item(change: Callable[..., int]) -> Rule:
    """Return a rule that changes every item."""
    return lambda value, *a: type(value)(change(item, *a) for item in value)


def _by_choice(stays: Callable[..., bool]) -> Rule:
    """Return a rule that keeps some items."""
    return lambda value, *a: type(value)(item for item in value if stays(item, *a))


def _halved(n: int) -> int:
    """Return the length of the first half, which has the middle item."""
    return (n + 1) // 2


def _sorted(value: Value) -> Value:
    return type(value)(sorted(value))


def _unique(value: Value) -> Value:
    return type(value)(dict.fromkeys(value))


def _toggled(value: bytes, letter: int) -> bytes:
    kept = bytes(item for item in value if item != letter + _BEFORE_A)
    return kept if len(kept) < len(value) else bytes([*value, letter + _BEFORE_A])


def _summed(value: tuple[int, ...]) -> Iterator[int]:
    total = 0
    for item in value:
        total += item
        yield total


def _digits(number: int) -> tuple[int, ...] | None:
    """Return the digits of a number, the last one first."""
    if number < 0:
        return None
    digits = [number % 10]
    while number := number // 10:
        digits.append(number % 10)
    return tuple(digits)


def _of_digits(make: Callable[[tuple[int, ...]], Value]) -> Rule:
    """Return a rule of the digits of a number, the last one first."""

    def rule(number: int) -> Value | None:
        digits = _digits(number)
        return None if digits is None else make(digits)

    return rule


def _joined(digits: tuple[int, ...]) -> int:
    number = 0
    for digit in digits:
        number = 10 * number + digit
    return number


def _collatz(number: int) -> int | None:
    if number < 1:
        return None
    return 3 * number + 1 if number % 2 else number // 2


def _gcd(a: int, b: int) -> int | None:
    """Return the greatest common divisor by Euclid's algorithm."""
    if a < 0:
        return None
    while b:
        a, b = b, a % b
    return a


def _divisors(number: int) -> tuple[int, ...] | None:
    """Return the divisors up to the root, and the quotients of the number by them."""
    if not 0 < number <= _MAX_DIVIDED:
        return None
    low = [d for d in range(1, isqrt(number) + 1) if number % d == 0]
    high = [number // d for d in reversed(low) if d * d < number]
    return (*low, *high)


def _primes(number: int) -> tuple[int, ...] | None:
    """Return the prime factors by division up to the root of the remaining number."""
    if not 0 < number <= _MAX_DIVIDED:
        return None
    factors, factor = [], 2
    while factor * factor <= number:
        if number % factor:
            factor += 1
        else:
            factors.append(factor)
            number //= factor
    return tuple(factors + [number] * (number > 1))


_SHARED: dict[str, Rule] = {
    "rev lrev wrev": _by_place(lambda n: range(n - 1, -1, -1)),
    "rotl lrot": _by_place(lambda n, a: [(k + a) % n for k in range(n)]),
    "rotr": _by_place(lambda n, a: [(k - a) % n for k in range(n)]),
    "swap": _by_place(lambda n: [min(k ^ 1, n - 1) for k in range(n)]),
    "halves": _by_place(lambda n: [(k + _halved(n)) % n for k in range(n)]),
    "riffle": _by_place(lambda n: [k // 2 + k % 2 * _halved(n) for k in range(n)]),
    "dbl": _by_place(lambda n: [k // 2 for k in range(2 * n)]),
    "mirror": _by_place(lambda n: [min(k, 2 * n - 1 - k) for k in range(2 * n)]),
    "evens": _by_place(lambda n: range(0, n, 2)),
    "odds": _by_place(lambda n: range(1, n, 2)),
    "take ltake": _by_place(lambda n, a: range(min(a, n))),
    "drop ldrop": _by_place(lambda n, a: range(a, n)),
    "half": _by_place(lambda n: range(_halved(n))),
    "caesar": _by_item(lambda x, a: (x - _A + a) % 26 + _A),
    "atbash": _by_item(lambda x: _A + _Z - x),
    "vowrot": _by_item(lambda x: _NEXT_VOWEL.get(x) or x),
    "replace_": _by_item(lambda x, a, b: (b if x == a + _BEFORE_A else x - _BEFORE_A) + _BEFORE_A),
    "ladd": _by_item(lambda x, a: x + a),
    "lmul": _by_item(lambda x, a: x * a),
    "lmod": _by_item(lambda x, a: x % a),
    "rmvow": _by_choice(lambda x: x not in _NEXT_VOWEL),
    "remove_": _by_choice(lambda x, a: x != a + _BEFORE_A),
    "keepeven": _by_choice(lambda x: x % 2 == 0),
    "keepgt": _by_choice(lambda x, a: x > a),
    "wlonger": _by_choice(lambda word, a: len(word) > a),
    "sort lsort wsort": _sorted,
    "lsortdesc": lambda v: _sorted(v)[::-1],
    "dedup unique wdedup": _unique,
    "insert_": lambda v, a, b: bytes([*v[:b], a + _BEFORE_A, *v[b:]]),
    "toggle_": _toggled,
    "prefix": lambda v: tuple(_summed(v)),
    "diffs": lambda v: tuple(v[k] - v[k - 1] for k in range(1, len(v))),
    "pairsums": lambda v: tuple(sum(pair) for pair in zip_longest(v[::2], v[1::2], fillvalue=0)),
    "letters": lambda v: bytes((x - 1) % 26 + _A for x in v),
    "codes": lambda v: tuple(x - _BEFORE_A for x in v),
    "acronym": lambda v: bytes(word[0] for word in v),
    "lasts": lambda v: bytes(word[-1] for word in v),
    "length count": len,
    "vowels": lambda v: sum(x in _NEXT_VOWEL for x in v),
    "distinct": lambda v: len(set(v)),
    "alphasum": lambda v: sum(v) - _BEFORE_A * len(v),
    "index_": lambda v, a: next((k for k, x in enumerate(v, 1) if x == a + _BEFORE_A), 0),
    "sum": sum,
    "max": max,
    "min": min,
    "range": lambda v: max(v) - min(v),
    "median": median_low,
    "argmax": lambda v: 1 - max((x, -k) for k, x in enumerate(v))[1],
    "add": lambda v, a: v + a,
    "mul": lambda v, a: v * a,
    "mod": lambda v, a: v % a,
    "sqmod": lambda v, a: pow(v, 2, a) if v >= 0 else None,
    "gcd": _gcd,
    "collatz": _collatz,
    "digitsum": _of_digits(sum),
    "revdigits": _of_digits(_joined),
    "digits": _of_digits(lambda digits: digits[::-1]),
    "divisors": _divisors,
    "primes": _primes,
}
RULES = {label: rule for labels, rule in _SHARED.items() for label in labels.split()}
"""Rule of each family, by its label."""
