"""A figure while it grows: steps, objects with float values, and which points lie on which curve.

Guards keep a figure readable: no command is used near a degenerate case and no object is drawn
twice. Their margins are far wider than the proven errors of the floats, so that a figure which
passes them has one meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple, TypeAlias

from synthgen.families.omega.constructions import plane
from synthgen.families.omega.constructions.plane import COMMANDS, Given

_FARTHEST = 60.0
"""Bound of coordinates and radii."""
_APART = 0.1
"""Least difference of two points, in one coordinate or the other."""
_SINE = 0.18
"""Least sine of the angle between two lines that intersect: about ten degrees."""
_INSIDE = 0.04
"""Least distance of a crossing from the ends of a segment, as a part of its length."""
_SECANT = 0.94
"""A line that crosses a circle is at most this part of the radius away from the center."""


def apart(p: Any, q: Any) -> bool:
    """Return whether two points are clearly different."""
    return bool(abs(p[0] - q[0]) > _APART or abs(p[1] - q[1]) > _APART)


def _sine(one: Any, two: Any) -> float:
    return abs(float(one[2] * two[3] - one[3] * two[2]))


def _away(p: Any, line: Any) -> float:
    return abs(float((p[0] - line[0]) * line[3] - (p[1] - line[1]) * line[2]))


def cuts(line: Any, circle: Any) -> bool:
    """Return whether a line clearly crosses a circle."""
    return bool(_away(circle, line) < _SECANT * circle[2])


def crossing(one: Any, two: Any) -> bool:
    """Return whether two circles clearly cross each other."""
    gap = hypot(two[0] - one[0], two[1] - one[1])
    margin = 0.06 * min(one[2], two[2])
    return bool(abs(one[2] - two[2]) + margin < gap < one[2] + two[2] - margin)


def wide(p: Any, q: Any, r: Any) -> bool:
    """Return whether three points make a triangle that is not nearly flat."""
    area = abs(plane.double_area(p, q, r))
    sides = plane.distance(p, q), plane.distance(q, r), plane.distance(r, p)
    return bool(area > 0.5 and area > 0.15 * max(sides) ** 2)


def _inside(p: Any, segment: Any) -> bool:
    (x, y), (u, v) = segment
    square = (u - x) ** 2 + (v - y) ** 2
    part = ((p[0] - x) * (u - x) + (p[1] - y) * (v - y)) / square
    return bool(_INSIDE < part < 1 - _INSIDE)


def _meet_ls(line: Any, segment: Any) -> bool:
    other = plane.through(*segment)
    return _sine(line, other) > _SINE and _inside(plane.meet(line, other), segment)


def _meet_ss(one: Any, two: Any) -> bool:
    return _meet_ls(plane.through(*one), two) and _meet_ls(plane.through(*two), one)


def _acute(one: Any, two: Any) -> bool:
    """Return whether lines are neither parallel nor perpendicular: one pair of angles is acute."""
    return _SINE < _sine(one, two) < 0.98


def _bend(p: Any, vertex: Any, q: Any) -> bool:
    return _sine(plane.through(vertex, p), plane.through(vertex, q)) > _SINE


def _invertible(p: Any, circle: Any) -> bool:
    """Return whether a point is near neither the center nor the circle."""
    ratio = plane.distance(p, circle[:2]) / circle[2]
    return bool(0.25 < ratio < 0.93 or 1.07 < ratio < 4.0)


GUARDS: Mapping[str, Callable[..., bool]] = {
    "parallel_pl": lambda p, line: _away(p, line) > _APART,
    "parallel_ps": lambda p, segment: _away(p, plane.through(*segment)) > _APART,
    "meet_ll": lambda one, two: _sine(one, two) > _SINE,
    "meet_ls": _meet_ls,
    "meet_ss": _meet_ss,
    "bisector_ll": _acute,
    "bisector_ss": lambda one, two: _acute(plane.through(*one), plane.through(*two)),
    "angle_bisector": _bend,
    "mirror_pc": _invertible,
    "polar": _invertible,
    "circle_ppp": wide,
    "triangle": wide,
    "meet_lc": lambda line, circle, _: cuts(line, circle),
    "meet_lc_other": lambda line, circle, _: cuts(line, circle),
    "meet_arc": lambda circle, p, q, line: cuts(line, circle) and apart(p, q),
    "meet_cc": lambda one, two, _: crossing(one, two),
    "meet_cc_other": lambda one, two, _: crossing(one, two),
    "tangent_from": lambda p, c, _: bool(plane.distance(p, c[:2]) > 1.07 * c[2]),
    "point_along_m": lambda m, p, _, length: length > 0.3 and cuts(m, (*p, length)),
}
"""Tests of the values of a command's arguments, for the commands that need one."""


