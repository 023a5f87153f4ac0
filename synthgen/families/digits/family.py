"""Addition and multiplication of long numbers, digit by digit as on paper."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact, localcontext
from functools import cache, cached_property
from itertools import product
from string import ascii_letters, ascii_lowercase
from typing import ClassVar, NamedTuple

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    levelled,
    params,
)
from synthgen.authoring.distractors import chained
from synthgen.authoring.entropy import integer_between

_WORDS = Words.beside(__file__)
_NINE, _OFFERED = 9, 10
_FROM_NINE, _FROM_TEN = (
    bytes(ord("01"[column - 2 * ord("0") >= bound]) for column in range(256)) for bound in (9, 10)
)
"""Whether the sum of two digits, as characters, is at least 9, and at least 10."""
_LAST_DIGIT = bytes(ord("0") + (column - 3 * ord("0")) % 10 for column in range(256))
"""Last digit of the sum of two digits and a carry."""
_WHOLE = Context(prec=1_000, traps=[Inexact])
"""Long decimals are written in linear time, integers in quadratic time."""
_LONG_LABELS = tuple("".join(pair) for pair in product(ascii_lowercase, repeat=2))


class _Sum(NamedTuple):
    """Two numbers and their result as digits, the highest first.

    Attributes:
        carries: Carry of each column, the ones first.
        labels: Labels of the places, in the order in which the operands are written.
    """

    a: str
    b: str
    result: str
    carries: str = ""
    labels: Sequence[str] = ()


@dataclass(frozen=True)
class _Formatted(PlainFamily):
    """Two numbers whose digits are written in one of many formats."""

    order: str = params.choice("normal", ("normal", "reversed", "answer_reversed"))
    padded: bool = params.flag(False)
    spacing: str = params.choice("none", ("none", "spaces", "gaps"))
    gap: float = params.number(0.3, 0, 1)

    version = 2
    padding = "padded"
    restated_by: ClassVar[tuple[str, ...]] = ("order", "padded", "spacing", "gap")

    @property
    def features(self) -> set[str]:
        """Names of the format's features that the prompt must state."""
        return {self.order, self.spacing, self.padding if self.padded else ""}

    @cached_property
    def _stated(self) -> dict[str, str]:
        """The statement of the format for each style of prompt."""
        return {
            hole: "".join(f" {text}" for key, text in _WORDS[hole].items() if key in self.features)
            for hole in ("statement", "tags")
        }

    @property
    def _separator(self) -> str:
        return " " if self.spacing == "spaces" else ""

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of a number, or of its spelling where the prompt states a format."""
        del problem
        return "integer" if self.features <= {"normal", "none", "gaps", ""} else "string"

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the operands, and state the format."""
        known: _Sum = problem.data
        holes = dict(self._stated)
        for name, digits in (("a", known.a), ("b", known.b)):
            ordered = digits[::-1] if self.order == "reversed" else digits
            pieces = self._pieces(ordered, known.labels)
            if self.spacing == "gaps":
                signs = ["_" if draws.uniform() < self.gap else "" for _ in pieces[1:]]
                pieces = list(map("".join, zip(["", *signs], pieces, strict=True)))
            holes[name] = self._separator.join(pieces)
        return holes

    def written_answer(self, known: _Sum) -> str:
        """Write the result."""
        if self.order == "normal":
            return self._separator.join(self._pieces(known.result, known.labels))
        labels = known.labels if self.order == "reversed" else known.labels[::-1]
        return self._separator.join(self._pieces(known.result[::-1], labels))

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Make one slip or several."""
        known: _Sum = problem.data
        slips, width = self.slips(known), len(known.result)

        def change(value: int, draws: RowDraws) -> int | None:
            changed = value + draws.choice((1, -1)) * draws.choice(slips)
            digits = str(changed).zfill(width) if self.padded else str(changed)
            return changed if changed >= 0 and len(digits) == width else None

        made = chained(int(known.result), change, draws, _OFFERED)
        return [self.written_answer(known._replace(result=f"{n:0{width}d}")) for n in made]

    @abstractmethod
    def slips(self, known: _Sum) -> list[int]:
        """Return the sizes of mistakes, most of which keep the last digit."""

    def _pieces(self, digits: str, labels: Sequence[str]) -> Sequence[str]:
        """Return the digits, each with its label."""
        if not labels:
            return digits
        return list(map(self._separator.join, zip(labels, digits, strict=True)))


@levelled("length", 2, 3, 4, 6, 8, 12, 20, 40, 70, 100)
@dataclass(frozen=True)
class Addition(_Formatted):
    """The sum of two numbers without a sign.

    Attributes:
        order: Order of digits: "normal", "reversed" (the ones digit first, in all numbers), or
            "answer_reversed".
        padded: Whether zeros fill up the highest places of all three numbers, to one digit more
            than the longer operand has.
        spacing: "none", "spaces" between all symbols of a number, or "gaps": underscores at random
            places within the operands, which have no meaning.
        gap: Probability of an underscore between two digits.
        min_digits, max_digits: Digits of each operand, 1 to 1,000.
        lengths: "any" (the operands' lengths are independent) or "equal".
        carrying: "uniform" digits, or "even": each row has a probability of carries of its own, so
            that few, many and long chains of carries are equally frequent.
        labels: Labels before every digit, the same in all numbers: "none", "first" (the first
            of the list), "consecutive" (from a random label on), or "spread" (any, in order).
        n_labels: Size of the list; up to 52 labels are letters, more are pairs of letters.
    """

    min_digits: int = params.integer(1, 1, 1_000, up_to="max_digits")
    max_digits: int = params.integer(10, 1, 1_000)
    lengths: str = params.choice("any", ("any", "equal"))
    carrying: str = params.choice("uniform", ("uniform", "even"))
    labels: str = params.choice("none", ("none", "first", "consecutive", "spread"))
    n_labels: int = params.integer(102, 2, len(_LONG_LABELS))

    verifier = "addition"
    restated_by = (*_Formatted.restated_by, "labels", "n_labels")
    same_up_to = "the order of the numbers, labels of the digits"
    words = _WORDS.part("addition")
    symbols = {"add": 2}
    own_axes = {
        "length": axis("digits of the longer number", "min_digits", "max_digits"),
        "length_short": axis("digits of the shorter number", "min_digits", "max_digits"),
        "carries": axis("columns that carry", 0, "max_digits"),
        "carry_chain": axis("most neighbouring columns that carry", 0, "max_digits"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.labels == "none":
            return
        if not self.padded:
            raise ParamError("padded", self.padded, "true where digits have labels")
        if self.n_labels <= self.max_digits:
            raise ParamError("n_labels", self.n_labels, f"more than max_digits={self.max_digits}")

    @property
    def answers_differ(self) -> bool:
        """Answers have the labels, too."""
        return self.labels != "none"

    @property
    def features(self) -> set[str]:
        """Names of the format's features that the prompt must state."""
        return super().features | {"labels" if self.labels != "none" else ""}

    def make(self, draws: RowDraws) -> Problem:
        """Draw the numbers, and add them from the ones on."""
        length = draws.integer(self.min_digits, self.max_digits + 1)
        other = draws.integer(self.min_digits, self.max_digits + 1)
        other = length if self.lengths == "equal" else other
        if self.carrying == "even":
            a, b = _carrying(draws, length, other)
        else:
            a, b = _drawn(draws, length), _drawn(draws, other)
        longer, shorter = max(length, other), min(length, other)
        wide = a.zfill(longer + 1), b.zfill(longer + 1)
        result, carries = _added(*wide)
        labels = self._labels(draws, longer + 1)
        if self.padded:
            known = _Sum(*wide, result, carries, labels)
        else:
            known = _Sum(a, b, result.removeprefix("0"), carries)
        p, q = int(a), int(b)
        return Problem(
            tree=("add", p, q) if p < q else ("add", q, p),
            answer=self.written_answer(known),
            axes={
                "length": longer,
                "length_short": shorter,
                "carries": carries.count("1"),
                "carry_chain": len(max(carries.split("0"))),
            },
            data=known,
        )

    def slips(self, known: _Sum) -> list[int]:
        """Return the carries into the columns that both numbers have, and the next one."""
        columns = range(1, min(len(known.result), len(known.a) + 1, len(known.b) + 1))
        return [10**column for column in columns] or [1]

    def _labels(self, draws: RowDraws, count: int) -> Sequence[str]:
        """Choose labels for `count` places."""
        if self.labels == "none":
            return ()
        letters = self.n_labels <= len(ascii_letters)
        names = (ascii_letters if letters else _LONG_LABELS)[: self.n_labels]
        if self.labels == "spread":
            return [names[place] for place in sorted(draws.shuffled(range(len(names)))[:count])]
        start = 0
        if self.labels == "consecutive":
            start = draws.integer(0, self.n_labels - count + 1)
        return names[start : start + count]

    def steps_of(self, problem: Problem) -> list[str]:
        """Write a line for each digit of the sum, from the ones on."""
        known: _Sum = problem.data
        places = len(known.result)
        a, b = known.a.zfill(places)[::-1], known.b.zfill(places)[::-1]
        columns = zip(a, b, "0" + known.carries, strict=False)
        lines = [_column(x, y, carry) for x, y, carry in columns]
        return [*lines, _WORDS.line("answer", answer=problem.answer)]


@levelled("length + length_short", 3, 4, 5, 6, 8, 12, 20, 40, 100, 200)
@dataclass(frozen=True)
class Multiplication(_Formatted):
    """The product of two numbers without a sign.

    Attributes:
        order: Order of digits: "normal", "reversed" (the ones digit first, in all numbers), or
            "answer_reversed".
        padded: Whether zeros fill up the answer, to as many digits as both numbers have together.
        spacing: "none", "spaces" between all symbols of a number, or "gaps": underscores at random
            places within the operands, which have no meaning.
        gap: Probability of an underscore between two digits.
        min_digits, max_digits: Digits of each operand, 1 to 500.
        second_digits: Digits of the second operand, up to `min_digits`; 0 for the range of the
            first.
    """

    min_digits: int = params.integer(1, 1, 500, up_to="max_digits")
    max_digits: int = params.integer(4, 1, 500)
    second_digits: int = params.integer(0, 0, 500, up_to="min_digits")

    verifier = "multiplication"
    same_up_to = "the order of the factors"
    words = _WORDS.part("multiplication")
    symbols = {"mul": 2}
    padding = "product_padded"
    own_axes = {
        "length": axis("digits of the longer number", "min_digits", "max_digits"),
        "length_short": axis("digits of the shorter number", 1, "max_digits"),
        "answer_length": axis("digits of the product", 1, 1_000),
    }

    def make(self, draws: RowDraws) -> Problem:
        """Draw the numbers, and add up the products with single digits."""
        first = draws.integer(self.min_digits, self.max_digits + 1)
        second = self.second_digits or draws.integer(self.min_digits, self.max_digits + 1)
        a, b = _drawn(draws, first), _drawn(draws, second)
        p, q = int(a), int(b)
        result = str(sum(p * part for part in _parts(b)))
        answer_length = len(result)
        known = _Sum(a, b, result.zfill(first + second) if self.padded else result)
        return Problem(
            tree=("mul", p, q) if p < q else ("mul", q, p),
            answer=self.written_answer(known),
            axes={
                "length": max(first, second),
                "length_short": min(first, second),
                "answer_length": answer_length,
            },
            data=known,
        )

    def slips(self, known: _Sum) -> list[int]:
        """Return each factor, moved to every column of the other one."""
        pairs = (known.a, known.b), (known.b, known.a)
        moved = [int(a) * 10**k for a, b in pairs for k in range(len(b) > 1, len(b))]
        return [slip for slip in moved if slip] or [1]

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the product with each digit of the second number, from the ones on."""
        known: _Sum = problem.data
        lines, total, before = [], Decimal(0), "0"
        with localcontext(_WHOLE):
            products = {digit: Decimal(known.a) * int(digit) for digit in {*known.b}}
            for place, digit in enumerate(reversed(known.b)):
                part = digit + "0" * place if digit != "0" else digit
                lower, total = total, total + products[digit].scaleb(place)
                holes = {"part": part, "product": str(total - lower), "before": before}
                before = str(total)
                lines.append(_WORDS.line("partial", **holes, a=known.a, total=before))
        return [*lines, _WORDS.line("answer", answer=problem.answer)]


def _drawn(draws: RowDraws, digits: int) -> str:
    """Draw a number without leading zeros; a single digit may be zero."""
    end = 10**digits
    return str(integer_between(draws, end // 10 if digits > 1 else 0, end - 1))


@cache
def _column(x: str, y: str, carry: str) -> str:
    total = int(x) + int(y) + int(carry)
    following, digit = divmod(total, 10)
    holes = {"x": x, "y": y, "carry": carry, "sum": total, "digit": digit, "next": following}
    return _WORDS.line("column", **holes)


def _parts(digits: str) -> list[int]:
    """Split a number into its ones, tens and so on."""
    return [int(digit) * 10**place for place, digit in enumerate(reversed(digits))]


def _added(a: str, b: str) -> tuple[str, str]:
    """Add numbers of equal length that begin with 0; return the sum, and carries from the ones on.

    Each column is a byte of a long integer. A column carries if its sum is at least 10, or if it is
    9 and a carry comes in. So the carries are those of a binary sum: of the bits "at least 10" and
    "at least 9", where a 10 sets both bits of a column and a 9 only one.
    """
    columns = _bytes(a) + _bytes(b)
    written = columns.to_bytes(len(a), "big")
    tens, nines = int(written.translate(_FROM_TEN), 2), int(written.translate(_FROM_NINE), 2)
    incoming = f"{tens + nines ^ tens ^ nines:0{len(a)}b}"
    result = (columns + _bytes(incoming)).to_bytes(len(a), "big").translate(_LAST_DIGIT)
    return result.decode(), incoming[-2::-1]


def _bytes(digits: str) -> int:
    return int.from_bytes(digits.encode(), "big")


def _carrying(draws: RowDraws, length: int, other: int) -> tuple[str, str]:
    """Draw two numbers whose columns carry with a probability that is drawn as well."""
    share, carry = draws.uniform(), 0
    columns = []
    for place in range(max(length, other)):
        choices = _digits(place, length), _digits(place, other)
        x, y = draws.choice(_pairs(*choices, carry, draws.uniform() < share))
        carry = int(x + y + carry > _NINE)
        columns.append((x, y))
    columns.reverse()
    a, b = ("".join(map(str, digits)) for digits in zip(*columns, strict=True))
    return a[-length:], b[-other:]


def _digits(place: int, length: int) -> range:
    """Return the digits that a number of some length may have at a place."""
    if place >= length:
        return range(1)
    return range(int(place == length - 1 > 0), 10)


@cache
def _pairs(xs: range, ys: range, carry: int, wanted: bool) -> list[tuple[int, int]]:
    """Return the pairs of digits that carry or not, as wanted; all pairs if there are none."""
    pairs = list(product(xs, ys))
    return [pair for pair in pairs if (sum(pair) + carry > _NINE) == wanted] or pairs


GENERATORS = {"addition": Addition, "multiplication": Multiplication}
