"""Questions about a grid of colored letters from the text, walked from the root of the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from math import prod
from operator import and_, xor
from typing import NamedTuple

from synthgen.authoring import (
    PlainVerifier,
    Shape,
    Sighted,
    Words,
    exactly,
    filled,
    holes,
    reads,
    wording_pattern,
)
from synthgen.authoring.pictures import color_name, grid_lines, in_cells

_WORDS = Words.beside(__file__)
_COLOR = "(?:red|green|blue|yellow|purple|orange|white|pink|cyan|brown)"
_NUMBER = holes.pattern("(?:0|[1-9][0-9]?)", int)
_MAX_SIDE, _MAX_NESTING = 12, 3
_STATED = ("exist", "sum", "product")
_HOLES = {
    **dict.fromkeys(("row", "column"), _NUMBER),
    **dict.fromkeys(("first", "second"), holes.pattern(f"the {_COLOR} letter [a-z]")),
    "color": holes.pattern(_COLOR),
    "letter": holes.pattern("[a-z]"),
    "article": holes.pattern("an?"),
    "statement": holes.pattern("[a-z ]{10,200}"),
}
_PAIR = f"current {_COLOR} [a-z]"
_PROGRAMS = {
    "exist": re.compile(f"{_PAIR} exist"),
    "location": re.compile(f"loc of {_PAIR}"),
    "color": re.compile("color of current (?P<letter>[a-z])"),
    "letter": re.compile(f"shape of current (?P<color>{_COLOR}) object"),
    "sum": re.compile(rf"{_PAIR}(?: \+ {_PAIR})? sum is (?P<parity>even|odd)"),
    "product": re.compile(rf"{_PAIR}(?: \* {_PAIR})? product is (?P<parity>even|odd)"),
}


def _patterns(table: str) -> dict[str, re.Pattern[str]]:
    texts = _WORDS[table]
    return {name: wording_pattern(text, _HOLES)[1] for name, text in texts.items()}


_STATEMENTS, _QUESTIONS = _patterns("statements"), _patterns("questions")
_ITEM, _SHOWN = _patterns("scene")["item"], _WORDS["scene"]["picture"]


class _Item(NamedTuple):
    """A colored letter and its cell."""

    row: int
    column: int
    color: str
    letter: str


class _Ask(NamedTuple):
    """A statement or a question: what it is about as colors and letters, "" for any."""

    kind: str
    wanted: tuple[tuple[str, str], ...]
    parity: str = ""


class _If(NamedTuple):
    """A condition and its branches."""

    condition: _Ask
    then: _Ask | _If
    otherwise: _Ask | _If


_Tree = _Ask | _If


class _Said(NamedTuple):
    """What a prompt states: its letters are None where only the picture shows them."""

    items: tuple[_Item, ...] | None
    tree: _Tree
    side: int | None


class _Task(NamedTuple):
    """Letters, and what is asked about them."""

    items: tuple[_Item, ...]
    tree: _Tree


# trees


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the colors and letters that a text names."""
    return tuple(re.findall(f"({_COLOR}) (?:letter )?([a-z])(?![a-z])", text))


def _statement(text: str) -> _Ask | None:
    """Read a statement in words."""
    for name, pattern in _STATEMENTS.items():
        match = pattern.fullmatch(text)
        if match:
            kind, _, rest = name.partition("_")
            if kind == "exist" and (match["article"] == "an") != (match["color"] == "orange"):
                return None
            return _Ask(kind, _pairs(text), rest[:-2])
    return None


def _question(text: str) -> _Ask | None:
    """Read a question in words."""
    for kind in ("statement", "location", "color", "letter"):
        match = _QUESTIONS[kind].fullmatch(text)
        if match and kind == "statement":
            return _statement(match["statement"])
        if match:
            known = {"color": "", "letter": "", **match.groupdict()}
            wanted = _pairs(text) if kind == "location" else ((known["color"], known["letter"]),)
            return _Ask(kind, wanted)
    return None


def _outline(text: str) -> _Tree | None:
    """Read a tree whose branches are indented."""
    lines = text.split("\n")
    tree = _branch(lines, "")
    return None if lines else tree


def _branch(lines: list[str], indent: str) -> _Tree | None:
    """Take the lines of a tree from the start of a list."""
    line = lines.pop(0) if lines else ""
    if not line.startswith(indent) or len(indent) > 2 * _MAX_NESTING:
        return None
    match = _QUESTIONS["if"].fullmatch(line.removeprefix(indent))
    if not match:
        return _question(line.removeprefix(indent))
    then = _branch(lines, f"{indent}  ")
    if not lines or lines.pop(0) != indent + _WORDS["questions"]["else"]:
        return None
    return _joined(_statement(match["statement"]), then, _branch(lines, f"{indent}  "))


def _program(text: str, nesting: int = 0) -> _Tree | None:
    """Read a tree in the published notation."""
    if text.startswith("[ if ") and text.endswith(" ]") and nesting < _MAX_NESTING:
        condition, _, rest = text[len("[ if ") : -len(" ]")].partition(" , then ")
        pieces = rest.split(" , else ")
        for place in range(1, len(pieces)):
            then = " , else ".join(pieces[:place])
            if then.count("[") == then.count("]"):
                below = [then, " , else ".join(pieces[place:])]
                first, second = (_program(part, nesting + 1) for part in below)
                return _joined(_simple(condition), first, second)
        return None
    return _simple(text)


