"""Constructions of points and lines: length by level, what steps need, and the canonical form."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows
from synthgen.generators.omega.geometry._construct_ask import Question
from synthgen.generators.omega.geometry._construct_ball import Ball
from synthgen.generators.omega.geometry._construct_figure import Figure, Step
from synthgen.generators.omega.geometry._construct_program import Program, finish, rounded
from synthgen.generators.omega.geometry._construct_rules import RULES
from synthgen.generators.omega.geometry._construct_tree import canonical, ring_size, same_of
from synthgen.generators.omega.geometry.geometry_basic import GeometryBasic
from synthgen.generators.omega.geometry.geometry_circle import GeometryCircle
from synthgen.generators.omega.geometry.geometry_polygon import GeometryPolygon
from synthgen.generators.omega.geometry.geometry_triangle import GeometryTriangle

COMMANDS_OF_LEVEL = {1: (6, 9), 2: (10, 13), 3: (14, 17), 4: (18, 21), 5: (22, 25), 7: (30, 33)}
FAMILIES = (GeometryBasic, GeometryCircle, GeometryPolygon, GeometryTriangle)


def programs(family: type, level: int, n: int) -> list[Program]:
    made = family(levels=(level,)).draw(Rows.span(3, 0, n)).parts["made"]
    return [one.facts[0] for one in made if one]


@pytest.mark.parametrize("level", COMMANDS_OF_LEVEL)
@pytest.mark.parametrize("family", FAMILIES)
def test_commands_are_as_many_as_the_level_says(family: type, level: int) -> None:
    """Defect: the published generator does not keep its upper bound."""
    problems = family(levels=(level,)).draw(Rows.span(3, 0, 25))
    low, high = COMMANDS_OF_LEVEL[level]
    for one in problems.parts["made"]:
        assert low <= len(one.facts[0].steps) + 1 <= high
        assert one.axes["commands"] == len(one.facts[0].steps) + 1 == len(one.tree) - 1


@pytest.mark.parametrize("family", FAMILIES)
def test_every_command_is_needed_and_every_object_is_made_before_use(family: type) -> None:
    """Defect: a published text uses a triangle that nothing has introduced."""
    for program in programs(family, 3, 40):
        known: set[int] = set()
        for step in program.steps:
            assert known.issuperset(step.args)
            known.update(step.made)
        needed = set(program.question.args)
        for step in reversed(program.steps):
            assert not needed.isdisjoint(step.made)
            needed.update(step.args)


@pytest.mark.parametrize("family", FAMILIES)
def test_there_is_a_command_of_the_familys_own(family: type) -> None:
    kind = family().kind
    for program in programs(family, 1, 40):
        assert any(RULES[step.name].family == kind for step in program.steps)
        assert {RULES[step.name].family for step in program.steps} <= {"basic", kind}


def test_level_one_has_a_thousand_problems() -> None:
    keys = GeometryBasic(levels=(1,)).draw(Rows.span(5, 0, 1_060)).keys
    assert len(np.unique(keys, axis=0)) >= 1_000


def drawing(*steps: tuple[str, tuple[int, ...], tuple[int, ...]]) -> Figure:
    figure = Figure()
    for name, args, numbers in steps:
        assert figure.add(name, args, numbers) is not None
    return figure


def answer(figure: Figure, kind: str, *args: int) -> str | None:
    program = finish(figure, Question(kind, args), "basic")
    return program.answer if program else None


def test_published_examples() -> None:
    one = drawing(("point", (), ()), ("point_apart", (0,), (6,)), ("mirror_pp", (0, 1), ()))
    one.add("rotate", (1, 0), (90,))
    assert answer(one, "distance", 2, 3) == "13.42"
    two = drawing(("point", (), ()), ("point_apart", (0,), (10,)), ("midpoint_pp", (0, 1), ()))
    two.add("rotate", (1, 0), (120,))
    assert answer(two, "distance", 2, 3) == "13.23"


def test_answers_that_the_text_names_are_not_asked_for() -> None:
    figure = drawing(("point", (), ()), ("point_apart", (0,), (6,)), ("rotate", (0, 1), (60,)))
    assert answer(figure, "distance", 0, 2) is None
    assert answer(figure, "distance", 0, 1) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Ball(2.0), "2.00"),
        (Ball(0.125, 1e-9), None),
        (Ball(0.1250005), None),
        (Ball(0.125002), "0.13"),
        (Ball(0.124998), "0.12"),
        (Ball(0.12501, 1e-4), None),
        (Ball(13.999999), "14.00"),
    ],
)
def test_rounding_keeps_away_from_ties(value: Ball, text: str | None) -> None:
    """Defect: four decimals are printed where two are asked for."""
    assert rounded(value) == text


def other_order(program: Program, draws: RowDraws) -> Program:
    """The same construction with independent steps, exchangeable arguments and rings moved."""
    rest, order, done = list(range(len(program.steps))), [], set()
    while rest:
        ready = [k for k in rest if done.issuperset(program.steps[k].args)]
        chosen = draws.choice(ready)
        order.append(chosen)
        rest.remove(chosen)
        done.update(program.steps[chosen].made)
    renamed: dict[int, int] = {}
    steps = []
    for k in order:
        step = program.steps[k]
        ring = ring_size(step)
        by = draws.integer(0, ring) if ring else 0
        made = step.made[by:ring] + step.made[:by] + step.made[ring:] if ring else step.made
        args = [renamed[one] for one in step.args]
        same = same_of(step)
        for letter in set(same):
            places = [place for place, other in enumerate(same) if other == letter]
            moved = draws.shuffled([args[place] for place in places])
            for place, one in zip(places, moved, strict=True):
                args[place] = one
        ids = tuple(range(len(renamed), len(renamed) + len(made)))
        renamed |= dict(zip(made, ids, strict=True))
        steps.append(Step(step.name, tuple(args), step.numbers, step.sign, ids))
    asked = Question(program.question.kind, tuple(renamed[one] for one in program.question.args))
    if asked.kind in ("distance", "angle"):
        asked = replace(asked, args=asked.args[::-1])
    return replace(program, steps=tuple(steps), question=asked)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("level", [1, 4])
def test_the_order_of_independent_steps_does_not_matter(family: type, level: int) -> None:
    draws = RowDraws(12345)
    for program in programs(family, level, 25):
        moved = other_order(program, draws)
        assert canonical(moved) == canonical(program)


def test_another_number_or_use_is_another_problem() -> None:
    trees = []
    for degrees, asked in ((60, (2, 3)), (75, (2, 3)), (60, (0, 3))):
        figure = drawing(("point", (), ()), ("point_apart", (0,), (6,)))
        figure.add("rotate", (1, 0), (degrees,))
        figure.add("mirror_pp", (2, 1))
        program = finish(figure, Question("distance", asked), "basic")
        assert program is not None
        trees.append(canonical(program))
    assert len(set(trees)) == 3


def test_texts_have_no_digits_but_the_numbers_of_commands() -> None:
    generator = GeometryBasic(levels=(5,))
    problems = generator.draw(Rows.span(4, 0, 40))
    prompts = generator.render(problems, Render("instruction", "none")).prompts.to_pylist()
    for made, prompt in zip(problems.parts["made"], prompts, strict=True):
        steps = made.facts[0].steps
        sided = ("point_along", "point_along_m")
        told = [s.numbers[:-1] if s.name in sided else s.numbers for s in steps]
        numbers = [str(number) for one in told for number in one]
        assert re.findall(r"\d+", prompt) == numbers


def test_the_solution_places_every_object() -> None:
    generator = GeometryBasic(levels=(1,))
    problems = generator.draw(Rows.span(4, 0, 20))
    solutions = generator.render(problems, Render("instruction", "steps")).solutions
    assert solutions is not None
    for made, way in zip(problems.parts["made"], solutions.to_pylist(), strict=True):
        lines = way.splitlines()
        assert len(lines) == made.axes["commands"]
        assert lines[0].endswith(" = (0.0000, 0.0000)")
        assert lines[-1].endswith(f" rounds to {made.answer}")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"levels": (8,)}, "levels"),
        ({"levels": (0,)}, "levels"),
        ({"max_length": 5}, "max_length=5"),
        ({"max_length": 31}, "max_length=31"),
        ({"max_length": True}, "max_length"),
        ({"max_length": "9"}, "max_length"),
    ],
)
def test_bad_params_are_refused(params: dict[str, object], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        GeometryBasic(**params)  # type: ignore[arg-type]


def test_lengths_keep_to_their_bound() -> None:
    for family in FAMILIES:
        problems = family(levels=(2,), max_length=30).draw(Rows.span(4, 0, 25))
        assert problems.valid.mean() > 0.9
        steps = [s for one in problems.parts["made"] if one for s in one.facts[0].steps]
        lengths = [s.numbers[0] for s in steps if s.name in ("point_apart", "circle_pr")]
        assert max(lengths) > 12 or family is GeometryTriangle
        assert all(length <= 30 for length in lengths)
