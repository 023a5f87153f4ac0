"""OMEGA number theory: the largest and smallest numbers with properties of their digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega.numbertheory._digit_search import Property, digits_lcm, extremes
from synthgen.generators.omega.numbertheory._digit_texts import ASKS, CHAINS, FRAMES, PROPERTIES

_LEVELS = (
    *(((2,), (3, 7)), ((3,), (3, 9)), ((4,), (3, 9)), ((5,), (3, 9)), ((6, 7), (5, 12))),
    *(((8,), (5, 16)), ((9,), (5, 20))),
)
"""Digits, and the divisor from and to, of each level."""
_CHAINED_FROM = 5
"""Digits from which there are chained questions."""
_TARGETS = range(1, 10)
_RANKS = {"swap": ("third ", 3), "digit_sum": ("tenth ", 10)}
_ASKED = {"alternating": "remainder", "swap": "number", "digit_sum": "number"}
_SIDES = ("largest", "smallest")


@dataclass(frozen=True)
class Extreme:
    """One question and the numbers on the way to its answer.

    Attributes:
        kind: name of the subtype.
        wanted: the property.
        largest: whether the largest numbers are meant.
        numbers: the extreme ones in order; the last is N.
        divisor, other: S and M of a chained question, else 0.
    """

    kind: str
    wanted: Property
    largest: bool
    numbers: tuple[int, ...]
    divisor: int = 0
    other: int = 0

    @property
    def asked(self) -> tuple[str, int, int]:
        """Return the name of the number in question, the number, and what it is divided by."""
        name, number = ("M", self.other) if self.other else ("N", self.numbers[-1])
        return name, number, 10 ** (len(str(number)) - 1)


@dataclass(frozen=True)
class NumbertheoryQrSum(ListedFamily):
    """Numbers whose changes, exchanges, reversal or digit sums are multiples of a divisor.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. They have 2, 3, 4, 5, 6-7, 8 or 9
            digits and divisors 3-7, 3-9, 3-9, 3-9, 5-12, 5-16 or 5-20.
        repeats: addresses for each problem, to see it in other wordings.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "numbertheory_qr_sum"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = len(FRAMES)
    variants: ClassVar[int] = 1
    subtypes: ClassVar[tuple[str, ...]] = tuple(PROPERTIES)
    symbols: ClassVar[Mapping[str, int]] = {
        **{name: 4 if name.startswith("change") else 3 for name in PROPERTIES},
        **dict.fromkeys(_SIDES, 0),
    }
    level_is_canonical: ClassVar[bool] = True

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Digits and divisor."""
        return {
            "n_digits": Axis("digits of the number", low=2, high=9),
            "digit_divisor": Axis("what a property is about", low=3, high=20),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make every question that has an answer."""
        lengths, (low, high) = _LEVELS[level - 1]
        for digits in lengths:
            for divisor in range(low, high + 1):
                for kind in PROPERTIES:
                    changes = kind.startswith("ch")
                    if (kind == "change_two" and digits == 2) or (
                        kind == "chained" and digits < _CHAINED_FROM
                    ):
                        continue
                    for target in _TARGETS if changes else (0,):
                        yield from _questions(kind, digits, divisor, target)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe the number and ask for it."""
        del draws
        extreme = made.facts
        wanted = extreme.wanted
        name, _, ten = extreme.asked
        side = _SIDES[not extreme.largest]
        rank = f"{_RANKS.get(extreme.kind, ('', 1))[0]}{side}"
        held = PROPERTIES[extreme.kind].format(t=wanted.target, v=wanted.divisor)
        parts = [FRAMES[wording].format(rank=rank, d=wanted.digits, property=held)]
        if extreme.other:
            parts.append(CHAINS[wording].format(e=wanted.digits + 1))
        asked = ASKS[_ASKED.get(extreme.kind, "quotient_plus_remainder")]
        return " ".join([*parts, asked[wording].format(name=name, ten=ten)])

    def steps(self, made: Made) -> str:
        """Name the number, show that it has the property, and work out what is asked."""
        extreme = made.facts
        wanted, number = extreme.wanted, extreme.numbers[-1]
        lines = [f"N = {', '.join(map(str, extreme.numbers))}"]
        lines += [_multiple(value, wanted.divisor) for value in _values(wanted, number)]
        if extreme.other:
            backwards = int(str(extreme.other)[::-1])
            lines += [f"S = {extreme.divisor}", f"M = {extreme.other}"]
            lines += [_multiple(value, extreme.divisor) for value in (extreme.other, backwards)]
        _, asked, ten = extreme.asked
        if extreme.kind not in _RANKS:
            lines.append(f"{asked} = {asked // ten} * {ten} + {asked % ten}")
        if _ASKED.get(extreme.kind) is None:
            lines.append(f"{asked // ten} + {asked % ten} = {made.answer}")
        return "\n".join(lines)


def _questions(kind: str, digits: int, divisor: int, target: int) -> Iterator[Made]:
    """Yield the question for the largest and the smallest number, where they have an answer."""
    rule = "change_one" if kind == "chained" else kind
    wanted = Property(rule, digits, divisor, target)
    rank = _RANKS.get(kind, ("", 1))[1]
    for largest in (True,) if kind == "chained" else (True, False):
        numbers = extremes(wanted, rank, largest=largest)
        if len(numbers) < rank:
            continue
        extreme = Extreme(kind, wanted, largest, numbers)
        if kind == "chained":
            common = digits_lcm(numbers[0])
            others = extremes(Property("reverse", digits + 1, common), 1, largest=True)
            if not others:
                continue
            extreme = Extreme(kind, wanted, largest, numbers, common, others[0])
        parameters = (digits, divisor, target) if target else (digits, divisor)
        tree = (
            (kind, *parameters) if kind == "chained" else (kind, *parameters, _SIDES[not largest])
        )
        yield Made(
            tree,
            _answer(extreme),
            extreme,
            subtype=NumbertheoryQrSum.subtypes.index(kind),
            axes={"n_digits": digits, "digit_divisor": divisor},
        )


def _answer(extreme: Extreme) -> str:
    _, number, ten = extreme.asked
    asked = _ASKED.get(extreme.kind)
    if asked == "number":
        return str(number)
    return str(number % ten + (0 if asked else number // ten))


def _values(wanted: Property, number: int) -> list[int]:
    """Return what must be divisible, in order from the leading digits."""
    text, target = str(number), str(wanted.target)
    places = range(len(text))
    if wanted.kind == "change_one":
        return [int(text[:i] + target + text[i + 1 :]) for i in places]
    if wanted.kind == "change_two":
        return [
            int(text[:i] + target + text[i + 1 : j] + target + text[j + 1 :])
            for i, j in combinations(places, 2)
        ]
    if wanted.kind == "swap":
        return [int(text[:i] + text[i + 1] + text[i] + text[i + 2 :]) for i in places[:-1]]
    if wanted.kind == "reverse":
        return [number, int(text[::-1])]
    digits = list(map(int, text))
    return [sum(digits) if wanted.kind == "digit_sum" else sum(digits[::2]) - sum(digits[1::2])]


def _multiple(value: int, divisor: int) -> str:
    return f"{value} = {divisor} * {value // divisor}"


GENERATOR = NumbertheoryQrSum
