"""Extreme numbers with a property of their digits: by the definition, and digit by digit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import nlargest, nsmallest
from itertools import combinations, islice
from math import gcd
from typing import TypeAlias

from synthgen.verifiers.omega.numbertheory._digit_halves import Wanted

_MOST_TRIED = 4
State: TypeAlias = "tuple[int | None, ...]"
Grow = Callable[[State, int, int], "State | None"]
"""Takes the state of a number's last digits, the place of one more digit, and that digit."""


def values(wanted: Wanted, number: int) -> list[int]:
    """Return what must be divisible, the changes of leading digits first."""
    text = str(number)
    if wanted.kind in ("change_one", "change_two"):
        found = []
        for places in combinations(range(len(text)), 1 + (wanted.kind == "change_two")):
            digits = [str(wanted.target) if i in places else c for i, c in enumerate(text)]
            found.append(int("".join(digits)))
        return found
    if wanted.kind == "swap":
        return [
            int(f"{text[:i]}{text[i + 1]}{text[i]}{text[i + 2 :]}") for i in range(len(text) - 1)
        ]
    if wanted.kind == "reverse":
        return [number, int(text[::-1])]
    sign = -1 if wanted.kind == "alternating" else 1
    return [sum(int(c) * sign**i for i, c in enumerate(text))]


def holds(wanted: Wanted, number: int) -> bool:
    """Say whether a number has the property."""
    return all(value % wanted.divisor == 0 for value in values(wanted, number))


def tried(wanted: Wanted, rank: int, *, largest: bool) -> tuple[int, ...]:
    """Try the numbers in order; for no more than four digits."""
    numbers = range(10 ** (wanted.digits - 1), 10**wanted.digits)
    order = reversed(numbers) if largest else numbers
    return tuple(islice((n for n in order if holds(wanted, n)), rank))


def grown(wanted: Wanted, rank: int, *, largest: bool) -> tuple[int, ...]:
    """Grow numbers from the right, and keep the `rank` most extreme ones of each state."""
    if wanted.digits <= _MOST_TRIED:
        return tried(wanted, rank, largest=largest)
    if wanted.kind == "reverse":
        return tuple(islice(_reversible(wanted, largest=largest), rank))
    best = nlargest if largest else nsmallest
    grow = _grow(wanted)
    ends: dict[State, list[int]] = {(0, None, None): [0]}
    for place in range(wanted.digits):
        longer: dict[State, list[int]] = {}
        for state, numbers in ends.items():
            for digit in range(1 if place == wanted.digits - 1 else 0, 10):
                after = grow(state, place, digit)
                if after is not None:
                    more = (digit * 10**place + number for number in numbers)
                    longer.setdefault(after, []).extend(more)
        ends = {state: best(rank, numbers) for state, numbers in longer.items()}
    good = [number for numbers in ends.values() for number in numbers if holds(wanted, number)]
    return tuple(best(rank, good))


def _grow(wanted: Wanted) -> Grow:
    """Return how the state of a property grows.

    It holds the remainder of the number, and what its changes leave: one remainder, as changes of
    further digits alter all of them alike. Changes at two places come from those at one place.
    """
    v, t = wanted.divisor, wanted.target

    def add(state: State, place: int, digit: int) -> State:
        plain, *_ = state
        sign = (-1) ** (wanted.digits - 1 - place) if wanted.kind == "alternating" else 1
        return ((plain or 0) + sign * digit) % v, None, None

    def change(state: State, place: int, digit: int) -> State | None:
        plain, single, _ = state
        own = ((plain or 0) + t * 10**place) % v
        if single is not None and (single + digit * 10**place) % v != own:
            return None
        return ((plain or 0) + digit * 10**place) % v, own, None

    def change_two(state: State, place: int, digit: int) -> State | None:
        plain, single, double = state
        ten, last = 10**place, place == wanted.digits - 1
        own = ((plain or 0) + t * ten) % v
        pair = None if single is None else (single + t * ten) % v
        if double is not None and (double + digit * ten) % v != pair:
            return None
        if not last and single is not None and (single + digit * ten) % v != own:
            return None
        return ((plain or 0) + digit * ten) % v, own, pair

    def swap(state: State, place: int, digit: int) -> State | None:
        plain, swapped, before = state
        whole = ((plain or 0) + digit * 10**place) % v
        if before is None:
            return whole, None, digit
        own = (whole + (digit - before) * (10 ** (place - 1) - 10**place)) % v
        if swapped is not None and (swapped + digit * 10**place) % v != own:
            return None
        return whole, own, digit

    rules: dict[str, Grow] = {"change_one": change, "change_two": change_two, "swap": swap}
    return rules.get(wanted.kind, add)


def _reversible(wanted: Wanted, *, largest: bool) -> Iterator[int]:
    """Yield numbers that are multiples in both directions, front by front."""
    v, half = wanted.divisor, wanted.digits // 2
    rest = 10 ** (wanted.digits - half)
    fronts = range(10 ** (half - 1), 10**half)
    common = gcd(v, 10**half)
    for front in reversed(fronts) if largest else fronts:
        if int(str(front)[::-1]) % common == 0:
            first = front * rest + -front * rest % v
            numbers = range(first, (front + 1) * rest, v)
            for number in reversed(numbers) if largest else numbers:
                if int(str(number)[::-1]) % v == 0:
                    yield number
