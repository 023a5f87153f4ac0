"""Questions about animals from the text, parsed from left to right."""

from __future__ import annotations

import json
import re
from typing import Any

from synthgen.authoring import Words, holes, reads, wording_pattern
from synthgen.families.scene_questions.verify_programs import Call, Item, Task
from synthgen.families.scene_questions.verify_text import Reader, one_of

WORDS = Words.beside(__file__, "animals.toml")
_VALUES = {
    "animal": ("dog", "cat", "mouse"),
    "color": ("black", "white", "brown", "gray"),
    "shape": ("round", "square", "triangular"),
}
_DEEDS = {words: name for name, words in WORDS["deeds"].items()}
_NOUNS = {
    "one": {noun: noun for noun in (*_VALUES["animal"], "animal")},
    "many": {words: noun for noun, words in WORDS["plurals"].items()},
}
_NOUNS["the"] = _NOUNS["one"]
_DESCRIBED = {
    form: re.compile(
        rf"{article}(?:({one_of(_VALUES['shape'])}) )?(?:({one_of(_VALUES['color'])}) )?"
        rf"({one_of(_NOUNS[form])})"
    )
    for form, article in (("one", "an? "), ("the", "the "), ("many", ""))
}
_PATTERNS = {
    "is": re.compile("is|are"),
    "deed": re.compile(one_of(_DEEDS)),
    "attribute": re.compile("color|shape"),
    "value": re.compile(one_of((*_VALUES["color"], *_VALUES["shape"]))),
    "number": re.compile("[2-4]"),
}
_PATTERNS["other"] = _PATTERNS["value"]
_COMPARED = {
    "exactly": "equal_integer",
    "more_than": "greater_than",
    "fewer_than": "less_than",
    "as_many": "equal_integer",
    "more": "greater_than",
    "fewer": "less_than",
}
_MAX_ANIMALS = 8


def _kind(value: str) -> str:
    return next(name for name, values in _VALUES.items() if value in values)


class _Questions(Reader):
    """Parses a question about animals."""

    def question(self) -> Call | None:
        """Read a question of any wording."""
        for table, make in (("questions", _asked), ("whether", _said), ("whether_true", _said)):
            for name, wordings in WORDS[table].items():
                for wording in wordings:
                    known = self.whole(wording)
                    if known is not None:
                        return make(name, known)
        return None

    def hole(self, name: str) -> Any:
        """Read what a hole of a wording holds."""
        kind = name.partition("_")[0]
        if kind == "statement":
            return self._statement()
        if kind == "state":
            return self._state()
        if kind in _DESCRIBED:
            return self._described(kind)
        match = self.take(_PATTERNS[kind])
        if match is None:
            return None
        return int(match[0]) if kind == "number" else _DEEDS.get(match[0], match[0])

    def _statement(self) -> Call | None:
        for name, wordings in WORDS["statements"].items():
            for wording in wordings:
                known = self.here(wording)
                if known is not None:
                    return _said(name, known)
        return None

    def _state(self) -> Call | None:
        """Read what is said of animals."""
        match = self.take(_PATTERNS["value"])
        if match:
            return (f"filter_{_kind(match[0])}", ("scene",), match[0])
        known = self.here("{deed} {one}")
        return (known["deed"], ("scene",), known["one"]) if known else None

    def _described(self, form: str) -> Call | None:
        """Read a noun, what is before it, and the clause after it."""
        match = self.take(_DESCRIBED[form])
        if match is None:
            return None
        program: Call = ("scene",)
        noun = _NOUNS[form][match[3]]
        if noun != "animal":
            program = ("filter_animal", program, noun)
        for name, value in (("color", match[2]), ("shape", match[1])):
            if value:
                program = (f"filter_{name}", program, value)
        for wording in WORDS["clauses"]["deed"]:
            known = self.here(f" {wording}")
            if known is not None:
                return (known["deed"], program, known["one"])
        return program


