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
_ENDS = (2, 5)
"""Last panels of the first two lines."""


class Source(NamedTuple):
    """Where the values of an attribute come from.

    Attributes:
        field: Attribute that has the rule; the number and the positions of objects have one rule.
        rules: Rules, one of which is drawn, or only "random".
        slots: Slots of the part.
        allowed: Values that occur.
        least: Fewest objects.
    """

    field: Field
    rules: tuple[str, ...]
    slots: int
    allowed: tuple[int, ...]
    least: int

    @property
    def n_ends(self) -> int:
        """How many different last values of lines there are, or slots if these are drawn."""
        if self.field.name == "position":
            return self.slots
        return _n_ends(self.field, self.rules, self.allowed)

    def values(self, rule: str, draws: RowDraws) -> list[int] | None:
        """Return the values of nine panels, line by line; of a number, the slots that are taken."""
        values = self._lines(rule, draws)
        if values and self.field.name == "number":
            return [self._placed(value, draws) for value in values]
        return values

    def others(self, values: Sequence[int], count: int, draws: RowDraws) -> list[int] | None:
        """Return values that the ninth panel does not have.

        They are drawn as its own value is, or are those of other lines, so that nothing sets the
        right value apart but the panels before it.
        """
        made = [values[8]]
        for _ in range(_TRIES * count):
            if len(made) > count:
                break
            value = self._end(draws) if draws.integer(0, 4) else values[draws.choice(_ENDS)]
            if self._key(value) not in (0, *map(self._key, made)):
                made.append(value)
        return made[1:] if len(made) > count else None

    def _key(self, value: int) -> int:
        return value.bit_count() if self.field.name == "number" else value

    def _placed(self, value: int, draws: RowDraws) -> int:
        return _some_slots(value.bit_length() - 1, self.slots, draws)

    def _end(self, draws: RowDraws) -> int:
        """Return the last value of a line, or 0 if it was not drawn."""
        rule = draws.choice(self.rules)
        if rule == "distribute_three":
            value = self._one(draws)
        else:
            value = (self._line(rule, draws) or (0,))[-1]
        return self._placed(value, draws) if value and self.field.name == "number" else value

    def _lines(self, rule: str, draws: RowDraws) -> list[int] | None:
        if rule == RANDOM:
            return [self._one(draws) for _ in range(9)]
        if rule == "distribute_three":
            return self._rotated(draws)
        lines = [self._line(rule, draws) for _ in range(3)]
        return [value for line in lines for value in line] if all(lines) else None

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

    def _line(self, rule: str, draws: RowDraws) -> tuple[int, ...]:
        """Return the values of three panels; none if they were not drawn."""
        if self.field.name != "position":
            known = lines_of(self.field, rule, self.allowed)
            return draws.choice(known) if known else ()
        law = laws(self.field)[rule]
        for _ in range(_TRIES):
            a = self._one(draws)
            b = a if rule == "constant" else law.moved(a) or self._one(draws)
            c = law(a, b)
            if c.bit_count() >= self.least and (a & b or rule not in SETS):
                return a, b, c
        return ()


@cache
def _n_ends(field: Field, rules: tuple[str, ...], allowed: tuple[int, ...]) -> int:
    if rules == ("distribute_three",):
        return len(allowed)
    return len({line[2] for rule in rules for line in lines_of(field, rule, allowed)})


@cache
def lines_of(field: Field, rule: str, allowed: tuple[int, ...]) -> Sequence[tuple[int, int, int]]:
    """Return the values of three panels that follow a rule, but for positions."""
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
