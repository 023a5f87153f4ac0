"""Systems of linear equations: sizes by level, integer solutions, and the elimination."""

from __future__ import annotations

import re

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra import algebra_linear_equation as family
from synthgen.generators.omega.algebra.algebra_linear_equation import AlgebraLinearEquation

LEVELS = range(1, AlgebraLinearEquation.n_levels + 1)


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_has_its_unknowns_and_its_definitions(level: int) -> None:
    problems = AlgebraLinearEquation(levels=(level,)).draw(Rows.span(3, 0, 150))
    assert problems.valid.mean() > 0.95
    ranges = [(0, 0), (1, 2), (1, 2), (1, 2), (2, 3), (2, 3), (2, 4)]
    n_definitions = problems.axes["n_definitions"][problems.valid]
    assert (n_definitions.min(), n_definitions.max()) == ranges[level - 1]
    for made in problems.parts["made"]:
        if made is not None:
            matrix = np.array([row[:-1] for row in made.facts.rows], object)
            constants = np.array([row[-1] for row in made.facts.rows], object)
            assert matrix.shape == (level + 1, level + 1)
            solution = np.linalg.solve(matrix.astype(float), constants.astype(float))
            assert (matrix @ np.rint(solution).astype(int).astype(object) == constants).all()
            assert str(round(solution[0])) == made.answer
            assert (matrix[:, 1:] != 0).any(axis=1).all()


@pytest.mark.parametrize(
    ("rows", "names", "last"),
    [
        ([[2, 3, 12], [1, -1, 1]], ["x", "y"], "(3) 1*(1) + 3*(2), divided by 5: x = 3"),
        ([[1, 1, 5], [1, -2, -4]], ["x", "y"], "(3) 1*(2) + 2*(1), divided by 3: x = 2"),
        ([[0, 1, 2], [1, 1, 5]], ["x", "y"], "(3) 1*(2) - 1*(1): x = 3"),
    ],
)
def test_elimination_by_hand(rows: list[list[int]], names: list[str], last: str) -> None:
    assert list(family._elimination(rows, names))[-1] == last


def test_the_elimination_ends_as_soon_as_the_unknown_is_alone() -> None:
    generator = AlgebraLinearEquation(levels=(2, 3))
    problems = generator.draw(Rows.span(7, 0, 400))
    problems = generator.draw(Rows(7, problems.rows.addresses[problems.valid]))
    ways = generator.render(problems, Render("instruction", "steps")).solutions
    assert ways is not None
    for made, way in zip(problems.parts["made"], ways.to_pylist(), strict=True):
        x = made.facts.unknowns[0]
        alone = re.compile(rf"\(\d+\).*: -?(\d+\*)?{x} = -?\d+")
        *lines, last_but_one, last = way.split("\n")
        assert not any(map(alone.fullmatch, lines))
        assert alone.fullmatch(last_but_one)
        assert last == f"{x} = {made.answer}"


def test_definitions_can_be_left_out_or_asked_for() -> None:
    rows = Rows.span(3, 0, 60)
    plain = AlgebraLinearEquation(levels=(5,), definitions=(0, 0))
    texts = plain.render(plain.draw(rows), Render("instruction", "none")).prompts.to_pylist()
    assert not any("Let " in text or "Suppose " in text for text in texts)
    composed = AlgebraLinearEquation(levels=(1, 7), definitions=(4, 4))
    assert composed.axes["n_definitions"].low == 4
    assert (composed.draw(rows).axes["n_definitions"] == 4).all()


@pytest.mark.parametrize("level", LEVELS)
def test_no_answer_can_be_guessed(level: int) -> None:
    made = AlgebraLinearEquation(levels=(level,)).draw(Rows.span(5, 0, 400)).parts["made"]
    answers = [one.answer for one in made if one is not None]
    assert max(answers.count(answer) for answer in set(answers)) < 0.2 * len(answers)
