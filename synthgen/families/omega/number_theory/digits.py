"""Extreme numbers with a property of their digits, searched digit by digit from the left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import gcd, lcm
from typing import NamedTuple

from synthgen.authoring import LevelledListedFamily, Problem, RowDraws, Words, axis

_DIGITS = (
    *(((2,), (3, 7)), ((3,), (3, 9)), ((4,), (3, 9)), ((5,), (3, 9)), ((6, 7), (5, 12))),
    *(((8,), (5, 16)), ((9,), (5, 20))),
)
"""Digits, and the divisor from and to, of each level."""
_RANKS = {"swap": 3, "digit_sum": 10}
_ASKED = {"alternating": "remainder", "swap": "number", "digit_sum": "number"}
_SIDES = ("largest", "smallest")
_FRONT = 4


class _Rule(NamedTuple):
    """A property of numbers of some digits; `target` is the digit t that others are changed to."""

    kind: str
    digits: int
    divisor: int
    target: int = 0


@dataclass(frozen=True)
class NumbertheoryQrSum(LevelledListedFamily):
    """Numbers whose changes, exchanges, reversal or digit sums are multiples of a divisor.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all. They have 2, 3, 4, 5, 6-7, 8 or
            9 digits and divisors 3-7, 3-9, 3-9, 3-9, 5-12, 5-16 or 5-20.
        repeats: Addresses for each problem, to see it in other wordings.
    """

    version = 4
    verifier = "numbertheory_qr_sum"
    domain = "omega"
    words = Words.beside(__file__).part("qr_sum")
    symbols = {kind: 4 if kind.startswith("change") else 3 for kind in words.kinds}
    symbols |= dict.fromkeys(_SIDES, 0)
    own_axes = {
        "n_digits": axis("digits of the number", 2, 9),
        "digit_divisor": axis("divisor in the property", 3, 20),
    }
    n_levels = len(_DIGITS)
    level_is_canonical = True

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield every question that has an answer; chains begin at five digits."""
        lengths, divisors = _DIGITS[level - 1]
        every_divisor = range(divisors[0], divisors[1] + 1)
        for digits, divisor, kind in product(lengths, every_divisor, self.words.kinds):
            if digits >= {"change_two": 3, "chained": 5}.get(kind, 0):
                for target in range(1, 10) if kind.startswith("ch") else (0,):
                    for side in _SIDES[:1] if kind == "chained" else _SIDES:
                        yield from _extreme_problem(kind, digits, divisor, target, side)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Return the parameters."""
        del draws
        rule, side, *_ = problem.data
        return {
            "side": side,
            "d": rule.digits,
            "e": rule.digits + 1,
            "v": rule.divisor,
            "t": rule.target,
            "ten": 10 ** (rule.digits - 1 + (problem.kind == "chained")),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Name the number, show that it has the property, and compute the answer."""
        rule, _, numbers, divisor, other = problem.data
        asked, ask = other or numbers[-1], _ASKED.get(problem.kind)
        lines = [f"N = {numbers[-1]}"]
        if len(numbers) > 1:
            lines.insert(0, f"in order: {', '.join(map(str, numbers))}")
        lines += (_multiple(value, rule.divisor) for value in _values(rule, numbers[-1]))
        if other:
            lines += [f"S = {divisor}", f"M = {other}"]
            lines += (_multiple(value, divisor) for value in (other, int(str(other)[::-1])))
        if ask != "number":
            ten = 10 ** (len(str(asked)) - 1)
            lines.append(f"{asked} = {asked // ten} * {ten} + {asked % ten}")
            if not ask:
                lines.append(f"{asked // ten} + {asked % ten} = {problem.answer}")
        return lines


def _extreme_problem(
    kind: str, digits: int, divisor: int, target: int, side: str
) -> Iterator[Problem]:
    """Yield the question for the largest or the smallest number, if it has an answer.

    Its data are the rule, the side, the extreme numbers in order, of which the last is N, and S and
    M or zeros.
    """
    rule = _Rule("change_one" if kind == "chained" else kind, digits, divisor, target)
    rank = _RANKS.get(kind, 1)
    numbers = _extremes(rule, rank, largest=side == "largest")
    if len(numbers) < rank:
        return
    asked, common, other = numbers[-1], 0, 0
    if kind == "chained":
        common = lcm(*(int(digit) for digit in str(asked) if digit != "0"))
        others = _extremes(_Rule("reverse", digits + 1, common), 1, largest=True)
        if not others:
            return
        asked = other = others[0]
    quotient, remainder = divmod(asked, 10 ** (len(str(asked)) - 1))
    answers = {"number": asked, "remainder": remainder}
    parameters = [digits, divisor, target] if target else [digits, divisor]
    yield Problem(
        (kind, *parameters, *(() if kind == "chained" else (side,))),
        str(answers.get(_ASKED.get(kind, ""), quotient + remainder)),
        kind=kind,
        axes={"n_digits": digits, "digit_divisor": divisor},
        data=(rule, side, numbers, common, other),
    )


