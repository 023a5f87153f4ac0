"""Mixed expressions: values, lengths by level, and the lines of the solutions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega._definitions import letters_of
from synthgen.generators.omega._expressions import working
from synthgen.generators.omega.arithmetic.arithmetic_mixed import ArithmeticMixed

MOST_SIGNS = {1: 7, 2: 10, 3: 11, 4: 13, 5: 15, 6: 18, 7: 21}


@pytest.mark.parametrize("level", MOST_SIGNS)
def test_expressions_have_the_value_and_length_of_their_level(level: int) -> None:
    problems = ArithmeticMixed(levels=(level,)).draw(Rows.span(3, 0, 200))
    assert problems.valid.all()
    longest = 0
    for made in problems.parts["made"]:
        known = letters_of(made.facts.definitions)
        value, lines = working(made.facts.node, known)
        assert str(Fraction(*value)) == made.answer
        longest = max(longest, len(lines))
    assert MOST_SIGNS[level] - 3 <= longest <= MOST_SIGNS[level] + 4
    assert problems.axes["n_operations"].min() >= 3


def test_answers_are_integers_and_fractions() -> None:
    made = ArithmeticMixed().draw(Rows.span(3, 0, 400)).parts["made"]
    fractions = sum("/" in one.answer for one in made)
    assert 120 < fractions < 280


def test_statements_have_digits_in_the_expression_alone() -> None:
    generator = ArithmeticMixed(levels=(1, 2))
    texts = generator.render(generator.draw(Rows.span(3, 0, 60)), Render("instruction", "none"))
    for text in texts.prompts.to_pylist():
        assert text.endswith("Give an integer, or a fraction p/q in lowest terms with a positive "
                             "denominator.")  # fmt: skip
        assert "--" not in text
        assert "- -" not in text
