"""Scenes of animals, and questions about them, in words."""

from __future__ import annotations

import json
from collections.abc import Mapping

from synthgen.authoring import RowDraws, Words, filled
from synthgen.families.scene_questions.programs import QUANTIFIERS, Program
from synthgen.families.scene_questions.scenes import DEEDS, Scene
from synthgen.families.scene_questions.texts import parted

WORDS = Words.beside(__file__, "animals.toml")
_BY_NUMBER = {"equal_integer": "exactly", "greater_than": "more_than", "less_than": "fewer_than"}
_BY_OTHERS = {"equal_integer": "as_many", "greater_than": "more", "less_than": "fewer"}


class AnimalWriter:
    """Writes questions about animals.

    Args:
        draws: Random draws of wordings.
    """

    def __init__(self, draws: RowDraws) -> None:
        self.draws = draws

    def question(self, program: Program) -> str:
        """Return a question."""
        kind, _, attribute = program[0].partition("_")
        questions = WORDS["questions"]
        if kind == "count":
            deed, *sets = program[1]
            if deed not in DEEDS or self.draws.integer(0, 2):
                holes = {"many": self.described(program[1], "many")}
                return filled(self.draws.choice(questions[kind]), holes)
            many, one = self.described(sets[0], "many"), self.described(sets[1], "one")
            holes = {"many": many, "deed": WORDS["deeds"][deed], "one": one}
            return filled(self.draws.choice(questions["count_deed"]), holes)
        if kind in ("query", "choose"):
            holes = {"attribute": attribute, "the": self.described(program[1][1], "the")}
            holes |= dict(zip(("value", "other"), program[2:], strict=False))
            return filled(self.draws.choice(questions[kind]), holes)
        if kind in ("and", "or"):
            first, second = (self.statement(each, "statements") for each in program[1:])
            wording = self.draws.choice(questions[kind])
            return filled(wording, {"statement": first, "statement_too": second})
        is_unclear = kind in QUANTIFIERS and program[2][0] in DEEDS  # "are the cats chasing a dog"
        if self.draws.integer(0, 2) and not is_unclear:
            return self.statement(program, "whether")
        statement = self.statement(program, "statements")
        return filled(WORDS["whether_true"]["any"][0], {"statement": statement})

    def statement(self, program: Program, form: str) -> str:
        """Return a statement, or a question whether it holds."""
        name, *rest = program
        kind, _, attribute = name.partition("_")
        holes: dict[str, object] = {}
        if name in _BY_NUMBER:
            holes["many"] = self.described(rest[0][1], "many")
            if isinstance(rest[1], int):
                kind, holes["number"] = _BY_NUMBER[name], rest[1]
            else:
                kind, holes["many_more"] = _BY_OTHERS[name], self.described(rest[1][1], "many")
        elif kind == "equal":
            holes |= {"attribute": attribute, "the": self.described(rest[0][1][1], "the")}
            if isinstance(rest[1], str):
                kind, holes["value"] = "value", rest[1]
            else:
                kind, holes["the_other"] = "same", self.described(rest[1][1][1], "the")
        elif kind == "exist":
            holes = {name: self.described(rest[0], name) for name in ("one", "many")}
        else:
            holes = {"many": self.described(rest[0], "many"), "state": self._state(rest[1])}
        return filled(self.draws.choice(WORDS[form][kind]), holes)

    def _state(self, program: Program) -> str:
        """Return what is said of animals after "are"."""
        if program[0] not in DEEDS:
            return str(program[2])
        return f"{WORDS['deeds'][program[0]]} {self.described(program[2], 'one')}"

    def described(self, program: Program, form: str) -> str:
        """Return a description.

        Args:
            program: Set, or set of the only animal.
            form: "one" (with "a"), "the" or "many".
        """
        deed, others = (program[0], program[2]) if program[0] in DEEDS else ("", ())
        _, values = parted(program[1] if deed else program)
        noun = values.get("animal", "animal")
        words = [values[name] for name in ("shape", "color") if name in values]
        words.append(WORDS["plurals"][noun] if form == "many" else noun)
        if form != "many":
            words.insert(0, "the" if form == "the" else "an" if words[0][0] == "a" else "a")
        if deed:
            holes = {
                "is": "are" if form == "many" else "is",
                "deed": WORDS["deeds"][deed],
                "one": self.described(others, "one"),
            }
            words.append(filled(self.draws.choice(WORDS["clauses"]["deed"]), holes))
        return " ".join(words)


def animal_list(scene: Scene, style: str) -> str:
    """Return a scene as a list or as JSON."""
    animals = [_animal(scene, number) for number in range(len(scene.things))]
    if style == "json":
        return json.dumps({"animals": animals})
    lines = []
    for animal in animals:
        deeds = "".join(
            filled(WORDS["scenes"]["deed"], {"deed": words, "others": _joined(animal[words])})
            for words in WORDS["deeds"].values()
            if animal[words]
        )
        lines.append(filled(WORDS["scenes"]["animal"], {**animal, "deeds": deeds}))
    return "\n".join(lines)


def _animal(scene: Scene, number: int) -> Mapping[str, object]:
    """Return an animal by the names of its properties."""
    return {
        "number": number + 1,
        **dict(zip(scene.attributes, scene.things[number].values, strict=True)),
        **{WORDS["deeds"][deed]: others_of(scene, number, deed) for deed in DEEDS},
    }


def others_of(scene: Scene, number: int, deed: str) -> list[int]:
    """Return the numbers, from 1, of the animals to which an animal has a relation."""
    sets = scene.relations[deed]
    return [other + 1 for other, members in enumerate(sets) if members >> number & 1]


def _joined(numbers: object) -> str:
    *first, last = map(str, numbers)  # type: ignore[call-overload]
    return f"{', '.join(first)} and {last}" if first else str(last)
