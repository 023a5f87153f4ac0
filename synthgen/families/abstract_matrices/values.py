"""Values of one attribute in nine panels, drawn by its rule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from synthgen.authoring import RowDraws
from synthgen.families.abstract_matrices.relations import RANDOM, SETS, Field, laws

MAX_SET = 3
"""Largest set of types, sizes or colors in a panel."""
_TRIES = 30


class Source(NamedTuple):
    """Where the values of an attribute come from.

    Attributes:
        field: Attribute that has the rule; the number and the positions of objects have one rule.
        rule: Name of the rule, or "random".
        slots: Slots of the part.
        allowed: Values that occur.
        least: Fewest objects.
    """

    field: Field
    rule: str
    slots: int
    allowed: tuple[int, ...]
    least: int

    def values(self, draws: RowDraws) -> list[int] | None:
        """Return the values of nine panels, line by line; of a number, the slots that are taken."""
        values = self._lines(draws)
        if values is None or self.field.name != "number":
            return values
        return [_some_slots(value.bit_length() - 1, self.slots, draws) for value in values]

    def another(self, known: int, draws: RowDraws) -> int | None:
        """Return the last value of other nine panels with this rule.

        It is drawn as the known one was, so that nobody can tell them apart by themselves.
        """
        is_number = self.field.name == "number"
        for _ in range(_TRIES):
            values = self.values(draws)
            if values is None:
                return None
            value = values[8]
            if value.bit_count() != known.bit_count() if is_number else value != known:
                return value
        return None

    def _lines(self, draws: RowDraws) -> list[int] | None:
        if self.rule == RANDOM:
            return [self._one(draws) for _ in range(9)]
        if self.rule == "distribute_three":
            return self._rotated(draws)
        if self.field.name == "position":
            lines = [self._slots(draws) for _ in range(3)]
            return None if () in lines else [value for line in lines for value in line]
        known = _triples(self.field, self.rule, self.allowed)
        return [value for _ in range(3) for value in draws.choice(known)] if known else None

    def _one(self, draws: RowDraws) -> int:
        """Return any value."""
        if self.field.name != "position":
            return 1 << draws.choice(self.allowed)
        most = max(self.least, (2 * self.slots + 1) // 3)
        return _some_slots(draws.integer(self.least, most + 1), self.slots, draws)

    def _rotated(self, draws: RowDraws) -> list[int] | None:
        """Return three values in each line, in different orders."""
        for _ in range(_TRIES):
            a, b, c = (self._one(draws) for _ in range(3))
            if a != b != c != a:
                second, third = [b, c, a], [c, a, b]
                is_swapped = draws.integer(0, 2)
                return [a, b, c, *(third + second if is_swapped else second + third)]
        return None

    def _slots(self, draws: RowDraws) -> tuple[int, ...]:
        """Return the positions of a line; none if they were not drawn."""
        law = laws(self.field)[self.rule]
        for _ in range(_TRIES):
            a = self._one(draws)
            b = a if self.rule == "constant" else law.moved(a) or self._one(draws)
            c = law(a, b)
            if c.bit_count() >= self.least and (a & b or self.rule not in SETS):
                return a, b, c
        return ()


@cache
def _triples(field: Field, rule: str, allowed: tuple[int, ...]) -> Sequence[tuple[int, int, int]]:
    """Return the values of three panels that follow a rule."""
    single = [1 << value for value in allowed]
    if rule == "constant":
        return [(value, value, value) for value in single]
    known = single
    if rule in SETS:
        sets = (combinations(single, size) for size in range(1, MAX_SET + 1))
        known = [sum(chosen) for some in sets for chosen in some]
    law, whole = laws(field)[rule], sum(single)
    made = [(a, b, law(a, b)) for a, b in product(known, known) if rule not in SETS or a & b]
    return [line for line in made if 0 < line[2].bit_count() <= MAX_SET and not line[2] & ~whole]


def _some_slots(count: int, slots: int, draws: RowDraws) -> int:
    return sum(1 << slot for slot in draws.sample(range(slots), count))
