"""Grids, commands, the objects that they refer to, and the actions that carry them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOVES = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}
COMPASS = tuple(MOVES)
"""Directions, clockwise."""
_TURNS = ((), ("turn right",), ("turn left", "turn left"), ("turn left",))
"""Turns to a direction, by the number of quarters clockwise."""
_LOOK = ("turn left", "turn right", "turn right", "turn left")
ZIGZAG, SPIN, CAUTIOUS, HESITANT = "while zigzagging", "while spinning", "cautiously", "hesitantly"

Cell = tuple[int, int]
"""Column and row, from 0 at the north-west corner."""


class Thing(NamedTuple):
    """An object."""

    size: int
    color: str
    shape: str
    cell: Cell

    @property
    def weight(self) -> int:
        """Pushes or pulls that move it by one cell."""
        return 2 if self.size > 2 else 1


class Phrase(NamedTuple):
    """Words that describe an object; no size or color is an empty text."""

    size: str
    color: str
    noun: str

    def describes(self, thing: Thing) -> bool:
        """Return whether an object is of the kind: it has the color and the shape."""
        return self.color in ("", thing.color) and self.noun in ("object", thing.shape)


class Command(NamedTuple):
    """A command.

    Attributes:
        verb: What to do: "walk", "push", "pull", or "find" for the cell only.
        manner: Adverb, or an empty text.
        phrases: Description of the object, and one for each relative clause.
        relations: Relation of each clause.
        nested: Whether each clause is about the object of the clause before, instead of the first.
    """

    verb: str
    manner: str
    phrases: tuple[Phrase, ...]
    relations: tuple[str, ...] = ()
    nested: bool = False


class World(NamedTuple):
    """A square grid with an agent and objects.

    Attributes:
        side: Columns and rows.
        agent: Cell of the agent.
        facing: Direction that it faces.
        things: Objects.
    """

    side: int
    agent: Cell
    facing: str
    things: tuple[Thing, ...]


def fitting(phrase: Phrase, things: Sequence[Thing]) -> list[Thing]:
    """Return the objects that fit a phrase.

    A small object is one for which there is a larger one of the kind, and a big object one for
    which there is a smaller one.
    """
    kind = [thing for thing in things if phrase.describes(thing)]
    if not phrase.size or not kind:
        return kind
    sizes = [thing.size for thing in kind]
    if phrase.size == "small":
        return [thing for thing in kind if thing.size < max(sizes)]
    return [thing for thing in kind if thing.size > min(sizes)]


def related(relation: str, thing: Thing, other: Thing) -> bool:
    """Return whether an object has a relation to another one."""
    if relation == "row":
        return thing.cell[1] == other.cell[1]
    if relation == "column":
        return thing.cell[0] == other.cell[0]
    if relation == "inside":
        offsets = (thing.cell[0] - other.cell[0], thing.cell[1] - other.cell[1])
        return all(0 <= offset < other.size for offset in offsets)
    return bool(getattr(thing, relation) == getattr(other, relation))


def referents(command: Command, things: Sequence[Thing]) -> list[Thing]:
    """Return the objects that fit the command, filtered clause by clause from the last."""
    sets = [fitting(phrase, things) for phrase in command.phrases]
    for place in range(len(command.relations), 0, -1):
        relation, parent = command.relations[place - 1], place - 1 if command.nested else 0
        sets[parent] = [
            thing
            for thing in sets[parent]
            if any(other != thing and related(relation, thing, other) for other in sets[place])
        ]
    return sets[0]


class Plan(NamedTuple):
    """The actions of a command.

    Attributes:
        route: Directions of the steps to the object.
        steps: Actions of each step.
        moves: Actions of each push or pull.
        direction: Direction in which the object moves.
    """

    route: Sequence[str]
    steps: Sequence[Sequence[str]]
    moves: Sequence[Sequence[str]]
    direction: str

    @property
    def actions(self) -> list[str]:
        """All actions."""
        return [action for part in (*self.steps, *self.moves) for action in part]


def route_of(start: Cell, goal: Cell, manner: str) -> list[str]:
    """Return the directions of the steps: along the row first, in turn in a zigzag."""
    across = ["east" if goal[0] > start[0] else "west"] * abs(goal[0] - start[0])
    along = ["south" if goal[1] > start[1] else "north"] * abs(goal[1] - start[1])
    if manner != ZIGZAG:
        return across + along
    both = min(len(across), len(along))
    turns = [direction for pair in zip(across, along, strict=False) for direction in pair]
    return turns + across[both:] + along[both:]


def plan(world: World, command: Command, target: Thing) -> Plan:
    """Return the actions that carry out a command."""
    route, facing, steps = route_of(world.agent, target.cell, command.manner), world.facing, []
    spin = ("turn left",) * 4 if command.manner == SPIN else ()
    look = _LOOK if command.manner == CAUTIOUS else ()
    end = ("stay",) if command.manner == HESITANT else ()
    for direction in route:
        turns = _TURNS[(COMPASS.index(direction) - COMPASS.index(facing)) % 4]
        steps.append((*spin, *turns, *look, "walk", *end))
        facing = direction
    if command.verb == "pull":
        facing = COMPASS[COMPASS.index(facing) - 2]
    moves = free_cells(world, target.cell, facing) * target.weight
    moves = 0 if command.verb not in ("push", "pull") else moves
    return Plan(route, steps, [(*spin, *look, command.verb, *end)] * moves, facing)


def free_cells(world: World, start: Cell, direction: str) -> int:
    """Return the number of cells between a cell and the next object, except boxes, or the wall."""
    taken = {thing.cell for thing in world.things if thing.shape != "box"}
    right, down = MOVES[direction]
    column, row, free = start[0] + right, start[1] + down, 0
    while 0 <= column < world.side and 0 <= row < world.side and (column, row) not in taken:
        column, row, free = column + right, row + down, free + 1
    return free
