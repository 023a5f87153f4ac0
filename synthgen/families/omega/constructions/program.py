"""Finished constructions: a question of the wanted length, its proof, and the canonical form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from flint import arb, ctx

from synthgen.authoring import RowDraws, Tree
from synthgen.families.omega.constructions import plane
from synthgen.families.omega.constructions.figure import Figure, Step, wide
from synthgen.families.omega.constructions.grow import SIDES
from synthgen.families.omega.constructions.plane import COMMANDS, Given

_RECENT = 9
"""Questions are about this many of the latest points."""
_TRIES = 12
_MIN, _MAX, _SAME = 0.1, 2_000.0, 0.005
"""Bounds of answers, and a difference from an integer that rounding to hundredths hides."""
_BITS = 128
_SURE = 1e-7
"""Bound of the errors of the floats of a finished figure: far below the margins of its choices."""
_TIE = "1e-6"
"""Least distance of an answer from a value halfway between two hundredths."""
_POINTS: Mapping[str, tuple[int, int]] = {
    "distance": (2, 1),
    "length": (2, 2),
    "angle": (3, 1),
    "ratio": (3, 3),
    "triangle_area": (3, 2),
    "circumradius": (3, 2),
    "inradius": (3, 2),
    "radius": (3, 2),
    "polygon_area": (2, 3),
}
"""Points that each kind of question is about, and the steps it adds, itself included."""


class Question(NamedTuple):
    """A kind of question, and the objects it is about."""

    kind: str
    args: tuple[int, ...]


class Program(NamedTuple):
    """A construction.

    Attributes:
        steps: Steps in the order of the text; objects are numbered in the order they are made.
        kinds, values: Kind and value of each object, in the frame of the solution.
        question: Question about the construction.
        value: Value in question, as a float.
        answer: Value, rounded to two decimals.
    """

    steps: tuple[Step, ...]
    kinds: str
    values: tuple[Any, ...]
    question: Question
    value: float
    answer: str


def questions(
    figure: Figure, kind: str, fewest: int, most: int, draws: RowDraws
) -> Iterator[Question]:
    """Yield questions that need from `fewest` to `most` steps, themselves included.

    The last steps before a question are part of the figure until the next one is requested.
    """
    n_points, added = _POINTS[kind]
    groups = list(_groups(figure, n_points, fewest - added, most - added))
    for group in draws.shuffled(groups)[:_TRIES] if groups else ():
        mark = figure.mark()
        question = _close(figure, kind, draws.shuffled(group), draws)
        if question is not None:
            yield question
        figure.back(mark)


def _groups(figure: Figure, n_points: int, fewest: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield groups of points that need this number of steps together."""
    recent = [(one, figure.masks[figure.maker[one]]) for one in figure.pools["P"][-_RECENT:]]
    for group in combinations(recent, n_points):
        mask = 0
        for _, one in group:
            mask |= one
        if fewest <= mask.bit_count() <= most:
            yield tuple(point for point, _ in group)


def _close(figure: Figure, kind: str, points: Sequence[int], draws: RowDraws) -> Question | None:
    """Add the last steps, unless the answer would be obvious."""
    values = [figure.values[one] for one in points]
    if kind in ("distance", "length", "polygon_area"):
        return None if figure.states_distance(*points) else _about_two(figure, kind, points, draws)
    if kind == "angle":
        degrees = plane.angle(*values)
        fair = 8 < degrees < 172 and abs(degrees - 90) > 1
        return Question(kind, tuple(points)) if fair else None
    if kind == "ratio":
        if figure.states_distance(*points[:2]) or figure.states_distance(*points[1:]):
            return None
        one = figure.add("distance", points[:2])
        two = one and figure.add("distance", points[1:])
        return Question(kind, (*one, *two)) if one and two else None
    if not wide(*values):
        return None
    made = figure.add("circle_ppp" if kind == "radius" else "triangle", points)
    return Question(kind, made) if made else None


def _about_two(
    figure: Figure, kind: str, points: Sequence[int], draws: RowDraws
) -> Question | None:
    if kind == "distance":
        return Question(kind, tuple(points))
    if kind == "length":
        made = figure.add("segment_pp", points)
        return Question(kind, made) if made else None
    gap = figure.add("distance", points)
    if gap is None:
        return None
    sides = draws.choice(SIDES)
    polygon = figure.add("polygon_m", (points[0], *gap), (sides,), public=False)
    return Question(kind, polygon[-1:]) if polygon else None


