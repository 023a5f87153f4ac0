"""Questions about scenes: the published programs, worked examples, and what a question needs."""

import json
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

from synthgen.authoring import Problem
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.draws.randomness import RowDraws, Rows, stream_key
from synthgen.families.scene_questions.objects import KINDS
from synthgen.families.scene_questions.programs import View, answer, functions, text, value
from synthgen.families.scene_questions.scenes import COGENT, Scene, Thing
from synthgen.families.scene_questions.texts import Writer, parted
from synthgen.recipe.bundled import find_recipe
from synthgen.testing import check_family
from tests.conformance import original
from tests.families.verdicts import answer as solved

BOTH = ("answer", "program")
SCENE = """- large red metal cube at (3, 9)
- small red rubber cube at (8, 4)
- small blue metal ball at (12, 15)
- large gray rubber cylinder at (15, 2)
question: """.replace("ball", "sphere")
ANIMALS = """- 1: round black dog, chasing 2, playing with 3
- 2: square white cat, looking at 1 and 3
- 3: triangular black mouse, playing with 1
- 4: round black cat
question: """
RELATIONS = ("relate", "intersect", "same", "chasing", "playing", "looking")


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("scene_questions", {"asks": BOTH, "questions": tuple(KINDS), "level": True}),
        ("scene_questions", {"scene": "json", "synonyms": False, "colors": "cogent_a"}),
        ("scene_questions", {"scene": "picture", "asks": BOTH}),
        ("animal_questions", {"asks": BOTH, "level": True}),
        ("animal_questions", {"scene": "json"}),
    ],
    ids=["objects", "objects-json", "objects-picture", "animals", "animals-json"],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=40)


def translated(steps: list[list[Any]], last: int = -1) -> tuple[Any, ...]:
    """Return a published program as a tree."""
    name, inputs, values = steps[last]
    return (name, *(translated(steps, place) for place in inputs), *values)


def published() -> Iterator[tuple[View, tuple[Any, ...], str]]:
    for line in original("grounded/clevr.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        things = tuple(Thing(tuple(values), 0, 0) for *values, _, _ in row["scene"])
        relations = {
            name: [sum(1 << other for other in others) for others in lists]
            for name, lists in row["relations"].items()
        }
        view = View(Scene(("size", "color", "material", "shape"), things, relations))
        for _, steps, right in row["questions"]:
            right = ("no", "yes")[right] if isinstance(right, bool) else str(right)
            yield view, translated(steps), right


def test_published_programs() -> None:
    """They have the published answers, and the verifier reads them from our words."""
    verifier, rows = load_verifier("scene_questions"), 0
    for view, program, right in published():
        assert answer(value(program, view)) == right
        program = ordered(program)
        question = Writer(RowDraws(rows), synonyms=True).question(program)
        assert verifier.accepts(f"question: {question}", text(program))
        rows += 1
    assert rows > 100


def ordered(program: Any) -> Any:
    """Filter by the attributes in the order of words."""
    if not isinstance(program, tuple):
        return program
    base, values = parted(program)
    made = (base[0], *map(ordered, base[1:]))
    for name in ("size", "color", "material", "shape"):
        made = (f"filter_{name}", made, values[name]) if name in values else made
    return made


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("What color is the big cube?", "red"),
        ("How many things are left of the ball?", "2"),
        ("How many red things are there?", "2"),
        ("What is the shape of the object behind the small block?", "cylinder"),
        ("What size is the other red thing of the same shape as the metal cube?", "small"),
        ("Is there another thing that has the same material as the sphere?", "yes"),
        ("Are there more red cubes than rubber things?", "no"),
        ("How many things are either red cubes or rubber objects?", "3"),
        ("Does the sphere have the same size as the block right of the metal block?", "yes"),
        ("What shape is the thing right of the metal cube?", None),
        ("How many things are right of the metal cube and behind the small cube?", None),
        ("What color is the thing that is right of the small cube and behind it?", None),
        ("Is there a thing that is right of the metal cube and behind the small cube?", "yes"),
    ],
)
def test_worked_examples(question: str, right: str | None) -> None:
    assert solved("scene_questions", SCENE + question) == right


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("What color is the dog?", "black"),
        ("How many black animals are there?", "3"),
        ("What is the shape of the animal looking at a dog that is chasing a cat?", "square"),
        ("Is the color of the mouse black or white?", "black"),
        ("Are all of the cats black?", "no"),
        ("Are most of the animals black?", "yes"),
        ("Is it true that some of the cats are looking at a round dog?", "yes"),
        ("Are there more than 2 cats?", "no"),
        ("Is it true that there is a gray dog or that all of the dogs are black, or both?", "yes"),
        ("Is it true that there is a round dog and that the color of the mouse is white?", "no"),
        ("Are there as many dogs as mice?", "yes"),
    ],
)
def test_worked_examples_of_animals(question: str, right: str) -> None:
    assert solved("animal_questions", ANIMALS + question) == right


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("scene_questions", "What color is the cube?"),
        ("scene_questions", "What color is the green thing?"),
        ("animal_questions", "What color is the cat?"),
    ],
)
def test_a_reference_without_one_thing_has_no_answer(name: str, question: str) -> None:
    scene = SCENE if name == "scene_questions" else ANIMALS
    assert solved(name, scene + question) is None


@pytest.mark.parametrize(
    "question",
    ["Is the color of the dog square?", "Is the shape of the mouse black or round?"],
)
def test_an_attribute_does_not_have_the_values_of_another_one(question: str) -> None:
    assert not load_verifier("animal_questions").reads(ANIMALS + question)


