"""The canonical form of a construction: names and the order of independent steps do not matter.

The form is a list of steps, each after those it takes results of. It is found from a label of each
step that says what the step is made of and what it is used for, so that steps which may be
exchanged are visited in one order. The vertices of a polygon that may be turned are counted from
the one that gives the least list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.geometry._construct_ask import POINTS
from synthgen.generators.omega.geometry._construct_figure import Step
from synthgen.generators.omega.geometry._construct_program import Program
from synthgen.generators.omega.geometry._construct_rules import RULES

MOST_STEPS = 60
_MASK = (1 << 64) - 1
_SAME_ASKED = {"distance": "aa", "angle": "aba"}
_NAMES = {name: number for number, name in enumerate((*RULES, *(f"ask_{kind}" for kind in POINTS)))}
_Entry = tuple[str, tuple[int, ...], tuple[tuple[int, int], ...]]

SYMBOLS = {
    **{name: len(rule.takes) + rule.numbers for name, rule in RULES.items()},
    **{
        f"ask_{kind}": len("ab" if kind == "ratio" else _SAME_ASKED.get(kind, "a"))
        for kind in POINTS
    },
    **{f"construction{n}": n for n in range(2, MOST_STEPS + 1)},
    "part": 2,
}
"""Symbols of all families of constructions, name -> arity: a command with its arguments and
integers, `part` for one of several results, and a list of steps that ends in a question."""


def _mix(label: int, value: int) -> int:
    label = ((label ^ value) * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & _MASK
    label ^= label >> 29
    return label * 0xBF58476D1CE4E5B9 & _MASK ^ label >> 32


class _Labels:
    """Labels of the steps of a program; `shift` is how far each turnable polygon is turned."""

    def __init__(self, steps: Sequence[Step], turns: dict[int, int], *, parts: bool) -> None:
        self.steps = steps
        self.turns = turns
        self.parts = parts
        self.maker = {one: number for number, step in enumerate(steps) for one in step.made}

    def part(self, one: int) -> int:
        """Return which result of its step an object is."""
        number = self.maker[one]
        step = self.steps[number]
        place = step.made.index(one)
        if number not in self.turns or place >= ring_size(step):
            return place
        return (place - self.turns[number]) % ring_size(step) if self.parts else 0

    @cached_property
    def down(self) -> list[int]:
        """What each step is made of."""
        labels: list[int] = []
        for step in self.steps:
            label = _mix(_NAMES[step.name], len(step.args))
            for number in step.numbers:
                label = _mix(label, number + 1)
            for one in self.ordered(step, labels):
                label = _mix(label, _mix(labels[self.maker[one]], self.part(one)))
            labels.append(label)
        return labels

    @cached_property
    def both(self) -> list[int]:
        """What each step is made of and what it is used for."""
        up = [0] * len(self.steps)
        up[-1] = 1
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            own = _mix(self.down[number], up[number])
            for one, group in zip(step.args, same_of(step), strict=True):
                use = _mix(_mix(own, ord(group)), self.part(one))
                up[self.maker[one]] = (up[self.maker[one]] + use) & _MASK
        return [_mix(down, upper) for down, upper in zip(self.down, up, strict=True)]

    def ordered(self, step: Step, labels: Sequence[int]) -> list[int]:
        """Return the arguments of a step, those that may be exchanged in order of their labels."""
        same = same_of(step)
        if len(set(same)) == len(same):
            return list(step.args)
        args = list(step.args)
        for letter in set(same):
            places = [place for place, other in enumerate(same) if other == letter]
            group = [args[place] for place in places]
            group.sort(key=lambda one: (labels[self.maker[one]], self.part(one)))
            for place, one in zip(places, group, strict=True):
                args[place] = one
        return args

    def entries(self) -> list[_Entry]:
        """Return the steps as they are met from the question on, arguments first."""
        order: dict[int, int] = {}
        found: list[_Entry] = []

        def visit(number: int) -> None:
            step = self.steps[number]
            args = self.ordered(step, self.both)
            for one in args:
                if self.maker[one] not in order:
                    visit(self.maker[one])
            order[number] = len(order)
            links = tuple((order[self.maker[one]], self.part(one)) for one in args)
            found.append((step.name, step.numbers, links))

        visit(len(self.steps) - 1)
        return found


def same_of(step: Step) -> str:
    """Return a letter for each argument, equal for those that may be exchanged."""
    if step.name.startswith("ask_"):
        same = _SAME_ASKED.get(step.name[4:], "")
    else:
        same = RULES[step.name].same
    return same or "abcdef"[: len(step.args)]


def ring_size(step: Step) -> int:
    """Return how many points of a step may be counted from any one of them."""
    rule = RULES.get(step.name)
    return len(step.made) - 1 if rule is not None and rule.ring else 0


def _turnings(steps: Sequence[Step]) -> list[dict[int, int]]:
    """Return the ways to turn the polygons of a program in which the uses come last in turn."""
    rings = [number for number, step in enumerate(steps) if ring_size(step)]
    ways: list[dict[int, int]] = [{}]
    if not rings:
        return ways
    labels = _Labels(steps, dict.fromkeys(rings, 0), parts=False)
    for number in rings:
        made = steps[number].made
        uses = [0] * ring_size(steps[number])
        for place, step in enumerate(steps):
            for one, group in zip(step.args, same_of(step), strict=True):
                if one in made[: len(uses)]:
                    use = _mix(labels.both[place], ord(group))
                    uses[made.index(one)] = (uses[made.index(one)] + use) & _MASK
        turned = [uses[first:] + uses[:first] for first in range(len(uses))]
        best = min(turned)
        firsts = [first for first, one in enumerate(turned) if one == best]
        if not any(uses):
            firsts = [0]
        ways = [{**way, number: first} for way in ways for first in firsts]
    return ways


def canonical(program: Program) -> Tree:
    """Return the canonical tree of a construction."""
    asked = program.question
    last = Step(f"ask_{asked.kind}", asked.args, (), 0, ())
    steps = (*program.steps, last)
    entries = min(_Labels(steps, turns, parts=True).entries() for turns in _turnings(steps))
    nodes: list[Tree] = []
    for name, numbers, links in entries:
        nodes.append((name, *(_link(entries, *link) for link in links), *numbers))
    return (f"construction{len(nodes)}", *nodes)


def _link(entries: Sequence[_Entry], number: int, part: int) -> Tree:
    name, numbers, _ = entries[number]
    several = len(RULES[name].kinds_made(numbers)) > 1
    return ("part", number, part) if several else number