def _polygon_area(polygon: Any) -> Any:
    _, radius, vertices = polygon
    _, sine = plane.cosine_sine(360, len(vertices), arb if isinstance(radius, arb) else float)
    return radius * radius * sine * len(vertices) / 2


_MEASURES: Mapping[str, Callable[..., Any]] = {
    "distance": plane.distance,
    "length": lambda segment: plane.distance(*segment),
    "angle": plane.angle,
    "ratio": lambda one, two: one / two,
    "triangle_area": lambda t: abs(plane.double_area(*t)) / 2,
    "circumradius": lambda t: plane.circumcircle(t)[2],
    "inradius": lambda t: plane.incircle(t)[2],
    "radius": lambda circle: circle[2],
    "polygon_area": _polygon_area,
}


def finish(figure: Figure, question: Question, family: str) -> Program | None:
    """Keep what the question needs and prove the answer; None if the question is unfit.

    A question needs a command of the family's own list, and its answer must not be a number that
    its commands name.
    """
    mask = 0
    for one in question.args:
        mask |= figure.masks[figure.maker[one]]
    taken = [step for number, step in enumerate(figure.steps) if mask >> number & 1]
    if not any(COMMANDS[step.name].family == family for step in taken):
        return None
    value = _MEASURES[question.kind](*(figure.values[one] for one in question.args))
    named = {float(number) for step in taken for number in step.numbers}
    if not _MIN < value < _MAX or any(abs(value - number) < _SAME for number in (*named, 1.0)):
        return None
    answer = _proven(figure, taken, question)
    if answer is None:
        return None
    kept = [one for step in taken for one in step.made]
    renamed = {one: number for number, one in enumerate(kept)}
    steps = tuple(
        step._replace(
            args=tuple(renamed[one] for one in step.args),
            made=tuple(renamed[one] for one in step.made),
        )
        for step in taken
    )
    return Program(
        steps,
        "".join(figure.kinds[one] for one in kept),
        tuple(figure.values[one] for one in kept),
        Question(question.kind, tuple(renamed[one] for one in question.args)),
        value,
        answer,
    )


@ctx.workprec(_BITS)
def _proven(figure: Figure, taken: Sequence[Step], question: Question) -> str | None:
    """Compute every step and the question in balls, and round the value; None if unsure."""
    balls: dict[int, Any] = {}
    for step in taken:
        given = Given([balls[one] for one in step.args], step.numbers, step.sign, arb)
        made = COMMANDS[step.name].formula(given)
        for one, value in zip(step.made, made, strict=True):
            if not _near(value, figure.values[one]):
                return None
            balls[one] = value
    return rounded(_MEASURES[question.kind](*(balls[one] for one in question.args)))


def _near(ball: Any, value: Any) -> bool:
    """Return whether the numbers of an object are proven to be those computed with floats."""
    if isinstance(value, tuple):
        return all(map(_near, ball, value))
    return bool(abs(ball - value) < _SURE)


def rounded(value: arb) -> str | None:
    """Return a positive value to two decimals; None if it may be near a tie."""
    hundredths = ((value + arb(0, _TIE)) * 100 + arb(0.5)).floor().unique_fmpz()
    if hundredths is None:
        return None
    return f"{int(hundredths) // 100}.{int(hundredths) % 100:02d}"


# The canonical form: names and the order of independent steps do not matter. It is a list of
# steps, each after those whose results it takes. A label of each step, made from its arguments and
# its uses, fixes the order, so that exchangeable steps are visited in one order. The vertices of a
# polygon that may be turned are counted from the one that gives the least list.

_MAX_STEPS = 60
_MASK = (1 << 64) - 1
_SAME_IN_QUESTION = {"distance": "aa", "angle": "aba"}
_NUMBERS = {name: i for i, name in enumerate((*COMMANDS, *(f"ask_{kind}" for kind in _POINTS)))}
_Entry = tuple[str, tuple[int, ...], tuple[tuple[int, int], ...]]
"""Name of a step, its integers, and its arguments: entry that makes each, and which result."""

SYMBOLS: Mapping[str, int | tuple[int, int]] = {
    **{name: len(command.takes) + command.numbers for name, command in COMMANDS.items()},
    **{
        f"ask_{kind}": 2 if kind == "ratio" else len(_SAME_IN_QUESTION.get(kind, "a"))
        for kind in _POINTS
    },
    "construction": (2, _MAX_STEPS),
    "part": 2,
}
"""Symbols of all families of constructions: a command with its arguments and integers, `part` for
one of several results, and a list of steps that ends in a question."""


