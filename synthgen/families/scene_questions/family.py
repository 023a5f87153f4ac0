"""Questions about scenes: problems and their texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from synthgen.authoring import (
    Ink,
    Picture,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    axis,
    levelled,
    params,
)
from synthgen.authoring.distractors import chained
from synthgen.authoring.pictures import INK, PALETTE, numbered_grid
from synthgen.families.scene_questions.animal_family import AnimalQuestions
from synthgen.families.scene_questions.objects import CLEVR, KINDS, ObjectDescriber, planned
from synthgen.families.scene_questions.programs import (
    Made,
    View,
    answer,
    changed,
    functions,
    text,
    value,
)
from synthgen.families.scene_questions.scenes import (
    COGENT,
    MAX_THINGS,
    OBJECTS,
    PLACES,
    SIDE,
    Scene,
    drawn_objects,
)
from synthgen.families.scene_questions.steps import Steps, calls
from synthgen.families.scene_questions.texts import WORDS, Writer, object_list

ASKS = ("answer", "program")
_SCENES, _TRIES, _OFFERED = 8, 12, 10
_WIDTH, _MARGIN, _END = 336, 24, 8
_HEIGHTS = {"small": 15, "large": 27}
_ASKED = ("exist", "count", *OBJECTS, "same", "compare")


@levelled("n_functions + n_objects", 6, 9, 11, 13, 15, 17, 19, 21, 23)
@dataclass(frozen=True)
class SceneQuestions(PlainFamily):
    """Answer a question about objects, or translate it into a program.

    Attributes:
        asks: "answer" and "program", drawn with equal probability; a program needs no scene.
        questions: Kinds of questions, drawn with equal probability: those of CLEVR, and those of
            CLOSURE (from "and_sim_loc" on).
        min_objects, max_objects: Fewest and most objects.
        colors: "any", or the colors of cubes and cylinders in CoGenT's conditions "cogent_a" and
            "cogent_b".
        scene: "list" or "json", how the scene is written, or "picture" if only the picture shows
            it.
        synonyms: Whether questions also say big, tiny, block, ball, metallic and object.
    """

    asks: tuple[str, ...] = params.choices(("answer",), ASKS)
    questions: tuple[str, ...] = params.choices(CLEVR, tuple(KINDS))
    min_objects: int = params.integer(4, 4, MAX_THINGS, up_to="max_objects")
    max_objects: int = params.integer(10, 4, MAX_THINGS)
    colors: str = params.choice("any", ("any", *COGENT))
    scene: str = params.choice("list", ("list", "json", "picture"))
    synonyms: bool = params.flag(True)

    verifier = "scene_questions"
    restated_by = ("scene", "synonyms")
    words = WORDS
    symbols = {
        "scene": 0,
        **{f"filter_{name}": 2 for name in OBJECTS},
        **{f"{kind}_{name}": 1 for kind in ("same", "query") for name in OBJECTS},
        **{f"equal_{name}": 2 for name in (*OBJECTS, "integer")},
        **dict.fromkeys(("relate", "union", "intersect", "greater_than", "less_than"), 2),
        **dict.fromkeys(("unique", "count", "exist", "program"), 1),
        **dict.fromkeys((*PLACES, *(value for some in OBJECTS.values() for value in some)), 0),
        "answer": 2,
        "objects": (4, MAX_THINGS),
        **{
            f"{size}_{color}_{material}_{shape}": 2
            for size in OBJECTS["size"]
            for color in OBJECTS["color"]
            for material in OBJECTS["material"]
            for shape in OBJECTS["shape"]
        },
    }
    answer_type = {"answer": "label", "program": "checked:scene_questions"}
    own_axes = {
        "question": axis("kind of question", values=tuple(KINDS)),
        "asked": axis("what is asked for", values=_ASKED),
        "n_objects": axis("objects of the scene; 0 for a program", 0, "max_objects"),
        "n_functions": axis("functions of the program", 2, 30),
        "n_references": axis("objects that the question describes", 0, 4),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw what is asked, and a scene with the answer."""
        ask, kind = draws.choice(self.asks), draws.choice(self.questions)
        count = draws.integer(self.min_objects, self.max_objects + 1)
        plan = planned(draws, kind, count)
        for _ in range(_SCENES):
            view = View(drawn_objects(draws, count, self.colors))
            describer = ObjectDescriber(view, draws)
            for _ in range(_TRIES):
                program = describer.program(plan)
                if program:
                    return self._problem(ask, kind, Made(program, view))
        return None

    def _problem(self, ask: str, kind: str, made: Made) -> Problem:
        program, scene = made.program, made.view.scene
        result = answer(value(program, made.view))
        names = [*functions(program)]
        is_shown = ask == "answer"
        return Problem(
            tree=("answer", program, _objects(scene)) if is_shown else ("program", program),
            answer=result if is_shown else text(program),
            kind=ask,
            axes={
                "question": kind,
                "asked": _asked(program[0]),
                "n_objects": len(scene.things) if is_shown else 0,
                "n_functions": len(names),
                "n_references": names.count("unique"),
            },
            data=made,
        )

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of a number, word or program."""
        is_number = problem.kind == "answer" and problem.data.program[0] == "count"
        return "integer" if is_number else self.answer_type[problem.kind]

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the question, and the scene with its objects in random order."""
        program, view = problem.data
        holes = {
            "question": Writer(draws, synonyms=self.synonyms).question(program),
            "functions": WORDS["functions"]["all"],
        }
        if problem.kind == "answer":
            things = tuple(draws.shuffled(view.scene.things))
            holes["scene"] = object_list(view.scene._replace(things=things), self.scene)
        return holes

    def picture(self, problem: Problem, draws: RowDraws) -> Picture | None:
        """Draw the objects at their places, those in front last; metal ones have a white spot."""
        del draws
        if problem.kind != "answer":
            return None
        picture, cell = Picture(_WIDTH, _WIDTH), (_WIDTH - _MARGIN - _END) / SIDE
        numbered_grid(picture, (SIDE, SIDE), cell, _MARGIN, every=5)
        for thing in sorted(problem.data.view.scene.things, key=lambda thing: thing.y):
            size, color, material, shape = thing.values
            x, y = (_MARGIN + (place - 0.5) * cell for place in (thing.x, thing.y))
            height, ink = _HEIGHTS[size], Ink(PALETTE[color], INK)
            if shape == "cube":
                picture.square((x, y), height, ink)
            elif shape == "sphere":
                picture.circle((x, y), height / 2, ink)
            else:
                picture.cylinder((x, y), height, ink)
            if material == "metal":
                picture.circle((x, y), 0.14 * height, Ink(PALETTE["white"]))
        return picture

    def steps_of(self, problem: Problem) -> list[str]:
        """Name the objects of each set, or write the program line by line."""
        program, view = problem.data
        if problem.kind == "program":
            return calls(program, WORDS)
        return [*Steps(view, WORDS, partial(_positions, view.scene)).lines(program)]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Offer other values of the same kind, or programs that differ in one value."""
        program = problem.data.program
        if problem.kind == "program":
            change = partial(changed, groups=(*OBJECTS.values(), PLACES))
            return [*map(text, chained(program, change, draws, _OFFERED))]
        if problem.answer.isdecimal():
            return draws.shuffled([str(number) for number in range(7)])
        values = next((some for some in OBJECTS.values() if problem.answer in some), ("yes", "no"))
        return draws.shuffled(values)


def _asked(name: str) -> str:
    """Return what is asked for, by the function at the root."""
    kind, _, attribute = name.partition("_")
    if kind == "query":
        return attribute
    if kind in ("exist", "count"):
        return kind
    return "same" if kind == "equal" and attribute in OBJECTS else "compare"


def _positions(scene: Scene, members: int) -> str:
    """Return the positions of a set, from left to right."""
    things = [thing for number, thing in enumerate(scene.things) if members >> number & 1]
    return ", ".join(f"({thing.x}, {thing.y})" for thing in sorted(things, key=lambda t: t.x))


def _objects(scene: Scene) -> Tree:
    """Return the objects in the order of their places."""
    things = sorted(scene.things, key=lambda thing: thing.x)
    return ("objects", *(("_".join(thing.values), thing.x, thing.y) for thing in things))


GENERATORS = {"scene_questions": SceneQuestions, "animal_questions": AnimalQuestions}