def _asked(name: str, known: dict[str, Any]) -> Call | None:
    """Return the program of a question of some wording."""
    if name in ("and", "or"):
        return (name, known["statement"], known["statement_too"])
    if name == "count":
        return ("count", known["many"])
    if name == "count_deed":
        return ("count", (known["deed"], known["many"], known["one"]))
    call = (f"{name}_{known['attribute']}", ("unique", known["the"]))
    values = [known[hole] for hole in ("value", "other") if hole in known]
    return (*call, *values) if all(_kind(v) == known["attribute"] for v in values) else None


def _said(name: str, known: dict[str, Any]) -> Call | None:
    """Return the program of a statement of some wording."""
    if name == "any":
        return tuple(known["statement"])
    if name == "exist":
        return ("exist", known["one"] if "one" in known else known["many"])
    if name in _COMPARED:
        other = known.get("number") or ("count", known["many_more"])
        return (_COMPARED[name], ("count", known["many"]), other)
    if name in ("value", "same"):
        query, other = f"query_{known['attribute']}", known.get("value")
        if other and _kind(other) != known["attribute"]:
            return None
        other = other or (query, ("unique", known["the_other"]))
        return (f"equal_{known['attribute']}", (query, ("unique", known["the"])), other)
    return (name, known["many"], known["state"])


# scenes

_NAME = "[1-9]"
_DEED = re.compile(rf", ({'|'.join(_DEEDS)}) ({_NAME}(?:, {_NAME})*(?: and {_NAME})?)")
_ANIMAL = wording_pattern(
    WORDS["scenes"]["animal"],
    {
        "number": holes.pattern(_NAME),
        **{name: holes.word(values) for name, values in _VALUES.items()},
        "deeds": holes.pattern("[a-z0-9, ]*"),
    },
)[1]


def _scene(text: str) -> tuple[Item, ...] | None:
    """Read a scene that is written in one of two ways; None if it is not sound."""
    items = _from_json(text) if text.startswith("{") else [*map(_item, text.split("\n"))]
    if not items or not 1 < len(items) <= _MAX_ANIMALS:
        return None
    names = [str(number + 1) for number in range(len(items))]
    for name, item in zip(names, items, strict=True):
        if item is None or item.name != name:
            return None
        for _, others in item.deeds:
            if name in others or [each for each in names if each in others] != [*others]:
                return None
    return tuple(item for item in items if item)


def _item(line: str) -> Item | None:
    match = _ANIMAL.fullmatch(line)
    if match is None or _DEED.sub("", match["deeds"]):
        return None
    deeds = [
        (_DEEDS[d], tuple(re.findall(_NAME, some))) for d, some in _DEED.findall(match["deeds"])
    ]
    return _made(match["number"], match.groupdict(), tuple(deeds))


def _made(name: str, known: dict[str, Any], deeds: tuple[tuple[str, tuple[str, ...]], ...]) -> Item:
    values = tuple((attribute, str(known[attribute])) for attribute in _VALUES)
    return Item(name, values, x=int(name), deeds=deeds)


def _from_json(text: str) -> list[Item | None] | None:
    """Read animals in JSON, spelled as prompts spell them."""
    try:
        known = json.loads(text)["animals"]
        items = [
            _made(
                str(int(each["number"])),
                each,
                tuple(
                    (name, tuple(str(int(n)) for n in each[words]))
                    for words, name in _DEEDS.items()
                ),
            )
            for each in known
        ]
    except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
        return None
    if any(value not in _VALUES[name] for each in items for name, value in each.values):
        return None
    whole = [
        {
            "number": int(each.name),
            **dict(each.values),
            **{words: [*map(int, dict(each.deeds)[name])] for words, name in _DEEDS.items()},
        }
        for each in items
    ]
    return [*items] if json.dumps({"animals": whole}) == text else None


@reads(
    WORDS,
    scene=holes.pattern(r"(?:.+\n)*.+", _scene),
    question=holes.pattern(r"[A-Z][a-z0-9, ]{10,700}\?", lambda text: _Questions(text).question()),
    functions=holes.word(WORDS["functions"].values()),
)
def read_animals(
    kind: str, question: Call, scene: tuple[Item, ...] = (), functions: str = ""
) -> Task | None:
    """Read a prompt."""
    del functions
    return Task(kind, question, scene)
