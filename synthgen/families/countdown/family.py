"""Number games: expressions with a given value.

A hand of cards is solved completely, with rationals: values of up to three cards are enumerated,
and a larger hand is split into a part, all of whose values are tried, and the rest that must
complete it. Countdown's target is the value of an expression drawn over its numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    filled,
    levelled,
    params,
)

_WORDS = Words.beside(__file__)
_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}
_BINDINGS = tuple(
    [f"{v}-{v}-{v}" for v in range(5, 14)]
    + ["5-7-9", "6-8-10", "7-8-9", "7-9-11", "8-9-10", "8-10-12"]
    + ["9-10-11", "9-11-13", "10-11-12", "11-12-13"]
)
"""Values of J, Q and K."""
_NEEDS = ("whole", "division", "fraction")
"""Operations that the easiest solutions of a hand need: only + - *, a division, or a fraction."""
_TRIES, _OFFERED = 32, 9
_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2}

Expression = int | tuple[str, "Expression", "Expression"]


def text_of(expression: Expression, min_level: int = 0) -> str:
    """Return an expression as text, in parentheses if it binds less tightly than `min_level`."""
    if isinstance(expression, int):
        return str(expression)
    sign, left, right = expression
    level = _PRECEDENCE[sign]
    text = f"{text_of(left, level)} {sign} {text_of(right, level + 1)}"
    return f"({text})" if level < min_level else text


def _leaves(expression: Expression) -> list[int]:
    if isinstance(expression, int):
        return [expression]
    return [*_leaves(expression[1]), *_leaves(expression[2])]


def flat(expression: Expression) -> Expression:
    """Return the same sums and products with fewer parentheses: a + (b - c) is (a + b) - c."""
    if isinstance(expression, int):
        return expression
    sign, left, right = expression[0], flat(expression[1]), flat(expression[2])
    if sign in "+*" and not isinstance(right, int) and _PRECEDENCE[right[0]] == _PRECEDENCE[sign]:
        return flat((right[0], (sign, left, right[1]), right[2]))
    return (sign, left, right)


def worked(expression: Expression) -> tuple[Fraction, list[str]]:
    """Return the value of an expression, and its operations, innermost and leftmost first."""
    if isinstance(expression, int):
        return Fraction(expression), []
    sign, left, right = expression
    (a, before), (b, after) = worked(left), worked(right)
    value = _SIGNS[sign](a, b)
    first, second = (f"{part}" if f"{part}".isdigit() else f"({part})" for part in (a, b))
    return value, [*before, *after, f"{first} {sign} {second} = {value}"]


def _results(a: Fraction, b: Fraction, need: int) -> Iterator[tuple[str, bool, Fraction]]:
    """Yield signs, whether the operands are exchanged, and values."""
    yield "+", False, a + b
    yield "*", False, a * b
    yield "-", False, a - b
    yield "-", True, b - a
    for top, bottom, swapped in ((a, b, False), (b, a, True)):
        if need and bottom and (need > 1 or (top / bottom).denominator == 1):
            yield "/", swapped, top / bottom


def _partners(a: Fraction, goal: Fraction, need: int) -> Iterator[tuple[str, bool, Fraction]]:
    """Yield signs, whether `a` is the second operand, and the required value of the other."""
    yield "+", False, goal - a
    yield "-", True, goal + a
    yield "-", False, a - goal
    if a:
        yield "*", False, goal / a
        if need:
            yield "/", True, goal * a
    if need and goal and a:
        yield "/", False, a / goal


def _join(sign: str, swapped: bool, a: Expression, b: Expression) -> Expression:
    return (sign, b, a) if swapped else (sign, a, b)


def _halves(values: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the ways to divide values into two parts, the first not larger, each way once."""
    places = range(len(values))
    seen = set()
    for size in range(1, len(values) // 2 + 1):
        for chosen in combinations(places, size):
            part = tuple(values[i] for i in chosen)
            rest = tuple(values[i] for i in places if i not in chosen)
            if (part, rest) not in seen:
                seen.add((part, rest))
                yield part, rest


@lru_cache(1 << 14)
def values_of(values: tuple[int, ...], need: int) -> dict[Fraction, Expression]:
    """Return every value that sorted numbers can make, with an expression for each."""
    if len(values) == 1:
        return {Fraction(values[0]): values[0]}
    by_value: dict[Fraction, Expression] = {}
    for part, rest in _halves(values):
        for a, left in values_of(part, need).items():
            for b, right in values_of(rest, need).items():
                for sign, swapped, value in _results(a, b, need):
                    by_value.setdefault(value, _join(sign, swapped, left, right))
    return by_value


@lru_cache(1 << 16)
def solve(values: tuple[int, ...], goal: Fraction, need: int) -> Expression | None:
    """Return an expression of sorted numbers with a value, or None if there is none.

    Args:
        values: Numbers, all of which are used.
        goal: Value of the expression.
        need: 0 allows only + - *, 1 also exact divisions, 2 fractions.
    """
    if len(values) <= 3:
        return values_of(values, need).get(goal)
    for part, rest in _halves(values):
        for a, left in values_of(part, need).items():
            for sign, swapped, partner in _partners(a, goal, need):
                if need < 2 and partner.denominator != 1:
                    continue
                right = solve(rest, partner, need)
                if right is not None:
                    return _join(sign, swapped, left, right)
    return None


class _NumberGame(PlainFamily):
    """Common base of both games."""

    answer_type = "expression"

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the operations of the answer, innermost and leftmost first."""
        return worked(problem.data)[1]


@levelled("cards + needs", 4, 5, 6)
@dataclass(frozen=True)
class GeneralPoints(_NumberGame):
    """Playing cards that make 24, with the values of the face cards stated in the prompt.

    Attributes:
        cards: Number of cards in a hand.
        target: Value to reach.
        max_rank: Highest rank; ranks above 13 are shown as numbers.
        bindings: Values of J, Q and K; one is drawn for each hand.
    """

    cards: int = params.integer(4, 3, 5)
    target: int = params.integer(24, 1, 100)
    max_rank: int = params.integer(13, 10, 19)
    bindings: tuple[str, ...] = params.choices(("10-10-10",), _BINDINGS)

    version = 2
    verifier = "general_points"
    same_up_to = "the order of the cards"
    words = _WORDS.part("general_points")
    symbols = {"points": (5, 7), "faces": 3, "none": 0, "J": 0, "Q": 0, "K": 0}
    own_axes = {
        "cards": axis("cards of the hand", "cards", "cards"),
        "faces": axis("face cards", 0, "cards"),
        "large": axis("cards with a rank above 13", 0, "cards"),
        "binding": axis("values of J, Q and K, if there is one", values=("none", *_BINDINGS)),
        "needs": axis("1 if every solution divides, 2 if every one needs a fraction", 0, 2),
        "hand": axis("values of the cards, ascending, as digits to the base 20", 0, 20**5),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw hands until one can be solved."""
        binding = draws.choice(self.bindings)
        j, q, k = map(int, binding.split("-"))
        worth = {11: j, 12: q, 13: k}
        for _ in range(_TRIES):
            hand = [draws.integer(1, self.max_rank + 1) for _ in range(self.cards)]
            values = tuple(sorted([worth.get(rank, rank) for rank in hand]))
            for need in range(len(_NEEDS)):
                solution = solve(values, Fraction(self.target), need)
                if solution is not None:
                    return self._problem(hand, binding, values, flat(solution), need)
        return None

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Solve the hand for the values next to the target."""
        del draws
        values, need = tuple(sorted(_leaves(problem.data))), int(problem.axes["needs"])
        goals = [self.target + by for k in range(1, _OFFERED + 1) for by in (k, -k)]
        made = (solve(values, Fraction(goal), need) for goal in goals)
        return [text_of(flat(expression)) for expression in made if expression is not None]

    def _problem(
        self,
        hand: list[int],
        binding: str,
        values: tuple[int, ...],
        expression: Expression,
        need: int,
    ) -> Problem:
        faces = sum(11 <= rank <= 13 for rank in hand)
        j, q, k = binding.split("-")
        leaves: list[Tree] = [_RANKS[r] if 11 <= r <= 13 else r for r in sorted(hand)]
        stated: Tree = ("faces", int(j), int(q), int(k)) if faces else "none"
        sentence = _WORDS["faces"]["equal" if j == q == k else "different"]
        return Problem(
            tree=("points", self.target, stated, *leaves),
            answer=text_of(expression),
            holes={
                "cards": ", ".join(_RANKS.get(rank, str(rank)) for rank in hand),
                "faces": filled(sentence, {"j": j, "q": q, "k": k}),
                "target": self.target,
            },
            axes={
                "cards": self.cards,
                "faces": faces,
                "large": sum(rank > 13 for rank in hand),
                "binding": binding if faces else "none",
                "needs": need,
                "hand": sum(value * 20**place for place, value in enumerate(reversed(values))),
            },
            data=expression,
        )


def sums(numbers: Sequence[int], use: str) -> set[int]:
    """Return the values that numbers have with only + and - between them."""
    values = {0}
    for number in numbers:
        values = {
            value + step
            for value in values
            for step in ((number, -number) if use == "all" else (number, -number, 0))
        }
    return values


@levelled("numbers", 3, 4, 5, 6, 7, 8)
@dataclass(frozen=True)
class Countdown(_NumberGame):
    """Numbers that make a target: all of them, or some.

    For half of the addresses, sums and differences are not enough.

    Attributes:
        use: "all" numbers must be used, or "some".
        min_numbers, max_numbers: Fewest and most numbers.
        max_number: Largest number.
        min_target, max_target: Range of the target.
    """

    use: str = params.choice("all", ("all", "some"))
    min_numbers: int = params.integer(4, 3, 8, up_to="max_numbers")
    max_numbers: int = params.integer(6, 3, 8)
    max_number: int = params.integer(100, 10, 1_000)
    min_target: int = params.integer(100, 1, 10_000, up_to="max_target")
    max_target: int = params.integer(999, 10, 10_000)

    version = 2
    verifier = "countdown"
    same_up_to = "the order of the numbers"
    words = _WORDS.part("countdown")
    symbols = {"all": (4, 9), "some": (4, 9)}
    own_axes = {
        "numbers": axis("numbers of the prompt", "min_numbers", "max_numbers"),
        "target": axis("value to reach", "min_target", "max_target"),
        "sums": axis("1 if + and - are enough", 0, 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        most = self.max_number**self.max_numbers
        if self.min_target > most:
            wanted = f"at most {most}, as max_number={self.max_number} to the power of max_numbers"
            raise ParamError("min_target", self.min_target, wanted)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw numbers, and expressions over them until one has a value in the range."""
        count = draws.integer(self.min_numbers, self.max_numbers + 1)
        numbers = [draws.integer(1, self.max_number + 1) for _ in range(count)]
        may_add_up = bool(draws.integer(0, 2))
        for _ in range(_TRIES):
            used = count if self.use == "all" else draws.integer((count + 3) // 2, count + 1)
            order = draws.shuffled(numbers)
            target, expression = self._reached(order[:used], draws)
            if not self.min_target <= target <= self.max_target or target in numbers:
                continue
            adds_up = target in sums(numbers, self.use)
            if may_add_up or not adds_up:
                break
        else:
            return None
        expression = flat(expression)
        return Problem(
            tree=(self.use, target, *sorted(numbers)),
            answer=self._text(expression, order[used:]),
            holes={"numbers": ", ".join(map(str, numbers)), "target": target},
            kind=self.use,
            axes={"numbers": count, "target": target, "sums": int(adds_up)},
            data=expression,
        )

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Draw other expressions over as many of these numbers, with values in the range."""
        target = int(problem.axes["target"])
        numbers = [*map(int, str(problem.holes["numbers"]).split(", "))]
        used = len(_leaves(problem.data))
        for _ in range(12 * _OFFERED):
            order = draws.shuffled(numbers)
            value, expression = self._reached(order[:used], draws)
            if self.min_target <= value <= self.max_target and value != target:
                yield self._text(flat(expression), order[used:])

    def _text(self, expression: Expression, unused: Sequence[int]) -> str:
        text = text_of(expression)
        if self.use == "some":
            text += f"; {', '.join(map(str, sorted(unused))) or 'none'}"
        return text

    def _reached(self, numbers: list[int], draws: RowDraws) -> tuple[int, Expression]:
        """Combine numbers at random; every result is a positive integer."""
        pool: list[tuple[int, Expression]] = [(number, number) for number in numbers]
        while len(pool) > 1:
            a, left = pool.pop(draws.integer(0, len(pool)))
            b, right = pool.pop(draws.integer(0, len(pool)))
            if a < b:
                a, left, b, right = b, right, a, left
            results = {"+": a + b}
            if a > b:
                results["-"] = a - b
            if b > 1 and a * b <= self.max_target * self.max_number:
                results["*"] = a * b
            if b > 1 and a % b == 0:
                results["/"] = a // b
            sign = draws.choice([*results])
            pool.append((results[sign], (sign, left, right)))
        return pool[0]


GENERATORS = {"countdown": Countdown, "general_points": GeneralPoints}
