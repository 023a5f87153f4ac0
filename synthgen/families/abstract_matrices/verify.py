"""Matrices from the text: the third lines that complete a rule are tried, value by value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import dist, isqrt
from typing import Any, NamedTuple

from synthgen.authoring import AnswerChecker, Shape, Sighted, Words, filled, holes, reads

_WORDS = Words.beside(__file__)
_RULES, _HEADS, _ATTRIBUTES, _STEPS, _SHOWN = (
    _WORDS[name] for name in ("rules", "configurations", "attributes", "steps", "shown")
)
_FIVE = ("triangle", "square", "pentagon", "hexagon", "circle")
_SEVEN = ("triangle", "square", "pentagon", "hexagon", "octagon", "circle", "star")
_KINDS = ("horizontal", "vertical", "rising", "falling", "diamond", "ring")
_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
_MAX_ANSWER = 3_000
_COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))


class _Part(NamedTuple):
    """A part of a panel: its name, its positions (or kinds of lines), and the names of types."""

    name: str
    slots: int
    types: tuple[str, ...]
    max_size: int

    def is_sound(self, objects: _Objects) -> bool:
        """Return whether there are objects, each at a position of its own."""
        slots = {each[0] for each in objects}
        return len(slots) == len(objects) > 0 and max(slots) < self.slots


_Objects = tuple[tuple[int, int, int, int], ...]
"""Positions, types, sizes and colors of objects; types are numbered."""
_Panel = tuple[_Objects, ...]
_Values = frozenset[int]
_PARTS = {
    "center_single": (_Part("center", 1, _FIVE, 6),),
    "distribute_four": (_Part("grid", 4, _FIVE, 6),),
    "distribute_nine": (_Part("grid", 9, _FIVE, 6),),
    "left_right": (_Part("left", 1, _FIVE, 6), _Part("right", 1, _FIVE, 6)),
    "up_down": (_Part("top", 1, _FIVE, 6), _Part("bottom", 1, _FIVE, 6)),
    "in_out": (_Part("outer", 1, _FIVE, 6), _Part("inner", 1, _FIVE, 6)),
    "in4_out": (_Part("outer", 1, _FIVE, 6), _Part("inner", 4, _FIVE, 6)),
    "grid_lines": (_Part("shapes", 9, _SEVEN, 10), _Part("lines", 6, (), 0)),
}


class _Task(NamedTuple):
    """What a prompt states."""

    kind: str
    configuration: str
    panels: tuple[_Panel, ...]
    candidates: tuple[_Panel, ...]
    is_json: bool

    def written(self, panel: _Panel) -> str:
        """Write a panel as the prompt does."""
        return _written(_PARTS[self.configuration], panel, is_json=self.is_json)


# the text

_OBJECT = re.compile(r"(?:([1-9]) )?([a-z]+) (10|[1-9]) ([0-9])", re.ASCII)
_LINE = re.compile(r"([a-z]+) ([0-9])", re.ASCII)


def _object(part: _Part, text: str) -> tuple[int, int, int, int] | None:
    match = (_OBJECT if part.types else _LINE).fullmatch(text)
    if match is None:
        return None
    if not part.types:
        kind, color = match.groups()
        return (_KINDS.index(kind), 0, 0, int(color)) if kind in _KINDS else None
    place, name, size, color = match.groups()
    if (place is None) != (part.slots == 1) or name not in part.types or int(size) > part.max_size:
        return None
    return int(place or 1) - 1, part.types.index(name), int(size), int(color)


def _panel(parts: Sequence[_Part], text: str) -> _Panel | None:
    """Read a panel in text or in JSON, with its objects in any order."""
    if text.startswith("{"):
        return _panel_of_json(parts, text)
    texts = text.split("; ") if len(parts) > 1 else [text]
    if len(texts) != len(parts):
        return None
    made = []
    for part, each in zip(parts, texts, strict=True):
        objects = each
        if len(parts) > 1:
            name, _, objects = each.partition(": ")
            if name != part.name:
                return None
        found = [_object(part, one) for one in objects.split(", ")]
        known = tuple(sorted(one for one in found if one))
        if len(known) < len(found) or not part.is_sound(known):
            return None
        made.append(known)
    return tuple(made)


def _panel_of_json(parts: Sequence[_Part], text: str) -> _Panel | None:
    try:
        whole = json.loads(text)
        if {*whole} != {part.name for part in parts}:
            return None
        texts = [", ".join(_object_text(part, one) for one in whole[part.name]) for part in parts]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if any(mark in "".join(texts) for mark in ";:"):
        return None
    named = [f"{part.name}: {each}" for part, each in zip(parts, texts, strict=True)]
    return _panel(parts, "; ".join(named) if len(parts) > 1 else texts[0])


def _object_text(part: _Part, known: Mapping[str, Any]) -> str:
    names = (
        ["position", "type", "size", "color"][part.slots == 1 :]
        if part.types
        else ["line", "color"]
    )
    if {*known} != {*names}:
        raise ValueError(known)
    return " ".join(_plain_value(known[name]) for name in names)


def _plain_value(value: object) -> str:
    if type(value) not in (int, str):
        raise ValueError(value)
    return str(value)


def _written(parts: Sequence[_Part], panel: _Panel, *, is_json: bool) -> str:
    """Write a panel as prompts do."""
    sides = [
        (part.name, [_properties(part, *each) for each in objects])
        for part, objects in zip(parts, panel, strict=True)
    ]
    if is_json:
        return json.dumps(dict(sides))
    texts = [
        (name, ", ".join([" ".join(map(str, known.values())) for known in each]))
        for name, each in sides
    ]
    return "; ".join(map(": ".join, texts)) if len(parts) > 1 else texts[0][1]


def _properties(part: _Part, slot: int, kind: int, size: int, color: int) -> dict[str, int | str]:
    if not part.types:
        return {"line": _KINDS[slot], "color": color}
    place: dict[str, int | str] = {"position": slot + 1} if part.slots > 1 else {}
    return {**place, "type": part.types[kind], "size": size, "color": color}


def _matrix(text: str) -> tuple[str, tuple[_Panel, ...], bool] | None:
    """Read the configuration and eight panels, and whether they are in JSON."""
    head, *lines = text.split("\n")
    configuration = next((name for name, each in _HEADS.items() if each == head), "")
    for name, each in _SHOWN["configurations"].items():
        if text == f"{each} {_SHOWN['matrix']}":
            return name, (), False
    starts = [f"Row {n // 3 + 1}, column {n % 3 + 1}: " for n in range(8)]
    panels = configuration and _listed(configuration, lines, starts)
    return (configuration, panels, lines[0].endswith("}")) if panels else None


def _listed(
    configuration: str, lines: Sequence[str], starts: Sequence[str]
) -> tuple[_Panel, ...] | None:
    if len(lines) != len(starts):
        return None
    parts = _PARTS[configuration]
    panels = []
    for line, start in zip(lines, starts, strict=True):
        text = line.removeprefix(start)
        panel = _panel(parts, text)
        if panel is None or line != start + _written(parts, panel, is_json=text[0] == "{"):
            return None
        panels.append(panel)
    return tuple(panels)


def _rules_for(configuration: str) -> str:
    """Return the rules that a prompt states."""
    parts = _PARTS[configuration]
    grid, lines = any(part.slots > 1 for part in parts), not all(part.types for part in parts)
    is_head = {
        "types": True,
        "one": not grid,
        "grid": grid and not lines,
        "lines": lines,
        "rows": True,
    }
    is_rule = {
        "constant": True,
        "progression": not grid,
        "grid_progression": grid,
        "arithmetic": not grid,
        "grid_arithmetic": grid,
        "distribute_three": True,
        "sets": grid,
    }
    known = {"types": ", ".join(parts[0].types), "lines": ", ".join(_KINDS)}
    head = " ".join(filled(_RULES[name], known) for name, stated in is_head.items() if stated)
    return "\n- ".join([head, *(_RULES[name] for name, stated in is_rule.items() if stated)])


@reads(
    _WORDS,
    matrix=holes.pattern(r"Each panel .+(?:\n.+){8}|Each panel .+", _matrix),
    candidates=holes.pattern(r"1\. .+(?:\n.+){7}|\(see the picture.+"),
    rules=holes.pattern(r"Types are .+(?:\n- .+){4,5}"),
)
def _read(
    kind: str,
    matrix: tuple[str, tuple[_Panel, ...], bool],
    candidates: str = "",
    rules: str | None = None,
) -> _Task | None:
    configuration, panels, is_json = matrix
    starts = [f"{n}. " for n in range(1, 9)]
    written = "" if candidates == _SHOWN["candidates"] else candidates
    listed = _listed(configuration, written.split("\n"), starts) if written else ()
    if bool(candidates) != (kind == "candidate") or bool(listed) != bool(written and panels):
        return None
    if listed is None or rules not in (None, _rules_for(configuration)):
        return None
    return _Task(kind, configuration, panels, listed, is_json)


# the picture


def _see(task: _Task, shapes: Sequence[Shape] | None) -> _Task | None:
    """Return the task with the panels that the prompt states, the picture shows, or both."""
    if shapes is None:
        return task if task.panels else None
    frames = [shape for shape in shapes if shape.kind == "rect"]
    numbers = [shape for shape in shapes if shape.text.isdecimal()]
    asked = [shape.center for shape in shapes if shape.text == "?"]
    if len(frames) != 9 + len(numbers) or len(asked) != 1:
        return None
    above = {min(frames, key=lambda f: dist(f.center, n.center)): int(n.text) for n in numbers}
    given = sorted((f for f in frames if f not in above), key=lambda f: f.center[::-1])
    if given.pop().center != asked[0] or sorted(above.values()) != [*range(1, len(numbers) + 1)]:
        return None
    parts = _PARTS[task.configuration]
    sides = given, sorted(above, key=above.__getitem__)
    panels, candidates = ([_panel_in(f, shapes, parts) for f in some] for some in sides)
    known, offered = (tuple(p for p in some if p) for some in (panels, candidates))
    if len(known) < len(panels) or len(offered) < len(candidates):
        return None
    seen = task._replace(panels=known, candidates=offered)
    return seen if not task.panels or task == seen else None


def _panel_in(frame: Shape, shapes: Sequence[Shape], parts: Sequence[_Part]) -> _Panel | None:
    """Read the panel in a frame: what it holds by places, corners, radii and grays."""
    (left, top), (side, _) = frame.points[0], frame.size
    objects: list[dict[int, tuple[int, int, int, int]]] = [{} for _ in parts]
    for shape in shapes:
        x, y = ((at - start) / side for at, start in zip(shape.middle, (left, top), strict=True))
        if shape.kind in ("rect", "text") or not (0 < x < 1 and 0 < y < 1):
            continue
        radius = max(dist(shape.middle, point) for point in shape.points) / side
        radius /= 2**0.5 if shape.kind == "circle" else 1  # its points are those of a box
        kind = _crossing(shape, radius)
        if kind is not None:
            if "lines" not in [part.name for part in parts]:
                return None
            objects[-1][kind] = (kind, 0, 0, _gray(shape.edge))  # the last lies over its edge
            continue
        second = {"left": x > 0.5, "top": y > 0.5, "outer": radius < _OUTSIDE}
        place = int(second.get(parts[0].name, False))
        part, (start, width) = parts[place], _SPANS.get(parts[place].name, (0.0, 1.0))
        columns = isqrt(part.slots)
        column, row = (int((at - start) / width * columns) for at in (x, y))
        room = 0.47 * width / columns
        name = _CORNERS.get(len(shape.points), "") if shape.kind == "polygon" else "circle"
        slot = row * columns + column if columns > 1 else 0
        size = 1 + round((radius / room - 0.4) / 0.6 * (part.max_size - 1))
        if name not in part.types:
            return None
        objects[place][slot] = slot, part.types.index(name), size, _gray(shape.fill)
    found = [tuple(known[slot] for slot in sorted(known)) for known in objects]
    sound = all(part.is_sound(each) for part, each in zip(parts, found, strict=True))
    return tuple(found) if sound else None


_CORNERS = {3: "triangle", 4: "square", 5: "pentagon", 6: "hexagon", 8: "octagon", 10: "star"}
_SPANS = dict.fromkeys(("left", "right", "top", "bottom"), (0.0, 0.5)) | {"inner": (0.31, 0.38)}
"""Where a part with a grid begins, and how wide the part is; others fill a panel."""
_CROSSING, _OUTSIDE = 0.4, 0.25
"""Radii of lines across a panel in a grid, and of outer objects, at least."""


def _crossing(shape: Shape, radius: float) -> int | None:
    """Return the number of a line across a panel; None for another shape."""
    if shape.kind == "line":
        (a, b), (c, d) = shape.points
        name = "horizontal" if b == d else "vertical" if a == c else "falling"
        return _KINDS.index("rising" if name == "falling" and (c - a) * (d - b) < 0 else name)
    if shape.fill == "none" and radius > _CROSSING:
        return _KINDS.index("ring" if shape.kind == "circle" else "diamond")
    return None


def _gray(color: str) -> int:
    return round((255 - int(color[1:3], 16)) / 25)


# rules: properties of three sets of values

_Rule = Callable[[_Values, _Values, _Values, int], bool]


def _steps(step: int) -> _Rule:
    def holds(a: _Values, b: _Values, c: _Values, n: int) -> bool:
        if n:
            return a != b and b == {(v + step) % n for v in a} and c == {(v + step) % n for v in b}
        if not len(a) == len(b) == len(c) == 1:
            return False
        (x,), (y,), (z,) = a, b, c
        return y - x == step == z - y

    return holds


def _adds(a: _Values, b: _Values, c: _Values, n: int) -> bool:
    if n or not len(a) == len(b) == len(c) == 1:
        return False
    (x,), (y,), (z,) = a, b, c
    return x + y == z


def _subtracts(a: _Values, b: _Values, c: _Values, n: int) -> bool:
    if n:
        return bool(c) and c < a and not c & b and a - c <= b
    return _adds(c, b, a, 0)


_LAWS: dict[str, _Rule] = {
    "constant": lambda a, b, c, _: a == b == c,
    "plus_1": _steps(1),
    "plus_2": _steps(2),
    "minus_1": _steps(-1),
    "minus_2": _steps(-2),
    "add": _adds,
    "subtract": _subtracts,
    "or": lambda a, b, c, _: a != b and a <= c and b <= c and c <= a | b,
    "and": lambda a, b, c, _: a != b and c <= a and c <= b and all(v in c for v in a if v in b),
    "xor": lambda a, b, c, _: c == a.symmetric_difference(b),
}
_NAMES = {
    "number": ("constant", "plus_1", "plus_2", "minus_1", "minus_2", "add", "subtract"),
    "position": tuple(name for name in _LAWS if name != "add"),
    "type": tuple(name for name in _LAWS if name not in ("add", "subtract")),
    "size": tuple(_LAWS),
    "color": tuple(_LAWS),
}


class _Attribute(NamedTuple):
    """An attribute of a part, its values in the panels, and the rules of its first two lines."""

    part: int
    name: str
    turn: int
    lines: tuple[tuple[_Values, ...], ...]
    rules: tuple[str, ...]

    def completes(self, last: _Values) -> bool:
        """Return whether a rule holds if the ninth panel has these values."""
        return self.rule(last) != ""

    def rule(self, last: _Values) -> str:
        """Return the first rule that holds if the ninth panel has these values, or ""."""
        start, middle = self.lines[2]
        for name in self.rules:
            if name == "distribute_three":
                if {start, middle, last} == {*self.lines[0]}:
                    return name
            elif _LAWS[name](start, middle, last, self.turn):
                return name
        return ""


def _values(objects: _Objects, name: str) -> _Values:
    if name == "number":
        return frozenset([len(objects)])
    column = ("position", "type", "size", "color").index(name)
    return frozenset([each[column] for each in objects])


def _attributes(task: _Task, lines: Sequence[tuple[int, ...]]) -> Iterator[_Attribute]:
    """Yield the attributes of all parts, and what the first two lines say about their rules."""
    for number, part in enumerate(_PARTS[task.configuration]):
        names = ["number", "position"] if part.slots > 1 else []
        names += ["type", "size", "color"] if part.types else ["color"]
        if part.name == "outer":
            names.remove("color")
        for name in names:
            known = [_values(panel[number], name) for panel in task.panels]
            turn = part.slots if name == "position" else 0
            first, second, third = (tuple([known[n] for n in line if n < 8]) for line in lines)
            (a, b, c), (d, e, f) = first, second
            rules = [
                rule
                for rule in _NAMES[name]
                if _LAWS[rule](a, b, c, turn) and _LAWS[rule](d, e, f, turn)
            ]
            if len({*first}) == 3 and {*first} == {*second}:
                rules.append("distribute_three")
            yield _Attribute(number, name, turn, (first, second, third), tuple(rules))


# the answer


def _directions(task: _Task) -> list[list[_Attribute]]:
    return [[*_attributes(task, lines)] for lines in (_ROWS, _COLUMNS)]


def _score(attributes: Sequence[_Attribute], panel: _Panel) -> int:
    return sum(
        each.completes(_values(panel[each.part], each.name)) for each in attributes if each.rules
    )


def _solved(task: _Task) -> tuple[str, _Panel, list[_Attribute]] | None:
    """Return the answer, the ninth panel, and the attributes along the direction of the rules."""
    rows, columns = _directions(task)
    if task.kind == "candidate":
        scores = [max(_score(rows, each), _score(columns, each)) for each in task.candidates]
        best = max(scores)
        if scores.count(best) > 1:
            return None
        panel = task.candidates[scores.index(best)]
        answer = str(scores.index(best) + 1)
    else:
        made = _completed(task, rows, columns)
        if made is None:
            return None
        panel, answer = made, ""
    is_row = _score(rows, panel) >= _score(columns, panel)
    return answer, panel, rows if is_row else columns


def _completed(
    task: _Task, rows: Sequence[_Attribute], columns: Sequence[_Attribute]
) -> _Panel | None:
    """Return the only panel with which the most attributes follow a rule."""
    found = [_best(task, rows), _best(task, columns)]
    most = max(score for score, _ in found)
    panels = {panel for score, panel in found if score == most}
    return panels.pop() if len(panels) == 1 else None


def _best(task: _Task, attributes: Sequence[_Attribute]) -> tuple[int, _Panel | None]:
    """Return the most attributes that can follow a rule, and the panel if there is only one."""
    total, panel = 0, []
    for number, part in enumerate(_PARTS[task.configuration]):
        own = {each.name: each for each in attributes if each.part == number}
        sides = [_positions(own, part.slots)]
        for name, values in (
            ("type", range(len(part.types))),
            ("size", range(1, part.max_size + 1)),
            ("color", range(10)),
        ):
            sides.append(
                _tops(own[name], values) if name in own else (0, _fixed(task, number, name))
            )
        total += sum(score for score, _ in sides)
        panel.append(_only(*[known for _, known in sides]))
    return total, None if None in panel else tuple(each for each in panel if each)


def _fixed(task: _Task, part: int, name: str) -> list[_Values]:
    """Return the value of an attribute that no panel of a configuration changes."""
    return [*{_values(panel[part], name) for panel in task.panels}]


@cache
def _sets(slots: int) -> list[_Values]:
    return [
        frozenset(chosen)
        for count in range(1, slots + 1)
        for chosen in combinations(range(slots), count)
    ]


def _positions(own: Mapping[str, _Attribute], slots: int) -> tuple[int, list[_Values]]:
    """Return how many rules of position and number hold at best, and for which positions."""
    if slots == 1:
        return 0, [frozenset([0])]
    number, position = own["number"], own["position"]
    counts = [number.completes(frozenset([count])) for count in range(slots + 1)]
    scores = [position.completes(known) + counts[len(known)] for known in _sets(slots)]
    best = max(scores)
    return best, [known for known, score in zip(_sets(slots), scores, strict=True) if score == best]


def _tops(attribute: _Attribute, values: Sequence[int]) -> tuple[int, list[_Values]]:
    """Return whether a value completes a rule, and which values do, or all if none does."""
    if any(len(known) > 1 for line in attribute.lines for known in line):
        return 1, []
    single = [frozenset([value]) for value in values]
    known = [value for value in single if attribute.completes(value)]
    return (1, known) if known else (0, single)


def _only(*sides: Sequence[_Values]) -> _Objects | None:
    """Return the objects, if their positions, type, size and color have one value each."""
    if any(len(values) != 1 for values in sides):
        return None
    slots, *others = (values[0] for values in sides)
    (kind,), (size,), (color,) = others
    return tuple((slot, kind, size, color) for slot in sorted(slots))


def _answer_of(task: _Task) -> str | None:
    solved = _solved(task)
    return solved and (solved[0] or task.written(solved[1]))


def _plain(task: _Task, answer: str) -> str:
    """Return an answer as the prompt would write it, whatever the order of its objects."""
    if task.kind == "candidate" or len(answer) > _MAX_ANSWER:
        return answer.strip()
    spaced = re.sub(r"([,;:]) *", r"\1 ", answer)
    panel = _panel(_PARTS[task.configuration], " ".join(spaced.split()))
    return task.written(panel) if panel else answer


def _lines(task: _Task) -> Iterator[str]:
    """Yield the lines of the solution."""
    solved = _solved(task)
    if solved is None:
        return
    _, panel, attributes = solved
    parts = _PARTS[task.configuration]
    yield _STEPS["rows" if attributes == _directions(task)[0] else "columns"]
    rules = {
        (each.part, each.name): each.rule(_values(panel[each.part], each.name))
        for each in attributes
    }
    for each in attributes:
        part, rule = parts[each.part], rules[each.part, each.name]
        has_position = rules.get((each.part, "position"))
        if each.name == "number" and (has_position or not rule):
            continue
        if each.name == "position" and not rule and rules[each.part, "number"]:
            continue
        name = _ATTRIBUTES[each.name]
        known = {
            "attribute": name if len(parts) == 1 else f"{part.name}, {name}",
            "value": ", ".join(_named(part, each.name, _values(panel[each.part], each.name))),
        }
        yield filled(_STEPS[rule or "random"], known)


def _named(part: _Part, name: str, values: _Values) -> Iterator[str]:
    for value in sorted(values):
        if name == "position":
            yield _KINDS[value] if not part.types else str(value + 1)
        else:
            yield part.types[value] if name == "type" else str(value)


def _follows(task: _Task, answer: str, lines: Sequence[str]) -> bool:
    del answer
    return [*lines] == [*_lines(task)]


def _type_of(task: _Task) -> str:
    return "integer" if task.kind == "candidate" else "string"


VERIFIERS = {
    "abstract_matrices": AnswerChecker(
        Sighted(_read, _see),
        lambda task, answer: _answer_of(task) == answer,
        _follows,
        _answer_of,
        plain=_plain,
        answer_type=_type_of,
    )
}
