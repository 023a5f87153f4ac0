"""One more command for a figure: which objects it takes, its integers and its choice."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot, tau
from typing import Any, TypeAlias

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega.geometry import _construct_plane as plane
from synthgen.generators.omega.geometry._construct_figure import Figure, as_float
from synthgen.generators.omega.geometry._construct_guards import GUARDS, apart, crossing, cuts
from synthgen.generators.omega.geometry._construct_rules import RULES, Given

Move: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...], int]"
"""Arguments, integers and sign of a step."""
DEGREES = tuple(15 * k for k in range(1, 24) if k != 12)
SIDES = (4, *(5,) * 2, *(6,) * 4, 7, *(8,) * 4, 9, *(10,) * 2, 11, *(12,) * 4)
"""Sides of polygons, as often as the published generator draws them."""
PICKED = ("meet_lc", "meet_cc", "tangent_from", "touch_out_cc", "point_along", "point_along_m")
"""Commands with two results, told apart by their distances from the third argument."""
INCIDENT = ("meet_lc_other", "meet_cc_other", "tangent_at", "touch_out_at", "touch_in_at")
"""Commands that take a point which is known to lie on a line or circle."""
_LEAST_GAP = 0.15
"""Least difference of two distances of which one is called the smaller."""


def pick(figure: Figure, kind: str, draws: RowDraws, avoid: Sequence[int] = ()) -> int | None:
    """Return an object of a kind, rather one that no step has taken; None if there is none."""
    pool = [one for one in figure.pools[kind] if one not in avoid]
    if not pool:
        return None
    if draws.integer(0, 3):
        loose = [one for one in pool if figure.is_loose(one)]
        pool = loose or pool
    return draws.choice(pool)


def arguments(figure: Figure, name: str, focus: int, draws: RowDraws) -> tuple[int, ...] | None:
    """Return different objects for a command, the focus among them; None if there are none."""
    kinds = RULES[name].takes
    places = [place for place, kind in enumerate(kinds) if kind == figure.kinds[focus]]
    own = draws.choice(places)
    chosen = [focus]
    args: list[int] = []
    for place, kind in enumerate(kinds):
        one = focus if place == own else pick(figure, kind, draws, chosen)
        if one is None:
            return None
        args.append(one)
        chosen.append(one)
    return tuple(args)


def move(figure: Figure, name: str, focus: int, draws: RowDraws, largest: int) -> Move | None:
    """Return a step of this name that takes the focus; None if none was found."""
    if name in INCIDENT:
        return _incident(figure, name, focus, draws, largest)
    args = arguments(figure, name, focus, draws)
    if args is None:
        return None
    values = [figure.values[one] for one in args]
    if name in PICKED:
        return _picked(name, args, values, draws, largest)
    if name in ("bisector_ll", "bisector_ss"):
        one, two = (v if name == "bisector_ll" else plane.through(*v) for v in values)
        return args, (), 1 if one[2] * two[2] + one[3] * two[3] > 0 else -1
    if name == "meet_cs":
        return _cut_once(args, values)
    if name == "meet_arc":
        return _cut_arc(figure, args, values)
    if name == "rotate":
        return args, (draws.choice(DEGREES),), 0
    if name == "polygon_at":
        return args, (draws.choice(SIDES), length(draws, largest)), 0
    if name == "circle_pr":
        return args, (length(draws, largest),), 0
    return args, (), 0


def length(draws: RowDraws, largest: int, least: int = 1) -> int:
    """Return a whole length."""
    return draws.integer(least, max(least, largest) + 1)


def _incident(figure: Figure, name: str, focus: int, draws: RowDraws, largest: int) -> Move | None:
    """Find all places where such a step can be taken, and choose one."""
    kind = figure.kinds[focus]
    circles = [focus] if kind == "C" else figure.pools["C"]
    pairs = [(c, p) for c in circles for p in figure.on.get(c, ()) if kind != "P" or p == focus]
    if name == "tangent_at":
        return (draws.choice([(p, c) for c, p in pairs]), (), 0) if pairs else None
    if name in ("touch_out_at", "touch_in_at"):
        if not pairs:
            return None
        circle, point = draws.choice(pairs)
        most = largest if name == "touch_out_at" else int(figure.values[circle][2] - 0.3)
        return ((circle, point), (length(draws, most),), 0) if most >= 1 else None
    others = figure.pools["L" if name == "meet_lc_other" else "C"]
    triples = [
        (curve, c, p)
        for c, p in pairs
        for curve in others
        if curve != c and p in figure.on.get(curve, ()) and (kind != "L" or curve == focus)
    ]
    return (draws.choice(triples), (), 0) if triples else None


def _picked(
    name: str, args: tuple[int, ...], values: Sequence[Any], draws: RowDraws, largest: int
) -> Move | None:
    """Work out both results, and name one by its distance from the third argument."""
    numbers: tuple[int, ...] = ()
    if name in ("point_along", "touch_out_cc"):
        numbers = (length(draws, largest),)
    guard = GUARDS.get(name)
    try:
        if guard is not None and not guard(*values):
            return None
        if name == "point_along" and not cuts(values[0], (*values[1], numbers[0])):
            return None
        if name == "touch_out_cc" and not crossing(*(_wider(c, numbers[0]) for c in values[:2])):
            return None
        results = [
            RULES[name].formula(Given(values, numbers, sign, as_float))[0] for sign in (1, -1)
        ]
    except (ValueError, ZeroDivisionError):
        return None
    x, y = values[2]
    gaps = [hypot(result[0] - x, result[1] - y) for result in results]
    if abs(gaps[0] - gaps[1]) < _LEAST_GAP or not apart(*results):
        return None
    farther = draws.integer(0, 2)
    first = (gaps[0] > gaps[1]) == bool(farther)
    return args, (*numbers, farther), 1 if first else -1


def _wider(circle: Any, by: int) -> tuple[float, float, float]:
    return circle[0], circle[1], circle[2] + by


def _cut_once(args: tuple[int, ...], values: Sequence[Any]) -> Move | None:
    """A segment that cuts a circle once: one end is clearly inside, the other clearly outside."""
    circle, (p, q) = values
    ratios = [hypot(end[0] - circle[0], end[1] - circle[1]) / circle[2] for end in (p, q)]
    if min(ratios) > 0.9 or max(ratios) < 1.1:
        return None
    return args, (), 1 if ratios[0] < ratios[1] else -1


def _cut_arc(figure: Figure, args: tuple[int, ...], values: Sequence[Any]) -> Move | None:
    """A line that cuts the arc of a circle from one point counterclockwise to another once."""
    circle, p, q, line = values
    known = figure.on.get(args[0], ())
    if args[1] not in known or args[2] not in known or not GUARDS["meet_arc"](*values):
        return None
    ends = [plane.line_circle(line, circle, sign) for sign in (1, -1)]
    begin, end, *turns = (atan2(y - circle[1], x - circle[0]) for x, y in (p, q, *ends))
    extent = (end - begin) % tau
    turns = [(turn - begin) % tau for turn in turns]
    if min(min(abs(t), abs(t - extent), tau - t) for t in turns) < 0.05:
        return None
    inside = [turn < extent for turn in turns]
    return (args, (), 1 if inside[0] else -1) if sum(inside) == 1 else None
