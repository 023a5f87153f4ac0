"""Rules of three panels: what the third one must have, given the first two.

The values of an attribute in a panel are a set, held in the bits of an integer: bit v for the value
v, or for slot v of the positions. Sets of one value are the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from synthgen.families.abstract_matrices.panels import CONFIGURATIONS

SHIFTS = {"plus_1": 1, "plus_2": 2, "minus_1": -1, "minus_2": -2}
MEMBERS = {
    "constant": ("constant",),
    "progression": tuple(SHIFTS),
    "arithmetic": ("add", "subtract"),
    "or": ("or",),
    "and": ("and",),
    "xor": ("xor",),
    "distribute_three": ("distribute_three",),
}
RANDOM = "random"
"""What is written instead of the rule of an attribute without one."""
GROUPS = {rule: group for group, rules in MEMBERS.items() for rule in rules} | {RANDOM: RANDOM}
SETS = ("or", "and", "xor")
_STEPS = ("constant", *SHIFTS)
_RULES = {
    "number": (*_STEPS, "add", "subtract", "distribute_three"),
    "position": (*_STEPS, "subtract", *SETS, "distribute_three"),
    "type": (*_STEPS, *SETS, "distribute_three"),
    "size": (*_STEPS, "add", "subtract", *SETS, "distribute_three"),
    "color": (*_STEPS, "add", "subtract", *SETS, "distribute_three"),
}


class Field(NamedTuple):
    """An attribute of a part.

    Attributes:
        part: Number of the part.
        name: Name of the attribute: "number", "position", "type", "size" or "color".
        values: Values from the smallest; of positions, the slots.
    """

    part: int
    name: str
    values: range

    @property
    def rules(self) -> tuple[str, ...]:
        """Rules that the attribute can follow, `add` of positions being `or`."""
        return _RULES[self.name]


@cache
def fields_of(configuration: str) -> tuple[Field, ...]:
    """Return the attributes that can differ between panels of a configuration."""
    known = [
        field
        for number, part in enumerate(CONFIGURATIONS[configuration])
        for field in (
            Field(number, "number", range(1, part.slots + 1)),
            Field(number, "position", range(part.slots)),
            Field(number, "type", range(len(part.types))),
            Field(number, "size", part.sizes),
            Field(number, "color", part.colors),
        )
    ]
    return tuple(field for field in known if len(field.values) > 1)


class Law(NamedTuple):
    """A rule of three panels: a function of the first two that returns the third, or 0 if none.

    Attributes:
        known: The function, or a table of pairs and what follows.
        moves: Values and the next ones, if the rule leads from each panel to the next.
    """

    known: Callable[[int, int], int]
    moves: Mapping[int, int]

    def __call__(self, first: int, second: int) -> int:
        """Return the third panel's values."""
        return self.known(first, second)

    def moved(self, value: int) -> int:
        """Return the value that follows one, or 0."""
        return self.moves.get(value, 0)


@cache
def laws(field: Field) -> Mapping[str, Law]:
    """Return the rules of an attribute that look at three panels only."""
    return {rule: _law(field, rule) for rule in field.rules if rule != "distribute_three"}


def _law(field: Field, rule: str) -> Law:
    moves: dict[int, int] = {}
    if rule in SHIFTS:
        step, n = SHIFTS[rule], len(field.values)
        moves = {1 << v: 1 << v + step for v in field.values if v + step in field.values}
        if field.name == "position":
            moves = {mask: _turned(mask, step % n, n) for mask in range(1, 1 << n)}
        return Law(lambda a, b: moves.get(b, 0) if a != b and moves.get(a) == b else 0, moves)
    if rule == "add" or (rule == "subtract" and field.name != "position"):
        sign = 1 if rule == "add" else -1
        known = {
            (1 << a, 1 << b): 1 << a + sign * b
            for a in field.values
            for b in field.values
            if a + sign * b in field.values
        }
        return Law(lambda a, b: known.get((a, b), 0), moves)
    functions: dict[str, Callable[[int, int], int]] = {
        "constant": lambda a, b: a if a == b else 0,
        "subtract": lambda a, b: a & ~b if a & b else 0,
        "or": lambda a, b: a | b if a != b else 0,
        "and": lambda a, b: a & b if a != b else 0,
        "xor": lambda a, b: a ^ b,
    }
    return Law(functions[rule], moves)


def _turned(mask: int, step: int, n: int) -> int:
    moved = mask << step
    return moved & (1 << n) - 1 | moved >> n


def completions(field: Field, values: Sequence[int]) -> dict[str, int]:
    """Return the rules that two whole lines and the beginning of a third follow, and its end.

    Args:
        field: Attribute.
        values: Its values in the panels, line by line, eight or more.
    """
    a, b, c, d, e, f, g, h = values[:8]
    made = {}
    for rule, (law, _) in laws(field).items():
        if law(a, b) == c and law(d, e) == f:
            last = law(g, h)
            if last:
                made[rule] = last
    three = {a, b, c}
    if len(three) == 3 and {d, e, f} == three and g != h and g in three and h in three:
        (made["distribute_three"],) = three - {g, h}
    return made
