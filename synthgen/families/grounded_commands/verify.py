"""Commands on a grid from the text: tuples of objects are tried, and the actions replayed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from synthgen.authoring import (
    AnswerChecker,
    Shape,
    Sighted,
    Words,
    filled,
    holes,
    reads,
    wording_pattern,
)
from synthgen.authoring.pictures import color_name, grid_lines, in_cells

_WORDS = Words.beside(__file__)
_RULES, _SCENES, _STEPS = _WORDS["rules"], _WORDS["scenes"], _WORDS["steps"]
_COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
_SHAPES = {"s": "square", "o": "circle", "c": "cylinder", "x": "box"}
_UNITS = {"north": -1j, "east": 1 + 0j, "south": 1j, "west": -1 + 0j}
_NAMES = {unit: name for name, unit in _UNITS.items()}
_TAPE = {
    "walk": "W",
    "push": "P",
    "pull": "P",
    "stay": "S",
    "turn left": "L",
    "turn right": "R",
}
_QUARTERS = {"": 1, "L": -1j, "R": 1j, "LL": -1}
_MANNERS = {
    "": ("(|L|R|LL)W", "P"),
    "while zigzagging": ("(|L|R|LL)W", "P"),
    "while spinning": ("LLLL(|L|R|LL)W", "LLLLP"),
    "cautiously": ("(|L|R|LL)LRRLW", "LRRLP"),
    "hesitantly": ("(|L|R|LL)WS", "PS"),
}
"""Actions of a step, with its turns as a group, and those of a push or pull."""
_MAX_SIDE, _MAX_OBJECTS, _MAX_CLAUSES, _MAX_ACTIONS = 12, 24, 3, 500
_PHRASE = re.compile(
    r"(?:(small|big) )?(?:(red|green|blue|yellow) )?(square|circle|cylinder|box|object)"
)
_NUMBER = holes.pattern("[1-9][0-9]?", int)
_HOLES = dict.fromkeys(("side", "column", "row", "size"), _NUMBER) | dict.fromkeys(
    ("facing", "color", "shape"), holes.pattern("[a-z]+")
)
_LINES = {name: wording_pattern(_SCENES[name], _HOLES)[1] for name in ("grid", "agent", "thing")}


class _Object(NamedTuple):
    """An object; its cell is column + row * 1j, from 1."""

    size: int
    color: str
    shape: str
    cell: complex


class _Phrase(NamedTuple):
    """Words for an object, after an article."""

    article: str
    size: str
    color: str
    noun: str

    def candidates(self, objects: Sequence[_Object]) -> list[_Object] | None:
        """Return the objects that fit; None if the article is wrong."""
        kind = [
            each
            for each in objects
            if self.noun in (each.shape, "object") and self.color in (each.color, "")
        ]
        chosen = [
            each
            for each in kind
            if not self.size
            or any(
                (other.size > each.size, other.size < each.size)[self.size == "big"]
                for other in kind
            )
        ]
        is_the = self.article == "the"
        return chosen if not self.article or is_the == (len(chosen) == 1) else None


class _Task(NamedTuple):
    """What a prompt states."""

    ask: str
    verb: str
    manner: str
    side: int
    agent: complex
    facing: complex
    objects: tuple[_Object, ...]
    target: _Object


_Grid = tuple[int, complex, complex, tuple[_Object, ...]]


class _Said(NamedTuple):
    """What a prompt states besides a picture."""

    ask: str
    verb: str
    manner: str
    text: str
    grid: _Grid | None


# the grid


_SHOWN = "shown"
"""Stands for a grid that only a picture shows."""


def _scene(text: str) -> _Grid | str | None:
    """Read a grid that is written in one of three ways, or shown."""
    if text == _SCENES["picture"]:
        return _SHOWN
    if text.startswith("{"):
        return _from_json(text)
    head, *lines = text.split("\n")
    if head == _SCENES["legend"]:
        return _from_characters(lines)
    return _from_list(head, lines)


def _from_json(text: str) -> _Grid | None:
    """Read a grid in JSON, spelled as prompts spell it."""
    try:
        whole = json.loads(text)
        agent, side = whole["agent"], int(whole["columns"])
        objects = tuple(_object(**thing) for thing in whole["objects"])
        cell, facing = complex(agent["column"], agent["row"]), _UNITS[agent["facing"]]
        known = {**_shown(cell), "facing": _NAMES[facing]}
    except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
        return None
    things = [
        {"size": each.size, "color": each.color, "shape": each.shape, **_shown(each.cell)}
        for each in objects
    ]
    expected = {"columns": side, "rows": side, "agent": known, "objects": things}
    return (side, cell, facing, objects) if json.dumps(expected) == text else None


def _shown(cell: complex) -> dict[str, int]:
    return {"column": int(cell.real), "row": int(cell.imag)}


def _object(size: Any, color: Any, shape: Any, column: Any, row: Any) -> _Object:
    return _Object(int(size), str(color), str(shape), complex(int(column), int(row)))


def _from_characters(lines: Sequence[str]) -> _Grid | None:
    objects, agents = [], []
    arrows = dict(zip("^>v<", _UNITS.values(), strict=True))
    for row, line in enumerate(lines, 1):
        marks = line.split()
        if len(marks) != len(lines) or line != " ".join(f"{mark:3}" for mark in marks).rstrip():
            return None
        for column, mark in enumerate(marks, 1):
            if mark in arrows:
                agents.append((complex(column, row), arrows[mark]))
            elif re.fullmatch("[rgby][1-4][socx]", mark):
                color, size, shape = _COLORS[mark[0]], int(mark[1]), _SHAPES[mark[2]]
                objects.append(_Object(size, color, shape, complex(column, row)))
            elif mark != ".":
                return None
    return (len(lines), *agents[0], tuple(objects)) if len(agents) == 1 else None


def _from_list(head: str, lines: Sequence[str]) -> _Grid | None:
    grid = _match("grid", head)
    agent = _match("agent", lines[0]) if lines else None
    things = [_match("thing", line) for line in lines[1:]]
    if not grid or not agent or None in things or agent["facing"] not in _UNITS:
        return None
    cell = complex(int(agent["column"]), int(agent["row"]))
    objects = tuple(_object(**thing) for thing in things if thing)
    return int(grid["side"]), cell, _UNITS[agent["facing"]], objects


def _match(name: str, line: str) -> dict[str, str] | None:
    match = _LINES[name].fullmatch(line)
    return match and match.groupdict()


def _from_shapes(shapes: Sequence[Shape]) -> _Grid | None:
    """Read a grid from its picture: the cells of what is filled, its colors and its heights."""
    columns, rows = grid_lines(shapes)
    side = len(columns) - 1
    if side < 1 or len(rows) != len(columns):
        return None
    height = (rows[-1] - rows[0]) / side
    objects, agents = [], []
    for (column, row), parts in in_cells(shapes).items():
        cell = complex(column, row)
        if [part.kind for part in parts] == ["polygon"]:
            agents.append((cell, _pointed(parts[0])))
        else:
            objects.append(_seen_object(cell, parts, height))
    sound = [each for each in objects if each]
    if len(agents) != 1 or len(sound) != len(objects):
        return None
    return (side, *agents[0], tuple(sound))


def _pointed(arrow: Shape) -> complex:
    """Return the direction of the corner of an arrowhead that is farthest from all others."""
    points = [complex(*point) for point in arrow.points]
    middle = sum(points) / len(points)
    tip = max(points, key=lambda point: abs(point - middle)) - middle
    return max(_UNITS.values(), key=lambda unit: (tip * unit.conjugate()).real)


def _seen_object(cell: complex, parts: Sequence[Shape], height: float) -> _Object | None:
    """Return the object whose parts lie in a cell of some height."""
    kinds = Counter(part.kind for part in parts)
    colors = {color for part in parts for color in [color_name(part.fill)]}
    ys = [y for part in parts for _, y in part.points]
    size = round((max(ys) - min(ys)) / height * 5 - 0.5)
    shape = {"rect": "square", "rect rect": "box", "circle": "circle"}.get(
        " ".join(sorted(kinds.elements())), "cylinder" if kinds["ellipse"] == 2 else ""
    )
    wanted = {"white"} if shape == "box" else set()
    named = colors - wanted
    if not shape or not wanted <= colors or len(named) != 1:
        return None
    return _Object(size, named.pop(), shape, cell)


def _is_sound(grid: _Grid) -> bool:
    """Return whether everything is on the grid, and no two things are in one cell."""
    side, agent, _, objects = grid
    cells = [agent, *(each.cell for each in objects)]
    return (
        2 <= side <= _MAX_SIDE
        and 0 < len(objects) <= _MAX_OBJECTS
        and all(1 <= cell.real <= side and 1 <= cell.imag <= side for cell in cells)
        and len({*cells}) == len(cells)
        and all(
            1 <= each.size <= 4
            and each.color in _COLORS.values()
            and each.shape in _SHAPES.values()
            for each in objects
        )
    )


# the command


def _sentence(text: str) -> tuple[list[_Phrase], list[str], bool] | None:
    """Read the phrases of a command, the relations of its clauses, and whether they are nested."""
    first, *rest = re.split(" (that is|and) ", text)
    joints, phrases, relations = rest[::2], [_phrase("", first.removeprefix("the "))], []
    for clause in rest[1::2]:
        for name, words in _WORDS["relations"].items():
            if clause.startswith(f"{words} "):
                article, _, phrase = clause.removeprefix(f"{words} ").partition(" ")
                phrases.append(_phrase(article, phrase) if article in ("a", "the") else None)
                relations.append(name)
    nested = 1 < len(joints) <= _MAX_CLAUSES and {*joints} == {"that is"}
    flat = joints == ["that is", "and", "and"][: len(joints)]
    if None in phrases or len(relations) != len(joints) or not (nested or flat):
        return None
    return [phrase for phrase in phrases if phrase], relations, nested


def _phrase(article: str, text: str) -> _Phrase | None:
    match = _PHRASE.fullmatch(text)
    return match and _Phrase(article, *match.groups(""))


def _related(relation: str, a: _Object, b: _Object) -> bool:
    if relation == "inside":
        offset = a.cell - b.cell
        return 0 <= min(offset.real, offset.imag) <= max(offset.real, offset.imag) < b.size
    values = {
        "row": (a.cell.imag, b.cell.imag),
        "column": (a.cell.real, b.cell.real),
        "size": (a.size, b.size),
        "color": (a.color, b.color),
        "shape": (a.shape, b.shape),
    }
    return values[relation][0] == values[relation][1]


def _target(text: str, objects: Sequence[_Object]) -> _Object | None:
    """Return the only object that fits, by trying tuples of different objects."""
    sentence = _sentence(text)
    if sentence is None:
        return None
    phrases, relations, nested = sentence
    sets = [phrase.candidates(objects) for phrase in phrases]
    if None in sets:
        return None
    chains: list[tuple[_Object, ...]] = [(each,) for each in sets[0] or ()]
    for relation, others in zip(relations, sets[1:], strict=True):
        chains = [
            (*chain, other)
            for chain, other in product(chains, others or ())
            if other not in chain and _related(relation, chain[-1 if nested else 0], other)
        ]
    fits = {chain[0] for chain in chains}
    return fits.pop() if len(fits) == 1 else None


def _rules_for(ask: str, verb: str, manner: str, text: str) -> str:
    """Return the rules that a prompt states."""
    acts, any_route, zigzag = ask != "cell", ask == "any_route", manner == "while zigzagging"
    moves = verb in ("push", "pull")
    is_stated = {
        "route": acts and not any_route and not zigzag,
        "zigzag": acts and not any_route and zigzag,
        "any_route": any_route and not zigzag,
        "any_zigzag": any_route and zigzag,
        "turn": acts,
        "spin": manner == "while spinning",
        "cautious": manner == "cautiously",
        "hesitant": manner == "hesitantly",
        "push": verb == "push",
        "pull": verb == "pull",
        "box": moves and " that is " in text,
        "weight": moves,
        "kind": not acts or " small " in text or " big " in text,
        "inside": " inside " in text,
    }
    return " ".join(_RULES[name] for name, stated in is_stated.items() if stated)


@reads(
    _WORDS,
    scene=holes.pattern(r"(?:.+\n)*.+", _scene),
    command=holes.pattern("[a-z ]{10,400}"),
    phrase=holes.pattern("the [a-z ]{3,400}"),
    rules=holes.pattern("[A-Za-z0-9,.:;() -]{10,3000}"),
)
def _read(
    kind: str, scene: _Grid | str, command: str = "", phrase: str = "", rules: str | None = None
) -> _Said | None:
    verbs = {words: verb for verb, words in _WORDS["verbs"].items()}
    verb, manner, text = "find", "", phrase
    if command:
        start, the, rest = command.partition(" the ")
        manner = next((m for m in _MANNERS if m and rest.endswith(f" {m}")), "")
        text = f"the {rest}".removesuffix(f" {manner}")
        verb = verbs.get(start, "") if the else ""
    if not verb or not text.startswith("the "):
        return None
    if rules is not None and rules != _rules_for(kind, verb, manner, text):
        return None
    return _Said(kind, verb, manner, text, None if isinstance(scene, str) else scene)


def _see(said: _Said, shapes: Sequence[Shape] | None) -> _Task | None:
    """Return the task in the grid that is written or shown, or both."""
    seen = _from_shapes(shapes) if shapes else None
    if shapes and seen is None:
        return None
    grids = [grid for grid in (said.grid, seen) if grid]
    if not grids or not _is_sound(grids[0]):
        return None
    if len({(*grid[:3], frozenset(grid[3])) for grid in grids}) > 1:
        return None
    side, agent, facing, objects = grids[0]
    target = _target(said.text, objects)
    return target and _Task(*said[:3], side, agent, facing, objects, target)


# the answer


def _parts(task: _Task, answer: str) -> Iterator[tuple[complex, str] | None]:
    """Yield the direction and the actions of each step, push and pull; None for a mistake."""
    actions = answer.split(", ")
    tape = "".join(_TAPE.get(action, "?") for action in actions)
    step, move = (re.compile(pattern) for pattern in _MANNERS[task.manner])
    at, cell, facing, last = 0, task.agent, task.facing, 0j
    while cell != task.target.cell:
        match = step.match(tape, at)
        turned = facing * _QUARTERS[match[1]] if match else 0j
        if match is None or turned not in _allowed(task, cell, last):
            yield None
            return
        yield turned, ", ".join(actions[at : match.end()])
        at, cell, facing, last = match.end(), cell + turned, turned, turned
    if task.verb in ("push", "pull"):
        facing *= 1 if task.verb == "push" else -1
        count = _room(task, facing) * (2 if task.target.size > 2 else 1)
        for _ in range(count):
            match = move.match(tape, at)
            if (
                match is None
                or actions[match.end() - 1 - (task.manner == "hesitantly")] != task.verb
            ):
                yield None
                return
            yield facing, ", ".join(actions[at : match.end()])
            at = match.end()
        if not count:
            yield facing, ""
    if at != len(actions):
        yield None


def _allowed(task: _Task, cell: complex, last: complex) -> list[complex]:
    """Return the directions of steps that the rules allow in a cell, after the last step."""
    gap = task.target.cell - cell
    nearer = [unit for unit in _UNITS.values() if abs(gap - unit) < abs(gap)]
    level = [unit for unit in nearer if unit.real]
    if len(nearer) < 2:
        return nearer
    if task.manner == "while zigzagging" and last:
        return [unit for unit in nearer if bool(unit.real) != bool(last.real)]
    return nearer if task.ask == "any_route" else level


def _room(task: _Task, direction: complex) -> int:
    """Return the number of free cells from the target on."""
    taken = {each.cell for each in task.objects if each.shape != "box"}
    cell, count = task.target.cell + direction, 0
    while 1 <= cell.real <= task.side and 1 <= cell.imag <= task.side and cell not in taken:
        cell, count = cell + direction, count + 1
    return count


def _accepts(task: _Task, answer: str) -> bool:
    """Replay the actions, or compare the cell."""
    if task.ask == "cell":
        return answer == f"{int(task.target.cell.real)}, {int(task.target.cell.imag)}"
    return answer.count(",") < _MAX_ACTIONS and None not in [*_parts(task, answer)]


def _follows(task: _Task, answer: str, lines: Sequence[str]) -> bool:
    """Compare with the target, and the parts of the answer."""
    size, color, shape, cell = task.target
    known = {"size": size, "color": color, "shape": shape, **_shown(cell)}
    expected = [filled(_STEPS["target"], known)]
    for part in _parts(task, answer) if task.ask != "cell" else ():
        if part is None:
            return False
        direction, actions = _NAMES[part[0]], part[1]
        name = "step" if actions else "blocked"
        expected.append(filled(_STEPS[name], {"direction": direction, "actions": actions}))
    return [*lines] == expected


def _plain(task: _Task, answer: str) -> str:
    """Return an answer with single spaces after its commas."""
    del task
    return ", ".join(" ".join(part.split()) for part in answer.split(","))


def _type_of(task: _Task) -> str:
    types = {"actions": "list", "any_route": "string", "cell": "list:integer"}
    return types[task.ask]


VERIFIERS = {
    "grounded_commands": AnswerChecker(
        Sighted(_read, _see), _accepts, _follows, plain=_plain, answer_type=_type_of
    )
}