def _new_point(value: Any, points: Iterable[Any]) -> bool:
    x, y = value
    if not (abs(x) < _FARTHEST and abs(y) < _FARTHEST):
        return False
    return all(abs(x - u) > _APART or abs(y - v) > _APART for u, v in points)


def _new_line(value: Any, lines: Iterable[Any]) -> bool:
    if not _away((0.0, 0.0), value) < _FARTHEST:
        return False
    return all(_sine(value, line) > 0.01 or _away(value, line) > _APART for line in lines)


def _new_circle(value: Any, circles: Iterable[Any]) -> bool:
    if not (0.2 < value[2] < _FARTHEST and max(abs(value[0]), abs(value[1])) < _FARTHEST):
        return False
    return all(apart(value, c) or abs(value[2] - c[2]) > _APART for c in circles)


def _new_length(value: Any, others: Iterable[Any]) -> bool:
    return 0.2 < value < _FARTHEST and all(abs(value - other) > 0.01 for other in others)


_NEW: Mapping[str, Callable[[Any, Sequence[Any]], bool]] = {
    "P": _new_point,
    "L": _new_line,
    "S": lambda value, others: value not in others and value[::-1] not in others,
    "V": _new_point,
    "C": _new_circle,
    "T": lambda value, others: all(set(value) != set(other) for other in others),
    "G": lambda _value, _others: True,
    "M": _new_length,
}
"""Tests that an object has a fair size and clearly differs from all others of its kind."""
_LIES_ON_NEW: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("parallel_pl", "parallel_ps", "perpendicular_pl", "perpendicular_ps"), (0,)),
    **dict.fromkeys(("tangent_at", "tangent_from"), (0,)),
    **dict.fromkeys(("angle_bisector", "circle_pp", "touch_out_at", "touch_in_at"), (1,)),
    "line_pp": (0, 1),
    "circle_ppp": (0, 1, 2),
}
"""Arguments that lie on the line or circle that a command makes."""
_NEW_LIES_ON: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("point_along", "point_along_m", "meet_ls", "meet_cs"), (0,)),
    **dict.fromkeys(("point_on_c", "chord"), (0,)),
    **dict.fromkeys(("meet_ll", "meet_lc", "meet_lc_other", "meet_cc", "meet_cc_other"), (0, 1)),
    "meet_arc": (0, 3),
}
"""Lines and circles among the arguments on which the points that a command makes lie."""
_STATED = ("point_apart", "rotate", "mirror_pp", "point_along", "point_along_m", "point_away")
"""Commands that state the distance of their result from one of their arguments."""


class Step(NamedTuple):
    """One command of a figure.

    Attributes:
        name: Name of the command.
        args: Objects that it takes.
        numbers: Integers of the command.
        sign: Choice among several results of the formula.
        made: Objects that it makes.
    """

    name: str
    args: tuple[int, ...]
    numbers: tuple[int, ...]
    sign: int
    made: tuple[int, ...]


Mark: TypeAlias = tuple[int, int, int]


