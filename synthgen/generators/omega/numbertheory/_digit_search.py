"""Extreme numbers with a property of their digits, found digit by digit from the left.

For each remainder r that a number can leave modulo v, a property of all its changes becomes a
condition on each digit, or on each digit and the one before; what is left over is that the number
does leave r. The search keeps the states from which it has failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import gcd, lcm

State = tuple[int, int]
Step = Callable[[State, int, int], "State | None"]
"""Takes the state, the digit's place (zero for the last digit) and the digit; None if it fails."""

_FRONT = 4


@dataclass(frozen=True)
class Property:
    """What a number is to have.

    Attributes:
        kind: change_one, change_two, swap, alternating, digit_sum or reverse.
        digits: that the number has.
        divisor: v.
        target: the digit t that others are changed to, 0 where there is none.
    """

    kind: str
    digits: int
    divisor: int
    target: int = 0


def extremes(wanted: Property, rank: int, *, largest: bool) -> tuple[int, ...]:
    """Return the `rank` most extreme numbers with a property, or all there are, in order."""
    if wanted.kind == "reverse":
        return tuple(islice(_reversible(wanted, largest=largest), rank))
    found: list[int] = []
    for remainder in _remainders(wanted):
        step, start, end = _RULES[wanted.kind](wanted, remainder)
        numbers = _numbers(step, start, end, wanted.digits, largest=largest)
        found += islice(numbers, rank)
    return tuple(sorted(found, reverse=largest)[:rank])


def _remainders(wanted: Property) -> Iterator[int]:
    """Yield what the search is to be tried with.

    For changes, the conditions on the digits add up to a congruence for N, which must be theirs.
    """
    v, kind = wanted.divisor, wanted.kind
    if kind in ("alternating", "digit_sum"):
        yield 0
        return
    changed = wanted.target * (10**wanted.digits // 9)
    factor = {"change_one": 1, "change_two": 2}.get(kind)
    for remainder in range(v):
        if factor is None or (changed + (wanted.digits - factor) * remainder) % v == 0:
            yield remainder


def _numbers(step: Step, start: State, end: int, digits: int, *, largest: bool) -> Iterator[int]:
    """Yield the numbers whose last state begins with `end`, in order."""
    dead: set[tuple[int, State]] = set()
    order = range(9, -1, -1) if largest else range(10)

    def search(place: int, state: State, number: int) -> Iterator[int]:
        if place < 0:
            if state[0] == end:
                yield number
            return
        if (place, state) in dead:
            return
        alive = False
        for digit in order:
            if number == 0 and digit == 0:
                continue
            after = step(state, place, digit)
            if after is not None:
                for whole in search(place - 1, after, 10 * number + digit):
                    alive = True
                    yield whole
        if not alive:
            dead.add((place, state))

    yield from search(digits - 1, start, 0)


def _allowed(wanted: Property, remainder: int) -> Step:
    """Allow the digits d with (d - t) 10^i = r at place i."""
    v, t = wanted.divisor, wanted.target
    allowed = [
        [((digit - t) * 10**place - remainder) % v == 0 for digit in range(10)]
        for place in range(wanted.digits)
    ]

    def step(state: State, place: int, digit: int) -> State | None:
        return ((state[0] * 10 + digit) % v, 0) if allowed[place][digit] else None

    return step


def _change_one(wanted: Property, remainder: int) -> tuple[Step, State, int]:
    """With N = r, each digit d at place i must satisfy (d - t) 10^i = r."""
    return _allowed(wanted, remainder), (0, 0), remainder


def _change_two(wanted: Property, remainder: int) -> tuple[Step, State, int]:
    """With at least three digits all (d - t) 10^i are one remainder g, and N = 2 g."""
    return _allowed(wanted, remainder), (0, 0), 2 * remainder % wanted.divisor


def _swap(wanted: Property, remainder: int) -> tuple[Step, State, int]:
    """With N = r, neighbours c d at places i + 1 and i must satisfy 9 (c - d) 10^i = r."""
    v = wanted.divisor
    nines = [9 * 10**place % v for place in range(wanted.digits)]

    def step(state: State, place: int, digit: int) -> State | None:
        number, before = state
        first = place == wanted.digits - 1
        if not first and ((before - digit) * nines[place] - remainder) % v:
            return None
        return (number * 10 + digit) % v, digit

    return step, (0, 0), remainder


def _alternating(wanted: Property, remainder: int) -> tuple[Step, State, int]:
    del remainder
    v, top = wanted.divisor, wanted.digits - 1

    def step(state: State, place: int, digit: int) -> State | None:
        return (state[0] + (-digit if (top - place) % 2 else digit)) % v, 0

    return step, (0, 0), 0


def _digit_sum(wanted: Property, remainder: int) -> tuple[Step, State, int]:
    del remainder

    def step(state: State, place: int, digit: int) -> State | None:
        del place
        return (state[0] + digit) % wanted.divisor, 0

    return step, (0, 0), 0


_RULES = {
    "change_one": _change_one,
    "change_two": _change_two,
    "swap": _swap,
    "alternating": _alternating,
    "digit_sum": _digit_sum,
}


def _reversible(wanted: Property, *, largest: bool) -> Iterator[int]:
    """Yield multiples whose reversal is a multiple, in order.

    The leading digits are the last ones of the reversal, so that they tell its remainder modulo the
    divisor's factors two and five early on.
    """
    v, digits = wanted.divisor, wanted.digits
    front = min(_FRONT, digits - 1)
    rest = 10 ** (digits - front)
    known = gcd(v, 10**front)
    heads = range(10 ** (front - 1), 10**front)
    for head in reversed(heads) if largest else heads:
        if int(str(head)[::-1]) % known:
            continue
        low, high = head * rest, (head + 1) * rest - 1
        multiples = range(-(-low // v) * v, high + 1, v)
        for number in reversed(multiples) if largest else multiples:
            if int(str(number)[::-1]) % v == 0:
                yield number


def digits_lcm(number: int) -> int:
    """Return the least common multiple of the digits other than zero."""
    return lcm(*(int(digit) for digit in str(number) if digit != "0"))