def test_programs_are_right_in_any_order_of_filters() -> None:
    verifier, question = load_verifier("scene_questions"), "question: Is there a red cube?"
    for right in (
        "exist(filter_shape(filter_color(scene, red), cube))",
        "exist( filter_color(filter_shape(scene,cube),red))",
    ):
        assert verifier.accepts(question, right)
    for wrong in ("exist(filter_shape(scene, cube))", "exist(", "filter_color(scene, red", "yes"):
        assert not verifier.accepts(question, wrong)
    assert not verifier.accepts(question, "exist(" * 5_000)


@cache
def problems(name: str) -> list[Problem]:
    rows = Rows(stream_key("shortcuts"), np.arange(1_200, dtype=np.uint64))
    return [each for each in generator_class(name)().draw(rows).parts["made"] if each]


def program_of(problem: Problem) -> tuple[Any, ...]:
    return tuple(problem.data[0])


NAMES = pytest.mark.parametrize("name", ["scene_questions", "animal_questions"])


@NAMES
def test_the_kind_of_question_does_not_betray_the_answer(name: str) -> None:
    """Guess yes or no by what is asked and how long the question is."""
    groups: dict[object, Counter[str]] = defaultdict(Counter)
    for problem in problems(name):
        if problem.answer in ("yes", "no"):
            key = problem.axes["question"], program_of(problem)[0]
            groups[key][problem.answer] += 1
    counts = sum(groups.values(), Counter[str]())
    assert abs(counts["yes"] / counts.total() - 0.5) < 0.06
    best = sum(max(group.values()) for group in groups.values())
    assert best / counts.total() < 0.5 + 0.6 * (len(groups) / counts.total()) ** 0.5


@NAMES
def test_relations_are_needed(name: str) -> None:
    """Answer by the attributes of the last description only, in the whole scene."""
    right: dict[str, list[float]] = defaultdict(list)
    for problem in problems(name):
        program, view = problem.data
        kind = program[0].partition("_")[0]
        described = program[1][1] if kind == "query" else program[1]
        if kind not in ("exist", "count", "query") or "union" in functions(program):
            continue
        if not any(each.startswith(RELATIONS) for each in functions(program)):
            continue
        members = view.everything
        for attribute, known in stated(described):
            members &= view.having[attribute].get(known, 0)
        if kind != "query":
            guess = str(members.bit_count()) if kind == "count" else ("no", "yes")[members > 0]
            right[kind].append(guess == problem.answer)
            continue
        sizes = {
            known: (members & some).bit_count()
            for known, some in view.having[program[0].removeprefix("query_")].items()
        }
        likeliest = [known for known, size in sizes.items() if size == max(sizes.values())]
        right[kind].append((problem.answer in likeliest) / len(likeliest))
    limits = {"count": 0.01, "exist": 0.62, "query": 0.62}
    assert {kind: sum(each) / len(each) < limits[kind] for kind, each in right.items()} == (
        dict.fromkeys(right, True)
    )


def stated(program: tuple[Any, ...]) -> Iterator[tuple[str, str]]:
    """Yield the attributes and values of a description, without its clause."""
    while len(program) == 3 and program[0] not in ("relate", "intersect"):
        if program[0].startswith("filter_"):
            yield program[0].removeprefix("filter_"), program[2]
        program = program[1]


@NAMES
def test_every_word_of_a_description_is_needed(name: str) -> None:
    """Without an attribute or relation, a reference has several things, and a set has others."""
    for problem in islice(problems(name), 300):
        program, view = problem.data
        for each in described(program):
            for shorter in without_a_word(each[1]):
                members = value(shorter, view)
                assert members != value(each[1], view)
                assert each[0] != "unique" or members.bit_count() > 1


def described(program: Any) -> Iterator[Any]:
    """Yield the references, existences and counts in a program."""
    if isinstance(program, tuple):
        if program[0] in ("unique", "exist", "count"):
            yield program
        for each in program[1:]:
            yield from described(each)


def without_a_word(program: Any) -> Iterator[Any]:
    """Yield a set without one of its attributes or relations."""
    name, *rest = program
    if name.startswith("filter_") and "union" not in functions(program):
        yield rest[0]
        yield from ((name, shorter, rest[1]) for shorter in without_a_word(rest[0]))
    if name.startswith(RELATIONS[-3:]):
        yield rest[0]
        yield from ((name, shorter, rest[1]) for shorter in without_a_word(rest[0]))
        yield from ((name, rest[0], shorter) for shorter in without_a_word(rest[1]))


@pytest.mark.parametrize("colors", ["cogent_a", "cogent_b"])
def test_conditions_of_cogent(colors: str) -> None:
    rows = Rows(stream_key("cogent"), np.arange(60, dtype=np.uint64))
    family: Any = generator_class("scene_questions")
    made = family(colors=colors).draw(rows).parts["made"]
    seen = {thing.values for each in made if each for thing in each.data[1].scene.things}
    for _, color, _, shape in seen:
        assert shape == "sphere" or color in COGENT[colors][shape]
    assert len({color for _, color, _, shape in seen if shape == "sphere"}) == 8


def test_the_pairs_of_covr_are_in_both_splits() -> None:
    """Each rule of a held-out pair is in training, and their combination exists."""
    comment = find_recipe("covr").read_text(encoding="utf-8")
    pairs = [
        [set(tomllib.loads(f"of = [{part}")["of"]) for part in line.split("[")[1:]]
        for line in comment.splitlines()
        if line.startswith("#  ") and line.count("[") == 2
    ]
    assert len(pairs) == 10
    used = [{*functions(problem.tree)} for problem in problems("animal_questions")]
    for first, second in pairs:
        assert any(first & each and not second & each for each in used)
        assert any(second & each and not first & each for each in used)
        assert any(first & each and second & each for each in used)