class Figure:
    """Steps and objects, each object being its index.

    Attributes:
        steps: Steps in order.
        kinds, values, maker: Kind and value of each object, and the step that made it.
        masks: For each step, the steps that it needs, itself included, as bits.
        used: Steps whose results are taken by another step, as bits.
        pools: Objects of each kind that further steps may take.
        on: For each line and circle, the points that lie on it by construction.
        hub: For each circle, the point that is its center, where it has a name.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.kinds: list[str] = []
        self.values: list[Any] = []
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
            name: Name of the command.
            args: Objects that it takes.
            numbers: Integers of the command.
            sign: Choice among several results of the formula.
            public: Whether further steps may take the results; if not, the results depend on free
                choices, and may be equal to others, except where sentences say "new".
        """
        command, guard = COMMANDS[name], GUARDS.get(name)
        values = [self.values[one] for one in args]
        try:
            if guard is not None and not guard(*values):
                return None
            made = command.formula(Given(values, numbers, sign, float))
        except (ValueError, ZeroDivisionError):
            return None
        kinds = command.kinds_made(numbers)
        if public and not self._all_new(kinds, made):
            return None
        if name == "point_on_c" and not _new_point(made[0], self._points()):
            return None
        step = Step(name, tuple(args), tuple(numbers), sign, ())
        ids = self._append(step, kinds, made)
        if public:
            for one, kind in zip(ids, kinds, strict=True):
                self.pools[kind].append(one)
            self._record(self.steps[-1])
        return ids

    def _all_new(self, kinds: str, made: Sequence[Any]) -> bool:
        return all(
            _NEW[kind](value, [self.values[one] for one in self.pools[kind]])
            for kind, value in zip(kinds, made, strict=True)
        )

    def _points(self) -> Iterator[Any]:
        return (value for kind, value in zip(self.kinds, self.values, strict=True) if kind == "P")

    def _append(self, step: Step, kinds: str, made: Sequence[Any]) -> tuple[int, ...]:
        number, first = len(self.steps), len(self.values)
        ids = tuple(range(first, first + len(made)))
        mask = 1 << number
        for one in step.args:
            self.used |= 1 << self.maker[one]
            mask |= self.masks[self.maker[one]]
        self.steps.append(step._replace(made=ids))
        self.masks.append(mask)
        self.values += made
        self.kinds += kinds
        self.maker += [number] * len(made)
        return ids

    def _record(self, step: Step) -> None:
        """Record what lies on what, and which points are centers, by the meaning of a step."""
        name, args, made = step.name, step.args, step.made
        curve = made[-1]
        if name in _LIES_ON_NEW:
            self.on[curve] = [args[place] for place in _LIES_ON_NEW[name]]
        elif name in _NEW_LIES_ON:
            for place in _NEW_LIES_ON[name]:
                self.on.setdefault(args[place], []).extend(made)
        elif name in ("circumcircle_t", "circumcircle_g"):
            shape = self.steps[self.maker[args[0]]]
            self.on[curve] = list(shape.args if shape.name == "triangle" else shape.made[:-1])
        if name in ("circle_pr", "circle_pm", "circle_pp"):
            self.hub[curve] = args[0]
        elif name == "circumcircle_g":
            self.hub[curve] = self.steps[self.maker[args[0]]].args[0]
        elif self.kinds[curve] == "C" and len(made) > 1:
            self.hub[curve] = made[0]
        elif name == "center":
            self.hub[args[0]] = made[0]

    def is_loose(self, one: int) -> bool:
        """Return whether no step takes what the step of this object made."""
        return not self.used >> self.maker[one] & 1

    def states_distance(self, one: int, two: int) -> bool:
        """Return whether a command or a circle states the distance of two points."""
        for p, q in ((one, two), (two, one)):
            step = self.steps[self.maker[q]]
            if step.name in _STATED and p in step.args:
                return True
            if any(hub == p and q in self.on.get(c, ()) for c, hub in self.hub.items()):
                return True
        return self.maker[one] == self.maker[two]

    def mark(self) -> Mark:
        """Return what `back` needs to undo the steps from here on."""
        return len(self.steps), len(self.values), self.used

    def back(self, mark: Mark) -> None:
        """Undo the steps since a mark; none of them may have put a point on an older curve."""
        n_steps, n_values, self.used = mark
        del self.steps[n_steps:], self.masks[n_steps:]
        del self.values[n_values:], self.kinds[n_values:], self.maker[n_values:]
        for pool in self.pools.values():
            while pool and pool[-1] >= n_values:  # pools list objects in the order they were made
                pool.pop()
        for known in (self.on, self.hub):
            for one in [one for one in known if one >= n_values]:
                del known[one]
