"""Boxes and objects: operations on them, and what is where in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    filled,
    levelled,
    params,
)

_WORDS = Words.beside(__file__).part("boxes")
_OPERATIONS = ("put", "move", "remove", "swap")
_ASKS = ("place", "contents", "count")
_MAX_BOXES, _MAX_OBJECTS, _MAX_LENGTH = 8, 16, 40


class Operation(NamedTuple):
    """Put, move or remove an object, or swap the contents of two boxes.

    Attributes:
        first: Object, or the first box of a swap.
        box: Box into which the object comes, -1 for none, or the second box of a swap.
    """

    kind: str
    first: int
    box: int = -1

    @property
    def items(self) -> list[int]:
        """The object and the boxes, numbered from 1."""
        return [each + 1 for each in self[1:] if each >= 0]


@dataclass
class _World:
    """Objects in boxes; those of no box are outside.

    Attributes:
        boxes: Objects of each box.
        named: For each object, the box that was last named with it, -1 for none.
    """

    boxes: list[set[int]]
    named: dict[int, int] = field(default_factory=dict)

    def box_of(self, thing: int) -> int:
        return next((place for place, held in enumerate(self.boxes) if thing in held), -1)

    def apply(self, operation: Operation) -> list[int]:
        """Carry out an operation, and return the boxes that it changes."""
        kind, first, box = operation
        if kind == "swap":
            self.boxes[first], self.boxes[box] = self.boxes[box], self.boxes[first]
            return [first, box]
        source = self.box_of(first)
        if source >= 0:
            self.boxes[source].discard(first)
        if box >= 0:
            self.boxes[box].add(first)
        self.named[first] = box
        return [place for place in (source, box) if place >= 0]


@levelled("length + n_boxes", 5, 7, 9, 11, 13, 16, 20, 24, 30, 38)
@dataclass(frozen=True)
class StateBoxes(PlainFamily):
    """Objects are put into boxes, moved and removed, and boxes exchange their contents.

    Attributes:
        asks: Kinds of questions: the "place" of an object, the "contents" of a box, or their
            "count".
        operations: Kinds of operations.
        min_boxes, max_boxes: Fewest and most boxes.
        min_objects, max_objects: Fewest and most objects.
        min_length, max_length: Fewest and most operations.
    """

    asks: tuple[str, ...] = params.choices(("place", "contents"), _ASKS)
    operations: tuple[str, ...] = params.choices(_OPERATIONS, _OPERATIONS)
    min_boxes: int = params.integer(3, 2, _MAX_BOXES, up_to="max_boxes")
    max_boxes: int = params.integer(5, 2, _MAX_BOXES)
    min_objects: int = params.integer(4, 2, _MAX_OBJECTS, up_to="max_objects")
    max_objects: int = params.integer(8, 2, _MAX_OBJECTS)
    min_length: int = params.integer(2, 1, _MAX_LENGTH, up_to="max_length")
    max_length: int = params.integer(8, 1, _MAX_LENGTH)

    verifier = "state_boxes"
    same_up_to = "the names of the boxes and objects and how the operations are stated"
    words = _WORDS
    symbols = {
        "boxes": (3, 1 + _MAX_BOXES),
        "box": (0, _MAX_OBJECTS),
        **dict.fromkeys(("put", "move", "swap"), 3),
        "remove": 2,
        **dict.fromkeys(_ASKS, 1),
    }
    answer_type = {"place": "label", "contents": "set", "count": "integer"}
    own_axes = {
        "n_boxes": axis("boxes", "min_boxes", "max_boxes"),
        "n_objects": axis("objects that are named", 1, _MAX_OBJECTS),
        "length": axis("operations", "min_length", "max_length"),
        "n_swaps": axis("swaps of contents", 0, _MAX_LENGTH),
        "hidden": axis("1 if the boxes last named with objects give a wrong answer", 0, 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if {*self.operations} <= {"put", "remove"} and self.max_length > self.min_objects // 2:
            wanted = f'"move" or "swap" among them, as max_length={self.max_length}'
            raise ParamError("operations", self.operations, wanted)

    @property
    def answers_differ(self) -> bool:
        """Answers are names of boxes and objects."""
        return True

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw the boxes, the operations, and a question about the end."""
        n = draws.integer(self.min_boxes, self.max_boxes + 1)
        objects = draws.integer(self.min_objects, self.max_objects + 1)
        inside = max(1, objects * 3 // 4)
        places = sorted(draws.integer(0, n) for _ in range(inside))
        start = [{thing for thing, box in enumerate(places) if box == each} for each in range(n)]
        world = _World([{*held} for held in start], dict(enumerate(places)))
        outside, operations = [*range(inside, objects)], list[Operation]()
        for _ in range(draws.integer(self.min_length, self.max_length + 1)):
            operation = self._drawn(world, outside, draws)
            if operation is None:
                return None
            operations.append(operation)
            world.apply(operation)
        return self._problem(start, operations, world, draws)

    def _drawn(self, world: _World, outside: list[int], draws: RowDraws) -> Operation | None:
        """Draw an operation that is possible; objects that were never named are put in order."""
        n = len(world.boxes)
        things = sorted(set().union(*world.boxes))
        filled_boxes = [place for place, held in enumerate(world.boxes) if held]
        possible = {"put": outside, "move": things, "remove": things, "swap": filled_boxes}
        kinds = [kind for kind in self.operations if possible[kind]]
        if not kinds:
            return None
        kind = draws.choice(kinds)
        if kind == "swap":
            one = draws.choice(filled_boxes)
            other = draws.choice([place for place in range(n) if place != one])
            return Operation("swap", min(one, other), max(one, other))
        if kind == "put":
            new = [thing for thing in outside if thing not in world.named]
            known = [thing for thing in outside if thing in world.named]
            thing = draws.choice([*new[:1], *known])
            outside.remove(thing)
            return Operation("put", thing, draws.integer(0, n))
        thing = draws.choice(things)
        if kind == "remove":
            outside.append(thing)
            return Operation("remove", thing)
        source = world.box_of(thing)
        box = draws.choice([place for place in range(n) if place != source])
        return Operation("move", thing, box)

    def _problem(
        self,
        start: Sequence[set[int]],
        operations: Sequence[Operation],
        world: _World,
        draws: RowDraws,
    ) -> Problem:
        ask, asked, hidden = self._question(world, draws)
        n, count = len(start), 1 + max(world.named)
        colors = draws.sample(_WORDS["colors"], n)
        things = draws.sample(_WORDS["objects"], count)
        nested: Tree = (ask, asked + 1)
        for operation in reversed(operations):
            nested = (operation.kind, *operation.items, nested)
        boxes: list[Tree] = [("box", *(thing + 1 for thing in sorted(held))) for held in start]
        return Problem(
            tree=("boxes", *boxes, nested),
            answer=_answer(ask, asked, world, colors, things),
            holes={"thing": things[asked]} if ask == "place" else {"box": colors[asked]},
            kind=ask,
            axes={
                "n_boxes": n,
                "n_objects": count,
                "length": len(operations),
                "n_swaps": sum(operation.kind == "swap" for operation in operations),
                "hidden": int(hidden),
            },
            data=(start, operations, colors, things),
        )

    def _question(self, world: _World, draws: RowDraws) -> tuple[str, int, bool]:
        """Draw what is asked for: three times of four something that only swaps explain, if any."""
        ask = draws.choice(self.asks)
        if ask == "place":
            wrong = {thing: world.box_of(thing) != box for thing, box in world.named.items()}
        else:
            wrong = {}
            for place, held in enumerate(world.boxes):
                guess = {thing for thing, box in world.named.items() if box == place}
                wrong[place] = guess != held if ask == "contents" else len(guess) != len(held)
        asks = [each for each, is_wrong in wrong.items() if is_wrong]
        if not asks or not draws.integer(0, 4):
            asks = [*wrong]
        asked = draws.choice(asks)
        if ask != "place" and not world.boxes[asked]:
            asked = draws.choice(asks)
        return ask, asked, wrong[asked]

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write what the boxes hold, and the operations in one of the voices."""
        start, operations, colors, things = problem.data
        texts = [
            _start_text(color, held, things) for color, held in zip(colors, start, strict=True)
        ]
        voice = draws.choice(_WORDS["voices"])
        story = []
        for kind, first, box in operations:
            if kind == "swap":
                one, other = draws.shuffled([first, box])
                words = {"box": colors[one], "other": colors[other]}
            else:
                words = {"thing": things[first], "box": colors[box]}
            story.append(filled(voice[kind], words))
        return {**problem.holes, "start": " ".join(texts), "story": " ".join(story)}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write what the boxes that an operation changes hold after it."""
        start, operations, colors, things = problem.data
        world = _World([{*held} for held in start])
        return [
            "; ".join(
                f"{colors[box]}: {_listed(world.boxes[box], things)}"
                for box in sorted(world.apply(operation))
            )
            for operation in operations
        ]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return the answers after fewer operations, and then those for other boxes."""
        start, operations, colors, things = problem.data
        ask = problem.kind
        asked = (things if ask == "place" else colors).index(next(iter(problem.holes.values())))
        world = _World([{*held} for held in start])
        earlier = [_answer(ask, asked, world, colors, things)]
        for operation in operations:
            world.apply(operation)
            earlier.append(_answer(ask, asked, world, colors, things))
        if ask == "place":
            return [*reversed(earlier), *draws.shuffled([*colors, "none"])]
        if ask == "contents":
            return [*reversed(earlier), *(_listed(held, things) for held in world.boxes)]
        return [*reversed(earlier), *map(str, range(len(things)))]


def joined(items: Sequence[str]) -> str:
    """Return a list in words: a, b and c."""
    return " and ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def _listed(held: set[int], things: Sequence[str]) -> str:
    return ", ".join(sorted(things[thing] for thing in held)) or "nothing"


def _answer(
    ask: str, asked: int, world: _World, colors: Sequence[str], things: Sequence[str]
) -> str:
    if ask == "place":
        box = world.box_of(asked)
        return colors[box] if box >= 0 else "none"
    held = world.boxes[asked]
    return _listed(held, things) if ask == "contents" else str(len(held))


def _start_text(color: str, held: set[int], things: Sequence[str]) -> str:
    if not held:
        return filled(_WORDS["start"]["empty"], {"box": color})
    names = [f"the {things[thing]}" for thing in sorted(held)]
    return filled(_WORDS["start"]["some"], {"box": color, "things": joined(names)})
