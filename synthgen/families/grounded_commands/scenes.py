"""Random commands, and worlds in which they refer to one object."""

from __future__ import annotations

from collections.abc import Iterator

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
        if relation in ("row", "column"):
            axis = 1 if relation == "row" else 0
            cells = [cell for cell in cells if cell[axis] == thing.cell[axis]]
        elif relation == "inside":
            span = range(size)
            cells = [cell for cell in cells if column - cell[0] in span and row - cell[1] in span]
        return self.draws.choice(cells) if cells else None


def drawn_scene(command: Command, side: int, count: int, draws: RowDraws) -> Scene | None:
    """Draw objects such that the command refers to the first one only, and needs every clause."""
    for _ in range(_TRIES):
        scene = Scene(side, draws)
        if not _plant(scene, command):
            continue
        for miss in [*_misses(command, scene.things, draws)]:
            scene.add(*miss)
        if len(scene.things) > count:
            continue
        _fill(scene, command, count)
        if referents(command, scene.things) == scene.things[:1] and _needed(command, scene):
            return scene
    return None


def _plant(scene: Scene, command: Command) -> bool:
    """Add an object for each phrase, related to that of its parent."""
    draws = scene.draws
    cell: Cell | None = scene.place_pair()
    for place, phrase in enumerate(command.phrases):
        relation = command.relations[place - 1] if place else ""
        sizes = {"small": SIZES[:-1], "big": SIZES[1:]}.get(phrase.size, SIZES)
        size = draws.choice(sizes if relation != "inside" else [s for s in sizes if s > 1])
        color = phrase.color or draws.choice(COLORS)
        shape = phrase.noun if phrase.noun != ANY else draws.choice(SHAPES)
        if place:
            parent = scene.things[place - 1 if command.nested else 0]
            size = parent.size if relation == "size" else size
            color = parent.color if relation == "color" else color
            shape = parent.shape if relation == "shape" else shape
            cell = scene.near(relation, parent, size)
        if cell is None:
            return False
        scene.put(Thing(size, color, shape, cell))
    return True


def _misses(
    command: Command, planted: list[Thing], draws: RowDraws
) -> Iterator[tuple[int, str, str]]:
    """Yield objects that differ from the target in one word, or only in a clause.

    For every size word of a clause, there is an object of the kind on its other side.
    """
    shapes = (*SHAPES, BOX) if command.relations else SHAPES
    for place, (phrase, thing) in enumerate(zip(command.phrases, planted, strict=True)):
        size, color, shape, _ = thing
        if phrase.size:
            yield draws.choice(_beyond(phrase, size)), color, shape
        if not place and phrase.color:
            yield size, draws.choice([each for each in COLORS if each != color]), shape
        if not place and phrase.noun != ANY:
            yield size, color, draws.choice([each for each in shapes if each != shape])
    size, color, shape, _ = planted[0]
    for relation in command.relations:
        yield (
            draws.choice([s for s in SIZES if s != size]) if relation == "size" else size,
            draws.choice([c for c in COLORS if c != color]) if relation == "color" else color,
            draws.choice([s for s in SHAPES if s != shape]) if relation == "shape" else shape,
        )


def _beyond(phrase: Phrase, size: int) -> range:
    """Return the sizes next to which an object of this size is small, or big."""
    return range(size + 1, SIZES[-1] + 1) if phrase.size == "small" else range(1, size)


def _fill(scene: Scene, command: Command, count: int) -> None:
    """Add random objects; without clauses, none that the command could refer to."""
    draws, phrase = scene.draws, command.phrases[0]
    shapes = (*SHAPES, BOX) if command.relations else SHAPES
    contrast = scene.things[1].size if phrase.size else 0
    while len(scene.things) < count:
        size, color, shape = draws.choice(SIZES), draws.choice(COLORS), draws.choice(shapes)
        is_kind = phrase.describes(Thing(size, color, shape, (0, 0)))
        if command.relations or not is_kind or size == contrast:
            scene.add(size, color, shape)


def _needed(command: Command, scene: Scene) -> bool:
    """Return whether the command refers to several objects without any one of its clauses.

    Nested clauses are left out with those below them.
    """
    _, _, phrases, relations, nested = command
    for place in range(len(relations)):
        after = len(relations) if nested else place + 1
        shorter = command._replace(
            phrases=phrases[: place + 1] + phrases[after + 1 :],
            relations=relations[:place] + relations[after:],
        )
        if len(referents(shorter, scene.things)) < 2:
            return False
    return True
