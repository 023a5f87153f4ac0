"""Scenes and questions about objects in words."""

from __future__ import annotations

import json
from collections.abc import Mapping

from synthgen.authoring import RowDraws, Words, filled
from synthgen.families.scene_questions.programs import Program
from synthgen.families.scene_questions.scenes import Scene

WORDS = Words.beside(__file__)
_VALUES, _CLAUSES = WORDS["values"], WORDS["clauses"]
_OTHER = {"one": "another", "the": "the other", "many": "other"}
_ATTRIBUTES = ("size", "color", "material", "shape")


def parted(program: Program) -> tuple[Program, dict[str, str]]:
    """Return what a set is filtered from, and the values by attribute."""
    values: dict[str, str] = {}
    while program[0].startswith("filter_"):
        values[program[0].removeprefix("filter_")] = program[2]
        program = program[1]
    return program, values


class Writer:
    """Writes questions about objects.

    Args:
        draws: Random draws of wordings.
        synonyms: Whether values have several names.
    """

    def __init__(self, draws: RowDraws, *, synonyms: bool) -> None:
        self.draws, self.synonyms = draws, synonyms

    def question(self, program: Program) -> str:
        """Return a question."""
        name, *rest = program
        holes: dict[str, str] = {}
        if name.startswith("equal_") and name != "equal_integer":
            name, attribute = "equal", name.removeprefix("equal_")
            sets = [each[1][1] for each in rest]
            holes["attribute"] = attribute
        elif name.startswith("query_"):
            sets = [rest[0][1]]
        else:
            sets = [each[1] if each[0] == "count" else each for each in rest]
        base, values = parted(sets[0])
        wordings = WORDS["questions"]["union" if base[0] == "union" else name]
        if name == "count" and base[0] == "relate":
            wordings = [*wordings, *WORDS["questions"]["count_relate"]]
        wording = self.draws.choice(wordings)
        if "{things}" in wording:
            holes["things"] = self._nouns(values, "many")
            sets = [*base[1:]]
        if "{place}" in wording:
            holes["place"] = self.draws.choice(WORDS["places"][base[2]])
            sets = [base[1][1]]
        for program, form in zip(sets, _forms(wording), strict=True):
            holes[form] = self.described(program, form.split("_")[0])
        return filled(wording, holes)

    def _word(self, value: str) -> str:
        names = _VALUES.get(value, [value])
        return self.draws.choice(names) if self.synonyms and len(names) > 1 else str(names[0])

    def described(self, program: Program, form: str) -> str:
        """Return a description.

        Args:
            program: Set, or set of the only thing.
            form: "one" (with "a"), "the" or "many".
        """
        base, values = parted(program)
        text = self._nouns(values, form)
        if is_other(base, values):
            text = f"{_OTHER[form]} {text}"
        elif form != "many":
            text = f"{'the' if form == 'the' else 'an' if text[0] == 'o' else 'a'} {text}"
        if base[0] == "scene":
            return text
        return f"{text} {self._clause(base, 'are' if form == 'many' else 'is')}"

    def _nouns(self, values: Mapping[str, str], form: str) -> str:
        words = [self._word(values[name]) for name in _ATTRIBUTES[:-1] if name in values]
        noun = self._word(values.get("shape", "thing"))
        return " ".join([*words, f"{noun}s" if form == "many" else noun])

    def _clause(self, base: Program, verb: str) -> str:
        holes = {"is": verb, "has": {"is": "has", "are": "have"}[verb]}
        parts = base[1:] if base[0] == "intersect" else [base]
        for part, end in zip(parts, ("", "_other"), strict=False):
            holes[f"the{end}"] = self.described(part[1][1], "the")
            if part[0] == "relate":
                place = self.draws.choice(WORDS["places"][part[2]])
                holes["place_too" if end else "place"] = place
            else:
                holes["attribute"] = part[0].removeprefix("same_")
        kind = "_".join("relate" if part[0] == "relate" else "same" for part in parts)
        return filled(self.draws.choice(_CLAUSES[kind]), holes)


def is_other(base: Program, values: Mapping[str, str]) -> bool:
    """Return whether things are called other ones.

    They are like an object in something, and nothing said of them rules out this object.
    """
    first = base[1] if base[0] == "intersect" else base
    if not first[0].startswith("same_"):
        return False
    _, known = parted(first[1][1])
    return all(known.get(name, value) == value for name, value in values.items())


def _forms(wording: str) -> list[str]:
    """Return the holes for descriptions, in order."""
    return [
        name
        for name in ("one", "the", "many", "the_other", "many_more")
        if f"{{{name}}}" in wording
    ]


def object_list(scene: Scene, style: str) -> str:
    """Return a scene as a list or as JSON, or what its picture shows."""
    if style == "picture":
        return str(WORDS["scenes"]["picture"])
    things = [
        {**dict(zip(scene.attributes, thing.values, strict=True)), "x": thing.x, "y": thing.y}
        for thing in scene.things
    ]
    if style == "json":
        return json.dumps({"objects": things})
    return "\n".join(filled(WORDS["scenes"]["thing"], thing) for thing in things)