def _values(rule: _Rule, number: int) -> list[int]:
    """Return the values that must be divisible, in order from the leading digits."""
    text, t = str(number), str(rule.target)
    places = range(len(text))
    if rule.kind == "change_one":
        return [int(text[:i] + t + text[i + 1 :]) for i in places]
    if rule.kind == "change_two":
        pairs = combinations(places, 2)
        return [int(text[:i] + t + text[i + 1 : j] + t + text[j + 1 :]) for i, j in pairs]
    if rule.kind == "swap":
        return [int(text[:i] + text[i + 1] + text[i] + text[i + 2 :]) for i in places[:-1]]
    if rule.kind == "reverse":
        return [number, int(text[::-1])]
    digits = list(map(int, text))
    return [sum(digits) if rule.kind == "digit_sum" else sum(digits[::2]) - sum(digits[1::2])]


def _multiple(value: int, divisor: int) -> str:
    times = value // divisor
    return f"{value} = {divisor} * {times if times >= 0 else f'({times})'}"


def _extremes(rule: _Rule, rank: int, *, largest: bool) -> tuple[int, ...]:
    """Return the `rank` most extreme numbers with a property, or all there are, in order.

    For a remainder that a number can leave modulo v, a property of all its changes is a condition
    on each digit; the number must then leave that remainder. For changes, the conditions
    on the digits add up to a congruence for N, which must be its own.
    """
    kind, digits, v, t = rule
    if kind == "reverse":
        return tuple(islice(_reversible(rule, largest=largest), rank))
    numbers: list[int] = []
    changed, places = t * (10**digits // 9), {"change_one": 1, "change_two": 2}.get(kind, 0)
    for remainder in range(1 if kind in ("alternating", "digit_sum") else v):
        if not places or (changed + (digits - places) * remainder) % v == 0:
            numbers += islice(_numbers(rule, remainder, largest=largest), rank)
    return tuple(sorted(numbers, reverse=largest)[:rank])


def _numbers(rule: _Rule, remainder: int, *, largest: bool) -> Iterator[int]:
    """Yield the numbers that leave a remainder, in order, from the leading digit to the last.

    States from which the search has failed are kept: a place, the remainder so far, and for
    exchanges the digit before.
    """
    kind, digits, v, t = rule
    end = remainder * (2 if kind == "change_two" else 1) % v
    order = range(9, -1, -1) if largest else range(10)
    weights = [10**place % v for place in range(digits)]
    if kind in ("alternating", "digit_sum"):
        sign = -1 if kind == "alternating" else 1
        weights = [sign ** (digits - 1 - place) for place in range(digits)]
    dead: set[tuple[int, int, int]] = set()

    def fits(place: int, before: int, digit: int) -> bool:
        change = remainder
        if kind in ("change_one", "change_two"):
            change = (digit - t) * weights[place]
        elif kind == "swap" and place < digits - 1:
            change = 9 * (before - digit) * weights[place]
        return (change - remainder) % v == 0

    def search(place: int, state: int, before: int, number: int) -> Iterator[int]:
        if place < 0:
            if state == end:
                yield number
            return
        if (place, state, before) in dead:
            return
        is_alive = False
        for digit in order:
            if (number or digit) and fits(place, before, digit):
                after, last = (state + digit * weights[place]) % v, digit if kind == "swap" else 0
                for whole in search(place - 1, after, last, 10 * number + digit):
                    is_alive = True
                    yield whole
        if not is_alive:
            dead.add((place, state, before))

    yield from search(digits - 1, 0, 0, 0)


def _reversible(rule: _Rule, *, largest: bool) -> Iterator[int]:
    """Yield multiples whose reversal is a multiple, in order.

    The leading digits are the last ones of the reversal, so that they decide its remainder modulo
    the divisor's factors two and five early on.
    """
    _, digits, v, _ = rule
    front = min(_FRONT, digits - 1)
    rest, known = 10 ** (digits - front), gcd(v, 10**front)
    order = -1 if largest else 1
    for head in range(10 ** (front - 1), 10**front)[::order]:
        if int(str(head)[::-1]) % known == 0:
            first = head * rest + -head * rest % v
            for number in range(first, (head + 1) * rest, v)[::order]:
                if int(str(number)[::-1]) % v == 0:
                    yield number
