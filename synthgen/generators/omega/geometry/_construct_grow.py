"""Growing a figure that is fixed up to a motion and in which every step leads on to others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega.geometry._construct_figure import Figure, known_distance
from synthgen.generators.omega.geometry._construct_gadgets import GADGETS, UncertainError
from synthgen.generators.omega.geometry._construct_moves import SIDES, length, move
from synthgen.generators.omega.geometry._construct_rules import RULES

_MOST_LOOSE = 3
"""With this many results that nothing takes, the next step takes one of them."""
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
_OF_NEW_SIZE = ("circle_pp", "circle_ppp", "circumcircle_t", "incircle")
"""Commands that make circles whose radius is told nowhere."""
_FOCUS_OF_GADGET: Mapping[str, str] = {
    **dict.fromkeys(("two mirrors", "two turns", "midline", "crossing"), "P"),
    **dict.fromkeys(("tangent", "chord", "three points", "beside"), "C"),
    "across": "LS",
    "strip": "L",
    "swing": "M",
}


@cache
def _taking(family: str) -> Mapping[str, tuple[str, ...]]:
    """Map each kind to the commands of a family that take it, as often as they weigh."""
    weights = {**_BASIC, **_OWN[family]}
    result: dict[str, list[str]] = {kind: [] for kind in "PLSVCTGM"}
    for name, weight in weights.items():
        kinds = _FOCUS_OF_GADGET.get(name) or RULES[name].takes
        for kind in set(kinds):
            result[kind] += [name] * weight
    return {kind: tuple(sorted(names)) for kind, names in result.items()}


def start(figure: Figure, family: str, draws: RowDraws, largest: int) -> None:
    """Take the first steps, after which nothing can be chosen but a motion of the whole."""
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
    """A circle about the first point, and what fixes a direction."""
    radius = length(draws, largest, 2)
    circle = (figure.add("circle_pr", (hub,), (radius,)) or ())[0]
    way = draws.integer(0, 8)
    if way == 0:
        figure.add("touch_out", (circle,), (length(draws, largest),))
    elif way == 1:
        figure.add("touch_in", (circle,), (length(draws, radius - 1),))
    elif way == 2:
        figure.add("point_apart", (hub,), (length(draws, largest),))
    elif way in (3, 4):
        figure.add("chord", (circle, hub), (length(draws, min(largest, 2 * radius - 1)),))
    else:
        figure.add("point_on_c", (circle,))


def grow(figure: Figure, family: str, draws: RowDraws, largest: int) -> bool:
    """Try to take one more step, or the few of a gadget; say whether that succeeded."""
    loose = [one for pool in figure.pools.values() for one in pool if figure.is_loose(one)]
    steps_loose = {figure.maker[one] for one in loose}
    if loose and (len(steps_loose) >= _MOST_LOOSE or draws.integer(0, 4)):
        focus = draws.choice(loose)
    else:
        focus = draws.choice([one for pool in figure.pools.values() for one in pool])
    names = _taking(family)[figure.kinds[focus]]
    if not names:
        return False
    name = draws.choice(names)
    if name in GADGETS:
        return _grow_by_gadget(figure, name, focus, draws, largest)
    found = move(figure, name, focus, draws, largest)
    if found is None or _is_told(figure, name, found[0]):
        return False
    return figure.add(name, *found) is not None


def _is_told(figure: Figure, name: str, args: Sequence[int]) -> bool:
    """Say whether the text already tells the length that a step would measure."""
    if name == "distance":
        return known_distance(figure, *args)
    return name == "radius" and figure.steps[figure.maker[args[0]]].name not in _OF_NEW_SIZE


def _grow_by_gadget(figure: Figure, name: str, focus: int, draws: RowDraws, largest: int) -> bool:
    """Take all steps of a gadget, or none."""
    mark = figure.mark()
    try:
        done = GADGETS[name](figure, focus, draws, largest) is not None
    except UncertainError:
        done = False
    if not done:
        figure.back(mark)
    return done