def _mix(label: int, value: int) -> int:
    label = ((label ^ value) * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & _MASK
    label ^= label >> 29
    return label * 0xBF58476D1CE4E5B9 & _MASK ^ label >> 32


def same_of(step: Step) -> str:
    """Return a letter for each argument, equal for those that may be exchanged."""
    if step.name.startswith("ask_"):
        return _SAME_IN_QUESTION.get(step.name[4:], "abcd"[: len(step.args)])
    return COMMANDS[step.name].same


def ring_size(step: Step) -> int:
    """Return the number of points of a step that may be counted from any one of them."""
    command = COMMANDS.get(step.name)
    return len(step.made) - 1 if command is not None and command.ring else 0


class _Labels:
    """Labels of the steps of a program; `turns` is how far each turnable polygon is turned."""

    def __init__(self, steps: Sequence[Step], turns: Mapping[int, int], *, parts: bool) -> None:
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
        """A label of what each step is made of."""
        labels: list[int] = []
        for step in self.steps:
            label = _mix(_NUMBERS[step.name], len(step.args))
            for number in step.numbers:
                label = _mix(label, number + 1)
            for one in self.ordered(step, labels):
                label = _mix(label, _mix(labels[self.maker[one]], self.part(one)))
            labels.append(label)
        return labels

    @cached_property
    def both(self) -> list[int]:
        """A label of what each step is made of and used for."""
        up = [0] * len(self.steps)
        up[-1] = 1
        # Backwards: a step has received the labels of all its uses before it passes on its own.
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            label = _mix(self.down[number], up[number])
            for one, group in zip(step.args, same_of(step), strict=True):
                use = _mix(_mix(label, ord(group)), self.part(one))
                up[self.maker[one]] = (up[self.maker[one]] + use) & _MASK
        return [_mix(down, upper) for down, upper in zip(self.down, up, strict=True)]

    def ordered(self, step: Step, labels: Sequence[int]) -> list[int]:
        """Return the arguments of a step, those that may be exchanged in order of their labels."""
        same, args = same_of(step), list(step.args)
        for letter in set(same):
            places = [place for place, other in enumerate(same) if other == letter]
            group = [args[place] for place in places]
            if len(group) > 1:
                group.sort(key=lambda one: (labels[self.maker[one]], self.part(one)))
            for place, one in zip(places, group, strict=True):
                args[place] = one
        return args

    def entries(self) -> list[_Entry]:
        """Return the steps as they are met from the question on, arguments first."""
        order: dict[int, int] = {}
        entries: list[_Entry] = []

        def visit(number: int) -> None:
            step = self.steps[number]
            args = self.ordered(step, self.both)
            for one in args:
                if self.maker[one] not in order:
                    visit(self.maker[one])
            order[number] = len(order)
            links = tuple((order[self.maker[one]], self.part(one)) for one in args)
            entries.append((step.name, step.numbers, links))

        visit(len(self.steps) - 1)
        return entries


def _turnings(steps: Sequence[Step]) -> list[dict[int, int]]:
    """Return the turns of the polygons of a program in which their uses form the least list."""
    rings = [number for number, step in enumerate(steps) if ring_size(step)]
    turnings: list[dict[int, int]] = [{}]
    if not rings:
        return turnings
    labels = _Labels(steps, dict.fromkeys(rings, 0), parts=False)
    for number in rings:
        points = steps[number].made[: ring_size(steps[number])]
        uses = [0] * len(points)
        for place, step in enumerate(steps):
            for one, group in zip(step.args, same_of(step), strict=True):
                if one in points:
                    use = _mix(labels.both[place], ord(group))
                    uses[points.index(one)] = (uses[points.index(one)] + use) & _MASK
        turned = [uses[first:] + uses[:first] for first in range(len(uses))]
        firsts = [first for first, one in enumerate(turned) if one == min(turned)]
        if not any(uses):
            firsts = [0]
        turnings = [{**known, number: first} for known in turnings for first in firsts]
    return turnings


def canonical(program: Program) -> Tree:
    """Return the canonical tree of a construction."""
    asked = program.question
    steps = (*program.steps, Step(f"ask_{asked.kind}", asked.args, (), 0, ()))
    entries = min(_Labels(steps, turns, parts=True).entries() for turns in _turnings(steps))
    nodes: list[Tree] = []
    for name, numbers, links in entries:
        nodes.append((name, *(_link(entries, *link) for link in links), *numbers))
    return ("construction", *nodes)


def _link(entries: Sequence[_Entry], number: int, part: int) -> Tree:
    name, numbers, _ = entries[number]
    several = len(COMMANDS[name].kinds_made(numbers)) > 1
    return ("part", number, part) if several else number
