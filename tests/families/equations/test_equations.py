"""Contracts of the families, their levels, and the definitions before a question."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from sympy import factorint

from synthgen.core.contract import Generator, Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.testing import check_family

COMPOSED = (
    *("algebra_linear_equation", "algebra_polynomial_roots"),
    *("arithmetic_list_prime_factors", "arithmetic_mixed"),
)
LEVELS = range(1, 8)


def made(name: str, n: int = 150, **params: Any) -> tuple[Generator, Problems, Texts]:
    """Draw rows, keep the valid ones and render them."""
    generator = generator_class(name)(**params)
    drawn = generator.draw(Rows.span(3, 0, n))
    assert drawn.valid.mean() > 0.95
    problems = generator.draw(Rows(3, drawn.rows.addresses[drawn.valid]))
    return generator, problems, generator.render(problems, Render("instruction", "steps"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", COMPOSED)
def test_contract(name: str, level: int) -> None:
    check_family(name, {"levels": (level,)}, rows=100)


@pytest.mark.parametrize("level", range(1, 6))
def test_contract_of_polynomial_gcd(level: int) -> None:
    check_family("comp_polynomial_gcd", {"levels": (level,)}, rows=100)


@pytest.mark.parametrize("name", COMPOSED)
def test_any_level_takes_any_number_of_definitions(name: str) -> None:
    check_family(name, {"definitions": (0, 4)}, rows=100)
    for n in (0, 4):
        generator, problems, texts = made(name, definitions=(n, n))
        assert (problems.axes["n_definitions"] == n).all()
        assert (generator.axes["n_definitions"].low, generator.axes["n_definitions"].high) == (n, n)
        starts = [len(re.findall(r"(?:Let|Suppose) ", text)) for text in texts.prompts.to_pylist()]
        assert n == 0 or min(starts) >= 2


@pytest.mark.parametrize(
    "definitions", [(1,), (2, 1), (0, 5), (-1, 2), (True, 2), ("0", 1), 3, [0, 1], (0, 1, 2)]
)
def test_other_numbers_of_definitions_are_refused(definitions: object) -> None:
    with pytest.raises(ParamError, match=r"definitions=.*least and most from 0 to 4"):
        generator_class("arithmetic_mixed")(definitions=definitions)


@pytest.mark.parametrize("name", [*COMPOSED, "comp_polynomial_gcd"])
def test_all_numerals_belong_to_the_problem(name: str) -> None:
    for _, _, wording in generator_class(name).words.numbered:  # type: ignore[attr-defined]
        assert not re.search("[0-9]", wording)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", COMPOSED)
def test_no_answer_can_be_guessed(name: str, level: int) -> None:
    answers = made(name, 300, levels=(level,))[2].answers.to_pylist()
    assert max(map(answers.count, set(answers))) < 0.25 * len(answers)


@pytest.mark.parametrize("level", LEVELS)
def test_systems_have_the_unknowns_and_definitions_of_their_level(level: int) -> None:
    _, problems, texts = made("algebra_linear_equation", levels=(level,))
    assert (problems.axes["n_unknowns"] == level + 1).all()
    wanted = [(0, 0), (1, 2), (1, 2), (1, 2), (2, 3), (2, 3), (2, 4)][level - 1]
    n_definitions = problems.axes["n_definitions"]
    assert (n_definitions.min(), n_definitions.max()) == wanted
    assert texts.solutions is not None
    for solution, digits in zip(
        texts.solutions.to_pylist(), problems.axes["digits"].tolist(), strict=True
    ):
        rows = [line for line in solution.split("\n") if re.match(r"\([0-9]+\) [^:]+$", line)]
        assert len(rows) == level + 1
        numbers = re.findall(r"[0-9]+", " ".join(row.split(" ", 1)[1] for row in rows))
        assert max(map(len, numbers)) == digits


def test_the_elimination_ends_as_soon_as_the_unknown_is_by_itself() -> None:
    _, _, texts = made("algebra_linear_equation", 300, levels=(2, 3))
    assert texts.solutions is not None
    for solution in texts.solutions.to_pylist():
        *lines, last_but_one, last = solution.split("\n")
        by_itself = re.compile(rf"\(\d+\).*: -?(\d+\*)?{last[0]} = -?\d+")
        assert by_itself.fullmatch(last_but_one)
        assert not any(map(by_itself.fullmatch, lines))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_of_polynomials_gives_rows(level: int) -> None:
    """The published generator gives none from its level 2 on."""
    _, problems, texts = made("algebra_polynomial_roots", levels=(level,))
    assert (problems.axes["degree"] == level + 2).all()
    assert texts.solutions is not None
    pairs = zip(texts.solutions.to_pylist(), problems.axes["n_roots"].tolist(), strict=True)
    for solution, n_roots in pairs:
        roots = [Fraction(text) for text in re.findall(r"\nroot (\S+):", solution)]
        assert len(roots) == level + 2
        assert roots == sorted(roots, reverse=True)
        assert len(set(roots)) == n_roots >= 2


def test_polynomials_are_hidden_in_three_ways() -> None:
    prompts = made("algebra_polynomial_roots", 200, levels=(3, 5))[2].prompts.to_pylist()
    combined = sum("g(" in text for text in prompts)
    shifted = sum("f(" in text and "g(" not in text for text in prompts)
    assert min(combined, shifted, len(prompts) - combined - shifted) > 30


def test_a_polynomial_is_one_problem_whatever_it_is_multiplied_by() -> None:
    _, _, texts = made("algebra_polynomial_roots", 200, levels=(1,))
    leads = [text.split(") = ")[1] for text in texts.prompts.to_pylist()]
    assert any(lead.startswith("-") for lead in leads)
    assert any("/" in lead.split(" n/m")[0] for lead in leads)


@pytest.mark.parametrize(
    ("level", "least", "digits"),
    [
        *((1, 25, (4, 7)), (2, 100, (8, 12)), (3, 200, (12, 15)), (4, 400, (15, 18))),
        *((5, 800, (18, 25)), (6, 1_600, (25, 30)), (7, 3_200, (30, 36))),
    ],
)
def test_integers_are_those_of_their_level(level: int, least: int, digits: tuple[int, int]) -> None:
    _, problems, texts = made(
        "arithmetic_list_prime_factors", 40, levels=(level,), definitions=(0, 0)
    )
    assert digits[0] <= problems.axes["digits"].min()
    assert problems.axes["digits"].max() <= digits[1] + 1
    rows = zip(
        texts.prompts.to_pylist(),
        texts.answers.to_pylist(),
        problems.axes["digits"].tolist(),
        problems.axes["n_primes"].tolist(),
        strict=True,
    )
    for prompt, answer, n_digits, n_primes in rows:
        found = re.search(r"[0-9]+", prompt)
        assert found is not None
        primes = sorted(factorint(int(found[0])))
        assert (str(primes[-2]), len(found[0]), len(primes)) == (answer, n_digits, n_primes)
        assert primes[-2] >= least


@pytest.mark.parametrize("level", LEVELS)
def test_expressions_have_the_operations_of_their_level(level: int) -> None:
    most = (7, 10, 11, 13, 15, 18, 21)[level - 1]
    _, problems, texts = made("arithmetic_mixed", levels=(level,), definitions=(0, 0))
    assert texts.solutions is not None
    longest = max(solution.count("\n") + 1 for solution in texts.solutions.to_pylist())
    assert most - 3 <= longest <= most + 4
    rows = zip(texts.prompts.to_pylist(), problems.axes["n_operations"].tolist(), strict=True)
    for prompt, n_operations in rows:
        expression = prompt.replace("p/q", "")
        assert len(re.findall(r" [+-] |[*/]", expression)) == n_operations >= 3
        assert "--" not in prompt
        assert "- -" not in prompt
    fractions = sum("/" in answer for answer in texts.answers.to_pylist())
    assert 0.3 < fractions / len(texts.answers) < 0.7


def test_a_pair_of_polynomials_is_one_problem_in_either_order() -> None:
    generator, problems, texts = made("comp_polynomial_gcd", 100, levels=(1,))
    assert set(problems.axes["n_roots"].tolist()) == {1, 2}
    verifier = load_verifier(generator.verifier)
    prompts = [
        re.sub(r"p\((.)\) = (.+?) and q\(.\) = ([^.;?]+?)(?= vanish| is a product|[.;])",
               r"p(\1) = \3 and q(\1) = \2", text)
        for text in texts.prompts.to_pylist()
    ]  # fmt: skip
    assert prompts != texts.prompts.to_pylist()
    assert verifier.check(pa.array(prompts), texts.answers, None).all()