def _simple(text: str) -> _Ask | None:
    """Read a statement or a question in the published notation."""
    for kind, pattern in _PROGRAMS.items():
        match = pattern.fullmatch(text)
        if match:
            known = {"color": "", "letter": "", "parity": "", **match.groupdict()}
            wanted = _pairs(text) or ((known["color"], known["letter"]),)
            return _Ask(kind, wanted, known["parity"])
    return None


def _joined(condition: _Ask | None, then: _Tree | None, other: _Tree | None) -> _If | None:
    if not condition or not then or not other or condition.kind not in _STATED:
        return None
    return _If(condition, then, other)


@reads(
    _WORDS,
    scene=holes.pattern(r"(?:[a-z0-9,:\- ]+\n)*[a-z0-9,:\- ]+|\(see the picture\)"),
    side=_NUMBER,
    question=holes.pattern(r"(?:[A-Za-z :?.]+\n)*[A-Za-z :?.]+", _outline),
    program=holes.pattern(r"[a-z,+*\[\] ]+", _program),
)
def _read(
    kind: str,
    scene: str,
    side: int | None = None,
    question: _Tree | None = None,
    program: _Tree | None = None,
) -> _Said | None:
    tree = question or program
    if tree is None or (kind == "conditional") != isinstance(tree, _If):
        return None
    if scene == _SHOWN:
        return _Said(None, tree, side)
    matches = [_ITEM.fullmatch(line) for line in scene.split("\n")]
    if None in matches:
        return None
    rows = [match.groups() for match in matches if match]
    items = tuple(_Item(int(row), int(column), *names) for row, column, *names in rows)
    return _Said(items, tree, side)


def _see(said: _Said, shapes: Sequence[Shape] | None) -> _Task | None:
    """Return the task with the letters that the prompt lists, the picture shows, or both."""
    given = said.items
    side = _MAX_SIDE if said.side is None else said.side
    if shapes is not None:
        seen = [
            _Item(row - 1, column - 1, color_name(part.fill), part.text)
            for (column, row), parts in in_cells(shapes).items()
            for part in parts
        ]
        if any(len(lines) != (said.side or len(lines) - 1) + 1 for lines in grid_lines(shapes)):
            return None
        if given is not None and {*given} != {*seen}:
            return None
        given = given or tuple(seen)
    if not given or side > _MAX_SIDE or max(max(item[:2]) for item in given) >= side:
        return None
    unique = len({item[:2] for item in given}) == len({item[2:] for item in given}) == len(given)
    return _Task(given, said.tree) if unique else None


# answers


def _fitting(task: _Task, ask: _Ask) -> list[_Item] | None:
    """Return one item for each that an ask is about; None if another number of them fits."""
    fits = []
    for color, letter in ask.wanted:
        some = [i for i in task.items if color in ("", i.color) and letter in ("", i.letter)]
        if len(some) > 1 or (not some and ask.kind != "exist"):
            return None
        fits += some
    return fits


def _value(ask: _Ask, fits: Sequence[_Item]) -> str:
    """Return the answer from the items that fit; parities from the last bits of coordinates."""
    if ask.kind == "location":
        return f"{fits[0].row}, {fits[0].column}"
    if ask.kind in ("color", "letter"):
        return str(getattr(fits[0], ask.kind))
    if ask.kind == "exist":
        return "true" if fits else "false"
    bits = [number & 1 for item in fits for number in item[:2]]
    is_odd = reduce(xor if ask.kind == "sum" else and_, bits) == 1
    return "true" if is_odd == (ask.parity == "odd") else "false"


class _Step(NamedTuple):
    """A condition on the path or the question, the items that it is about, and its answer."""

    ask: _Ask
    is_condition: bool
    fits: list[_Item]
    value: str


def _walk(task: _Task) -> Iterator[_Step | None]:
    """Yield the conditions on the path and the question; None where there is no answer."""
    tree = task.tree
    while True:
        ask = tree.condition if isinstance(tree, _If) else tree
        fits = _fitting(task, ask)
        if fits is None:
            yield None
            return
        value = _value(ask, fits)
        yield _Step(ask, isinstance(tree, _If), fits, value)
        if not isinstance(tree, _If):
            return
        tree = tree.then if value == "true" else tree.otherwise


def _solve(task: _Task) -> str | None:
    *_, last = _walk(task)
    return last and last.value


def _lines(task: _Task) -> Iterator[str | None]:
    """Yield the lines of the solution."""
    steps = _WORDS["steps"]
    for step in _walk(task):
        if step is None:
            yield None
            return
        ask, is_condition, fits, value = step
        if not fits:
            color, letter = ask.wanted[0]
            yield filled(steps["absent"], {"color": color, "letter": letter})
        for item in fits:
            yield filled(steps["place"], item._asdict())
        if ask.parity:
            yield _arithmetic(ask.kind, [number for item in fits for number in item[:2]])
        if is_condition:
            yield steps["first" if value == "true" else "second"]
        elif ask.kind in _STATED:
            yield filled(steps["statement"], {"truth": value})


def _arithmetic(kind: str, numbers: Sequence[int]) -> str:
    """Return a sum or a product."""
    value = sum(numbers) if kind == "sum" else prod(numbers)
    known = {
        "numbers": (" + " if kind == "sum" else " × ").join(map(str, numbers)),
        "value": value,
        "parity": "odd" if str(value)[-1] in "13579" else "even",
    }
    return filled(_WORDS["steps"][kind], known)


def _type_of(task: _Task) -> str:
    *_, last = _walk(task)
    return "list:integer" if last and last.ask.kind == "location" else "label"


VERIFIERS = {
    "conditional_grid": PlainVerifier(Sighted(_read, _see), _solve, _type_of, exactly(_lines))
}
