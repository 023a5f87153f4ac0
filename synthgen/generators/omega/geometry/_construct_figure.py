"""A figure while it grows: steps, objects with float values, and what is known to lie on what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthgen.generators.omega.geometry._construct_ball import Ball
from synthgen.generators.omega.geometry._construct_guards import GUARDS, is_new
from synthgen.generators.omega.geometry._construct_rules import RULES, Given

SURE = 1e-7
"""Bound of the proven error of every real in a figure: far below the margins of its choices."""
_LIES_ON_NEW: Mapping[str, tuple[int, ...]] = {
    "line_pp": (0, 1),
    "parallel_pl": (0,),
    "parallel_ps": (0,),
    "perpendicular_pl": (0,),
    "perpendicular_ps": (0,),
    "angle_bisector": (1,),
    "tangent_at": (0,),
    "tangent_from": (0,),
    "circle_pp": (1,),
    "circle_ppp": (0, 1, 2),
    "touch_out_at": (1,),
    "touch_in_at": (1,),
}
"""Arguments that lie on the line or circle that a command makes."""
_NEW_LIES_ON: Mapping[str, tuple[int, ...]] = {
    "point_along": (0,),
    "point_along_m": (0,),
    "meet_ll": (0, 1),
    "meet_ls": (0,),
    "meet_lc": (0, 1),
    "meet_lc_other": (0, 1),
    "meet_cs": (0,),
    "meet_arc": (0, 3),
    "meet_cc": (0, 1),
    "meet_cc_other": (0, 1),
    "point_on_c": (0,),
    "chord": (0,),
}
"""Lines and circles among the arguments on which the points that a command makes lie."""


_GIVEN = ("point_apart", "rotate", "mirror_pp", "point_along", "point_along_m", "point_away")
"""Commands that say how far their result is from one of their arguments."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command of a figure.

    Attributes:
        name: of its rule.
        args: the objects that it takes.
        numbers: its integers.
        sign: which of several results the formula must give.
        made: the objects that it makes.
    """

    name: str
    args: tuple[int, ...]
    numbers: tuple[int, ...]
    sign: int
    made: tuple[int, ...]


def _is_sure(value: Any) -> bool:
    if isinstance(value, Ball):
        return value.rad < SURE
    return all(map(_is_sure, value))


def as_float(value: float, _: float) -> float:
    """Take a constant as it is: the lift of formulae on floats."""
    return float(value)


class Figure:
    """Steps and objects, each object being its index.

    Attributes:
        steps: in order.
        kinds, values, maker: of each object its kind, its value, and the step that made it.
        balls: of each object its value again, with proven bounds of its errors.
        masks: of each step the steps that it needs, itself included, as bits.
        used: steps whose results are taken by another step, as bits.
        pools: the objects of each kind that further steps may take.
        on: of each line and circle the points that lie on it by construction.
        hub: of each circle the point that is its centre, where it has a name.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.kinds: list[str] = []
        self.values: list[Any] = []
        self.balls: list[Any] = []
        self.maker: list[int] = []
        self.masks: list[int] = []
        self.used = 0
        self.pools: dict[str, list[int]] = {kind: [] for kind in "PLSVCTGM"}
        self.on: dict[int, list[int]] = {}
        self.hub: dict[int, int] = {}

    def add(
        self,
        name: str,
        args: Sequence[int] = (),
        numbers: Sequence[int] = (),
        sign: int = 0,
        *,
        public: bool = True,
    ) -> tuple[int, ...] | None:
        """Take a step and return the objects it makes; None if it is near a degenerate case.

        Args:
            name: of a rule.
            args: objects.
            numbers: integers of the command.
            sign: which of several results is meant.
            public: whether further steps may take the results; if not, the results depend on free
                choices, and may be equal to others.
        """
        rule = RULES[name]
        values = [self.values[one] for one in args]
        guard = GUARDS.get(name)
        try:
            if guard is not None and not guard(*values):
                return None
            made = rule.formula(Given(values, numbers, sign, as_float))
            kinds = rule.kinds_made(numbers)
            if public and not self._all_new(kinds, made):
                return None
            proven = rule.formula(Given([self.balls[one] for one in args], numbers, sign, Ball))
        except (ValueError, ZeroDivisionError):
            return None
        if not all(map(_is_sure, proven)):
            return None
        ids = self._append(Step(name, tuple(args), tuple(numbers), sign, ()), kinds, made)
        self.balls += proven
        if public:
            self._publish(ids)
        return ids

    def _all_new(self, kinds: str, made: Sequence[Any]) -> bool:
        for kind, value in zip(kinds, made, strict=True):
            if not is_new(kind, value, [self.values[one] for one in self.pools[kind]]):
                return False
        return True

    def _append(self, step: Step, kinds: str, made: Sequence[Any]) -> tuple[int, ...]:
        number, first = len(self.steps), len(self.values)
        ids = tuple(range(first, first + len(made)))
        mask = 1 << number
        for one in step.args:
            self.used |= 1 << self.maker[one]
            mask |= self.masks[self.maker[one]]
        self.steps.append(Step(step.name, step.args, step.numbers, step.sign, ids))
        self.masks.append(mask)
        self.values += made
        self.kinds += kinds
        self.maker += [number] * len(made)
        return ids

    def _publish(self, ids: Sequence[int]) -> None:
        for one in ids:
            self.pools[self.kinds[one]].append(one)
        self._note(self.steps[-1])

    def _note(self, step: Step) -> None:
        """Note what lies on what by the meaning of a step."""
        name, args, made = step.name, step.args, step.made
        curve = made[-1]
        if name in _LIES_ON_NEW:
            self.on[curve] = [args[place] for place in _LIES_ON_NEW[name]]
        elif name in _NEW_LIES_ON:
            for place in _NEW_LIES_ON[name]:
                self.on.setdefault(args[place], []).extend(made)
        elif name in ("circumcircle_t", "circumcircle_g"):
            self.on[curve] = self.vertices(args[0])
        if name in ("circle_pr", "circle_pm", "circle_pp", "circumcircle_g"):
            polygon = self.kinds[args[0]] == "G"
            self.hub[curve] = self.steps[self.maker[args[0]]].args[0] if polygon else args[0]
        elif self.kinds[curve] == "C" and len(made) > 1:
            self.hub[curve] = made[0]
        elif name == "center":
            self.hub[args[0]] = made[0]

    def vertices(self, shape: int) -> list[int]:
        """Return the vertices of a triangle or polygon."""
        step = self.steps[self.maker[shape]]
        return list(step.args) if step.name == "triangle" else list(step.made[:-1])

    def is_loose(self, one: int) -> bool:
        """Say whether no step takes what the step of this object made."""
        return not self.used >> self.maker[one] & 1

    def mark(self) -> tuple[int, int, int]:
        """Return what `back` needs to undo the steps from here on."""
        return len(self.steps), len(self.values), self.used

    def back(self, mark: tuple[int, int, int]) -> None:
        """Undo the steps since a mark; none of them may have noted what lies on older objects."""
        n_steps, n_values, self.used = mark
        del self.steps[n_steps:], self.masks[n_steps:]
        del self.values[n_values:], self.kinds[n_values:], self.maker[n_values:]
        del self.balls[n_values:]
        for pool in self.pools.values():
            while pool and pool[-1] >= n_values:
                pool.pop()
        for known in (self.on, self.hub):
            for one in [one for one in known if one >= n_values]:
                del known[one]


def known_distance(figure: Figure, one: int, two: int) -> bool:
    """Say whether a command or a circle tells the distance of two points."""
    for p, q in ((one, two), (two, one)):
        step = figure.steps[figure.maker[q]]
        if step.name in _GIVEN and p in step.args:
            return True
        if any(hub == p and q in figure.on.get(c, ()) for c, hub in figure.hub.items()):
            return True
    first, second = (figure.steps[figure.maker[p]] for p in (one, two))
    return first is second
