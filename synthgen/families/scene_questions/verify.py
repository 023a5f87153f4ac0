"""Questions about objects from the text: parsed from left to right, objects searched one by one."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Sequence
from typing import Any

from synthgen.authoring import Shape, Sighted, Words, holes, reads, wording_pattern
from synthgen.authoring.pictures import color_name, grid_lines
from synthgen.families.scene_questions.verify_animals import WORDS as ANIMAL_WORDS
from synthgen.families.scene_questions.verify_animals import read_animals
from synthgen.families.scene_questions.verify_programs import Call, Item, Task, checker
from synthgen.families.scene_questions.verify_text import Reader, by_word, one_of

WORDS = Words.beside(__file__)
_VALUES = {
    "size": ("small", "large"),
    "color": ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"),
    "material": ("rubber", "metal"),
    "shape": ("cube", "sphere", "cylinder"),
}
_NAMES = WORDS["values"]
_PLACES = by_word(WORDS["places"])
_MEANING = {
    form: by_word({value: _NAMES.get(value, [value]) for value in values}, end)
    for form, end, values in (
        *((name, "", _VALUES[name]) for name in ("size", "color", "material")),
        ("thing", "", (*_VALUES["shape"], "thing")),
        ("things", "s", (*_VALUES["shape"], "thing")),
    )
}
_ADJECTIVES = "".join(f"(?:({one_of(_MEANING[name])}) )?" for name in ("size", "color", "material"))
_DESCRIBED = {
    form: re.compile(rf"{article}{_ADJECTIVES}({one_of(_MEANING[noun])})")
    for form, article, noun in (
        ("one", "(another|an?) ", "thing"),
        ("the", "(the other|the) ", "thing"),
        ("many", "(?:(other) )?", "things"),
    )
}
_PATTERNS = {
    "is": re.compile("is|are"),
    "has": re.compile("has|have"),
    "attribute": re.compile(one_of(_VALUES)),
    "place": re.compile(one_of(_PLACES)),
}
_CLAUSES = ("same_relate", "relate_relate", "same", "relate")
"""Kinds of clauses; the longer ones are tried first."""
_MAX_THINGS, _SIDE = 12, 20
_CYLINDER, _SHAPES = 3, {"rect": "cube", "circle": "sphere", "ellipse": "cylinder"}
"""Parts of a cylinder in a picture, and what objects begin with."""
_NUMBER = holes.pattern("[1-9][0-9]?", int)
_THING = wording_pattern(
    WORDS["scenes"]["thing"],
    {**{name: holes.word(values) for name, values in _VALUES.items()}, "x": _NUMBER, "y": _NUMBER},
)[1]


class _Questions(Reader):
    """Parses a question about objects."""

    def question(self) -> Call | None:
        """Read a question of any wording."""
        for name, wordings in WORDS["questions"].items():
            for wording in wordings:
                known = self.whole(wording)
                if known is not None:
                    return _program(name, known)
        return None

    def hole(self, name: str) -> Any:
        """Read what a hole of a wording holds."""
        kind = name.partition("_")[0]
        if kind not in _PATTERNS:
            return self._nouns("many") if kind == "things" else self._described(kind)
        match = self.take(_PATTERNS[kind])
        return match and (_PLACES[match[0]] if kind == "place" else match[0])

    def _described(self, form: str) -> Call | None:
        """Read a noun, what is before it, and the clause after it."""
        program = self._nouns(form)
        return program and based(program, self._clause() or ("scene",))

    def _nouns(self, form: str) -> Call | None:
        match = self.take(_DESCRIBED[form])
        if match is None:
            return None
        *adjectives, noun = match.groups()[-4:]
        shape = _MEANING["things" if form == "many" else "thing"][noun]
        program: Call = ("scene",)
        for name, word in zip(("size", "color", "material"), adjectives, strict=True):
            if word:
                program = (f"filter_{name}", program, _MEANING[name][word])
        return program if shape == "thing" else ("filter_shape", program, shape)

    def _clause(self) -> Call | None:
        """Read what follows a noun."""
        for kind in _CLAUSES:
            for wording in WORDS["clauses"][kind]:
                known = self.here(f" {wording}")
                if known is not None:
                    return _relation(known)
        return None


def _relation(known: dict[str, Any]) -> Call:
    """Return the set that a clause states."""
    the = ("unique", known["the"])
    first: Call = ("relate", the, known["place"]) if "place" in known else ()
    if not first:
        first = (f"same_{known['attribute']}", the)
    if "the_other" not in known:
        return first
    return ("intersect", first, ("relate", ("unique", known["the_other"]), known["place_too"]))


def _program(name: str, known: dict[str, Any]) -> Call:
    """Return the program of a question of some wording."""
    order = ("one", "the", "the_other", "many", "many_more")
    sets = [known[hole] for hole in order if hole in known]
    if name == "count_relate":
        return ("count", based(known["things"], _relation(known)))
    if name in ("exist", "count"):
        return (name, *sets)
    if name == "union":
        return ("count", based(known["things"], ("union", *sets)))
    if name == "equal":
        attribute = known["attribute"]
        values = [(f"query_{attribute}", ("unique", each)) for each in sets]
        return (f"equal_{attribute}", *values)
    if name.startswith("query_"):
        return (name, ("unique", *sets))
    return (name, *(("count", each) for each in sets))


def based(filters: Call, base: Call) -> Call:
    """Return the same filters of another set."""
    return base if filters == ("scene",) else (filters[0], based(filters[1], base), filters[2])


# scenes


def _scene(text: str) -> tuple[Item, ...] | None:
    """Read a scene that is written in one of two ways, or shown; None if it is not sound."""
    if text == WORDS["scenes"]["picture"]:
        return ()
    if text.startswith("{"):
        items = _from_json(text)
    else:
        lines = [_THING.fullmatch(line) for line in text.split("\n")]
        items = [_item(line.groupdict()) for line in lines if line] if all(lines) else None
    return _sound(items)


def _sound(items: Sequence[Item] | None) -> tuple[Item, ...] | None:
    """Return objects that have known values and places of their own, else None."""
    if not items or len(items) > _MAX_THINGS:
        return None
    if any(value not in _VALUES[name] for each in items for name, value in each.values):
        return None
    if any(len({getattr(each, side) for each in items}) < len(items) for side in ("x", "y")):
        return None
    return tuple(items) if all(1 <= max(each.x, each.y) <= _SIDE for each in items) else None


def _item(known: dict[str, Any]) -> Item:
    x, y = int(known["x"]), int(known["y"])
    return Item(f"({x}, {y})", tuple((name, str(known[name])) for name in _VALUES), x, y)


def _from_json(text: str) -> list[Item] | None:
    """Read objects in JSON, spelled as prompts spell them."""
    try:
        items = [_item(each) for each in json.loads(text)["objects"]]
    except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
        return None
    whole = {"objects": [{**dict(each.values), "x": each.x, "y": each.y} for each in items]}
    return items if json.dumps(whole) == text else None


@reads(
    WORDS,
    scene=holes.pattern(r"(?:.+\n)*.+", _scene),
    question=holes.pattern(r"[A-Z][a-z ]{10,600}\?", lambda text: _Questions(text).question()),
    functions=holes.word(WORDS["functions"].values()),
)
def _read(
    kind: str, question: Call, scene: tuple[Item, ...] = (), functions: str = ""
) -> Task | None:
    del functions
    return Task(kind, question, scene)


def _see(task: Task, shapes: Sequence[Shape] | None) -> Task | None:
    """Return the task with the objects that the prompt lists, the picture shows, or both."""
    if task.kind != "answer":
        return task if shapes is None else None
    if shapes is None:
        return task if task.items else None
    items = _seen(shapes)
    if items is None or (task.items and {*task.items} != {*items}):
        return None
    return task._replace(items=task.items or items)


def _seen(shapes: Sequence[Shape]) -> tuple[Item, ...] | None:
    """Read objects from a picture: a cylinder has three parts, and a white part is a spot."""
    lines = grid_lines(shapes)
    if [*map(len, lines)] != [_SIDE + 1] * 2:
        return None
    things: list[list[Shape]] = [[]]
    for shape in shapes:
        if shape.kind in ("text", "line"):
            continue
        parts = things[-1]
        is_open = parts and parts[0].kind == "ellipse" and len(parts) < _CYLINDER
        if is_open or color_name(shape.fill) == "white":
            parts.append(shape)
        else:
            things.append([shape])
    return _sound([_seen_item(parts, lines) for parts in things if parts])


def _seen_item(parts: Sequence[Shape], lines: tuple[list[float], list[float]]) -> Item:
    """Return the object that parts show."""
    corners = [point for part in parts for point in part.points]
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*corners, strict=True))
    cell = lines[0][1] - lines[0][0]
    return _item(
        {
            "size": "large" if bottom - top > 1.3 * cell else "small",
            "color": color_name(parts[0].fill),
            "material": "metal" if color_name(parts[-1].fill) == "white" else "rubber",
            "shape": _SHAPES.get(parts[0].kind, ""),
            "x": bisect(lines[0], (left + right) / 2),
            "y": bisect(lines[1], (top + bottom) / 2),
        }
    )


VERIFIERS = {
    "scene_questions": checker(Sighted(_read, _see), WORDS),
    "animal_questions": checker(read_animals, ANIMAL_WORDS),
}
