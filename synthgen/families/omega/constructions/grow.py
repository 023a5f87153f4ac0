"""Growing a figure that is fixed up to a motion and in which every step leads on to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import permutations
from math import atan2, hypot, tau
from typing import Any, TypeAlias

from synthgen.authoring import RowDraws
from synthgen.families.omega.constructions import plane
from synthgen.families.omega.constructions.figure import GUARDS, Figure, apart, crossing, cuts
from synthgen.families.omega.constructions.plane import COMMANDS, N_SPOTS, Given

DEGREES = tuple(15 * k for k in range(1, 24) if k != 12)
SIDES = (4, *(5,) * 2, *(6,) * 4, 7, *(8,) * 4, 9, *(10,) * 2, 11, *(12,) * 4)
"""Sides of polygons, as often as the published generator draws them."""
_INCIDENT = ("meet_lc_other", "meet_cc_other", "tangent_at", "touch_out_at", "touch_in_at")
"""Commands that take a point which is known to lie on a line or circle."""
_MAX_LOOSE = 3
"""Once this many steps have results that nothing takes, the next step takes one of them."""
_NEIGHBOURS = 5
"""Points among which segments that cross one from a given point are sought."""
_MIN_GAP = 0.15
"""Least difference of two distances of which one is called the smaller."""
_BASIC: Mapping[str, int] = {
    **dict.fromkeys(("point_along", "line_pp", "segment_pp", "distance"), 3),
    **dict.fromkeys(("vector_pp", "parallel_pl", "parallel_ps", "perpendicular_pl"), 2),
    **dict.fromkeys(("perpendicular_ps", "bisector_pp", "bisector_s", "midpoint_pp"), 2),
    **dict.fromkeys(("midpoint_s", "mirror_pp", "mirror_pl", "mirror_ps", "mirror_lp"), 2),
    **dict.fromkeys(("mirror_ll", "angle_bisector", "bisector_ll"), 2),
    **dict.fromkeys(("rotate", "mirror_pc", "mirror_cp", "mirror_cl"), 3),
    **dict.fromkeys(("meet_ls", "point_along_m", "translate"), 4),
    **dict.fromkeys(("meet_ss", "bisector_ss"), 8),
    **dict.fromkeys(
        ("two mirrors", "two turns", "midline", "across", "strip", "swing", "crossing"), 1
    ),
    "meet_ll": 6,
}
_OWN: Mapping[str, Mapping[str, int]] = {
    "basic": {},
    "circle": {
        **dict.fromkeys(("circle_pr", "circle_pm", "circle_pp", "circle_ppp"), 3),
        **dict.fromkeys(("meet_lc", "meet_cs", "meet_cc", "tangent_at", "tangent_from"), 6),
        **dict.fromkeys(("meet_lc_other", "meet_cc_other", "center", "polar"), 4),
        "meet_arc": 16,
        **dict.fromkeys(("touch_out_at", "touch_in_at", "touch_out_cc", "radius"), 3),
        **dict.fromkeys(("tangent", "chord", "three points", "beside"), 2),
    },
    "triangle": {
        "triangle": 6,
        **dict.fromkeys(("centroid", "circumcenter", "orthocenter", "incenter"), 4),
        **dict.fromkeys(("circumcircle_t", "incircle", "circumradius", "inradius"), 2),
    },
    "polygon": {"polygon_at": 2, "circumcircle_g": 2},
}
"""Weights of the commands and gadgets of each family."""
_OF_NEW_SIZE = ("circle_pp", "circle_ppp", "circumcircle_t", "incircle")
"""Commands that make circles whose radius is not stated."""
Ids: TypeAlias = "tuple[int, ...]"
Move: TypeAlias = "tuple[Ids, Ids, int]"
"""Arguments, integers and sign of a step."""


@cache
def _taking(family: str) -> Mapping[str, tuple[str, ...]]:
    """Map each kind to the commands of a family that take it, repeated by their weights."""
    result: dict[str, list[str]] = {kind: [] for kind in "PLSVCTGM"}
    for name, weight in {**_BASIC, **_OWN[family]}.items():
        for kind in set(_GADGETS[name][1] if name in _GADGETS else COMMANDS[name].takes):
            result[kind] += [name] * weight
    return {kind: tuple(sorted(names)) for kind, names in result.items()}


def length(draws: RowDraws, largest: int, least: int = 1) -> int:
    """Draw a whole length."""
    return draws.integer(least, max(least, largest) + 1)


def start(figure: Figure, family: str, draws: RowDraws, largest: int) -> None:
    """Take the first steps, which fix the figure up to a motion."""
    turn = draws.integer(0, 4)
    if family == "triangle" and turn:
        figure.add("equilateral", (), (length(draws, largest, 2),))
        return
    hub = (figure.add("point") or ())[0]
    if family == "polygon" and turn:
        numbers = (draws.choice(SIDES), length(draws, largest, 2))
        figure.add("polygon", (hub,), numbers)
    elif family == "circle" and turn:
        _start_circle(figure, hub, draws, largest)
    else:
        figure.add("point_apart", (hub,), (length(draws, largest),))


def _start_circle(figure: Figure, hub: int, draws: RowDraws, largest: int) -> None:
    """Make a circle centered at the first point, and an object that fixes a direction."""
    radius = length(draws, largest, 2)
    circle = (figure.add("circle_pr", (hub,), (radius,)) or ())[0]
    choice = draws.integer(0, 8)
    if choice == 0:
        figure.add("touch_out", (circle,), (length(draws, largest),))
    elif choice == 1:
        figure.add("touch_in", (circle,), (length(draws, radius - 1),))
    elif choice == 2:
        figure.add("point_apart", (hub,), (length(draws, largest),))
    elif choice in (3, 4):
        figure.add("chord", (circle, hub), (length(draws, min(largest, 2 * radius - 1)),))
    else:
        figure.add("point_on_c", (circle,))


def grow(figure: Figure, family: str, draws: RowDraws, largest: int) -> bool:
    """Try to take one more step, or the few of a gadget; return whether that succeeded."""
    everything = [one for pool in figure.pools.values() for one in pool]
    loose = [one for one in everything if figure.is_loose(one)]
    steps_loose = {figure.maker[one] for one in loose}
    if loose and (len(steps_loose) >= _MAX_LOOSE or draws.integer(0, 4)):
        focus = draws.choice(loose)
    else:
        focus = draws.choice(everything)
    names = _taking(family)[figure.kinds[focus]]
    if not names:
        return False
    name = draws.choice(names)
    if name in _GADGETS:
        mark = figure.mark()
        with suppress(_DegenerateError):
            if _GADGETS[name][0](figure, focus, draws, largest) is not None:
                return True
        figure.back(mark)
        return False
    move = _move(figure, name, focus, draws, largest)
    if move is None or _is_stated(figure, name, move[0]):
        return False
    return figure.add(name, *move) is not None


def _is_stated(figure: Figure, name: str, args: Sequence[int]) -> bool:
    """Return whether the text already states the length that a step would measure."""
    if name == "distance":
        return figure.states_distance(*args)
    return name == "radius" and figure.steps[figure.maker[args[0]]].name not in _OF_NEW_SIZE


# One more command: which objects it takes, its integers and its choice.


def _pick(figure: Figure, kind: str, draws: RowDraws, avoid: Sequence[int] = ()) -> int | None:
    """Return an object of a kind, rather one that no step has taken; None if there is none."""
    pool = [one for one in figure.pools[kind] if one not in avoid]
    if not pool:
        return None
    if draws.integer(0, 3):
        loose = [one for one in pool if figure.is_loose(one)]
        pool = loose or pool
    return draws.choice(pool)


def _arguments(figure: Figure, name: str, focus: int, draws: RowDraws) -> Ids | None:
    """Return different objects for a command, the focus among them; None if there are none."""
    kinds = COMMANDS[name].takes
    place_of_focus = draws.choice(
        [place for place, kind in enumerate(kinds) if kind == figure.kinds[focus]]
    )
    chosen, args = [focus], list[int]()
    for place, kind in enumerate(kinds):
        one = focus if place == place_of_focus else _pick(figure, kind, draws, chosen)
        if one is None:
            return None
        args.append(one)
        chosen.append(one)
    return tuple(args)


def _move(figure: Figure, name: str, focus: int, draws: RowDraws, largest: int) -> Move | None:
    """Return a step of this name that takes the focus; None if none was found."""
    if name in _INCIDENT:
        return _incident(figure, name, focus, draws, largest)
    args = _arguments(figure, name, focus, draws)
    if args is None:
        return None
    values = [figure.values[one] for one in args]
    if COMMANDS[name].sided:
        return _sided(name, args, values, draws, largest)
    if name in ("bisector_ll", "bisector_ss"):
        one, two = (v if name == "bisector_ll" else plane.through(*v) for v in values)
        return args, (), 1 if one[2] * two[2] + one[3] * two[3] > 0 else -1
    if name == "meet_cs":
        return _crossed_once(args, values)
    if name == "meet_arc":
        return _arc_crossed_once(figure, args, values)
    if name == "rotate":
        return args, (draws.choice(DEGREES),), 0
    if name == "polygon_at":
        return args, (draws.choice(SIDES), length(draws, largest)), 0
    if name == "circle_pr":
        return args, (length(draws, largest),), 0
    return args, (), 0


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
        inside = name == "touch_in_at"
        most = min(largest, int(figure.values[circle][2] - 0.3)) if inside else largest
        return ((circle, point), (length(draws, most),), 0) if most >= 1 else None
    others = figure.pools["L" if name == "meet_lc_other" else "C"]
    triples = [
        (curve, c, p)
        for c, p in pairs
        for curve in others
        if curve != c and p in figure.on.get(curve, ()) and (kind != "L" or curve == focus)
    ]
    return (draws.choice(triples), (), 0) if triples else None


def _sided(
    name: str, args: Ids, values: Sequence[Any], draws: RowDraws, largest: int
) -> Move | None:
    """Compute both results, and name one by its distance from the third argument."""
    numbers: Ids = (length(draws, largest),) if name in ("point_along", "touch_out_cc") else ()
    guard = GUARDS.get(name)
    try:
        if guard is not None and not guard(*values):
            return None
        if name == "point_along" and not cuts(values[0], (*values[1], numbers[0])):
            return None
        if name == "touch_out_cc" and not crossing(
            *((x, y, r + numbers[0]) for x, y, r in values[:2])
        ):
            return None
        formula = COMMANDS[name].formula
        results = [formula(Given(values, numbers, sign, float))[0] for sign in (1, -1)]
    except (ValueError, ZeroDivisionError):
        return None
    x, y = values[2]
    gaps = [hypot(result[0] - x, result[1] - y) for result in results]
    if abs(gaps[0] - gaps[1]) < _MIN_GAP or not apart(*results):
        return None
    farther = draws.integer(0, 2)
    return args, (*numbers, farther), 1 if (gaps[0] > gaps[1]) == bool(farther) else -1


def _crossed_once(args: Ids, values: Sequence[Any]) -> Move | None:
    """Return a step for a segment with one end clearly inside a circle, the other outside."""
    circle, ends = values
    ratios = [hypot(x - circle[0], y - circle[1]) / circle[2] for x, y in ends]
    if min(ratios) > 0.9 or max(ratios) < 1.1:
        return None
    return args, (), 1 if ratios[0] < ratios[1] else -1


def _arc_crossed_once(figure: Figure, args: Ids, values: Sequence[Any]) -> Move | None:
    """Return a step for a line that crosses the arc counterclockwise from p to q once."""
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


# Gadgets: commands that leave a choice, in company that makes the choice immaterial. Each is a
# small theorem: it takes objects of the figure, makes free choices, and ends in an object that
# does not depend on them. Only that object goes on to further steps.


class _DegenerateError(ArithmeticError):
    """A hidden step is near a degenerate case."""


def _hidden(figure: Figure, name: str, args: Ids = (), numbers: Ids = (), sign: int = 0) -> int:
    """Take a step whose results no other step but those of the gadget may take.

    Raises:
        _DegenerateError: if it is near a degenerate case.
    """
    made = figure.add(name, args, numbers, sign, public=False)
    if made is None:
        raise _DegenerateError(name)
    return made[0]


def _new_on_circle(figure: Figure, circle: int, count: int) -> list[int]:
    """Make hidden points on a circle that are no other points of the figure.

    Raises:
        _DegenerateError: if there are too few.
    """
    made: list[int] = []
    for spot in range(N_SPOTS):
        made += figure.add("point_on_c", (circle,), (), spot, public=False) or ()
        if len(made) == count:
            return made
    raise _DegenerateError("point_on_c")


def _moved(figure: Figure, first: int, last: int, draws: RowDraws) -> Ids | None:
    """Move a point by the vector from one hidden point to another."""
    point = _pick(figure, "P", draws)
    if point is None:
        return None
    vector = _hidden(figure, "vector_pp", (first, last))
    return figure.add("translate", (point, vector))


def _two_mirrors(figure: Figure, focus: int, draws: RowDraws, _: int) -> Ids | None:
    """Reflections in two points, one after the other, are a translation."""
    other = _pick(figure, "P", draws, [focus])
    if other is None:
        return None
    free = _hidden(figure, "point", sign=1)
    once = _hidden(figure, "mirror_pp", (free, focus))
    return _moved(figure, free, _hidden(figure, "mirror_pp", (once, other)), draws)


def _two_turns(figure: Figure, focus: int, draws: RowDraws, _: int) -> Ids | None:
    """A turn and the turn that takes it back, about two points, are a translation."""
    other = _pick(figure, "P", draws, [focus])
    if other is None:
        return None
    degrees = draws.choice(DEGREES)
    free = _hidden(figure, "point", sign=1)
    once = _hidden(figure, "rotate", (free, focus), (degrees,))
    twice = _hidden(figure, "rotate", (once, other), (360 - degrees,))
    return _moved(figure, free, twice, draws)


def _midline(figure: Figure, focus: int, draws: RowDraws, _: int) -> Ids | None:
    """The midpoints of two sides of a triangle are half of the third side apart."""
    other = _pick(figure, "P", draws, [focus])
    if other is None:
        return None
    free = _hidden(figure, "point", sign=1)
    ends = [_hidden(figure, "midpoint_pp", (free, one)) for one in (focus, other)]
    if draws.integer(0, 2):
        return _moved(figure, ends[0], ends[1], draws)
    return figure.add("distance", ends)


def _across(figure: Figure, focus: int, draws: RowDraws, _: int) -> Ids | None:
    """The perpendicular at any point of a line or segment has one direction."""
    kind = figure.kinds[focus].lower()
    aim = _pick(figure, "P", draws)
    if aim is None:
        return None
    free = _hidden(figure, f"point_on_{kind}", (focus,))
    upright = _hidden(figure, f"perpendicular_p{kind}", (free, focus))
    return figure.add("parallel_pl", (aim, upright))


def _strip(figure: Figure, focus: int, draws: RowDraws, _: int) -> Ids | None:
    """Reflection of a line's points in a parallel line moves them all by one length."""
    aim = _pick(figure, "P", draws, figure.on.get(focus, ()))
    if aim is None:
        return None
    made = figure.add("parallel_pl", (aim, focus))
    if made is None:
        return None
    if draws.integer(0, 2):
        free = _hidden(figure, "point_on_l", made)
        image = _hidden(figure, "mirror_pl", (free, focus))
    else:
        free = _hidden(figure, "point", sign=1)
        once = _hidden(figure, "mirror_pl", (free, focus))
        image = _hidden(figure, "mirror_pl", (once, made[0]))
    return figure.add("distance", (free, image))


