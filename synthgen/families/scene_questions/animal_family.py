"""Questions about animals: problems and their texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from synthgen.authoring import PlainFamily, Problem, RowDraws, Tree, axis, levelled, params
from synthgen.authoring.distractors import chained
from synthgen.families.scene_questions.animal_texts import (
    WORDS,
    AnimalWriter,
    animal_list,
    others_of,
)
from synthgen.families.scene_questions.animals import KINDS, AnimalDescriber, planned
from synthgen.families.scene_questions.programs import (
    QUANTIFIERS,
    Made,
    View,
    answer,
    changed,
    functions,
    text,
    value,
)
from synthgen.families.scene_questions.scenes import ANIMALS, DEEDS, Scene, drawn_animals
from synthgen.families.scene_questions.steps import Steps, calls

_SCENES, _TRIES, _OFFERED, _MAX_ANIMALS = 10, 2, 10, 8
_DOES = {"chasing": "chases", "playing_with": "plays_with", "looking_at": "looks_at"}
_ROOTS = {"count": "what", "query": "what", "choose": "which"}
_GROUPS = (*ANIMALS.values(), (2, 3, 4))


@levelled("n_functions + n_animals", 6, 8, 10, 12, 14, 16, 19, 23, 28)
@dataclass(frozen=True)
class AnimalQuestions(PlainFamily):
    """Answer a question about animals, or translate it into a program.

    Attributes:
        asks: "answer" and "program", drawn with equal probability; a program needs no scene.
        questions: Kinds of questions, drawn with equal probability.
        min_animals, max_animals: Fewest and most animals.
        scene: "list" or "json": how the scene is written.
    """

    asks: tuple[str, ...] = params.choices(("answer",), ("answer", "program"))
    questions: tuple[str, ...] = params.choices(KINDS, KINDS)
    min_animals: int = params.integer(4, 4, _MAX_ANIMALS, up_to="max_animals")
    max_animals: int = params.integer(8, 4, _MAX_ANIMALS)
    scene: str = params.choice("list", ("list", "json"))

    verifier = "animal_questions"
    restated_by = ("scene",)
    words = WORDS
    symbols = {
        "scene": 0,
        **{f"filter_{name}": 2 for name in ANIMALS},
        **dict.fromkeys((*DEEDS, *QUANTIFIERS, "and", "or"), 2),
        **dict.fromkeys(("equal_integer", "greater_than", "less_than"), 2),
        **{f"equal_{name}": 2 for name in ("color", "shape")},
        **{f"query_{name}": 1 for name in ("color", "shape")},
        **{f"choose_{name}": 3 for name in ("color", "shape")},
        **dict.fromkeys(("unique", "count", "exist", "what", "which", "whether", "program"), 1),
        **dict.fromkeys([value for some in ANIMALS.values() for value in some], 0),
        "answer": 2,
        "animals": (4, _MAX_ANIMALS),
        **dict.fromkeys(_DOES.values(), (1, _MAX_ANIMALS - 1)),
        **{
            f"{shape}_{color}_{animal}": (0, 3)
            for animal in ANIMALS["animal"]
            for color in ANIMALS["color"]
            for shape in ANIMALS["shape"]
        },
    }
    answer_type = {"answer": "label", "program": "checked:animal_questions"}
    own_axes = {
        "question": axis("kind of question", values=KINDS),
        "n_animals": axis("animals of the scene; 0 for a program", 0, "max_animals"),
        "n_functions": axis("functions of the program", 2, 60),
        "n_relations": axis("relations in the question", 0, 12),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw what is asked, and a scene with the answer."""
        ask, kind = draws.choice(self.asks), draws.choice(self.questions)
        count = draws.integer(self.min_animals, self.max_animals + 1)
        plan = planned(draws, kind, count)
        for _ in range(_SCENES):
            view = View(drawn_animals(draws, count))
            describer = AnimalDescriber(view, draws)
            for _ in range(_TRIES):
                program = describer.program(kind, plan)
                if program:
                    return _problem(ask, kind, Made(program, view))
        return None

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of a number, word or program."""
        is_number = problem.kind == "answer" and problem.data.program[0] == "count"
        return "integer" if is_number else self.answer_type[problem.kind]

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the question and the scene."""
        program, view = problem.data
        return {
            "question": AnimalWriter(draws).question(program),
            "functions": WORDS["functions"]["all"],
            "scene": animal_list(view.scene, self.scene),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Name the animals of each set, or write the program line by line."""
        program, view = problem.data
        if problem.kind == "program":
            return calls(program, WORDS)
        return [*Steps(view, WORDS, _numbers).lines(program)]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Offer other values of the same kind, or programs that differ in one value."""
        program = problem.data.program
        if problem.kind == "program":
            others = chained(program, partial(changed, groups=_GROUPS), draws, _OFFERED)
            return [*map(text, others)]
        if problem.answer.isdecimal():
            return draws.shuffled([str(number) for number in range(6)])
        if program[0].startswith("choose_"):
            return [*program[2:]]
        values = next((some for some in ANIMALS.values() if problem.answer in some), ("yes", "no"))
        return draws.shuffled(values)


def _problem(ask: str, kind: str, made: Made) -> Problem:
    program, view = made
    names = [*functions(program)]
    tree: Tree = (_ROOTS.get(program[0].partition("_")[0], "whether"), program)
    is_shown = ask == "answer"
    return Problem(
        tree=("answer", tree, _animals(view.scene)) if is_shown else ("program", tree),
        answer=answer(value(program, view)) if is_shown else text(program),
        kind=ask,
        axes={
            "question": kind,
            "n_animals": len(view.scene.things) if is_shown else 0,
            "n_functions": len(names),
            "n_relations": sum(name in DEEDS for name in names),
        },
        data=made,
    )


def _numbers(members: int) -> str:
    return ", ".join(str(n + 1) for n in range(_MAX_ANIMALS) if members >> n & 1)


def _animals(scene: Scene) -> Tree:
    """Return the animals with their relations."""
    animals: list[Tree] = []
    for number, (animal, color, shape) in enumerate(thing.values for thing in scene.things):
        deeds: list[tuple[Tree, ...]] = [
            (_DOES[deed], *others_of(scene, number, deed)) for deed in DEEDS
        ]
        known = (deed for deed in deeds if len(deed) > 1)
        animals.append((f"{shape}_{color}_{animal}", *known))
    return ("animals", *animals)
