"""Random commands, and worlds in which they refer to one object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from synthgen.authoring import RowDraws
from synthgen.families.grounded_commands.planner import (
    CAUTIOUS,
    HESITANT,
    SPIN,
    ZIGZAG,
    Cell,
    Command,
    Phrase,
    Thing,
    referents,
    related,
)

SIZES = (1, 2, 3, 4)
COLORS = ("red", "green", "blue", "yellow")
SHAPES = ("square", "circle", "cylinder")
BOX, ANY = "box", "object"
MANNERS = ("", CAUTIOUS, SPIN, HESITANT, ZIGZAG)
VERBS = ("walk", "push", "pull")
RELATIONS = ("row", "column", "color", "shape", "size", "inside")
MAX_SIDE, MAX_CLAUSES = 12, 3
_DIRECTIONS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
_TRIES = 60


def drawn_command(draws: RowDraws, verb: str, clauses: int, *, nested: bool) -> Command | None:
    """Draw a command, without clauses all equally likely; None for one that is not allowed."""
    manner = draws.choice(MANNERS) if verb != "find" else ""
    size, color = draws.choice(("", "small", "big")), draws.choice(("", *COLORS))
    phrases = [Phrase(size, color, draws.choice((*SHAPES, ANY) if clauses else SHAPES))]
    relations: list[str] = []
    for place in range(clauses):
        parent = phrases[place if nested else 0]
        known = () if nested else relations
        possible = [name for name in RELATIONS if name not in known and _suits(name, parent)]
        relation = draws.choice(possible)
        child = _child(relation, parent, draws)
        if child is None or child in phrases:
            return None
        phrases.append(child)
        relations.append(relation)
    return Command(verb, manner, tuple(phrases), tuple(relations), nested and clauses > 1)


def _suits(relation: str, parent: Phrase) -> bool:
    """Return whether a relation adds to what a phrase says."""
    if relation == "shape":
        return parent.noun == ANY
    if relation == "inside":
        return parent.noun != BOX
    return relation in ("row", "column") or not getattr(parent, relation)


def _child(relation: str, parent: Phrase, draws: RowDraws) -> Phrase | None:
    """Draw the phrase of a clause, which has a size or a color."""
    size = draws.choice(("", "small", "big")) if relation != "size" else ""
    color = draws.choice(("", *COLORS)) if relation != "color" else ""
    noun = {"shape": ANY, "inside": BOX}.get(relation) or draws.choice(SHAPES)
    same_noun = noun == parent.noun and relation != "shape"
    return None if same_noun or not (size or color) else Phrase(size, color, noun)


class Scene:
    """A world in the making.

    Args:
        side: Columns and rows.
        draws: Random draws.
    """

    def __init__(self, side: int, draws: RowDraws) -> None:
        self.side, self.draws = side, draws
        self.things: list[Thing] = []
        self.agent = (0, 0)
        self.free: list[Cell] = [(x, y) for x in range(side) for y in range(side)]

    def place_pair(self) -> Cell:
        """Draw a direction and a distance, then the agent; return the cell of the target."""
        right, down = self.draws.choice(_DIRECTIONS)
        right *= self.draws.integer(1, self.side)
        down *= self.draws.integer(1, self.side)
        column = self.draws.integer(max(0, -right), self.side - max(0, right))
        row = self.draws.integer(max(0, -down), self.side - max(0, down))
        self.agent = (column, row)
        self.free.remove(self.agent)
        return (column + right, row + down)

    def put(self, thing: Thing) -> None:
        """Add an object."""
        self.free.remove(thing.cell)
        self.things.append(thing)

    def add(self, size: int, color: str, shape: str) -> None:
        """Add an object on a random free cell."""
        self.put(Thing(size, color, shape, self.draws.choice(self.free)))

    def near(self, relation: str, thing: Thing, size: int) -> Cell | None:
        """Return a free cell from which an object of a size has a relation to another."""
        column, row = thing.cell
        cells = self.free
        if relation == "row":
            cells = [cell for cell in cells if cell[1] == row]
        elif relation == "column":
            cells = [cell for cell in cells if cell[0] == column]
        elif relation == "inside":
            span = range(size)
            cells = [cell for cell in cells if column - cell[0] in span and row - cell[1] in span]
        return self.draws.choice(cells) if cells else None

    def put_related(self, relation: str, thing: Thing, parent: Thing) -> Thing | None:
        """Add an object like another in a cell to which the parent has a relation."""
        cell = self.near(relation, parent, thing.size)
        if cell is None:
            return None
        self.put(thing._replace(cell=cell))
        return self.things[-1]


def drawn_scene(command: Command, side: int, count: int, draws: RowDraws) -> Scene | None:
    """Draw objects such that the command refers to the first one only, and needs every clause."""
    for _ in range(_TRIES):
        scene = Scene(side, draws)
        if not _plant(scene, command):
            continue
        planted = [*scene.things]
        for phrase, thing in zip(command.phrases, planted, strict=True):
            if phrase.size:
                scene.add(draws.choice(_beyond(phrase, thing.size)), thing.color, thing.shape)
        if not all(_miss(scene, command, planted, n) for n in range(len(command.relations))):
            continue
        for other in draws.shuffled([*_other_words(command, planted[0], draws)]):
            if len(scene.things) < count or not command.relations:
                scene.add(*other)
        if (
            len(scene.things) <= count
            and referents(command, scene.things) == planted[:1]
            and _fill(scene, command, count)
            and _needed(command, scene)
        ):
            return scene
    return None


def _plant(scene: Scene, command: Command) -> bool:
    """Add an object for each phrase, related to that of its parent."""
    draws = scene.draws
    cell = scene.place_pair()
    for place, phrase in enumerate(command.phrases):
        relation = command.relations[place - 1] if place else ""
        sizes = {"small": SIZES[:-1], "big": SIZES[1:]}.get(phrase.size, SIZES)
        thing = Thing(
            draws.choice(sizes if relation != "inside" else [s for s in sizes if s > 1]),
            phrase.color or draws.choice(COLORS),
            phrase.noun if phrase.noun != ANY else draws.choice(SHAPES),
            cell,
        )
        if not place:
            scene.put(thing)
            continue
        parent = scene.things[place - 1 if command.nested else 0]
        if relation in ("size", "color", "shape"):
            thing = thing._replace(**{relation: getattr(parent, relation)})
        if scene.put_related(relation, thing, parent) is None:
            return False
    return True


def _beyond(phrase: Phrase, size: int) -> range:
    """Return the sizes next to which an object of this size is small, or big."""
    return range(size + 1, SIZES[-1] + 1) if phrase.size == "small" else range(1, size)


def _miss(scene: Scene, command: Command, planted: list[Thing], place: int) -> bool:
    """Add an object that lacks one clause only, and objects for its other clauses."""
    last = place if command.nested else 0
    changed = _without(command.relations[place], planted[last], scene.draws)
    if not command.nested:
        others = [n for n in range(len(command.relations)) if n != place]
        cells = [
            cell
            for cell in scene.free
            if all(
                related(command.relations[n], changed._replace(cell=cell), planted[n + 1])
                for n in others
            )
        ]
        changed = changed._replace(cell=scene.draws.choice(cells or scene.free))
        scene.put(changed)
        return bool(cells) or all(
            scene.put_related(command.relations[n], planted[n + 1], changed) for n in others
        )
    chain = [*planted[:place], changed]
    parent = chain[0]._replace(cell=scene.draws.choice(scene.free))
    scene.put(parent)
    for n, thing in enumerate(chain[1:]):
        child = scene.put_related(command.relations[n], thing, parent)
        if child is None:
            return False
        parent = child
    return True


def _without(relation: str, thing: Thing, draws: RowDraws) -> Thing:
    """Return an object with another size, color or shape, if the relation is about these."""
    options: dict[str, Sequence[Any]] = {"size": SIZES, "color": COLORS, "shape": SHAPES}
    if relation not in options:
        return thing
    known = getattr(thing, relation)
    others = [value for value in options[relation] if value != known]
    return thing._replace(**{relation: draws.choice(others)})


def _other_words(
    command: Command, target: Thing, draws: RowDraws
) -> Iterator[tuple[int, str, str]]:
    """Yield objects that lack the color or the noun of the command."""
    phrase = command.phrases[0]
    if phrase.color:
        yield draws.choice(SIZES), _without("color", target, draws).color, target.shape
    if phrase.noun != ANY:
        color = phrase.color or draws.choice(COLORS)
        yield draws.choice(SIZES), color, _without("shape", target, draws).shape


def _fill(scene: Scene, command: Command, count: int) -> bool:
    """Add random objects that leave the reference as it is; return whether there are enough."""
    draws, phrase = scene.draws, command.phrases[0]
    shapes = (*SHAPES, BOX) if command.relations else SHAPES
    contrast = scene.things[1].size if phrase.size else 0
    for _ in range(_TRIES):
        if len(scene.things) == count:
            return True
        size, color, shape = draws.choice(SIZES), draws.choice(COLORS), draws.choice(shapes)
        if draws.integer(0, 4) and len(scene.things) > 1:
            like = draws.choice(scene.things[1:])
            size, color, shape, _ = _without(draws.choice(("size", "color", "shape")), like, draws)
        is_kind = phrase.describes(Thing(size, color, shape, (0, 0)))
        if command.relations or not is_kind or size == contrast:
            scene.add(size, color, shape)
        if command.relations and referents(command, scene.things) != scene.things[:1]:
            scene.free.append(scene.things.pop().cell)
    return False


def _needed(command: Command, scene: Scene) -> bool:
    """Return whether the command refers to several objects without any one of its clauses.

    Nested clauses are left out with those below them.
    """
    phrases, relations, nested = command[2:]
    for place in range(len(relations)):
        after = len(relations) if nested else place + 1
        shorter = command._replace(
            phrases=phrases[: place + 1] + phrases[after + 1 :],
            relations=relations[:place] + relations[after:],
        )
        if len(referents(shorter, scene.things)) < 2:
            return False
    return True