def _swing(figure: Figure, focus: int, draws: RowDraws, _: int) -> Ids | None:
    """The base of an isosceles triangle follows from its legs and the angle between them."""
    hub = _pick(figure, "P", draws)
    if hub is None:
        return None
    free = _hidden(figure, "point_away", (hub, focus))
    end = _hidden(figure, "rotate", (free, hub), (draws.choice(DEGREES),))
    return figure.add("distance", (free, end))


def _tangent(figure: Figure, focus: int, draws: RowDraws, largest: int) -> Ids | None:
    """The distance of a point of a tangent from the center follows by Pythagoras."""
    hub = figure.hub.get(focus)
    if hub is None:
        return None
    free = _new_on_circle(figure, focus, 1)[0]
    line = _hidden(figure, "tangent_at", (free, focus))
    end = _hidden(figure, "point_aside", (line, free), (length(draws, largest),))
    return figure.add("distance", (hub, end))


def _chord(figure: Figure, focus: int, draws: RowDraws, largest: int) -> Ids | None:
    """All chords of one length are equally far from the center."""
    hub, most = figure.hub.get(focus), int(1.9 * figure.values[focus][2])
    if hub is None or most < 1:
        return None
    numbers = (length(draws, min(most, largest)),)
    ends = figure.add("chord", (focus, hub), numbers, public=False)
    if ends is None:
        return None
    return figure.add("distance", (hub, _hidden(figure, "midpoint_pp", ends)))


