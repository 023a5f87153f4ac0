"""Commands to an agent on a grid: problems and their texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

from synthgen.authoring import (
    ParamError,
    Picture,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    levelled,
    params,
)
from synthgen.authoring.distractors import chained
from synthgen.authoring.pictures import INK, PALETTE, Ink, Point, numbered_grid
from synthgen.families.grounded_commands.planner import (
    COMPASS,
    ZIGZAG,
    Command,
    Phrase,
    Plan,
    Thing,
    World,
    fitting,
    plan,
)
from synthgen.families.grounded_commands.scenes import (
    ANY,
    BOX,
    COLORS,
    MANNERS,
    MAX_CLAUSES,
    MAX_SIDE,
    RELATIONS,
    SHAPES,
    VERBS,
    drawn_command,
    drawn_scene,
)

_WORDS = Words.beside(__file__)
_RULES, _SCENES = _WORDS["rules"], _WORDS["scenes"]
_ASKS = ("actions", "any_route", "cell")
_KINDS = (*SHAPES, BOX, ANY)
_LETTERS = {"square": "s", "circle": "o", "cylinder": "c", "box": "x"}
_ARROWS = dict(zip(COMPASS, ">v<^", strict=True))
_STYLES = ("list", "characters", "json", "picture")
_OFFERED, _COMMAND_TRIES = 10, 20
_MANNER_RULES = {"while spinning": "spin", "cautiously": "cautious", "hesitantly": "hesitant"}
_DIRECTIONS = {
    (across, along): "-".join(filter(None, (vertical, horizontal)))
    for along, vertical in ((-1, "north"), (0, ""), (1, "south"))
    for across, horizontal in ((-1, "west"), (0, ""), (1, "east"))
    if across or along
}

_WIDTH, _MARGIN, _END = 280, 20, 2
_SHARES = {1: 0.3, 2: 0.5, 3: 0.7, 4: 0.9}
"""Height of an object by its size, as a share of the height of a cell."""
_FORWARD = dict(zip(COMPASS, ((1, 0), (0, 1), (-1, 0), (0, -1)), strict=True))
_RELATION_SETS = (
    "none",
    *(
        "+".join(names)
        for n in range(1, MAX_CLAUSES + 1)
        for names in combinations(sorted(RELATIONS), n)
    ),
)


class _Made(NamedTuple):
    """A command, its world, the object it refers to, and the plan."""

    command: Command
    world: World
    target: Thing
    plan: Plan


@levelled("n_actions + n_objects", 8, 12, 16, 20, 26, 34, 44, 60, 80, 140)
@dataclass(frozen=True)
class GroundedCommands(PlainFamily):
    """Walk to, push or pull an object on a grid, or name its cell.

    Attributes:
        asks: "actions" (in the order of columns, then rows), "any_route" (any shortest route is
            right) and "cell" (of the object only); drawn with equal probability.
        side: Columns and rows of the grid.
        min_objects, max_objects: Fewest and most objects, at least 4, and 3 more for each clause.
        min_clauses, max_clauses: Fewest and most relative clauses.
        nested: Whether each clause is about the object of the clause before.
        facing: "east" or "any" direction in which the agent starts.
        scene: "list", "characters" or "json", how the grid is written, or "picture" if only the
            picture shows it.
    """

    asks: tuple[str, ...] = params.choices(("actions",), _ASKS)
    side: int = params.integer(6, 4, MAX_SIDE)
    min_objects: int = params.integer(4, 4, 24, up_to="max_objects")
    max_objects: int = params.integer(12, 4, 24)
    min_clauses: int = params.integer(0, 0, MAX_CLAUSES, up_to="max_clauses")
    max_clauses: int = params.integer(0, 0, MAX_CLAUSES)
    nested: bool = params.flag(False)
    facing: str = params.choice("east", ("east", "any"))
    scene: str = params.choice("list", _STYLES)

    verifier = "grounded_commands"
    restated_by = ("scene",)
    words = _WORDS
    symbols = {
        **dict.fromkeys([f"{verb}{end}" for verb in VERBS for end in ("", "_any")], 3),
        "find": 2,
        **dict.fromkeys([manner.replace(" ", "_") for manner in ("plainly", *MANNERS[1:])], 0),
        **dict.fromkeys(("small", "big", "any_size", *COLORS, "any_color", *COMPASS), 0),
        **dict.fromkeys(_KINDS, (2, 2 + MAX_CLAUSES)),
        **{f"same_{name}" if name != "inside" else name: 1 for name in RELATIONS},
        "grid": (3 + 4, 3 + 24),
        "agent": 2,
        **{f"{color}_{shape}": 3 for color in COLORS for shape in (*SHAPES, BOX)},
    }
    answer_type = {
        "actions": "list",
        "any_route": "checked:grounded_commands",
        "cell": "list:integer",
    }
    own_axes = {
        "verb": axis("what the agent does", values=(*VERBS, "find")),
        "manner": axis("how it does it", values=("plainly", *MANNERS[1:])),
        "size_word": axis("size in the command", values=("none", "small", "big")),
        "color_word": axis("color in the command", values=("none", *COLORS)),
        "noun": axis("noun of the command", values=_KINDS),
        "size": axis("size of the target", 1, 4),
        "color": axis("color of the target", values=COLORS),
        "shape": axis("shape of the target", values=(*SHAPES, BOX)),
        "direction": axis("direction from the agent", values=tuple(_DIRECTIONS.values())),
        "distance": axis("steps to the target", 1, 22),
        "n_objects": axis("objects on the grid", "min_objects", "max_objects"),
        "n_clauses": axis("relative clauses", "min_clauses", "max_clauses"),
        "relations": axis("relations of the clauses, sorted", values=_RELATION_SETS),
        "phrases": axis("hash of the descriptions of objects, in any order", 0, 2**32),
        "n_moves": axis("pushes or pulls", 0, 22),
        "n_actions": axis("actions", 0, 500),
        "situation": axis("hash of the command and the cells of agent and target", 0, 2**32),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        fewest = 4 + 3 * self.max_clauses
        if self.min_objects < fewest:
            wanted = f"at least {fewest}, as max_clauses={self.max_clauses}"
            raise ParamError("min_objects", self.min_objects, wanted)
        if self.max_objects > self.side**2 // 2:
            wanted = f"at most {self.side**2 // 2}, as side={self.side}"
            raise ParamError("max_objects", self.max_objects, wanted)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a command, and a world in which it refers to one object."""
        ask = draws.choice(self.asks)
        verb = draws.choice(VERBS) if ask != "cell" else "find"
        count = draws.integer(self.min_objects, self.max_objects + 1)
        clauses = draws.integer(self.min_clauses, self.max_clauses + 1)
        facing = "east" if self.facing == "east" else draws.choice(COMPASS)
        for _ in range(_COMMAND_TRIES):
            command = drawn_command(draws, verb, clauses, nested=self.nested)
            scene = command and drawn_scene(command, self.side, count, draws)
            if command and scene:
                world = World(self.side, scene.agent, facing, tuple(scene.things))
                target = scene.things[0]
                return self._problem(
                    ask, _Made(command, world, target, plan(world, command, target))
                )
        return None

    def _problem(self, ask: str, made: _Made) -> Problem:
        command, world, target, steps = made
        actions = steps.actions if ask != "cell" else []
        (column, row), (agent_column, agent_row) = target.cell, world.agent
        sign = _sign(column - agent_column), _sign(row - agent_row)
        text = command_text(command, world)
        return Problem(
            tree=_tree(ask, command, world),
            answer=", ".join(actions) if actions else f"{column + 1}, {row + 1}",
            holes={"command": text, "phrase": text, "rules": " ".join(_rules(ask, command))},
            kind=ask,
            axes={
                "verb": command.verb,
                "manner": command.manner or "plainly",
                "size_word": command.phrases[0].size or "none",
                "color_word": command.phrases[0].color or "none",
                "noun": command.phrases[0].noun,
                "size": target.size,
                "color": target.color,
                "shape": target.shape,
                "direction": _DIRECTIONS[sign],
                "distance": len(steps.route),
                "n_objects": len(world.things),
                "n_clauses": len(command.relations),
                "relations": "+".join(sorted({*command.relations})) or "none",
                "phrases": crc32(str(sorted(map(" ".join, command.phrases))).encode()),
                "n_moves": len(steps.moves) if ask != "cell" else 0,
                "n_actions": len(actions),
                "situation": crc32(f"{text} {world.agent} {target.cell}".encode()),
            },
            data=made,
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the grid, with its objects in random order."""
        world = problem.data.world
        things = draws.shuffled(world.things)
        return {**problem.holes, "scene": scene_text(self.scene, world._replace(things=things))}

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw the grid."""
        del draws
        return _drawn(problem.data.world)

    def steps_of(self, problem: Problem) -> list[str]:
        """Name the cell of the object, then the actions of each step and each push or pull."""
        return [*self._lines(problem)]

    @staticmethod
    def _lines(problem: Problem) -> Iterator[str]:
        command, _, target, steps = problem.data
        yield _WORDS.line("target", **_named(target))
        if problem.kind == "cell":
            return
        for direction, actions in zip(steps.route, steps.steps, strict=True):
            yield _WORDS.line("step", direction=direction, actions=", ".join(actions))
        if command.verb != "walk":
            for actions in steps.moves:
                yield _WORDS.line("step", direction=steps.direction, actions=", ".join(actions))
            if not steps.moves:
                yield _WORDS.line("blocked", direction=steps.direction)

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Go to other cells, or name those of other objects."""
        command, world, target, _ = problem.data
        if problem.kind == "cell":
            others = draws.shuffled(world.things[1:])
            return [f"{thing.cell[0] + 1}, {thing.cell[1] + 1}" for thing in others]
        made = chained(target, lambda thing, draws: _moved(thing, world, draws), draws, _OFFERED)
        return [", ".join(plan(world, command, thing).actions) for thing in made]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _moved(thing: Thing, world: World, draws: RowDraws) -> Thing | None:
    """Return an object in a neighboring cell, or of another weight."""
    if not draws.integer(0, 4):
        return thing._replace(size=5 - thing.size)
    step = 1 - 2 * draws.integer(0, 2)
    column, row = thing.cell
    cell = (column + step, row) if draws.integer(0, 2) else (column, row + step)
    is_inside = all(0 <= place < world.side for place in cell)
    return thing._replace(cell=cell) if is_inside and cell != world.agent else None


# texts


def _phrase_text(phrase: Phrase, world: World) -> str:
    """Return a phrase with its article, "the" if there is only one such object."""
    article = "the" if len(fitting(phrase, world.things)) == 1 else "a"
    return " ".join(filter(None, (article, *phrase)))


def command_text(command: Command, world: World) -> str:
    """Return a command in words."""
    first, *others = command.phrases
    text = "the " + " ".join(filter(None, first))
    for place, (relation, phrase) in enumerate(zip(command.relations, others, strict=True)):
        joint = "and" if place and not command.nested else "that is"
        text += f" {joint} {_WORDS['relations'][relation]} {_phrase_text(phrase, world)}"
    verb = "" if command.verb == "find" else f"{_WORDS['verbs'][command.verb]} "
    return f"{verb}{text} {command.manner}".rstrip()


def _rules(ask: str, command: Command) -> Iterator[str]:
    """Yield the rules that a command needs."""
    names = ["kind"] if ask == "cell" else [*_rules_of_actions(ask, command)]
    if ask != "cell" and any(phrase.size for phrase in command.phrases):
        names.append("kind")
    if "inside" in command.relations:
        names.append("inside")
    yield from (_RULES[name] for name in names)


def _rules_of_actions(ask: str, command: Command) -> Iterator[str]:
    """Yield the names of the rules on routes, manners, pushes and pulls."""
    route = "zigzag" if command.manner == ZIGZAG else "route"
    yield f"any_{route}" if ask == "any_route" else route
    yield "turn"
    if command.manner in _MANNER_RULES:
        yield _MANNER_RULES[command.manner]
    if command.verb != "walk":
        yield command.verb
        if command.relations:
            yield "box"
        yield "weight"


def scene_text(style: str, world: World) -> str:
    """Return the grid as a list, as characters or as JSON, or what its picture shows."""
    if style == "picture":
        return str(_SCENES["picture"])
    column, row = world.agent
    if style == "json":
        agent = {"column": column + 1, "row": row + 1, "facing": world.facing}
        whole = {"columns": world.side, "rows": world.side, "agent": agent}
        return json.dumps({**whole, "objects": [*map(_named, world.things)]})
    if style == "characters":
        cells = [["."] * world.side for _ in range(world.side)]
        cells[row][column] = _ARROWS[world.facing]
        for size, color, shape, (x, y) in world.things:
            cells[y][x] = f"{color[0]}{size}{_LETTERS[shape]}"
        rows = [" ".join(f"{cell:3}" for cell in line).rstrip() for line in cells]
        return "\n".join([_SCENES["legend"], *rows])
    known = {"side": world.side, "column": column + 1, "row": row + 1, "facing": world.facing}
    lines = [_SCENES["grid"].format_map(known), _SCENES["agent"].format_map(known)]
    lines += [_SCENES["thing"].format_map(_named(thing)) for thing in world.things]
    return "\n".join(lines)


def _named(thing: Thing) -> dict[str, int | str]:
    """Return the properties of an object by name, its column and row from 1."""
    size, color, shape, (column, row) = thing
    return {"size": size, "color": color, "shape": shape, "column": column + 1, "row": row + 1}


def _tree(ask: str, command: Command, world: World) -> Tree:
    """Return the command, and the grid with its objects in the order of their cells."""
    clauses: list[Tree] = []
    for place in range(len(command.phrases) - 1, -1, -1):
        size, color, noun = command.phrases[place]
        below = clauses if command.nested or not place else []
        node: Tree = (noun, size or "any_size", color or "any_color", *below)
        if place:
            relation = command.relations[place - 1]
            name = relation if relation == "inside" else f"same_{relation}"
            clauses = [(name, node)] if command.nested else [(name, node), *clauses]
    things: list[Tree] = [
        (f"{color}_{shape}", size, column + 1, row + 1)
        for size, color, shape, (column, row) in sorted(world.things, key=lambda each: each.cell)
    ]
    agent = ("agent", world.agent[0] + 1, world.agent[1] + 1)
    grid: Tree = ("grid", world.side, agent, world.facing, *things)
    if ask == "cell":
        return ("find", node, grid)
    manner = (command.manner or "plainly").replace(" ", "_")
    return (command.verb + ("_any" if ask == "any_route" else ""), manner, node, grid)


# pictures


def _drawn(world: World) -> Picture:
    """Return a picture of a world."""
    picture = Picture(_WIDTH, _WIDTH)
    cell = (_WIDTH - _MARGIN - _END) / world.side
    numbered_grid(picture, (world.side, world.side), cell, _MARGIN)

    def middle(place: tuple[int, int]) -> Point:
        return _MARGIN + (place[0] + 0.5) * cell, _MARGIN + (place[1] + 0.5) * cell

    for thing in world.things:
        _draw(picture, thing, middle(thing.cell), _SHARES[thing.size] * cell)
    _draw_agent(picture, world.facing, middle(world.agent), 0.36 * cell)
    return picture


def _draw(picture: Picture, thing: Thing, center: Point, height: float) -> None:
    ink = Ink(PALETTE[thing.color], INK)
    if thing.shape == "square":
        picture.square(center, height, ink)
    elif thing.shape == "circle":
        picture.circle(center, height / 2, ink)
    elif thing.shape == "box":
        picture.square(center, height, ink)
        picture.square(center, 0.5 * height, Ink(PALETTE["white"], INK))
    else:
        picture.cylinder(center, height, ink)


def _draw_agent(picture: Picture, facing: str, center: Point, size: float) -> None:
    """Draw a dark arrowhead that points where the agent faces."""
    (x, y), (ahead, down) = center, _FORWARD[facing]

    def corner(along: float, across: float) -> Point:
        right, below = along * ahead - across * down, along * down + across * ahead
        return x + size * right, y + size * below

    corners = (corner(1, 0), corner(-0.8, 0.8), corner(-0.4, 0), corner(-0.8, -0.8))
    picture.polygon(corners, Ink(INK))


GENERATORS = {"grounded_commands": GroundedCommands}
