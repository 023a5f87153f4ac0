"""Greatest common divisors: sizes by level and the divisions of the solutions."""

from __future__ import annotations

from math import gcd, log10

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega._numbers import trees_column
from synthgen.generators.omega.arithmetic.arithmetic_gcd import ArithmeticGcd

ENTROPY_OF_LEVEL = {1: (4, 7), 2: (10, 12), 3: (15, 20), 4: (20, 25), 5: (25, 30), 6: (30, 36)}


@pytest.mark.parametrize("level", ENTROPY_OF_LEVEL)
def test_the_integers_have_the_entropy_of_their_level(level: int) -> None:
    problems = ArithmeticGcd(levels=(level,)).draw(Rows.span(3, 0, 300))
    pairs = [made.facts for made in problems.parts["made"] if made]
    digits = [log10(p) + log10(q) - log10(gcd(p, q)) for p, q in pairs]
    assert max(digits) <= ENTROPY_OF_LEVEL[level][1] + 0.01
    assert np.mean(digits) > ENTROPY_OF_LEVEL[level][0] - 1.5


def test_a_pair_is_one_problem_in_either_order() -> None:
    generator = ArithmeticGcd()
    problems = generator.draw(Rows.span(3, 0, 500))
    pairs = [made.facts for made in problems.parts["made"]]
    assert any(p > q for p, q in pairs)
    assert any(p < q for p, q in pairs)
    trees = [("gcd", *sorted(pair)) for pair in pairs]
    codes = trees_column(trees, generator.signature)
    assert codes.values.tolist() == problems.derivations.values.tolist()
    assert codes.offsets.tolist() == problems.derivations.offsets.tolist()


def test_the_solution_is_euclids_algorithm() -> None:
    problems = ArithmeticGcd(levels=(1,)).draw(Rows.span(3, 0, 50))
    texts = ArithmeticGcd(levels=(1,)).render(problems, Render("instruction", "steps"))
    assert texts.solutions is not None
    for made, way in zip(problems.parts["made"], texts.solutions.to_pylist(), strict=True):
        first, last = way.splitlines()[0], way.splitlines()[-1]
        assert first.startswith(f"{max(made.facts)} = ")
        assert last.endswith(f" * {made.answer} + 0")


@pytest.mark.parametrize("levels", [(0,), (8,), (1, 1), (True,), ("1",), 3])
def test_unknown_levels_are_refused(levels: object) -> None:
    with pytest.raises(ParamError, match=r"levels=.*a list of different levels from 1 to 7"):
        ArithmeticGcd(levels=levels)  # type: ignore[arg-type]