def _three_points(figure: Figure, focus: int, _draws: RowDraws, _: int) -> Ids | None:
    """The perpendicular bisectors of two chords meet in the center."""
    if focus in figure.hub:
        return None
    free = _new_on_circle(figure, focus, 3)
    axes = [_hidden(figure, "bisector_pp", (free[1], free[end])) for end in (0, 2)]
    made = figure.add("meet_ll", axes)
    if made is not None:
        figure.hub[focus] = made[0]
    return made


def _beside(figure: Figure, focus: int, draws: RowDraws, largest: int) -> Ids | None:
    """A circle of one radius that touches another has its center at one distance."""
    hub, most = figure.hub.get(focus), int(figure.values[focus][2] - 0.3)
    if hub is None:
        return None
    if most >= 1 and draws.integer(0, 2):
        name, numbers = "touch_in", (length(draws, min(most, largest)),)
    else:
        name, numbers = "touch_out", (length(draws, largest),)
    return figure.add("distance", (hub, _hidden(figure, name, (focus,), numbers)))


def _crossing(figure: Figure, focus: int, draws: RowDraws, _: int) -> Ids | None:
    """Two segments that cross are rarely found by chance: no choice is left open here."""
    others = draws.shuffled([one for one in figure.pools["P"] if one != focus])[:_NEIGHBOURS]
    for p, q, r in permutations(others, 3):
        ends = [(figure.values[one], figure.values[two]) for one, two in ((focus, p), (q, r))]
        if q < r and GUARDS["meet_ss"](*ends):
            one = figure.add("segment_pp", (focus, p))
            two = one and figure.add("segment_pp", (q, r))
            return figure.add("meet_ss", (*one, *two)) if one and two else None
    return None


_GADGETS: Mapping[str, tuple[Callable[[Figure, int, RowDraws, int], Ids | None], str]] = {
    "two mirrors": (_two_mirrors, "P"),
    "two turns": (_two_turns, "P"),
    "midline": (_midline, "P"),
    "across": (_across, "LS"),
    "strip": (_strip, "L"),
    "swing": (_swing, "M"),
    "tangent": (_tangent, "C"),
    "chord": (_chord, "C"),
    "three points": (_three_points, "C"),
    "beside": (_beside, "C"),
    "crossing": (_crossing, "P"),
}
"""Functions that take figure, focus, draws and largest length, and return what the last step makes;
and the kinds of the focus."""
