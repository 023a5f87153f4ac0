"""Sentences that define numbers: their values, their nesting and how many there are."""

from __future__ import annotations

from collections import Counter

import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.generators.omega._definitions import (
    DEFINITION_SYMBOLS,
    define_all,
    letters_of,
    sentence,
    sorted_trees,
)
from synthgen.generators.omega._numbers import signature_of, tree_codes
from synthgen.generators.omega._parts import some_letters
from synthgen.generators.omega.arithmetic.arithmetic_mixed import ArithmeticMixed
from synthgen.verifiers.omega._definitions import read_definitions, settle, settle_exactly


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_text_gives_the_letters_their_values(n: int) -> None:
    starts: Counter[str] = Counter()
    for key in range(150):
        draws = RowDraws(key)
        value = draws.integer(-500, 500)
        in_text, direct = define_all(draws, [value], n, 48, some_letters(draws, 2 * n))
        assert [one.value for one in direct] == [value]
        assert len(in_text) == n
        text = "".join(sentence(draws, one) for one in in_text)
        found = read_definitions(f"{text}What is it?")
        assert found is not None
        assert found[1] == "What is it?"
        assert settle(found[0]) == letters_of(in_text)
        assert key > 20 or settle_exactly(found[0]) == letters_of(in_text)
        starts.update(part.split(" ")[0] for part in text.split(". "))
        tree_codes(sorted_trees(direct)[0], signature_of(DEFINITION_SYMBOLS))
    assert starts["Let"] > starts["Suppose"] > 20


def test_every_sentence_is_used_by_the_next_or_by_the_question() -> None:
    for key in range(60):
        draws = RowDraws(key)
        in_text, direct = define_all(draws, [3, -8], 4, 32, "bcdfghjr")
        used = {one.letter for one in direct}
        for one in reversed(in_text):
            assert one.letter in used
            used |= {letter for letter in "bcdfghjr" if f"'{letter}'" in repr(one.facts)}


@pytest.mark.parametrize(
    "name",
    [
        *("algebra_linear_equation", "algebra_polynomial_roots"),
        *("arithmetic_mixed", "arithmetic_list_prime_factors"),
    ],
)
def test_any_level_takes_any_number_of_sentences(name: str) -> None:
    kind = generator_class(name)
    for n in (0, 4):
        generator = kind(definitions=(n, n))  # type: ignore[call-arg]
        problems = generator.draw(Rows.span(3, 0, 120))
        assert problems.valid.mean() > 0.95
        assert (problems.axes["n_definitions"][problems.valid] == n).all()
        problems = generator.draw(Rows(3, problems.rows.addresses[problems.valid]))
        texts = generator.render(problems, Render("instruction", "steps"))
        verifier = load_verifier(generator.verifier)
        assert verifier.check(texts.prompts, texts.answers, texts.solutions).all()


@pytest.mark.parametrize(
    "definitions", [(1,), (2, 1), (0, 5), (-1, 2), (True, 2), ("0", 1), 3, [0, 1], (0, 1, 2)]
)
def test_other_numbers_of_sentences_are_refused(definitions: object) -> None:
    with pytest.raises(ParamError, match=r"definitions=.*least and most from 0 to 4"):
        ArithmeticMixed(definitions=definitions)  # type: ignore[arg-type]
