"""Commands that leave a choice, in company that makes the choice immaterial.

Each gadget is a small theorem: it takes objects of the figure, makes free choices, and ends in an
object that does not depend on them. Only that object goes on to further steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega.geometry._construct_figure import Figure
from synthgen.generators.omega.geometry._construct_guards import GUARDS
from synthgen.generators.omega.geometry._construct_moves import DEGREES, length, pick

_NEIGHBOURS = 5
"""Points among which segments that cross one from a given point are looked for."""
Gadget = Callable[[Figure, int, RowDraws, int], "tuple[int, ...] | None"]
"""Takes figure, focus, draws and largest length; returns what the last step makes."""


class UncertainError(ArithmeticError):
    """The error of a result is not proven to be small."""


def _private(
    figure: Figure, name: str, args: tuple[int, ...], numbers: tuple[int, ...] = (), sign: int = 0
) -> int:
    """Take a step that holds for every choice, and return its first result, hidden from others.

    Raises:
        UncertainError: if its result is not proven to be near.
    """
    made = figure.add(name, args, numbers, sign, public=False)
    if made is None:
        raise UncertainError(name)
    return made[0]


def _moved(figure: Figure, first: int, last: int, draws: RowDraws) -> tuple[int, ...] | None:
    """Move a point by the vector from one hidden point to another."""
    start = pick(figure, "P", draws)
    if start is None:
        return None
    vector = _private(figure, "vector_pp", (first, last))
    return figure.add("translate", (start, vector))


def _two_mirrors(
    figure: Figure, focus: int, draws: RowDraws, largest: int
) -> tuple[int, ...] | None:
    """Reflections in two points, one after the other, are a translation."""
    del largest
    other = pick(figure, "P", draws, [focus])
    if other is None:
        return None
    free = _private(figure, "point", (), (), 1)
    once = _private(figure, "mirror_pp", (free, focus))
    return _moved(figure, free, _private(figure, "mirror_pp", (once, other)), draws)


def _two_turns(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """A turn and the turn that takes it back, about two points, are a translation."""
    del largest
    other = pick(figure, "P", draws, [focus])
    if other is None:
        return None
    degrees = draws.choice(DEGREES)
    free = _private(figure, "point", (), (), 1)
    once = _private(figure, "rotate", (free, focus), (degrees,))
    twice = _private(figure, "rotate", (once, other), (360 - degrees,))
    return _moved(figure, free, twice, draws)


def _midline(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """The midpoints of two sides of a triangle are half of the third side apart."""
    del largest
    other = pick(figure, "P", draws, [focus])
    if other is None:
        return None
    free = _private(figure, "point", (), (), 1)
    ends = [_private(figure, "midpoint_pp", (free, one)) for one in (focus, other)]
    if draws.integer(0, 2):
        return _moved(figure, ends[0], ends[1], draws)
    return figure.add("distance", ends)


def _across(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """The perpendicular at any point of a line or segment has one direction."""
    del largest
    kind = figure.kinds[focus].lower()
    aim = pick(figure, "P", draws)
    if aim is None:
        return None
    free = _private(figure, f"point_on_{kind}", (focus,))
    upright = _private(figure, f"perpendicular_p{kind}", (free, focus))
    return figure.add("parallel_pl", (aim, upright))


def _strip(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """Reflection of a line's points in a parallel line moves them all by one length."""
    del largest
    aim = pick(figure, "P", draws, figure.on.get(focus, ()))
    if aim is None:
        return None
    made = figure.add("parallel_pl", (aim, focus))
    if made is None:
        return None
    if draws.integer(0, 2):
        free = _private(figure, "point_on_l", made)
        image = _private(figure, "mirror_pl", (free, focus))
    else:
        free = _private(figure, "point", (), (), 1)
        once = _private(figure, "mirror_pl", (free, focus))
        image = _private(figure, "mirror_pl", (once, made[0]))
    return figure.add("distance", (free, image))


def _swing(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """The base of an isosceles triangle is known from its legs and the angle between them."""
    del largest
    hub = pick(figure, "P", draws)
    if hub is None:
        return None
    free = _private(figure, "point_away", (hub, focus))
    end = _private(figure, "rotate", (free, hub), (draws.choice(DEGREES),))
    return figure.add("distance", (free, end))


def _tangent(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """A point of a tangent is as far from the centre as Pythagoras says."""
    hub = figure.hub.get(focus)
    if hub is None:
        return None
    free = _private(figure, "point_on_c", (focus,))
    line = _private(figure, "tangent_at", (free, focus))
    end = _private(figure, "point_aside", (line, free), (length(draws, largest),))
    return figure.add("distance", (hub, end))


def _chord(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """All chords of one length are equally far from the centre."""
    hub, most = figure.hub.get(focus), int(1.9 * figure.values[focus][2])
    if hub is None or most < 1:
        return None
    numbers = (length(draws, min(most, largest)),)
    ends = figure.add("chord", (focus, hub), numbers, public=False)
    if ends is None:
        return None
    return figure.add("distance", (hub, _private(figure, "midpoint_pp", ends)))


def _three_points(
    figure: Figure, focus: int, draws: RowDraws, largest: int
) -> tuple[int, ...] | None:
    """The perpendicular bisectors of two chords meet in the centre."""
    del draws, largest
    if focus in figure.hub:
        return None
    free = [_private(figure, "point_on_c", (focus,), (), turn) for turn in range(3)]
    axes = [_private(figure, "bisector_pp", (free[1], free[end])) for end in (0, 2)]
    made = figure.add("meet_ll", axes)
    if made is not None:
        figure.hub[focus] = made[0]
    return made


def _beside(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """A circle of one radius that touches another has its centre at one distance."""
    hub, most = figure.hub.get(focus), int(figure.values[focus][2] - 0.3)
    if hub is None:
        return None
    if most >= 1 and draws.integer(0, 2):
        name, numbers = "touch_in", (length(draws, min(most, largest)),)
    else:
        name, numbers = "touch_out", (length(draws, largest),)
    return figure.add("distance", (hub, _private(figure, name, (focus,), numbers)))


def _crossing(figure: Figure, focus: int, draws: RowDraws, largest: int) -> tuple[int, ...] | None:
    """Two segments that cross are not often found by chance: no choice is left here."""
    del largest
    others = draws.shuffled([one for one in figure.pools["P"] if one != focus])[:_NEIGHBOURS]
    for p, q, r in permutations(others, 3):
        ends = [(figure.values[one], figure.values[two]) for one, two in ((focus, p), (q, r))]
        if q < r and GUARDS["meet_ss"](*ends):
            one = figure.add("segment_pp", (focus, p))
            two = one and figure.add("segment_pp", (q, r))
            return figure.add("meet_ss", (*one, *two)) if one and two else None
    return None


GADGETS: Mapping[str, Gadget] = {
    "two mirrors": _two_mirrors,
    "two turns": _two_turns,
    "midline": _midline,
    "across": _across,
    "strip": _strip,
    "swing": _swing,
    "tangent": _tangent,
    "chord": _chord,
    "three points": _three_points,
    "beside": _beside,
    "crossing": _crossing,
}
